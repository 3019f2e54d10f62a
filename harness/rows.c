/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Rows of variants: contract in rows.h.
 */
#include "rows.h"
#include "algorithms/table.h"
#include "sandbox.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void sb_row_name(const sb_row *row, char *text, size_t size)
{
    snprintf(text, size, "%s/%s", row->algorithm->name, row->port->info.variants[row->variant].name);
}

bool sb_pattern_matches(const char *pattern, const char *algorithm, const char *name)
{
    size_t length = strlen(algorithm), given = strlen(pattern);

    if (strncmp(pattern, algorithm, length) == 0 && pattern[length] == '/')
        return strcmp(pattern + length + 1, name) == 0;
    return strcmp(pattern, algorithm) == 0 ||
           (given < length && strncmp(pattern, algorithm, given) == 0 && algorithm[given] == '.');
}

bool sb_patterns_match(const char *const *patterns, size_t count, const char *algorithm, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (sb_pattern_matches(patterns[i], algorithm, name))
            return true;
    return count == 0;
}

/* NULL for want of memory. */
static sb_row *select_rows(const sb_ports *ports, const char *const *patterns, size_t pattern_count, size_t *count)
{
    size_t capacity = 1;
    sb_row *rows;

    for (size_t p = 0; p < ports->count; p++)
        capacity += ports->ports[p].info.count;
    rows = calloc(capacity, sizeof *rows);
    *count = 0;
    /* By algorithm, so that siblings stand together in the table. */
    for (size_t a = 0; rows != NULL && sb_algorithm_at(a) != NULL; a++)
        for (size_t p = 0; p < ports->count; p++)
            for (size_t v = 0; v < ports->ports[p].info.count; v++) {
                const sb_variant_info *variant = &ports->ports[p].info.variants[v];

                if (strcmp(variant->algorithm, sb_algorithm_at(a)->name) == 0 &&
                    sb_patterns_match(patterns, pattern_count, variant->algorithm, variant->name))
                    rows[(*count)++] = (sb_row){
                        .algorithm = sb_algorithm_at(a), .port = &ports->ports[p], .port_index = p, .variant = v};
            }
    return rows;
}

/* Every variant must claim an algorithm that exists. */
static bool check_claims(const sb_ports *ports, char *error, size_t size)
{
    for (size_t p = 0; p < ports->count; p++)
        for (size_t v = 0; v < ports->ports[p].info.count; v++) {
            const sb_variant_info *variant = &ports->ports[p].info.variants[v];

            if (sb_algorithm_find(variant->algorithm) != NULL)
                continue;
            snprintf(error, size,
                     "%s: its variant '%s' claims the algorithm '%s', which samebits does not know; " SB_UNKNOWN_HINT,
                     ports->ports[p].name, variant->name, variant->algorithm);
            return false;
        }
    return true;
}

/* Is ALGORITHM of ALGORITHM/NAME one? */
static bool known_algorithm(const char *argument)
{
    char name[SB_NAME_SIZE];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(argument, "/"), argument);
    return sb_algorithm_find(name) != NULL;
}

/* Every argument must name an algorithm or a variant. */
static bool check_arguments(const sb_options *options, const sb_row *rows, size_t row_count, char *error, size_t size)
{
    char name[2 * SB_NAME_SIZE];

    for (size_t i = 0; i < options->argument_count; i++) {
        bool found = false;

        for (size_t a = 0; sb_algorithm_at(a) != NULL; a++)
            found |= sb_pattern_matches(options->arguments[i], sb_algorithm_at(a)->name, "");
        for (size_t r = 0; r < row_count; r++) {
            sb_row_name(&rows[r], name, sizeof name);
            found |= strcmp(name, options->arguments[i]) == 0;
        }
        if (!found) {
            snprintf(error, size, "'%s' names no %s; %s", options->arguments[i],
                     known_algorithm(options->arguments[i]) ? "variant" : "algorithm and no variant",
                     known_algorithm(options->arguments[i]) ? "see samebits list" : SB_UNKNOWN_HINT);
            return false;
        }
    }
    return true;
}

static void print_missing(FILE *out, const char *prefix, const char *what, const sb_ports *ports)
{
    fprintf(out, "%sno variant of %s on ", prefix, what);
    for (size_t i = 0; i < ports->count; i++)
        fprintf(out, "%s%s", i ? ", " : "", ports->ports[i].name);
    fprintf(out, "%s\n",
            ports->count == 0 ? "any device: no module was found; set SAMEBITS_MODULES to their directory" : "");
}

void sb_rows_explain(FILE *out, const char *prefix, const sb_options *options, const sb_ports *ports,
                     const sb_row *rows, size_t count)
{
    if (options->argument_count == 0 && count == 0)
        print_missing(out, prefix, "any algorithm", ports);
    for (size_t i = 0; i < options->argument_count; i++) {
        bool found = false;

        for (size_t r = 0; r < count; r++)
            found |= sb_pattern_matches(options->arguments[i], rows[r].algorithm->name,
                                        rows[r].port->info.variants[rows[r].variant].name);
        if (!found)
            print_missing(out, prefix, options->arguments[i], ports);
    }
}

/* --untrusted and --source go together: a module would bring its own device and clock. */
static bool check_untrusted(const sb_options *options, char *error, size_t size)
{
    struct stat file;
    char why[512];

    for (size_t i = 0; !options->untrusted && i < options->sources.count; i++)
        if (stat(options->sources.items[i], &file) == 0 && S_ISREG(file.st_mode)) {
            snprintf(error, size, "--source=%s goes with --untrusted", options->sources.items[i]);
            return false;
        }
    if (!options->untrusted)
        return true;
    if (options->modules.count > 0)
        snprintf(error, size,
                 "--untrusted takes no --module, which would bring its own device and clock; --source=FILE does");
    else if (options->exec != NULL)
        snprintf(error, size, "--untrusted takes no --exec; --source=FILE does");
    else if (options->sources.count == 0)
        snprintf(error, size, "--untrusted needs --source=FILE, the candidate");
    else if (options->bare)
        snprintf(error, size, "--untrusted does not go with --bare");
    else if (!sb_sandbox_ready(why, sizeof why))
        snprintf(error, size, "--untrusted: %s", why);
    else
        return true;
    return false;
}

static bool open_ports(const sb_options *options, sb_ports *ports, char *error, size_t size)
{
    memset(ports, 0, sizeof *ports);
    if (options->exec != NULL && options->algorithm != NULL && sb_algorithm_find(options->algorithm) == NULL) {
        snprintf(error, size, "--algorithm: there is no algorithm '%s'; " SB_UNKNOWN_HINT, options->algorithm);
        return false;
    }
    if (options->exec == NULL && options->algorithm != NULL) {
        snprintf(error, size, "--algorithm goes with --exec; to judge one algorithm give its NAME");
        return false;
    }
    if (!check_untrusted(options, error, size))
        return false;
    for (size_t i = 0; options->untrusted && i < options->sources.count; i++)
        if (!sb_ports_add_source(ports, options->sources.items[i], options->device, error, size))
            return false;
    /* Nothing else is judged beside candidates. */
    if (!options->untrusted && (options->exec == NULL || options->device != NULL || options->modules.count > 0) &&
        !sb_ports_open(ports, options->device, options->modules.items, options->modules.count, error, size))
        return false;
    if (options->exec != NULL && !sb_ports_add_exec(ports, options->exec, options->algorithm, error, size)) {
        sb_ports_free(ports);
        return false;
    }
    for (size_t i = 0; i < ports->count; i++) {
        ports->ports[i].bare = options->bare;
        ports->ports[i].strict = options->strict || options->untrusted;
    }
    return true;
}

bool sb_rows_open(const sb_options *options, sb_ports *ports, sb_row **rows, size_t *count, char *error, size_t size)
{
    bool good;

    if (!open_ports(options, ports, error, size))
        return false;
    *rows = select_rows(ports, options->arguments, options->argument_count, count);
    good = *rows != NULL;
    if (!good)
        snprintf(error, size, "out of memory");
    good = good && check_claims(ports, error, size) && check_arguments(options, *rows, *count, error, size);
    if (!good) {
        free(*rows);
        sb_ports_free(ports);
    }
    return good;
}
