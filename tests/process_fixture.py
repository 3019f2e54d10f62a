#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""A program for --exec and --contract-exec: one process for all cases, written from docs/FORMAT.md alone, in Python without packages.

It declares the contract toy.double, whose reference doubles each element, and the variant toy.double/port. Its argument is how it
misbehaves, by default not at all, on the cases whose first element is 7. The name of a file may follow, to which it adds a line
when it starts."""
import os
import signal
import struct
import sys
import time

DECLARATION = """samebits 1
contract toy.double twice each element
dimension count typical=1000 values=7,13
parameter mode words=plain,other
input x f32 count
output y f32 count
tolerance y {tolerance}
cost 50 count
variant toy.double/port the same in Python
device Python {version}
slow
"""


def read_exactly(size):
    data = sys.stdin.buffer.read(size)
    if len(data) < size:
        sys.exit(0)
    return data


def read_record():
    head = read_exactly(16)
    assert head[:8] == b"samebits"
    return read_exactly(struct.unpack("<Q", head[8:])[0])


def write_record(body):
    sys.stdout.buffer.write(b"samebits" + struct.pack("<Q", len(body)) + body)
    sys.stdout.buffer.flush()


def answer(record, fault):
    text, _, payload = record.partition(b"\n\n")
    lines = [line.split(" ") for line in text.decode().split("\n")]
    assert lines[0][0] == "case" and lines[1][:2] == ["parameter", "count"] and lines[2][2] in ("plain", "other")
    assert lines[3][:3] == ["input", "x", "f32"] and lines[3][3] == lines[1][2]
    reference = lines[0][1].endswith("/reference")
    count = int(lines[1][2])
    x = struct.unpack(f"<{count}f", payload)
    struck = count > 0 and x[0] == 7
    if struck and fault == "die":
        os.kill(os.getpid(), signal.SIGSEGV)
    if struck and fault == "exit":
        sys.exit("no more of this")
    if struck and fault == "hang":
        time.sleep(1000)
    if struck and fault == "garbage":
        print("Hello, world. It works.", flush=True)
    if struck and fault == "long":
        sys.stdout.buffer.write(b"samebits" + struct.pack("<Q", 1 << 50))
    if struck and fault == "refuse":
        return b"refused sevens are not for me\n"
    if struck and fault == "invalid":
        return b"invalid\n"
    if struck and fault == "error":
        return b"error first line\nsecond line\n"
    if struck and fault == "word":
        return b"fine\n"
    if struck and fault == "lacks":
        return b"ok\n\n"
    if struck and fault == "short":
        return b"ok\noutput y f32 %d\n\n" % count
    if struck and fault == "more":
        count += 1
        x += (0.0,)
    factor = 3 if struck and fault == "wrong" else 2
    if struck and fault == "f16":
        return b"ok\noutput y f16 0\n\n"
    body = [f"ok\noutput y {'f64' if reference else 'f32'} {count}\n"]
    numbers = struct.pack(f"<{count}{'d' if reference else 'f'}", *(factor * v for v in x))
    if reference and fault == "scaled":
        body.append(f"magnitude y f64 {count}\n")
        numbers += struct.pack(f"<{count}d", *([1.0] * count))
    return ("".join(body) + "\n").encode() + numbers


def main(fault="", log=None):
    if log:
        with open(log, "a", encoding="utf-8") as file:
            file.write("started\n")
    assert read_record() == b"samebits 1\n"
    tolerance = "scaled 1e-3 0" if fault == "scaled" else "ulp 1"
    if fault == "declares":
        write_record(b"samebits 1\ncontract toy.double x\ninput x f99 count\n")
    else:
        write_record(DECLARATION.format(tolerance=tolerance, version=sys.version.split()[0]).encode())
    while True:
        write_record(answer(read_record(), fault))


main(*sys.argv[1:])
