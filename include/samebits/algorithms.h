/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The contracts of the algorithms as C constants: at which index of `parameters`, `inputs` and `outputs` a variant
 * finds what. What each algorithm computes, to the byte, stands in docs/ALGORITHMS.md and in the reference, ref/NAME.h.
 *
 * Counts, offsets and parameters are u64, indices into arrays u32, files and cases little-endian. Length 0 is valid
 * unless the contract says otherwise. `chunk` and `block`: 0 means that the whole input is one piece; otherwise it is
 * cut, the last piece may be short, and each piece is computed on its own.
 */
#ifndef SAMEBITS_ALGORITHMS_H
#define SAMEBITS_ALGORITHMS_H

/* mtf.encode, mtf.decode: u8[n] -> u8[n] */
enum { SB_MTF_CHUNK = 0 }; /* parameters */
enum { SB_MTF_IN = 0 };    /* inputs: bytes (encode), rank (decode) */
enum { SB_MTF_OUT = 0 };   /* outputs: rank (encode), bytes (decode) */

/* mtf.pass: items (symbol, entering, position) -> pairs (position, rank), as many, and the next pass's items (position,
 * symbol, evicted), fewer or as many. Positions ascend strictly. depth 0, base + depth > 256, and a missing symbol when
 * base + depth = 256 are invalid. */
enum { SB_MTF_PASS_BASE = 0, SB_MTF_PASS_DEPTH = 1, SB_MTF_PASS_CHUNK = 2 };
enum { SB_MTF_PASS_SYMBOL = 0, SB_MTF_PASS_ENTERING = 1, SB_MTF_PASS_POSITION = 2 };
enum {
    SB_MTF_PASS_PAIR_POSITION = 0,
    SB_MTF_PASS_RANK = 1,
    SB_MTF_PASS_NEXT_POSITION = 2,
    SB_MTF_PASS_NEXT_SYMBOL = 3,
    SB_MTF_PASS_EVICTED = 4
};

/* bwt.forward: text u8[n] -> last u8[n], primary u64[blocks] */
enum { SB_BWT_BLOCK = 0 };        /* parameters, both directions */
enum { SB_BWT_FORWARD_TEXT = 0 }; /* inputs */
enum { SB_BWT_FORWARD_LAST = 0, SB_BWT_FORWARD_PRIMARY = 1 };

/* bwt.inverse: last u8[n], primary u64[blocks] -> text u8[n]. A primary >= its block's length is invalid. n = 0: one
 * primary, 0, when `primary` is given at all. */
enum { SB_BWT_INVERSE_LAST = 0, SB_BWT_INVERSE_PRIMARY = 1 };
enum { SB_BWT_INVERSE_TEXT = 0 };

/* qlfc.encode: bytes u8[n] -> rank u8[runs], length u32[runs], order u8[symbols], all three lengths part of the result.
 * qlfc.decode: the three outputs of encode -> bytes u8[sum of length]. Invalid is what encode does not give. */
enum { SB_QLFC_BYTES = 0 }; /* inputs of encode, outputs of decode */
enum { SB_QLFC_RANK = 0, SB_QLFC_LENGTH = 1, SB_QLFC_ORDER = 2 };

/* rle0.encode, rle0.decode, rle0x.encode, rle0x.decode: u8 -> u8; the output's length is part of the result */
enum { SB_RLE0_IN = 0, SB_RLE0X_IN = 0 };
enum { SB_RLE0_OUT = 0, SB_RLE0X_OUT = 0 };

/* zrun.encode: ranks u8[n] -> symbols u16, at most n; the output's length is part of the result. zrun.decode: the
 * reverse. 2^32 ranks or more are invalid, as is a symbol over 256. */
enum { SB_ZRUN_IN = 0 };
enum { SB_ZRUN_OUT = 0 };

/* histogram: bytes u8[n] -> count u64[256] */
enum { SB_HISTOGRAM_BYTES = 0 };
enum { SB_HISTOGRAM_COUNT = 0 };

/* huffman.lengths: count u64[256] -> length u8[256] */
enum { SB_HUFFMAN_LENGTHS_COUNT = 0 };
enum { SB_HUFFMAN_LENGTHS_LENGTH = 0 };

/* huffman.encode: bytes u8[n] -> length u8[256], bits u64[1], payload u8[ceil(bits/8)], offset u64[chunks] */
enum { SB_HUFFMAN_CHUNK = 0 }; /* parameters, both directions */
enum { SB_HUFFMAN_ENCODE_BYTES = 0 };
enum {
    SB_HUFFMAN_ENCODE_LENGTH = 0,
    SB_HUFFMAN_ENCODE_BITS = 1,
    SB_HUFFMAN_ENCODE_PAYLOAD = 2,
    SB_HUFFMAN_ENCODE_OFFSET = 3
};

/* huffman.decode: the four outputs of encode -> bytes u8[n] */
enum {
    SB_HUFFMAN_DECODE_LENGTH = 0,
    SB_HUFFMAN_DECODE_BITS = 1,
    SB_HUFFMAN_DECODE_PAYLOAD = 2,
    SB_HUFFMAN_DECODE_OFFSET = 3
};
enum { SB_HUFFMAN_DECODE_BYTES = 0 };

/* ahuff.encode: bytes u8[n] -> bits u64[1], payload u8[ceil(bits/8)], offset u64[chunks].
 * ahuff.decode: the three outputs of encode -> bytes u8[n]. Invalid is what encode does not give. */
enum { SB_AHUFF_CHUNK = 0 }; /* parameters, both directions */
enum { SB_AHUFF_BYTES = 0 }; /* inputs of encode, outputs of decode */
enum { SB_AHUFF_BITS = 0, SB_AHUFF_PAYLOAD = 1, SB_AHUFF_OFFSET = 2 };

/* rangecoder.encode: ranks u8[n] -> payload u8, at most n, and offset u64[segments], the byte at which each segment
 * begins. rangecoder.decode: the two outputs of encode, and how many ranks -> ranks u8[count]. */
enum { SB_RANGECODER_SEGMENT = 0 };                           /* parameters, both directions */
enum { SB_RANGECODER_DECODE_COUNT = 1 };                      /* parameters of decode */
enum { SB_RANGECODER_RANKS = 0 };                             /* inputs of encode, outputs of decode */
enum { SB_RANGECODER_PAYLOAD = 0, SB_RANGECODER_OFFSET = 1 }; /* outputs of encode, inputs of decode */

/* select.kth: keys[n], k -> key[1]. k counts from the largest, 1 <= k <= n, anything else is invalid.
 * type: u32 i32 u64 f32 f64; floats by totalOrder. */
enum { SB_SELECT_TYPE = 0, SB_SELECT_K = 1 };
enum { SB_SELECT_KEYS = 0 };
enum { SB_SELECT_KEY = 0 };

/* reduce: items[n] -> value[1].  scan: items[n] -> result[n], total[1].
 * type and op: add min max xor on u32 i32 u64; add on f32 f64; compose on affine (first item first: f then g is
 * (a_f*a_g, a_g*b_f + b_g)). scan: inclusive 0 or 1. */
enum { SB_OP_ADD = 0, SB_OP_MIN = 1, SB_OP_MAX = 2, SB_OP_XOR = 3, SB_OP_COMPOSE = 4 };
enum { SB_REDUCE_TYPE = 0, SB_REDUCE_OP = 1 };
enum { SB_REDUCE_ITEMS = 0 };
enum { SB_REDUCE_VALUE = 0 };
enum { SB_SCAN_TYPE = 0, SB_SCAN_OP = 1, SB_SCAN_INCLUSIVE = 2 };
enum { SB_SCAN_ITEMS = 0 };
enum { SB_SCAN_RESULT = 0, SB_SCAN_TOTAL = 1 };

/* sort: keys[n], values u32[pairs ? n : 0] -> the same, stable, ascending.
 * merge: two such sorted sequences, a and b -> one; equal keys of a come first. type: u32 i32 u64 f32 */
enum { SB_SORT_TYPE = 0, SB_SORT_PAIRS = 1 };  /* parameters of both */
enum { SB_SORT_KEYS = 0, SB_SORT_VALUES = 1 }; /* inputs of sort, outputs of both */
enum { SB_MERGE_A_KEYS = 0, SB_MERGE_A_VALUES = 1, SB_MERGE_B_KEYS = 2, SB_MERGE_B_VALUES = 3 };

#endif
