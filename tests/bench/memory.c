/* What becomes of a case where memory runs out. Linked so that arrays and plans are counted and can be refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/grid.h"
#include "bench/report.h"

typedef struct block {
    void *memory;
    size_t bytes;
} block;

enum { BLOCKS = 256 };
static block blocks[BLOCKS];
static size_t used, most, room = SIZE_MAX;

void *__real_aligned_alloc(size_t, size_t);
void __real_free(void *);

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    int k = 0;
    while (k < BLOCKS - 1 && blocks[k].memory)
        ++k;
    if (size > room - used || blocks[k].memory)
        return NULL;
    blocks[k] = (block){__real_aligned_alloc(alignment, size), size};
    used += size;
    most = used > most ? used : most;
    return blocks[k].memory;
}

void __wrap_free(void *memory)
{
    for (int k = 0; memory && k < BLOCKS; ++k)
        if (blocks[k].memory == memory) {
            used -= blocks[k].bytes;
            blocks[k] = (block){NULL, 0};
        }
    __real_free(memory);
}

static sb_place host;
static char tables[20000];

static sb_bench_plan plan_of(const char *methods)
{
    const double long_ago = 1e-9; /* no case is begun after the first */
    return (sb_bench_plan){.methods = methods,
                           .against = "thomas",
                           .threads = 1,
                           .place = &host,
                           .until = long_ago,
                           .rules = {.repeat = 1}};
}

static void read_tables(const char *folder)
{
    char path[64];
    snprintf(path, sizeof path, "%s/results.md", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    tables[fread(tables, 1, sizeof tables - 1, file)] = '\0';
    fclose(file);
}

/* The grid's first case in this much memory: a success, and its tables. How much it took. */
static size_t grid_of(const char *methods, size_t bytes)
{
    char folder[] = "/tmp/slimband-grid-XXXXXX", command[64];
    sb_failure failure = {""};
    sb_progress progress = {0};
    const sb_grid_settings settings = {
        .scalar = SLIMBAND_F64, .quick = true, .only = "single", .folder = folder, .plan = plan_of(methods)};
    assert_non_null(mkdtemp(folder));
    most = used;
    room = bytes;
    bool good = sb_grid_run(&settings, &progress, &failure);
    room = SIZE_MAX;
    if (!good)
        fail_msg("%s", failure.text);
    read_tables(folder);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(used, 0);
    return most;
}

static void assert_only_pcr_is_left_out(void)
{
    assert_non_null(strstr(tables, "| pcr | left out: not enough memory |"));
    assert_non_null(strstr(tables, "| n = 2^16, dominant | thomas | "));
    assert_null(strstr(tables, "| thomas | left out"));
    assert_null(strstr(tables, "failed"));
}

static void test_the_grid_leaves_out_a_method_without_memory_for_its_plan(void **state)
{
    (void)state;
    size_t enough = grid_of("thomas", SIZE_MAX);
    assert_null(strstr(tables, "left out"));
    grid_of("thomas,pcr", enough);
    assert_only_pcr_is_left_out();
    grid_of("pcr,thomas", enough);
    assert_only_pcr_is_left_out();
}

/* Both plans fit, but not the memory that runs need besides. */
static void test_the_largest_plan_of_the_grid_makes_room_for_the_others(void **state)
{
    (void)state;
    size_t enough = grid_of("pcr,thomas", SIZE_MAX);
    assert_null(strstr(tables, "left out"));
    grid_of("pcr,thomas", enough - 1);
    assert_only_pcr_is_left_out();
}

/* In a grid, whose other cases may fit; a case that is all there is fails. */
static void test_a_case_of_a_grid_whose_arrays_do_not_fit_is_refused(void **state)
{
    (void)state;
    static sb_bench_result result;
    sb_failure failure = {""};
    sb_bench_plan plan = plan_of("thomas");
    const sb_bench_case c = {
        .scalar = SLIMBAND_F64, .n = 1 << 16, .systems = 1, .lower = 1, .upper = 1, .dominance = 2};
    room = 1 << 16;
    assert_false(sb_bench_measure(&c, &plan, &result, &failure));
    assert_string_equal(failure.text, "not enough memory for 6.55e+04 rows");
    plan.skip_unfit = true;
    assert_true(sb_bench_measure(&c, &plan, &result, &failure));
    room = SIZE_MAX;
    assert_int_equal(result.methods, 0);
    assert_string_equal(result.refusal, "not enough memory for 6.55e+04 rows");
    assert_int_equal(used, 0);
}

static void test_without_memory_a_method_of_a_single_case_fails(void **state)
{
    (void)state;
    static sb_bench_result result;
    size_t enough = grid_of("thomas", SIZE_MAX);
    sb_failure failure = {""};
    sb_progress progress = {0};
    sb_bench_plan plan = plan_of("thomas,pcr");
    const sb_bench_entry *first = NULL;
    const sb_bench_case c = {
        .scalar = SLIMBAND_F64, .n = 1 << 16, .systems = 1, .lower = 1, .upper = 1, .dominance = 2};
    plan.rules.progress = &progress;
    plan.rules.what = "test";
    room = enough;
    assert_true(sb_bench_measure(&c, &plan, &result, &failure));
    room = SIZE_MAX;
    assert_int_equal(sb_bench_failures(&result, &first), 1);
    assert_string_equal(first->name, "pcr");
    assert_string_equal(first->note, "failed: not enough memory for the plan's workspace");
    assert_true(result.method[0].seconds > 0);
}

static int open_host(void **state)
{
    (void)state;
    sb_failure failure;
    return !sb_place_open(&host, 0, 1, &failure);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_grid_leaves_out_a_method_without_memory_for_its_plan),
        cmocka_unit_test(test_the_largest_plan_of_the_grid_makes_room_for_the_others),
        cmocka_unit_test(test_a_case_of_a_grid_whose_arrays_do_not_fit_is_refused),
        cmocka_unit_test(test_without_memory_a_method_of_a_single_case_fails),
    };
    return cmocka_run_group_tests(tests, open_host, NULL);
}
