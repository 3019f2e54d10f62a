/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Loading a kernel module: contract in module.h.
 */
#include "module.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* sb_variant as it was in version 1 of the interface. */
typedef struct variant_1 {
    const char *algorithm, *name, *summary;
    const char *(*refuses)(const uint64_t *parameters, const sb_array *inputs);
    uint64_t (*workspace)(const uint64_t *parameters, const sb_array *inputs);
    sb_status (*launch)(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace);
} variant_1;

/* The variants as they are now; like those of a module, they are never freed. NULL: there are none, or no memory. */
static const sb_variant *from_version_1(const variant_1 *old, size_t count)
{
    sb_variant *variants = old != NULL ? calloc(count ? count : 1, sizeof *variants) : NULL;

    for (size_t i = 0; variants != NULL && i < count; i++)
        variants[i] = (sb_variant){old[i].algorithm, old[i].name, old[i].summary, old[i].refuses, old[i].workspace,
                                   old[i].launch,    NULL};
    return variants;
}

bool sb_module_load(const char *path, sb_module *module, char *error, size_t size)
{
    const sb_device *(*device)(uint32_t);
    const sb_variant *(*variants)(uint32_t, size_t *);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);

    if (handle == NULL) {
        snprintf(error, size, "%s", dlerror());
        return false;
    }
    module->handle = handle;
    *(void **)&device = dlsym(handle, "samebits_device");
    *(void **)&variants = dlsym(handle, "samebits_variants");
    if (device == NULL || variants == NULL) {
        snprintf(error, size, "%s: not a samebits module: it does not export %s", path,
                 device == NULL ? "samebits_device" : "samebits_variants");
        return false;
    }
    module->device = device(SB_MODULE_VERSION);
    module->variants = variants(SB_MODULE_VERSION, &module->count);
    if (module->device == NULL || module->variants == NULL) {
        module->device = device(1);
        module->variants = from_version_1((const variant_1 *)(const void *)variants(1, &module->count), module->count);
    }
    if (module->device == NULL || module->variants == NULL) {
        snprintf(error, size, "%s: does not speak version 1 or %u of the module interface", path, SB_MODULE_VERSION);
        return false;
    }
    return true;
}
