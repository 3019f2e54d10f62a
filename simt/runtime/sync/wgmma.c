/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Asynchronous products of four warps: wgmma.mma_async, fence, commit_group and wait_group of PTX. Each warp computes its 16 of the 64
 * rows when it issues the product. What is asynchronous is what others may notice: until the warp has waited for the group of the product,
 * its registers are pending, and the shared memory that it reads is watched.
 *
 * A product is one operation of the four warps, and wait_group of any of them waits for all of it ("creates a new wgmma-group per
 * warpgroup", "completion of a preceding warpgroup operation"). So a warp that waits sleeps until the others have committed their parts of
 * the group, and then no part of it reads shared memory any more, whichever warp uses that memory next. CUTLASS's pipelines rely on that: one
 * thread of the warpgroup frees a stage behind its own wait.
 *
 * - Registers are variables on the stack of a thread. The address of each one is known, so the compiler reports every access to it. A word
 *   of the stack has a mark: whether it is pending, and how many fences the thread had passed when it last used the word. A product is wrong
 *   if its registers were used since the last fence. Products that follow each other in the same registers need no fence.
 * - The metadata of a sparse A count as registers of A, in the lanes that the selector chooses. PTX has a fence order all registers that a
 *   product accesses, and those of the sum and of fragments of A pending; of metadata it does not speak there.
 * - Shared memory is read as described by matrix descriptors (PTX, section on asynchronous warpgroup-level matrix instructions); the way of
 *   each swizzle, of the two strides and of the base offset was compared with an H200.
 * - The read is one of the async proxy: fence.proxy.async orders it behind writes by threads (proxy.c).
 * - It is recorded as one of a lane, at the product, and again at the first wait for it. That lane's accesses until then happen before
 *   each wait for the product. wait_group orders the lanes of the warp as __syncwarp does: whichever of them then tells others that the
 *   memory is free may do so. Both are more than PTX says.
 *
 * Findings `race`: a use of pending registers, a write to memory that a product reads, a missing fence of either kind (the product reads by
 * the async proxy: detect/proxy.c). `warp-mask`: a warp without its
 * three others, warps of the four that issue different products. What matrix.c says of lanes holds here, too.
 */
#include "../../include/simt_wgmma.h"
#include "product.h"
#include "sync.h"

#include "../detect/detect.h"
#include "../memory/memory.h"
#include "../schedule/schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WARPS_EACH = 4,
    /* Bytes below the upper end of a stack, where a kernel's own variables are. CUTLASS's example 111 needs between 20 and 24 pages of
     * 4 KiB; twice as many pages as 17 took no time that could be measured, and 16 MB in simt/tests/wgmma_attention.cu. */
    MARKED = 33 * 4096,
    WORDS = MARKED / 4,
    UNIT = SIMT_WATCHED_BYTES,
    /* Bytes: 14 bits of a descriptor, in units of 16. The memory of a block is larger, with its redzones. */
    REACH = 256 << 10
};

/* In a mark: no access is allowed, no write is. The other bits count fences. */
static const uint32_t PENDING = 1u << 31, IS_READ = 1u << 30, COUNT = (1u << 30) - 1;

typedef struct product {
    struct product *next; /* older first */
    uint64_t group;
    uint64_t read; /* the accesses of the thread that recorded its reads, until then */
    const char *name, *file;
    int line;
    const void *code;
    unsigned units, registers, sources; /* sources: registers of A, and behind them one of the metadata of a sparse A */
    bool sparse;
    simt_watch *unit; /* the shared memory that it reads */
    void **variables; /* registers of each lane, of the sum and of A; NULL: none that is looked at */
} product;

struct warp_state {
    product *first;
    uint64_t groups;   /* committed */
    uint64_t complete; /* of them, those for which the warp has waited */
    uint64_t awaited;  /* those for which it waits now; 0: it does not wait */
    const char *file;  /* where it waits */
    int line;
    uint64_t count, issued; /* products; a hash of them */
};

/* From the thread's first fence or product of a launch on. */
struct thread_state {
    uint32_t fences;
    uint32_t *mark;
};

static void *of_workers[SIMT_WORKERS];

static struct state {
    struct warp_state warps[CLUSTER_WARPS];
    struct thread_state threads[SIMT_SLOTS];
} * own(void)
{
    return simt_of_worker(of_workers, sizeof(struct state));
}

static unsigned marked; /* threads with marks: in the checking build only */

static struct warp_state *state_of(const warp *w)
{
    return &own()->warps[w->number];
}

static struct thread_state *thread_state_of(const thread *t)
{
    return &own()->threads[t - m.threads];
}

static void forget_thread(struct thread_state *s)
{
    marked -= s->mark != NULL;
    free(s->mark);
    *s = (struct thread_state){0};
}

/* The mark of a word of the thread's stack; NULL: it is no such word, or the thread has none. */
static uint32_t *mark_of(const thread *t, uintptr_t address)
{
    const uintptr_t bottom = (uintptr_t)*simt_stack_of(t) - MARKED;
    struct thread_state *s = thread_state_of(t);

    return s->mark && address - bottom < MARKED ? &s->mark[(address - bottom) / 4] : NULL;
}

static unsigned variables_of(const product *p)
{
    return p->registers + p->sources;
}

static void set_pending(const warp *w, const product *p, bool pending)
{
    for (unsigned i = 0; i < variables_of(p) * LANES; i++) {
        uint32_t *mark = mark_of(&w->threads[i / variables_of(p)], (uintptr_t)p->variables[i]);
        const uint32_t bit = i % variables_of(p) < p->registers ? PENDING : IS_READ;

        if (mark)
            *mark = pending ? *mark | bit : *mark & ~bit;
    }
}

static void end_reads(product *p)
{
    for (unsigned i = 0; i < p->units; i++)
        simt_watch_remove(&p->unit[i]);
    p->units = 0;
}

static void drop(product *p)
{
    end_reads(p);
    free(p->unit);
    free(p->variables);
    free(p);
}

static void block_ends(const block *b)
{
    for (unsigned i = 0; i < b->warps; i++) {
        struct warp_state *s = state_of(&b->warp[i]);
        const struct warp_state *first = state_of(&b->warp[i / WARPS_EACH * WARPS_EACH]);

        if (simt_current && m.stop == RUNNING && (s->count != first->count || s->issued != first->issued))
            simt_report(
                WARP_MASK, NULL, 0, NULL,
                "warps %u and %u of a warpgroup have issued different wgmma: %llu and %llu, or not the same ones",
                i / WARPS_EACH * WARPS_EACH, i, (unsigned long long)first->count, (unsigned long long)s->count);
        while (s->first) {
            product *next = s->first->next;

            drop(s->first);
            s->first = next;
        }
        for (unsigned lane = 0; lane < LANES; lane++)
            forget_thread(&own()->threads[b->warp[i].number * LANES + lane]);
    }
    for (unsigned i = 0; i < b->warps; i++)
        *state_of(&b->warp[i]) = (struct warp_state){0};
    if (!marked)
        simt_stack_access = NULL;
}

static simt_primitive primitive = {.block_ends = block_ends};

/* --- findings */

static const simt_wgmma_operands *operands_of(const warp *w, unsigned lane)
{
    return (const simt_wgmma_operands *)(uintptr_t)w->value[lane];
}

/* Where a lane has register i of the sum and of A. Of f16, bf16 and tf32 half of the lanes have no metadata that count. */
static void *variable_of(const warp *w, unsigned lane, unsigned i)
{
    const simt_wgmma_operands *o = operands_of(w, lane);
    const bool of_metadata = o->what->flags & SIMT_MMA_SPARSE && i + 1 == o->registers + o->sources;
    const bool selected = simt_element_bits(o->what->a) < 16 || lane / 2 % 2 == o->what->selector;

    return of_metadata && !selected ? NULL : o->variables[i];
}

/* Register i of a product, as "register 2 of A". */
static void describe_register(unsigned i, unsigned registers, unsigned sources, bool sparse, char *text, size_t size)
{
    if (i < registers)
        snprintf(text, size, "register %u of the sum", i);
    else if (sparse && i + 1 == registers + sources)
        snprintf(text, size, "the metadata of A");
    else
        snprintf(text, size, "register %u of A", i - registers);
}

static void report_register(uintptr_t address, bool writes, const void *place)
{
    const warp *w = simt_current->warp;

    for (const product *p = state_of(w)->first; p; p = p->next)
        for (unsigned i = 0; p->group >= state_of(w)->complete && i < variables_of(p); i++)
            if ((uintptr_t)p->variables[simt_current->lane * variables_of(p) + i] == address) {
                char text[64];

                describe_register(i, p->registers, p->sources, p->sparse, text, sizeof text);
                simt_report(RACE, NULL, 0, place, "%s %s of %s, %s:%d, for which the thread has not waited",
                            writes ? "writes to" : "reads", text, p->name, p->file, p->line);
                return;
            }
}

/* The running thread uses words of its stack. */
static void use_registers(uintptr_t address, size_t size, unsigned kind, const void *place)
{
    const bool writes = kind & SIMT_IS_WRITE;

    for (uintptr_t at = address & ~(uintptr_t)3; simt_current && at < address + size; at += 4) {
        uint32_t *mark = mark_of(simt_current, at);

        if (!mark)
            return;
        if (*mark & PENDING || (*mark & IS_READ && writes)) {
            report_register(at, writes, place);
            *mark = 0;
        }
        *mark = (*mark & ~COUNT) | (thread_state_of(simt_current)->fences & COUNT);
    }
}

static void touched(const simt_watch *w, unsigned kind, const void *place)
{
    const product *p = w->owner;
    char name[256];

    if (!(kind & SIMT_IS_WRITE))
        return;
    simt_describe_element(w->address, w->size, name, sizeof name);
    simt_report_spot(RACE, &(simt_spot){.place = place, .address = name, .object = w->address},
                     "writes to %s, which %s, %s:%d, reads until it is waited for", name, p->name, p->file, p->line);
}

static bool is_fenced(const warp *w, const group *g)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        const simt_wgmma_operands *o = operands_of(w, lane);
        const struct thread_state *s = thread_state_of(&w->threads[lane]);

        if (s->fences == 0) {
            simt_report(RACE, g->file, g->line, NULL, "%s without wgmma.fence before it", o->what->name);
            return false;
        }
        for (unsigned i = 0; i < o->registers + o->sources; i++) {
            const uint32_t *mark = mark_of(&w->threads[lane], (uintptr_t)variable_of(w, lane, i));

            if (mark && !(*mark & PENDING) && (*mark & COUNT) == s->fences) {
                char text[64];

                describe_register(i, o->registers, o->sources, o->what->flags & SIMT_MMA_SPARSE, text, sizeof text);
                simt_report(RACE, g->file, g->line, NULL, "%s, and since its last wgmma.fence lane %u has used %s",
                            o->what->name, lane, text);
                return false;
            }
        }
    }
    return true;
}

/* --- matrices in shared memory */

/* The fields of a descriptor; distances in bytes. */
typedef struct descriptor {
    uint32_t start, leading, stride;
    unsigned base, row; /* bytes of a row of the swizzle: 16 (none), 32, 64, 128 */
} descriptor;

static descriptor descriptor_of(uint64_t bits)
{
    static const uint8_t rows[] = {16, 128, 64, 32};

    return (descriptor){.start = (uint32_t)(bits & 0x3fff) << 4,
                        .leading = (uint32_t)(bits >> 16 & 0x3fff) << 4,
                        .stride = (uint32_t)(bits >> 32 & 0x3fff) << 4,
                        .base = bits >> 49 & 7,
                        .row = rows[bits >> 62]};
}

/* Where, in the block's shared memory, the 16 bytes are that hold an element: row `line` of A or column `line` of B, and the byte that it
 * has along k, or, of a transposed matrix, its k. Only a column of B of a sparse product has more bytes than a row of the swizzle. */
static uint32_t unit_of(const descriptor *d, bool transposed, unsigned line, unsigned byte, unsigned k)
{
    uint32_t at;

    if (!transposed && d->row == 16)
        at = line / 8 * d->stride + line % 8 * 16 + byte / 16 * d->leading;
    else if (!transposed)
        at = line / 8 * d->stride + line % 8 * d->row + byte % d->row / 16 * 16 + byte / d->row * d->leading;
    else if (d->row == 16)
        at = line / 8 * d->stride + k / 8 * d->leading + k % 8 * 16;
    else
        at = line / 8 % (d->row / 16) * 16 + line / 8 / (d->row / 16) * d->leading + k / 8 * d->stride + k % 8 * d->row;
    at += d->start;
    return at ^ ((at >> 7) - d->base) % (d->row / 16) * 16; /* the rows of a swizzle repeat every 8 times 128 bytes */
}

/* A matrix in shared memory: rows of A from `first` on, or columns of B. */
typedef struct operand {
    descriptor at;
    bool transposed;
    unsigned type, first, lines, k;
} operand;

static unsigned byte_of(const operand *o, unsigned k)
{
    return k * simt_element_bits(o->type) / 8;
}

/* Records the accesses. Other threads may run meanwhile. */
static void watch_matrix(product *p, const operand *o, const void *code)
{
    for (unsigned line = o->first; line < o->first + o->lines; line++)
        for (unsigned k = 0; k < o->k; k++) {
            const uint32_t at = unit_of(&o->at, o->transposed, line, byte_of(o, k), k);
            simt_watch *w = &p->unit[p->units];

            if (o->transposed ? line % 8 != 0 : k * simt_element_bits(o->type) % (8 * UNIT) != 0)
                continue; /* not the first element in its unit */
            if (at > REACH - UNIT) {
                simt_report(OOB, NULL, 0, code, "a matrix descriptor of wgmma leads to offset %u of shared memory", at);
                simt_stop(cudaErrorIllegalAddress);
            }
            w->address = (uintptr_t)m.block->arena + at;
            w->size = UNIT;
            w->touched = touched;
            w->owner = p;
            simt_proxy_access(w->address, UNIT, false, code);
            simt_access((const void *)w->address, UNIT, 0, code);
            simt_watch_add(w);
            p->units++;
        }
}

static void read_matrix(const operand *o, uint64_t *to)
{
    const unsigned width = simt_element_bits(o->type);

    for (unsigned line = 0; line < o->lines; line++)
        for (unsigned k = 0; k < o->k; k++) {
            const uint32_t at = unit_of(&o->at, o->transposed, o->first + line, byte_of(o, k), k);
            const unsigned within = o->transposed ? (o->first + line) % 8 * 2 : byte_of(o, k) % UNIT;
            uint32_t value = 0;

            memcpy(&value, m.block->arena + (at > REACH - UNIT ? 0 : at) + within, width < 8 ? 1 : width / 8);
            to[line * o->k + k] = width < 8 ? value >> k % 8 & 1 : value;
        }
}

/* --- the instructions */

static void issue(const warp *w, const group *g)
{
    const simt_wgmma_operands *o = operands_of(w, 0);
    struct warp_state *s = state_of(w);
    const unsigned mine = (unsigned)(w - w->block->warp), quarter = mine % WARPS_EACH;
    const unsigned bytes = simt_element_bits(o->what->b) * o->what->k / 8;
    uint32_t metadata[LANES];
    product *p = calloc(1, sizeof *p), **link = &s->first;
    simt_mma what = *o->what;
    const bool sparse = what.flags & SIMT_MMA_SPARSE;
    const unsigned stored = sparse ? what.k / 2u : what.k; /* elements of a row of A, one behind the other */
    const operand a = {descriptor_of(o->a_place), o->a_transposed, what.a, 16 * quarter, 16, stored};
    const operand b = {descriptor_of(o->b_place), o->b_transposed, what.b, 0, what.n, what.k};

    if (p) {
        p->unit = calloc((16 + what.n) * (bytes / UNIT), sizeof *p->unit);
        p->variables = calloc((size_t)LANES * (o->registers + o->sources), sizeof *p->variables);
    }
    if (!p || !p->unit || !p->variables)
        simt_stop(cudaErrorMemoryAllocation);
    p->name = what.name;
    p->file = g->file;
    p->line = g->line;
    p->code = o->code;
    p->group = s->groups;
    p->registers = o->registers;
    p->sources = o->sources;
    p->sparse = sparse;
    while (*link)
        link = &(*link)->next;
    *link = p;
    s->count++;
    s->issued = simt_mix(s->issued ^ o->b_place ^ simt_mix(o->a ? 0 : o->a_place) ^ (uint64_t)g->line << 40 ^
                         (uint64_t)what.selector << 32);
    what.rows = 16;
    if (simt_checking && !o->a)
        watch_matrix(p, &a, o->code);
    if (simt_checking)
        watch_matrix(p, &b, o->code);
    if (simt_checking)
        p->read = simt_hb_until_now();
    if (!o->a)
        read_matrix(&a, simt_matrices_now()->left);
    read_matrix(&b, simt_matrices_now()->right);
    if (!o->adds)
        memset(simt_matrices_now()->sums, 0, what.rows * what.n * sizeof(uint64_t));
    for (unsigned lane = 0; lane < LANES; lane++) {
        const simt_wgmma_operands *of = operands_of(w, lane);

        simt_gather(&what, &(simt_mma_operands){.a = of->a, .c = o->adds ? of->d : NULL}, lane);
        metadata[lane] = of->metadata;
        for (unsigned i = 0; i < variables_of(p); i++)
            p->variables[lane * variables_of(p) + i] = variable_of(w, lane, i);
    }
    if (sparse)
        simt_find_positions(&what, metadata);
    simt_multiply(&what);
    for (unsigned lane = 0; lane < LANES; lane++)
        simt_scatter(&what, operands_of(w, lane)->d, lane);
    if (simt_checking)
        set_pending(w, p, true);
}

/* --- waits */

static warp *first_of_group(const warp *w)
{
    return &w->block->warp[(unsigned)(w - w->block->warp) / WARPS_EACH * WARPS_EACH];
}

static unsigned warps_of_group(const warp *w)
{
    const unsigned left = w->block->warps - (unsigned)(first_of_group(w) - w->block->warp);

    return left < WARPS_EACH ? left : WARPS_EACH;
}

/* The first warp of the warpgroup that has committed fewer groups; NULL: none. */
static const warp *late_warp(const warp *w, uint64_t groups)
{
    const warp *first = first_of_group(w);

    for (unsigned i = 0; i < warps_of_group(w); i++)
        if (state_of(&first[i])->groups < groups)
            return &first[i];
    return NULL;
}

/* Products for which each warp of the warpgroup has waited are no longer needed. */
static void drop_complete(const warp *w)
{
    const warp *first = first_of_group(w);
    uint64_t least = UINT64_MAX;

    for (unsigned i = 0; i < warps_of_group(w); i++)
        if (state_of(&first[i])->complete < least)
            least = state_of(&first[i])->complete;
    for (unsigned i = 0; i < warps_of_group(w); i++)
        for (product *p; (p = state_of(&first[i])->first) != NULL && p->group < least;) {
            state_of(&first[i])->first = p->next;
            drop(p);
        }
}

/* The first warp that waits reads its part again, now as lane 0 of it, which knows what all of its lanes know: so whoever writes must come
 * behind a wait, and not only behind the product. */
static void read_again(const warp *w, product *p)
{
    thread *self = simt_current;

    if (!p->units)
        return;
    simt_current = &w->threads[0];
    for (unsigned i = 0; i < p->units; i++)
        simt_record_access(p->unit[i].address, UNIT, 0, p->code);
    p->read = simt_current->epoch;
    simt_current = self;
}

/* All parts of these groups have ended. */
static void end_wait(warp *w, uint64_t groups)
{
    const warp *first = first_of_group(w);
    struct warp_state *s = state_of(w);

    for (unsigned i = 0; i < warps_of_group(w); i++)
        for (product *p = state_of(&first[i])->first; p && p->group < groups && &first[i] != w; p = p->next) {
            if (simt_checking)
                simt_hb_learn(&w->threads[0], p->read);
            end_reads(p);
        }
    if (simt_checking)
        simt_hb_syncwarp(w, 0xffffffff);
    for (product *p = s->first; p && p->group < groups; p = p->next) {
        set_pending(w, p, false);
        read_again(w, p);
        end_reads(p);
    }
    if (simt_checking) /* the clock ticks behind these reads, of which all lanes know then */
        simt_hb_syncwarp(w, 0xffffffff);
    if (groups > s->complete)
        s->complete = groups;
    for (const product *p = s->first; p; p = p->next)
        if (p->group >= s->complete)
            set_pending(w, p, true);
    drop_complete(w);
}

/* False: the lanes of the warp sleep until the others have committed their parts. */
static bool wait_for(warp *w, const group *g)
{
    struct warp_state *s = state_of(w);
    const uint64_t newest = operands_of(w, 0)->newest, groups = s->groups > newest ? s->groups - newest : 0;

    if (!late_warp(w, groups)) {
        end_wait(w, groups);
        return true;
    }
    s->awaited = groups;
    s->file = g->file;
    s->line = g->line;
    simt_block_lane(w, 1u << m.lane); /* the others wait for the end of the instruction */
    return false;
}

static void commit(const warp *w)
{
    warp *first = first_of_group(w);

    state_of(w)->groups++;
    for (unsigned i = 0; i < warps_of_group(w); i++) {
        struct warp_state *s = state_of(&first[i]);

        if (!s->awaited || late_warp(w, s->awaited))
            continue;
        end_wait(&first[i], s->awaited);
        s->awaited = 0;
        simt_wake(&first[i], 0xffffffff);
    }
}

/* No thread can run: names a warp that waits for the others. */
bool simt_report_wgmma(const block *b)
{
    for (unsigned i = 0; primitive.used && i < b->warps; i++) {
        const struct warp_state *s = state_of(&b->warp[i]);

        if (!s->awaited)
            continue;
        simt_current = &b->warp[i].threads[0];
        simt_report(WARP_MASK, s->file, s->line, NULL,
                    "wgmma.wait_group waits for warp %u of the warpgroup, which has not committed the group",
                    (unsigned)(late_warp(&b->warp[i], s->awaited) - b->warp));
        return true;
    }
    return false;
}

static bool is_complete_group(const warp *w, const group *g)
{
    const block *b = w->block;
    const unsigned first = (unsigned)(w - b->warp) / WARPS_EACH * WARPS_EACH;

    if (first + WARPS_EACH <= b->warps && b->warp[first + WARPS_EACH - 1].exists == 0xffffffff)
        return true;
    simt_report(WARP_MASK, g->file, g->line, NULL,
                "wgmma takes four warps of 32 lanes, and the block has no more of them");
    return false;
}

static void fence(const warp *w)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        struct thread_state *s = thread_state_of(&w->threads[lane]);

        if (!s->mark && simt_checking)
            marked += (s->mark = calloc(WORDS, sizeof *s->mark)) != NULL;
        if (!s->mark && simt_checking)
            simt_stop(cudaErrorMemoryAllocation);
        s->fences++;
    }
    if (simt_checking)
        simt_stack_access = use_registers;
}

bool simt_is_same_wgmma(const warp *w, unsigned lane)
{
    const simt_wgmma_operands *a = operands_of(w, lane), *b = operands_of(w, 0);

    return a->line == b->line && a->a_place == b->a_place && a->b_place == b->b_place && a->newest == b->newest &&
           a->adds == b->adds;
}

bool simt_wgmma_complete(warp *w, const group *g)
{
    simt_use(&primitive);
    switch (w->argument[0]) {
    case SIMT_WGMMA_FENCE:
        fence(w);
        break;
    case SIMT_WGMMA_COMMIT:
        commit(w);
        break;
    case SIMT_WGMMA_WAIT:
        return wait_for(w, g);
    default:
        if (is_complete_group(w, g)) {
            is_fenced(w, g);
            issue(w, g);
        }
    }
    return true;
}

const void *simt_wgmma_code(void)
{
    return __builtin_return_address(0);
}

void simt_unchecked_copy(void *to, const void *from, size_t size)
{
    memcpy(to, from, size);
}
