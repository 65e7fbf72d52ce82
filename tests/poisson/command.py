#!/usr/bin/env python3
"""slimband poisson: known solutions, files in and out, the same answer by constants and by .npz, and every refusal.

command.py SLIMBAND
"""

import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "command"))
import make_npy  # noqa: E402

WALLS = ["dd", "dn", "nd", "nn", "pp"]


def run(*arguments):
    return subprocess.run([SLIMBAND, "poisson", *map(str, arguments)], capture_output=True, text=True, timeout=120)


def report(*arguments):
    done = run(*arguments, "--json")
    assert done.returncode == 0 and not done.stderr, (arguments, done)
    return json.loads(done.stdout)


def save_npz(path, members, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, (kind, shape, numbers) in members.items():
            make_npy.write("member.npy", kind, shape, numbers)
            archive.write("member.npy", name + ".npy")
    os.remove("member.npy")


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)


class GoodRuns(InAFolder):
    def test_the_known_solution_is_approached_in_second_order(self):
        for ends in (["dd", "dd"], ["dn", "pp"], ["nn", "nd"], ["nn", "pp"]):
            for centring in ("node", "cell"):
                errors = [report("--size", f"{n},{n}", "--ends", ",".join(ends), "--centring", centring,
                                 "--length", "1,2")["error"] for n in (40, 80)]
                self.assertGreater(errors[0] / errors[1], 3.3, (ends, centring, errors))

    def test_a_gpu_gives_the_same_answer_or_a_sentence(self):
        problem = ("--size", "33,20", "--ends", "dd,nn")
        done = run(*problem, "--executor", "cuda", "--json")
        if done.returncode:
            self.assertIn("--executor cuda: ", done.stderr)
        else:
            there, here = json.loads(done.stdout), report(*problem)
            self.assertAlmostEqual(there["error"], here["error"], delta=1e-9)

    def test_three_axes_one_axis_and_single_precision(self):
        tree = report("--size", "15,16,17", "--ends", "dd,nn,pp", "--lambda", "2", "--type", "f32")
        self.assertEqual((tree["size"], tree["ends"], tree["type"]), ([15, 16, 17], ["dd", "nn", "pp"], "f32"))
        self.assertLess(tree["backward_error"], 1e-6)
        self.assertLess(report("--size", 1000)["error"], 1e-4)

    def test_methods_write_the_same_solution(self):
        fields = []
        for method in ("spectral", "bcr2", "bcr4"):
            tree = report("--size", "31,20", "--method", method, "--output", "u.npy")
            self.assertEqual(tree["method"], method)
            kind, shape, fortran, u = make_npy.read("u.npy")
            self.assertEqual((kind, shape, fortran), ("<f8", (31, 20), False))
            fields.append(u)
        for other in fields[1:]:
            self.assertLess(max(abs(a - b) for a, b in zip(fields[0], other)), 1e-11)

    def test_boundary_values_as_constants_and_as_files(self):
        make_npy.write("f.npy", "<f8", (5, 4), [math.sin(k) for k in range(20)])
        run("--rhs", "f.npy", "--ends", "dn,dd", "--boundary", "1,-2,0.5,3", "--output", "a.npy")
        save_npz("walls.npz", {"low0": ("<f8", (4,), [1.0] * 4), "high0": ("<f4", (), [-2.0]),
                               "low1": ("<f8", (5,), [0.5] * 5), "high1": ("<f8", (1,), [3.0])})
        run("--rhs", "f.npy", "--ends", "dn,dd", "--boundary", "walls.npz", "--output", "b.npy")
        self.assertEqual(make_npy.read("a.npy"), make_npy.read("b.npy"))
        run("--rhs", "f.npy", "--ends", "dn,dd", "--output", "c.npy")
        self.assertNotEqual(make_npy.read("a.npy"), make_npy.read("c.npy"))

    def test_walls_of_several_fields_and_of_boxes(self):
        """Of a box' walls, and of fields one after another, as of each field alone."""
        f = [math.sin(k) for k in range(120)]
        wall = [math.cos(k) for k in range(40)]
        make_npy.write("f.npy", "<f8", (2, 3, 4, 5), f)
        save_npz("walls.npz", {"low0": ("<f8", (2, 4, 5), wall), "high2": ("<f8", (2, 3, 4), wall[:24])})
        report("--rhs", "f.npy", "--size", "3,4,5", "--boundary", "walls.npz", "--output", "u.npy")
        both = make_npy.read("u.npy")[3]
        for field in range(2):
            make_npy.write("f.npy", "<f8", (3, 4, 5), f[60 * field:60 * field + 60])
            save_npz("walls.npz", {"low0": ("<f8", (4, 5), wall[20 * field:20 * field + 20]),
                                   "high2": ("<f8", (3, 4), wall[12 * field:12 * field + 12])})
            report("--rhs", "f.npy", "--boundary", "walls.npz", "--output", "u.npy")
            self.assertEqual(make_npy.read("u.npy")[3], both[60 * field:60 * field + 60])

    def test_constants_begin_as_numbers_may(self):
        """As .5, -.5 and 1e-1 as well as with a digit in front; and a file may be called by a number."""
        make_npy.write("f.npy", "<f8", (4, 5), [math.sin(k) for k in range(20)])
        report("--rhs", "f.npy", "--boundary", "0.5,-0.5,0.1,0", "--output", "a.npy")
        save_npz("5,5.npz", {name: ("<f8", (), [value])
                             for name, value in (("low0", 0.5), ("high0", -0.5), ("low1", 0.1))})
        for values in (".5,-.5,1e-1,0", "+.5,-.5,.1,.0", "5,5.npz"):
            report("--rhs", "f.npy", "--boundary", values, "--output", "b.npy")
            self.assertEqual(make_npy.read("a.npy"), make_npy.read("b.npy"), values)

    def test_constants_stand_at_periodic_axes_as_zeros(self):
        make_npy.write("f.npy", "<f8", (4, 5), [math.sin(k) for k in range(20)])
        report("--rhs", "f.npy", "--ends", "dd,pp", "--boundary", "1,2,0,0", "--output", "u.npy")

    def test_a_hand_made_system(self):
        """Two unknowns, h = 1/3: 9 (2 u0 - u1) = 9 + 9 and 9 (2 u1 - u0) = 9 + 18."""
        make_npy.write("f.npy", "<f8", (2,), [9.0, 9.0])
        done = run("--rhs", "f.npy", "--boundary", "1,2", "--output", "u.npy")
        self.assertEqual(done.returncode, 0, done)
        u = make_npy.read("u.npy")[3]
        for got, exact in zip(u, (7 / 3, 8 / 3)):
            self.assertAlmostEqual(got, exact, places=13)

    def test_many_right_hand_sides(self):
        make_npy.write("f.npy", "<f4", (3, 5, 4), [math.cos(k) for k in range(60)])
        tree = report("--rhs", "f.npy", "--size", "5,4", "--ends", "nn,pp", "--mean", 2, "--output", "u.npy")
        self.assertEqual((tree["fields"], tree["singular"]), (3, True))
        self.assertEqual(make_npy.read("u.npy")[1], (3, 5, 4))

    def test_a_picture_is_a_png(self):
        report("--size", "9,12,30", "--picture", "u.png")
        with open("u.png", "rb") as file:
            head = file.read(24)
        self.assertEqual(head[:8], b"\x89PNG\r\n\x1a\n")
        width, height = struct.unpack(">II", head[16:24])
        self.assertGreaterEqual(width, height)


class Benchmarks(InAFolder):
    def test_methods_and_the_peer_take_turns(self):
        done = subprocess.run([SLIMBAND, "bench", "poisson", "--size", "31,40", "--methods", "spectral,bcr2,bcr4",
                               "--against", "fftw", "--repeat", "3", "--json"], capture_output=True, text=True,
                              timeout=120)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([row["method"] for row in rows], ["spectral", "bcr2", "bcr4"])
        for row in rows:
            self.assertLess(row["residual"], 1e-13)
            self.assertAlmostEqual(row["fftw_ratio"], row["fftw_ns_per_point"] / row["ns_per_point"], places=3)

    def test_every_wall_is_measured(self):
        for ends in ("dn", "nd", "nn", "pp", "dd,pp"):
            for centring in ("node", "cell"):
                done = subprocess.run([SLIMBAND, "bench", "poisson", "--size", "20,33", "--ends", ends, "--centring", centring,
                                       "--repeat", "1", "--json"], capture_output=True, text=True, timeout=120)
                self.assertEqual((done.returncode, done.stderr), (0, ""), (ends, centring))
                row = json.loads(done.stdout)
                self.assertEqual((row["ends"][0], row["centring"]), (ends[:2], centring))
                self.assertLess(row["residual"], 1e-13)

    def test_figures_are_drawn_from_the_lines_beside_them(self):
        done = subprocess.run([SLIMBAND, "bench", "poisson", "--figures", "figures", "--size", "15,7", "--repeat", "2"],
                              capture_output=True, text=True, timeout=120)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        with open("figures/results.jsonl", encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        here = [(row["method"], row["size"]) for row in rows if row["executor"] == "cpu"]
        self.assertEqual(here, [(m, size) for size in ([7, 7], [15, 15], [7, 7, 7]) for m in ("bcr2", "bcr4")])
        for row in rows:
            self.assertLess(row["residual"], 1e-13)
            self.assertGreater(row["ns_per_point"], 0)
        names = {"results.jsonl", "figure-3.svg", "figure-4.svg"}
        if len(rows) > len(here):
            names.add("figure-5.svg")
        self.assertEqual(set(os.listdir("figures")), names)

    def test_figures_of_a_gpu_need_one(self):
        figures = ("bench", "poisson", "--figures", "figures", "--size", "7,7", "--repeat", "1", "--executor", "cuda")
        done = subprocess.run([SLIMBAND, *figures], capture_output=True, text=True, timeout=120)
        if done.returncode:
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done)
            self.assertIn("--executor cuda: ", done.stderr)
            self.assertEqual(os.listdir("."), [])
        else:
            self.assertIn("figure-5.svg", os.listdir("figures"))

    def test_what_cannot_be_measured_is_refused(self):
        for part, arguments in (("n = 2^k - 1", ("--size", "8,8", "--methods", "bcr2")),
                                ("needs two axes", ("--size", "8,8,8", "--against", "fftw")),
                                ("nodes between Dirichlet", ("--size", "8,8", "--ends", "nn", "--against", "fftw")),
                                ("nodes between Dirichlet", ("--figures", "f", "--centring", "cell")),
                                ("--ends", ("--size", "8,8", "--ends", "dd,nn,pp"))):
            done = subprocess.run([SLIMBAND, "bench", "poisson", *arguments], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done)
            self.assertIn(part, done.stderr)


class Refusals(InAFolder):
    def refuse(self, part, *arguments):
        before = sorted(os.listdir("."))
        done = run(*arguments)
        self.assertEqual(done.returncode, 2, (arguments, done))
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("slimband poisson: "), done.stderr)
        self.assertIn(part, done.stderr)
        self.assertNotIn("slimband_", done.stderr)  # a C function
        self.assertEqual(sorted(os.listdir(".")), before)

    def test_options(self):
        out = ("--output", "u.npy", "--picture", "u.png")
        self.refuse("--size is missing", *out)
        self.refuse("--size must be a whole number", "--size", "12,x", *out)
        self.refuse("--size takes 1 to 3 entries", "--size", "2,2,2,2", *out)
        self.refuse("--size must be a whole number in 1..", "--size", "0,3", *out)
        self.refuse("--ends must be one of dd, dn, nd, nn, pp, not 'dp'", "--size", "4,4", "--ends", "dd,dp", *out)
        self.refuse("--ends has 3 entries, but there are 2 axes", "--size", "4,4", "--ends", "dd,dd,dd", *out)
        self.refuse("--length must be positive numbers", "--size", "4,4", "--length", "1,0", *out)
        self.refuse("--centring must be one of node, cell", "--size", "4,4", "--centring", "edge", *out)
        self.refuse("--lambda must be numbers", "--size", "4,4", "--lambda", "nan", *out)
        for given in ((), ("--lambda", 1, "--ends", "nn"), ("--ends", "pp,dn")):
            self.refuse("--mean has no meaning here", "--size", "4,4", "--mean", 2, *given, *out)
        self.refuse("--threads must be", "--size", "4,4", "--threads", 0, *out)
        self.refuse("--executor must be one of cpu, cuda", "--size", "4,4", "--executor", "tpu", *out)
        self.refuse("there are auto, spectral, bcr2 and bcr4", "--size", "4,4", "--method", "fmm", *out)
        self.refuse("--method bcr2:lines=fmm, 'fmm': no method of this name", "--size", "7,7", "--method", "bcr2:lines=fmm", *out)
        self.refuse("n = 2^k - 1", "--size", "4,4", "--method", "bcr4", *out)
        self.refuse("needs lambda >= 0", "--size", "3,4", "--method", "bcr4", "--lambda", -1, *out)
        self.refuse("n >= 1 unknowns", "--size", "1,4", "--ends", "nn", *out)
        self.refuse("--picture needs two or three axes", "--size", "40", *out)
        self.refuse("are the same file", "--size", "4,4", "--output", "u", "--picture", "u")
        self.refuse("are the same file", "--size", "4,4", "--output", "u", "--picture", "./u")
        self.refuse("--boundary needs --rhs", "--size", "4,4", "--boundary", "1,2,3,4", *out)
        self.refuse("cannot be created", "--size", "4,4", "--output", "nowhere/u.npy")
        for length in ("1e-200", "1e200"):
            self.refuse("--length: the points of an axis lie so close together or so far apart", "--size", "40,40", "--length",
                        length, *out)
        h2 = 16  # 2 at nodes of a ring of 4 points: the largest eigenvalue is 4 / h^2
        f32 = ("--size", "7,7", "--type", "f32")
        for lambda_ in ("1e39", "-1e300"):
            for method in ("auto", "bcr2"):
                self.refuse("--lambda is beyond the largest f32", *f32, "--lambda", lambda_, "--method", method, *out)
        self.refuse("--mean is beyond the largest f32", *f32, "--ends", "nn", "--mean", "1e39", *out)
        self.refuse("--lambda is too large", *f32, "--lambda", "3e38", *out)
        self.refuse("--lambda is too large", "--size", "7,7", "--lambda", "1e308", *out)
        self.refuse("is an eigenvalue", "--size", 4, "--ends", "pp", "--lambda", -4 * h2, "--output", "u.npy")

    def test_what_cannot_be_written_leaves_nothing(self):
        self.refuse("/dev/full: the disk is full", "--size", "4,4", "--output", "u.npy", "--picture", "/dev/full")
        self.refuse("/dev/full: the disk is full", "--size", "4,4", "--output", "/dev/full", "--picture", "u.png")
        for report in ([], ["--json"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([SLIMBAND, "poisson", "--size", "4,4", "--output", "u.npy", "--picture", "u.png",
                                       *report], stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual((done.returncode, done.stderr),
                             (2, "slimband poisson: standard output: the disk is full\n"))
            self.assertEqual(os.listdir("."), [])

    def test_files(self):
        make_npy.write("f.npy", "<f8", (4, 5), [1.0] * 20)
        make_npy.write("complex.npy", "<c16", (4, 5), [1j] * 20)
        make_npy.write("nan.npy", "<f8", (4, 5), [1.0] * 19 + [math.nan])
        make_npy.write("fortran.npy", "<f8", (4, 5), [1.0] * 20, fortran=True)
        make_npy.write("empty.npy", "<f8", (0, 5), [])
        make_npy.write("four.npy", "<f8", (1, 1, 2, 2), [1.0] * 4)
        save_npz("short.npz", {"low0": ("<f8", (4,), [1.0] * 4)})
        save_npz("small.npz", {"low0": ("<f8", (5,), [1.0] * 5)}, zipfile.ZIP_DEFLATED)
        save_npz("inf.npz", {"low0": ("<f8", (5,), [math.inf] * 5)})
        save_npz("good.npz", {"low0": ("<f8", (5,), [1.0] * 5)})
        with open("good.npz", "rb") as file:
            good = file.read()
        flipped = bytearray(good)
        flipped[good.index(struct.pack("<d", 1.0))] ^= 1
        for name, data in (("flipped.npz", flipped), ("cut.npz", good[:150]), ("text.npz", b"not an archive" * 9), ("none.npz", b"")):
            with open(name, "wb") as file:
                file.write(data)
        out = ("--output", "u.npy")
        self.refuse("No such file", "--rhs", "nowhere.npy", *out)
        self.refuse("complex.npy: holds complex numbers", "--rhs", "complex.npy", *out)
        self.refuse("nan.npy: entry 19 is NaN or Inf", "--rhs", "nan.npy", *out)
        self.refuse("fortran.npy: is in Fortran order", "--rhs", "fortran.npy", *out)
        self.refuse("empty", "--rhs", "empty.npy", "--size", "5", *out)
        self.refuse("wrong rank 4", "--rhs", "four.npy", *out)
        self.refuse("has 4 entries along axis 0, but --size asks for 5", "--rhs", "f.npy", "--size", "5,5", *out)
        self.refuse("--type has no meaning with --rhs", "--rhs", "f.npy", "--type", "f32", *out)
        self.refuse("--boundary has 3 values, but 2 axes have 4 ends", "--rhs", "f.npy", "--boundary", "1,2,3", *out)
        self.refuse("--boundary must be numbers", "--rhs", "f.npy", "--boundary", "1,2,x,3", *out)
        self.refuse("--boundary must be numbers, not 'nan'", "--rhs", "f.npy", "--boundary", "nan,1,2,3", *out)
        self.refuse("--boundary must be numbers, not '-inf'", "--rhs", "f.npy", "--boundary=-inf,1,2,3", *out)
        make_npy.write("f4.npy", "<f4", (7, 7), [1.0] * 49)
        make_npy.write("f8.npy", "<f8", (7, 7), [1.0] * 49)
        self.refuse("--boundary: 1e+39 is beyond the largest f32", "--rhs", "f4.npy", "--boundary", "1e39,0,0,0", *out)
        self.refuse("numbers beyond the largest f64 arise", "--rhs", "f8.npy", "--boundary", "1e308,0,0,0", *out)
        self.refuse("--lambda is beyond the largest f32", "--rhs", "f4.npy", "--lambda", "1e39", *out)
        self.refuse("--boundary has 1 values, but 2 axes", "--rhs", "f.npy", "--boundary", ".5", *out)
        self.refuse("low0.npy: has shape (4,), but the wall has (5,)", "--rhs", "f.npy", "--boundary", "short.npz",
                    *out)
        self.refuse("is compressed", "--rhs", "f.npy", "--boundary", "small.npz", *out)
        self.refuse("low0.npy: entry 0 is NaN or Inf", "--rhs", "f.npy", "--boundary", "inf.npz", *out)
        self.refuse("flipped.npz: low0.npy is damaged: its checksum differs", "--rhs", "f.npy", "--boundary", "flipped.npz",
                    *out)
        for name in ("cut.npz", "text.npz", "none.npz"):
            self.refuse("not an .npz file, or damaged", "--rhs", "f.npy", "--boundary", name, *out)
        self.refuse("No such file", "--rhs", "f.npy", "--boundary", "nowhere.npz", *out)

    def test_walls_in_other_shapes_and_under_other_names(self):
        make_npy.write("box.npy", "<f8", (3, 4, 5), [1.0] * 60)
        make_npy.write("f.npy", "<f8", (4, 5), [1.0] * 20)
        out = ("--output", "u.npy")
        for shape, said in (((5, 4), "(5, 4)"), ((20,), "(20,)"), ((1, 4, 5), "(1, 4, 5)"), ((1, 1), "(1, 1)")):
            save_npz("walls.npz", {"low0": ("<f8", shape, [1.0] * math.prod(shape))})
            self.refuse(f"low0.npy: has shape {said}, but the wall has (4, 5)", "--rhs", "box.npy", "--boundary",
                        "walls.npz", *out)
        save_npz("walls.npz", {"high0": ("<f8", (5,), [1.0] * 5)})
        self.refuse("high0.npy: has shape (5,), but the wall has (3, 5): the fields stand in front", "--rhs", "box.npy",
                    "--size", "4,5", "--boundary", "walls.npz", *out)
        for name in ("Low0", "left", "low2", "low0.npy", "low0" * 20):
            save_npz("walls.npz", {"low0": ("<f8", (5,), [1.0] * 5), name: ("<f8", (5,), [1.0] * 5)})
            self.refuse("has no meaning here", "--rhs", "f.npy", "--boundary", "walls.npz", *out)
        save_npz("walls.npz", {"low1": ("<f8", (4,), [0.0] * 4)})
        self.refuse("low1.npy has no meaning: axis 1 is periodic", "--rhs", "f.npy", "--ends", "dd,pp", "--boundary",
                    "walls.npz", *out)
        self.refuse("--boundary: axis 0 is periodic, its two values must be 0", "--rhs", "f.npy", "--ends", "pp",
                    "--boundary", "1,2,3,4", *out)


if __name__ == "__main__":
    SLIMBAND = os.path.abspath(sys.argv[1])
    unittest.main(argv=sys.argv[:1])
