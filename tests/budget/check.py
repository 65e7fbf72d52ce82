#!/usr/bin/env python3
"""Hold the instructions that each kernel takes for a row of a system against the recorded budgets.

check.py PROGRAM COMPILER [--record]
PROGRAM is built from kernels.c; COMPILER as CMake names it. --record rewrites budgets.txt from what is counted.
Times are noise on a busy machine, counts are not: the same binary always takes the same instructions.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

BUDGETS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "budgets.txt")
TOLERANCE = 0.10
SKIPPED = 77
HEAD = """# Instructions for one row of one system, as check.py counts them with gcc 12 on x86-64. A kernel may take 10 % more.
# `tests/budget/check.py build/test-budget-kernels GNU --record` writes this file again.
"""


def skip(sentence):
    print(f"skipped: {sentence}")
    sys.exit(SKIPPED)


def counted(program):
    """Name of each kernel: its instructions a row; and the names of those that this machine or build does not run."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", program], capture_output=True,
            text=True, env=dict(os.environ, OMP_NUM_THREADS="1", OMP_WAIT_POLICY="passive"))
        if done.returncode:
            sys.exit(f"{program} failed under valgrind:\n{done.stderr}")
        dumps = {}
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text = file.read()
            trigger = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.MULTILINE)
            total = re.search(r"^(?:summary|totals): (\d+)", text, re.MULTILINE)
            if trigger and total:
                dumps[trigger[1]] = int(total[1])
    rows = dict(line.rsplit(": ", 1) for line in done.stdout.splitlines() if " skipped: " not in line)
    for line in done.stdout.splitlines():
        if " skipped: " in line:
            print(line)
    return {name: dumps[name] / int(count) for name, count in rows.items()}


def recorded():
    with open(BUDGETS, encoding="utf-8") as file:
        lines = [line.split("#")[0].strip() for line in file]
    return {name.strip(): float(budget) for budget, name in (line.split(None, 1) for line in lines if line)}


def main():
    program, compiler = sys.argv[1:3]
    if compiler != "GNU":
        skip(f"the budgets are gcc's, and this build is {compiler}'s")
    if not shutil.which("valgrind"):
        skip("valgrind, which counts the instructions, is not installed")
    counts = counted(program)
    if "--record" in sys.argv:
        with open(BUDGETS, "w", encoding="utf-8") as file:
            file.write(HEAD + "".join(f"{count:8.2f}  {name}\n" for name, count in counts.items()))
        return 0
    budgets = recorded()
    over = 0
    for name, count in counts.items():
        budget = budgets.get(name)
        verdict = "good"
        if budget is None:
            verdict = "has no budget: record one"
        elif count > (1 + TOLERANCE) * budget:
            verdict = f"over its budget of {budget:.2f}"
        elif count < (1 - TOLERANCE) * budget:
            verdict = f"good; its budget of {budget:.2f} could be lowered"
        over += verdict.startswith(("over", "has"))
        print(f"{count:8.2f} instructions a row: {name}: {verdict}")
    return 1 if over or not counts else 0


if __name__ == "__main__":
    sys.exit(main())
