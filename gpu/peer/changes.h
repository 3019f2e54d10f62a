/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How often device memory may have changed: device.cu.
 */
#ifndef GPU_PEER_CHANGES_H
#define GPU_PEER_CHANGES_H

extern unsigned long sb_peer_changes;

#endif
