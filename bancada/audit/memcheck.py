"""Reads valgrind's report: which places of a program depend on undefined, that is secret, values."""

from __future__ import annotations

import platform
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

from capstone import CS_ARCH_X86, CS_MODE_64, Cs
from elftools.elf.elffile import ELFFile

from bancada.audit.declared import Public
from bancada.audit.findings import Finding, is_leak
from bancada.monitor import DeviceError

# What memcheck calls a branch, and an address or a jump's target, that depends on an undefined value.
_KINDS = {"UninitCondition": "branch", "UninitValue": "address"}

# The harness works on what a call has left, outside of what is audited.
_HARNESS = ("monitor.c", "device_linux.c", "device_audit.c", "guard.h")
_OPERATIONS = "operations_"


def _text(element: ElementTree.Element, name: str) -> str:
    return element.findtext(name) or ""


def _is_harness(frame: ElementTree.Element) -> bool:
    file = _text(frame, "file")
    return file in _HARNESS or file.startswith(_OPERATIONS)


class _Jumps:
    """Which instructions of a program jump or call where a register says."""

    def __init__(self, elf: Path) -> None:
        self._file = elf.open("rb")
        self._elf = ELFFile(self._file)
        self._base = 0x400000 if self._elf["e_type"] == "ET_DYN" else 0
        self._decoder = Cs(CS_ARCH_X86, CS_MODE_64) if platform.machine() == "x86_64" else None

    def close(self) -> None:
        self._file.close()

    def at(self, address: int, mapped_at: int) -> bool:
        if self._decoder is None:
            return False
        text = self._elf.get_section_by_name(".text")
        offset = address - mapped_at - text["sh_addr"]
        if not 0 <= offset < text["sh_size"]:
            return False
        code = text.data()[offset : offset + 16]
        first = next(self._decoder.disasm(code, address, 1), None)
        return first is not None and first.mnemonic in ("jmp", "call", "notrack jmp", "notrack call")


def _counts(root: ElementTree.Element) -> dict[str, int]:
    counts: dict[str, int] = {}
    for pair in root.iterfind("errorcounts/pair"):
        counts[_text(pair, "unique")] = int(_text(pair, "count"))
    return counts


def read_report(report: Path, elf: Path, calls: int, public: dict[str, Public]) -> tuple[Finding, ...]:
    """The findings of a run of `calls` calls, branches first. DeviceError if valgrind left no report."""
    try:
        root = ElementTree.parse(report).getroot()
    except (ElementTree.ParseError, FileNotFoundError) as error:
        raise DeviceError(f"valgrind left no report that can be read: {error}.") from error
    counts = _counts(root)
    jumps = _Jumps(elf)
    found: Counter[tuple[str, str, str | None, int | None, str | None]] = Counter()
    try:
        for error in root.iterfind("error"):
            place = _place(error, elf, jumps)
            if place is not None:
                found[place] += counts.get(_text(error, "unique"), 1)
    finally:
        jumps.close()
    branches: Counter[str] = Counter()
    for (kind, function, *_), count in found.items():
        branches[function] += count if kind == "branch" else 0
    findings = [_finding(*place, count, branches, calls, public) for place, count in found.items()]
    return tuple(sorted(findings, key=lambda finding: (not finding.is_leak, finding.kind != "branch", finding.file or "", finding.line or 0)))


def _place(error: ElementTree.Element, elf: Path, jumps: _Jumps) -> tuple[str, str, str | None, int | None, str | None] | None:
    """Kind, function, file, line, routine without source; None for what is not the implementation's."""
    kind = _KINDS.get(_text(error, "kind"))
    stack = error.find("stack")
    frames = [] if stack is None else list(stack.iterfind("frame"))
    if kind is None or not frames or _is_harness(frames[0]):
        return None
    if kind == "address" and _text(frames[0], "obj") == str(elf) and jumps.at(int(_text(frames[0], "ip"), 16), _mapped_at(elf)):
        kind = "jump"
    own = next((frame for frame in frames if _text(frame, "obj") == str(elf) and _text(frame, "file")), None)
    innermost = _text(frames[0], "fn")
    if own is None:
        return kind, innermost, None, None, None
    routine = None if own is frames[0] else innermost
    return kind, _text(own, "fn"), _text(own, "file"), int(_text(own, "line") or 0) or None, routine


def _mapped_at(elf: Path) -> int:
    """Where valgrind maps a position-independent program on x86-64; one linked at its address is there."""
    with elf.open("rb") as file:
        return 0x108000 if ELFFile(file)["e_type"] == "ET_DYN" else 0


def _finding(
    kind: str, function: str, file: str | None, line: int | None, routine: str | None,
    count: int, branches: Counter[str], calls: int, public: dict[str, Public],
) -> Finding:  # fmt: skip
    declared = public.get(function) if kind == "branch" and routine is None else None
    why = declared.why if declared and branches[function] <= declared.times * calls else None
    return Finding(kind, function, file, line, routine, count, is_leak=why is None and is_leak(kind, has_cache=True), public=why)
