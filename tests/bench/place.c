/* Contenders whose memory is not the host's: a place made for the test, which keeps its arrays apart and computes on the
 * host. What a GPU's place does differently is the business of tests on a GPU. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/measure.h"
#include "bench/peer.h"
#include "bench/verify.h"
#include "cli/progress.h"

/* What was done there. */
typedef struct diary {
    int arrays, in, out, sweeps, touches, starts;
} diary;

static void *fake_allocate(sb_place *place, size_t bytes, int number)
{
    (void)number;
    ++((diary *)place->self)->arrays;
    return malloc(bytes ? bytes : 1);
}

static void fake_release(sb_place *place, void *array)
{
    --((diary *)place->self)->arrays;
    free(array);
}

static void fake_copy(sb_place *place, void *to, const void *from, size_t bytes, sb_copy_way way)
{
    diary *l = place->self;
    l->in += way == SB_COPY_IN;
    l->out += way == SB_COPY_OUT;
    memcpy(to, from, bytes);
}

static void fake_spoil(sb_place *place, void *array, size_t bytes)
{
    (void)place;
    memset(array, 0xff, bytes);
}

static void fake_touch(sb_place *place, const void *array, size_t bytes)
{
    (void)array;
    (void)bytes;
    ++((diary *)place->self)->touches;
}

static size_t fake_broom_bytes(sb_place *place)
{
    (void)place;
    return 64;
}

static void fake_sweep(sb_place *place, void *broom, size_t bytes)
{
    assert_int_equal(bytes, 64);
    memset(broom, 1, bytes);
    ++((diary *)place->self)->sweeps;
}

static void fake_start(sb_place *place, int64_t runs)
{
    (void)runs;
    ++((diary *)place->self)->starts;
    place->started = sb_seconds();
}

static double fake_stop(sb_place *place, const char **complaint)
{
    (void)complaint;
    return sb_seconds() - place->started;
}

/* Under the host's name, so that the library's methods are found. */
static const sb_place_calls fake_calls = {.name = "cpu",
                                          .cold = true,
                                          .allocate = fake_allocate,
                                          .release = fake_release,
                                          .copy = fake_copy,
                                          .spoil = fake_spoil,
                                          .touch = fake_touch,
                                          .broom_bytes = fake_broom_bytes,
                                          .sweep = fake_sweep,
                                          .start = fake_start,
                                          .stop = fake_stop};

static sb_place fake_place(diary *l)
{
    return (sb_place){.calls = &fake_calls, .executor = slimband_cpu(2), .threads = 2, .self = l};
}

static sb_bench_case a_case(slimband_scalar scalar, slimband_coefficients coefficients, int layout)
{
    return (sb_bench_case){.batch = true,
                           .scalar = scalar,
                           .n = 7,
                           .systems = 12,
                           .lower = 1,
                           .upper = 1,
                           .coefficients = coefficients,
                           .layout = layout < 2 ? (sb_bench_layout)layout : SB_BENCH_AXIS,
                           .axis = layout < 2 ? 0 : layout - 2,
                           .dominance = 2};
}

static void test_methods_work_on_the_places_arrays(void **state)
{
    (void)state;
    for (int variant = 0; variant < 8; ++variant) {
        diary l = {0};
        sb_place place = fake_place(&l);
        sb_failure failure = {""};
        sb_progress progress = {0};
        sb_bench_case c = a_case(SLIMBAND_F64, variant & 1 ? SLIMBAND_SHARED : SLIMBAND_OWN, 0);
        c.in_place = (variant & 2) != 0;
        bool cold = variant & 4;
        const sb_bench_plan plan = {
            .methods = "auto,thomas",
            .against = "slimband_cpu",
            .threads = 2,
            .place = &place,
            .rules = {.repeat = 3, .flush = cold, .progress = &progress, .what = "test"}};
        sb_bench_result r;
        assert_true(sb_bench_measure(&c, &plan, &r, &failure));
        assert_int_equal(r.methods, 2);
        assert_int_equal(r.peers, 1);
        for (int k = 0; k < 2; ++k) {
            assert_string_equal(r.method[k].note, "");
            assert_true(r.method[k].residual <= 1e-14 && r.method[k].seconds > 0);
        }
        /* The host's peer computes on the host's own arrays. */
        assert_string_equal(r.peer[0].note, "");
        assert_true(r.ceiling.seconds > 0);
        assert_int_equal(l.arrays, 0);
        assert_int_equal(l.in, variant & 1 ? 4 : 4);
        assert_int_equal(l.out, 2);
        /* Two methods and the copy: verified, run once more, and three turns each. */
        assert_int_equal(l.starts, 2 * 5 + 4);
        assert_int_equal(l.sweeps, cold ? 3 * 3 : 0);
        assert_int_equal(l.touches > 0, !cold);
        assert_int_equal(r.cold, cold);
    }
}

/* Scalar `at` of an array as text of its bytes would be; compared bit by bit. */
static bool same(const void *a, int64_t at, const void *b, int64_t other, size_t bytes)
{
    return !memcmp((const char *)a + (size_t)at * bytes, (const char *)b + (size_t)other * bytes, bytes);
}

static void check_whole(const sb_bench_data *data, const sb_bench_arrays *whole)
{
    static const double nothing[2];
    const slimband_problem *p = &data->problem;
    int64_t systems = slimband_systems(p);
    size_t bytes = data->scalar_bytes;
    bool lines = p->rhs.line == 1, own = p->coefficients == SLIMBAND_OWN;
    for (int64_t s = 0; s < systems; ++s)
        for (int64_t i = 0; i < p->n; ++i) {
            int64_t at = lines ? s * p->n + i : i * systems + s;
            int64_t place = sb_bench_line_start(p, &p->rhs, s) + i * p->rhs.line;
            assert_true(same(whole->b, at, data->b, place, bytes));
            for (int d = 0; d < 3; ++d) {
                bool outside = i + d - 1 < 0 || i + d - 1 >= p->n;
                int64_t entry = own ? place : p->coefficients == SLIMBAND_SHARED ? i : 0;
                assert_true(outside ? same(whole->diagonals[d], at, nothing, 0, bytes)
                                    : same(whole->diagonals[d], at, data->diagonals[d], entry, bytes));
            }
        }
}

static void test_whole_arrays_for_those_who_share_nothing(void **state)
{
    (void)state;
    for (int scalar = SLIMBAND_F32; scalar <= SLIMBAND_C128; ++scalar)
        for (int variant = 0; variant < 15; ++variant) {
            diary l = {0};
            sb_place place = fake_place(&l);
            sb_failure failure = {""};
            sb_bench_data data;
            sb_bench_arrays whole, again;
            sb_bench_case c =
                a_case((slimband_scalar)scalar, (slimband_coefficients)(variant / 5), variant % 5);
            assert_true(sb_bench_data_build(&data, &c, 2, &failure));
            assert_true(sb_bench_data_send(&data, &place, &failure));
            assert_true(sb_bench_data_whole(&data, &whole));
            check_whole(&data, &whole);
            assert_true(sb_bench_data_whole(&data, &again));
            assert_ptr_equal(again.b, whole.b);
            sb_bench_data_take_whole(&data, whole.b);
            assert_memory_equal(data.x, data.b, data.vector_bytes);
            sb_bench_data_free(&data);
            assert_int_equal(l.arrays, 0);
        }
}

/* Blocks of neighbouring systems find the same worst error, and the same system, as the library in one go. */
static void test_blocks_find_the_worst_system(void **state)
{
    (void)state;
    for (int scalar = SLIMBAND_F32; scalar <= SLIMBAND_C128; ++scalar)
        for (int variant = 0; variant < 15; ++variant) {
            sb_failure failure = {""};
            sb_bench_data data;
            slimband_backward_error whole, blocks;
            sb_bench_case c =
                a_case((slimband_scalar)scalar, (slimband_coefficients)(variant / 5), variant % 5);
            c.systems = 60;
            assert_true(sb_bench_data_build(&data, &c, 2, &failure));
            memcpy(data.x, data.b, data.vector_bytes);
            assert_int_equal(slimband_residual(&data.problem, data.diagonals, data.b, data.x, &whole),
                             SLIMBAND_OK);
            assert_int_equal(sb_bench_backward_error(&data, &blocks), SLIMBAND_OK);
            assert_true(whole.normwise > 0 && whole.normwise == blocks.normwise);
            assert_true(whole.componentwise == blocks.componentwise);
            assert_int_equal(whole.system, blocks.system);
            memset((char *)data.x + data.vector_bytes / 2, 0xff, data.scalar_bytes);
            assert_int_equal(sb_bench_backward_error(&data, &blocks), SLIMBAND_OK);
            assert_true(isinf(blocks.normwise));
            sb_bench_data_free(&data);
        }
}

typedef struct expectation {
    const char *peer;
    const char *sentence; /* NULL: it fits */
} expectation;

static void check(const sb_bench_case *c, const expectation *expected, int count)
{
    for (int k = 0; k < count; ++k) {
        const sb_peer *peer = sb_peer_find(expected[k].peer, strlen(expected[k].peer));
        assert_non_null(peer);
        assert_true(peer->device);
        const char *refusal = sb_peer_refusal(peer, c);
        if (expected[k].sentence ? !refusal || !strstr(refusal, expected[k].sentence) : refusal != NULL)
            fail_msg("%s: %s", expected[k].peer, refusal ? refusal : "fits");
    }
}

static void test_which_routine_of_cusparse_fits(void **state)
{
    (void)state;
    sb_bench_case c = a_case(SLIMBAND_C64, SLIMBAND_OWN, SB_BENCH_CONTIGUOUS);
    const expectation lines[] = {{"cusparse_gtsv2", "one matrix"},
                                 {"cusparse_gtsv2_nopivot", "one matrix"},
                                 {"cusparse_gtsv2_strided", NULL},
                                 {"cusparse_gtsv_interleaved_0", "interleaved batches"},
                                 {"cusparse_gpsv_interleaved", "pentadiagonal"},
                                 {"slimband_cpu", NULL}};
    check(&c, lines, 6);
    c.coefficients = SLIMBAND_TOEPLITZ;
    check(&c, (expectation[]){{"cusparse_gtsv2", NULL}, {"cusparse_gtsv2_nopivot", NULL}}, 2);
    c.pivoting = SLIMBAND_PIVOT_PARTIAL;
    check(&c, (expectation[]){{"cusparse_gtsv2", NULL}, {"cusparse_gtsv2_nopivot", "does not pivot"}}, 2);
    c = a_case(SLIMBAND_F32, SLIMBAND_OWN, SB_BENCH_INTERLEAVED);
    const expectation beside[] = {{"cusparse_gtsv2_strided", "contiguous lines"},
                                  {"cusparse_gtsv_interleaved_0", NULL},
                                  {"cusparse_gtsv_interleaved_1", NULL},
                                  {"cusparse_gtsv_interleaved_2", NULL}};
    check(&c, beside, 4);
    c.lower = c.upper = 2;
    check(&c,
          (expectation[]){{"cusparse_gtsv_interleaved_0", "tridiagonal"}, {"cusparse_gpsv_interleaved", NULL}},
          2);
    c.ends = SLIMBAND_PERIODIC;
    check(&c, (expectation[]){{"cusparse_gpsv_interleaved", "periodic"}, {"slimband_cpu", NULL}}, 2);
    c = a_case(SLIMBAND_F64, SLIMBAND_OWN, 0);
    c.n = 2;
    check(&c, (expectation[]){{"cusparse_gtsv2_strided", "at least 3 rows"}}, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_methods_work_on_the_places_arrays),
        cmocka_unit_test(test_whole_arrays_for_those_who_share_nothing),
        cmocka_unit_test(test_blocks_find_the_worst_system),
        cmocka_unit_test(test_which_routine_of_cusparse_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
