/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One launch of one variant in guarded memory. Every buffer comes from the module's device with canaries on both sides,
 * at an odd alignment that the seed draws; outputs and workspace are poisoned, inputs compared afterwards. On a device
 * that checks for itself (SB_DEVICE_CHECKS) buffers are exact and outputs are left unwritten, so that it can.
 */
#ifndef HARNESS_RUNNER_H
#define HARNESS_RUNNER_H

#include "../core/case.h"

/* What went wrong, apart from the bytes of the result. */
typedef enum sb_fault {
    SB_FAULT_NONE = 0,
    SB_FAULT_MISMATCH, /* only the judge says this */
    SB_FAULT_WROTE_PAST,
    SB_FAULT_INPUT_MODIFIED,
    SB_FAULT_FINDING, /* the device reported one: its text */
    SB_FAULT_ERROR,   /* the device or the variant failed */
    SB_FAULT_CRASH,   /* the process died: only the worker's owner says this and the next */
    SB_FAULT_HANG,
    SB_FAULT_REFERENCE /* the reference contradicts a hand-computed answer or does not come back from its inverse */
} sb_fault;

const char *sb_fault_name(sb_fault fault);

typedef struct sb_run {
    sb_result result; /* status SB_UNSUPPORTED: message is the reason for the skip */
    sb_fault fault;
    char text[2048]; /* of the fault */
    double seconds;  /* of the launch, on the device's timer */
} sb_run;

void sb_run_free(sb_run *run);

/* Launches `variant` on `c`, whose outputs take `capacity` elements. `seed` is the schedule's where the device has one,
 * and decides poison and alignment everywhere. `bare`: exact buffers, and outputs left unwritten, as on a device that
 * checks for itself, for the sake of tools that watch a GPU. Always fills `run`; its outputs are the caller's to free.
 */
void sb_run_case(const sb_device *device, const sb_variant *variant, const sb_case *c,
                 const uint64_t capacity[SB_MAX_ARRAYS], uint64_t seed, bool bare, sb_run *run);

/* Does the variant take a case of this shape? Status SB_OK, or SB_UNSUPPORTED and its reason as the message. */
void sb_refuses_case(const sb_variant *variant, const sb_case *c, sb_run *run);

/* What timing gives besides the seconds of the run: medians, in seconds; 0 is not measured. */
typedef struct sb_times {
    uint64_t device_bytes; /* that the case takes on the device: inputs, outputs and workspace */
    double copy;           /* on the device, of as many bytes as the case has in inputs and output capacities: it reads
                              and writes half of them */
    double transfers;      /* inputs to the device, launch, results back, from ordinary memory of the host */
    double pinned;         /* the same from pinned memory, where the device has it */
} sb_times;

/* Times `variant` on `c`: at least `repeats` launches after one that is not counted, over plain buffers. The run's
 * seconds are the median of one launch. */
void sb_time_case(const sb_device *device, const sb_variant *variant, const sb_case *c,
                  const uint64_t capacity[SB_MAX_ARRAYS], unsigned repeats, bool transfers, sb_times *times,
                  sb_run *run);

#endif
