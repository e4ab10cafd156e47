"""What holds for P-256 and secp256k1 alike: the commands of curve_driver.h and what they must answer, from Python's
`cryptography`, Project Wycheproof and the definitions.
"""

from __future__ import annotations

import hashlib
import itertools
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from cryptography.hazmat.primitives.asymmetric import ec

from bancada.primitives.references.rfc6979 import nonces
from bancada.primitives.vector_files import wycheproof
from tests.tatu.machines import HOST_GCC, TATU_SRC, Driver, assert_each

# The words of machines whose compiler has no product of 128 bits, on one whose has.
WORDS_OF_32 = HOST_GCC.named("x86-64-gcc-words-of-32", "-DTATU_INTERNAL_CURVE_WORDS_OF_32")

HOLDS, WRONG, NO_KEY, NO_LENGTH = "0", "-4", "-6", "-1"
NOTHING = "00" * 64


def hexadecimal(number: int) -> str:
    return number.to_bytes(32, "big").hex()


def _signed_digits(number: int) -> dict[int, int]:
    """Digits that are odd, below 16 but for the sign, by their places: of `number`, from the highest bit down."""
    size, sign = abs(number), 1 if number > 0 else -1
    digits, at = {}, size.bit_length()
    while at >= 0:
        bits = [size >> place & 1 if place >= 0 else 0 for place in range(at, at - 6, -1)]
        if bits[0] == bits[1]:
            at -= 1
            continue
        value = sum(bit << 4 - i for i, bit in enumerate(bits[:5])) - 32 * bits[0] + bits[5]
        zeros = (value & -value).bit_length() - 1
        digits[at - 4 + zeros] = sign * value >> zeros
        at -= 5
    assert sum(digit << place for place, digit in digits.items()) == number
    return digits


@dataclass(frozen=True)
class Curve:
    """y^2 = x^3 + a x + b modulo `prime`, with `order` points; `form` is what a number in a table is times."""

    folder: str
    prime: int
    order: int
    a: int
    b: int
    form: int
    independent: ec.EllipticCurve
    # the columns and the teeth of each kind of comb
    combs: tuple[tuple[int, int], ...] = ((64, 4),)
    # (a, b) with a + b lambda = 0 modulo the order, where the curve has an endomorphism
    short_vectors: tuple[tuple[int, int], ...] = ()

    def multiple(self, number: int) -> tuple[int, int]:
        """That many times the base point."""
        found = ec.derive_private_key(number, self.independent).public_key().public_numbers()
        return found.x, found.y

    def public(self, number: int) -> str:
        x, y = self.multiple(number)
        return hexadecimal(x) + hexadecimal(y)

    def signature(self, secret: int, digest: bytes) -> str:
        for nonce in nonces(self.order, secret, digest, "sha256"):
            r = self.multiple(nonce)[0] % self.order
            s = pow(nonce, -1, self.order) * (int.from_bytes(digest, "big") + r * secret) % self.order
            if r and s:
                return hexadecimal(r) + hexadecimal(s)
        raise AssertionError("there is always a next nonce")

    def last_addition(self, factor: int) -> int | None:
        """Of the additions for a public key's factor, the last one's multiple of the key, if it is after the last
        doubling.
        """
        for number, multiplier in reversed(self.parts(factor)):
            if number % 2:
                # The last digit is the odd number that is left of five bits with a sign and the bit below them; which
                # five, the digits above it decide.
                return _signed_digits(number)[0] * multiplier
        return None

    def parts(self, factor: int) -> list[tuple[int, int]]:
        """The numbers, with what each multiplies, of which the factor is the sum."""
        if not self.short_vectors:
            return [(factor, 1)]
        (a1, b1), (a2, b2) = self.short_vectors
        c1 = (2 * b2 * factor + self.order) // (2 * self.order)
        c2 = (-2 * b1 * factor + self.order) // (2 * self.order)
        return [(factor - c1 * a1 - c2 * a2, 1), (-c1 * b1 - c2 * b2, -a1 * pow(b1, -1, self.order) % self.order)]

    def has_x(self, x: int) -> bool:
        side = (x**3 + self.a * x + self.b) % self.prime
        return pow(side, (self.prime - 1) // 2, self.prime) == 1


P256 = Curve(
    folder="p256",
    prime=2**256 - 2**224 + 2**192 + 2**96 - 1,
    order=0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    a=-3,
    b=0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
    form=2**256,
    independent=ec.SECP256R1(),
    combs=((64, 4), (43, 6)),
)

SECP256K1 = Curve(
    folder="secp256k1",
    prime=2**256 - 2**32 - 977,
    order=0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141,
    a=0,
    b=7,
    form=1,
    independent=ec.SECP256K1(),
    short_vectors=(
        (0x3086D221A7D46BCDE86C90E49284EB15, -0xE4437ED6010E88286F547FA90ABFE4C3),
        (0x114CA50F7A8E2F3F657C1108D9D44CFD8, 0x3086D221A7D46BCDE86C90E49284EB15),
    ),
)


class Runs(Protocol):
    """What answers each command with a line."""

    def run(self, commands: Sequence[str]) -> list[str]: ...


MULTIPLY, ADD, SUBTRACT, SQUARE, HALVE, MODULO_ORDER = 1, 2, 3, 4, 6, 9


def check_arithmetic(curve: Curve, driver: Runs, limit_modulo_p: int, without: int | None = None) -> None:
    """Of numbers below the limit, and modulo n of two of which one is below n; `without` an operation that a machine
    does not have.
    """
    prime, order, out_of_form = curve.prime, curve.order, pow(curve.form, -1, curve.prime)
    right = {
        MULTIPLY: lambda a, b: a * b * out_of_form,
        ADD: lambda a, b: a + b,
        SUBTRACT: lambda a, b: a - b,
        SQUARE: lambda a, b: a * a * out_of_form,
        HALVE: lambda a, b: a * (prime + 1) // 2,
    }
    edges = [2**256 - 1, 2**256 - 2, 2**255, 2**256 - 2**224, 2**224 - 1, 2**128 - 1, 2**256 - 2**128, 2**96, 2**192]
    edges += [0, 1, 2, prime - 2, prime - 1, prime, prime + 1, order - 1, order, 2**32 - 1, (2**64 - 1) << 96]
    source = random.Random("arithmetic")
    pairs = [(a, b) for a in edges for b in edges]
    pairs += [(source.getrandbits(256), source.getrandbits(256)) for _ in range(100)]
    # Where a product is small modulo p, what is added last in a reduction carries beyond 2^256.
    for small in (1, 2, 2**40, 2**64 + 3, 2**64 + 2**33, prime - 1):
        for a in (source.getrandbits(255) + 2**255 for _ in range(3)):
            pairs.append((a, small * pow(a, -1, prime) % prime))
    # The same where secp256k1's last carry reaches the third word.
    pairs.append((prime - 2**32, prime - 2**32))
    for number in (*right, MODULO_ORDER):
        limit = 2**256 if number == MODULO_ORDER else limit_modulo_p
        operands = [(a % limit, b % (order if number == MODULO_ORDER else limit)) for a, b in pairs]
        if number in (SQUARE, HALVE):
            operands = [(a, a) for a in sorted({a for a, _ in operands})]
        if number == without:
            continue
        answers = driver.run([f"{number} {hexadecimal(a)} {hexadecimal(b)}" for a, b in operands])
        for (a, b), answer in zip(operands, answers, strict=True):
            if number == MODULO_ORDER:
                assert int(answer, 16) == a * b * pow(2, -256, order) % order, (hex(a), hex(b))
            else:
                assert int(answer, 16) % prime == right[number](a, b) % prime, (number, hex(a), hex(b))


def check_random_keys(curve: Curve, driver: Driver) -> None:
    commands, expected = [], []
    source = random.Random("curve")
    for _ in range(2):
        secret, other = source.randrange(1, curve.order), source.randrange(1, curve.order)
        digest = source.randbytes(32)
        signed, shared = curve.signature(secret, digest), hexadecimal(curve.multiple(secret * other % curve.order)[0])
        changed = (int(signed, 16) ^ 1 << source.randrange(512)).to_bytes(64, "big").hex()
        point = curve.public(secret)
        compressed = f"{2 + int(point[-1], 16) % 2:02x}{point[:64]}"
        commands += [
            f"key {hexadecimal(secret)}",
            f"ecdh {hexadecimal(secret)} {curve.public(other)}",
            f"sign {hexadecimal(secret)} {digest.hex()}",
            f"verify {point} {signed} {digest.hex()}",
            f"verify {point} {changed} {digest.hex()}",
            f"verify {curve.public(other)} {signed} {digest.hex()}",
            f"encode {point}",
            f"decode {compressed}",
        ]
        expected += [f"0 {point}", f"0 {shared}", f"0 {signed}", HOLDS, WRONG, WRONG, f"04{point} {compressed}"]
        expected += [f"0 {point}"]
    assert_each(driver.run(commands), expected, commands)


def check_scalars_at_the_ends(curve: Curve, driver: Driver) -> None:
    # Of n less an even number, the last digit of the fixed window may meet two equal points, and twice a column of the
    # comb is what would meet them there, if its digits were those of that column.
    window_ends = [number for near in range(1, 35) for number in (near, curve.order - near)]
    comb_ends = [
        (2 * sum(sign * 2 ** (columns * tooth) for tooth, sign in enumerate((*signs, 1))) * factor) % curve.order
        for columns, teeth in curve.combs
        for signs in itertools.product((1, -1), repeat=teeth - 1)
        for factor in (1, -1)
    ]
    peer = random.Random("peer").randrange(1, curve.order)
    commands, expected = [], []
    for scalar in (*window_ends, *comb_ends, 2**255, curve.order - 2**128):
        commands += [f"key {hexadecimal(scalar)}", f"ecdh {hexadecimal(scalar)} {curve.public(peer)}"]
        expected += [f"0 {curve.public(scalar)}", f"0 {hexadecimal(curve.multiple(scalar * peer % curve.order)[0])}"]
    for refused in (0, curve.order, curve.order + 1, 2**256 - 1):
        commands += [f"key {hexadecimal(refused)}", f"ecdh {hexadecimal(refused)} {curve.public(peer)}"]
        commands += [f"sign {hexadecimal(refused)} {hexadecimal(1)}"]
        expected += [f"{NO_KEY} {NOTHING}", f"{NO_KEY} {NOTHING[:64]}", f"{NO_KEY} {NOTHING}"]
    assert_each(driver.run(commands), expected, commands)


def check_signatures_that_meet_equal_and_opposite_points(curve: Curve, driver: Driver) -> None:
    """Public keys that are small multiples of the base point, digests that make u1 zero or u1 G = -u2 Q."""
    commands, expected = [], []
    source = random.Random("equal points")
    for secret in (*range(1, 9), curve.order - 1, curve.order - 2, 2**64, 2**192, curve.order - 2**128):
        for digest in (bytes(32), curve.order.to_bytes(32, "big"), b"\xff" * 32, source.randbytes(32)):
            commands.append(f"verify {curve.public(secret)} {curve.signature(secret, digest)} {digest.hex()}")
            expected.append(HOLDS)
        for r, s in ((1, 1), (2, 1), (curve.multiple(1)[0] % curve.order, 5)):
            # e = -r d: u1 G + u2 Q is the point at infinity
            digest = (-r * secret % curve.order).to_bytes(32, "big")
            commands.append(f"verify {curve.public(secret)} {hexadecimal(r)}{hexadecimal(s)} {digest.hex()}")
            expected.append(WRONG)
    # u1 = u2 = u for u of few bits, with the key G: the same columns and digits meet
    for u in (1, 2, 3, 15, 16, 17, 2**64 + 1, 2**192 - 1):
        r = curve.multiple(2 * u % curve.order)[0] % curve.order
        s = r * pow(u, -1, curve.order) % curve.order
        commands.append(f"verify {curve.public(1)} {hexadecimal(r)}{hexadecimal(s)} {hexadecimal(r)}")
        expected.append(HOLDS)
    # Before the last addition, of the multiple d of the key, the sum is that multiple: u1 G + (u2 - d) Q = d Q. It is
    # doubled then.
    for _ in range(8):
        secret, u2 = source.randrange(1, curve.order), source.randrange(1, curve.order)
        last = curve.last_addition(u2)
        if last is None:
            continue
        r = curve.multiple(2 * last * secret % curve.order)[0] % curve.order
        s = r * pow(u2, -1, curve.order) % curve.order
        hashed = (2 * last - u2) * secret * s % curve.order
        commands.append(f"verify {curve.public(secret)} {hexadecimal(r)}{hexadecimal(s)} {hexadecimal(hashed)}")
        expected.append(HOLDS)
    assert_each(driver.run(commands), expected, commands)


# A SubjectPublicKeyInfo (RFC 5480, section 2) of this curve, whose point is uncompressed or compressed.
_SECP256K1_KEY = r"30(?:56|36)301006072a8648ce3d020106052b8104000a03(?:42|22)00(?P<point>04\w{128}|0[23]\w{64})"


def check_every_vector_of_wycheproof(curve: Curve, driver: Driver, signatures: str, secrets: str) -> None:
    commands, expected, names = [], [], []
    for group in wycheproof(signatures)["testGroups"]:
        key = group["publicKey"]["uncompressed"][2:]
        for test in group["tests"]:
            if len(test["sig"]) == 128:
                commands.append(f"verify {key} {test['sig']} {hashlib.sha256(bytes.fromhex(test['msg'])).hexdigest()}")
                expected.append(HOLDS if test["result"] == "valid" else WRONG)
                names.append(f"ecdsa tcId {test['tcId']} ({test['comment']})")
    assert_each(driver.run(commands), expected, names)
    assert len(commands) > 220
    commands, expected, names = [], [], []
    for test in wycheproof(secrets)["testGroups"][0]["tests"]:
        secret, point = test["private"].lstrip("0").rjust(64, "0")[-64:], test["public"]
        if "ecpoint" not in secrets:
            key = re.fullmatch(_SECP256K1_KEY, point)
            if key is None or test["result"] == "acceptable" and "compressed" not in test["comment"]:
                continue
            point = key["point"]
        name = f"ecdh tcId {test['tcId']} ({test['comment']})"
        if test["result"] == "valid":
            commands.append(f"ecdh {secret} {point[2:]}")
            expected.append(f"0 {test['shared']}")
            names.append(name)
        elif point:
            commands.append(f"decode {point}")
            expected.append(NO_KEY if test["result"] == "invalid" else "a point")
            names.append(name)
    answers = [
        re.sub(f"^{NO_KEY} {NOTHING}$", NO_KEY, re.sub("^0 .{128}$", "a point", one)) for one in driver.run(commands)
    ]
    assert_each(answers, expected, names)
    assert len(commands) > 340


def check_points_that_are_none_are_refused(curve: Curve, driver: Driver) -> None:
    x, y = curve.multiple(5)
    with_small_x = next(x for x in range(1, 100) if curve.has_x(x))
    without = next(x for x in range(1, 100) if not curve.has_x(x))
    compressed = f"{2 + y % 2:02x}{hexadecimal(x)}"
    refused = [
        hexadecimal(x) + hexadecimal(curve.prime - y - 1),
        hexadecimal(y) + hexadecimal(x),
        NOTHING,
        hexadecimal(curve.prime) * 2,
        hexadecimal(2**256 - 1) * 2,
        "00" * 32 + hexadecimal(curve.prime),
    ]
    commands = [f"check {point}" for point in refused]
    expected = [NO_KEY] * len(refused)
    for point in refused:
        commands += [f"ecdh {hexadecimal(7)} {point}", f"verify {point} {hexadecimal(1) * 2} {hexadecimal(1)}"]
        expected += [f"{NO_KEY} {NOTHING[:64]}", NO_KEY]
    for encoding, result in (
        (f"02{hexadecimal(without)}", NO_KEY),
        (f"03{hexadecimal(with_small_x + curve.prime)}", NO_KEY),
        (f"05{hexadecimal(x)}", NO_KEY),
        (f"06{curve.public(5)}", NO_KEY),
        (f"04{hexadecimal(x)}{hexadecimal(y ^ 1)}", NO_KEY),
        ("00", NO_LENGTH),
        (compressed[:-2], NO_LENGTH),
        (f"04{curve.public(5)}00", NO_LENGTH),
    ):
        commands.append(f"decode {encoding}")
        expected.append(f"{result} {NOTHING}")
    for number in range(1, 20):
        x, y = curve.multiple(number)
        commands += [f"decode {2 + y % 2:02x}{hexadecimal(x)}", f"decode {3 - y % 2:02x}{hexadecimal(x)}"]
        expected += [f"0 {hexadecimal(x)}{hexadecimal(y)}", f"0 {hexadecimal(x)}{hexadecimal(curve.prime - y)}"]
    assert_each(driver.run(commands), expected, commands)


def check_the_table_is_of_multiples_of_the_base_point(curve: Curve) -> None:
    source = (TATU_SRC / curve.folder / f"{curve.folder}_base.c").read_text()
    words = [int(word, 16) for word in re.findall(r"0x[0-9a-f]+", source)]
    numbers = [sum(word << 32 * i for i, word in enumerate(words[at : at + 8])) for at in range(0, len(words), 8)]
    assert len(numbers) == 2 * 2 * 8
    for entry in range(2 * 8):
        scalar = 2 ** (32 * (entry // 8)) * (2**192 + sum(2 ** (64 * j) * (entry >> j & 1 or -1) for j in range(3)))
        expected = [value * curve.form % curve.prime for value in curve.multiple(scalar)]
        assert numbers[2 * entry : 2 * entry + 2] == expected
