// SPDX-License-Identifier: BSD-2-Clause
//
// spmv.jds/unroll4: as naive, but four diagonals at a time (jds.cuh): a thread has 8 loads under way, and then 4 of x. What
// is left of the row goes a diagonal after the other. spmv.jds/unroll8: eight at a time.
// It does not pay, and less by eight (docs/MEASUREMENTS.md). More loads
// of a thread cost registers (34 and 36, where 32 are the limit for all threads that a multiprocessor can have), so fewer
// threads are resident: 75% of them.
#include "jds.cuh"

extern "C" const sb_variant sb_gpu_spmv_jds_unroll4[] = {
    {"spmv.jds", "unroll4", "four diagonals at a time", refuses<1>, nullptr, launch_loop<unrolled<4>>},
    {"spmv.jds", "unroll8", "eight diagonals at a time", refuses<1>, nullptr, launch_loop<unrolled<8>>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
