"""ML-KEM (FIPS 203) of any parameter set.

Vectors: the known answers of `cryptography-vectors`, and Project Wycheproof's. Second implementation: `kyber-py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from kyber_py.ml_kem.ml_kem import ML_KEM

from bancada.primitives.kem.algorithm import Decapsulation, Encapsulation, Generation, KemAlgorithm
from bancada.primitives.some_of_each_kind import some_of_each_kind
from bancada.primitives.vector_files import fields, wycheproof

_KNOWN_ANSWERS_FULL = 100

_Vector = Generation | Encapsulation | Decapsulation


def _entries(parameter_set: int) -> Iterator[dict[str, str]]:
    """The groups of lines of the file, each of which begins with `count`."""
    entry: dict[str, str] = {}
    for name, value in fields(f"asymmetric/MLKEM/kat_MLKEM_{parameter_set}.rsp"):
        if name == "count" and entry:
            yield entry
            entry = {}
        if name:
            entry[name] = value
    yield entry


def _known_answers(parameter_set: int, count: int) -> Iterator[_Vector]:
    for entry in islice(_entries(parameter_set), count):
        name = f"known answer {entry['count']}"
        of = {part: bytes.fromhex(entry[part]) for part in ("d", "z", "pk", "sk", "msg", "ct", "ss", "ct_n", "ss_n")}
        yield Generation(f"{name}, keys", of["d"] + of["z"], of["pk"], of["sk"])
        yield Encapsulation(f"{name}, encapsulation", of["pk"], of["msg"], of["ct"], of["ss"])
        yield Decapsulation(f"{name}, decapsulation", of["sk"], of["ct"], of["ss"])
        yield Decapsulation(f"{name}, implicit rejection", of["sk"], of["ct_n"], of["ss_n"])


def _kind(test: dict[str, Any]) -> str:
    """A comment without its numbers, or the flags."""
    words = test.get("comment", "").split() or test["flags"]
    return " ".join(word for word in words if not any(character.isdigit() for character in word))


def _wycheproofs(parameter_set: int, lengths: tuple[int, int, int]) -> Iterator[tuple[str, str, _Vector]]:
    """(kind, kind, vector) of what has the right lengths: no other can be given to a function in C."""
    encapsulation_key, decapsulation_key, ciphertext = lengths
    for file in ("encaps_test", "keygen_seed_test", "semi_expanded_decaps_test"):
        for group in wycheproof(f"mlkem_{parameter_set}_{file}.json")["testGroups"]:
            for test in group["tests"]:
                name = f"Wycheproof {file} tcId {test['tcId']}"
                of = {part: bytes.fromhex(test[part]) for part in ("m", "ek", "dk", "c", "K", "seed") if part in test}
                kind = f"{file} {_kind(test)} {test['result']}"
                if "m" in of and len(of["ek"]) == encapsulation_key:
                    refused = test["result"] == "invalid"
                    outputs = (b"", b"") if refused else (of["c"], of["K"])
                    yield kind, kind, Encapsulation(name, of["ek"], of["m"], *outputs)
                elif "seed" in of:
                    yield kind, kind, Generation(name, of["seed"], of["ek"], of["dk"])
                elif test["result"] == "valid" and (len(of["dk"]), len(of["c"])) == (decapsulation_key, ciphertext):
                    yield kind, kind, Decapsulation(name, of["dk"], of["c"], of["K"])


def ml_kem(parameter_set: int, other: ML_KEM) -> KemAlgorithm:
    """The parameter set, of which `other` is an implementation."""
    rank = parameter_set // 256
    lengths = (384 * rank + 32, 768 * rank + 96, 320 * rank + 128)

    def vectors(full: bool) -> Iterator[_Vector]:
        yield from _known_answers(parameter_set, _KNOWN_ANSWERS_FULL if full else 1)
        every = _wycheproofs(parameter_set, lengths)
        yield from some_of_each_kind(every, lambda size: size if full else 1)

    def encapsulate(key: bytes, message: bytes) -> tuple[bytes, bytes]:
        secret, ciphertext = other._encaps_internal(key, message)
        return ciphertext, secret

    return KemAlgorithm(
        name=f"ml-kem-{parameter_set}",
        title=f"ML-KEM-{parameter_set}",
        key_bits=(parameter_set,),
        vectors=vectors,
        generate=other.key_derive,
        encapsulate=encapsulate,
        decapsulate=other.decaps,
    )
