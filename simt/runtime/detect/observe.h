/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Observation: an atomic that reads what another atomic wrote comes after it, and what happens after the reader happens
 * after both, without any fence (PTX: observation followed by base causality order). All read-modify-writes of a location
 * are one chain in which each reads what the one before wrote. So whatever happens after the last of them happens after
 * all; and so does whatever happens after a volatile load of the value that the last one wrote. This orders only these
 * accesses, not what their threads did before. A volatile store reads nothing, so its thread does not come after the writes
 * before it. Who reads its value counts as ordered after these too, which is more than PTX says.
 */
#ifndef SIMT_OBSERVE_H
#define SIMT_OBSERVE_H

#include "cells.h"

#pragma GCC visibility push(hidden)

/* Notes of chain.last. In both cases everybody counts as an observer. */
enum {
    SEVERAL_READERS = 1,
    SEVERAL_LOCATIONS = 2 /* atomics of one or two bytes: there is one chain for all of the unit */
};

/* Does the access `new` of the thread happen after an access that observed the recorded one? */
bool simt_is_observed(const chain *c, const thread *t, simt_cell new, simt_cell recorded);

#pragma GCC visibility pop

#endif
