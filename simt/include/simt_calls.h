/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The functions of the runtime that translated kernels call; users' sources do not. A function that returns a
 * simt_turn may make its caller wait: the caller passes the turn to simt_switch, which returns the result of the
 * function.
 */
#ifndef SIMT_CALLS_H
#define SIMT_CALLS_H

#include "simt_switch.h"
#include "vector_types.h"

#include <stddef.h>

typedef enum simt_warp_operation {
    SIMT_SHUFFLE_INDEX,
    SIMT_SHUFFLE_UP,
    SIMT_SHUFFLE_DOWN,
    SIMT_SHUFFLE_XOR,
    SIMT_BALLOT, /* the first of the votes: they need one bit a lane */
    SIMT_ANY,
    SIMT_ALL,
    SIMT_MATCH_ANY,
    SIMT_MATCH_ALL,
    SIMT_REDUCE_ADD,
    SIMT_REDUCE_MIN,
    SIMT_REDUCE_MAX,
    SIMT_REDUCE_MIN_SIGNED,
    SIMT_REDUCE_MAX_SIGNED,
    SIMT_REDUCE_AND,
    SIMT_REDUCE_OR,
    SIMT_REDUCE_XOR,
    SIMT_SYNC,
    SIMT_LDMATRIX, /* the first of those of matrices (simt_matrix.h): all lanes of the warp take part */
    SIMT_STMATRIX,
    SIMT_MOVMATRIX,
    SIMT_MMA,
    SIMT_FRAGMENT, /* loads and stores of mma.h */
    SIMT_WGMMA,
    SIMT_WIDE = 32 /* added to a shuffle or match of 64-bit values */
} simt_warp_operation;

enum { SIMT_FLOATING = 1 << 16 }; /* in the argument of a shuffle: of float or double */

/* The lane from which `lane` takes its value. As in PTX's shfl, a segment has `width` lanes, and a lane whose source is
 * outside its segment keeps its own value. */
static inline unsigned simt_source_lane(unsigned operation, unsigned lane, uint32_t argument)
{
    unsigned where = argument & 31, segment = (32 - (argument >> 8)) & 31, last = lane | (~segment & 31), from;

    switch (operation) {
    case SIMT_SHUFFLE_INDEX:
        return (lane & segment) | (where & ~segment & 31);
    case SIMT_SHUFFLE_UP:
        return lane >= (lane & segment) + where ? lane - where : lane;
    case SIMT_SHUFFLE_DOWN:
        from = lane + where;
        break;
    default:
        from = lane ^ where;
        break;
    }
    return from <= last ? from : lane;
}

typedef enum simt_barrier_operation {
    SIMT_BARRIER,
    SIMT_BARRIER_COUNT,
    SIMT_BARRIER_AND,
    SIMT_BARRIER_OR
} simt_barrier_operation;

typedef enum simt_atomic_operation {
    SIMT_ADD,
    SIMT_MIN,
    SIMT_MAX,
    SIMT_MIN_SIGNED,
    SIMT_MAX_SIGNED,
    SIMT_INC,
    SIMT_DEC,
    SIMT_AND,
    SIMT_OR,
    SIMT_XOR,
    SIMT_EXCHANGE,
    SIMT_COMPARE,
    SIMT_ADD_FLOAT
} simt_atomic_operation;

typedef enum simt_rounding { SIMT_NEAREST, SIMT_ZERO, SIMT_UP, SIMT_DOWN } simt_rounding;
typedef enum simt_rounded_operation {
    SIMT_SUM,
    SIMT_PRODUCT,
    SIMT_QUOTIENT,
    SIMT_ROOT,
    SIMT_MULTIPLY_ADD
} simt_rounded_operation;

typedef enum simt_scope { SIMT_BLOCK, SIMT_DEVICE, SIMT_SYSTEM } simt_scope;

typedef struct simt_launch_request {
    const char *name, *file;
    int line;
    dim3 grid, block;
    dim3 cluster;         /* blocks of a cluster in each direction */
    int explicit_cluster; /* the launch says so; otherwise the kernel does, if it has __cluster_dims__ */
    int programmatic;     /* it may begin before the kernel before it in its stream is done */
    size_t shared_bytes;
    void *stream;
    int cooperative;
    void (*call)(void *closure); /* runs one thread */
    const void *closure;
    size_t closure_bytes;
    const size_t *sizes; /* of the parameters, `count` of them, if an array gave the arguments; otherwise NULL */
    size_t count;
    const uintptr_t *pointers; /* the arguments that are pointers, `pointer_count` of them; for simt_launch() only */
    size_t pointer_count;
} simt_launch_request;

/* The description of a kernel. Each kernel has one; each instance of a template too. */
typedef struct simt_kernel {
    const char *name, *file;
    int line;
    int max_threads;     /* of __launch_bounds__; 0: not given; -1: the device has no such kernel */
    unsigned cluster[3]; /* of __cluster_dims__; 0: not given */
    int dynamic_limit;   /* bytes of shared memory that cudaFuncSetAttribute set; 0: CUDA's default limit */
    int large_clusters;  /* more than 8 blocks, by cudaFuncSetAttribute */
    /* Launches `function`, which is this kernel, with the arguments that an array points to. */
    void (*launch)(simt_launch_request *request, const void *function, void **arguments);
} simt_kernel;

/* A `__shared__` variable. All resident blocks keep it at the same offset of their arenas, during one launch. */
typedef struct simt_shared {
    size_t size, alignment;
    const char *name, *file;
    int line;
    uint32_t most;   /* bytes of such variables that a block may have: 48 KiB, or 227 KiB in code for sm_90a */
    uint32_t offset;
    uint64_t launch; /* the launch for which `offset` is valid */
} simt_shared;

/* A `__device__` or `__constant__` variable. */
typedef struct simt_variable {
    void *address;
    size_t size;
    const char *name, *file;
    int line, constant;
    struct simt_variable *next;
    int registered; /* a function's variable is registered when it is first reached */
} simt_variable;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

/* `const`, because they change only when another thread runs: no thread ever sees them change. */
#ifdef __cplusplus
#define SIMT_UNCHANGING const
#else
#define SIMT_UNCHANGING
#endif

/* Kernels read these, which must not lie in the padding behind a device variable: simtcc aligns those to 64 bytes, too. */
#define SIMT_APART __attribute__((aligned(64)))
/* Each worker has its own. The offset of such a variable is known when the program is loaded, in a shared object too: no call to
 * find it. */
#define SIMT_THREAD_LOCAL __thread __attribute__((tls_model("initial-exec")))
extern SIMT_THREAD_LOCAL SIMT_UNCHANGING uint3 threadIdx, blockIdx;
/* A class without constructors, so that compilers know that nothing stores in it: they check no read of it, and repeat none. It converts
 * to dim3 as uint3 does. */
#ifdef __cplusplus
struct simt_extent3 : uint3 {
};
#else
typedef dim3 simt_extent3;
#endif
extern SIMT_APART SIMT_UNCHANGING simt_extent3 blockDim, gridDim;
extern SIMT_APART SIMT_UNCHANGING uint64_t simt_launch_number;   /* 0 outside kernels */
extern SIMT_THREAD_LOCAL char *SIMT_UNCHANGING simt_shared_base; /* arena of the running thread's block */
extern SIMT_THREAD_LOCAL unsigned
    simt_row; /* threads of the block, from threadIdx on, that a kernel may run; 0: it has run them */
extern SIMT_THREAD_LOCAL int simt_countdown; /* volatile and atomic accesses before the next thread is drawn */

void simt_set_checking(void);
int simt_in_kernel(void);                                            /* of the running code */
void simt_device_only(const char *name, const char *file, int line); /* the host must not call this function */
/* Not NULL: a kernel that is called stores its description here and returns. */
extern SIMT_APART simt_kernel **SIMT_UNCHANGING simt_probe;
/* A kernel that has a `__restrict__` parameter says meanwhile what its parameters are; `number` counts from 0. */
void simt_parameter(unsigned number, const char *name, const volatile void *value, int restricted, int writable);
/* 1: those parameters are to be moved by so many bytes: detect/restricted.c */
extern SIMT_APART SIMT_UNCHANGING int simt_moved_any;
uintptr_t simt_moved(unsigned number);
void simt_launch(const simt_launch_request *request);
uint64_t simt_poison(void);         /* what has no value */
void *simt_row_memory(size_t size); /* for variables of a block's threads, where all of them run together */
/* `const`: the same each time for the running thread. */
void *simt_shared_place(simt_shared *variable) __attribute__((const));
void *simt_shared_dynamic(size_t alignment) __attribute__((const));
void simt_register(simt_variable *variable);

simt_turn simt_yield(void);       /* lets another thread run */
simt_turn simt_maybe_yield(void); /* after as many calls as simt_countdown says */
simt_turn simt_pause(void);       /* as simt_yield, where a thread waits for time to pass */
simt_turn simt_barrier(simt_barrier_operation operation, int predicate, const char *file, uint64_t line_and_column);
#define SIMT_WHOLE_BLOCK 0xffffffffu /* the count of a named barrier without one */
simt_turn simt_named_sync(uint32_t number, uint32_t threads, int aligned, simt_barrier_operation operation,
                          int predicate, const char *file, uint64_t line_and_column);
uint64_t
simt_named_pass(uint64_t result); /* must be called with the result of the switch; the reduction of the operation */
void simt_named_arrive(uint32_t number, uint32_t threads, int aligned, const char *file, uint64_t line_and_column);
simt_turn simt_warp(unsigned operation, uint32_t mask, uint64_t value, uint32_t argument, const char *file, int line);
simt_turn simt_active_mask(const char *file, int line);
simt_turn simt_grid_wait(const char *file, int line); /* one thread of each block: waits for all blocks */
void simt_grid_pass(void);                            /* must be called after it */
int simt_grid_is_cooperative(void);
void simt_fence(simt_scope scope);
void simt_wait_for_launch(void); /* griddepcontrol.wait: for the kernel before this one in its stream */
uint64_t simt_clock(void);
uint64_t simt_timer(void);
void simt_trap(void) __attribute__((noreturn));
simt_turn simt_end_thread(void); /* the running thread never continues */

/* Atomics return the old value. The caller must have yielded before. */
uint16_t simt_atomic_16(simt_atomic_operation, simt_scope, void *address, uint16_t operand, uint16_t compare);
uint32_t simt_atomic_32(simt_atomic_operation, simt_scope, void *address, uint32_t operand, uint32_t compare);
uint64_t simt_atomic_64(simt_atomic_operation, simt_scope, void *address, uint64_t operand, uint64_t compare);

/* In a checking build they also tell whether the memory was ever written: if it was not, `unwritten` is not 0. The use
 * of such a value calls simt_unwritten_value. That is `const`, so that the compiler drops the call if nothing uses the
 * value: then the atomic is no read. */
typedef struct simt_old {
    uint64_t value, unwritten;
} simt_old;

simt_old simt_checked_atomic_16(simt_atomic_operation, simt_scope, void *address, uint16_t operand, uint16_t compare);
simt_old simt_checked_atomic_32(simt_atomic_operation, simt_scope, void *address, uint32_t operand, uint32_t compare);
simt_old simt_checked_atomic_64(simt_atomic_operation, simt_scope, void *address, uint64_t operand, uint64_t compare);
uint64_t simt_unwritten_value(uint64_t value, uint64_t unwritten) __attribute__((const));

/* SIMT_EXCHANGE and SIMT_COMPARE of 16 bytes, in either build. */
typedef struct simt_old_pair {
    unsigned __int128 value;
    uint64_t unwritten;
} simt_old_pair;

simt_old_pair simt_atomic_128(simt_atomic_operation, simt_scope, void *address, unsigned __int128 operand,
                              unsigned __int128 compare);

/* Loads and stores of PTX that have an order: volatile, or relaxed with a scope. The caller must have yielded before.
 * `value` has `size` bytes, 1 to 16. */
void simt_load_read_only(const void *address, size_t size); /* __ldg and ld.global.nc, before the load */
void simt_load_ordered(const void *address, void *value, size_t size, int is_volatile, simt_scope);
void simt_store_ordered(void *address, const void *value, size_t size, int is_volatile, simt_scope);
/* The memory that an address lies in: global memory is what is neither shared nor a thread's stack. */
int simt_points_to_shared(const void *address);
int simt_points_to_global(const void *address);
int simt_points_to_local(const void *address);
/* Between addresses of shared memory in a cluster of 64 bits and those of 32 bits: an offset in the block's own memory, or in that of
 * the block whose rank, and 1 more, the upper 8 bits are. One that is not there is a finding `api`. */
void *simt_cluster_address(uint32_t address);
/* The same, but the memory of another block is a finding `oob`: it is no address of .shared::cta. */
void *simt_block_address(uint32_t address);
uint32_t simt_cluster_offset(const void *address);
simt_scope simt_cluster_scope(void); /* that stands for a cluster's: a block's where a block is one of its own */

/* Operations of IEEE 754 in a rounding mode; operands that an operation does not have are ignored. */
float simt_rounded_float(simt_rounded_operation, simt_rounding, float, float, float);
double simt_rounded_double(simt_rounded_operation, simt_rounding, double, double, double);
float simt_float_of_signed(simt_rounding, int64_t);
float simt_float_of_unsigned(simt_rounding, uint64_t);
float simt_float_of_double(simt_rounding, double);
double simt_double_of_signed(simt_rounding, int64_t);
double simt_double_of_unsigned(simt_rounding, uint64_t);

/* Functions that C does not have. */
double simt_erfinv(double);
double simt_erfcinv(double);
double simt_erfcx(double);
double simt_normcdf(double);
double simt_normcdfinv(double);
double simt_cyl_bessel_i(int order, double); /* of order 0 or 1 */
void simt_sincospi(double, double *sine, double *cosine);
void simt_xorwow_jump(unsigned words[5], unsigned long long count, unsigned stride);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
