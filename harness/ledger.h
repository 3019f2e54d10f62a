/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The ledger of GPU runs, gpu/VERIFIED.tsv: one row for each variant and kind of card, written by `samebits verify --device=cuda
 * --ledger` and read by `samebits ledger` on machines without a GPU. Columns, separated by tabs:
 *
 *     variant    sources    digest    cases    generated    seed    date    hardware
 *
 * `sources` is a hash of the variant's sources (sources.h). `digest` is a sum over all results of the run that were compared
 * with the reference. `samebits ledger` computes it again from the references, for the corpus, the real files and
 * `generated` cases of each algorithm with `seed`. A row `variant  pending  REASON` is for a variant whose author had no
 * GPU.
 */
#ifndef HARNESS_LEDGER_H
#define HARNESS_LEDGER_H

#include "report.h"

/* A row. The strings but `line` and `text` point into `line`. */
typedef struct sb_ledger_entry {
    char *line; /* owned; cut into fields */
    char *text; /* owned; as it was read */
    char *variant, *sources, *digest, *cases, *generated, *seed, *date, *hardware;
    bool pending; /* only `variant` is set, and `digest` is the reason */
} sb_ledger_entry;

typedef struct sb_ledger {
    sb_ledger_entry *entries;
    size_t count;
} sb_ledger;

/* The file that --ledger names, or that of the source tree; `memory` may hold it. */
const char *sb_ledger_path(const sb_options *options, char *memory, size_t size);

/* Reads the file. A missing one is an empty ledger. False: `error` names the line that is no row. */
bool sb_ledger_read(sb_ledger *l, const char *path, char *error, size_t size);
void sb_ledger_free(sb_ledger *l);

/* The first row of the variant ALGORITHM/NAME behind `after`, or of all if that is NULL; NULL if there is none. */
const sb_ledger_entry *sb_ledger_find(const sb_ledger *l, const char *variant, const sb_ledger_entry *after);

/* How much of the hardware is the name of the card: up to the first comma. */
size_t sb_ledger_card(const char *hardware);

/* Writes the rows of the report that are equal on the device "cuda" into the ledger; other rows stay as they are. The
 * file is replaced whole or not at all. False: `error` says why not. */
bool sb_ledger_write(const sb_options *options, const sb_report *report, char *error, size_t size);

/* Pending rows at most: with many more the ledger proves little. */
enum { SB_MAX_PENDING = 10 };

/* Replaces the row of each variant that the arguments name by one that is pending, with the reason of --pending. False:
 * `error` says why not, and the ledger is as it was. */
bool sb_ledger_write_pending(const sb_options *options, char *error, size_t size);

#endif
