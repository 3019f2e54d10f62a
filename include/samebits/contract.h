/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The interface of a contract: what an algorithm takes and gives, its reference, and which results are right. samebits
 * describes its own algorithms by this header, and anybody's by the same. It is plain C11.
 *
 * A contract module is a shared object that exports one function:
 *
 *     const sb_algorithm *samebits_contracts(uint32_t version, size_t *count);
 *
 * It is called with SB_CONTRACT_VERSION and returns an array of `count` algorithms, or NULL if it does not support that version.
 * What it returns must stay valid for ever. SB_CONTRACTS writes the function. `--contract=FILE` loads the module into samebits;
 * the process that runs kernels never sees it. A contract that breaks a rule of this header is refused with a message that says
 * which.
 *
 * A contract is declared: dimensions by name, arrays with shapes over them, a reference in `double` and a tolerance for each
 * output. What cannot be declared is programmed by the functions further down. docs/CONTRACTS.md has a complete example.
 */
#ifndef SAMEBITS_CONTRACT_H
#define SAMEBITS_CONTRACT_H

#include <samebits/module.h>
#include <stdbool.h>
#include <stdio.h>

#define SB_CONTRACT_VERSION 1u

enum { SB_MAX_PARAMETERS = 16, SB_MAX_ARRAYS = 16 };

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
    /* Of a reference on views: the outputs before they were rounded to their types, and the magnitudes. From malloc, owned;
     * NULL: there are none. A `reference` may set them, too; tolerances hold for an output whose `exact` is set. */
    double *exact[SB_MAX_ARRAYS];
    double *magnitude[SB_MAX_ARRAYS];
} sb_result;

typedef struct sb_parameter {
    const char *name;
    const char *const *words;    /* word i stands for value i, NULL-terminated ("" at a value that is not allowed);
                                    NULL: a plain number */
    const uint64_t *interesting; /* values that generators draw from besides their own; NULL: every allowed word */
    size_t interesting_count;
    uint64_t typical; /* the value of typical use, for timing; with words: the first allowed one */
    /* A case line may leave it out. It is then 0. No result depends on it, and generators draw 64 bits. */
    bool optional;
    /* One of the numbers 1 to n, where n is the length of the inputs. Generators draw also 0 and n + 1. */
    bool rank;
    /* Shapes name it. Generators draw it so that the device can afford the arrays. Values below `min` or, unless that is 0, above
     * `max` are not well-formed. */
    bool dimension;
    uint64_t min, max;
} sb_parameter;

/* Which elements of an output are right, beside those with the bytes of the reference. A NaN is right for a NaN. An
 * infinity is right for itself, and where the bound reaches beyond the largest number of the type. `exact` is the value of a
 * reference on views before it is rounded to the type of the output. */
typedef enum sb_judging {
    SB_SAME = 0, /* the reference's element: the same bits, or any NaN */
    SB_ULP,      /* |error| <= ulps * ulp(exact) */
    SB_RELATIVE, /* |error| <= absolute + relative * |exact| */
    SB_SCALED, /* |error| <= absolute + relative * magnitude, where the reference gives the magnitude of the numbers that the
                    element is made from, such as the largest of its row */
    SB_GAMMA /* |error| <= gamma(terms) * magnitude: a sum of so many products, each of inputs or of one input and 1, added in
                    any order in arithmetic of type `arithmetic` (N. J. Higham, Accuracy and Stability of Numerical Algorithms,
                    2002, section 3.1): gamma(n) = n u / (1 - n u), where u is half the distance from 1 to the next number of that
                    type. The rounding to the type of the output is added, too. If all inputs are whole numbers and the
                    magnitude is exact in that arithmetic, no order rounds, and the bound is 0 but for that last rounding. */
} sb_judging;

typedef struct sb_tolerance {
    sb_judging judging;
    double ulps;
    double relative, absolute;
    const char *terms;   /* of SB_GAMMA: a shape, whose product is the number of terms */
    uint32_t arithmetic; /* of SB_GAMMA: SB_F16, SB_BF16, SB_F32 or SB_F64 */
} sb_tolerance;

/* An array that the algorithm takes or gives. */
typedef struct sb_field {
    const char *name;
    uint32_t type; /* sb_type, or SB_TYPE_PARAMETER: the value of the parameter named "type" */
    /* Names of dimensions and decimal numbers, separated by blanks; the array has as many elements as their product. The last one
     * varies fastest: "rows cols" is a matrix by rows. NULL: the functions of the algorithm say how long the array is. */
    const char *shape;
    /* Of an input of integers: a shape. Every element is at least 0 and below its product, as an index into an array of that
     * shape is; a case with another element is not well-formed. Its dimensions have a `min` of at least 1. NULL: there is no
     * such bound. */
    const char *below;
    /* The name of a parameter without words: how many elements after the beginning of a row, the last dimension of the shape, the next one
     * begins, as the leading dimension of a matrix says it. It is no dimension, and a case where it is less than the row is not
     * well-formed. A variant gets the array with the gaps, which end before those of the last row would begin. A gap of an input holds
     * bytes that differ from run to run, and one of an output must not be written. References, case files and programs of --exec have
     * the array without gaps; a process of --exec is told the step. NULL: rows follow each other. */
    const char *leading;
    /* The least alignment of the first element, in bytes: a power of two up to 256. 0: that of the element. Variants of modules and
     * sources find each array at an address that is a multiple of it, and, by chance, of no larger power. */
    uint32_t alignment;
    bool rank;              /* an input of ranks, which generators draw like a parameter that is one; u64 */
    uint64_t extra;         /* generators make the input so many elements longer than n, if n is above 0 */
    sb_tolerance tolerance; /* of an output */
} sb_field;

enum { SB_TYPE_PARAMETER = 0 };

/* What a reference on views gets: every array as numbers, whatever its type. Integers above 2^53 are rounded. Outputs are rounded
 * to their types afterwards, ties to even. */
typedef struct sb_view {
    const uint64_t *parameters;
    const double *inputs[SB_MAX_ARRAYS];
    double *outputs[SB_MAX_ARRAYS];
    double
        *magnitudes[SB_MAX_ARRAYS]; /* of outputs judged by SB_GAMMA: the sum of |product| goes here; by SB_SCALED: the
                                          magnitude; else NULL */
} sb_view;

/* The comment of a function says what NULL means. */
struct sb_algorithm {
    const char *name;    /* "mtf.encode": words of a-z, 0-9 and _, joined by at least one dot; below 64 characters */
    const char *summary; /* one line */
    const sb_parameter *parameters; /* at most SB_MAX_PARAMETERS; SB_PARAMETERS lists and counts them */
    size_t parameter_count;
    const sb_field *inputs; /* 1 to SB_MAX_ARRAYS; SB_INPUTS */
    size_t input_count;
    const sb_field *outputs; /* the same; SB_OUTPUTS */
    size_t output_count;

    /* The reference on views. NULL: `reference` is there instead. It must not be there if an array has the type SB_AFFINE. */
    void (*compute)(const sb_view *view);

    /* Turns parameters and inputs of the right types, but otherwise arbitrary, into a well-formed case near them: it makes
     * lengths agree, sorts what the contract promises to be sorted, and brings k into range in about half of the cases.
     * It leaves a well-formed case as it is. Arrays may become shorter, or longer by zeros (sb_array_resize); content may
     * change. Parameters with words have an allowed word already, dimensions are in their range, and arrays with shapes have
     * their lengths. NULL: every such case is well-formed. Returns false only for want of memory. */
    bool (*normalise)(sb_case *c);

    /* Is the case well-formed, and how many elements can each output have at most? A case that the contract calls invalid is
     * well-formed; its result is SB_INVALID. A case whose arrays do not fit together is not: false, and `why` says how. Shapes
     * have been checked before, and `capacity` has that of each output with a shape. NULL: there is nothing else to check;
     * every array must have a shape. */
    bool (*shape)(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size);

    /* Runs the reference. Outputs come with length == capacity; it sets smaller lengths, and the status. NULL: `compute`. */
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
     * NULL: the tolerances of the outputs decide; without `compute` only equal bytes are right. */
    bool (*within)(const sb_case *c, const sb_result *expected, const sb_result *got, char *why, size_t size);

    /* The names of the generators that suit the algorithm, NULL-terminated, and the function that makes those which are no
     * pattern of docs/FORMAT.md: it fills the inputs of a case whose parameters are set. False: out of memory. NULL: the
     * patterns for the types of the inputs. */
    const char *const *generators;
    bool (*generate)(sb_case *c, const char *name, uint64_t n, uint64_t seed);

    /* Files of another format that are cases of this algorithm: how their names end (".mtx"), and the function that reads one
     * into the inputs of a case whose parameters are set. False: `why` has the line and the reason. NULL: there are none. */
    const char *suffix;
    bool (*read)(sb_case *c, FILE *in, char *why, size_t size);

    /* No right result can be computed without every byte of the inputs, and every output is as long as its capacity. A time far below that
     * of a copy of so many bytes is then no time of this computation. */
    bool reads_all;
};

/* Members of sb_algorithm: a list, and how many elements it has. */
#define SB_COUNTED(type, list, count, ...)                                                                             \
    .list = (const type[]){__VA_ARGS__}, .count = sizeof((const type[]){__VA_ARGS__}) / sizeof(type)
#define SB_PARAMETERS(...) SB_COUNTED(sb_parameter, parameters, parameter_count, __VA_ARGS__)
#define SB_INPUTS(...)     SB_COUNTED(sb_field, inputs, input_count, __VA_ARGS__)
#define SB_OUTPUTS(...)    SB_COUNTED(sb_field, outputs, output_count, __VA_ARGS__)
/* Members of sb_parameter: its interesting values. */
#define SB_VALUES(...) SB_COUNTED(uint64_t, interesting, interesting_count, __VA_ARGS__)

/* Member of sb_parameter: the words of the parameter `type`, whose values are types. A bit for each: SB_TYPES(1 << SB_F16 | 1 << SB_BF16). */
#define SB_WORD_OF(set, type, word) ((set) >> (type)&1 ? word : "")
#define SB_TYPES(set)                                                                                                  \
    .words = (const char *const[])                                                                                     \
    {                                                                                                                  \
        "", SB_WORD_OF(set, SB_U8, "u8"), SB_WORD_OF(set, SB_U16, "u16"), SB_WORD_OF(set, SB_U32, "u32"),              \
            SB_WORD_OF(set, SB_I32, "i32"), SB_WORD_OF(set, SB_U64, "u64"), SB_WORD_OF(set, SB_F32, "f32"),            \
            SB_WORD_OF(set, SB_F64, "f64"), "", SB_WORD_OF(set, SB_I8, "i8"), SB_WORD_OF(set, SB_I16, "i16"),          \
            SB_WORD_OF(set, SB_I64, "i64"), SB_WORD_OF(set, SB_F16, "f16"), SB_WORD_OF(set, SB_BF16, "bf16"),          \
            SB_WORD_OF(set, SB_F8_E4M3, "f8e4m3"), SB_WORD_OF(set, SB_F8_E5M2, "f8e5m2"), NULL                         \
    }

SB_EXPORT const sb_algorithm *samebits_contracts(uint32_t version, size_t *count);

/* Exports the function of a contract module; the arguments are its algorithms. */
#define SB_CONTRACTS(...)                                                                                              \
    static const sb_algorithm sb_exported_contracts[] = {__VA_ARGS__};                                                 \
                                                                                                                       \
    const sb_algorithm *samebits_contracts(uint32_t version, size_t *count)                                            \
    {                                                                                                                  \
        *count = sizeof sb_exported_contracts / sizeof *sb_exported_contracts;                                         \
        return version == SB_CONTRACT_VERSION ? sb_exported_contracts : NULL;                                          \
    }

#endif
