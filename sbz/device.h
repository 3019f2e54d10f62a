/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where blocks are compressed and decompressed. Every choice writes the same bytes.
 */
#ifndef SBZ_DEVICE_H
#define SBZ_DEVICE_H

typedef enum sbz_where {
    SBZ_AUTO = 0, /* the GPU if there is one, else the CPU */
    SBZ_CPU = 1,
    SBZ_SIMT = 2, /* the CUDA variants, run by simt on the CPU: slow, for tests */
    SBZ_GPU = 3
} sbz_where;

#endif
