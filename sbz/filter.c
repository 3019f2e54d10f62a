/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The table of filters: contract in filter.h.
 */
#include "filter.h"

const sbz_filter_code sbz_filters[SBZ_FILTERS] = {
    [SBZ_FILTER_X86] = {"x86", sbz_x86_encode, sbz_x86_decode, .in_place = true},
    [SBZ_FILTER_DELTA] = {"delta", sbz_delta_encode, sbz_delta_decode, .in_place = true, .has_distance = true},
    [SBZ_FILTER_ARM64] = {"arm64", sbz_arm64_encode, sbz_arm64_decode, .in_place = true},
    [SBZ_FILTER_PLANES] = {"planes", sbz_planes_encode, sbz_planes_decode, .has_distance = true},
    [SBZ_FILTER_DELTA_PLANES] = {"delta-planes", sbz_delta_planes_encode, sbz_delta_planes_decode,
                                 .has_distance = true},
};
