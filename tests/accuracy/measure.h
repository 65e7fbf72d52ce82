/* One system of the gallery, solved by one solver, and how far off the answer is. */
#ifndef SB_ACCURACY_MEASURE_H
#define SB_ACCURACY_MEASURE_H

#include "gallery/gallery.h"
#include "slimband/slimband.h"

/* A x = b in doubles that the scalar type (F32 or F64) holds exactly; b is A times `known`, rounded. The
 * right-hand side's own rounding and the condition number bound what any solver can find. */
typedef struct tri_system {
    slimband_scalar scalar;
    int64_t n;
    double *lower, *diagonal, *upper, *b, *known;
    bool toeplitz;
    double condition; /* LAPACK's estimate, 1-norm; infinite where a pivot is 0 */
} tri_system;

typedef struct measurement {
    bool fits; /* the method takes such a problem */
    slimband_status status;
    bool finite;
    double backward; /* normwise, infinity norms, in long double */
    double forward;  /* || x - known ||_2 / || known ||_2 */
} measurement;

/* The gallery's matrix in f64; known from U(-1, 1) with the same seed. Without memory the program ends. */
tri_system system_of_gallery(const sb_gallery_matrix *matrix, int64_t n, uint64_t seed);

/* The same matrix and solution rounded to f32, with a right-hand side of their own. */
tri_system system_in_f32(const tri_system *s);

/* Toeplitz [-1 2 -1] with all unknowns 1: the paper's table 6. */
tri_system system_of_poisson(int64_t n, slimband_scalar scalar);

void system_free(tri_system *s);

/* pivoting: what the problem asks for. */
measurement measure_method(const tri_system *s, const char *method, slimband_pivoting pivoting);

/* LAPACK's gtsv of the same type. */
measurement measure_lapack(const tri_system *s);

double epsilon_of(slimband_scalar scalar);

/* Table 6 of the paper: relative errors of TPR-stable, TPR-fastest and Thomas, FP32, for system_of_poisson. */
enum { PAPER_ROWS = 13 };
typedef struct paper_row {
    int64_t n;
    double errors[3];
} paper_row;
extern const paper_row paper_table_6[PAPER_ROWS];

#endif
