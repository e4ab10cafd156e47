"""Whether a run of experiments was a success: its exit code, and the sentence about what is not conformant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bancada.catalogue.candidate import Candidate
from bancada.catalogue.paths import data_root
from bancada.model.result import Result
from bancada.model.status import Status


def verdict(results: Sequence[Result], candidates: Mapping[str, Candidate], named: bool) -> tuple[bool, str]:
    """Whether all is well, and a sentence where something is not conformant, else "".

    A case that failed is never well. A candidate that is not conformant is a finding if it is somebody else's library,
    at a pinned version, that the experiment chose. It is not well if it is one's own (its sources are here, or it is
    from a folder of BANCADA_PATH), or if `named`: the user asked for it by name.
    """
    wrong = {result.candidate: 0 for result in results if result.status == Status.NOT_CONFORMANT}
    for result in results:
        if result.status == Status.NOT_CONFORMANT:
            wrong[result.candidate] += 1
    faults = sorted(name for name in wrong if named or _is_own(candidates[name]))
    findings = sorted(set(wrong) - set(faults))
    said = []
    if faults:
        said.append(f"{_counted(wrong, faults)} not conformant: the exit code is 1.")
    if findings:
        said.append(f"{_counted(wrong, findings)} not conformant, which is a finding and no failure of this run.")
    return not faults and all(result.status != Status.FAILED for result in results), " ".join(said)


def _is_own(candidate: Candidate) -> bool:
    has_sources_here = candidate.source is None and not candidate.compiled
    return has_sources_here or data_root() not in candidate.folder.parents


def _counted(wrong: Mapping[str, int], names: Sequence[str]) -> str:
    count = sum(wrong[name] for name in names)
    return f"{count} result{'s' if count > 1 else ''} of {', '.join(names)} {'are' if count > 1 else 'is'}"
