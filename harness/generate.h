/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Adversarial cases from a seed. The random generator and the byte and key patterns are specified in docs/FORMAT.md, so
 * that a generated case can be made again anywhere.
 */
#ifndef HARNESS_GENERATE_H
#define HARNESS_GENERATE_H

#include "../common/case.h"
#include "../common/random.h"
#include "options.h"

/* The names of the generators that suit the algorithm, NULL-terminated; at least "random". */
const char *const *sb_generators(const sb_algorithm *algorithm);

/* Has a parameter or an array this name? */
bool sb_has_name(const sb_algorithm *algorithm, const char *name);

/* What a line of a generated case calls the number of elements: `n`, or `items` if a parameter or an array has the name n. */
const char *sb_count_word(const sb_algorithm *algorithm);

/* The case that `gen=NAME n=N seed=S` with these parameters stands for. The parameters are taken as they are, apart
 * from normalisation. The id is "NAME-N-S". False: no such generator, or no memory. */
bool sb_generate(sb_case *c, const sb_algorithm *algorithm, const char *name, uint64_t n, uint64_t seed,
                 const uint64_t *parameters);

/* Case number `index` of the endless sequence that verify runs. The seed decides the generator, a size of about
 * `max_items` or less (most often around 0, 1 and the boundaries of warps, blocks, tiles and chunks) and the parameters; those
 * with a setting (subset.h) have a value of it, unless the case would not be well-formed. `settings` may be NULL. The
 * `why` of the case is the `gen= n= seed= ...` text that makes it again. Small cases come first. */
bool sb_generate_nth(sb_case *c, const sb_algorithm *algorithm, uint64_t seed, uint64_t index, uint64_t max_items,
                     const sb_list *settings);

/* Of the parameters, those that are dimensions of arrays. */
uint64_t sb_count_dimensions(const sb_algorithm *algorithm);

/* What a case of a given size should be like, where the algorithm has that. */
typedef struct sb_wish {
    const char *generator; /* NULL: none is preferred */
    bool exact;            /* otherwise small whole numbers */
    uint64_t type;         /* the value of the parameter `type`; 0: drawn */
} sb_wish;

/* The same with exactly `n` elements; of algorithms with dimensions, number `index` modulo their count is so large, and the
 * others are below 4. */
bool sb_generate_sized(sb_case *c, const sb_algorithm *algorithm, uint64_t seed, uint64_t index, uint64_t n,
                       const sb_wish *wish, const sb_list *settings);

/* A case with the parameters and the lengths of `c`, which was generated, and other elements. False: none was found, or no memory. */
bool sb_generate_twin(sb_case *twin, const sb_case *c, uint64_t seed);

#endif
