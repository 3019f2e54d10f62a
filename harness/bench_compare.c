/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Times of `samebits bench` beside those of peers, and beside those of an earlier run: contract in bench.h.
 */
#include "bench.h"
#include "error.h"
#include <string.h>

bool sb_bench_is_peer(const sb_timing *t)
{
    return (t->row->port->info.flags & SB_DEVICE_PEERS) != 0;
}

void sb_bench_compare_with_peers(const sb_timing *timings, sb_timing *t)
{
    double seconds = 0;

    for (const sb_timing *p = timings; p != t; p++)
        if (sb_bench_is_peer(p) && p->verdict != NULL && p->row->algorithm == t->row->algorithm && p->of == t->of &&
            (seconds == 0 || p->seconds < seconds))
            seconds = p->seconds;
    if (t->verdict != NULL && t->seconds > 0 && !sb_bench_is_peer(t))
        t->of_peer = seconds / t->seconds;
}

/* What lies between the quartiles, halved, as a part of the median. */
static double noise_of(double low, double high, double median)
{
    return median > 0 ? (high - low) / 2 / median : 0;
}

void sb_bench_compare_row(const sb_options *options, const sb_json *old, sb_timing *t)
{
    const sb_json *rows = sb_json_member(old, "rows");
    char name[2 * SB_NAME_SIZE];

    sb_row_name(t->row, name, sizeof name);
    for (const sb_json *r = rows != NULL ? rows->first : NULL; r != NULL && t->verdict != NULL; r = r->next) {
        const char *variant = sb_json_text(r, "variant"), *device = sb_json_text(r, "device");
        const char *input = sb_json_text(r, "input");
        double seconds = sb_json_number(r, "seconds"), before;

        if (variant == NULL || device == NULL || seconds <= 0 || strcmp(variant, name) != 0 ||
            strcmp(device, t->row->port->info.device) != 0 || strcmp(input ? input : "", t->of->input) != 0 ||
            sb_json_count(r, "items") != t->items)
            continue;
        before = noise_of(sb_json_number(r, "low"), sb_json_number(r, "high"), seconds);
        t->noise = noise_of(t->times.low, t->times.high, t->seconds);
        t->noise = before > t->noise ? before : t->noise;
        t->ratio = t->seconds / seconds;
        t->slower = t->ratio > 1 + options->tolerance / 100;
    }
}

int sb_bench_compare_verdict(FILE *out, const sb_options *options, const sb_timing *timings, size_t count)
{
    size_t compared = 0, slower = 0;

    for (size_t i = 0; i < count; i++) {
        compared += timings[i].ratio > 0;
        slower += timings[i].slower;
    }
    if (compared == 0)
        fprintf(out, "%s has no row that was timed here\n", options->compare);
    else
        fprintf(out, "%zu of %zu rows are slower than in %s by more than %.0f%%\n", slower, compared, options->compare,
                options->tolerance);
    return compared == 0 ? SB_EXIT_NOTHING : slower > 0 ? SB_EXIT_WRONG : -1;
}
