/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A launch never returns, but answers the judge from then on, without the worker's copies, whose time may be subtracted. Results are right; the time is not. */
#include "cheat.h"
#include <samebits/contract.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A message of harness/wire.h, whose answer follows the arrays. */
typedef struct message {
    uint32_t command, repeats;
    uint64_t variant, seed, poison;
    uint32_t bare, transfers, flush, reserved;
    uint64_t bytes, input_count, output_count;
    uint64_t parameters[SB_MAX_PARAMETERS];
    struct {
        uint64_t length, offset, rows, row, step;
        uint32_t type, alignment;
        char name[64];
    } inputs[SB_MAX_ARRAYS], outputs[SB_MAX_ARRAYS];
    uint32_t status, fault;
    double seconds;
    char rest[512];
} message;

static void work(const uint8_t *in, uint64_t n, const uint64_t *parameters, uint8_t *out)
{
    encode(in, n, parameters[SB_MTF_CHUNK], out);
}

LAUNCH
{
    message *m = MAP_FAILED;
    off_t size = 0;
    struct stat now;
    char byte;

    UNUSED;
    do {
        if (fstat(4, &now) != 0)
            break;
        if (now.st_size != size) {
            if (m != MAP_FAILED)
                munmap(m, (size_t)size);
            size = now.st_size;
            m = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);
        }
        work((uint8_t *)m + m->inputs[0].offset, m->inputs[0].length, m->parameters,
             (uint8_t *)m + m->outputs[0].offset);
        m->outputs[0].length = m->inputs[0].length;
        memset(&m->status, 0, sizeof *m - offsetof(message, status));
        m->seconds = 1e-9;
    } while (write(3, "!", 1) == 1 && read(3, &byte, 1) == 1);
    _exit(0);
}

CHEAT(NULL, NULL)
