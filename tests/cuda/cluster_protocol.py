#!/usr/bin/env python3
"""What the blocks of a cluster tell each other of own pentadiagonal matrices (src/cuda/tile/own_penta_cluster.cuh, own_penta_couple.cuh),
as a model: warps that go on at random, some of them slowly, and messages that arrive in any order.

Whatever is read has to be of the tile that the reader is at, and nobody may wait for ever. Places that lie over each other are:
`rows` and `heads` over `asked`, `verdicts` over `answers`. Each of the three precautions has to be due: without it the model fails.

Usage: cluster_protocol.py [SEEDS]
"""
import random
import sys

TILES = 14
PATIENCE = 2  # 16 in the kernels
MOST_STEPS = 1000000
PRECAUTIONS = ("verdicts when both warps have read", "again when all have read verdicts", "verdicts when all have read answers")


class Barrier:
    """An mbarrier with one arrival, which says how many messages are to come."""

    def __init__(self):
        self.phase = self.arrivals = self.missing = 0

    def _end(self):
        if self.arrivals == 1 and self.missing == 0:
            self.phase += 1
            self.arrivals = 0

    def expect(self, messages):
        self.arrivals += 1
        assert self.arrivals == 1, "two arrivals in a phase"
        self.missing += messages
        self._end()

    def come(self):
        self.missing -= 1
        self._end()

    def done(self, parity):
        return self.phase % 2 != parity


class Meeting:
    """A barrier of all these warps."""

    def __init__(self, warps):
        self.warps, self.here, self.times = warps, 0, 0

    def __call__(self):
        times = self.times
        self.here += 1
        if self.here == self.warps:
            self.here, self.times = 0, times + 1
        while self.times == times:
            yield


class Cluster:
    def __init__(self, seed, blocks, without):
        self.random = random.Random(seed)
        self.without = without
        self.coupled = self.random.choice((0, 0.02, 0.1, 0.4))
        self.eager = self.random.choice((0.02, 0.1, 0.3, 0.6))  # messages
        self.couples = [[self.random.random() < self.coupled for _ in range(blocks)] for _ in range(TILES)]
        self.blocks = blocks
        self.places = [{} for _ in range(blocks)]
        self.barriers = [{name: Barrier() for name in ("beside", "asked", "answered", 0, 1)} for _ in range(blocks)]
        self.meetings = [Meeting(3) for _ in range(blocks)]
        self.meeting = Meeting(3 * blocks)
        self.flying = []

    def send(self, to, barrier, over, kind, cell, tile):
        self.flying.append((to, barrier, over, kind, cell, tile))

    def deliver(self):
        to, barrier, over, kind, cell, tile = self.flying.pop(self.random.randrange(len(self.flying)))
        places = self.places[to]
        for other in places:
            if other[0] == over and other[1] != kind:
                places[other] = f"{kind} of {tile}"
        places[over, kind, cell] = tile
        self.barriers[to][barrier].come()

    def read(self, block, over, kind, cell, tile):
        found = self.places[block].get((over, kind, cell))
        assert found == tile, f"block {block}, tile {tile}: {kind} of {cell} is {found}"

    def pause(self, most):
        for _ in range(self.random.randrange(most)):
            yield

    def ask(self, block, warp, tile, parity):
        barriers, everyone = self.barriers[block], range(self.blocks)
        if warp == "last":
            for to in everyone:
                self.send(to, "asked", "rows", "asked", block, tile)
            barriers["asked"].expect(self.blocks)
            yield
            barriers["answered"].expect(2 * self.blocks)
        if warp != "first":  # some columns each
            while not barriers["asked"].done(parity):
                yield
            for of in everyone:
                self.read(block, "rows", "asked", of, tile)
                yield
            for to in everyone:
                self.send(to, "answered", "verdicts", "answers", (block, warp), tile)
        if warp == "last":
            while not barriers["answered"].done(parity):
                yield
            for of in everyone:
                yield from self.pause(3)
                for by in ("last", "other"):
                    self.read(block, "verdicts", "answers", (of, by), tile)

    def judge(self, block, tile, turn):
        for to in range(self.blocks):
            self.send(to, turn % 2, "verdicts", "verdicts", (turn % 2, block), (tile, self.couples[tile][block]))

    def beside(self, block, warp, tile, turn):
        barriers = self.barriers[block]
        if warp == "last":
            self.send((block + 1) % self.blocks, "beside", "rows", "beside", "row", tile)
            self.send((block - 1) % self.blocks, "beside", "rows", "beside", "heads", tile)
            barriers["beside"].expect(2)
            yield
            barriers[turn % 2].expect(self.blocks)
        yield from self.meetings[block]()
        if warp != "other":
            while not barriers["beside"].done(turn % 2):
                yield
            yield from self.pause(4)
            self.read(block, "rows", "beside", "heads" if warp == "last" else "row", tile)
        if self.without == PRECAUTIONS[0] and warp == "last":
            self.judge(block, tile, turn)

    def hear(self, block, tile, turn):
        while not self.barriers[block][turn % 2].done(turn // 2 % 2):
            yield
        asks = False
        for of in range(self.blocks):
            yield from self.pause(2)
            verdict = self.places[block].get(("verdicts", "verdicts", (turn % 2, of)))
            assert isinstance(verdict, tuple) and verdict[0] == tile, f"block {block}, tile {tile}: verdict {verdict}"
            asks |= verdict[1]
        return asks

    def warp(self, block, warp):
        turn = asked = patient = 0
        meet = self.meetings[block]
        for tile in range(TILES):
            yield from self.pause(3)
            yield from meet()
            asks, again = patient > 0, False
            patient -= patient > 0
            while True:
                if again:
                    patient = PATIENCE
                    if self.without != PRECAUTIONS[1]:
                        yield from meet()
                if asks:
                    yield from self.ask(block, warp, tile, asked % 2)
                    asked += 1
                else:
                    yield from self.beside(block, warp, tile, turn)
                yield from meet()
                if asks:
                    break
                if warp == "last" and self.without != PRECAUTIONS[0]:
                    self.judge(block, tile, turn)
                again = asks = yield from self.hear(block, tile, turn)
                turn += 1
                if not again:
                    break
            if asks and patient == 0 and self.without != PRECAUTIONS[2]:
                yield from self.meeting()

    def run(self):
        warps = [self.warp(block, warp) for block in range(self.blocks) for warp in ("last", "first", "other")]
        left, pace = list(range(len(warps))), [1] * len(warps)
        for step in range(MOST_STEPS):
            if not left:
                assert not self.flying, "messages that nobody waits for"
                return
            if step % 200 == 0:
                pace = [self.random.choice((0.02, 1, 1, 5)) for _ in warps]
            if self.flying and self.random.random() < self.eager:
                self.deliver()
                continue
            at = self.random.choices(left, [pace[warp] for warp in left])[0]
            if next(warps[at], self) is self:
                left.remove(at)
        raise AssertionError("warps that wait for ever")


def failure(seed, without=None):
    try:
        Cluster(seed, 2 + seed % 5, without).run()
    except AssertionError as error:
        return str(error)
    return None


def main():
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 120
    failed = 0
    for seed in range(seeds):
        error = failure(seed)
        if error:
            failed += 1
            print(f"seed {seed}: {error}")
    for precaution in PRECAUTIONS:
        if all(failure(seed, precaution) is None for seed in range(4 * seeds)):
            failed += 1
            print(f"never fails without: {precaution}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
