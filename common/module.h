/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Loading a kernel module: the two entry points of <samebits/module.h>, looked up in a shared object.
 */
#ifndef COMMON_MODULE_H
#define COMMON_MODULE_H

#include <samebits/module.h>
#include <stdbool.h>

typedef struct sb_module {
    const sb_device *device;
    const sb_variant *variants;
    size_t count; /* of variants */
} sb_module;

/* Loads the shared object for the rest of the process: a CUDA runtime does not survive being unloaded. The device is not
 * opened. False: `error` says which file cannot be used, and why. */
bool sb_module_load(const char *path, sb_module *module, char *error, size_t size);

#endif
