"""Libraries that come compiled: packages of Debian or Ubuntu for the architecture of a target that runs Linux.

A distribution compiles for every machine of an architecture, with flags of its own choice: a candidate's notes say with
which. The packages are fetched and unpacked into the cache like sources; nothing is installed, and no architecture is
added to the machine that measures.
"""

from __future__ import annotations

from pathlib import Path

from bancada.catalogue.candidate import Architecture, Candidate, Source
from bancada.catalogue.target import Target
from bancada.sources.fetch import fetch

# What Debian calls the architectures that these compilers compile for, and the folder that it keeps each one's files
# in.
_DEBIAN: dict[str, tuple[Architecture, str]] = {
    "arm-linux-gnueabihf-gcc": ("armhf", "arm-linux-gnueabihf"),
    "aarch64-linux-gnu-gcc": ("arm64", "aarch64-linux-gnu"),
}


def why_not_here(candidate: Candidate, target: Target) -> str | None:
    """Why a candidate cannot be built for the target: it comes compiled for others, it needs Linux, or it is written
    for other cores. None if it can."""
    if candidate.needs_linux and not target.settings.is_linux:
        return f"{candidate.title} includes headers of Linux, which {target.name} does not run"
    if candidate.cores and target.core.name not in candidate.cores:
        return f"{candidate.title} is written for {' and '.join(candidate.cores)}; {target.name} has {target.core.name}"
    if not candidate.compiled:
        return None
    if target.toolchain.compiler in _DEBIAN:
        architecture = _DEBIAN[target.toolchain.compiler][0]
        if all(architecture in package.sha256 for package in candidate.compiled):
            return None
    offered = sorted(set.intersection(*(set(package.sha256) for package in candidate.compiled)))
    return f"{candidate.title} comes compiled, for Linux on {' and '.join(offered)}; {target.name} is neither"


def unpacked(candidate: Candidate, target: Target, cache: Path) -> tuple[Path, ...]:
    """The folders of the candidate's packages for the target, fetched if necessary. Empty if it comes as source."""
    if not candidate.compiled:
        return ()
    architecture = _DEBIAN[target.toolchain.compiler][0]
    return tuple(
        fetch(
            Source(
                registry="debian-binary",
                package=package.package,
                version=package.version,
                architecture=architecture,
                sha256=package.sha256[architecture],
            ),
            cache,
        )
        for package in candidate.compiled
    )


def _triplet(target: Target) -> str:
    return _DEBIAN[target.toolchain.compiler][1] if target.toolchain.compiler in _DEBIAN else ""


def include_flags(folders: tuple[Path, ...], target: Target, below: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Where the packages have their headers, and those of the folders `below` that they have there."""
    candidates = [folder / "include" / more for folder in folders for more in (*below, "", _triplet(target))]
    return tuple(f"-I{path}" for path in candidates if path.is_dir())


def link_arguments(folders: tuple[Path, ...], target: Target, libraries: tuple[str, ...]) -> tuple[str, ...]:
    """What the linker is given for `libraries`: archives of the packages by their path, -l... as it is.

    Archives stand in one group, so that their order and their number of passes are the linker's concern.
    """
    found = []
    for name in libraries:
        paths = [folder / "lib" / _triplet(target) / name for folder in folders]
        found.append(next((str(path) for path in paths if path.is_file()), name))
    return ("-Wl,--start-group", *found, "-Wl,--end-group") if found else ()
