/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The long names of nvcc's options: contract in job.h.
 */
#include "job.h"

#include <string.h>

static const struct {
    const char *longer, *shorter;
} names[] = {
    {"--preprocess", "-E"},
    {"--generate-dependencies", "-M"},
    {"--generate-nonsystem-dependencies", "-MM"},
    {"--generate-dependencies-with-compile", "-MD"},
    {"--generate-nonsystem-dependencies-with-compile", "-MMD"},
    {"--dependency-output", "-MF"},
    {"--generate-dependency-targets", "-MP"},
    {"--compile", "-c"},
    {"--device-c", "-dc"},
    {"--device-w", "-dw"},
    {"--device-link", "-dlink"},
    {"--output-file", "-o"},
    {"--pre-include", "-include"},
    {"--objdir-as-tempdir", "-objtemp"},
    {"--library", "-l"},
    {"--define-macro", "-D"},
    {"--undefine-macro", "-U"},
    {"--include-path", "-I"},
    {"--system-include", "-isystem"},
    {"--library-path", "-L"},
    {"--output-directory", "-odir"},
    {"--compiler-bindir", "-ccbin"},
    {"--archiver-binary", "-arbin"},
    {"--libdevice-directory", "-ldir"},
    {"--target-directory", "-target-dir"},
    {"--profile", "-pg"},
    {"--debug", "-g"},
    {"--device-debug", "-G"},
    {"--generate-line-info", "-lineinfo"},
    {"--optimization-info", "-opt-info"},
    {"--optimize", "-O"},
    {"--Ofast-compile", "-Ofc"},
    {"--dlink-time-opt", "-dlto"},
    {"--no-exceptions", "-noeh"},
    {"--no-host-device-initializer-list", "-nohdinitlist"},
    {"--no-host-device-move-forward", "-nohdmoveforward"},
    {"--machine", "-m"},
    {"--compiler-options", "-Xcompiler"},
    {"--linker-options", "-Xlinker"},
    {"--archive-options", "-Xarchive"},
    {"--ptxas-options", "-Xptxas"},
    {"--nvlink-options", "-Xnvlink"},
    {"--dont-use-profile", "-noprof"},
    {"--verbose", "-v"},
    {"--threads", "-t"},
    {"--clean-targets", "-clean"},
    {"--input-drive-prefix", "-idp"},
    {"--dependency-drive-prefix", "-ddp"},
    {"--drive-prefix", "-dp"},
    {"--dependency-target-name", "-MT"},
    {"--no-device-link", "-nodlink"},
    {"--gpu-architecture", "-arch"},
    {"--gpu-code", "-code"},
    {"--generate-code", "-gencode"},
    {"--relocatable-device-code", "-rdc"},
    {"--entries", "-e"},
    {"--disable-warnings", "-w"},
    {"--source-in-ptx", "-src-in-ptx"},
    {"--resource-usage", "-res-usage"},
    {"--extensible-whole-program", "-ewp"},
    {"--compile-as-tools-patch", "-astoolspatch"},
    {"--list-gpu-code", "-code-ls"},
    {"--list-gpu-arch", "-arch-ls"},
    {"--display-error-number", "-err-no"},
    {"--no-display-error-number", "-no-err-no"},
    {"--host-linker-script", "-hls"},
    {"--augment-host-linker-script", "-aug-hls"},
    {"--relocatable-link", "-r"},
    {"--brief-diagnostics", "-brief-diag"},
    {"--jump-table-density", "-jtd"},
    {"--relocatable-ptx", "-reloc-ptx"},
    {"--help", "-h"},
    {"--version", "-V"},
    {"--options-file", "-optf"},
};

const char *cc_short_name(const char *word, const char **value)
{
    size_t length = strcspn(word, "=");

    if (!cc_starts(word, "--"))
        return NULL;
    *value = word[length] ? word + length + 1 : NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].longer) == length && strncmp(names[i].longer, word, length) == 0)
            return names[i].shorter;
    return NULL;
}
