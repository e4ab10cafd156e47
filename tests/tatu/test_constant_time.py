"""No branch and no address in the portable C depends on a key, a message or the generator's state."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.tatu.compiled import compiled, sources_of
from tests.tatu.machines import STRICT

DRIVER = Path(__file__).resolve().with_name("constant_time_driver.c")
PARTS = (
    "aes",
    "ascon",
    "ccm",
    "chacha20",
    "cmac",
    "common",
    "drbg",
    "ed25519",
    "gcm",
    "hkdf",
    "hmac",
    "ml_dsa",
    "ml_kem",
    "modes",
    "p256",
    "secp256k1",
    "poly1305",
    "rc6",
    "sealed",
    "sha2",
    "sha512",
    "sha3",
    "speck",
    "x25519",
)
FLAGS = (*STRICT, "-g", "-DTATU_TEST_DECLASSIFY=test_declassify")


@pytest.fixture(scope="module", params=["-O0", "-O2"])
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("constant_time") / "driver"
    return compiled(target, "clang", (*FLAGS, "-fsanitize=memory", request.param), DRIVER, sources_of(PARTS, "*.c"))


@pytest.fixture(scope="module")
def under_valgrind(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that runs the driver where carries are followed too."""
    target = tmp_path_factory.mktemp("constant_time") / "under_valgrind"
    compiled(target, "gcc", (*FLAGS, "-O1"), DRIVER, sources_of(PARTS, "*.c"), defines=("-DUNDER_VALGRIND",))
    return ["valgrind", "--quiet", "--error-exitcode=9", str(target)]


def test_no_branch_and_no_address_depends_on_a_secret(program: Path) -> None:
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_table_look_up_would_be_noticed(program: Path) -> None:
    done = subprocess.run([program, "look-up"], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "use-of-uninitialized-value" in done.stderr
    assert "constant_time_driver.c" in done.stderr


def test_no_branch_and_no_address_depends_on_a_carry(under_valgrind: list[str]) -> None:
    done = subprocess.run(under_valgrind, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("leak", ["look-up", "carry"])
def test_a_leak_would_be_noticed(under_valgrind: list[str], leak: str) -> None:
    done = subprocess.run([*under_valgrind, leak], capture_output=True, text=True, check=False)
    assert done.returncode == 9
    assert "constant_time_driver.c" in done.stderr
