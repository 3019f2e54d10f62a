/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The plan of a verification run: its cases, and for each case the rows (a variant on a device) that get it.
 */
#ifndef HARNESS_PLAN_H
#define HARNESS_PLAN_H

#include "corpus.h"
#include "generate.h"
#include "rows.h"

/* Classes of devices by speed, which limits the size of their cases: emulated and checking, emulated, hardware. */
typedef enum sb_size_class { SB_CHECKING, SB_EMULATED, SB_HARDWARE, SB_SIZE_CLASSES } sb_size_class;

typedef enum sb_task_kind { SB_TASK_LINE, SB_TASK_REAL, SB_TASK_GENERATED } sb_task_kind;

/* One case to judge: a line of a case file, a piece of a real file, or a generated case. */
typedef struct sb_task {
    sb_task_kind kind;
    const sb_algorithm *algorithm;
    const sb_case_line *line;
    bool
        large; /* a line, or a case at a size that a variant names, above the limit of some device: it runs after all others, which show what it will cost */
    const sb_real_file *file;
    sb_size_class class; /* of a real file: the only class that gets it; of a generated case: the slowest that does */
    uint64_t index;      /* of a generated case in its sequence */
    uint64_t items;      /* of a generated case at a size that a variant names; else 0 */
    size_t dimension;    /* the parameter that is long, if `elongated` */
    bool elongated;      /* `items` is the extent of one dimension; the others are short */
    bool first;          /* of those that differ in the type alone */
    sb_wish wish;        /* of a generated case at a size */
    uint64_t named; /* that size: only variants that name it get the case, and those of the inverse that name any */
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

/* Loads the cases that the options name, and lists a task for each. `rows` must outlive the plan. `references_only`:
 * all rows count as hardware. False: `error` names the file or the setting that is wrong. The caller frees the plan in
 * either case. */
bool sb_plan_init(sb_plan *plan, const sb_options *options, const sb_row *rows, size_t row_count, bool references_only,
                  char *error, size_t size);
void sb_plan_free(sb_plan *plan);

/* Makes the case of a task that is not a line. */
bool sb_plan_case(const sb_plan *plan, const sb_task *task, sb_case *c, char *error, size_t size);

/* Some generated cases of code from outside have a twin, of the same shape, which the same worker gets next: a variant that takes the
 * result of one for that of the other has a mistake, or cheats. False: this task has none. */
bool sb_plan_twin(const sb_plan *plan, const sb_task *task, const sb_case *c, sb_case *twin);

/* Does a row get a case? SB_FIT_DEAR: it should, but the case would take too long on this device. */
typedef enum sb_fit { SB_FIT_NO, SB_FIT_YES, SB_FIT_DEAR } sb_fit;

/* Does this row get `c`, which is the case of the task or the case of the inverse made from it? A case above the limit
 * of items of its device is run where what the row took for smaller cases shows that it is affordable. `why`: the
 * reason of SB_FIT_DEAR. `c` may be NULL for a generated case whose task has a size: then SB_FIT_YES says that one of this size may be
 * for the row, and anything else that no case of the task is. */
sb_fit sb_plan_fit(const sb_plan *plan, const sb_task *task, const sb_row *row, const sb_case *c, char *why,
                   size_t size);

/* The seconds after which a case of the task starts under no other schedule. INFINITY: under as many as there are. */
double sb_plan_enough(const sb_plan *plan, const sb_task *task, const sb_row *row);

/* Returns a text that says to how many bytes real files were cut; "" if none was. The caller frees it. NULL: out of
 * memory. */
char *sb_plan_cuts(const sb_plan *plan);

#endif
