/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a reference returns. The references are the truth of this project: each one is short enough to be checked by
 * reading, in plain C, on libc alone.
 */
#ifndef REF_REF_H
#define REF_REF_H

typedef enum sb_ref_status {
    SB_REF_OK = 0,
    SB_REF_INVALID = 1,  /* the input is none that the contract allows; outputs are not to be looked at */
    SB_REF_NO_MEMORY = 2 /* malloc failed */
} sb_ref_status;

#endif
