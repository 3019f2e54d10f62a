# SPDX-License-Identifier: BSD-2-Clause
"""topk.py ROWS COLUMNS K: the time of torch.topk for the k largest f32 of each row, sorted, in device memory. Run by gpu/peer/table."""
import sys

import torch

rows, columns, k = (int(word) for word in sys.argv[1:])
keys = torch.randn(rows, columns, device="cuda")
times = []
for _ in range(18):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    torch.topk(keys, k, dim=1, sorted=True)
    end.record()
    end.synchronize()
    times.append(begin.elapsed_time(end))
print(f"torch.topk {torch.__version__}: {rows} rows of {columns}, k = {k}: {sorted(times[3:])[7]:.3f} ms")
