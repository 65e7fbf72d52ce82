/* The two band systems whose solution is the trend. Both are symmetric, and both are refined against the exact
 * operator, not their rounded matrix. */
#ifndef SB_CLI_WHITTAKER_FORM_H
#define SB_CLI_WHITTAKER_FORM_H

#include "cli/whittaker.h"

typedef struct sb_whittaker_form {
    const char *name;
    int unknowns; /* for each row of the series; the first of them is z */
    slimband_pivoting pivoting;
    int (*bandwidth)(int order);
    /* A(i, i + k) for 0 <= k <= bandwidth. */
    double (*entry)(const sb_whittaker *task, int64_t i, int k);
    /* r = b - A x with b = W y at the z's and 0 elsewhere, summed in long double. */
    void (*residual)(const sb_whittaker *task, const double *x, double *r);
} sb_whittaker_form;

enum { SB_WHITTAKER_FORMS = 2 };

/* In the order to try them:
   normal equations   (W + lambda D' D) z = W y: positive definite, order off-diagonals on either side. Its
   condition number grows with lambda and with (longest run of missing values)^(2 order); augmented system   W z
   + s D' v = W y,  s D z - (s^2 / lambda) v = 0 with s = min(1, sqrt(lambda)): twice the unknowns, 2 order - 1
   off-diagonals, needs pivoting; but about the square root of that condition number, and no limit on lambda. */
extern const sb_whittaker_form sb_whittaker_forms[SB_WHITTAKER_FORMS];

#endif
