#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs an implementation against test vectors of samebits:

    samebits vectors --out=vectors mtf.encode
    python3 vectors.py vectors/mtf.encode.json

The function mtf_encode is the implementation; put yours in its place."""
import json
import struct
import sys

# Floats are read as the integers of their bits. As a float, a signalling NaN would become a quiet one.
FORMATS = {"u8": "B", "u16": "H", "u32": "I", "i32": "i", "u64": "Q", "f32": "I", "f64": "Q", "affine": "II"}


def to_float(bits, kind):
    """The number of type "f32" or "f64" that has these bits."""
    return struct.unpack("<f" if kind == "f32" else "<d", struct.pack("<" + FORMATS[kind], bits))[0]


def to_bits(number, kind):
    """The bits of the number, rounded to the type."""
    return struct.unpack("<" + FORMATS[kind], struct.pack("<f" if kind == "f32" else "<d", number))[0]


def elements(array):
    """The elements of an array as Python integers; of floats the bits, see to_float; those of the type affine as pairs."""
    values = [value for value in struct.iter_unpack("<" + FORMATS[array["type"]], bytes.fromhex(array["hex"]))]
    return [value if len(value) > 1 else value[0] for value in values]


def mtf_encode(parameters, inputs):
    """Returns the outputs by name, or None if the inputs are invalid."""
    data, ranks = inputs["bytes"], []
    chunk = parameters["chunk"] or max(len(data), 1)
    for first in range(0, len(data), chunk):
        symbols = list(range(256))
        for byte in data[first:first + chunk]:
            rank = symbols.index(byte)
            symbols.insert(0, symbols.pop(rank))
            ranks.append(rank)
    return {"rank": ranks}


def main(path, implementation=mtf_encode):
    with open(path, encoding="utf-8") as file:
        vectors = json.load(file)
    failures = 0
    for test in vectors["tests"]:
        inputs = {name: elements(array) for name, array in test["inputs"].items()}
        expected = {name: elements(array) for name, array in test["expected"].items()}
        got = implementation(test["parameters"], inputs)
        if got != (expected if test["result"] == "valid" else None):
            print(f"{vectors['algorithm']} {test['id']} ({test['comment']}): expected {str(expected)[:200]}, got {str(got)[:200]}")
            failures += 1
    print(f"{len(vectors['tests']) - failures} of {len(vectors['tests'])} tests passed")
    return failures > 0 or not vectors["tests"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
