"""A linker that shortens calls moves what is behind them: branches that the assembler has computed then miss."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from bancada.compilers.compilers import compiler_of, has_branch_relocations
from bancada.measure.laboratory import open_laboratory

# A branch over a call, as gas writes it and as an assembler writes it that computes the branch: BREQ, 4 words ahead
# (AVR Instruction Set Manual, DS40002198: 1111 00kk kkkk k001).
_LEFT = "probe:\n tst r24\n breq 1f\n call other\n call other\n1: ret\n"
_COMPUTED = _LEFT.replace("breq 1f", ".word 0xf021")

# A clang for AVR whose objects are those of the assembly file beside it.
_CLANG = """#!/bin/sh
for one in "$@"; do [ "$one" = --version ] && echo 'fake clang version 19.1.7' && exit; done
for one in "$@"; do made="$one"; done
case "$*" in
*probe.c*) exec avr-gcc -mmcu=atmega328p -c {source} -o "$made" ;;
*-dM*) exec avr-gcc -mmcu=atmega328p -dM -E -x c /dev/null ;;
esac
"""


def _object(folder: Path, text: str) -> Path:
    source, made = folder / "object.S", folder / "object.o"
    source.write_text(text)
    subprocess.run(["avr-gcc", "-mmcu=atmega328p", "-c", str(source), "-o", str(made)], check=True)
    return made


@pytest.mark.parametrize(("text", "is_left"), [(_LEFT, True), (_COMPUTED, False)], ids=["left", "computed"])
def test_an_object_shows_what_computes_its_branches(text: str, is_left: bool, tmp_path: Path) -> None:
    assert has_branch_relocations(_object(tmp_path, text)) is is_left


@pytest.mark.parametrize(("text", "relaxes"), [(_LEFT, True), (_COMPUTED, False)], ids=["left", "computed"])
def test_a_clang_that_computes_branches_is_linked_without_relaxation(text: str, relaxes: bool, tmp_path: Path) -> None:
    _object(tmp_path, text)
    program = tmp_path / "clang-fake"
    program.write_text(_CLANG.format(source=tmp_path / "object.S"))
    program.chmod(0o755)
    target = open_laboratory().target("uno")
    compiler = compiler_of(target, os.fspath(program))
    assert compiler is not None and compiler.is_clang
    flags = compiler.link_flags(target.toolchain.link_flags)
    assert set(target.toolchain.link_flags) - set(flags) == (set() if relaxes else {"-mrelax"})


def test_the_targets_own_compiler_is_linked_as_before() -> None:
    target = open_laboratory().target("uno")
    compiler = compiler_of(target)
    assert compiler is not None
    assert compiler.link_flags(target.toolchain.link_flags) == target.toolchain.link_flags
