/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What references return. The references define the right results of this project: each is plain C on libc alone, and
 * short enough to be checked by reading.
 */
#ifndef REF_REF_H
#define REF_REF_H

typedef enum sb_ref_status {
    SB_REF_OK = 0,
    SB_REF_INVALID = 1,  /* the contract does not allow this input; outputs are undefined unless it says otherwise */
    SB_REF_NO_MEMORY = 2 /* malloc failed */
} sb_ref_status;

#endif
