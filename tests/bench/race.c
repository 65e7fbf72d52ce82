/* The rules of a race, with contenders made for it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "bench/ours.h"
#include "bench/race.h"

enum { REPEAT = 4, LOG = 64 };

/* What contenders did, in order: r, x, f and a digit. */
typedef struct diary {
    char text[LOG];
} diary;

typedef struct fake {
    diary *diary;
    char digit;
    double offset; /* of every unknown from the true one */
    int runs, complains_at;
    double lasts; /* seconds */
} fake;

static void note(const fake *f, char what)
{
    size_t used = strlen(f->diary->text);
    if (used + 2 < LOG) {
        f->diary->text[used] = what;
        f->diary->text[used + 1] = f->digit;
    }
}

static void fake_restore(void *self, sb_bench_data *data, void *work)
{
    (void)data;
    (void)work;
    note(self, 'r');
}

/* The matrices here are diagonal. */
static const char *fake_run(void *self, sb_bench_data *data, void *work)
{
    fake *f = self;
    (void)work;
    note(f, 'x');
    if (++f->runs == f->complains_at)
        return "out of breath";
    for (double start = sb_seconds(); sb_seconds() < start + f->lasts;)
        ;
    const double *diagonal = data->diagonals[0], *b = data->b;
    for (int64_t i = 0; i < data->problem.n; ++i)
        ((double *)data->x)[i] = b[i] / diagonal[i] + f->offset;
    return NULL;
}

static void fake_fetch(void *self, sb_bench_data *data, void *work)
{
    (void)data;
    (void)work;
    note(self, 'f');
}

static const char *idle_run(void *self, sb_bench_data *data, void *work)
{
    (void)self;
    (void)data;
    (void)work;
    return NULL;
}

static const sb_contender_calls fake_calls = {fake_restore, fake_run, fake_fetch, NULL};
static const sb_contender_calls idle_calls = {NULL, idle_run, NULL, NULL};
static const sb_bench_case diagonal = {.scalar = SLIMBAND_F64, .n = 50, .systems = 1, .dominance = 2};

static void race_by(const sb_race_rules *rules, const sb_bench_case *c, sb_contender *contenders, int count)
{
    sb_failure failure = {""};
    sb_bench_data data;
    assert_true(sb_bench_data_build(&data, c, 2, &failure));
    assert_true(sb_race_run(&data, contenders, count, rules, &failure));
    sb_bench_data_free(&data);
}

static void race_of(const sb_bench_case *c, sb_contender *contenders, int count, bool flush)
{
    sb_progress progress = {0};
    const sb_race_rules rules = {.repeat = REPEAT, .flush = flush, .progress = &progress, .what = "test"};
    race_by(&rules, c, contenders, count);
}

static void test_a_wrong_answer_is_not_timed(void **state)
{
    (void)state;
    diary d = {""};
    fake good = {.diary = &d, .digit = '1'}, wrong = {.diary = &d, .digit = '2', .offset = 1e-6};
    sb_contender contenders[] = {{.name = "good", .calls = &fake_calls, .self = &good},
                                 {.name = "wrong", .calls = &fake_calls, .self = &wrong}};
    race_of(&diagonal, contenders, 2, false);
    assert_string_equal(contenders[0].note, "");
    assert_true(contenders[0].residual <= 1e-15);
    assert_true(contenders[0].seconds > 0);
    assert_non_null(strstr(contenders[1].note, "failed verification: backward error"));
    assert_true(contenders[1].residual > sb_race_limit(SLIMBAND_F64));
    assert_true(isnan(contenders[1].seconds));
    assert_int_equal(wrong.runs, 1);
}

/* x still holds the first contender's answer, but the second must not profit from it. */
static void test_no_answer_at_all_is_not_timed(void **state)
{
    (void)state;
    diary d = {""};
    fake good = {.diary = &d, .digit = '1'};
    sb_contender contenders[] = {{.name = "good", .calls = &fake_calls, .self = &good},
                                 {.name = "idle", .calls = &idle_calls}};
    race_of(&diagonal, contenders, 2, false);
    assert_non_null(strstr(contenders[1].note, "failed verification"));
    assert_true(isnan(contenders[1].seconds));
}

/* Now one first, now the other. */
static void test_contenders_take_turns_after_verification(void **state)
{
    static const char *const verified = "r1x1f1r2x2f2", *const rounds[] = {"r1x1r2x2", "r2x2r1x1"};
    (void)state;
    diary d = {""};
    fake a = {.diary = &d, .digit = '1'}, b = {.diary = &d, .digit = '2'};
    sb_contender contenders[] = {{.name = "a", .calls = &fake_calls, .self = &a},
                                 {.name = "b", .calls = &fake_calls, .self = &b}};
    race_of(&diagonal, contenders, 2, true);
    const size_t before = strlen(verified), each = strlen(rounds[0]);
    int begun[2] = {0, 0};
    assert_memory_equal(d.text, verified, before);
    assert_int_equal(strlen(d.text), before + REPEAT * each);
    for (int r = 0; r < REPEAT; ++r) {
        const char *round = d.text + before + (size_t)r * each;
        const int first = round[1] - '1';
        assert_in_range(first, 0, 1);
        assert_memory_equal(round, rounds[first], each);
        ++begun[first];
    }
    assert_true(begun[0] > 0 && begun[1] > 0);
}

static void test_runs_in_a_row_share_a_turn(void **state)
{
    (void)state;
    diary d = {""};
    sb_progress progress = {0};
    fake a = {.diary = &d, .digit = '1', .lasts = 2e-3};
    sb_contender contender = {.name = "a", .calls = &fake_calls, .self = &a};
    const sb_race_rules rules = {.repeat = 2, .in_a_row = 3, .progress = &progress, .what = "test"};
    const double start = sb_seconds();
    race_by(&rules, &diagonal, &contender, 1);
    const double all = sb_seconds() - start;
    assert_string_equal(d.text, "r1x1f1"
                                "r1x1x1x1r1x1x1x1");
    assert_true(contender.seconds >= a.lasts);
    assert_true(3 * contender.seconds <= all); /* not the time of all three */
}

static void test_a_late_complaint_ends_the_race_for_one(void **state)
{
    (void)state;
    diary d = {""};
    fake good = {.diary = &d, .digit = '1'}, late = {.diary = &d, .digit = '2', .complains_at = 3};
    sb_contender contenders[] = {{.name = "good", .calls = &fake_calls, .self = &good},
                                 {.name = "late", .calls = &fake_calls, .self = &late}};
    race_of(&diagonal, contenders, 2, false);
    assert_string_equal(contenders[1].note, "failed: out of breath");
    assert_true(isnan(contenders[1].seconds));
    assert_int_equal(late.runs, 3);
    assert_int_equal(good.runs, 1 + REPEAT);
}

static void test_the_hopelessly_slow_are_sent_off_after_verification(void **state)
{
    (void)state;
    diary d = {""};
    fake quick = {.diary = &d, .digit = '1', .lasts = 0.02}, slow = {.diary = &d, .digit = '2', .lasts = 1};
    fake slow_too = {.diary = &d, .digit = '3', .lasts = 0.1};
    sb_contender contenders[] = {{.name = "slow", .calls = &fake_calls, .self = &slow},
                                 {.name = "quick", .calls = &fake_calls, .self = &quick},
                                 {.name = "stays", .calls = &fake_calls, .self = &slow_too, .stays = true}};
    sb_failure failure = {""};
    sb_progress progress = {0};
    sb_bench_data data;
    const sb_race_rules rules = {.repeat = REPEAT, .give_up = 2, .progress = &progress, .what = "test"};
    assert_true(sb_bench_data_build(&data, &diagonal, 1, &failure));
    assert_true(sb_race_run(&data, contenders, 3, &rules, &failure));
    sb_bench_data_free(&data);
    assert_int_equal(slow.runs, 1);
    assert_int_equal(slow_too.runs, 1 + REPEAT);
    assert_true(contenders[2].seconds >= 0.1);
    assert_int_equal(quick.runs, 1 + REPEAT);
    assert_non_null(strstr(contenders[0].note, "times slower than the fastest"));
    assert_true(contenders[0].residual <= 1e-15);
    assert_true(isnan(contenders[0].seconds));
    assert_string_equal(contenders[1].note, "");
}

static void test_the_excused_are_left_alone(void **state)
{
    (void)state;
    sb_contender contenders[] = {{.name = "absent", .note = "not installed"}};
    race_of(&diagonal, contenders, 1, false);
    assert_string_equal(contenders[0].note, "not installed");
    assert_true(isnan(contenders[0].seconds));
}

static void test_the_library_in_a_race(void **state)
{
    (void)state;
    for (int scalar = SLIMBAND_F32; scalar <= SLIMBAND_C128; ++scalar) {
        for (int variant = 0; variant < 8; ++variant) {
            const sb_bench_case c = {.batch = true,
                                     .scalar = (slimband_scalar)scalar,
                                     .n = 17,
                                     .systems = 5,
                                     .lower = 1,
                                     .upper = 2,
                                     .dominance = 2,
                                     .ends = variant & 1 ? SLIMBAND_PERIODIC : SLIMBAND_OPEN,
                                     .coefficients = variant & 2 ? SLIMBAND_SHARED : SLIMBAND_OWN,
                                     .in_place = (variant & 4) != 0};
            sb_failure failure = {""};
            sb_progress progress = {0};
            sb_bench_data data;
            sb_contender ours = {0};
            const sb_race_rules rules = {.repeat = 1, .progress = &progress, .what = "test"};
            assert_true(sb_bench_data_build(&data, &c, 2, &failure));
            sb_ours_open(&ours, &data, "auto");
            assert_true(sb_race_run(&data, &ours, 1, &rules, &failure));
            assert_string_equal(ours.note, "");
            assert_true(ours.seconds > 0);
            sb_contender_close(&ours);
            sb_bench_data_free(&data);
        }
    }
}

static void test_medians(void **state)
{
    (void)state;
    assert_true(sb_race_median((double[]){5, 1, 9}, 3) == 5);
    assert_true(sb_race_median((double[]){4, 1, 9, 2}, 4) == 3);
    assert_true(sb_race_median((double[]){7}, 1) == 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_wrong_answer_is_not_timed),
        cmocka_unit_test(test_no_answer_at_all_is_not_timed),
        cmocka_unit_test(test_contenders_take_turns_after_verification),
        cmocka_unit_test(test_runs_in_a_row_share_a_turn),
        cmocka_unit_test(test_a_late_complaint_ends_the_race_for_one),
        cmocka_unit_test(test_the_hopelessly_slow_are_sent_off_after_verification),
        cmocka_unit_test(test_the_excused_are_left_alone),
        cmocka_unit_test(test_the_library_in_a_race),
        cmocka_unit_test(test_medians),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
