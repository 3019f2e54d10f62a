// expect: api
// SPDX-License-Identifier: BSD-2-Clause
//
// A copy to an array that has fewer slices than the copy.
int main()
{
    float in[3][2][2] = {};
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMemcpy3DParms copy = {};
    cudaArray_t array;

    cudaMalloc3DArray(&array, &format, make_cudaExtent(2, 2, 2));
    copy.srcPtr = make_cudaPitchedPtr(in, 2 * sizeof(float), 2, 2);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(2, 2, 3);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
}
