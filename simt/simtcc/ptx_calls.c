/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Inline PTX: the instructions of synchronisation primitives and some others, each of which is one call of a function. To add
 * one is to add rows.
 */
#include "ptx_parts.h"

/* Where an mbarrier stands, and the order of PTX's operations on it, which is the usual one unless they are .relaxed. */
#define MBARRIER "shared shared::cta shared::cluster b64 release acquire cta cluster"

/* Where a tensor map stands, and the type of the new value. */
#define TENSOR_MAP "global shared::cta b1024 b32 b64"

/* Operations and types of reductions, in the order of their enumerations in simt_bulk_copy.h. */
#define REDUCTION "add min max inc dec and or xor u32 s32 u64 s64 b32 b64 f16 bf16 f32 f64"

/* mbarrier.arrive.shared.b64 s, [a], 2;    put(s, mbarrier_arrive<0>(shared_address(a, 0), get(2), false)); */
static const struct row {
    const char *name; /* the first parts; of two rows that fit, the first counts */
    const char *function;
    /* A letter each: d destination; a address, in shared memory if the name says so; s address in shared memory of the cluster; g
     * any other address; w and x values of 32 and 64 bits. Those behind ? may be missing. */
    const char *operands;
    const char *flags;   /* parts that the function gets as `true` or `false`, behind its operands */
    const char *ignored; /* parts that change nothing here. A hint that begins with L2:: may always stand. */
} rows[] = {
    {"mbarrier.init", "mbarrier_init", "aw", "", MBARRIER},
    {"mbarrier.inval", "mbarrier_inval", "a", "", MBARRIER},
    {"mbarrier.arrive.expect_tx", "mbarrier_arrive_expect<0>", "daw", "relaxed cta", MBARRIER},
    {"mbarrier.arrive.noComplete", "mbarrier_arrive<SIMT_MBARRIER_NO_COMPLETE>", "daw", "relaxed cta", MBARRIER},
    {"mbarrier.arrive", "mbarrier_arrive<0>", "da?w", "relaxed cta", MBARRIER},
    {"mbarrier.arrive_drop.expect_tx", "mbarrier_arrive_expect<SIMT_MBARRIER_DROP>", "daw", "relaxed cta", MBARRIER},
    {"mbarrier.arrive_drop.noComplete", "mbarrier_arrive<SIMT_MBARRIER_DROP | SIMT_MBARRIER_NO_COMPLETE>", "daw",
     "relaxed cta", MBARRIER},
    {"mbarrier.arrive_drop", "mbarrier_arrive<SIMT_MBARRIER_DROP>", "da?w", "relaxed cta", MBARRIER},
    {"mbarrier.expect_tx", "mbarrier_bytes<false>", "aw", "", MBARRIER " relaxed"},
    {"mbarrier.complete_tx", "mbarrier_bytes<true>", "aw", "", MBARRIER " relaxed"},
    {"mbarrier.test_wait.parity", "mbarrier_wait<SIMT_MBARRIER_PARITY>", "daw", "relaxed cta", MBARRIER},
    {"mbarrier.test_wait", "mbarrier_wait<0>", "dax", "relaxed cta", MBARRIER},
    {"mbarrier.try_wait.parity", "mbarrier_wait<SIMT_MBARRIER_PARITY | SIMT_MBARRIER_TRY>", "daw?w", "relaxed cta",
     MBARRIER},
    {"mbarrier.try_wait", "mbarrier_wait<SIMT_MBARRIER_TRY>", "dax?w", "relaxed cta", MBARRIER},
    {"mbarrier.pending_count", "mbarrier_pending_count", "dx", "", "b64"},
    {"mapa.shared::cluster.u32", "mapa_shared", "dww", "", ""},
    {"mapa.u64", "mapa", "dxw", "", ""},
    {"getctarank.shared::cluster.u32", "getctarank_shared", "dw", "", ""},
    {"getctarank.u64", "getctarank", "dx", "", ""},
    {"fence.mbarrier_init", "fence_mbarrier_init", "", "", "release cluster"},
    {"fence.proxy.async", "fence_proxy_async", "", "global shared::cta shared::cluster", ""},
    {"fence.proxy.alias", "fence_proxy_alias", "", "", ""},
    {"fence.proxy.tensormap::generic.release", "fence_proxy_tensormap_release", "", "", "cta cluster gpu sys"},
    {"fence.proxy.tensormap::generic.acquire", "fence_proxy_tensormap_acquire", "gw", "", "cta cluster gpu sys"},
    {"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release", "tensormap_cp_fenceproxy", "gsw", "",
     "cta cluster gpu sys sync aligned"},
    {"tensormap.replace.tile.global_address", "tensormap_replace<SIMT_TENSOR_ADDRESS>", "ax", "", TENSOR_MAP},
    {"tensormap.replace.tile.rank", "tensormap_replace<SIMT_TENSOR_ORDER>", "aw", "", TENSOR_MAP},
    {"tensormap.replace.tile.box_dim", "tensormap_replace_at<SIMT_TENSOR_BOX_SIZE>", "aww", "", TENSOR_MAP},
    {"tensormap.replace.tile.global_dim", "tensormap_replace_at<SIMT_TENSOR_SIZE>", "aww", "", TENSOR_MAP},
    {"tensormap.replace.tile.global_stride", "tensormap_replace_at<SIMT_TENSOR_STRIDE>", "awx", "", TENSOR_MAP},
    {"tensormap.replace.tile.element_stride", "tensormap_replace_at<SIMT_TENSOR_ELEMENT_STEP>", "aww", "", TENSOR_MAP},
    {"tensormap.replace.tile.elemtype", "tensormap_replace<SIMT_TENSOR_TYPE>", "aw", "", TENSOR_MAP},
    {"tensormap.replace.tile.interleave_layout", "tensormap_replace<SIMT_TENSOR_INTERLEAVE>", "aw", "", TENSOR_MAP},
    {"tensormap.replace.tile.swizzle_mode", "tensormap_replace<SIMT_TENSOR_SWIZZLE>", "aw", "", TENSOR_MAP},
    {"tensormap.replace.tile.fill_mode", "tensormap_replace<SIMT_TENSOR_FILL>", "aw", "", TENSOR_MAP},
    {"cp.async.commit_group", "cp_async_commit", "", "", ""},
    {"cp.async.wait_group", "cp_async_wait", "w", "", ""},
    {"cp.async.wait_all", "cp_async_wait_all", "", "", ""},
    {"cp.async.mbarrier.arrive", "cp_async_arrive", "a", "noinc", MBARRIER},
    {"cp.async.bulk.commit_group", "cp_async_bulk_commit", "", "", ""},
    {"cp.async.bulk.wait_group", "cp_async_bulk_wait", "w", "read", ""},
    {"cp.async.bulk.prefetch.L2.global", "cp_async_bulk_prefetch", "gw?x", "", ""},
    {"cp.async.bulk.shared::cta.global", "cp_async_bulk_own", "sgws?x", "L2::cache_hint",
     "mbarrier::complete_tx::bytes"},
    {"cp.async.bulk.shared::cluster.global", "cp_async_bulk", "sgws?xx", "multicast::cluster L2::cache_hint",
     "mbarrier::complete_tx::bytes"},
    {"cp.async.bulk.shared::cluster.shared::cta", "cp_async_bulk_peer", "ssws", "", "mbarrier::complete_tx::bytes"},
    {"cp.async.bulk.global.shared::cta", "cp_async_bulk_store", "gsw?x", "L2::cache_hint", "bulk_group"},
    {"cp.reduce.async.bulk.global.shared::cta", "cp_reduce_bulk_store", "gsw", REDUCTION, "bulk_group noftz"},
    {"cp.reduce.async.bulk.shared::cluster.shared::cta", "cp_reduce_bulk_peer", "ssws", REDUCTION,
     "mbarrier::complete_tx::bytes"},
    {"red.async", "red_async", "sxs", REDUCTION, "relaxed cluster shared::cluster mbarrier::complete_tx::bytes"},
    {"cp.async", "cp_async", "sgw?wx", "L2::cache_hint", "ca cg shared shared::cta global"},
    {"cvt.rna.tf32.f32", "cvt_rna_tf32", "dw", "", ""},
    {"cvt.rn.tf32.f32", "cvt_rn_tf32", "dw", "", ""},
    {"cvt.rz.tf32.f32", "cvt_rz_tf32", "dw", "", ""},
    {"cvt.rn.f16x2.f32", "cvt_rn_f16x2", "dww", "", ""},
    {"cvt.rn.bf16x2.f32", "cvt_rn_bf16x2", "dww", "", ""},
    {"cvt.rn.satfinite.e4m3x2.f32", "cvt_eight<true>", "dww", "", ""},
    {"cvt.rn.satfinite.relu.e4m3x2.f32", "cvt_eight<true, true>", "dww", "", ""},
    {"cvt.rn.satfinite.e4m3x2.f16x2", "cvt_eight<true>", "dw", "", ""},
    {"cvt.rn.satfinite.relu.e4m3x2.f16x2", "cvt_eight<true, true>", "dw", "", ""},
    {"cvt.rn.f16x2.e4m3x2", "cvt_from_eight<true>", "dw", "", ""},
    {"cvt.rn.relu.f16x2.e4m3x2", "cvt_from_eight<true, true>", "dw", "", ""},
    {"cvt.rn.satfinite.e5m2x2.f32", "cvt_eight<false>", "dww", "", ""},
    {"cvt.rn.satfinite.relu.e5m2x2.f32", "cvt_eight<false, true>", "dww", "", ""},
    {"cvt.rn.satfinite.e5m2x2.f16x2", "cvt_eight<false>", "dw", "", ""},
    {"cvt.rn.satfinite.relu.e5m2x2.f16x2", "cvt_eight<false, true>", "dw", "", ""},
    {"cvt.rn.f16x2.e5m2x2", "cvt_from_eight<false>", "dw", "", ""},
    {"cvt.rn.relu.f16x2.e5m2x2", "cvt_from_eight<false, true>", "dw", "", ""},
    {"wgmma.fence", "wgmma_fence", "", "", "sync aligned"},
    {"wgmma.commit_group", "wgmma_commit", "", "", "sync aligned"},
    {"wgmma.wait_group", "wgmma_wait", "w", "", "sync aligned"},
    {NULL, NULL, NULL, NULL, NULL},
};

/* How many parts of the instruction's name the row's name has; 0: they differ. */
static size_t parts_of(const instruction *in, const char *name)
{
    size_t count = 0;

    for (;; name++) {
        size_t length = strcspn(name, ".");

        if (count == in->parts || in->part[count].length != length || memcmp(in->part[count].start, name, length) != 0)
            return 0;
        count++;
        name += length;
        if (!*name)
            return count;
    }
}

static bool known_parts(const instruction *in, const struct row *row, size_t from)
{
    for (size_t i = from; i < in->parts; i++)
        if (!in_list(in->part[i], row->flags) && !in_list(in->part[i], row->ignored) && !begins(in->part[i], "L2::"))
            return false;
    return true;
}

static bool add_operand(ptx *p, const instruction *in, char letter, range r)
{
    if (strchr("asg", letter))
        return cc_ptx_add_address(p, r,
                                  letter == 's'   ? CC_PTX_CLUSTER
                                  : letter == 'a' ? cc_ptx_space(in)
                                                  : CC_PTX_ANYWHERE);
    return cc_ptx_add_source(p, p->body, r, (range){letter == 'x' ? "b64" : "b32", 3});
}

static bool translate_row(ptx *p, const instruction *in, const struct row *row, size_t from)
{
    const char *letter = row->operands;
    const bool puts = *letter == 'd';
    bool good = known_parts(in, row, from), optional = false;
    size_t i = 0;

    if (puts) {
        good &= in->operands > 0 && cc_ptx_open_put(p, in->operand[i++]);
        letter++;
    }
    cc_text_printf(p->body, "::simt::ptx::%s(", row->function);
    for (; *letter; letter++) {
        if (*letter == '?')
            optional = true;
        if (*letter == '?' || (optional && i == in->operands))
            continue;
        puts_body(p, i > puts ? ", " : "");
        good = good && i < in->operands && add_operand(p, in, *letter, in->operand[i]);
        i++;
    }
    good &= i == in->operands;
    for (const char *flag = row->flags; *flag; flag += strspn(flag, " ")) {
        cc_text name = {0};

        cc_text_add(&name, flag, strcspn(flag, " "));
        cc_text_printf(p->body, "%s%s", i++ > puts ? ", " : "", has_part(in, name.data) ? "true" : "false");
        flag += name.length;
        cc_text_free(&name);
    }
    puts_body(p, puts ? ")); " : "); ");
    return good;
}

bool cc_ptx_by_call(ptx *p, const instruction *in, bool *good)
{
    for (const struct row *row = rows; row->name; row++) {
        size_t from = parts_of(in, row->name);

        if (from) {
            *good = translate_row(p, in, row, from);
            return true;
        }
    }
    return false;
}
