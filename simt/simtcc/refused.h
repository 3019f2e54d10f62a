/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What CUDA has and simtcc does not: one table, of which the errors and the list of simtcc(1) are made. To refuse one more
 * feature is one more row; simt/tests/simtcc.test prints what the manual page must say.
 */
#ifndef SIMTCC_REFUSED_H
#define SIMTCC_REFUSED_H

#include "translator.h"

#include <stdio.h>

/* The rows that other files find, by syntax. The other rows are found by their words. */
typedef enum cc_refused { REFUSED_ASM, REFUSED_SHARED_INITIALISER, REFUSED_SHARED_MEMBER, REFUSED_BY_WORDS } cc_refused;

/* The error of the row at token `i`; `detail` is what the row's message has at its %. */
void cc_refuse_feature(translator *t, size_t i, cc_refused row, const char *detail);

/* At a word: an error if it is one of a row. Each row is reported once in a source. */
void cc_check_word(translator *t, size_t i);

/* If the compiler's messages say that a header is missing which belongs to a library of the table, prints one error instead of
 * them. Has it? */
bool cc_refuse_header(const char *messages);

/* The same of a header that is there, as cuDNN's in /usr/include: its library works on memory of a card, not of the machine. */
bool cc_refuse_included(const cc_include *include);

/* Prints the table, a line for each row: WHAT (WORD, WORD...): INSTEAD */
void cc_print_refused(FILE *file);

#endif
