"""bancada.sources.fetch: sources come from their registry once, proved by their hash, and every way it can fail is one
sentence.

The registries' own clients run, each against a registry made here. One package comes over the network.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest

from bancada.catalogue.candidate import Source
from bancada.model.errors import UserError
from bancada.sources import fetch as fetch_module
from bancada.sources.fetch import fetch
from bancada.sources.fetch_clients import _as_deb_src

ROOT = Path(__file__).resolve().parents[2]
NO_HASH = "0" * 64


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write_tar(path: Path, files: dict[str, str]) -> Path:
    """A .tar.gz of regular files; a content that begins with "-> " makes a symbolic link instead."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:gz") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.mtime = 1_000_000_000
            if content.startswith("-> "):
                member.type = tarfile.SYMTYPE
                member.linkname = content[3:]
                tar.addfile(member)
            else:
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content.encode()))
    return path


def sdist_files(name: str, version: str, setup: str = "") -> dict[str, str]:
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    folder = f"{name}-{version}"
    return {
        f"{folder}/PKG-INFO": metadata,
        f"{folder}/setup.py": setup or "raise SystemExit('the code of the package ran')",
        f"{folder}/src/cipher.c": "int cipher;\n",
    }


@pytest.fixture(autouse=True)
def forget_what_was_checked() -> None:
    """As in a new process."""
    fetch_module._is_whole_since.cache_clear()


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all that pip knows of."""
    folder = tmp_path / "packages"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def tiny(packages: Path) -> Source:
    archive = write_tar(packages / "tinything-1.5.tar.gz", sdist_files("tinything", "1.5"))
    return Source(registry="pypi", package="tinything", version="1.5", sha256=sha256(archive))


def test_a_source_distribution_is_unpacked_and_none_of_its_code_runs(tiny: Source, tmp_path: Path) -> None:
    folder = fetch(tiny, tmp_path / "cache")
    assert folder == tmp_path / "cache" / "sources" / f"tinything-1.5-{tiny.sha256[:12]}"
    assert (folder / "src" / "cipher.c").read_text() == "int cipher;\n"


def test_the_second_time_needs_no_registry(tiny: Source, tmp_path: Path, packages: Path) -> None:
    folder = fetch(tiny, tmp_path / "cache")
    (packages / "tinything-1.5.tar.gz").unlink()
    fetch_module._is_whole_since.cache_clear()
    assert fetch(tiny, tmp_path / "cache") == folder


def test_another_hash_than_the_pinned_one_is_refused_with_both(tiny: Source, tmp_path: Path) -> None:
    pinned = tiny.model_copy(update={"sha256": NO_HASH})
    with pytest.raises(UserError) as error:
        fetch(pinned, tmp_path / "cache")
    for part in ("tinything 1.5", f"expected SHA-256 {NO_HASH}", f"got {tiny.sha256}"):
        assert part in str(error.value)
    assert not list((tmp_path / "cache" / "sources").glob(f"tinything-1.5-{NO_HASH[:12]}/*"))


@pytest.mark.parametrize("harm", ["changed", "removed", "added", "truncated"])
def test_a_copy_that_is_not_as_it_was_unpacked_is_fetched_again(tiny: Source, tmp_path: Path, harm: str) -> None:
    folder = fetch(tiny, tmp_path / "cache")
    file = folder / "src" / "cipher.c"
    if harm == "changed":
        file.write_text("int cypher;\n")
    elif harm == "removed":
        file.unlink()
    elif harm == "added":
        (folder / "src" / "new.c").write_text("int more;\n")
    else:
        file.write_text("")
        os.utime(file, (1_000_000_000, 1_000_000_000))
    fetch_module._is_whole_since.cache_clear()
    assert fetch(tiny, tmp_path / "cache") == folder
    assert file.read_text() == "int cipher;\n"
    assert sorted(path.name for path in (folder / "src").iterdir()) == ["cipher.c"]


def test_what_a_killed_fetch_left_behind_is_removed(tiny: Source, tmp_path: Path) -> None:
    name = f"tinything-1.5-{tiny.sha256[:12]}"
    left = tmp_path / "cache" / "sources" / f".{name}-abcdef" / "unpacked"
    left.mkdir(parents=True)
    fetch(tiny, tmp_path / "cache")
    assert sorted(path.name for path in left.parent.parent.iterdir()) == [name, f"{name}.lock"]


def test_processes_at_once_download_once_and_all_get_the_folder(tiny: Source, tmp_path: Path) -> None:
    counted = tmp_path / "counted"
    counted.write_text(f'#!/bin/sh\necho "$2" >> "{tmp_path}/calls"\nexec "{sys.executable}" "$@"\n')
    counted.chmod(0o755)
    program = (
        "import sys; from pathlib import Path; from bancada.catalogue.candidate import Source; from"
        " bancada.sources.fetch import fetch\nsys.executable ="
        f" {str(counted)!r}\nprint(fetch(Source(**{tiny.model_dump()!r}), Path({str(tmp_path / 'cache')!r})))"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=ROOT) for _ in range(4)
    ]
    folders = {process.communicate()[0].strip() for process in started}
    assert folders == {str(fetch(tiny, tmp_path / "cache"))}
    assert (tmp_path / "calls").read_text() == "pip\n"


def test_a_file_outside_the_folder_is_refused(packages: Path, tmp_path: Path) -> None:
    files = sdist_files("evil", "1.0") | {"evil-1.0/../../../../escaped": "x"}
    archive = write_tar(packages / "evil-1.0.tar.gz", files)
    with pytest.raises(UserError, match="evil"):
        fetch(Source(registry="pypi", package="evil", version="1.0", sha256=sha256(archive)), tmp_path / "cache")
    assert not list(tmp_path.rglob("escaped"))


@pytest.mark.parametrize("name", ["top/../../escaped", "/escaped-from-root"])
def test_unpacking_itself_refuses_a_file_outside(tmp_path: Path, name: str) -> None:
    archive = write_tar(tmp_path / "evil.crate", {"top/a.c": "int a;", name: "x"})
    source = Source(registry="crate", package="evil", version="1.0.0", sha256=sha256(archive))
    with pytest.raises(UserError, match="outside its folder"):
        fetch_module._unpack(source, archive, tmp_path / "unpacked")
    assert not list(tmp_path.rglob("escaped"))


def test_links_in_an_archive_lead_nowhere(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    archive = write_tar(tmp_path / "links.crate", {"top/way": f"-> {outside}", "top/way/a.c": "int a;"})
    source = Source(registry="crate", package="links", version="1.0.0", sha256=sha256(archive))
    unpacked = fetch_module._unpack(source, archive, tmp_path / "unpacked")
    assert (unpacked / "way" / "a.c").read_text() == "int a;"
    assert list(outside.iterdir()) == []


def test_an_archive_that_is_none_is_named(packages: Path, tmp_path: Path) -> None:
    archive = tmp_path / "broken.crate"
    archive.write_text("not a tar archive")
    source = Source(registry="crate", package="broken", version="1.0.0", sha256=sha256(archive))
    with pytest.raises(UserError, match=r"broken 1\.0\.0: broken\.crate cannot be unpacked"):
        fetch_module._unpack(source, archive, tmp_path / "unpacked")


def test_a_version_that_pip_does_not_find_is_one_sentence(tiny: Source, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"tinything 9\.9 could not be fetched; pip says: ERROR: .*tinything==9\.9"):
        fetch(tiny.model_copy(update={"version": "9.9"}), tmp_path / "cache")


def test_no_network_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Port 9 of this machine: nothing answers there, and nothing leaves the machine.
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    monkeypatch.setenv("PIP_RETRIES", "1")
    source = Source(registry="pypi", package="tinything", version="1.5", sha256=NO_HASH)
    with pytest.raises(UserError, match="not in the cache and pip cannot reach its registry"):
        fetch(source, tmp_path / "cache")


def test_a_python_without_pip_says_what_to_install(
    tiny: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "bare")], check=True)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bare" / "bin" / "python"))
    monkeypatch.delenv("PYTHONPATH", raising=False)
    with pytest.raises(UserError, match="has no pip; install it with: apt-get install python3-pip"):
        fetch(tiny, tmp_path / "cache")


@pytest.mark.parametrize(("registry", "program"), [("crate", "cargo"), ("debian-source", "apt-get")])
def test_a_missing_client_says_what_to_install(
    registry: str, program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CARGO_HOME", str(tmp_path / "cargo"))
    source = Source.model_validate(
        {"registry": registry, "package": "tinything", "version": "1.5.0", "sha256": NO_HASH}
    )
    with pytest.raises(UserError, match=f"'{program}' is not installed; install it with: apt-get install"):
        fetch(source, tmp_path / "cache")


@pytest.fixture
def crate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Source:
    """A crate in a registry of its own, which cargo takes for the public one: a git repository with an index."""
    manifest = '[package]\nname = "tinything"\nversion = "1.5.0"\n[lib]\npath = "lib.rs"\n'
    files = {"tinything-1.5.0/Cargo.toml": manifest, "tinything-1.5.0/lib.rs": "", "tinything-1.5.0/c/a.c": "int a;"}
    archive = write_tar(tmp_path / "crates" / "tinything-1.5.0.crate", files)
    index = tmp_path / "index"
    entry = index / "ti" / "ny" / "tinything"
    entry.parent.mkdir(parents=True)
    (index / "config.json").write_text(json.dumps({"dl": f"file://{tmp_path}/crates/{{crate}}-{{version}}.crate"}))
    record = {
        "name": "tinything",
        "vers": "1.5.0",
        "deps": [],
        "cksum": sha256(archive),
        "features": {},
        "yanked": False,
    }
    entry.write_text(json.dumps(record) + "\n")
    git = ["git", "-c", "user.name=test", "-c", "user.email=test@localhost", "-C", str(index)]
    for command in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "index"]):
        subprocess.run([*git, *command], check=True)
    home = tmp_path / "cargo"
    home.mkdir()
    (home / "config.toml").write_text(
        f'[source.crates-io]\nreplace-with = "here"\n[source.here]\nregistry = "file://{index}"\n'
    )
    monkeypatch.setenv("CARGO_HOME", str(home))
    return Source(registry="crate", package="tinything", version="1.5.0", sha256=sha256(archive))


def test_a_crate_is_fetched_by_cargo(crate: Source, tmp_path: Path) -> None:
    assert (fetch(crate, tmp_path / "cache") / "c" / "a.c").read_text() == "int a;"


def test_a_crate_that_cargo_has_already_needs_no_network(crate: Source, tmp_path: Path) -> None:
    fetch(crate, tmp_path / "cache")
    for part in ("crates", "index"):
        (tmp_path / part).rename(tmp_path / f"{part}-gone")
    assert (fetch(crate, tmp_path / "another-cache") / "c" / "a.c").is_file()


def test_a_crate_with_another_hash_is_refused(crate: Source, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=f"tinything 1.5.0 is not .* expected SHA-256 {NO_HASH}, got {crate.sha256}"):
        fetch(crate.model_copy(update={"sha256": NO_HASH}), tmp_path / "cache")


def test_a_crate_that_does_not_exist_is_one_sentence(crate: Source, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"tinything 9\.9\.9 could not be fetched; cargo says: error: "):
        fetch(crate.model_copy(update={"version": "9.9.9"}), tmp_path / "cache")


@pytest.fixture
def debian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Source:
    """A source package in a repository of its own, which apt is told is all there is."""
    repository = tmp_path / "repository"
    original = write_tar(repository / "tinything_1.5.orig.tar.gz", {"tinything-1.5/a.c": "int a;"})
    description = repository / "tinything_1.5-2.dsc"
    description.write_text("Source: tinything\n")
    files = [(path, path.stat().st_size) for path in (original, description)]
    hashes = "".join(f" {sha256(path)} {size} {path.name}\n" for path, size in files)
    sources = repository / "Sources"
    sources.write_text(
        "Package: tinything\nBinary: tinything\nVersion: 1.5-2\nArchitecture: any\nFormat: 3.0 (quilt)\nDirectory: .\n"
        f"Checksums-Sha256:\n{hashes}\n"
    )
    (repository / "Release").write_text(f"SHA256:\n {sha256(sources)} {sources.stat().st_size} Sources\n")
    etc = tmp_path / "etc"
    (etc / "parts").mkdir(parents=True)
    (etc / "sources.list").write_text(f"deb [trusted=yes] file:{repository} ./\n")
    configuration = tmp_path / "apt.conf"
    configuration.write_text(
        f'Dir::Etc::SourceList "{etc / "sources.list"}";\nDir::Etc::SourceParts "{etc / "parts"}";\n'
        f'APT::Update::Post-Invoke {{ "touch {tmp_path / "hook-ran"}"; }};\n'
    )
    monkeypatch.setenv("APT_CONFIG", str(configuration))
    return Source(registry="debian-source", package="tinything", version="1.5", sha256=sha256(original))


def test_a_debian_source_is_fetched_by_apt_from_the_machines_own_repositories(debian: Source, tmp_path: Path) -> None:
    assert (fetch(debian, tmp_path / "cache") / "a.c").read_text() == "int a;"
    assert not (tmp_path / "hook-ran").exists()


def test_a_release_with_another_version_says_which(debian: Source, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"pinned to tinything 1\.4, but this release \(.+\) has 1\.5"):
        fetch(debian.model_copy(update={"version": "1.4"}), tmp_path / "cache")


def test_a_debian_source_with_another_hash_is_refused(debian: Source, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=f"expected SHA-256 {NO_HASH}, got {debian.sha256}"):
        fetch(debian.model_copy(update={"sha256": NO_HASH}), tmp_path / "cache")


def test_a_debian_source_that_does_not_exist_is_one_sentence(debian: Source, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nothing-like-it 1.5 could not be fetched; apt says: .*nothing-like-it"):
        fetch(debian.model_copy(update={"package": "nothing-like-it"}), tmp_path / "cache")


def test_package_sources_of_both_styles_become_sources_of_source_code() -> None:
    text = "Types: deb\nURIs: mirror://x\nSuites: stable\nSigned-By: /k.gpg\n\n# a note\nTypes: deb deb-src\nURIs: y\n"
    expected = (
        "Types: deb-src\nURIs: mirror://x\nSuites: stable\nSigned-By: /k.gpg\n\n# a note\nTypes: deb-src\nURIs: y\n"
    )
    assert _as_deb_src(text) == expected
    one_line = "deb [arch=amd64 signed-by=/k] x y z\n#deb u v w\n"
    assert _as_deb_src(one_line) == "deb-src [arch=amd64 signed-by=/k] x y z\n#deb u v w\n"


def test_one_candidate_comes_from_its_public_registry(tmp_path: Path) -> None:
    with (ROOT / "candidates" / "tinyaes" / "candidate.toml").open("rb") as file:
        source = Source.model_validate(tomllib.load(file)["source"])
    folder = fetch(source, tmp_path / "cache")
    assert (folder / "tiny-AES-c" / "aes.c").is_file()
