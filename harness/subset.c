/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Parts of contracts: contract in subset.h.
 */
#include "subset.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_set(const char *setting, const char *name)
{
    size_t length = strlen(name);

    return strncmp(setting, name, length) == 0 && setting[length] == '=';
}

/* The number at `text`, up to `end`. */
static bool read_number(const char *text, const char *end, uint64_t *value)
{
    char *stop;

    errno = 0;
    *value = strtoull(text, &stop, 0);
    return errno == 0 && stop == end && *text >= '0' && *text <= '9';
}

/* The values of a setting of the parameter. False: it takes none of them. */
static bool range_of(const char *setting, const sb_parameter *parameter, uint64_t *low, uint64_t *high)
{
    const char *text = strchr(setting, '=') + 1, *dots = strstr(text, "..");

    if (parameter->words != NULL) {
        for (*low = 0; parameter->words[*low] != NULL; ++*low)
            if (*text != '\0' && strcmp(parameter->words[*low], text) == 0) {
                *high = *low;
                return true;
            }
        return false;
    }
    if (!read_number(text, dots != NULL ? dots : text + strlen(text), low))
        return false;
    *high = *low;
    if (dots != NULL && !read_number(dots + 2, text + strlen(text), high))
        return false;
    return *low <= *high && *low >= parameter->min && (parameter->max == 0 || *high <= parameter->max);
}

bool sb_subset_check(const sb_list *settings, const sb_row *rows, size_t count, char *error, size_t size)
{
    for (size_t i = 0; i < settings->count; i++) {
        const char *setting = settings->items[i];
        bool found = false;

        for (size_t r = 0; r < count; r++)
            for (size_t p = 0; p < rows[r].algorithm->parameter_count; p++) {
                const sb_parameter *parameter = &rows[r].algorithm->parameters[p];
                uint64_t low, high;

                if (!is_set(setting, parameter->name))
                    continue;
                found = true;
                if (!range_of(setting, parameter, &low, &high)) {
                    snprintf(error, size, "--set=%s: %s takes no such %s", setting, rows[r].algorithm->name,
                             parameter->name);
                    return false;
                }
            }
        if (!found) {
            snprintf(error, size, "--set=%s: %s", setting,
                     strchr(setting, '=') == NULL ? "NAME=VALUE or NAME=LOW..HIGH is wanted"
                                                  : "no algorithm judged here has such a parameter");
            return false;
        }
    }
    return true;
}

/* Has parameter `index` a setting, and is its value one of them? */
static void look(const sb_list *settings, const sb_algorithm *algorithm, size_t index, const uint64_t *parameters,
                 uint64_t *named, bool *holds)
{
    const sb_parameter *parameter = &algorithm->parameters[index];
    uint64_t low, high;

    *named = 0;
    *holds = false;
    for (size_t i = 0; settings != NULL && i < settings->count; i++)
        if (is_set(settings->items[i], parameter->name) && range_of(settings->items[i], parameter, &low, &high)) {
            ++*named;
            *holds |= low <= parameters[index] && parameters[index] <= high;
        }
}

bool sb_subset_holds(const sb_list *settings, const sb_algorithm *algorithm, const uint64_t *parameters)
{
    uint64_t named;
    bool holds;

    for (size_t p = 0; p < algorithm->parameter_count; p++) {
        look(settings, algorithm, p, parameters, &named, &holds);
        if (named > 0 && !holds)
            return false;
    }
    return true;
}

int sb_subset_force(const sb_list *settings, const sb_algorithm *algorithm, sb_random *random, uint64_t *parameters)
{
    int first = -1;

    for (size_t p = 0; p < algorithm->parameter_count; p++) {
        uint64_t named, chosen, low, high;
        bool holds;

        look(settings, algorithm, p, parameters, &named, &holds);
        if (named > 0 && first < 0)
            first = (int)p;
        if (named == 0 || holds)
            continue;
        chosen = sb_random_below(random, named);
        for (size_t i = 0; i < settings->count; i++)
            if (is_set(settings->items[i], algorithm->parameters[p].name) &&
                range_of(settings->items[i], &algorithm->parameters[p], &low, &high) && chosen-- == 0)
                parameters[p] = low + (high - low < UINT64_MAX ? sb_random_below(random, high - low + 1) : 0);
    }
    return first;
}
