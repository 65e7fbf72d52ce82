#!/usr/bin/env python3
"""slimband bench steppers on tiny problems: what it prints, and what it refuses.  bench.py SLIMBAND"""

import json
import os
import subprocess
import sys
import tempfile

TINY = ["--size", "40", "--batch", "9", "--steps", "6", "--repeat", "2", "--threads", "1"]


def run(*options):
    return subprocess.run([sys.argv[1], "bench", "steppers", *options], capture_output=True, text=True)


def test_rows():
    for kind, apart in (("f64", 1e-11), ("f32", 1e-4)):
        done = run(*TINY, "--json", "--type", kind)
        assert done.returncode == 0 and not done.stderr, done
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        assert [row["case"] for row in rows] == [
            "hyperdiffusion, one matrix", "hyperdiffusion, own matrices", "cahn-hilliard, one matrix", "heat2d, order 2",
            "heat2d, order 4", "heat3d, order 2"]
        for row in rows:
            assert row["type"] == kind and row["steps"] == 6 and row["ns_per_point_and_step"] > 0, row
        for row in rows[:2]:
            assert row["points"] == 360 and row["members"] == 9 and row["plain_over_ours"] > 0, row
            assert 0 < row["distance_from_plain"] < apart, row


def test_table():
    done = run(*TINY)
    assert done.returncode == 0 and done.stdout.count("\n") == 8, done
    assert "x plain C" in done.stdout and "6 steps; rings: 9 members of 40 points" in done.stdout, done.stdout


def test_on_a_gpu():
    """Against cuSPARSE, if it is there, and our CPU; a sentence where there is no GPU."""
    done = run(*TINY, "--json", "--executor", "cuda")
    if done.returncode:
        assert done.stderr.startswith("slimband bench steppers: hyperdiffusion, one matrix: th"), done
        return
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == 6 and not done.stderr, done
    for row in rows:
        assert row["executor"] == "cuda" and row["cpu_over_ours"] > 0 and row["distance_from_others"] < 1e-11, row


def test_refusals():
    for sentence, options in (
        ("--size must be a whole number in 8..", ["--size", "7"]),
        ("--steps must be a whole number in 1..", ["--steps", "0"]),
        ("dt is too large", [*TINY, "--dt", "2.1", "--size", "64"]),
        ("unexpected argument 'more'", ["more"]),
        ("/dev/null/convergence.svg: cannot be created", ["--output", "/dev/null"]),
        ("cannot be created", ["--output", "/proc"]),
    ):
        done = run(*options)
        assert done.returncode == 2 and done.stderr.count("\n") == 1, done
        assert done.stderr.startswith("slimband bench steppers: ") and sentence in done.stderr, (sentence, done.stderr)
        assert os.listdir(".") == [], os.listdir(".")


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            with tempfile.TemporaryDirectory() as place:
                os.chdir(place)
                test()
                os.chdir("/")
            print("good:", name)


if __name__ == "__main__":
    main()
