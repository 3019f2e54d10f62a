/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Plans: contract in plan.h.
 */
#include "plan.h"
#include "../common/folders.h"
#include "algorithms/table.h"
#include "generate.h"
#include "judge.h"
#include "subset.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For each class of devices: max items of a generated case, and max bytes of a piece of a real file. With these values
 * a whole run takes minutes on each class. The time is about proportional to them. Not tuned. */
static const uint64_t max_generated[SB_SIZE_CLASSES] = {1500, 10000, 300000};
static const uint64_t max_real[SB_SIZE_CLASSES] = {1000, 8000, 300000};

/* Max items of a corpus case that runs whatever it costs. All corpus cases but a few, which are large on purpose, are
 * smaller. A larger case runs on an emulated device if the estimate below allows it. */
static const uint64_t max_line[SB_SIZE_CLASSES] = {100000, 2000000, UINT64_MAX};

/* Seconds that one run of a larger case may take, and that all runs of a large case take before none is started any more. All
 * large cases of the corpus together then take less than a minute on the slowest device. */
static const double DEAR_SECONDS = 1;

/* With --size the user asks for large cases, so one run may take this part of --limit. The rest is a margin: an estimate
 * that is too low must not turn a slow run into a hang. */
static const double DEAR_PART = 0.25;

/* Many variants take more than linear time, so the estimate is in proportion to the largest smaller case, times 2. Not tuned. */
static const double DEAR_SLACK = 2;

/* Before a row has been timed, a case at a named size may be so many times as large as the limit of its device. It shows what
 * larger ones take. Not tuned. */
static const uint64_t UNTIMED_TIMES = 4;

/* Sizes that variants name are not followed beyond this: the inputs of such a case, and what the reference makes of them, have
 * to be in the memory of the host. */
static const uint64_t MAX_NAMED_ITEMS = 1u << 27;

/* The slowest class that gets generated case i, by i % 4: two of four cases are for all devices, one is for devices
 * that do not check, and one for hardware. */
static const sb_size_class generated_class[4] = {SB_CHECKING, SB_CHECKING, SB_EMULATED, SB_HARDWARE};

/* --size, or the limit of the class. */
static uint64_t max_items(const sb_plan *plan, const uint64_t limits[SB_SIZE_CLASSES], sb_size_class class)
{
    return plan->options->size != 0 ? plan->options->size : limits[class];
}

static sb_size_class class_of(const sb_plan *plan, const sb_port_info *port)
{
    if (plan->references_only)
        return SB_HARDWARE; /* the ledger records runs on hardware */
    if (port->info.flags & SB_DEVICE_CHECKS)
        return SB_CHECKING;
    return port->info.flags & SB_DEVICE_EMULATED ? SB_EMULATED : SB_HARDWARE;
}

static bool add_task(sb_plan *plan, size_t *capacity, sb_task t)
{
    if (plan->task_count == *capacity) {
        size_t wanted = *capacity ? 2 * *capacity : 256;
        sb_task *grown = realloc(plan->tasks, wanted * sizeof *grown);

        if (grown == NULL)
            return false;
        plan->tasks = grown;
        *capacity = wanted;
    }
    plan->tasks[plan->task_count++] = t;
    return true;
}

static bool algorithm_selected(const sb_plan *plan, const sb_algorithm *algorithm)
{
    for (size_t i = 0; i < plan->row_count; i++)
        if (plan->rows[i].algorithm == algorithm)
            return true;
    /* The reference of an algorithm without a variant is checked as well, unless the options name a port. */
    return plan->options->exec == NULL && plan->options->modules.count == 0 && !plan->options->untrusted &&
           sb_patterns_match(plan->options->arguments, plan->options->argument_count, algorithm->name, "");
}

/* Are the cases of the algorithm in the plan? A run for the ledger includes the cases of an algorithm whose inverse is
 * selected, so that a ledger row does not depend on the selection. */
static bool algorithm_due(const void *of, const sb_algorithm *algorithm)
{
    const sb_plan *plan = of;
    const sb_algorithm *inverse = algorithm->inverse ? sb_algorithm_find(algorithm->inverse) : NULL;

    return algorithm_selected(plan, algorithm) ||
           (plan->options->ledger != NULL && inverse != NULL && algorithm_selected(plan, inverse));
}

static bool class_present(const sb_plan *plan, sb_size_class class)
{
    for (size_t i = 0; i < plan->row_count; i++)
        if (class_of(plan, plan->rows[i].port) == class)
            return true;
    return false;
}

static bool add_generated(sb_plan *plan, size_t *capacity)
{
    /* In rounds, so that a time limit leaves out equally many cases of all algorithms. */
    for (uint64_t index = 0; index < plan->options->cases; index++)
        for (size_t a = 0; sb_algorithm_at(a) != NULL; a++) {
            sb_size_class class = generated_class[index % 4];
            sb_task t = {.kind = SB_TASK_GENERATED, .algorithm = sb_algorithm_at(a), .class = class, .index = index};

            if (algorithm_due(plan, sb_algorithm_at(a)) && (class < SB_HARDWARE || class_present(plan, SB_HARDWARE)) &&
                !add_task(plan, capacity, t))
                return false;
        }
    return true;
}

/* Large cases: how many generated cases there are for each of them, and their largest size. An
 * array of 2^24 elements is 128 MiB as numbers for the reference. Half as many cases would take half the time; a larger size more
 * memory than many hosts have. */
enum { PER_LARGE = 16 };
static const uint64_t MAX_LARGE_ITEMS = 1u << 24;

/* Of candidates of built-in algorithms, which are judged more often, and whose references take longer. */
static const uint64_t MAX_BUILT_IN_ITEMS = 1u << 22;

/* Sizes are drawn so that each doubling from the usual limit of the class to the largest is as likely. They run last, and only where
 * what a row took for smaller ones shows that it can afford them. */
static bool add_large_of(sb_plan *plan, size_t *capacity, const sb_algorithm *algorithm, sb_size_class class,
                         sb_random *random)
{
    uint64_t max = sb_algorithm_folder(algorithm) != NULL ? MAX_LARGE_ITEMS : MAX_BUILT_IN_ITEMS;

    for (uint64_t index = 0; plan->options->cases >= 64 && index < plan->options->cases / PER_LARGE; index++) {
        double doublings = log2((double)max / (double)max_generated[class]);
        double drawn = doublings * ldexp((double)(sb_random_next(random) >> 11), -53);
        sb_task t = {.kind = SB_TASK_GENERATED,
                     .algorithm = algorithm,
                     .large = true,
                     .class = class,
                     .index = index,
                     .items = (uint64_t)((double)max_generated[class] * exp2(drawn))};

        if (!add_task(plan, capacity, t))
            return false;
    }
    return true;
}

/* For modules of users and candidates, and for contracts from outside on hardware: a kernel may be right up to the usual limit only. */
static bool add_large(sb_plan *plan, size_t *capacity)
{
    sb_random random = {plan->options->seed};

    for (size_t a = 0; sb_algorithm_at(a) != NULL; a++)
        for (sb_size_class class = 0; class < SB_SIZE_CLASSES; class ++) {
            const sb_algorithm *algorithm = sb_algorithm_at(a);
            bool wanted = plan->options->untrusted || plan->options->modules.count > 0 ||
                          (class == SB_HARDWARE && sb_algorithm_folder(algorithm) != NULL);

            if (wanted && algorithm_due(plan, algorithm) && plan->options->size == 0 && !plan->references_only &&
                class_present(plan, class) && !add_large_of(plan, capacity, algorithm, class, &random))
                return false;
        }
    return true;
}

static bool add_real(sb_plan *plan, size_t *capacity)
{
    for (size_t f = 0; f < plan->file_count; f++)
        for (size_t a = 0; sb_algorithm_at(a) != NULL; a++)
            for (sb_size_class class = 0; class < SB_SIZE_CLASSES; class ++) {
                sb_task t = {
                    .kind = SB_TASK_REAL, .algorithm = sb_algorithm_at(a), .file = &plan->files[f], .class = class};

                if (sb_takes_real_files(sb_algorithm_at(a)) && algorithm_due(plan, sb_algorithm_at(a)) &&
                    class_present(plan, class) && !add_task(plan, capacity, t))
                    return false;
            }
    return true;
}

/* Around each size that a variant names, in its second tile, and past that: a kernel that goes wrong behind its first tile,
 * or with more items than its grid has threads, does so there. Past a multiple the last tile has one item, which hides much,
 * so in another case it has three quarters of its items. Two cases of each, because the generator may hide it, too. */
static bool add_sizes(sb_plan *plan, size_t *capacity, const sb_row *row)
{
    const uint64_t *sizes = row->port->info.variants[row->variant].sizes;

    for (size_t s = 0; s < SB_MAX_SIZES && sizes[s] != 0; s++) {
        const uint64_t around[] = {sizes[s] - 1, sizes[s], sizes[s] + 1, 2 * sizes[s] + 1, 2 * sizes[s] - sizes[s] / 4};
        const uint64_t count = sizeof around / sizeof *around;

        for (uint64_t i = 0; i < 2 * count; i++) {
            sb_task t = {.kind = SB_TASK_GENERATED,
                         .algorithm = row->algorithm,
                         .large = true,
                         .class = SB_CHECKING,
                         .index = i + 2 * count * s,
                         .items = around[i % count],
                         .named = sizes[s]};
            bool there = false;

            for (size_t k = 0; k < plan->task_count; k++)
                there |= plan->tasks[k].algorithm == t.algorithm && plan->tasks[k].named == t.named &&
                         plan->tasks[k].items == t.items && plan->tasks[k].index == t.index;
            if (!there && t.items != 0 && t.items <= MAX_NAMED_ITEMS && !add_task(plan, capacity, t))
                return false;
        }
    }
    return true;
}

static bool add_all_sizes(sb_plan *plan, size_t *capacity)
{
    for (size_t i = 0; i < plan->row_count; i++)
        if (plan->options->cases > 0 && !plan->references_only && plan->rows[i].port->info.available &&
            !add_sizes(plan, capacity, &plan->rows[i]))
            return false;
    return true;
}

/* Extents of one dimension while the others are below 4: what is wrong from 4,096 columns on, say, is seen only there, and few
 * other cases have so many. Each is an odd number between this one and a quarter more, so that the last tile is not full. What a row
 * takes for the one decides whether it can afford the next; the first is as long as usual cases. The last of the list is above 2^16, where
 * counters of 16 bits end; an extent twice as long would double the time. A dimension that has a maximum is as long as that in one more case.
 * Where the dimension is one of the terms of a sum, they are exact in each type that the arrays can have, because a term that is missing, or
 * numbers that are rounded to a narrower type, are little beside a bound of so many. */
static const struct {
    uint64_t extent;
    sb_wish wish;
    bool each_type;
} elongations[] = {{1024, {"wide", false, 0}, true},
                   {4096, {NULL, true, 0}, false},
                   {16384, {"wide", false, 0}, true},
                   {65536, {"signs", true, 0}, true}};

enum { ELONGATIONS = sizeof elongations / sizeof *elongations };

/* Is the dimension one of those whose product is the number of terms of a sum? */
static bool counts_terms(const sb_algorithm *algorithm, const char *dimension)
{
    bool counts = false;

    for (size_t i = 0; i < algorithm->output_count; i++) {
        const char *terms = algorithm->outputs[i].tolerance.terms;

        for (const char *at = terms; at != NULL && *at != '\0'; at += strcspn(at, " ")) {
            at += strspn(at, " ");
            counts |= strcspn(at, " ") == strlen(dimension) && strncmp(at, dimension, strlen(dimension)) == 0;
        }
    }
    return counts;
}

/* A long dimension's case for each type, or one. False: out of memory. */
static bool add_elongated_types(sb_plan *plan, size_t *capacity, sb_task t, bool each_type)
{
    int at = sb_parameter_index(t.algorithm, "type");
    const char *const *words = each_type && at >= 0 ? t.algorithm->parameters[at].words : NULL;

    t.first = true;
    if (words == NULL)
        return add_task(plan, capacity, t);
    for (uint64_t w = 0; words[w] != NULL; w++) {
        if (words[w][0] == '\0')
            continue;
        t.wish.type = w;
        if (!add_task(plan, capacity, t))
            return false;
        t.first = false;
    }
    return true;
}

static bool add_elongated_of(sb_plan *plan, size_t *capacity, const sb_algorithm *algorithm, sb_random *random)
{
    const uint64_t dimensions = sb_count_dimensions(algorithm);

    for (size_t e = 0; e <= ELONGATIONS; e++) {
        const bool most = e == ELONGATIONS;
        uint64_t number = 0, from = elongations[most ? e - 1 : e].extent;

        for (size_t i = 0; i < algorithm->parameter_count; i++) {
            const sb_parameter *p = &algorithm->parameters[i];
            sb_task t = {.kind = SB_TASK_GENERATED,
                         .algorithm = algorithm,
                         .large = e > 0,
                         .elongated = true,
                         .dimension = i,
                         .wish = elongations[most ? e - 1 : e].wish,
                         .class = SB_CHECKING,
                         .index = number + dimensions * e,
                         .items = most ? p->max : from + (sb_random_below(random, from / 4) | 1)};

            number += p->dimension;
            if (!p->dimension ||
                (most ? p->max <= elongations[0].extent || p->max > MAX_LARGE_ITEMS : p->max != 0 && p->max < from))
                continue;
            if (!add_elongated_types(plan, capacity, t,
                                     !most && elongations[e].each_type && counts_terms(algorithm, p->name)))
                return false;
        }
    }
    return true;
}

/* Of contracts from outside. Those that come with samebits have inputs, not dimensions. */
static bool add_elongated(sb_plan *plan, size_t *capacity)
{
    const sb_options *options = plan->options;
    sb_random random = {options->seed};

    for (size_t a = 0; sb_algorithm_at(a) != NULL; a++)
        if (options->cases >= 64 && options->size == 0 && !plan->references_only &&
            sb_algorithm_folder(sb_algorithm_at(a)) != NULL && algorithm_due(plan, sb_algorithm_at(a)) &&
            !add_elongated_of(plan, capacity, sb_algorithm_at(a), &random))
            return false;
    return true;
}

static bool add_lines(sb_plan *plan, size_t *capacity, bool large)
{
    for (size_t i = 0; i < plan->corpus.count; i++) {
        sb_task t = {.kind = SB_TASK_LINE,
                     .algorithm = plan->corpus.lines[i].c.algorithm,
                     .line = &plan->corpus.lines[i],
                     .large = sb_case_items(&plan->corpus.lines[i].c) > max_line[SB_CHECKING]};

        if (t.large == large && algorithm_due(plan, t.algorithm) && sb_subset_holds(&plan->options->set, &t.line->c) &&
            !add_task(plan, capacity, t))
            return false;
    }
    return true;
}

static int by_items(const void *a, const void *b)
{
    const sb_case_line *left = ((const sb_task *)a)->line, *right = ((const sb_task *)b)->line;
    uint64_t l = sb_case_items(&left->c), r = sb_case_items(&right->c);

    return l != r ? (l > r) - (l < r) : (left > right) - (left < right);
}

/* The large lines, by size: what the smaller of them take says most about the larger ones. */
static bool add_large_lines(sb_plan *plan, size_t *capacity)
{
    size_t before = plan->task_count;

    if (!add_lines(plan, capacity, true))
        return false;
    if (plan->task_count > before)
        qsort(plan->tasks + before, plan->task_count - before, sizeof *plan->tasks, by_items);
    return true;
}

static bool add_tasks(sb_plan *plan)
{
    bool lines_only = plan->options->case_files.count > 0 && !plan->options->has_cases;
    size_t capacity = 0;

    return add_lines(plan, &capacity, false) &&
           (lines_only || (add_real(plan, &capacity) && add_generated(plan, &capacity))) &&
           (lines_only ||
            (add_all_sizes(plan, &capacity) && add_elongated(plan, &capacity) && add_large(plan, &capacity))) &&
           add_large_lines(plan, &capacity);
}

/* Keeps the tasks of shard TEST_SHARD_INDEX of TEST_TOTAL_SHARDS, the variables of Bazel. False: only one
 * of them is set, or one is invalid. */
static bool take_shard(sb_plan *plan)
{
    const char *index_text = getenv("TEST_SHARD_INDEX"), *total_text = getenv("TEST_TOTAL_SHARDS");
    unsigned long index, total;
    size_t kept = 0;
    char *end;

    if (index_text == NULL || total_text == NULL)
        return index_text == total_text;
    index = strtoul(index_text, &end, 10);
    if (*index_text == '\0' || *end != '\0')
        return false;
    total = strtoul(total_text, &end, 10);
    if (*total_text == '\0' || *end != '\0' || total == 0 || index >= total)
        return false;
    for (size_t i = 0; i < plan->task_count; i++)
        if (i % total == index)
            plan->tasks[kept++] = plan->tasks[i];
    plan->task_count = kept;
    return true;
}

static bool load_case_files(sb_plan *plan, char *error, size_t size)
{
    const sb_options *options = plan->options;

    for (size_t i = 0; i < options->case_files.count; i++)
        if (!sb_corpus_load_file(&plan->corpus, options->case_files.items[i], error, size))
            return false;
    if (options->case_files.count > 0)
        return true;
    plan->corpus.wants = algorithm_due;
    plan->corpus.who = plan;
    return sb_corpus_load_default(&plan->corpus, error, size);
}

static bool add_real_files(sb_plan *plan, const char *folder, char *error, size_t size)
{
    sb_real_file *files, *all;
    size_t count;

    if (!sb_real_files(folder, &files, &count, error, size))
        return false;
    all = realloc(plan->files, (plan->file_count + count + 1) * sizeof *all);
    if (all == NULL) {
        sb_real_files_free(files, count);
        snprintf(error, size, "%s: out of memory", folder);
        return false;
    }
    plan->files = all;
    memcpy(all + plan->file_count, files, count * sizeof *all);
    plan->file_count += count;
    free(files); /* `all` owns its elements now */
    return true;
}

/* Lists the real files of --corpus or, by default, of the corpus that comes with samebits. With --case-file there are
 * none. */
static bool list_real_files(sb_plan *plan, char *error, size_t size)
{
    const sb_options *options = plan->options;
    char folder[4096];

    if (options->case_files.count > 0)
        return true;
    snprintf(folder, sizeof folder, "%s/real", sb_part(SB_PART_CORPUS));
    if (options->corpus.count == 0)
        return add_real_files(plan, folder, error, size);
    for (size_t i = 0; i < options->corpus.count; i++)
        if (!add_real_files(plan, options->corpus.items[i], error, size))
            return false;
    return true;
}

bool sb_plan_init(sb_plan *plan, const sb_options *options, const sb_row *rows, size_t row_count, bool references_only,
                  char *error, size_t size)
{
    *plan = (sb_plan){.options = options, .references_only = references_only, .rows = rows, .row_count = row_count};
    if (!load_case_files(plan, error, size) || !list_real_files(plan, error, size))
        return false;
    if (!add_tasks(plan)) {
        snprintf(error, size, "out of memory");
        return false;
    }
    if (!take_shard(plan)) {
        snprintf(error, size,
                 "TEST_SHARD_INDEX and TEST_TOTAL_SHARDS must both be numbers, the first below the second");
        return false;
    }
    return true;
}

void sb_plan_free(sb_plan *plan)
{
    free(plan->tasks);
    sb_corpus_free(&plan->corpus);
    sb_real_files_free(plan->files, plan->file_count);
}

/* The first index from which sb_generate_nth draws sizes up to its limit, in rounds of four shapes, of which this begins
 * the one that draws all. */
enum { FULL_SIZE = 204 };

bool sb_plan_case(const sb_plan *plan, const sb_task *task, sb_case *c, char *error, size_t size)
{
    const sb_list *settings = &plan->options->set;
    sb_random random = {0};

    if (task->kind == SB_TASK_REAL) {
        if (!sb_real_case(c, task->algorithm, task->file, max_items(plan, max_real, task->class), error, size))
            return false;
        if (sb_subset_force(settings, task->algorithm, &random, c->parameters) < 0 || sb_case_normalise(c))
            return true;
        snprintf(error, size, "out of memory");
        sb_case_free(c);
        return false;
    }
    /* Of large cases every other one has several large dimensions; those of a named size, and the others, have one. */
    if (task->items != 0 && task->named == 0 && !task->elongated && task->index % 2 != 0) {
        if (sb_generate_nth(c, task->algorithm, plan->options->seed, FULL_SIZE + task->index, task->items / 2,
                            settings))
            return true;
    } else if (task->items != 0 && sb_generate_sized(c, task->algorithm, plan->options->seed, task->index, task->items,
                                                     &task->wish, settings)) {
        return true;
    }
    if (task->items == 0 && sb_generate_nth(c, task->algorithm, plan->options->seed, task->index,
                                            max_items(plan, max_generated, task->class), settings))
        return true;
    snprintf(error, size, "out of memory");
    return false;
}

/* One of so many generated cases has a twin. All would double the time. */
enum { PER_TWIN = 4 };

bool sb_plan_twin(const sb_plan *plan, const sb_task *task, const sb_case *c, sb_case *twin)
{
    const sb_options *options = plan->options;
    bool outside = options->untrusted || options->modules.count > 0 || options->exec != NULL;
    /* Who sees the case can compute its hash. */
    uint64_t seed = options->untrusted ? sb_secret_seed(options->seed, c) : (uint32_t)sb_case_hash(c);

    return outside && task->kind == SB_TASK_GENERATED && task->items == 0 && !plan->references_only &&
           task->index % (PER_TWIN + 1) == PER_TWIN && sb_generate_twin(twin, c, seed);
}

/* The limit of items of the class for the task, without --size. */
static uint64_t usual_items(const sb_task *task, sb_size_class class)
{
    switch (task->kind) {
    case SB_TASK_LINE:
        return max_line[class];
    case SB_TASK_REAL:
        return max_real[class];
    case SB_TASK_GENERATED:
        return max_generated[class];
    }
    return 0;
}

/* Seconds that the case takes in proportion to the largest that the row has been timed on: by items, or by the dimension that says most.
 * A block may take a row, and then short rows cost as much as long ones. */
static double proportional(const sb_row *row, const sb_case *c, uint64_t items)
{
    double seconds = row->timed_seconds / (double)row->timed_items * (double)items;

    for (size_t i = 0; c != NULL && i < c->algorithm->parameter_count; i++)
        if (row->timed_extents[i] > 0)
            seconds = fmax(seconds, row->extent_seconds[i] / (double)row->timed_extents[i] * (double)c->parameters[i]);
    return seconds;
}

/* Can the row afford a case above the usual limit? `c` is NULL if it has not been made. */
static sb_fit afford(const sb_plan *plan, const sb_task *task, const sb_row *row, const sb_case *c, uint64_t items,
                     uint64_t usual, char *why, size_t size)
{
    uint64_t asked = plan->options->size;
    double budget = items <= asked ? DEAR_PART * plan->options->limit : DEAR_SECONDS, estimate;

    if (row->timed_items == 0) {
        if (items <= asked || (task->named != 0 && items <= UNTIMED_TIMES * usual))
            return SB_FIT_YES;
        snprintf(why, size, "it has %llu items; the limit of this device is %llu, which --size raises",
                 (unsigned long long)items, (unsigned long long)usual);
        return SB_FIT_DEAR;
    }
    estimate = DEAR_SLACK * proportional(row, c, items);
    if (estimate <= budget)
        return SB_FIT_YES;
    snprintf(why, size, "its %llu items would take about %.1f s here, and %.1f s are allowed; %s raises that",
             (unsigned long long)items, estimate, budget, items <= asked ? "--limit" : "--size");
    return SB_FIT_DEAR;
}

/* Seconds that one run with a long dimension should take at most, and times as many for the first of an extent, without which nothing is known of
 * it. Half as many leave out most of them where a core does the work of two. */
static const double ELONGATED_SECONDS = 4, FIRST_TIMES = 4;

/* Can the row afford a case with one long dimension? In most kernels the time is in proportion to it, which is expected until two extents
 * have shown what it is. In some it is to its square, by which it must not become a hang. */
static sb_fit afford_elongated(const sb_plan *plan, const sb_task *task, const sb_row *row, const sb_case *c, char *why,
                               size_t size)
{
    const sb_elongation *longest = &row->elongations[task->dimension];
    double extent = (double)c->parameters[task->dimension], before = (double)longest->extent;
    double times = before > 0 ? extent / before : 1, likely = longest->seconds * pow(times, fmax(longest->power, 1));
    double worst = longest->power > 0 ? DEAR_SLACK * likely : longest->seconds * times * times;
    double allowed = task->first ? FIRST_TIMES * ELONGATED_SECONDS : ELONGATED_SECONDS;

    if (!task->large || (before > 0 && likely <= allowed && worst <= plan->options->limit / 2))
        return SB_FIT_YES;
    snprintf(why, size, "%s=%.0f %s %.1f s here, and %.1f s are allowed",
             task->algorithm->parameters[task->dimension].name, extent,
             likely > allowed ? "is likely to take" : "may take up to", likely > allowed ? likely : worst,
             likely > allowed ? allowed : plan->options->limit / 2);
    return SB_FIT_DEAR;
}

/* Is a case at a named size for this row? */
static bool names(const sb_row *row, const sb_task *task)
{
    const uint64_t *sizes = row->port->info.variants[row->variant].sizes;

    if (row->algorithm != task->algorithm)
        return sizes[0] != 0;
    for (size_t s = 0; s < SB_MAX_SIZES && sizes[s] != 0; s++)
        if (sizes[s] == task->named)
            return true;
    return false;
}

/* A case has at least so many of the items of its task, unless it has dimensions or --set makes it smaller. Not tuned. */
enum { UNMADE_PART = 4 };

/* sb_plan_fit of a case that has not been made. */
static sb_fit fit_unmade(const sb_plan *plan, const sb_task *task, const sb_row *row, char *why, size_t size)
{
    sb_size_class class = class_of(plan, row->port);
    uint64_t usual = usual_items(task, class);

    if (sb_algorithm_folder(task->algorithm) != NULL || plan->options->set.count > 0 || plan->options->size != 0 ||
        plan->references_only || task->items / UNMADE_PART <= usual)
        return SB_FIT_YES;
    if (row->algorithm != task->algorithm || !row->port->info.available || (task->named != 0 && !names(row, task)) ||
        class < task->class)
        return SB_FIT_NO;
    return afford(plan, task, row, NULL, task->items / UNMADE_PART, usual, why, size) == SB_FIT_YES
               ? SB_FIT_YES
               : afford(plan, task, row, NULL, task->items, usual, why, size);
}

sb_fit sb_plan_fit(const sb_plan *plan, const sb_task *task, const sb_row *row, const sb_case *c, char *why,
                   size_t size)
{
    if (c == NULL)
        return fit_unmade(plan, task, row, why, size);

    sb_size_class class = class_of(plan, row->port);
    uint64_t items = sb_case_items(c), usual = usual_items(task, class), asked = plan->options->size;
    /* The inverse of a case that --size allows is allowed, however long the code is. Other cases are made no larger. */
    uint64_t own = task->line != NULL ? sb_case_items(&task->line->c) : task->items;

    if (row->algorithm != c->algorithm || !row->port->info.available || !sb_subset_holds(&plan->options->set, c) ||
        (task->named != 0 && !names(row, task)))
        return SB_FIT_NO;
    if (task->elongated)
        return afford_elongated(plan, task, row, c, why, size);
    if (task->kind == SB_TASK_REAL && class != task->class)
        return SB_FIT_NO;
    if (task->kind == SB_TASK_GENERATED && class < task->class && items > max_items(plan, max_generated, class))
        return SB_FIT_NO;
    if (asked != 0 && own > asked) {
        snprintf(why, size, "it has %llu items; --size=%llu allows no more", (unsigned long long)own,
                 (unsigned long long)asked);
        return SB_FIT_DEAR;
    }
    /* Without --size, generated cases and real files have the size that the plan gave them. */
    if (items <= usual || plan->references_only ||
        (task->kind != SB_TASK_LINE && task->items == 0 && plan->options->size == 0))
        return SB_FIT_YES;
    return afford(plan, task, row, c, items, usual, why, size);
}

double sb_plan_enough(const sb_plan *plan, const sb_task *task, const sb_row *row)
{
    bool asked = plan->options->schedules != 0 || plan->options->size != 0;

    return task->large && !asked && class_of(plan, row->port) != SB_HARDWARE ? DEAR_SECONDS : INFINITY;
}

char *sb_plan_cuts(const sb_plan *plan)
{
    static const char *const words[SB_SIZE_CLASSES] = {"on checking devices", "on emulated devices", "on hardware"};
    uint64_t longest = 0;
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    if (out == NULL)
        return NULL;
    for (size_t i = 0; i < plan->file_count; i++)
        if (plan->files[i].bytes > longest)
            longest = plan->files[i].bytes;
    for (sb_size_class class = 0; class < SB_SIZE_CLASSES; class ++)
        if (class_present(plan, class) && longest > max_items(plan, max_real, class))
            fprintf(out, "%s%llu bytes %s", ftell(out) > 0 ? ", " : "",
                    (unsigned long long)max_items(plan, max_real, class), words[class]);
    return fclose(out) == 0 ? text : NULL;
}
