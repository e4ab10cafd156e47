"""Builds client, server and link of the room `channel/`, once for each state of their sources."""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from bancada import catalogue
from bancada.catalogue import named
from bancada.errors import UserError
from bancada.fetch import fetch
from bancada.paths import cache_folder, data_root

# Protections of channel/Makefile: the implementation that is measured on the devices, and its key.
PROTECTIONS: dict[str, tuple[str, int]] = {
    **{f"relic-aes-cbc-{bits}": (f"relic/aes{bits}-cbc-message", bits) for bits in (128, 192, 256)},
    **{f"tatu-aes-cbc-{bits}": (f"tatu/aes{bits}-cbc-message", bits) for bits in (128, 192, 256)},
    **{f"tatu-aes-ccm-{bits}": (f"tatu/aes{bits}-ccm-message", bits) for bits in (128, 192, 256)},
    "tatu-ascon-aead128": ("tatu/ascon-aead128-message", 128),
}

_OURS = (
    "channel/Makefile", "channel/src/*", "harness/include/bancada/mode*.h", "candidates/relic/*.h", "candidates/tatu/*.h",
    "tatu/src/**/*.[ch]",
)  # fmt: skip


@dataclass(frozen=True)
class Programs:
    """The three programs, and a hash of all that they were made from."""

    client: Path
    server: Path
    link: Path
    sources_sha256: str


def _sources_sha256(relic_sha256: str) -> str:
    root = data_root()
    digest = hashlib.sha256(relic_sha256.encode())
    for path in sorted(path for pattern in _OURS for path in root.glob(pattern)):
        digest.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def build_programs(extra_flags: str = "") -> Programs:
    """The programs, built if they are not yet; `extra_flags` for the compiler make others of them. UserError says what is missing."""
    for tool in ("make", "cc"):
        if shutil.which(tool) is None:
            raise UserError(f"Client and server are built with {tool}, which is not installed; install it with: apt-get install make gcc libc6-dev")
    source = named("candidate", catalogue.candidates(), "relic").source
    assert source is not None  # RELIC comes from a registry
    relic = fetch(source, cache_folder())
    compiler = subprocess.run(["cc", "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    sources = hashlib.sha256(f"{_sources_sha256(source.sha256)} {extra_flags} {compiler}".encode()).hexdigest()
    # make's dependency files name the sources by where they are, so another clone has a folder of its own.
    place = hashlib.sha256(f"{data_root()} {sources}".encode()).hexdigest()[:16]
    folder = cache_folder() / "channel" / place
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "bancada.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        command = ["make", "--silent", "-C", str(data_root() / "channel"), f"OUT={folder}", f"RELIC={relic}", f"EXTRA={extra_flags}"]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        first = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr.strip()[-200:])
        raise UserError(f"Client and server do not build: {first}")
    return Programs(folder / "channel-client", folder / "channel-server", folder / "channel-link", sources)
