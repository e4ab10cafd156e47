"""Conformance of block ciphers: official vectors, random input against a second implementation, and IVs.

What is in AESAVS also runs its multi-block tests of CBC and its Monte-Carlo tests. SP 800-38A says what is asked of
IVs.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from bancada.primitives.block_cipher.algorithm import BlockCipherAlgorithm, Vector, in_byte_order
from bancada.primitives.block_cipher.calls import IV_BYTES, BlockCipherCalls
from bancada.primitives.primitive import SP800_38A, Check, FirmwareView

# AESAVS 6.4: 100 rounds of 1000 calls. An ordinary run does the beginning of the first round.
_FULL_ROUNDS, _FULL_CALLS = 100, 1000
_ORDINARY_ROUNDS, _ORDINARY_CALLS = 2, 50
_RANDOM_BLOCKS = 64
_PACKET_BLOCKS = 33
_FRESH_IVS_ORDINARY, _FRESH_IVS_FULL = 2000, 10000


class _Tested:
    """A block cipher on a device, and what is known of its algorithm in the byte order that candidate.toml declares."""

    def __init__(self, cipher: BlockCipherCalls, firmware: FirmwareView, algorithm: BlockCipherAlgorithm) -> None:
        self.cipher = cipher
        self.firmware = firmware
        self.algorithm = in_byte_order(algorithm, firmware.byte_order)
        self._as_published = algorithm

    def vector_check(self, vector: Vector) -> Check:
        """A vector of ECB or CBC."""
        block_bytes = self.firmware.block_bytes

        def run() -> tuple[str, str]:
            if vector.iv is not None:
                got = self.cipher.crypt_cbc(vector.decrypting, vector.key, vector.iv, vector.data)
                return vector.expected.hex(), got.hex()
            blocks = (vector.data[i : i + block_bytes] for i in range(0, len(vector.data), block_bytes))
            got = b"".join(self.cipher.crypt_block(vector.decrypting, vector.key, block) for block in blocks)
            hint = "" if got == vector.expected else self._other_order(vector, got)
            return vector.expected.hex(), got.hex() + hint

        return Check(vector.name, run)

    def _other_order(self, vector: Vector, got: bytes) -> str:
        """A hint if the answer is right in another byte order of the algorithm."""
        orders = self._as_published.byte_orders
        declared = self.firmware.byte_order or next(iter(orders), "")
        for order in orders:
            turned = in_byte_order(self._as_published, order)
            if order != declared and turned.block(vector.key, vector.decrypting)(vector.data) == got:
                return f", which is right in the byte order '{order}': say byte_order = \"{order}\" in candidate.toml"
        return ""


def _next_key(key: bytes, before_last: bytes, last: bytes) -> bytes:
    """AESAVS 6.4.1:

    the next round's key is this one's, exclusive-or the last ciphertext bits, as many as the key has.
    """
    tail = (before_last + last)[-len(key) :]
    return bytes(a ^ b for a, b in zip(key, tail, strict=True))


def _expected_ecb(
    algorithm: BlockCipherAlgorithm, decrypting: bool, key: bytes, data: bytes, calls: int
) -> tuple[bytes, bytes]:
    crypt = algorithm.block(key, decrypting)
    before_last = b""
    for _ in range(calls):
        before_last, data = data, crypt(data)
    return before_last, data


def _expected_cbc(
    algorithm: BlockCipherAlgorithm, decrypting: bool, key: bytes, iv: bytes, data: bytes, calls: int
) -> tuple[bytes, bytes]:
    crypt = algorithm.block(key, decrypting)
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


def _monte_carlo(tested: _Tested, mode: str, decrypting: bool, full: bool) -> Iterator[Check]:
    """AESAVS 6.4, from a seed that depends on the test's name alone. The next round starts from the right values."""
    key_bits = tested.firmware.key_bits
    direction = "decrypt" if decrypting else "encrypt"
    name = f"AESAVS {mode} Monte-Carlo {key_bits} {direction}"
    source = random.Random(name)
    key, iv, data = source.randbytes(key_bits // 8), source.randbytes(IV_BYTES), source.randbytes(16)
    rounds, calls = (_FULL_ROUNDS, _FULL_CALLS) if full else (_ORDINARY_ROUNDS, _ORDINARY_CALLS)
    for number in range(rounds):
        if mode == "ECB":
            before_last, last = _expected_ecb(tested.algorithm, decrypting, key, data, calls)
        else:
            before_last, last = _expected_cbc(tested.algorithm, decrypting, key, iv, data, calls)

        def run(
            key: bytes = key, iv: bytes = iv, data: bytes = data, expected: tuple[bytes, bytes] = (before_last, last)
        ) -> tuple[str, str]:
            if mode == "ECB":
                got = tested.cipher.chain_ecb(decrypting, key, data, calls)
            else:
                got = tested.cipher.chain_cbc(decrypting, key, iv, data, calls)
            return b"".join(expected).hex(), b"".join(got).hex()

        yield Check(f"{name} COUNT = {number}", run)
        key = _next_key(key, before_last, last)
        iv, data = (last, before_last) if mode == "CBC" else (iv, last)


def _official_checks(tested: _Tested, with_decrypt: bool, full: bool) -> Iterator[Check]:
    algorithm, key_bits = tested.algorithm, tested.firmware.key_bits
    modes = {"ECB": algorithm.vectors}
    if algorithm.cbc_vectors is not None and tested.firmware.cbc and with_decrypt:
        modes["CBC"] = algorithm.cbc_vectors
    for mode, vectors in modes.items():
        for vector in vectors(key_bits):
            if with_decrypt or not vector.decrypting:
                yield tested.vector_check(vector)
        if algorithm.is_in_aesavs:
            for decrypting in (False, True) if with_decrypt else (False,):
                yield from _monte_carlo(tested, mode, decrypting, full)


def _random_checks(tested: _Tested, with_decrypt: bool) -> Iterator[Check]:
    firmware = tested.firmware
    source = random.Random(f"random blocks {firmware.algorithm} {firmware.key_bits}")
    for number in range(_RANDOM_BLOCKS):
        key, data = source.randbytes(firmware.key_bits // 8), source.randbytes(firmware.block_bytes)
        for decrypting in (False, True) if with_decrypt else (False,):
            expected = tested.algorithm.block(key, decrypting)(data)
            direction = "decrypt" if decrypting else "encrypt"
            name = f"random {firmware.algorithm} block {number} with a {firmware.key_bits}-bit key, {direction}"
            yield tested.vector_check(Vector(name, decrypting, key, None, data, expected))


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


def _iv_checks(tested: _Tested, full: bool) -> Iterator[Check]:
    """SP 800-38A, appendix C:

    IVs that the library makes are fresh and unpredictable, and encrypt what they say they do.
    """
    key, message = bytes(range(tested.firmware.key_bits // 8)), b"the same message"
    encrypt = tested.algorithm.block(key, False)
    ivs: list[bytes] = []

    def collect() -> tuple[str, str]:
        for _ in range(_FRESH_IVS_FULL if full else _FRESH_IVS_ORDINARY):
            made = tested.cipher.fresh_iv_message(key, message)
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
        if len(ivs) < 2:
            return "IVs to look at", f"{len(ivs)} of them"
        return "", "; ".join(randomness_faults(ivs)[:3])

    yield Check(f"{SP800_38A}: every message carries the IV it was encrypted with", collect, SP800_38A)
    yield Check(f"{SP800_38A}: two encryptions of one message differ", differ, SP800_38A)
    yield Check(f"{SP800_38A}: the library's IVs look random", random_enough, SP800_38A)


def _packet_check(tested: _Tested, decrypting: bool) -> Check:
    """A packet is its blocks, each for itself."""
    firmware = tested.firmware
    source = random.Random(f"packet {firmware.algorithm}")
    key, data = source.randbytes(firmware.key_bits // 8), source.randbytes(_PACKET_BLOCKS * firmware.block_bytes)

    def run() -> tuple[str, str]:
        crypt = tested.algorithm.block(key, decrypting)
        blocks = (data[at : at + firmware.block_bytes] for at in range(0, len(data), firmware.block_bytes))
        return b"".join(map(crypt, blocks)).hex(), tested.cipher.crypt_packet(decrypting, key, data).hex()

    return Check(f"a packet of {_PACKET_BLOCKS} blocks, {'decrypt' if decrypting else 'encrypt'}", run)


def block_cipher_checks(
    cipher: BlockCipherCalls,
    firmware: FirmwareView,
    algorithm: BlockCipherAlgorithm,
    with_decrypt: bool,
    full: bool,
    takes_packets: bool = False,
) -> Iterator[Check]:
    """Every check for this firmware, on the device behind `cipher`."""
    tested = _Tested(cipher, firmware, algorithm)
    yield from _official_checks(tested, with_decrypt, full)
    yield from _random_checks(tested, with_decrypt)
    if takes_packets:
        for decrypting in (False, True) if with_decrypt else (False,):
            yield _packet_check(tested, decrypting)
    if firmware.cbc == "library" and with_decrypt:
        yield from _iv_checks(tested, full)
