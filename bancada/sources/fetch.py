"""Fetches the sources of a candidate from the registry or the Git repository that has them, once, and proves them by
their hash.

Nothing is copied into this repository. A package is named by registry, name, version and the SHA-256 of the archive
that the registry hands out; it is unpacked to <cache>/sources/<package>-<version>-<first 12 of the hash>/. A commit is
named by address, id and the SHA-256 of its files; they are in <cache>/sources/<repository>-<first 12 of the id>-<first
12 of the hash>/<repository>/. What is there already is used without a network. The clients of the registries are in
bancada.sources.fetch_clients, that of Git in bancada.sources.git_tree.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tarfile
import tempfile
from functools import cache
from pathlib import Path, PurePosixPath

from bancada.catalogue.candidate import GitSource, Source
from bancada.catalogue.only_one import only_one
from bancada.model.errors import UserError
from bancada.sources.fetch_clients import download, files_of_package
from bancada.sources.git_tree import files_of_commit

# Written into the unpacked folder last of all: one line for every file, so that a changed copy is noticed.
_LISTING = ".bancada-fetched"

_HASH_CHARACTERS_IN_NAME = 12


def fetch(source: Source | GitSource, cache: Path) -> Path:
    """The folder of the source: of an archive without its single top folder, of a commit the part that is named.
    UserError says why there is none."""
    folder = cache / "sources" / _folder_name(source)
    part = Path(source.repository, source.folder) if isinstance(source, GitSource) else Path()
    if _is_whole_once(folder):
        return folder / part
    with only_one(folder.with_name(folder.name + ".lock")):
        if not _is_whole(folder):
            scratch_prefix = f".{folder.name}-"
            for left_behind in folder.parent.glob(f"{scratch_prefix}*"):
                shutil.rmtree(left_behind)
            with tempfile.TemporaryDirectory(prefix=scratch_prefix, dir=folder.parent) as scratch:
                unpacked = _fetched(source, Path(scratch), cache)
                (unpacked / _LISTING).write_text(_list_files(unpacked))
                if folder.exists():
                    folder.rename(Path(scratch) / "changed")
                unpacked.rename(folder)
    return folder / part


def _folder_name(source: Source | GitSource) -> str:
    of_hash = source.sha256[:_HASH_CHARACTERS_IN_NAME]
    if isinstance(source, GitSource):
        links = "-links" if source.copies_links else ""
        return f"{source.repository}-{source.commit[:_HASH_CHARACTERS_IN_NAME]}-{of_hash}{links}"
    # A colon (the epoch of a Debian version) would end the target in the rules that compilers write.
    return f"{source.package}-{source.version.replace(':', '_')}-{of_hash}"


def _fetched(source: Source | GitSource, scratch: Path, cache: Path) -> Path:
    """A folder below `scratch` with the files, which are those that are pinned."""
    if isinstance(source, GitSource):
        return files_of_commit(source, scratch)
    archive = download(source, scratch, cache)
    _verify(source, archive)
    if archive.suffix == ".deb":
        archive = files_of_package(source, archive, scratch)
    return _unpack(source, archive, scratch / "unpacked")


def _verify(source: Source, archive: Path) -> None:
    with archive.open("rb") as file:
        got = hashlib.file_digest(file, "sha256").hexdigest()
    if got != source.sha256:
        raise UserError(
            f"{source.package} {source.version} is not what candidate.toml pins: "
            f"expected SHA-256 {source.sha256}, got {got} ({archive})."
        )


def _is_whole_once(folder: Path) -> bool:
    """As `_is_whole`, with one look for each time that the folder was unpacked: firmware is built hundreds of times
    from one source."""
    try:
        return _is_whole_since(folder, (folder / _LISTING).stat().st_mtime_ns)
    except OSError:
        return False


@cache
def _is_whole_since(folder: Path, unpacked_ns: int) -> bool:
    return _is_whole(folder)


def _is_whole(folder: Path) -> bool:
    """Whether the folder is as it was unpacked: no file gone, new, of another size or written to since."""
    try:
        return (folder / _LISTING).read_text() == _list_files(folder)
    except OSError:
        return False


def _list_files(folder: Path) -> str:
    lines = []
    for parent, _, names in os.walk(folder):
        for name in names:
            path = Path(parent, name)
            if path == folder / _LISTING:
                continue
            status = path.stat()
            lines.append(f"{path.relative_to(folder).as_posix()} {status.st_size} {int(status.st_mtime)}\n")
    return "".join(sorted(lines))


def _unpack(source: Source, archive: Path, target: Path) -> Path:
    """Files and folders of a tar archive, nothing else: no links, no devices, no permissions, nothing outside `target`.

    Links are left out because a link may point outside and no candidate's source needs one.
    """
    try:
        with tarfile.open(archive) as tar:
            for member in tar:
                name = PurePosixPath(member.name)
                if name.is_absolute() or ".." in name.parts:
                    raise UserError(
                        f"{archive.name} holds a file outside its folder ('{member.name}'); it was not unpacked."
                    )
                content = tar.extractfile(member) if member.isreg() else None
                if content is None:
                    continue
                path = target / name
                path.parent.mkdir(parents=True, exist_ok=True)
                with content, path.open("wb") as file:
                    shutil.copyfileobj(content, file)
                os.utime(path, (member.mtime, member.mtime))
    except (tarfile.TarError, OSError, EOFError) as error:
        raise UserError(f"{source.package} {source.version}: {archive.name} cannot be unpacked: {error}.") from error
    entries = list(target.iterdir()) if target.is_dir() else []
    if not entries:
        raise UserError(f"{source.package} {source.version}: there is no file in {archive.name}.")
    return entries[0] if len(entries) == 1 and entries[0].is_dir() else target
