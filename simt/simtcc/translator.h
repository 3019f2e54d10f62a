/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the parts of the translator share: its state, functions that read tokens (read.c) and edits (translate.c).
 * Tokens are given by their index; NONE stands for "no token".
 */
#ifndef SIMTCC_TRANSLATOR_H
#define SIMTCC_TRANSLATOR_H

#include "lex.h"
#include "text.h"

#include <stdint.h>

typedef enum cc_where { BEFORE, INSTEAD, AFTER } cc_where;

typedef struct cc_edit {
    size_t token;
    cc_where where;
    size_t order; /* edits of one place apply in the order in which they were made */
    cc_text text;
} cc_edit;

typedef enum cc_scope_kind { NAMESPACE, CLASS, FUNCTION, OTHER } cc_scope_kind; /* OTHER: initialisers, enumerations */

typedef struct cc_scope {
    cc_scope_kind kind;
    bool device;      /* code that runs on the device */
    size_t statement; /* first token of the statement or declaration that is open here */
    size_t lambda;    /* depth of the innermost lambda around or at this scope; 0: none */
} cc_scope;

/* A __shared__ variable whose uses are replaced: every use of a variable of namespace scope, and uses of a function's
 * variable in lambdas, which must not capture it (in CUDA it is static; here it is a reference). */
typedef struct cc_shared {
    const cc_token *name;
    size_t depth; /* of the scope that declares it */
    bool global;
    cc_text use; /* what a use becomes */
} cc_shared;

typedef struct cc_function {
    size_t first, name, open, close;
    bool on_demand; /* has code only if it is called */
    bool visited;
} cc_function;

typedef struct translator {
    const char *path; /* of the file that is compiled */
    const char *text; /* the source, system headers included */
    size_t text_length;
    cc_token *token;
    size_t count;
    cc_edit *edits;
    size_t edit_count, edit_capacity;
    cc_scope *scopes;
    size_t depth, scope_capacity; /* depth: open scopes, the file itself included */
    cc_shared *shared;            /* those in scope */
    size_t shared_count, shared_capacity;
    bool permissive;        /* see translate.h */
    bool separate;          /* likewise */
    bool specific;          /* likewise */
    const char *rows;       /* likewise */
    cc_function *functions; /* of the whole text, once cc_is_called was asked */
    size_t function_count, function_capacity;
    const cc_token *
        *templates; /* names of functions that templates declare, in order, once cc_translate_member needs them */
    size_t template_count;
    bool templates_known;
    size_t *aliases; /* names of volatile types, once rows.c needs them */
    size_t alias_count;
    bool aliases_known;
    bool heap, pending_registers; /* as in cc_found */
    unsigned errors;
    uint64_t refused; /* bits: rows of refused.c that were reported */
} translator;

static const size_t NONE = (size_t)-1;

static inline bool is(const translator *t, size_t i, const char *spelling)
{
    return i < t->count && cc_is(&t->token[i], spelling);
}

static inline bool is_any(const translator *t, size_t i, const char *const *spellings)
{
    for (; *spellings; spellings++)
        if (is(t, i, *spellings))
            return true;
    return false;
}

static inline bool is_word(const translator *t, size_t i)
{
    return i < t->count && t->token[i].kind == CC_WORD;
}

static inline cc_scope *cc_here(const translator *t)
{
    return &t->scopes[t->depth - 1];
}

static inline bool cc_in_declarations(const translator *t)
{
    return cc_here(t)->kind == NAMESPACE || cc_here(t)->kind == CLASS;
}

/* Prints FILE:LINE: error: TEXT for the place of token `i`. */
void cc_refuse(translator *t, size_t i, const char *format, ...) __attribute__((format(printf, 3, 4)));
void cc_warn(const translator *t, size_t i, const char *format, ...) __attribute__((format(printf, 3, 4)));

void cc_translate_member(translator *t, size_t i); /* a name that may lack `template` */

/* A new edit, to be filled before the next. INSTEAD with no text removes the token. */
cc_text *cc_note(translator *t, size_t token, cc_where where);

void cc_add_token(cc_text *text, const cc_token *token);
void cc_add_place(cc_text *text, const cc_token *token); /* `, "FILE", LINE` */

/* Brackets: ( [ {, and < of template arguments. */
bool cc_opens(const translator *t, size_t i);
bool cc_closes(const translator *t, size_t i);
size_t cc_matching(const translator *t, size_t i);      /* of the opening one at `i` */
size_t cc_matching_back(const translator *t, size_t i); /* of the closing one at `i` */
size_t cc_angle(const translator *t, size_t i);         /* the > of the < at `i`, if that begins template arguments */
size_t cc_part_end(const translator *t, size_t i, size_t end); /* the `,` behind the part of a list that begins at `i`, or `end` */
size_t cc_angle_back(const translator *t, size_t i);
/* The name of the template parameter [from, to), NONE if it has none. */
size_t cc_template_parameter(const translator *t, size_t from, size_t to);

size_t cc_statement_start(const translator *t, size_t i); /* of the statement of a function that holds token `i` */
size_t cc_statement_end(const translator *t, size_t i);   /* its `;` */

bool cc_any_word(const translator *t, size_t from, size_t to, const char *spelling);
bool cc_takes_parentheses(const translator *t, size_t i); /* decltype, alignas: the ( after it opens no parameters */
bool cc_is_class_word(const translator *t, size_t i);
bool cc_is_device_word(const translator *t, size_t i); /* __device__, __constant__, __managed__ */
bool cc_is_cuda_word(const translator *t, size_t i);   /* those, __global__, __host__, __shared__ */

enum { CC_MAX_DECLARATORS = 64 };

typedef struct cc_declaration {
    size_t start, end; /* first token; the `;` */
    size_t name[CC_MAX_DECLARATORS];
    size_t qualified[CC_MAX_DECLARATORS];   /* first token of A::B::name */
    size_t initialiser[CC_MAX_DECLARATORS]; /* its = or {, or NONE */
    size_t count;
    size_t align[CC_MAX_DECLARATORS]; /* `alignas` tokens */
    size_t align_count;
    bool is_function; /* or something that is not understood */
    bool is_extern;
    bool is_template;
    bool is_type; /* typedef, using, friend: declares no variable */
} cc_declaration;

/* Reads the declaration [start, end) with its specifiers. */
void cc_read_declaration(const translator *t, size_t start, size_t end, cc_declaration *d);

/* What the `{` at `i` opens, if the tokens from `start` to it are a declaration. Sets `parameters` to the `(` of a
 * function's parameters. */
cc_scope_kind cc_opened(const translator *t, size_t start, size_t i, size_t *parameters);
/* Is the `{` at `i` the initialiser of a member, as in `X() : a{1}, b{2} { }`? */
bool cc_is_member_initialiser(const translator *t, size_t parameters, size_t i);
/* The first token of the parameters (or the bracket of the captures) of the lambda whose body `{` at `i` opens, or
 * NONE. */
size_t cc_lambda_head(const translator *t, size_t i);

/* A declaration, tokens [first, end). The body of a function, or the members of a namespace or class, are between the
 * braces `open` and `close`. */
typedef struct cc_item {
    cc_scope_kind kind; /* OTHER: its body is not split further */
    size_t first, end, open, close;
} cc_item;

typedef struct cc_items {
    cc_item *item;
    size_t count, capacity;
} cc_items;

/* Splits [from, to) of a file, namespace or class into declarations. The caller frees list->item. */
void cc_split(const translator *t, size_t from, size_t to, cc_items *list);

/* variables.c: [start, end) is a declaration with __device__, __constant__ or none; `;` at `end`. */
void cc_register_variables(translator *t, size_t start, size_t end);
/* A __device__ or __constant__ in a function: a lambda, or a static variable. */
void cc_device_word_in_function(translator *t, size_t i);
/* The declaration [start, end) has __shared__ at token `i`. Returns the token after which reading continues. */
size_t cc_translate_shared(translator *t, size_t start, size_t end, size_t i);
/* A word that may be a __shared__ variable. */
void cc_use_of_shared(translator *t, size_t i);
/* A lambda's head is [from, to). */
void cc_check_parameters(translator *t, size_t from, size_t to);
void cc_hide_by_parameters(translator *t, size_t from, size_t to);
/* The scope at t->depth was left. */
void cc_forget_shared(translator *t);

/* asm.c: at the word asm in device code. */
void cc_translate_asm(translator *t, size_t i);

/* called.c: may the function that holds token `i` run? */
bool cc_is_called(translator *t, size_t i);

/* host_variables.c: refuses variables of the host in device code. */
void cc_check_host_variables(translator *t);
/* Reads all functions of the text into t->functions, and marks none as visited. */
void cc_visit_no_function(translator *t);
/* The next one in t->functions, behind index `after` or from the first if that is NONE, whose name is the word at `i`; NONE: none. */
size_t cc_function_named(const translator *t, size_t i, size_t after);

/* rows.c: is the kernel with the head [start, open) one whose threads cannot wait? */
bool cc_is_row_kernel(translator *t, size_t start, size_t open);
bool cc_is_stretch_kernel(translator *t, size_t start, size_t open);
bool cc_is_pure_word(const translator *t, size_t i); /* of the language, or a function of its arguments alone */
bool cc_is_type_word(const translator *t, size_t i); /* of a type of numbers, or of a vector of them */
bool cc_is_type_name(const translator *t,
                     size_t i); /* another name of one: `typedef float word;`, `using word = float;` */
bool cc_is_atomic_word(const translator *t, size_t i);
bool cc_is_warp_word(const translator *t, size_t i); /* of an operation with a value from each lane of a mask */

/* stretch_text.c: divides such a kernel, with the parameters at `parameters` and the body at `open`, if it is understood; `text` goes to
 * the begin of the body. */
bool cc_add_stretches(translator *t, size_t start, size_t parameters, size_t open, cc_text *text);
/* translate.c: threadIdx and the sizes in the body become copies, but for tokens that are removed (from `open` on; NULL: none). */
void cc_add_copies(translator *t, size_t open, size_t close, const bool *removed);

/* launch.c: at the tokens `<<` `<` of a launch. */
void cc_translate_launch(translator *t, size_t i);

#endif
