/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Judging: contract in judge.h.
 */
#include "judge.h"
#include "generate.h"
#include "tolerance.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Elements shown on each side of the first difference: nine in all fit on a line. */
enum { CONTEXT = 4 };

/* Any number: the bits of the seed that it flips. */
static const uint64_t OTHER_POISON = 0x9e3779b97f4a7c15u;

sb_ask sb_question_init(sb_question *question, const sb_case *c, const sb_case_line *line, double limit, char *why,
                        size_t size)
{
    char difference[1024];

    memset(question, 0, sizeof *question);
    question->c = c;
    question->hash = sb_case_hash(c);
    if (!sb_case_shape(c, question->capacity, why, size))
        return SB_ASK_SKIP;
    if (sb_case_cost(c) > limit * 1e9) {
        question->certify = c->algorithm->certify != NULL;
        snprintf(why, size, "the reference would take more than %.0f s and there is no certifier", limit);
        return question->certify ? SB_ASK_READY : SB_ASK_SKIP;
    }
    if (!sb_case_reference(c, &question->answer) || question->answer.status == SB_UNSUPPORTED) {
        snprintf(why, size, "%s", question->answer.message);
        return SB_ASK_SKIP;
    }
    if (question->answer.status == SB_FAILED) {
        snprintf(why, size, "%s", question->answer.message);
        return SB_ASK_WRONG;
    }
    if (line != NULL && line->has_expected &&
        !sb_results_agree(c, &line->expected, &question->answer, NULL, difference, sizeof difference)) {
        snprintf(why, size, "the answer in %s is not the reference's; one of the two is wrong: %s",
                 line->place != NULL ? line->place : "the case", difference);
        return SB_ASK_WRONG;
    }
    question->digest = sb_answer_hash(c, &question->answer, question->hash);
    return SB_ASK_READY;
}

void sb_question_free(sb_question *question)
{
    sb_result_free(&question->answer);
}

static const char *status_word(sb_status status)
{
    static const char *const words[] = {
        [SB_OK] = "a result", [SB_INVALID] = "invalid", [SB_UNSUPPORTED] = "unsupported", [SB_FAILED] = "a failure"};

    return (size_t)status < sizeof words / sizeof *words ? words[status] : "an unknown status";
}

static uint64_t first_difference(const sb_array *a, const sb_array *b)
{
    const uint8_t *x = a->data, *y = b->data;
    uint64_t shorter = a->length < b->length ? a->length : b->length;
    uint64_t bytes = shorter * sb_type_size(a->type), at = 0;

    if (bytes > 0 && memcmp(x, y, bytes) != 0)
        while (x[at] == y[at])
            at++;
    else
        at = bytes;
    return at / sb_type_size(a->type);
}

static bool arrays_equal(const sb_array *a, const sb_array *b)
{
    return a->length == b->length && (a->length == 0 || memcmp(a->data, b->data, sb_array_bytes(a)) == 0);
}

static void show_context(FILE *out, const char *word, const sb_array *array, uint64_t at)
{
    uint64_t from = at > CONTEXT ? at - CONTEXT : 0;

    fprintf(out, "\n    %-8s [%llu..]: ", word, (unsigned long long)from);
    sb_array_print(out, array, from, 2 * CONTEXT + 1);
}

static void describe_difference(FILE *out, const char *name, const sb_array *expected, const sb_array *got)
{
    uint64_t at = first_difference(expected, got);
    char left[64], right[64];

    if (at < expected->length && at < got->length) {
        sb_element_text(left, sizeof left, expected, at);
        sb_element_text(right, sizeof right, got, at);
        fprintf(out, "%s[%llu]: expected %s, got %s", name, (unsigned long long)at, left, right);
    } else {
        fprintf(out, "%s: expected %llu elements, got %llu", name, (unsigned long long)expected->length,
                (unsigned long long)got->length);
    }
    show_context(out, "expected", expected, at);
    show_context(out, "got", got, at);
}

bool sb_results_agree(const sb_case *c, const sb_result *expected, const sb_result *got, sb_worst *worst, char *text,
                      size_t size)
{
    const sb_algorithm *algorithm = c->algorithm;
    size_t count = algorithm->output_count, i = 0;
    sb_worst unused;
    FILE *out;

    worst = worst != NULL ? worst : &unused;
    *worst = (sb_worst){.part = 0};
    text[0] = '\0';
    if (expected->status != got->status) {
        snprintf(text, size, "expected %s, got %s%s%s", status_word(expected->status), status_word(got->status),
                 got->message[0] ? ": " : "", got->message);
        return false;
    }
    if (expected->status != SB_OK)
        return true;
    while (i < count && arrays_equal(&expected->outputs[i], &got->outputs[i]))
        i++;
    if (i == count)
        return true;
    bool same_lengths = true;
    for (size_t j = 0; j < count; j++)
        same_lengths &= expected->outputs[j].length == got->outputs[j].length;
    if (same_lengths && algorithm->within != NULL && algorithm->within(c, expected, got, text, size))
        return true;
    if (same_lengths && algorithm->within == NULL && (expected->exact[0] != NULL || got->exact[0] != NULL)) {
        if (sb_tolerances_hold(c, expected, got, worst, text, size))
            return true;
        out = fmemopen(text + strlen(text), size - strlen(text), "w");
        if (out != NULL) {
            show_context(out, "expected", &expected->outputs[worst->output], worst->element);
            show_context(out, "got", &got->outputs[worst->output], worst->element);
            fclose(out);
        }
        return false;
    }
    if (expected->outputs[i].length == got->outputs[i].length)
        *worst = (sb_worst){.part = (double)INFINITY,
                            .output = i,
                            .element = first_difference(&expected->outputs[i], &got->outputs[i])};
    out = fmemopen(text, size, "w");
    if (out != NULL) {
        describe_difference(out, algorithm->outputs[i].name, &expected->outputs[i], &got->outputs[i]);
        fclose(out);
    }
    return false;
}

void sb_schedule_seeds(uint64_t seed, const sb_question *question, bool has_schedules, uint64_t *seeds, size_t count)
{
    sb_random random = {seed ^ question->hash};

    for (size_t i = 0; i < count; i++)
        seeds[i] = sb_random_next(&random) >> 32 | 1; /* 32 bits, short enough to type; 0 is the sequential schedule */
    if (has_schedules && count > 0)
        seeds[0] = 0;
}

uint64_t sb_secret_seed(uint64_t seed, const sb_case *c)
{
    sb_random first = {seed ^ sb_case_hash(c)}, second = {sb_random_next(&first) + seed};

    return sb_random_next(&second);
}

/* Is the result of one run right? `first`: the hash of the first run's result. It matters where a certifier decides, which
 * may accept more than one result. */
static bool result_right(const sb_question *question, const sb_run *run, unsigned runs, uint64_t first,
                         sb_judgement *judgement)
{
    if (!question->certify) {
        sb_worst worst;
        bool right = sb_results_agree(question->c, &question->answer, &run->result, &worst, judgement->text,
                                      sizeof judgement->text);

        if (worst.part > judgement->worst.part)
            judgement->worst = worst;
        return right;
    }
    if (run->result.status != SB_OK) {
        snprintf(judgement->text, sizeof judgement->text, "expected a result, got %s", status_word(run->result.status));
        return false;
    }
    if (runs > 0 && first != judgement->hash) {
        snprintf(judgement->text, sizeof judgement->text, "another run of the same case gave other bytes");
        return false;
    }
    return question->c->algorithm->certify(question->c, &run->result, judgement->text, sizeof judgement->text);
}

/* Where more than one result is right, a run that differs from the last one in addresses and in uninitialised bytes alone must give
 * the same bytes nevertheless: the order of the arithmetic may depend on the schedule, and on nothing else. */
static void judge_repeat(sb_port *port, size_t variant, const sb_question *question, double limit,
                         sb_judgement *judgement)
{
    const sb_algorithm *algorithm = question->c->algorithm;
    sb_run run;

    sb_port_run(port, variant, question->c, question->capacity, judgement->seed, OTHER_POISON, limit, &run);
    judgement->seconds += run.seconds;
    if (run.fault != SB_FAULT_NONE) {
        judgement->fault = run.fault;
        snprintf(judgement->text, sizeof judgement->text, "%s", run.text);
    } else if (sb_result_hash(&run.result, algorithm->output_count, question->hash) != judgement->hash) {
        char which[1024] = "";

        /* Where the second result is wrong, it says at which element. */
        if (!question->certify)
            (void)sb_results_agree(question->c, &question->answer, &run.result, NULL, which, sizeof which);
        judgement->fault = SB_FAULT_MISMATCH;
        snprintf(
            judgement->text, sizeof judgement->text,
            "another run under the same schedule, with other addresses and other bytes in uninitialised memory, gave "
            "other bytes%s%s",
            which[0] != '\0' ? "; " : "", which);
    }
    sb_run_free(&run);
}

void sb_judge(sb_port *port, size_t variant, const sb_question *question, const uint64_t *seeds, size_t count,
              double enough, double limit, sb_judgement *judgement)
{
    const sb_algorithm *algorithm = question->c->algorithm;
    const bool repeats = port->info->info.has_schedules && (algorithm->within != NULL || algorithm->compute != NULL);
    uint64_t first = 0;

    memset(judgement, 0, sizeof *judgement);
    for (size_t i = 0; i < count && judgement->fault == SB_FAULT_NONE && !judgement->skipped; i++) {
        sb_run run;

        if (i > 0 && judgement->seconds >= enough)
            break;
        sb_port_run(port, variant, question->c, question->capacity, seeds[i], 0, limit, &run);
        judgement->seed = seeds[i];
        judgement->seconds += run.seconds;
        if (run.fault != SB_FAULT_NONE) {
            judgement->fault = run.fault;
            snprintf(judgement->text, sizeof judgement->text, "%s", run.text);
        } else if (run.result.status == SB_UNSUPPORTED) {
            judgement->skipped = !port->info->strict;
            judgement->fault = port->info->strict ? SB_FAULT_REFUSED : SB_FAULT_NONE;
            snprintf(judgement->text, sizeof judgement->text, "%s", run.result.message);
        } else {
            if (question->certify || repeats) /* others are compared with the answer, byte by byte */
                judgement->hash = sb_result_hash(&run.result, algorithm->output_count, question->hash);
            if (!result_right(question, &run, judgement->runs, first, judgement))
                judgement->fault = SB_FAULT_MISMATCH;
            if (judgement->runs++ == 0)
                first = judgement->hash;
        }
        sb_run_free(&run);
    }
    if (judgement->fault == SB_FAULT_NONE && judgement->runs > 0 && repeats)
        judge_repeat(port, variant, question, limit, judgement);
}

/* The bits of the worst element after a run; false: there are none. */
static bool bits_after(sb_port *port, size_t variant, const sb_question *question, uint64_t seed, uint64_t poison,
                       double limit, const sb_worst *worst, uint64_t *bits)
{
    sb_run run;
    bool good;

    sb_port_run(port, variant, question->c, question->capacity, seed, poison, limit, &run);
    const sb_array *output = &run.result.outputs[worst->output];
    good = run.fault == SB_FAULT_NONE && run.result.status == SB_OK && worst->element < output->length;
    *bits = 0;
    if (good)
        memcpy(bits, (const char *)output->data + worst->element * sb_type_size(output->type),
               sb_type_size(output->type));
    sb_run_free(&run);
    return good;
}

void sb_judge_unwritten(sb_port *port, size_t variant, const sb_question *question, double limit,
                        sb_judgement *judgement)
{
    static const char said[] = "not written: it holds what lay there before the run";
    /* A device that checks fills memory by its own seed. */
    uint64_t other = judgement->seed ^ (port->info->info.flags & SB_DEVICE_CHECKS ? (uint32_t)OTHER_POISON : 0);
    uint64_t bits[3];
    char *got = strstr(judgement->text, ", got "), *end;

    if (judgement->fault != SB_FAULT_MISMATCH || !(judgement->worst.part > 1) || got == NULL ||
        port->info->command != NULL)
        return;
    if (!bits_after(port, variant, question, judgement->seed, 0, limit, &judgement->worst, &bits[0]) ||
        !bits_after(port, variant, question, judgement->seed, 0, limit, &judgement->worst, &bits[1]) ||
        !bits_after(port, variant, question, other, OTHER_POISON, limit, &judgement->worst, &bits[2]) ||
        bits[0] != bits[1] || bits[0] == bits[2])
        return;
    got += strlen(", ");
    end = strchr(got, '\n');
    end = strdup(end != NULL ? end : "");
    if (end != NULL)
        snprintf(got, sizeof judgement->text - (size_t)(got - judgement->text), "%s%s", said, end);
    free(end);
}
