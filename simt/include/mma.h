/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Matrix fragments, which the machine does not have: simtcc refuses their names, with file and line.
 */
#ifndef SIMT_MMA_H
#define SIMT_MMA_H

namespace nvcuda
{
}

#endif
