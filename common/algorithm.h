/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptors: <samebits/contract.h> has the type. harness/algorithms/ has one for each algorithm. Case files, generators,
 * shrinking, fuzz decoding, comparison and reports follow from it; none of them knows an algorithm by name. The lists of a
 * descriptor put each row at its index of <samebits/algorithms.h>, so that the two cannot differ.
 */
#ifndef COMMON_ALGORITHM_H
#define COMMON_ALGORITHM_H

#include <samebits/contract.h>

/* Rows of a descriptor's lists: a number, a word, an array. */
#define SB_NUMBER(name_, values, typical_)                                                                             \
    {                                                                                                                  \
        .name = name_, .interesting = values, .interesting_count = sizeof values / sizeof *values, .typical = typical_ \
    }
#define SB_WORD(name_, words_, typical_)                                                                               \
    {                                                                                                                  \
        .name = name_, .words = words_, .typical = typical_                                                            \
    }
#define SB_RANK(name_, values, typical_)                                                                               \
    {                                                                                                                  \
        .name = name_, .interesting = values, .interesting_count = sizeof values / sizeof *values,                     \
        .typical = typical_, .rank = true                                                                              \
    }
#define SB_FIELD(name_, type_)                                                                                         \
    {                                                                                                                  \
        .name = name_, .type = type_                                                                                   \
    }

/* The index of a parameter, or -1. */
int sb_parameter_index(const sb_algorithm *algorithm, const char *name);

/* The element type that a field has in this case. */
uint32_t sb_field_type(const sb_case *c, const sb_field *field);

/* Does the reference give a magnitude for each element of the output? */
bool sb_needs_magnitude(const sb_field *output);

/* Types: bytes of an element, the type's name ("u32"), and the type of a name, or 0. */
size_t sb_type_size(uint32_t type);
const char *sb_type_name(uint32_t type);
uint32_t sb_type_find(const char *name);

/* Words for a parameter "type"; the index of a word is its sb_type. */
extern const char *const sb_type_words_select[]; /* u32 i32 u64 f32 f64 */
extern const char *const sb_type_words_sort[];   /* u32 i32 u64 f32 */
extern const char *const sb_type_words_copy[];   /* u8 u32 u64: elements of 1, 4 and 8 bytes that are only copied */
extern const char *const sb_type_words_op[];     /* u32 i32 u64 f32 f64 affine */

#endif
