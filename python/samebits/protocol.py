# SPDX-License-Identifier: BSD-2-Clause
"""The process that answers samebits: docs/FORMAT.md, *A process for all cases*."""
import inspect
import itertools
import os
import struct
import sys
import traceback

import numpy as np

from . import Invalid, Refused, contracts, variants

# NumPy types of the elements. For bf16, f8e4m3 and f8e5m2 those of their bits.
TYPES = {
    **{f"{kind}{8 * size}": np.dtype(f"<{kind}{size}") for kind in "ui" for size in (1, 2, 4, 8)},
    **{f"f{8 * size}": np.dtype(f"<f{size}") for size in (2, 4, 8)},
    **{"bf16": np.dtype("<u2"), "f8e4m3": np.dtype("u1"), "f8e5m2": np.dtype("u1")},
}
POISON = 0xA5  # bytes of outputs before a variant runs: no number that a kernel gives by chance
runs = itertools.count()


def _f8(exponent_bits, fraction_bits, has_infinity):
    """The numbers of all 256 elements."""
    bits = np.arange(256)
    fraction = bits & ((1 << fraction_bits) - 1)
    exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1)
    bias = (1 << (exponent_bits - 1)) - 1
    number = np.where(exponent > 0, np.ldexp(1 + fraction / 2**fraction_bits, exponent - bias), np.ldexp(fraction / 2**fraction_bits, 1 - bias))
    top = exponent == (1 << exponent_bits) - 1
    if has_infinity:
        number = np.where(top, np.where(fraction == 0, np.inf, np.nan), number)
    else:
        number = np.where(top & (fraction == (1 << fraction_bits) - 1), np.nan, number)
    return np.where(bits >= 128, -number, number)


F8 = {"f8e4m3": _f8(4, 3, False), "f8e5m2": _f8(5, 2, True)}


def numbers(array, kind):
    """The elements of type `kind` as float64; integers as int64 or uint64."""
    if kind in F8:
        return F8[kind][array]
    if kind == "bf16":
        return (array.astype("<u4") << 16).view("<f4").astype(np.float64)
    return array.astype(np.float64 if kind[0] == "f" else np.int64 if kind[0] == "i" else np.uint64)


def to_numpy(array):
    """An array of NumPy, Numba, CuPy, PyTorch, or any other with DLPack on the CPU."""
    if isinstance(array, (np.ndarray, np.generic)):
        return np.asarray(array)
    if hasattr(array, "copy_to_host"):  # Numba
        return array.copy_to_host()
    if hasattr(array, "detach"):  # PyTorch, which has bf16 and f8, and gives their bits as a view
        array = array.detach().cpu().contiguous()
        name = str(array.dtype)
        if "bfloat16" in name or "float8" in name:
            import torch

            array = array.view(torch.int16 if "bfloat16" in name else torch.uint8)
        return array.numpy()
    if hasattr(array, "get"):  # CuPy
        return array.get()
    if hasattr(array, "__dlpack__"):
        return np.from_dlpack(array)
    return np.asarray(array)


class Case:
    """A case of the judge: parameters and inputs by name, and types and shapes of the outputs."""

    def __init__(self, record):
        text, _, data = record.partition(b"\n\n")
        self.name, self.parameters, self.inputs, self.types, self.outputs, self.steps = "", {}, {}, {}, {}, {}
        at = 0
        for line in text.decode().split("\n"):
            kind, name, *words = line.split(" ")
            if kind == "case":
                self.name = name
            elif kind == "parameter":
                self.parameters[name] = int(words[0]) if words[0].isdigit() else words[0]
            elif kind == "step":
                self.steps[name] = int(words[0])
            elif kind in ("input", "output"):
                shape = tuple(map(int, words[1:]))
                if kind == "output":
                    self.outputs[name] = (words[0], shape)
                    continue
                self.types[name] = words[0]
                count = int(np.prod(shape, dtype=np.int64))
                self.inputs[name] = np.frombuffer(data, TYPES[words[0]], count, at).reshape(shape)
                at += self.inputs[name].nbytes


def call(function, offered):
    """Calls the function with what its arguments name."""
    arguments = inspect.signature(function).parameters.values()
    if any(a.kind == a.VAR_KEYWORD for a in arguments):
        return function(**offered)
    missing = [a.name for a in arguments if a.name not in offered and a.default is a.empty]
    if missing:
        raise TypeError(f"{function.__name__} takes '{missing[0]}', which is no input, parameter or output")
    return function(**{a.name: offered[a.name] for a in arguments if a.name in offered})


def as_list(result, names):
    result = [result] if len(names) == 1 else list(result)
    if len(result) != len(names):
        raise ValueError(f"{len(result)} outputs were returned; there are {len(names)}")
    return result


def check_shape(name, array, shape):
    if array.shape != shape:
        raise ValueError(f"{name} has the shape {array.shape}; the contract says {shape}")


def reference(contract, case):
    offered = {name: numbers(array, case.types[name]) for name, array in case.inputs.items()}
    with np.errstate(all="ignore"):
        result = call(contract.function, {**case.parameters, **offered})
    lines, data = [], []

    def put(kind, name, array, shape, type_name):
        array = np.asarray(array)
        check_shape(name, array, shape)
        lines.append(f"{kind} {name} {type_name} {array.size}")
        data.append(np.ascontiguousarray(array, TYPES[type_name]).tobytes())

    for value, (name, (kind, shape)) in zip(as_list(result, case.outputs), case.outputs.items()):
        magnitude = None
        if contract.outputs[name].tolerance.magnitude:
            value, magnitude = value
        value = np.asarray(value)
        if value.dtype.kind in "iub" and kind[0] in "iu":
            limits = np.iinfo(TYPES[kind])
            if value.size and (int(value.min()) < limits.min or int(value.max()) > limits.max):
                raise OverflowError(f"{name} has elements beyond {kind}")
            put("output", name, value, shape, kind)
        else:
            put("output", name, value, shape, "f64")
        if magnitude is not None:
            put("magnitude", name, magnitude, shape, "f64")
    return lines, data


class Memory:
    """An array of poison. With a step its rows begin so many elements apart, and the gaps between them hold other bytes in each run, NaNs
    in every other one: `array` is the view that has none of these."""

    def __init__(self, kind, shape, step):
        dtype = TYPES[kind]
        rows, row = int(np.prod(shape[:-1], dtype=np.int64)), shape[-1] if shape else 1
        distance = row if step is None else step
        count = (rows - 1) * distance + row if rows else 0
        self.bytes = np.full((count, dtype.itemsize), POISON, np.uint8)
        self.array = self._rows(self.bytes.reshape(-1).view(dtype), shape, distance)
        self.gaps = np.zeros(count, bool)
        if step is not None:
            self.gaps[...] = True
            self._rows(self.gaps, shape, distance)[...] = False
            run = next(runs)
            self.bytes[self.gaps] = 0xFF if run % 2 else np.random.default_rng(run).integers(0, 256, (int(self.gaps.sum()), dtype.itemsize), np.uint8)
        self.filled = self.bytes[self.gaps]

    @staticmethod
    def _rows(elements, shape, distance):
        strides = [1, distance, *(distance * np.cumprod(shape[-2:0:-1], dtype=np.int64))][: len(shape)]
        return np.lib.stride_tricks.as_strided(elements, shape, [int(s) * elements.itemsize for s in reversed(strides)])

    def check_gaps(self, name):
        if not np.array_equal(self.bytes[self.gaps], self.filled):
            raise RuntimeError(f"the variant wrote between the rows of {name}")


def run_variant(row, case):
    to = row.to or (lambda array: array)
    kinds = {**case.outputs, **{name: (case.types[name], array.shape) for name, array in case.inputs.items()}}
    memory = {name: Memory(kind, shape, case.steps.get(name)) for name, (kind, shape) in kinds.items()}
    for name, array in case.inputs.items():
        memory[name].array[...] = array
    offered = {name: to(m.array) for name, m in memory.items()}
    result = call(row.function, {**case.parameters, **offered})
    if result is None:
        result = [offered[name] for name in case.outputs]
        result = result[0] if len(result) == 1 else result
    lines, data = [], []
    for value, (name, (kind, shape)) in zip(as_list(result, case.outputs), case.outputs.items()):
        array = to_numpy(value)
        check_shape(name, array, shape)
        if array.dtype != TYPES[kind] and not (kind not in ("f16", "f32", "f64") and array.dtype.kind in "iu" and array.itemsize == TYPES[kind].itemsize):
            raise TypeError(f"{name} is an array of {array.dtype}; the contract says {kind}, which is {TYPES[kind]} here")
        lines.append(f"output {name} {kind} {array.size}")
        data.append(np.ascontiguousarray(array).tobytes())
    for name, array in case.inputs.items():
        if memory[name].array.tobytes() != array.tobytes():
            raise RuntimeError(f"the variant changed its input {name}")
    for name, m in memory.items():
        m.check_gaps(name)
    return lines, data


def answer(record):
    try:
        case = Case(record)
        algorithm, name = case.name.rsplit("/", 1)
        lines, data = reference(contracts[algorithm], case) if name == "reference" else run_variant(variants[case.name], case)
        return ("\n".join(["ok", *lines]) + "\n\n").encode() + b"".join(data)
    except Invalid:
        return b"invalid\n"
    except Refused as reason:
        return f"refused {reason}\n".encode()
    except Exception as error:  # whatever the user's function raises is the answer to this case
        frames = [f for f in traceback.extract_tb(error.__traceback__) if os.path.dirname(f.filename) != os.path.dirname(__file__)]
        place = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno}: {frames[-1].line})" if frames else ""
        return f"error {type(error).__name__}: {error}{place}\n".encode()


def declaration():
    lines = ["samebits 1", f"device Python {sys.version.split()[0]}, NumPy {np.__version__}"]
    for row in [*contracts.values(), *variants.values()]:
        lines += row.lines()
    return lines


def serve(lines):
    """Answers until standard input ends. What the user's functions print goes to standard error."""
    records_in, records_out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        head = records_in.read(16)
        if len(head) < 16:
            return
        record = records_in.read(struct.unpack("<8xQ", head)[0])
        body = ("\n".join(lines) + "\n").encode() if record.startswith(b"samebits ") else answer(record)
        records_out.write(b"samebits" + struct.pack("<Q", len(body)) + body)
        records_out.flush()
