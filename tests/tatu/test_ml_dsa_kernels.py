"""The arithmetic of ML-DSA's polynomials against FIPS 204 in Python's integers: on AVR the assembly in the simulator,
elsewhere the C and the assembly of each machine. At the ends of what each function takes and on random input."""

from __future__ import annotations

import random
import struct
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from bancada.engines.simavr.session import runner
from tests.tatu.machines import (
    ARM_LINUX,
    BIG_ENDIAN,
    CORTEX_A8_ARM,
    CORTEX_A53,
    CORTEX_M0_PLUS,
    CORTEX_M4,
    HERE,
    HOST_GCC,
    TATU_SRC,
    Driver,
    driver_on,
    runs_on,
)

Q = 8380417
GAMMA1, GAMMA2, BETA, WEIGHT = 1 << 17, 95232, 78, 39
BYTES = 72
ANSWER_BYTES = 1 + 1024
# 1753 to the power of the bits of i in reverse order (FIPS 204, appendix B).
ZETAS = [pow(1753, int(f"{i:08b}"[::-1], 2), Q) for i in range(256)]
Numbers = list[int]


def transform(f: Numbers, node: int) -> Numbers:
    """Algorithm 41 below a node of the tree of roots."""
    f = list(f)
    half = len(f) // 2
    while half >= 1:
        for block, start in enumerate(range(0, len(f), 2 * half)):
            for j in range(start, start + half):
                product = ZETAS[node + block] * f[j + half]
                f[j], f[j + half] = (f[j] + product) % Q, (f[j] - product) % Q
        node, half = 2 * node, half // 2
    return f


def inverse_ntt(f: Numbers) -> Numbers:
    """Algorithm 42."""
    f, m = list(f), 256
    half = 1
    while half <= 128:
        for start in range(0, 256, 2 * half):
            m -= 1
            for j in range(start, start + half):
                f[j], f[j + half] = (f[j] + f[j + half]) % Q, -ZETAS[m] * (f[j] - f[j + half]) % Q
        half *= 2
    return [number * pow(256, -1, Q) % Q for number in f]


def high_bits(number: int) -> int:
    """Algorithm 37, from algorithm 36."""
    low = number % (2 * GAMMA2)
    low -= 2 * GAMMA2 * (low > GAMMA2)
    return 0 if number - low == Q - 1 else (number - low) // (2 * GAMMA2)


def use_hint(number: int) -> int:
    """Algorithm 40 where the hint is 1."""
    low = number % (2 * GAMMA2)
    low -= 2 * GAMMA2 * (low > GAMMA2)
    if number - low == Q - 1:
        return 1 if low - 1 > 0 else 43
    return (high_bits(number) + (1 if low > 0 else -1)) % 44


@dataclass(frozen=True)
class Input:
    """What a function is given: its two parameters, two polynomials and some bytes."""

    first: Numbers
    second: Numbers
    data: bytes = bytes(BYTES)
    p: int = 0
    r: int = 0


def packed(numbers: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(numbers)}i", *numbers)


Check = Callable[[Input, int, Numbers, int], None]


def zeros() -> Numbers:
    return [0] * 256


def polynomials(source: random.Random, least: int, most: int, count: int) -> list[Numbers]:
    """At the ends, at one end with the other between, and random ones."""
    found = [[least] * 256, [most] * 256, [least, most] * 128, [most] * 128 + [least] * 128]
    return found + [[source.randint(least, most) for _ in range(256)] for _ in range(count)]


def check_ntt(given: Input, result: int, answer: Numbers, r: int) -> None:
    assert [number % Q for number in answer] == transform(given.first, 1)
    assert max(map(abs, answer)) < 9 * Q


def check_half(given: Input, result: int, answer: Numbers, r: int) -> None:
    assert [number % Q for number in answer[:128]] == transform(given.first[:128], 2 + given.p)
    assert answer[128:] == given.first[128:]
    assert max(map(abs, answer)) < 9 * Q


def check_inverse(given: Input, result: int, answer: Numbers, r: int) -> None:
    assert [number % Q for number in answer] == [number * r % Q for number in inverse_ntt(given.first)]
    assert max(map(abs, answer)) < Q


def check_sampled(given: Input, result: int, answer: Numbers, r: int) -> None:
    numbers = [int.from_bytes(given.data[3 * i : 3 * i + 3], "little") & 0x7FFFFF for i in range(given.p)]
    numbers = [number for number in numbers if number < Q]
    products = [number * factor * pow(r, -1, Q) for number, factor in zip(numbers, given.second, strict=False)]
    right = [(old + more) % Q for old, more in zip(given.first, [*products, *zeros()], strict=False)]
    assert (result, [number % Q for number in answer]) == (len(numbers), right)


def z_of(data: bytes) -> Numbers:
    bits = int.from_bytes(data, "little")
    return [GAMMA1 - (bits >> 18 * i & 0x3FFFF) for i in range(16)]


def check_z(given: Input, result: int, answer: Numbers, r: int) -> None:
    lower, upper = z_of(given.data[:36]), z_of(given.data[36:])
    factor = -ZETAS[1] if given.p else ZETAS[1]
    right = [(a + factor * b) % Q for a, b in zip(lower, upper, strict=True)]
    assert [number % Q for number in answer[:16]] == right
    assert answer[16:] == given.first[16:]
    assert result == all(abs(number) < GAMMA1 - BETA for number in lower + upper)


def check_sparse(given: Input, result: int, answer: Numbers, r: int) -> None:
    right = list(given.first)
    for i in range(4):
        number = int.from_bytes(given.data[:5], "little") >> 10 * i & 1023
        for j in range(given.r + given.data[-1]):
            place = given.p + i + given.data[5 + j]
            sign = (1 if j < given.r else -1) * (-1 if place > 255 else 1)
            right[place % 256] += sign * number
    assert answer == right


def check_high_bits(of: Callable[[int], int]) -> Check:
    def check(given: Input, result: int, answer: Numbers, r: int) -> None:
        assert result == of(given.first[0]), given.first[0]

    return check


def check_product(given: Input, result: int, answer: Numbers, r: int) -> None:
    right = [a * b * pow(r, -1, Q) % Q for a, b in zip(given.first, given.second, strict=True)]
    assert [number % Q for number in answer] == right
    assert max(map(abs, answer)) < Q


def check_sum(given: Input, result: int, answer: Numbers, r: int) -> None:
    changes = [new - old for new, old in zip(answer, given.first, strict=True)]
    assert [change % Q for change in changes] == [b * b * pow(r, -1, Q) % Q for b in given.second]
    assert max(map(abs, changes)) < Q


def check_exceeds(given: Input, result: int, answer: Numbers, r: int) -> None:
    sizes = [min(number % Q, Q - number % Q) for number in given.first]
    assert result == (max(sizes) >= GAMMA2 - BETA)


@dataclass(frozen=True)
class Kernel:
    """A function: its number, its input, what its answer must be, and whether it is there on an AVR."""

    number: int
    inputs: Callable[[random.Random, bool], list[Input]]
    check: Check
    is_on_avr: bool = True


Inputs = Callable[[random.Random, bool], list[Input]]


def of_one(most: int) -> Inputs:
    """An AVR takes numbers from 0 to q - 1, the others from -most to most."""

    def inputs(source: random.Random, is_avr: bool) -> list[Input]:
        ends = (0, Q - 1) if is_avr else (-most, most)
        return [Input(numbers, zeros(), p=p) for numbers in polynomials(source, *ends, 6) for p in (0, 1)]

    return inputs


def of_samples(source: random.Random, is_avr: bool) -> list[Input]:
    found = []
    edges = (Q - 1, Q, Q + 1, 0, 0x7FFFFF, 0xFFFFFF, 0x7FE000, 0x800000 + Q - 1)
    every = [b"".join(edge.to_bytes(3, "little") for edge in edges)] + [source.randbytes(24) for _ in range(12)]
    for count in (1, 3, 8):
        for data in every:
            least, most = (0, Q - 1) if is_avr else (1 - 9 * Q, 9 * Q - 1)
            a = [source.choice((least, most, source.randint(least, most))) for _ in range(256)]
            sums = [source.choice((0, Q - 1, source.randrange(Q))) for _ in range(256)]
            found.append(Input(sums, a, data.ljust(BYTES, b"\0"), p=count))
    return found


def of_z(source: random.Random, is_avr: bool) -> list[Input]:
    edges = (0, 78, 79, (1 << 18) - 79, (1 << 18) - 78, (1 << 18) - 1, GAMMA1, 0xFF, 0x3FF00, 0x100, 0x3FEFF)
    every = [source.randbytes(BYTES) for _ in range(8)] + [b"\x55" * BYTES]
    for edge in edges:
        for place in (0, 1, 2, 3, 15, 16, 31):
            bits = sum(GAMMA1 - 5 << 18 * i for i in range(32))
            bits += (edge - (GAMMA1 - 5)) << 18 * place
            every.append(bits.to_bytes(BYTES, "little"))
    return [
        Input([source.randrange(Q) for _ in range(256)], zeros(), data, p=which) for data in every for which in (0, 1)
    ]


def of_sparse(source: random.Random, is_avr: bool) -> list[Input]:
    found = []
    for pluses, minuses in ((0, 0), (20, 0), (0, 20), (1, 1), (11, 9), (0, 19)):
        for first in (0, 4, 128, 252):
            data = source.choice((source.randbytes(5), b"\xff" * 5))
            places = source.sample(range(256), 39)
            sums = [source.randint(-10000, 10000) for _ in range(256)]
            given = (data + bytes(places)).ljust(BYTES - 1, b"\0") + bytes([minuses])
            found.append(Input(sums, zeros(), given, p=first, r=pluses))
    return found


def of_numbers(source: random.Random, is_avr: bool) -> list[Input]:
    """Around every multiple of gamma_2, and at the ends."""
    numbers = [0, 1, Q - 1, Q - 2, *(i * GAMMA2 + j for i in range(1, 89) for j in (-1, 0, 1, 2))]
    return [Input([number] + [0] * 255, zeros()) for number in numbers if number < Q]


def of_two(source: random.Random, is_avr: bool) -> list[Input]:
    every = polynomials(source, 1 - 9 * Q, 9 * Q - 1, 4)
    return [Input(a, b) for a, b in zip(every, reversed(every), strict=True)]


def of_bounds(source: random.Random, is_avr: bool) -> list[Input]:
    bound = GAMMA2 - BETA
    edges = [0, bound - 1, bound, -bound, 1 - bound, Q - 1, 1 - Q, Q // 2, -(Q // 2)]
    edges += [Q - bound, bound - Q, Q - bound + 1]
    return [Input([source.randint(-9, 9)] * 200 + [edge] + [0] * 55, zeros()) for edge in edges]


KERNELS = {
    "ntt_half": Kernel(0, of_one(Q + GAMMA1), check_half),
    "inverse_ntt": Kernel(1, of_one((1 << 30) - 1), check_inverse),
    "multiply_add_sampled": Kernel(2, of_samples, check_sampled),
    "decode_z_half": Kernel(3, of_z, check_z),
    "multiply_add_sparse": Kernel(4, of_sparse, check_sparse),
    "high_bits": Kernel(5, of_numbers, check_high_bits(high_bits)),
    "corrected_high_bits": Kernel(6, of_numbers, check_high_bits(use_hint)),
    "ntt": Kernel(7, of_one(Q - 1), check_ntt, False),
    "multiply": Kernel(8, of_two, check_product, False),
    "multiply_add": Kernel(9, of_two, check_sum, False),
    "exceeds": Kernel(10, of_bounds, check_exceeds, False),
}


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, "ml_dsa_kernels_driver.c", ("ml_dsa", "sha3", "common"), tmp_path_factory)


@runs_on(HOST_GCC, CORTEX_M0_PLUS, CORTEX_M4, CORTEX_A8_ARM, ARM_LINUX, CORTEX_A53, BIG_ENDIAN)
@pytest.mark.parametrize("name", KERNELS)
def test_kernels(driver: Driver, name: str) -> None:
    kernel = KERNELS[name]
    inputs = kernel.inputs(random.Random(name), False)
    commands = [
        f"{kernel.number} {one.p} {one.r} {packed(one.first).hex()} {packed(one.second).hex()} {one.data.hex()}"
        for one in inputs
    ]
    for given, answer in zip(inputs, driver.run(commands), strict=True):
        result, first = answer.split()
        kernel.check(given, int(result), list(struct.unpack("<256i", bytes.fromhex(first))), 1 << 32)


@pytest.fixture(scope="module", params=[(), ("-DTATU_PORTABLE",)], ids=["assembly", "c"])
def device(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """The program, and the R of its products."""
    elf = tmp_path_factory.mktemp("ml_dsa") / "device.elf"
    sources = [HERE / "ml_dsa_device.c", *sorted((TATU_SRC / "ml_dsa").rglob("ml_dsa_ntt*.[cS]"))]
    command = ["avr-gcc", "-mmcu=atmega1284p", "-mrelax", "-std=gnu99", "-Os", *request.param, f"-I{TATU_SRC}"]
    subprocess.run([*command, "-o", str(elf), *map(str, sources)], check=True)
    return elf, 1 << 32 if request.param else 1 << 24


@pytest.mark.parametrize("name", [name for name, kernel in KERNELS.items() if kernel.is_on_avr])
def test_kernels_on_avr(device: tuple[Path, int], name: str) -> None:
    kernel, (elf, r) = KERNELS[name], device
    inputs = kernel.inputs(random.Random(name), True)
    sent = b"".join(
        bytes((kernel.number, one.p, one.r)) + packed(one.first) + packed(one.second) + one.data for one in inputs
    )
    options = ["--mcu", "atmega1284p", "--frequency", "16000000", "--uart", "stdio", "--max-cycles", "2000000000"]
    done = subprocess.run([runner(), *options, elf], input=sent, capture_output=True, check=False)
    answers = [done.stdout[i : i + ANSWER_BYTES] for i in range(0, len(done.stdout), ANSWER_BYTES)]
    assert len(answers) == len(inputs), done.stderr.decode()[-300:]
    for given, answer in zip(inputs, answers, strict=True):
        numbers = list(struct.unpack("<256i", answer[1:]))
        kernel.check(given, answer[0], numbers, r)
        if kernel.number != KERNELS["multiply_add_sparse"].number:
            assert min(numbers) >= 0
            assert max(numbers) < Q
