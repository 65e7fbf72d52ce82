/* One row of elimination and substitution forwards together, a matrix in each lane; bands of 1 + 1 and 2 + 2. What is kept
 * of a row, and its right-hand side, is all that the rows behind it want. */
#ifndef SB_MARCH_H
#define SB_MARCH_H

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

#endif
