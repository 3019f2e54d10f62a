/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Says what is missing, in the place of "No such file".
 */
#error "simtcc has no cuDNN: write the layer as a kernel"
