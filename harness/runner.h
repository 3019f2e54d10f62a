/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One launch of one variant in guarded memory. The module's device allocates every buffer. Canaries stand on both sides, and
 * the seed draws an odd alignment. Outputs and workspace are filled with random bytes before the launch; canaries and inputs
 * are compared after it. On a device that checks for itself (SB_DEVICE_CHECKS) buffers end with their arrays, under seed 0
 * they begin with these, too, and outputs stay uninitialised, so that the device sees accesses outside and reads of
 * uninitialised memory.
 */
#ifndef HARNESS_RUNNER_H
#define HARNESS_RUNNER_H

#include "../common/case.h"
#include "../common/shape.h"
#include <samebits/sealed.h>
#include <stdatomic.h>

/* What went wrong, apart from the bytes of the result. */
typedef enum sb_fault {
    SB_FAULT_NONE = 0,
    SB_FAULT_MISMATCH, /* set by the judge only */
    SB_FAULT_WROTE_PAST,
    SB_FAULT_INPUT_MODIFIED,
    SB_FAULT_FINDING, /* the device reported one */
    SB_FAULT_ERROR,   /* the device or the variant failed */
    SB_FAULT_CRASH,   /* the worker process died; set by its owner only, like the next */
    SB_FAULT_HANG,
    SB_FAULT_REFUSED, /* --strict: the variant does not take a case that the contract allows; set by the judge only */
    SB_FAULT_REFERENCE /* the reference contradicts a hand-computed answer, or its inverse does not give the input back */
} sb_fault;

const char *sb_fault_name(sb_fault fault);

typedef struct sb_run {
    sb_result result; /* status SB_UNSUPPORTED: message is the reason for the skip */
    sb_fault fault;
    char text[2048]; /* of the fault */
    double seconds;  /* of the launch, on the device's timer */
} sb_run;

void sb_run_free(sb_run *run);

/* Launches `variant` on `c`, whose outputs have `capacity` elements, gaps included, which `layouts` describes, unless it is NULL. A write to a gap is a
 * fault, unless buffers are exact. `seed` decides the schedule where the device has
 * schedules, and together with `poison` alignment and random bytes. `bare`: exact buffers and uninitialised outputs, as on a device that checks for
 * itself; tools that watch a GPU need that. Always fills `run`, which the caller frees. */
void sb_run_case(const sb_device *device, const sb_variant *variant, const sb_case *c,
                 const uint64_t capacity[SB_MAX_ARRAYS], const sb_layout layouts[SB_MAX_ARRAYS], uint64_t seed,
                 uint64_t poison, bool bare, sb_run *run);

/* Does the variant take a case of this shape? The run's status is SB_OK, or SB_UNSUPPORTED with the reason as message. */
void sb_refuses_case(const sb_variant *variant, const sb_case *c, sb_run *run);

/* What one timed launch took, in seconds. The run's seconds are those of the device's timer. */
typedef struct sb_launch_times {
    double wall;            /* of the launch, by the clock of this process, until the device has nothing left to do */
    double upload;          /* of the inputs, until the device has nothing left to do */
    double download, again; /* of the outputs: right after the launch, and once more */
    double others;          /* processor time of other threads, outside the launch */
    double busy;            /* with the request, by the clock of this process */
    uint64_t device_bytes;  /* of inputs, outputs and workspace on the device */
} sb_launch_times;

/* A launch to come: buffers of exact size on the device, outputs and workspace filled with random bytes. */
typedef struct sb_timed sb_timed;

/* Makes it; a case of this shape will follow. NULL: `run` says why. */
sb_timed *sb_timed_new(const sb_device *device, const sb_variant *variant, const sb_case *shape,
                       const uint64_t capacity[SB_MAX_ARRAYS], sb_run *run);
/* Makes one of an earlier one with buffers of the same sizes, at the same addresses. False: it does not fit. */
bool sb_timed_again(sb_timed *timed, const sb_variant *variant, const sb_case *shape,
                    const uint64_t capacity[SB_MAX_ARRAYS], sb_run *run);
void sb_timed_free(sb_timed *timed);

/* Copies the inputs to the device, lets two large buffers push them out of its caches (`flush`), launches, and copies the outputs to
 * `results`, each of which has the capacity of its output. The arrays of the result lie there; sb_run_free must not free them. A modified
 * input is a fault. */
void sb_timed_launch(sb_timed *timed, const sb_case *c, void *const results[SB_MAX_ARRAYS], bool flush,
                     sb_launch_times *times, sb_run *run);

/* Launches on sealed inputs with one key, at most: each has a slot, with buffers of its own. */
enum { SB_SEALED_SLOTS = 12 };

/* What the owner and the worker write to each other during launches on sealed inputs, each waiting for the other without sleeping. */
typedef struct sb_opening {
    atomic_uint waiting;         /* by the worker: the encrypted inputs are on the device */
    atomic_uint opened;          /* by the owner: the key is there */
    atomic_uint answered;        /* by the worker: so are lengths and digests of the outputs */
    uint32_t key[SB_SEALED_KEY]; /* input i of slot k is the array with number SB_MAX_ARRAYS k + i */
    uint64_t lengths[SB_SEALED_SLOTS][SB_MAX_ARRAYS];
    uint8_t digests[SB_SEALED_SLOTS * SB_MAX_ARRAYS]
                   [SB_SEALED_DIGEST]; /* of all outputs of slot 0, then of slot 1, ... */
} sb_opening;

/* Of the judge's device: contract in <samebits/sealed.h>. */
typedef struct sb_sealed_device {
    int (*unseal)(void *data, uint64_t bytes, const uint32_t key[SB_SEALED_KEY], uint64_t array);
    int (*digest)(const void *data, uint64_t bytes, void *scratch, void *digest);
} sb_sealed_device;

/* Copies the encrypted inputs to the device. */
void sb_timed_seal(sb_timed *timed, const sb_case *c, sb_launch_times *times, sb_run *run);
/* Empties the caches of the device, waits for the key, decrypts the inputs of all slots, launches on one after the other, and writes the
 * digests. The run has the time of all launches, and the status of the first that is not SB_OK. */
void sb_timed_open(sb_timed *const slots[], const sb_case *const cases[], size_t count, const sb_sealed_device *sealed,
                   sb_opening *opening, sb_run *run);
/* Copies the outputs of the last such launch to `results`, as sb_timed_launch does. */
void sb_timed_fetch(sb_timed *timed, size_t output_count, void *const results[SB_MAX_ARRAYS], sb_run *run);

/* Medians in seconds of `repeats` runs after one that is not counted; 0: not measured. */
typedef struct sb_other_times {
    double copy;     /* of a copy on the device that reads half of `bytes` and writes as many */
    double overhead; /* of that: by the clock of the process, less by the timer of the device */
    double
        transfers; /* inputs to the device, launch, and results back, from pageable memory of the host; if asked for */
    double pinned; /* the same from pinned memory, where the device has it */
} sb_other_times;

void sb_time_others(const sb_device *device, const sb_variant *variant, const sb_case *c,
                    const uint64_t capacity[SB_MAX_ARRAYS], uint64_t bytes, unsigned repeats, bool transfers,
                    sb_other_times *times, sb_run *run);

#endif
