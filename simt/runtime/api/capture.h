/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Capture of streams, for the calls that it takes instead of doing them, and for those that it forbids. The rules are those of the
 * Programming Guide, "Creating a Graph Using Stream Capture".
 */
#ifndef SIMT_CAPTURE_H
#define SIMT_CAPTURE_H

#include "graph.h"

#pragma GCC visibility push(hidden)

/* An error where work of the legacy stream would have to wait for a stream that is captured. */
cudaError_t simt_capture_forbids_legacy(cudaStream_t stream, const char *call);
/* That, and simt_check_stream. */
cudaError_t simt_stream_takes_event(cudaStream_t stream, const char *call);
/* And simt_begin_call. */
cudaError_t simt_stream_ready(cudaStream_t stream, const char *call);
bool simt_is_captured(cudaStream_t stream);
/* A call that may wait, or that is not of a stream: forbidden unless the mode is relaxed. */
cudaError_t simt_capture_forbids(const char *call);
cudaError_t simt_capture_forbids_wait(cudaStream_t stream, const char *call); /* it waits for this stream */
cudaError_t simt_capture_forbids_all(const char *call);                       /* it waits for all */

/* The stream is captured: a node instead of the work. */
cudaError_t simt_capture_launch(const simt_launch_request *request);
cudaError_t simt_capture_copy(cudaStream_t stream, const cudaMemcpy3DParms *p);
cudaError_t simt_capture_fill(cudaStream_t stream, const cudaMemsetParams *p);
cudaError_t simt_capture_host(cudaStream_t stream, cudaHostFn_t function, void *data);
cudaError_t simt_capture_memory(cudaStream_t stream, bool allocates, void *memory, size_t size);
cudaError_t simt_capture_child(cudaStream_t stream, cudaGraph_t graph);

/* Events. The first: may a record or a wait have these flags? The next two: the call is done by the capture, with *error as its result. */
cudaError_t simt_capture_permits(cudaStream_t stream, unsigned flags, const char *call);
bool simt_capture_records(cudaEvent_t event, cudaStream_t stream, unsigned flags, cudaError_t *error);
bool simt_capture_waits(cudaStream_t stream, cudaEvent_t event, unsigned flags, cudaError_t *error);
cudaError_t simt_capture_forbids_event(cudaEvent_t event, const char *call); /* the host asks or waits for it */
void simt_capture_forgets(cudaEvent_t event);                                /* it is destroyed */
void simt_capture_ends(cudaStream_t stream);                                 /* likewise */

#pragma GCC visibility pop

#endif
