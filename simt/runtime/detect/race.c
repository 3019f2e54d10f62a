/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Races: two accesses to the same byte, one of them a write, not both atomic, and neither happens before the other
 * (happens_before.h). In the checking build only.
 *
 * As in FastTrack (Flanagan and Freund 2009), recorded accesses are epochs, not vector clocks. Here a unit of four
 * bytes has up to eight of them, reads and writes alike. A recorded access is a cell, one word (cell.h).
 *
 * Two cells stand in a table; six more in a second one , used when the first two do not suffice (`more` of the first
 * cell). A new access is compared with all cells. Each recorded access of another thread that conflicts and does not
 * happen before the new one is a race. Then the new access is recorded:
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
 *
 * Observation: an atomic that reads what another atomic wrote comes after it, and what happens after the reader happens
 * after both, without any fence (PTX: observation followed by base causality order). All read-modify-writes of a location
 * are one chain in which each reads what the one before wrote. So whatever happens after the last of them happens after
 * all; and so does whatever happens after a volatile load of the value that the last one wrote. This orders only these
 * accesses, not what their threads did before. A third table has the last one of each unit (struct chain). A volatile
 * store reads nothing, so its thread does not come after the writes before it. Who reads its value counts as ordered after
 * these too, which is more than PTX says.
 *
 * Memory: 16 bytes of cells for each 4 bytes that kernels touch, 48 more where two cells do not suffice, and 16 where
 * atomic or volatile accesses write.
 */
#define _GNU_SOURCE
#include "happens_before.h"
#include "origin.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum {
    REPORTED = 64,  /* pairs of places in the code that a launch reports at most; finding.c keeps as many findings */
    GRANULE = 4,    /* bytes: the usual size of an access, so that most need one granule */
    CELLS = 2,      /* of a granule in the first table: a writer and a reader, or two readers */
    MORE_CELLS = 6, /* in the second table: two spread cells of four bytes each split into eight */
    ALL_CELLS = CELLS + MORE_CELLS
};

/* The last atomic or volatile write to a unit, and who has read what it wrote, both as cells with a note in place of the
 * origin. */
typedef struct chain {
    uint64_t last;
    uint64_t reader; /* 0: nobody */
} chain;

/* Notes of chain.last. In both cases everybody counts as an observer. */
enum {
    SEVERAL_READERS = 1,
    SEVERAL_LOCATIONS = 2 /* atomics of one or two bytes: there is one chain for all of the unit */
};

uint64_t *simt_cells;
uintptr_t simt_cell_pairs;
static uint64_t *more_cells;
static chain *chains;
static struct { /* the cells of `__device__` variables, which are not in the reserved range */
    uint64_t *cells, *more;
    chain *chains;
    uintptr_t begin, end;
} variables;

static uint32_t next_victim; /* where the search for a cell to evict begins */

static struct {
    const void *a, *b;
} reported[REPORTED]; /* in this launch: the two places in the code, the lower address first */

static void *map(size_t size)
{
    void *got = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return got == MAP_FAILED ? NULL : got;
}

enum { CHAIN_WORDS = sizeof(chain) / sizeof(uint64_t) };

static size_t cells_size(uintptr_t begin, uintptr_t end, size_t count)
{
    return (end - begin) / GRANULE * count * sizeof(uint64_t) + 4096;
}

/* If there is no memory for the cells, simt_cells stays NULL and races are not looked for. */
void simt_race_start(void)
{
    if (!simt_options.kinds[RACE] || !simt_clocks_start())
        return;
    more_cells = map(cells_size(0, simt_size, MORE_CELLS));
    chains = map(cells_size(0, simt_size, CHAIN_WORDS));
    if (more_cells && chains)
        simt_cells = map(cells_size(0, simt_size, CELLS));
    if (!simt_cells)
        return;
    simt_cell_pairs = simt_size / GRANULE;
    /* Large pages: strided accesses touch a new page of cells at each step. */
    madvise(simt_cells, cells_size(0, simt_size, CELLS), MADV_HUGEPAGE);
}

static void forget_cells(uint64_t *cells, uint64_t *more, chain *last, uintptr_t begin, uintptr_t end)
{
    madvise(cells + begin / GRANULE * CELLS, (end - begin) / GRANULE * CELLS * sizeof *cells, MADV_DONTNEED);
    madvise(more + begin / GRANULE * MORE_CELLS, (end - begin) / GRANULE * MORE_CELLS * sizeof *more, MADV_DONTNEED);
    madvise(last + begin / GRANULE, (end - begin) / GRANULE * sizeof *last, MADV_DONTNEED);
}

void simt_race_forget(uintptr_t begin, uintptr_t end)
{
    if (simt_cells)
        forget_cells(simt_cells, more_cells, chains, begin - simt_base, end - simt_base);
}

static void free_variable_cells(void)
{
    if (variables.cells)
        munmap(variables.cells, cells_size(variables.begin, variables.end, CELLS));
    if (variables.more)
        munmap(variables.more, cells_size(variables.begin, variables.end, MORE_CELLS));
    if (variables.chains)
        munmap(variables.chains, cells_size(variables.begin, variables.end, CHAIN_WORDS));
    variables.cells = variables.more = NULL;
    variables.chains = NULL;
}

/* At each launch, because modules that were loaded meanwhile bring more variables. */
static void map_variable_cells(void)
{
    uintptr_t begin = simt_variables_begin & ~(uintptr_t)7;

    if (variables.begin == begin && variables.end == simt_variables_end)
        return;
    free_variable_cells();
    variables.begin = begin;
    variables.end = simt_variables_end;
    if (begin >= variables.end)
        return;
    variables.cells = map(cells_size(begin, variables.end, CELLS));
    variables.more = map(cells_size(begin, variables.end, MORE_CELLS));
    variables.chains = map(cells_size(begin, variables.end, CHAIN_WORDS));
    if (!variables.cells || !variables.more || !variables.chains)
        free_variable_cells();
}

void simt_race_reset(void)
{
    simt_race_forget(simt_base, simt_base + simt_size);
    if (variables.cells)
        forget_cells(variables.cells, variables.more, variables.chains, 0, variables.end - variables.begin);
    simt_origins_reset();
}

void simt_race_launch(void)
{
    map_variable_cells();
    memset(reported, 0, sizeof reported);
    next_victim = 0;
}

static const char *name_of(unsigned kind)
{
    switch (kind & (SIMT_IS_WRITE | SIMT_IS_ATOMIC | SIMT_IS_VOLATILE)) {
    case 0:
        return "read";
    case SIMT_IS_WRITE:
        return "write";
    case SIMT_IS_ATOMIC | SIMT_IS_VOLATILE:
        return "volatile read";
    case SIMT_IS_ATOMIC | SIMT_IS_VOLATILE | SIMT_IS_WRITE:
        return "volatile write";
    default:
        return "atomic access";
    }
}

static bool is_new_pair(const void *a, const void *b)
{
    const void *low = a < b ? a : b, *high = a < b ? b : a;
    unsigned i = 0;

    for (; i < REPORTED && reported[i].a; i++)
        if (reported[i].a == low && reported[i].b == high)
            return false;
    if (i == REPORTED)
        return false;
    reported[i].a = low;
    reported[i].b = high;
    return true;
}

static bool is_store(unsigned kind)
{
    return kind & SIMT_IS_WRITE && (!(kind & SIMT_IS_ATOMIC) || kind & SIMT_IS_VOLATILE);
}

/* Two accesses that race: a new one and a recorded one. */
typedef struct pair {
    const void *place, *other; /* in the code */
    uint3 in_block, by_thread, other_block, other_thread;
    uintptr_t address;
    size_t size;
    unsigned kind, other_kind;
    char *text;               /* of its finding; NULL: not reported yet */
    unsigned char before[16]; /* what the recorded access wrote, if both write */
} pair;

/* Pairs of writes whose second one follows. Whether both write the same value is known at the next access. */
static pair pending[ALL_CELLS * 4]; /* a write of 16 bytes can race with as many recorded ones */
static unsigned pending_count;

static char *report(const pair *p)
{
    uint3 b = p->other_block, t = p->other_thread;
    char what[256];

    simt_describe_element(p->address, p->size, what, sizeof what);
    return simt_report_spot(
        RACE,
        &(simt_spot){.place = p->place,
                     .other = p->other,
                     .other_block = b,
                     .other_thread = t,
                     .address = what,
                     .object = p->address},
        "%s of %zu byte%s %s %s and %s%s by block (%u,%u,%u) thread (%u,%u,%u) are not ordered", name_of(p->kind),
        p->size, p->size == 1 ? "" : "s", p->kind & SIMT_IS_WRITE ? "to" : "from", what,
        (p->kind | p->other_kind) & SIMT_IS_BLOCK_SCOPE && p->kind & p->other_kind & SIMT_IS_ATOMIC ? "narrow-scope "
                                                                                                    : "",
        name_of(p->other_kind), b.x, b.y, b.z, t.x, t.y, t.z);
}

/* The same when another thread may be running, or none. */
static void report_late(const pair *p)
{
    static block in;
    static warp of;
    static thread by;
    thread *running = simt_current;

    in.index = p->in_block;
    of.block = &in;
    by.index = p->by_thread;
    by.warp = &of;
    simt_current = &by;
    report(p);
    simt_current = running;
}

void simt_race_settle(void)
{
    for (unsigned i = 0; i < pending_count; i++) {
        pair *p = &pending[i];
        bool same = memcmp(p->before, (const void *)p->address, p->size) == 0;

        if (p->text && same)
            strcat(p->text, ", both of the same value");
        else if (!p->text && !same && is_new_pair(p->place, p->other))
            report_late(p);
    }
    pending_count = 0;
}

typedef struct accessor {
    uint3 block, thread;
} accessor;

/* Whose access a cell records. */
static accessor accessor_of(uint64_t word)
{
    const slot *r = &simt_slots[simt_warp_clocks[thread_of(word) / LANES].slot];
    unsigned unit = thread_of(word) - r->first_thread;
    const dim3 *d = &m.request->block;

    return (accessor){simt_block_index(simt_block_at(r, clock_of(word))),
                      {unit % d->x, unit / d->x % d->y, unit / d->x / d->y}};
}

/* Reports the race between the access and the recorded one, once for each pair of places in the code. */
static void race(uint64_t word, uintptr_t address, size_t size, unsigned kind, const void *place, unsigned bytes)
{
    accessor by = accessor_of(word);
    pair p = {.place = place,
              .other = simt_origin_place(word, bytes),
              .in_block = simt_current->warp->block->index,
              .by_thread = simt_current->index,
              .other_block = by.block,
              .other_thread = by.thread,
              .address = address,
              .size = size,
              .kind = kind,
              .other_kind = kind_of(word)};
    bool stores = is_store(kind) && is_store(p.other_kind) && size <= sizeof p.before;

    if (!(stores && simt_options.ignore_same_value)) {
        if (!is_new_pair(place, p.other))
            return;
        p.text = report(&p);
        if (!p.text)
            return;
    }
    if (!stores || pending_count == sizeof pending / sizeof *pending)
        return;
    memcpy(p.before, (const void *)address, size);
    pending[pending_count++] = p;
    simt_settle_later();
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

static bool is_ordered(const query *q, uint64_t word)
{
    return ordered_in_block(q->mine, word, word ^ q->cell) || simt_hb_ordered(q->t, word);
}

/* Does the new access happen after an access that observed the recorded one, an atomic or volatile write? */
static __attribute__((noinline)) bool is_observed(const query *q, uint64_t word)
{
    uint64_t last = q->last->last;

    if (~kind_of(word) & (SIMT_IS_ATOMIC | SIMT_IS_WRITE) || last < after(simt_launch_clock))
        return false;
    if ((is_narrow(word) || is_narrow(last)) && !(same_block(q->mine, word) && same_block(q->mine, last)))
        return false;
    if (last & (SEVERAL_READERS | SEVERAL_LOCATIONS))
        return true;
    return (!(kind_of(last) & SIMT_IS_VOLATILE) && is_ordered(q, last)) ||
           (q->last->reader && is_ordered(q, q->last->reader));
}

/* Compares the access with a cell. Returns the cell without the bytes that the access subsumes; 0: nothing is left. */
static inline __attribute__((always_inline)) uint64_t compare(query *q, uint64_t word, uint64_t *cell)
{
    uint64_t differs = word ^ q->cell;

    if (word < q->alive)
        return 0;
    if (cell_is_same(word, q->cell)) { /* [FT READ SAME EPOCH], [FT WRITE SAME EPOCH] */
        q->same = cell;
        q->done |= !(q->bytes & ~word);
        return word;
    }
    if (!(word & q->bytes))
        return word;
    if (!ordered_in_block(q->mine, word, differs)) {
        if (!cell_conflicts(word, q->cell, q->kind, q->shared, q->mine)) { /* [FT READ SHARE]: both stay */
            if (!(differs & a_kind) && !(q->bytes & ~word) && !(q->kind & SIMT_IS_VOLATILE))
                q->peers[q->peers[0] != NULL] = cell;
            return word;
        }
        /* after a race the new access takes over the bytes too, so that one bug is not reported again and again */
        if (__builtin_expect(!simt_hb_ordered(q->t, word), 0) && !is_observed(q, word))
            race(word, q->address, q->size, q->kind, q->place, bytes_of(word & q->bytes));
    }
    return cell_left(word, q->cell, q->kind, SOME_BYTES);
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

static uint64_t *cell_at(uint64_t *cells, uint64_t *more, unsigned i)
{
    return i < CELLS ? &cells[i] : &more[i - CELLS];
}

/* The cell that the access takes: the second peer's, an empty one, or else one that is evicted, a read's if there is
 * any. */
static uint64_t *cell_for(const query *q, uint64_t *cells, uint64_t *more, unsigned kept)
{
    unsigned start = next_victim++, i = 0;

    if (q->peers[1])
        return q->peers[1];
    for (unsigned k = 0; k < CELLS; k++)
        if (!(cells[k] & ~SIMT_CELL_MORE))
            return &cells[k];
    if (kept < MORE_CELLS)
        return &more[kept];
    while (i < ALL_CELLS && kind_of(*cell_at(cells, more, (start + i) % ALL_CELLS)) & SIMT_IS_WRITE)
        i++;
    return cell_at(cells, more, (start + i) % ALL_CELLS);
}

/* Records the access: in the cell of the same epoch and kind, or in one of its own. */
static void store(query *q, uint64_t *cells, uint64_t *more, unsigned kept)
{
    uint32_t origin = q->same ? simt_origin_after(*q->same & an_origin, bytes_of(q->bytes), q->place) : 0;
    uint64_t *cell;

    if (origin) {
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
    uint64_t before[CELLS] = {cells[0], cells[1]};
    unsigned made = 0;

    cells[0] = cells[1] = 0;
    for (unsigned i = 0; i < CELLS; i++)
        for (unsigned byte = 0; byte < GRANULE; byte++) {
            uint64_t bit = (uint64_t)1 << (SIMT_BYTES_SHIFT + byte), word = before[i];

            if (!(word & bit))
                continue;
            *cell_at(cells, more, made++) =
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
    if (cells[1])
        cells[1] = compare(q, cells[1], &cells[1]);
    cells[0] = first | (kept ? SIMT_CELL_MORE : 0);
    if (!q->done && !(q->peers[1] && cells_suffice(*q->peers[0], *q->peers[1], q->cell)))
        store(q, cells, more, kept);
}

static __attribute__((noinline)) void check_all(uint64_t *cells, uint64_t *more, const chain *last, uintptr_t address,
                                                size_t size, unsigned kind, const void *place)
{
    const thread *t = simt_current;
    const warp_clock *mine = &simt_warp_clocks[thread_of(t->epoch) / LANES];
    bool local = simt_is_local(address);
    query q = {.t = t, .mine = mine, .place = place, .kind = kind, .address = address, .size = size};
    uintptr_t at = address & (GRANULE - 1), end = at + size;

    q.shared = simt_is_shared(address);
    q.alive = local ? mine->floor : after(simt_launch_clock);
    while (at < end) {
        unsigned first = at & (GRANULE - 1), past = end - at + first < GRANULE ? (unsigned)(end - at) + first : GRANULE;

        q.bytes = (uint64_t)((1u << past) - (1u << first)) << SIMT_BYTES_SHIFT;
        q.cell = cell_make(t->epoch, kind, bytes_of(q.bytes));
        q.last = last++;
        if ((cells[0] | cells[1]) & SIMT_CELL_SPREAD)
            unspread(cells, more);
        if (!cell_is_redundant(cells[0], cells[1], q.cell, mine, false, SOME_BYTES, address))
            check_granule(cells, more, &q);
        cells += CELLS;
        more += MORE_CELLS;
        at = (at & ~(uintptr_t)(GRANULE - 1)) + GRANULE;
    }
}

/* Adds the spread cell to the spread cell `word` of its neighbours. 0: that is not one. */
static inline __attribute__((always_inline)) uint64_t join_neighbours(uint64_t word, uint64_t cell, const void *place)
{
    uint32_t origin = word & an_origin;

    if (!(word & cell & SIMT_CELL_SPREAD) || !cell_is_same(word, cell))
        return 0;
    if (simt_origins[origin].place != simt_origin_key(ALL_BYTES, place))
        origin = simt_origin_after(origin, bytes_of(cell), place);
    return origin ? ((word & ~an_origin) | (cell & a_byte)) + origin : 0;
}

static inline uint64_t cell_of(unsigned bytes, unsigned kind)
{
    return cell_make(simt_current->epoch, kind, bytes);
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
    uint64_t alive = local ? mine->floor : after(simt_launch_clock);

    if (cells[0] & SIMT_CELL_MORE)
        return false;
    if (alone && cell_is_redundant(cell_of_byte(cells[0], byte), cell_of_byte(cells[1], byte), cell, mine, false,
                                   ONE_BYTE, address))
        return true;
    first = cell_remaining(cells[0], cell, kind, alone ? ONE_BYTE : SOME_BYTES, byte, mine, alive);
    second = cell_remaining(cells[1], cell, kind, alone ? ONE_BYTE : SOME_BYTES, byte, mine, alive);
    if (first == UNCLEAR || second == UNCLEAR)
        return false;
    made = alone ? cell_spread(cell, byte) : cell;
    if (alone && (joined = join_neighbours(first, made, place)) != 0)
        first = joined;
    else if (alone && (joined = join_neighbours(second, made, place)) != 0)
        second = joined;
    else if (!first)
        first =
            made | simt_origin_after(0, alone ? ALL_BYTES : bytes, place); /* ALL_BYTES: also for later neighbours */
    else if (!second)
        second = made | simt_origin_after(0, alone ? ALL_BYTES : bytes, place);
    else
        return false;
    cells[0] = first;
    cells[1] = second;
    return true;
}

/* The most frequent case of bytes: the neighbours were just accessed from the same place in the code. */
static inline bool is_next_to(const uint64_t *cells, unsigned byte, unsigned kind, const void *place)
{
    uint64_t word = cells[0], made = cell_spread(cell_of(1u << byte, kind), byte);

    return word & made & SIMT_CELL_SPREAD && cell_is_same(word, made) && !(word & made & a_byte) && !cells[1] &&
           simt_origins[word & an_origin].place == simt_origin_key(ALL_BYTES, place);
}

/* simt_race_access for a plain access to a whole granule. It is shorter because bytes and kind are constants. */
static inline __attribute__((always_inline)) void check_word(uintptr_t address, bool write, const void *place)
{
    uintptr_t granule = (address - simt_base) / GRANULE;
    uint64_t *cells = simt_cells + granule * CELLS;
    uint64_t cell = cell_of(ALL_BYTES, write), first = cells[0], second = cells[1];
    const warp_clock *mine = &simt_warp_clocks[thread_of(cell) / LANES];
    uint64_t alive = simt_is_local(address) ? mine->floor : after(simt_launch_clock);

    if (!(first & SIMT_CELL_MORE) && (first = cell_remaining(first, cell, write, WHOLE, 0, mine, alive)) != UNCLEAR &&
        (second = cell_remaining(second, cell, write, WHOLE, 0, mine, alive)) != UNCLEAR && !(first && second)) {
        cell |= simt_origin_after(0, ALL_BYTES, place);
        cells[0] = first ? first : cell;
        cells[1] = first ? cell : second;
        return;
    }
    check_all(cells, more_cells + granule * MORE_CELLS, chains + granule, address, GRANULE, write, place);
}

void simt_race_read_word(uintptr_t address, const void *place)
{
    check_word(address, false, place);
}

void simt_race_write_word(uintptr_t address, const void *place)
{
    check_word(address, true, place);
}

static __attribute__((noinline)) void check_byte(uintptr_t address, unsigned kind, const void *place)
{
    uintptr_t granule = (address - simt_base) / GRANULE;
    uint64_t *cells = simt_cells + granule * CELLS;

    if (!check_quickly(cells, address, 1, true, kind, place))
        check_all(cells, more_cells + granule * MORE_CELLS, chains + granule, address, 1, kind, place);
}

void simt_race_byte(uintptr_t address, unsigned kind, const void *place)
{
    uint64_t *cells = simt_cells + (address - simt_base) / GRANULE * CELLS;
    unsigned byte = address & (GRANULE - 1);

    if (is_next_to(cells, byte, kind, place))
        cells[0] |= (uint64_t)1 << (SIMT_BYTES_SHIFT + byte);
    else
        check_byte(address, kind, place);
}

static __attribute__((noinline)) void check_bytes(uintptr_t address, size_t size, unsigned kind, const void *place)
{
    uintptr_t granule = (address - simt_base) / GRANULE;
    uint64_t *cells = simt_cells + granule * CELLS;

    if ((address & (GRANULE - 1)) + size > GRANULE || !check_quickly(cells, address, size, false, kind, place))
        check_all(cells, more_cells + granule * MORE_CELLS, chains + granule, address, size, kind, place);
}

/* The redundant case is decided here, without a stack frame. */
void simt_race_access(uintptr_t address, size_t size, unsigned kind, const void *place)
{
    const uint64_t *cells = simt_cells + (address - simt_base) / GRANULE * CELLS;
    unsigned byte = address & (GRANULE - 1);

    if (byte + size <= GRANULE &&
        cells_make_redundant(cells, cell_of(((1u << size % 8) - 1) << byte, kind), false, address))
        return;
    check_bytes(address, size, kind, place);
}

/* `__device__` variables are not in the reserved range: they have cells of their own. */
void simt_race_variable(uintptr_t address, size_t size, unsigned kind, const void *place)
{
    uintptr_t granule = (address - variables.begin) / GRANULE;

    if (variables.cells && address >= variables.begin && address + size <= variables.end)
        check_all(variables.cells + granule * CELLS, variables.more + granule * MORE_CELLS, variables.chains + granule,
                  address, size, kind, place);
}

static chain *chain_at(uintptr_t address)
{
    if (address - simt_base < simt_size)
        return chains + (address - simt_base) / GRANULE;
    if (variables.cells && address >= variables.begin && address < variables.end)
        return variables.chains + (address - variables.begin) / GRANULE;
    return NULL;
}

static void observe(chain *c, uint64_t word, bool writes)
{
    bool fresh = c->last < after(simt_launch_clock);

    if (writes) {
        uint64_t several = !fresh && ((c->last ^ word) & a_byte || c->last & SEVERAL_LOCATIONS) ? SEVERAL_LOCATIONS : 0;

        *c = (chain){.last = word | several};
    } else if (!fresh && c->reader != word) {
        if (c->reader && (c->reader ^ word) & a_thread)
            c->last |= SEVERAL_READERS;
        c->reader = word;
    }
}

/* After an atomic or volatile access that was checked. `writes`: it changed memory, or a read-modify-write could have.
 * A load has got the newest value. */
void simt_race_observe(const void *address, size_t size, unsigned kind, bool writes)
{
    chain *c;

    if (!simt_cells || !simt_current || !(c = chain_at((uintptr_t)address)))
        return;
    if (size == 8) {
        observe(c, cell_of(ALL_BYTES, kind), writes);
        observe(c + 1, cell_of(ALL_BYTES, kind), writes);
    } else if (size <= GRANULE) {
        observe(c, cell_of(((1u << size) - 1) << ((uintptr_t)address & (GRANULE - 1)), kind), writes);
    }
}

/* --- the last writer, for compare_runs.c */

static const uint64_t *cells_of(uintptr_t address, const uint64_t **more)
{
    uintptr_t granule = (address - simt_base) / GRANULE;

    if (simt_cells && address - simt_base < simt_size) {
        *more = more_cells + granule * MORE_CELLS;
        return simt_cells + granule * CELLS;
    }
    if (!variables.cells || address < variables.begin || address >= variables.end)
        return NULL;
    granule = (address - variables.begin) / GRANULE;
    *more = variables.more + granule * MORE_CELLS;
    return variables.cells + granule * CELLS;
}

/* The write to the byte with the latest clock in this launch, or 0. */
static uint64_t last_write(uintptr_t address)
{
    const uint64_t *more, *cells = cells_of(address, &more);
    uint64_t bit = (uint64_t)1 << (SIMT_BYTES_SHIFT + (address & (GRANULE - 1))), last = 0;

    for (unsigned i = 0; cells && i < ALL_CELLS && (i < CELLS || cells[0] & SIMT_CELL_MORE); i++) {
        uint64_t word = i < CELLS ? cells[i] : more[i - CELLS];

        if (word & bit && kind_of(word) & SIMT_IS_WRITE && word >= after(simt_launch_clock) && word > last)
            last = word & SIMT_CELL_SPREAD ? cell_of_byte(word, address & (GRANULE - 1)) : word;
    }
    return last;
}

void simt_race_writer(uintptr_t address, char *text, size_t size)
{
    uint64_t word = last_write(address);
    accessor by;

    *text = 0;
    if (!word)
        return;
    by = accessor_of(word);
    snprintf(text, size, "by block (%u,%u,%u) thread (%u,%u,%u) (%s)", by.block.x, by.block.y, by.block.z, by.thread.x,
             by.thread.y, by.thread.z, name_of(kind_of(word)));
    simt_add_line(text, size, simt_origin_place(word, bytes_of(word)));
}
