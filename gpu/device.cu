// SPDX-License-Identifier: BSD-2-Clause
//
// The device of the modules built here.
#include <samebits/cuda_device.h>
