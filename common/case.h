/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Cases and results: making, copying, freeing, checking, hashing. Unless its comment says more, a function that returns bool
 * returns false only for want of memory, and then leaves its arguments as they were.
 */
#ifndef COMMON_CASE_H
#define COMMON_CASE_H

#include "algorithm.h"

/* A case of the algorithm with empty inputs of their right types, parameters 0 (or the first allowed word). */
void sb_case_init(sb_case *c, const sb_algorithm *algorithm);
void sb_case_free(sb_case *c);
bool sb_case_copy(sb_case *to, const sb_case *from);
bool sb_case_set_id(sb_case *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool sb_case_set_why(sb_case *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Replaces the elements of an array by `length` elements from `data`, or by zeros when `data` is NULL. The type stays. */
bool sb_array_set(sb_array *array, const void *data, uint64_t length);
/* Changes the length; new elements are zero. */
bool sb_array_resize(sb_array *array, uint64_t length);
uint64_t sb_array_bytes(const sb_array *array);

/* Gives parameters with words an allowed word and arrays their type, then calls the descriptor's normalise. An array whose
 * type changes keeps its bytes, as many as make whole elements. Afterwards sb_case_shape holds. */
bool sb_case_normalise(sb_case *c);

/* Checks types and words, then calls the descriptor's shape. False: the case is not well-formed, and `why` says how. */
bool sb_case_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size);

/* Elements of the longest input, and bytes of all inputs. */
uint64_t sb_case_items(const sb_case *c);
uint64_t sb_case_bytes(const sb_case *c);

/* 64-bit FNV-1a over parameters, lengths and bytes, but not the id (docs/FORMAT.md). */
uint64_t sb_case_hash(const sb_case *c);
bool sb_case_equal(const sb_case *a, const sb_case *b);

/* A result with outputs of the case's types, allocated to `capacity`, length == capacity, status SB_OK. */
bool sb_result_init(sb_result *result, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS]);
void sb_result_free(sb_result *result);
bool sb_result_copy(sb_result *to, const sb_result *from, size_t outputs);
/* FNV-1a over the status and, when it is SB_OK, lengths and bytes. It starts from `seed`, so that hashes can be chained. */
uint64_t sb_result_hash(const sb_result *result, size_t outputs, uint64_t seed);

/* Checks the shape, allocates the result and runs the reference. False: the case is not well-formed, or there is no memory;
 * result->message says which. */
bool sb_case_reference(const sb_case *c, sb_result *result);
/* About how many nanoseconds the reference takes. */
double sb_case_cost(const sb_case *c);

#endif
