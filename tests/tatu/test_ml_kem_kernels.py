"""The arithmetic of ML-KEM's polynomials, and their encodings, against FIPS 203 in Python's integers: on AVR the
assembly in the simulator, elsewhere the C and the assembly of each machine. At the ends of what each function takes and
on random input."""

from __future__ import annotations

import random
import struct
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from bancada.engines.simavr.session import runner
from tests.tatu.machines import EVERY, HERE, HOST_GCC, TATU_SRC, Driver, driver_on, runs_on

Q = 3329
R = 1 << 16
INVERSE_OF_R = pow(R, -1, Q)
# 17 to the power of the bits of i in reverse order (FIPS 203, appendix A).
ZETAS = [pow(17, int(f"{i:07b}"[::-1], 2), Q) for i in range(128)]
Numbers = list[int]


def ntt(f: Numbers) -> Numbers:
    """Algorithm 9."""
    f, i = list(f), 1
    half = 128
    while half >= 2:
        for start in range(0, 256, 2 * half):
            for j in range(start, start + half):
                product = ZETAS[i] * f[j + half]
                f[j], f[j + half] = (f[j] + product) % Q, (f[j] - product) % Q
            i += 1
        half //= 2
    return f


def inverse_ntt(f: Numbers) -> Numbers:
    """Algorithm 10, times R."""
    f, i = list(f), 127
    half = 2
    while half <= 128:
        for start in range(0, 256, 2 * half):
            for j in range(start, start + half):
                f[j], f[j + half] = (f[j] + f[j + half]) % Q, ZETAS[i] * (f[j + half] - f[j]) % Q
            i -= 1
        half *= 2
    return [number * 3303 * R % Q for number in f]


def products(a: Numbers, b: Numbers, group: int, groups: int) -> Numbers:
    """Algorithms 11 and 12 of some groups of four coefficients, divided by R; `a` and `b` begin with the first."""
    found = []
    for i in range(2 * groups):
        gamma = ZETAS[64 + group + i // 2] * (-1) ** i
        a0, a1, b0, b1 = *a[2 * i : 2 * i + 2], *b[2 * i : 2 * i + 2]
        found += [(a0 * b0 + a1 * b1 * gamma) * INVERSE_OF_R, (a0 * b1 + a1 * b0) * INVERSE_OF_R]
    return found


def decode(data: bytes, width: int, count: int) -> Numbers:
    """Algorithm 6, without a reduction."""
    number = int.from_bytes(data, "little")
    return [number >> width * i & (1 << width) - 1 for i in range(count)]


def encode(numbers: Sequence[int], width: int) -> bytes:
    """Algorithm 5."""
    return sum(number << width * i for i, number in enumerate(numbers)).to_bytes(width * len(numbers) // 8, "little")


def compress(number: int, width: int) -> int:
    """Compress of section 4.2.1: to the nearest, half up."""
    return (2 * number * (1 << width) + Q) // (2 * Q) % (1 << width)


def decompress(number: int, width: int) -> int:
    return (2 * number * Q + (1 << width)) // (2 << width)


def noise(data: bytes, eta: int) -> Numbers:
    """Algorithm 8."""
    bits = decode(data, 1, 8 * len(data))
    return [
        sum(bits[2 * i * eta : (2 * i + 1) * eta]) - sum(bits[(2 * i + 1) * eta : 2 * (i + 1) * eta])
        for i in range(4 * len(data) // eta)
    ]


@dataclass(frozen=True)
class Input:
    """What a function is given: its two parameters and three polynomials of 512 bytes."""

    first: bytes
    second: bytes = bytes(512)
    third: bytes = bytes(512)
    p: int = 0
    r: int = 0


def packed(numbers: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(numbers)}h", *numbers).ljust(512, b"\0")


def unpacked(data: bytes) -> Numbers:
    return list(struct.unpack("<256h", data))


def polynomials(source: random.Random, least: int, most: int, count: int) -> list[Numbers]:
    """At the ends, at one end with the other between, and random ones."""
    found = [[least] * 256, [most] * 256, [least, most] * 128, [most] * 128 + [least] * 128]
    return found + [[source.randint(least, most) for _ in range(256)] for _ in range(count)]


def check_transform(given: Input, answer: bytes, right: Callable[[Numbers], Numbers], most: int) -> None:
    numbers = unpacked(answer)
    assert [number % Q for number in numbers] == right(unpacked(given.first))
    assert max(map(abs, numbers)) <= most


def check_ntt(given: Input, result: int, answer: bytes) -> None:
    check_transform(given, answer, ntt, result * Q)


def check_inverse_ntt(given: Input, result: int, answer: bytes) -> None:
    check_transform(given, answer, inverse_ntt, 5 * Q // 4)


def check_scaled(given: Input, result: int, answer: bytes) -> None:
    factor = given.p | given.r << 8
    numbers = unpacked(answer)
    assert [number % Q for number in numbers] == [
        number * factor * INVERSE_OF_R % Q for number in unpacked(given.first)
    ]
    assert max(map(abs, numbers)) <= 5 * Q // 4


def check_product(given: Input, result: int, answer: bytes) -> None:
    check_product_with(unpacked(given.third), given, answer)


def check_product_with_encoded(given: Input, result: int, answer: bytes) -> None:
    check_product_with(decode(given.third[:384], 12, 256), given, answer)


def check_product_with(third: Numbers, given: Input, answer: bytes) -> None:
    before, after = unpacked(given.first), unpacked(answer)
    start, stop = 4 * given.p, 4 * (given.p + given.r)
    right = products(unpacked(given.second)[start:], third, given.p, given.r)
    changes = [new - old for new, old in zip(after, before, strict=True)]
    assert changes[:start] == [0] * start and changes[stop:] == [0] * (256 - stop)
    assert [change % Q for change in changes[start:stop]] == [number % Q for number in right]
    assert not changes[start:stop] or max(map(abs, changes[start:stop])) <= 5 * Q // 4


def check_sample(given: Input, result: int, answer: bytes) -> None:
    right = [number for number in decode(given.second[:24], 12, 16) if number < Q]
    assert (result, unpacked(answer)[:result]) == (len(right), right)


def check_noise(eta: int) -> Callable[[Input, int, bytes], None]:
    def check(given: Input, result: int, answer: bytes) -> None:
        right = noise(given.second[: 8 * eta], eta) + [0] * 224
        assert unpacked(answer) == [old + more for old, more in zip(unpacked(given.first), right, strict=True)]

    return check


def check_encoding(width: int, count: int) -> Callable[[Input, int, bytes], None]:
    def check(given: Input, result: int, answer: bytes) -> None:
        numbers = [number % Q for number in unpacked(given.second)[:count]]
        right = encode([compress(number, width) if width < 12 else number for number in numbers], width)
        assert answer == right + given.first[len(right) :]

    return check


def check_decoding(width: int, count: int) -> Callable[[Input, int, bytes], None]:
    def check(given: Input, result: int, answer: bytes) -> None:
        numbers = decode(given.second, width, count)
        right = [decompress(number, width) if width < 12 else number for number in numbers]
        assert unpacked(answer) == right + unpacked(given.first)[count:]

    return check


def check_message(given: Input, result: int, answer: bytes) -> None:
    right = [(Q + 1) // 2 * bit for bit in decode(given.second[:4], 1, 32)] + [0] * 224
    assert unpacked(answer) == [old + more for old, more in zip(unpacked(given.first), right, strict=True)]


@dataclass(frozen=True)
class Kernel:
    """A function: its number, its input, given the bound in the NTT's domain, and what its answer must be."""

    number: int
    inputs: Callable[[random.Random, int], list[Input]]
    check: Callable[[Input, int, bytes], None]


def of_one(least: int, most: int) -> Callable[[random.Random, int], list[Input]]:
    return lambda source, _: [Input(packed(numbers)) for numbers in polynomials(source, least, most, 6)]


def of_factors(source: random.Random, _: int) -> list[Input]:
    factors = (0, 1, 1353, 1441, Q - 1, source.randrange(Q))
    every = [(factor, numbers) for factor in factors for numbers in polynomials(source, 1 - 5 * Q, 5 * Q - 1, 1)]
    return [Input(packed(numbers), p=factor & 255, r=factor >> 8) for factor, numbers in every]


def of_products(source: random.Random, bound: int) -> list[Input]:
    found = []
    for group, groups in ((0, 64), (0, 0), (63, 1), (5, 4), (60, 4)):
        pairs = zip(
            polynomials(source, -bound * Q, bound * Q, 3), reversed(polynomials(source, 0, 4095, 3)), strict=True
        )
        for a, b in pairs:
            before = [source.randint(-3 * Q, 3 * Q) for _ in range(256)]
            found.append(Input(packed(before), packed(a), packed(b), group, groups))
    return found


def of_encoded_products(source: random.Random, bound: int) -> list[Input]:
    return [
        replace(one, third=encode(unpacked(one.third), 12).ljust(512, b"\0"))
        for one in of_products(source, bound)
        if one.r and one.r % 4 == 0
    ]


def of_bytes(source: random.Random, _: int) -> list[Input]:
    every = [bytes(512), b"\xff" * 512, b"\x55" * 512, b"\xaa" * 512, b"\x00\xff" * 256]
    # numbers of 12 bits around q
    every.append(encode([Q - 1, Q, Q + 1, 0, 4095, 13 << 8, (13 << 8) + 1, 255] * 2, 12).ljust(512, b"\1"))
    every += [source.randbytes(512) for _ in range(30)]
    return [Input(packed([source.randint(-Q, Q) for _ in range(256)]), data) for data in every]


def of_numbers(count: int) -> Callable[[random.Random, int], list[Input]]:
    """Every number from 0 to q - 1, and what is congruent to it."""

    def inputs(source: random.Random, _: int) -> list[Input]:
        numbers = [number + source.choice((-5, -4, -3, -2, -1, 0, 0, 1, 2, 3, 4)) * Q for number in range(Q)]
        numbers += [1 - 5 * Q, 5 * Q - 1, 0, -1, *(turns * Q for turns in range(-4, 5))]
        numbers = [number for number in numbers if abs(number) < 5 * Q]
        numbers += [0] * (-len(numbers) % count)
        pieces = [numbers[i : i + count] for i in range(0, len(numbers), count)]
        return [Input(source.randbytes(512), packed(piece)) for piece in pieces]

    return inputs


KERNELS = {
    "ntt": Kernel(0, of_one(-Q, Q), check_ntt),
    "inverse_ntt": Kernel(1, of_one(1 - 4 * Q, 4 * Q - 1), check_inverse_ntt),
    "scale": Kernel(2, of_factors, check_scaled),
    "multiply_add": Kernel(3, of_products, check_product),
    "sample": Kernel(4, of_bytes, check_sample),
    "add_noise_2": Kernel(5, of_bytes, check_noise(2)),
    "add_noise_3": Kernel(6, of_bytes, check_noise(3)),
    "encode_12": Kernel(7, of_numbers(16), check_encoding(12, 16)),
    "decode_12": Kernel(8, of_bytes, check_decoding(12, 16)),
    "encode_10": Kernel(9, of_numbers(32), check_encoding(10, 32)),
    "decode_10": Kernel(10, of_bytes, check_decoding(10, 32)),
    "encode_4": Kernel(11, of_numbers(32), check_encoding(4, 32)),
    "decode_4": Kernel(12, of_bytes, check_decoding(4, 32)),
    "encode_1": Kernel(13, of_numbers(32), check_encoding(1, 32)),
    "add_decoded_1": Kernel(14, of_bytes, check_message),
    "multiply_add_encoded": Kernel(15, of_encoded_products, check_product_with_encoded),
}
NTT_BOUND, GROUPS_AT_ONCE = 16, 17
each_kernel = pytest.mark.parametrize("name", KERNELS)


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, "ml_kem_kernels_driver.c", ("ml_kem", "sha3", "common"), tmp_path_factory)


@runs_on(HOST_GCC, *EVERY)
@each_kernel
def test_kernels(driver: Driver, name: str) -> None:
    kernel = KERNELS[name]
    nothing = " ".join([bytes(512).hex()] * 3)
    answers = driver.run([f"{number} 0 0 {nothing}" for number in (NTT_BOUND, GROUPS_AT_ONCE)])
    bound, at_once = (int(answer.split()[0]) for answer in answers)
    inputs = kernel.inputs(random.Random(name), bound)
    if name == "multiply_add":
        inputs = [one for one in inputs if one.r % at_once == 0]
    commands = [
        f"{kernel.number} {one.p} {one.r} {one.first.hex()} {one.second.hex()} {one.third.hex()}" for one in inputs
    ]
    for given, answer in zip(inputs, driver.run(commands), strict=True):
        result, first = answer.split()
        kernel.check(given, int(result), bytes.fromhex(first))


@pytest.fixture(scope="module", params=[(), ("-DTATU_PORTABLE",)], ids=["assembly", "c"])
def device(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    elf = tmp_path_factory.mktemp("ml_kem") / "device.elf"
    sources = [HERE / "ml_kem_device.c", *sorted((TATU_SRC / "ml_kem").rglob("ml_kem_ntt*.[cS]"))]
    for part in ("encoding", "sampling"):
        sources += sorted((TATU_SRC / "ml_kem").rglob(f"ml_kem_{part}*.[cS]"))
    command = ["avr-gcc", "-mmcu=atmega1284p", "-mrelax", "-std=gnu99", "-Os", *request.param, f"-I{TATU_SRC}"]
    subprocess.run([*command, "-o", str(elf), *map(str, sources)], check=True)
    return elf


@each_kernel
def test_kernels_on_avr(device: Path, name: str) -> None:
    kernel = KERNELS[name]
    inputs = kernel.inputs(random.Random(name), 1)
    sent = b"".join(bytes((kernel.number, one.p, one.r)) + one.first + one.second + one.third for one in inputs)
    options = ["--mcu", "atmega1284p", "--frequency", "16000000", "--uart", "stdio", "--max-cycles", "1000000000"]
    done = subprocess.run([runner(), *options, device], input=sent, capture_output=True, check=False)
    answers = [done.stdout[i : i + 513] for i in range(0, len(done.stdout), 513)]
    assert len(answers) == len(inputs), done.stderr.decode()[-300:]
    for given, answer in zip(inputs, answers, strict=True):
        kernel.check(given, answer[0], answer[1:])
