/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A finding, for the files that note, locate and print it.
 */
#ifndef SIMT_FINDING_PRIVATE_H
#define SIMT_FINDING_PRIVATE_H

#include "../core/whole_file.h"
#include "report.h"

#include <stdio.h>

#pragma GCC visibility push(hidden)

enum { SIMT_WHERE = 512 }; /* bytes of FILE:LINE, ended by a zero byte; longer ones are cut */

typedef struct location {
    const void *callers[SIMT_CALLERS]; /* code addresses: the first one outside the machine's own code counts */
    char given[SIMT_WHERE];            /* FILE:LINE as the compiler had it, or empty */
    char where[SIMT_WHERE];            /* FILE:LINE with its directory; empty until it is looked up */
    char function[200];                /* that contains the line, or empty; looked up with it */
    unsigned column;
} location;

enum { SIMT_TURNS = 12 }; /* switches of a finding, as many as a reader follows */

typedef struct simt_turn_taken {
    uint3 block, thread;
} simt_turn_taken;

typedef struct finding {
    finding_kind kind;
    enum { UNKNOWN, KERNEL, BLOCK, THREAD } party; /* how closely the thread that caused it is known */
    char kernel[200];
    uint3 block, thread, other_block, other_thread;
    char what[2048], address[256];
    location here, other, made, launched; /* made: where the allocation was made */
    size_t bytes;                         /* of the allocation */
    uint64_t seed, launch;
    bool has_other, index, note, printed;
    simt_turn_taken switches[SIMT_TURNS]; /* that led there, if they are recorded: the last one is the thread's own */
    unsigned switch_count;
    char fingerprint[17];    /* ended by a zero byte; set with the lines */
    const struct rule *rule; /* by which it is known, or NULL; set with the lines */
} finding;

/* --- fingerprint.c */

/* Sets the fingerprint: 16 hexadecimal digits of the kind, the kernel, and for both places the name of the file without its
 * directory and the text of the line. So it survives when lines move, and when the two threads of a race are found the
 * other way round. A finding without a line, as between copies of two graphs, has the functions that its text names instead; a
 * note is none of the findings at its lines. Needs the lines. */
void simt_set_fingerprint(finding *f);

/* --- known.c */

/* What is known of a finding: the file and the line of the rule, and its reason. */
typedef struct rule {
    const char *file, *reason;
    unsigned line;
    bool baseline; /* from baseline=, not suppress= */
} rule;

void simt_read_rules(void); /* of the files that SIMT_OPTIONS names; bad ones end the program with status 2 */
const rule *simt_rule_for(const finding *f); /* NULL: it is new. Needs the lines and the fingerprint */
void simt_add_to_baseline(const finding *f); /* appends a rule to write_baseline= if there is none for it */

/* --- source_line.c */

bool simt_is_own_code(const char *where);              /* is FILE:LINE in the machine's headers or runtime? */
void simt_find_line(const void *address, location *l); /* sets where and function; left alone if nothing is known */
/* Looks up those of the first one's object together, so that simt_find_line knows them: much faster than one at a time. */
void simt_find_lines(const void *const *addresses, unsigned count);

/* --- finding_json.c */

void simt_write_json(FILE *json_file, const finding *f); /* a line, if there is a file */
void simt_put_finding(FILE *json_file, const finding *f);

/* --- finding_html.c */

/* Adds it, with the lines of the sources around its places, to the page that html= names. NULL: makes the page, or looks whether
 * the file is one. */
void simt_write_html(const finding *f);

/* --- finding_sarif.c */

/* Adds it to the file that sarif= names, if none with its fingerprint is there. NULL: makes the file if it is not there, since a
 * log without findings tells that those of an earlier one are gone. */
void simt_write_sarif(const finding *f);

#pragma GCC visibility pop

#endif
