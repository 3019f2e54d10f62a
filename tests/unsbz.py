#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
#
# unsbz.py [--stages] <FILE.sbz >FILE: decompresses, or prints the entropy stage of each block.
#
# A second decoder, written only from docs/SBZ.md, whose sections it follows. It shows that the page is enough. It is slow.
# Exit status: 0, or 2 and a message if the input is not a valid file.

import struct
import sys
from bisect import bisect_left

MAGIC_STREAM = bytes.fromhex("8953425a0d0a1a0a")
MAGIC_BLOCK = bytes.fromhex("89534262e35c17a6")
MAGIC_INDEX = bytes.fromhex("895342694bd0927d")
MAGIC_END = bytes.fromhex("89534265c8360fb1")
MAGIC_SHORT_END = bytes.fromhex("895342665ea193d4")
MAGIC_NOTE = bytes.fromhex("8953426e72fc09ce")
MAGIC_NOTE_END = bytes.fromhex("8953426fd13ab865")
CHUNK, SEGMENT, GROUP, MAX_LENGTH = 16384, 65536, 64, 20


class Invalid(Exception):
    pass


def check(condition, message):
    if not condition:
        raise Invalid(message)


def ceil_div(x, y):
    return -(-x // y)


# ---- Conventions: the sum ----

ONES = 2**64 - 1
POLYNOMIAL = int(format(0x42F0E1EBA9EA3693, "064b")[::-1], 2)  # reflected
TABLE = list(range(256))
for _ in range(8):
    TABLE = [value >> 1 ^ (POLYNOMIAL if value & 1 else 0) for value in TABLE]


def crc64(data):
    value = ONES
    for byte in data:
        value = value >> 8 ^ TABLE[(value ^ byte) & 255]
    return value ^ ONES


# ---- Payload: numbers, offsets, code lengths ----


class Cursor:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        check(count <= self.left(), "the data end too early")
        self.at += count
        return self.data[self.at - count : self.at]

    def left(self):
        return len(self.data) - self.at

    def number(self):
        value = 0
        for i in range(9):
            byte = self.take(1)[0]
            value |= (byte & 127) << 7 * i
            if byte < 128:
                check(byte != 0 or i == 0, "a number is not of the shortest form")
                return value
        raise Invalid("a number has more than 9 bytes")

    def middle(self, most):
        size = self.number()
        check(1 <= size <= most, "the size of the middle")
        return size

    def offsets(self, count):
        offsets = [0]
        for _ in range(count - 1):
            offsets.append((offsets[-1] + self.number()) % 2**64)
        return offsets

    def code_lengths(self):
        bits = Bits(self.data[self.at :])
        lengths = [0] * 256
        groups = [g for g in range(16) if bits.take(1)]
        marked = [(g, i) for g in groups for i in range(16) if bits.take(1)]
        check(set(g for g, _ in marked) == set(groups), "a marked group has no symbol")
        length = bits.take(6) if marked else 0
        for g, i in marked:
            while (g, i) != marked[0] and bits.take(1):
                length += -1 if bits.take(1) else 1
                check(1 <= length <= MAX_LENGTH, "a code length")
            check(1 <= length <= MAX_LENGTH, "a code length")
            lengths[16 * g + i] = length
        unused = -bits.at % 8
        check(bits.take(unused) == 0, "unused bits are not 0")
        self.take(bits.at // 8)
        return lengths


class Bits:
    """Bits from the highest of each byte on."""

    def __init__(self, data, limit=None):
        self.bits = bin(int.from_bytes(b"\1" + data, "big"))[3:]
        self.at, self.limit = 0, len(self.bits) if limit is None else limit
        check(limit is None or "1" not in self.bits[limit:], "unused bits are not 0")

    def take(self, count):
        check(count <= self.limit - self.at, "a code goes on after its last bit")
        self.at += count
        return int("0" + self.bits[self.at - count : self.at], 2)


# ---- Stages: canonical Huffman codes ----


class Codes:
    def __init__(self, lengths):
        used = [length for length in lengths if length]
        total = sum(2 ** (MAX_LENGTH - length) for length in used)
        check(total == 2**MAX_LENGTH or used == [1], "code lengths do not fit together")
        self.codes, code = {}, 0
        for length in range(1, MAX_LENGTH + 1):
            code *= 2
            for symbol in (symbol for symbol in range(256) if lengths[symbol] == length):
                self.codes[length, code] = symbol
                code += 1

    def read(self, bits):
        code = 0
        for length in range(1, MAX_LENGTH + 1):
            code = code << 1 | bits.take(1)
            if (length, code) in self.codes:
                return self.codes[length, code]
        raise Invalid("bits that are no code")


def huffman_code(cursor, count):
    """A Huffman code of `count` bytes."""
    check(count >= 1, "a code of no bytes")
    size = cursor.number()
    code = Codes(cursor.code_lengths())
    offsets = cursor.offsets(ceil_div(count, CHUNK))
    bits = Bits(cursor.take(ceil_div(size, 8)), size)
    result = bytearray()
    while len(result) < count:
        if len(result) % CHUNK == 0:
            check(offsets[len(result) // CHUNK] == bits.at, "an offset")
        result.append(code.read(bits))
    check(bits.at == size, "bits of a code are left over")
    return bytes(result)


# ---- Stages: runs of zeros ----


def rle0(code, limit):
    """A 0 begins a count."""
    result, left = bytearray(), iter(code)
    for byte in left:
        count = next(left, 0) if byte == 0 else 1
        check(0 < count <= limit - len(result), "a count of zeros")
        result += bytes([byte]) * count
    return bytes(result)


class Ranks:  # zrun.decode: takes symbols, gives at most `limit` ranks
    def __init__(self, limit):
        self.ranks, self.limit, self.digit = bytearray(), limit, 1

    def take(self, symbol):
        count = 1 if symbol > 1 else (symbol + 1) * self.digit
        self.digit = 1 if symbol > 1 else 2 * self.digit
        check(len(self.ranks) + count <= self.limit, "too many ranks")
        self.ranks += bytes([symbol - 1]) if symbol > 1 else bytes(count)


def zrun(symbols, limit):
    ranks = Ranks(limit)
    for symbol in symbols:
        ranks.take(symbol)
    return bytes(ranks.ranks)


# ---- Stages: range coder ----


class RangeDecoder:
    def __init__(self, data):
        self.data, self.at, self.range, self.estimates = data, 0, ONES, {}
        self.code = self.word() << 32 | self.word()

    def word(self):
        word = self.data[self.at : self.at + 4]
        self.at += 4
        return int.from_bytes(word + bytes(4 - len(word)), "big")

    def normalise(self):
        if self.range < 2**32:
            self.code = (self.code << 32 | self.word()) % 2**64
            self.range <<= 32

    def decide(self, p):
        bound = (self.range >> 16) * p
        bit = int(self.code < bound)
        self.code -= 0 if bit else bound
        self.range = bound if bit else self.range - bound
        self.normalise()
        return bit

    def bit(self, *decision):
        fast, slow = self.estimates.get(decision, (32768, 32768))
        bit = self.decide((fast + slow) // 2)
        fast += (65536 - fast) // 16 if bit else -(fast // 16)
        slow += (65536 - slow) // 128 if bit else -(slow // 128)
        self.estimates[decision] = fast, slow
        return bit

    def number(self, bits):
        self.range >>= bits
        number = min(self.code // self.range, 2**bits - 1)
        self.code -= number * self.range
        self.normalise()
        return number

    def symbol(self, a, b):
        """Returns a symbol and its length."""
        if not self.bit("over1", a, b):
            digit = self.bit("digit", a, b)
            return digit, digit
        length = 2 + self.bit("over2", a, b)
        while 3 <= length < 9 and self.bit("over", a, length):
            length += 1
        if length == 9:
            return 256, 9
        x = self.bit("first", length)
        if length == 2:
            return 2 + x, 2
        y = self.bit("second", length, x)
        return (4 + 2 * x + y) << length - 3 | self.number(length - 3), length

    def segment(self, count):
        ranks, a, b = Ranks(count), 0, 0
        while len(ranks.ranks) < count:
            symbol, length = self.symbol(a, b)
            ranks.take(symbol)
            a, b = min(length, 3), a
        return ranks.ranks


# The logistic function at -2048, -1920, ..., 2048.
LOGISTIC = [22, 36, 60, 98, 162, 267, 439, 720, 1179, 1921, 3108, 4971, 7812, 11955, 17625, 24743, 32768, 40793, 47911]
LOGISTIC += [53581, 57724, 60565, 62428, 63615, 64357, 64816, 65097, 65269, 65374, 65438, 65476, 65500, 65514]


def squash(d):
    i, f = divmod(d + 2048, 128)
    return LOGISTIC[i] * (128 - f) + LOGISTIC[i + 1] * f >> 7


# For each multiple of 16, the least d for which squash(d) is not below.
STRETCH = [bisect_left(range(-2047, 2047), e, key=squash) - 2047 for e in range(0, 65536, 16)]


def limited(x, low, high):
    return min(max(x, low), high)


class Mixed(RangeDecoder):  # cells and weights are named by tuples
    def adapt(self, cell, bit, shift):
        e = self.estimates.get(cell, 32768)
        self.estimates[cell] = e + (65535 - e >> shift) if bit else e - (e >> shift)

    def mixed(self, cells, shifts, weight, initial, *correction):
        inputs = [STRETCH[self.estimates.get(cell, 32768) >> 4] for cell in cells]
        names = [("weight", weight, len(cells), k) for k in range(len(cells))]
        weights = [self.estimates.get(name, initial) for name in names]
        d = limited(sum(w * x for w, x in zip(weights, inputs)) >> 14, -2047, 2047)
        mean = squash(d)
        i, f = divmod(d + 2048, 256)
        points = (*correction, i), (*correction, i + 1)
        low, high = (self.estimates.setdefault(point, LOGISTIC[2 * point[-1]]) for point in points)
        corrected = low * (256 - f) + high * f >> 8
        bit = self.decide(limited(mean + corrected >> 1, 32, 65504))
        error = 65536 * bit - mean >> 1
        for name, w, x in zip(names, weights, inputs):
            self.estimates[name] = limited(w + (x * error + 2**17 >> 18), -32768, 32767)
        for cell, shift in zip((*cells, *points), (*shifts, 5, 5)):
            self.adapt(cell, bit, shift)
        return bit

    def symbol_of_run(self, recent, first, h):
        node = 1
        for depth in range(8):
            # For each recent symbol: 0, or 1 + the bit with which it continues the node.
            u, v1, v2, v3 = ((256 + s >> 8 - depth == node) * (1 + (s >> 7 - depth) % 2) for s in recent)
            u = 0 if first else u
            recency = "recency", 9 * v3 + 3 * v2 + v1, depth, h
            cells = ("recent", node), ("after", recent[0], node), ("after_that", recent[1], node), recency
            known = depth == 7 and u > 0
            node = 2 * node + (2 - u if known else self.mixed(cells, (2, 3, 3, 4), depth, 6144, "s", u, node))
        return node - 256

    def length_of_run(self, x, state):
        def mixed(node):
            return self.mixed((("of", x, node), ("state", state, node)), (4, 5), node, 8192, "l", node)

        e = 0
        while e < 31 and mixed(min(e, 19)):
            e += 1
        length = 1
        for k in range(e):
            if e > 8 or k > 1:
                bit = self.number(1)
            elif k == 0:
                bit = mixed(20 + e)
            else:
                second = "second", e, length % 2
                bit = self.decide(limited(self.estimates.get(second, 32768), 32, 65504))
                self.adapt(second, bit, 6)
            length = 2 * length + bit
        return length, min(e, 3)

    def segment(self, count):
        result, m, h, a, b, last = bytearray(), [0, 1, 2, 3], 0, 0, 0, {}
        while len(result) < count:
            x = self.symbol_of_run(m, not result, h)
            place = m.index(x) if x in m else 4
            length, e = self.length_of_run(x, 64 * max(place - 1, 0) + 16 * a + 4 * last.get(x, 0) + b)
            check(length <= count - len(result), "a run is too long")
            result += bytes([x]) * length
            h = 2 * h % 4 + (place == 1)
            m = [x] + m[:place] + m[place + 1 :] if place < 4 else [x] + m[:3]
            a, b, last[x] = e, a, e
        return result


def range_code(cursor, count, segment, coder=RangeDecoder):
    offsets = cursor.offsets(ceil_div(count, segment))
    payload, result = cursor.take(cursor.left()), b""
    for start, end in zip(offsets, offsets[1:] + [len(payload)]):
        check(start <= end, "an offset")
        data, size = payload[start:end], min(segment, count - len(result))
        check(len(data) <= size, "a segment has more payload than bytes")
        if len(data) < size:
            decoder, coded = coder(data), len(data)
            data = decoder.segment(size)
            check(decoder.at == coded + 4 and decoder.code < 2**32, "a segment does not end as it should")
        result += data
    return result


# ---- Payload: entropy stages; each gives at most t bytes from a cursor ----


def one_code(decode):
    def stage(cursor, t):
        middle = huffman_code(cursor, cursor.middle(2 * t))
        check(cursor.left() == 0, "bytes of the payload are left over")
        return decode(middle, t)

    return stage


def byte_escapes(middle, t):
    symbols, left = [], iter(middle)
    for byte in left:
        escape = next(left, 2) if byte == 255 else 0
        check(escape <= 1, "an escape")
        symbols.append(byte + escape)
    return zrun(symbols, t)


def bit_escapes(cursor, middle, t):
    count = middle.count(255)
    bits = Bits(cursor.take(ceil_div(count, 8)), count)
    check(cursor.left() == 0, "bytes of the payload are left over")
    return zrun([byte + bits.take(1) if byte == 255 else byte for byte in middle], t)


def zrun_tables(cursor, t):
    size, tables = cursor.middle(t), cursor.number()
    check(1 <= tables <= 8, "the number of tables")
    selectors = huffman_code(cursor, ceil_div(size, GROUP))
    groups = [min(GROUP, size - GROUP * g) for g in range(len(selectors))]
    check(max(selectors) < tables, "a selector")
    parts = [Cursor(huffman_code(cursor, sum(n for n, s in zip(groups, selectors) if s == table))) for table in range(tables)]
    middle = b"".join(parts[selector].take(count) for count, selector in zip(groups, selectors))
    return bit_escapes(cursor, middle, t)


ENTROPY = [
    lambda cursor, t: cursor.take(cursor.left()),
    one_code(rle0),
    None,
    one_code(byte_escapes),
    lambda cursor, t: range_code(cursor, t, SEGMENT),
    None,
    lambda cursor, t: range_code(cursor, t, 256 * SEGMENT),
    lambda cursor, t: bit_escapes(cursor, huffman_code(cursor, cursor.middle(t)), t),
    zrun_tables,
    lambda cursor, t: range_code(cursor, t, 4 * SEGMENT, Mixed),
]

# ---- Stages: transform and ranking ----


def mtf(ranks):
    symbols, result = list(range(256)), bytearray()
    for rank in ranks:
        symbols.insert(0, symbols.pop(rank))
        result.append(symbols[0])
    return bytes(result)


def bwt(last, primary):
    count = [last.count(value) for value in range(256)]
    smaller, following = [sum(count[:value]) for value in range(256)], []
    for byte in last:
        following.append(smaller[byte])
        smaller[byte] += 1
    text, row = bytearray(len(last)), primary
    for i in range(len(last) - 1, -1, -1):
        text[i] = last[row]
        row = following[row]
    return bytes(text)


# ---- Reductions ----


def runs(code, byte, n):
    swap = bytearray(range(256))
    swap[0], swap[byte] = byte, 0
    return rle0(code, n).translate(bytes(swap))


def matches(code, escape, n):
    result, seen, left = bytearray(), {}, iter(code)
    while len(result) < n:
        place = None
        if len(result) >= 8:
            key = int.from_bytes(result[-8:], "little") * 0x9E3779B97F4A7C15 % 2**64 >> 46
            place, seen[key] = seen.get(key), len(result)
        byte = next(left, -1)
        check(byte >= 0, "the code of matches ends too early")
        length = 0
        if place is not None and byte == escape:
            digit = next(left, -1)
            while digit == 255:
                length, digit = length + 254, next(left, -1)
            check(digit > 0 or (digit, length) == (0, 0), "the length of a match")
            length += 31 + digit if digit else 0
        check(length <= n - len(result), "a match is too long")
        for k in range(length):
            result.append(result[place + k])
        if not length:
            result.append(byte)
    check(next(left, -1) < 0, "bytes behind the last match")
    return bytes(result)


# ---- Filters ----


def x86(data):
    data = bytearray(data)
    for i in range(len(data) - 4):
        if data[i] in (0xE8, 0xE9) and data[i + 4] in (0, 255):
            target = int.from_bytes(data[i + 1 : i + 4], "little") - i
            data[i + 1 : i + 4] = (target % 2**24).to_bytes(3, "little")
    return bytes(data)


def arm64(data):
    data = bytearray(data)
    for i in range(0, len(data) - 3, 4):
        word = int.from_bytes(data[i : i + 4], "little")
        if word >> 26 == 0b100101:
            word = word >> 26 << 26 | (word - i // 4) % 2**26
        elif word >> 31 and word >> 24 & 31 == 0b10000:
            pages = (word >> 5 & 0x7FFFF) << 2 | word >> 29 & 3
            if (pages + 2**17) % 2**21 < 2**18:
                pages = (pages - i // 4096) % 2**18
                pages += 0x1C0000 if pages >= 2**17 else 0
                word = word & 0x9000001F | (pages & 3) << 29 | (pages >> 2) << 5
        data[i : i + 4] = word.to_bytes(4, "little")
    return bytes(data)


def delta(data, distance):
    result = bytearray()
    for i, byte in enumerate(data):
        result.append((byte + (result[i - distance] if i >= distance else 0)) % 256)
    return bytes(result)


def planes(data, distance):
    result, at = bytearray(len(data)), 0
    for k in range(distance):
        count = len(range(k, len(data), distance))
        result[k::distance] = data[at : at + count]
        at += count
    return bytes(result)


FILTER = {
    0: lambda data, distance: data,
    1: lambda data, distance: x86(data),
    3: delta,
    10: lambda data, distance: arm64(data),
    12: planes,
    13: lambda data, distance: delta(planes(data, distance), distance),
}

# ---- Decoding a block ----


class Stages:
    """The two bytes that say how a block is coded."""

    def __init__(self, first, second):
        self.entropy, self.distance = first & 15, 1 + (first >> 4)
        self.transform, self.ranking, self.reduction, self.filter = second & 1, second >> 1 & 1, second >> 2 & 3, second >> 4
        check(self.entropy < len(ENTROPY) and ENTROPY[self.entropy], "an unknown stage")
        check(self.reduction < 3 and self.filter in FILTER, "an unknown stage")
        check(self.distance == 1 or self.filter in (3, 12, 13), "a distance without a filter")
        check(self.filter < 12 or (self.distance > 1 and not self.reduction), "a filter that does not fit")


class Block:
    def __init__(self, limit, sizes, stages, contents_sum):
        self.n, self.p, self.primary = sizes
        self.bytes, self.stages, self.limit, self.sum = bytes(stages), Stages(*stages), limit, contents_sum
        self.reduced = self.stages.reduction > 0
        most = min(4 * limit, 2**30) if self.reduced else limit
        check(1 <= self.n <= most, "the size of the block")
        check((6 if self.reduced else 1) <= self.p <= min(self.n, limit), "the size of the payload")
        check(self.stages.entropy or self.reduced or self.p == self.n, "the size of the payload")
        check(self.primary == 0 or self.stages.transform, "a primary index without transform")

    def decode(self, payload):
        self.t, byte, s = self.n, 0, self.stages
        if self.reduced:
            self.t, byte = struct.unpack("<IB", payload[:5])
            payload = payload[5:]
            check(1 <= self.t <= min(self.n, self.limit), "the size of the reduction")
        check(self.primary < self.t, "the primary index")
        data = ENTROPY[s.entropy](Cursor(payload), self.t)
        check(len(data) == self.t, "the payload is damaged")
        data = mtf(data) if s.ranking else data
        data = bwt(data, self.primary) if s.transform else data
        data = runs(data, byte, self.n) if s.reduction == 1 else data
        data = matches(data, byte, self.n) if s.reduction == 2 else data
        check(len(data) == self.n, "the reduction is damaged")
        data = FILTER[s.filter](data, s.distance)
        check(crc64(data) == self.sum, "the checksum of the contents differs")
        return data


# ---- Streams ----


class Reader(Cursor):
    def summed(self, count, magic):
        """`count` bytes, and their sum."""
        head = self.take(count)
        check(head[:8] == magic, "a part does not begin as it should")
        check(struct.unpack("<Q", self.take(8))[0] == crc64(head), "a header is damaged")
        return head

    def short_stream(self):
        version, form, first, second, *sizes, own = struct.unpack("<BBBBIIIQ", self.summed(32, MAGIC_STREAM)[8:])
        check(version == 1, "an unknown version")
        blocks, contents = [], b""
        if sizes[0]:
            check(sizes[0] <= 2**30, "the block limit")
            blocks.append(Block(sizes[0], sizes, (first, second), own))
            contents = blocks[0].decode(self.take(sizes[1]))
        check(blocks or (first, second, *sizes, own) == (0, 0, 0, 0, 0, 0), "a header without a block")
        check(self.take(12) == struct.pack("<I", sizes[1]) + MAGIC_SHORT_END, "the end of the stream")
        return contents, blocks

    def block(self, limit, position):
        head = self.summed(40, MAGIC_BLOCK)
        at, own, n, p, primary, *stages, unused = struct.unpack("<QQIIIBBH", head[8:])
        check(unused == 0, "an unknown stage")
        check(at == position, "the position of the block")
        return Block(limit, (n, p, primary), stages, own)

    def index(self, start, blocks, contents):
        count = len(blocks)
        check(struct.unpack("<II", self.summed(16, MAGIC_INDEX)[8:]) == (count, 0), "the number of blocks")
        entries = self.take(16 * count)
        told = [struct.pack("<III", b.n, b.p, b.t) + b.bytes + bytes(2) for b in blocks]
        check(entries == b"".join(told), "the entries of the index")
        tail = self.take(48)
        original, total, size, again, unused, own, end = struct.unpack("<QQQIIQ8s", tail)
        check(end == MAGIC_END and own == crc64(entries + tail[:32]), "the index is damaged")
        check((original, again, unused) == (len(contents), count, 0), "the tail of the index")
        check(size == self.at - start, "the size of the stream")
        check(total == crc64(contents), "the checksum of the whole contents differs")

    def stream(self):
        if self.data[self.at + 9 : self.at + 10] == b"\1":
            return self.short_stream()
        start = self.at
        version, form, features, ignored, limit = struct.unpack("<BBBBI", self.summed(16, MAGIC_STREAM)[8:])
        check((version, form, features) == (1, 2, 0), "an unknown version, form or feature")
        check(1 <= limit <= 2**30, "the block limit")
        blocks, contents = [], b""
        while self.data[self.at : self.at + 8] != MAGIC_INDEX:
            block = self.block(limit, len(contents))
            contents += block.decode(self.take(block.p))
            blocks.append(block)
            check(len(blocks) <= 2**20, "too many blocks")
        self.index(start, blocks, contents)
        return contents, blocks

    def note(self):
        kind, size = struct.unpack("<II", self.summed(16, MAGIC_NOTE)[8:])
        check(size <= 2**30, "the size of a note")
        own = crc64(self.take(size))
        check(self.take(20) == struct.pack("<QI", own, size) + MAGIC_NOTE_END, "the note is damaged")

    def streams(self):
        count = 0
        while count == 0 or self.data[self.at :].strip(b"\0"):
            if self.data[self.at : self.at + 8] == MAGIC_NOTE:
                self.note()
            else:
                yield self.stream()
                count += 1


def main():
    try:
        for contents, blocks in Reader(sys.stdin.buffer.read()).streams():
            if sys.argv[1:] == ["--stages"]:
                for block in blocks:
                    s = block.stages
                    print(s.entropy, s.transform, s.ranking, s.reduction, s.filter)
            else:
                sys.stdout.buffer.write(contents)
    except Invalid as error:
        print(f"unsbz: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
