/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The function of the judge that compares is overwritten, through /proc. */
#include "cheat.h"
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The address of a function in the program of another process, by the symbols of its file. 0: not found. */
static uint64_t find(pid_t process, const char *name)
{
    char path[64], line[512];
    uint64_t base = 0, found = 0;
    struct stat status;
    FILE *maps;
    int file;

    snprintf(path, sizeof path, "/proc/%d/maps", (int)process);
    maps = fopen(path, "r");
    if (maps == NULL)
        return 0;
    if (fgets(line, sizeof line, maps) != NULL)
        base = strtoull(line, NULL, 16);
    fclose(maps);
    snprintf(path, sizeof path, "/proc/%d/exe", (int)process);
    file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &status) != 0)
        return 0;
    const char *elf = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (elf == MAP_FAILED)
        return 0;
    const Elf64_Ehdr *head = (const void *)elf;
    const Elf64_Shdr *sections = (const void *)(elf + head->e_shoff);
    for (int s = 0; s < head->e_shnum; s++)
        if (sections[s].sh_type == SHT_SYMTAB) {
            const Elf64_Sym *symbols = (const void *)(elf + sections[s].sh_offset);
            const char *names = elf + sections[sections[s].sh_link].sh_offset;

            for (uint64_t i = 0; i < sections[s].sh_size / sizeof *symbols; i++)
                if (strcmp(names + symbols[i].st_name, name) == 0)
                    found = symbols[i].st_value + (head->e_type == ET_DYN ? base : 0);
        }
    munmap((void *)(uintptr_t)elf, (size_t)status.st_size);
    return found;
}

static int patch(pid_t process)
{
    static const unsigned char return_1[] = {0xb8, 1, 0, 0, 0, 0xc3}; /* x86-64: mov eax, 1; ret */
    uint64_t address = find(process, "sb_results_agree");
    char path[64];
    int memory;

    snprintf(path, sizeof path, "/proc/%d/mem", (int)process);
    memory = address != 0 ? open(path, O_WRONLY) : -1;
    if (memory >= 0 && pwrite(memory, return_1, sizeof return_1, (off_t)address) != sizeof return_1)
        address = 0;
    if (memory >= 0)
        close(memory);
    return memory >= 0 && address != 0;
}

LAUNCH
{
    UNUSED;
    if (patch(getppid()))
        memset(OUT, 0, LENGTH);
    return SB_OK;
}

CHEAT(NULL, NULL)
