/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the parts of the translator of inline PTX share: ptx.c reads statements, ptx_table.c, ptx_forms.c, ptx_calls.c,
 * ptx_matrix.c and ptx_tensor.c translate instructions, and ptx_operands.c operands and types. A function that returns false has
 * not understood its text; what it has added to the body by then is undone.
 */
#ifndef SIMTCC_PTX_PARTS_H
#define SIMTCC_PTX_PARTS_H

#include "ptx.h"

#include <ctype.h>
#include <string.h>

enum {
    MAX_PARTS = 16,    /* parts of an instruction's name, and operands of one instruction */
    MAX_VECTOR = 128,  /* registers between { and }: the sums of a wgmma with 256 columns */
    MAX_REGISTERS = 64 /* names that one statement declares */
};

typedef struct range {
    const char *start;
    size_t length;
} range;

typedef struct instruction {
    range whole; /* bfe.u32 */
    range part[MAX_PARTS];
    size_t parts;
    range operand[MAX_PARTS];
    size_t operands;
} instruction;

typedef struct ptx {
    const cc_ptx_operands *operands;
    cc_text *body, *refused;
    range registers[MAX_REGISTERS];
    size_t elements[MAX_REGISTERS]; /* 2 or 4 of a vector, whose registers are NAME.x to NAME.w; 1: it is none */
    size_t register_count, unique;
    bool carry; /* an instruction of this statement has set it */
} ptx;

static inline bool same(range r, const char *word)
{
    return r.length == strlen(word) && memcmp(r.start, word, r.length) == 0;
}

static inline bool begins(range r, const char *word)
{
    return r.length >= strlen(word) && memcmp(r.start, word, strlen(word)) == 0;
}

/* Is the range one of the words of a list that blanks separate? */
static inline bool in_list(range r, const char *list)
{
    while (*list) {
        size_t length = strcspn(list, " ");

        if (length == r.length && memcmp(list, r.start, length) == 0)
            return true;
        list += length + strspn(list + length, " ");
    }
    return false;
}

static inline range trimmed(range r)
{
    while (r.length && isspace((unsigned char)*r.start)) {
        r.start++;
        r.length--;
    }
    while (r.length && isspace((unsigned char)r.start[r.length - 1]))
        r.length--;
    return r;
}

static inline bool has_part(const instruction *in, const char *word)
{
    for (size_t i = 1; i < in->parts; i++)
        if (same(in->part[i], word))
            return true;
    return false;
}

/* Which of the words of `list` is a part of the name; an empty range if none is. */
static inline range part_of(const instruction *in, const char *list)
{
    for (size_t i = 1; i < in->parts; i++)
        if (in_list(in->part[i], list))
            return in->part[i];
    return (range){"", 0};
}

static inline void add(ptx *p, range r)
{
    cc_text_add(p->body, r.start, r.length);
}

static inline void puts_body(ptx *p, const char *text)
{
    cc_text_puts(p->body, text);
}

static inline range last_part(const instruction *in)
{
    return in->part[in->parts - 1];
}

/* --- ptx.c */

/* The instruction cannot be translated: `why` may be empty. */
void cc_ptx_refuse(ptx *p, range what, const char *why);

/* --- ptx_operands.c */

const char *cc_ptx_type(range name); /* uint32_t for b32; NULL: none */
/* The variable of a register. */
void cc_ptx_add_register(cc_text *text, range r); /* `a.x` is a_e_x */
/* The address of the C++ variable of an operand of the statement, an output or an input; nullptr of other registers. */
void cc_ptx_add_variable_address(const ptx *p, cc_text *text, range r, bool output);
/* A number of C, or PTX's 0fXXXXXXXX and 0dXXXXXXXXXXXXXXXX (bits), or a decimal fraction of the type. */
bool cc_ptx_add_number(cc_text *text, range r, range type);
/* ::simt::ptx::get(...) of a source operand; `type` is that of the instruction. */
bool cc_ptx_add_source(const ptx *p, cc_text *text, range r, range type);
/* The parts of {a, b} or {a, b, c, d}; of anything else, itself. */
size_t cc_ptx_split_vector(range r, range part[MAX_VECTOR]);
/* `put(d, ` or, for a destination `d|p`, `put(d, p, `. */
bool cc_ptx_open_put(ptx *p, range destination);
/* Puts the elements of the variable simt_vUNIQUE into the destinations, and closes its block. */
bool cc_ptx_put_elements(ptx *p, const range *destination, size_t count, size_t unique);

/* [a], [a+4], [a-4]: as an address, by a function of simt_ptx.h: CC_PTX_ANYWHERE, of shared memory of the cluster, or of the block. */
#define CC_PTX_ANYWHERE "address"
#define CC_PTX_CLUSTER  "shared_address"
#define CC_PTX_BLOCK    "block_address"
bool cc_ptx_add_address(ptx *p, range r, const char *function);
/* As the parts of the instruction's name say: .shared alone is the block's. */
const char *cc_ptx_space(const instruction *in);

/* --- ptx_table.c, ptx_forms.c, ptx_calls.c and ptx_matrix.c: false: they do not have an instruction of this name. `good`: it was translated. */

bool cc_ptx_by_table(ptx *p, const instruction *in, bool *good);
bool cc_ptx_by_form(ptx *p, const instruction *in, bool *good);
bool cc_ptx_by_call(ptx *p, const instruction *in, bool *good);
bool cc_ptx_by_tensor(ptx *p, const instruction *in, bool *good);
bool cc_ptx_of_matrices(ptx *p, const instruction *in, bool *good);

#endif
