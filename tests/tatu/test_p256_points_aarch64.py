"""Points of P-256 in limbs of 29 bits, for AArch64, against Python's integers, with limbs as large as they may be."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import pytest

from tests.tatu.curve_checks import P256
from tests.tatu.machines import CORTEX_A53, Driver, driver_on, runs_on

PRIME = P256.prime
FORM = 2**261
LIMBS = 9
# Of a number that is carried, and of the highest limb.
CARRIED, HIGHEST = 2**28, 2**26
SOURCE = random.Random("limbs")


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, "p256_points_driver.c", ("p256", "sha2", "common"), tmp_path_factory)


def text_of(limbs: Sequence[int]) -> str:
    return "".join((limb % 2**32).to_bytes(4, "big").hex() for limb in limbs)


def value_of(limbs: Sequence[int]) -> int:
    """Out of the form."""
    return sum(limb << 29 * i for i, limb in enumerate(limbs)) * pow(FORM, -1, PRIME) % PRIME


def numbers(largest: int) -> list[list[int]]:
    """All limbs at an end, one at an end, and any, with limbs up to the largest."""
    ends = [[sign * largest] * 8 + [other * HIGHEST] for sign in (1, -1) for other in (1, -1)]
    mixed = [[SOURCE.choice((largest, -largest, 0, 1, -1)) for _ in range(8)] + [0] for _ in range(4)]
    single = [[largest * (i == at) for i in range(LIMBS)] for at in (0, 3, 7)]
    any_of = [[SOURCE.randint(-largest, largest) for _ in range(8)] + [SOURCE.randint(-HIGHEST, HIGHEST)]] * 4
    return [*ends, *mixed, *single, *any_of, [0] * LIMBS]


def answers_of(driver: Driver, commands: Sequence[str]) -> list[tuple[int, int, int]]:
    """X, Y and Z, out of the form of a state."""
    lines = [line.split() for line in driver.run(commands)]
    out_of_form = pow(2, -256, PRIME)
    assert all(int(word, 16) < PRIME for line in lines for word in line)
    return [tuple(int(word, 16) * out_of_form % PRIME for word in line) for line in lines]  # type: ignore[misc]


@runs_on(CORTEX_A53)
def test_products_of_the_largest_limbs(driver: Driver) -> None:
    """The sum of what multiplies has 63 bits: 3.25 * 2^58 for the product of two limbs."""
    pairs = [pair for size in (1, 2, 3) for pair in itertools.product(numbers(size * 2**29), numbers(2**29))]
    answers = answers_of(driver, [f"multiply {text_of(a)} {text_of(b)}" for a, b in pairs])
    for (a, b), (x, _, _) in zip(pairs, answers, strict=True):
        assert x == -value_of(a) * value_of(b) % PRIME, (a, b)


@runs_on(CORTEX_A53)
def test_doublings(driver: Driver) -> None:
    points = [[SOURCE.choice(numbers(CARRIED)) for _ in range(3)] for _ in range(200)]
    points += [[number] * 3 for number in numbers(CARRIED)]
    answers = answers_of(driver, ["double " + "".join(map(text_of, point)) for point in points])
    for point, answer in zip(points, answers, strict=True):
        x, y, z = -value_of(point[0]), value_of(point[1]) * pow(2, -1, PRIME), value_of(point[2])
        slope = 3 * (x * x - z**4)
        expected_x = slope * slope - 8 * x * y * y
        expected_y = slope * (4 * x * y * y - expected_x) - 8 * y**4
        assert answer == (expected_x % PRIME, expected_y % PRIME, 2 * y * z % PRIME), point


@runs_on(CORTEX_A53)
@pytest.mark.parametrize("operation", ["add", "add-general"])
def test_additions(driver: Driver, operation: str) -> None:
    """Coordinates of an affine point need not be carried."""
    second_limbs = 2**29 if operation == "add" else CARRIED
    pairs = [
        (
            [SOURCE.choice(numbers(CARRIED)) for _ in range(3)],
            [SOURCE.choice(numbers(second_limbs)) for _ in range(3)],
        )
        for _ in range(300)
    ]
    answers = answers_of(
        driver, [f"{operation} {''.join(map(text_of, a))} {''.join(map(text_of, b))}" for a, b in pairs]
    )
    half = pow(2, -1, PRIME)
    for (a, b), answer in zip(pairs, answers, strict=True):
        x1, y1, z1 = -value_of(a[0]), value_of(a[1]) * half, value_of(a[2])
        x2, y2 = -value_of(b[0]), value_of(b[1]) * half
        z2 = value_of(b[2]) if operation == "add-general" else 1
        u1, s1 = x1 * z2**2, y1 * z2**3
        h, r = x2 * z1**2 - u1, 2 * (y2 * z1**3 - s1)
        x3 = r * r - 4 * h**3 - 8 * u1 * h * h
        y3 = r * (4 * u1 * h * h - x3) - 8 * s1 * h**3
        assert answer == (x3 % PRIME, y3 % PRIME, 2 * z1 * z2 * h % PRIME), (a, b)
