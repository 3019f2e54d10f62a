/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The words of --stages: contract in stages.h.
 */
#include "stages.h"
#include "entropy.h"
#include "filter.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORD = 64 }; /* bytes of a word with its variant and the final 0; a longer word is refused as unknown */

static bool is_entropy_stage(const char *word, uint8_t *entropy)
{
    for (int i = 0; i < SBZ_ENTROPIES; i++) {
        if (sbz_stages[i].name != NULL && strcmp(word, sbz_stages[i].name) == 0) {
            *entropy = (uint8_t)i;
            return true;
        }
    }
    return false;
}

/* A filter, with `=` and a distance if it has one. */
static bool force_filter(sbz_forced_stages *forced, const char *word)
{
    const size_t length = strcspn(word, "=");
    char *end;

    for (uint8_t i = 0; i < SBZ_FILTERS; i++) {
        const sbz_filter_code *filter = &sbz_filters[i];
        sbz_block block = {.filter = i};

        if (filter->name == NULL || strlen(filter->name) != length || memcmp(filter->name, word, length) != 0)
            continue;
        if (filter->has_distance != (word[length] == '=') || forced->filter != SBZ_FILTER_NONE)
            return false;
        if (filter->has_distance) {
            const unsigned long distance = strtoul(word + length + 1, &end, 10);

            block.distance = (uint8_t)(distance <= SBZ_MAX_DISTANCE ? distance : 0);
            if (*end != '\0')
                return false;
        }
        forced->filter = i;
        forced->distance = block.distance;
        return sbz_filter_fits(&block);
    }
    return false;
}

/* Takes a word without its variant. False: it is unknown, or another of its kind came before. */
static bool force_stage(sbz_forced_stages *forced, const char *word)
{
    uint8_t entropy;
    bool first;

    if (strcmp(word, "huffman") == 0)
        return true;
    if (strcmp(word, "runs") == 0) {
        first = forced->runs++ == 0;
    } else if (strcmp(word, "matches") == 0) {
        first = forced->matches++ == 0;
    } else if (strcmp(word, "bwt") == 0) {
        first = forced->transform++ == 0;
    } else if (strcmp(word, "mtf") == 0) {
        first = forced->ranking++ == 0;
    } else if (is_entropy_stage(word, &entropy)) {
        first = !forced->any_entropy;
        forced->any_entropy = true;
        forced->entropy = entropy;
    } else if (!force_filter(forced, word)) {
        return false;
    } else {
        first = true;
    }
    forced->any = true;
    return first;
}

/* `engine` NULL: variants are not checked. */
static bool force_word(sbz_forced_stages *forced, sbz_engine *engine, char *word)
{
    char *slash = strchr(word, '/');

    if (strcmp(word, "reference") == 0) {
        if (engine != NULL)
            engine->references = true;
        return true;
    }
    if (slash != NULL)
        *slash = '\0';
    return force_stage(forced, word) && (slash == NULL || engine == NULL || sbz_engine_force(engine, word, slash + 1));
}

sb_status sbz_stages_parse(sbz_forced_stages *forced, sbz_engine *engine, const char *stages)
{
    *forced = (sbz_forced_stages){.entropy = SBZ_ENTROPY_STORED};
    while (*stages != '\0') {
        const size_t length = strcspn(stages, ",");
        char word[MAX_WORD];

        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : 0), stages);
        if (!force_word(forced, engine, word)) {
            if (engine != NULL)
                snprintf(engine->error, sizeof engine->error,
                         "--stages: '%.*s' is not a stage or variant here, or its kind was named before",
                         (int)(length < MAX_WORD ? length : MAX_WORD), stages);
            return SB_UNSUPPORTED;
        }
        stages += length + (stages[length] == ',');
    }
    return SB_OK;
}

bool sbz_stages_open(const char *stages, bool *runs)
{
    sbz_forced_stages forced;
    const bool open = stages == NULL || sbz_stages_parse(&forced, NULL, stages) != SB_OK || !forced.any;

    *runs = open || forced.runs > 0;
    return open;
}
