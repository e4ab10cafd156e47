"""What Tatu's C computes where it differs from the assembly for AVR in how it keeps its state: for `bancada prove ELF
--proofs` on a program that was compiled with TATU_PORTABLE. For all else the folder `proofs` serves."""

from __future__ import annotations

from bancada.primitives.aead.algorithms.ascon_aead128 import specification as ascon
from bancada.prove.proof import Proof


def ascon_p12(proof: Proof) -> None:
    """No word of the state is complemented."""
    state = proof.secret("state", 40, written=True)
    proof.call("tatu_internal_ascon_permute", state, 0xF0)
    proof.equal(state, ascon.permutation(list(state.words), 12))
