/* slimband poisson: what was asked for, and the parts of the work. */
#ifndef SB_CLI_POISSON_H
#define SB_CLI_POISSON_H

#include "cli/fail.h"
#include "cli/npy.h"
#include "slimband/poisson.h"

enum { SB_POISSON_SIDES = 2 * SLIMBAND_POISSON_MAX_RANK };

typedef struct sb_poisson {
    int64_t size[SLIMBAND_POISSON_MAX_RANK];
    double length[SLIMBAND_POISSON_MAX_RANK], lambda, mean;
    int walls[SLIMBAND_POISSON_MAX_RANK]; /* slimband_walls, from 0 */
    int sizes, lengths, ends;             /* entries given */
    int centring, type, executor;
    bool type_given, mean_given;
    int64_t threads;
    const char *rhs, *boundary, *output, *picture, *method;
    bool json;
    sb_failure failure;
} sb_poisson;

/* The job: f, the walls' values and u, all of the problem's type. */
typedef struct sb_poisson_job {
    sb_poisson *settings;
    slimband_poisson_problem problem;
    slimband_poisson_boundary boundary;
    int64_t points; /* of a field */
    sb_npy f, u;
    void *side[SLIMBAND_POISSON_MAX_RANK][2];
    slimband_poisson_report report;
    slimband_poisson_error error;
    double seconds;
    double known_error, known_size; /* without --rhs: max |u - exact| and max |exact|; else NaN */
} sb_poisson_job;

bool sb_poisson_run(sb_poisson *settings);

/* poisson_data.c: f and the walls' values, read or made. */
bool sb_poisson_read_rhs(sb_poisson_job *job);
bool sb_poisson_read_walls(sb_poisson_job *job);
bool sb_poisson_allocate(sb_poisson_job *job, void **data, int64_t count);

/* poisson_known.c: f and the walls' values of a smooth solution; and how far u is from it. */
bool sb_poisson_pose(sb_poisson_job *job);
bool sb_poisson_compare(sb_poisson_job *job);

/* poisson_place.c: solved where the settings say; sets job->seconds. */
slimband_status sb_poisson_solve_at(sb_poisson_job *job, slimband_poisson_plan *plan);

/* poisson_report.c */
bool sb_poisson_draw(const sb_poisson_job *job, FILE *out);
bool sb_poisson_tell(const sb_poisson_job *job);

extern const char *const sb_poisson_walls[]; /* "dd", "dn", "nd", "nn", "pp" */
extern const char *const sb_poisson_centrings[];

#endif
