// expect: refused 9
// SPDX-License-Identifier: BSD-2-Clause
//
// A group of the grids of several devices.
#include <cooperative_groups.h>
namespace groups = cooperative_groups;
__global__ void wait()
{
    groups::multi_grid_group all = groups::this_multi_grid();
    all.sync();
}
int main()
{
    return 0;
}
