"""Whose fault it is that libyubikey's AES is wrong under clang 14: `make prove-in-c`.

One source, which the sanitizers pass, is FIPS 197 for every key and block as clang compiles it at -Os, and is not at
-O2: so the fault is the compiler's (docs/reference/portability.md).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bancada.catalogue.paths import cache_folder
from bancada.compilers.compile import compile_object, compiler_version, link_image
from bancada.compilers.compilers import Compiler, compilers_of
from bancada.measure.laboratory import open_laboratory
from bancada.prove.prove import PROVED, REFUTED, Demand, prove
from bancada.sources.fetch import fetch

pytestmark = pytest.mark.long

_FUNCTION = "yubikey_aes_encrypt"
_PROOF = f"""
from bancada.primitives.block_cipher.algorithms.aes import specification as aes


def {_FUNCTION}(proof):
    state = proof.secret("state", 16, written=True)
    key = proof.secret("key", 16)
    proof.call("{_FUNCTION}", state, key)
    keys = aes.key_expansion(key.words, 10, aes.by_table)
    proof.equal(state, aes.cipher(state.words, 10, keys, aes.by_table))


PROOFS = {{"{_FUNCTION}": {_FUNCTION}}}
"""


_LABORATORY = open_laboratory()
_UNO = _LABORATORY.targets["uno"]


def _clang_14() -> Compiler:
    found = [compiler for compiler in compilers_of(_UNO) if compiler.name.startswith("clang-14")]
    assert found, "This test needs clang 14: apt-get install clang-14"
    return found[0]


@pytest.mark.parametrize(("level", "verdict"), [("-Os", PROVED), ("-O2", REFUTED)])
def test_the_fault_is_the_compilers(tmp_path: Path, level: str, verdict: str) -> None:
    clang, linker = _clang_14(), _UNO.toolchain.compiler
    registered = _LABORATORY.candidates["yubikey"].source
    assert registered is not None
    source = fetch(registered, cache_folder())
    main = tmp_path / "main.c"
    main.write_text("int main(void) { return 0; }\n")
    flags = (*clang.flags_for((*_UNO.toolchain.flags, level)), "-ffunction-sections", f"-I{source}")
    version = compiler_version(clang.command[0], "clang-14")
    objects = [compile_object(clang.command[0], version, flags, file) for file in (main, source / "ykaes.c")]
    linking = ("-mmcu=atmega328p", f"-Wl,-u,{_FUNCTION}", "-Wl,--gc-sections")
    program = link_image(linker, compiler_version(linker, "gcc-avr"), linking, objects)
    proofs = tmp_path / "yubikey_proofs.py"
    proofs.write_text(_PROOF)
    [proved] = prove(program, proofs, (_FUNCTION,), Demand(1, 60))
    assert proved.verdict == verdict, proved.reason
    assert proved.is_replayed == (verdict == REFUTED), "the engine has to show the same wrong bytes"
