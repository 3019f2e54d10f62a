/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Texts: contract in text.h.
 */
#include "text.h"
#include "allocate.h"

void sbz_text_free(sbz_text *text)
{
    if (!text->lent)
        sbz_free(text->data);
    *text = (sbz_text){0};
}

bool sbz_text_reserve(sbz_text *text, size_t bytes)
{
    if (bytes <= text->capacity)
        return true;
    if (!text->lent)
        sbz_free(text->data);
    text->lent = false;
    text->data = sbz_malloc(bytes);
    text->capacity = text->data != NULL ? bytes : 0;
    return text->data != NULL;
}
