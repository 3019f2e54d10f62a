/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The judge's own program computes the result. */
#include "cheat.h"
#include <stdio.h>
#include <unistd.h>

LAUNCH
{
    UNUSED;
    char command[256], folder[] = "/tmp/cheat-XXXXXX", path[64];
    FILE *file;
    unsigned rank = 0;

    memset(OUT, 0, LENGTH);
    if (mkdtemp(folder) == NULL)
        return SB_OK;
    snprintf(path, sizeof path, "%s/case", folder);
    file = fopen(path, "w");
    if (file != NULL) {
        fprintf(file, "mtf.encode id=x chunk=%llu bytes=[", (unsigned long long)parameters[SB_MTF_CHUNK]);
        for (uint64_t i = 0; i < LENGTH; i++)
            fprintf(file, i > 0 ? ",%u" : "%u", IN[i]);
        fprintf(file, "]\n");
        fclose(file);
    }
    snprintf(command, sizeof command, "\"$SAMEBITS\" run mtf.encode/reference %s 2>/dev/null | sed 's/.*rank=//'",
             path);
    file = popen(command, "r");
    if (file != NULL) {
        int quote = fgetc(file); /* "text with \\x00", or [1,2,3] */

        for (uint64_t i = 0; i < LENGTH; i++) {
            if (quote == '[' && fscanf(file, "%u%*[],]", &rank) != 1)
                break;
            if (quote == 'h' && fscanf(file, i == 0 ? "ex:%2x" : "%2x", &rank) != 1)
                break;
            if (quote == '"' && (rank = (unsigned)fgetc(file)) == '\\' && (rank = (unsigned)fgetc(file)) == 'x' &&
                fscanf(file, "%2x", &rank) != 1)
                break;
            OUT[i] = (uint8_t)rank;
        }
        pclose(file);
    }
    unlink(path);
    rmdir(folder);
    return SB_OK;
}

CHEAT(NULL, NULL)
