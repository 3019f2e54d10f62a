/* SPDX-License-Identifier: BSD-2-Clause */
#include "hip_runtime.h"
#include <cooperative_groups.h>
