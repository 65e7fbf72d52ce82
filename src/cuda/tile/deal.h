/* Which clusters of a launch have which of its pieces. */
#ifndef SB_CUDA_TILE_DEAL_H
#define SB_CUDA_TILE_DEAL_H

#include "src/cuda/tile/cut.h"
#include "src/cuda/tile/strided.h"

/* A cluster's piece, and which of the clusters that have it this one is. */
typedef struct sb_tile_part {
    int piece, number, count;
} sb_tile_part;

/* Of so many tiles a piece, on a device that holds so many clusters at once; returns how many there are in all. As long as there are
   more pieces than that, each has one cluster, which spares tables. The last ones share the device; if it does not divide, some
   have one cluster more than others, and those that begin when these are done, as launched last, have what is left of the others
   with them: where that is more than what it takes them to begin, and, since each is given some tiles beforehand, where there are
   enough of these. */
static inline int sb_tile_deal(sb_tile_split *split, int tiles, int resident)
{
    const double begin = 3; /* in tiles, for a cluster's tables */
    const int enough = 2;   /* tiles for each cluster of a piece that is helped */
    if (split->count <= 1 || resident <= 0)
        return tiles < resident ? tiles : resident;
    const int rest = split->count % resident;
    split->whole = split->count - rest;
    split->each = split->more = split->later = 0;
    if (rest == 0)
        return split->count;
    split->each = resident / rest;
    split->more = resident % rest;
    if (split->each >= tiles) {
        split->each = tiles;
        split->more = 0;
    }
    const int fewer = rest - split->more, done = split->more * (split->each + 1) / fewer,
              most = tiles / enough - split->each, later = done < most ? done : most;
    /* When a piece is done by itself, when those with one cluster more are, and when it is with their help. */
    const double alone = 1.0 / split->each, others = 1.0 / (split->each + 1),
                 helped = others + others / (split->each + later);
    if (later > 0 && (alone - helped) * tiles > begin)
        split->later = later;
    return split->whole + split->each * rest + split->more + split->later * fewer;
}

/* In the order in which clusters begin. */
SB_CUDA_INLINE sb_tile_part sb_tile_part_of(const sb_tile_split *split, int cluster, int clusters)
{
    sb_tile_part part = {0, cluster, clusters};
    if (split->count <= 1)
        return part;
    int at = cluster - split->whole;
    const int rest = split->count - split->whole;
    if (at < 0) {
        part.piece = cluster;
        part.number = 0;
        part.count = 1;
        return part;
    }
    if (at < split->each * rest) {
        part.piece = at % rest;
        part.number = at / rest;
    } else if (at -= split->each * rest, at < split->more) {
        part.piece = at;
        part.number = split->each;
    } else {
        at -= split->more;
        part.piece = split->more + at % (rest - split->more);
        part.number = split->each + at / (rest - split->more);
    }
    part.count = split->each + (part.piece < split->more ? 1 : split->later);
    part.piece += split->whole;
    return part;
}

#endif
