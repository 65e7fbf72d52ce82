#include "links.h"

#include <stdlib.h>

typedef struct work {
    const tridiagonal *s;
    sb_kept *kept;
    sb_joint *joints;
} work;

static sb_link sweep(const work *w, int64_t lo, int64_t hi)
{
    const tridiagonal *s = w->s;
    sb_link run = sb_no_rows();
    for (int64_t i = lo; i < hi; ++i) {
        bool cut = !s->periodic;
        T a = cut && i == 0 ? 0 : s->lower[i], c = cut && i == s->n - 1 ? 0 : s->upper[i];
        if (i == lo)
            sb_first_row(&run, a, s->diagonal[i], c, s->b[i]);
        else if (i == lo + 1)
            sb_second_row(&run, a, s->diagonal[i], c, s->b[i]);
        else
            sb_next_row(&run, a, s->diagonal[i], c, s->b[i], &w->kept[i]);
    }
    return run;
}

static int64_t middle(int64_t lo, int64_t hi)
{
    return lo + (hi - lo) / 2;
}

static sb_link reduce(const work *w, int64_t lo, int64_t hi)
{
    if (hi - lo <= w->s->run)
        return sweep(w, lo, hi);
    sb_link left = reduce(w, lo, middle(lo, hi)), right = reduce(w, middle(lo, hi), hi);
    sb_used used;
    sb_link both = sb_join_links(&left, &right, &used);
    w->joints[middle(lo, hi)] = sb_joint_of(&used);
    return both;
}

static void walk_back(const work *w, int64_t lo, int64_t hi, sb_pair left, sb_pair right)
{
    T *x = w->s->x, after = right.second;
    for (int64_t i = hi - 1; i >= lo; --i) {
        T next = i + 1 < hi ? x[i + 1] : right.second;
        after = i + 2 < hi ? x[i + 2] : i + 2 == hi ? right.second : after;
        if (i == hi - 1)
            x[i] = right.first;
        else if (i == lo)
            x[i] = left.second;
        else
            x[i] = sb_kept_value(&w->kept[i + 1], left, next, after);
    }
}

static void expand(const work *w, int64_t lo, int64_t hi, sb_pair left, sb_pair right)
{
    if (hi - lo <= w->s->run) {
        walk_back(w, lo, hi, left, right);
        return;
    }
    sb_pair between = sb_between(&w->joints[middle(lo, hi)], left, right);
    expand(w, lo, middle(lo, hi), left, between);
    expand(w, middle(lo, hi), hi, between, right);
}

bool solve_by_links(const tridiagonal *s)
{
    size_t n = (size_t)s->n;
    work w = {s, calloc(n, sizeof(sb_kept)), calloc(n, sizeof(sb_joint))};
    if (!w.kept || !w.joints)
        abort();
    sb_link whole = reduce(&w, 0, s->n);
    sb_pair left, right;
    bool regular = sb_close(&whole, s->periodic, &left, &right);
    expand(&w, 0, s->n, left, right);
    free(w.kept);
    free(w.joints);
    return regular;
}
