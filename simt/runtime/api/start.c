/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Start and reset of the whole machine.
 */
#define _GNU_SOURCE
#include "calls.h"

#include "../core/options.h"
#include "../core/upcalls.h"
#include "../detect/detect.h"
#include "../detect/pages.h"
#include "../launch/launch.h"
#include "../memory/memory.h"
#include "../schedule/schedule.h"
#include "../sync/sync.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void print_digest(void)
{
    fprintf(stderr, "simt: digest of the schedule: %016llx\n", (unsigned long long)simt_schedule_digest);
}

/* A shared object that has a machine is not unloaded: what it registers for the end of the program, signals and threads is called later. */
static void stay(const void *of_this_object)
{
    Dl_info object;

    if (dladdr(of_this_object, &object))
        dlopen(object.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

void simt_start(void)
{
    static bool started;

    if (started)
        return;
    started = true;
    stay(&started);
    simt_up = (simt_upcalls){simt_report_deadlock,  simt_start_missing_blocks, simt_describe_wait, simt_race_forget,
                             simt_transfers_forget, simt_pages_update,         simt_catch_faults};
    simt_read_options();
    simt_open_reports();
    if (!simt_checking && !simt_options.seed_is_named && simt_options.threads != 1)
        simt_options.seed = 0; /* the fastest; on several workers no seed decides everything */
    simt_reset_schedule(simt_options.seed);
    if (!simt_memory_start()) {
        fputs("simt: cannot reserve addresses for the device's memory\n", stderr);
        exit(1);
    }
    if (simt_checking)
        simt_race_start();
    atexit(simt_report_leaks);
    atexit(simt_report_unseen);
    atexit(simt_compare_results);
    atexit(simt_end_late); /* the first of these */
    if (simt_options.digest)
        atexit(print_digest);
}

/* As if the program started with this seed. What has not ended never will. */
void simt_seed(uint64_t seed)
{
    SIMT_CALL;

    simt_start();
    if (simt_options.order == ORDER_BY_CALLER)
        simt_options.order = ORDER_ANY;
    simt_options.seed_is_named = true;
    simt_options.in_turn = seed == 0;
    simt_drop_deferred();
    simt_host_waits_for_all();
    simt_draw_shape(seed);
    simt_reset_schedule(seed);
    simt_clear_errors();
    simt_error_was_read();
    simt_drop_findings();
}
