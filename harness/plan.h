/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The plan of a verification run: which cases there are, and which rows each of them is for.
 */
#ifndef HARNESS_PLAN_H
#define HARNESS_PLAN_H

#include "corpus.h"
#include "rows.h"

/* Devices by speed, which decides the largest case that they get: emulated and checking, emulated, hardware. */
typedef enum sb_size_class { SB_CHECKING, SB_EMULATED, SB_HARDWARE, SB_SIZE_CLASSES } sb_size_class;

typedef enum sb_task_kind { SB_TASK_LINE, SB_TASK_REAL, SB_TASK_GENERATED } sb_task_kind;

/* One case to judge: a line of a case file, a piece of a real file, or a generated case. */
typedef struct sb_task {
    sb_task_kind kind;
    const sb_algorithm *algorithm;
    const sb_case_line *line;
    const sb_real_file *file;
    sb_size_class class; /* of a real file: the devices that it is for; of a generated case: the slowest of them */
    uint64_t index;      /* of a generated case in its sequence */
} sb_task;

typedef struct sb_plan {
    const sb_options *options;
    bool references_only;
    const sb_row *rows;
    size_t row_count;
    sb_corpus corpus;
    sb_real_file *files;
    size_t file_count;
    sb_task *tasks;
    size_t task_count;
} sb_plan;

/* Loads the cases that the options name, and lists a task for each. `rows` must outlive the plan. `references_only`: the
 * plan is that of a run on hardware, whatever the devices of the rows are. False: `error` says which file or setting is
 * wrong. The plan is to be freed in any case. */
bool sb_plan_init(sb_plan *plan, const sb_options *options, const sb_row *rows, size_t row_count, bool references_only,
                  char *error, size_t size);
void sb_plan_free(sb_plan *plan);

/* Makes the case of a task that is not a line. */
bool sb_plan_case(const sb_plan *plan, const sb_task *task, sb_case *c, char *error, size_t size);

/* Is the case of this task, or the case `c` of the inverse made from it, for this row? Counts of the row do not matter. */
bool sb_plan_includes(const sb_plan *plan, const sb_task *task, const sb_row *row, const sb_case *c);

/* To how many bytes real files were cut, as text, "" when none was; allocated, NULL for want of memory. */
char *sb_plan_cuts(const sb_plan *plan);

#endif
