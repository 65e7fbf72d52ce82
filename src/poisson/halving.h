/* What transforms have in common that halve themselves: a level of size N = 2 M takes the M coefficients that only its own kind
 * of pairs sees by one Fourier transform of M/2 complex numbers, and hands the others down, a transform of size M again. The
 * lowest level is a matrix where it is small, otherwise FFTW's. Levels read and write parts 0 and 1 of the buffer `from` by
 * turns; coefficients follow one another, the highest level's first. */
#ifndef SB_POISSON_HALVING_H
#define SB_POISSON_HALVING_H

#include "slimband/status.h"
#include "src/poisson/kernels.h"

enum { SB_HALVINGS = 24, SB_HALVED_LEAST = 256 / sizeof(T) };

typedef struct sb_halving {
    const sb_poisson_kernels *kernels;
    int levels;
    struct {
        int64_t half;       /* M */
        T *turn;            /* of kernels.h */
        void *there, *back; /* FFTW's, complex and of size M/2 */
    } level[SB_HALVINGS];
    int64_t room;     /* elements of a part of `from` */
    int64_t size;     /* N of the lowest level, */
    int64_t unknowns; /* and how many it has; 0: none */
    T *matrix;        /* of that level where it is small: columns `lead` apart; else NULL */
    int64_t lead;
    void *lowest[2]; /* else FFTW's, there and back */
} sb_halving;

/* Where level number l begins among the coefficients. */
int64_t SB_NAME(halving_place)(const sb_halving *h, int l);

/* The input of level l on the way there, and its output on the way back, of level 0 none of these. */
static inline T *sb_halving_source(const sb_halving *h, T *from, int l)
{
    return l % 2 ? from + h->room : from;
}

static inline T *sb_halving_result(const sb_halving *h, T *from, T *to, int l)
{
    return l % 2 ? from + h->room : to;
}

/* One more level, M even: transforms between z and the coefficients, at `to` there and at `from` back. The planner's lock is
   held by the caller. */
bool SB_NAME(halving_add)(sb_halving *h, int64_t half, unsigned flags, T *z, T *from, T *to, size_t *bytes);

/* The lowest level, of FFTW's kind; entry j, k of its matrix, from 0 on. */
typedef double sb_halving_entry(int64_t size, int64_t j, int64_t k);
bool SB_NAME(halving_end)(sb_halving *h, int kind, sb_halving_entry *entry, unsigned flags, T *from, T *to,
                          size_t *bytes);
void SB_NAME(halving_free)(sb_halving *h);

/* The lowest level by plan number `plan`, times scale. */
void SB_NAME(halving_lowest)(const sb_halving *h, int plan, T scale, T *in, T *out);

#endif
