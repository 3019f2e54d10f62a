/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Everything is in stdint.h.
 */
#include <stdint.h>
