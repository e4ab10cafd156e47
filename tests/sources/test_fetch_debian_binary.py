"""Libraries that come compiled: a distribution's package for another architecture, from a repository made here, with
the real apt."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import pytest

from bancada.catalogue.candidate import Candidate, Compiled, Source
from bancada.catalogue.target import Target
from bancada.compilers.compile import CompileError
from bancada.compilers.cpp import need_cpp
from bancada.measure.laboratory import open_laboratory
from bancada.model.errors import NotInThisRelease, UserError
from bancada.plan import plan
from bancada.sources import fetch as fetch_module
from bancada.sources import prebuilt
from bancada.sources.fetch import fetch
from bancada.sources.fetch_clients import _for_any_architecture, files_of_package

NO_HASH = "0" * 64
_CONTROL = (
    "Package: libtiny-dev\nVersion: 2:1.5-2\nArchitecture: armhf\nMaintainer: nobody <nobody@example.org>\nDescription:"
    " tiny\n"
)


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture(autouse=True)
def forget_what_was_checked() -> None:
    """As in a new process."""
    fetch_module._is_whole_since.cache_clear()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Source:
    """libtiny-dev for armhf, in a repository that the machine's list gives for amd64 only, and whose script must not
    run."""
    tree = tmp_path / "tree"
    library = tree / "usr" / "lib" / "arm-linux-gnueabihf"
    header = tree / "usr" / "include"
    control = tree / "DEBIAN"
    for folder in (library, header, control):
        folder.mkdir(parents=True)
    (library / "libtiny.a").write_text("!<arch>\n")
    (library / "libtiny.so").symlink_to("/etc/passwd")
    (header / "tiny.h").write_text("int tiny;\n")
    (control / "control").write_text(_CONTROL)
    script = control / "postinst"
    script.write_text(f"#!/bin/sh\ntouch {tmp_path / 'script-ran'}\n")
    script.chmod(0o755)
    repository = tmp_path / "repository"
    repository.mkdir()
    archive = repository / "libtiny-dev_1.5-2_armhf.deb"
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "--build", str(tree), str(archive)], check=True, capture_output=True
    )
    index = repository / "Packages"
    index.write_text(
        f"{_CONTROL}Filename: ./{archive.name}\nSize: {archive.stat().st_size}\nSHA256: {sha256(archive)}\n\n"
    )
    (repository / "Release").write_text(f"SHA256:\n {sha256(index)} {index.stat().st_size} Packages\n")
    etc = tmp_path / "etc"
    (etc / "parts").mkdir(parents=True)
    (etc / "sources.list").write_text(f"deb [trusted=yes arch=amd64] file:{repository} ./\n")
    configuration = tmp_path / "apt.conf"
    configuration.write_text(
        f'Dir::Etc::SourceList "{etc / "sources.list"}";\nDir::Etc::SourceParts "{etc / "parts"}";\n'
        'APT::Architectures { "amd64"; };\n'
    )
    monkeypatch.setenv("APT_CONFIG", str(configuration))
    return Source(
        registry="debian-binary", package="libtiny-dev", version="2:1.5-2", architecture="armhf", sha256=sha256(archive)
    )


def test_a_package_of_another_architecture_is_unpacked_and_not_installed(package: Source, tmp_path: Path) -> None:
    before = subprocess.run(
        ["dpkg", "--print-foreign-architectures"], capture_output=True, text=True, check=True
    ).stdout
    folder = fetch(package, tmp_path / "cache")
    assert (folder / "include" / "tiny.h").read_text() == "int tiny;\n"
    assert sorted(path.name for path in (folder / "lib" / "arm-linux-gnueabihf").iterdir()) == ["libtiny.a"]
    assert ":" not in folder.name
    assert not (tmp_path / "script-ran").exists()
    after = subprocess.run(["dpkg", "--print-foreign-architectures"], capture_output=True, text=True, check=True).stdout
    assert before == after


def test_another_hash_is_refused_with_both(package: Source, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=f"expected SHA-256 {NO_HASH}, got {package.sha256}"):
        fetch(package.model_copy(update={"sha256": NO_HASH}), tmp_path / "cache")


def test_a_release_with_another_version_says_which(package: Source, tmp_path: Path) -> None:
    with pytest.raises(
        NotInThisRelease, match=r"pinned to libtiny-dev 2:1\.4 for armhf, but this release \(.+\) has 2:1\.5-2"
    ):
        fetch(package.model_copy(update={"version": "2:1.4"}), tmp_path / "cache")


def test_an_architecture_that_is_not_offered_is_one_sentence(package: Source, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="libtiny-dev 2:1.5-2 could not be fetched; apt says"):
        fetch(package.model_copy(update={"architecture": "arm64"}), tmp_path / "cache")


def test_a_package_that_is_none_is_named(package: Source, tmp_path: Path) -> None:
    broken = tmp_path / "broken.deb"
    broken.write_text("not a package")
    with pytest.raises(UserError, match=r"libtiny-dev 2:1\.5-2: broken\.deb cannot be unpacked: "):
        files_of_package(package, broken, tmp_path)


def test_package_sources_are_read_for_any_architecture() -> None:
    text = "Types: deb\nURIs: mirror://x\nArchitectures: amd64 i386\nSuites: stable\n"
    assert _for_any_architecture(text) == "Types: deb\nURIs: mirror://x\nSuites: stable\n"
    one_line = "deb [arch=amd64] x y z\ndeb [signed-by=/k arch=amd64,i386] x y z\ndeb http://arch=x y z\n"
    assert _for_any_architecture(one_line) == "deb  x y z\ndeb [signed-by=/k ] x y z\ndeb http://arch=x y z\n"


@pytest.fixture
def compiled() -> Candidate:
    """OpenSSL, for whichever of our targets can link it."""
    return open_laboratory().candidates["openssl"]


def test_only_targets_that_run_linux_have_what_comes_compiled(compiled: Candidate) -> None:
    targets = open_laboratory().targets
    can = {name for name, target in targets.items() if prebuilt.why_not_here(compiled, target) is None}
    assert {"bbb", "rpi3"} <= can
    assert not {"uno", "samd21", "stm32f4", "rp2040"} & can
    assert (
        prebuilt.why_not_here(compiled, targets["uno"])
        == "OpenSSL (Debian) comes compiled, for Linux on arm64 and armhf; uno is neither"
    )


def test_one_architecture_is_enough_for_its_targets(compiled: Candidate) -> None:
    only = Compiled(package="libtiny-dev", version="1", sha256={"armhf": "1" * 64})
    half = compiled.model_copy(update={"compiled": (*compiled.compiled, only)})
    assert prebuilt.why_not_here(half, open_laboratory().targets["bbb"]) is None
    assert "rpi3" in str(prebuilt.why_not_here(half, open_laboratory().targets["rpi3"]))


def test_an_experiment_with_every_library_has_no_rows_of_those_for_other_machines() -> None:
    every = open_laboratory().experiments["libraries"]
    names = {
        case.firmware.candidate.name for workload in plan.plan(open_laboratory(), every) for case in workload.cases
    }
    assert "openssl" not in names
    assert "tinyaes" in names
    on_linux = {
        case.firmware.candidate.name
        for workload in plan.plan(open_laboratory(), every, ("bbb",))
        for case in workload.cases
    }
    assert {"openssl", "cryptopp", "tinyaes"} <= on_linux


def test_what_is_asked_for_by_name_says_why_it_cannot_be() -> None:
    workloads = plan.plan(open_laboratory(), open_laboratory().experiments["libraries"], only_candidates=("openssl",))
    reasons = {case.refusal.reason for workload in workloads for case in workload.cases if case.refusal}
    assert any(reason and "uno is neither" in reason for reason in reasons)
    assert all(workload.firmware is None for workload in workloads)


def test_plain_ciphers_are_measured_only_where_they_are_named() -> None:
    every = open_laboratory().experiments["libraries"]
    assert not any(
        case.firmware.candidate.name == "plain"
        for workload in plan.plan(open_laboratory(), every)
        for case in workload.cases
    )
    asked = plan.plan(open_laboratory(), every, only_candidates=("plain",))
    assert {case.firmware.candidate.name for workload in asked for case in workload.cases} == {"plain"}


def test_archives_are_linked_by_their_path_and_flags_as_they_are(tmp_path: Path) -> None:
    target: Target = open_laboratory().targets["bbb"]
    archive = tmp_path / "lib" / "arm-linux-gnueabihf" / "libtiny.a"
    archive.parent.mkdir(parents=True)
    archive.write_text("!<arch>\n")
    assert prebuilt.link_arguments((tmp_path,), target, ("libtiny.a", "-lm")) == (
        "-Wl,--start-group",
        str(archive),
        "-lm",
        "-Wl,--end-group",
    )
    assert prebuilt.link_arguments((), target, ()) == ()


def test_a_compiler_without_cpp_says_what_to_install(tmp_path: Path) -> None:
    compiler = tmp_path / "made-up-gcc"
    compiler.write_text("#!/bin/sh\necho cc1plus\n")
    compiler.chmod(0o755)
    with pytest.raises(CompileError, match="apt-get install g\\+\\+-.*made-up$"):
        need_cpp(str(compiler))
    compiler.write_text("#!/bin/sh\necho /usr/libexec/cc1plus\n")
    need_cpp(str(compiler))
