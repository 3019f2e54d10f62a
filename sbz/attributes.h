/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a file has beside owner, mode and times: an access control list, and extended attributes. On systems other than
 * Linux these functions find none.
 *
 * Only attributes of the name space user are copied. Those of security, trusted and system belong to the system, or give rights
 * to the file that its contents alone must not have.
 */
#ifndef SBZ_ATTRIBUTES_H
#define SBZ_ATTRIBUTES_H

#include <stdbool.h>

/* True if the file has an access control list. The group bits of its mode are then the mask of the list, not the rights
 * of its group. */
bool sbz_has_acl(int file);
/* Gives a file the list of another. False: errno says why it has none. */
bool sbz_copy_acl(int from, int to);
/* Removes the list that a new file has from its directory. */
void sbz_remove_acl(int file);
/* Copies the attributes. False: at least one could not be copied; errno is that of the last failure. */
bool sbz_copy_attributes(int from, int to);

#endif
