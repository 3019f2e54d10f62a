// SPDX-License-Identifier: BSD-2-Clause
//
// spmv.jds/prefetch: as naive, but a thread loads index and value of the next diagonal before it adds the product of this
// one (jds.cuh). So the load of x and those of the next index and value are under way together.
//
// The last diagonal has no next one: nothing behind it is loaded, and no product too many is added.
// It does not pay (docs/MEASUREMENTS.md). Other warps load while one waits, so a thread need not.
#include "jds.cuh"

extern "C" const sb_variant sb_gpu_spmv_jds_prefetch[] = {
    {"spmv.jds", "prefetch", "the next index and value are loaded ahead", refuses<1>, nullptr,
     launch_loop<prefetching>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
