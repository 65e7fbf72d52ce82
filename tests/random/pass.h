/* Inside a cmocka test: a trial whose problem and method are settled gets its values, and has to pass. */
#ifndef SB_RANDOM_PASS_H
#define SB_RANDOM_PASS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/random/check.h"

/* Frees the trial's arrays. A failure shows the trial and its seed. */
static inline void trial_has_to_pass(trial *t, sb_random *random)
{
    result r;
    assert_true(draw_values(t, random));
    check_trial(t, &r);
    if (r.complaint[0]) {
        trial_print(t);
        fail_msg("seed %llu: %s", (unsigned long long)t->seed, r.complaint);
    }
    trial_free(t);
}

#endif
