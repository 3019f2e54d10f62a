/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Worker processes, one for a module. A worker is the program samebits-worker (worker_main.c). It loads the module and answers one
 * request at a time; cases and results go through shared memory. When it crashes, or does not answer in time, its owner reports
 * that, and the next request starts a new one. The owner believes nothing that it reads there: a kernel may have written it.
 */
#ifndef HARNESS_WORKER_H
#define HARNESS_WORKER_H

#include "runner.h"
#include <sys/types.h>

enum { SB_NAME_SIZE = 64, SB_MAX_SIZES = 16 };

typedef struct sb_variant_info {
    char algorithm[SB_NAME_SIZE];
    char name[SB_NAME_SIZE];
    char summary[160];
    uint64_t sizes[SB_MAX_SIZES]; /* sb_variant.sizes; 0 behind the last */
} sb_variant_info;

/* What a module says about itself when it is loaded. */
typedef struct sb_module_info {
    char device[SB_NAME_SIZE];
    char description[256]; /* hardware, driver, toolkit; or why there is no device */
    char error[1024];      /* the device is there and could not be opened: what it says of that; else "" */
    uint32_t flags;
    bool available; /* is there a device to run on? */
    bool has_schedules;
    size_t count;
    sb_variant_info *variants;
} sb_module_info;

void sb_module_info_free(sb_module_info *info);

/* The walls around a worker. SB_SANDBOX_CARD: as SB_SANDBOX, but it may use the devices of an NVIDIA card; SB_SANDBOX_TOOLKIT: and
 * libraries of the CUDA toolkit. */
typedef enum sb_walls { SB_NO_SANDBOX, SB_SANDBOX, SB_SANDBOX_CARD, SB_SANDBOX_TOOLKIT } sb_walls;

typedef struct sb_worker {
    const char *module; /* path; not owned */
    sb_walls walls;
    pid_t process; /* 0: none running */
    int control;   /* socket */
    int memory;    /* shared memory of requests and answers */
    int log;       /* standard output and error of the worker */
    void *shared;
    size_t shared_size;
    unsigned starts; /* how often a process was started */
    double waited;   /* seconds from when the last request was sent until its answer was there */
    double worked;   /* processor time of its process meanwhile, as the system says; of bwrap's, if there are walls */
} sb_worker;

void sb_worker_init(sb_worker *worker, const char *module, sb_walls walls);
void sb_worker_stop(sb_worker *worker);

/* Starts the worker and asks what its module holds. False: `error` says why the module cannot be used. */
bool sb_worker_load(sb_worker *worker, sb_module_info *info, char *error, size_t size);

/* sb_run_case in the worker, for the variant with this index in the module. A worker that dies is SB_FAULT_CRASH; one that
 * takes more than `limit` seconds is SB_FAULT_HANG. Always fills `run`. */
void sb_worker_run(sb_worker *worker, size_t variant, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS],
                   uint64_t seed, uint64_t poison, bool bare, double limit, sb_run *run);

/* sb_timed_new in the worker, then sb_timed_launch. `seconds`: by the owner's clock, from before the inputs are shown to the worker
 * until after its outputs have been copied. The result has the outputs. */
void sb_worker_time(sb_worker *worker, size_t variant, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS],
                    bool flush, double limit, sb_launch_times *times, double *seconds, sb_run *run);

/* Launches on sealed inputs, with one key. */
typedef struct sb_sealed {
    uint32_t key[SB_SEALED_KEY];
    double
        seconds; /* by the owner's clock, from before the key is given until after the digests of all outputs have been read */
    bool answered; /* they have */
    uint64_t lengths[SB_SEALED_SLOTS][SB_MAX_ARRAYS];
    uint8_t digests[SB_SEALED_SLOTS * SB_MAX_ARRAYS][SB_SEALED_DIGEST];
} sb_sealed;

/* Draws a key. False: the system has no random numbers. */
bool sb_sealed_draw(sb_sealed *sealed);

/* sb_timed_new, or sb_timed_again, in the worker for this slot, then sb_timed_seal; the worker gets the inputs encrypted. */
void sb_worker_seal(sb_worker *worker, size_t variant, size_t slot, const sb_case *c,
                    const uint64_t capacity[SB_MAX_ARRAYS], const sb_sealed *sealed, double limit,
                    sb_launch_times *times, sb_run *run);
/* sb_timed_open of so many slots in the worker. `c`: the case of one of them. */
void sb_worker_open(sb_worker *worker, size_t variant, size_t slots, const sb_case *c,
                    const uint64_t capacity[SB_MAX_ARRAYS], double limit, sb_sealed *sealed, sb_run *run);
/* The outputs of a slot. It is a fault if they do not have the digests that were read when the clock stopped. */
void sb_worker_fetch(sb_worker *worker, size_t variant, size_t slot, const sb_case *c,
                     const uint64_t capacity[SB_MAX_ARRAYS], const sb_sealed *sealed, double limit, sb_run *run);

/* sb_time_others in the worker. */
void sb_worker_time_others(sb_worker *worker, size_t variant, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS],
                           uint64_t bytes, unsigned repeats, bool transfers, double limit, sb_other_times *times,
                           sb_run *run);

/* Why the variant does not take a case of this shape, in run->result.message with status SB_UNSUPPORTED; else SB_OK. */
void sb_worker_refuses(sb_worker *worker, size_t variant, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS],
                       sb_run *run);

#endif
