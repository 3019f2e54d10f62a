/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Kernels whose threads never wait: the body becomes a lambda that takes threadIdx, and ::simt::rows runs it in a loop over the threads
 * of a block, of which the host's compiler may vectorise each row. In the plain build only.
 *
 * A body may become one if nothing in it can reach the machine: each name that stands before a parenthesis is a word of the language,
 * a function of the table below, or a function of the text, and every one of that name has such a body, too. The index of the thread
 * is a parameter there, so no other function may use it. What is not understood stays as it is.
 */
#include "translator.h"

#include <string.h>

enum { DEPTH = 8 /* of calls that are followed */ };

static const char *const forbidden[] = {"asm",     "__asm__",  "__asm",      "__shared__", "extern", "static",
                                        "goto",    "throw",    "try",        "new",        "delete", "thread_local",
                                        "_Atomic", "co_await", "simt_probe", NULL};

/* Words that are followed by a parenthesis and call nothing, and functions that compute a value from their arguments alone. */
static const char *const harmless[] = {"if",
                                       "constexpr",
                                       "for",
                                       "while",
                                       "switch",
                                       "return",
                                       "sizeof",
                                       "decltype",
                                       "alignof",
                                       "alignas",
                                       "static_cast",
                                       "reinterpret_cast",
                                       "const_cast",
                                       "__attribute__",
                                       "catch",
                                       "bool",
                                       "char",
                                       "short",
                                       "int",
                                       "long",
                                       "unsigned",
                                       "signed",
                                       "float",
                                       "double",
                                       "size_t",
                                       "uint8_t",
                                       "int8_t",
                                       "uint16_t",
                                       "int16_t",
                                       "uint32_t",
                                       "int32_t",
                                       "uint64_t",
                                       "int64_t",
                                       "min",
                                       "max",
                                       "abs",
                                       "fabs",
                                       "fabsf",
                                       "sqrt",
                                       "sqrtf",
                                       "rsqrt",
                                       "rsqrtf",
                                       "exp",
                                       "expf",
                                       "exp2",
                                       "exp2f",
                                       "log",
                                       "logf",
                                       "log2",
                                       "log2f",
                                       "log10",
                                       "log10f",
                                       "pow",
                                       "powf",
                                       "sin",
                                       "sinf",
                                       "cos",
                                       "cosf",
                                       "tan",
                                       "tanf",
                                       "asin",
                                       "acos",
                                       "atan",
                                       "atan2",
                                       "asinf",
                                       "acosf",
                                       "atanf",
                                       "atan2f",
                                       "sinh",
                                       "cosh",
                                       "tanh",
                                       "sinhf",
                                       "coshf",
                                       "tanhf",
                                       "erf",
                                       "erff",
                                       "erfc",
                                       "erfcf",
                                       "floor",
                                       "floorf",
                                       "ceil",
                                       "ceilf",
                                       "round",
                                       "roundf",
                                       "trunc",
                                       "truncf",
                                       "rint",
                                       "rintf",
                                       "fmin",
                                       "fminf",
                                       "fmax",
                                       "fmaxf",
                                       "fmod",
                                       "fmodf",
                                       "fma",
                                       "fmaf",
                                       "copysign",
                                       "copysignf",
                                       "isnan",
                                       "isinf",
                                       "isfinite",
                                       "hypot",
                                       "hypotf",
                                       "cbrt",
                                       "cbrtf",
                                       "__expf",
                                       "__logf",
                                       "__sinf",
                                       "__cosf",
                                       "__powf",
                                       "__fdividef",
                                       "__popc",
                                       "__popcll",
                                       "__clz",
                                       "__clzll",
                                       "__ffs",
                                       "__ffsll",
                                       "__brev",
                                       "__umulhi",
                                       "__mulhi",
                                       "__fmul_rn",
                                       "__fadd_rn",
                                       "__float2int_rn",
                                       "__float_as_int",
                                       "__int_as_float",
                                       "__float_as_uint",
                                       "__uint_as_float",
                                       "__saturatef",
                                       "dim3",
                                       "make_int2",
                                       "make_int3",
                                       "make_int4",
                                       "make_uint2",
                                       "make_uint3",
                                       "make_uint4",
                                       "make_float2",
                                       "make_float3",
                                       "make_float4",
                                       "make_double2",
                                       "make_double3",
                                       "make_double4",
                                       "make_uchar4",
                                       NULL};

/* Of the body of a kernel that is divided at its barriers (stretches.c). */
static const char *const at_barriers[] = {"__syncthreads", "__syncwarp",          "__shared__", "extern",
                                          "__threadfence", "__threadfence_block", NULL};

/* Operations of a warp of which each lane takes part, as a body may have them at its top level (stretches.c). */
static const char *const of_warps[] = {"__shfl_sync",       "__shfl_up_sync",
                                       "__shfl_down_sync",  "__shfl_xor_sync",
                                       "__ballot_sync",     "__any_sync",
                                       "__all_sync",        "__reduce_add_sync",
                                       "__reduce_min_sync", "__reduce_max_sync",
                                       "__reduce_and_sync", "__reduce_or_sync",
                                       "__reduce_xor_sync", NULL};

static const char *const atomics[] = {"atomicAdd", "atomicSub", "atomicMin", "atomicMax",  "atomicAnd", "atomicOr",
                                      "atomicXor", "atomicInc", "atomicDec", "atomicExch", "atomicCAS", NULL};

typedef enum body_kind { CALLED, ROWS, STRETCHES } body_kind;

static const char *const types[] = {"unsigned", "signed",   "int",     "long",     "short",   "char",    "float",
                                    "double",   "bool",     "size_t",  "int8_t",   "uint8_t", "int16_t", "uint16_t",
                                    "int32_t",  "uint32_t", "int64_t", "uint64_t", "dim3",    "uint",    "uchar2",
                                    "uchar3",   "uchar4",   "char2",   "char3",    "char4",   "int2",    "int3",
                                    "int4",     "uint2",    "uint3",   "uint4",    "float2",  "float3",  "float4",
                                    "double2",  "ushort2",  "ushort4", "short2",   "short4",  NULL};

bool cc_is_type_word(const translator *t, size_t i)
{
    return is_any(t, i, types);
}

bool cc_is_type_name(const translator *t, size_t i)
{
    for (size_t k = 2; k < i; k++) {
        size_t from = k - 1;

        if (!is_word(t, k) || t->token[k].length != t->token[i].length ||
            memcmp(t->token[k].start, t->token[i].start, t->token[i].length) != 0)
            continue;
        if (is(t, k + 1, ";")) {
            while (from > 0 && cc_is_type_word(t, from))
                from--;
            if (from < k - 1 && is(t, from, "typedef"))
                return true;
        }
        if (is(t, k - 1, "using") && is(t, k + 1, "=") && cc_is_type_word(t, k + 2)) {
            for (from = k + 2; cc_is_type_word(t, from); from++)
                ;
            if (is(t, from, ";"))
                return true;
        }
    }
    return false;
}

/* Is what the `)` at `close` ends the type of a cast? */
static bool is_cast(const translator *t, size_t close)
{
    const size_t open = cc_matching_back(t, close);

    if (open == NONE || open + 1 == close || (is_word(t, open - 1) && !is(t, open - 1, "return")))
        return false;
    for (size_t i = open + 1; i < close; i++)
        if (!cc_is_type_word(t, i) && !is(t, i, "const") && !is(t, i, "*") && !(is_word(t, i) && cc_is_type_name(t, i)))
            return false;
    return true;
}

bool cc_is_pure_word(const translator *t, size_t i)
{
    return is_any(t, i, harmless);
}

bool cc_is_atomic_word(const translator *t, size_t i)
{
    return is_any(t, i, atomics) && is(t, i + 1, "(");
}

bool cc_is_warp_word(const translator *t, size_t i)
{
    return is_any(t, i, of_warps) && is(t, i + 1, "(");
}

/* Has the program a function of its own with the name at `i`? Those of the machine know the place of their call. */
static bool is_redefined(const translator *t, size_t i)
{
    for (size_t k = cc_function_named(t, i, NONE); k != NONE; k = cc_function_named(t, i, k))
        if (!cc_any_word(t, t->functions[k].name, t->functions[k].open, "simt_file"))
            return true;
    return false;
}

static bool is_alias(const translator *t, size_t i)
{
    for (size_t k = 0; k < t->alias_count; k++)
        if (t->token[t->aliases[k]].length == t->token[i].length &&
            memcmp(t->token[t->aliases[k]].start, t->token[i].start, t->token[i].length) == 0)
            return true;
    return false;
}

static void add_alias(translator *t, size_t name)
{
    if (!is_word(t, name) || is_alias(t, name))
        return;
    t->aliases = cc_allocate(t->aliases, (t->alias_count + 1) * sizeof *t->aliases);
    t->aliases[t->alias_count++] = name;
}

/* Adds the names that the declaration around the word at `i`, `volatile` or such a name, gives to a type. */
static void add_aliases(translator *t, size_t i)
{
    static const char *const behind_name[] = {";", ",", "[", ")", NULL};
    size_t first = i;

    while (first > 0 && !is(t, first - 1, ";") && !is(t, first - 1, "{") && !is(t, first - 1, "}") &&
           !is(t, first, "using") && !is(t, first, "typedef"))
        first--;
    if (is(t, first, "using") && is(t, first + 2, "="))
        add_alias(t, first + 1);
    for (size_t k = i + 1; is(t, first, "typedef") && k < t->count && !is(t, k - 1, ";"); k++)
        if (is_any(t, k + 1, behind_name))
            add_alias(t, k);
}

/* Is it `volatile`, or the name of a type that is: typedef, using? */
static bool is_volatile_word(translator *t, size_t i)
{
    if (!t->aliases_known) {
        size_t before;

        t->aliases_known = true;
        do {
            before = t->alias_count;
            for (size_t k = 0; k < t->count; k++)
                if (is(t, k, "volatile") || (is_word(t, k) && is_alias(t, k)))
                    add_aliases(t, k);
        } while (t->alias_count > before);
    }
    return is(t, i, "volatile") || (is_word(t, i) && is_alias(t, i));
}

static bool any_volatile(translator *t, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (is_volatile_word(t, i))
            return true;
    return false;
}

/* Is it the name of a volatile variable of the file, or of a member of a class, which a thread may poll? Those of functions are not meant, nor are
 * parameters: their own functions have the word. */
static bool is_volatile_name(translator *t, size_t i)
{
    static const char *const behind_name[] = {";", ",", "=", "[", NULL};

    for (size_t k = 0; k < t->count; k++) {
        bool in_function = false, found = false;
        size_t to = k;

        if (!is_volatile_word(t, k))
            continue;
        for (; to < t->count && !is(t, to, ";") && !cc_closes(t, to); to++)
            found |= is_word(t, to) && is_any(t, to + 1, behind_name) && t->token[to].length == t->token[i].length &&
                     memcmp(t->token[to].start, t->token[i].start, t->token[i].length) == 0;
        if (!found || !is(t, to, ";"))
            continue;
        for (size_t f = 0; f < t->function_count && !in_function; f++)
            in_function = t->functions[f].open < k && k < t->functions[f].close;
        if (!in_function)
            return true;
    }
    return false;
}

static bool is_harmless_body(translator *t, size_t open, body_kind kind, unsigned depth);

/* All functions of the name at `i`; there must be one. */
static bool are_harmless(translator *t, size_t i, unsigned depth)
{
    bool any = false;

    for (size_t k = cc_function_named(t, i, NONE); k != NONE; k = cc_function_named(t, i, k)) {
        any = true;
        if (t->functions[k].visited)
            continue;
        t->functions[k].visited = true;
        if (any_volatile(t, t->functions[k].first, t->functions[k].open) ||
            !is_harmless_body(t, t->functions[k].open, CALLED, depth + 1))
            return false;
    }
    return any;
}

static bool is_harmless_word(translator *t, size_t i, body_kind kind, unsigned depth)
{
    size_t next = i + 1;

    if (kind == STRETCHES &&
        (is_any(t, i, at_barriers) || cc_is_atomic_word(t, i) || (cc_is_warp_word(t, i) && !is_redefined(t, i))))
        return true;
    if (is_any(t, i, forbidden) || is_volatile_word(t, i))
        return false;
    if (is(t, i, "threadIdx"))
        return kind != CALLED && !is(t, i - 1, "::");
    if (is(t, next, "<") && cc_angle(t, next) != NONE)
        next = cc_angle(t, next) + 1;
    if (!is(t, next, "("))
        return !is_volatile_name(t, i);
    if (is_any(t, i, harmless))
        return true;
    return depth < DEPTH && are_harmless(t, i, depth);
}

static bool is_harmless_body(translator *t, size_t open, body_kind kind, unsigned depth)
{
    static const char *const before_lambda[] = {"(", ",", "=", "return", ";", "{", "}", "&&", "||", "?", ":", NULL};
    size_t close = cc_matching(t, open);

    for (size_t i = open + 1; close != NONE && i < close; i++) {
        if (is(t, i, "[") && is_any(t, i - 1, before_lambda))
            return false;
        if (is(t, i, ")") && is(t, i + 1, "(") &&
            !is_cast(t, i)) /* a call through a pointer, or of what an operator () is */
            return false;
        if ((is(t, i, "]") || is(t, i, "}")) && is(t, i + 1, "("))
            return false;
        if (is(t, i, "<<") && is(t, i + 1, "<"))
            return false;
        if (is_word(t, i) && !is_harmless_word(t, i, kind, depth))
            return false;
    }
    return close != NONE;
}

/* At the `{` of a kernel whose head is [start, open). */
bool cc_is_row_kernel(translator *t, size_t start, size_t open)
{
    if (!t->rows || any_volatile(t, start, open) || cc_any_word(t, start, open, "threadIdx") ||
        !cc_any_word(t, open, cc_matching(t, open), "threadIdx"))
        return false;
    cc_visit_no_function(t);
    return is_harmless_body(t, open, ROWS, 0);
}

/* The same of a kernel whose threads wait at most at __syncthreads() and at operations of whole warps. */
bool cc_is_stretch_kernel(translator *t, size_t start, size_t open)
{
    static const char *const needed[] = {"__syncthreads", "__syncwarp", "for", NULL};
    bool any = false;

    if (!t->rows || any_volatile(t, start, open) || cc_any_word(t, start, open, "threadIdx"))
        return false;
    for (size_t i = open; i < cc_matching(t, open) && !any; i++)
        any = is_any(t, i, needed) || is_any(t, i, of_warps);
    if (!any)
        return false;
    cc_visit_no_function(t);
    return is_harmless_body(t, open, STRETCHES, 0);
}
