/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The machine's headers define some thousand inline functions, of which a program uses few, and so do those of the system that they include.
 * For the compiler to read them all is a large part of what a short program costs, so what nothing names is left out of the text that it
 * compiles.
 */
#ifndef SIMTCC_UNUSED_H
#define SIMTCC_UNUSED_H

#include "text.h"

/* Takes functions and classes of headers in `directory`, of C in headers of the system, and of namespace std out of the translated text,
 * and what else std declares most (using, forward declarations, aliases and constants that are templates), unless their names stand
 * anywhere else in it: in code, or in a string, as asm has them. Names decide, whatever their scopes. What stays has code without being
 * named, or is what the compiler itself names, and all that is no declaration of one function or class. Lines keep their numbers. */
void cc_leave_out_unused(cc_text *text, const char *directory);

#endif
