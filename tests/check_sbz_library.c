/* SPDX-License-Identifier: BSD-2-Clause
 *
 * libsbz: what include/sbz.h promises, against the container and codecs below it.
 */
#include "sbz_fixture.h"
#include "suite.h"
#include "../sbz/levels.h"
#include "../sbz/memory.h"
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <sbz.h>
#include <stdatomic.h>
#include <unistd.h>

enum { SIZE = 20000, BLOCK = 3000 };

/* ---- memory in use, by the linker's --wrap ---- */

static atomic_size_t in_use, peak;
static atomic_long allowed = -1; /* allocations that do not fail; -1: all */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
int __real_posix_memalign(void **block, size_t alignment, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
int __wrap_posix_memalign(void **block, size_t alignment, size_t size);
void __wrap_free(void *block);

static void *count(void *block)
{
    const size_t more = block != NULL ? malloc_usable_size(block) : 0, now = atomic_fetch_add(&in_use, more) + more;

    for (size_t before = peak; now > before && !atomic_compare_exchange_weak(&peak, &before, now);)
        continue;
    return block;
}

static bool may_allocate(void)
{
    return allowed < 0 || allowed-- > 0;
}

void *__wrap_malloc(size_t size)
{
    return may_allocate() ? count(__real_malloc(size)) : NULL;
}

void *__wrap_calloc(size_t n, size_t size)
{
    return may_allocate() ? count(__real_calloc(n, size)) : NULL;
}

void *__wrap_realloc(void *block, size_t size)
{
    const size_t before = block != NULL ? malloc_usable_size(block) : 0;
    void *grown = may_allocate() ? __real_realloc(block, size) : NULL;

    if (grown != NULL)
        in_use -= before;
    return grown != NULL ? count(grown) : NULL;
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t size)
{
    const int status = may_allocate() ? __real_posix_memalign(block, alignment, size) : 12;

    if (status == 0)
        count(*block);
    return status;
}

void __wrap_free(void *block)
{
    in_use -= block != NULL ? malloc_usable_size(block) : 0;
    __real_free(block);
}

/* ---- an allocator of the caller ---- */

typedef struct pool {
    atomic_size_t given, pieces; /* pieces that are out, and all that were */
    atomic_long left;            /* pieces that it gives; below 0: all */
} pool;

static void *from_pool(void *with, size_t size)
{
    pool *p = with;
    void *piece = p->left == 0 ? NULL : __real_malloc(size);

    p->left -= p->left > 0;
    p->given += piece != NULL;
    p->pieces += piece != NULL;
    return piece;
}

static void to_pool(void *with, void *piece)
{
    pool *p = with;

    ck_assert_ptr_nonnull(piece);
    p->given--;
    __real_free(piece);
}

/* ---- questions to the system: the library calls these instead of those of the C library ---- */

static atomic_size_t questions; /* files that were opened, and calls of sysconf, which opens some */

typedef FILE *opener(const char *path, const char *mode);
typedef long asker(int name);

FILE *fopen(const char *path, const char *mode)
{
    opener *real;

    *(void **)&real = dlsym(RTLD_NEXT, "fopen");
    questions++;
    return real(path, mode);
}

long sysconf(int name)
{
    asker *real;

    *(void **)&real = dlsym(RTLD_NEXT, "sysconf");
    questions++;
    return real(name);
}

/* ---- files ---- */

static uint8_t text[SIZE];

static void make_text(void)
{
    allowed = -1;
    fill_text(text, SIZE, 3);
}

/* A source that counts what is asked of it, and fails, or lies, at a byte. */
typedef struct source {
    memory file;
    size_t fails_at; /* 0: never */
    bool lies;
    unsigned ends;
} source;

static ptrdiff_t give(void *from, void *bytes, size_t size)
{
    source *s = from;
    ptrdiff_t got;

    ck_assert_uint_ge(size, 1);
    ck_assert_msg(s->ends == 0, "the source is called after its end");
    if (s->fails_at != 0 && s->file.at >= s->fails_at) {
        s->ends++;
        return s->lies ? (ptrdiff_t)size + 1 : -1;
    }
    got = take(&s->file, bytes, size);
    s->ends += got == 0;
    return got;
}

static source source_of(const void *bytes, size_t size, size_t step)
{
    return (source){.file = {.bytes = (uint8_t *)bytes, .size = size, .step = step}};
}

/* Reads a stream to its end, in pieces of `piece` bytes, and closes it. */
static sbz_result drain(sbz_stream *stream, size_t piece, memory *to, char *message)
{
    uint8_t buffer[4096];
    sbz_result result;
    size_t got;

    while ((result = sbz_stream_read(stream, buffer, piece, &got)) == SBZ_OK && got > 0) {
        ck_assert_uint_le(got, piece);
        ck_assert_str_eq(sbz_stream_message(stream), "");
        append(to, buffer, got);
    }
    ck_assert_uint_eq(got, 0);
    snprintf(message, SBZ_ERROR, "%s", sbz_stream_message(stream));
    ck_assert_int_eq(sbz_stream_read(stream, buffer, piece, &got), result);
    ck_assert_uint_eq(got, 0);
    sbz_stream_close(stream);
    return result;
}

static void pack(const sbz_parameters *parameters, const void *bytes, size_t size, memory *to)
{
    const uint64_t bound = sbz_compress_bound(parameters, size);

    *to = (memory){.bytes = malloc(bound), .capacity = bound};
    ck_assert_int_eq(sbz_compress(parameters, bytes, size, to->bytes, bound, &to->size), SBZ_OK);
    ck_assert_uint_le(to->size, bound);
}

START_TEST(buffers_do_not_come_back)
{
    static const size_t sizes[] = {0, 1, 2, BLOCK - 1, BLOCK, BLOCK + 1, SIZE};
    static const sbz_parameters with[] = {
        {0}, {.level = 1}, {.level = 9}, {.block = BLOCK}, {.block = BLOCK, .threads = 3}, {.block = 7}};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t k = 0; k < sizeof with / sizeof *with; k++) {
            uint8_t back[SIZE + 1];
            uint64_t original;
            size_t got;
            memory file;

            pack(&with[k], sizes[i] > 0 ? text : NULL, sizes[i], &file);
            ck_assert_int_eq(sbz_decompress(&with[k], file.bytes, file.size, back, sizeof back, &got), SBZ_OK);
            ck_assert_uint_eq(got, sizes[i]);
            ck_assert(memcmp(back, text, got) == 0);
            ck_assert_int_eq(sbz_decompress(NULL, file.bytes, file.size, got > 0 ? back : NULL, got, &got), SBZ_OK);
            ck_assert_uint_eq(got, sizes[i]);
            ck_assert_int_eq(sbz_original_size(file.bytes, file.size, &original), SBZ_OK);
            ck_assert_uint_eq(original, sizes[i]);
            if (sizes[i] > 0)
                ck_assert_int_eq(sbz_decompress(NULL, file.bytes, file.size, back, sizes[i] - 1, &got), SBZ_NO_SPACE);
            ck_assert_int_eq(
                sbz_compress(&with[k], text, sizes[i], back, file.size - 1 < SIZE ? file.size - 1 : 0, &got),
                SBZ_NO_SPACE);
            ck_assert_uint_eq(got, 0);
            free(file.bytes);
        }
}
END_TEST

START_TEST(streams_and_buffers_write_other_bytes)
{
    static const size_t steps[] = {1, 7, 4096};

    for (uint32_t threads = 0; threads <= 4; threads++)
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
            const sbz_parameters parameters = {.block = BLOCK, .threads = threads}, one = {.block = BLOCK};
            source from = source_of(text, SIZE, steps[k]);
            memory packed = {0}, back = {0}, expected;
            sbz_stream *stream;
            char message[SBZ_ERROR];

            pack(&one, text, SIZE, &expected);
            ck_assert_int_eq(sbz_compressor_open(&stream, &parameters, give, &from), SBZ_OK);
            ck_assert_int_eq(drain(stream, steps[k], &packed, message), SBZ_OK);
            ck_assert_uint_eq(packed.size, expected.size);
            ck_assert(memcmp(packed.bytes, expected.bytes, packed.size) == 0);
            from = source_of(packed.bytes, packed.size, steps[k]);
            ck_assert_int_eq(sbz_decompressor_open(&stream, &parameters, give, &from), SBZ_OK);
            ck_assert_int_eq(drain(stream, steps[k], &back, message), SBZ_OK);
            ck_assert_uint_eq(back.size, SIZE);
            ck_assert(memcmp(back.bytes, text, SIZE) == 0);
            free(packed.bytes);
            free(back.bytes);
            free(expected.bytes);
        }
}
END_TEST

/* Gives a stream without a source pieces of `step` bytes, and space for `space` bytes at once. Closes it. */
static sbz_result push(sbz_stream *stream, const uint8_t *bytes, size_t size, size_t step, size_t space, memory *to,
                       char *message)
{
    uint8_t *const output = malloc(space);
    size_t given = 0;
    sbz_result result;

    do {
        sbz_buffers b = {.input = bytes + given, .input_size = size - given < step ? size - given : step};
        const size_t before = b.input_size;
        const int last = given + b.input_size == size;

        b.output = output;
        b.output_size = space;
        if (b.input_size == 0)
            b.input = NULL;
        result = sbz_stream_code(stream, &b, last);
        given += before - b.input_size;
        ck_assert_uint_le(b.output_size, space);
        ck_assert_ptr_eq(b.output, output + (space - b.output_size));
        if (b.output_size < space)
            append(to, output, space - b.output_size);
        if (result == SBZ_OK) {
            ck_assert_msg(b.input_size == 0 || b.output_size == 0, "it stops, and neither buffer is used up");
            ck_assert_msg(!last || b.output_size == 0, "it stops before the end, and there is space");
        }
    } while (result == SBZ_OK);
    snprintf(message, SBZ_ERROR, "%s", sbz_stream_message(stream));
    ck_assert_int_eq(sbz_stream_code(stream, &(sbz_buffers){.input = NULL}, 1), result);
    sbz_stream_close(stream);
    free(output);
    return result;
}

static void same_bytes(const memory *a, const void *bytes, size_t size, const char *what, size_t step)
{
    ck_assert_msg(a->size == size && (size == 0 || memcmp(a->bytes, bytes, size) == 0),
                  "%s, pieces of %zu: other bytes", what, step);
}

START_TEST(pieces_and_buffers_write_other_bytes)
{
    static const size_t steps[] = {1, 7, 4096, 1 << 20}, sizes[] = {0, 1, BLOCK, SIZE};

    for (uint32_t threads = 1; threads <= 3; threads++)
        for (size_t i = 0; i < 4 * sizeof steps / sizeof *steps; i++) {
            const size_t step = steps[i / 4], size = sizes[i % 4];
            const sbz_parameters parameters = {.block = BLOCK, .threads = threads};
            memory packed = {0}, back = {0}, expected;
            sbz_stream *stream;
            char message[SBZ_ERROR];

            pack(&parameters, text, size, &expected);
            ck_assert_int_eq(sbz_compressor_open(&stream, &parameters, NULL, NULL), SBZ_OK);
            ck_assert_int_eq(push(stream, text, size, step, steps[threads - 1], &packed, message), SBZ_END);
            same_bytes(&packed, expected.bytes, expected.size, "compression", step);
            ck_assert_int_eq(sbz_decompressor_open(&stream, &parameters, NULL, NULL), SBZ_OK);
            ck_assert_int_eq(push(stream, packed.bytes, packed.size, step, steps[threads - 1], &back, message),
                             SBZ_END);
            same_bytes(&back, text, size, "decompression", step);
            ck_assert_str_eq(message, "");
            free(packed.bytes);
            free(back.bytes);
            free(expected.bytes);
        }
}
END_TEST

/* Runs, noise and text, which the splitter reads far ahead for, and that reach beyond what is held at first. */
START_TEST(pieces_of_unlike_contents_are_split_otherwise)
{
    enum { MUCH = 8 << 20 };
    static const size_t steps[] = {1000, 1 << 20, MUCH};
    uint8_t *much = calloc(1, MUCH);
    uint64_t seed = 1;
    memory expected;
    sbz_stream *stream;
    char message[SBZ_ERROR];

    fill_text(much + (3 << 20), 2 << 20, 3);
    for (size_t i = 0; i < 1 << 20; i++)
        much[(6 << 20) + i] = (uint8_t)(next_random(&seed) >> 56);
    pack(&(sbz_parameters){.level = 1}, much, MUCH, &expected);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const sbz_parameters parameters = {.level = 1, .threads = (uint32_t)i + 1};
        memory packed = {0};

        ck_assert_int_eq(sbz_compressor_open(&stream, &parameters, NULL, NULL), SBZ_OK);
        ck_assert_int_eq(push(stream, much, MUCH, steps[i], 1 << 16, &packed, message), SBZ_END);
        same_bytes(&packed, expected.bytes, expected.size, "compression", steps[i]);
        free(packed.bytes);
    }
    free(expected.bytes);
    free(much);
}
END_TEST

/* Gives the stream all of the input, and flushes it. */
static void flush(sbz_stream *stream, const uint8_t *bytes, size_t size, size_t space, memory *to)
{
    uint8_t output[4096];
    sbz_buffers b = {.input = bytes, .input_size = size};

    do {
        b.output = output;
        b.output_size = space;
        ck_assert_int_eq(sbz_stream_flush(stream, &b), SBZ_OK);
        append(to, output, space - b.output_size);
    } while (b.output_size == 0);
    ck_assert_uint_eq(b.input_size, 0);
}

START_TEST(flushed_bytes_wait_for_more)
{
    static const size_t pieces[] = {1, 100, BLOCK, BLOCK + 1, 0, 4 * BLOCK, 17};

    for (uint32_t threads = 1; threads <= 3; threads++)
        for (size_t space = 7; space <= 4096; space += 4089) {
            const sbz_parameters parameters = {.block = BLOCK, .threads = threads};
            memory packed = {0}, back = {0};
            sbz_stream *in, *out;
            uint8_t whole[SIZE];
            char message[SBZ_ERROR];
            size_t at = 0, got;

            ck_assert_int_eq(sbz_compressor_open(&in, &parameters, NULL, NULL), SBZ_OK);
            ck_assert_int_eq(sbz_decompressor_open(&out, &parameters, NULL, NULL), SBZ_OK);
            for (size_t i = 0; i < sizeof pieces / sizeof *pieces; at += pieces[i++]) {
                const size_t before = packed.size;

                flush(in, text + at, pieces[i], space, &packed);
                ck_assert_msg(pieces[i] != 0 || packed.size == before, "flushing nothing writes something");
                flush(out, packed.bytes + before, packed.size - before, space, &back);
                same_bytes(&back, text, at + pieces[i], "what was flushed", pieces[i]);
            }
            const size_t flushed = packed.size;

            ck_assert_int_eq(push(in, text + at, SIZE - at, SIZE, space, &packed, message), SBZ_END);
            ck_assert_int_eq(push(out, packed.bytes + flushed, packed.size - flushed, SIZE, space, &back, message),
                             SBZ_END);
            same_bytes(&back, text, SIZE, "all", 0);
            ck_assert_int_eq(sbz_decompress(NULL, packed.bytes, packed.size, whole, SIZE, &got), SBZ_OK);
            ck_assert(got == SIZE && memcmp(whole, text, SIZE) == 0);
            free(packed.bytes);
            free(back.bytes);
        }
}
END_TEST

START_TEST(a_reset_stream_is_not_like_a_new_one)
{
    const sbz_parameters parameters = {.block = BLOCK, .threads = 2};
    memory file, bad, packed = {0}, back = {0};
    sbz_buffers b;
    sbz_stream *in, *out;
    source from = source_of(text, SIZE, 1000), again = from;
    uint8_t some[2 * BLOCK];
    char message[SBZ_ERROR];
    size_t got;

    pack(&parameters, text, SIZE, &file);
    pack(&parameters, text, SIZE, &bad);
    bad.bytes[bad.size / 2] ^= 1;
    ck_assert_int_eq(sbz_compressor_open(&in, &parameters, give, &from), SBZ_OK);
    ck_assert_int_eq(sbz_stream_read(in, some, 100, &got), SBZ_OK);
    sbz_stream_reset(in, &again);
    ck_assert_int_eq(drain(in, 999, &packed, message), SBZ_OK);
    same_bytes(&packed, file.bytes, file.size, "from a source", 0);

    ck_assert_int_eq(sbz_compressor_open(&in, &parameters, NULL, NULL), SBZ_OK);
    ck_assert_int_eq(sbz_decompressor_open(&out, &parameters, NULL, NULL), SBZ_OK);
    for (size_t cut = 0; cut < SIZE; cut += SIZE / 3) { /* in the middle of what it holds */
        b = (sbz_buffers){.input = text, .input_size = cut, .output = some, .output_size = sizeof some};
        ck_assert_int_eq(sbz_stream_code(in, &b, 0), SBZ_OK);
        sbz_stream_reset(in, NULL);
        b = (sbz_buffers){.input = bad.bytes, .input_size = bad.size};
        do {
            b.output = some;
            b.output_size = sizeof some;
        } while (sbz_stream_code(out, &b, 1) == SBZ_OK);
        ck_assert_str_ne(sbz_stream_message(out), "");
        sbz_stream_reset(out, NULL);
        ck_assert_str_eq(sbz_stream_message(out), "");
    }
    packed.size = 0;
    ck_assert_int_eq(push(in, text, SIZE, 999, 4096, &packed, message), SBZ_END);
    same_bytes(&packed, file.bytes, file.size, "in pieces", 0);
    ck_assert_int_eq(push(out, file.bytes, file.size, 999, 4096, &back, message), SBZ_END);
    same_bytes(&back, text, SIZE, "decompression", 0);
    free(packed.bytes);
    free(back.bytes);
    free(file.bytes);
    free(bad.bytes);
}
END_TEST

START_TEST(what_follows_or_lacks_is_no_error_in_pieces)
{
    const sbz_parameters parameters = {.block = BLOCK};
    memory file, back = {0};
    sbz_stream *stream;
    char message[SBZ_ERROR];
    sbz_result result;
    const size_t steps[] = {1, 5, 1000};

    pack(&parameters, text, SIZE, &file);
    const size_t size = file.size;
    append(&file, "\0\0\0", 3);
    append(&file, file.bytes, size);
    for (size_t k = 0; k < 3; k++) {
        struct {
            size_t size;
            const char *says;
        } cases[] = {{size - 1, "ends inside an index"},
                     {size / 2, "ends inside a block"},
                     {0, "ends inside the header"},
                     {size + 3, NULL},
                     {file.size, "not the header of a stream"}};

        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            char expected[64];

            ck_assert_int_eq(sbz_decompressor_open(&stream, NULL, NULL, NULL), SBZ_OK);
            back.size = 0;
            result = push(stream, file.bytes, cases[i].size, steps[k], 999, &back, message);
            ck_assert_int_eq(result, cases[i].says == NULL ? SBZ_END : SBZ_BAD_DATA);
            ck_assert_msg(cases[i].says == NULL || strstr(message, cases[i].says) != NULL, "%s", message);
            ck_assert(back.size == 0 || memcmp(back.bytes, text, back.size) == 0);
            ck_assert_uint_eq(back.size, i == 1 ? 3 * BLOCK : i == 2 ? 0 : SIZE);
            snprintf(expected, sizeof expected, "byte %zu: ", i == 4 ? size : cases[i].size);
            ck_assert_msg(i == 3 || strstr(message, expected) != NULL, "%s", message);
        }
    }
    ck_assert_int_eq(sbz_decompressor_open(&stream, NULL, NULL, NULL), SBZ_OK);
    sbz_buffers b = {.input = file.bytes, .input_size = size, .output = malloc(SIZE), .output_size = SIZE};
    void *const output = b.output;
    ck_assert_int_eq(sbz_stream_code(stream, &b, 1), SBZ_END);
    b = (sbz_buffers){.input = file.bytes, .input_size = 1, .output = output, .output_size = SIZE};
    ck_assert_int_eq(sbz_stream_code(stream, &b, 1), SBZ_BAD_PARAMETER);
    ck_assert_uint_eq(b.input_size, 1);
    ck_assert_int_eq(sbz_stream_read(stream, output, SIZE, &(size_t){0}), SBZ_BAD_PARAMETER);
    sbz_stream_close(stream);
    source from = source_of(file.bytes, size, 1);
    ck_assert_int_eq(sbz_decompressor_open(&stream, NULL, give, &from), SBZ_OK);
    ck_assert_int_eq(sbz_stream_code(stream, &b, 1), SBZ_BAD_PARAMETER);
    sbz_stream_close(stream);
    free(output);
    free(back.bytes);
    free(file.bytes);
}
END_TEST

START_TEST(several_streams_and_zeros_behind_are_not_one_file)
{
    enum { LONG = 200000 }; /* more than the block for which the first batch is planned: it waits for the next one */
    static const uint8_t zeros_of_text[LONG];
    uint8_t file[3 * SIZE] = {0}, back[700 + SIZE + LONG];
    const sbz_parameters blocks[] = {{.block = 100}, {.block = BLOCK}, {.block = 16 << 20}}, threads = {.threads = 4};
    const uint8_t *const texts[] = {text, text, zeros_of_text};
    const size_t sizes[] = {700, SIZE, LONG};
    size_t size = 0, got;
    uint64_t original;

    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(sbz_compress(&blocks[i], texts[i], sizes[i], file + size, sizeof file - size, &got), SBZ_OK);
        size += got;
    }
    for (size_t zeros = 0; zeros < 600; zeros += 512) {
        ck_assert_int_eq(sbz_decompress(&threads, file, size + zeros, back, sizeof back, &got), SBZ_OK);
        ck_assert_uint_eq(got, sizeof back);
        ck_assert(memcmp(back, text, 700) == 0 && memcmp(back + 700, text, SIZE) == 0 &&
                  memcmp(back + 700 + SIZE, zeros_of_text, LONG) == 0);
        ck_assert_int_eq(sbz_original_size(file, size + zeros, &original), SBZ_OK);
        ck_assert_uint_eq(original, sizeof back);
    }
    file[size + 5] = 1;
    ck_assert_int_eq(sbz_decompress(&threads, file, size + 6, back, sizeof back, &got), SBZ_BAD_DATA);
    ck_assert_uint_eq(got, sizeof back);
    ck_assert_int_eq(sbz_original_size(file, size + 6, &original), SBZ_BAD_DATA);
    ck_assert_uint_eq(original, 0);
}
END_TEST

START_TEST(a_range_is_other_bytes)
{
    const sbz_parameters parameters = {.block = BLOCK}, little = {.memory = 1}, invalid = {.level = 10};
    uint8_t file[4 * SIZE] = {0}, part[SIZE];
    uint64_t seed = 11;
    size_t size = 0, got, whole = 2 * SIZE + 700;

    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(sbz_compress(&parameters, text, i == 1 ? 700 : SIZE, file + size, sizeof file - size, &got),
                         SBZ_OK);
        size += got;
    }
    for (int i = 0; i < 200; i++) {
        const size_t offset = (next_random(&seed) >> 40) % (whole + 1),
                     wanted = i == 0 ? 0 : (next_random(&seed) >> 40) % sizeof part;
        const size_t given = wanted < whole - offset ? wanted : whole - offset;

        ck_assert_int_eq(sbz_decompress_range(NULL, file, size, offset, part, wanted, &got), SBZ_OK);
        ck_assert_uint_eq(got, given);
        for (size_t k = 0; k < given; k++) {
            const size_t at = offset + k;

            ck_assert_uint_eq(part[k], text[at < SIZE ? at : at < SIZE + 700 ? at - SIZE : at - SIZE - 700]);
        }
    }
    ck_assert_int_eq(sbz_decompress_range(NULL, file, size, whole + 1, part, 1, &got), SBZ_BAD_PARAMETER);
    ck_assert_int_eq(sbz_decompress_range(&invalid, file, size, 0, part, 1, &got), SBZ_BAD_PARAMETER);
    ck_assert_int_eq(sbz_decompress_range(&little, file, size, 0, part, 1, &got), SBZ_OVER_LIMIT);
    ck_assert_int_eq(sbz_decompress_range(NULL, NULL, 0, 0, part, 1, &got), SBZ_BAD_DATA);
    file[SBZ_STREAM_HEADER + SBZ_BLOCK_HEADER + 5] ^= 1; /* the first block */
    ck_assert_int_eq(sbz_decompress_range(NULL, file, size, 1, part, 1, &got), SBZ_BAD_DATA);
    ck_assert_uint_eq(got, 0);
    ck_assert_int_eq(sbz_decompress_range(NULL, file, size, BLOCK, part, 10, &got), SBZ_OK);
    ck_assert_int_eq(sbz_decompress_range(NULL, file, size - 1, BLOCK, part, 10, &got), SBZ_BAD_DATA);
    ck_assert_uint_eq(sbz_version(), SBZ_VERSION);
}
END_TEST

START_TEST(damage_is_no_error)
{
    const sbz_parameters parameters = {.block = BLOCK}, threads = {.threads = 3};
    uint8_t back[SIZE];
    uint64_t original;
    memory file;
    size_t got;

    pack(&parameters, text, SIZE, &file);
    for (size_t at = 0; at < file.size; at += 3) {
        file.bytes[at] ^= 4;
        ck_assert_int_eq(sbz_decompress(at % 2 != 0 ? &threads : NULL, file.bytes, file.size, back, SIZE, &got),
                         SBZ_BAD_DATA);
        ck_assert(got % BLOCK == 0 || got == SIZE);
        ck_assert(memcmp(back, text, got) == 0);
        file.bytes[at] ^= 4;
    }
    for (size_t size = 0; size < file.size; size += 1 + size / 50) {
        ck_assert_int_eq(sbz_decompress(NULL, size > 0 ? file.bytes : NULL, size, back, SIZE, &got), SBZ_BAD_DATA);
        ck_assert(memcmp(back, text, got) == 0);
        ck_assert_int_eq(sbz_original_size(file.bytes, size, &original), SBZ_BAD_DATA);
    }
    free(file.bytes);
}
END_TEST

START_TEST(an_error_comes_before_the_bytes_in_front_of_it)
{
    const sbz_parameters parameters = {.block = BLOCK};

    for (uint32_t threads = 1; threads <= 16; threads++) {
        const sbz_parameters with = {.threads = (threads + 1) / 2};
        memory file, back = {0};
        sbz_stream *stream;
        source from;
        char message[SBZ_ERROR];
        size_t got;

        pack(&parameters, text, SIZE, &file);
        file.bytes[file.size / 2] ^= threads % 2; /* in a payload */
        file.size = threads % 2 != 0 ? file.size : file.size / 2;
        from = source_of(file.bytes, file.size, 0);
        ck_assert_int_eq(sbz_decompressor_open(&stream, &with, give, &from), SBZ_OK);
        ck_assert_int_eq(sbz_stream_read(stream, NULL, 0, &got), SBZ_OK);
        ck_assert_uint_eq(got, 0);
        ck_assert_uint_eq(from.file.at, 0);
        ck_assert_int_eq(drain(stream, 999, &back, message), SBZ_BAD_DATA);
        ck_assert_uint_eq(back.size, 3 * BLOCK);
        ck_assert(memcmp(back.bytes, text, back.size) == 0);
        ck_assert_msg(strncmp(message, "block 4, byte ", 14) == 0, "%s", message);
        free(file.bytes);
        free(back.bytes);
    }
}
END_TEST

START_TEST(a_source_that_fails_is_an_end)
{
    const sbz_parameters parameters = {.block = BLOCK, .threads = 2};
    memory file;

    pack(&parameters, text, SIZE, &file);
    for (int way = 0; way < 4; way++) {
        source from = way % 2 ? source_of(file.bytes, file.size, 100) : source_of(text, SIZE, 100);
        memory to = {0};
        sbz_stream *stream;
        char message[SBZ_ERROR];

        from.fails_at = from.file.size / 2;
        from.lies = way >= 2;
        ck_assert_int_eq((way % 2 ? sbz_decompressor_open : sbz_compressor_open)(&stream, &parameters, give, &from),
                         SBZ_OK);
        ck_assert_int_eq(drain(stream, 4096, &to, message), SBZ_NO_INPUT);
        ck_assert_str_eq(message, sbz_result_text(SBZ_NO_INPUT));
        free(to.bytes);
    }
    free(file.bytes);
}
END_TEST

START_TEST(a_stream_is_not_read_as_it_arrives)
{
    const sbz_parameters parameters = {.block = BLOCK};
    source from;
    sbz_stream *stream;
    memory file;
    uint8_t back[SIZE];
    size_t got;

    pack(&parameters, text, SIZE, &file);
    from = source_of(file.bytes, file.size, 1);
    ck_assert_int_eq(sbz_decompressor_open(&stream, NULL, give, &from), SBZ_OK);
    ck_assert_int_eq(sbz_stream_read(stream, back, SIZE, &got), SBZ_OK);
    ck_assert_uint_eq(got, BLOCK);
    ck_assert_uint_lt(from.file.at, file.size / 4);
    sbz_stream_close(stream); /* in the middle */
    free(file.bytes);
}
END_TEST

START_TEST(invalid_parameters_are_accepted)
{
    static const sbz_parameters invalid[] = {{.level = -1},          {.level = 10},     {.block = (1u << 30) + 1},
                                             {.threads = 65537},     {.reserved32 = 1}, {.reserved = {1}},
                                             {.allocate = from_pool}};
    static const sbz_parameters valid[] = {
        {.level = 9}, {.block = 1u << 30}, {.threads = 65536}, {.memory = UINT64_MAX}};

    for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++) {
        sbz_stream *stream = (sbz_stream *)text;
        uint8_t to[100];
        size_t got = 1;

        ck_assert_int_eq(sbz_compress(&invalid[i], text, 10, to, sizeof to, &got), SBZ_BAD_PARAMETER);
        ck_assert_uint_eq(got, 0);
        ck_assert_int_eq(sbz_decompress(&invalid[i], text, 10, to, sizeof to, &got), SBZ_BAD_PARAMETER);
        ck_assert_int_eq(sbz_compressor_open(&stream, &invalid[i], give, NULL), SBZ_BAD_PARAMETER);
        ck_assert_ptr_null(stream);
        ck_assert_int_eq(sbz_decompressor_open(&stream, &invalid[i], give, NULL), SBZ_BAD_PARAMETER);
        ck_assert_uint_eq(sbz_compress_bound(&invalid[i], 10), 0);
    }
    for (size_t i = 0; i < sizeof valid / sizeof *valid; i++) {
        memory file;

        pack(&valid[i], text, 10, &file);
        free(file.bytes);
    }
    ck_assert(sbz_compress_bound(NULL, UINT64_MAX) == UINT64_MAX);
    ck_assert(sbz_compress_bound(NULL, 0) > 0);
    for (int result = SBZ_OK; result <= SBZ_END + 1; result++)
        ck_assert_int_eq(strcmp(sbz_result_text((sbz_result)result), "unknown result") == 0, result > SBZ_END);
    ck_assert_str_eq(sbz_result_text((sbz_result)-1), "unknown result");
    sbz_stream_close(NULL);
}
END_TEST

/* Blocks of a level may be halved down to 112 KiB by an estimate, also where that does not pay. */
START_TEST(the_bound_counts_fewer_blocks_than_there_may_be)
{
    const uint64_t size = (uint64_t)1 << 30;

    ck_assert_uint_ge(sbz_compress_bound(NULL, size), sbz_max_size(size, sbz_level_split(0)));
    for (int level = 1; level <= 9; level++) {
        const sbz_parameters with = {.level = level}, blocks = {.level = level, .block = BLOCK};

        ck_assert_uint_ge(sbz_compress_bound(&with, size), sbz_max_size(size, sbz_level_split(level)));
        ck_assert_uint_eq(sbz_compress_bound(&blocks, size), sbz_max_size(size, BLOCK));
    }
}
END_TEST

enum { LARGE = 3 << 20, BESIDE = 1 << 20 /* what sbz.h promises */ };

/* The peak of memory while a stream is read. Its source makes no checks, which allocate. */
enum { COMPRESSES = 1, BY_PIECES = 2 };

static sbz_result weigh(int way, const sbz_parameters *parameters, const void *bytes, size_t size, size_t *weight)
{
    static uint8_t buffer[1 << 16];
    memory from = {.bytes = (uint8_t *)bytes, .size = size};
    sbz_buffers b = {.input = bytes, .input_size = size};
    const size_t before = in_use;
    sbz_stream *stream;
    sbz_result result;
    size_t got;

    peak = before;
    result = (way & COMPRESSES ? sbz_compressor_open : sbz_decompressor_open)(
        &stream, parameters, way & BY_PIECES ? NULL : take, way & BY_PIECES ? NULL : &from);
    while (way & BY_PIECES && result == SBZ_OK) {
        b.output = buffer;
        b.output_size = sizeof buffer;
        result = sbz_stream_code(stream, &b, 1);
    }
    result = result == SBZ_END ? SBZ_OK : result;
    while (!(way & BY_PIECES) && result == SBZ_OK &&
           (result = sbz_stream_read(stream, buffer, sizeof buffer, &got)) == SBZ_OK && got > 0)
        continue;
    sbz_stream_close(stream);
    allowed = -1;
    ck_assert_msg(in_use == before, "%zu bytes are lost", in_use - before);
    *weight = peak - before;
    return result;
}

START_TEST(memory_grows_beyond_the_limit)
{
    const sbz_parameters blocks[] = {{.block = 128 << 10}, {.block = 1 << 20}}; /* bytes */
    enum { ZEROS = 20 << 20 };
    uint8_t *large = malloc(LARGE), *zeros = calloc(1, ZEROS);
    size_t weight, unlimited;

    fill_text(large, LARGE, 5);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        const uint64_t one = sbz_memory_need_of_limit(blocks[i].block, 1);
        sbz_parameters with = blocks[i];
        memory file;

        pack(&with, large, LARGE, &file);
        with.threads = 4;
        ck_assert_int_eq(weigh(COMPRESSES, &with, large, LARGE, &unlimited), SBZ_OK);
        with.memory = one;
        ck_assert_int_eq(weigh(COMPRESSES, &with, large, LARGE, &weight), SBZ_OK);
        ck_assert_msg(weight <= one + BESIDE, "compression: %zu bytes of %ju", weight, (uintmax_t)one);
        /* Of three blocks a loaded machine may begin each when the one before has ended. */
        if (LARGE / blocks[i].block > 2 * with.threads)
            ck_assert_msg(unlimited > one + BESIDE, "compression: %zu bytes without a limit", unlimited);
        for (int way = 0; way <= BY_PIECES; way += BY_PIECES) {
            ck_assert_int_eq(weigh(way, &with, file.bytes, file.size, &weight), SBZ_OK);
            ck_assert_msg(weight <= one + BESIDE, "decompression: %zu bytes of %ju", weight, (uintmax_t)one);
        }
        ck_assert_int_eq(weigh(COMPRESSES | BY_PIECES, &with, large, LARGE, &weight), SBZ_OK);
        ck_assert_msg(weight <= one + BESIDE + 2 * blocks[i].block, "by pieces: %zu bytes of %ju", weight,
                      (uintmax_t)one);
        ck_assert_int_eq(weigh(COMPRESSES | BY_PIECES, &with, zeros, ZEROS, &weight), SBZ_OK);
        ck_assert_msg(weight <= one + BESIDE + 8 * blocks[i].block, "runs: %zu bytes of %ju", weight, (uintmax_t)one);
        with.memory = one - 1;
        ck_assert_int_eq(weigh(COMPRESSES, &with, large, LARGE, &weight), SBZ_OVER_LIMIT);
        with.memory = blocks[i].block;
        ck_assert_int_eq(weigh(0, &with, file.bytes, file.size, &weight), SBZ_OVER_LIMIT);
        ck_assert_uint_le(weight, BESIDE);
        free(file.bytes);
    }
    free(large);
    free(zeros);
}
END_TEST

START_TEST(memory_that_is_out_is_no_error)
{
    const sbz_parameters parameters = {.block = BLOCK, .threads = 1};
    memory file;
    sbz_result result = SBZ_NO_MEMORY;
    long failures = 0;

    pack(&parameters, text, SIZE, &file);
    for (int way = 0; way < 4; way++)
        for (long n = 0; n == 0 || result != SBZ_OK; n++, failures++) {
            size_t weight;

            allowed = n;
            result = way & COMPRESSES ? weigh(way, &parameters, text, SIZE, &weight)
                                      : weigh(way, &parameters, file.bytes, file.size, &weight);
            ck_assert_msg(result == SBZ_NO_MEMORY || result == SBZ_OK, "allocation %ld: %s", n,
                          sbz_result_text(result));
        }
    ck_assert_int_gt(failures, 20);
    free(file.bytes);
}
END_TEST

static void *come_back(void *argument)
{
    const sbz_parameters parameters = {.block = 500 + 100 * *(uint32_t *)argument, .threads = 2};
    uint8_t back[SIZE], file[2 * SIZE];
    size_t size, got;

    for (int i = 0; i < 5; i++)
        if (sbz_compress(&parameters, text, SIZE, file, sizeof file, &size) != SBZ_OK ||
            sbz_decompress(&parameters, file, size, back, SIZE, &got) != SBZ_OK || got != SIZE ||
            memcmp(back, text, SIZE) != 0)
            return argument;
    return NULL;
}

START_TEST(streams_disturb_each_other)
{
    pthread_t thread[6];
    uint32_t number[6];

    for (uint32_t i = 0; i < 6; i++) {
        number[i] = i;
        ck_assert_int_eq(pthread_create(&thread[i], NULL, come_back, &number[i]), 0);
    }
    for (int i = 0; i < 6; i++) {
        void *failed;

        ck_assert_int_eq(pthread_join(thread[i], &failed), 0);
        ck_assert_ptr_null(failed);
    }
}
END_TEST

START_TEST(each_call_asks_the_system_about_the_processor)
{
    uint8_t packed[200], back[100];
    size_t written, got, before = 0;

    for (int call = 0; call < 3; call++) {
        ck_assert_int_eq(sbz_compress(NULL, text, sizeof back, packed, sizeof packed, &written), SBZ_OK);
        ck_assert_int_eq(sbz_decompress(NULL, packed, written, back, sizeof back, &got), SBZ_OK);
        ck_assert_msg(call == 0 || questions == before, "call %d asks %zu times", call, questions - before);
        before = questions;
    }
    ck_assert_uint_gt(before, 0); /* else these functions were not called */
}
END_TEST

START_TEST(the_caller_s_allocator_is_not_asked)
{
    uint8_t back[SIZE];
    const size_t before = in_use;
    memory file;

    pack(NULL, text, SIZE, &file); /* tables that all calls share come from malloc */
    free(file.bytes);
    ck_assert_uint_ge(in_use, before);
    for (uint32_t threads = 1; threads <= 3; threads++) {
        pool from = {.left = -1};
        const sbz_parameters with = {
            .block = BLOCK, .threads = threads, .allocate = from_pool, .release = to_pool, .with = &from};
        const uint64_t bound = sbz_compress_bound(&with, SIZE);
        const size_t now = in_use;
        uint8_t *const to = __real_malloc(bound);
        sbz_result result = SBZ_NO_MEMORY;
        size_t size, got;

        peak = in_use;
        ck_assert_int_eq(sbz_compress(&with, text, SIZE, to, bound, &size), SBZ_OK);
        ck_assert_int_eq(sbz_decompress(&with, to, size, back, SIZE, &got), SBZ_OK);
        ck_assert(got == SIZE && memcmp(back, text, SIZE) == 0);
        ck_assert_int_eq(sbz_decompress_range(&with, to, size, BLOCK - 1, back, 2, &got), SBZ_OK);
        ck_assert(got == 2 && memcmp(back, text + BLOCK - 1, 2) == 0);
        ck_assert_uint_gt(from.pieces, 10);
        /* assertions need some bytes; a stream needs more */
        ck_assert_msg(peak < now + 1024, "%zu bytes come from malloc", peak - now);
        ck_assert_uint_eq(from.given, 0);
        for (long n = 0; threads == 1 && result != SBZ_OK; n++) {
            from.left = n;
            result = sbz_compress(&with, text, SIZE, to, bound, &size);
            ck_assert(result == SBZ_OK || result == SBZ_NO_MEMORY);
            ck_assert_uint_eq(from.given, 0);
        }
        __real_free(to);
    }
}
END_TEST

static size_t count_threads(void)
{
    char line[128];
    size_t threads = 0;
    FILE *status = fopen("/proc/self/status", "r");

    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        sscanf(line, "Threads: %zu", &threads);
    if (status != NULL)
        fclose(status);
    return threads;
}

/* The parts of unlike contents are encoded in one call of the codec. */
START_TEST(threads_outlive_a_call)
{
    enum { HALF = 1 << 19 };
    const size_t before = count_threads();
    uint8_t *unlike = malloc(2 * HALF);
    uint64_t seed = 1;
    memory file;

    fill_text(unlike, HALF, 3);
    for (size_t i = 0; i < HALF; i++)
        unlike[HALF + i] = (uint8_t)(next_random(&seed) >> 58);
    for (uint32_t threads = 1; threads <= 2; threads++) {
        pack(&(sbz_parameters){.level = 6, .threads = threads}, unlike, 2 * HALF, &file);
        ck_assert_uint_eq(count_threads(), before);
        free(file.bytes);
    }
    free(unlike);
}
END_TEST

static void add_tests(TCase *tests)
{
    add_test(tests, buffers_do_not_come_back);
    add_test(tests, streams_and_buffers_write_other_bytes);
    add_test(tests, pieces_and_buffers_write_other_bytes);
    add_test(tests, pieces_of_unlike_contents_are_split_otherwise);
    add_test(tests, flushed_bytes_wait_for_more);
    add_test(tests, a_reset_stream_is_not_like_a_new_one);
    add_test(tests, what_follows_or_lacks_is_no_error_in_pieces);
    add_test(tests, several_streams_and_zeros_behind_are_not_one_file);
    add_test(tests, a_range_is_other_bytes);
    add_test(tests, damage_is_no_error);
    add_test(tests, an_error_comes_before_the_bytes_in_front_of_it);
    add_test(tests, a_source_that_fails_is_an_end);
    add_test(tests, a_stream_is_not_read_as_it_arrives);
    add_test(tests, invalid_parameters_are_accepted);
    add_test(tests, the_bound_counts_fewer_blocks_than_there_may_be);
    add_test(tests, memory_grows_beyond_the_limit);
    add_test(tests, memory_that_is_out_is_no_error);
    add_test(tests, streams_disturb_each_other);
    add_test(tests, each_call_asks_the_system_about_the_processor);
    add_test(tests, threads_outlive_a_call);
    add_test(tests, the_caller_s_allocator_is_not_asked);
}

int main(void)
{
    return run_tests("sbz_library", add_tests, make_text, 60);
}
