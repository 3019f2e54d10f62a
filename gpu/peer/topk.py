# SPDX-License-Identifier: BSD-2-Clause
"""topk.py LIBRARY ROWS,COLUMNS,K...: rows of gpu/peer/table. The k largest f32 of each row, sorted, in device memory, by the variant
select.rows/randomized in LIBRARY, a shared object of its source, and by torch.topk: by turns, on the same keys. The keys that
both find are compared, and those at the variant's indices.
"""
import ctypes
import sys

import torch

CALLS, WARM = 15, 2
SB_F32, PARAMETERS = 6, 16


class Array(ctypes.Structure):
    """sb_array of <samebits/module.h>."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("length", ctypes.c_uint64),
        ("capacity", ctypes.c_uint64),
        ("type", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
    ]


WORDS, ARRAYS = ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(Array)


class Variant(ctypes.Structure):
    """sb_variant."""

    _fields_ = [
        ("algorithm", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
        ("summary", ctypes.c_char_p),
        ("refuses", ctypes.CFUNCTYPE(ctypes.c_char_p, WORDS, ARRAYS)),
        ("workspace", ctypes.CFUNCTYPE(ctypes.c_uint64, WORDS, ARRAYS)),
        ("launch", ctypes.CFUNCTYPE(ctypes.c_int, WORDS, ARRAYS, ARRAYS, ctypes.c_void_p)),
        ("sizes", ctypes.c_void_p),
    ]


def arrays(*tensors):
    """As many arrays as a variant may look at, the first ones of these tensors of 4-byte elements."""
    rows = [Array(t.data_ptr(), t.numel(), t.numel(), SB_F32, 0) for t in tensors]
    return (Array * 8)(*rows)


def time_of(call):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    call()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end)


def bytes_a_ms():
    """Of a copy, read and written."""
    source = torch.rand(1 << 28, device="cuda")
    to = torch.empty_like(source)
    return 8 * source.numel() / min(time_of(lambda: to.copy_(source)) for _ in range(CALLS))


def row(variant, rows, columns, k, speed):
    keys = torch.randn(rows, columns, device="cuda")
    key = torch.empty(rows, k, device="cuda")
    index = torch.empty(rows, k, device="cuda", dtype=torch.int32)
    parameters = (ctypes.c_uint64 * PARAMETERS)(SB_F32, rows, columns, k)
    inputs, outputs = arrays(keys), arrays(key, index)
    refusal = variant.refuses(parameters, inputs) if variant.refuses else None
    if refusal:
        sys.exit(f"topk.py: {refusal.decode()}")
    workspace = torch.empty(variant.workspace(parameters, inputs) + 1, device="cuda", dtype=torch.uint8)

    def ours():
        status = variant.launch(parameters, inputs, outputs, workspace.data_ptr())
        if status != 0:
            sys.exit(f"topk.py: status {status}")

    mine, other = [], []
    for _ in range(CALLS + WARM):
        mine.append(time_of(ours))
        other.append(time_of(lambda: torch.topk(keys, k, dim=1, sorted=True)))
    a, b = (sorted(times[WARM:])[CALLS // 2] for times in (mine, other))
    right = torch.topk(keys, k, dim=1, sorted=True).values
    same = torch.equal(key, right) and torch.equal(torch.gather(keys, 1, index.long()), right)
    floor = (4 * rows * columns + 8 * rows * k) / speed
    print(
        f"| `select.rows/randomized`, {rows} rows of {columns} `f32`, k = {k} | {a:.4f} | {floor:.4f} | {100 * floor / a:.{int(floor < a / 10)}f}% "
        f"| torch {torch.__version__.split('+')[0]} {b:.4f} | {b / a:.2f} |{'' if same else ' DIFFERENT'}",
        flush=True,
    )
    return same


def main():
    library = ctypes.CDLL(sys.argv[1])
    variant = (Variant * 2).in_dll(library, "sb_gpu_select_rows_randomized")[0]
    speed = bytes_a_ms()
    same = [row(variant, *map(int, shape.split(",")), speed) for shape in sys.argv[2:]]
    sys.exit(0 if all(same) else 1)


main()
