/* Stencils, and what walls make of them. */
#include "src/steppers/matrix.h"

#include "src/steppers/fold.h"

int sb_stepper_bandwidth(const slimband_evolution *e)
{
    return e->equation == SLIMBAND_HEAT && e->order == 2 ? 1 : 2;
}

/* The five coefficients beside the identity: of the fourth difference, or of minus the second one. */
static const double *stencil_of(const slimband_evolution *e)
{
    static const double fourth[] = {1, -4, 6, -4, 1};
    static const double second[] = {0, -1, 2, -1, 0};
    static const double second_of_order_4[] = {1 / 12., -16 / 12., 30 / 12., -16 / 12., 1 / 12.};
    if (e->equation != SLIMBAND_HEAT)
        return fourth;
    return e->order == 2 ? second : second_of_order_4;
}

void sb_stepper_matrix(const slimband_evolution *e, int axis, int64_t member, double *const *diagonals,
                       int64_t stride)
{
    const double *stencil = stencil_of(e), weight = sb_implicit_weight(e, axis, member);
    int band = sb_stepper_bandwidth(e);
    int64_t n = e->points[axis];
    bool ring = e->walls[axis] == SLIMBAND_WALLS_PP;
    for (int64_t i = 0; i < n; ++i)
        for (int k = -band; k <= band; ++k) {
            sb_image image = ring ? (sb_image){i + k, 1} : sb_fold(e->walls[axis], e->centring, n, i + k);
            if (!image.sign)
                continue;
            double *entry = &diagonals[band + image.row - i][i * stride];
            *entry += image.sign * weight * stencil[2 + k] + (k == 0);
        }
}

void sb_stepper_row(const slimband_evolution *e, int axis, int64_t member, double row[SB_MOST_DIAGONALS])
{
    const double *stencil = stencil_of(e), weight = sb_implicit_weight(e, axis, member);
    for (int k = 0; k < SB_MOST_DIAGONALS; ++k)
        row[k] = weight * stencil[k] + (k == 2);
}
