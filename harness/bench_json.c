/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The JSON of `samebits bench`, which --compare reads: contract in bench.h.
 */
#include "bench.h"
#include "markup.h"
#include <string.h>

/* The time of the fastest right variant of the same algorithm on the same device. */
static double best(const sb_timing *timings, size_t count, const sb_timing *t)
{
    double seconds = t->seconds;

    for (size_t i = 0; i < count; i++)
        if (timings[i].verdict != NULL && timings[i].row->algorithm == t->row->algorithm &&
            timings[i].row->port == t->row->port && timings[i].of == t->of && timings[i].seconds < seconds)
            seconds = timings[i].seconds;
    return seconds;
}

bool sb_bench_write_json(const char *path, const sb_options *options, const sb_timing *timings, size_t count)
{
    bool standard = path != NULL && strcmp(path, "-") == 0, good;
    FILE *out = path == NULL ? NULL : standard ? stdout : fopen(path, "w");
    char name[2 * SB_NAME_SIZE];

    if (path == NULL)
        return true;
    if (out == NULL)
        return false;
    fprintf(out, "{\"format\":1,\"seed\":%llu,\"rows\":[", (unsigned long long)options->seed);
    for (size_t i = 0; i < count; i++) {
        const sb_timing *t = &timings[i];

        sb_row_name(t->row, name, sizeof name);
        fprintf(out, "%s\n{\"variant\":\"%s\",\"device\":\"%s\",", i ? "," : "", name, t->row->port->info.device);
        sb_json_field(out, "input", t->of->input);
        fprintf(out, "\"items\":%llu,\"bytes\":%llu,", (unsigned long long)t->items, (unsigned long long)t->bytes);
        if (t->verdict == NULL) {
            fputs("\"verdict\":null,\"note\":", out);
            sb_json_string(out, t->note);
            fputc('}', out);
        } else
            fprintf(out,
                    "\"low\":%.9f,\"high\":%.9f,\"seconds\":%.9f,\"copy_seconds\":%.9f,\"transfer_seconds\":%.9f,"
                    "\"pinned_seconds\":%.9f,\"at_most_seconds\":%.9f,"
                    "\"device_bytes\":%llu,\"of_best\":%.4f,\"of_peer\":%.4f,\"verdict\":\"%s\"}",
                    t->times.low, t->times.high, t->seconds, t->times.copy, t->times.transfers, t->times.pinned,
                    t->times.at_most, (unsigned long long)t->times.device_bytes,
                    t->seconds > 0 ? best(timings, count, t) / t->seconds : 1, t->of_peer, t->verdict);
    }
    fputs("]}\n", out);
    good = !ferror(out);
    return (standard || fclose(out) == 0) && good;
}
