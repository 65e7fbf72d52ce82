/* One row of elimination and substitution forwards together, a matrix in each lane; the usual bands. What is kept
 * of a row, and its right-hand side, is all that the rows behind it want. */
#ifndef SB_MARCH_H
#define SB_MARCH_H

#include "src/cpu/vec/pivots.h"
#include "src/cpu/wide/band.h"
#include "src/cpu/wide/pivotless.h"

/* The upper parts of the rows in front, and their right-hand sides: in a tridiagonal band both divided by the pivots. */
typedef struct carried {
    W above[SB_USUAL_MOST * (SB_USUAL_MOST + 1)], y[SB_USUAL_MOST];
    V growth, bad;
} carried;

/* Words that are kept of a row: of U, in a tridiagonal band but for the reciprocal pivot, which nothing wants. */
SB_INLINE int first_kept(int band)
{
    return band == 1;
}

SB_INLINE int kept_words(int band)
{
    return 1 + band - first_kept(band);
}

/* From the rows in front of the one that is kept at `kept`, its right-hand side at y. */
SB_INLINE void take_up(int band, const R *kept, const R *y, int64_t lanes, carried *c)
{
    int64_t row = SB_PLANES * lanes;
    for (int k = 0; k < band; ++k) {
        c->y[k] = wload(y - (k + 1) * row, lanes);
        c->above[k * (1 + band)] = wzero();
        for (int t = first_kept(band); t <= band; ++t)
            c->above[k * (1 + band) + t] =
                wload(kept + (t - first_kept(band) - (k + 1) * kept_words(band)) * row, lanes);
    }
}

/* Rows that are marched together. */
SB_INLINE int together(int band)
{
    return band == 1 && !SB_COMPLEX ? 2 : 1;
}

/* The next row, or rows: the matrix's words and the right-hand sides. */
typedef struct next_rows {
    W row[2][2 * SB_USUAL_MOST + 1], y[2];
} next_rows;

/* row: the matrix's words. */
SB_INLINE void march_row(int band, W *row, W y, carried *c)
{
    W below = row[0];
    int reach = 1 + band;
    eliminate_row(band == 1, band, band, row, c->above, reach, &c->growth, &c->bad);
    if (band == 1)
        y = wmul(row[1], wnmadd(below, c->y[0], y));
    for (int k = band; k > 0 && band > 1; --k)
        y = wnmadd(row[band - k], c->y[k - 1], y);
    push(c->y, band, y);
    for (int w = band * reach - 1; w >= reach; --w)
        c->above[w] = c->above[w - reach];
    for (int t = 0; t <= band; ++t)
        c->above[t] = row[band + t];
}

SB_INLINE void keep_row(int band, const carried *c, R *kept, R *y, int64_t lanes)
{
    for (int t = first_kept(band); t <= band; ++t)
        wstore(kept + (t - first_kept(band)) * SB_PLANES * lanes, lanes, c->above[t]);
    wstore(y, lanes, c->y[0]);
}

#if !SB_COMPLEX
/* While entries of U above a row are 1 at most, no product can grow: |l u| <= |l| then. */
SB_INLINE bool may_grow(V u, V next)
{
    return __builtin_expect(vany(vexceeds(vmax(vabs(u), vabs(next)), vsplat(1))), 0);
}

/* Two rows of a tridiagonal matrix; U's entries and y in place of the last word and the right-hand side. */
SB_INLINE void march_two(next_rows *n, carried *c)
{
    const V *first = n->row[0], *second = n->row[1];
    V reciprocal[2], above = c->above[1];
    vinvert_two(first[0], first[1], first[2], second[0], second[1], above, reciprocal, &c->bad);
    V u = first[2] * reciprocal[0];
    if (may_grow(above, u)) {
        c->growth = grown_row(c->growth, first, above);
        c->growth = grown_row(c->growth, second, u);
    }
    n->y[0] = reciprocal[0] * vnmadd(first[0], c->y[0], n->y[0]);
    n->y[1] = reciprocal[1] * vnmadd(second[0], n->y[0], n->y[1]);
    n->row[0][2] = u;
    n->row[1][2] = second[2] * reciprocal[1];
    c->bad =
        vmadd(n->row[1][2], vsplat(0), c->bad); /* a second pivot of 0, which no row may be there to meet */
    c->above[1] = n->row[1][2];
    c->y[0] = n->y[1];
}
#endif

/* As many rows as go together; what is kept of them and their right-hand sides stand `lanes` reals apart. */
SB_INLINE void march_rows(int band, int rows, next_rows *n, carried *c, R *kept, R *y, int64_t lanes)
{
#if !SB_COMPLEX
    if (rows == 2) {
        march_two(n, c);
        for (int i = 0; i < 2; ++i) {
            vstore(kept + i * lanes, n->row[i][2]);
            vstore(y + i * lanes, n->y[i]);
        }
        return;
    }
#endif
    (void)rows;
    march_row(band, n->row[0], n->y[0], c);
    keep_row(band, c, kept, y, lanes);
}

#endif
