/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is known of a kernel that is divided at its barriers (stretches.c).
 */
#ifndef SIMTCC_STRETCHES_H
#define SIMTCC_STRETCHES_H

#include "translator.h"

#include <string.h>

enum {
    MAX_VARIABLES = 64,
    MAX_STRETCHES = 64,
    MAX_ASSIGNMENTS = 64,
    MAX_BARRIERS = 64,
    MAX_DEPTH = 16,
    MAX_OPERATIONS = 32,
    MAX_BRACES = 32,
    MAX_SIDES = 2, /* comparisons by which one stretch is divided; with each the compiler gets twice as many of it */
    MAX_SUBSCRIPTS = 48 /* of a kernel */
};

/* Of the level. Its declaration is [statement, ...): its type [statement, type_end), its own part of it [first, end). */
typedef struct variable {
    size_t name, statement, type_end, first, initialiser, end;
    size_t scope_end;
    size_t stretch; /* that declares it; NONE: the level */
    size_t hoisted; /* the stretch before which it is declared instead */
    bool is_array, is_pointer, is_reference, in_header, varies, crosses;
    bool remade; /* each stretch that needs it computes it anew */
    enum in_row { OF_THREAD, OF_ROW, LINEAR } in_row;
} variable;

/* `target = ...` at the level, with the value [from, to). */
typedef struct assignment {
    size_t target, from, to;
} assignment;

/* A comparison [from, end) of a LINEAR value with [bound, end), which is the same for a row. */
typedef struct side {
    size_t from, bound, end;
} side;

/* `[` EXPRESSION `]` of a stretch, LINEAR and of one number in it. */
typedef struct subscript {
    size_t open, close, stretch, number;
} subscript;

typedef struct stretch {
    size_t first, end; /* tokens */
    unsigned depth;    /* of the level; 0: the body */
    bool returns;
    size_t step, body; /* of a loop in step: its step [step, body - 1), and its body */
    side side[MAX_SIDES];
    size_t sides, subscripts;
    size_t
        counter; /* of such a loop whose condition holds for what lies between two values that it holds for: its variable; else NONE */
} stretch;

/* Of a warp: NAME(mask, value, further arguments). The statement with it begins a stretch. */
typedef struct operation {
    size_t name, value, value_end, close;
    size_t stretch; /* at whose end each thread gives its value */
} operation;

/* The statement [first, end), which several take the place of. */
typedef struct brace {
    size_t first, end;
    enum { NOT_OPEN, OPEN, CLOSED } state;
} brace;

typedef struct reader {
    translator *t;
    size_t start, parameters, open, close; /* of the kernel */
    bool building;                         /* variables and assignments are known */
    bool in_step;                          /* loops in step are looked for */
    bool *removed;                         /* tokens, from `open` on */
    unsigned depth;
    size_t current; /* the stretch that is open, or NONE */
    variable variable[MAX_VARIABLES];
    assignment assignment[MAX_ASSIGNMENTS];
    stretch stretch[MAX_STRETCHES];
    size_t barrier[MAX_BARRIERS];
    operation operation[MAX_OPERATIONS];
    brace brace[MAX_BRACES];
    subscript subscript[MAX_SUBSCRIPTS];
    size_t subscripts, variables, assignments, stretches, barriers, loops_in_step, operations, braces;
} reader;

/* stretch_words.c */

bool cc_is_parameter(const reader *r, size_t i);
bool cc_is_step(const translator *t, size_t i);
/* May a pointer to the variable at `i` stay behind the statement? That to an argument may not. */
bool cc_may_be_kept(const translator *t, const variable *v, size_t i);
bool cc_has_assignment(const translator *t, size_t from, size_t to);
/* Does [from, to) compute a value and nothing else? */
bool cc_is_pure(const translator *t, size_t from, size_t to);
/* Is the value of [from, to) the same for all threads? */
bool cc_is_uniform(reader *r, size_t from, size_t to);
/* The variable that the word at `i` names, if it is one of the level: the last one that is in scope. */
variable *cc_variable_at(reader *r, size_t i);
/* Of `=` and its kind at `i`: the token behind it; NONE: there is none. */
size_t cc_behind_assignment(const translator *t, size_t i);
/* May what happens to the variable `v` (NULL: a parameter) at `i` change it? */
bool cc_may_change(const translator *t, const variable *v, size_t i);
/* May [from, to), which is uniform, be evaluated earlier in a stretch? It must not read memory. */
bool cc_is_movable(reader *r, size_t from, size_t to);
/* Is the word at `i` a parameter of the kernel's template that is a type? */
bool cc_is_template_type(const reader *r, size_t i);

/* stretch_rows.c */

/* Finds what each row of threads computes once: sides and subscripts of all stretches. */
void cc_find_rows(reader *r);
/* Is a word of [from, to) declared anew in the stretch? */
bool cc_is_hidden(reader *r, const stretch *s, size_t from, size_t to);
/* Does the kernel declare an array in shared memory with this name; and is each such one of numbers, if they are wanted? */
bool cc_is_shared_array(const reader *r, size_t name, bool of_numbers);

/* stretches.c: the kernel with the parameters at `parameters` and the body at `open`; NULL: it is not understood. The caller frees it. */
reader *cc_read_stretches(translator *t, size_t start, size_t parameters, size_t open);

static inline bool same_word(const translator *t, size_t i, size_t k)
{
    return t->token[i].length == t->token[k].length &&
           memcmp(t->token[i].start, t->token[k].start, t->token[i].length) == 0;
}

static inline bool is_member(const translator *t, size_t i)
{
    static const char *const before[] = {".", "->", "::", NULL};

    return is_any(t, i - 1, before);
}

static inline bool is_restrict(const translator *t, size_t i)
{
    return is(t, i, "__restrict__") || is(t, i, "__restrict");
}

/* Has each row a look at what differs in it? */
static inline bool has_rows(const stretch *s)
{
    return s->sides > 0 || s->subscripts > 0;
}

static inline bool is_last(const reader *r, const stretch *s)
{
    return s == &r->stretch[r->stretches - 1] && s->depth == 0 && !s->step;
}

#endif
