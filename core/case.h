/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The life of cases and results: making, copying, freeing, checking, hashing. Functions that return bool return false
 * only for want of memory unless they say more, and leave what they were given as it was.
 */
#ifndef CORE_CASE_H
#define CORE_CASE_H

#include "algorithm.h"

/* A case of the algorithm with empty inputs of their right types, parameters 0 (or the first allowed word). */
void sb_case_init(sb_case *c, const sb_algorithm *algorithm);
void sb_case_free(sb_case *c);
bool sb_case_copy(sb_case *to, const sb_case *from);
bool sb_case_set_id(sb_case *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool sb_case_set_why(sb_case *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Replaces the elements of an array (type stays): `length` elements from `data`; NULL data: zeros. */
bool sb_array_set(sb_array *array, const void *data, uint64_t length);
/* Changes the length; new elements are zero. */
bool sb_array_resize(sb_array *array, uint64_t length);
uint64_t sb_array_bytes(const sb_array *array);

/* Parameters with words brought to an allowed word, fields to their type (an array whose type changes keeps its bytes,
 * as many as make whole elements), then the descriptor's normalise. Afterwards sb_case_shape holds. */
bool sb_case_normalise(sb_case *c);

/* The descriptor's shape, after checking types and words. False: not well-formed, `why` says how. */
bool sb_case_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size);

/* Elements of the longest input, and bytes of all inputs. */
uint64_t sb_case_items(const sb_case *c);
uint64_t sb_case_bytes(const sb_case *c);

/* 64-bit hash (FNV-1a over parameters, lengths and bytes; docs/FORMAT.md) of what the case asks. Not of its id. */
uint64_t sb_case_hash(const sb_case *c);
bool sb_case_equal(const sb_case *a, const sb_case *b);

/* A result with outputs of the case's types, allocated to `capacity`, length == capacity, status SB_OK. */
bool sb_result_init(sb_result *result, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS]);
void sb_result_free(sb_result *result);
bool sb_result_copy(sb_result *to, const sb_result *from, size_t outputs);
/* FNV-1a over status and, when it is SB_OK, lengths and bytes. Starts from `seed` so that results can be chained. */
uint64_t sb_result_hash(const sb_result *result, size_t outputs, uint64_t seed);

/* Shape, allocation and the descriptor's reference in one. False: not well-formed or no memory, result->message says.
 */
bool sb_case_reference(const sb_case *c, sb_result *result);
double sb_case_cost(const sb_case *c);

#endif
