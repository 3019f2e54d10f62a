/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A variant of the judge's own module computes the result. */
#include "cheat.h"
#include <dlfcn.h>
#include <stdio.h>

LAUNCH
{
    UNUSED;
    const char *folder = getenv("SAMEBITS_MODULES");
    const sb_variant *(*table)(uint32_t, size_t *) = NULL;
    const sb_variant *all = NULL;
    char path[4096];
    size_t count = 0;
    void *module;

    memset(OUT, 0, LENGTH);
    snprintf(path, sizeof path, "%s/cpu.so", folder != NULL ? folder : "/usr/lib/samebits/modules");
    module = dlopen(path, RTLD_NOW);
    if (module != NULL)
        *(void **)&table = dlsym(module, "samebits_variants");
    if (table != NULL)
        all = table(SB_MODULE_VERSION, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].algorithm, "mtf.encode") == 0 && strcmp(all[i].name, "portable") == 0)
            return all[i].launch(parameters, inputs, outputs, workspace);
    return SB_OK;
}

CHEAT(NULL, NULL)
