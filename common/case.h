/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Functions that make, copy, free, check and hash cases and results. Unless its comment says more, a function that
 * returns bool returns false only if it runs out of memory, and then leaves its arguments as they were.
 */
#ifndef COMMON_CASE_H
#define COMMON_CASE_H

#include "algorithm.h"

/* Makes a case of the algorithm. Its inputs are empty and have their types. A parameter is 0 or, if it has words, its
 * first allowed word. */
void sb_case_init(sb_case *c, const sb_algorithm *algorithm);
void sb_case_free(sb_case *c);
bool sb_case_copy(sb_case *to, const sb_case *from);
bool sb_case_set_id(sb_case *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool sb_case_set_why(sb_case *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Replaces the elements of an array by `length` elements from `data`, or by zeros when `data` is NULL. The type
 * stays. */
bool sb_array_set(sb_array *array, const void *data, uint64_t length);
/* Changes the length of an array. New elements are zero. */
bool sb_array_resize(sb_array *array, uint64_t length);
uint64_t sb_array_bytes(const sb_array *array);
/* Element i as a number, see number.h; not of SB_AFFINE. */
double sb_number_at(const sb_array *array, uint64_t i);
void sb_number_set(sb_array *array, uint64_t i, double number);

/* Makes a well-formed case of any case: replaces words that are not allowed, gives each array its type and its shape, then calls the
 * descriptor's `normalise`. An array whose type changes keeps its bytes, as many as make whole elements. Afterwards
 * sb_case_shape returns true. */
bool sb_case_normalise(sb_case *c);

/* Checks types, words and shapes, then calls the descriptor's `shape`, which sets `capacity`. False: the case is not
 * well-formed, and `why` gives the reason. */
bool sb_case_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size);

uint64_t sb_case_items(const sb_case *c); /* elements of the longest input */
uint64_t sb_case_bytes(const sb_case *c); /* bytes of all inputs together */

/* The 64-bit FNV-1a hash (G. Fowler, L. C. Noll, K.-P. Vo 1991) of parameters, lengths and bytes. The id is not hashed.
 * docs/FORMAT.md defines it. */
uint64_t sb_case_hash(const sb_case *c);
bool sb_case_equal(const sb_case *a, const sb_case *b);

/* Makes a result for a case: its status is SB_OK, and each output has its type, `capacity` allocated elements and
 * length == capacity. */
bool sb_result_init(sb_result *result, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS]);
void sb_result_free(sb_result *result);
bool sb_result_copy(sb_result *to, const sb_result *from, size_t outputs);
/* The FNV-1a hash of the status and, if that is SB_OK, of lengths and bytes. It starts from `seed`, so that hashes can
 * be chained. */
uint64_t sb_result_hash(const sb_result *result, size_t outputs, uint64_t seed);
/* The same for an answer of the reference, but where the algorithm takes more than equal bytes, every NaN of an f32 or f64 output counts as the
 * same one: IEEE 754 leaves open which NaN an operation gives, and compilers differ. */
uint64_t sb_answer_hash(const sb_case *c, const sb_result *answer, uint64_t seed);

/* Checks the shape, allocates the result and runs the reference. False: the case is not well-formed, or memory ran out;
 * result->message gives the reason. */
bool sb_case_reference(const sb_case *c, sb_result *result);
/* An estimate of the time that the reference takes, in nanoseconds. */
double sb_case_cost(const sb_case *c);

#endif
