/* SPDX-License-Identifier: BSD-2-Clause
 *
 * No thread can run, and not all have ended: a finding says at what they wait.
 */
#include "sync.h"

#include "../report/report.h"

/* Every thread that has not exited waits. Block barriers alone cannot cause that, because they complete when the last
 * thread arrives. So a lane of some warp operation never comes, or a block never reaches the grid's barrier, or threads
 * wait at a named barrier or for a product of a warpgroup. */
void simt_report_deadlock(void)
{
    thread *self = simt_current;
    bool found = false;

    for (unsigned i = 0; i < m.resident && !found; i++)
        found = m.slots[i].live && simt_report_waiting_group(&m.slots[i]);
    for (unsigned i = 0; i < m.resident && !found; i++)
        found = m.slots[i].live && simt_report_named(&m.slots[i]);
    for (unsigned i = 0; i < m.resident && !found; i++)
        found = m.slots[i].live && simt_report_wgmma(&m.slots[i]);
    for (unsigned i = 0; i < m.resident && !found; i += m.cluster_blocks)
        found = simt_report_cluster(&m.slots[i]);
    if (!found && m.grid_arrived)
        simt_report(HANG, m.grid_file, m.grid_line, NULL,
                    "%u of %llu blocks wait for the whole grid, and the others have exited or wait elsewhere",
                    m.grid_arrived, (unsigned long long)m.blocks);
    else if (!found)
        simt_report(HANG, NULL, 0, NULL, "no thread can run");
    simt_current = self;
}
