/* SPDX-License-Identifier: BSD-2-Clause
 *
 * damage_sbz COUNT SEED [FIRST [DIRECTORY]]
 *
 * Damages files of sbz in COUNT pseudorandom ways, determined by SEED and numbered from FIRST on. Reads each damaged
 * file in one pass, with recovery, and its index from the end. The result must be an error or the original bytes.
 * Other bytes, a crash, more than a second of processor time, or more memory than the limit is a failure; its number is
 * printed. Half of the files are made by changing fields of headers, one or two at once, to values at and past their
 * limits, with sums that are right. Prints TAP.
 *
 * Into DIRECTORY it writes the damaged files of at most 4096 bytes as inputs of fuzz/fuzz_sbz.c.
 *
 * Damage may exchange or remove whole streams; what is left is original, so any sequence of whole streams is right.
 * Blocks before an error must be at their positions in the original.
 */
#include "damage_sbz_payloads.h"
#include "../sbz/codec.h"
#include "../sbz/entropy.h"
#include "../sbz/split.h"
#include "../sbz/stages.h"
#include "../sbz/layout.h"
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

enum {
    LARGEST = DAMAGE_LARGEST,
    SECONDS = 1,                /* of processor time */
    FILES = SBZ_ENTROPIES + 17, /* two numbers are of no stage */
    MAX_STREAMS = FILES + 2,    /* one file has three */
    MEMORY = 8 << 20            /* bytes: the limit that readers are given. The largest intact block needs 4.5 MiB. */
};

/* ---- memory in use, by the linker's --wrap ---- */

static size_t in_use, peak, highest;
static unsigned long heavy; /* blocks that were refused because of the memory that they need */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
int __real_posix_memalign(void **memory, size_t alignment, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t size);
void __wrap_free(void *memory);

/* Behind each allocation there are GUARD bytes that nobody may write, and its size at the very end. */
enum { GUARD = 16, GUARD_BYTE = 0xa5 };

static void give_up(const char *what);

static void *counted(void *memory, size_t size)
{
    size_t usable;

    if (memory == NULL)
        return NULL;
    usable = malloc_usable_size(memory);
    memset((uint8_t *)memory + size, GUARD_BYTE, GUARD);
    memcpy((uint8_t *)memory + usable - sizeof size, &size, sizeof size);
    in_use += usable;
    peak = in_use > peak ? in_use : peak;
    return memory;
}

static size_t forget(void *memory)
{
    const size_t usable = malloc_usable_size(memory);
    size_t size;

    memcpy(&size, (uint8_t *)memory + usable - sizeof size, sizeof size);
    for (size_t i = 0; i < GUARD; i++)
        if (size > usable || ((uint8_t *)memory)[size + i] != GUARD_BYTE)
            give_up("a write behind the end of a block of memory");
    in_use -= usable;
    return size;
}

void *__wrap_malloc(size_t size)
{
    return counted(__real_malloc(size + GUARD + sizeof size), size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return counted(__real_calloc(1, count * size + GUARD + sizeof size), count * size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    if (memory != NULL)
        forget(memory);
    return counted(__real_realloc(memory, size + GUARD + sizeof size), size);
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t size)
{
    int result = __real_posix_memalign(memory, alignment, size + GUARD + sizeof size);

    if (result == 0)
        counted(*memory, size);
    return result;
}

void __wrap_free(void *memory)
{
    if (memory != NULL)
        forget(memory);
    __real_free(memory);
}

/* ---- what is damaged ---- */

typedef struct bytes {
    uint8_t *data;
    size_t size, at;
} bytes;

static bytes contents[MAX_STREAMS]; /* of each stream */
static size_t streams;
static bytes files[FILES];
static sbz_codec *codec;
static unsigned long number;
static char now[64];
static const char *directory; /* for seeds; NULL: none are written */

static uint64_t state;

static uint64_t draw(uint64_t below)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return below != 0 ? (z ^ z >> 31) % below : 0;
}

static void give_up(const char *what)
{
    printf("not ok 1 - damage %lu, %s: %s\n", number, now, what);
    exit(EXIT_FAILURE);
}

static bool append(void *to, const void *from, size_t size)
{
    bytes *b = to;
    uint8_t *grown = realloc(b->data, b->size + size + 1);

    if (grown == NULL)
        give_up("out of memory in the test itself");
    b->data = grown;
    memcpy(b->data + b->size, from, size);
    b->size += size;
    return true;
}

static ptrdiff_t take(void *from, void *to, size_t size)
{
    bytes *b = from;

    size = size < b->size - b->at ? size : b->size - b->at;
    memcpy(to, b->data + b->at, size);
    b->at += size;
    return (ptrdiff_t)size;
}

static bool take_at(void *from, uint64_t offset, void *to, size_t size)
{
    const bytes *b = from;

    if (offset > b->size || size > b->size - offset)
        return false;
    memcpy(to, b->data + offset, size);
    return true;
}

/* Random letters of a small alphabet. No two streams begin alike. */
static void add_contents(size_t size, unsigned letters)
{
    bytes *b = &contents[streams];

    for (size_t i = 0; i < size; i++) {
        uint8_t letter = (uint8_t)(letters == 256 ? draw(256) : 'a' + draw(1 + draw(letters)));

        if (i < 8)
            letter = (uint8_t)('A' + (streams * 37 + i) % 64);
        append(b, &letter, 1);
    }
    streams++;
}

/* Adds a stream with new contents to a file. */
static void add_stream(bytes *file, const char *stages, size_t size, unsigned letters, uint32_t block)
{
    const sbz_settings settings = {.where = SBZ_CPU, .stages = stages};
    bytes *text = &contents[streams];
    sbz_codec *coder;
    sbz_record record = {0};
    sbz_text piece = {0};
    sbz_splitter splitter;
    sbz_writer writer;

    if (sbz_codec_open(&coder, &settings) != SB_OK)
        give_up(sbz_codec_error(coder));
    add_contents(size, letters);
    sbz_writer_init(&writer, block, append, file);
    sbz_splitter_init(&splitter, block, block, size, take, text);
    sbz_stages_open(stages, &splitter.runs);
    while (sbz_splitter_next(&splitter, &piece) == SBZ_SPLIT_BLOCK) {
        if (stages != NULL && splitter.runs && writer.original == 0 && piece.runs == 0)
            give_up("no runs in a text for them");
        if (sbz_codec_encode(coder, &piece, 1, &record) != SB_OK || sbz_writer_block(&writer, &record) != SBZ_WRITTEN)
            give_up(sbz_codec_error(coder));
    }
    if (sbz_writer_end(&writer) != SBZ_WRITTEN)
        give_up("writing failed");
    sbz_writer_free(&writer);
    sbz_splitter_free(&splitter);
    sbz_record_free(&record);
    sbz_text_free(&piece);
    sbz_codec_close(coder);
}

static void make_files(void)
{
    char stages[64];
    size_t made = 0;

    for (size_t i = 0; i < SBZ_ENTROPIES; i++) {
        if (sbz_stages[i].name == NULL)
            continue;
        snprintf(stages, sizeof stages, "bwt%s,%s", sbz_stages[i].plain ? "" : ",mtf", sbz_stages[i].name);
        add_stream(&files[made++], stages, 3000 + draw(3000), 9, 1024);
    }
    add_stream(&files[made++], "stored", 3000 + draw(3000), 9, 1024);
    add_stream(&files[made++], "mtf,rle0", 3000 + draw(3000), 9, 1024);
    add_stream(&files[made++], "zrun", 3000 + draw(3000), 9, 1024);
    add_stream(&files[made++], NULL, 0, 2, LARGEST);
    add_stream(&files[made++], NULL, 1, 2, LARGEST);
    add_stream(&files[made++], NULL, 20000, 3, LARGEST);
    add_stream(&files[made++], "zrun", LARGEST, 9, LARGEST);
    add_stream(&files[made++], "bwt,mtf,rle0", LARGEST, 200, LARGEST);
    add_stream(&files[made++], "runs,stored", 30000, 1, 5000);
    add_stream(&files[made++], "runs,bwt,mtf,rle0", 20000, 2, 4096);
    add_stream(&files[made++], "runs,bwt,mtf,rangecoder", 4 * LARGEST, 2, LARGEST);
    add_stream(&files[made++], "x86,matches,bwt,mtf,rle0", 20000, 9, 9000);
    add_stream(&files[made++], "delta=3,matches,stored", 20000, 9, 9000);
    add_stream(&files[made++], "delta-planes=5,bwt,mtf,rangecoder", 9000, 9, 5000);
    add_stream(&files[made++], "arm64,runs,bwt,mixcoder", 20000, 1, 5000);
    add_stream(&files[made++], "zrun-raw", 3000, 255, 1024);
    add_stream(&files[made++], "zrun-tables", 20000, 255, 1 << 14);
    add_stream(&files[made++], NULL, 4000, 256, 900);
    add_stream(&files[made], NULL, 2000, 5, 512);
    add_stream(&files[made], "bwt,mtf,rle0", 500, 5, 2000);
    add_stream(&files[made++], NULL, 700, 5, 100);
}

/* ---- damage ---- */

static bytes copy_of(const bytes *from, size_t first, size_t last)
{
    bytes b = {0};

    append(&b, from->data + first, last - first);
    return b;
}

static void flip_bits(bytes *b)
{
    for (uint64_t i = 0, flips = 1 + draw(4); i < flips && b->size > 0; i++)
        b->data[draw(b->size)] ^= (uint8_t)(1 << draw(8));
}

static void overwrite(bytes *b)
{
    const size_t first = draw(b->size), length = draw(64);

    for (size_t i = first; i < b->size && i < first + length; i++)
        b->data[i] = (uint8_t)draw(256);
}

static void clear(bytes *b)
{
    const size_t first = draw(b->size), length = draw(600);

    memset(b->data + first, 0, length < b->size - first ? length : b->size - first);
}

static void truncate_at(bytes *b)
{
    b->size = draw(b->size);
}

static void add_garbage(bytes *b)
{
    for (uint64_t i = 0, length = 1 + draw(100); i < length; i++)
        append(b, &(uint8_t){(uint8_t)draw(256)}, 1);
}

static void remove_piece(bytes *b)
{
    const size_t first = draw(b->size), length = draw(b->size - first);

    memmove(b->data + first, b->data + first + length, b->size - first - length);
    b->size -= length;
}

static void repeat_piece(bytes *b)
{
    const size_t first = draw(b->size), length = draw(b->size - first);
    bytes piece = copy_of(b, first, first + length), rest = copy_of(b, first, b->size);

    b->size = first;
    append(b, piece.data, piece.size);
    append(b, rest.data, rest.size);
    free(piece.data);
    free(rest.data);
}

/* An offset: in half of the cases one where a block or index begins, else any. */
static size_t some_place(const bytes *b)
{
    const size_t from = draw(b->size);

    for (size_t i = from; draw(2) == 0 && i + SBZ_MAGIC <= b->size; i++)
        if (memcmp(b->data + i, sbz_magic_block, SBZ_MAGIC) == 0 ||
            memcmp(b->data + i, sbz_magic_index, SBZ_MAGIC) == 0 ||
            memcmp(b->data + i, sbz_magic_stream, SBZ_MAGIC) == 0)
            return i;
    return from;
}

static void splice(bytes *b)
{
    const bytes *other = &files[draw(FILES)];

    if (other->size == 0)
        return;
    b->size = some_place(b);
    const size_t from = some_place(other);
    append(b, other->data + from, other->size - from);
}

static uint64_t get(const uint8_t *from, int size)
{
    uint64_t value = 0;

    for (int i = 0; i < size; i++)
        value |= (uint64_t)from[i] << 8 * i;
    return value;
}

static void put(uint8_t *to, uint64_t value, int size)
{
    for (int i = 0; i < size; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

/* Fields of the header of a stream, of a block, of an index behind its head, and of a short stream. */
typedef struct field {
    int offset, size;
} field;

enum { STREAM, BLOCK, INDEX, SHORT, KINDS, MAX_FIELDS = 9 };

static const struct kind {
    const uint8_t *magic;
    size_t summed;
    field field[MAX_FIELDS];
    size_t fields;
} kinds[KINDS] = {
    {sbz_magic_stream, 16, {{8, 1}, {9, 1}, {10, 1}, {11, 1}, {12, 4}}, 5},
    {sbz_magic_block, 40, {{8, 8}, {16, 8}, {24, 4}, {28, 4}, {32, 4}, {36, 1}, {37, 1}, {38, 2}}, 8},
    {sbz_magic_index, 16, {{8, 4}, {12, 4}}, 2},
    {sbz_magic_stream, 32, {{8, 1}, {9, 1}, {10, 1}, {11, 1}, {12, 4}, {16, 4}, {20, 4}, {24, 8}}, 8},
};

/* True if a whole header of this kind begins here. The two kinds of streams have the same magic. */
static bool is_head(const bytes *b, const uint8_t *at, const struct kind *kind)
{
    return (size_t)(b->data + b->size - at) >= kind->summed + 8 && memcmp(at, kind->magic, SBZ_MAGIC) == 0 &&
           (kind->magic != sbz_magic_stream || sbz_is_short(at, SBZ_SHORT_HEADER) == (kind == &kinds[SHORT]));
}

static void put_sum(uint8_t *head, const struct kind *kind)
{
    put(head + kind->summed, sbz_checksum(0, head, kind->summed), 8);
}

/* Changes a byte of a header, and makes its sum right. */
static void forge(bytes *b)
{
    const size_t from = draw(b->size);

    for (size_t i = 0; i < b->size; i++) {
        uint8_t *at = b->data + (from + i) % b->size;

        for (const struct kind *kind = kinds; kind < kinds + KINDS; kind++) {
            if (!is_head(b, at, kind))
                continue;
            uint8_t *byte = at + SBZ_MAGIC + draw(kind->summed - SBZ_MAGIC);

            *byte = draw(2) != 0 ? (uint8_t)draw(256) : (uint8_t)(*byte + 1 - 2 * draw(2));
            put_sum(at, kind);
            return;
        }
    }
}

/* A value at or past some limit, near the value that is there, or that of another field. */
static uint64_t some_value(const uint8_t *head, const struct kind *kind, const field *f)
{
    static const uint64_t limits[] = {0,       1,       6,          LARGEST,       4 * LARGEST,
                                      1 << 20, 1 << 30, UINT32_MAX, SBZ_ENTROPIES, UINT64_MAX};
    const field *other = &kind->field[draw(kind->fields)];
    const uint64_t step = draw(3) - 1;

    switch (draw(4)) {
    case 0:
        return get(head + f->offset, f->size) + (draw(2) != 0 ? 1 : -(uint64_t)1);
    case 1:
        return get(head + other->offset, other->size) + step;
    case 2:
        return draw(f->size == 1 ? SBZ_ENTROPIES + 1 : 1 << draw(31));
    default:
        return limits[draw(sizeof limits / sizeof *limits)] + step;
    }
}

/* Writes the index of the first stream anew from the headers of its blocks, if they still lead to it; or the tail of a
 * short stream. */
static void repair_index(bytes *b)
{
    uint64_t at = SBZ_STREAM_HEADER, original = 0, count = 0, sum = 0;
    uint8_t *entry, *tail;

    if (b->size >= SBZ_SHORT_HEADER && sbz_is_short(b->data, b->size)) {
        at = SBZ_SHORT_HEADER + get(b->data + 16, 4);
        if (at + SBZ_SHORT_TAIL <= b->size)
            sbz_put_short_tail(b->data + at, (uint32_t)get(b->data + 16, 4));
        return;
    }
    while (at + SBZ_BLOCK_HEADER <= b->size && memcmp(b->data + at, sbz_magic_block, SBZ_MAGIC) == 0) {
        const uint64_t n = get(b->data + at + 24, 4);

        sum = sbz_checksum_join(sum, get(b->data + at + 16, 8), n);
        original += n;
        count++;
        at += SBZ_BLOCK_HEADER + get(b->data + at + 28, 4);
    }
    if (at + SBZ_INDEX_HEAD + SBZ_INDEX_ENTRY * count + SBZ_INDEX_TAIL > b->size ||
        memcmp(b->data + at, sbz_magic_index, SBZ_MAGIC) != 0 || get(b->data + at + 8, 4) != count)
        return;
    entry = b->data + at + SBZ_INDEX_HEAD;
    tail = entry + SBZ_INDEX_ENTRY * count;
    at = SBZ_STREAM_HEADER;
    for (uint8_t *e = entry; e < tail; e += SBZ_INDEX_ENTRY) {
        const uint8_t *head = b->data + at;
        const bool reduced = (head[37] >> 2 & 3) != 0;

        memcpy(e, head + 24, 8);
        memcpy(e + 8, reduced ? head + SBZ_BLOCK_HEADER : head + 24, 4);
        memcpy(e + 12, head + 36, 4);
        at += SBZ_BLOCK_HEADER + get(b->data + at + 28, 4);
    }
    put(tail, original, 8);
    put(tail + 8, sum, 8);
    put(tail + SBZ_TAIL_SUMMED, sbz_checksum(0, entry, (size_t)(tail - entry) + SBZ_TAIL_SUMMED), 8);
}

/* Changes one field or two of one header, and makes all sums right. In half of the files (of short streams in one of eight) blocks
 * may first be as large as the format allows, so that only other checks can refuse them. */
static void forge_fields(bytes *b)
{
    const bool is_short = b->size >= SBZ_SHORT_HEADER && sbz_is_short(b->data, b->size);
    const struct kind *kind = &kinds[draw(4) == 0 ? draw(KINDS) : is_short ? SHORT : BLOCK];
    const size_t from = draw(b->size);

    if (is_short ? draw(8) == 0 : draw(2) != 0) { /* the block limit; in a short stream the size of the block, too */
        put(b->data + 12, SBZ_MAX_BLOCK, 4);
        put_sum(b->data, &kinds[is_short ? SHORT : STREAM]);
    }
    for (size_t i = 0; i < b->size; i++) {
        uint8_t *head = b->data + (from + i) % b->size;

        if (!is_head(b, head, kind))
            continue;
        for (uint64_t k = 0, count = 1 + draw(2); k < count; k++) {
            const field *f = &kind->field[draw(kind->fields)];

            put(head + f->offset, some_value(head, kind, f), f->size);
        }
        put_sum(head, kind);
        repair_index(b);
        return;
    }
}

/* Changes the first bytes of a payload, where numbers and code lengths stand. */
static void forge_payload(bytes *b)
{
    static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0x81, 0xff};
    const size_t from = draw(b->size);

    for (size_t i = 0; i < b->size; i++) {
        const size_t at = (from + i) % b->size;

        const struct kind *kind = is_head(b, b->data + at, &kinds[SHORT]) ? &kinds[SHORT] : &kinds[BLOCK];

        if (!is_head(b, b->data + at, kind))
            continue;
        for (uint64_t k = 0, count = 1 + draw(3); k < count; k++) {
            const size_t byte = at + kind->summed + 8 + draw(16);

            if (byte < b->size)
                b->data[byte] = draw(2) != 0 ? values[draw(sizeof values)] : (uint8_t)draw(256);
        }
        return;
    }
}

/* Changes a bit of the header of a block or of a short stream; its sum is wrong then. */
static void flip_header(bytes *b)
{
    const size_t from = draw(b->size);

    for (size_t i = 0; i < b->size; i++) {
        const size_t at = (from + i) % b->size;

        const struct kind *kind = is_head(b, b->data + at, &kinds[SHORT]) ? &kinds[SHORT] : &kinds[BLOCK];

        if (!is_head(b, b->data + at, kind))
            continue;
        b->data[at + SBZ_MAGIC + draw(kind->summed + 8 - SBZ_MAGIC)] ^= (uint8_t)(1 << draw(8));
        return;
    }
}

static void nothing(bytes *b)
{
    (void)b;
}

/* `in_place`: what comes before the damage keeps its offset. */
static const struct damage {
    const char *name;
    void (*make)(bytes *b);
    bool in_place;
} damages[] = {
    {"bits flipped", flip_bits, true},
    {"bytes overwritten", overwrite, true},
    {"bytes cleared", clear, true},
    {"truncated", truncate_at, true},
    {"garbage added", add_garbage, true},
    {"a piece removed", remove_piece, false},
    {"a piece twice", repeat_piece, false},
    {"spliced", splice, false},
    {"a payload forged", forge_payload, true},
    {"nothing", nothing, true},
    {"a number forged", forge, false},
    {"a header changed", flip_header, true},
};

static const struct damage forged = {"fields forged", forge_fields, false};

enum { DAMAGES = sizeof damages / sizeof *damages };

/* Each second file has forged fields. */
static const struct damage *damage_of(unsigned long file)
{
    return file % 2 == 0 ? &forged : &damages[file / 2 % DAMAGES];
}

/* ---- judgement ---- */

/* True if the bytes are a sequence of whole streams. reached[i]: the first i bytes are. */
static bool is_row_of_streams(const bytes *text)
{
    uint8_t *reached = calloc(text->size + 1, 1);
    bool good;

    reached[0] = 1;
    for (size_t i = 0; i < text->size; i++)
        for (size_t s = 0; reached[i] && s < streams; s++)
            if (contents[s].size != 0 && contents[s].size <= text->size - i &&
                memcmp(text->data + i, contents[s].data, contents[s].size) == 0)
                reached[i + contents[s].size] = 1;
    good = reached[text->size];
    free(reached);
    return good;
}

/* True if some stream has these bytes at the position of the block. */
static bool is_original(const sbz_block *block, const sbz_text *text)
{
    for (size_t s = 0; s < streams; s++)
        if (block->position <= contents[s].size && text->size <= contents[s].size - block->position &&
            memcmp(contents[s].data + block->position, text->data, text->size) == 0)
            return true;
    return false;
}

/* Decodes a record whose payload ends at an unmapped page, so that a read behind it is a crash. */
static void decode(const sbz_record *record, sbz_text *text)
{
    static uint8_t *memory = NULL;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t capacity = (MEMORY + page - 1) / page * page;
    sbz_record moved = *record;

    if (memory == NULL) {
        memory = mmap(NULL, capacity + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED || mprotect(memory + capacity, page, PROT_NONE) != 0)
            give_up("out of memory in the test itself");
    }
    moved.payload = memory + capacity - record->block.encoded;
    memcpy(moved.payload, record->payload, record->block.encoded);
    if (sbz_codec_decode(codec, &moved, 1, text) != SB_OK)
        give_up(sbz_codec_error(codec));
}

/* What reading and decoding a block takes: the text, the record, and the window of the reader. */
static uint64_t need(const sbz_block *block)
{
    return sbz_decode_memory(block) + block->original + 3 * (uint64_t)block->encoded;
}

/* Reads what can be read. True: all, without an error. */
static bool read_file(bytes *file, bool recover, const struct damage *damage, bytes *text)
{
    sbz_record record = {0};
    sbz_text block = {0};
    sbz_reader reader;
    sbz_read_status status;
    bool good = true;
    uint64_t reports = 0;

    file->at = 0;
    sbz_reader_init(&reader, SBZ_MAX_BLOCK, recover, take, file);
    reader.need = need;
    reader.max_need = MEMORY;
    while ((status = sbz_reader_next(&reader, &record)) == SBZ_READ_BLOCK ||
           (recover && (status == SBZ_READ_BAD || status == SBZ_READ_LIMIT))) {
        if (status != SBZ_READ_BLOCK && ++reports > file->size + 1) /* an empty file has one */
            give_up("recovery does not end");
        good = good && status == SBZ_READ_BLOCK;
        heavy += status == SBZ_READ_LIMIT;
        if (status != SBZ_READ_BLOCK)
            continue;
        decode(&record, &block);
        if (block.error[0] != '\0') {
            good = false;
            if (!recover)
                break;
            sbz_reader_damaged(&reader);
            continue;
        }
        if (damage->make != forge && damage->make != forge_fields && !is_original(&record.block, &block))
            give_up("a block has other bytes");
        append(text, block.data, block.size);
    }
    if (status == SBZ_READ_SOURCE || status == SBZ_READ_MEMORY)
        give_up("the reader reports a failure of memory or source");
    sbz_reader_free(&reader);
    sbz_record_free(&record);
    sbz_text_free(&block);
    return good && status == SBZ_READ_END;
}

static void read_index(bytes *file)
{
    sbz_index index;

    for (uint64_t end = file->size; end > 0; end = index.before) {
        if (sbz_index_read(&index, end, take_at, file) != SBZ_READ_END)
            return;
        if (index.start >= end)
            give_up("an index of nothing");
        sbz_index_free(&index);
    }
}

/* An input of fuzz_sbz: a file that is read with recovery. */
static void write_seed(const bytes *damaged)
{
    char path[4096];
    FILE *file;

    if (directory == NULL || damaged->size > 4096)
        return;
    snprintf(path, sizeof path, "%s/%lu", directory, number);
    file = fopen(path, "wb");
    if (file == NULL || fputc(1, file) == EOF || fwrite(damaged->data, 1, damaged->size, file) != damaged->size ||
        fclose(file) != 0)
        give_up("cannot write a seed");
}

/* True: the damaged file was read without an error. */
static bool try_one(const struct damage *damage, const bytes *file)
{
    bytes damaged = copy_of(file, 0, file->size), text = {0}, recovered = {0};
    bool good;

    snprintf(now, sizeof now, "%s", damage->name);
    damage->make(&damaged);
    write_seed(&damaged);
    peak = in_use;
    size_t before = in_use;

    good = read_file(&damaged, false, damage, &text);
    highest = peak - before - text.size > highest ? peak - before - text.size : highest;
    if (peak - before - text.size > MEMORY + sizeof(sbz_text) * 16)
        give_up("more memory than the limit");
    if (good && !is_row_of_streams(&text))
        give_up("other bytes without an error");
    if (damage->make == nothing && !good)
        give_up("an error for an intact file");
    read_file(&damaged, true, damage, &recovered);
    if (damage->in_place && recovered.size < text.size)
        give_up("recovery gives less than reading");
    read_index(&damaged);
    free(damaged.data);
    free(text.data);
    free(recovered.data);
    return good;
}

/* Bytes that a reference copies for each byte of a block: the code, the symbols, the output. */
enum { REFERENCE_COPIES = 12 };

static void try_craft(const struct damage_craft *craft, bool references)
{
    sbz_record record = {
        .block = {.original = LARGEST, .encoded = LARGEST, .transformed = LARGEST, .entropy = craft->entropy}};
    sbz_text text = {0};
    size_t before = in_use;

    snprintf(now, sizeof now, "%s", craft->name);
    peak = in_use;
    record.payload = calloc(1, LARGEST);
    craft->make(&record);
    decode(&record, &text);
    if (strstr(text.error, craft->error) == NULL)
        give_up("an invalid payload is accepted");
    highest = peak - before > highest ? peak - before : highest;
    if (peak - before > need(&record.block) + references * REFERENCE_COPIES * LARGEST)
        give_up("more memory than sbz_decode_memory says");
    free(record.payload);
    sbz_text_free(&text);
}

/* A codec that is new decodes a damaged payload: it must not take the memory that the transform needs, 9 bytes for each
 * byte of the block. */
static void try_transform(void)
{
    sbz_record record = {.block = {.original = LARGEST,
                                   .transformed = LARGEST,
                                   .encoded = LARGEST,
                                   .transform = SBZ_TRANSFORM_BWT,
                                   .ranking = SBZ_RANKING_MTF,
                                   .entropy = SBZ_ENTROPY_RLE0}};
    sbz_text text = {0};
    size_t before = in_use;

    snprintf(now, sizeof now, "a damaged payload before a transform");
    peak = in_use;
    record.payload = calloc(1, LARGEST);
    damage_crafts[0].make(&record);
    decode(&record, &text);
    if (text.error[0] == '\0' || peak - before > 4 * LARGEST)
        give_up("a damaged payload goes through the transform");
    free(record.payload);
    sbz_text_free(&text);
}

static void open_codec(const char *stages)
{
    const sbz_settings settings = {.where = SBZ_CPU, .stages = stages};

    if (sbz_codec_open(&codec, &settings) != SB_OK)
        give_up(sbz_codec_error(codec));
}

static void died(int signal)
{
    char line[160];
    int length = snprintf(line, sizeof line, "not ok 1 - damage %lu, %s: signal %d\n", number, now, signal);

    if (write(STDOUT_FILENO, line, (size_t)length) < 0)
        _exit(3);
    _exit(2);
}

int main(int argc, char **argv)
{
    const unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 300;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    const unsigned long first = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
    unsigned long whole = 0;
    size_t made = 0;

    directory = argc > 4 ? argv[4] : NULL;
    signal(SIGPROF, died);
    signal(SIGSEGV, died);
    signal(SIGBUS, died);
    signal(SIGABRT, died);
    signal(SIGFPE, died);
    printf("1..1\n");
    open_codec(NULL);
    make_files();
    while (made < FILES && files[made].size != 0)
        made++;
    for (number = first; number < first + count; number++) {
        const struct itimerval second = {.it_value.tv_sec = SECONDS};

        setitimer(ITIMER_PROF, &second, NULL);
        state = seed + number * 0x2545f4914f6cdd1du;
        whole += try_one(damage_of(number), &files[draw(made)]);
    }
    setitimer(ITIMER_PROF, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
    if (count >= 500 && heavy == 0)
        give_up("no file needed more memory than the limit");
    for (int references = 0; references < 2;
         references++) { /* variants check the capacity of their outputs, references do not */
        sbz_codec_close(codec);
        open_codec(references ? "reference" : NULL);
        try_transform();
        for (size_t i = 0; i < damage_craft_count; i++)
            try_craft(&damage_crafts[i], references != 0);
    }
    printf("# seed %llu: %lu of %lu read as whole; %zu bytes of memory at most, of %d; %lu blocks needed more\n",
           (unsigned long long)seed, whole, count, highest, MEMORY, heavy);
    sbz_codec_close(codec);
    printf("ok 1 - damaged files give an error or the original bytes\n");
    return EXIT_SUCCESS;
}
