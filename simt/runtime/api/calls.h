/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the CUDA runtime calls share. A call begins with simt_ready, and one that CUDA would refuse ends with
 * simt_refuse.
 */
#ifndef SIMT_CALLS_PRIVATE_H
#define SIMT_CALLS_PRIVATE_H

#include "../core/lock.h"
#include "../core/machine.h"
#include "../report/report.h"

#pragma GCC visibility push(hidden)

enum { SIMT_GREATEST_PRIORITY = -5 }; /* of a stream; the least is 0. As current GPUs have it. */

/* --- start.c */

void simt_start(void); /* first of all: reads the options, reserves memory */

/* --- launch.c */

/* Not NULL: the next launch of this host thread that CUDA would take is not run. Its request is stored there, with a closure that
 * malloc gave. */
extern SIMT_THREAD_LOCAL simt_launch_request *simt_catch;
/* Not 0: the next launch is of a graph that a thread of the launch of this number launched, which knew then what simt_forked has. */
extern uint64_t simt_forked_parent;
extern const struct simt_fork *simt_forked;
extern bool
    simt_no_nested; /* the kernel that runs is of a graph for launches from the device: it may launch no kernels */

/* --- memory.c: the checks of copies and fills of a node, which report what is wrong */

cudaError_t simt_check_copy(const void *to, const void *from, size_t size, cudaMemcpyKind kind, const char *call);
cudaError_t simt_check_fill(const void *memory, size_t size, const char *call);
/* Rows of elements of 1, 2 or 4 bytes. */
cudaError_t simt_fill_elements(void *memory, size_t pitch, unsigned value, unsigned size, size_t width, size_t height,
                               cudaStream_t stream);

/* --- error.c, device.c, kernel.c, stream.c, memory.c */

cudaError_t simt_ready(void);
void simt_begin_call(cudaStream_t stream);           /* that puts work into the stream */
void simt_begin_host_wait(void);                     /* for a stream or an event */
void simt_begin_wait(cudaStream_t stream);           /* that waits for an event of the stream */
extern SIMT_THREAD_LOCAL bool simt_in_host_function; /* that a stream calls, in which CUDA permits no call */
cudaError_t simt_refuse(cudaError_t error, const char *call, const char *what);
const simt_kernel *simt_kernel_of(const simt_launch_request *request); /* NULL: not known */
size_t simt_dynamic_limit(const simt_kernel *kernel);
int simt_blocks_at_once(int block_size, size_t shared_bytes); /* on a multiprocessor */
int simt_attribute(cudaDeviceAttr which);                     /* -1: no such attribute */
cudaError_t simt_check_device(int device, const char *call);
cudaError_t simt_check_stream(cudaStream_t stream, const char *call);
cudaError_t simt_check_event(cudaEvent_t event, const char *call);
void simt_report_leaks(void); /* leak.c */
cudaError_t simt_check_managed(const void *memory, size_t size, const char *call);
void simt_forget_hints(const void *memory, size_t size); /* those that begin there: the memory is a new allocation */

/* --- shape.c */

void simt_draw_shape(uint64_t seed);
unsigned simt_multiprocessors(void);
unsigned simt_max_threads(void); /* of a block */
unsigned simt_blocks_each(void); /* of a multiprocessor, as the next one */
unsigned simt_threads_each(void);
bool simt_is_cooperative(void); /* the device has cooperative launches */
int simt_threads_limit(const simt_kernel *kernel);
int simt_advised_threads(const simt_kernel *kernel);

#pragma GCC visibility pop

#endif
