// SPDX-License-Identifier: BSD-2-Clause
//
// qlfc.encode/next_occurrence: one long buffer by many warps, from where each symbol occurs next.
//
// The rank of a run of symbol s is the number of symbols whose next run comes before the next one of s; a symbol that
// does not come again comes after all runs. So what a stretch of runs contributes, seen from its start, is a table: for
// each symbol its first run there. Tables compose by the minimum, because runs are numbered, and a scan from the back
// gives each tile of 1024 runs the table of what comes after it.
//   count_runs, list_runs  a block for each 1024 bytes, four adjacent ones for each thread: counts the runs that begin
//                          there (sums.cuh gives where they go), then writes symbol and start of each
//   measure                one thread for each run: its length
//   first                  a block for each tile of runs: its table, by atomicMin in shared memory
//   up, down               a block for each 4 tables, one thread for each symbol: their minimum to the next level;
//                          then, from the top, replaces each by the minimum of all after it
//   rank                   one warp for each tile: the table in registers, lane l has the symbols 32*k + l; walks
//                          backwards, counts the symbols before the run's own, and enters the run
//   arrange                one block: the order of the symbols by their first run
// Source: the ranks are those of F. Ghido's QAD and of libbsc, as ref/qlfc.h defines them; the scan of tables is a
// scan of an associative operator (G. E. Blelloch, "Prefix sums and their applications", 1990).
// Shared memory: 1 KiB for each block in `first` and `arrange`, the sums of warps in count_runs and list_runs; none in
// `rank`, which bounds the speed by some 50 instructions for each run. Workspace: 6.1 bytes for each byte, because all
// bytes may be runs.
#include "sums.cuh"
#include <samebits/algorithms.h>
#include <samebits/module.h>

enum {
    SYMBOLS = 256,
    ROWS = SYMBOLS / sb::WARP_LANES, // symbols of a lane
    TILE = 1024,                     // runs of a warp; not tuned
    FAN = 4,                         // tables that make one of the next level; not tuned
    WARPS = 4                        // of a block of `rank`; not tuned
};

static const uint32_t NEVER = 0xffffffffu;     // the number of a run that does not come
static const uint64_t MAX_BYTES = 0xffffffffu; // a run's number is below this

namespace
{

struct table {
    uint32_t run[SYMBOLS];
};

struct parts {
    uint64_t *total, *sums;
    table *tables, *firsts;
    uint32_t *start;
    uint8_t *symbol;
};

} // namespace

static __device__ __forceinline__ bool begins(const uint8_t *bytes, uint64_t n, uint64_t i)
{
    return i < n && (i == 0 || bytes[i] != bytes[i - 1]);
}

static __device__ __forceinline__ unsigned begin_count(const uint8_t *bytes, uint64_t n, uint64_t first)
{
    unsigned count = 0;

    for (unsigned k = 0; k < SUM_EACH; k++)
        count += begins(bytes, n, first + k);
    return count;
}

static __global__ void count_runs(const uint8_t *bytes, uint64_t n, uint64_t *sums)
{
    uint64_t first = blockIdx.x * (uint64_t)SUM_TILE + threadIdx.x * SUM_EACH, total;

    sum_before(begin_count(bytes, n, first), &total);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = total;
}

static __global__ void list_runs(const uint8_t *bytes, uint64_t n, const uint64_t *sums, uint8_t *symbol,
                                 uint32_t *start)
{
    uint64_t first = blockIdx.x * (uint64_t)SUM_TILE + threadIdx.x * SUM_EACH, total;
    uint64_t run = sums[blockIdx.x] + sum_before(begin_count(bytes, n, first), &total);

    for (unsigned k = 0; k < SUM_EACH; k++)
        if (begins(bytes, n, first + k)) {
            symbol[run] = bytes[first + k];
            start[run++] = (uint32_t)(first + k);
        }
}

static __global__ void measure(const uint32_t *start, uint64_t runs, uint64_t n, uint32_t *length)
{
    uint64_t run = blockIdx.x * (uint64_t)SUM_THREADS + threadIdx.x;

    if (run < runs)
        length[run] = (uint32_t)(run + 1 < runs ? start[run + 1] : n) - start[run];
}

static __global__ void first(const uint8_t *symbol, uint64_t runs, table *tables)
{
    __shared__ uint32_t here[SYMBOLS];

    here[threadIdx.x] = NEVER;
    __syncthreads(); // no symbol has been met
    for (unsigned i = threadIdx.x; i < TILE; i += SYMBOLS) {
        uint64_t run = blockIdx.x * (uint64_t)TILE + i;

        if (run < runs)
            atomicMin(&here[symbol[run]], (uint32_t)run);
    }
    __syncthreads(); // the symbols of all runs of the tile have been met
    tables[blockIdx.x].run[threadIdx.x] = here[threadIdx.x];
}

static __global__ void up(const table *level, uint64_t count, table *above)
{
    uint64_t first = blockIdx.x * (uint64_t)FAN;
    uint32_t first_run = NEVER;

    for (uint64_t i = first; i < count && i < first + FAN; i++)
        first_run = min(first_run, level[i].run[threadIdx.x]);
    above[blockIdx.x].run[threadIdx.x] = first_run;
}

// `above` is null at the top, where nothing comes after.
static __global__ void down(table *level, uint64_t count, const table *above)
{
    uint64_t first = blockIdx.x * (uint64_t)FAN;
    uint64_t end = count - first < FAN ? count : first + FAN;
    uint32_t first_run = above ? above[blockIdx.x].run[threadIdx.x] : NEVER;

    for (uint64_t i = end; i-- > first;) {
        uint32_t here = level[i].run[threadIdx.x];

        level[i].run[threadIdx.x] = first_run;
        first_run = min(first_run, here);
    }
}

// Returns the rank of a run of `symbol`, and enters the run into the table. `symbol` is equal in all lanes, and so is
// the rank. All lanes call.
static __device__ __forceinline__ unsigned enter(uint32_t (&next)[ROWS], unsigned symbol, uint32_t run)
{
    bool mine = sb::lane_index() == symbol % sb::WARP_LANES;
    unsigned before = 0;
    uint32_t own = 0;

#pragma unroll
    for (unsigned row = 0; row < ROWS; row++) {
        bool here = row == symbol / sb::WARP_LANES;

        own = here ? next[row] : own;
        next[row] = here && mine ? run : next[row];
    }
    own = sb::shuffle(own, symbol % sb::WARP_LANES);
#pragma unroll
    for (unsigned row = 0; row < ROWS; row++)
        before += next[row] < own;
    return sb::warp_reduce(before, sb::add()) - 1; // the run itself has been entered, and is counted
}

static __global__ void rank(const uint8_t *symbol, uint64_t runs, const table *after, uint8_t *out, table *firsts)
{
    uint64_t tile = blockIdx.x * (uint64_t)WARPS + sb::warp_index();
    uint64_t begin = tile * TILE;
    unsigned lane = sb::lane_index();
    uint32_t next[ROWS];

    if (begin >= runs)
        return; // the whole warp
#pragma unroll
    for (unsigned row = 0; row < ROWS; row++)
        next[row] = after[tile].run[row * sb::WARP_LANES + lane];
    for (uint64_t end = runs - begin < TILE ? runs : begin + TILE; end > begin;) {
        unsigned batch = end - begin < sb::WARP_LANES ? (unsigned)(end - begin) : (unsigned)sb::WARP_LANES;
        unsigned symbols, result = 0;

        end -= batch;
        symbols = lane < batch ? symbol[end + lane] : 0;
        for (unsigned i = batch; i-- > 0;) {
            unsigned found = enter(next, sb::shuffle(symbols, i), (uint32_t)(end + i));

            if (lane == i)
                result = found;
        }
        if (lane < batch)
            out[end + lane] = (uint8_t)result;
    }
    if (tile == 0)
#pragma unroll
        for (unsigned row = 0; row < ROWS; row++)
            firsts->run[row * sb::WARP_LANES + lane] = next[row];
}

static __global__ void arrange(const table *firsts, uint8_t *order, uint64_t *symbols)
{
    __shared__ uint32_t first_run[SYMBOLS];
    uint32_t mine = firsts->run[threadIdx.x];
    unsigned before = 0, present = 0;

    first_run[threadIdx.x] = mine;
    __syncthreads(); // all threads have written their first runs
    for (unsigned i = 0; i < SYMBOLS; i++) {
        before += first_run[i] < mine;
        present += first_run[i] != NEVER;
    }
    if (mine != NEVER)
        order[before] = (uint8_t)threadIdx.x;
    if (threadIdx.x == 0)
        *symbols = present;
}

static uint64_t all_tables(uint64_t runs)
{
    uint64_t count = sb::divide_up(runs, TILE), tables = count;

    for (; count > FAN; tables += count)
        count = sb::divide_up(count, FAN);
    return tables;
}

// Sets the pointers into the workspace, and returns its bytes.
static uint64_t lay_out(uint64_t n, void *workspace, parts *p)
{
    sb::workspace space(workspace);

    p->total = space.take<uint64_t>(1);
    p->sums = space.take<uint64_t>(sum_tiles(n));
    p->tables = space.take<table>(all_tables(n));
    p->firsts = space.take<table>(1);
    p->start = space.take<uint32_t>(n);
    p->symbol = space.take<uint8_t>(n);
    return space.bytes();
}

static uint64_t workspace_bytes(const uint64_t *, const sb_array *inputs)
{
    uint64_t n = inputs[SB_QLFC_BYTES].length;
    parts p = {};

    return n == 0 || n > MAX_BYTES ? 0 : lay_out(n, nullptr, &p);
}

// Replaces each table by the minimum of all after it.
static void scan_tables(table *level, uint64_t count)
{
    uint64_t groups = sb::divide_up(count, FAN);

    if (groups > 1) {
        up<<<(unsigned)groups, SYMBOLS>>>(level, count, level + count);
        scan_tables(level + count, groups);
    }
    down<<<(unsigned)groups, SYMBOLS>>>(level, count, groups > 1 ? level + count : nullptr);
}

static bool download(uint64_t *to, const uint64_t *from)
{
    return cudaMemcpy(to, from, sizeof *to, cudaMemcpyDeviceToHost) == cudaSuccess;
}

static sb_status launch(const uint64_t *, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const uint8_t *bytes = (const uint8_t *)inputs[SB_QLFC_BYTES].data;
    uint64_t n = inputs[SB_QLFC_BYTES].length, runs = 0, symbols = 0;
    parts p = {};

    if (n > MAX_BYTES)
        return SB_INVALID;
    if (n != 0) {
        lay_out(n, workspace, &p);
        count_runs<<<(unsigned)sum_tiles(n), SUM_THREADS>>>(bytes, n, p.sums);
        scan_sums<<<1, SUM_THREADS>>>(p.sums, sum_tiles(n), p.total);
        list_runs<<<(unsigned)sum_tiles(n), SUM_THREADS>>>(bytes, n, p.sums, p.symbol, p.start);
        if (!download(&runs, p.total))
            return SB_FAILED;
        measure<<<(unsigned)sb::divide_up(runs, SUM_THREADS), SUM_THREADS>>>(p.start, runs, n,
                                                                             (uint32_t *)outputs[SB_QLFC_LENGTH].data);
        first<<<(unsigned)sb::divide_up(runs, TILE), SYMBOLS>>>(p.symbol, runs, p.tables);
        scan_tables(p.tables, sb::divide_up(runs, TILE));
        rank<<<(unsigned)sb::divide_up(sb::divide_up(runs, TILE), WARPS), WARPS * sb::WARP_LANES>>>(
            p.symbol, runs, p.tables, (uint8_t *)outputs[SB_QLFC_RANK].data, p.firsts);
        arrange<<<1, SYMBOLS>>>(p.firsts, (uint8_t *)outputs[SB_QLFC_ORDER].data, p.total);
        if (cudaPeekAtLastError() != cudaSuccess || !download(&symbols, p.total))
            return SB_FAILED;
    }
    outputs[SB_QLFC_RANK].length = outputs[SB_QLFC_LENGTH].length = runs;
    outputs[SB_QLFC_ORDER].length = symbols;
    return SB_OK;
}

static const uint64_t sizes[] = {TILE, uint64_t{TILE} * FAN, 0};

extern "C" const sb_variant sb_gpu_qlfc_encode_next_occurrence[] = {
    {"qlfc.encode", "next_occurrence", "tiles of runs, each from a scan over where every symbol occurs next", nullptr,
     workspace_bytes, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
