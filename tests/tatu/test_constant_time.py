"""No branch and no address in the portable C depends on a key, a message or the generator's state."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.tatu.machines import STRICT, TATU_SRC

DRIVER = Path(__file__).resolve().with_name("constant_time_driver.c")
PARTS = (
    "aes",
    "ascon",
    "ccm",
    "chacha20",
    "cmac",
    "common",
    "drbg",
    "gcm",
    "hkdf",
    "hmac",
    "modes",
    "poly1305",
    "rc6",
    "sha2",
    "sha3",
    "speck",
)


@pytest.fixture(scope="module", params=["-O0", "-O2"])
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("constant_time") / "driver"
    sources = [DRIVER, *sorted(source for part in PARTS for source in (TATU_SRC / part).rglob("*.c"))]
    command = ["clang", *STRICT, "-fsanitize=memory", "-g", request.param, f"-I{TATU_SRC}", "-o", str(target)]
    subprocess.run([*command, *map(str, sources)], check=True)
    return target


def test_no_branch_and_no_address_depends_on_a_secret(program: Path) -> None:
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_table_look_up_would_be_noticed(program: Path) -> None:
    done = subprocess.run([program, "look-up"], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "use-of-uninitialized-value" in done.stderr
    assert "constant_time_driver.c" in done.stderr
