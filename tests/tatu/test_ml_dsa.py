"""ML-DSA-44 against the vectors of `cryptography-vectors` and of Project Wycheproof, and against an implementation in
Python (`dilithium-py`) on random input."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from dilithium_py.ml_dsa import ML_DSA_44

from bancada.primitives.vector_files import fields, wycheproof
from tests.tatu.machines import EVERY, HOST_GCC, HOSTS, Driver, Machine, assert_each, driver_on, runs_on

HINT, OMEGA = 2336, 80  # where the hint begins, and how many numbers it has room for
PUBLIC_KEY_BYTES, PRIVATE_KEY_BYTES, SIGNATURE_BYTES = 1312, 2560, 2420
ERR_LENGTH, ERR_ENTROPY, ERR_AUTHENTICATION, ERR_KEY, STOPPED = "-1", "-2", "-4", "-6", "-99"
KNOWN_ANSWERS = 100

# Hundreds of operations: without sanitizers, which see some of them elsewhere.
FAST = Machine("x86-64-gcc-fast", "gcc", ("-O2",))


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, "ml_dsa_driver.c", ("ml_dsa", "sha3", "common"), tmp_path_factory)


def known_answers() -> Iterator[dict[str, str]]:
    entry: dict[str, str] = {}
    for field, value in fields("asymmetric/MLDSA/kat_MLDSA_44_det_pure.rsp"):
        entry[field] = value
        if field == "ctx":
            yield entry | {"sig": entry["sm"][: 2 * SIGNATURE_BYTES]}


def check(driver: Driver, vectors: list[dict[str, str]]) -> None:
    """Keys, a signature, its verification; and that of a changed one."""
    commands, expected = [], []
    for entry in vectors:
        text = f"{entry['msg']} {entry['ctx']}"
        changed = f"{int(entry['sig'][0], 16) ^ 1:x}{entry['sig'][1:]}"
        commands += [f"generate {entry['xi']}", f"sign {entry['sk']} {text}"]
        commands += [f"verify {entry['pk']} {text} {signature}" for signature in (entry["sig"], changed)]
        expected += [f"0 {entry['pk']} {entry['sk']}", f"0 {entry['sig']}", "0", ERR_AUTHENTICATION]
    assert_each(driver.run(commands), expected, [command[:60] for command in commands])


@runs_on(FAST)
def test_every_known_answer(driver: Driver) -> None:
    vectors = list(known_answers())
    assert len(vectors) == KNOWN_ANSWERS
    check(driver, vectors)


@runs_on(*HOSTS, *EVERY)
def test_the_first_known_answer_everywhere(driver: Driver) -> None:
    check(driver, [next(known_answers())])


def hexadecimal(test: dict[str, Any], part: str) -> str:
    return test.get(part, "") or "-"


@runs_on(HOST_GCC)
def test_wycheproofs_verifications(driver: Driver) -> None:
    """Keys and signatures of another length cannot be given to Tatu."""
    commands, expected, names = [], [], []
    for group in wycheproof("mldsa_44_verify_test.json")["testGroups"]:
        for test in group["tests"]:
            if (len(group["publicKey"]), len(test["sig"])) != (2 * PUBLIC_KEY_BYTES, 2 * SIGNATURE_BYTES):
                continue
            context = hexadecimal(test, "ctx")
            commands.append(f"verify {group['publicKey']} {hexadecimal(test, 'msg')} {context} {test['sig']}")
            refused = ERR_LENGTH if len(context) > 2 * 255 else ERR_AUTHENTICATION
            expected.append("0" if test["result"] == "valid" else refused)
            names.append(test["tcId"])
    assert (len(expected), expected.count("0"), expected.count(ERR_LENGTH)) == (173, 77, 5)
    assert_each(driver.run(commands), expected, names)


@runs_on(FAST)
@pytest.mark.parametrize("kind", ["seed", "noseed"])
def test_wycheproofs_signatures(driver: Driver, kind: str) -> None:
    """Those of messages, with keys of the right length; among them keys that are out of range."""
    commands, expected, names = [], [], []
    for group in wycheproof(f"mldsa_44_sign_{kind}_test.json")["testGroups"]:
        key = group.get("privateKey", "")
        if len(group.get("privateSeed", "")) == 2 * 32:
            key = ML_DSA_44.key_derive(bytes.fromhex(group["privateSeed"]))[1].hex()
        for test in group["tests"]:
            if len(key) != 2 * PRIVATE_KEY_BYTES or "msg" not in test or "Randomized" in test["flags"]:
                continue
            commands.append(f"sign {key} {hexadecimal(test, 'msg')} {hexadecimal(test, 'ctx')}")
            error = ERR_KEY if "InvalidPrivateKey" in test["flags"] else ERR_LENGTH
            is_valid = test["result"] == "valid"
            expected.append(f"0 {test['sig']}" if is_valid else f"{error} {'00' * SIGNATURE_BYTES}")
            names.append(test["tcId"])
    assert [sum(answer.startswith(f"{result} ") for answer in expected) for result in ("0", ERR_LENGTH, ERR_KEY)] == {
        "seed": [73, 1, 0],
        "noseed": [60, 1, 2],
    }[kind]
    assert_each(driver.run(commands), expected, names)


@runs_on(HOST_GCC, *EVERY)
def test_random_keys_and_hedged_signatures(driver: Driver) -> None:
    source = random.Random("ml-dsa-44")
    seed, message, context, chosen = (source.randbytes(length) for length in (32, 100, 9, 32))
    key, private = ML_DSA_44.key_derive(seed)
    prefixed = bytes([0, len(context)]) + context + message
    signature = bytes(ML_DSA_44._sign_internal(private, prefixed, chosen))
    text = f"{message.hex()} {context.hex()}"
    commands = [f"hedged {private.hex()} {text} {chosen.hex()}", f"verify {key.hex()} {text} {signature.hex()}"]
    expected = [f"0 {signature.hex()}", "0"]
    for place in (31, 32, 2335, 2419):
        changed = bytearray(signature)
        changed[place] ^= 1 << source.randrange(8)
        commands.append(f"verify {key.hex()} {text} {changed.hex()}")
        expected.append(ERR_AUTHENTICATION)
    assert_each(driver.run(commands), expected, [command[:60] for command in commands])


def other_encodings(signature: bytes) -> Iterator[bytes]:
    """The hint of the signature written otherwise: a number repeated, two in another order, one behind the end."""
    numbers, ends = list(signature[HINT : HINT + OMEGA]), list(signature[HINT + OMEGA :])
    for row, end in enumerate(ends):
        begin = ends[row - 1] if row else 0
        for place in range(begin, end):
            repeated = [*numbers[: place + 1], *numbers[place : OMEGA - 1]]
            later = [count + (number >= row) for number, count in enumerate(ends)]
            yield signature[:HINT] + bytes([*repeated, *later])
        for place in range(begin, end - 1):
            swapped = [*numbers[:place], numbers[place + 1], numbers[place], *numbers[place + 2 :]]
            yield signature[:HINT] + bytes([*swapped, *ends])
    yield signature[:HINT] + bytes([*numbers[:-1], 1, *ends])


@runs_on(FAST)
def test_a_hint_has_one_encoding(driver: Driver) -> None:
    """Whoever has a signature must not be able to make another one of the same message (section 3.6.2)."""
    source = random.Random("hints")
    key, private = ML_DSA_44.key_derive(source.randbytes(32))
    signature = bytes(ML_DSA_44.sign(private, b"text", deterministic=True))
    assert signature[HINT + OMEGA + 3] < OMEGA
    others = list(other_encodings(signature))
    commands = [f"verify {key.hex()} {b'text'.hex()} - {other.hex()}" for other in (signature, *others)]
    assert len(others) > 20
    assert driver.run(commands) == ["0"] + [ERR_AUTHENTICATION] * len(others)


@runs_on(*HOSTS)
def test_failures_leave_zeros(driver: Driver) -> None:
    zeros = ["00" * length for length in (PUBLIC_KEY_BYTES, PRIVATE_KEY_BYTES, SIGNATURE_BYTES, 32)]
    entry = next(known_answers())
    long_context = "11" * 256
    commands = [
        "without-entropy",
        f"hedged {entry['sk']} {entry['msg']} - -",
        f"hedged {entry['sk']} {entry['msg']} {long_context} {'22' * 32}",
        f"sign {entry['sk']} {entry['msg']} {long_context}",
        f"verify {entry['pk']} {entry['msg']} {long_context} {entry['sig']}",
    ]
    expected = [
        f"{ERR_ENTROPY} {zeros[0]} {zeros[1]} {ERR_ENTROPY} {zeros[0]} {zeros[3]}",
        f"{ERR_ENTROPY} {zeros[2]}",
        f"{ERR_LENGTH} {zeros[2]}",
        f"{ERR_LENGTH} {zeros[2]}",
        ERR_LENGTH,
    ]
    assert_each(driver.run(commands), expected, [command[:40] for command in commands])


@runs_on(*HOSTS)
def test_a_read_that_fails_ends_the_verification(driver: Driver) -> None:
    """At each kind of read: the key to hash, c~, rho, z, t1, the hint."""
    source = random.Random("reads")
    key, private = ML_DSA_44.key_derive(source.randbytes(32))
    signature = ML_DSA_44.sign(private, b"text", deterministic=True)
    counts = (0, 40, 41, 42, 43, 58, 59, 100, 106, 107, 130, 140, 200, 600, 700, 720, 760)
    commands = [f"stopped {key.hex()} {b'text'.hex()} {signature.hex()} n{count:04}" for count in (*counts, 9999)]
    assert driver.run(commands) == [STOPPED] * len(counts) + ["0"]
