/* The peers solve what they are compared on; the plain baseline at each level that this machine has. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/peer.h"
#include "bench/plain.h"
#include "bench/race.h"
#include "slimband/residual.h"

static const int bands[][2] = {{1, 1}, {2, 2}, {3, 1}, {0, 2}, {0, 0}};
enum { BANDS = sizeof bands / sizeof bands[0] };

static sb_bench_case case_of(int scalar, int band, int layout, slimband_coefficients coefficients, int64_t n)
{
    return (sb_bench_case){.batch = true,
                           .scalar = (slimband_scalar)scalar,
                           .n = n,
                           .systems = 21,
                           .lower = bands[band][0],
                           .upper = bands[band][1],
                           .coefficients = coefficients,
                           .layout = layout < 2 ? (sb_bench_layout)layout : SB_BENCH_AXIS,
                           .axis = layout < 2 ? 0 : layout - 2,
                           .dominance = 2,
                           .in_place = n % 2 == 1};
}

/* Every peer of this machine; those that are not installed say so. */
static void race_peers(const sb_bench_case *c)
{
    sb_failure failure = {""};
    sb_progress progress = {0};
    sb_bench_data data;
    const sb_race_rules rules = {.repeat = 1, .progress = &progress, .what = "test"};
    assert_true(sb_bench_data_build(&data, c, c->n > 5 ? 2 : 1, &failure));
    const sb_peer *peer;
    for (int k = 0; (peer = sb_peer_at(k)); ++k) {
        sb_contender contender = {0};
        if (sb_peer_refusal(peer, c) || peer->library == SB_PEER_MKL || peer->device)
            continue;
        sb_peer_open(peer, &contender, &data, NULL);
        assert_true(sb_race_run(&data, &contender, 1, &rules, &failure));
        if (contender.note[0] && (peer->library == SB_PEER_OURS || strcmp(contender.note, "not installed"))) {
            char text[SB_BENCH_TEXT];
            sb_bench_describe(c, text);
            fail_msg("%s: %s: %s", text, peer->name, contender.note);
        }
        sb_contender_close(&contender);
    }
    sb_bench_data_free(&data);
}

static void test_peers_solve_every_kind_of_case(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1, 2, 3, 5, 40};
    for (int scalar = SLIMBAND_F32; scalar <= SLIMBAND_C128; ++scalar) {
        for (int band = 0; band < BANDS; ++band) {
            for (int variant = 0; variant < 15; ++variant) {
                for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; ++k) {
                    sb_bench_case c =
                        case_of(scalar, band, variant % 5, (slimband_coefficients)(variant / 5), sizes[k]);
                    race_peers(&c);
                }
            }
        }
    }
}

static double error_of(const sb_bench_data *data)
{
    slimband_backward_error error;
    assert_int_equal(slimband_residual(&data->problem, data->diagonals, data->b, data->x, &error), SLIMBAND_OK);
    return error.normwise;
}

/* One line, or all of the batch as one strip, at this level. */
static void check_level(const sb_bench_data *data, int level, bool strips)
{
    const slimband_problem *p = &data->problem;
    bool own = p->coefficients == SLIMBAND_OWN;
    const sb_plain_kernels *kernels = sb_plain_kernels_of(p->scalar, level);
    sb_plain_job job = {.lower = p->lower,
                        .upper = p->upper,
                        .n = p->n,
                        .b = data->b,
                        .x = data->x,
                        .stride = p->rhs.line,
                        .width = strips ? slimband_systems(p) : 1};
    memcpy(job.diagonals, data->diagonals, sizeof job.diagonals);
    job.store = calloc((size_t)((p->lower + 1 + p->upper) * p->n * job.width), data->scalar_bytes);
    assert_non_null(job.store);
    if (own) {
        (strips ? kernels->eliminate_strip : kernels->eliminate_line)(&job);
    } else {
        kernels->factor(&job);
        (strips ? kernels->substitute_strip : kernels->substitute_line)(&job);
    }
    free(job.store);
    assert_true(error_of(data) <= sb_race_limit(p->scalar));
}

static void test_plain_kernels_at_every_level(void **state)
{
    (void)state;
    for (int level = 0; level <= sb_bench_level(); ++level) {
        for (int scalar = SLIMBAND_F32; scalar <= SLIMBAND_C128; ++scalar) {
            for (int variant = 0; variant < 4 * BANDS; ++variant) {
                bool strips = variant & 1;
                sb_bench_case c =
                    case_of(scalar, variant / 4, strips ? SB_BENCH_INTERLEAVED : SB_BENCH_CONTIGUOUS,
                            variant & 2 ? SLIMBAND_SHARED : SLIMBAND_OWN, 23);
                c.systems = strips ? c.systems : 1;
                sb_failure failure = {""};
                sb_bench_data data;
                assert_true(sb_bench_data_build(&data, &c, 1, &failure));
                check_level(&data, level, strips);
                sb_bench_data_free(&data);
            }
        }
    }
}

static void test_refusals(void **state)
{
    (void)state;
    sb_bench_case c = case_of(SLIMBAND_F64, 0, 0, SLIMBAND_OWN, 8);
    const sb_peer *thomas = sb_peer_find("thomas", 6), *kept = sb_peer_find("thomas_prefactored", 18);
    const sb_peer *dominant = sb_peer_find("mkl_dominant", 12), *lapack = sb_peer_find("lapack", 6);
    assert_null(sb_peer_find("thom", 4));
    assert_null(sb_peer_refusal(thomas, &c));
    assert_non_null(sb_peer_refusal(kept, &c));
    assert_null(sb_peer_refusal(dominant, &c));
    c.lower = 2;
    assert_non_null(sb_peer_refusal(dominant, &c));
    c.ends = SLIMBAND_PERIODIC;
    assert_non_null(sb_peer_refusal(thomas, &c));
    c.ends = SLIMBAND_OPEN;
    c.n = INT64_C(1) << 32;
    assert_non_null(sb_peer_refusal(lapack, &c));
    assert_null(sb_peer_refusal(thomas, &c));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_peers_solve_every_kind_of_case),
        cmocka_unit_test(test_plain_kernels_at_every_level),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
