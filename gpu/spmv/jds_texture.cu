// SPDX-License-Identifier: BSD-2-Clause
//
// spmv.jds/texture: as naive, but x is read through a texture object. spmv.jds/texture_prefetch: as prefetch.
//
// Textures were the way to have x cached on cards whose loads from global memory were not. A 1-D texture on linear memory
// starts at an aligned address, 512 bytes on most cards; x that is not is copied to the workspace first. It is refused
// beyond 2^27 elements, the smallest limit that CUDA has had for such a texture.
// Each host thread keeps the texture object of its last launch: to make one takes longer than many kernels, and it must not be
// destroyed before the kernel has ended. Another x replaces it. All launches of a thread go to its own default stream, so no
// other thread has a kernel that uses the object, and no lock is needed.
// It does not pay (docs/MEASUREMENTS.md). Loads and textures share one L1 cache since Volta.
#include "jds.cuh"

static const uint64_t MAX_COLUMNS = (uint64_t)1 << 27;

enum { ALIGNMENT = 512 }; // bytes: no card asks for more

namespace
{

struct texture_x {
    cudaTextureObject_t texture;

    __device__ __forceinline__ float operator[](int32_t column) const
    {
        return tex1Dfetch<float>(texture, column);
    }
};

struct kept {
    const void *x;
    uint64_t columns;
    cudaTextureObject_t texture;
};

} // namespace

static const char *refuses_x(const uint64_t *parameters, const sb_array *inputs)
{
    return inputs[SB_SPMV_JDS_X].length > MAX_COLUMNS ? "x is longer than a texture" : refuses<1>(parameters, inputs);
}

static uint64_t workspace_bytes(const uint64_t *, const sb_array *inputs)
{
    return inputs[SB_SPMV_JDS_X].length * sizeof(float) + ALIGNMENT;
}

// The texture on x, which is aligned and not empty.
static bool find_texture(const void *x, uint64_t columns, cudaTextureObject_t *texture)
{
    static thread_local kept last;
    cudaResourceDesc resource = {};
    cudaTextureDesc description = {};

    if (last.columns != columns || last.x != x) {
        if (last.columns > 0 &&
            (cudaStreamSynchronize(0) != cudaSuccess || cudaDestroyTextureObject(last.texture) != cudaSuccess))
            return false;
        last.columns = 0;
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = (void *)x;
        resource.res.linear.desc = cudaCreateChannelDesc<float>();
        resource.res.linear.sizeInBytes = columns * sizeof(float);
        if (cudaCreateTextureObject(&last.texture, &resource, &description, nullptr) != cudaSuccess)
            return false;
        last.columns = columns;
        last.x = x;
    }
    *texture = last.texture;
    return true;
}

template <typename Loop>
static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    jds a = jds_of(parameters, inputs, outputs);
    const void *x = a.x;
    cudaTextureObject_t texture;

    if (a.columns == 0) // there is no texture of nothing, but then there is no element either
        return cudaMemsetAsync(a.y, 0, a.rows * sizeof(float), 0) == cudaSuccess ? SB_OK : SB_FAILED;
    if (a.places == 0)
        return SB_OK;
    if ((uintptr_t)x % ALIGNMENT != 0) {
        void *copy = (void *)sb::round_up((uintptr_t)workspace, ALIGNMENT);

        if (cudaMemcpyAsync(copy, x, a.columns * sizeof(float), cudaMemcpyDeviceToDevice, 0) != cudaSuccess)
            return SB_FAILED;
        x = copy;
    }
    if (!find_texture(x, a.columns, &texture))
        return SB_FAILED;
    multiply_rows<Loop><<<block_count(a), THREADS>>>(a, texture_x{texture});
    return launched();
}

extern "C" const sb_variant sb_gpu_spmv_jds_texture[] = {
    {"spmv.jds", "texture", "x through a texture object", refuses_x, workspace_bytes, launch<in_turn>},
    {"spmv.jds", "texture_prefetch", "the same, with the next index and value loaded ahead", refuses_x, workspace_bytes,
     launch<prefetching>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
