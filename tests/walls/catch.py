"""Does tools/check-walls catch each kind of breach? A small tree that is in order, broken in one way at a time.

Usage: catch.py CHECK-WALLS CC
"""
import os
import subprocess
import sys
import tempfile
import unittest

IN_ORDER = {
    "include/slimband/plan.h": '#include <stdint.h>\n#include "slimband/status.h"\n'
                               "#define DECLARE(x) API int slimband_##x(int, int (*)(int));\n"
                               "DECLARE(solve)\ntypedef void slimband_callback(int);\n"
                               "static inline int slimband_twice(int a) { return slimband_solve(a, 0) + a; }\n",
    "include/slimband/status.h": '#define API __attribute__((visibility("default")))\n',
    "src/core/backend.h": "",
    "src/core/plan.c": '#include "slimband/plan.h"\n#include "src/core/backend.h"\n'
                       "int slimband_solve(int a, int (*f)(int)) { return f(a); }\n",
    "src/core/memory.h": "",
    "src/cpu/engine.h": "",
    "src/cpu/engine.c": '#include <omp.h>\n#include "engine.h"\n#include "src/core/backend.h"\n'
                        "int sb_engine(void) { return 0; }\n",
    "src/lapack/gtsv.c": '#include "src/cpu/engine.h"\n',
    "cli/main.c": '#include <cjson/cJSON.h>\n#include <slimband/plan.h>\n',
    "tests/engine/engine.c": '#include <cmocka.h>\n#include "src/core/memory.h"\n#include "src/cpu/engine.h"\n',
}

# What is appended to which file, and a part of the line that must come of it.
INCLUDE_AND_LENGTH_BREACHES = [
    ("src/core/plan.c", '#include "src/cpu/engine.h"', "src/core/ may not look into src/cpu/engine.h"),
    ("src/core/plan.c", '#  include "../cpu/engine.h"', "src/core/ may not look into src/cpu/engine.h"),
    ("src/cpu/engine.c", '#include "src/core/memory.h"', "src/cpu/ may not look into src/core/memory.h"),
    ("src/lapack/gtsv.c", '#include "src/core/backend.h"', "src/lapack/ may not look into src/core/backend.h"),
    ("cli/main.c", '#include "src/core/backend.h"', "cli/main.c:3: cli/ may not look into src/core/backend.h"),
    ("include/slimband/plan.h", '#include "src/core/backend.h"', "include/slimband/ may not look into src/core"),
    ("include/slimband/plan.h", "#include <omp.h>", "public headers include the C library only, not <omp.h>"),
    ("src/core/plan.c", "#include <cuda_runtime.h>", "<cuda_runtime.h> does not belong in src/core/"),
    ("src/core/plan.c", '#include "absent.h"', "no such header in the tree: absent.h"),
    ("cli/main.c", "\n" * 600, "cli/main.c: 603 lines, more than 600"),
    ("src/attic/engine.c", "", "src/attic/engine.c: lies in no room"),
]
SYMBOL_BREACHES = [
    ("src/core/plan.c", "API int sb_hidden(void) { return 0; }",
     "libslimband.so: exports sb_hidden, which no public header declares"),
    ("include/slimband/plan.h", "DECLARE(absent)", "libslimband.so: lacks slimband_absent"),
    ("include/slimband/plan.h", "int slimband_plain(int (*)(void));", "libslimband.so: lacks slimband_plain"),
    ("src/cpu/engine.c", "int helper(void) { return 0; }", "libslimband.a: helper is neither public nor prefixed"),
]


def write_tree(root, files):
    for path, text in files.items():
        path = os.path.join(root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def build_libraries(root):
    """The libraries of the made-up tree."""
    sources = ["src/core/plan.c", "src/cpu/engine.c"]
    subprocess.run([CC, "-c", "-fPIC", "-fvisibility=hidden", "-I.", "-Iinclude", *sources], cwd=root, check=True)
    objects = ["plan.o", "engine.o"]
    subprocess.run([CC, "-shared", *objects, "-o", "libslimband.so"], cwd=root, check=True)
    subprocess.run(["ar", "rcs", "libslimband.a", *objects], cwd=root, check=True)


def check_walls(root, *options):
    result = subprocess.run([sys.executable, "-B", CHECK_WALLS, "--root", root, *options], stdout=subprocess.PIPE,
                            text=True)
    return result.returncode, result.stdout.splitlines()


class Walls(unittest.TestCase):
    def tree(self, path=None, text=""):
        """The tree in order, with text appended to one file."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        write_tree(folder.name, IN_ORDER)
        if path:
            write_tree(folder.name, {path: IN_ORDER.get(path, "") + text + "\n"})
        return folder.name

    def assert_caught(self, line, result):
        code, output = result
        self.assertEqual(code, 1)
        self.assertIn(line, output[0])
        self.assertEqual(output[1:], ["walls: 1 breaches"])

    def test_a_tree_in_order_passes(self):
        root = self.tree()
        build_libraries(root)
        self.assertEqual(check_walls(root, "--build", root, "--cc", CC), (0, ["walls: they stand"]))

    def test_an_include_that_crosses_and_a_file_too_long_are_named(self):
        for path, text, line in INCLUDE_AND_LENGTH_BREACHES:
            with self.subTest(breach=line):
                self.assert_caught(line, check_walls(self.tree(path, text)))

    def test_a_symbol_that_no_public_header_knows_is_named(self):
        for path, text, line in SYMBOL_BREACHES:
            with self.subTest(breach=line):
                root = self.tree(path, text)
                build_libraries(root)
                self.assert_caught(line, check_walls(root, "--build", root, "--cc", CC))


if __name__ == "__main__":
    CHECK_WALLS, CC = (os.path.abspath(sys.argv[1]), sys.argv[2])
    unittest.main(argv=sys.argv[:1])
