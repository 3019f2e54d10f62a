// expect: refused 9
// SPDX-License-Identifier: BSD-2-Clause
//
// Memory of another process.
int main()
{
    void *memory;

    cudaIpcMemHandle_t handle;
    return cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess);
}
