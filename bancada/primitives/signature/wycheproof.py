"""Signatures of Project Wycheproof's files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from bancada.primitives.signature.algorithm import Verification, sha256
from bancada.primitives.vector_files import wycheproof


def edge_cases(
    file_name: str, signature_bytes: int, public_of: Callable[[dict[str, Any]], bytes]
) -> Iterator[tuple[str, Verification]]:
    """(flags, vector) of a file, without those that it calls acceptable and those of another size."""
    stem = file_name.removesuffix(".json")
    for group in wycheproof(file_name)["testGroups"]:
        public = public_of(group["publicKey"])
        for test in group["tests"]:
            signature = bytes.fromhex(test["sig"])
            if len(signature) != signature_bytes or test["result"] == "acceptable":
                continue
            comment = f" ({test['comment']})" if test["comment"] else ""
            name = f"Wycheproof {stem} tcId {test['tcId']}{comment}"
            digest = sha256(bytes.fromhex(test["msg"]))
            yield " ".join(test["flags"]), Verification(name, public, digest, signature, test["result"] == "valid")
