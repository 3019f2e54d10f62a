/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Names of compressed files: contract in names.h.
 */
#include "names.h"
#include <string.h>

static bool ends_in(const char *path, const char *suffix)
{
    const size_t length = strlen(path), end = strlen(suffix);

    return length > end && path[length - end - 1] != '/' && strcmp(path + length - end, suffix) == 0;
}

const char *sbz_name_suffix(const sbz_options *options)
{
    return options->suffix != NULL ? options->suffix : SBZ_SUFFIX;
}

const char *sbz_name_suffix_of(const char *path, const sbz_options *options, const char **becomes)
{
    static const char tar_suffix[] = ".tsbz";

    *becomes = "";
    if (ends_in(path, sbz_name_suffix(options)))
        return sbz_name_suffix(options);
    if (ends_in(path, SBZ_SUFFIX))
        return SBZ_SUFFIX;
    *becomes = ".tar";
    return ends_in(path, tar_suffix) ? tar_suffix : NULL;
}

bool sbz_name_fits(const char *path, const sbz_options *options)
{
    const char *becomes;

    return (sbz_name_suffix_of(path, options, &becomes) == NULL) == (options->action == SBZ_COMPRESS);
}
