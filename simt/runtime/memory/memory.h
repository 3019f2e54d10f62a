/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The memory that kernels share: the reserved range, allocations, shared memory, variables, and addresses in words.
 */
#ifndef SIMT_MEMORY_H
#define SIMT_MEMORY_H

#include "../core/machine.h"
#include "../report/report.h"

#pragma GCC visibility push(hidden)

enum { SIMT_ARENA = 1 << 20 }; /* bytes a resident block has at the start of the range */
/* Bits of a byte's shadow. WATCHED_BYTE stands in the place of ACCESSIBLE: detect/watch.c. */
/* FOREIGN_BYTE does so in a launch on a device that has no access to the memory of another one: devices.c. */
/* UPDATED: by an atomic whose result is not used, without INITIALISED: nobody had written it before. */
enum { ACCESSIBLE = 1, INITIALISED = 2, WATCHED_BYTE = 4, FREED = 16, FOREIGN_BYTE = 32, UPDATED = 64 };
static const uint64_t EVERY_INITIALISED = 0x0101010101010101 * INITIALISED; /* of the bytes of a word */

extern uintptr_t simt_base; /* the reserved range */
extern uintptr_t simt_size;
extern uint8_t *simt_shadow; /* a byte of state for each byte of the range; NULL in plain builds */

static inline bool simt_is_shared(uintptr_t address)
{
    return address - m.arenas < (uintptr_t)SIMT_ARENA * MAX_BLOCKS;
}

typedef enum memory_kind {
    DEVICE_MEMORY,
    HOST_MEMORY,
    MANAGED_MEMORY,
    HEAP_MEMORY /* of malloc in a kernel */
} memory_kind;

/* Whether host code may read and write memory of this kind. */
static inline bool simt_host_reaches(memory_kind kind)
{
    return kind == HOST_MEMORY || kind == MANAGED_MEMORY;
}

typedef struct allocation {
    uintptr_t start, size; /* as the program asked for it, in bytes */
    memory_kind kind;
    bool freed;
    bool of_graph; /* nodes allocate and free it, again and again */
    bool of_pool;  /* allocated in the order of a stream */
    int device;
    const void *made[SIMT_CALLERS]; /* code addresses of the callers that allocated it */
    /* who freed it: callers as above, and if it is not the host the thread */
    const void *ended[SIMT_CALLERS];
    bool ended_by_thread;
    uint3 ended_block, ended_thread;
} allocation;

extern bool simt_host_shares; /* there is, or was, memory that host code may access too */

bool simt_memory_start(void);
unsigned simt_arenas_capacity(void);              /* workers */
uintptr_t simt_arenas_of_worker(unsigned worker); /* makes them; 0: no memory */
uintptr_t simt_heap_end(void);                    /* of the addresses of allocations */
void *simt_allocate(size_t size, memory_kind kind);
extern size_t simt_refused; /* bytes of the last allocation that failed; 0: none has */
/* Memory of the device's heap for the running thread, whose code is at `place`; a power of two as alignment. NULL: it is exhausted. */
void *simt_allocate_on_heap(size_t size, size_t alignment, const void *place);
extern size_t simt_heap_limit;                           /* bytes: cudaLimitMallocHeapSize */
void simt_allocated_of_pool(void *start);                /* it was the last allocation */
const allocation *simt_allocation_at(uintptr_t address); /* the one in whose bytes or redzones the address lies */
bool simt_release(uintptr_t start, const void *place);   /* place: of the running thread's code, or NULL */
/* Memory of a graph: from its free to its allocation, and before the first one, it counts as freed. */
void simt_retire(uintptr_t start);
void simt_revive(uintptr_t start);
size_t simt_memory_used(void);
bool simt_visit_allocations(bool (*visit)(uintptr_t start, size_t size)); /* all that are not freed */
bool simt_visit_variables(bool (*visit)(uintptr_t start, size_t size));
void simt_fill(void *memory, size_t size); /* with the pattern of the seed */
char *simt_arena(unsigned block);                           /* of the running worker */
void simt_shared_start(const simt_launch_request *request); /* of a launch */
void simt_shared_block_start(block *b);
void simt_shared_block_end(block *b);
size_t simt_shared_used(void);     /* bytes of each block's arena, in this launch so far */
void simt_check_allocations(void); /* redzones of device memory, in plain builds */
void simt_describe(uintptr_t address, char *text, size_t size);
void simt_describe_element(uintptr_t address, size_t element, char *text, size_t size); /* as array[index] */
/* A byte for each page of the range, 1: its bytes are all accessible and initialised, which one look tells of strided accesses, each of
 * which has another line of the shadow. 0: the shadow tells. Only the host's copies and fills set it; whoever makes the shadow of a byte
 * anything else clears it. */
enum { SIMT_PAGE_SHIFT = 12 }; /* 4 KiB: the bytes of an array of 8 MiB are 2 KiB, so they stay in the first cache */
extern uint8_t *simt_written_pages;
void simt_pages_written(uintptr_t address, size_t size); /* the shadow says that they are */
void simt_pages_change(uintptr_t address, size_t size);  /* perhaps they are not any more */
void simt_set_state(uintptr_t address, size_t size, uint8_t state);
const simt_variable *simt_variable_at(const void *address);
extern uintptr_t simt_variables_begin, simt_variables_end;    /* all of them lie between */
const simt_variable *simt_variable_before(uintptr_t address); /* in whose padding the address lies */
bool simt_in_range(const void *address);
/* Is the address where another machine of this process has its device memory? Shared libraries have machines of their own. */
bool simt_of_another_machine(uintptr_t address);

static inline bool simt_far_from_variables(uintptr_t address)
{
    return address < simt_variables_begin || address >= simt_variables_end;
}

/* --- devices.c */

enum { SIMT_MAX_DEVICES = 8 };            /* as many as a host of GPUs usually has */
extern SIMT_THREAD_LOCAL int simt_device; /* the current one of the host thread */
bool simt_is_peer(int device, int other); /* may kernels of `device` access the memory of `other`? */
void simt_set_peer(int device, int other, bool is);
void simt_hide_foreign(int device); /* in a launch on this device: memory to which it has no access */
void simt_show_foreign(void);

/* --- registered.c: memory of cudaHostRegister */

typedef struct simt_registered {
    struct simt_registered *next;
    void *memory;
    size_t size;
    unsigned flags;
} simt_registered;

simt_registered **simt_find_registered(const void *memory);          /* the link to the one that begins there */
const simt_registered *simt_registered_at(const void *memory);       /* that holds the address, or NULL */
bool simt_add_registered(void *memory, size_t size, unsigned flags); /* false: no memory */
bool simt_is_registered(uintptr_t address, size_t size);
bool simt_any_registered(void);

/* --- spot.c */

/* simt_note, with the allocation that holds spot->object. */
char *simt_report_spot(finding_kind kind, const simt_spot *spot, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same; if that allocation was freed, it also says by whom and where. */
char *simt_report_freed(finding_kind kind, const simt_spot *spot, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#pragma GCC visibility pop

#endif
