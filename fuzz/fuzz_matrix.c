/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The fuzz target of the reader of Matrix Market files: the input is a file. What is read must be a matrix, and what is
 * refused must have a reason. The first bit of the length selects f32 or f64.
 */
#include "fuzz_target.h"
#include "../harness/algorithms/csr.h"
#include "../harness/algorithms/matrix_market.h"
#include <samebits/algorithms.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void give_up(const char *what, const char *why)
{
    fprintf(stderr, "fuzz: matrix: %s: %s\n", what, why);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sb_array inputs[3] = {{.type = SB_U64}, {.type = SB_U32}, {.type = size % 2 == 0 ? SB_F32 : SB_F64}};
    uint64_t columns = 0;
    char why[256] = "";
    FILE *in = size > 0 ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;

    if (in == NULL)
        return -1;
    if (sb_matrix_read(in, inputs, &columns, why, sizeof why)) {
        if (!sb_csr_shape(inputs, columns, why, sizeof why))
            give_up("a file is read as what is no matrix", why);
    } else if (strncmp(why, "line ", strlen("line ")) != 0) {
        give_up("a file is refused without its line", why);
    }
    fclose(in);
    for (int i = 0; i < 3; i++)
        free(inputs[i].data);
    return 0;
}
