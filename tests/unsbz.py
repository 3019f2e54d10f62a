#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
#
# unsbz.py [--stages] <FILE.sbz >FILE: decompresses, or prints the entropy stage of each block.
#
# A second decoder, written only from docs/SBZ.md, whose sections it follows. It shows that the page is enough. It is slow.
# Exit status: 0, or 2 and a message if the input is not a valid file.

import struct
import sys

MAGIC_STREAM = bytes.fromhex("8953425a0d0a1a0a")
MAGIC_BLOCK = bytes.fromhex("89534262e35c17a6")
MAGIC_INDEX = bytes.fromhex("895342694bd0927d")
MAGIC_END = bytes.fromhex("89534265c8360fb1")
CHUNK = 16384
SEGMENT = 65536
GROUP = 64
MAX_LENGTH = 45


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


def eight_bits(value):
    for _ in range(8):
        value = value >> 1 ^ (POLYNOMIAL if value & 1 else 0)
    return value


TABLE = [eight_bits(byte) for byte in range(256)]


def crc64(data):
    value = ONES
    for byte in data:
        value = value >> 8 ^ TABLE[(value ^ byte) & 255]
    return value ^ ONES


# ---- Payload: numbers, offsets, code lengths ----


class Cursor:
    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, count):
        check(count <= self.left(), "the payload ends too early")
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
        length = None
        for symbol in (16 * g + i for g, i in marked):
            if length is None:
                length = bits.take(6)
            else:
                while bits.take(1):
                    length += -1 if bits.take(1) else 1
                    check(1 <= length <= MAX_LENGTH, "a code length")
            check(1 <= length <= MAX_LENGTH, "a code length")
            lengths[symbol] = length
        self.take(ceil_div(bits.at, 8))
        return lengths


class Bits:
    """Bits from the highest of each byte on."""

    def __init__(self, data, limit=None):
        self.data = data
        self.at = 0
        self.limit = 8 * len(data) if limit is None else limit

    def take(self, count):
        value = 0
        for _ in range(count):
            check(self.at < self.limit, "a code goes on after its last bit")
            value = value << 1 | (self.data[self.at // 8] >> (7 - self.at % 8)) & 1
            self.at += 1
        return value

    def check_pad(self):
        used = self.limit % 8
        check(used == 0 or self.data[-1] << used & 255 == 0, "unused bits are not 0")


# ---- Stages: canonical Huffman codes, adaptive Huffman codes ----


def canonical(lengths):
    used = [length for length in lengths if length]
    total = sum(2 ** (MAX_LENGTH - length) for length in used)
    check(total == 2**MAX_LENGTH or used == [1], "code lengths do not fit together")
    codes = {}
    code = 0
    for length in range(1, MAX_LENGTH + 1):
        code *= 2
        for symbol in range(256):
            if lengths[symbol] == length:
                codes[length, code] = symbol
                code += 1
    return codes


class Codes:
    def __init__(self, lengths):
        self.codes = canonical(lengths)

    def start_chunk(self):
        pass

    def read(self, bits):
        code = 0
        for length in range(1, MAX_LENGTH + 1):
            code = code << 1 | bits.take(1)
            if (length, code) in self.codes:
                return self.codes[length, code]
        raise Invalid("bits that are no code")


class Tree:
    """The tree of an adaptive Huffman code; what stands at a node is a byte, a pair of children, or None for NYT."""

    def start_chunk(self):
        self.weight = {512: 0}
        self.parent = {512: None}
        self.what = {512: None}
        self.leaf = {}
        self.nyt = 512

    def put(self, node, what):
        self.what[node] = what
        if isinstance(what, tuple):
            for child in what:
                self.parent[child] = node
        elif what is not None:
            self.leaf[what] = node

    def split(self, byte):
        inner = self.nyt
        for child in (inner - 2, inner - 1):
            self.weight[child] = 0
        self.put(inner - 2, None)
        self.put(inner - 1, byte)
        self.put(inner, (inner - 2, inner - 1))
        self.nyt = inner - 2

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
    code = Tree() if adaptive else Codes(cursor.code_lengths())
    offsets = cursor.offsets(ceil_div(count, CHUNK))
    bits = Bits(cursor.take(ceil_div(size, 8)), size)
    bits.check_pad()
    result = bytearray()
    while len(result) < count:
        if len(result) % CHUNK == 0:
            check(offsets[len(result) // CHUNK] == bits.at, "an offset")
            code.start_chunk()
        result.append(code.read(bits))
    check(bits.at == size, "bits of a code are left over")
    return bytes(result)


# ---- Stages: runs of zeros ----


def rle0(code, limit):
    result = bytearray()
    at = 0
    while at < len(code):
        if code[at] != 0:
            result.append(code[at])
            at += 1
            continue
        check(at + 1 < len(code) and code[at + 1] != 0, "a count of rle0")
        result += bytes(code[at + 1])
        at += 2
        check(len(result) <= limit, "too many bytes")
    return bytes(result)


def rle0x(code, limit):
    result = bytearray()
    at = 0
    while at < len(code):
        if code[at] != 0:
            result.append(code[at])
            at += 1
            continue
        count = 0
        while True:
            at += 1
            check(at < len(code), "an end inside a count")
            count += code[at]
            if code[at] != 255:
                break
        at += 1
        check(count > 0 and len(result) + count <= limit, "a count of rle0x")
        result += bytes(count)
    return bytes(result)


class Ranks:
    """zrun.decode: takes symbols, gives at most `limit` ranks."""

    def __init__(self, limit):
        self.ranks = bytearray()
        self.limit = limit
        self.digit = 1

    def take(self, symbol):
        if symbol > 1:
            count = 1
            self.digit = 1
        else:
            count = (symbol + 1) * self.digit
            self.digit *= 2
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
        self.data = data
        self.at = 0
        self.range = ONES
        self.code = self.word() << 32 | self.word()
        self.estimates = {}

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
        length = 2
        if self.bit("over2", a, b):
            length = 3
            while length < 9 and self.bit("over", a, length):
                length += 1
        if length == 9:
            return 256, 9
        x = self.bit("first", length)
        if length == 2:
            return 2 + x, 2
        y = self.bit("second", length, x)
        return (4 + 2 * x + y) << length - 3 | self.number(length - 3), length


def segment_of_ranks(data, count):
    check(len(data) <= count, "a segment has more bytes than ranks")
    if len(data) == count:
        return data
    decoder = RangeDecoder(data)
    ranks = Ranks(count)
    a = b = 0
    while len(ranks.ranks) < count:
        symbol, length = decoder.symbol(a, b)
        ranks.take(symbol)
        a, b = min(length, 3), a
    check(decoder.at == len(data) + 4 and decoder.code < 2**32, "a segment does not end as it should")
    return bytes(ranks.ranks)


class Mixed(RangeDecoder):
    """Cells are named by tuples."""

    def adapt(self, cell, bit, shift):
        e = self.estimates.get(cell, 32768)
        self.estimates[cell] = e + (65535 - e >> shift) if bit else e - (e >> shift)

    def mixed(self, cells, shifts, w, *correction):
        a, b, c = (self.estimates.get(cell, 32768) for cell in cells)
        mean = 5 * a + 7 * b + 4 * c >> 4
        i, f = mean >> 12, mean % 4096
        points = (*correction, i), (*correction, i + 1)
        for k, point in enumerate(points):
            self.estimates.setdefault(point, min(4096 * (i + k), 65535))
        corrected = self.estimates[points[0]] * (4096 - f) + self.estimates[points[1]] * f >> 12
        bit = self.decide(min(max((4 - w) * mean + w * corrected >> 2, 32), 65504))
        for cell, shift in zip((*cells, *points), (*shifts, 5, 5)):
            self.adapt(cell, bit, shift)
        return bit

    def length(self, x, y, state):
        def mixed(node):
            return self.mixed((("of", x, node), ("state", state, node), ("next", y, node)), (4, 5, 5), 2, "l", node)

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
                bit = self.decide(min(max(self.estimates.get(second, 32768), 32), 65504))
                self.adapt(second, bit, 6)
            length = 2 * length + bit
        return length, min(e, 3)


def segment_of_runs(data, count):
    check(len(data) <= count, "a segment has more payload than bytes")
    if len(data) == count:
        return data
    decoder, result, y, z, j, k, of = Mixed(data), bytearray(), 0, 0, 0, 0, {}
    while len(result) < count:
        x = 1
        for _ in range(8):
            cells = ("recent", x), ("after", y, x), ("after_that", z, x)
            x = 2 * x + decoder.mixed(cells, (2, 3, 3), 3, "s", min(j, 2), x)
        x -= 256
        check(not result or x != y, "two runs of the same symbol")
        l, m = of.get(x, (0, 0))
        length, e = decoder.length(x, y, 64 * j + 16 * k + 4 * l + m)
        check(length <= count - len(result), "a run is too long")
        result += bytes([x]) * length
        y, z, j, k, of[x] = x, y, e, j, (e, l)
    check(decoder.at == len(data) + 4 and decoder.code < 2**32, "a segment does not end as it should")
    return bytes(result)


def range_code(cursor, count, segment, decode=segment_of_ranks):
    offsets = cursor.offsets(ceil_div(count, segment))
    payload = cursor.take(cursor.left())
    offsets.append(len(payload))
    result = b""
    for i in range(len(offsets) - 1):
        check(offsets[i] <= offsets[i + 1], "an offset")
        result += decode(payload[offsets[i] : offsets[i + 1]], min(segment, count - len(result)))
    return result


# ---- Payload: entropy stages; each gives at most t bytes from a cursor ----


def one_code(decode, adaptive=False):
    def stage(cursor, t):
        size = cursor.number()
        check(size <= 2 * t, "the size of the middle")
        middle = huffman_code(cursor, size, adaptive)
        check(cursor.left() == 0, "bytes of the payload are left over")
        return decode(middle, t)

    return stage


def byte_escapes(middle, t):
    symbols = []
    at = 0
    while at < len(middle):
        symbol = middle[at]
        if symbol == 255:
            at += 1
            check(at < len(middle) and middle[at] <= 1, "an escape")
            symbol += middle[at]
        symbols.append(symbol)
        at += 1
    return zrun(symbols, t)


def bit_escapes(cursor, middle, t):
    count = middle.count(255)
    bits = Bits(cursor.take(ceil_div(count, 8)), count)
    check(cursor.left() == 0, "bytes of the payload are left over")
    bits.check_pad()
    return zrun([byte + bits.take(1) if byte == 255 else byte for byte in middle], t)


def zrun_raw(cursor, t):
    size = cursor.number()
    check(size <= t, "the size of the middle")
    return bit_escapes(cursor, huffman_code(cursor, size), t)


def zrun_tables(cursor, t):
    size = cursor.number()
    check(1 <= size <= t, "the size of the middle")
    tables = cursor.number()
    check(1 <= tables <= 8, "the number of tables")
    selectors = huffman_code(cursor, ceil_div(size, GROUP))
    groups = [min(GROUP, size - GROUP * g) for g in range(len(selectors))]
    check(max(selectors) < tables, "a selector")
    sizes = [sum(n for n, s in zip(groups, selectors) if s == table) for table in range(tables)]
    parts = [Cursor(huffman_code(cursor, part)) for part in sizes]
    middle = b"".join(parts[selector].take(count) for count, selector in zip(groups, selectors))
    return bit_escapes(cursor, middle, t)


ENTROPY = [
    lambda cursor, t: cursor.take(cursor.left()),
    one_code(rle0),
    one_code(rle0x),
    one_code(byte_escapes),
    lambda cursor, t: range_code(cursor, t, SEGMENT),
    one_code(rle0x, adaptive=True),
    lambda cursor, t: range_code(cursor, t, t),
    zrun_raw,
    zrun_tables,
    lambda cursor, t: range_code(cursor, t, 4 * SEGMENT, segment_of_runs),
]

# ---- Stages: transform and ranking ----


def mtf(ranks):
    symbols = list(range(256))
    result = bytearray()
    for rank in ranks:
        symbol = symbols.pop(rank)
        symbols.insert(0, symbol)
        result.append(symbol)
    return bytes(result)


def bwt(last, primary):
    smaller, total = [], 0
    for value in range(256):
        smaller.append(total)
        total += last.count(value)
    following = []
    for byte in last:
        following.append(smaller[byte])
        smaller[byte] += 1
    text = bytearray(len(last))
    row = primary
    for i in range(len(last) - 1, -1, -1):
        text[i] = last[row]
        row = following[row]
    return bytes(text)


# ---- Decoding a block ----


class Block:
    def __init__(self, header, limit, position):
        check(header[:8] == MAGIC_BLOCK, "neither a block nor an index")
        at, self.sum, self.n, self.p, self.primary = struct.unpack("<QQIII", header[8:36])
        self.transform, self.ranking, self.entropy, self.runs = header[36:40]
        check(struct.unpack("<Q", header[40:])[0] == crc64(header[:40]), "the header of the block is damaged")
        self.limit = limit
        most = min(4 * limit, 2**30) if self.runs else limit
        check(1 <= self.n <= most, "the size of the block")
        check(self.transform < 2 and self.ranking < 2 and self.entropy < 10 and self.runs < 2, "an unknown stage")
        check((6 if self.runs else 1) <= self.p <= min(self.n, limit), "the size of the payload")
        check(self.entropy or self.runs or self.p == self.n, "the size of the payload")
        check(self.primary == 0 or self.transform, "a primary index without transform")
        check(at == position, "the position of the block")

    def decode(self, payload):
        t, byte = self.n, 0
        if self.runs:
            t, byte = struct.unpack("<IB", payload[:5])
            payload = payload[5:]
            check(1 <= t <= min(self.n, self.limit), "the size of the run-length code")
        check(self.primary < t, "the primary index")
        data = ENTROPY[self.entropy](Cursor(payload), t)
        check(len(data) == t, "the payload is damaged")
        if self.ranking:
            data = mtf(data)
        if self.transform:
            data = bwt(data, self.primary)
        if self.runs:
            swap = bytearray(range(256))
            swap[0], swap[byte] = byte, 0
            data = rle0(data, self.n).translate(bytes(swap))
            check(len(data) == self.n, "the run-length code is damaged")
        check(crc64(data) == self.sum, "the checksum of the contents differs")
        return data


# ---- Streams ----


class Reader:
    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, count):
        check(count <= len(self.data) - self.at, "the input ends too early")
        self.at += count
        return self.data[self.at - count : self.at]

    def header(self):
        header = self.take(24)
        check(header[:8] == MAGIC_STREAM, "not the header of a stream")
        check(struct.unpack("<Q", header[16:])[0] == crc64(header[:16]), "the header of the stream is damaged")
        check(header[8] == 1 and header[9:12] == bytes(3), "an unknown version or flags")
        limit = struct.unpack("<I", header[12:16])[0]
        check(1 <= limit <= 2**30, "the block limit")
        return limit

    def index(self, start, blocks, contents):
        first = self.at
        count = len(blocks)
        head = self.take(24)
        check(struct.unpack("<Q", head[16:])[0] == crc64(head[:16]), "the head of the index is damaged")
        check(struct.unpack("<II", head[8:16]) == (count, 0), "the number of blocks")
        entries = self.take(8 * count)
        check(list(struct.iter_unpack("<II", entries)) == [(b.n, b.p) for b in blocks], "the entries of the index")
        tail = self.take(48)
        original, total, size, again, unused, own, end = struct.unpack("<QQQIIQ8s", tail)
        check(end == MAGIC_END and own == crc64(entries + tail[:32]), "the index is damaged")
        check((original, again, unused) == (len(contents), count, 0), "the tail of the index")
        check(size == self.at - start and self.at - first == 72 + 8 * count, "the size of the stream")
        check(total == crc64(contents), "the checksum of the whole contents differs")

    def stream(self):
        start = self.at
        limit = self.header()
        blocks, contents = [], b""
        while self.data[self.at : self.at + 8] != MAGIC_INDEX:
            block = Block(self.take(48), limit, len(contents))
            contents += block.decode(self.take(block.p))
            blocks.append(block)
            check(len(blocks) <= 2**20, "too many blocks")
        self.index(start, blocks, contents)
        return contents, blocks

    def streams(self):
        check(self.data, "an empty file")
        while self.at < len(self.data):
            yield self.stream()


def main():
    show = sys.argv[1:] == ["--stages"]
    try:
        for contents, blocks in Reader(sys.stdin.buffer.read()).streams():
            if show:
                for block in blocks:
                    print(block.entropy, block.transform, block.ranking, block.runs)
            else:
                sys.stdout.buffer.write(contents)
    except Invalid as error:
        print(f"unsbz: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
