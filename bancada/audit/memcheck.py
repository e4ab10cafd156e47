"""Reads valgrind's report: which places of a program depend on undefined values, which stand for secrets."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

from bancada.audit.declared import Public
from bancada.audit.findings import Finding, is_leak
from bancada.monitor.monitor import DeviceError

# Memcheck's names for a branch, and for an address of memory or of a jump, that depends on an undefined value.
_KINDS = {"UninitCondition": "branch", "UninitValue": "address"}

# The harness works on the results of a call. It is not audited.
_HARNESS = ("monitor.c", "device_linux.c", "device_audit.c", "guard.h")
_OPERATIONS = "operations_"

# Kind, function, file, line, routine without source.
_Place = tuple[str, str, str | None, int | None, str | None]


def _text(element: ElementTree.Element, name: str) -> str:
    return element.findtext(name) or ""


def _is_harness(frame: ElementTree.Element) -> bool:
    file = _text(frame, "file")
    return file in _HARNESS or file.startswith(_OPERATIONS)


def _place(error: ElementTree.Element, elf: Path) -> _Place | None:
    """None for a place that is not in the implementation."""
    kind = _KINDS.get(_text(error, "kind"))
    stack = error.find("stack")
    frames = [] if stack is None else list(stack.iterfind("frame"))
    if kind is None or not frames or _is_harness(frames[0]):
        return None
    innermost = _text(frames[0], "fn")
    own = next((frame for frame in frames if _text(frame, "obj") == str(elf) and _text(frame, "file")), None)
    if own is None:
        return kind, innermost, None, None, None
    if _is_harness(own):
        return None  # a C library's routine that the harness called
    routine = None if own is frames[0] else innermost
    return kind, _text(own, "fn"), _text(own, "file"), int(_text(own, "line") or 0) or None, routine


def read_report(report: Path, elf: Path, calls: int, public: dict[str, Public]) -> tuple[Finding, ...]:
    """The findings of a run of `calls` calls, branches first. DeviceError if valgrind left no report."""
    try:
        root = ElementTree.parse(report).getroot()
    except (ElementTree.ParseError, FileNotFoundError) as error:
        raise DeviceError(f"valgrind left no report that can be read: {error}.") from error
    counts = {_text(pair, "unique"): int(_text(pair, "count")) for pair in root.iterfind("errorcounts/pair")}
    found: Counter[_Place] = Counter()
    branches: Counter[str] = Counter()
    for problem in root.iterfind("error"):
        place = _place(problem, elf)
        if place is None:
            continue
        count = counts.get(_text(problem, "unique"), 1)
        found[place] += count
        if place[0] == "branch":
            branches[place[1]] += count
    findings = []
    for (kind, function, file, line, routine), count in found.items():
        declared = public.get(function) if kind == "branch" and routine is None else None
        why = declared.why if declared and branches[function] <= declared.times * calls else None
        is_one = why is None and is_leak(kind, has_cache=True)
        findings.append(Finding(kind, function, file, line, routine, count, is_leak=is_one, public=why))
    return tuple(
        sorted(findings, key=lambda one: (not one.is_leak, one.kind != "branch", one.file or "", one.line or 0))
    )
