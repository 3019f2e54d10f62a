/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The table of algorithms: contract in table.h.
 */
#include "table.h"
#include <string.h>

const sb_algorithm *sb_algorithm_find(const char *name)
{
    for (size_t i = 0; sb_algorithm_at(i) != NULL; i++)
        if (strcmp(sb_algorithm_at(i)->name, name) == 0)
            return sb_algorithm_at(i);
    return NULL;
}
