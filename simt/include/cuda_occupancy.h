/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Thrust 1.17 includes this header of the toolkit and uses nothing of it. cudaOccupancyMaxActiveBlocksPerMultiprocessor and its
 * like are in cuda_runtime.h.
 */
