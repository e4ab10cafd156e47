"""The files of one commit of a Git repository, proved by a hash of their paths, modes and bytes.

git names a commit by SHA-1, for which collisions are known (https://shattered.io). So candidate.toml pins a SHA-256
beside it: of every entry of the commit's tree, in the order of the bytes of their paths,

    <mode> SPACE <path> NUL <number of bytes> NUL <bytes>

The mode is git's (100644, 100755, 120000 of a link, 160000 of a submodule), the number is decimal. The bytes of a link
are where it points; those of a submodule are the id of its commit.

Nothing is checked out. The files are written here, from git's objects: no filter and no translation of line ends
changes them. Links and submodules are not written. A source may ask for copies of what its links point to: those of
files of the same commit are made, and no others.
"""

from __future__ import annotations

import hashlib
import os
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from bancada.catalogue.candidate import GitSource
from bancada.model.errors import UserError
from bancada.sources.git_client import GitDone, run_git

_LINK = "120000"
_SUBMODULE = "160000"
# Of links to links.
_LONGEST_CHAIN = 8
_SHA256_CHARACTERS = 64

# What a server says that may have the commit, but does not give it by its id, or gives no part of a history.
_NOT_SO = re.compile(r"unadvertised|not our ref|couldn't find remote ref|does not support shallow", re.IGNORECASE)
_NO_ANSWER = re.compile(
    r"could(?:n't| not) (?:resolve|connect)|unable to (?:look up|connect)|failed to connect|timed out|"
    r"temporary failure in name resolution|connection (?:refused|reset)|network is unreachable|no route to host",
    re.IGNORECASE,
)

# Servers that did not answer and commits that did not come, each with why. A campaign has many candidates of one server
# and builds each dozens of times, and a firewall that drops packets is silent for minutes: one process tries once.
_failed: dict[str, str] = {}


class CannotBeFetched(UserError):
    """git does not get the commit. The sentence begins so."""

    def __init__(self, source: GitSource, why: str) -> None:
        super().__init__(f"cannot be fetched: {_name(source)} is not in the cache, and {why}")


@dataclass(frozen=True)
class _Entry:
    mode: str
    path: bytes
    content: bytes


def files_of_commit(source: GitSource, scratch: Path) -> Path:
    """A new folder below `scratch`, with the files of the commit in a folder of the repository's name.

    CannotBeFetched if git does not get the commit. UserError with both hashes if its files are not those that are
    pinned.
    """
    objects = scratch / "objects"
    algorithm = "sha256" if len(source.commit) == _SHA256_CHARACTERS else "sha1"
    made = run_git("init", "--bare", "--quiet", "--template=", f"--object-format={algorithm}", str(objects))
    if not made.is_right:
        raise CannotBeFetched(source, f"git makes no repository: {_said(made)}")
    _get(source, objects)
    entries = _entries(source, objects)
    _verify(source, entries)
    return _written(source, entries, scratch / "unpacked")


def try_again() -> None:
    """Asks for everything again, as a new process does."""
    _failed.clear()


def _name(source: GitSource) -> str:
    return f"{source.address} at {source.commit[:12]}"


def _said(done: GitDone) -> str:
    """The line of git's that says why."""
    lines = [line.strip() for line in done.said.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"(?:fatal|error|ssh)\b", line)]
    said = re.sub(r"^(?:fatal|error): ", "", (errors or lines[-1:] or ["nothing"])[0])
    # The address is in the sentence already, and what is said of a server is said again for its other repositories.
    return re.sub(r"^unable to access '[^']*': ", "", said).rstrip(".") + "."


def _get(source: GitSource, objects: Path) -> None:
    """Fetches the commit: alone by its id, else by the branch or tag that is named, else with all that the server
    has."""
    in_objects = (f"--git-dir={objects}",)
    server = _server(source, in_objects)
    for known in (server, _name(source)):
        if known in _failed:
            raise CannotBeFetched(source, _failed[known])
    fetch = (*in_objects, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head")
    everything = (source.address, "+refs/*:refs/fetched/*")
    ways: list[tuple[str, ...]] = [("--depth=1", source.address, source.commit)]
    if source.branch:
        ways.append((source.address, source.branch))
    for way in (*ways, everything):
        done = run_git(*fetch, *way)
        if done.is_right and run_git(*in_objects, "cat-file", "-e", f"{source.commit}^{{commit}}").is_right:
            return
        if not done.is_right and _NO_ANSWER.search(done.said):
            raise _noted(source, server, f"git does not reach {server}: {_said(done)}")
        if not done.is_right and not _NOT_SO.search(done.said):
            raise _noted(source, _name(source), f"git says: {_said(done)}")
    raise _noted(source, _name(source), "the repository has no such commit.")


def _noted(source: GitSource, of: str, why: str) -> CannotBeFetched:
    _failed[of] = why
    return CannotBeFetched(source, why)


def _server(source: GitSource, in_objects: tuple[str, ...]) -> str:
    """Where git goes for the address, with url.<base>.insteadOf applied: the host, or else all of it."""
    asked = run_git(*in_objects, "ls-remote", "--get-url", source.address)
    url = asked.output.decode(errors="replace").strip() or source.address
    if "://" in url:
        return urlsplit(url).netloc.rpartition("@")[2] or url
    return url.partition(":")[0].rpartition("@")[2] if re.match(r"[^/]+:", url) else url


def _entries(source: GitSource, objects: Path) -> list[_Entry]:
    in_objects = f"--git-dir={objects}"
    listed = run_git(in_objects, "ls-tree", "-r", "-z", "--full-tree", source.commit)
    if not listed.is_right:
        raise CannotBeFetched(source, f"git says: {_said(listed)}")
    rows = []
    for line in listed.output.split(b"\0")[:-1]:
        head, _, path = line.partition(b"\t")
        mode, _, name = head.split(b" ")
        rows.append((mode.decode(), path, name))
    wanted = [name for mode, _, name in rows if mode != _SUBMODULE]
    contents = _contents(
        source, run_git(in_objects, "cat-file", "--batch", given=b"".join(b"%s\n" % n for n in wanted))
    )
    entries = [_Entry(mode, path, name if mode == _SUBMODULE else next(contents)) for mode, path, name in rows]
    return sorted(entries, key=lambda entry: entry.path)


def _contents(source: GitSource, done: GitDone) -> Iterator[bytes]:
    """The objects of an answer of `git cat-file --batch`, in its order (git-cat-file(1), "BATCH OUTPUT")."""
    at = 0
    while at < len(done.output):
        end = done.output.index(b"\n", at)
        size = done.output[at:end].rpartition(b" ")[2]
        if not size.isdigit():
            raise CannotBeFetched(source, "an object of it is missing.")
        at = end + 1 + int(size)
        yield done.output[end + 1 : at]
        at += 1


def _verify(source: GitSource, entries: list[_Entry]) -> None:
    digest = hashlib.sha256()
    for entry in entries:
        digest.update(entry.mode.encode() + b" " + entry.path + b"\0%d\0" % len(entry.content) + entry.content)
    if digest.hexdigest() != source.sha256:
        raise UserError(
            f"{_name(source)} is not what candidate.toml pins: expected SHA-256 {source.sha256} of its files, got"
            f" {digest.hexdigest()}."
        )


def _copies(entries: list[_Entry]) -> Iterator[_Entry]:
    """For each link that leads to a file of the same commit, that file under the link's path."""
    known = {entry.path: entry for entry in entries}
    for entry in entries:
        found: _Entry | None = entry
        for _ in range(_LONGEST_CHAIN):
            if found is None or found.mode != _LINK:
                break
            found = known.get(posixpath.normpath(posixpath.join(posixpath.dirname(found.path), found.content)))
        if entry.mode == _LINK and found is not None and found.mode not in (_LINK, _SUBMODULE):
            yield _Entry(found.mode, entry.path, found.content)


def _written(source: GitSource, entries: list[_Entry], folder: Path) -> Path:
    """Writes the files, without their modes: none is to be executed."""
    for entry in [*entries, *_copies(entries)] if source.copies_links else entries:
        if entry.mode in (_LINK, _SUBMODULE):
            continue
        name = PurePosixPath(os.fsdecode(entry.path))
        if name.is_absolute() or ".." in name.parts:
            raise UserError(f"{_name(source)} holds a file outside its folder ('{name}'); it was not written.")
        path = folder / source.repository / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(entry.content)
    if not (folder / source.repository / source.folder).is_dir():
        raise UserError(f"{_name(source)} has no folder '{source.folder}', which candidate.toml names.")
    return folder
