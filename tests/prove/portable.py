"""Tatu's C as compilers for AVR and for Cortex-M make it, held to the specifications."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bancada.prove.prove import PROVED, Demand, prove
from tests.prove.conftest import link_for_a_cortex_m, tatu_sources

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
    proofs = CANDIDATE / ("proofs_in_c.py" if name == "ascon_p12" else "proofs")
    [proved] = prove(program, proofs, (name,), Demand(1, 1))
    assert (proved.verdict, proved.by) == (PROVED, "normal form"), proved.reason


# On a Cortex-M AES is fix-sliced in C too.
IN_C_ON_ARM = IN_C | {
    "aes128_set_key": ("aes", "tatu_aes128_set_key"),
    "aes128_two_blocks_encrypt": ("aes", "tatu_internal_aes_fixsliced_encrypt"),
    "ascon_encrypt_blocks": ("ascon", "tatu_internal_ascon_encrypt_blocks"),
}


def hold_on_arm(folder: Path, core: str, name: str, level: str) -> None:
    """The same, as arm-none-eabi-gcc compiles it for this core."""
    module, function = IN_C_ON_ARM[name]
    modules = (module, "poly1305") if module == "chacha20" else (module,)
    portable = ("-DTATU_PORTABLE",)
    program = link_for_a_cortex_m(folder, core, tatu_sources(*modules), [function], level=level, more=portable)
    [proved] = prove(program, CANDIDATE / "proofs", (name,), Demand(2, 1))
    assert (proved.verdict, proved.by) == (PROVED, "normal form"), proved.reason
