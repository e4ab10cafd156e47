"""One function for each registry: hands its own client the name of a package and finds the archive that it downloads.

The clients bring the user's own configuration along (mirrors, proxies, credentials), so no host is named here.
"""

from __future__ import annotations

import fcntl
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bancada.catalogue.candidate import Source
from bancada.catalogue.paths import expanded
from bancada.model.errors import NotInThisRelease, UserError

_NO_NETWORK = re.compile(
    r"connection error|failed to establish a new connection|max retries exceeded|could not resolve|couldn't resolve|"
    r"temporary failure (?:in name resolution|resolving)|network is unreachable|connection refused|"
    r"connection timed out|could not connect|couldn't connect|operation timed out|network failure|proxyerror|sslerror",
    re.IGNORECASE,
)

_HASH_THAT_PIP_GOT = re.compile(r"\bGot\s+([0-9a-f]{64})\b")

# Stands in for setuptools while pip downloads. pip asks the build back end for a package's metadata before it hands out
# the archive; the real one would run the package's setup.py, with whatever that imports. A source distribution holds
# the answer in its PKG-INFO file (PyPA, "Source distribution format").
_STAND_IN_BACK_END = """
import sys
from email.parser import HeaderParser
from pathlib import Path

def get_requires_for_build_wheel(config_settings=None):
    return []

def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    text = Path("PKG-INFO").read_text(encoding="utf-8")
    fields = HeaderParser().parsestr(text)
    folder = Path(metadata_directory, fields["Name"].replace("-", "_") + "-" + fields["Version"] + ".dist-info")
    folder.mkdir()
    folder.joinpath("METADATA").write_text(text, encoding="utf-8")
    return folder.name

__legacy__ = sys.modules[__name__]
"""


def download(source: Source, scratch: Path, cache: Path) -> Path:
    """The archive as the registry hands it out, below `scratch` or in the client's own cache. Not yet verified."""
    return _CLIENTS[source.registry](source, scratch, cache)


def _run(
    command: list[str], folder: Path, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "LC_ALL": "C", **(environment or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )


def _need(program: str, package: str) -> None:
    if shutil.which(program) is None:
        raise UserError(f"The program '{program}' is not installed; install it with: apt-get install {package}")


def _refused(source: Source, client: str, output: str) -> UserError:
    """What a client's failure means, in one sentence."""
    what = f"{source.package} {source.version}"
    if _NO_NETWORK.search(output):
        return UserError(
            f"{what} is not in the cache and {client} cannot reach its registry: "
            "a network connection is needed the first time a candidate is measured."
        )
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"(?:E:|error\b)", line, re.IGNORECASE)]
    said = (errors or lines[-1:] or ["nothing"])[0]
    return UserError(f"{what} could not be fetched; {client} says: {said}")


def _from_pypi(source: Source, scratch: Path, cache: Path) -> Path:
    """A source distribution, by pip. pip itself checks the hash before it opens the archive."""
    target = scratch / "pip"
    back_end = scratch / "back-end" / "setuptools"
    target.mkdir()
    back_end.mkdir(parents=True)
    (back_end / "__init__.py").touch()
    (back_end / "build_meta.py").write_text(_STAND_IN_BACK_END)
    requirements = scratch / "requirements.txt"
    requirements.write_text(f"{source.package}=={source.version} --hash=sha256:{source.sha256}\n")
    options = ["--quiet", "--no-input", "--no-deps", "--no-binary", ":all:", "--require-hashes", "--use-pep517"]
    command = [sys.executable, "-m", "pip", "download", *options, "-r", str(requirements), "-d", str(target)]
    # SETUPTOOLS_USE_DISTUTILS: an installed setuptools hooks into `import distutils`, which pip may need, through the
    # module that the stand-in hides.
    hidden = {"PYTHONPATH": str(back_end.parent), "SETUPTOOLS_USE_DISTUTILS": "stdlib"}
    done = _run([*command, "--no-build-isolation"], scratch, hidden)
    output = done.stdout + done.stderr
    if done.returncode != 0 and re.search(r"BackendUnavailable|Cannot import", output):
        # Another back end than setuptools: let pip install it for itself.
        done = _run(command, scratch)
        output = done.stdout + done.stderr
    if "No module named pip" in output:
        raise UserError(f"{sys.executable} has no pip; install it with: apt-get install python3-pip python3-venv")
    if got := _HASH_THAT_PIP_GOT.search(output):
        raise UserError(
            f"{source.package} {source.version} is not what candidate.toml pins: "
            f"expected SHA-256 {source.sha256}, got {got.group(1)}."
        )
    archives = list(target.iterdir())
    if done.returncode != 0 or len(archives) != 1:
        raise _refused(source, "pip", output)
    return archives[0]


def _from_crates(source: Source, scratch: Path, cache: Path) -> Path:
    """A crate, by cargo: a manifest that depends on just it, and cargo's own cache of downloaded crates."""
    if crate := _in_cargo_cache(source):
        return crate
    _need("cargo", "cargo")
    manifest = scratch / "Cargo.toml"
    manifest.write_text(
        '[package]\nname = "bancada-fetch"\nversion = "0.0.0"\nedition = "2018"\n[lib]\npath = "empty.rs"\n'
        f'[dependencies]\n{source.package} = {{ version = "={source.version}", default-features = false }}\n'
    )
    (scratch / "empty.rs").touch()
    done = _run(["cargo", "fetch", "--quiet", "--manifest-path", str(manifest)], scratch)
    crate = _in_cargo_cache(source)
    if done.returncode != 0 or crate is None:
        raise _refused(source, "cargo", done.stdout + done.stderr)
    return crate


def _in_cargo_cache(source: Source) -> Path | None:
    home = expanded(os.environ.get("CARGO_HOME") or "~/.cargo")
    return next(iter(sorted(home.glob(f"registry/cache/*/{source.package}-{source.version}.crate"))), None)


@dataclass(frozen=True)
class _SourcePackage:
    """A Debian source package as the index describes it: the part of its version before the last '-' is upstream's."""

    version: str
    original_archive: str
    sha256: str

    @property
    def upstream_version(self) -> str:
        without_epoch = self.version.split(":", 1)[-1]
        return without_epoch.rsplit("-", 1)[0]


def _from_debian_sources(source: Source, scratch: Path, cache: Path) -> Path:
    """The original archive of a Debian or Ubuntu source package, without the distribution's patches, by apt.

    The version that is pinned is upstream's, because the archive of one upstream version is the same in every release
    that has it.
    """
    for program in ("apt-get", "apt-cache", "apt-config"):
        _need(program, "apt")
    folder = cache / "apt"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        private = ["-c", str(_private_apt(folder))]
        updated = _run(["apt-get", *private, "--quiet", "update"], scratch)
        index = _run(["apt-cache", *private, "showsrc", "--only-source", source.package], scratch)
        offered = list(_source_packages(index.stdout))
        if not offered:
            raise _refused(source, "apt", updated.stdout + updated.stderr + index.stderr)
        chosen = [one for one in offered if source.version in (one.version, one.upstream_version)]
        if not chosen:
            versions = ", ".join(sorted({one.upstream_version for one in offered}))
            raise NotInThisRelease(
                f"The candidate is pinned to {source.package} {source.version}, but this release ({_release_name()})"
                f" has {versions}: measure it on a release that has the pinned version, or pin the one that is here."
            )
        wanted = next((one for one in chosen if one.sha256 == source.sha256), chosen[0])
        package = f"{source.package}={wanted.version}"
        command = ["apt-get", *private, "--quiet", "--download-only", "--only-source", "source", package]
        done = _run(command, scratch)
    archive = scratch / wanted.original_archive
    if done.returncode != 0 or not archive.is_file():
        raise _refused(source, "apt", done.stdout + done.stderr)
    return archive


def _from_debian_binaries(source: Source, scratch: Path, cache: Path) -> Path:
    """A binary package of Debian or Ubuntu for another architecture than this machine's, by apt. Nothing is
    installed."""
    for program in ("apt-get", "apt-cache", "apt-config"):
        _need(program, "apt")
    _need("dpkg-deb", "dpkg")
    assert source.architecture is not None
    folder = cache / f"apt-{source.architecture}"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        private = ["-c", str(_private_apt(folder, source.architecture))]
        updated = _run(["apt-get", *private, "--quiet", "update"], scratch)
        index = _run(["apt-cache", *private, "madison", source.package], scratch)
        offered = [line.split("|")[1].strip() for line in index.stdout.splitlines() if line.count("|") == 2]
        if not offered:
            raise _refused(source, "apt", updated.stdout + updated.stderr + index.stderr)
        if source.version not in offered:
            raise NotInThisRelease(
                f"The candidate is pinned to {source.package} {source.version} for {source.architecture}, but this"
                f" release ({_release_name()}) has {', '.join(sorted(set(offered)))}: measure it on a release that has"
                " the pinned version, or pin the one that is here."
            )
        done = _run(["apt-get", *private, "--quiet", "download", f"{source.package}={source.version}"], scratch)
    archives = [
        path for kind in (source.architecture, "all") for path in scratch.glob(f"{source.package}_*_{kind}.deb")
    ]
    if done.returncode != 0 or len(archives) != 1:
        raise _refused(source, "apt", done.stdout + done.stderr)
    return archives[0]


def files_of_package(source: Source, package: Path, scratch: Path) -> Path:
    """The tar archive of a binary package's files (deb(5)), without what would run when it is installed."""
    archive = scratch / "files.tar"
    with archive.open("wb") as file:
        done = subprocess.run(
            ["dpkg-deb", "--fsys-tarfile", str(package)], stdout=file, stderr=subprocess.PIPE, text=True
        )
    if done.returncode != 0:
        raise UserError(f"{source.package} {source.version}: {package.name} cannot be unpacked: {done.stderr.strip()}.")
    return archive


def _private_apt(folder: Path, architecture: str | None = None) -> Path:
    """A configuration of apt that reads the machine's own package sources, and writes only here.

    They are read as sources of source code, or with `architecture` as sources of packages for that.
    """
    asked = _run(["apt-config", "shell", "list", "Dir::Etc::sourcelist/f", "parts", "Dir::Etc::sourceparts/d"], folder)
    paths = dict(part.split("=", 1) for part in shlex.split(asked.stdout))
    parts = folder / "sources.list.d"
    shutil.rmtree(parts, ignore_errors=True)
    for needed in (parts, folder / "lists" / "partial", folder / "cache" / "archives" / "partial"):
        needed.mkdir(parents=True, exist_ok=True)
    found = [Path(paths["list"]), *sorted(Path(paths["parts"]).glob("*"))]
    for path in found:
        if path.suffix in (".list", ".sources") and path.is_file():
            text = path.read_text()
            (parts / path.name).write_text(_for_any_architecture(text) if architecture else _as_deb_src(text))
    configuration = folder / "apt.conf"
    # The sandbox user could not write here. The hooks are the machine's (container images delete caches in theirs).
    configuration.write_text(
        f'Dir::Etc::SourceList "{parts / "none.list"}";\n'
        f'Dir::Etc::SourceParts "{parts}";\n'
        f'Dir::State::Lists "{folder / "lists"}";\n'
        f'Dir::Cache "{folder / "cache"}";\n'
        f"{_of_architecture(folder, architecture) if architecture else ''}"
        'APT::Sandbox::User "root";\n'
        'Acquire::Languages "none";\n'
        "#clear APT::Update::Pre-Invoke;\n#clear APT::Update::Post-Invoke;\n#clear APT::Update::Post-Invoke-Success;\n"
    )
    return configuration


def _of_architecture(folder: Path, architecture: str) -> str:
    """Lines of configuration for a machine of that architecture, on which nothing is installed."""
    status = folder / "status"
    status.touch()
    return (
        f'Dir::State::status "{status}";\n'
        f'APT::Architecture "{architecture}";\n'
        f'#clear APT::Architectures;\nAPT::Architectures {{ "{architecture}"; }};\n'
    )


def _for_any_architecture(text: str) -> str:
    """The same repositories without what limits them to this machine's architecture, in both styles
    (sources.list(5))."""
    one_line = re.sub(r"^([ \t]*deb[ \t]+\[[^\]]*?)\barch=\S*?(?=[ \]])", r"\1", text, flags=re.MULTILINE)
    one_line = re.sub(r"\[\s*\]", "", one_line)
    return re.sub(r"^Architectures:.*\n?", "", one_line, flags=re.MULTILINE | re.IGNORECASE)


def _as_deb_src(text: str) -> str:
    """The same repositories, asked for source packages: one-line style and deb822 style (sources.list(5))."""
    one_line = re.sub(r"^[ \t]*deb(?=[ \t])", "deb-src", text, flags=re.MULTILINE)
    return re.sub(r"^Types:.*$", "Types: deb-src", one_line, flags=re.MULTILINE | re.IGNORECASE)


def _source_packages(index: str) -> Iterator[_SourcePackage]:
    """The stanzas of a source index that have an original archive (deb-src-control(5))."""
    for stanza in index.split("\n\n"):
        version = re.search(r"^Version: (.+)$", stanza, re.MULTILINE)
        hashes = re.search(r"^Checksums-Sha256:[ \t]*\n((?:[ \t].*\n?)+)", stanza, re.MULTILINE)
        files = re.findall(r"([0-9a-f]{64}) \d+ (\S+)", hashes.group(1)) if hashes else []
        for sha256, name in files:
            if version and re.search(r"\.orig\.tar\.\w+$", name):
                yield _SourcePackage(version.group(1).strip(), name, sha256)


def _release_name() -> str:
    try:
        text = Path("/etc/os-release").read_text()
    except OSError:
        return "unknown"
    name = re.search(r'^PRETTY_NAME="?([^"\n]+)', text, re.MULTILINE)
    return name.group(1) if name else "unknown"


_CLIENTS: dict[str, Callable[[Source, Path, Path], Path]] = {
    "pypi": _from_pypi,
    "crate": _from_crates,
    "debian-source": _from_debian_sources,
    "debian-binary": _from_debian_binaries,
}
