/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Everything is in cusolverDn.h.
 */
#include "cusolverDn.h"
