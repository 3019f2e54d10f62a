/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Loads a kernel module: finds the two entry points of <samebits/module.h> in a shared object and calls them.
 */
#ifndef COMMON_MODULE_H
#define COMMON_MODULE_H

#include <samebits/module.h>
#include <stdbool.h>

typedef struct sb_module {
    const sb_device *device;
    const sb_variant *variants;
    size_t count; /* of variants */
    void *handle; /* of dlopen */
} sb_module;

/* Loads the shared object and never unloads it, because a CUDA runtime cannot be unloaded. Does not open the device.
 * False: `error` names the file and gives the reason why it cannot be used. */
bool sb_module_load(const char *path, sb_module *module, char *error, size_t size);

#endif
