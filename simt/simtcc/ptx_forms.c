/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Inline PTX: the instructions whose operands have a form of their own (memory, atomics, warps, barriers, mov, setp, cvt), with a
 * function each, which returns false if it does not understand them.
 */
#include "ptx_parts.h"

static const char scopes[] = "cta cluster gpu sys gl";

static const char *scope_of(const instruction *in)
{
    range scope = part_of(in, scopes);

    if (same(scope, "cta"))
        return "SIMT_BLOCK";
    if (same(scope, "cluster"))
        return "::simt_cluster_scope()";
    return same(scope, "sys") ? "SIMT_SYSTEM" : "SIMT_DEVICE";
}

static const char spaces[] = "global shared shared::cta shared::cluster const local";
static const char cache[] = "ca cg cs lu cv wb wt nc unified";
static const char orders[] = "weak relaxed acquire release acq_rel volatile mmio";

/* ld, ldu, st: all that is not a type is an order, a scope, a space, a vector or a hint for the cache. */
static bool known_memory_parts(const instruction *in)
{
    for (size_t i = 1; i + 1 < in->parts; i++)
        if (!in_list(in->part[i], spaces) && !in_list(in->part[i], cache) && !in_list(in->part[i], orders) &&
            !in_list(in->part[i], scopes) && !in_list(in->part[i], "v2 v4 v8") && !begins(in->part[i], "L1::") &&
            !begins(in->part[i], "L2::"))
            return false;
    return cc_ptx_type(last_part(in)) != NULL && !same(last_part(in), "pred");
}

static void add_order(ptx *p, const instruction *in)
{
    range order = part_of(in, orders);

    if (same(order, "volatile") || same(order, "mmio") || has_part(in, "cv"))
        puts_body(p, "::simt::ptx::order_volatile, SIMT_SYSTEM");
    else if (has_part(in, "nc"))
        puts_body(p, "::simt::ptx::order_read_only, SIMT_BLOCK");
    else if (!order.length || same(order, "weak"))
        puts_body(p, "::simt::ptx::order_weak, SIMT_BLOCK");
    else
        cc_text_printf(p->body, "::simt::ptx::order_%.*s, %s", (int)order.length, order.start, scope_of(in));
}

static size_t vector_size(const instruction *in)
{
    range v = part_of(in, "v2 v4 v8");

    return v.length ? (size_t)(v.start[1] - '0') : 1;
}

/* ld.param and st.param: `memory` is [NAME] or [NAME+0], a parameter of a call. */
static bool parameter(ptx *p, const instruction *in, range memory, bool loads)
{
    range name = trimmed((range){memory.start + 1, memory.length > 2 ? memory.length - 2 : 0});

    if (name.length > 2 && memcmp(name.start + name.length - 2, "+0", 2) == 0)
        name = trimmed((range){name.start, name.length - 2});
    if (in->parts != 3 || in->operands != 2 || *memory.start != '[' || !cc_ptx_type(last_part(in)) ||
        !cc_ptx_open_put(p, loads ? in->operand[0] : name))
        return false;
    cc_text_printf(p->body, "::simt::ptx::mov<%s>(", cc_ptx_type(last_part(in)));
    if (!cc_ptx_add_source(p, p->body, loads ? name : in->operand[1], last_part(in)))
        return false;
    puts_body(p, ")); ");
    return true;
}

static bool load(ptx *p, const instruction *in)
{
    if (has_part(in, "param"))
        return parameter(p, in, in->operand[1], true);

    range part[MAX_VECTOR];
    size_t size = vector_size(in), unique = p->unique++;
    bool good = known_memory_parts(in) && in->operands == 2 && cc_ptx_split_vector(in->operand[0], part) == size;

    if (!good)
        return false;
    cc_text_printf(p->body, "{ auto simt_v%zu = ::simt::ptx::ld<%s, %zu>(", unique, cc_ptx_type(last_part(in)), size);
    good &= cc_ptx_add_address(p, in->operand[1], cc_ptx_space(in));
    puts_body(p, ", ");
    add_order(p, in);
    puts_body(p, "); ");
    return good & cc_ptx_put_elements(p, part, size, unique);
}

static bool store(ptx *p, const instruction *in)
{
    if (has_part(in, "param"))
        return parameter(p, in, in->operand[0], false);

    range part[MAX_VECTOR];
    size_t size = vector_size(in);
    bool async = has_part(in, "async");
    bool good = (async ? in->operands == 3 && cc_ptx_type(last_part(in)) != NULL && has_part(in, "shared::cluster")
                       : known_memory_parts(in) && in->operands == 2) &&
                cc_ptx_split_vector(in->operand[1], part) == size;

    if (!good)
        return false;
    cc_text_printf(p->body, "::simt::ptx::st%s<%s, %zu>(", async ? "_async" : "", cc_ptx_type(last_part(in)), size);
    good &= cc_ptx_add_address(p, in->operand[0], async ? CC_PTX_CLUSTER : cc_ptx_space(in));
    puts_body(p, ", ");
    if (!async) {
        add_order(p, in);
        puts_body(p, ", ");
    }
    puts_body(p, "{");
    for (size_t i = 0; i < size; i++) {
        puts_body(p, i ? ", " : "");
        good &= cc_ptx_add_source(p, p->body, part[i], last_part(in));
    }
    puts_body(p, async ? "}, " : "}); ");
    if (async) {
        good &= cc_ptx_add_address(p, in->operand[2], CC_PTX_CLUSTER);
        puts_body(p, "); ");
    }
    return good;
}

/* atom and red: every operation has one function for all orders. */
static bool atomic(ptx *p, const instruction *in)
{
    static const char operations[] = "add min max inc dec and or xor exch cas";
    bool reduction = same(in->part[0], "red"), cas = has_part(in, "cas"), good = true;
    range operation = part_of(in, operations), order = part_of(in, orders), type = last_part(in), part[MAX_VECTOR];
    size_t first = !reduction, size = vector_size(in), unique = p->unique++;
    bool each = size > 1 || in_list(type, "f16 f16x2 bf16 bf16x2");

    for (size_t i = 1; i + 1 < in->parts; i++)
        good &= in_list(in->part[i], spaces) || in_list(in->part[i], orders) || in_list(in->part[i], scopes) ||
                in_list(in->part[i], operations) || in_list(in->part[i], "noftz v2 v4 v8") ||
                begins(in->part[i], "L2::");
    if (!good || !operation.length || in->operands < first + 2 ||
        !in_list(type, each ? "f16 f16x2 bf16 bf16x2 f32" : "b16 b32 u32 s32 b64 u64 s64 f32 f64 b128") ||
        (same(type, "b128") && !in_list(operation, "exch cas")) || in->operands != first + 2 + cas ||
        (each && !same(operation, "add")) || (each && cc_ptx_split_vector(in->operand[first + 1], part) != size))
        return false;
    if (each)
        cc_text_printf(p->body, "{ auto simt_v%zu = ::simt::ptx::atom_add_each<%s, %zu>(", unique, cc_ptx_type(type),
                       size);
    else if (reduction)
        puts_body(p, "::simt::ptx::put(::simt::ptx::sink(), ");
    else
        good &= cc_ptx_open_put(p, in->operand[0]);
    if (!each)
        cc_text_printf(p->body, "::simt::ptx::atom_%.*s<%s>(", (int)operation.length, operation.start,
                       cc_ptx_type(type));
    good &= cc_ptx_add_address(p, in->operand[first], cc_ptx_space(in));
    cc_text_printf(p->body, ", ::simt::ptx::order_%.*s, %s", order.length ? (int)order.length : 7,
                   order.length ? order.start : "relaxed", scope_of(in));
    puts_body(p, each ? ", {" : "");
    for (size_t i = 0; i < (each ? size : 1u + cas); i++) {
        puts_body(p, each && !i ? "" : ", ");
        good &= cc_ptx_add_source(p, p->body, each ? part[i] : in->operand[first + 1 + i], type);
    }
    if (!each) {
        puts_body(p, ")); ");
        return good;
    }
    cc_text_printf(p->body, "}); (void)simt_v%zu; ", unique);
    if (reduction)
        puts_body(p, "} ");
    else
        good = good && cc_ptx_split_vector(in->operand[0], part) == size && cc_ptx_put_elements(p, part, size, unique);
    return good;
}

static bool fence(ptx *p, const instruction *in)
{
    for (size_t i = 1; i < in->parts; i++)
        if (!in_list(in->part[i], scopes) && !in_list(in->part[i], "sc acq_rel"))
            return false;
    cc_text_printf(p->body, "::simt_fence(%s); ", scope_of(in));
    return in->operands == 0;
}

/* bar and barrier; a reduction has its result before the other operands, and its predicate behind them. */
static bool barrier(ptx *p, const instruction *in)
{
    range operation = part_of(in, "popc and or");
    const char *aligned = same(in->part[0], "bar") || has_part(in, "aligned") ? "true" : "false";

    if (has_part(in, "cluster")) {
        for (size_t i = 1; i < in->parts; i++)
            if (!in_list(in->part[i], has_part(in, "wait") ? "cluster wait acquire aligned"
                                                           : "cluster arrive release relaxed aligned"))
                return false;
        puts_body(p, has_part(in, "wait")      ? "::simt::ptx::barrier_cluster_wait(); "
                     : has_part(in, "relaxed") ? "::simt::ptx::barrier_cluster_arrive(true); "
                                               : "::simt::ptx::barrier_cluster_arrive(false); ");
        return in->operands == 0;
    }
    for (size_t i = 1; i < in->parts; i++)
        if (!in_list(in->part[i], "cta sync arrive red warp aligned popc and or pred u32"))
            return false;
    if (has_part(in, "warp")) {
        puts_body(p, "::__syncwarp(");
        return in->operands == 1 && cc_ptx_add_source(p, p->body, in->operand[0], (range){"b32", 3}) &&
               (puts_body(p, "); "), true);
    }
    if (has_part(in, "sync") && in->operands == 1 && same(in->operand[0], "0")) {
        puts_body(p, "::__syncthreads(); ");
        return true;
    }
    if (has_part(in, "arrive") ? in->operands == 2 : has_part(in, "sync") && in->operands <= 2) {
        bool good = true;

        cc_text_printf(p->body, "::simt::ptx::barrier_%s(%s", has_part(in, "sync") ? "sync" : "arrive", aligned);
        for (size_t i = 0; good && i < in->operands; i++) {
            puts_body(p, ", ");
            good = cc_ptx_add_source(p, p->body, in->operand[i], (range){"b32", 3});
        }
        puts_body(p, "); ");
        return good && in->operands > 0;
    }
    if (has_part(in, "red") && (in->operands == 3 || in->operands == 4) && operation.length) {
        bool good = cc_ptx_open_put(p, in->operand[0]);

        cc_text_printf(p->body, "::simt::ptx::barrier_%.*s(%s, ", (int)operation.length, operation.start, aligned);
        good &= cc_ptx_add_source(p, p->body, in->operand[in->operands - 1], (range){"pred", 4});
        for (size_t i = 1; good && i < in->operands - 1; i++) {
            puts_body(p, ", ");
            good = cc_ptx_add_source(p, p->body, in->operand[i], (range){"b32", 3});
        }
        puts_body(p, ")); ");
        return good;
    }
    return false;
}

/* Functions of a warp: NAME(operand...) with `place` left to its default. */
static bool call(ptx *p, const instruction *in, const char *function, const char *type, size_t sources)
{
    bool good = in->operands == sources + 1 && cc_ptx_open_put(p, in->operand[0]);

    cc_text_printf(p->body, "::simt::ptx::%s", function);
    if (type)
        cc_text_printf(p->body, "<%s>", type);
    puts_body(p, "(");
    for (size_t i = 1; good && i <= sources; i++) {
        puts_body(p, i > 1 ? ", " : "");
        good &= cc_ptx_add_source(p, p->body, in->operand[i], last_part(in));
    }
    puts_body(p, ")); ");
    return good;
}

static bool warp_operation(ptx *p, const instruction *in)
{
    static const char operations[] = "up down bfly idx all any uni ballot add min max and or xor";
    range name = in->part[0], operation = part_of(in, operations);
    cc_text function = {0};
    bool good;

    if (!has_part(in, "sync") && !same(name, "activemask"))
        return false; /* since sm_70 there are no others */
    cc_text_add(&function, name.start, name.length);
    if (same(name, "match"))
        operation = part_of(in, "all any");
    if (operation.length)
        cc_text_printf(&function, "_%.*s", (int)operation.length, operation.start);
    if (same(name, "shfl"))
        good = operation.length && same(last_part(in), "b32") && call(p, in, function.data, NULL, 4);
    else if (same(name, "vote"))
        good = operation.length && call(p, in, function.data, NULL, 2);
    else if (same(name, "match"))
        good = operation.length && in_list(last_part(in), "b32 b64") &&
               call(p, in, function.data, cc_ptx_type(last_part(in)), 2);
    else if (same(name, "redux"))
        good = operation.length && in_list(last_part(in), "b32 u32 s32") &&
               call(p, in, function.data, cc_ptx_type(last_part(in)), 2);
    else
        good = call(p, in, function.data, NULL, same(name, "elect"));
    cc_text_free(&function);
    return good;
}

/* mov.b64 {lo, hi}, x; mov.b64 x, {lo, hi}; mov.u32 x, y. */
static bool mov(ptx *p, const instruction *in)
{
    range part[MAX_VECTOR], type = last_part(in);
    bool good = true;
    size_t count;

    if (in->parts != 2 || in->operands != 2 || !cc_ptx_type(type))
        return false;
    if (*in->operand[0].start == '{') {
        size_t unique = p->unique++;

        count = cc_ptx_split_vector(in->operand[0], part);
        cc_text_printf(p->body, "{ auto simt_v%zu = ::simt::ptx::unpack<%s, %zu>(", unique, cc_ptx_type(type), count);
        good &= (count == 2 || count == 4) && cc_ptx_add_source(p, p->body, in->operand[1], type);
        puts_body(p, "); ");
        return good & cc_ptx_put_elements(p, part, count, unique);
    }
    good &= cc_ptx_open_put(p, in->operand[0]);
    if (*in->operand[1].start == '{') {
        count = cc_ptx_split_vector(in->operand[1], part);
        cc_text_printf(p->body, "::simt::ptx::pack<%s>(", cc_ptx_type(type));
        for (size_t i = 0; i < count; i++) {
            puts_body(p, i ? ", " : "");
            good &= cc_ptx_add_source(p, p->body, part[i], type);
        }
    } else {
        cc_text_printf(p->body, "::simt::ptx::mov<%s>(", cc_ptx_type(type));
        good &= cc_ptx_add_source(p, p->body, in->operand[1], type);
    }
    puts_body(p, ")); ");
    return good;
}

/* setp.lt.and.s32 p|q, a, b, c */
static bool setp(ptx *p, const instruction *in)
{
    static const char comparisons[] = "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan";
    range comparison = part_of(in, comparisons), with = part_of(in, "and or xor"), type = last_part(in);
    bool ftz = has_part(in, "ftz");
    bool good = comparison.length && cc_ptx_type(type) && in->operands == (with.length ? 4u : 3u);

    if (!good)
        return false;
    good &= cc_ptx_open_put(p, in->operand[0]);
    cc_text_printf(p->body, "::simt::ptx::setp_%s(::simt::ptx::compare_%.*s<%s>(", with.length ? "with" : "alone",
                   (int)comparison.length, comparison.start, cc_ptx_type(type));
    for (size_t i = 1; i < 3; i++) {
        puts_body(p, i > 1 ? ", " : "");
        puts_body(p, ftz ? "::simt::ptx::flush(" : "");
        good &= cc_ptx_add_source(p, p->body, in->operand[i], type);
        puts_body(p, ftz ? ")" : "");
    }
    puts_body(p, ")");
    if (with.length) {
        cc_text_printf(p->body, ", ::simt::ptx::with_%.*s, ", (int)with.length, with.start);
        good &= cc_ptx_add_source(p, p->body, in->operand[3], (range){"pred", 4});
    }
    puts_body(p, ")); ");
    return good;
}

/* cvt.rzi.sat.s32.f32 */
static bool cvt(ptx *p, const instruction *in)
{
    range rounding = part_of(in, "rn rz rm rp rni rzi rmi rpi"), from = last_part(in), to;

    if (in->parts < 3 || in->operands != 2)
        return false;
    to = in->part[in->parts - 2];
    for (size_t i = 1; i + 2 < in->parts; i++)
        if (!in_list(in->part[i], "rn rz rm rp rni rzi rmi rpi ftz sat"))
            return false;
    if (!cc_ptx_type(from) || !cc_ptx_type(to) || !cc_ptx_open_put(p, in->operand[0]))
        return false;
    cc_text_printf(p->body, "::simt::ptx::cvt<%s, %s>(::simt::ptx::round_%.*s, %s, ", cc_ptx_type(to),
                   cc_ptx_type(from), rounding.length ? (int)rounding.length : 4,
                   rounding.length ? rounding.start : "none", has_part(in, "sat") ? "true" : "false");
    puts_body(p, has_part(in, "ftz") ? "::simt::ptx::flush(" : "");
    if (!cc_ptx_add_source(p, p->body, in->operand[1], from))
        return false;
    puts_body(p, has_part(in, "ftz") ? ")" : "");
    puts_body(p, ")); ");
    return true;
}

/* dp4a.u32.s32 and dp2a.lo.u32.u32: both types must be equal here. */
static bool dot_product(ptx *p, const instruction *in)
{
    range type = last_part(in), half = part_of(in, "lo hi");
    bool good = in->parts >= 3 && in_list(type, "u32 s32") && same(in->part[0], "dp2a") == (half.length != 0) &&
                in->part[in->parts - 2].length == type.length &&
                memcmp(in->part[in->parts - 2].start, type.start, type.length) == 0 && in->operands == 4 &&
                cc_ptx_open_put(p, in->operand[0]);

    if (!good)
        return false;
    cc_text_printf(p->body, "::__%.*s%s%.*s(", (int)in->part[0].length, in->part[0].start, half.length ? "_" : "",
                   (int)half.length, half.start);
    for (size_t i = 1; i <= 3; i++) {
        cc_text_printf(p->body, "%s(%s)", i > 1 ? ", " : "", cc_ptx_type(type));
        good &= cc_ptx_add_source(p, p->body, in->operand[i], type);
    }
    puts_body(p, ")); ");
    return good;
}

static bool isspacep(ptx *p, const instruction *in)
{
    range space = part_of(in, "global shared shared::cta shared::cluster local const");

    if (!space.length || in->operands != 2 || !cc_ptx_open_put(p, in->operand[0]))
        return false;
    cc_text_printf(p->body, "::simt::ptx::isspacep_%.*s(", begins(space, "shared") ? 6 : (int)space.length,
                   space.start);
    if (!cc_ptx_add_source(p, p->body, in->operand[1], (range){"u64", 3}))
        return false;
    puts_body(p, ")); ");
    return true;
}

static bool launch_control(ptx *p, const instruction *in)
{
    if (in->parts != 2 || in->operands || !in_list(in->part[1], "wait launch_dependents"))
        return false;
    puts_body(p, same(in->part[1], "wait") ? "::simt_wait_for_launch(); " : "");
    return true;
}

/* What a policy says of a cache no copy needs: it is 0. */
static bool cache_policy(ptx *p, const instruction *in)
{
    if (in->parts < 3 || in->operands < 1 || !in_list(in->part[1], "fractional range cvt") ||
        !same(in->part[in->parts - 1], "b64") || !cc_ptx_open_put(p, in->operand[0]))
        return false;
    puts_body(p, "uint64_t()); ");
    return true;
}

/* The names between ( and ). 0: there are none, or it is no list. */
static size_t split_list(range r, range part[MAX_VECTOR])
{
    if (r.length < 2 || *r.start != '(' || r.start[r.length - 1] != ')')
        return 0;
    r = (range){r.start + 1, r.length - 2};
    for (size_t i = 0, from = 0, count = 0;; i++) {
        if (i < r.length && r.start[i] != ',')
            continue;
        part[count++] = trimmed((range){r.start + from, i - from});
        from = i + 1;
        if (i >= r.length || count == MAX_VECTOR)
            return part[0].length ? count : 0;
    }
}

/* call (result), function, (parameter, ...); The function is of the program, extern "C". */
static bool function_call(ptx *p, const instruction *in)
{
    range part[MAX_VECTOR];
    const size_t results = in->operands > 1 && split_list(in->operand[0], part) ? 1 : 0;
    bool good = in->operands > results && in->operands <= results + 2 && (in->parts == 1 || has_part(in, "uni"));
    cc_text pointer = {0};
    size_t count;

    if (!good)
        return false;
    good = !cc_ptx_add_source(p, &pointer, in->operand[results], (range){"b64", 3});
    cc_text_free(&pointer);
    if (!good)
        return false;
    good = !results || cc_ptx_open_put(p, part[0]);
    puts_body(p, "::simt::ptx::call(::");
    add(p, in->operand[results]);
    count = in->operands == results + 2 ? split_list(in->operand[results + 1], part) : 0;
    for (size_t i = 0; good && i < count; i++) {
        puts_body(p, ", ");
        good = cc_ptx_add_source(p, p->body, part[i], (range){"b64", 3});
    }
    puts_body(p, results ? ")); " : "); ");
    return good;
}

static bool branch(ptx *p, const instruction *in)
{
    if (in->operands != 1)
        return false;
    puts_body(p, "goto simt_l_");
    add(p, in->operand[0]);
    puts_body(p, "; ");
    return true;
}

static const struct form {
    const char *name;
    bool (*translate)(ptx *p, const instruction *in);
} forms[] = {
    {"ld", load},
    {"ldu", load},
    {"st", store},
    {"atom", atomic},
    {"red", atomic},
    {"membar", fence},
    {"fence", fence},
    {"bar", barrier},
    {"barrier", barrier},
    {"shfl", warp_operation},
    {"vote", warp_operation},
    {"match", warp_operation},
    {"redux", warp_operation},
    {"elect", warp_operation},
    {"activemask", warp_operation},
    {"mov", mov},
    {"setp", setp},
    {"cvt", cvt},
    {"dp4a", dot_product},
    {"dp2a", dot_product},
    {"isspacep", isspacep},
    {"bra", branch},
    {"call", function_call},
    {"griddepcontrol", launch_control},
    {"createpolicy", cache_policy},
};

/* Instructions that are one statement, whatever their operands. */
static const struct whole {
    const char *name, *statement;
} wholes[] = {
    {"prefetch", ""},       {"setmaxnreg", ""}, /* registers are not counted */
    {"prefetchu", ""},      {"discard", ""},
    {"applypriority", ""},  {"nanosleep", "::__nanosleep(0)"},
    {"trap", "::__trap()"}, {"exit", "::simt::ptx::exit_thread()"},
    {"ret", "return"}, /* outputs that the statement has set by then are lost, as nvcc has it */
};

bool cc_ptx_by_form(ptx *p, const instruction *in, bool *good)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (same(in->part[0], forms[i].name)) {
            *good = forms[i].translate(p, in);
            return true;
        }
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
        if (same(in->part[0], wholes[i].name)) {
            cc_text_printf(p->body, "%s; ", wholes[i].statement);
            *good = true;
            return true;
        }
    return false;
}
