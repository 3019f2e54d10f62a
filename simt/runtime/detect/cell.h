/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A cell: one recorded access to some of four bytes, as one word, and what can be asked of it. The paper is FastTrack (Flanagan
 * and Freund 2009); the comments name its rules. FastTrack keeps for a variable the epoch of the last write, and of reads an
 * epoch or a vector clock. Here reads and writes alike are epochs, in up to eight cells for four bytes.
 *
 *   clock 26 | resident thread 12 | kind 4 | which of the four bytes 4 | spread 1 | more 1 | origin 16
 *
 * The upper two parts are the epoch. The clock is uppermost, so that one comparison of words asks "is it at this clock or later?".
 * 0 is no access: no clock is 0.
 *
 *   more     in the first cell of four bytes: there are more than two
 *   spread   byte i is by the i-th thread after the named one: neighbouring lanes access neighbouring bytes
 *   origin   the place in the code (origin.h)
 *
 * All of this is inline, and `extent` is a constant wherever it is passed: a branch on it costs nothing.
 */
#ifndef SIMT_CELL_H
#define SIMT_CELL_H

#include "vector_clock.h"

#include "../memory/memory.h"

#pragma GCC visibility push(hidden)

typedef uint64_t simt_cell;

/* Where each part begins. */
enum {
    SIMT_ORIGIN_BITS = 16,
    SIMT_BYTES_SHIFT = 18,
    SIMT_KIND_SHIFT = 22,
    SIMT_THREAD_SHIFT = 26,
    SIMT_CLOCK_SHIFT = 38
};

enum {
    ALL_BYTES = 15,       /* of the four, a bit each */
    SIMT_SECOND = 1 << 18 /* cells from the first one of a word to its second one: 2 MiB, a large page */
};

#define SIMT_CELL_MORE   ((simt_cell)1 << SIMT_ORIGIN_BITS)
#define SIMT_CELL_SPREAD ((simt_cell)1 << 17)

static const simt_cell a_thread = (simt_cell)(SIMT_THREADS - 1) << SIMT_THREAD_SHIFT;
static const simt_cell a_warp = (simt_cell)(SIMT_THREADS - LANES) << SIMT_THREAD_SHIFT;
static const simt_cell a_kind = (simt_cell)15 << SIMT_KIND_SHIFT;
static const simt_cell a_byte = (simt_cell)ALL_BYTES << SIMT_BYTES_SHIFT;
/* All but epoch and origin. */
static const simt_cell a_form = ((simt_cell)1 << SIMT_THREAD_SHIFT) - SIMT_CELL_MORE;
static const simt_cell an_origin = SIMT_CELL_MORE - 1;

/* Two for each 4 bytes of the range: the first ones of SIMT_SECOND words, then their second ones, and so on. NULL: races are not looked
 * for. Most words need one only, and the pages of the others take no memory. */
extern simt_cell *simt_cells;

/* Where streams are not ordered, cells of earlier launches are kept (actor.h). Otherwise both are the launch's first word. */
extern simt_cell simt_alive;        /* a lesser word happens before everything that can still come */
extern simt_cell simt_ordered;      /* a lesser word happens before the launch */
extern simt_cell simt_launch_first; /* a lesser word is of an earlier launch */
/* If the first cell of a word is a lesser one, so is the second, which is not looked up then: it is another line of the cache. An access
 * is recorded in the second cell only where the first one matters, and what remains of two is in the first. So this is the launch's first
 * word, or 1, where cells of earlier launches are kept. (A first cell that says `more` is looked at by race.c.) */
extern simt_cell simt_fresh;

extern uintptr_t simt_cell_pairs; /* how many such pairs; 0 if simt_cells is NULL */

/* Which bytes a new access has: one; some of the four; all four. */
typedef enum simt_extent { ONE_BYTE, SOME_BYTES, WHOLE } simt_extent;

/* What all threads of a resident warp know. The fields are words like cells: an access of the block happens before if its cell is
 * less than `floor`, one of the warp if it is less than `synced`. */
typedef struct warp_clock {
    uint64_t floor, synced;
    uint64_t start; /* a lesser word is of an earlier block of the slot */
    uint16_t slot;  /* of the block, among the resident ones */
    bool partial;   /* thread_clock.partial is set for some lane */
} warp_clock;

extern warp_clock simt_warp_clocks[CLUSTER_WARPS];

/* The first cell of a word. */
static inline simt_cell *simt_cells_of(uintptr_t index)
{
    return simt_cells + index + (index & ~(uintptr_t)(SIMT_SECOND - 1));
}

/* --- parts */

static inline uint32_t clock_of(simt_cell c)
{
    return (uint32_t)(c >> SIMT_CLOCK_SHIFT);
}

/* The least word with a later clock. */
static inline simt_cell after(uint32_t clock)
{
    return ((simt_cell)clock + 1) << SIMT_CLOCK_SHIFT;
}

static inline unsigned thread_of(simt_cell c)
{
    return c >> SIMT_THREAD_SHIFT & (SIMT_THREADS - 1);
}

static inline unsigned kind_of(simt_cell c)
{
    return c >> SIMT_KIND_SHIFT & 15;
}

static inline unsigned bytes_of(simt_cell c)
{
    return c >> SIMT_BYTES_SHIFT & ALL_BYTES;
}

/* The access of an epoch, still without its origin. */
static inline simt_cell cell_make(uint64_t epoch, unsigned kind, unsigned bytes)
{
    return epoch | (simt_cell)kind << SIMT_KIND_SHIFT | (simt_cell)bytes << SIMT_BYTES_SHIFT;
}

/* The cell as if it were not spread, for a caller that needs this byte only. */
static inline simt_cell cell_of_byte(simt_cell c, unsigned byte)
{
    return c + ((c & SIMT_CELL_SPREAD ? (simt_cell)byte : 0) << SIMT_THREAD_SHIFT);
}

/* The cell of an access to one byte, in the form that neighbouring lanes can be added to, if the thread that would own
 * byte 0 is of the same warp; otherwise as it is. */
static inline simt_cell cell_spread(simt_cell c, unsigned byte)
{
    simt_cell first = c - ((simt_cell)byte << SIMT_THREAD_SHIFT);

    return (first ^ c) & a_warp ? c : first | SIMT_CELL_SPREAD;
}

/* --- same epoch */

/* Are they of the same epoch and kind? Both spread or neither. */
static inline bool cell_is_same(simt_cell a, simt_cell b)
{
    return (a ^ b) >> SIMT_KIND_SHIFT == 0;
}

/* FastTrack's [FT READ SAME EPOCH] and [FT WRITE SAME EPOCH], which skip most accesses: does the cell record that the epoch of
 * `new` did the same to all of its bytes? One more case than in the paper: a write of the same epoch also covers a plain read, for
 * what races with the read races with the write. More bytes than one are never of one thread in a spread cell. */
static inline __attribute__((always_inline)) bool cell_covers(simt_cell c, simt_cell new, unsigned kind,
                                                              simt_extent extent, unsigned byte)
{
    simt_cell ignored = (simt_cell)!kind << SIMT_KIND_SHIFT; /* whether it writes */

    if (extent == WHOLE) /* epoch, kind, bytes and spread in one comparison */
        return !((c ^ new) & ~((SIMT_CELL_SPREAD - 1) | ignored));
    if (c & SIMT_CELL_SPREAD && extent != ONE_BYTE)
        return false;
    if (c & SIMT_CELL_SPREAD)
        c += (simt_cell)byte << SIMT_THREAD_SHIFT;
    return cell_is_same(c & ~ignored, new & ~ignored) && !(new & ~c &a_byte);
}

/* --- ordered */

/* Is it of the running thread's block, and not of an earlier one of its slot? */
static inline bool same_block(const warp_clock *mine, simt_cell c)
{
    return simt_warp_clocks[thread_of(c) / LANES].slot == mine->slot && c >= mine->start;
}

/* FastTrack's test E <= C of an epoch and a vector clock, for what all threads of the running warp know: program order, __syncwarp
 * and barriers. (simt_hb_ordered asks for the rest: single lanes, and what atomics and fences brought.) `differs` is the cell
 * XOR the new access's. */
static inline bool ordered_in_block(const warp_clock *mine, simt_cell c, simt_cell differs)
{
    if (c < mine->start) /* of an earlier block of the slot, or of an earlier launch */
        return c < simt_ordered;
    if (!(differs & a_warp)) /* of one thread: program order */
        return c < mine->synced || !(differs & a_thread);
    return c < mine->floor && simt_warp_clocks[thread_of(c) / LANES].slot == mine->slot;
}

/* --- redundant */

/* Bytes from simt_base on that only the running block can access. In a cluster, shared memory belongs to all of its blocks: none. If the
 * launch has one block, and no other launch can run beside it: all. Otherwise shared memory, which is the first of the range: the
 * checking build has one worker. */
extern uintptr_t simt_local;

static inline bool simt_is_local(uintptr_t address)
{
    return address - simt_base < simt_local;
}

/* [FT READ SHARED] sets one entry of a vector clock for each reader. Two readers without order between them suffice here: are the
 * recorded accesses a and b of other threads and of the same kind, without order, so that to record `new` too adds nothing?
 * They are if they are of different warps of the block, or all three of one warp: then an access that is ordered after one of
 * the two, but not after the new one, is compared with the other. Not for plain writes, of which each races with the next, nor
 * for kinds whose race depends on who accesses. `address`: of the new access. */
static inline __attribute__((always_inline)) bool cell_is_redundant(simt_cell a, simt_cell b, simt_cell new,
                                                                    const warp_clock *mine, bool plain_read,
                                                                    simt_extent extent, uintptr_t address)
{
    static const simt_cell plain_write = (simt_cell)SIMT_IS_WRITE << SIMT_KIND_SHIFT;
    static const simt_cell special = (simt_cell)(SIMT_IS_BLOCK_SCOPE | SIMT_IS_VOLATILE) << SIMT_KIND_SHIFT;
    const bool one_form = extent == WHOLE && plain_read; /* then more, spread, kind and bytes are one comparison */
    simt_cell with_a = a ^ new, with_b = b ^ new, differs = with_a | with_b;

    if ((one_form && ((a ^ a_byte) | (b ^ a_byte)) & a_form) || a < mine->synced || b < mine->synced) /* or ordered */
        return false;
    if (!one_form && (differs & a_kind || a & SIMT_CELL_MORE || new & ~(a & b) & a_byte))
        return false;
    if (!(with_a & a_thread) || !(with_b & a_thread)) /* an earlier access of the same thread */
        return false;
    if (!plain_read && (new &special || (new &a_kind) == plain_write))
        return false;
    return !(differs & a_warp) || (((a ^ b) & a_warp || !(with_a & a_warp)) && simt_is_local(address));
}

/* The same for the two cells of four bytes, where there are two and neighbours share none. */
static inline __attribute__((always_inline)) bool cells_make_redundant(const simt_cell *cells, simt_cell new,
                                                                       bool plain_read, uintptr_t address)
{
    return cells[SIMT_SECOND] && !((cells[0] | cells[SIMT_SECOND]) & SIMT_CELL_SPREAD) &&
           cell_is_redundant(cells[0], cells[SIMT_SECOND], new, &simt_warp_clocks[thread_of(new) / LANES], plain_read,
                             SOME_BYTES, address);
}

/* The condition for two recorded accesses without order and a new one of any blocks. */
static inline bool cells_suffice(simt_cell a, simt_cell b, simt_cell new)
{
    unsigned warp_a = thread_of(a) / LANES, warp_b = thread_of(b) / LANES, warp_new = thread_of(new) / LANES;

    if (simt_warp_clocks[warp_a].slot != simt_warp_clocks[warp_b].slot)
        return true;
    return simt_warp_clocks[warp_a].slot == simt_warp_clocks[warp_new].slot && (warp_a != warp_b || warp_a == warp_new);
}

/* --- remaining bytes */

static const simt_cell UNCLEAR = 1; /* no cell is 1: every cell has a clock */

/* What is left of a cell that happens before `new`, of this kind; 0: nothing. The new access takes over its bytes if it has the same
 * kind or is a plain write: any later access that races with the old one then races with the new one too. It is [FT READ EXCLUSIVE]
 * (a read replaces the epoch of an ordered read), [FT WRITE EXCLUSIVE] and [FT WRITE SHARED] (a write drops all ordered reads). A read
 * that finds a write leaves it. */
static inline __attribute__((always_inline)) simt_cell cell_left(simt_cell c, simt_cell new, unsigned kind,
                                                                 simt_extent extent)
{
    if (kind != SIMT_IS_WRITE && (c ^ new) & a_kind)
        return c;
    if (extent == WHOLE)
        return 0;
    c &= ~(new &a_byte);
    return c & a_byte ? c : 0;
}

/* The same for a cell whose order is not known yet. UNCLEAR: single lanes, vector clocks or peers must decide, or neighbours share
 * the cell. A cell less than `alive` happens before everything that can still come. */
static inline __attribute__((always_inline)) simt_cell cell_remaining(simt_cell c, simt_cell new, unsigned kind,
                                                                      simt_extent extent, unsigned byte,
                                                                      const warp_clock *mine, uint64_t alive)
{
    simt_cell differs = (extent == ONE_BYTE ? cell_of_byte(c, byte) : c) ^ new;

    if (c < alive) /* also if it is empty */
        return 0;
    if (extent == WHOLE && c & SIMT_CELL_SPREAD)
        return UNCLEAR;
    if (extent == SOME_BYTES &&
        c & SIMT_CELL_SPREAD) /* of several threads: their order is not program order of this one */
        differs |= (simt_cell)1 << SIMT_THREAD_SHIFT;
    if (extent != WHOLE && !(c & new &a_byte))
        return c;
    if (!ordered_in_block(mine, c, differs))
        return UNCLEAR;
    return cell_left(c, new, kind, extent);
}

/* --- conflicting */

static inline bool is_narrow(simt_cell c)
{
    return kind_of(c) & SIMT_IS_BLOCK_SCOPE;
}

/* Do the two race if nothing orders them? */
static inline bool cell_conflicts(simt_cell c, simt_cell new, unsigned kind, bool shared, const warp_clock *mine)
{
    unsigned other = kind_of(c);

    if (!((kind | other) & SIMT_IS_WRITE)) /* two reads */
        return false;
    if (!(kind & other & SIMT_IS_ATOMIC)) /* PTX: a data race needs one access that is not morally strong: a weak one */
        return true;
    /* Two volatile accesses of one warp to shared memory do: such code relies on lockstep. Between warps they are flags. */
    if (shared && kind & other & SIMT_IS_VOLATILE)
        return thread_of(c ^ new) / LANES == 0;
    /* PTX: strong accesses are morally strong only if the scope of each includes the thread of the other. */
    return ((kind | other) & SIMT_IS_BLOCK_SCOPE) != 0 && !same_block(mine, c);
}

#pragma GCC visibility pop

#endif
