/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Threads of sbz: the pipeline, the memory of its jobs, parallel loops, and files and memory that threads read, reserve or
 * prefault.
 */
#include "../sbz/codec.h"
#include "../sbz/files.h"
#include "../sbz/memory.h"
#include "../sbz/parallel_for.h"
#include "../sbz/pipeline.h"
#include "../sbz/read_ahead.h"
#include "../sbz/session.h"
#include "../sbz/slab.h"
#include "sbz_fixture.h"
#include "suite.h"
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* A pipeline whose limits become smaller when `wanted` jobs were read. Jobs are numbers, and workers negate them. */
enum { RING = 10, NUMBERS = 200 };

typedef struct numbers {
    long slot[RING];
    atomic_long read;
    long written, wanted;
    sbz_pool_limits limits;
    bool wrong;
} numbers;

static bool read_number(void *context, size_t slot)
{
    numbers *n = context;

    if (n->read == NUMBERS)
        return false;
    if (n->read == n->wanted)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); /* meanwhile the limits become smaller */
    n->slot[slot] = n->read + 1;
    n->read++;
    return true;
}

static bool start_with_fewer(void *context, sbz_pool_limits *limits)
{
    numbers *n = context;

    while (n->read < n->wanted)
        sched_yield();
    *limits = n->limits;
    return true;
}

static void turn_numbers(void *context, size_t worker, const size_t *slots, size_t count)
{
    (void)worker;
    for (size_t i = 0; i < count; i++)
        ((numbers *)context)->slot[slots[i]] *= -1;
}

static bool write_number(void *context, size_t slot)
{
    numbers *n = context;

    n->wrong = n->wrong || n->slot[slot] != -(n->written + 1);
    n->written++;
    return true;
}

START_TEST(fewer_slots_mix_jobs_up)
{
    for (long wanted = 0; wanted <= RING; wanted++) {
        for (size_t slots = 1; slots <= RING; slots++) {
            numbers n = {.wanted = wanted, .limits = {slots, 2, slots > 2 ? 2 : 1, UINT64_MAX}};
            const sbz_pipeline pipeline = {.context = &n,
                                           .limits = {RING, 3, 3, UINT64_MAX},
                                           .start = start_with_fewer,
                                           .read = read_number,
                                           .work = turn_numbers,
                                           .write = write_number};

            ck_assert_int_eq(sbz_pipeline_run(&pipeline), SBZ_PIPELINE_DONE);
            ck_assert_msg(!n.wrong, "%ld read before there were %zu slots", wanted, slots);
            ck_assert_int_eq(n.written, NUMBERS);
        }
    }
}
END_TEST

/* Job n has n % 13 bytes. */
enum { LARGE = 10, MANY = 5 };

static uint64_t bytes_of_number(void *context, size_t slot)
{
    return (uint64_t)((numbers *)context)->slot[slot] % 13;
}

static void turn_few_bytes(void *context, size_t worker, const size_t *slots, size_t count)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < count; i++)
        bytes += bytes_of_number(context, slots[i]);
    ck_assert_msg(count <= MANY && (count == 1 || bytes <= LARGE), "%zu jobs of %ju bytes", count, (uintmax_t)bytes);
    turn_numbers(context, worker, slots, count);
}

START_TEST(a_batch_has_more_bytes_than_it_may)
{
    numbers n = {.wanted = 0};
    const sbz_pipeline pipeline = {.context = &n,
                                   .limits = {RING, 3, MANY, LARGE},
                                   .read = read_number,
                                   .bytes = bytes_of_number,
                                   .work = turn_few_bytes,
                                   .write = write_number};

    ck_assert_int_eq(sbz_pipeline_run(&pipeline), SBZ_PIPELINE_DONE);
    ck_assert(!n.wrong);
    ck_assert_int_eq(n.written, NUMBERS);
}
END_TEST

/* Jobs are prepared while `start` waits, and later side by side with the work on others. */
enum { READ, IN_PREPARATION, PREPARED, TAKEN };

typedef struct preparations {
    numbers numbers;
    atomic_int state[RING], prepared;
} preparations;

static bool read_unprepared(void *context, size_t slot)
{
    atomic_store(&((preparations *)context)->state[slot], READ);
    return read_number(context, slot);
}

static void prepare_number(void *context, size_t slot)
{
    preparations *p = context;

    ck_assert_int_eq(atomic_exchange(&p->state[slot], IN_PREPARATION), READ);
    if (p->prepared % 8 == 0)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    ck_assert_int_eq(atomic_exchange(&p->state[slot], PREPARED), IN_PREPARATION);
    p->prepared++;
}

static bool start_when_all_are_prepared(void *context, sbz_pool_limits *limits)
{
    preparations *p = context;

    (void)limits;
    while (p->prepared < RING)
        sched_yield();
    return true;
}

static bool start_without_preparers(void *context, sbz_pool_limits *limits)
{
    limits->preparers = 0;
    return start_when_all_are_prepared(context, limits);
}

static void turn_prepared(void *context, size_t worker, const size_t *slots, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ck_assert_int_ne(atomic_exchange(&((preparations *)context)->state[slots[i]], TAKEN), IN_PREPARATION);
    turn_numbers(context, worker, slots, count);
}

START_TEST(a_worker_does_not_wait_for_the_preparation_of_its_jobs)
{
    bool (*const start[])(void *context, sbz_pool_limits *limits) = {start_when_all_are_prepared,
                                                                     start_without_preparers};

    for (size_t i = 0; i < sizeof start / sizeof *start; i++) {
        preparations p = {.numbers = {.wanted = 0}};
        const sbz_pipeline pipeline = {.context = &p,
                                       .limits = {RING, 3, 2, UINT64_MAX, 2},
                                       .start = start[i],
                                       .read = read_unprepared,
                                       .prepare = prepare_number,
                                       .work = turn_prepared,
                                       .write = write_number};

        ck_assert_int_eq(sbz_pipeline_run(&pipeline), SBZ_PIPELINE_DONE);
        ck_assert(!p.numbers.wrong);
        ck_assert_int_eq(p.numbers.written, NUMBERS);
        ck_assert_int_ge(p.prepared, RING);
        if (start[i] == start_without_preparers) /* no more than RING could be read before */
            ck_assert_int_eq(p.prepared, RING);
    }
}
END_TEST

enum { CALLERS = 4, CALLS = 200, MAX_PARTS = 40 };

static void count_part(void *with, size_t i)
{
    atomic_fetch_add((atomic_int *)with + i, 1);
}

/* sbz_parallel_for, or sbz_parallel_for_idle */
typedef void parallel_loop(size_t count, void (*work)(void *with, size_t i), void *with);

static void *call_for_parts(void *loop)
{
    for (size_t call = 0; call < CALLS; call++) {
        const size_t count = call % (MAX_PARTS + 1);
        atomic_int times[MAX_PARTS + 1] = {0};

        (*(parallel_loop **)loop)(count, count_part, times);
        for (size_t i = 0; i <= MAX_PARTS; i++)
            ck_assert_int_eq(times[i], i < count);
    }
    return NULL;
}

START_TEST(an_iteration_is_not_run_or_twice)
{
    static const struct {
        parallel_loop *loop;
        size_t share;
    } cases[] = {{sbz_parallel_for, 1}, {sbz_parallel_for, 8}, {sbz_parallel_for_idle, 1}, {sbz_parallel_for_idle, 8}};
    parallel_loop *loop = cases[_i].loop;
    pthread_t caller[CALLERS];

    sbz_parallel_share(cases[_i].share);
    for (size_t i = 0; i < CALLERS; i++)
        ck_assert(sbz_thread_begin(&caller[i], call_for_parts, &loop));
    for (size_t i = 0; i < CALLERS; i++)
        pthread_join(caller[i], NULL);
}
END_TEST

/* Workers of whom each calls for a loop. Iterations count how many run at the same time. */
enum { WORKERS = 3, ITERATIONS = 40 };

typedef struct crowd {
    atomic_size_t arrived, inside, most;
} crowd;

static void join_crowd(void *with, size_t i)
{
    crowd *c = with;
    size_t inside = atomic_fetch_add(&c->inside, 1) + 1, most = c->most;

    (void)i;
    while (inside > most && !atomic_compare_exchange_weak(&c->most, &most, inside))
        ;
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    atomic_fetch_sub(&c->inside, 1);
}

static void pass_by(void *unused, size_t i)
{
    (void)unused, (void)i;
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

static void *work_in_crowd(void *with)
{
    crowd *c = with;

    sbz_parallel_work(true);
    atomic_fetch_add(&c->arrived, 1);
    while (c->arrived < WORKERS)
        sched_yield();
    sbz_parallel_for_idle(ITERATIONS, join_crowd, c);
    atomic_fetch_add(&c->arrived, 1);
    while (c->arrived < 2 * WORKERS) /* until then each counts */
        sched_yield();
    sbz_parallel_work(false);
    return NULL;
}

START_TEST(more_threads_work_than_the_share)
{
    for (size_t share = 1; share < 6; share++) {
        crowd c = {0};
        pthread_t worker[WORKERS];

        sbz_parallel_share(share);
        for (size_t i = 0; i < WORKERS; i++)
            ck_assert(sbz_thread_begin(&worker[i], work_in_crowd, &c));
        while (c.arrived < WORKERS)
            sched_yield();
        sbz_parallel_for(ITERATIONS, pass_by, NULL); /* whoever helps here looks for more */
        for (size_t i = 0; i < WORKERS; i++)
            pthread_join(worker[i], NULL);
        ck_assert_uint_le(c.most, share > WORKERS ? share : WORKERS);
        ck_assert(share <= WORKERS || c.most > WORKERS);
    }
}
END_TEST

/* Two iterations that wait for each other, for at most 10 s. */
typedef struct meeting {
    atomic_int begun, alone;
} meeting;

static void meet(void *with, size_t i)
{
    meeting *m = with;
    int milliseconds = 0;

    (void)i;
    atomic_fetch_add(&m->begun, 1);
    while (m->begun < 2 && milliseconds++ < 10000)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    atomic_fetch_add(&m->alone, m->begun < 2);
}

static void *work_on_meeting(void *with)
{
    sbz_parallel_work(true);
    sbz_parallel_for_idle(2, meet, with);
    sbz_parallel_work(false);
    return NULL;
}

START_TEST(a_thread_that_becomes_idle_does_not_help)
{
    meeting m = {0};
    pthread_t worker;

    sbz_parallel_share(2);
    sbz_parallel_work(true);
    ck_assert(sbz_thread_begin(&worker, work_on_meeting, &m));
    while (m.begun == 0)
        sched_yield();
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    ck_assert_int_eq(m.begun, 1);
    sbz_parallel_work(false);
    pthread_join(worker, NULL);
    ck_assert_int_eq(m.alone, 0);
}
END_TEST

size_t __wrap_sb_cores(void);

size_t __wrap_sb_cores(void)
{
    return 16;
}

enum { FILE_SIZE = (4 << 20) + 12345, OFFSET = 100001 };

/* Makes a file standard input, with OFFSET bytes of it read. Returns its contents. */
static uint8_t *open_counted(sbz_input *input)
{
    const sbz_options options = {.action = SBZ_COMPRESS, .to_stdout = true};
    uint32_t *held = malloc(FILE_SIZE + sizeof *held);
    FILE *file = tmpfile();

    ck_assert(held != NULL && file != NULL);
    for (uint32_t i = 0; i <= FILE_SIZE / sizeof *held; i++)
        held[i] = i;
    ck_assert_int_eq(write(fileno(file), held, FILE_SIZE), FILE_SIZE);
    ck_assert_int_eq(dup2(fileno(file), STDIN_FILENO), STDIN_FILENO);
    fclose(file);
    ck_assert_int_eq(lseek(STDIN_FILENO, OFFSET, SEEK_SET), OFFSET);
    ck_assert(sbz_input_open(input, NULL, &options));
    return (uint8_t *)held;
}

START_TEST(a_file_read_by_several_threads_is_another)
{
    static const size_t sizes[] = {1, 1 << 20, 10, 700001, (3 << 17) - 1, 3 << 17, 8 << 20, 8 << 20};
    uint8_t *bytes = malloc(8 << 20), *held;
    size_t at = OFFSET;
    sbz_input input;

    ck_assert_ptr_nonnull(bytes);
    held = open_counted(&input);
    for (size_t i = 0; at < FILE_SIZE; i = (i + 1) % (sizeof sizes / sizeof *sizes)) {
        const ptrdiff_t got = sbz_input_read(&input, bytes, sizes[i]);

        ck_assert_msg(got > 0 && (size_t)got <= sizes[i], "%td bytes at byte %zu", got, at);
        ck_assert_mem_eq(bytes, held + at, (size_t)got);
        at += (size_t)got;
        ck_assert_int_eq(lseek(STDIN_FILENO, 0, SEEK_CUR), at);
    }
    ck_assert_int_eq(sbz_input_read(&input, bytes, 8 << 20), 0);
    ck_assert_uint_eq(input.read, FILE_SIZE - OFFSET);
    sbz_input_close(&input);
    free(held);
    free(bytes);
}
END_TEST

/* It shrinks inside any of the parts that are read at once; its time stays the same. */
START_TEST(a_file_that_shrinks_meanwhile_is_whole)
{
    for (size_t size = OFFSET; size < FILE_SIZE; size += 234567) {
        uint8_t *bytes = calloc(FILE_SIZE, 1), *held;
        ptrdiff_t got, all = 0;
        sbz_input input;

        ck_assert_ptr_nonnull(bytes);
        held = open_counted(&input);
        ck_assert_int_eq(ftruncate(STDIN_FILENO, (off_t)size), 0);
        ck_assert_int_eq(futimens(STDIN_FILENO, (struct timespec[]){input.status.st_atim, input.status.st_mtim}), 0);
        while ((got = sbz_input_read(&input, bytes + all, FILE_SIZE - (size_t)all)) > 0)
            all += got;
        ck_assert_int_eq(got, -1);
        ck_assert_str_eq(input.error, "changed while it was read");
        ck_assert_uint_eq((size_t)all, size - OFFSET);
        ck_assert_mem_eq(bytes, held + OFFSET, (size_t)all);
        ck_assert_int_eq(lseek(STDIN_FILENO, 0, SEEK_CUR), size);
        sbz_input_close(&input);
        free(held);
        free(bytes);
    }
}
END_TEST

static struct stat state_of(const sbz_output *output)
{
    struct stat state;

    ck_assert_int_eq(fstat(output->descriptor, &state), 0);
    return state;
}

/* Writes a file in a directory of its own. Nothing but the committed file may be left. Returns the bytes of disk that
 * it takes. */
static long write_expected(uint64_t expected, const uint8_t *bytes, size_t size, bool wait, bool commit)
{
    const sbz_options options = {.action = SBZ_DECOMPRESS, .keep = true, .no_sparse = true};
    char directory[] = "/tmp/check_sbz-XXXXXX", path[64], made[64];
    sbz_input input;
    sbz_output output;
    struct stat state = {0};

    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/x.sbz", directory);
    snprintf(made, sizeof made, "%s/x", directory);
    fclose(fopen(path, "w"));
    ck_assert(sbz_input_open(&input, path, &options) && sbz_output_open(&output, &input, &options));
    sbz_output_expect(&output, expected);
    for (int i = 0; wait && i < 1000 && state_of(&output).st_blocks * 512 < (long)expected; i++)
        usleep(10000);
    ck_assert(!wait || state_of(&output).st_blocks * 512 >= (long)expected);
    ck_assert_int_eq(state_of(&output).st_size, 0);
    ck_assert(size == 0 || sbz_output_write(&output, bytes, size));
    ck_assert_int_eq(state_of(&output).st_size, size);
    ck_assert(!commit || sbz_output_commit(&output, &input, &options));
    sbz_output_close(&output);
    sbz_input_close(&input);
    ck_assert_int_eq(stat(made, &state), commit ? 0 : -1);
    ck_assert_int_eq(state.st_size, commit ? size : 0);
    ck_assert(!commit || unlink(made) == 0);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(directory), 0); /* fails if something is left */
    return (long)state.st_blocks * 512;
}

START_TEST(an_output_takes_more_space_than_it_needs)
{
    enum { MIB = 1 << 20 };
    uint8_t *bytes = calloc(20, MIB);
    int file;
    bool reserves;

    ck_assert_ptr_nonnull(bytes);
    file = fileno(tmpfile());
    reserves = fallocate(file, FALLOC_FL_KEEP_SIZE, 0, MIB) == 0;
    for (int wait = 0; wait <= reserves; wait++) {
        ck_assert_int_lt(write_expected(20 * MIB, bytes, 20 * MIB, wait, true), 21 * MIB);
        ck_assert_int_lt(write_expected(20 * MIB, bytes, MIB, wait, true), 2 * MIB);
        ck_assert_int_lt(write_expected(20 * MIB, bytes, 0, wait, true), MIB);
        write_expected(20 * MIB, bytes, MIB, wait, false);
        write_expected(20 * MIB, bytes, 0, wait, false);
    }
    ck_assert_int_lt(write_expected(MIB, bytes, 20 * MIB, false, true), 21 * MIB);
    ck_assert_int_lt(write_expected(UINT64_MAX, bytes, MIB, false, true), 2 * MIB);
    close(file);
    free(bytes);
}
END_TEST

static size_t resident(const sbz_slab *slab)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *pages = calloc(slab->bytes / page, 1);
    size_t bytes = 0;

    ck_assert(pages != NULL && mincore(slab->memory, slab->bytes, pages) == 0);
    for (size_t i = 0; i < slab->bytes / page; i++)
        bytes += (pages[i] & 1) * page;
    free(pages);
    return bytes;
}

START_TEST(memory_of_texts_is_not_prefaulted_or_changes)
{
    enum { TEXT = 3 << 20, TEXTS = 10 };
    const sbz_settings settings = {.where = SBZ_CPU};
    sbz_codec *codec;
    sbz_slab slab = {0};

    ck_assert_msg(sbz_codec_open(&codec, &settings) == SB_OK, "%s", sbz_codec_error(codec));
    ck_assert(sbz_slab_resize(&slab, TEXT, TEXTS, codec));
    ck_assert_uint_lt(resident(&slab), slab.bytes);
    sbz_slab_prefault(&slab);
    memset(sbz_slab_text(&slab, TEXTS - 1), 'x', TEXT);
    sbz_slab_pin(&slab, codec);
#ifdef MADV_POPULATE_WRITE /* if the kernel has it, too */
    if (madvise(slab.memory, (size_t)sysconf(_SC_PAGESIZE), MADV_POPULATE_WRITE) == 0)
        ck_assert_uint_eq(resident(&slab), slab.bytes);
#endif
    for (size_t i = 0; i < TEXT; i++)
        ck_assert_int_eq(((uint8_t *)sbz_slab_text(&slab, TEXTS - 1))[i], 'x');
    ck_assert(sbz_slab_resize(&slab, TEXT, 2 * TEXTS, codec));
    sbz_slab_prefault(&slab);
    sbz_slab_stop_prefault(&slab);
    ck_assert_uint_eq(slab.threads, 0);
    sbz_slab_free(&slab, codec);
    sbz_codec_close(codec);
}
END_TEST

START_TEST(blocks_take_more_memory_than_allowed)
{
    static const uint32_t limits[] = {1, 1000, 1 << 20, 7 << 20, 1 << 30};
    static const size_t few[] = {0, 3, 5, 6, 8}, many[] = {0, 3, 12, 17, 22};

    ck_assert_uint_eq(sbz_memory_space(0, 4, 0), UINT64_MAX); /* no limit has been read yet */
    ck_assert_uint_eq(sbz_memory_jobs(1000, 3001), 1);
    ck_assert_uint_eq(sbz_memory_jobs(1000, 2999), 0); /* a job that is alone has space all the same */
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        for (size_t threads = 1; threads <= 4; threads++) {
            const sbz_block largest = sbz_largest_block(limits[i]);
            const uint64_t one = (uint64_t)largest.original + largest.encoded,
                           need = sbz_memory_need_of_limit(limits[i], threads),
                           enough = need + (many[threads] - few[threads]) * one;

            ck_assert_uint_eq(sbz_memory_slots(threads), many[threads]);
            ck_assert_uint_eq(sbz_memory_space(limits[i], threads, enough), UINT64_MAX);
            if (threads == 1)
                continue;
            ck_assert_uint_eq(sbz_memory_space(limits[i], threads, 0), few[threads] * one);
            ck_assert_uint_eq(sbz_memory_space(limits[i], threads, need), few[threads] * one);
            ck_assert_uint_eq(sbz_memory_space(limits[i], threads, enough - 1), many[threads] * one - 1);
        }
}
END_TEST

typedef struct holder {
    sbz_session *session;
    sbz_job job;
    uint64_t bytes, work;
    atomic_bool has_space;
} holder;

static void *hold(void *with)
{
    holder *h = with;

    sbz_session_hold(h->session, &h->job, h->bytes, h->work);
    h->has_space = true;
    return NULL;
}

static bool waits(const holder *h)
{
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    return !h->has_space;
}

/* Jobs of 60 and 40 bytes take all of 100. Then one of 50 waits until the first is written, and one more until the end. */
START_TEST(a_job_gets_space_that_is_not_there)
{
    sbz_session s = {.space = 100, .lock = PTHREAD_MUTEX_INITIALIZER, .let_go = PTHREAD_COND_INITIALIZER};
    sbz_job first = {0}, second = {0}, alone = {0};
    holder third = {.session = &s, .bytes = 50}, last = {.session = &s, .bytes = 50};
    pthread_t thread;

    sbz_session_hold(&s, &alone, 1000, 0);
    sbz_session_let_go(&s, &alone);
    sbz_session_hold(&s, &first, 60, 0);
    sbz_session_hold(&s, &second, 40, 0);
    ck_assert_uint_eq(s.held, 100);
    ck_assert(sbz_thread_begin(&thread, hold, &third));
    ck_assert(waits(&third));
    sbz_session_let_go(&s, &first);
    pthread_join(thread, NULL);
    ck_assert_uint_eq(s.held, 90);
    ck_assert(sbz_thread_begin(&thread, hold, &last));
    ck_assert(waits(&last));
    pthread_mutex_lock(&s.lock);
    s.stopped = true;
    pthread_cond_signal(&s.let_go);
    pthread_mutex_unlock(&s.lock);
    pthread_join(thread, NULL);
}
END_TEST

/* Jobs of 40 bytes. Where memory is scarce, 30 more count until the first was decoded: only then there are 70 for the second. */
START_TEST(work_takes_memory_that_is_not_there)
{
    for (int scarce = 0; scarce < 2; scarce++) {
        sbz_session s = {
            .space = 110, .scarce = scarce, .lock = PTHREAD_MUTEX_INITIALIZER, .let_go = PTHREAD_COND_INITIALIZER};
        sbz_job first = {0};
        holder second = {.session = &s, .bytes = 40, .work = 30};
        pthread_t thread;

        sbz_session_hold(&s, &first, 40, 30);
        ck_assert(sbz_thread_begin(&thread, hold, &second));
        ck_assert_int_eq(waits(&second), scarce);
        sbz_session_worked(&s, &first);
        ck_assert(!waits(&second)); /* else it would be joined in vain */
        pthread_join(thread, NULL);
        ck_assert_uint_eq(s.held, scarce ? 110 : 80);
        sbz_session_let_go(&s, &first);
        ck_assert_uint_eq(s.held, scarce ? 70 : 40);
        sbz_session_let_go(&s, &second.job);
        ck_assert_uint_eq(s.held, 0);
    }
}
END_TEST

START_TEST(a_written_job_keeps_memory_that_is_scarce)
{
    for (int scarce = 0; scarce < 2; scarce++) {
        sbz_session s = {
            .space = scarce ? 100 : UINT64_MAX, .lock = PTHREAD_MUTEX_INITIALIZER, .let_go = PTHREAD_COND_INITIALIZER};
        sbz_job job = {0};

        ck_assert(sbz_text_reserve(&job.text, 50));
        ck_assert(sbz_record_reserve(&job.record, 50));
        sbz_session_hold(&s, &job, 100, 0);
        sbz_session_let_go(&s, &job);
        ck_assert_uint_eq(s.held, 0);
        ck_assert_int_eq(job.text.data != NULL, !scarce);
        ck_assert_int_eq(job.record.payload != NULL, !scarce);
        sbz_text_free(&job.text);
        sbz_record_free(&job.record);
    }
}
END_TEST

static bool begin_even_workers(void *context, size_t worker)
{
    (void)context;
    ck_assert_uint_ne(worker, 0);
    return worker % 2 == 0;
}

static void turn_if_even(void *context, size_t worker, const size_t *slots, size_t count)
{
    ck_assert_uint_eq(worker % 2, 0);
    turn_numbers(context, worker, slots, count);
}

START_TEST(a_worker_that_cannot_work_gets_jobs)
{
    numbers n = {.wanted = 0};
    const sbz_pipeline pipeline = {.context = &n,
                                   .limits = {RING, 4, 1, UINT64_MAX},
                                   .begin = begin_even_workers,
                                   .read = read_number,
                                   .work = turn_if_even,
                                   .write = write_number};

    ck_assert_int_eq(sbz_pipeline_run(&pipeline), SBZ_PIPELINE_DONE);
    ck_assert(!n.wrong);
    ck_assert_int_eq(n.written, NUMBERS);
}
END_TEST

/* A source of bytes that count up, in pieces of many sizes, with an end or a failure behind them. */
typedef struct counting {
    size_t given, total;
    ptrdiff_t end;
    atomic_int calls;
} counting;

enum { CYCLE = 251 }; /* a prime, which divides no size of the ring */

static ptrdiff_t count_up(void *from, void *bytes, size_t size)
{
    counting *c = from;
    const size_t piece = 1 + (size_t)c->calls++ * 7919 % 300000, left = c->total - c->given;

    size = piece < size ? piece : size;
    size = left < size ? left : size;
    for (size_t i = 0; i < size; i++)
        ((uint8_t *)bytes)[i] = (uint8_t)((c->given + i) % CYCLE);
    c->given += size;
    return size > 0 ? (ptrdiff_t)size : c->end;
}

START_TEST(bytes_read_ahead_are_others)
{
    enum { CAPACITY = 1 << 20 };
    const size_t totals[] = {0, 1, 5000000, 20000000};
    uint8_t *bytes = malloc(CAPACITY);

    for (size_t i = 0; i < 2 * sizeof totals / sizeof *totals; i++) {
        counting c = {.total = totals[i / 2], .end = -(ptrdiff_t)(i % 2)};
        sbz_read_ahead ahead;
        size_t taken = 0, wrong = 0;
        ptrdiff_t got;

        sbz_read_ahead_begin(&ahead, count_up, &c);
        ck_assert(ahead.begun);
        for (size_t call = 1; (got = sbz_read_ahead_take(&ahead, bytes, call * 104729 % CAPACITY + 1)) > 0; call++) {
            for (size_t k = 0; k < (size_t)got; k++)
                wrong += bytes[k] != (taken + k) % CYCLE;
            taken += (size_t)got;
        }
        ck_assert_uint_eq(wrong, 0);
        ck_assert_uint_eq(taken, c.total);
        ck_assert_int_eq(got, c.end);
        ck_assert_int_eq(sbz_read_ahead_take(&ahead, bytes, 1), c.end);
        sbz_read_ahead_end(&ahead);
    }
    free(bytes);
}
END_TEST

START_TEST(reading_ahead_does_not_end_before_the_input)
{
    counting c = {.total = SIZE_MAX};
    sbz_read_ahead ahead;
    uint8_t byte;

    sbz_read_ahead_begin(&ahead, count_up, &c);
    ck_assert_int_eq(sbz_read_ahead_take(&ahead, &byte, 1), 1);
    sbz_read_ahead_end(&ahead);
    sbz_read_ahead_end(&(sbz_read_ahead){0}); /* was not begun */
}
END_TEST

#ifdef __GLIBC__
START_TEST(a_slab_keeps_memory_that_became_too_small)
{
    enum { SLOT = 1 << 20 };
    sbz_codec *codec = open_codec(SBZ_CPU, NULL);
    const struct mallinfo2 before = mallinfo2();
    sbz_slab slab = {0};

    for (size_t slots = 8; slots <= 32; slots *= 2) {
        struct mallinfo2 now;

        ck_assert(sbz_slab_resize(&slab, SLOT, slots, codec));
        now = mallinfo2();
        ck_assert_uint_lt(now.uordblks + now.hblkhd - before.uordblks - before.hblkhd, (slots + 3) * SLOT);
    }
    sbz_slab_free(&slab, codec);
    sbz_codec_close(codec);
}
END_TEST
#endif

static void add_tests(TCase *tests)
{
    add_test(tests, a_job_gets_space_that_is_not_there);
    add_test(tests, work_takes_memory_that_is_not_there);
    add_test(tests, a_written_job_keeps_memory_that_is_scarce);
    add_test(tests, blocks_take_more_memory_than_allowed);
    add_test(tests, fewer_slots_mix_jobs_up);
    add_test(tests, a_batch_has_more_bytes_than_it_may);
    add_test(tests, a_worker_does_not_wait_for_the_preparation_of_its_jobs);
    add_test(tests, a_worker_that_cannot_work_gets_jobs);
    add_loop_test(tests, an_iteration_is_not_run_or_twice, 0, 4);
    add_test(tests, more_threads_work_than_the_share);
    add_test(tests, a_thread_that_becomes_idle_does_not_help);
    add_test(tests, a_file_read_by_several_threads_is_another);
    add_test(tests, a_file_that_shrinks_meanwhile_is_whole);
    add_test(tests, an_output_takes_more_space_than_it_needs);
#ifdef __GLIBC__
    add_test(tests, a_slab_keeps_memory_that_became_too_small);
#endif
    add_test(tests, memory_of_texts_is_not_prefaulted_or_changes);
    add_test(tests, bytes_read_ahead_are_others);
    add_test(tests, reading_ahead_does_not_end_before_the_input);
}

int main(void)
{
    return run_tests("sbz/threads", add_tests, use_built_modules, 600);
}
