#!/usr/bin/env python3
"""Write and read .npy files with the standard library alone, for tests.

make_npy.py FILE TYPE SHAPE VALUE...     numbers in C order, repeated until the array is full
make_npy.py FILE --header TEXT [BYTES]   any header, and so many zero bytes of data
"""

import itertools
import math
import re
import struct
import sys

FORMATS = {"<f4": "f", "<f8": "d", "<c8": "ff", "<c16": "dd", ">f8": "d", "<i8": "q", "|b1": "?", "|O": "q"}


def frame(header, data, version=1):
    """A whole file: magic, version, header padded to 64 bytes, data."""
    start = b"\x93NUMPY" + bytes([version, 0])
    width = "<H" if version == 1 else "<I"
    text = header.encode()
    text += b" " * (-(len(start) + struct.calcsize(width) + len(text) + 1) % 64) + b"\n"
    return start + struct.pack(width, len(text)) + text + data


def places(shape, fortran):
    """C-order positions of the elements, in the order in which the file holds them."""
    axes = list(reversed(range(len(shape)))) if fortran else list(range(len(shape)))
    for index in itertools.product(*(range(shape[axis]) for axis in axes)):
        position = 0
        for axis, extent in enumerate(shape):
            position = position * extent + index[axes.index(axis)]
        yield position


def write(path, kind, shape, numbers, fortran=False, version=1):
    """numbers: a flat list in C order."""
    order = ">" if kind[0] == ">" else "<"
    data = bytearray()
    for position in places(shape, fortran):
        number = numbers[position]
        parts = (number.real, number.imag) if len(FORMATS[kind]) == 2 else (number,)
        data += struct.pack(order + FORMATS[kind], *parts)
    header = f"{{'descr': '{kind}', 'fortran_order': {fortran}, 'shape': {tuple(shape)}, }}"
    with open(path, "wb") as file:
        file.write(frame(header, bytes(data), version))


def read(path):
    """(kind, shape, fortran, flat list in C order)"""
    with open(path, "rb") as file:
        raw = file.read()
    length = struct.unpack("<H", raw[8:10])[0]
    header = raw[10 : 10 + length].decode()
    kind = re.search(r"'descr': '([^']*)'", header).group(1)
    fortran = "'fortran_order': True" in header
    shape = tuple(int(digits) for digits in re.findall(r"\d+", header.split("'shape':")[1]))
    parts = len(FORMATS[kind])
    flat = struct.unpack(f"<{math.prod(shape) * parts}{FORMATS[kind][0]}", raw[10 + length :])
    stored = [complex(*flat[i : i + 2]) for i in range(0, len(flat), 2)] if parts == 2 else list(flat)
    numbers = [0] * len(stored)
    for position, number in zip(places(shape, fortran), stored):
        numbers[position] = number
    return kind, shape, fortran, numbers


def main(path, kind, *rest):
    if kind == "--header":
        with open(path, "wb") as file:
            file.write(frame(rest[0], bytes(int(rest[1]) if len(rest) > 1 else 0)))
        return
    shape = tuple(int(extent) for extent in rest[0].split(",") if extent)
    parse = float if kind[1] in "fc" else int
    values = [complex(text) if kind[1] == "c" else parse(text) for text in rest[1:]]
    write(path, kind, shape, list(itertools.islice(itertools.cycle(values), math.prod(shape))))


if __name__ == "__main__":
    main(*sys.argv[1:])
