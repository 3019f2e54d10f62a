/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The part of a contract that `verify --set` selects. Each setting is NAME=VALUE, or NAME=LOW..HIGH for numbers. Settings of one
 * parameter are alternatives; a case is in the part if every parameter that is named has one of its values. Settings that name no
 * parameter of an algorithm leave it whole.
 */
#ifndef HARNESS_SUBSET_H
#define HARNESS_SUBSET_H

#include "../common/random.h"
#include "rows.h"

/* Does each setting name a parameter of an algorithm of the rows, and a value that it takes? `error` says which does not. */
bool sb_subset_check(const sb_list *settings, const sb_row *rows, size_t count, char *error, size_t size);

/* Are cases with these parameters in the part? */
bool sb_subset_holds(const sb_list *settings, const sb_algorithm *algorithm, const uint64_t *parameters);

/* Gives each parameter that is outside the part a value of it. The index of the first one with a setting, or -1. Draws no random
 * number if there is none. */
int sb_subset_force(const sb_list *settings, const sb_algorithm *algorithm, sb_random *random, uint64_t *parameters);

#endif
