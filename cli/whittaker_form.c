/* Normal equations and augmented system: their entries and residuals. */
#include "cli/whittaker_form.h"

#include <math.h>

/* Row `order` holds the coefficients of one row of D: the alternating binomials. D has n - order rows. */
static const double difference[SB_WHITTAKER_MAX_ORDER + 1][SB_WHITTAKER_MAX_ORDER + 1] = {
    {1}, {-1, 1}, {1, -2, 1}, {-1, 3, -3, 1}};

static bool row_exists(const sb_whittaker *task, int64_t row)
{
    return row >= 0 && row < task->n - task->order;
}

static double weight(const sb_whittaker *task, int64_t i)
{
    return isnan(task->y[i]) ? 0 : 1;
}

static long double misfit(const sb_whittaker *task, int64_t i, double z)
{
    return isnan(task->y[i]) ? 0 : (long double)task->y[i] - z;
}

static int normal_bandwidth(int order)
{
    return order;
}

/* The rows of D that touch both z's are i - order .. i, as far as they exist. */
static double normal_entry(const sb_whittaker *task, int64_t i, int k)
{
    const double *c = difference[task->order];
    double sum = 0;
    for (int j = 0; j + k <= task->order; ++j)
        if (row_exists(task, i - j))
            sum += c[j] * c[j + k];
    return task->lambda * sum + (k == 0 ? weight(task, i) : 0);
}

static void normal_residual(const sb_whittaker *task, const double *z, double *r)
{
    int order = task->order;
    const double *c = difference[order];
    long double v[SB_WHITTAKER_MAX_ORDER + 1] = {0}; /* v[j] = (D z)(i - j) */
    for (int64_t i = 0; i < task->n; ++i) {
        for (int j = order; j > 0; --j)
            v[j] = v[j - 1];
        v[0] = 0;
        for (int j = 0; j <= order && row_exists(task, i); ++j)
            v[0] += (long double)c[j] * z[i + j];
        long double roughness = 0;
        for (int j = 0; j <= order; ++j)
            roughness += c[j] * v[j];
        r[i] = (double)(misfit(task, i, z[i]) - task->lambda * roughness);
    }
}

/* Unknowns z[0], v[0], z[1], v[1], ...; a v without its row of D is 0. */
static int augmented_bandwidth(int order)
{
    return 2 * order - 1;
}

static double scale(const sb_whittaker *task)
{
    return fmin(1, sqrt(task->lambda));
}

static double augmented_entry(const sb_whittaker *task, int64_t i, int k)
{
    const double *c = difference[task->order];
    int64_t row = i / 2;
    double s = scale(task);
    if (i % 2 == 0)
        return k == 0 ? weight(task, row) : k == 1 && row_exists(task, row) ? s * c[0] : 0;
    if (k == 0)
        return row_exists(task, row) ? -s * (s / task->lambda) : 1;
    return k % 2 && row_exists(task, row) ? s * c[(k + 1) / 2] : 0;
}

static void augmented_residual(const sb_whittaker *task, const double *x, double *r)
{
    const double *c = difference[task->order];
    long double s = scale(task);
    for (int64_t i = 0; i < task->n; ++i) {
        long double force = 0, difference_here = 0, v = x[2 * i + 1];
        for (int j = 0; j <= task->order; ++j) {
            if (row_exists(task, i - j))
                force += (long double)c[j] * x[2 * (i - j) + 1];
            if (row_exists(task, i))
                difference_here += (long double)c[j] * x[2 * (i + j)];
        }
        r[2 * i] = (double)(misfit(task, i, x[2 * i]) - s * force);
        r[2 * i + 1] = (double)(row_exists(task, i) ? s * (s / task->lambda) * v - s * difference_here : -v);
    }
}

const sb_whittaker_form sb_whittaker_forms[SB_WHITTAKER_FORMS] = {
    {"normal equations", 1, SLIMBAND_PIVOT_NONE, normal_bandwidth, normal_entry, normal_residual},
    {"augmented system", 2, SLIMBAND_PIVOT_PARTIAL, augmented_bandwidth, augmented_entry, augmented_residual},
};
