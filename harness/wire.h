/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the owner of a worker process and the worker say to each other.
 *
 * The shared memory begins with a `message`. The arrays of the case follow it, then the outputs. The owner writes a request
 * there and sends one byte through the socket. The worker overwrites the message with its answer and sends one byte back.
 * The first message of a worker, before any request, is a `greeting`.
 */
#ifndef HARNESS_WIRE_H
#define HARNESS_WIRE_H

#include "worker.h"

/* The file descriptors that the worker inherits. */
enum { CONTROL_FD = 3, MEMORY_FD = 4 };

/* COMMAND_PREPARE makes buffers for a case of this shape, without its content; COMMAND_LAUNCH has the content. COMMAND_SEALED has it
 * encrypted, for one slot; COMMAND_OPEN, which has an sb_opening, launches on all slots; COMMAND_FETCH then gets the outputs of one. */
typedef enum command {
    COMMAND_RUN,
    COMMAND_PREPARE,
    COMMAND_LAUNCH,
    COMMAND_OTHERS,
    COMMAND_REFUSES,
    COMMAND_SEALED,
    COMMAND_OPEN,
    COMMAND_FETCH
} command;

typedef struct wire_array {
    uint64_t length, offset;
    uint64_t rows, row, step; /* elements, with gaps; rows 0: there is none */
    uint32_t type;
    uint32_t alignment; /* 0: that of the element */
    char name[SB_NAME_SIZE];
} wire_array;

typedef struct message {
    /* request */
    uint32_t command;
    uint32_t repeats;
    uint64_t variant;
    uint64_t seed;
    uint64_t poison;
    uint32_t bare;
    uint32_t transfers;
    uint32_t flush;
    uint32_t reserved;
    uint64_t bytes; /* of COMMAND_OTHERS: to copy */
    uint64_t input_count, output_count;
    uint64_t parameters[SB_MAX_PARAMETERS];
    wire_array inputs[SB_MAX_ARRAYS];
    wire_array outputs[SB_MAX_ARRAYS]; /* length: in the request the capacity */
    /* answer */
    uint32_t status;
    uint32_t fault;
    double seconds;
    sb_launch_times times;
    sb_other_times others;
    char reason[256];
    char text[2048];
    /* request; at the end, since cheats of tests/cheats/ know the layout of what comes before */
    uint64_t opening; /* of COMMAND_OPEN: the offset of its sb_opening */
    uint64_t slot;    /* of COMMAND_SEALED and COMMAND_FETCH; of COMMAND_OPEN: how many there are */
} message;

typedef struct greeting {
    uint32_t good; /* 0: `description` says why the module cannot be used */
    uint32_t flags;
    uint32_t available;
    uint32_t has_schedules;
    uint64_t count;
    char device[SB_NAME_SIZE];
    char description[512];
    char error[1024]; /* of open, where it failed; else "" */
    sb_variant_info variants[];
} greeting;

/* One byte through the socket. False: the other side is gone. */
bool sb_wire_send(int socket);
bool sb_wire_receive(int socket);

/* Cuts a text that is too long. NULL is an empty text. */
void sb_copy_text(char *to, size_t size, const char *from);

#endif
