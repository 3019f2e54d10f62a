/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Inline PTX: tensor copies, whose operands are a map with coordinates in one bracket.
 *
 *   cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [to], [map, {x, y}], [barrier];
 *   cp.async.bulk.tensor.4d.shared::cluster.global.im2col... [to], [map, {c, x, y, n}], [barrier], {offset_x, offset_y};
 *   cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [map, {x}], [from];
 *   cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group [map, {x}], [from];
 *   cp.async.bulk.prefetch.tensor.1d.L2.global [map, {x}];
 *
 * .multicast::cluster adds an operand, and then .L2::cache_hint one.
 */
#include "ptx_parts.h"

static const char reductions[] = "add min max inc dec and or xor";
static const char others[] =
    "cp reduce async bulk prefetch tensor 1d 2d 3d 4d 5d shared::cluster shared::cta global tile im2col "
    "im2col_no_offs mbarrier::complete_tx::bytes bulk_group multicast::cluster L2 L2::cache_hint "
    "cta_group::1 add min max inc dec and or xor";

static bool add_list(ptx *p, range list, const char *type)
{
    range part[MAX_VECTOR];
    size_t count = cc_ptx_split_vector(list, part);
    bool good = list.length && *list.start == '{';

    puts_body(p, "{");
    for (size_t i = 0; good && i < count; i++) {
        puts_body(p, i ? ", " : "");
        cc_text_printf(p->body, "(%s)", type);
        good = cc_ptx_add_source(p, p->body, part[i], (range){"b32", 3});
    }
    puts_body(p, "}");
    return good;
}

/* [map, {x, y}] as the address of the map and a simt_tensor_place. */
static bool add_place(ptx *p, const instruction *in, range r, const range *offsets)
{
    const char *open = memchr(r.start, '{', r.length);
    const char *comma = open ? memchr(r.start, ',', (size_t)(open - r.start)) : NULL;
    range map, rank = part_of(in, "1d 2d 3d 4d 5d"), list;
    cc_text address = {0};
    bool good;

    if (!comma || !rank.length || *r.start != '[')
        return false;
    map = trimmed((range){r.start + 1, (size_t)(comma - r.start) - 1});
    list = trimmed((range){open, r.length - (size_t)(open - r.start) - 1});
    cc_text_printf(&address, "[%.*s]", (int)map.length, map.start);
    good = cc_ptx_add_address(p, (range){address.data, address.length}, CC_PTX_ANYWHERE);
    cc_text_free(&address);
    puts_body(p, ", simt_tensor_place{");
    good = good && add_list(p, list, "int32_t");
    cc_text_printf(p->body, ", %cu, ", *rank.start);
    if (offsets)
        good = good && add_list(p, *offsets, "uint16_t");
    else
        puts_body(p, "{}");
    puts_body(p, has_part(in, "im2col") || has_part(in, "im2col_no_offs") ? ", 1}" : ", 0}");
    return good;
}

static bool load(ptx *p, const instruction *in)
{
    const bool columns = has_part(in, "im2col"), multicast = has_part(in, "multicast::cluster");
    const size_t wanted = 3u + columns + multicast + has_part(in, "L2::cache_hint");
    bool good = in->operands == wanted;

    puts_body(p, "::simt::ptx::tensor_load(");
    good = good && add_place(p, in, in->operand[1], columns ? &in->operand[3] : NULL);
    puts_body(p, ", ");
    good = good && cc_ptx_add_address(p, in->operand[0], CC_PTX_CLUSTER);
    puts_body(p, ", ");
    good = good && cc_ptx_add_address(p, in->operand[2], CC_PTX_CLUSTER);
    puts_body(p, ", ");
    if (multicast)
        good = good && cc_ptx_add_source(p, p->body, in->operand[3u + columns], (range){"b32", 3});
    else
        puts_body(p, "0");
    puts_body(p, "); ");
    return good;
}

static bool store(ptx *p, const instruction *in)
{
    range operation = part_of(in, reductions);
    bool good = in->operands == 2u + has_part(in, "L2::cache_hint");

    puts_body(p, "::simt::ptx::tensor_store(");
    good = good && add_place(p, in, in->operand[0], NULL);
    puts_body(p, ", ");
    good = good && cc_ptx_add_address(p, in->operand[1], CC_PTX_CLUSTER);
    puts_body(p, ", SIMT_BULK_");
    for (size_t i = 0; i < operation.length; i++)
        cc_text_printf(p->body, "%c", toupper((unsigned char)operation.start[i]));
    puts_body(p, operation.length ? "); " : "COPY); ");
    return good;
}

bool cc_ptx_by_tensor(ptx *p, const instruction *in, bool *good)
{
    if (!same(in->part[0], "cp") || !has_part(in, "tensor"))
        return false;
    *good = true;
    for (size_t i = 0; i < in->parts; i++)
        *good = *good && (in_list(in->part[i], others) || begins(in->part[i], "L2::"));
    if (!*good)
        return true;
    if (has_part(in, "prefetch")) {
        puts_body(p, "::simt::ptx::tensor_prefetch(");
        *good = in->operands >= 1 && add_place(p, in, in->operand[0], in->operands > 1 ? &in->operand[1] : NULL);
        puts_body(p, "); ");
    } else {
        *good = has_part(in, "bulk_group") ? store(p, in) : load(p, in);
    }
    return true;
}
