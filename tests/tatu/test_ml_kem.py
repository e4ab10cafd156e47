"""ML-KEM-512 and ML-KEM-768 against the vectors of `cryptography-vectors` and of Project Wycheproof, and against an
implementation in Python (`kyber-py`) on random input."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from kyber_py.ml_kem import ML_KEM_512, ML_KEM_768

from bancada.primitives.vector_files import fields, wycheproof
from tests.tatu.machines import EVERY, HOST_GCC, HOSTS, Driver, Machine, assert_each, driver_on, runs_on

SETS = {"512": ML_KEM_512, "768": ML_KEM_768}
KEY_BYTES = {"512": (800, 1632), "768": (1184, 2400)}
CIPHERTEXT_BYTES = {"512": 768, "768": 1088}
ERR_ENTROPY, ERR_KEY, STOPPED = -2, -6, -99
KNOWN_ANSWERS = 1000

# Thousands of operations: without sanitizers, which see some of them elsewhere.
FAST = Machine("x86-64-gcc-fast", "gcc", ("-O2",))

each_set = pytest.mark.parametrize("name", SETS)


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, "ml_kem_driver.c", ("ml_kem", "sha3", "common"), tmp_path_factory)


def known_answers(name: str) -> Iterator[dict[str, str]]:
    entry: dict[str, str] = {}
    for field, value in fields(f"asymmetric/MLKEM/kat_MLKEM_{name}.rsp"):
        if field == "count" and entry:
            yield entry
            entry = {}
        if field:
            entry[field] = value
    yield entry


def asked(name: str, entry: dict[str, str]) -> tuple[list[str], list[str]]:
    """The commands for one known answer, and what must come."""
    seed = entry["d"] + entry["z"]
    return (
        [
            f"{name} generate {seed}",
            f"{name} encapsulate {entry['pk']} {entry['msg']}",
            f"{name} decapsulate {entry['sk']} {entry['ct']}",
            f"{name} decapsulate-seed {seed} {entry['ct_n']}",
        ],
        [f"0 {entry['pk']} {entry['sk']}", f"0 {entry['ct']} {entry['ss']}", entry["ss"], entry["ss_n"]],
    )


def check(driver: Driver, name: str, entries: list[dict[str, str]]) -> None:
    both = [asked(name, entry) for entry in entries]
    commands = [command for each, _ in both for command in each]
    expected = [answer for _, each in both for answer in each]
    assert_each(driver.run(commands), expected, [command[:60] for command in commands])


@runs_on(FAST)
@each_set
def test_every_known_answer(driver: Driver, name: str) -> None:
    entries = list(known_answers(name))
    assert len(entries) == KNOWN_ANSWERS
    check(driver, name, entries)


@runs_on(*HOSTS, *EVERY)
@each_set
def test_the_first_known_answer_everywhere(driver: Driver, name: str) -> None:
    check(driver, name, [next(known_answers(name))])


def wycheproof_tests(name: str, kind: str) -> list[dict[str, Any]]:
    return [test for group in wycheproof(f"mlkem_{name}_{kind}.json")["testGroups"] for test in group["tests"]]


@runs_on(FAST)
@each_set
def test_wycheproofs_encapsulations(driver: Driver, name: str) -> None:
    """Keys of another length cannot be given to Tatu."""
    tests = [test for test in wycheproof_tests(name, "encaps_test") if len(test["ek"]) == 2 * KEY_BYTES[name][0]]
    refused = f"{ERR_KEY} {'00' * CIPHERTEXT_BYTES[name]} {'00' * 32}"
    expected = [f"0 {test['c']} {test['K']}" if test["result"] == "valid" else refused for test in tests]
    assert len(tests) == {"512": 241, "768": 245}[name]
    assert expected.count(refused) == {"512": 108, "768": 112}[name]
    commands = [f"{name} encapsulate {test['ek']} {test['m']}" for test in tests]
    assert_each(driver.run(commands), expected, [test["tcId"] for test in tests])
    commands = [f"{name} check-ek {test['ek']}" for test in tests]
    assert_each(driver.run(commands), [answer.split()[0] for answer in expected], [test["tcId"] for test in tests])


@runs_on(FAST)
@each_set
def test_wycheproofs_key_generations(driver: Driver, name: str) -> None:
    tests = wycheproof_tests(name, "keygen_seed_test")
    assert len(tests) == 100
    commands = [f"{name} generate {test['seed']}" for test in tests]
    assert_each(driver.run(commands), [f"0 {test['ek']} {test['dk']}" for test in tests], commands)


@runs_on(FAST)
@each_set
def test_wycheproofs_decapsulations(driver: Driver, name: str) -> None:
    right_lengths = (2 * 64, 2 * CIPHERTEXT_BYTES[name])
    tests = [test for test in wycheproof_tests(name, "test") if (len(test["seed"]), len(test["c"])) == right_lengths]
    assert len(tests) == {"512": 160, "768": 161}[name]
    assert {test["result"] for test in tests} == {"valid"}
    commands = [f"{name} decapsulate-seed {test['seed']} {test['c']}" for test in tests]
    assert_each(driver.run(commands), [test["K"] for test in tests], [test["tcId"] for test in tests])


@runs_on(FAST)
@each_set
def test_wycheproofs_expanded_keys(driver: Driver, name: str) -> None:
    right_lengths = (2 * KEY_BYTES[name][1], 2 * CIPHERTEXT_BYTES[name])
    tests = [
        test
        for test in wycheproof_tests(name, "semi_expanded_decaps_test")
        if (len(test["dk"]), len(test["c"])) == right_lengths
    ]
    valid = [test for test in tests if test["result"] == "valid"]
    assert (len(tests), len(valid)) == (5, 3)
    commands = [f"{name} check-dk {test['dk']}" for test in tests]
    assert_each(driver.run(commands), ["0" if test in valid else str(ERR_KEY) for test in tests], commands)
    commands = [f"{name} decapsulate {test['dk']} {test['c']}" for test in valid]
    assert_each(driver.run(commands), [test["K"] for test in valid], commands)


@runs_on(HOST_GCC, *EVERY)
@each_set
def test_random_keys_and_changed_ciphertexts(driver: Driver, name: str) -> None:
    """Key generation, encapsulation, decapsulation, and implicit rejection at any byte, as kyber-py has them."""
    source = random.Random(f"ml-kem-{name}")
    other = SETS[name]
    seed, message = source.randbytes(64), source.randbytes(32)
    key, secret_key = other.key_derive(seed)
    secret, ciphertext = other._encaps_internal(key, message)
    commands = [
        f"{name} generate {seed.hex()}",
        f"{name} encapsulate {key.hex()} {message.hex()}",
        f"{name} decapsulate-seed {seed.hex()} {ciphertext.hex()}",
    ]
    expected = [f"0 {key.hex()} {secret_key.hex()}", f"0 {ciphertext.hex()} {secret.hex()}", secret.hex()]
    for place in (0, source.randrange(len(ciphertext)), len(ciphertext) - 1):
        changed = bytearray(ciphertext)
        changed[place] ^= 1 << source.randrange(8)
        commands.append(f"{name} decapsulate {secret_key.hex()} {changed.hex()}")
        expected.append(other.decaps(secret_key, bytes(changed)).hex())
    assert len({*expected}) == len(commands)
    assert_each(driver.run(commands), expected, [command[:60] for command in commands])


@runs_on(*HOSTS)
@each_set
def test_failures_leave_zeros(driver: Driver, name: str) -> None:
    source = random.Random(f"failures of ml-kem-{name}")
    key, _ = SETS[name].key_derive(source.randbytes(64))
    message = source.randbytes(32)
    zeros = ["00" * length for length in (CIPHERTEXT_BYTES[name], 32, *KEY_BYTES[name])]
    commands = [f"{name} without-entropy {key.hex()}"]
    expected = [f"{ERR_ENTROPY} {zeros[0]} {zeros[1]} {ERR_ENTROPY} {zeros[2]} {zeros[3]} {ERR_ENTROPY}"]
    pieces = {"512": 24, "768": 32}[name]
    secret = SETS[name]._encaps_internal(key, message)[0].hex()
    for count in range(0, pieces + 1, 8):
        commands.append(f"{name} stopped {key.hex()} {message.hex()} {count}")
        expected.append(f"{STOPPED} {zeros[1]}" if count < pieces else f"0 {secret}")
    assert_each(driver.run(commands), expected, [command[:40] for command in commands])
