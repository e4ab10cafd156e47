"""What takes whole messages and blocks through Tatu's kernels for AVR is proved, in the engine's cycles; modes for any
block cipher."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bancada.prove.needs import needs_of
from bancada.prove.program import read_program
from bancada.prove.proof_files import read_proofs
from bancada.prove.prove import PROVED, REFUTED, Demand, prove, prove_one
from tests.engines.simavr.engine_bench import build, run
from tests.prove.changed_proofs import PROOFS, changed_proofs
from tests.prove.conftest import TATU, Link, tatu_sources
from tests.prove.test_proofs import BLOCKS, MODULES

pytestmark = pytest.mark.long

KNOWN = read_proofs(PROOFS)
STATE, OTHER, INPUT = 0x200, 0x300, 0x400
# Registers of the same call in the engine, by the lower one of each pair.
CALLS = {
    "ascon_absorb_for_aead": {24: STATE, 22: 16, 20: INPUT, 18: INPUT + 32},
    "ascon_absorb_for_hash": {24: STATE, 22: 8, 20: INPUT, 18: INPUT + 16},
    "ascon_encrypt_blocks": {24: STATE, 22: OTHER, 20: INPUT, 18: INPUT + 32},
    "ascon_decrypt_blocks": {24: STATE, 22: OTHER, 20: INPUT, 18: INPUT + 32},
    "ascon_start": {24: STATE, 22: OTHER, 20: INPUT},
    "ascon_finish": {24: STATE, 22: 5, 20: INPUT},
    "chacha20_block": {24: STATE, 22: OTHER, 20: 1, 18: 0, 16: INPUT},
    "sha256_start": {24: STATE},
    "sha256_store": {24: STATE, 22: OTHER, 20: 8},
    "exclusive_or": {24: STATE, 22: OTHER, 20: INPUT, 18: 37},
}
CALLER = """
#include <avr/io.h>
    .global main
main:
    {loads}
    call {function}
    ldi r18, 0x12
    out _SFR_IO_ADDR(GPIOR0), r18
    rjmp .
"""


@pytest.fixture(scope="module")
def programs(link: Link) -> dict[str, Path]:
    made: dict[tuple[str, ...], Path] = {}
    found = {}
    for name in sorted(BLOCKS):
        modules = modules_of(name)
        if modules not in made:
            same = [each for each in BLOCKS if modules_of(each) == modules]
            functions = sorted({function for each in same for function in needs_of(KNOWN[each]).functions})
            made[modules] = link(f"blocks-{name}", tatu_sources(*modules), functions)
        found[name] = made[modules]
    return found


def modules_of(name: str) -> tuple[str, ...]:
    return next(modules for prefix, modules in MODULES.items() if name.startswith(prefix))


@pytest.mark.parametrize("name", sorted(BLOCKS))
def test_it_is_proved(programs: dict[str, Path], tmp_path: Path, name: str) -> None:
    [proved] = prove(programs[name], PROOFS, (name,), Demand(1, 1))
    assert (proved.verdict, proved.by) == (PROVED, "normal form"), proved.reason
    if name not in CALLS:
        return
    function = proved.calls[-1].function
    pairs = [(at + more, value >> 8 * more & 0xFF) for at, value in CALLS[name].items() for more in (0, 1)]
    source = tmp_path / "caller.S"
    loads = "\n ".join(f"ldi r{register}, {value}" for register, value in pairs)
    source.write_text(CALLER.format(function=function, loads=loads))
    sources = [source, *tatu_sources(*modules_of(name))]
    elf = build(tmp_path, sources, f"-I{TATU}", "-ffunction-sections", "-Wl,--gc-sections")
    [region] = run(elf, "--uart", "none", "--function", function, "--calls", "1", limit_cycles=2_000_000).regions
    last = proved.calls[-1]
    assert (last.cycles, last.stack_bytes) == (region["cycles"], region["stack_bytes"])


FAULTS = {
    # What the specification says of a mode, changed.
    "counter": ("(first + at).to_bytes", "(first + 1 - at % 2).to_bytes", "ctr_stream"),
    "chaining": ("total = encrypt(total)", "total = encrypt(total[1:] + total[:1])", "ccm_encrypt"),
    "addition": ("made += crypted", "made += given", "ccm_decrypt"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_mode_is_refuted(programs: dict[str, Path], tmp_path: Path, fault: str) -> None:
    right, wrong, name = FAULTS[fault]
    proofs = changed_proofs(tmp_path, "modes.py", (right, wrong))
    [proved] = prove(programs[name], proofs, (name,), Demand(1, 1))
    assert proved.verdict == REFUTED


def test_a_mode_that_hands_the_cipher_another_block_is_refuted_without_the_cipher(programs: dict[str, Path]) -> None:
    """By unknown answers alone: no run with numbers comes first where a second solver is asked."""
    whole = read_program(programs["ctr_stream"])
    at = whole.functions["tatu_internal_ctr_stream"]
    inc = (0x9583).to_bytes(2, "little")  # INC r24
    place = whole.flash.index(inc, at)
    faulty = replace(whole, flash=whole.flash[:place] + (0x958A).to_bytes(2, "little") + whole.flash[place + 2 :])
    refuted = prove_one(faulty, "ctr_stream", KNOWN["ctr_stream"], PROOFS, Demand(1, 1, "cadical"))
    assert refuted.verdict == REFUTED, refuted.reason
    assert refuted.second is not None
    assert refuted.second.word == "agrees"
