/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Loading a kernel module: contract in module.h.
 */
#include "module.h"
#include <dlfcn.h>
#include <stdio.h>

bool sb_module_load(const char *path, sb_module *module, char *error, size_t size)
{
    const sb_device *(*device)(uint32_t);
    const sb_variant *(*variants)(uint32_t, size_t *);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);

    if (handle == NULL) {
        snprintf(error, size, "%s", dlerror());
        return false;
    }
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
        snprintf(error, size, "%s: does not speak version %u of the module interface", path, SB_MODULE_VERSION);
        return false;
    }
    return true;
}
