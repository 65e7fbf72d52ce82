#include "src/cuda/tile/rate.h"

#include <math.h>

enum { WARP = 32 };

/* Bytes a microsecond of own matrices in columns, measured on an H200: less where clusters share them or the copy engine
   cannot fetch their rows, and of pentadiagonal ones, whose blocks wait for those beside them, and longer where they are so many that
   they ask each other; in f32 rows are half as long, but take more than half the time. */
static double column_rate(const sb_tile_own *own, bool single)
{
    const double tri = 3.9e6, tri_block = 1e5, tri_by_threads = 2.4e6;
    const double penta = 4e6, penta_step = 0.9e5, of_asking = 0.86, of_single = 0.8, of_threads = 0.5;
    int blocks = own->tiles.cut.blocks, steps = 0;
    if (own->tiles.cut.k == 1)
        return own->bulk ? tri - tri_block * blocks : tri_by_threads;
    while (1 << steps < blocks)
        ++steps;
    const double together = blocks > SB_TILE_PENTA_MOST_BESIDE ? of_asking : 1;
    return (penta - penta_step * steps) * together * (single ? of_single : 1) * (own->bulk ? 1 : of_threads);
}

/* How many lanes of those that shared memory serves at once meet in a bank. */
static int lanes_in_a_bank(const sb_tile_lines *job, int64_t bytes)
{
    int met[WARP] = {0}, most = 0, banks = (int)(SB_TILE_LINE_ALIGNMENT / bytes);
    for (int lane = 0; lane < sb_tile_smaller(WARP, banks); ++lane) {
        int bank = (lane / job->width * job->cut.n + lane % job->width * job->cut.first_rows) % banks;
        most = ++met[bank] > most ? met[bank] : most;
    }
    return most;
}

/* The same of own pentadiagonal lines, which wait for instructions, for shared memory where lines follow each other at multiples
   of its width, and for each other where few warps have room. */
static double penta_line_rate(const sb_cuda_setup *setup, const sb_tile_lines *job)
{
    static const double most[] = {
        [SLIMBAND_F32] = 2.6e6, [SLIMBAND_F64] = 3.1e6, [SLIMBAND_C64] = 1.5e6, [SLIMBAND_C128] = 1.1e6};
    const double first = 1e6, each = 0.35e6, one_bank = 13e6;
    return fmin(most[setup->problem->scalar],
                fmin(first + each * job->warps, one_bank / lanes_in_a_bank(job, (int64_t)setup->scalar_bytes)));
}

/* Floors of lines side by side, two of whose blocks may share a processor, tri- and pentadiagonal: the more blocks share a system, the longer
   they wait for each other, and longer still where clusters leave processors of a group of 16 idle, or are all of it (512 / 1024 /
   2048 / 4096 / 8192 unknowns: f64 pentadiagonal 1.12 / 1.15 / 1.29 / 1.49 / 2.82, tridiagonal 8192 1.27; tridiagonal 256 / 1024 / 1536:
   f32 1.22 / 1.27 / 1.71, c64 1.18 / 1.33 / 2.89, c128 1.66 / 2.95 / 2.44). */
static double beside_floors(slimband_scalar scalar, const sb_tile_cut *cut)
{
    static const struct {
        double one, each;
    } taken[] = {[SLIMBAND_F32] = {1.2, 0.03},
                 [SLIMBAND_F64] = {1.1, 0.012},
                 [SLIMBAND_C64] = {1.15, 0.055},
                 [SLIMBAND_C128] = {1.5, 0.06}};
    const double penta = 0.04, idle = 1.3, all_of_group = 1.5;
    const int group = 16, few = 2;
    const double floors =
        taken[scalar].one + (taken[scalar].each + (cut->k == 2 ? penta : 0)) * (cut->blocks - 1);
    return floors * (group % cut->blocks > few                ? idle
                     : cut->k == 2 && 2 * cut->blocks > group ? all_of_group
                                                              : 1);
}

/* The same of one matrix, by blocks whose warps hold chunks of many systems: those that are alone wait for each other's steps, the
   longer the more of them share a system, and, of pentadiagonal ones, leave idle what processors of a group of 16 have no room for
   one more cluster (lines, f64 / f32 / c64, of 3, 4, 6, 8 and 12 blocks: 2.0 / 2.5 / 2.6, 2.0 / 2.7 / 2.6, 2.5 / 2.9 / 3.4,
   2.1 / 2.5 / 2.8 and 3.4 / 4.2 / 4.2). */
static double shared_rate(const sb_cuda_setup *setup, const sb_tile_strided *job)
{
    const double most = 3.7e6, memory = 4.2e6;
    static const double floors[2][2] = {{1.4, 1.4}, {1.7, 2.0}}, /* wide or not; side by side, in lines */
        each[2][2] = {{0.08, 0.08}, {0.22, 0.3}},
                        of_penta[] = {[SLIMBAND_F32] = 1.2, [SLIMBAND_F64] = 1, [SLIMBAND_C64] = 1.35};
    const bool wide = job->cut.k == 4, in_lines = job->lines > 0;
    if (!SB_TILE_ALONE(job->cut.k, in_lines))
        return fmin(most, memory / beside_floors(setup->problem->scalar, &job->cut));
    const slimband_scalar scalar = setup->problem->scalar;
    const int group = 16;
    const double idle = wide ? 1 : (double)group / (group - group % job->cut.blocks),
                 of_type = scalar == SLIMBAND_C128 ? 1.3
                           : wide                  ? 1
                                                   : of_penta[scalar];
    return memory / ((floors[wide][in_lines] + each[wide][in_lines] * (job->cut.blocks - 1)) * idle * of_type);
}

/* The same of own tridiagonal lines, one a lane where they are short: they wait for the warps that there is room for, for
   shared memory as above, and for what there is to do for each line (16 of f64 in 2^20 lines 1.8e6, 4 of them 1.7e6). */
static double line_rate(const sb_cuda_setup *setup, const sb_tile_lines *job)
{
    const double most = 3.85e6, each = 1e6, one_bank = 29e6, lines = 1e4;
    const int64_t bytes = (int64_t)setup->scalar_bytes, words = SB_TILE_OWN_ARRAYS(1) + 1;
    return fmin(fmin(most, each * job->warps * job->stages),
                fmin(one_bank / lanes_in_a_bank(job, bytes), lines * (double)(words * bytes * setup->longest)));
}

/* The same of one matrix's lines that warps share: as fast as memory where all lanes are at work, unless they wait for instructions;
   floors of full ones (f64, 1100 / 1500 / 2048 unknowns: tridiagonal 1.42 / 1.09 / 1.06, pentadiagonal 2.8 / 2.0 / 1.5; 4096 and
   8192: 1.7 and 1.9). Of shorter chunks more wait for each other for as many rows. */
static double team_rate(const sb_cuda_setup *setup, const sb_tile_lines *job)
{
    static const double floors[2][4] = {
        {[SLIMBAND_F32] = 0.95, [SLIMBAND_F64] = 0.75, [SLIMBAND_C64] = 1.25, [SLIMBAND_C128] = 1.3},
        {[SLIMBAND_F32] = 2.05, [SLIMBAND_F64] = 1.45, [SLIMBAND_C64] = 1.95, [SLIMBAND_C128] = 2}};
    static const double of_between[] = {
        [SLIMBAND_F32] = 1.15, [SLIMBAND_F64] = 1.13, [SLIMBAND_C64] = 1.08, [SLIMBAND_C128] = 1};
    const double memory = 4.2e6, least = 1.06, doubled = 0.13;
    const sb_tile_cut *cut = &job->cut;
    const slimband_scalar scalar = setup->problem->scalar;
    const double row = floors[cut->k == 2][scalar] * (cut->slots == SB_TILE_BETWEEN ? of_between[scalar] : 1);
    const double busy = (double)cut->n / ((double)cut->blocks * WARP * cut->slots);
    const double more = cut->k == 2 ? 1 + doubled * (log2(cut->blocks) - 1) : 1;
    return memory / fmax(least, more * row / busy);
}

/* The same of lines that have a warp each, none of whose lanes waits for another warp (f32 / f64 / c64, 545 / 700 / 1000 unknowns:
   tridiagonal 1.19 / 1.09 / 1.11, 1.05 / 1.05 / 1.04 and 1.57 / 1.21 / -, pentadiagonal 1.89 / 1.45 / 1.82, 1.89 / 1.61 / 1.67 and 2.44 /
   2.21 / 2.5). */
static double warp_rate(const sb_cuda_setup *setup, const sb_tile_lines *job)
{
    static const double floors[2][4] = {
        {[SLIMBAND_F32] = 0.85, [SLIMBAND_F64] = 0.72, [SLIMBAND_C64] = 1.07, [SLIMBAND_C128] = 1.1},
        {[SLIMBAND_F32] = 1.4, [SLIMBAND_F64] = 1.4, [SLIMBAND_C64] = 1.85, [SLIMBAND_C128] = 2.2}};
    const double most = 3.7e6, memory = 4.2e6;
    const sb_tile_cut *cut = &job->cut;
    if (cut->n <= WARP * SB_TILE_SHORT)
        return most;
    const double busy = (double)cut->n / ((double)WARP * cut->slots);
    return fmin(most, memory * busy / floors[cut->k == 2][setup->problem->scalar]);
}

double sb_tile_rate(const sb_cuda_setup *setup, const sb_tile_plan *plan)
{
    const double most = 3.7e6;
    const sb_tile_lines *job = &plan->own_lines.lines;
    switch (plan->form) {
    case SB_TILE_STRIDED:
        return shared_rate(setup, &plan->strided);
    case SB_TILE_LINES:
        return plan->line.cut.blocks > 1 ? team_rate(setup, &plan->line) : warp_rate(setup, &plan->line);
    case SB_TILE_OWN:
        return column_rate(&plan->own, setup->scalar_bytes == sizeof(float));
    case SB_TILE_OWN_LINES:
        return job->cut.k == 2 ? penta_line_rate(setup, job) : line_rate(setup, job);
    }
    return most;
}
