/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Contracts whose reference is a process: contract in foreign.h. A process answers one request at a time. Threads that ask at the same
 * time get one each; a thread takes one that is idle before it starts another.
 */
#include "foreign.h"
#include "../common/shape.h"
#include "process.h"
#include "record.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct node {
    sb_process process;
    struct node *next;
} node;

typedef struct sb_pool {
    const char *command;
    double limit;
    sb_declaration declaration;
    char *declared; /* what every process of the command must say */
    pthread_mutex_t lock;
    node *idle;
    struct sb_pool *next;
} sb_pool;

static sb_pool *pools; /* changed only while there is one thread */

static void give_back(sb_pool *pool, node *n)
{
    pthread_mutex_lock(&pool->lock);
    n->next = pool->idle;
    pool->idle = n;
    pthread_mutex_unlock(&pool->lock);
}

/* NULL: out of memory. */
static node *take(sb_pool *pool)
{
    node *n;

    pthread_mutex_lock(&pool->lock);
    n = pool->idle;
    if (n != NULL)
        pool->idle = n->next;
    pthread_mutex_unlock(&pool->lock);
    if (n == NULL) {
        n = calloc(1, sizeof *n);
        if (n == NULL)
            return NULL;
        sb_process_init(&n->process, pool->command, NULL);
        n->process.declaration = pool->declared != NULL ? strdup(pool->declared) : NULL;
    }
    return n;
}

/* The name of a dimension that is 0, for which a reference may not be prepared; or NULL. */
static const char *empty_dimension(const sb_case *c)
{
    for (size_t i = 0; i < c->algorithm->parameter_count; i++)
        if (c->algorithm->parameters[i].dimension && c->parameters[i] == 0)
            return c->algorithm->parameters[i].name;
    return NULL;
}

static void compute(const sb_case *c, sb_result *result)
{
    sb_pool *pool = ((const sb_declared *)(const void *)c->algorithm)->pool;
    uint64_t capacity[SB_MAX_ARRAYS];
    char text[2048] = "out of memory";
    sb_bytes request = {NULL, 0}, answer = {NULL, 0};
    node *n = take(pool);

    for (size_t i = 0; i < SB_MAX_ARRAYS; i++)
        capacity[i] = result->outputs[i].length;
    sb_result_free(result);
    result->status = SB_FAILED;
    if (n != NULL && sb_case_record(c, "reference", capacity, &request) &&
        sb_process_ask(&n->process, &request, sb_answer_most(c, capacity), pool->limit, &answer, text, sizeof text) ==
            SB_ANSWERED &&
        !sb_answer_read(&answer, c, capacity, true, result, text, sizeof text)) {
        sb_result_free(result);
        result->status = SB_FAILED;
    }
    if (result->status == SB_FAILED) { /* its beginning says most */
        const char *empty = empty_dimension(c);

        if (empty != NULL)
            snprintf(result->message, sizeof result->message,
                     "the reference failed: %.150s; with %.32s=0, which its dimension allows without min=1", text,
                     empty);
        else
            snprintf(result->message, sizeof result->message, "the reference failed: %.220s", text);
    }
    free(request.data);
    free(answer.data);
    if (n != NULL)
        give_back(pool, n);
}

static double cost(const sb_case *c)
{
    /* Nanoseconds of a request: two messages through pipes. */
    const double call = 50000;
    const sb_declared *d = (const void *)c->algorithm;
    uint64_t items = 0;

    sb_shape_length(c->algorithm, d->cost, c->parameters, &items);
    return call + d->nanoseconds * (double)items;
}

static bool prepare(sb_pool *pool, char *error, size_t size)
{
    sb_declaration *d = &pool->declaration;
    uint64_t extents[SB_MAX_RANK];

    if (d->contract_count == 0) {
        snprintf(error, size, "it declares no contract");
        return false;
    }
    for (size_t i = 0; i < d->contract_count; i++) {
        sb_declared *contract = d->contracts[i];

        contract->pool = pool;
        contract->algorithm.reference = compute;
        if (contract->cost == NULL)
            continue;
        if (sb_shape_extents(&contract->algorithm, contract->cost, NULL, extents) < 0) {
            snprintf(error, size, "%s: the shape '%.80s' of cost: its words are dimensions and numbers",
                     contract->algorithm.name, contract->cost);
            return false;
        }
        contract->algorithm.cost = cost;
    }
    return true;
}

const sb_declaration *sb_foreign_load(const char *command, double limit, char *error, size_t size)
{
    sb_pool *pool = calloc(1, sizeof *pool);
    char why[1024] = "out of memory";
    node *n = NULL;
    bool good;

    if (pool != NULL) {
        *pool = (sb_pool){.command = command, .limit = limit, .lock = PTHREAD_MUTEX_INITIALIZER, .next = pools};
        pools = pool;
        n = take(pool);
    }
    good = n != NULL && sb_process_start(&n->process, why, sizeof why) == SB_ANSWERED &&
           (pool->declared = strdup(n->process.declaration)) != NULL &&
           sb_declaration_read(&pool->declaration, pool->declared, why, sizeof why) && prepare(pool, why, sizeof why);
    if (n != NULL)
        give_back(pool, n);
    if (good)
        return &pool->declaration;
    snprintf(error, size, "--contract-exec='%.200s': %s", command, why);
    return NULL;
}

void sb_foreign_stop(void)
{
    while (pools != NULL) {
        sb_pool *pool = pools;

        pools = pool->next;
        while (pool->idle != NULL) {
            node *n = pool->idle;

            pool->idle = n->next;
            sb_process_stop(&n->process);
            free(n);
        }
        sb_declaration_free(&pool->declaration);
        free(pool->declared);
        free(pool);
    }
}
