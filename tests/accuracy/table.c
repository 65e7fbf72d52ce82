/* accuracy-table: the accuracy of every method on the 16 matrices, and of TPR's settings over N, as Markdown
 * for docs/methods.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/accuracy/measure.h"
#include "tests/accuracy/place.h"

enum { N = 512, SEED = 1 };

enum { MOST_COLUMNS = 32 };

typedef struct column {
    char method[32];
    slimband_pivoting pivoting;
} column;

static column columns[MOST_COLUMNS];
static int column_count;

static void add_column(const char *method, const char *setting, slimband_pivoting pivoting)
{
    if (column_count == MOST_COLUMNS)
        return;
    column *c = &columns[column_count++];
    snprintf(c->method, sizeof c->method, "%s%s", method, setting);
    c->pivoting = pivoting;
}

/* auto, then every method by itself: without pivoting if it can. */
static void make_columns(void)
{
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, N);
    p.pivoting = SLIMBAND_PIVOT_NONE;
    slimband_method_info info;
    add_column("auto", "", SLIMBAND_PIVOT_AUTO);
    for (int m = 0; slimband_method(m, &info); ++m) {
        if (strcmp(info.place, place_name))
            continue;
        bool pivots = slimband_method_fits(&p, place_executor(), info.name) == SLIMBAND_METHOD_ALWAYS_PIVOTS;
        slimband_pivoting pivoting = pivots ? SLIMBAND_PIVOT_PARTIAL : SLIMBAND_PIVOT_NONE;
        if (strstr(info.options, "stable")) {
            add_column(info.name, ":stable", pivoting);
            add_column(info.name, ":fast", pivoting);
        } else {
            add_column(info.name, "", pivoting);
        }
    }
}

static void print_head(void)
{
    printf("| matrix (condition number) | LAPACK gtsv |");
    for (int c = 0; c < column_count; ++c)
        printf(" %s |", columns[c].method);
    printf("\n| --- | ---: |");
    for (int c = 0; c < column_count; ++c)
        printf(" ---: |");
    printf("\n");
}

/* With a condition number beyond this no digit of the solution is left to find. */
static bool findable(const tri_system *s)
{
    return s->condition * epsilon_of(s->scalar) < 0.1;
}

static const char *outcome_of(slimband_status status)
{
    return status == SLIMBAND_SINGULAR    ? "singular"
           : status == SLIMBAND_BREAKDOWN ? "breaks down"
                                          : "overflows";
}

static void print_cell(const tri_system *s, const measurement *m, bool forward)
{
    if (!m->fits)
        printf(" |");
    else if (m->status)
        printf(" %s |", outcome_of(m->status));
    else if (!m->finite)
        printf(" overflows |");
    else if (forward && !findable(s))
        printf(" - |");
    else
        printf(" %.1e |", forward ? m->forward : m->backward);
}

static void print_matrices(const tri_system *systems, const char *type, bool forward)
{
    printf("\n%s error, %s, n = %d\n\n", forward ? "Forward" : "Backward", type, N);
    print_head();
    for (int k = 0; k < SB_GALLERY_COUNT; ++k) {
        const tri_system *s = &systems[k];
        printf("| %d %s (%.0e) |", sb_gallery_at(k)->number, sb_gallery_at(k)->name, s->condition);
        measurement m = measure_lapack(s);
        print_cell(s, &m, forward);
        for (int c = 0; c < column_count; ++c) {
            m = measure_method(s, columns[c].method, columns[c].pivoting);
            print_cell(s, &m, forward);
        }
        printf("\n");
    }
}

static void print_tpr(void)
{
    static const char *const methods[] = {"tpr:stable", "tpr:fast", "thomas"};
    printf("\nRelative error, f32, Toeplitz [-1 2 -1], all unknowns 1; the paper's own numbers (its table 6) "
           "behind ours\n\n"
           "| N | tpr:stable | paper | tpr:fast | paper | thomas | paper |\n"
           "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (int row = 0; row < PAPER_ROWS; ++row) {
        const paper_row *paper = &paper_table_6[row];
        tri_system s = system_of_poisson(paper->n, SLIMBAND_F32);
        printf("| %lld |", (long long)paper->n);
        for (int k = 0; k < 3; ++k)
            printf(" %.1e | %.1e |", measure_method(&s, methods[k], SLIMBAND_PIVOT_NONE).forward,
                   paper->errors[k]);
        printf("\n");
        system_free(&s);
    }
}

int main(void)
{
    if (place_missing()) {
        fprintf(stderr, "accuracy-table: %s\n", place_missing());
        return EXIT_FAILURE;
    }
    make_columns();
    tri_system wide[SB_GALLERY_COUNT], narrow[SB_GALLERY_COUNT];
    for (int k = 0; k < SB_GALLERY_COUNT; ++k) {
        wide[k] = system_of_gallery(sb_gallery_at(k), N, SEED);
        narrow[k] = system_in_f32(&wide[k]);
    }
    for (int forward = 0; forward < 2; ++forward) {
        print_matrices(narrow, "f32", forward);
        print_matrices(wide, "f64", forward);
    }
    for (int k = 0; k < SB_GALLERY_COUNT; ++k) {
        system_free(&wide[k]);
        system_free(&narrow[k]);
    }
    print_tpr();
    return EXIT_SUCCESS;
}
