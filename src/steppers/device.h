/* The kernels of steppers on the GPU: what comes before and after a solve, for all members at once.
 *
 * As on the CPU, each pass along an axis is solved for its increment d. The addition of one pass and the right-hand side of
 * the next are one kernel: u and d read, their sum and the new d written, 4 words a point, into a second pair of
 * arrays, since neighbouring threads still read the first. */
#ifndef SB_STEPPER_DEVICE_H
#define SB_STEPPER_DEVICE_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

#include "src/steppers/fold.h"

typedef enum sb_law { SB_LAW_HYPER, SB_LAW_CUBIC, SB_LAW_HEAT2, SB_LAW_HEAT4 } sb_law;

/* The lines of all members along one axis: point i of line j of group g at [i * stride + j + g * group_stride]. */
typedef struct sb_device_lines {
    int64_t n, stride, across, groups, group_stride;
    int64_t
        groups_of_member; /* heat: groups one after another that are one member's; rings: 0, a line is a member */
    int64_t run;          /* points that a thread takes, one after the other; 1 where stride is 1 */
    slimband_walls walls;
    slimband_centring centring;
    sb_law law;
    const void *rate, *stiffness, *force; /* of each member; the last two of rings only */
    const void *steady; /* heat between walls with values: at the points of a member, see steady.h; else NULL */
    const void *gain;   /* of each member, on one axis only: what a step adds to every point; else NULL */
} sb_device_lines;

/* The wave that pushes: of each point, in double, NULL without; dt times cosine and sine of the time's phase. */
typedef struct sb_device_wave {
    const double *cosine, *sine;
    double along, across;
} sb_device_wave;

/* Element i of member m at [i * point + m * member]. */
typedef struct sb_device_members {
    int64_t members, member, points, point;
    int64_t slices;      /* that the points of a member are cut into */
    const double *gamma; /* of each member: energies instead of sums; else NULL */
    double h;
} sb_device_members;

typedef struct sb_device_kernels {
    /* sum = u + d and next = the right-hand side for that, or for u if d is NULL; then nothing is written to sum. */
    cudaError_t (*advance)(const sb_device_lines *lines, const sb_device_wave *wave, const void *u,
                           const void *d, void *sum, void *next, cudaStream_t stream);
    /* u += d: 3 words a point. */
    cudaError_t (*add)(int64_t count, const void *d, void *u, cudaStream_t stream);
    /* Between members one after another (n points each) and members interleaved, `pitch` apart. */
    cudaError_t (*interleave)(int64_t n, int64_t members, int64_t pitch, const void *from, void *to,
                              cudaStream_t stream);
    cudaError_t (*separate)(int64_t n, int64_t members, int64_t pitch, const void *from, void *to,
                            cudaStream_t stream);
    /* `row`, `width` numbers of it, n times. */
    cudaError_t (*repeat)(int64_t n, int64_t width, const void *row, void *to, cudaStream_t stream);
    /* Of each member and slice, [member * slices + slice], in double: the sum of its points, or their energies / h. */
    cudaError_t (*sums)(const sb_device_members *members, const void *u, double *sums, cudaStream_t stream);
} sb_device_kernels;

#ifdef __cplusplus
extern "C" {
#endif
extern const sb_device_kernels sb_device_kernels_f32, sb_device_kernels_f64;
#ifdef __cplusplus
}
#endif

#endif
