/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The ledger of GPU runs, gpu/VERIFIED.tsv: one row for each variant, written by `samebits verify --device=cuda
 * --ledger` and read by `samebits ledger` on machines without a GPU. Columns, separated by tabs:
 *
 *     variant    sources    digest    cases    generated    seed    date    hardware
 *
 * `sources` hashes, comments stripped, the variant's file, its reference, its descriptor, what these include, and its
 * corpus file. `digest` sums up every result of the run that was compared with the reference; whoever reads the ledger
 * computes it again from the references, for the corpus, the real files and `generated` cases an algorithm with `seed`.
 * A row `variant  pending  REASON` stands for a variant that no GPU could be had for.
 */
#ifndef HARNESS_LEDGER_H
#define HARNESS_LEDGER_H

#include "verify.h"

/* Writes the rows of the report that are equal on the device "cuda" into the ledger; other rows stay as they are. The
 * file is replaced whole or not at all. False: `error` says why not. */
bool sb_ledger_write(const sb_options *options, const sb_report *report, char *error, size_t size);

#endif
