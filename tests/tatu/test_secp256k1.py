"""secp256k1 against Project Wycheproof and `cryptography`; its table against the definition."""

from __future__ import annotations

import pytest

from tests.tatu.curve_checks import (
    SECP256K1,
    WORDS_OF_32,
    check_arithmetic,
    check_every_vector_of_wycheproof,
    check_points_that_are_none_are_refused,
    check_random_keys,
    check_scalars_at_the_ends,
    check_signatures_that_meet_equal_and_opposite_points,
    check_the_table_is_of_multiples_of_the_base_point,
)
from tests.tatu.machines import CORTEX_A8_ARM, CORTEX_M4, EVERY, HOST_GCC, HOSTS, Driver, driver_on, runs_on

PARTS = ("secp256k1", "sha2", "common")
CURVE = SECP256K1


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, "secp256k1_driver.c", PARTS, tmp_path_factory)


@runs_on(*HOSTS, WORDS_OF_32, *EVERY)
def test_random_keys(driver: Driver) -> None:
    check_random_keys(CURVE, driver)


@runs_on(HOST_GCC, WORDS_OF_32)
def test_the_arithmetic_in_c(driver: Driver) -> None:
    check_arithmetic(CURVE, driver, CURVE.prime)


@runs_on(CORTEX_M4, CORTEX_A8_ARM)
def test_the_arithmetic_in_assembly(driver: Driver) -> None:
    """Numbers have any 256 bits."""
    check_arithmetic(CURVE, driver, 2**256)


@runs_on(HOST_GCC, WORDS_OF_32)
def test_scalars_at_the_ends(driver: Driver) -> None:
    check_scalars_at_the_ends(CURVE, driver)


@runs_on(HOST_GCC, WORDS_OF_32)
def test_signatures_that_meet_equal_and_opposite_points(driver: Driver) -> None:
    check_signatures_that_meet_equal_and_opposite_points(CURVE, driver)


@runs_on(HOST_GCC, WORDS_OF_32)
def test_every_vector_of_wycheproof(driver: Driver) -> None:
    check_every_vector_of_wycheproof(
        CURVE, driver, "ecdsa_secp256k1_sha256_p1363_test.json", "ecdh_secp256k1_test.json"
    )


@runs_on(HOST_GCC, WORDS_OF_32)
def test_points_that_are_none_are_refused(driver: Driver) -> None:
    check_points_that_are_none_are_refused(CURVE, driver)


def test_the_table_is_of_multiples_of_the_base_point() -> None:
    check_the_table_is_of_multiples_of_the_base_point(CURVE)
