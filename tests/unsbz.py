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
CHUNK, SEGMENT, GROUP, MAX_LENGTH = 16384, 65536, 64, 45


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
        self.take(ceil_div(bits.at, 8))
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


# ---- Stages: canonical Huffman codes, adaptive Huffman codes ----


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


class Tree:
    """The tree of an adaptive Huffman code; what stands at a node is a byte, a pair of children, or None for NYT."""

    def __init__(self):
        self.weight, self.parent, self.what = {512: 0}, {512: None}, {512: None}
        self.leaf, self.nyt = {}, 512

    def put(self, node, what):
        self.what[node] = what
        if isinstance(what, tuple):
            for child in what:
                self.parent[child] = node
        elif what is not None:
            self.leaf[what] = node

    def split(self, byte):
        inner, leaf, self.nyt = self.nyt, self.nyt - 1, self.nyt - 2
        self.weight[leaf] = self.weight[self.nyt] = 0
        self.put(self.nyt, None)
        self.put(leaf, byte)
        self.put(inner, (self.nyt, leaf))

    def update(self, node):
        while node is not None:
            weight, parent = self.weight[node], self.parent[node]
            highest = max(n for n, w in self.weight.items() if w == weight and n != parent)
            if highest != node:
                here, there = self.what[node], self.what[highest]
                self.put(node, there)
                self.put(highest, here)
            self.weight[highest] += 1
            node = self.parent[highest]

    def read(self, bits):
        node = 512  # the root
        while isinstance(self.what[node], tuple):
            node = self.what[node][bits.take(1)]
        byte = self.what[node]
        if byte is None:
            byte = bits.take(8)
            check(byte not in self.leaf, "a new byte that is known")
            self.split(byte)
        self.update(self.leaf[byte])
        return byte


def huffman_code(cursor, count, adaptive=False):
    """A Huffman code of `count` bytes."""
    check(count >= 1, "a code of no bytes")
    size = cursor.number()
    code = None if adaptive else Codes(cursor.code_lengths())
    offsets = cursor.offsets(ceil_div(count, CHUNK))
    bits = Bits(cursor.take(ceil_div(size, 8)), size)
    result = bytearray()
    while len(result) < count:
        if len(result) % CHUNK == 0:
            check(offsets[len(result) // CHUNK] == bits.at, "an offset")
            code = Tree() if adaptive else code
        result.append(code.read(bits))
    check(bits.at == size, "bits of a code are left over")
    return bytes(result)


# ---- Stages: runs of zeros ----


def rle0(code, limit, goes_on=None):
    """A 0 begins a count, which goes on after each byte `goes_on`."""
    result, left = bytearray(), iter(code)
    for byte in left:
        if byte != 0:
            result.append(byte)
            continue
        count = last = next(left, -1)
        while last == goes_on:
            last = next(left, -1)
            count += last
        check(last >= 0 and 0 < count <= limit - len(result), "a count of zeros")
        result += bytes(count)
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


def one_code(decode, adaptive=False):
    def stage(cursor, t):
        middle = huffman_code(cursor, cursor.middle(2 * t), adaptive)
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
    one_code(lambda code, t: rle0(code, t, 255)),
    one_code(byte_escapes),
    lambda cursor, t: range_code(cursor, t, SEGMENT),
    one_code(lambda code, t: rle0(code, t, 255), adaptive=True),
    lambda cursor, t: range_code(cursor, t, t),
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


# ---- Decoding a block ----


class Block:
    def __init__(self, limit, sizes, stages, contents_sum):
        self.n, self.p, self.primary = sizes
        self.transform, self.ranking, self.entropy, self.runs = stages
        self.limit, self.sum = limit, contents_sum
        most = min(4 * limit, 2**30) if self.runs else limit
        check(1 <= self.n <= most, "the size of the block")
        check(self.transform < 2 and self.ranking < 2 and self.entropy < len(ENTROPY) and self.runs < 2, "an unknown stage")
        check((6 if self.runs else 1) <= self.p <= min(self.n, limit), "the size of the payload")
        check(self.entropy or self.runs or self.p == self.n, "the size of the payload")
        check(self.primary == 0 or self.transform, "a primary index without transform")

    def decode(self, payload):
        t, byte = self.n, 0
        if self.runs:
            t, byte = struct.unpack("<IB", payload[:5])
            payload = payload[5:]
            check(1 <= t <= min(self.n, self.limit), "the size of the run-length code")
        check(self.primary < t, "the primary index")
        data = ENTROPY[self.entropy](Cursor(payload), t)
        check(len(data) == t, "the payload is damaged")
        data = mtf(data) if self.ranking else data
        data = bwt(data, self.primary) if self.transform else data
        if self.runs:
            swap = bytearray(range(256))
            swap[0], swap[byte] = byte, 0
            data = rle0(data, self.n).translate(bytes(swap))
            check(len(data) == self.n, "the run-length code is damaged")
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
        version, form, entropy, flags, *sizes, own = struct.unpack("<BBBBIIIQ", self.summed(32, MAGIC_STREAM)[8:])
        check(version == 1 and flags < 8, "an unknown version or flags")
        blocks, contents = [], b""
        if sizes[0]:
            check(sizes[0] <= 2**30, "the block limit")
            blocks.append(Block(sizes[0], sizes, (flags & 1, flags >> 1 & 1, entropy, flags >> 2), own))
            contents = blocks[0].decode(self.take(sizes[1]))
        check(blocks or (entropy, flags, *sizes, own) == (0, 0, 0, 0, 0, 0), "a header without a block")
        check(self.take(12) == struct.pack("<I", sizes[1]) + MAGIC_SHORT_END, "the end of the stream")
        return contents, blocks

    def block(self, limit, position):
        head = self.summed(40, MAGIC_BLOCK)
        at, own, n, p, primary, *stages = struct.unpack("<QQIIIBBBB", head[8:])
        check(at == position, "the position of the block")
        return Block(limit, (n, p, primary), stages, own)

    def index(self, start, blocks, contents):
        count = len(blocks)
        check(struct.unpack("<II", self.summed(16, MAGIC_INDEX)[8:]) == (count, 0), "the number of blocks")
        entries = self.take(8 * count)
        check(list(struct.iter_unpack("<II", entries)) == [(b.n, b.p) for b in blocks], "the entries of the index")
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
        version, form, unused, limit = struct.unpack("<BBHI", self.summed(16, MAGIC_STREAM)[8:])
        check((version, form, unused) == (1, 0, 0), "an unknown version or flags")
        check(1 <= limit <= 2**30, "the block limit")
        blocks, contents = [], b""
        while self.data[self.at : self.at + 8] != MAGIC_INDEX:
            block = self.block(limit, len(contents))
            contents += block.decode(self.take(block.p))
            blocks.append(block)
            check(len(blocks) <= 2**20, "too many blocks")
        self.index(start, blocks, contents)
        return contents, blocks

    def streams(self):
        check(self.data, "an empty file")
        while self.left() > 0:
            yield self.stream()


def main():
    try:
        for contents, blocks in Reader(sys.stdin.buffer.read()).streams():
            if sys.argv[1:] == ["--stages"]:
                for block in blocks:
                    print(block.entropy, block.transform, block.ranking, block.runs)
            else:
                sys.stdout.buffer.write(contents)
    except Invalid as error:
        print(f"unsbz: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
