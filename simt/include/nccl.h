/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Says what is missing, in the place of "No such file".
 */
#error "simtcc has no NCCL: it has one device: copy with cudaMemcpy"
