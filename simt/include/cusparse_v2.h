/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Everything is in cusparse.h.
 */
#include "cusparse.h"
