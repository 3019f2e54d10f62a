/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Cases and results: contract in case.h.
 */
#include "case.h"
#include "number.h"
#include "shape.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "files, hashes and byte strings hold the bytes of elements as memory does, so it must be little-endian"
#endif

/* ---- arrays ---- */

uint64_t sb_array_bytes(const sb_array *array)
{
    return array->length * sb_type_size(array->type);
}

double sb_number_at(const sb_array *array, uint64_t i)
{
    size_t size = sb_type_size(array->type);
    uint64_t bits = 0;

    memcpy(&bits, (const uint8_t *)array->data + i * size, size);
    return sb_bits_to_number(array->type, bits);
}

void sb_number_set(sb_array *array, uint64_t i, double number)
{
    size_t size = sb_type_size(array->type);
    uint64_t bits = sb_number_to_bits(array->type, number);

    memcpy((uint8_t *)array->data + i * size, &bits, size);
}

bool sb_array_resize(sb_array *array, uint64_t length)
{
    size_t element = sb_type_size(array->type);
    uint8_t *data;

    if (length == 0) {
        free(array->data);
        array->data = NULL;
    } else if (length != array->length) {
        if (element == 0 || length > SIZE_MAX / element)
            return false;
        data = realloc(array->data, length * element);
        if (data == NULL)
            return false;
        if (length > array->length)
            memset(data + array->length * element, 0, (length - array->length) * element);
        array->data = data;
    }
    array->length = array->capacity = length;
    return true;
}

bool sb_array_set(sb_array *array, const void *data, uint64_t length)
{
    sb_array fresh = {.type = array->type};

    if (!sb_array_resize(&fresh, length))
        return false;
    if (data != NULL && length > 0)
        memcpy(fresh.data, data, sb_array_bytes(&fresh));
    free(array->data);
    *array = fresh;
    return true;
}

static bool arrays_equal(const sb_array *a, const sb_array *b)
{
    return a->type == b->type && a->length == b->length &&
           (a->length == 0 || memcmp(a->data, b->data, sb_array_bytes(a)) == 0);
}

/* Gives the array another type over the same bytes, without those that make no whole element. */
static void retype(sb_array *array, uint32_t type)
{
    uint64_t bytes = sb_array_bytes(array);

    if (array->type == type || sb_type_size(type) == 0)
        return;
    array->type = type;
    array->length = array->capacity = bytes / sb_type_size(type);
    if (array->length == 0) {
        free(array->data);
        array->data = NULL;
    }
}

/* The index of the first map with even a, or the length. */
static uint64_t find_even(const sb_array *array)
{
    const sb_affine *map = array->data;
    uint64_t i = 0;

    while (i < array->length && map[i].a % 2 != 0)
        i++;
    return i;
}

/* ---- cases ---- */

static bool word_allowed(const sb_parameter *parameter, uint64_t value)
{
    for (uint64_t i = 0; parameter->words[i] != NULL; i++)
        if (i == value)
            return parameter->words[i][0] != '\0';
    return false;
}

static uint64_t first_word(const sb_parameter *parameter)
{
    uint64_t value = 0;

    while (parameter->words[value] != NULL && parameter->words[value][0] == '\0')
        value++;
    return value;
}

void sb_case_init(sb_case *c, const sb_algorithm *algorithm)
{
    memset(c, 0, sizeof *c);
    c->algorithm = algorithm;
    for (size_t i = 0; i < algorithm->parameter_count; i++)
        if (algorithm->parameters[i].words != NULL)
            c->parameters[i] = first_word(&algorithm->parameters[i]);
    for (size_t i = 0; i < algorithm->input_count; i++)
        c->inputs[i].type = sb_field_type(c, &algorithm->inputs[i]);
}

void sb_case_free(sb_case *c)
{
    for (size_t i = 0; i < SB_MAX_ARRAYS; i++)
        free(c->inputs[i].data);
    free(c->id);
    free(c->why);
    memset(c, 0, sizeof *c);
}

bool sb_case_copy(sb_case *to, const sb_case *from)
{
    sb_case copy = {.algorithm = from->algorithm};
    bool good = true;

    memcpy(copy.parameters, from->parameters, sizeof copy.parameters);
    for (size_t i = 0; i < SB_MAX_ARRAYS; i++) {
        copy.inputs[i].type = from->inputs[i].type;
        good = good && sb_array_set(&copy.inputs[i], from->inputs[i].data, from->inputs[i].length);
    }
    good = good && (from->id == NULL || (copy.id = strdup(from->id)) != NULL);
    good = good && (from->why == NULL || (copy.why = strdup(from->why)) != NULL);
    if (good)
        *to = copy;
    else
        sb_case_free(&copy);
    return good;
}

static bool set_text(char **text, const char *format, va_list arguments)
{
    char *fresh;

    if (vasprintf(&fresh, format, arguments) < 0)
        return false;
    free(*text);
    *text = fresh;
    return true;
}

bool sb_case_set_id(sb_case *c, const char *format, ...)
{
    va_list arguments;
    bool good;

    va_start(arguments, format);
    good = set_text(&c->id, format, arguments);
    va_end(arguments);
    return good;
}

bool sb_case_set_why(sb_case *c, const char *format, ...)
{
    va_list arguments;
    bool good;

    va_start(arguments, format);
    good = set_text(&c->why, format, arguments);
    va_end(arguments);
    return good;
}

static void retype_inputs(sb_case *c)
{
    for (size_t i = 0; i < c->algorithm->input_count; i++)
        retype(&c->inputs[i], sb_field_type(c, &c->algorithm->inputs[i]));
}

static void make_maps_odd(sb_case *c)
{
    for (size_t i = 0; i < c->algorithm->input_count; i++)
        if (c->inputs[i].type == SB_AFFINE)
            for (uint64_t j = 0; j < c->inputs[i].length; j++)
                ((sb_affine *)c->inputs[i].data)[j].a |= 1;
}

/* Element k of an input of integers, if it is in its bounds; else the next number below that is: its low bits modulo the bound. */
static uint64_t within_bound(const sb_array *array, uint64_t k, uint64_t bound)
{
    size_t size = sb_type_size(array->type);
    uint64_t bits = 0;

    memcpy(&bits, (const uint8_t *)array->data + k * size, size);
    if (sb_type_kind(array->type) == SB_KIND_SIGNED)
        bits &= ((uint64_t)1 << (8 * size - 1)) - 1;
    return bits % bound;
}

static void bound_inputs(sb_case *c)
{
    for (size_t i = 0; i < c->algorithm->input_count; i++) {
        const char *below = c->algorithm->inputs[i].below;
        sb_array *array = &c->inputs[i];
        uint64_t bound;

        if (below == NULL || !sb_shape_length(c->algorithm, below, c->parameters, &bound) || bound == 0)
            continue;
        for (uint64_t k = 0; k < array->length; k++) {
            uint64_t bits = within_bound(array, k, bound);

            memcpy((uint8_t *)array->data + k * sb_type_size(array->type), &bits, sb_type_size(array->type));
        }
    }
}

/* Is every index in its bounds? */
static bool bounds_hold(const sb_case *c, char *why, size_t size)
{
    for (size_t i = 0; i < c->algorithm->input_count; i++) {
        const sb_field *field = &c->algorithm->inputs[i];
        uint64_t bound;

        if (field->below == NULL || !sb_shape_length(c->algorithm, field->below, c->parameters, &bound))
            continue;
        for (uint64_t k = 0; k < c->inputs[i].length; k++) {
            double number = sb_number_at(&c->inputs[i], k);

            if (number >= 0 && number < (double)bound)
                continue;
            snprintf(why, size, "%s[%llu] is %.0f; its elements are below '%s', which is %llu", field->name,
                     (unsigned long long)k, number, field->below, (unsigned long long)bound);
            return false;
        }
    }
    return true;
}

static bool types_right(const sb_case *c)
{
    for (size_t i = 0; i < c->algorithm->input_count; i++)
        if (c->inputs[i].type != sb_field_type(c, &c->algorithm->inputs[i]))
            return false;
    return true;
}

static void clamp_dimensions(sb_case *c)
{
    for (size_t i = 0; i < c->algorithm->parameter_count; i++) {
        const sb_parameter *p = &c->algorithm->parameters[i];

        if (p->dimension && p->max != 0 && c->parameters[i] > p->max)
            c->parameters[i] = p->max;
        if (p->dimension && c->parameters[i] < p->min)
            c->parameters[i] = p->min;
    }
}

static const sb_field *field_at(const sb_algorithm *a, size_t i)
{
    return i < a->input_count ? &a->inputs[i] : &a->outputs[i - a->input_count];
}

/* Steps that do not fit become the longest row that they are of. */
static void fit_steps(sb_case *c)
{
    const sb_algorithm *a = c->algorithm;

    for (size_t i = 0; i < a->input_count + a->output_count; i++) {
        const sb_field *field = field_at(a, i);
        uint64_t length, row, *step;
        sb_layout layout;

        if (field->leading == NULL || sb_layout_of(a, field, c->parameters, &layout, &length))
            continue;
        step = &c->parameters[sb_parameter_index(a, field->leading)];
        *step = 0;
        for (size_t k = 0; k < a->input_count + a->output_count; k++)
            if (field_at(a, k)->leading != NULL && strcmp(field_at(a, k)->leading, field->leading) == 0 &&
                (row = sb_row_of(a, field_at(a, k), c->parameters)) > *step)
                *step = row;
    }
}

static bool shape_inputs(sb_case *c)
{
    uint64_t length;

    for (size_t i = 0; i < c->algorithm->input_count; i++)
        if (c->algorithm->inputs[i].shape != NULL &&
            !(sb_shape_length(c->algorithm, c->algorithm->inputs[i].shape, c->parameters, &length) &&
              sb_array_resize(&c->inputs[i], length)))
            return false;
    return true;
}

bool sb_case_normalise(sb_case *c)
{
    const sb_algorithm *algorithm = c->algorithm;

    for (size_t i = 0; i < algorithm->parameter_count; i++) {
        const sb_parameter *parameter = &algorithm->parameters[i];

        if (parameter->words != NULL && !word_allowed(parameter, c->parameters[i]))
            c->parameters[i] = first_word(parameter);
    }
    clamp_dimensions(c);
    fit_steps(c);
    /* When normalise changes the parameter of the type it is called once more, with arrays of the new type. */
    for (int round = 0; round < 2; round++) {
        retype_inputs(c);
        make_maps_odd(c);
        if (!shape_inputs(c))
            return false;
        bound_inputs(c);
        if (algorithm->normalise != NULL && !algorithm->normalise(c))
            return false;
        make_maps_odd(c);
        if (types_right(c))
            break;
    }
    return true;
}

/* Do the array lengths fit the dimensions? Sets the capacities of outputs with shapes. */
static bool shapes_fit(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    const sb_algorithm *a = c->algorithm;
    uint64_t length;

    for (size_t i = 0; i < a->parameter_count; i++) {
        const sb_parameter *p = &a->parameters[i];

        if (p->dimension && (c->parameters[i] < p->min || (p->max != 0 && c->parameters[i] > p->max))) {
            bool small = c->parameters[i] < p->min;

            snprintf(why, size, "%s=%llu is %s than its contract allows, %llu", p->name,
                     (unsigned long long)c->parameters[i], small ? "less" : "more",
                     (unsigned long long)(small ? p->min : p->max));
            return false;
        }
    }
    for (size_t i = 0; i < a->input_count + a->output_count; i++) {
        const sb_field *field = field_at(a, i);
        sb_layout layout;

        if (field->shape == NULL)
            continue;
        if (field->leading != NULL && !sb_layout_of(a, field, c->parameters, &layout, &length)) {
            snprintf(why, size, "%s=%llu is less than a row of %s, or its array has more than 2^32 elements",
                     field->leading, (unsigned long long)c->parameters[sb_parameter_index(a, field->leading)],
                     field->name);
            return false;
        }
        if (!sb_shape_length(a, field->shape, c->parameters, &length)) {
            snprintf(why, size, "%s has more than 2^32 elements", field->name);
            return false;
        }
        if (i < a->input_count && c->inputs[i].length != length) {
            snprintf(why, size, "%s has %llu elements; its shape is '%s', which makes %llu", field->name,
                     (unsigned long long)c->inputs[i].length, field->shape, (unsigned long long)length);
            return false;
        }
        if (i >= a->input_count)
            capacity[i - a->input_count] = length;
    }
    return true;
}

bool sb_case_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    const sb_algorithm *algorithm = c->algorithm;

    for (size_t i = 0; i < algorithm->parameter_count; i++)
        if (algorithm->parameters[i].words != NULL && !word_allowed(&algorithm->parameters[i], c->parameters[i])) {
            snprintf(why, size, "%s=%llu is not one of its words", algorithm->parameters[i].name,
                     (unsigned long long)c->parameters[i]);
            return false;
        }
    for (size_t i = 0; i < algorithm->input_count; i++) {
        const sb_array *array = &c->inputs[i];

        if (array->type != sb_field_type(c, &algorithm->inputs[i])) {
            snprintf(why, size, "%s holds elements of type %s", algorithm->inputs[i].name, sb_type_name(array->type));
            return false;
        }
        if (array->type == SB_AFFINE && find_even(array) < array->length) {
            snprintf(why, size, "%s[%llu]: the first number of an affine map must be odd", algorithm->inputs[i].name,
                     (unsigned long long)find_even(array));
            return false;
        }
    }
    memset(capacity, 0, SB_MAX_ARRAYS * sizeof *capacity);
    return shapes_fit(c, capacity, why, size) && bounds_hold(c, why, size) &&
           (algorithm->shape == NULL || algorithm->shape(c, capacity, why, size));
}

uint64_t sb_case_items(const sb_case *c)
{
    uint64_t items = 0;

    for (size_t i = 0; i < SB_MAX_ARRAYS; i++)
        if (c->inputs[i].length > items)
            items = c->inputs[i].length;
    return items;
}

uint64_t sb_case_bytes(const sb_case *c)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < SB_MAX_ARRAYS; i++)
        bytes += sb_array_bytes(&c->inputs[i]);
    return bytes;
}

bool sb_case_equal(const sb_case *a, const sb_case *b)
{
    if (a->algorithm != b->algorithm)
        return false;
    for (size_t i = 0; i < a->algorithm->parameter_count; i++)
        if (a->parameters[i] != b->parameters[i])
            return false;
    for (size_t i = 0; i < a->algorithm->input_count; i++)
        if (!arrays_equal(&a->inputs[i], &b->inputs[i]))
            return false;
    return true;
}

double sb_case_cost(const sb_case *c)
{
    /* Nanoseconds, for references that say nothing: a guess for a linear pass, not tuned. */
    const double call = 1000, per_byte = 5;

    return c->algorithm->cost != NULL ? c->algorithm->cost(c) : call + per_byte * (double)sb_case_bytes(c);
}

/* ---- hashes: FNV-1a, 64 bits ---- */

static uint64_t hash_bytes(uint64_t hash, const void *data, uint64_t size)
{
    const uint8_t *bytes = data;

    for (uint64_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

static uint64_t hash_number(uint64_t hash, uint64_t number)
{
    return hash_bytes(hash, &number, sizeof number);
}

static uint64_t hash_array(uint64_t hash, const sb_array *array)
{
    return hash_bytes(hash_number(hash, array->length), array->data, sb_array_bytes(array));
}

uint64_t sb_case_hash(const sb_case *c)
{
    uint64_t hash = 0xcbf29ce484222325u;

    for (size_t i = 0; i < c->algorithm->parameter_count; i++)
        hash = hash_number(hash, c->parameters[i]);
    for (size_t i = 0; i < c->algorithm->input_count; i++)
        hash = hash_array(hash, &c->inputs[i]);
    return hash;
}

uint64_t sb_result_hash(const sb_result *result, size_t outputs, uint64_t seed)
{
    uint64_t hash = hash_number(seed, result->status);

    for (size_t i = 0; i < outputs && result->status == SB_OK; i++)
        hash = hash_array(hash, &result->outputs[i]);
    return hash;
}

/* The element at `at` where it is no NaN, else the NaN that stands for all. */
static const uint8_t *element_or_nan(uint32_t type, const uint8_t *at)
{
    static const float nan_f32 = NAN;
    static const double nan_f64 = NAN;
    float f32 = 0;
    double f64 = 0;

    if (type == SB_F32)
        memcpy(&f32, at, sizeof f32);
    else
        memcpy(&f64, at, sizeof f64);
    return isnan(f32) ? (const uint8_t *)&nan_f32 : isnan(f64) ? (const uint8_t *)&nan_f64 : at;
}

uint64_t sb_answer_hash(const sb_case *c, const sb_result *answer, uint64_t seed)
{
    bool any_nan = c->algorithm->within != NULL || answer->exact[0] != NULL;
    uint64_t hash = hash_number(seed, answer->status);

    for (size_t i = 0; i < c->algorithm->output_count && answer->status == SB_OK; i++) {
        const sb_array *array = &answer->outputs[i];

        if (!any_nan || (array->type != SB_F32 && array->type != SB_F64)) {
            hash = hash_array(hash, array);
            continue;
        }
        hash = hash_number(hash, array->length);
        for (uint64_t j = 0, element = sb_type_size(array->type); j < array->length; j++)
            hash = hash_bytes(hash, element_or_nan(array->type, (const uint8_t *)array->data + j * element), element);
    }
    return hash;
}

/* ---- results ---- */

/* The memory stays uninitialised: a reference that does not write all of its output must not look right. */
static bool allocate_output(sb_array *array, uint32_t type, uint64_t capacity)
{
    size_t element = sb_type_size(type);

    *array = (sb_array){.type = type, .length = capacity, .capacity = capacity};
    if (capacity == 0)
        return true;
    if (element == 0 || capacity > SIZE_MAX / element)
        return false;
    array->data = malloc(capacity * element);
    return array->data != NULL;
}

bool sb_result_init(sb_result *result, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS])
{
    sb_result fresh = {.status = SB_OK};

    for (size_t i = 0; i < c->algorithm->output_count; i++)
        if (!allocate_output(&fresh.outputs[i], sb_field_type(c, &c->algorithm->outputs[i]), capacity[i])) {
            sb_result_free(&fresh);
            return false;
        }
    *result = fresh;
    return true;
}

void sb_result_free(sb_result *result)
{
    for (size_t i = 0; i < SB_MAX_ARRAYS; i++) {
        free(result->outputs[i].data);
        free(result->exact[i]);
        free(result->magnitude[i]);
    }
    memset(result, 0, sizeof *result);
}

bool sb_result_copy(sb_result *to, const sb_result *from, size_t outputs)
{
    sb_result copy = {.status = from->status};

    memcpy(copy.message, from->message, sizeof copy.message);
    for (size_t i = 0; i < outputs && from->status == SB_OK; i++) {
        copy.outputs[i].type = from->outputs[i].type;
        if (!sb_array_set(&copy.outputs[i], from->outputs[i].data, from->outputs[i].length)) {
            sb_result_free(&copy);
            return false;
        }
    }
    *to = copy;
    return true;
}

/* `count` numbers; NaN, so that an element which the reference does not write is not right by chance. NULL: out of memory. */
static double *allocate_numbers(uint64_t count)
{
    double *numbers = malloc((count > 0 ? count : 1) * sizeof *numbers);

    for (uint64_t i = 0; numbers != NULL && i < count; i++)
        numbers[i] = (double)NAN;
    return numbers;
}

static double *numbers_of(const sb_array *array)
{
    double *numbers = allocate_numbers(array->length);

    for (uint64_t i = 0; numbers != NULL && i < array->length; i++)
        numbers[i] = sb_number_at(array, i);
    return numbers;
}

/* Runs a reference on views. False: out of memory. */
static bool compute(const sb_case *c, sb_result *result)
{
    const sb_algorithm *a = c->algorithm;
    sb_view view = {.parameters = c->parameters};
    double *inputs[SB_MAX_ARRAYS] = {NULL};
    bool good = true;

    for (size_t i = 0; i < a->input_count; i++) {
        view.inputs[i] = inputs[i] = numbers_of(&c->inputs[i]);
        good &= inputs[i] != NULL;
    }
    for (size_t i = 0; i < a->output_count; i++) {
        view.outputs[i] = result->exact[i] = allocate_numbers(result->outputs[i].length);
        if (sb_needs_magnitude(&a->outputs[i]))
            view.magnitudes[i] = result->magnitude[i] = allocate_numbers(result->outputs[i].length);
        good &= view.outputs[i] != NULL && (result->magnitude[i] != NULL) == sb_needs_magnitude(&a->outputs[i]);
    }
    if (good)
        a->compute(&view);
    for (size_t i = 0; good && i < a->output_count; i++)
        for (uint64_t k = 0; k < result->outputs[i].length; k++)
            sb_number_set(&result->outputs[i], k, view.outputs[i][k]);
    for (size_t i = 0; i < a->input_count; i++)
        free(inputs[i]);
    return good;
}

bool sb_case_reference(const sb_case *c, sb_result *result)
{
    uint64_t capacity[SB_MAX_ARRAYS];

    memset(result, 0, sizeof *result);
    if (!sb_case_shape(c, capacity, result->message, sizeof result->message)) {
        result->status = SB_FAILED;
        return false;
    }
    if (sb_result_init(result, c, capacity)) {
        if (c->algorithm->reference != NULL) {
            c->algorithm->reference(c, result);
            return true;
        }
        if (compute(c, result))
            return true;
        sb_result_free(result);
    }
    result->status = SB_FAILED;
    snprintf(result->message, sizeof result->message, "no memory for the outputs of the reference");
    return false;
}
