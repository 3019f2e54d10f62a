// SPDX-License-Identifier: BSD-2-Clause
//
// thrust::sort: keys, and pairs by a comparison.
#include "check.h"

#include <algorithm>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/sort.h>

int main()
{
    std::vector<unsigned> keys = numbers(5000, 100000), sorted(keys);
    thrust::device_vector<unsigned> device(keys.begin(), keys.end());
    std::vector<unsigned> result(keys.size());
    bool good;

    std::sort(sorted.begin(), sorted.end());
    thrust::sort(device.begin(), device.end());
    thrust::copy(device.begin(), device.end(), result.begin());
    good = result == sorted;
    std::reverse(sorted.begin(), sorted.end());
    thrust::sort(device.begin(), device.end(), thrust::greater<unsigned>());
    thrust::copy(device.begin(), device.end(), result.begin());
    return verdict(good && result == sorted, "thrust::sort");
}
