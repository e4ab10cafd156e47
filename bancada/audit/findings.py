"""What an audit finds: plain records."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal

Kind = Literal["branch", "even-branch", "load", "store", "flash-load", "address", "jump"]

# The name of each kind for people. The kinds in _ALWAYS_LEAKS tell a secret even where every instruction always takes
# the same time.
TITLES: dict[str, str] = {
    "branch": "branch",
    "jump": "jump to an address",
    "even-branch": "branch, both ways equally long",
    "load": "load from an address",
    "store": "store to an address",
    "flash-load": "load from an address in flash",
    "address": "address of memory or of a jump",
}
_ALWAYS_LEAKS = ("branch", "jump")

# Beyond this, dudect's authors say, timing surely depends on the class: Reparaz, Balasch, Verbauwhede, "Dude, is my
# code constant time?" (DATE 2017), section III.
T_LIMIT = 4.5


@dataclass(frozen=True)
class Finding:
    """One place where the program's course or an address depends on a secret. `file` and `line` are those of the
    nearest code that has source lines.

    `routine` is the function without source that contains the place (of the compiler or the C library), called from
    `function`. `public` is the candidate's reason why the dependence tells nothing new (audit.toml).
    """

    kind: str
    function: str
    file: str | None
    line: int | None
    routine: str | None
    count: int
    is_leak: bool
    public: str | None = None


@dataclass(frozen=True)
class Timing:
    """Cycles of calls with one fixed secret and with random ones; everything else about the calls is the same."""

    fixed_samples: int
    random_samples: int
    fixed_mean: float
    random_mean: float
    cycles_min: int
    cycles_max: int
    t: float

    @property
    def varies(self) -> bool:
        """The simulator is deterministic: any difference comes from the secrets."""
        return self.cycles_min != self.cycles_max

    @property
    def text(self) -> str:
        """One sentence."""
        samples = self.fixed_samples + self.random_samples
        if not self.varies:
            return f"{self.cycles_min} cycles in each of {samples} calls"
        t = "infinite" if math.isinf(self.t) else f"{self.t:.1f}"
        return f"{self.cycles_min} to {self.cycles_max} cycles in {samples} calls (t = {t})"


@dataclass(frozen=True)
class Audit:
    """The audit of one operation of one implementation, compiled one way. `calls` were followed, each with other
    secrets.

    `elf_sha256` is that of the measured firmware, in the simulator. `auditor` is a digest of the code that audits and
    of what the candidate declares public. Audits of earlier versions have neither.
    """

    target: str
    implementation: str
    operation: str
    optimisation: str
    compiler: str
    method: Literal["simulator", "host"]
    calls: int
    findings: tuple[Finding, ...]
    timing: Timing | None
    reason: str | None
    date: str
    elf_sha256: str | None = None
    auditor: str | None = None

    @property
    def leaks(self) -> tuple[Finding, ...]:
        """The findings that tell a secret on this target."""
        return tuple(finding for finding in self.findings if finding.is_leak)

    @property
    def verdict(self) -> str:
        """One word, or why there is none: clean, leaks, not audited."""
        if self.reason is not None:
            return "not audited"
        return "leaks" if self.leaks or (self.timing is not None and self.timing.varies) else "clean"

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return asdict(self)


@dataclass(frozen=True)
class Places:
    """Findings of one kind in one function, together."""

    kind: str
    function: str
    file: str | None
    lines: tuple[int, ...]
    routine: str | None
    count: int
    is_leak: bool
    public: str | None

    @property
    def where(self) -> str:
        """file:lines, as far as they are known."""
        return f"{self.file}:{', '.join(map(str, self.lines))}" if self.file else "no source"

    @property
    def text(self) -> str:
        """file:line in function, as far as they are known: of more than two lines the first and the last."""
        lines = self.lines if len(self.lines) <= 2 else (f"{self.lines[0]} to {self.lines[-1]}",)
        place = f"{self.file}:{', '.join(map(str, lines))} in {self.function}" if self.file else self.function
        return f"{self.routine}, called from {place}" if self.routine else place


def together(findings: Iterable[Finding]) -> tuple[Places, ...]:
    """The findings of each function and kind as one, in the order in which they come."""
    groups: dict[tuple[str, str, str | None, str | None, bool, str | None], list[Finding]] = {}
    for finding in findings:
        key = (finding.kind, finding.function, finding.file, finding.routine, finding.is_leak, finding.public)
        groups.setdefault(key, []).append(finding)
    return tuple(
        Places(
            kind,
            function,
            file,
            tuple(sorted({one.line for one in members if one.line})),
            routine,
            sum(one.count for one in members),
            is_leak,
            public,
        )
        for (kind, function, file, routine, is_leak, public), members in groups.items()
    )


def audit_from_dict(record: dict[str, Any]) -> Audit:
    """What `as_dict` gave."""
    timing = record["timing"]
    return Audit(
        **{
            **record,
            "findings": tuple(Finding(**finding) for finding in record["findings"]),
            "timing": Timing(**timing) if timing else None,
        }
    )


def is_leak(kind: str, has_cache: bool) -> bool:
    """Whether a place of this kind tells a secret. An address does where there is a cache."""
    return kind in _ALWAYS_LEAKS or (has_cache and kind != "even-branch")
