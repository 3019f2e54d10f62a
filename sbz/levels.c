/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Block sizes and stages of the levels: contract in levels.h.
 */
#include "levels.h"

/* KiB. All are multiples of SBZ_RANGECODER_SEGMENT, so that blocks of a batch share one call of the range coder.
 *
 * The default is about the block size of bzip2 -9 (900 kB), which is best for programs: they consist of many unlike
 * parts. Text gains by larger blocks, but an inverse transform that does not fit into a cache is slower; split.c
 * therefore makes text blocks of just two ordinary ones. Levels 1 to 5 save memory; 7 to 9 are the default doubled,
 * quadrupled and times sixteen; so a block of 9 can be halved down to parts of sbz_level_split. Five archives of 12 to 40 MB (Python
 * sources, headers, manual pages, programs, libraries) take 3.2, 1.7, 1.9, 1.3 and 0.3% less than with half of that. With 16384 the
 * libraries take 2.4% more. The steps in between are not tuned. */
static const uint32_t kibibytes[] = {[1] = 128, 256, 384, 512, 768, 896, 1792, 3584, 14336};

/* Long blocks have at most this many ordinary ones. A larger factor needs more memory in every decoder, since it must
 * be ready for the block limit. Not tuned. */
enum { LIMIT_BLOCKS = 4 };

uint32_t sbz_level_block(int level)
{
    return kibibytes[level >= 1 && level <= 9 ? level : SBZ_DEFAULT_LEVEL] << 10;
}

/* From the default level on the limit stays that of the default, or the block itself where that is larger: what a
 * decoder needs grows no faster than the block. */
uint32_t sbz_level_limit(int level)
{
    const uint32_t block = sbz_level_block(level);
    const uint32_t max_limit = LIMIT_BLOCKS * sbz_level_block(SBZ_DEFAULT_LEVEL);

    if (block <= max_limit / LIMIT_BLOCKS)
        return LIMIT_BLOCKS * block;
    return block > max_limit ? block : max_limit;
}

/* Bytes. Levels above the default are asked for by users who wait for size. Measuring takes up to three times the time of all
 * the rest, so only the start of a stream is measured, which is all of most files. Of 246 files (entropy.c describes them), 12 are
 * larger at -9 than if all of their texts were measured in parts of at least 224 KiB; all together are 0.04% smaller. */
enum { MEASURED = 2 << 20 };

uint32_t sbz_level_measured(int level)
{
    return level > SBZ_DEFAULT_LEVEL ? MEASURED : 0;
}

/* Bytes. At the default level mixcoder is tried where nobody waits for it: in the first text of a stream, which is all of most
 * files. There it takes about 0.05 s, in each direction. Of the same 246 files -6 without mixcoder takes 2.8% less than
 * bzip2 -9; with it up to 1 byte 5.2%, 1024 KiB 5.8%, where decompression takes 1.3 and 1.4 times the time of bzip2. */
enum { MIXED_START = 1 };

uint64_t sbz_level_mixed(int level)
{
    if (level < 1 || level > 9)
        level = SBZ_DEFAULT_LEVEL;
    return level > SBZ_DEFAULT_LEVEL ? UINT64_MAX : level == SBZ_DEFAULT_LEVEL ? MIXED_START : 0;
}

bool sbz_level_patient(int level)
{
    return level > SBZ_DEFAULT_LEVEL;
}

/* Parts of 56 KiB save 0.2% more than those of 112 KiB at level 7, on the same 246 files. Without mixcoder 112 KiB save 0.2%
 * more than 224 KiB, on 67 programs, libraries and texts. */
uint32_t sbz_level_split(int level)
{
    const uint32_t block = sbz_level_block(SBZ_DEFAULT_LEVEL);

    return level > SBZ_DEFAULT_LEVEL ? block / 16 : block / 8;
}
