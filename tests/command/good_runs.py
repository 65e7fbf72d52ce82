#!/usr/bin/env python3
"""slimband solve on problems whose solution is known, written and checked with the standard library alone.

good_runs.py SLIMBAND [SEED]
"""

import json
import math
import os
import pty
import random
import select
import subprocess
import sys
import tempfile

import make_npy

EPSILON = {"<f4": 1.2e-7, "<f8": 2.3e-16, "<c8": 1.2e-7, "<c16": 2.3e-16}
NAMES = {"<f4": "f32", "<f8": "f64", "<c8": "c64", "<c16": "c128"}


def common(a, b):
    """NumPy's result type."""
    single = a in ("<f4", "<c8") and b in ("<f4", "<c8")
    if "c" in a + b:
        return "<c8" if single else "<c16"
    return "<f4" if single else "<f8"


def draw(kind):
    """A number that f32 holds exactly, so that every type starts from the same problem."""
    part = lambda: random.randint(-64, 64) / 64
    return complex(part(), part()) if kind[1] == "c" else part()


def draw_band(kind, lower, upper, n):
    """Rows of ab; the main diagonal outweighs the rest."""
    rows = [[draw(kind) for _ in range(n)] for _ in range(lower + 1 + upper)]
    rows[upper] = [value + 2 * len(rows) for value in rows[upper]]
    return rows


def multiply(ab, lower, upper, x, periodic):
    """A x by the definition: ab[u + i - j, j] is added to A[i mod n, j], or dropped outside an open matrix."""
    n = len(x)
    b = [0] * n
    for row in range(lower + 1 + upper):
        for j in range(n):
            i = row - upper + j
            if periodic or 0 <= i < n:
                b[i % n] += ab[row][j] * x[j]
    return b


def spoil(ab, lower, upper):
    """NaN into the corners that an open matrix does not have."""
    for row in range(lower + 1 + upper):
        for j in range(len(ab[row])):
            if not 0 <= row - upper + j < len(ab[row]):
                ab[row][j] = math.nan


def lines(shape, axis):
    """C-order positions of each line along the axis; the lines in C order of the other axes."""
    inner = math.prod(shape[axis + 1 :])
    for outer in range(math.prod(shape[:axis])):
        for k in range(inner):
            yield [(outer * shape[axis] + i) * inner + k for i in range(shape[axis])]


def run(slimband, *options):
    done = subprocess.run([slimband, "solve", *options, "--json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not done.stderr, done.stderr
    return json.loads(done.stdout)


def check_solution(kind, shape, fortran, x):
    got = make_npy.read("x.npy")
    assert got[:3] == (kind, tuple(shape), fortran), got[:3]
    error = max(abs(a - b) for a, b in zip(got[3], x))
    assert error <= 100 * EPSILON[kind] * max(map(abs, x)), error


def trial(slimband, matrix_kind, rhs_kind, shape, axis, fortran, own, periodic):
    lower, upper, n = random.randint(0, 8), random.randint(0, 8), shape[axis]
    kind = common(matrix_kind, rhs_kind)
    x = [draw(rhs_kind) for _ in range(math.prod(shape))]
    b = [0] * len(x)
    where = list(lines(shape, axis))
    bands = [draw_band(matrix_kind, lower, upper, n) for _ in (where if own else where[:1])]
    for s, line in enumerate(where):
        solution = [x[p] for p in line]
        for p, value in zip(line, multiply(bands[s if own else 0], lower, upper, solution, periodic)):
            b[p] = value
    for band in bands if not periodic else []:
        spoil(band, lower, upper)
    flat = [value for band in bands for row in band for value in row]
    own_axis = [len(where)] if own else []
    make_npy.write("ab.npy", matrix_kind, [*own_axis, lower + 1 + upper, n], flat, random.random() < 0.5)
    make_npy.write("b.npy", kind, shape, b, fortran, random.choice([1, 2, 3]))
    options = ["--matrix", "ab.npy", "--lower", str(lower), "--upper", str(upper), "--rhs", "b.npy"]
    axis = axis if random.random() < 0.5 else axis - len(shape)
    options += ["--output", "x.npy", "--axis", str(axis)] + (["--periodic"] if periodic else [])
    report = run(slimband, *options)
    check_solution(kind, shape, fortran, x)
    expected = {"n": n, "batch": len(where), "type": NAMES[kind], "lower": lower, "upper": upper,
                "ends": "periodic" if periodic else "open", "output": "x.npy",
                "coefficients": "own" if own or len(where) == 1 else "shared"}
    assert expected.items() <= report.items(), report
    assert report["backward_error"] <= 10 * EPSILON[kind], report
    assert report["threads"] >= 1 and report["seconds"] >= 0 and report["method"], report


def test_every_type_order_axis_and_coefficients(slimband):
    shapes = [[5], [1], [3, 7], [17, 2], [2, 3, 5], [4, 1, 3, 2]]
    for matrix_kind in NAMES:
        for rhs_kind in NAMES:
            for shape in shapes:
                axis = random.randrange(len(shape))
                own, periodic, fortran = (random.random() < 0.5 for _ in range(3))
                trial(slimband, matrix_kind, rhs_kind, shape, axis, fortran, own, periodic)


def test_each_axis_of_an_array(slimband):
    for axis in range(4):
        for own in (False, True):
            for fortran in (False, True):
                trial(slimband, "<f8", "<f8", [3, 4, 5, 6], axis, fortran, own, True)


def test_recorded_answer(slimband):
    """x = 1, 2, 3, 4, 5 under the second difference, worked by hand."""
    make_npy.write("ab.npy", "<f8", [3, 5], [math.nan] + [-1.0] * 4 + [2.0] * 5 + [-1.0] * 4 + [math.nan])
    make_npy.write("b.npy", "<f8", [5], [0.0, 0.0, 0.0, 0.0, 6.0])
    report = run(slimband, "-m", "ab.npy", "-l1", "-u1", "-b", "b.npy", "-o", "x.npy", "--threads", "1")
    check_solution("<f8", [5], False, [1.0, 2.0, 3.0, 4.0, 5.0])
    assert report["threads"] == 1


def test_matrix_that_needs_pivoting(slimband):
    make_npy.write("ab.npy", "<f8", [3, 2], [0.0, 1.0, 0.0, 0.0, 2.0, 0.0])
    make_npy.write("b.npy", "<f8", [2], [3.0, 8.0])
    report = run(slimband, "-m", "ab.npy", "-l1", "-u1", "-b", "b.npy", "-o", "x.npy")
    check_solution("<f8", [2], False, [4.0, 3.0])
    assert report["pivoted"] == 1


def test_rows_that_repeat_are_toeplitz_for_the_method_that_needs_it(slimband):
    """Row i is -1 4 -1 but for the first, 5 -2, and the last, -3 6."""
    for n in (3, 4, 10):
        ab = [[9.0, -2.0] + [-1.0] * (n - 2), [5.0] + [4.0] * (n - 2) + [6.0], [-1.0] * (n - 2) + [-3.0, 9.0]]
        for ends in ([], ["--periodic"]):
            x = [float(i + 1) for i in range(n)]
            make_npy.write("ab.npy", "<f8", [3, n], sum(ab, []))
            make_npy.write("b.npy", "<f8", [n], multiply(ab, 1, 1, x, bool(ends)))
            report = run(slimband, "-m", "ab.npy", "-l1", "-u1", "-b", "b.npy", "-o", "x.npy", "--method",
                         "cr_toeplitz", "--pivoting", "none", *ends)
            check_solution("<f8", [n], False, x)
            assert (report["method"], report["coefficients"]) == ("cr_toeplitz", "toeplitz"), report


def test_matrix_market(slimband):
    coordinate = "%%matrixMARKET Matrix Coordinate "
    cases = [
        # 2 1 .; 1 4 1; . 1 2 with a duplicate that adds up
        (coordinate + "real general\n% comment\n\n3 3 8\n1 1 2\n1 2 1\n2 1 1\n2 2 1\n2 2 3\n2 3 1\n3 2 1\n3 3 2\n",
         [4.0, 12.0, 8.0], [1.0, 2.0, 3.0], "<f8", 1, 1),
        (coordinate + "integer symmetric\n3 3 5\n1 1 2\n2 1 1\n2 2 4\n3 2 1\n3 3 2\n",
         [4.0, 12.0, 8.0], [1.0, 2.0, 3.0], "<f8", 1, 1),
        (coordinate + "complex hermitian\n2 2 3\n1 1 2 0\n2 1 0 1\n2 2 2 0\n",
         [2 - 1j, 2 + 1j], [1 + 0j, 1 + 0j], "<c16", 1, 1),
        (coordinate + "real skew-symmetric\n2 2 1\n2 1 3\n", [-6.0, 3.0], [1.0, 2.0], "<f8", 1, 1),
        ("%%MatrixMarket matrix array real general\n2 2\n1\n0\n2\n4\n", [5.0, 8.0], [1.0, 2.0], "<f8", 0, 1),
        ("%%MatrixMarket matrix array real symmetric\n2 2\n3\n1\n2\n", [5.0, 5.0], [1.0, 2.0], "<f8", 1, 1),
    ]
    for text, b, x, kind, lower, upper in cases:
        with open("matrix", "w", encoding="ascii") as file:
            file.write(text)
        make_npy.write("b.npy", kind, [len(b)], b)
        report = run(slimband, "--matrix", "matrix", "--rhs", "b.npy", "--output", "x.npy")
        assert (report["lower"], report["upper"]) == (lower, upper), report
        check_solution(kind, [len(x)], False, x)


def test_matrix_market_ring(slimband):
    """The corners of a periodic matrix belong to the narrow band."""
    entries = [(i + 1, (i + k) % 9 + 1, 4 if k == 0 else -1) for i in range(9) for k in (-1, 0, 1)]
    with open("ring.mtx", "w", encoding="ascii") as file:
        file.write(f"%%MatrixMarket matrix coordinate real general\n9 9 {len(entries)}\n")
        file.writelines(f"{i} {j} {value}\n" for i, j, value in entries)
    x = [float(i) for i in range(9)]
    b = [4 * x[i] - x[i - 1] - x[(i + 1) % 9] for i in range(9)]
    make_npy.write("b.npy", "<f8", [9], b)
    report = run(slimband, "-m", "ring.mtx", "-b", "b.npy", "-o", "x.npy", "--periodic")
    assert (report["lower"], report["upper"], report["ends"]) == (1, 1, "periodic"), report
    check_solution("<f8", [9], False, x)


def test_input_through_a_pipe_and_output_over_the_input(slimband):
    make_npy.write("ab.npy", "<f8", [1, 3], [2.0, 4.0, 8.0])
    make_npy.write("b.npy", "<f8", [3], [2.0, 8.0, 24.0])
    os.chmod("b.npy", 0o640)
    os.mkfifo("pipe")
    with subprocess.Popen("cat ab.npy > pipe", shell=True):
        run(slimband, "-m", "pipe", "-l0", "-u0", "-b", "b.npy", "-o", "b.npy")
    assert make_npy.read("b.npy")[3] == [1.0, 2.0, 3.0]
    assert os.stat("b.npy").st_mode & 0o777 == 0o640


def test_report_for_people(slimband):
    make_npy.write("ab.npy", "<f8", [1, 3], [2.0, 4.0, 8.0])
    make_npy.write("b.npy", "<f8", [3], [2.0, 8.0, 24.0])
    options = ["--matrix", "ab.npy", "--lower", "0", "--upper", "0", "--rhs", "b.npy", "--output", "x.npy"]
    said = subprocess.run([slimband, "solve", *options], capture_output=True, text=True, check=True).stdout
    for word in ("n  ", "batch", "method", "threads", "time", "GB/s", "backward error"):
        assert word in said, said


def test_progress_is_shown_on_a_terminal_and_wiped(slimband):
    make_npy.write("ab.npy", "<f8", [1, 3], [2.0, 4.0, 8.0])
    make_npy.write("b.npy", "<f8", [3], [2.0, 8.0, 24.0])
    options = ["--matrix", "ab.npy", "--lower", "0", "--upper", "0", "--rhs", "b.npy", "--output", "x.npy"]
    terminal, process_side = pty.openpty()
    done = subprocess.run([slimband, "solve", *options], stdout=subprocess.DEVNULL, stderr=process_side)
    shown = ""
    # What a process wrote to a terminal can be read only some time after it has ended: seen in CI.
    while not ("solving" in shown and shown.endswith("\r\033[K")) and select.select([terminal], [], [], 10)[0]:
        shown += os.read(terminal, 4096).decode()
    os.close(process_side)
    os.close(terminal)
    assert done.returncode == 0 and "solving" in shown and "\n" not in shown, shown
    assert shown.endswith("\r\033[K"), shown


def test_help_version_info_and_methods(slimband):
    def said(*options):
        done = subprocess.run([slimband, *options], capture_output=True, text=True)
        assert done.returncode == 0 and not done.stderr, (options, done.stderr)
        return done.stdout

    for command in ("solve", "smooth", "generate", "info", "methods"):
        assert command in said("--help")
        assert f"Usage: slimband {command}" in said(command, "--help")
        assert said(command, "--version") == said("--version")
    info = json.loads(said("info", "--json"))
    assert info["cores"] >= 1 and "cpu" in info["backends"], info
    bound = subprocess.run([slimband, "info", "--json"], capture_output=True, text=True, check=True,
                           env=dict(os.environ, OMP_PROC_BIND="true"))
    assert json.loads(bound.stdout)["cores"] == info["cores"], bound.stdout
    names = [method["name"] for method in json.loads(said("methods", "--json"))]
    assert {"thomas", "twisted", "lu", "cr", "pcr", "wang_mou", "tpr"} <= set(names), names
    assert all(name in said("methods") for name in names)


def test_full_standard_output_is_an_error(slimband):
    with open("/dev/full", "w", encoding="ascii") as full:
        done = subprocess.run([slimband, "methods"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done


def test_a_report_that_is_lost_leaves_no_file(slimband):
    """And an old one as it was."""
    make_npy.write("ab.npy", "<f8", (1, 3), [2.0] * 3)
    make_npy.write("b.npy", "<f8", (3,), [1.0] * 3)
    with open("series.csv", "w", encoding="ascii") as series:
        series.write("a,1\nb,2\nc,4\nd,3\n")
    with open("old", "w", encoding="ascii") as old:
        old.write("old")
    before = sorted(os.listdir("."))
    solve = ["solve", "--matrix", "ab.npy", "--lower", "0", "--upper", "0", "--rhs", "b.npy"]
    smooth = ["smooth", "series.csv", "--lambda", "1"]
    for job in ([*solve, "--output", "x.npy"], [*solve, "--output", "old"],
                [*smooth, "--output", "trend.csv", "--chart", "trend.svg"],
                [*smooth, "--output", "trend.csv", "--chart", "old"], [*smooth, "--output", "old"]):
        for report in ([], ["--json"]):
            with open("/dev/full", "w", encoding="ascii") as full:
                done = subprocess.run([slimband, *job, *report], stdout=full, stderr=subprocess.PIPE, text=True)
            sentence = f"slimband {job[0]}: standard output: the disk is full\n"
            assert (done.returncode, done.stderr) == (2, sentence), (job, done)
            assert sorted(os.listdir(".")) == before, (job, os.listdir("."))
            with open("old", encoding="ascii") as old:
                assert old.read() == "old", job


def test_a_closed_standard_output_leaves_no_file(slimband):
    """Also where there is nothing to be said."""
    make_npy.write("ab.npy", "<f8", (1, 3), [2.0] * 3)
    make_npy.write("b.npy", "<f8", (3,), [1.0] * 3)
    for job in ("generate --matrix 1 --size 9 --output new.npy",
                "solve --matrix ab.npy --lower 0 --upper 0 --rhs b.npy --output new.npy"):
        done = subprocess.run(["sh", "-c", f'"$1" {job} >&-', "sh", slimband], capture_output=True, text=True)
        assert done.returncode == 2 and "standard output: Bad file descriptor" in done.stderr, (job, done)
        assert done.stderr.count("\n") == 1, (job, done)
        assert sorted(os.listdir(".")) == ["ab.npy", "b.npy"], (job, os.listdir("."))


def main(slimband, seed=None):
    seed = int(seed) if seed else random.randrange(2**32)
    print("seed", seed)
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            random.seed(seed)
            with tempfile.TemporaryDirectory() as place:
                os.chdir(place)
                test(slimband)
                os.chdir("/")
            print("good:", name)


if __name__ == "__main__":
    main(*sys.argv[1:])
