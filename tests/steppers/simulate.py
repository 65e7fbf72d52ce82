#!/usr/bin/env python3
"""slimband simulate: numbers against exact solutions, interrupted runs, pictures, and everything that must be refused.

simulate.py SLIMBAND FOLDER_OF_MAKE_NPY [cuda]

With `cuda` the runs are a GPU's, and nothing is tested where there is none.
"""

import json
import math
import os
import pty
import signal
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, sys.argv[2])
import make_npy  # noqa: E402

TAU = 2 * math.pi
ON = ["--executor", "cuda"] if sys.argv[3:] else []


def run(slimband, *options):
    done = subprocess.run([slimband, "simulate", *options, *ON, "--json"], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return json.loads(done.stdout)


def refuse(slimband, pattern, *options):
    before = {name: os.stat(name).st_mtime_ns for name in os.listdir(".")}
    done = subprocess.run([slimband, "simulate", *ON, *options], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2, (options, done)
    said = [line for line in done.stderr.splitlines() if "AddressSanitizer failed to allocate" not in line]
    assert not done.stdout and len(said) == 1, (options, done)
    assert said[0].startswith("slimband simulate: ") and pattern in said[0], (pattern, said)
    assert "slimband_" not in said[0], "names a C function: " + said[0]
    assert {name: os.stat(name).st_mtime_ns for name in os.listdir(".")} == before, (options, os.listdir("."))


def close(numbers, expected, bound):
    worst = max(abs(a - b) for a, b in zip(numbers, expected, strict=True))
    assert worst < bound, worst


def decay(n, waves, dt, steps, gamma=1.0):
    """Crank-Nicolson's factor for a wave on a ring of length 1."""
    s = gamma * dt / 2 * (2 * math.sin(math.pi * waves / n) * n) ** 4
    return ((1 - s) / (1 + s)) ** steps


def test_hyperdiffusion_of_members_with_their_own_gamma(slimband):
    report = run(slimband, "hyperdiffusion", "--size", "64", "--batch", "3", "--steps", "40", "--dt", "1e-7",
                 "--gamma", "1:2", "--output", "c.npy", "--every", "20", "--mean", "0.5")
    kind, shape, _, numbers = make_npy.read("c.npy")
    assert (kind, shape) == ("<f8", (3, 3, 64)) and report["matrices"] == 3, (kind, shape, report)
    expected = [0.5 + decay(64, 2, 1e-7, 20 * frame, 1 + m / 2) * math.cos(TAU * 2 * i / 64)
                for frame in range(3) for m in range(3) for i in range(64)]
    close(numbers, expected, 1e-13)


def test_heat_between_walls_and_in_single_precision(slimband):
    run(slimband, "heat2d", "--size", "15,24", "--steps", "30", "--dt", "1e-3", "--ends", "dd,nn", "--centring", "cell",
        "--initial", "wave", "--waves", "1", "--output", "u.npy", "--type", "f32", "--length", "1,2")
    kind, shape, _, numbers = make_npy.read("u.npy")
    assert (kind, shape) == ("<f4", (15, 24)), (kind, shape)
    factor = 1
    for n, length in ((15, 1), (24, 2)):
        s = 1e-3 / 2 * (2 * math.sin(math.pi / 2 / n) * n / length) ** 2
        factor *= ((1 - s) / (1 + s)) ** 30
    expected = [factor * math.sin(math.pi * (i + 0.5) / 15) * math.cos(math.pi * (j + 0.5) / 24)
                for i in range(15) for j in range(24)]
    close(numbers, expected, 1e-5)


def test_heat_flows_from_wall_to_wall(slimband):
    options = ["heat2d", "--size", "9,6", "--steps", "600", "--dt", "0.01", "--ends", "dd,nn", "--boundary", "1,3,0,0",
               "--initial", "wave", "--amplitude", "0", "--output", "u.npy"]
    done = subprocess.run([slimband, "simulate", *options, *ON], capture_output=True, text=True)
    if "needs FFTW" in done.stderr:
        print("skipped: this build left FFTW out")
        refuse(slimband, "needs FFTW", *options)
        return
    run(slimband, *options)
    close(make_npy.read("u.npy")[3], [1 + 2 * (i + 1) / 10 for i in range(9) for j in range(6)], 1e-9)


def test_heat_in_a_box_keeps_its_mean(slimband):
    report = run(slimband, "heat3d", "--size", "12", "--batch", "2", "--steps", "9", "--dt", "1e-3", "--order", "4",
                 "--output", "u.npy", "--diffusivity", "1:3", "--threads", "1")
    _, shape, _, numbers = make_npy.read("u.npy")
    assert shape == (2, 12, 12, 12), shape
    close([sum(numbers[:1728]) / 1728, sum(numbers[1728:]) / 1728], [1 / 8, 1 / 8], 1e-14)
    assert report["mean_drift"] < 1e-14 and max(numbers[1728:]) < max(numbers[:1728]) < 1, report


def test_cahn_hilliard_separates(slimband):
    report = run(slimband, "cahn-hilliard", "--size", "128", "--batch", "8", "--steps", "5000", "--dt", "1e-3",
                 "--gamma", "1e-3", "--seed", "3")
    assert report["energy"] < 0.5 * report["energy_before"] and report["mean_drift"] < 1e-13, report
    assert report["least"] < -0.98 and report["largest"] > 0.98, report
    assert report["scheme"].startswith("semi-implicit") and abs(report["time"] - 5) < 1e-12, report


def test_a_start_from_a_file(slimband):
    values = [math.cos(TAU * i / 32) * (1 + m) for m in range(2) for i in range(32)]
    options = ["hyperdiffusion", "--size", "32", "--batch", "2", "--steps", "3", "--dt", "1e-6", "--output", "c.npy"]
    make_npy.write("start.npy", "<f8", [2, 32], values, fortran=True)
    run(slimband, *options, "--initial", "start.npy")
    close(make_npy.read("c.npy")[3], [decay(32, 1, 1e-6, 3) * value for value in values], 1e-13)
    make_npy.write("start.npy", "<f8", [32], values[:32])
    run(slimband, *options, "--initial", "start.npy")
    close(make_npy.read("c.npy")[3], [decay(32, 1, 1e-6, 3) * value for value in 2 * values[:32]], 1e-13)


def picture_size(path):
    with open(path, "rb") as file:
        raw = file.read()
    assert raw.startswith(b"\x89PNG\r\n\x1a\n") and raw.endswith(b"IEND\xaeB`\x82"), raw[:16]
    return struct.unpack(">II", raw[16:24])


def test_pictures(slimband):
    run(slimband, "cahn-hilliard", "--size", "400", "--steps", "399", "--dt", "1e-4", "--gamma", "1e-3", "--picture", "a.png")
    assert picture_size("a.png") == (400, 400)
    run(slimband, "heat2d", "--size", "20,40", "--steps", "3", "--dt", "1e-3", "--picture", "b.png")
    assert picture_size("b.png") == (320, 320)
    run(slimband, "heat3d", "--size", "9,330,350", "--steps", "0", "--dt", "1e-3", "--picture", "c.png")
    assert picture_size("c.png") == (350, 330)


def long_run(slimband):
    """Options of a run of a second or two, also where sanitizers slow it down, and how many steps it has."""
    def some(steps):
        return ["cahn-hilliard", "--size", "1024", "--batch", "12", "--steps", str(steps), "--every", str(steps // 4),
                "--dt", "1e-4", "--gamma", "5e-4", "--forcing", "0:1", "--forcing-speed", "2"]

    seconds = min(run(slimband, *some(800), "--output", "whole.npy")["seconds"] for _ in range(3))
    steps = 800 * max(1, math.ceil(1.5 / seconds))
    return some(steps), steps


def stop(slimband, signal_number, *options):
    """Start it, and stop it as soon as it listens; true if it was not done already."""
    with subprocess.Popen([slimband, "simulate", *options, *ON], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as p:
        while p.poll() is None and not any(name.startswith(".slimband") for name in os.listdir(".")):
            time.sleep(0.01)
        time.sleep(0.1)
        p.send_signal(signal_number)
        said = p.communicate(timeout=60)[1]
    if p.returncode == 0:
        return False
    assert p.returncode == 128 + signal_number, (p.returncode, said)
    assert said.count("\n") == 1 and "interrupted after step" in said and "goes on from run.ckpt" in said, said
    assert sorted(os.listdir(".")) == ["run.ckpt", "whole.npy", "whole.png"], os.listdir(".")
    return True


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def test_interrupted_runs_go_on_to_the_same_bits(slimband):
    long, steps = long_run(slimband)
    run(slimband, *long, "--output", "whole.npy", "--picture", "whole.png")
    options = [*long, "--output", "c.npy", "--picture", "c.png", "--checkpoint", "run.ckpt"]
    for signal_number in (signal.SIGINT, signal.SIGTERM):
        stops = 0
        while stops < 3 and stop(slimband, signal_number, *options):
            stops += 1
        if stops == 3:
            report = run(slimband, *options, "--threads", "1")
            assert 0 < report["resumed_at"] < steps and report["steps"] == steps, report
        assert stops > 0
        assert contents("c.npy") == contents("whole.npy") and contents("c.png") == contents("whole.png")
        assert not os.path.exists("run.ckpt")
        os.remove("c.npy")
        os.remove("c.png")


def test_wrong_checkpoints_are_refused_and_kept(slimband):
    long, _ = long_run(slimband)
    run(slimband, *long, "--output", "whole.npy", "--picture", "whole.png")
    options = [*long, "--output", "c.npy", "--picture", "c.png", "--checkpoint", "run.ckpt"]
    assert stop(slimband, signal.SIGINT, *options)
    good = contents("run.ckpt")

    def refused(pattern, raw, *more):
        with open("run.ckpt", "wb") as file:
            file.write(raw)
        refuse(slimband, pattern, *options, *more)
        assert contents("run.ckpt") == raw

    refused("run.ckpt: belongs to another run: it has dt=0.0001", good, "--dt", "2e-4")
    refused("it has seed=1, this one seed=2", good, "--seed", "2")
    refused("damaged or cut short", good[:-1])
    refused("damaged or cut short", good + b"x")
    refused("damaged or cut short", good[: len(good) // 2] + b"~" + good[len(good) // 2 + 1 :])
    refused("damaged or cut short", good.replace(b"\nstep ", b"\nstep 1", 1))
    refused("damaged or cut short", b"slimband simulation 1\n")
    refused("not a checkpoint", b"something else\n")
    refused("not a checkpoint", b"")


def test_a_link_to_a_checkpoint_stays(slimband):
    """What it leads to is removed, if it came to that."""
    os.symlink("there", "run.ckpt")
    run(slimband, "heat2d", "--size", "9", "--steps", "2", "--dt", "1e-4", "--checkpoint", "run.ckpt")
    assert os.listdir(".") == ["run.ckpt"] and os.readlink("run.ckpt") == "there", os.listdir(".")


def test_progress_tells_the_rate_and_what_is_left(slimband):
    terminal, process_side = pty.openpty()
    with subprocess.Popen([slimband, "simulate", "heat2d", "--size", "300", "--steps", "1000000", "--dt", "1e-4"],
                          stdout=subprocess.DEVNULL, stderr=process_side) as p:
        shown = ""
        while "s left" not in shown:
            shown += os.read(terminal, 4096).decode()
        p.terminate()
    os.close(process_side)
    os.close(terminal)
    assert "of 1000000" in shown and "points/s" in shown and "%" in shown, shown


def test_report_for_people(slimband):
    done = subprocess.run([slimband, "simulate", "cahn-hilliard", "-n", "64", "-s", "9", "-d", "1e-4", "-o", "c.npy"],
                          capture_output=True, text=True, check=True)
    for word in ("equation", "scheme", "method", "steps", "ns a point and step", "means moved", "free energy", "c.npy"):
        assert word in done.stdout, done.stdout


def test_bad_input(slimband):
    make_npy.write("nan.npy", "<f8", [16], [math.nan] * 16)
    make_npy.write("complex.npy", "<c16", [16], [1j] * 16)
    make_npy.write("short.npy", "<f8", [15], [1.0] * 15)
    make_npy.write("large.npy", "<f8", [16], [1e39] * 16)
    good = ["--size", "16", "--steps", "2", "--dt", "1e-4", "--output", "x.npy"]
    both = ["hyperdiffusion", *good]
    heat = ["heat2d", *good]
    for pattern, options in (
        ("which equation?", good),
        ("unknown equation 'heat4d'", ["heat4d", *good]),
        ("--size is missing", ["heat2d", "--steps", "2", "--dt", "1"]),
        ("--steps is missing", ["heat2d", "--size", "9", "--dt", "1"]),
        ("--dt is missing", ["heat2d", "--size", "9", "--steps", "2"]),
        ("--dt must be a positive number, not '0'", [*both, "--dt", "0"]),
        ("--steps must be a whole number of at least 0", [*both, "--steps", "-1"]),
        ("--size has 2 entries, but there is 1 axis", [*both, "--size", "16,16"]),
        ("--size has 3 entries, but there are 2 axes", [*heat, "--size", "8,8,8"]),
        ("--ends takes 1 to 3 entries", [*heat, "--ends", "pp,pp,pp,pp"]),
        ("--ends must be one of dd, dn, nd, nn, pp, not 'dp'", [*heat, "--ends", "dp"]),
        ("--boundary has 2 values, but 2 axes have 4 ends", [*heat, "--boundary", "0,1"]),
        ("--boundary has no meaning for", [*both, "--boundary", "0,1"]),
        ("0 where an axis is periodic", [*heat, "--boundary", "0,0,0,1"]),
        ("need periodic walls", [*both, "--ends", "dd"]),
        ("at least 5 points", [*both, "--size", "4"]),
        ("at least 5 points", [*heat, "--size", "16,4", "--order", "4"]),
        ("order must be 2, or 4", [*heat, "--order", "3"]),
        ("order must be 2, or 4", [*both, "--order", "4"]),
        ("--gamma has no meaning for heat2d", [*heat, "--gamma", "2"]),
        ("--forcing has no meaning for heat2d", [*heat, "--forcing", "2"]),
        ("--forcing-waves has no meaning without --forcing", [*both, "--forcing-waves", "1"]),
        ("--forcing-speed has no meaning without --forcing", [*both, "--forcing-speed", "0"]),
        ("--forcing-waves has no meaning for heat2d", [*heat, "--forcing-waves", "2"]),
        ("--gamma 1:2 needs --batch: one member has one value", [*both, "--gamma", "1:2"]),
        ("--diffusivity 1:2 needs --batch", [*heat, "--diffusivity", "1:2"]),
        ("--forcing 0:2 needs --batch", [*both, "--forcing", "0:2", "--batch", "1"]),
        ("--gamma must be a number or two with a colon", [*both, "--gamma", "1:2:3"]),
        ("--gamma must be a number or two with a colon", [*both, "--gamma", "1:"]),
        ("must be positive and finite", [*both, "--gamma", "-1"]),
        ("must be positive and finite", [*both, "--batch", "3", "--diffusivity", "1:-1"]),
        ("must be positive and finite", [*heat, "--diffusivity", "0"]),
        ("stable while dt * diffusivity <= 2 * gamma for each member: --dt 0.002 at most",
         ["cahn-hilliard", *good, "--size", "256", "--gamma", "1e-3:1", "--batch", "2", "--dt", "3e-3"]),
        ("rounding drowns the step", [*both, "--dt", "1e9"]),
        ("--executor must be one of cpu, cuda", [*both, "--executor", "tpu"]),
        ("--type must be one of f32, f64", [*both, "--type", "c64"]),
        ("--every needs --output", ["heat2d", "--size", "9", "--steps", "2", "--dt", "1", "--every", "1"]),
        ("an array of five axes", ["heat3d", *good, "--every", "1", "--batch", "2"]),
        ("--member must lie in 0..0", [*both, "--member", "1"]),
        ("--output and --picture are the same file", [*both, "--picture", "x.npy"]),
        ("--output and --checkpoint are the same file", [*both, "--checkpoint", "x.npy"]),
        ("--output and --picture are the same file", [*both, "--picture", "./x.npy"]),
        ("--output and --checkpoint are the same file", [*both, "--checkpoint", "./x.npy"]),
        ("missing/x.npy: cannot be created", [*both, "--output", "missing/x.npy"]),
        ("missing/p.png: cannot be created", [*both, "--picture", "missing/p.png"]),
        ("missing/c: cannot be created", [*both, "--checkpoint", "missing/c"]),
        ("/dev/full: the disk is full", [*both, "--output", "/dev/full"]),
        ("/dev/full: the disk is full", [*both, "--picture", "/dev/full"]),
        ("absent.npy: ", [*both, "--initial", "absent.npy"]),
        ("nan.npy: holds NaN or infinity", [*both, "--initial", "nan.npy"]),
        ("--amplitude 1 and --mean 1e+39 make numbers beyond the largest f32", [*both, "--steps", "0", "--type", "f32", "--mean",
                                                                                "1e39"]),
        ("--amplitude 1e+308 and --mean 1e+308 make", [*heat, "--steps", "0", "--amplitude", "1e308", "--mean", "1e308"]),
        ("large.npy: holds numbers beyond the largest f32", [*both, "--steps", "0", "--type", "f32", "--initial", "large.npy"]),
        ("complex.npy: must be real and of the shape", [*both, "--initial", "complex.npy"]),
        ("short.npy: must be real and of the shape", [*both, "--initial", "short.npy"]),
        ("a member overflowed", ["cahn-hilliard", *good, "--amplitude", "1e9", "--steps", "100"]),
        ("not enough memory", ["heat3d", *good, "--size", "100000"]),
        ("not enough memory", [*both, "--batch", str(2**40)]),
        ("not enough memory", [*heat, "--batch", str(2**40)]),
        ("stable while", ["cahn-hilliard", *good, "--size", "256", "--batch", str(2**40), "--dt", "3"]),
        ("overflow 64-bit", ["heat3d", *good, "--size", "1000000000000"]),
        ("unexpected argument", [*both, "more"]),
    ):
        refuse(slimband, pattern, *options)


def test_a_report_that_is_lost_leaves_no_file(slimband):
    """And an old one as it was."""
    with open("u.npy", "w", encoding="utf-8") as old:
        old.write("old")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([slimband, "simulate", "heat2d", "--size", "9", "--steps", "2", "--dt", "1e-4", *ON, "--output",
                               "u.npy", "--picture", "u.png"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (2, "slimband simulate: standard output: the disk is full\n"), done
    assert os.listdir(".") == ["u.npy"], os.listdir(".")
    with open("u.npy", encoding="utf-8") as old:
        assert old.read() == "old"


def test_both_executors_agree(slimband):
    """Where there is no GPU, that is what is said, and no file is left."""
    options = ["cahn-hilliard", "--size", "96", "--batch", "5", "--steps", "200", "--dt", "1e-3", "--gamma", "1e-3:2e-3"]
    there = ["simulate", *options, "--executor", "cuda", "--output", "there.npy"]
    done = subprocess.run([slimband, *there], capture_output=True, text=True)
    if done.returncode:
        assert done.stderr.startswith("slimband simulate: --executor cuda: th") and not os.listdir("."), done
        return
    assert "on the GPU" in done.stdout, done
    done = subprocess.run([slimband, "simulate", *options, "--output", "here.npy"], capture_output=True, text=True)
    assert done.returncode == 0, done
    close(make_npy.read("there.npy")[3], make_npy.read("here.npy")[3], 1e-10)


def no_device(slimband):
    done = subprocess.run([slimband, "simulate", "hyperdiffusion", "--size", "8", "--steps", "0", "--dt", "1e-6", *ON],
                          capture_output=True, text=True)
    return done.returncode != 0


def main(slimband):
    if ON and no_device(slimband):
        print("skipped: no CUDA device")
        sys.exit(77)
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            with tempfile.TemporaryDirectory() as place:
                os.chdir(place)
                test(slimband)
                os.chdir("/")
            print("good:", name, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
