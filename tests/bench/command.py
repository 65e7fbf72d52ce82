#!/usr/bin/env python3
"""slimband bench on tiny problems: what it prints, and what it refuses.

command.py SLIMBAND
"""

import json
import math
import os
import subprocess
import sys
import tempfile

SLIMBAND = os.path.abspath(sys.argv[1])
KEYS = ["case", "method", "type", "n", "batch", "band", "ends", "coefficients", "layout", "in_place", "threads",
        "ns_per_row", "gb_per_s", "ceiling_gb_per_s", "ceiling_fraction", "residual", "executor", "caches", "pivoting",
        "peers", "best_peer"]


def run(*arguments):
    return subprocess.run([SLIMBAND, "bench", *arguments], capture_output=True, text=True, timeout=60)


def rows(*arguments):
    done = run(*arguments, "--json", "--repeat", "3")
    assert done.returncode == 0 and not done.stderr, (arguments, done)
    return [json.loads(line) for line in done.stdout.splitlines()]


def check_numbers(row):
    assert sorted(row) == sorted(KEYS), row
    for key in KEYS[11:16]:
        assert math.isfinite(row[key]) and row[key] >= 0, row
    assert row["ns_per_row"] > 0 and row["residual"] < 1e-12, row
    assert math.isclose(row["ceiling_fraction"], row["gb_per_s"] / row["ceiling_gb_per_s"], rel_tol=1e-4), row
    for name, peer in row["peers"].items():
        if peer["ratio"] is None:
            assert peer["ns_per_row"] is None and peer["note"], (name, peer)
        else:
            assert list(peer) == ["ns_per_row", "ratio"], (name, peer)
            assert math.isclose(peer["ratio"], peer["ns_per_row"] / row["ns_per_row"], rel_tol=1e-4), (name, peer)


def test_single():
    (row,) = rows("single", "--size", "100", "--against", "thomas,lapack,mkl", "--mkl", "/nowhere", "--threads", "1")
    check_numbers(row)
    expected = ["single", "auto", "f64", 100, 1, "tri", "open", "own", "contiguous", False, 1]
    assert [row[key] for key in KEYS[:11]] == expected, row
    assert list(row["peers"]) == ["thomas", "lapack", "mkl"], row
    assert row["peers"]["thomas"]["ratio"] > 0, row
    assert row["peers"]["mkl"]["note"] == "not installed", row
    assert (row["executor"], row["caches"], row["pivoting"]) == ("cpu", "warm", "auto"), row
    assert row["best_peer"] in ("thomas", "lapack"), row


def test_batch():
    both = rows("batch", "--size", "30", "--batch", "12", "--type", "c128", "--band", "3,1", "--ends", "periodic",
                "--coefficients", "shared", "--layout", "axis:1", "--in-place", "--flush", "--methods", "lu,pivoted_lu")
    assert [row["method"] for row in both] == ["lu", "pivoted_lu"], both
    for row in both:
        check_numbers(row)
        assert [row[key] for key in KEYS[:11] if key not in ("method", "threads")] == [
            "batch", "c128", 30, 12, "3,1", "periodic", "shared", "axis:1", True], row


def test_own_matrices_factored_before():
    (row,) = rows("batch", "--size", "30", "--batch", "12", "--factored", "--against", "thomas,thomas_prefactored")
    assert (row["coefficients"], row.pop("factored")) == ("own", True), row
    check_numbers(row)
    assert row["peers"]["thomas"]["note"] == "factors in the clock", row
    assert row["peers"]["thomas_prefactored"]["note"] == "keeps the factors of one matrix", row
    (row,) = rows("batch", "--size", "30", "--batch", "12", "--factored", "--coefficients", "shared")
    assert "factored" not in row, row


def test_all_methods():
    names = [row["method"] for row in rows("single", "--size", "50", "--methods", "all")]
    fewer = [row["method"] for row in rows("single", "--size", "50", "--methods", "all,-lu,-auto")]
    refuse("--methods -magic: no method of this name", "single", "--methods", "all,-magic")
    assert fewer == [name for name in names if name not in ("auto", "lu")], (names, fewer)
    known = json.loads(subprocess.run([SLIMBAND, "methods", "--json"], capture_output=True, check=True).stdout)
    assert names[0] == "auto" and "thomas" in names and "cr_toeplitz" not in names, names
    assert set(names[1:]) <= {method["name"] for method in known}, names


def test_table():
    done = run("single", "--size", "50", "--against", "thomas", "--repeat", "1")
    assert done.returncode == 0 and not done.stderr, done
    for words in ("5 words a row", "memory ceiling", "auto", "against", "vs auto", "thomas"):
        assert words in done.stdout, done.stdout


def refuse(sentence, *arguments):
    done = run(*arguments)
    assert done.returncode == 2 and not done.stdout, (arguments, done)
    assert done.stderr.startswith("slimband bench: ") and done.stderr.count("\n") == 1, (arguments, done.stderr)
    assert sentence in done.stderr and "slimband_" not in done.stderr, (sentence, done.stderr)


def test_refusals():
    every = json.loads(subprocess.run([SLIMBAND, "methods", "--json"], capture_output=True, check=True).stdout)
    refuse("which case?")
    refuse("--switch-point must be", "single", "--switch-point", "31")
    refuse("--output has no meaning for the case choice", "choice", "--output", "folder")
    refuse("--size has no meaning for the case choice", "choice", "--size", "3")
    refuse("unknown case 'double'", "double")
    refuse("unexpected argument 'batch'", "single", "batch")
    refuse("--size must be", "single", "--size", "0")
    refuse("of memory", "single", "--size", str(2**40))
    refuse("overflow", "batch", "--size", str(2**40), "--batch", str(2**40))
    refuse("--band must be tri, penta or L,U", "single", "--band", "9,1")
    refuse("--layout must be", "batch", "--layout", "axis:3")
    refuse("--type must be one of f32, f64, c64, c128", "single", "--type", "f16")
    refuse("--ends must be one of open, periodic", "single", "--ends", "closed")
    refuse("--coefficients must be one of own, shared, toeplitz", "single", "--coefficients", "none")
    refuse("--dominance must be a positive number", "single", "--dominance", "-1")
    refuse("--repeat must be", "single", "--repeat", "0")
    refuse("--batch has no meaning for the case single", "single", "--batch", "3")
    refuse("--layout has no meaning for the case single", "single", "--layout", "interleaved")
    refuse("--output has no meaning for the case batch", "batch", "--output", "folder")
    refuse("--methods magic: no method of this name", "single", "--methods", "auto,magic")
    refuse("--methods -thomas only leaves out", "single", "--methods=-thomas")
    refuse("--methods all,-auto,-lu", "single", "--methods", "all," + ",".join(
        "-" + method["name"] for method in [{"name": "auto"}, {"name": "lu"}, *every]))
    refuse("--methods cr_toeplitz: this method needs Toeplitz", "single", "--methods", "cr_toeplitz")
    refuse("--against: there is no 'gauss'; there are thomas,", "single", "--against", "thomas,gauss")


def test_caches_and_pivoting():
    for caches, option in (("cold", "--flush"), ("warm", "--warm")):
        (row,) = rows("single", "--size", "50", "--pivoting", "partial", option)
        assert (row["caches"], row["pivoting"]) == (caches, "partial"), row
    refuse("caches are either cold or warm", "single", "--flush", "--warm")
    refuse("--in-a-row needs --executor cuda", "single", "--in-a-row", "5")
    for option in ("--in-place", "--flush"):
        refuse("--in-a-row and " + option, "single", "--executor", "cuda", "--in-a-row", "5", option)
    refuse("--pivoting must be one of auto, none, partial", "single", "--pivoting", "full")
    refuse("--methods thomas: this method does not pivot", "single", "--methods", "thomas", "--pivoting", "partial")


def test_cuda_without_a_device():
    """Where there is one, the numbers are tests/gpu/run's business."""
    refuse("--executor must be one of cpu, cuda", "single", "--executor", "gpu")
    refuse("--executor has no meaning for the case choice", "choice", "--executor", "cuda")
    refuse("there is no 'cusparse'", "single", "--against", "cusparse")
    with tempfile.TemporaryDirectory() as place:
        folder = os.path.join(place, "grid")
        refuse("--large has no meaning for the grid of --executor cuda", "grid", "--executor", "cuda", "--large",
               "--output", folder)
        cases = (["single", "--size", "50"], ["batch"], ["grid", "--quick", "--output", folder])
        first = run(*cases[0], "--executor", "cuda")
        if first.returncode == 0:
            return
        for case in cases:
            refuse("--executor cuda: ", *case, "--executor", "cuda")
        sentences = ("there is no usable CUDA device", "this backend was left out")
        assert any(sentence in first.stderr for sentence in sentences), first.stderr
        assert not os.listdir(place), os.listdir(place)


def test_switch_point():
    arguments = ["single", "--size", "50", "--methods", "pcr_thomas,pcr_thomas:form=plain,pcr_thomas:switch=1,cr"]
    names = [row["method"] for row in rows(*arguments, "--switch-point", "3")]
    assert names == ["pcr_thomas:switch=3", "pcr_thomas:form=plain,switch=3", "pcr_thomas:switch=1", "cr"], names


def test_lass():
    with tempfile.TemporaryDirectory() as place:
        folder = os.path.join(place, "lass")
        refuse("--output is missing", "lass")
        refuse("--methods has no meaning for the case lass", "lass", "--output", folder, "--methods", "cr")
        assert not os.listdir(place), os.listdir(place)
        done = run("lass", "--output", folder, "--largest", "3000", "--switch-point", "3", "--repeat", "1", "--threads", "1",
                   "--against", "thomas")
        assert done.returncode == 0 and not done.stderr, done
        with open(os.path.join(folder, "results.jsonl"), encoding="utf-8") as file:
            measured = {row["variant"]: row for row in map(json.loads, file)}
        assert {"P+T", "P+TO", "P+TT", "SP+T", "CR", "PCR", "Thomas"} <= set(measured), measured
        for row in measured.values():
            assert row["n"] == 3000 and row["residual"] < 1e-12 and row["in_place"], row
            assert row.get("switch_point", 3) == 3 and row["workspace_bytes"] <= row.get("paper_bytes", 1e9) + 1e4, row
            assert row["mean_from_thomas"] <= row["most_from_thomas"] < 1e-14 and "most_from_gtsv" not in row, row
        done = run("lass", "--output", folder + "-late", "--repeat", "1", "--within", "1", "--threads", "1", "--against",
                   "thomas", "--switch-point", "2")
        assert done.returncode == 0 and not done.stderr, done
        with open(os.path.join(folder + "-late", "results.jsonl"), encoding="utf-8") as file:
            assert {row["n"] for row in map(json.loads, file)} == {8388608}, "more sizes than there was time for"
        charts = sorted(name for name in os.listdir(folder) if name.endswith(".svg"))
        assert charts == ["figure-3-1-cores.svg", "figure-3-48-cores.svg", "figure-5-3000.svg", "figure-6-average.svg",
                          "figure-6-largest.svg", "figure-7-thomas.svg"], charts


def test_a_grid_ends_in_time():
    with tempfile.TemporaryDirectory() as place:
        done = run("grid", "--output", place, "--within", "1", "--against", "thomas", "--repeat", "1")
        assert done.returncode == 0 and not done.stderr, done
        with open(os.path.join(place, "results.md"), encoding="utf-8") as file:
            assert "There was no time for" in file.read()


def test_grid_refusals():
    with tempfile.TemporaryDirectory() as place:
        folder = os.path.join(place, "grid")
        refuse("--output is missing", "grid")
        refuse("--size has no meaning for the case grid", "grid", "--output", folder, "--size", "3")
        refuse("--json has no meaning for the case grid", "grid", "--output", folder, "--json")
        refuse("No such file or directory", "grid", "--output", os.path.join(folder, "below"))
        refuse("--methods magic", "grid", "--output", folder, "--methods", "magic")
        refuse("--against: there is no 'gauss'", "grid", "--output", folder, "--against", "gauss")
        refuse("--only tpr: no family", "grid", "--output", folder, "--only", "tpr")
        refuse("--quick has no meaning for the case single", "single", "--quick")
        assert not os.listdir(place), os.listdir(place)


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print(f"{name}: good")


if __name__ == "__main__":
    main()
