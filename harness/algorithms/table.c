/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The table of algorithms: contract in table.h.
 */
#include "table.h"
#include <stdlib.h>
#include <string.h>

typedef struct added {
    const sb_algorithm *algorithm;
    char *folder;
} added;

static added *list;
static size_t count, built_in; /* added ones; and the built-in ones, counted when the first is added */

const sb_algorithm *sb_algorithm_at(size_t index)
{
    const sb_algorithm *algorithm = sb_built_in_at(index);

    return algorithm == NULL && index - built_in < count ? list[index - built_in].algorithm : algorithm;
}

const sb_algorithm *sb_algorithm_find(const char *name)
{
    for (size_t i = 0; sb_algorithm_at(i) != NULL; i++)
        if (strcmp(sb_algorithm_at(i)->name, name) == 0)
            return sb_algorithm_at(i);
    return NULL;
}

bool sb_algorithm_add(const sb_algorithm *algorithm, const char *folder)
{
    added *grown = realloc(list, (count + 1) * sizeof *grown);

    if (grown == NULL)
        return false;
    while (sb_built_in_at(built_in) != NULL)
        built_in++;
    list = grown;
    list[count] = (added){algorithm, strdup(folder)};
    return list[count++].folder != NULL;
}

const char *sb_algorithm_folder(const sb_algorithm *algorithm)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].algorithm == algorithm)
            return list[i].folder;
    return NULL;
}
