/* The table of the gallery and what looks things up in it. */
#include "gallery/gallery.h"

#include <stdlib.h>
#include <string.h>

#include "gallery/fill.h"

/* What one machine can hold, and for randsvd what it can reduce in a few seconds. */
#define ANY (INT64_C(1) << 40)
#define REDUCIBLE 1024

static const sb_gallery_matrix table[SB_GALLERY_COUNT] = {
    {1, "random", "4.41e+04", "every entry from U(-1,1)", ANY, sb_fill_random, 1},
    {2, "toeplitz-1e8", "1.00e+00", "Toeplitz: diagonal 1e8, off-diagonals from U(-1,1)", ANY, sb_fill_toeplitz,
     1e8},
    {3, "lesp", "3.52e+02", "MATLAB's lesp: real, smoothly spread eigenvalues", ANY, sb_fill_lesp, 0},
    {4, "random-split", "2.75e+03", "as 1, the n/2-th lower entry times 1e-50", ANY, sb_fill_random_split,
     1e-50},
    {5, "random-gaps", "1.24e+04", "as 1, off-diagonal entries 0 with probability 1/2", ANY,
     sb_fill_random_gaps, 0.5},
    {6, "toeplitz-64", "1.03e+00", "Toeplitz: diagonal 64, off-diagonals from U(-1,1)", ANY, sb_fill_toeplitz,
     64},
    {7, "kms-inverse", "9.00e+00", "inverse of MATLAB's kms with rho = 0.5", ANY, sb_fill_kms_inverse, 0.5},
    {8, "randsvd-one-small", "9.87e+14", "randsvd, condition 1e15: one small singular value", REDUCIBLE,
     sb_fill_randsvd, 2},
    {9, "randsvd-geometric", "9.97e+14", "randsvd, condition 1e15: geometric singular values", REDUCIBLE,
     sb_fill_randsvd, 3},
    {10, "randsvd-one-large", "1.29e+15", "randsvd, condition 1e15: one large singular value", REDUCIBLE,
     sb_fill_randsvd, 1},
    {11, "randsvd-arithmetic", "1.01e+15", "randsvd, condition 1e15: arithmetic singular values", REDUCIBLE,
     sb_fill_randsvd, 4},
    {12, "random-weak-lower", "2.20e+14", "as 1, the lower diagonal times 1e-50", ANY, sb_fill_random, 1e-50},
    {13, "dorr", "3.21e+16", "MATLAB's dorr(n, 1e-4): dominant, ill-conditioned", ANY, sb_fill_dorr, 1e-4},
    {14, "toeplitz-1e-8", "1.14e+67", "Toeplitz: diagonal 1e-8, off-diagonals from U(-1,1)", ANY,
     sb_fill_toeplitz, 1e-8},
    {15, "clement", "6.02e+24", "MATLAB's clement: diagonal 0, eigenvalues 1-n, 3-n .. n-1", ANY,
     sb_fill_clement, 0},
    {16, "toeplitz-0", "7.1e+191", "Toeplitz: diagonal 0, off-diagonals from U(-1,1)", ANY, sb_fill_toeplitz,
     0},
};

const sb_gallery_matrix *sb_gallery_at(int index)
{
    return index >= 0 && index < SB_GALLERY_COUNT ? &table[index] : NULL;
}

const sb_gallery_matrix *sb_gallery_find(const char *name)
{
    char *end;
    long number = strtol(name, &end, 10);
    if (*end == '\0' && end != name)
        return number >= 1 && number <= SB_GALLERY_COUNT ? &table[number - 1] : NULL;
    for (int i = 0; i < SB_GALLERY_COUNT; ++i)
        if (!strcmp(table[i].name, name))
            return &table[i];
    return NULL;
}

const char *sb_gallery_fill(const sb_gallery_matrix *matrix, int64_t n, uint64_t seed, sb_tridiagonal A)
{
    if (n < 1)
        return "the size must be at least 1";
    if (n > matrix->largest)
        return matrix->largest == REDUCIBLE
                   ? "the randsvd matrices are made by dense reduction, up to size 1024"
                   : "the size is beyond what memory can hold";
    double *diagonals[] = {A.lower, A.diagonal, A.upper};
    for (int k = 0; k < 3; ++k)
        memset(diagonals[k], 0, (size_t)n * sizeof(double));
    sb_random random = sb_random_seeded(seed);
    return matrix->fill(matrix->parameter, n, &random, A);
}
