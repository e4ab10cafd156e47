"""Tatu's assembly for AVR computes its specification for every input, in the engine's cycles; a change is noticed."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from bancada.prove.avr_decode import decode
from bancada.prove.errors import MissingFunction
from bancada.prove.needs import needs_of_every
from bancada.prove.program import Program, read_program
from bancada.prove.proof_files import read_proofs
from bancada.prove.prove import (
    NOT_POSSIBLE,
    PROVED,
    REFUTED,
    UNDECIDED,
    Demand,
    Proved,
    prove,
    prove_one,
)
from tests.engines.simavr.engine_bench import build, run
from tests.prove.changed_proofs import PROOFS, changed_proofs
from tests.prove.conftest import TATU, Link, tatu_sources

pytestmark = pytest.mark.long


MODULES = {"aes": ("aes",), "speck128": ("speck",), "chacha20": ("chacha20", "poly1305"), "ascon": ("ascon",)}
MODULES |= {"sha256": ("sha2",), "keccak": ("sha3",), "speck64": ("speck",), "equal": ()}
MODULES |= {"sha512": ("sha512",), "rc6": ("rc6",), "wipe": ()}
MODULES |= {"ed25519": ("ed25519", "x25519", "sha512")}
MODULES |= {"poly1305": ("poly1305",), "p256": ("p256",), "multiply": (), "square": ()}
MODULES |= dict.fromkeys(("ctr", "cmac", "ccm"), ("aes", "modes", "cmac", "ccm")) | {"exclusive": ()}
INTERNAL = {
    "chacha20_rounds": "tatu_internal_chacha20_permute",
    "ascon_p12": "tatu_internal_ascon_permute",
    "ascon_p8": "tatu_internal_ascon_permute",
    "sha256_compress": "tatu_internal_sha256_compress",
    "sha256_small_compress": "tatu_internal_sha256_small_compress",
    "keccak_f1600": "tatu_internal_keccak_permute",
    "equal_16": "tatu_equal",
    "wipe": "tatu_wipe",
    "sha512_compress": "tatu_internal_sha512_compress",
    "ed25519_add": "tatu_internal_field25519_add_avr",
    "ed25519_subtract": "tatu_internal_field25519_subtract_avr",
}
# With arguments of their own, in test_blocks.py.
BLOCKS = {
    *("ascon_absorb_for_aead", "ascon_absorb_for_hash", "ascon_encrypt_blocks", "ascon_decrypt_blocks"),
    *("ascon_start", "ascon_finish", "chacha20_block", "sha256_start", "sha256_store", "exclusive_or"),
    *("ctr_stream", "cmac_of_0", "cmac_of_16", "cmac_of_21", "cmac_of_32", "cmac_tag"),
    *("ccm_encrypt", "ccm_decrypt", "ccm_encrypt_without_addition", "ccm_decrypt_without_addition"),
}
# In test_transforms.py, test_public_branches.py and test_products.py.
ELSEWHERE = ("ml_kem", "ml_dsa", "rsa", "secp256k1", "p256")
# With functions that are not followed, or with an interface of their own, in test_products.py.
PRODUCTS = {
    "multiply_16",
    "multiply_16_over_a_factor",
    "square_16",
    "ed25519_multiply",
    "ed25519_square",
    "poly1305_multiply",
}
INTERNAL |= {f"aes{bits}_encrypt_and_add": f"tatu_internal_aes{bits}_encrypt_and_add" for bits in (128, 192, 256)}
# Of functions that only a Cortex-M has: test_thumb_proofs.py. Those of AArch64 and NEON: test_linux_proofs.py.
ON_ARM = ("chacha20_next_block", "chacha20_crypt_blocks", "keccak_add_lanes", "keccak_add_lanes_from_bytes")
NAMES = sorted(
    name
    for name, need in needs_of_every(PROOFS).items()
    if name not in ON_ARM and "_two_blocks_" not in name and "avr" in need.machines
)
# One of each kernel, and what takes least of the rest; `make prove` proves all.
HERE = sorted(
    name
    for name in NAMES
    if name not in BLOCKS | PRODUCTS
    if not name.startswith(ELSEWHERE)
    if not name.startswith(("aes", "speck128_192", "speck128_256", "equal", "wipe", "sha512", "rc6"))
    or name in ("aes128_set_key", "aes192_set_key", "aes256_set_key", "aes128_encrypt", "aes128_decrypt")
    or name in ("aes256_encrypt", "aes128_ram_encrypt", "aes128_small_encrypt", "aes128_small_decrypt")
    or name
    in (
        "aes128_tiny_encrypt",
        "aes128_encrypt_and_add",
        "speck128_192_encrypt",
        "speck128_256_small_decrypt",
        "rc6_decrypt",
    )
)
SLOW = ("aes256_encrypt", "aes128_ram_encrypt", "aes128_small_decrypt", "aes128_tiny_encrypt", "aes128_encrypt_and_add")
BY_POLYNOMIALS = ("ed25519",)


def function_of(proof: str) -> str:
    """The function that the proof calls last."""
    return INTERNAL.get(proof, f"tatu_{proof}")


def functions_of(proof: str) -> tuple[str, ...]:
    return needs_of_every(PROOFS)[proof].functions


@pytest.fixture(scope="module")
def programs(link: Link) -> dict[str, Path]:
    """A program for each algorithm, by the first letters of its proofs."""
    made = {}
    for prefix, modules in MODULES.items():
        functions = sorted({each for name in HERE if name.startswith(prefix) for each in functions_of(name)})
        if functions:
            made[prefix] = link(prefix, tatu_sources(*modules), functions)
    return made


def program_of(programs: dict[str, Path], proof: str) -> Path:
    return next(path for prefix, path in programs.items() if proof.startswith(prefix))


def test_every_proof_is_of_a_function_of_tatu(link: Link) -> None:
    """No proof's function is missing from the sources, so that `make prove` can leave none out in silence."""
    needs = needs_of_every(PROOFS)
    for prefix, modules in MODULES.items():
        names = [name for name in NAMES if name.startswith(prefix)]
        functions = sorted({function for name in names for function in functions_of(name)})
        # All of them together need more flash than an ATmega328P has. Nothing runs here.
        more_flash = "-Wl,--defsym=__TEXT_REGION_LENGTH__=0x20000"
        program = read_program(link(prefix, tatu_sources(*modules), functions, more_flash))
        assert [name for name in names if not needs[name].are_in(program)] == []


def test_the_comparison_of_tags(link: Link) -> None:
    [proved] = prove(link("equal", tatu_sources(), ["tatu_equal"]), PROOFS, ("equal_16",), Demand(4, 1))
    assert (proved.verdict, proved.by) == (PROVED, "normal form"), proved.reason


def test_the_wipe(link: Link) -> None:
    """That what was there is gone is a statement, though no output depends on an input."""
    program = link("wipe", tatu_sources(), ["tatu_wipe"])
    [proved] = prove(program, PROOFS, ("wipe",), Demand(2, 1))
    assert proved.verdict == PROVED, proved.reason
    assert [call.function for call in proved.calls] == ["tatu_wipe"] * 5


@pytest.mark.parametrize("placement", range(4))
def test_wherever_the_buffers_lie(programs: dict[str, Path], placement: int) -> None:
    [proved] = prove(programs["speck128"], PROOFS, ("speck128_128_decrypt",), Demand(placement + 1, 1))
    assert (proved.verdict, proved.placements) == (PROVED, placement + 1), proved.reason


CALLER = """
#include <avr/io.h>
    .global main
main:
    ldi r24, 0x00
    ldi r25, 0x02
    ldi r22, {third}
    ldi r23, {high}
    ldi r20, 0x80
    ldi r21, 0x05
    ldi r18, {fourth}
    ldi r19, 0
    call {function}
    ldi r18, 0x12
    out _SFR_IO_ADDR(GPIOR0), r18
    rjmp .
"""


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in HERE])
def test_it_computes_its_specification_in_the_engines_cycles(
    programs: dict[str, Path], tmp_path: Path, name: str
) -> None:
    """Proved for every input; and the same function called in simavr, context and buffers somewhere in RAM."""
    [proved] = prove(program_of(programs, name), PROOFS, (name,), Demand(1, 1))
    by = "polynomials" if name.startswith(BY_POLYNOMIALS) else "normal form"
    assert (proved.verdict, proved.by) == (PROVED, by), proved.reason
    function = function_of(name)
    modules = next(modules for prefix, modules in MODULES.items() if name.startswith(prefix))
    third, high = ("0xb4" if name == "ascon_p8" else "0xf0", 0) if name.startswith("ascon") else (0x40, 5)
    source = tmp_path / "caller.S"
    fourth = 2 if name.endswith("_two") else 1
    source.write_text(CALLER.format(function=function, third=third, high=high, fourth=fourth))
    elf = build(tmp_path, [source, *tatu_sources(*modules)], f"-I{TATU}", "-ffunction-sections", "-Wl,--gc-sections")
    done = run(elf, "--uart", "none", "--function", function, "--calls", "1", limit_cycles=2_000_000)
    [region] = done.regions
    last = proved.calls[-1]
    assert (last.cycles, last.stack_bytes) == (region["cycles"], region["stack_bytes"])


def changed(program: Program, address: int, opcode: int) -> Program:
    flash = bytearray(program.flash)
    flash[address : address + 2] = opcode.to_bytes(2, "little")
    return replace(program, flash=bytes(flash))


def instructions_of(program: Program, function: str) -> list[int]:
    """The addresses of the function's instructions of one word."""
    at = program.functions[function]
    end = at + program.sizes[function]
    found = []
    while at < end:
        instruction = decode(*(int.from_bytes(program.flash[at + more : at + more + 2], "little") for more in (0, 2)))
        assert instruction is not None
        if instruction.words == 1:
            found.append(at)
        at += 2 * instruction.words
    return found


def test_what_differs_is_not_proved(programs: dict[str, Path]) -> None:
    """Instructions of Speck's encryption left out, or with one bit changed: refuted, or not possible to prove.

    Two changes make no difference, and are rightly proved: `clr r0` at the end wipes a register and computes nothing;
    ADD becomes ADC where the carry is known to be clear.
    """
    name, function = "speck128_128_encrypt", "tatu_speck128_128_encrypt"
    program = read_program(programs["speck128"])
    proof = read_proofs(PROOFS)[name]
    verdicts = []
    for at, address in enumerate(instructions_of(program, function)[::5]):
        before = int.from_bytes(program.flash[address : address + 2], "little")
        opcode = before ^ 1 << at % 16 if at % 2 else 0
        mutant: Proved = prove_one(changed(program, address, opcode), name, proof, PROOFS, Demand(1, 1))
        verdicts.append(mutant.verdict)
        if mutant.verdict == PROVED:
            old, new = decode(before, 0), decode(opcode, 0)
            assert old is not None
            assert new is not None
            wipes = (old.name, old.destination, old.source) == ("EOR", 0, 0)
            assert wipes or (old.name, new.name) == ("ADD", "ADC"), f"0x{address:04x}: {old} is now {new}"
        if mutant.verdict == REFUTED:
            assert mutant.counterexample
    assert len(verdicts) > 80
    assert verdicts.count(PROVED) <= 3
    assert verdicts.count(REFUTED) > len(verdicts) // 2


def test_a_wrong_specification_is_refuted(programs: dict[str, Path], tmp_path: Path) -> None:
    call = 'proof.call("tatu_internal_ascon_permute", state, 0xF0)\n'
    made = "_kept(proof, ascon.permutation(_kept(proof, list(state.words)), 12))"
    faulty = f"    made = {made}\n    made[17] = made[17] ^ 4\n"
    wrong = changed_proofs(tmp_path, "ascon.py", (made, "made"), (call, call + faulty))
    [proved] = prove(programs["ascon"], wrong, ("ascon_p12",), Demand(1, 1))
    assert proved.verdict == REFUTED
    assert proved.reason == "'state' is not what the specification says"
    assert proved.counterexample
    assert set(proved.counterexample.values()) <= {0, 1}


FAULTS = {
    "reads": ("lds r18, 0x500\n ret", "holds nothing known"),
    "writes": ("movw r30, r24\n std Z+2, r22\n st Z, r22\n std Z+1, r22\n ret", r"writes output\[2\]"),
    "register": ("ldi r16, 1\n movw r30, r24\n st Z, r22\n std Z+1, r22\n ret", "does not restore r16"),
    "zero": ("mov r1, r22\n movw r30, r24\n st Z, r1\n std Z+1, r1\n ret", "does not leave 0 in r1"),
    "interrupts": ("sei\n movw r30, r24\n st Z, r22\n std Z+1, r22\n ret", "does not restore the I flag"),
    "stack": ("pop r0\n pop r18\n push r0\n ret", "."),
    "branch": ("movw r30, r22\n ld r18, Z\n tst r18\n breq 1f\n rjmp 2f\n1: nop\n2: ret", "by a secret"),
    "endless": ("1: rjmp 1b", "a loop without end"),
    "half": ("movw r30, r24\n st Z, r22\n ret", r"output\[1\] was never written"),
    "outside": ("in r24, 0x06\n ret", "a value from outside"),
}
USERS_PROOFS = """
from bancada.prove.proof import Proof


def faulty(proof: Proof) -> None:
    output = proof.output("output", 2)
    given = proof.secret("given", 2)
    proof.call("faulty", output, given)
    proof.equal(output, list(given.words))


def says_nothing(proof: Proof) -> None:
    proof.call("faulty", proof.output("output", 2), proof.secret("given", 2))


def one_name(proof: Proof) -> None:
    output = proof.output("output", 2)
    proof.call("faulty", output, proof.secret("given", 2), proof.secret("given", 2))
"""


@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_contract_is_one_sentence(tmp_path: Path, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    code, words = FAULTS[fault]
    monkeypatch.setattr("bancada.prove.proof._INSTRUCTIONS", 10_000)
    source, proofs = tmp_path / "faulty.S", tmp_path / "proofs.py"
    source.write_text(f".global main\nmain: ret\n.global faulty\n.type faulty, @function\nfaulty:\n {code}\n")
    proofs.write_text(USERS_PROOFS)
    [proved] = prove(build(tmp_path, [source]), proofs, ("faulty",), Demand(1, 1))
    assert proved.verdict == NOT_POSSIBLE
    assert len(proved.reason.splitlines()) == 1
    assert re.search(words, proved.reason), proved.reason


def verdict_on(folder: Path, code: str, proof: str, limit_seconds: float = 1) -> Proved:
    """What one of USERS_PROOFS says of this code."""
    source, proofs = folder / "faulty.S", folder / "proofs.py"
    source.write_text(f".global main\nmain: ret\n.global faulty\nfaulty: {code}\n")
    proofs.write_text(USERS_PROOFS)
    [proved] = prove(build(folder, [source]), proofs, (proof,), Demand(1, limit_seconds))
    return proved


def test_a_proof_that_says_nothing_is_none(tmp_path: Path) -> None:
    proved = verdict_on(tmp_path, "ret", "says_nothing")
    assert proved.verdict == NOT_POSSIBLE
    assert "says nothing" in proved.reason


def test_two_buffers_of_a_proof_have_two_names(tmp_path: Path) -> None:
    """Else the names of a counterexample's bits would be those of both."""
    proved = verdict_on(tmp_path, "ret", "one_name")
    assert proved.verdict == NOT_POSSIBLE
    assert proved.reason == "the proof has two buffers named 'given': a counterexample cannot tell their bytes apart"


def test_a_function_without_an_end_is_left_when_its_time_is_over(tmp_path: Path) -> None:
    """It stays undecided, because more time may be enough."""
    proved = verdict_on(tmp_path, "rjmp faulty", "faulty", 0.001)
    assert proved.verdict == UNDECIDED
    assert re.search(r"faulty: after [\d,]+ instructions there is no more time: a loop", proved.reason), proved.reason


def test_a_name_of_two_functions_is_no_function(tmp_path: Path) -> None:
    """Static functions of two files: a proof of the first says nothing of the other."""
    (tmp_path / "one.S").write_text(".global main\nmain: ret\n.type twice, @function\ntwice: ret\n")
    (tmp_path / "two.S").write_text(".type twice, @function\ntwice: nop\nret\n")
    program = read_program(build(tmp_path, [tmp_path / "one.S", tmp_path / "two.S"]))
    with pytest.raises(MissingFunction, match="has several functions 'twice'"):
        program.function("twice")


def test_one_proof_that_fails_does_not_stop_the_others(programs: dict[str, Path], tmp_path: Path) -> None:
    """A function that the program does not have, and a mistake in the user's own Python."""
    encrypt = '_aes(f"tatu_{name}_encrypt", key_bytes, True)'
    proofs = changed_proofs(tmp_path, "aes.py", (encrypt, '_aes("tatu_no_such_function", key_bytes, True)'))
    with (proofs / "aes.py").open("a") as file:
        file.write("\n\ndef mistaken(proof: Proof) -> None:\n    proof.call(no_such_name)\n")
    asked = ("aes128_encrypt", "mistaken", "speck128_128_encrypt")
    missing, mistaken, proved = prove(programs["speck128"], proofs, asked, Demand(1, 1))
    assert missing.verdict == NOT_POSSIBLE
    assert "has no function 'tatu_no_such_function'" in missing.reason
    assert mistaken.verdict == NOT_POSSIBLE
    last = len((proofs / "aes.py").read_text().splitlines())
    assert mistaken.reason == f"{proofs}/aes.py, line {last}: NameError: name 'no_such_name' is not defined"
    assert proved.verdict == PROVED
