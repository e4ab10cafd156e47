"""Runs official vectors on the device, through the same firmware that is measured.

Known-answer, multi-block and Monte-Carlo tests of AESAVS for ECB and CBC; Speck's designers' vectors and random input against an
independent implementation; and what SP 800-38A asks of IVs. A candidate that fails is named by the first vector it failed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bancada.block_cipher import IV_BYTES, BlockCipher
from bancada.records import Conformance, Firmware
from bancada.vectors import (
    AES_KNOWN_ANSWER_TESTS,
    AES_MULTI_BLOCK_TEST,
    Vector,
    aes_vectors,
    independent_block,
    speck_designers_vectors,
)

# AESAVS 6.4: 100 rounds of 1000 calls. An ordinary run does the beginning of the first round.
_FULL_ROUNDS, _FULL_CALLS = 100, 1000
_ORDINARY_ROUNDS, _ORDINARY_CALLS = 2, 50
_RANDOM_BLOCKS = 64
_FRESH_IVS_ORDINARY, _FRESH_IVS_FULL = 2000, 10000

SP800_38A_PASSES = "library makes a fresh IV"
SP800_38A_CALLER = "caller gives the IV"
SP800_38A_FAILS = "library's IV is not fresh and unpredictable"


@dataclass(frozen=True)
class _Check:
    """One thing to verify: its name, and what gives (expected, got)."""

    name: str
    run: Callable[[], tuple[str, str]]


def _vector_check(cipher: BlockCipher, vector: Vector, block_bytes: int) -> _Check:
    def run() -> tuple[str, str]:
        if vector.iv is not None:
            got = cipher.crypt_cbc(vector.decrypting, vector.key, vector.iv, vector.data)
        else:
            blocks = (vector.data[i : i + block_bytes] for i in range(0, len(vector.data), block_bytes))
            got = b"".join(cipher.crypt_block(vector.decrypting, vector.key, block) for block in blocks)
        return vector.expected.hex(), got.hex()

    return _Check(vector.name, run)


def _next_key(key: bytes, before_last: bytes, last: bytes) -> bytes:
    """AESAVS 6.4.1: the next round's key is this one's, exclusive-or the last ciphertext bits, as many as the key has."""
    tail = (before_last + last)[-len(key) :]
    return bytes(a ^ b for a, b in zip(key, tail, strict=True))


def _expected_ecb(algorithm: str, decrypting: bool, key: bytes, data: bytes, calls: int) -> tuple[bytes, bytes]:
    crypt = independent_block(algorithm, key, decrypting)
    before_last = b""
    for _ in range(calls):
        before_last, data = data, crypt(data)
    return before_last, data


def _expected_cbc(decrypting: bool, key: bytes, iv: bytes, data: bytes, calls: int) -> tuple[bytes, bytes]:
    crypt = independent_block("aes", key, decrypting)
    before_last, last = b"", iv
    for _ in range(calls):
        if decrypting:
            result = bytes(a ^ b for a, b in zip(crypt(data), iv, strict=True))
            iv, data = data, last
        else:
            result = crypt(bytes(a ^ b for a, b in zip(data, iv, strict=True)))
            iv, data = result, iv
        before_last, last = last, result
    return before_last, last


def _monte_carlo(cipher: BlockCipher, firmware: Firmware, mode: str, decrypting: bool, full: bool) -> Iterator[_Check]:
    """AESAVS 6.4, from a seed that depends on the test's name alone. The next round starts from the right values."""
    direction = "decrypt" if decrypting else "encrypt"
    name = f"AESAVS {mode} Monte-Carlo {firmware.key_bits} {direction}"
    source = random.Random(name)
    key, iv, data = source.randbytes(firmware.key_bits // 8), source.randbytes(IV_BYTES), source.randbytes(16)
    rounds, calls = (_FULL_ROUNDS, _FULL_CALLS) if full else (_ORDINARY_ROUNDS, _ORDINARY_CALLS)
    for number in range(rounds):
        if mode == "ECB":
            before_last, last = _expected_ecb(firmware.algorithm, decrypting, key, data, calls)
        else:
            before_last, last = _expected_cbc(decrypting, key, iv, data, calls)

        def run(
            key: bytes = key, iv: bytes = iv, data: bytes = data, expected: tuple[bytes, bytes] = (before_last, last)
        ) -> tuple[str, str]:
            if mode == "ECB":
                got = cipher.chain_ecb(decrypting, key, data, calls)
            else:
                got = cipher.chain_cbc(decrypting, key, iv, data, calls)
            return b"".join(expected).hex(), b"".join(got).hex()

        yield _Check(f"{name} COUNT = {number}", run)
        key = _next_key(key, before_last, last)
        iv, data = (last, before_last) if mode == "CBC" else (iv, last)


def _aes_checks(cipher: BlockCipher, firmware: Firmware, with_decrypt: bool, full: bool) -> Iterator[_Check]:
    modes = ("ECB", "CBC") if firmware.cbc and with_decrypt else ("ECB",)
    for mode in modes:
        for test in (*AES_KNOWN_ANSWER_TESTS, AES_MULTI_BLOCK_TEST):
            for vector in aes_vectors(mode, test, firmware.key_bits):
                if with_decrypt or not vector.decrypting:
                    yield _vector_check(cipher, vector, firmware.block_bytes)
        for decrypting in (False, True) if with_decrypt else (False,):
            yield from _monte_carlo(cipher, firmware, mode, decrypting, full)


def _speck_checks(cipher: BlockCipher, firmware: Firmware, with_decrypt: bool, full: bool) -> Iterator[_Check]:
    for vector in speck_designers_vectors(firmware.algorithm, firmware.key_bits):
        if with_decrypt or not vector.decrypting:
            yield _vector_check(cipher, vector, firmware.block_bytes)


def _random_checks(cipher: BlockCipher, firmware: Firmware, with_decrypt: bool) -> Iterator[_Check]:
    source = random.Random(f"random blocks {firmware.algorithm} {firmware.key_bits}")
    for number in range(_RANDOM_BLOCKS):
        key, data = source.randbytes(firmware.key_bits // 8), source.randbytes(firmware.block_bytes)
        for decrypting in (False, True) if with_decrypt else (False,):
            expected = independent_block(firmware.algorithm, key, decrypting)(data)
            direction = "decrypt" if decrypting else "encrypt"
            name = f"random {firmware.algorithm} block {number} with a {firmware.key_bits}-bit key, {direction}"
            yield _vector_check(cipher, Vector(name, decrypting, key, None, data, expected), firmware.block_bytes)


def randomness_faults(ivs: list[bytes]) -> list[str]:
    """What a simple look at IVs finds: repeats, a constant or counting byte, and ones that are too few or too many.

    Bounds are five standard deviations, so that a good source fails about once in a million looks.
    """
    faults = []
    if len(set(ivs)) != len(ivs):
        faults.append(f"{len(ivs) - len(set(ivs))} of {len(ivs)} IVs are repeats")
    bits = 8 * len(ivs[0])
    for position in range(bits):
        ones = sum(iv[position // 8] >> (position % 8) & 1 for iv in ivs)
        if abs(2 * ones - len(ivs)) > 5 * len(ivs) ** 0.5:
            faults.append(f"bit {position} is one in {ones} of {len(ivs)} IVs")
    flips = sum(
        (int.from_bytes(a, "big") ^ int.from_bytes(b, "big")).bit_count() for a, b in zip(ivs, ivs[1:], strict=False)
    )
    pairs = bits * (len(ivs) - 1)
    if abs(2 * flips - pairs) > 5 * pairs**0.5:
        faults.append(f"{flips} of {pairs} bits change from one IV to the next")
    return faults


def _iv_checks(cipher: BlockCipher, firmware: Firmware, full: bool) -> Iterator[_Check]:
    """SP 800-38A, appendix C: IVs that the library makes are fresh and unpredictable, and encrypt what they say they do."""
    key, message = bytes(range(firmware.key_bits // 8)), b"the same message"
    encrypt = independent_block(firmware.algorithm, key, False)
    ivs: list[bytes] = []

    def collect() -> tuple[str, str]:
        for _ in range(_FRESH_IVS_FULL if full else _FRESH_IVS_ORDINARY):
            made = cipher.fresh_iv_message(key, message)
            if made is None:
                return "an IV", "the library's entropy source failed"
            iv, ciphertext = made[:IV_BYTES], made[IV_BYTES:]
            if encrypt(bytes(a ^ b for a, b in zip(message, iv, strict=True))) != ciphertext:
                return "the ciphertext under the IV sent with it", f"IV {iv.hex()} with {ciphertext.hex()}"
            ivs.append(iv)
        return "", ""

    def differ() -> tuple[str, str]:
        return "two different IVs", "two different IVs" if len(set(ivs[:2])) == 2 else "the same IV twice"

    def random_enough() -> tuple[str, str]:
        return "", "; ".join(randomness_faults(ivs)[:3])

    yield _Check("SP 800-38A: every message carries the IV it was encrypted with", collect)
    yield _Check("SP 800-38A: two encryptions of one message differ", differ)
    yield _Check("SP 800-38A: the library's IVs look random", random_enough)


def conformance(firmware: Firmware, cipher: BlockCipher, with_decrypt: bool, full: bool = False) -> Conformance:
    """Every check for this firmware, on the device behind `cipher`. Goes on after a failure, to count them all.

    DeviceError if the device stops answering.
    """
    checks = _aes_checks if firmware.algorithm == "aes" else _speck_checks
    passed = total = 0
    first_failure: str | None = None

    def attempt(check: _Check) -> bool:
        nonlocal passed, total, first_failure
        expected, got = check.run()
        total += 1
        passed += expected == got
        if expected != got and first_failure is None:
            first_failure = f"{check.name}: expected {expected or 'nothing'}, got {got}"
        return expected == got

    for check in checks(cipher, firmware, with_decrypt, full):
        attempt(check)
    for check in _random_checks(cipher, firmware, with_decrypt):
        attempt(check)
    sp800_38a = None
    if firmware.cbc == "caller" and with_decrypt:
        sp800_38a = SP800_38A_CALLER
    elif firmware.cbc == "library" and with_decrypt:
        results = [attempt(check) for check in _iv_checks(cipher, firmware, full)]
        sp800_38a = SP800_38A_PASSES if all(results) else SP800_38A_FAILS
    return Conformance(passed, total, first_failure, sp800_38a)
