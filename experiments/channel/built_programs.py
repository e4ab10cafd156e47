"""Builds client, server and link of programs/, once for each state of their sources."""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from bancada.catalogue.paths import cache_folder, data_root
from bancada.model.errors import UserError
from bancada.plan.laboratory import Laboratory
from bancada.primitives import CONTRACTS
from bancada.sources.fetch import fetch

# Protections of programs/Makefile: the implementation that is measured on the devices, and its key.
PROTECTIONS: dict[str, tuple[str, int]] = {
    **{f"relic-aes-cbc-{bits}": (f"relic/aes{bits}-cbc-message", bits) for bits in (128, 192, 256)},
    **{f"tatu-aes-cbc-{bits}": (f"tatu/aes{bits}-cbc-message", bits) for bits in (128, 192, 256)},
    **{f"tatu-aes-ccm-{bits}": (f"tatu/aes{bits}-ccm-message", bits) for bits in (128, 192, 256)},
    "tatu-ascon-aead128": ("tatu/ascon-aead128-message", 128),
}

_PROGRAMS = Path(__file__).resolve().with_name("programs")
# Other files of the laboratory that they are made from.
_SHARED = ("candidates/relic/*.h", "candidates/tatu/*.h", "tatu/src/**/*.[ch]")


@dataclass(frozen=True)
class Programs:
    """The three programs, and a hash of all that they were made from."""

    client: Path
    server: Path
    link: Path
    sources_sha256: str


def _sources_sha256(relic_sha256: str) -> str:
    digest = hashlib.sha256(relic_sha256.encode())
    shared = ((data_root(), pattern) for pattern in _SHARED)
    for root, pattern in ((_PROGRAMS, "Makefile"), (_PROGRAMS, "src/*"), *shared, (CONTRACTS, "mode/*.h")):
        for path in sorted(root.glob(pattern)):
            digest.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def build_programs(laboratory: Laboratory, extra_flags: str = "") -> Programs:
    """The programs, built if they are not yet; `extra_flags` for the compiler make others of them.

    UserError says what is missing, or what does not compile.
    """
    for tool in ("make", "cc"):
        if shutil.which(tool) is None:
            raise UserError(
                f"Client and server are built with {tool}, which is not installed; install it with: apt-get install "
                "make gcc libc6-dev"
            )
    source = laboratory.candidate("relic").source
    assert source is not None  # RELIC comes from a registry
    relic = fetch(source, cache_folder())
    compiler = subprocess.run(["cc", "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    sources = hashlib.sha256(f"{_sources_sha256(source.sha256)} {extra_flags} {compiler}".encode()).hexdigest()
    # make's dependency files hold absolute paths, so each clone has a folder of its own.
    place = hashlib.sha256(f"{data_root()} {sources}".encode()).hexdigest()[:16]
    folder = cache_folder() / "channel" / place
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "bancada.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        command = [
            "make",
            "--silent",
            "-C",
            str(_PROGRAMS),
            f"ROOT={data_root()}",
            f"OUT={folder}",
            f"RELIC={relic}",
            f"CONTRACTS={CONTRACTS}",
            f"EXTRA={extra_flags}",
        ]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        first = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr.strip()[-200:])
        raise UserError(f"Client and server do not build: {first}")
    return Programs(folder / "channel-client", folder / "channel-server", folder / "channel-link", sources)
