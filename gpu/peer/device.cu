// SPDX-License-Identifier: BSD-2-Clause
//
// The device of the module of peers: kernels of well-known libraries, which `samebits bench` compares the variants with and
// `samebits verify` judges like any other.
//
// It counts the calls that change device memory. A peer that prepares its input, as cuSPARSE does, keeps what it prepared as
// long as the count stays, so that a time is that of the library's own function.
#define SB_CUDA_PEERS
#define samebits_device samebits_cuda_device
#include <samebits/cuda_device.h>
#undef samebits_device
#include "changes.h"

unsigned long sb_peer_changes;

static sb_status counted_free(void *memory)
{
    sb_peer_changes++;
    return sb_cuda_device::free(memory);
}

static sb_status counted_upload(void *device, const void *host, uint64_t bytes)
{
    sb_peer_changes++;
    return sb_cuda_device::upload(device, host, bytes);
}

static sb_status counted_copy(void *to, uint64_t to_step, const void *from, uint64_t from_step, uint64_t bytes,
                              uint64_t rows)
{
    sb_peer_changes++;
    return sb_cuda_device::copy(to, to_step, from, from_step, bytes, rows);
}

extern "C" SB_EXPORT const sb_device *samebits_device(uint32_t version)
{
    static sb_device device;

    if (version != SB_MODULE_VERSION)
        return nullptr;
    device = sb_cuda_device::device;
    device.free = counted_free;
    device.upload = counted_upload;
    device.copy = counted_copy;
    return &device;
}
