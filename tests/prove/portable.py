"""Tatu's C as a compiler for AVR makes it, held to the specifications."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bancada.prove.prove import PROVED, Demand, prove
from tests.prove.conftest import tatu_sources

CANDIDATE = Path(__file__).resolve().parents[2] / "candidates" / "tatu"
# The folders of a proof's function, and the function.
IN_C = {
    "aes128_small_encrypt": ("aes", "tatu_aes128_small_encrypt"),
    "speck64_128_encrypt": ("speck", "tatu_speck64_128_encrypt"),
    "speck64_128_tiny_encrypt": ("speck", "tatu_speck64_128_tiny_encrypt"),
    "speck128_128_encrypt": ("speck", "tatu_speck128_128_encrypt"),
    "speck128_128_small_encrypt": ("speck", "tatu_speck128_128_small_encrypt"),
    "chacha20_rounds": ("chacha20", "tatu_internal_chacha20_permute"),
    "ascon_p12": ("ascon", "tatu_internal_ascon_permute"),
}


def hold(link_with: Callable[..., Path], name: str, level: str) -> None:
    """The C function of this proof is proved, as gcc compiles it at this level."""
    folder, function = IN_C[name]
    folders = (folder, "poly1305") if folder == "chacha20" else (folder,)
    flags = ("-mmcu=atmega328p", "-std=c99", level, "-ffunction-sections", "-DTATU_PORTABLE")
    program = link_with(f"{name}{level}", tatu_sources(*folders), [function], flags=flags)
    proofs = CANDIDATE / ("proofs_in_c.py" if name == "ascon_p12" else "proofs.py")
    [proved] = prove(program, proofs, (name,), Demand(1, 1))
    assert (proved.verdict, proved.by) == (PROVED, "normal form"), proved.reason
