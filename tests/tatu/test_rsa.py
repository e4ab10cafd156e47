"""RSA signatures against Project Wycheproof, all of its vectors for the two sizes, and NIST's with other exponents."""

from __future__ import annotations

import hashlib
import random
import subprocess
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import rsa_recover_prime_factors

from bancada.engines.simavr.session import runner
from bancada.primitives.discovery import read_primitives
from bancada.primitives.signature.algorithm import SignatureAlgorithm
from bancada.primitives.vector_files import wycheproof
from tests.tatu.machines import (
    CORTEX_A53,
    CORTEX_M0_PLUS,
    CORTEX_M4,
    HERE,
    HOST_GCC,
    TATU_SRC,
    Driver,
    assert_each,
    driver_on,
    runs_on,
)

OK, ERR_AUTHENTICATION = "0", "-4"
FILES = {
    "pkcs1": ("rsa_signature_2048_sha256_test.json", "rsa_signature_3072_sha256_test.json"),
    "pss": ("rsa_pss_2048_sha256_mgf1_32_test.json", "rsa_pss_3072_sha256_mgf1_32_test.json"),
}

# A command for the driver, the right answer, and what the vector is called.
Case = tuple[str, str, str]


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, "rsa_driver.c", ("rsa", "sha2", "common"), tmp_path_factory)


def edge_cases(scheme: str, file_name: str) -> Iterator[Case]:
    """Wycheproof's vectors. A signature of another length cannot be given to Tatu."""
    for group in wycheproof(file_name)["testGroups"]:
        modulus = bytes.fromhex(group["publicKey"]["modulus"])
        modulus = modulus[1:] if modulus[0] == 0 else modulus
        for test in group["tests"]:
            if test["result"] == "acceptable" or len(test["sig"]) != 2 * len(modulus):
                continue
            digest = hashlib.sha256(bytes.fromhex(test["msg"])).hexdigest()
            line = f"{scheme} {modulus.hex()} {group['publicKey']['publicExponent']} {test['sig']} {digest}"
            name = f"{file_name} {test['tcId']} {test['comment']}"
            yield line, OK if test["result"] == "valid" else ERR_AUTHENTICATION, name


@runs_on(HOST_GCC, CORTEX_A53, CORTEX_M0_PLUS, CORTEX_M4)
@pytest.mark.parametrize("scheme", FILES)
def test_wycheproof(driver: Driver, scheme: str) -> None:
    cases = [case for file_name in FILES[scheme] for case in edge_cases(scheme, file_name)]
    valid = sum(expected == OK for _, expected, _ in cases)
    assert valid >= 14 and len(cases) - valid >= 60, (valid, len(cases))
    assert_each(
        driver.run(line for line, _, _ in cases), [right for _, right, _ in cases], (name for _, _, name in cases)
    )


@runs_on(HOST_GCC, CORTEX_A53)
def test_other_exponents(driver: Driver) -> None:
    """NIST's SigVer15 has a random exponent for each key."""
    algorithm = read_primitives()["signature"].algorithm("rsa-pkcs1")
    assert isinstance(algorithm, SignatureAlgorithm)
    vectors = [vector for vector in algorithm.verifications(True) if vector.name.startswith("CAVP")]
    assert len({vector.public[256:] for vector in vectors}) >= 3
    commands = (
        f"pkcs1 {each.public[:256].hex()} {each.public[256:].hex()} {each.signature.hex()} {each.digest.hex()}"
        for each in vectors
    )
    expected = [OK if vector.valid else ERR_AUTHENTICATION for vector in vectors]
    assert_each(driver.run(commands), expected, (vector.name for vector in vectors))


@runs_on(HOST_GCC, CORTEX_A53)
def test_keys_that_are_none_are_refused(driver: Driver) -> None:
    line, expected, _ = next(case for case in edge_cases("pkcs1", FILES["pkcs1"][0]) if case[1] == OK)
    scheme, modulus, exponent, signature, digest = line.split()
    even, short = f"{int(modulus, 16) - 1:x}", f"00{modulus[2:]}"
    lines = [line, *(f"{scheme} {modulus} {other} {signature} {digest}" for other in ("1", "2", "10000", "0"))]
    lines += [f"{scheme} {other} {exponent} {signature} {digest}" for other in (even, short, "00" * 256)]
    assert driver.run(lines) == [expected, *[ERR_AUTHENTICATION] * 7]


@cache
def encodings_that_differ_in_one_bit(scheme: str) -> list[str]:
    """The driver's lines for a signature that holds, and for one of each encoding whose byte differs in one bit."""
    algorithm = read_primitives()["signature"].algorithm(f"rsa-{scheme}")
    assert isinstance(algorithm, SignatureAlgorithm)
    source = random.Random("encodings")
    pair, digest = algorithm.key_pair(source), source.randbytes(32)
    signature = algorithm.sign(pair, digest, source)
    modulus, exponent, secret = (
        int.from_bytes(pair.private[start:end], "big") for start, end in ((0, 256), (256, 260), (260, 516))
    )
    primes = rsa_recover_prime_factors(modulus, exponent, secret)
    encoded = pow(int.from_bytes(signature, "big"), exponent, modulus)

    def signed(encoding: int) -> str:
        # By the remainders modulo the primes (RFC 8017, section 5.1.2): four times as fast.
        one, other = (pow(encoding, secret % (prime - 1), prime) for prime in primes)
        value = (
            (other + primes[1] * ((one - other) * pow(primes[1], -1, primes[0]) % primes[0])).to_bytes(256, "big").hex()
        )
        return f"{scheme} {pair.public[:256].hex()} {exponent:x} {value} {digest.hex()}"

    altered = [encoded ^ 1 << 8 * at + at % 8 for at in range(256)]
    return [signed(each) for each in (encoded, *(each for each in altered if each < modulus))]


@runs_on(HOST_GCC, CORTEX_A53)
@pytest.mark.parametrize("scheme", FILES)
def test_every_byte_of_the_encoded_message_counts(driver: Driver, scheme: str) -> None:
    """Whoever has the private key signs encodings that differ in one bit (RFC 8017, sections 8.2.2 and 9.1.2)."""
    answers = driver.run(encodings_that_differ_in_one_bit(scheme))
    assert len(answers) >= 255
    assert answers == [OK, *[ERR_AUTHENTICATION] * (len(answers) - 1)]


# ---- the numbers of the kernel for AVR ----

MULTIPLY, SQUARE = 0, 1


def edges(length: int) -> Iterator[int]:
    """Numbers at whose halves, down to eight bytes, carries go all the way, signs change or a difference is zero."""
    ones = 256**length - 1
    yield from (0, 1, ones, ones - 1, 256 ** (length - 1))
    for half in (8 * 2**step for step in range(8) if 8 * 2**step < length):
        low = 256**half - 1
        yield from (low, ones ^ low, low << 8 * half, low << 8 * (length - half))
        yield sum(low << 16 * half * place for place in range(length // half // 2))
        yield sum(255 << 8 * half * place for place in range(length // half))


def long_carries(source: random.Random) -> Iterator[tuple[int, int]]:
    """Factors of 64 bytes: the product of their upper halves has ones where the carry of the middle goes."""
    while True:
        a, b = source.getrandbits(512), source.getrandbits(512)
        if (a >> 256) * (b >> 256) >> 256 & 0xFFFF == 0xFFFF:
            yield a, b


@pytest.fixture(scope="module")
def device(tmp_path_factory: pytest.TempPathFactory) -> Path:
    elf = tmp_path_factory.mktemp("numbers") / "device.elf"
    sources = [HERE / "rsa_numbers_device.c", TATU_SRC / "rsa/avr/rsa2048_numbers_avr.S"]
    command = ["avr-gcc", "-mmcu=atmega328p", "-mrelax", "-std=gnu99", "-Os", f"-I{TATU_SRC}", "-o", str(elf)]
    subprocess.run([*command, *map(str, sources)], check=True)
    return elf


@pytest.mark.parametrize(("operation", "length"), [(MULTIPLY, 64), (SQUARE, 256)])
def test_products_and_squares_of_avr(device: Path, operation: int, length: int) -> None:
    source = random.Random(operation)
    numbers = [*edges(length), *(source.getrandbits(8 * length) for _ in range(20))]
    pairs = [(a, a) for a in numbers]
    if operation == MULTIPLY:
        pairs = [(a, b) for a in numbers for b in source.sample(numbers, 6)]
        pairs += islice(long_carries(source), 4)
    sent = b"".join(
        bytes([operation]) + b"".join(each.to_bytes(length, "little") for each in pair[: 2 - operation])
        for pair in pairs
    )
    options = ["--mcu", "atmega328p", "--frequency", "16000000", "--uart", "stdio", "--max-cycles", "1000000000"]
    done = subprocess.run([runner(), *options, device], input=sent, capture_output=True, check=False)
    results = [done.stdout[i : i + 2 * length] for i in range(0, len(done.stdout), 2 * length)]
    assert len(results) == len(pairs), done.stderr.decode()[-300:]
    for (a, b), result in zip(pairs, results, strict=True):
        assert int.from_bytes(result, "little") == a * b, (hex(a), hex(b))
