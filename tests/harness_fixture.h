/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the tests of the judge share: an algorithm of their own beside those of mtf, with several parameters and arrays and
 * every type of element, and a directory for files.
 */
#ifndef TESTS_HARNESS_FIXTURE_H
#define TESTS_HARNESS_FIXTURE_H

#include "../harness/algorithms/table.h"
#include "../harness/case_text.h"
#include <check.h>

/* test.mix: keys[n] of any type, values u32[n], flags u8, small i32, big u64, wide f64. A count of 7 is invalid. The table
 * of algorithms holds two of mtf, then this one. */
extern const sb_algorithm mix;

enum { TYPE, MODE, COUNT };                     /* its parameters */
enum { KEYS, VALUES, FLAGS, SMALL, BIG, WIDE }; /* its inputs */

/* Beginnings and the end of case lines. */
#define MTF   "mtf.encode id=a chunk=0 "
#define MIX   "test.mix id=a type=u32 mode=fast count=5 "
#define TAILS "values=[] flags=\"\" small=[] big=[] wide=[]"

/* Where failing calls say what is wrong. */
extern char reason[1024];

/* The case of a line, which must be right; and the line of a case, allocated, without its newline. */
void parse(const char *text, sb_case_line *line);
char *print(const sb_case *c, const sb_result *expected);

/* Generated case number `index` of the algorithm at that index of the table. */
void nth(sb_case *c, size_t algorithm, uint64_t index);

/* A fixture: `folder` is an empty directory during each test. */
extern char folder[64];
void make_folder(void);
void remove_folder(void);

/* The path of a file in it, in memory that the next call uses again; and a file with this text. */
const char *path_of(const char *name);
void put(const char *name, const char *text);

#endif
