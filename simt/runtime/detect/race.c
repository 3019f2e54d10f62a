/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Races: two accesses to the same byte, one of them a write, not both atomic, and neither happens before the other
 * (happens_before.h). In the checking build only.
 *
 * As in FastTrack (Flanagan and Freund 2009), recorded accesses are epochs, not vector clocks. Here a unit of four
 * bytes has up to eight of them, reads and writes alike. A recorded access is a cell, one word (cell.h).
 *
 * A new access is compared with all cells of its granules (cells.h). Each recorded access of another thread that conflicts
 * and does not happen before the new one is a race. Then the new access is recorded:
 *
 *   1. Older entries that it subsumes are dropped, byte by byte. It subsumes an entry that happens before it if it has
 *      the same kind or is a plain write: any later access that races with the old entry races with the new one too.
 *   2. If its thread has a cell of the same clock and kind, it is added to that cell.
 *   3. Otherwise it takes an empty cell, or evicts one, a read if there is any.
 *   4. Of many threads that did the same without order only two are recorded: a later access that is ordered after one
 *      of the two is still compared with the other.
 *
 * Spread cells: where neighbouring lanes access neighbouring bytes, one cell serves them all. It names the thread of
 * byte 0; byte i belongs to the i-th thread after it. Only the fast path reads spread cells; every other path first
 * splits them into one cell a byte.
 */
#include "cells.h"
#include "happens_before.h"
#include "observe.h"
#include "origin.h"
#include "pair.h"

static uint32_t next_victim; /* where the search for a cell to evict begins */

void simt_race_launch(void)
{
    next_victim = 0;
    simt_pairs_launch();
    simt_compared_launch();
    simt_hb_launch();
}

/* A new access that is compared with the cells of one granule, and what was found there. */
typedef struct query {
    uint64_t cell;      /* the cell that the access would make, without its origin */
    uint64_t bytes;     /* of the granule, at the bits that a cell has them */
    uint64_t alive;     /* a word below this happens before every later access, and is dropped */
    uint64_t *same;     /* the cell of the same epoch and kind, or NULL */
    uint64_t *peers[2]; /* cells of unordered accesses of other threads, same kind, to all these bytes */
    unsigned kind;
    bool shared; /* shared memory, not global */
    bool done;   /* `same` already has all these bytes */
    const thread *t;
    const warp_clock *mine;
    const chain *last;
    const void *place;
    uintptr_t address; /* of the whole access, which may be of several granules */
    size_t size;
} query;

/* Compares the access with a cell. Returns the cell without the bytes that the access subsumes; 0: nothing is left. */
static inline __attribute__((always_inline)) uint64_t compare(query *q, uint64_t word, uint64_t *cell)
{
    uint64_t differs = word ^ q->cell;

    if (word < q->alive) /* E <= C for every thread that can still come: no later access can race with it */
        return 0;
    if (cell_is_same(word, q->cell)) { /* [FT READ SAME EPOCH], [FT WRITE SAME EPOCH] */
        q->same = cell;
        q->done |= !(q->bytes & ~word);
        return word;
    }
    if (!(word & q->bytes)) /* PTX: only overlapping accesses conflict */
        return word;
    if (!ordered_in_block(q->mine, word, differs)) {                       /* FastTrack's E <= C, its frequent part */
        if (!cell_conflicts(word, q->cell, q->kind, q->shared, q->mine)) { /* [FT READ SHARE]: both stay */
            if (!(differs & a_kind) && !(q->bytes & ~word) && !(q->kind & SIMT_IS_VOLATILE) &&
                word >= simt_launch_first)
                q->peers[q->peers[0] != NULL] = cell;
            return word;
        }
        /* PTX: a race, unless base causality order relates the two: acquire and release, or observation. [FT READ EXCLUSIVE],
         * [FT WRITE EXCLUSIVE] and [FT WRITE SHARED] ask the same. After a race the new access takes over the bytes too, so that one bug is not reported again and again */
        if (__builtin_expect(!simt_hb_ordered(q->t, word), 0) && !simt_is_observed(q->last, q->t, q->cell, word) &&
            simt_judge_pair(word, q->address, q->size, q->kind, q->place, bytes_of(word & q->bytes)))
            return cell_without(word, word, q->bytes);
    }
    return cell_left(word, q->cell, q->kind, SOME_BYTES); /* [FT WRITE SHARED]: a write drops ordered reads */
}

/* Compares with the cells beyond the first two, and closes the gaps. Returns how many are left. */
static unsigned compare_more(query *q, uint64_t *more)
{
    unsigned kept = 0, i = 0;

    for (; i < MORE_CELLS && more[i]; i++) {
        uint64_t left = compare(q, more[i], &more[kept]);

        more[kept] = left;
        kept += left != 0;
    }
    for (unsigned k = kept; k < i; k++)
        more[k] = 0;
    return kept;
}

/* The cell that the access takes: the second peer's, an empty one, or else one that is evicted, a read's if there is
 * any. */
static uint64_t *cell_for(const query *q, uint64_t *cells, uint64_t *more, unsigned kept)
{
    unsigned start = next_victim++, i = 0;

    if (q->peers[1]) /* two others are recorded, but do not suffice for this one: it replaces the later */
        return q->peers[1];
    for (unsigned k = 0; k < CELLS; k++)
        if (!(cells[k * SIMT_SECOND] & ~SIMT_CELL_MORE))
            return &cells[k * SIMT_SECOND];
    if (kept < MORE_CELLS)
        return &more[kept];
    /* Where FastTrack's vector clock of readers would grow, one access is forgotten: a race may be missed. */
    while (i < ALL_CELLS && kind_of(*simt_cell_at(cells, more, (start + i) % ALL_CELLS)) & SIMT_IS_WRITE)
        i++;
    return simt_cell_at(cells, more, (start + i) % ALL_CELLS);
}

/* Records the access: in the cell of the same epoch and kind, or in one of its own. */
static void store(query *q, uint64_t *cells, uint64_t *more, unsigned kept)
{
    uint32_t origin = q->same ? simt_origin_after(*q->same & an_origin, bytes_of(q->bytes), q->place) : 0;
    uint64_t *cell;

    if (origin) { /* the epoch is recorded: only its bytes grow */
        *q->same = ((*q->same & ~an_origin) | q->bytes) + origin;
        return;
    }
    cell = cell_for(q, cells, more, kept);
    *cell = (*cell & SIMT_CELL_MORE) | q->cell | simt_origin_after(0, bytes_of(q->bytes), q->place);
    if (cell == more + kept)
        cells[0] |= SIMT_CELL_MORE;
}

/* Splits spread cells into one cell a byte. A granule with spread cells has no more than two cells, so eight suffice.
 */
static void unspread(uint64_t *cells, uint64_t *more)
{
    uint64_t before[CELLS] = {cells[0], cells[SIMT_SECOND]};
    unsigned made = 0;

    cells[0] = cells[SIMT_SECOND] = 0;
    for (unsigned i = 0; i < CELLS; i++)
        for (unsigned byte = 0; byte < GRANULE; byte++) {
            uint64_t bit = (uint64_t)1 << (SIMT_BYTES_SHIFT + byte), word = before[i];

            if (!(word & bit))
                continue;
            *simt_cell_at(cells, more, made++) =
                word & SIMT_CELL_SPREAD ? (cell_of_byte(word, byte) & ~(SIMT_CELL_SPREAD | a_byte)) | bit : word;
            if (!(word & SIMT_CELL_SPREAD))
                break;
        }
    if (made > CELLS)
        cells[0] |= SIMT_CELL_MORE;
}

static void check_granule(uint64_t *cells, uint64_t *more, query *q)
{
    unsigned kept = 0;
    uint64_t first = cells[0] & ~SIMT_CELL_MORE;

    q->same = q->peers[0] = q->peers[1] = NULL;
    q->done = false;
    if (cells[0] & SIMT_CELL_MORE)
        kept = compare_more(q, more);
    if (first)
        first = compare(q, first, &cells[0]);
    if (cells[SIMT_SECOND])
        cells[SIMT_SECOND] = compare(q, cells[SIMT_SECOND], &cells[SIMT_SECOND]);
    cells[0] = first | (kept ? SIMT_CELL_MORE : 0);
    if (!q->done && !(q->peers[1] && cells_suffice(*q->peers[0], *q->peers[1], q->cell)))
        store(q, cells, more, kept);
    cells_close_gap(cells);
}

static __attribute__((noinline)) void check_slowly(uint64_t *cells, uint64_t *more, const chain *last,
                                                   uintptr_t address, size_t size, unsigned kind, const void *place)
{
    const thread *t = simt_current;
    const warp_clock *mine = &simt_warp_clocks[thread_of(t->epoch) / LANES];
    bool local = simt_is_local(address);
    query q = {.t = t, .mine = mine, .place = place, .kind = kind, .address = address, .size = size};
    uintptr_t at = address & (GRANULE - 1), end = at + size;

    q.shared = simt_is_shared(address);
    /* Only its own block can access it: what all of that block knows is over. Else, what all that can come knows. */
    q.alive = local ? mine->floor : simt_alive;
    while (at < end) {
        unsigned first = at & (GRANULE - 1), past = end - at + first < GRANULE ? (unsigned)(end - at) + first : GRANULE;

        q.bytes = (uint64_t)((1u << past) - (1u << first)) << SIMT_BYTES_SHIFT;
        q.cell = cell_make(t->epoch, kind, bytes_of(q.bytes));
        q.last = last;
        if (address - simt_base < simt_size)
            simt_drop_tag(cells, (address - simt_base) / GRANULE + at / GRANULE);
        if ((cells[0] | cells[SIMT_SECOND]) & SIMT_CELL_SPREAD)
            unspread(cells, more);
        if (!cell_is_redundant(cells[0], cells[SIMT_SECOND], q.cell, mine, false, SOME_BYTES, address))
            check_granule(cells, more, &q);
        at = (at & ~(uintptr_t)(GRANULE - 1)) + GRANULE;
        if (at < end) {
            granule g = simt_granule_at((address & ~(uintptr_t)(GRANULE - 1)) + at);

            cells = g.cells;
            more = g.more;
            last = g.last;
        }
    }
}

/* A new plain read that may add nothing: whether its epoch has read the bytes, and its peers, as of a query. */
typedef struct reread {
    uint64_t cell, peer, other; /* 0: none */
    bool done;
} reread;

/* Does the cell stay as it is, with nothing to report? As `compare` decides. */
static inline __attribute__((always_inline)) bool stays(uint64_t word, reread *r, const warp_clock *mine,
                                                        uint64_t alive)
{
    const uint64_t differs = word ^ r->cell;

    if (word < alive)
        return false;
    if (cell_is_same(word, r->cell)) {
        r->done = true;
        return !(r->cell & ~word & a_byte);
    }
    if (!(word & r->cell & a_byte))
        return true;
    if (ordered_in_block(mine, word, differs))
        return differs & a_kind;
    if (!(differs & a_kind) && !(r->cell & ~word & a_byte) && word >= simt_launch_first) {
        r->other = r->peer ? word : 0;
        r->peer = r->peer ? r->peer : word;
    }
    return !(kind_of(word) & SIMT_IS_WRITE);
}

/* What check_granule finds in nine of ten reads of a table of small numbers: nothing to report and nothing to record, because the epoch has read
 * these bytes, or two others have that suffice. False: it must look. */
static inline __attribute__((always_inline)) bool
read_adds_nothing(const uint64_t *cells, const uint64_t *more, uint64_t cell, const warp_clock *mine, uint64_t alive)
{
    const uint64_t first = cells[0] & ~SIMT_CELL_MORE, second = cells[SIMT_SECOND];
    reread r = {.cell = cell};

    if (!first || (first | second) & SIMT_CELL_SPREAD)
        return false;
    for (unsigned i = 0; cells[0] & SIMT_CELL_MORE && i < MORE_CELLS && more[i];
         i++) /* in the order of check_granule */
        if (!stays(more[i], &r, mine, alive))
            return false;
    return stays(first, &r, mine, alive) && (!second || stays(second, &r, mine, alive)) &&
           (r.done || (r.other && cells_suffice(r.peer, r.other, cell)));
}

static __attribute__((noinline)) void check_all(uint64_t *cells, uint64_t *more, const chain *last, uintptr_t address,
                                                size_t size, unsigned kind, const void *place)
{
    const unsigned at = address & (GRANULE - 1);

    if (!kind && at + size <= GRANULE) {
        const uint64_t new = cell_of(((1u << size) - 1) << at, kind);
        const warp_clock *mine = &simt_warp_clocks[thread_of(new) / LANES];

        if (read_adds_nothing(cells, more, new, mine, simt_is_local(address) ? mine->floor : simt_alive))
            return;
    }
    check_slowly(cells, more, last, address, size, kind, place);
}

/* Adds the spread cell to the spread cell `word` of its neighbours. 0: that is not one. */
static inline __attribute__((always_inline)) uint64_t join_neighbours(uint64_t word, uint64_t cell, const void *place)
{
    uint32_t origin = word & an_origin;

    if (!(word & cell & SIMT_CELL_SPREAD) || !cell_is_same(word, cell))
        return 0;
    if (simt_key_of_origin(origin) != simt_origin_key(ALL_BYTES, place))
        origin = simt_origin_after(origin, bytes_of(cell), place);
    return origin ? ((word & ~an_origin) | (cell & a_byte)) + origin : 0;
}

/* The fast path, for an access within one granule that has no more than two cells. `alone`: the access is of one byte.
 * Returns false, with nothing changed, where check_all must decide. */
static inline __attribute__((always_inline)) bool check_quickly(uint64_t *cells, uintptr_t address, size_t size,
                                                                bool alone, unsigned kind, const void *place)
{
    unsigned byte = address & (GRANULE - 1), bytes = ((1u << size) - 1) << byte;
    uint64_t cell = cell_of(bytes, kind), made, first, second, joined;
    const warp_clock *mine = &simt_warp_clocks[thread_of(cell) / LANES];
    bool local = simt_is_local(address);
    uint64_t alive = local ? mine->floor : simt_alive;

    if (cells[0] & SIMT_CELL_MORE)
        return false;
    simt_drop_tag(cells, (address - simt_base) / GRANULE);
    /* [FT READ SHARED] with two readers recorded */
    if (alone && cell_is_redundant(cell_of_byte(cells[0], byte), cell_of_byte(cells[SIMT_SECOND], byte), cell, mine,
                                   false, ONE_BYTE, address))
        return true;
    first = cell_remaining(cells[0], cell, kind, alone ? ONE_BYTE : SOME_BYTES, byte, mine, alive);
    second = cell_remaining(cells[SIMT_SECOND], cell, kind, alone ? ONE_BYTE : SOME_BYTES, byte, mine, alive);
    if (first == UNCLEAR || second == UNCLEAR) /* perhaps a race */
        return false;
    made = alone ? cell_spread(cell, byte) : cell;
    if (alone && (joined = join_neighbours(first, made, place)) != 0)
        first = joined;
    else if (alone && (joined = join_neighbours(second, made, place)) != 0)
        second = joined;
    else if (!first) /* [FT READ EXCLUSIVE], [FT WRITE EXCLUSIVE]: the new epoch replaces the ordered one */
        first =
            made | simt_origin_after(0, alone ? ALL_BYTES : bytes, place); /* ALL_BYTES: also for later neighbours */
    else if (!second)
        second = made | simt_origin_after(0, alone ? ALL_BYTES : bytes, place);
    else
        return false;
    cells[0] = first ? first : second;
    cells[SIMT_SECOND] = first ? second : 0;
    return true;
}

/* simt_race_access for a plain access to a whole granule. It is shorter because bytes and kind are constants. */
static inline __attribute__((always_inline)) void check_word(uintptr_t address, bool write, const void *place)
{
    uintptr_t index = (address - simt_base) / GRANULE;
    uint64_t *cells = simt_cells_of(index);
    uint64_t cell = cell_of(ALL_BYTES, write), first = cells[0], second = cells[SIMT_SECOND];
    const warp_clock *mine = &simt_warp_clocks[thread_of(cell) / LANES];
    uint64_t alive = simt_is_local(address) ? mine->floor : simt_alive;

    if (write)
        simt_drop_tag(cells, index);
    if (!(first & SIMT_CELL_MORE) && (first = cell_remaining(first, cell, write, WHOLE, 0, mine, alive)) != UNCLEAR &&
        (second = cell_remaining(second, cell, write, WHOLE, 0, mine, alive)) != UNCLEAR && !(first && second)) {
        /* [FT READ EXCLUSIVE], [FT WRITE EXCLUSIVE]; where `first` stays, it is a write that a read follows */
        cell |= simt_origin_after(0, ALL_BYTES, place);
        cells[0] = first ? first : cell;
        cells[SIMT_SECOND] = first ? cell : second;
        return;
    }
    check_all(cells, simt_more_cells + index * MORE_CELLS, simt_chains + index, address, GRANULE, write, place);
}

void simt_race_read_word(uintptr_t address, const void *place)
{
    check_word(address, false, place);
}

void simt_race_write_word(uintptr_t address, const void *place)
{
    check_word(address, true, place);
}

void simt_race_byte(uintptr_t address, unsigned kind, const void *place)
{
    uintptr_t index = (address - simt_base) / GRANULE;
    uint64_t *cells = simt_cells_of(index);

    if (!check_quickly(cells, address, 1, true, kind, place))
        check_all(cells, simt_more_cells + index * MORE_CELLS, simt_chains + index, address, 1, kind, place);
}

static __attribute__((noinline)) void check_bytes(uintptr_t address, size_t size, unsigned kind, const void *place)
{
    uintptr_t index = (address - simt_base) / GRANULE;
    uint64_t *cells = simt_cells_of(index);

    if ((address & (GRANULE - 1)) + size > GRANULE || !check_quickly(cells, address, size, false, kind, place))
        check_all(cells, simt_more_cells + index * MORE_CELLS, simt_chains + index, address, size, kind, place);
}

/* The redundant case is decided here, without a stack frame. */
void simt_race_access(uintptr_t address, size_t size, unsigned kind, const void *place)
{
    const uint64_t *cells = simt_cells_of((address - simt_base) / GRANULE);
    unsigned byte = address & (GRANULE - 1);

    if (byte + size <= GRANULE &&
        cells_make_redundant(cells, cell_of(((1u << size % 8) - 1) << byte, kind), false, address))
        return;
    check_bytes(address, size, kind, place);
}

/* `__device__` variables are not in the reserved range: they have cells of their own. */
void simt_race_variable(uintptr_t address, size_t size, unsigned kind, const void *place)
{
    granule g = simt_variable_granule(address, size);

    if (g.cells)
        check_all(g.cells, g.more, g.last, address, size, kind, place);
}
