"""Which implementation a function of the library is."""

from __future__ import annotations

import re

from bancada.prove.proof import Proof


def shows(proof: Proof, function: str) -> None:
    """The function is an operation of the implementation that its name says."""
    found = re.fullmatch(r"tatu_(aes|speck\d+_)(\d+)((?:_ram|_small|_tiny)?)_(\w+)", function)
    assert found is not None
    cipher, key_bits, variant, operation = found.groups()
    name = "tatu/" + cipher.replace("_", "-") + key_bits + variant.replace("_", "/")
    proof.shows(name, operation.replace("_", "-"))
