/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Records of cases and of answers, as a process gets and gives them: docs/FORMAT.md, *A process for all cases*.
 */
#ifndef HARNESS_RECORD_H
#define HARNESS_RECORD_H

#include "../common/case.h"
#include "process.h"

/* Makes the record of a case for the variant NAME of the case's algorithm, or for the reference where that is "reference". The caller
 * frees it. False: out of memory. */
bool sb_case_record(const sb_case *c, const char *name, const uint64_t capacity[SB_MAX_ARRAYS], sb_bytes *record);

/* The bytes of the longest answer to it. */
uint64_t sb_answer_most(const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS]);

/* Reads the answer, whose bytes may change, into `result`, which the caller frees. With status SB_FAILED `text` is the error that the
 * answer gives, and with SB_UNSUPPORTED result->message why it refuses. `reference`: outputs may also be f64, which are rounded;
 * they become result->exact, and magnitudes result->magnitude. False: it is no answer to the case, and `text` says why. */
bool sb_answer_read(sb_bytes *answer, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS], bool reference,
                    sb_result *result, char *text, size_t size);

/* Lines of the text of a record. The next line that is not empty, without its end, or NULL. `at` begins as the text, which
 * changes. */
char *sb_next_line(char **at);
/* Its next word, which blanks separate, or NULL. */
char *sb_next_word(char **line);
/* Writes what is wrong to `text`, and returns false. */
bool sb_wrong(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Is it a decimal number? */
bool sb_decimal(const char *word, uint64_t *value);

#endif
