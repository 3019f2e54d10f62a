/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The kernels of `make bench-simt`, for CUDA and OpenCL alike. The including file defines these macros:
 *
 *   KERNEL, INPUT, OUTPUT, SHARED, HELPER   what stands before a kernel, its arrays, an array of the block, a function
 *   THREAD, BLOCK, BLOCKS                   of the running thread
 *   BLOCK_SYNC(), WARP_SYNC()               in OpenCL a block of one warp has to do for a warp
 *   COUNT(address)                          adds 1 in shared memory; returns the value before
 *   SHUFFLES                                whether there are warp shuffles and votes
 *
 * Each kernel takes input words, output words and the number of units of work, a multiple of what one pass of a launch
 * does. Its output does not depend on the order of threads.
 */
enum {
    WARP = 32,
    WIDE = 256, /* threads of the blocks that are not one warp */
    SYMBOLS = 256,
    PIECE = 512, /* bytes that a warp encodes from a new list */
    KEYS = 4,    /* keys of a thread */
    TILE = WIDE * KEYS,
    DIGITS = 16,
    COPY_BLOCKS = 8 /* of the kernels that read and write global memory */
};

/* A unit: one barrier of one thread. */
KERNEL void barriers(INPUT const unsigned *in, OUTPUT unsigned *out, unsigned n)
{
    unsigned value = in[THREAD];

    for (unsigned i = 0; i < n / WIDE; i++) {
        value = value * 3 + i;
        BLOCK_SYNC();
    }
    out[THREAD] = value;
}

#if SHUFFLES
/* A unit: one shuffle of one thread. */
KERNEL void shuffles(INPUT const unsigned *in, OUTPUT unsigned *out, unsigned n)
{
    unsigned value = in[THREAD];

    for (unsigned i = 0; i < n / WIDE; i++)
        value += __shfl_xor_sync(0xffffffffu, value, 1 << i % 5) + i;
    out[THREAD] = value;
}
#endif

/* A unit: one read and one write of shared memory. The value moves through a row that belongs to the thread.
 */
KERNEL void shared_own(INPUT const unsigned *in, OUTPUT unsigned *out, unsigned n)
{
    SHARED unsigned rows[8][WIDE];
    unsigned value = 0;

    for (unsigned i = 0; i < 8; i++)
        rows[i][THREAD] = in[THREAD] + i;
    for (unsigned i = 0; i < n / WIDE; i++) {
        value += rows[i % 8][THREAD];
        rows[(i + 3) % 8][THREAD] = value;
        if (i % 64 == 63)
            BLOCK_SYNC();
    }
    out[THREAD] = value;
}

/* A unit: one read of shared memory that another thread wrote before the last barrier. */
KERNEL void shared_others(INPUT const unsigned *in, OUTPUT unsigned *out, unsigned n)
{
    SHARED unsigned row[WIDE];
    unsigned value = 0;

    for (unsigned i = 0; i < n / WIDE; i++) {
        if (i % 16 == 0) {
            BLOCK_SYNC();
            row[THREAD] = in[THREAD] + i;
            BLOCK_SYNC();
        }
        value += row[(THREAD + i * 5) % WIDE];
    }
    out[THREAD] = value;
}

/* A unit: one word read and one written; each thread has consecutive ones. */
KERNEL void global_consecutive(INPUT const unsigned *in, OUTPUT unsigned *out, unsigned n)
{
    unsigned each = n / (WIDE * COPY_BLOCKS), first = (BLOCK * WIDE + THREAD) * each;

    for (unsigned i = first; i < first + each; i++)
        out[i] = in[i] * 3 + 1;
}

/* The same with the usual loop over the grid: neighbours of a word belong to other threads. */
KERNEL void global_strided(INPUT const unsigned *in, OUTPUT unsigned *out, unsigned n)
{
    for (unsigned i = BLOCK * WIDE + THREAD; i < n; i += WIDE * COPY_BLOCKS)
        out[i] = in[i] * 3 + 1;
}

/* A unit: one byte, counted with an atomic in shared memory. */
KERNEL void histogram(INPUT const unsigned *in, OUTPUT unsigned *out, unsigned n)
{
    SHARED unsigned count[SYMBOLS];
    INPUT const unsigned char *bytes = (INPUT const unsigned char *)in;

    for (unsigned first = BLOCK * TILE; first < n; first += BLOCKS * TILE) {
        count[THREAD] = 0;
        BLOCK_SYNC();
        for (unsigned i = 0; i < KEYS; i++)
            COUNT(&count[bytes[first + i * WIDE + THREAD]]);
        BLOCK_SYNC();
        out[first / KEYS + THREAD] = count[THREAD];
        BLOCK_SYNC();
    }
}

/* A unit: one byte, moved to the front of a list of bytes in shared memory. Blocks of one warp. */
KERNEL void mtf_shared(INPUT const unsigned *in, OUTPUT unsigned *out, unsigned n)
{
    SHARED unsigned char list[SYMBOLS];
    SHARED unsigned found;
    INPUT const unsigned char *bytes = (INPUT const unsigned char *)in;
    OUTPUT unsigned char *rank = (OUTPUT unsigned char *)out;
    unsigned char before[SYMBOLS / WARP];

    for (unsigned first = BLOCK * PIECE; first < n; first += BLOCKS * PIECE) {
        for (unsigned row = 0; row < SYMBOLS / WARP; row++)
            list[row * WARP + THREAD] = (unsigned char)(row * WARP + THREAD);
        WARP_SYNC();
        for (unsigned i = first; i < first + PIECE; i++) {
            unsigned char symbol = bytes[i];
            unsigned position;

            for (unsigned row = 0; row < SYMBOLS / WARP; row++)
                if (list[row * WARP + THREAD] == symbol)
                    found = row * WARP + THREAD;
            WARP_SYNC();
            position = found;
            for (unsigned row = 0; row * WARP + THREAD <= position; row++)
                before[row] = row * WARP + THREAD ? list[row * WARP + THREAD - 1] : symbol;
            WARP_SYNC();
            for (unsigned row = 0; row * WARP + THREAD <= position; row++)
                list[row * WARP + THREAD] = before[row];
            if (THREAD == 0)
                rank[i] = (unsigned char)position;
            WARP_SYNC();
        }
    }
}

#if SHUFFLES
/* The same with the list in registers. */
KERNEL void mtf_registers(INPUT const unsigned *in, OUTPUT unsigned *out, unsigned n)
{
    INPUT const unsigned char *bytes = (INPUT const unsigned char *)in;
    OUTPUT unsigned char *rank = (OUTPUT unsigned char *)out;
    unsigned list[SYMBOLS / WARP];

    for (unsigned first = BLOCK * PIECE; first < n; first += BLOCKS * PIECE) {
        for (unsigned row = 0; row < SYMBOLS / WARP; row++)
            list[row] = row * WARP + THREAD;
        for (unsigned i = first; i < first + PIECE; i++) {
            unsigned symbol = bytes[i], carried = symbol, found = 0;

            for (unsigned row = 0; row < SYMBOLS / WARP && !found; row++) {
                unsigned here = list[row], left = __shfl_up_sync(0xffffffffu, here, 1), last;

                found = __ballot_sync(0xffffffffu, here == symbol);
                last = found ? (unsigned)__ffs((int)found) - 1 : WARP - 1;
                if (THREAD <= last)
                    list[row] = THREAD ? left : carried;
                if (found && THREAD == 0)
                    rank[i] = (unsigned char)(row * WARP + last);
                if (!found)
                    carried = __shfl_sync(0xffffffffu, here, WARP - 1);
            }
        }
    }
}
#endif

/* The sum of the values of the threads before. Two rows: one is read while the other is written. */
HELPER unsigned sum_before(unsigned mine, SHARED_POINTER unsigned *rows, unsigned thread)
{
    unsigned from = 0, sum = mine;

    rows[thread] = mine;
    BLOCK_SYNC();
    for (unsigned distance = 1; distance < WIDE; distance *= 2) {
        if (thread >= distance)
            sum += rows[from + thread - distance];
        from = WIDE - from;
        rows[from + thread] = sum;
        BLOCK_SYNC();
    }
    return sum - mine;
}

/* A unit: one key. A tile is scanned by a block of 256 threads. */
KERNEL void scan(INPUT const unsigned *in, OUTPUT unsigned *out, unsigned n)
{
    SHARED unsigned rows[2 * WIDE];

    for (unsigned first = BLOCK * TILE; first < n; first += BLOCKS * TILE) {
        unsigned key[KEYS], sum = 0;

        for (unsigned i = 0; i < KEYS; i++)
            sum += key[i] = in[first + THREAD * KEYS + i];
        sum = sum_before(sum, rows, THREAD);
        for (unsigned i = 0; i < KEYS; i++)
            out[first + THREAD * KEYS + i] = sum += key[i];
    }
}

/* A unit: one key. A block sorts its tile by the lowest four bits: counts of each thread and digit, their scan,
 * scatter. */
KERNEL void radix_pass(INPUT const unsigned *in, OUTPUT unsigned *out, unsigned n)
{
    SHARED unsigned rows[2 * WIDE], count[DIGITS * WIDE], sorted[TILE];

    for (unsigned first = BLOCK * TILE; first < n; first += BLOCKS * TILE) {
        unsigned key[KEYS], sum = 0, all;

        for (unsigned digit = 0; digit < DIGITS; digit++)
            count[digit * WIDE + THREAD] = 0;
        for (unsigned i = 0; i < KEYS; i++) {
            key[i] = in[first + THREAD * KEYS + i];
            count[key[i] % DIGITS * WIDE + THREAD]++;
        }
        BLOCK_SYNC();
        for (unsigned i = 0; i < DIGITS; i++)
            sum += count[THREAD * DIGITS + i];
        sum = sum_before(sum, rows, THREAD);
        for (unsigned i = 0; i < DIGITS; i++) {
            all = count[THREAD * DIGITS + i];
            count[THREAD * DIGITS + i] = sum;
            sum += all;
        }
        BLOCK_SYNC();
        for (unsigned i = 0; i < KEYS; i++)
            sorted[count[key[i] % DIGITS * WIDE + THREAD]++] = key[i];
        BLOCK_SYNC();
        for (unsigned i = 0; i < KEYS; i++)
            out[first + i * WIDE + THREAD] = sorted[i * WIDE + THREAD];
        BLOCK_SYNC();
    }
}
