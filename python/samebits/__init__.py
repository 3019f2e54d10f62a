# SPDX-License-Identifier: BSD-2-Clause
"""Contracts and variants of samebits in Python, on NumPy.

    import numpy as np
    import samebits as sb

    @sb.contract("softmax.rows", rows=sb.dimension(typical=4096), columns=sb.dimension(typical=1024, values=[1024, 1025]),
                 x=sb.input("f32", "rows columns"),
                 y=sb.output("f32", "rows columns", sb.relative(1e-5, 1e-37)))
    def softmax(x):
        e = np.exp(x - x.max(axis=1, keepdims=True, initial=-np.inf))
        return e / e.sum(axis=1, keepdims=True)

    @sb.variant(softmax)
    def mine(x):
        ...

    python3 -m samebits verify FILE.py

A *reference* gets each input as an array of float64, or of int64 or uint64 for integers, of the shape that the contract declares. A
*variant* gets arrays of the types that the contract declares, through `to` of its decorator if that is given: a function that makes an
array of a library of a NumPy array, such as `cupy.asarray`. NumPy has no type for bf16, f8e4m3 and f8e5m2: arrays of these are their bits,
as uint16 and uint8.

Where the contract gives an array a `leading` dimension, that of a variant has gaps between its rows: it is a view with strides, and the
parameter says the step. Gaps hold other bytes in each run, and must not be written. The arrays of a reference have none.

Both get what their arguments name: inputs and parameters. A variant may also take outputs, arrays with arbitrary contents, write to these,
and return None. Otherwise the function returns its output, or a tuple of all of them in the order of the contract. Where an output is
judged by gamma or scaled, a reference returns a pair in its place: the numbers, and the magnitude of each.

`raise Invalid` says that the contract calls the case invalid, `raise Refused(reason)` that a variant does not take cases of this size.
"""
import inspect

__all__ = ["Invalid", "Refused", "contract", "dimension", "gamma", "input", "output", "parameter", "relative", "same", "scaled", "ulp", "variant"]


class Invalid(Exception):
    """The contract calls the case invalid."""


class Refused(Exception):
    """The variant does not take cases of this size; the argument says why."""


class Parameter:
    def __init__(self, kind, typical, min, max, values, words):
        self.kind = kind
        self.items = [("typical", typical), ("min", min), ("max", max), ("values", values and ",".join(map(str, values))), ("words", words and ",".join(words))]
        self.words = words

    def line(self, name):
        return " ".join([self.kind, name] + [f"{key}={value}" for key, value in self.items if value is not None])


def dimension(typical=None, min=None, max=None, values=None):
    """A parameter that shapes name. `values`: extents that generated cases should have besides those around warps, tiles and blocks."""
    return Parameter("dimension", typical, min, max, values, None)


def parameter(typical=None, values=None, words=None):
    """Another parameter: a number, or one of `words`. Functions get a word as a str."""
    return Parameter("parameter", typical, None, None, values, words)


class Tolerance:
    def __init__(self, text, magnitude=False):
        self.text, self.magnitude = text, magnitude


same = Tolerance("same")


def ulp(count):
    """|error| is at most so many units in the last place."""
    return Tolerance(f"ulp {count!r}")


def relative(relative, absolute=0.0):
    """|error| <= absolute + relative * |exact|."""
    return Tolerance(f"relative {relative!r} {absolute!r}")


def scaled(relative, absolute=0.0):
    """|error| <= absolute + relative * magnitude; the reference returns the magnitude."""
    return Tolerance(f"scaled {relative!r} {absolute!r}", True)


def gamma(arithmetic, terms):
    """What adding so many products (a shape) in any order in this type can make, as gamma("f32", "k"); the reference returns the sums of
    the absolute products."""
    return Tolerance(f"gamma {arithmetic} {terms}", True)


class Array:
    def __init__(self, kind, type, shape, leading, alignment, tolerance=None, below=None):
        self.kind, self.type, self.shape, self.tolerance = kind, type, shape, tolerance
        self.properties = [("below", below), ("leading", leading), ("alignment", alignment), ("tolerance", tolerance and tolerance.text)]

    def lines(self, name):
        yield f"{self.kind} {name} {self.type} {self.shape}".rstrip()
        for key, value in self.properties:
            if value is not None:
                yield f"{key} {name} {value}"


def input(type, shape="", below=None, leading=None, alignment=None):
    """An input: its type ("f32"), and its shape over dimensions ("rows columns"). `below`: its elements are indices into this shape.
    `leading`: the name of a parameter that is no dimension; rows, the last dimension, begin so many elements apart. `alignment`: of its
    first element, in bytes; for kernels of modules and sources."""
    return Array("input", type, shape, leading, alignment, below=below)


def output(type, shape="", tolerance=same, leading=None, alignment=None):
    """An output, and which elements are right. `leading` and `alignment`: as for an input."""
    return Array("output", type, shape, leading, alignment, tolerance)


class Contract:
    def __init__(self, name, function, members, summary, cost):
        self.name, self.function, self.summary, self.cost = name, function, summary, cost
        self.parameters = {k: v for k, v in members.items() if isinstance(v, Parameter)}
        self.inputs = {k: v for k, v in members.items() if isinstance(v, Array) and v.kind == "input"}
        self.outputs = {k: v for k, v in members.items() if isinstance(v, Array) and v.kind == "output"}
        for key, value in members.items():
            if not isinstance(value, (Parameter, Array)):
                raise TypeError(f"{name}: {key} is no dimension, parameter, input or output")

    def lines(self):
        yield f"contract {self.name} {self.summary}"
        for name, value in self.parameters.items():
            yield value.line(name)
        for name, value in [*self.inputs.items(), *self.outputs.items()]:
            yield from value.lines(name)
        if self.cost is not None:
            yield f"cost {self.cost[0]} {self.cost[1]}"

    def __call__(self, *arguments, **named):
        return self.function(*arguments, **named)


class Variant:
    def __init__(self, contract, name, function, summary, to):
        self.contract, self.name, self.function, self.summary, self.to = contract, name, function, summary, to

    def lines(self):
        yield f"variant {self.contract}/{self.name} {self.summary}"


contracts = {}  # by name
variants = {}  # by ALGORITHM/NAME


def _summary(function, given):
    text = given if given is not None else (inspect.getdoc(function) or "").split("\n")[0]
    return " ".join(text.split())


def contract(name, /, *, summary=None, cost=None, **members):
    """Makes the function the reference of a contract of this name. The other arguments are its dimensions, parameters, inputs and
    outputs, by name. `cost`: nanoseconds and a shape; the reference takes so long for each element of the shape."""

    def decorate(function):
        contracts[name] = Contract(name, function, members, _summary(function, summary), cost)
        return contracts[name]

    return decorate


def variant(of, /, name=None, *, summary=None, to=None):
    """Makes the function a variant of a contract, or of an algorithm by its name."""
    algorithm = of.name if isinstance(of, Contract) else of

    def decorate(function):
        row = Variant(algorithm, name or function.__name__, function, _summary(function, summary), to)
        variants[f"{algorithm}/{row.name}"] = row
        return function

    return decorate
