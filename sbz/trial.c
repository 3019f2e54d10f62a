/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Trial encoding: contract in trial.h.
 *
 * The first call of try_encoding encodes each text of a batch that has no blocks yet as one block. The second call encodes
 * the texts that are tried in parts. So a device gets two large batches instead of many small ones.
 */
#include "trial.h"
#include "allocate.h"
#include "entropy.h"
#include "filter.h"
#include "filter_choice.h"
#include "parallel_for.h"
#include "parts.h"
#include "split.h"
#include <string.h>

/* A long text is also tried in parts if its one block has less than 1/REPETITIVE of its bytes. Each try costs a second
 * batch of the device. With 1/12 each tried file stayed smaller than with bzip2 -9; 1/15 was chosen because it takes
 * less time. On the 20 files of split.c, 1/8 saves 154 bytes, and 1/30 changes nothing. */
enum { REPETITIVE = 15 };

/* A text whose run-length code has less than 1/SPARSE of its bytes is not tried without that code, which would take twice
 * the time or more: the stages behind it have as little to do. Of 182 texts with coded runs in 426 programs, libraries,
 * archives and texts, parts without them were smaller in 97, by 0.17% of all; of the 66 whose code has less than 5/6, in
 * 19, by 0.03%; of the 3 whose code has less than half, in 1, by 31 bytes.
 *
 * mixcoder codes runs by itself, so a text that it is tried on is not tried without that code: of 250 files of 10 KB to 1 MB, which take
 * 1.11 s in place of 1.38 s at -6, all become 0.04% larger by that, and one 1.2%. */
enum { SPARSE = 2 };

static bool is_tried_without_runs(const sbz_text *text)
{
    return !text->slow && text->size / SPARSE < text->runs;
}

void sbz_blocks_free(sbz_blocks *blocks)
{
    for (size_t i = 0; i < blocks->capacity; i++)
        sbz_record_free(&blocks->record[i]);
    sbz_free(blocks->record);
    *blocks = (sbz_blocks){0};
}

void sbz_trial_free(sbz_trial *trial)
{
    sbz_blocks_free(&trial->tried);
    sbz_blocks_free(&trial->samples);
    sbz_free(trial->text);
    *trial = (sbz_trial){0};
}

static bool grow(sbz_blocks *blocks, size_t capacity)
{
    sbz_record *record;

    if (capacity <= blocks->capacity)
        return true;
    record = sbz_realloc(blocks->record, capacity * sizeof *record);
    if (record == NULL)
        return false;
    memset(record + blocks->capacity, 0, (capacity - blocks->capacity) * sizeof *record);
    blocks->record = record;
    blocks->capacity = capacity;
    return true;
}

static bool reserve(sbz_trial *trial, size_t count)
{
    sbz_text *text = count > trial->capacity ? sbz_realloc(trial->text, count * sizeof *text) : trial->text;

    if (text == NULL)
        return false;
    trial->text = text;
    trial->capacity = count > trial->capacity ? count : trial->capacity;
    return grow(&trial->tried, count);
}

/* ---- filters ---- */

static void swap(sbz_record *a, sbz_record *b)
{
    const sbz_record other = *a;

    *a = *b;
    *b = other;
}

static void choose_program(void *with, size_t i)
{
    sbz_text *text = (sbz_text *)with + i;

    text->filter = text->open ? sbz_filter_program(text->data, text->size) : SBZ_FILTER_NONE;
    text->distance = 0;
}

/* The filters for records to be tried on a text that was encoded without one. */
typedef struct filter_trial {
    const sbz_text *text;
    const sbz_record *record;
    sbz_filter_choice choice;
    sbz_filter_use use;
    uint8_t sample[SBZ_FILTER_SAMPLE];
    size_t size;
} filter_trial;

static void choose_records(void *with, size_t i)
{
    filter_trial *t = (filter_trial *)with + i;

    t->choice = (sbz_filter_choice){0};
    if (!t->text->open || t->text->filter != SBZ_FILTER_NONE)
        return;
    t->choice = sbz_filter_records(t->text, t->record->block.encoded);
    t->use = t->choice.record[0];
    if (t->choice.records > 1)
        t->size = sbz_filter_sample(t->text->data, t->text->size, t->sample);
}

/* Memory for `total` texts, and as many records in trial->samples. NULL: there is none. */
static sbz_text *more_texts(sbz_trial *trial, size_t total)
{
    sbz_text *texts = grow(&trial->samples, total) ? sbz_malloc(total * sizeof *texts) : NULL;

    return texts;
}

/* Where there are several filters, encodes the samples behind each, all in one call, and takes the filter with the smallest result. */
static sb_status select_filters(sbz_trial *trial, sbz_codec *codec, filter_trial *trials, size_t count)
{
    size_t total = 0, at = 0;
    sbz_text *samples;
    sb_status status;

    for (size_t i = 0; i < count; i++)
        total += trials[i].choice.records > 1 ? trials[i].choice.records : 0;
    if (total == 0)
        return SB_OK;
    samples = more_texts(trial, total);
    if (samples == NULL)
        return sbz_codec_no_memory(codec);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; trials[i].choice.records > 1 && k < trials[i].choice.records; k++)
            samples[at++] = (sbz_text){.data = trials[i].sample,
                                       .size = trials[i].size,
                                       .lent = true,
                                       .filter = trials[i].choice.record[k].filter,
                                       .distance = trials[i].choice.record[k].distance};
    status = sbz_codec_encode(codec, samples, total, trial->samples.record);
    at = 0;
    for (size_t i = 0; status == SB_OK && i < count; i++) {
        uint32_t best = UINT32_MAX;

        for (size_t k = 0; trials[i].choice.records > 1 && k < trials[i].choice.records; k++, at++) {
            if (trial->samples.record[at].block.encoded < best) {
                best = trial->samples.record[at].block.encoded;
                trials[i].use = trials[i].choice.record[k];
            }
        }
    }
    sbz_free(samples);
    return status;
}

/* Encodes the texts that may be records behind the filter that was selected for each, and keeps the smaller result: a sample does not
 * show what lies far apart in a text. */
static sb_status use_filters(sbz_trial *trial, sbz_codec *codec, const filter_trial *trials, size_t count)
{
    size_t total = 0, at = 0;
    sbz_text *texts;
    sb_status status;

    for (size_t i = 0; i < count; i++)
        total += trials[i].choice.records > 0;
    if (total == 0)
        return SB_OK;
    texts = more_texts(trial, total);
    if (texts == NULL)
        return sbz_codec_no_memory(codec);
    for (size_t i = 0; i < count; i++) {
        if (trials[i].choice.records == 0)
            continue;
        texts[at] = *trials[i].text;
        texts[at].filter = trials[i].use.filter;
        texts[at++].distance = trials[i].use.distance;
    }
    status = sbz_codec_encode(codec, texts, total, trial->samples.record);
    at = 0;
    for (size_t i = 0; status == SB_OK && i < count; i++) {
        sbz_record *filtered = &trial->samples.record[at];

        at += trials[i].choice.records > 0;
        if (trials[i].choice.records > 0 && filtered->block.encoded < trial->tried.record[i].block.encoded)
            swap(&trial->tried.record[i], filtered);
    }
    sbz_free(texts);
    return status;
}

/* Encodes the texts trial->text into trial->tried: programs behind their filter, others behind none, and then those that may be records
 * behind one. */
static sb_status encode_texts(sbz_trial *trial, sbz_codec *codec, size_t count)
{
    filter_trial *trials = sbz_malloc(count * sizeof *trials);
    sb_status status;

    if (trials == NULL)
        return sbz_codec_no_memory(codec);
    sbz_parallel_for(count, choose_program, trial->text);
    status = sbz_codec_encode(codec, trial->text, count, trial->tried.record);
    for (size_t i = 0; status == SB_OK && i < count; i++) {
        trials[i].text = &trial->text[i];
        trials[i].record = &trial->tried.record[i];
    }
    if (status == SB_OK) {
        sbz_parallel_for(count, choose_records, trials);
        status = select_filters(trial, codec, trials, count);
    }
    if (status == SB_OK)
        status = use_filters(trial, codec, trials, count);
    sbz_free(trials);
    return status;
}

/* The size of each part of a text except the last, in bytes. Parts have equal sizes, rounded up to whole segments of
 * the range coder if that is less than the maximum. */
static size_t part_size(const sbz_text *text)
{
    const size_t parts = (text->size + text->part - 1) / text->part, bytes = (text->size + parts - 1) / parts;
    const size_t whole = (bytes + SBZ_RANGECODER_SEGMENT - 1) / SBZ_RANGECODER_SEGMENT * SBZ_RANGECODER_SEGMENT;

    return whole < text->part ? whole : text->part;
}

static bool is_repetitive(const sbz_text *text, const sbz_blocks *blocks)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < blocks->count; i++)
        bytes += blocks->record[i].block.encoded;
    return bytes < text->size / REPETITIVE;
}

/* True if a part of `size` bytes of the text may be halved. */
static bool may_halve(const sbz_text *text, size_t size)
{
    return text->split != 0 && size >= 2 * (size_t)text->split;
}

/* Instead of the size of a piece: the whole text is one, and its runs are coded. */
static const size_t AS_IT_IS = SIZE_MAX;

static bool is_program(const sbz_block *block)
{
    return block->filter != SBZ_FILTER_NONE && !sbz_filters[block->filter].has_distance;
}

/* True if a piece of a text seems to have records, which may be only a part of its blocks. */
static bool hides_records(const sbz_text *text, const sbz_blocks *blocks)
{
    const size_t piece = 2 * (size_t)text->split;
    uint64_t encoded = 0;

    if (!text->open || text->split == 0 || text->runs != 0 || text->size <= piece)
        return false;
    for (size_t i = 0; i < blocks->count; i++) {
        if (is_program(&blocks->record[i].block))
            return false;
        encoded += blocks->record[i].block.encoded;
    }
    for (size_t at = 0; at + piece <= text->size; at += piece)
        if (sbz_filter_records(&(sbz_text){.data = text->data + at, .size = piece},
                               (uint32_t)(encoded * piece / text->size))
                .records > 0)
            return true;
    return false;
}

/* The size of all pieces but the last that a text is worth trying in: that of the text if an estimate halved it, which is not
 * reliable where little is left; that of a part if it was not halved. 0: none. */
static size_t worth_trying(const sbz_text *text, const sbz_blocks *blocks)
{
    if (blocks->count == 0)
        return AS_IT_IS;
    if (hides_records(text, blocks))
        return 2 * (size_t)text->split;
    if (may_halve(text, text->size) && blocks->count > 1)
        return text->estimated && text->runs == 0 && is_repetitive(text, blocks) ? text->size : 0;
    if (text->part == 0)
        return 0;
    return (text->runs != 0 ? is_tried_without_runs(text) : is_repetitive(text, blocks)) ? part_size(text) : 0;
}

static size_t count_pieces(const sbz_text *text, size_t piece)
{
    return piece == 0 ? 0 : text->size / piece + (text->size % piece != 0);
}

/* Writes the pieces of a text to `to`, and returns their number. */
static size_t make_pieces(const sbz_text *text, size_t piece, sbz_text *to)
{
    const size_t pieces = count_pieces(text, piece);

    for (size_t k = 0; k < pieces; k++)
        to[k] = (sbz_text){.data = text->data + k * piece,
                           .size = k + 1 < pieces ? piece : text->size - k * piece,
                           .lent = true,
                           .runs = piece == AS_IT_IS ? text->runs : 0,
                           .run_byte = text->run_byte,
                           .matches = piece == AS_IT_IS && text->matches,
                           .limit = text->limit,
                           .open = text->open,
                           .slow = text->slow};
    return pieces;
}

/* Bytes that these blocks take in a file. */
static uint64_t file_bytes(const sbz_record *record, size_t count)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < count; i++)
        bytes += record[i].block.encoded + SBZ_BLOCK_HEADER + SBZ_INDEX_ENTRY;
    return bytes;
}

/* Swaps the blocks with the tried ones, so that the memory of both can be reused. */
static bool take(sbz_blocks *blocks, sbz_record *tried, size_t count)
{
    if (!grow(blocks, count))
        return false;
    for (size_t k = 0; k < count; k++)
        swap(&blocks->record[k], &tried[k]);
    blocks->count = count;
    return true;
}

/* `piece`: the size of the pieces of each text in the call before, and then in this one. The same size is not encoded twice. */
static sb_status try_encoding(sbz_trial *trial, sbz_codec *codec, const sbz_text *texts, size_t count, size_t *piece,
                              sbz_blocks *blocks)
{
    size_t total = 0, at = 0;
    sb_status status;

    for (size_t i = 0; i < count; i++) {
        const size_t size = worth_trying(&texts[i], &blocks[i]);

        piece[i] = size != piece[i] ? size : 0;
        total += count_pieces(&texts[i], piece[i]);
    }
    if (total == 0)
        return SB_OK;
    if (!reserve(trial, total))
        return sbz_codec_no_memory(codec);
    for (size_t i = 0; i < count; i++)
        at += make_pieces(&texts[i], piece[i], trial->text + at);
    status = encode_texts(trial, codec, total);
    if (status != SB_OK)
        return status;
    at = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t pieces = count_pieces(&texts[i], piece[i]);
        sbz_record *tried = trial->tried.record + at;

        at += pieces;
        if (pieces > 0 &&
            (blocks[i].count == 0 || file_bytes(tried, pieces) < file_bytes(blocks[i].record, blocks[i].count)) &&
            !take(&blocks[i], tried, pieces))
            return sbz_codec_no_memory(codec);
    }
    return SB_OK;
}

/* ---- halving ----
 *
 * A long block is best where the contents stay alike, and programs and archives consist of unlike parts. So a text is
 * measured as one block, its halves as blocks, their halves, and so on; then the cheapest set of these parts is taken.
 * All are measured without mixcoder, which takes more time than all other stages together, and hardly changes which set
 * is cheapest. Every step encodes the parts of all texts in one call. That takes too much time below level 7, where an
 * estimate says what to take (parts.h).
 */

/* A part of a text: the whole, or half of the part above it. */
typedef struct node {
    const sbz_text *whole;
    size_t start, size, parent; /* parent: itself for a whole text */
    uint64_t bytes;             /* in a file, as one block */
    uint64_t halves;            /* in a file, of both halves, each in its best way; 0: it was not halved */
    unsigned depth;             /* how often the text was halved */
    bool ended;                 /* its halves are not halved again */
    bool used;                  /* it is one of the best parts, or some of these are in it */
} node;

typedef struct tree {
    node *node; /* parts before their halves */
    size_t count, capacity;
} tree;

static bool add_node(tree *t, const node *n)
{
    if (t->count == t->capacity) {
        const size_t capacity = t->capacity != 0 ? 2 * t->capacity : 64;
        node *grown = sbz_realloc(t->node, capacity * sizeof *grown);

        if (grown == NULL)
            return false;
        t->node = grown;
        t->capacity = capacity;
    }
    t->node[t->count++] = *n;
    return true;
}

static uint64_t best_of(const node *n)
{
    return n->halves != 0 && n->halves < n->bytes ? n->halves : n->bytes;
}

static sbz_text text_of(const node *n, bool slow)
{
    sbz_text text = {.data = n->whole->data + n->start, .size = n->size, .lent = true, .run_byte = n->whole->run_byte};

    text.runs = n->whole->runs;
    text.limit = n->whole->limit;
    text.open = n->whole->open;
    text.slow = slow && n->whole->slow;
    if (n->whole->runs != 0 && n->size != n->whole->size)
        sbz_split_count_runs(&text);
    return text;
}

/* Encodes the nodes from `first` on as one block each. */
static sb_status measure(sbz_trial *trial, sbz_codec *codec, tree *t, size_t first)
{
    const size_t count = t->count - first;
    sb_status status;

    if (!reserve(trial, count))
        return sbz_codec_no_memory(codec);
    for (size_t i = 0; i < count; i++)
        trial->text[i] = text_of(&t->node[first + i], false);
    status = encode_texts(trial, codec, count);
    for (size_t i = 0; status == SB_OK && i < count; i++)
        t->node[first + i].bytes = file_bytes(&trial->tried.record[i], 1);
    return status;
}

/* Halves the nodes from `first` on that may be halved. */
static bool halve(tree *t, size_t first)
{
    const size_t last = t->count;

    for (size_t i = first; i < last; i++) {
        const node n = t->node[i];
        const size_t half = sbz_half_of(n.size, n.whole->split);

        if (!may_halve(n.whole, n.size) || n.ended)
            continue;
        node of = {.whole = n.whole, .start = n.start, .size = half, .parent = i, .depth = n.depth + 1};

        if (!add_node(t, &of))
            return false;
        of.start += half;
        of.size = n.size - half;
        if (!add_node(t, &of))
            return false;
    }
    return true;
}

/* Halves of which both together are larger than the whole by more than 1/HOPELESS are not halved again. Of 38 files
 * (programs, libraries, archives and text, 103 MB), 64 made one larger by 2.7% at -9 and saved 3 to 10% of the time; 24 and 8
 * changed nothing there. Prose is out of the question after one halving or two. */
enum { HOPELESS = 32 };

/* Compares halves, the last ones first, with what they are halves of. */
static void compare(tree *t, size_t first)
{
    for (size_t i = 0; i < t->count; i++)
        t->node[i].halves = 0;
    for (size_t i = t->count; i-- > 0;)
        if (t->node[i].parent != i)
            t->node[t->node[i].parent].halves += best_of(&t->node[i]);
    for (size_t i = first; i < t->count; i++) {
        const node *above = &t->node[t->node[i].parent];

        t->node[i].ended = above->halves > above->bytes + above->bytes / HOPELESS;
    }
}

/* Puts the best parts of a node into the list of texts, in order. */
static bool list_parts(sbz_trial *trial, tree *t, size_t i, size_t *count)
{
    node *n = &t->node[i];

    n->used = true;
    if (best_of(n) == n->bytes) {
        if (!reserve(trial, *count + 1))
            return false;
        trial->text[(*count)++] = text_of(n, true);
        return true;
    }
    for (size_t k = i + 1; k < t->count; k++)
        if (t->node[k].parent == i && !list_parts(trial, t, k, count))
            return false;
    return true;
}

/* Bytes. mixcoder has to learn each block from the start, which costs it more than the stages by which halves are measured,
 * by an amount that hardly depends on the size of the block. So where halving seems to save less than LEARNED, the part is
 * encoded as one block, too. Of the 371 parts that are halved in the 246 files of entropy.c, 17 are smaller as one block, and
 * all of these seem larger by less than 4096 bytes; below that are 161 parts, below 2048 are 86, of which 16 are smaller. */
enum { LEARNED = 4096 };

static bool may_join(const node *n, unsigned depth)
{
    return n->used && n->depth == depth && n->whole->slow && best_of(n) < n->bytes && n->bytes - n->halves < LEARNED;
}

/* Replaces the blocks of a part by one, if that is smaller. */
static void join_blocks(sbz_blocks *blocks, const node *n, sbz_record *joined)
{
    size_t at = 0, first = 0, last;

    while (at < n->start)
        at += blocks->record[first++].block.original;
    for (last = first; at < n->start + n->size; last++)
        at += blocks->record[last].block.original;
    if (file_bytes(joined, 1) >= file_bytes(blocks->record + first, last - first))
        return;
    swap(&blocks->record[first++], joined);
    while (last < blocks->count)
        swap(&blocks->record[first++], &blocks->record[last++]);
    blocks->count = first;
}

/* `texts` are those of the tree, `blocks` the best parts. The deepest parts come first. */
static sb_status join(sbz_trial *trial, sbz_codec *codec, const tree *t, const sbz_text *texts, sbz_blocks *blocks)
{
    sb_status status = SB_OK;

    for (unsigned depth = t->count > 0 ? t->node[t->count - 1].depth : 0; status == SB_OK && depth-- > 0;) {
        size_t count = 0;

        for (size_t i = 0; i < t->count; i++) {
            if (!may_join(&t->node[i], depth))
                continue;
            if (!reserve(trial, count + 1))
                return sbz_codec_no_memory(codec);
            trial->text[count++] = text_of(&t->node[i], true);
        }
        if (count > 0)
            status = encode_texts(trial, codec, count);
        for (size_t i = t->count; status == SB_OK && i-- > 0;)
            if (may_join(&t->node[i], depth))
                join_blocks(&blocks[t->node[i].whole - texts], &t->node[i], &trial->tried.record[--count]);
    }
    return status;
}

/* A text, and what is known about it. */
typedef struct proposal {
    const sbz_text *text;
    sbz_look *look;
    sbz_look own; /* if nothing was known before */
} proposal;

/* Puts the proposed parts into the list of texts; none, if that is the whole. */
static bool list_proposed(sbz_trial *trial, const proposal *p, size_t *count)
{
    const size_t parts = p->look->parts;

    if (parts > 1 && !reserve(trial, *count + parts))
        return false;
    for (size_t i = 0, start = 0; parts > 1 && i < parts; start += p->look->sizes[i++])
        trial->text[(*count)++] = text_of(&(node){.whole = p->text, .start = start, .size = p->look->sizes[i]}, true);
    return parts > 0;
}

/* Adds the root of a text whose halves shall be measured. By the estimate that is in vain for most prose. */
static bool add_root(tree *t, const proposal *p)
{
    return p->look->parts == 1 ||
           (p->look->parts > 1 && add_node(t, &(node){.whole = p->text, .size = p->text->size, .parent = t->count}));
}

/* Encodes the texts that may be halved, in the parts that take the fewest bytes without mixcoder. */
static sb_status encode_halved(sbz_trial *trial, sbz_codec *codec, const sbz_text *texts, size_t count,
                               const proposal *proposals, sbz_blocks *blocks, tree *t)
{
    size_t first = 0, total = 0, at = 0;
    sb_status status = SB_OK;

    for (size_t i = 0; status == SB_OK && i < count; i++)
        if (may_halve(&texts[i], texts[i].size) && !texts[i].estimated && !add_root(t, &proposals[i]))
            status = sbz_codec_no_memory(codec);
    while (status == SB_OK && first < t->count) {
        const size_t next = t->count;

        status = measure(trial, codec, t, first);
        compare(t, first);
        if (status == SB_OK && !halve(t, first))
            status = sbz_codec_no_memory(codec);
        first = next;
    }
    for (size_t i = 0, root = 0; status == SB_OK && i < count; i++) {
        const size_t before = total;

        if (!may_halve(&texts[i], texts[i].size))
            continue;
        if (texts[i].estimated && !list_proposed(trial, &proposals[i], &total))
            status = sbz_codec_no_memory(codec);
        if (root < t->count && t->node[root].whole == &texts[i] && !list_parts(trial, t, root++, &total))
            status = sbz_codec_no_memory(codec);
        blocks[i].count = total - before;
    }
    if (status == SB_OK && total > 0)
        status = encode_texts(trial, codec, total);
    for (size_t i = 0; status == SB_OK && i < count; i++) {
        const size_t pieces = blocks[i].count;

        if (!take(&blocks[i], trial->tried.record + at, pieces))
            status = sbz_codec_no_memory(codec);
        at += pieces;
    }
    return status == SB_OK ? join(trial, codec, t, texts, blocks) : status;
}

static void free_proposals(proposal *proposals, size_t count)
{
    for (size_t i = 0; proposals != NULL && i < count; i++)
        sbz_look_free(&proposals[i].own);
    sbz_free(proposals);
}

/* ---- long matches ---- */

/* In 1/256 of a text of which slow stages are tried; where none is, nobody waits for so little. A text of which matches of 256 bytes
 * cover more than TAKEN is encoded with matches only, which saves time. Of 220 files of a Debian system such texts lose 0.2% by that;
 * archives of 23 to 34 MB gain 4.6%. A patient text of which matches cover more than TRIED is encoded twice, with and without them: of 250
 * files of 10 KB to 1 MB that saves 0.08%, and takes 6% of the time. */
enum { TAKEN = 24, TRIED = 48 };

/* A text that becomes smaller than 1/PACKED without matches, and of which matches cover more than FREQUENT, is not tried with them: its
 * repeats are mostly shorter and more frequent than matches. Of 79 such files of 64 KiB to 4 MiB with a share from 48 on, the 41 up to
 * 112 are a third of the bytes, and give three quarters of what trying all of them would save. */
enum { PACKED = 5, FREQUENT = 112 };

/* True if the text is encoded as one block with its matches, and in no other way. */
static bool is_taken_with_matches(const sbz_look *look)
{
    return look->share.longest > TAKEN;
}

void sbz_look_free(sbz_look *look)
{
    sbz_free(look->sizes);
    *look = (sbz_look){0};
}

static void propose(const sbz_text *text, sbz_look *look)
{
    const size_t max = text->size / text->split + 1;

    if (max > look->capacity) {
        sbz_free(look->sizes);
        look->sizes = sbz_malloc(max * sizeof *look->sizes);
        look->capacity = look->sizes != NULL ? max : 0;
    }
    if (look->sizes != NULL)
        look->parts = sbz_estimate_parts(text->data, text->size, text->split, !text->estimated, look->sizes);
}

void sbz_trial_look(const sbz_text *text, sbz_look *look)
{
    look->share = (sbz_matches_share){0, 0};
    look->parts = 0;
    if (text->open && text->slow && text->runs == 0)
        look->share = sbz_matches_look(text->data, text->size);
    if (!is_taken_with_matches(look) && may_halve(text, text->size))
        propose(text, look);
}

static void look_at(void *with, size_t i)
{
    proposal *p = (proposal *)with + i;

    p->look = p->text->look;
    if (p->look == NULL) {
        p->look = &p->own;
        sbz_trial_look(p->text, p->look);
    }
}

static bool is_tried_with_matches(const sbz_text *text, const proposal *p, const sbz_blocks *blocks)
{
    const sbz_matches_share *share = &p->look->share;

    return text->patient && share->all > TRIED && !text->matches &&
           (share->all < FREQUENT || file_bytes(blocks->record, blocks->count) >= text->size / PACKED);
}

/* Encodes each text that may have many long matches as one block that codes them, and keeps the smaller result. */
static sb_status try_matches(sbz_trial *trial, sbz_codec *codec, const sbz_text *texts, size_t count,
                             const proposal *proposals, sbz_blocks *blocks)
{
    size_t total = 0, at = 0;
    sb_status status;

    for (size_t i = 0; i < count; i++)
        total += is_tried_with_matches(&texts[i], &proposals[i], &blocks[i]);
    if (total == 0)
        return SB_OK;
    if (!reserve(trial, total))
        return sbz_codec_no_memory(codec);
    for (size_t i = 0; i < count; i++) {
        if (!is_tried_with_matches(&texts[i], &proposals[i], &blocks[i]))
            continue;
        make_pieces(&texts[i], AS_IT_IS, &trial->text[at]);
        trial->text[at++].matches = true;
    }
    status = encode_texts(trial, codec, total);
    at = 0;
    for (size_t i = 0; status == SB_OK && i < count; i++) {
        sbz_record *tried = &trial->tried.record[at];

        if (!is_tried_with_matches(&texts[i], &proposals[i], &blocks[i]))
            continue;
        at++;
        if (file_bytes(tried, 1) < file_bytes(blocks[i].record, blocks[i].count) && !take(&blocks[i], tried, 1))
            status = sbz_codec_no_memory(codec);
    }
    return status;
}

sb_status sbz_trial_encode(sbz_trial *trial, sbz_codec *codec, const sbz_text *given, size_t count, sbz_blocks *blocks)
{
    proposal *proposals = sbz_calloc(count, sizeof *proposals);
    size_t *piece = sbz_calloc(count, sizeof *piece);
    sbz_text *texts = sbz_malloc(count * sizeof *texts);
    tree t = {0};
    sb_status status = SB_OK;

    if (proposals == NULL || piece == NULL || texts == NULL)
        status = sbz_codec_no_memory(codec);
    for (size_t i = 0; status == SB_OK && i < count; i++) {
        blocks[i].count = 0;
        texts[i] = given[i];
        proposals[i].text = &texts[i];
    }
    if (status == SB_OK) {
        sbz_parallel_for(count, look_at, proposals);
        for (size_t i = 0; i < count; i++) {
            if (is_taken_with_matches(proposals[i].look)) {
                texts[i].matches = true;
                texts[i].split = texts[i].part = 0;
            }
        }
        status = encode_halved(trial, codec, texts, count, proposals, blocks, &t);
    }
    for (int i = 0; status == SB_OK && i < 2; i++)
        status = try_encoding(trial, codec, texts, count, piece, blocks);
    if (status == SB_OK)
        status = try_matches(trial, codec, texts, count, proposals, blocks);
    free_proposals(proposals, count);
    sbz_free(piece);
    sbz_free(texts);
    sbz_free(t.node);
    return status;
}
