/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the checks for undefined behaviour (-fsanitize=shift, bounds, alignment and others) of gcc and clang call; these
 * functions replace UBSan's library. A finding is made only in kernels, and only for what a GPU and a CPU do
 * differently; host code continues as it does without the checks. A launch continues too, except where it cannot: a
 * division that would trap, an access past a local array that would destroy the stack, an access that a GPU refuses.
 *
 * Each call precedes the operation that it checks. Its first argument is a description that the compiler made, in the
 * layouts below.
 */
#include "access.h"
#include "detect.h"

#include "../memory/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct source {
    const char *file;
    uint32_t line, column;
} source;

typedef struct type {
    uint16_t kind, information; /* integer: bit 0: signed; above it, log2 of its bits */
    char name[];                /* in quotes */
} type;

enum { INTEGER, FLOATING };

typedef uintptr_t value; /* the value, or its address if it is wider than a word */

typedef struct one_type { /* overflow, invalid value, length of an array */
    source source;
    const type *type;
} one_type;

typedef struct two_types { /* shift: both operands; conversion: from, to; index: array, index */
    source source;
    const type *first, *second;
} two_types;

typedef struct access_data {
    source source;
    const type *type;
    uint8_t alignment, use; /* the alignment as a logarithm; what the access is: see use_name */
} access_data;

/* --- values */

static unsigned bits_of(const type *t)
{
    return t->kind == INTEGER ? 1u << (t->information >> 1) : t->information;
}

static bool is_signed(const type *t)
{
    return t->kind == INTEGER && (t->information & 1);
}

/* The lower 64 bits, also of a 128-bit value: enough for a message. */
static uint64_t lower_bits(const type *t, value v)
{
    uint64_t low;

    if (bits_of(t) <= 8 * sizeof v)
        return v;
    memcpy(&low, (const void *)v, sizeof low);
    return low;
}

static int64_t as_signed(const type *t, value v)
{
    unsigned unused = bits_of(t) < 64 ? 64 - bits_of(t) : 0;

    return (int64_t)(lower_bits(t, v) << unused) >> unused;
}

static bool is_negative(const type *t, value v)
{
    return is_signed(t) && as_signed(t, v) < 0;
}

static long double as_floating(const type *t, value v)
{
    float narrow;
    double wide;
    long double widest;

    if (bits_of(t) == 32)
        return memcpy(&narrow, &v, sizeof narrow), narrow;
    if (bits_of(t) == 64)
        return memcpy(&wide, &v, sizeof wide), wide;
    return memcpy(&widest, (const void *)v, sizeof widest), widest;
}

typedef struct words {
    char text[64];
} words;

static words in_words(const type *t, value v)
{
    words w;

    if (t->kind == FLOATING)
        snprintf(w.text, sizeof w.text, "%.9Lg", as_floating(t, v));
    else if (t->kind != INTEGER)
        snprintf(w.text, sizeof w.text, "%#llx", (unsigned long long)v);
    else if (is_signed(t))
        snprintf(w.text, sizeof w.text, "%lld", (long long)as_signed(t, v));
    else
        snprintf(w.text, sizeof w.text, "%llu", (unsigned long long)lower_bits(t, v));
    return w;
}

/* --- reporting */

static void report(const source *at, const void *place, const char *format, ...) __attribute__((format(printf, 3, 4)));

static simt_spot spot_of(const source *at, const void *place)
{
    return (simt_spot){.file = at->file, .line = at->line, .column = at->column, .place = place};
}

static void report(const source *at, const void *place, const char *format, ...)
{
    simt_spot spot = spot_of(at, place);
    va_list arguments;
    char text[512];

    if (!simt_current)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    simt_report_spot(UNDEFINED, &spot, "%s", text);
}

/* Nothing more is to be reported there. */
static bool is_settled(const source *at, const void *place)
{
    const simt_spot spot = spot_of(at, place);

    return !simt_current || simt_is_settled(UNDEFINED, &spot);
}

static void cannot_go_on(void)
{
    if (simt_current)
        simt_stop(cudaErrorLaunchFailure);
}

static void shift(const two_types *d, value left, value right, const void *place)
{
    unsigned bits = bits_of(d->first);
    words base = in_words(d->first, left), by = in_words(d->second, right);

    if (is_negative(d->second, right) || lower_bits(d->second, right) >= bits)
        report(&d->source, place, "shift by %s of a %u-bit value", by.text, bits);
    else
        report(&d->source, place, "shift of %s by %s, which does not fit type %s", base.text, by.text, d->first->name);
}

static void division(const one_type *d, value left, value right, const void *place)
{
    words numerator = in_words(d->type, left), denominator = in_words(d->type, right);

    report(&d->source, place, "division of %s by %s%s%s", numerator.text, denominator.text,
           lower_bits(d->type, right) ? ", which does not fit type " : "",
           lower_bits(d->type, right) ? d->type->name : "");
    cannot_go_on();
}

static void overflow(const one_type *d, value left, char operation, value right, const void *place)
{
    words a = in_words(d->type, left), b = in_words(d->type, right);

    report(&d->source, place, "%s %c %s does not fit type %s", a.text, operation, b.text, d->type->name);
}

static void conversion(const two_types *d, value from, const void *place)
{
    words w = in_words(d->first, from);

    report(&d->source, place, "conversion of %s to type %s, which cannot hold it", w.text, d->second->name);
}

static void index_past_array(const two_types *d, value index, const void *place)
{
    simt_spot spot = spot_of(&d->source, place);
    words w = in_words(d->second, index);

    spot.index = true;
    if (simt_current)
        simt_report_spot(UNDEFINED, &spot, "index %s of an array of type %s", w.text, d->first->name);
}

static void no_such_value(const one_type *d, value v, const void *place)
{
    words w = in_words(d->type, v);

    report(&d->source, place, "load of the value %s, which type %s does not have", w.text, d->type->name);
}

static void array_length(const one_type *d, value v, const void *place)
{
    words w = in_words(d->type, v);

    report(&d->source, place, "an array of length %s", w.text);
    cannot_go_on();
}

static void pointer(const source *at, value base, value result, const void *place)
{
    report(at, place, "a pointer of %#zx moved to %#zx", (size_t)base, (size_t)result);
}

/* --- accesses: alignment, and objects whose size the compiler sees */

static const char *use_name(uint8_t use)
{
    static const char *const names[] = {"load of", "store to", "reference to", "access to a member of",
                                        "call on", "call on"};

    return names[use < sizeof names / sizeof *names ? use : 0];
}

static void misaligned(const access_data *d, uintptr_t address, const void *place)
{
    size_t alignment = (size_t)1 << d->alignment;
    char what[256];
    simt_spot spot = spot_of(&d->source, place);

    if (!simt_current || !simt_options.kinds[MISALIGNED])
        return;
    simt_describe_element(address, alignment, what, sizeof what);
    spot.address = what;
    spot.object = address;
    simt_report_spot(MISALIGNED, &spot, "%s type %s at an address that is not a multiple of %zu: %s", use_name(d->use),
                     d->type->name, alignment, what);
    simt_stop(cudaErrorMisalignedAddress);
}

/* If the index was just reported, the access that follows is the same bug. */
static void past_object(const access_data *d, uintptr_t address, const void *place)
{
    if (!simt_current || !simt_on_stacks(address) || !simt_options.kinds[UNDEFINED])
        return;
    if (!simt_just_reported_index())
        report(&d->source, place, "%s type %s past the end of a local variable", use_name(d->use), d->type->name);
    cannot_go_on();
}

static void access_to(const access_data *d, uintptr_t address, const void *place)
{
    /* No access of a GPU has more than 16 bytes: an object that asks for more faults nowhere at a multiple of 16. */
    if (address & (((uintptr_t)1 << (d->alignment < 4 ? d->alignment : 4)) - 1))
        misaligned(d, address, place);
    else if (address)
        past_object(d, address, place);
}

/* The compiler made no code for what follows. */
static _Noreturn void nowhere(const source *at, const char *what, const void *place)
{
    report(at, place, "%s", what);
    cannot_go_on();
    fprintf(stderr, "simt: %s:%u: host code reaches %s, and what would follow is undefined\n", at->file, at->line,
            what);
    abort();
}

/* --- the compiler's calls. Those with _abort are of -fno-sanitize-recover, and do the same here. */

#define HANDLER(name, parameters, arguments, ...)                                                                      \
    void simt_undefined_##name parameters;                                                                             \
    void simt_undefined_##name parameters                                                                              \
    {                                                                                                                  \
        (void)b;                                                                                                       \
        __VA_ARGS__;                                                                                                   \
    }                                                                                                                  \
    KEEPING_VECTORS("simt_kept_undefined_" #name, "simt_undefined_" #name)                                             \
    void __ubsan_handle_##name(const void *d, value a, value b);                                                       \
    void __ubsan_handle_##name(const void *d, value a, value b)                                                        \
    {                                                                                                                  \
        simt_undefined_##name arguments;                                                                               \
    }                                                                                                                  \
    void __ubsan_handle_##name##_abort(const void *d, value a, value b) __attribute__((alias("__ubsan_"                \
                                                                                             "handle_" #name)));

/* Of those that have one value, the second one is whatever the register has. */
#define OF(type)  (const type *d, value a, value b, const void *place)
#define ARGUMENTS (d, a, b, PLACE)

#pragma GCC visibility push(hidden)

#define UNLESS_SETTLED(at, call)                                                                                       \
    if (!is_settled(at, place))                                                                                        \
    call

HANDLER(shift_out_of_bounds, OF(two_types), ARGUMENTS, UNLESS_SETTLED(&d->source, shift(d, a, b, place)))
HANDLER(divrem_overflow, OF(one_type), ARGUMENTS, division(d, a, b, place))
HANDLER(add_overflow, OF(one_type), ARGUMENTS, UNLESS_SETTLED(&d->source, overflow(d, a, '+', b, place)))
HANDLER(sub_overflow, OF(one_type), ARGUMENTS, UNLESS_SETTLED(&d->source, overflow(d, a, '-', b, place)))
HANDLER(mul_overflow, OF(one_type), ARGUMENTS, UNLESS_SETTLED(&d->source, overflow(d, a, '*', b, place)))
HANDLER(negate_overflow, OF(one_type), ARGUMENTS, UNLESS_SETTLED(&d->source, overflow(d, 0, '-', a, place)))
HANDLER(float_cast_overflow, OF(two_types), ARGUMENTS, UNLESS_SETTLED(&d->source, conversion(d, a, place)))
HANDLER(out_of_bounds, OF(two_types), ARGUMENTS, UNLESS_SETTLED(&d->source, index_past_array(d, a, place)))
HANDLER(load_invalid_value, OF(one_type), ARGUMENTS, UNLESS_SETTLED(&d->source, no_such_value(d, a, place)))
HANDLER(vla_bound_not_positive, OF(one_type), ARGUMENTS, array_length(d, a, place))
HANDLER(pointer_overflow, OF(source), ARGUMENTS, UNLESS_SETTLED(d, pointer(d, a, b, place)))
HANDLER(type_mismatch_v1, OF(access_data), ARGUMENTS, access_to(d, a, place))

void __ubsan_handle_builtin_unreachable(const source *at) __attribute__((noreturn));
void __ubsan_handle_builtin_unreachable(const source *at)
{
    nowhere(at, "code that was declared unreachable", PLACE);
}

void __ubsan_handle_missing_return(const source *at) __attribute__((noreturn));
void __ubsan_handle_missing_return(const source *at)
{
    nowhere(at, "the end of a function that must return a value", PLACE);
}

#pragma GCC visibility pop
