"""Drivers of hardware noise sources against simulated registers, faults included, and the system's entropy."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tatu.cipher_programs import ERR_ENTROPY, OK
from tests.tatu.compiled import compiled, sources_of
from tests.tatu.machines import HERE, SANITIZERS, STRICT, TATU_SRC, Driver

KINDS = ("stm32", "sam", "nrf", "rp2040")
FAULTS = [
    *(("stm32", fault) for fault in ("seed", "seed-past", "clock", "clock-past", "silent")),
    ("sam", "silent"),
    ("nrf", "silent"),
    ("rp2040", "unstable"),
    ("rp2040", "off"),
]


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Driver:
    program = tmp_path_factory.mktemp("trng") / "trng"
    flags = (*STRICT, *SANITIZERS, "-DTATU_INTERNAL_SIMULATED_REGISTERS")
    library = sources_of(("aes", "drbg", "entropy", "common"), "*.c")
    return Driver(compiled(program, "gcc", flags, HERE / "trng_driver.c", library, linking=("-Wl,--wrap=getentropy",)))


def word(number: int) -> int:
    """What the simulated peripheral gives as its word of this number, from 1 on."""
    product = number * 2654435761 & 0xFFFFFFFF
    return product ^ product >> 15


def expected_samples(kind: str) -> Iterator[int]:
    number = 1 if kind == "stm32" else 0  # its first word is discarded
    while True:
        number += 1
        if kind == "nrf":
            yield word(number) & 0xFF
        elif kind == "rp2040":
            yield int("".join(str(word(8 * number - 7 + bit) >> 13 & 1) for bit in range(8)), 2)
        else:
            yield from word(number).to_bytes(4, "little")


# Of the manufacturers' headers (CMSIS): the base of the bus and what is added to it.
ADDRESSES = {
    "STM32": 0x50000000 + 0x60800,
    "STM32L0": 0x40020000 + 0x5000,
    "SAMD51": 0x42002800,
    "SAML21": 0x42003800,
    "NRF": 0x4000D000,
    "RP2040": 0x40060000,
}


def test_the_header_has_the_address_of_each_family() -> None:
    header = (TATU_SRC / "tatu" / "trng.h").read_text()
    found = re.findall(r"TATU_TRNG_(\w+)_REGISTERS \(\(volatile uint8_t \*\)(0x\w+)\)", header)
    assert {name: int(address, 16) for name, address in found} == ADDRESSES


@pytest.mark.parametrize("kind", KINDS)
def test_samples_are_the_bytes_of_the_peripheral(driver: Driver, kind: str) -> None:
    [answer] = driver.words([f"sample {kind} none 41"])
    samples = expected_samples(kind)
    assert answer == [f"{OK}:{next(samples):02x}" for _ in range(41)]


@pytest.mark.parametrize(("kind", "fault"), FAULTS)
def test_a_fault_ends_the_source(driver: Driver, kind: str, fault: str) -> None:
    """From the word of the fault on there is one error and no sample, and it stays so."""
    at = 24 if kind == "rp2040" else 3
    [answer] = driver.words([f"sample {kind} {fault}@{at} 60"])
    samples = expected_samples(kind)
    # The first word of an STM32 is discarded, and the third one comes with the error.
    before = {"stm32": 8 if fault == "silent" else 4, "sam": 12, "nrf": 3, "rp2040": 3}[kind]
    good = [f"{OK}:{next(samples):02x}" for _ in range(before)]
    assert answer == good + [f"{ERR_ENTROPY}:00"] * (60 - len(good))
    [at_once] = driver.words([f"sample {kind} {fault}@0 3"])
    assert at_once == [f"{ERR_ENTROPY}:00"] * 3


@pytest.mark.parametrize("kind", KINDS)
def test_each_is_a_noise_source(driver: Driver, kind: str) -> None:
    [[started, result, _, output]] = driver.words([f"noise {kind} none"])
    assert (started, result) == (str(OK), str(OK))
    assert len(set(bytes.fromhex(output))) > 25


@pytest.mark.parametrize(("kind", "fault"), FAULTS)
def test_a_fault_while_noise_is_collected_gives_no_output(driver: Driver, kind: str, fault: str) -> None:
    words_of_a_start = {"stm32": 257, "sam": 256, "nrf": 1024, "rp2040": 8192}[kind]
    late, early = driver.words([f"noise {kind} {fault}@{at}" for at in (words_of_a_start + 16, words_of_a_start - 16)])
    assert (late[0], late[1], late[3]) == (str(OK), str(ERR_ENTROPY), "00" * 40)
    assert (early[0], early[1], early[3]) == (str(ERR_ENTROPY), str(ERR_ENTROPY), "00" * 40)


@pytest.mark.parametrize("length", [0, 1, 255, 256, 257, 1000])
def test_the_system_gives_every_length_in_pieces(driver: Driver, length: int) -> None:
    [answer] = driver.words([f"system {length} 0"])
    expected = b"".join(bytes([0x10 + i]) * min(256, length - 256 * i) for i in range(-(-length // 256)))
    assert answer == [str(OK), expected.hex() + "aa"]


@pytest.mark.parametrize(("length", "failing"), [(1, 1), (257, 2), (1000, 1), (1000, 4)])
def test_a_system_without_entropy_gives_zeros(driver: Driver, length: int, failing: int) -> None:
    assert driver.words([f"system {length} {failing}"]) == [[str(ERR_ENTROPY), "00" * length + "aa"]]


def test_the_system_of_this_machine_gives_entropy(tmp_path: Path) -> None:
    program, source = tmp_path / "system", tmp_path / "system.c"
    source.write_text("""
        #include <string.h>
        #include <tatu/entropy_system.h>
        int main(void) {
            static uint8_t one[1000], other[1000];
            if (tatu_entropy_system_read(NULL, one, sizeof one) != TATU_OK) return 1;
            if (tatu_entropy_system_read(NULL, other, sizeof other) != TATU_OK) return 2;
            return memcmp(one, other, sizeof one) == 0 || memcmp(one, one + 500, 500) == 0 ? 3 : 0; }""")
    files = [TATU_SRC / "entropy" / "system" / "entropy_system.c", TATU_SRC / "common" / "wipe.c"]
    subprocess.run(["gcc", *STRICT, f"-I{TATU_SRC}", "-o", program, source, *files], check=True)
    assert subprocess.run([program], check=False).returncode == 0
