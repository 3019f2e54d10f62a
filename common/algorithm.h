/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptors. harness/algorithms/ has one for each algorithm. Case files, generators, shrinking, fuzz decoding, comparison
 * and reports follow from it; none of them knows an algorithm by name.
 */
#ifndef COMMON_ALGORITHM_H
#define COMMON_ALGORITHM_H

#include <samebits/module.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { SB_MAX_PARAMETERS = 6, SB_MAX_ARRAYS = 6 };

typedef struct sb_algorithm sb_algorithm;

/* A case: the parameters and inputs of one run of one algorithm, in host memory that the case owns. */
typedef struct sb_case {
    const sb_algorithm *algorithm;
    char *id;  /* owned; unique within its file; never NULL once loaded or generated */
    char *why; /* owned; the reason that the case exists, or NULL */
    uint64_t parameters[SB_MAX_PARAMETERS];
    sb_array inputs[SB_MAX_ARRAYS]; /* in the order of the descriptor; data from malloc, NULL only when length is 0 */
} sb_case;

/* The result of a reference or a variant for a case. `outputs` are owned like a case's inputs and hold `length` elements
 * each. They have a meaning only when status is SB_OK. */
typedef struct sb_result {
    sb_status status;
    sb_array outputs[SB_MAX_ARRAYS];
    char message[256]; /* for a status other than SB_OK: why. Never part of a comparison. */
} sb_result;

typedef struct sb_parameter {
    const char *name;
    const char *const *words;    /* word i stands for value i, NULL-terminated ("" at a value that is not allowed);
                                    NULL: a plain number */
    const uint64_t *interesting; /* values that generators draw from besides their own; NULL: every allowed word */
    size_t interesting_count;
    uint64_t typical; /* the value of typical use, for timing; with words: the first allowed one */
} sb_parameter;

/* An array that the algorithm takes or gives. */
typedef struct sb_field {
    const char *name;
    uint32_t type; /* sb_type, or SB_TYPE_PARAMETER: the value of the parameter named "type" */
} sb_field;

enum { SB_TYPE_PARAMETER = 0 };

/* Lists end at a NULL name. The comment of a function says what NULL means. */
struct sb_algorithm {
    const char *name;    /* "mtf.encode" */
    const char *summary; /* one line */
    sb_parameter parameters[SB_MAX_PARAMETERS + 1];
    sb_field inputs[SB_MAX_ARRAYS + 1];
    sb_field outputs[SB_MAX_ARRAYS + 1];

    /* Turns parameters and inputs of the right types, but otherwise arbitrary, into a well-formed case near them: it makes
     * lengths agree, sorts what the contract promises to be sorted, and brings k into range in about half of the cases.
     * It leaves a well-formed case as it is. Arrays may become shorter, or longer by zeros (sb_array_resize); content may
     * change. Parameters with words have an allowed word already. NULL: every such case is well-formed. Returns false only
     * for want of memory. */
    bool (*normalise)(sb_case *c);

    /* Is the case well-formed, and how many elements can each output have at most? A case that the contract calls invalid is
     * well-formed; its result is SB_INVALID. A case whose arrays do not fit together is not: false, and `why` says how. */
    bool (*shape)(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size);

    /* Runs the reference. Outputs come with length == capacity; it sets smaller lengths, and the status. */
    void (*reference)(const sb_case *c, sb_result *result);

    /* About how many nanoseconds the reference takes. NULL: a few per byte of input. */
    double (*cost)(const sb_case *c);

    /* The name of the inverse, and the case whose right answer undoes `result`: the outputs of the inverse must be the
     * bytes of the first inputs of `c`, in order. NULL: no inverse. invert returns false for want of memory. */
    const char *inverse;
    bool (*invert)(const sb_case *c, const sb_result *result, sb_case *inverse);

    /* The certifier: proves in about linear time, without the reference, that `result` (status SB_OK) is right for `c`.
     * False: `why` says what is wrong. NULL: there is none. */
    bool (*certify)(const sb_case *c, const sb_result *result, char *why, size_t size);

    /* Is `got` right, where the contract allows more than one answer, as for sums of floats in any order? Called only when
     * the bytes differ and status, types and lengths are equal. False: `why` says which element is out of which bound.
     * NULL: only equal bytes are right. */
    bool (*within)(const sb_case *c, const sb_result *expected, const sb_result *got, char *why, size_t size);

    /* The names of the generators that suit the algorithm, NULL-terminated, and the function that makes those which are no
     * pattern of docs/FORMAT.md: it fills the inputs of a case whose parameters are set. False: out of memory. NULL: the
     * patterns for the type of the first input. */
    const char *const *generators;
    bool (*generate)(sb_case *c, const char *name, uint64_t n, uint64_t seed);

    /* Files of another format that are cases of this algorithm: how their names end (".mtx"), and the function that reads one
     * into the inputs of a case whose parameters are set. False: `why` has the line and the reason. NULL: there are none. */
    const char *suffix;
    bool (*read)(sb_case *c, FILE *in, char *why, size_t size);
};

size_t sb_parameter_count(const sb_algorithm *algorithm);
size_t sb_input_count(const sb_algorithm *algorithm);
size_t sb_output_count(const sb_algorithm *algorithm);

/* The index of a parameter, or -1. */
int sb_parameter_index(const sb_algorithm *algorithm, const char *name);

/* May a case line leave the parameter out? It is then 0. This holds for `random_seed`: the seed of variants that draw random
 * numbers, on which no result depends. */
bool sb_parameter_optional(const sb_parameter *parameter);

/* The element type that a field has in this case. */
uint32_t sb_field_type(const sb_case *c, const sb_field *field);

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
