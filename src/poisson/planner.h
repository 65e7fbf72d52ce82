/* FFTW's planner is not thread-safe: one lock around all that makes and destroys its plans, for both precisions. */
#ifndef SB_POISSON_PLANNER_H
#define SB_POISSON_PLANNER_H

void sb_lock_planner(void);
void sb_unlock_planner(void);

#endif
