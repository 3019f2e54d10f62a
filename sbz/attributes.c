/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Access control lists and extended attributes: contract in attributes.h.
 */
#include "attributes.h"
#include <errno.h>
#include <stddef.h>

#ifdef __linux__

#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>

/* The list as an attribute: acl(5) has no other interface without a library. */
static const char acl[] = "system.posix_acl_access";

enum {
    LARGEST = 1 << 16
}; /* bytes of a value, and of all names: the limits of Linux, XATTR_SIZE_MAX and XATTR_LIST_MAX */

bool sbz_has_acl(int file)
{
    return fgetxattr(file, acl, NULL, 0) > 0;
}

void sbz_remove_acl(int file)
{
    (void)!fremovexattr(file, acl); /* mostly there is none */
}

static bool copy(int from, int to, const char *name, void *value)
{
    const ssize_t size = fgetxattr(from, name, value, LARGEST);

    return size >= 0 && fsetxattr(to, name, value, (size_t)size, 0) == 0;
}

bool sbz_copy_acl(int from, int to)
{
    void *value = malloc(LARGEST);
    const bool copied = value != NULL && copy(from, to, acl, value);

    free(value);
    return copied;
}

bool sbz_copy_attributes(int from, int to)
{
    char *names = malloc(LARGEST), *value = malloc(LARGEST);
    const ssize_t size = names != NULL && value != NULL ? flistxattr(from, names, LARGEST) : -1;
    int error = size < 0 && errno != ENOTSUP ? errno : 0;

    for (const char *name = names; size > 0 && name < names + size; name += strlen(name) + 1)
        if (strncmp(name, "user.", strlen("user.")) == 0 && !copy(from, to, name, value))
            error = errno;
    free(names);
    free(value);
    errno = error;
    return error == 0;
}

#else

bool sbz_has_acl(int file)
{
    (void)file;
    return false;
}

void sbz_remove_acl(int file)
{
    (void)file;
}

bool sbz_copy_acl(int from, int to)
{
    (void)from, (void)to;
    errno = ENOTSUP;
    return false;
}

bool sbz_copy_attributes(int from, int to)
{
    (void)from, (void)to;
    return true;
}

#endif
