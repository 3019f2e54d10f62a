// SPDX-License-Identifier: BSD-2-Clause
//
// thrust::reduce_by_key: the sum of each run of equal keys.
#include "check.h"

#include <thrust/device_vector.h>
#include <thrust/reduce.h>

int main()
{
    std::vector<unsigned> keys = numbers(5000, 3), values = numbers(5000, 100), run_keys, sums;
    thrust::device_vector<unsigned> device_keys(keys.begin(), keys.end()), device_values(values.begin(), values.end());
    thrust::device_vector<unsigned> out_keys(keys.size()), out_sums(keys.size());

    for (size_t i = 0; i < keys.size(); i++) {
        if (i == 0 || keys[i] != keys[i - 1]) {
            run_keys.push_back(keys[i]);
            sums.push_back(0);
        }
        sums.back() += values[i];
    }
    auto ends = thrust::reduce_by_key(device_keys.begin(), device_keys.end(), device_values.begin(), out_keys.begin(),
                                      out_sums.begin());
    std::vector<unsigned> got_keys(ends.first - out_keys.begin()), got_sums(ends.second - out_sums.begin());
    thrust::copy(out_keys.begin(), ends.first, got_keys.begin());
    thrust::copy(out_sums.begin(), ends.second, got_sums.begin());
    return verdict(got_keys == run_keys && got_sums == sums, "thrust::reduce_by_key");
}
