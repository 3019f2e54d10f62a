/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The parameters and arrays of each algorithm: at which index of `parameters`, `inputs` and `outputs` of a variant's
 * functions (<samebits/module.h>) each of them is. docs/ALGORITHMS.md and the reference, ref/NAME.h, say to the byte
 * what an algorithm computes and which inputs are invalid.
 *
 * For all algorithms:
 * - Arrays are written NAME type[length]. Counts, offsets and parameters are u64, indices into arrays u32.
 * - Length 0 is valid unless said otherwise.
 * - `chunk`, `block` and `segment` cut the input every so many elements; 0, or more than the length, means one piece.
 *   The last piece may be short. Each piece is computed on its own, and the results are joined.
 * - For an input that is invalid a variant returns SB_INVALID; its outputs are then ignored.
 * - "length in the result": the variant sets the length of that output. Other outputs have exactly the given length.
 */
#ifndef SAMEBITS_ALGORITHMS_H
#define SAMEBITS_ALGORITHMS_H

#define SB_JDS_NO_ROW UINT32_MAX /* in the order of jds.build: no row is at this place */
enum { SB_JDS_NO_COLUMN = -1 };  /* in its index: no element is in this slot */

// clang-format off
/* --- From here on `make` makes the file from harness/algorithms/, by build-aux/make-indices. */

/* ahuff.encode: bytes u8[n] -> bits u64[1], payload u8[ceil(bits / 8)] (length in the result, at most 3n), offset
 * u64[chunks]: the bit at which each chunk starts. Every input is valid. ahuff.decode: the three outputs of encode ->
 * bytes u8, length in the result. Invalid: all that encode does not give. */
enum { SB_AHUFF_CHUNK = 0 }; /* parameters */
enum { SB_AHUFF_BYTES = 0 }; /* inputs */
enum { SB_AHUFF_BITS = 0, SB_AHUFF_PAYLOAD = 1, SB_AHUFF_OFFSET = 2 }; /* outputs */

/* bulk.remove: items type[m], index u32[k] -> kept type[m - k]: all but the items at these indices. Invalid: indices that do
 * not ascend strictly; an index >= m.
 * bulk.insert: items type[m], index u32[k], values type[k] -> merged type[m + k]: values[j] comes before items[index[j]], or
 * behind all items if index[j] is m; values of one index keep their order. Invalid: indices that descend; an index > m.
 * type: u8 u32 u64. */
enum { SB_BULK_TYPE = 0 }; /* parameters */
enum { SB_BULK_ITEMS = 0, SB_BULK_INDEX = 1 }; /* inputs */
enum { SB_BULK_OUT = 0 }; /* outputs */
enum { SB_BULK_VALUES = 2 }; /* inputs of bulk.insert */

/* bwt.forward: text u8[n] -> last u8[n], primary u64[blocks]. Every input is valid. */
enum { SB_BWT_BLOCK = 0 }; /* parameters */
enum { SB_BWT_FORWARD_TEXT = 0 }; /* inputs */
enum { SB_BWT_FORWARD_LAST = 0, SB_BWT_FORWARD_PRIMARY = 1 }; /* outputs */

/* bwt.inverse: last u8[n], primary u64[blocks] -> text u8[n]. Invalid: a primary that is not below the length of its
 * block. With n = 0, primary has length 0, or length 1 with the value 0. */
enum { SB_BWT_INVERSE_LAST = 0, SB_BWT_INVERSE_PRIMARY = 1 }; /* inputs */
enum { SB_BWT_INVERSE_TEXT = 0 }; /* outputs */

/* huffman.lengths: count u64[256] -> length u8[256], in bits. Invalid: counts that add up to 2^32 or more. */
enum { SB_HUFFMAN_LENGTHS_COUNT = 0 }; /* inputs */
enum { SB_HUFFMAN_LENGTHS_LENGTH = 0 }; /* outputs */

/* huffman.encode: bytes u8[n] -> length u8[256], bits u64[1], payload u8[ceil(bits / 8)] (length in the result, at most
 * n), offset u64[chunks]: the bit at which each chunk starts. Invalid: n >= 2^32. */
enum { SB_HUFFMAN_CHUNK = 0 }; /* parameters */
enum { SB_HUFFMAN_ENCODE_BYTES = 0 }; /* inputs */
enum { /* outputs */
       SB_HUFFMAN_ENCODE_LENGTH = 0,
       SB_HUFFMAN_ENCODE_BITS = 1,
       SB_HUFFMAN_ENCODE_PAYLOAD = 2,
       SB_HUFFMAN_ENCODE_OFFSET = 3
};

/* huffman.decode: the four outputs of encode -> bytes u8, length in the result. Invalid: lengths that are not a
 * complete code of at most 45 bits; a payload or offsets that do not fit (ref/huffman.h lists all). */
enum { /* inputs */
       SB_HUFFMAN_DECODE_LENGTH = 0,
       SB_HUFFMAN_DECODE_BITS = 1,
       SB_HUFFMAN_DECODE_PAYLOAD = 2,
       SB_HUFFMAN_DECODE_OFFSET = 3
};
enum { SB_HUFFMAN_DECODE_BYTES = 0 }; /* outputs */

/* interval.*: one interval for each segment of `offset`, n elements in all. type: u8 u32 u64. Every input is valid.
 * interval.expand: items type[segments], offset -> expanded type[n]: element i is the item of its segment.
 * interval.gather: items type[m], offset, source u64[segments] -> gathered type[n]: segment s is read from source[s] on. The
 * intervals read may overlap, and end at m or before.
 * interval.scatter: items type[n], offset, target u64[segments] -> scattered type[n]: segment s is written from target[s]
 * on. The intervals written cover the output: each element is written once.
 * interval.move: items type[m], offset, source, target -> moved type[n]: segment s is copied from source[s] to target[s]. */
enum { SB_INTERVAL_TYPE = 0 }; /* parameters */
enum { SB_INTERVAL_ITEMS = 0, SB_INTERVAL_OFFSET = 1 }; /* inputs */
enum { SB_INTERVAL_OUT = 0 }; /* outputs */
enum { SB_GATHER_SOURCE = 2 }; /* inputs of interval.gather */
enum { SB_SCATTER_TARGET = 2 }; /* inputs of interval.scatter */
enum { SB_MOVE_SOURCE = 2, SB_MOVE_TARGET = 3 }; /* inputs of interval.move */

/* jds.build: the matrix, f32, columns below 2^31 -> jagged diagonals (ref/jds.h): order u32[places], packs u32[warps], start
 * u64[diagonals + 1], index i32[slots], data f32[slots]. Invalid: warp, pack or align is 0.
 * spmv.jds: the five outputs of jds.build, x f32[columns] -> y f32[rows]. warp and pack are those of jds.build. */
enum { SB_JDS_WARP = 0, SB_JDS_PACK = 1, SB_JDS_ALIGN = 2 }; /* parameters */
enum { SB_CSR_ROW_OFFSET = 0, SB_CSR_COLUMN = 1, SB_CSR_VALUE = 2 }; /* inputs */
enum { SB_JDS_ORDER = 0, SB_JDS_PACKS = 1, SB_JDS_START = 2, SB_JDS_INDEX = 3, SB_JDS_DATA = 4 }; /* outputs */

/* mixcoder.encode: bytes u8[n] -> payload, offset. mixcoder.decode: the inverse. Parameters and arrays are those of
 * rangecoder, with bytes in place of ranks; ref/mixcoder.h lists what is invalid. */
enum { SB_RANGECODER_SEGMENT = 0 }; /* parameters */
enum { SB_RANGECODER_RANKS = 0 }; /* inputs */
enum { SB_RANGECODER_PAYLOAD = 0, SB_RANGECODER_OFFSET = 1 }; /* outputs */
enum { SB_RANGECODER_DECODE_COUNT = 1 }; /* parameters of mixcoder.decode */

/* mtf.encode: bytes u8[n] -> rank u8[n]. mtf.decode: rank u8[n] -> bytes u8[n]. Every input is valid. */
enum { SB_MTF_CHUNK = 0 }; /* parameters */
enum { SB_MTF_IN = 0 }; /* inputs */
enum { SB_MTF_OUT = 0 }; /* outputs */

/* mtf.pass: the list positions base .. base + depth - 1 of move-to-front. Inputs: items, symbol u8[n], entering u8[n],
 * position u32[n]. Outputs: pairs, pair_position u32[n] and rank u8[n]; items for the next pass, next_position u32,
 * next_symbol u8, evicted u8, all of one length <= n, length in the result. Invalid: positions that do not ascend
 * strictly; depth 0; base + depth > 256; base + depth = 256 and a symbol that the pass does not find. */
enum { SB_MTF_PASS_BASE = 0, SB_MTF_PASS_DEPTH = 1, SB_MTF_PASS_CHUNK = 2 }; /* parameters */
enum { SB_MTF_PASS_SYMBOL = 0, SB_MTF_PASS_ENTERING = 1, SB_MTF_PASS_POSITION = 2 }; /* inputs */
enum { /* outputs */
       SB_MTF_PASS_PAIR_POSITION = 0,
       SB_MTF_PASS_RANK = 1,
       SB_MTF_PASS_NEXT_POSITION = 2,
       SB_MTF_PASS_NEXT_SYMBOL = 3,
       SB_MTF_PASS_EVICTED = 4
};

/* pattern.compact: items type[n] -> kept type[c], length in the result: the items that the predicate `keep` is true for, in
 * their order. less: the item is less than the key whose bits are `limit` (for types of 32 bits its low 32 bits). odd: the
 * lowest bit of the item is 1. unique: it is the first item, or its bits differ from those of the item before it.
 * type: u32 i32 u64 f32. Every input is valid. */
enum { SB_KEEP_LESS = 0, SB_KEEP_ODD = 1, SB_KEEP_UNIQUE = 2 }; /* the words of a parameter */
enum { SB_COMPACT_TYPE = 0, SB_COMPACT_KEEP = 1, SB_COMPACT_LIMIT = 2 }; /* parameters */
enum { SB_COMPACT_ITEMS = 0 }; /* inputs */
enum { SB_COMPACT_KEPT = 0 }; /* outputs */
enum { /* the words of a parameter */
       SB_OP_ADD = 0,
       SB_OP_MIN = 1,
       SB_OP_MAX = 2,
       SB_OP_XOR = 3,
       SB_OP_COMPOSE = 4
};

/* pattern.histogram: bytes u8[n] -> count u64[256]. Every input is valid. */
enum { SB_HISTOGRAM_BYTES = 0 }; /* inputs */
enum { SB_HISTOGRAM_COUNT = 0 }; /* outputs */

/* pattern.join: a_keys type[m], b_keys type[n], both ascending -> a_index u32[c], b_index u32[c], both lengths in the result:
 * the indices of all pairs of equal keys, ordered by a_index, then by b_index. type: u32 i32 u64 f32. Every input is valid.
 */
enum { SB_JOIN_TYPE = 0 }; /* parameters */
enum { SB_JOIN_A_KEYS = 0, SB_JOIN_B_KEYS = 1 }; /* inputs */
enum { SB_JOIN_A_INDEX = 0, SB_JOIN_B_INDEX = 1 }; /* outputs */

/* Segments. offset u64[segments + 1] cuts n items into segments, as row_offset cuts the elements of a matrix: the items of
 * segment s are offset[s] .. offset[s + 1] - 1; offset[0] is 0, the last is n. A segment may be empty. n < 2^32.
 *
 * pattern.lbs: offset -> segment u32[n], rank u32[n]: the segment of each item, and its index in this segment. Every input
 * is valid. */
enum { SB_LBS_OFFSET = 0 }; /* inputs */
enum { SB_LBS_SEGMENT = 0, SB_LBS_RANK = 1 }; /* outputs */

/* pattern.merge: two sorted sequences a and b, each keys and values as of pattern.sort -> one; equal keys of a before those
 * of b. */
enum { SB_SORT_TYPE = 0, SB_SORT_PAIRS = 1 }; /* parameters */
enum { SB_MERGE_A_KEYS = 0, SB_MERGE_A_VALUES = 1, SB_MERGE_B_KEYS = 2, SB_MERGE_B_VALUES = 3 }; /* inputs */
enum { SB_SORT_KEYS = 0, SB_SORT_VALUES = 1 }; /* outputs */

/* pattern.reduce: items type[n] -> value type[1]. pattern.scan: items type[n] -> result type[n], total type[1];
 * parameter inclusive is 0 or 1. Pairs of type and op: add min max xor on u32 i32 u64; add on f32 f64; compose on
 * affine, the first item first: f then g is (a_f a_g, a_g b_f + b_g). No items give the operator's identity. Sums of
 * floats may differ within the error bound of ref/sum.h. */
enum { SB_REDUCE_TYPE = 0, SB_REDUCE_OP = 1 }; /* parameters */
enum { SB_REDUCE_ITEMS = 0 }; /* inputs */
enum { SB_REDUCE_VALUE = 0 }; /* outputs */
enum { SB_SCAN_TYPE = 0, SB_SCAN_OP = 1, SB_SCAN_INCLUSIVE = 2 }; /* parameters of pattern.scan */
enum { SB_SCAN_ITEMS = 0 }; /* inputs of pattern.scan */
enum { SB_SCAN_RESULT = 0, SB_SCAN_TOTAL = 1 }; /* outputs of pattern.scan */

/* pattern.search: needles type[m], haystack type[n], both ascending, n < 2^32 -> index u32[m], matched u8[match ? m : 0].
 * index: how many keys of the haystack are less than the needle (lower), or not greater (upper). matched: 1 if a key of the
 * haystack is equal to the needle, else 0. type: u32 i32 u64 f32; parameter match is 0 or 1. Every input is valid. */
enum { SB_BOUND_LOWER = 0, SB_BOUND_UPPER = 1 }; /* the words of a parameter */
enum { SB_SEARCH_TYPE = 0, SB_SEARCH_BOUND = 1, SB_SEARCH_MATCH = 2 }; /* parameters */
enum { SB_SEARCH_NEEDLES = 0, SB_SEARCH_HAYSTACK = 1 }; /* inputs */
enum { SB_SEARCH_INDEX = 0, SB_SEARCH_MATCHED = 1 }; /* outputs */

/* pattern.segreduce: items type[n], offset -> value type[segments]: each segment reduced as by pattern.reduce, whose pairs
 * of type and op these are. An empty segment gives the identity. Every input is valid. */
enum { SB_SEGREDUCE_TYPE = 0, SB_SEGREDUCE_OP = 1 }; /* parameters */
enum { SB_SEGREDUCE_ITEMS = 0, SB_SEGREDUCE_OFFSET = 1 }; /* inputs */
enum { SB_SEGREDUCE_VALUE = 0 }; /* outputs */

/* pattern.segsort: keys type[n], values u32[mode is pairs ? n : 0], offset -> sorted_keys type[n], sorted_values
 * u32[mode is keys ? 0 : n]: each segment in ascending order of keys, stable. Mode indices gives the index that each key
 * had in `keys`. type: u32 i32 u64 f32. Every input is valid. */
enum { /* the words of a parameter */
       SB_SEGSORT_MODE_KEYS = 0,
       SB_SEGSORT_MODE_PAIRS = 1,
       SB_SEGSORT_MODE_INDICES = 2
};
enum { SB_SEGSORT_TYPE = 0, SB_SEGSORT_MODE = 1 }; /* parameters */
enum { SB_SEGSORT_KEYS = 0, SB_SEGSORT_VALUES = 1, SB_SEGSORT_OFFSET = 2 }; /* inputs */

/* pattern.sort: keys type[n], values u32[pairs ? n : 0] -> the same arrays in ascending order of keys, stable. type: u32 i32
 * u64 f32; parameter pairs is 0 or 1. */

/* pattern.workcreate: offset, made u32[n] -> segment u32[c], rank u32[c], created u64[c + 1]; all three lengths in the
 * result. Item i makes made[i] new items. Each item that makes some becomes a segment of the new items, in order: `segment`
 * and `rank` say which item it was, as pattern.lbs does, and created holds the offsets of the new segments. Every input is
 * valid. */
enum { SB_WORKCREATE_OFFSET = 0, SB_WORKCREATE_MADE = 1 }; /* inputs */
enum { SB_WORKCREATE_SEGMENT = 0, SB_WORKCREATE_RANK = 1, SB_WORKCREATE_CREATED = 2 }; /* outputs */

/* qlfc.encode: bytes u8[n] -> rank u8[runs], length u32[runs], order u8[symbols]; all three lengths in the result.
 * Invalid: n >= 2^32. qlfc.decode: the three outputs of encode -> bytes u8[sum of length]. Invalid: all that encode
 * does not give. */
enum { SB_QLFC_BYTES = 0 }; /* inputs */
enum { SB_QLFC_RANK = 0, SB_QLFC_LENGTH = 1, SB_QLFC_ORDER = 2 }; /* outputs */

/* rangecoder.encode: ranks u8[n] -> payload u8 (length in the result, at most n), offset u64[segments]: the byte at
 * which each segment starts. Every input is valid. rangecoder.decode: the two outputs of encode -> ranks u8[count].
 * Invalid: offsets that are not ascending, or exceed the payload; a segment that is not a code of its ranks
 * (ref/rangecoder.h lists all). */

/* rle0.encode, rle0x.encode: bytes u8[n] -> code u8, length in the result, at most 2n. Every input is valid.
 * rle0.decode, rle0x.decode: code u8[n] -> bytes u8, length in the result. Invalid: a count of 0; a run cut by the end.
 */
enum { SB_RLE0_IN = 0 }; /* inputs */
enum { SB_RLE0_OUT = 0 }; /* outputs */
enum { SB_RLE0X_IN = 0 }; /* inputs of rle0x.encode */
enum { SB_RLE0X_OUT = 0 }; /* outputs of rle0x.encode */

/* select.kth: keys type[n] -> key type[1], the k-th largest. select.multi: keys, k u64[m] -> key type[m], the k[i]-th
 * largest for each i. select.topk: keys -> key type[k], index u32[k]: the k largest, descending, equal keys by ascending
 * index. type: u32 i32 u64 f32 f64, floats ordered by totalOrder. random_seed is for variants that draw random numbers; the
 * result does not depend on it. Invalid: a k that is not in 1..n; select.topk: n >= 2^32. */
enum { SB_SELECT_TYPE = 0, SB_SELECT_K = 1, SB_SELECT_RANDOM_SEED = 2 }; /* parameters */
enum { SB_SELECT_KEYS = 0 }; /* inputs */
enum { SB_SELECT_KEY = 0 }; /* outputs */
enum { SB_SELECT_MULTI_K = 1 }; /* inputs of select.multi */
enum { SB_SELECT_INDEX = 1 }; /* outputs of select.topk */

/* select.rows: keys type[rows columns] -> key type[rows k], index u32[rows k]: select.topk of each row, where an index counts from
 * the start of the row. type: u32 i32 f32. k is 1 to 2048. Invalid: k > columns; columns >= 2^32. */
enum { SB_ROWS_TYPE = 0, SB_ROWS_ROWS = 1, SB_ROWS_COLUMNS = 2, SB_ROWS_K = 3 }; /* parameters */

/* A sparse matrix in compressed sparse rows: row_offset u64[rows + 1], column u32[nnz], value type[nnz]. The elements of
 * row r are row_offset[r] .. row_offset[r + 1] - 1; row_offset[0] is 0, the last is nnz.
 *
 * spmv.csr: the matrix, x type[columns] -> y type[rows], y = A x. type: f32 f64. Sums may differ within the bound of
 * ref/product.h; a row without elements gives +0. Every input is valid. */
enum { SB_SPMV_CSR_TYPE = 0 }; /* parameters */
enum { SB_SPMV_CSR_X = 3 }; /* inputs */
enum { SB_SPMV_Y = 0 }; /* outputs */
enum { SB_SPMV_JDS_X = 5 }; /* inputs of spmv.jds */

/* zrun.encode: ranks u8[n] -> symbols u16, length in the result, at most n. Invalid: n >= 2^32.
 * zrun.decode: symbols u16[n] -> ranks u8, length in the result. Invalid: a symbol above 256; 2^32 ranks or more. */
enum { SB_ZRUN_IN = 0 }; /* inputs */
enum { SB_ZRUN_OUT = 0 }; /* outputs */

#endif
