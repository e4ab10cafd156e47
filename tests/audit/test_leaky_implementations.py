"""Every kind of leak is found, at its function and its line, and nothing else is; what is clean has no finding."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bancada.audit.audit import audit, chosen_firmwares, place_of, with_lines
from bancada.audit.declared import Public, declared_public
from bancada.audit.findings import Audit, Finding
from bancada.audit.simulator import follow_secrets
from bancada.build.build import build
from bancada.measure.laboratory import open_laboratory
from bancada.plan.case import Firmware

_MARKED = re.compile(r"/\* (leaks|address|even): ([a-z-]+)(?: in (\w+))? \*/")

# The variants of tests/audit/laboratory/candidates/leaky; what a compiler's library does differs between machines.
_PORTABLE = ("branch", "early_exit", "library_compare", "table", "store", "loop", "jump", "switch", "clean")
_ON_AVR = (*_PORTABLE, "division", "avr-skip", "avr-even_skip", "avr-flash_table", "avr-flags", "avr-stack")

# Those that go wrong for one secret in 300, or whose secrets all end at the same byte: taint finds what no stopwatch
# does.
_NOT_SEEN_IN_TIME = ("library_compare", "avr-flags")


def _firmware(implementation: str, target: str) -> Firmware:
    laboratory = open_laboratory()
    candidate = laboratory.candidate(implementation.partition("/")[0])
    (firmware,) = chosen_firmwares(laboratory, candidate, place_of(laboratory, target), implementation)
    return firmware


def _audited(variant: str, target: str, samples: int = 300) -> Audit:
    place = place_of(open_laboratory(), target)
    (done,) = audit(_firmware(f"leaky/{variant}", target), place, ("encrypt",), samples)
    assert done.reason is None, done.reason
    return done


def _marks(folder: Path, variant: str) -> list[tuple[str, int, str, str | None]]:
    """What is marked in the source: leak or not, line, kind, routine."""
    lines = (folder / f"{variant.replace('-', '_')}.c").read_text().splitlines()
    found = ((number, _MARKED.search(line)) for number, line in enumerate(lines, 1))
    return [(mark[1], number, mark[2], mark[3]) for number, mark in found if mark]


@pytest.mark.parametrize("variant", _ON_AVR)
def test_each_leak_is_found_in_the_simulator(variant: str, leaky: Path) -> None:
    done = _audited(variant, "uno")
    marks = _marks(leaky, variant)
    for what, line, kind, routine in marks:
        at_line = [
            finding
            for finding in done.findings
            if finding.line == line and finding.routine in (routine, None, "__tablejump2__")
        ]
        assert any(finding.kind == kind and finding.is_leak == (what == "leaks") for finding in at_line), (
            line,
            kind,
            done.findings,
        )
    assert {finding.line for finding in done.leaks} == {line for what, line, _, _ in marks if what == "leaks"}
    assert bool(marks) == bool(done.findings)
    leaks = any(what == "leaks" for what, *_ in marks)
    assert done.verdict == ("leaks" if leaks else "clean")
    assert done.timing is not None
    assert done.timing.varies == (leaks and variant not in _NOT_SEEN_IN_TIME)


def test_the_functions_are_named() -> None:
    (finding,) = _audited("branch", "uno", 4).leaks
    assert (finding.function, finding.file, finding.routine) == ("doubled", "branch.c", None)
    (finding,) = _audited("division", "uno", 4).leaks
    assert (finding.function, finding.file, finding.routine) == ("leaky_encrypt", "division.c", "__udivmodhi4")
    (finding,) = _audited("library_compare", "uno", 4).leaks
    assert (finding.function, finding.file, finding.routine) == ("leaky_encrypt", "library_compare.c", "memcmp")


@pytest.mark.parametrize("variant", [*_PORTABLE, "named"])
def test_each_leak_is_found_on_the_host(variant: str, leaky: Path) -> None:
    done = _audited(variant, "host")
    marks = _marks(leaky, variant)
    assert done.verdict == ("leaks" if marks else "clean"), done.findings
    assert done.timing is None
    assert done.method == "host"
    # A jump through a table is found where its target is loaded, by then nothing is undefined any more.
    nearest = {line - (kind == "jump" and variant == "jump") for _, line, kind, _ in marks}
    assert {finding.line for finding in done.leaks} == nearest
    assert {finding.file for finding in done.leaks} <= {f"{variant}.c"}


@pytest.mark.parametrize("target", ["stm32f4", "bbb"])
def test_an_arm_target_is_audited_on_the_host(target: str) -> None:
    (finding,) = _audited("branch", target).leaks
    assert (finding.kind, finding.function, finding.file) == ("branch", "doubled", "branch.c")


def test_a_verdict_is_public_where_it_is_declared_and_only_as_often(tmp_path: Path) -> None:
    """Tatu branches once on whether a tag holds (candidates/tatu/audit.toml)."""
    firmware = _firmware("tatu/ascon-aead128", "uno")
    elf = build(firmware, with_lines(open_laboratory().targets["uno"])).elf_path
    assert elf is not None
    elf_path = Path(elf)

    def found(public: dict[str, Public]) -> tuple[Finding, ...]:
        return follow_secrets(open_laboratory().targets["uno"], firmware, elf_path, "decrypt", 2, public)

    declared = declared_public(open_laboratory().candidates["tatu"].folder, "decrypt")
    (finding,) = found(declared)
    assert (finding.kind, finding.function, finding.is_leak) == ("branch", "tatu_ascon_aead128_decrypt", False)
    assert finding.public == declared["tatu_ascon_aead128_decrypt"].why
    (finding,) = found({})
    assert finding.is_leak
    assert finding.public is None
    firmware = _firmware("leaky/early_exit", "uno")
    elf = build(firmware, with_lines(open_laboratory().targets["uno"])).elf_path
    assert elf is not None
    comparison = Public(function="differ", operations=("encrypt",), times=1, why="the verdict")
    (finding,) = follow_secrets(
        open_laboratory().targets["uno"], firmware, Path(elf), "encrypt", 2, {"differ": comparison}
    )
    assert finding.is_leak  # it runs once for each byte up to the first that differs


@pytest.mark.parametrize("target", ["uno", "host"])
def test_a_class_of_cpp_is_audited_at_its_own_lines(target: str, leaky: Path) -> None:
    """Its variables have mangled names, and a function that the linker dropped has lines at the same addresses."""
    source = (leaky.parent / "leaky_class" / "cipher.cpp").read_text().splitlines()
    marked = {number for number, line in enumerate(source, 1) if "leaks: branch" in line}
    place = place_of(open_laboratory(), target)
    (done,) = audit(_firmware("leaky_class/class", target), place, ("encrypt",), 4)
    assert done.reason is None, done.reason
    assert {(one.function.split("(")[0], one.file) for one in done.leaks} == {
        ("Cipher::doubled", "cipher.cpp"),
        ("halved", "cipher.cpp"),
    }
    assert {one.line for one in done.leaks} == marked
