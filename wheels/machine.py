"""The machines that wheels are made for: what compiles C and Rust for each, and with which libraries.

This machine compiles for itself. Debian's cross compilers and Debian's Rust compile for other machines: the packages of
both architectures are unpacked into a folder, and nothing is installed. Packages of the link (packages/) are made for
these machines too.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from bancada.model.errors import UserError

MACHINES = ("x86_64", "aarch64")


@dataclass(frozen=True)
class _Cross:
    """What others call a machine that is compiled for: Debian its architecture, GNU its tools, Rust its target."""

    architecture: str
    gnu: str
    rust: str


_CROSS = {
    "aarch64": _Cross("arm64", "aarch64-linux-gnu", "aarch64-unknown-linux-gnu"),
    "armv7l": _Cross("armhf", "arm-linux-gnueabihf", "armv7-unknown-linux-gnueabihf"),
}

# What the static libraries of the engines are in, for the machine that is compiled for.
_STATIC = ("libelf-dev", "zlib1g-dev", "libzstd-dev")
_RUST = ("rustc-web", "rustc")
_LEAST_RUST = (1, 85)


@dataclass(frozen=True)
class Machine:
    """One machine: `compiler` is its C compiler, `environment` what cargo needs beside it."""

    name: str
    compiler: str
    environment: dict[str, str]

    @property
    def triple(self) -> str:
        """Rust's name of it."""
        return _CROSS[self.name].rust if self.name in _CROSS else f"{self.name}-unknown-linux-gnu"


def machine(name: str, scratch: Path) -> Machine:
    """The machine of that name. What is fetched for it stays in `scratch`. UserError says why it cannot be compiled
    for."""
    if name == platform.machine():
        for program in ("cc", "cargo"):
            if shutil.which(program) is None:
                raise UserError(f"There is no {program}; ./setup.sh test installs it")
        return Machine(name, "cc", {"PKG_CONFIG_ALL_STATIC": "1"})
    if name not in _CROSS:
        raise UserError(f"this machine, {platform.machine()}, compiles for itself and for {' and '.join(_CROSS)} alone")
    cross = _CROSS[name]
    compiler = f"{cross.gnu}-gcc"
    if shutil.which(compiler) is None:
        raise UserError(
            f"{compiler} is not installed: apt-get install gcc-{cross.gnu} libc6-dev-{cross.architecture}-cross"
        )
    return Machine(name, compiler, _cross_environment(scratch / name, compiler, cross))


def _cross_environment(folder: Path, compiler: str, cross: _Cross) -> dict[str, str]:
    rust, libraries = folder / "rust", folder / "libraries"
    if not (folder / "complete").is_file():
        shutil.rmtree(folder, ignore_errors=True)
        apt = _Apt(folder / "apt", cross.architecture)
        package = apt.first_of(_RUST, _LEAST_RUST)
        standard_library = package.replace("rustc", "libstd-rust")
        for name in (package, *apt.needed_by(package, r"libstd-rust-.*|libllvm\d+")):
            apt.unpack(f"{name}:amd64", rust)
        apt.unpack(f"{standard_library}-dev:{cross.architecture}", libraries)
        for name in _STATIC:
            apt.unpack(f"{name}:{cross.architecture}", libraries)
        (triple,) = (libraries / "usr/lib/rustlib").glob(cross.rust)
        shutil.copytree(triple, rust / "usr/lib/rustlib" / triple.name, dirs_exist_ok=True)
        _describe_libraries(libraries, folder / "pkgconfig", cross.gnu)
        (folder / "complete").touch()
    tools = compiler.removesuffix("gcc")
    include = folder / "libraries/usr/include"
    return {
        "RUSTC": str(rust / "usr/bin/rustc"),
        "LD_LIBRARY_PATH": f"{rust}/usr/lib:{rust}/usr/lib/x86_64-linux-gnu",
        "PKG_CONFIG_ALLOW_CROSS": "1",
        "PKG_CONFIG_ALL_STATIC": "1",
        "PKG_CONFIG_LIBDIR": str(folder / "pkgconfig"),
        "CC": compiler,
        "AR": f"{tools}ar",
        "RANLIB": f"{tools}ranlib",
        "C_INCLUDE_PATH": f"{include}:{include / cross.gnu}",
        "BINDGEN_EXTRA_CLANG_ARGS": f"-I/usr/{cross.gnu}/include -I{include} -I{include / cross.gnu}",
        f"CARGO_TARGET_{cross.rust.upper().replace('-', '_')}_LINKER": compiler,
    }


def _describe_libraries(libraries: Path, folder: Path, gnu: str) -> None:
    """pkg-config's files with the places that the libraries were unpacked to."""
    folder.mkdir()
    below = libraries / "usr/lib" / gnu
    for described in (below / "pkgconfig").glob("*.pc"):
        text = described.read_text().replace("/usr", f"{libraries}/usr")
        (folder / described.name).write_text(text)


class _Apt:
    """apt with lists of its own for both architectures. Needs no rights."""

    def __init__(self, folder: Path, architecture: str) -> None:
        for name in ("lists/partial", "cache/archives/partial", "packages"):
            (folder / name).mkdir(parents=True)
        (folder / "status").touch()
        (folder / "conf").write_text(
            f'APT::Architecture "amd64"; APT::Architectures {{"amd64"; "{architecture}"; }};\n'
            f'Dir::State "{folder}"; Dir::State::lists "{folder}/lists"; Dir::State::status "{folder}/status";\n'
            f'Dir::Cache "{folder}/cache";\n'
        )
        self._packages = folder / "packages"
        self._environment = {**os.environ, "APT_CONFIG": str(folder / "conf")}
        try:
            self._run("apt-get", "-qq", "update")
        except UserError:
            # The archive of security updates of one architecture may be out of step with the other's. The main one has
            # both, in one version.
            codename = platform.freedesktop_os_release().get("VERSION_CODENAME", "stable")
            with (folder / "conf").open("a") as conf:
                conf.write(f'APT::Default-Release "{codename}";\n')

    def _run(self, *command: str) -> str:
        try:
            done = subprocess.run(
                command, cwd=self._packages, env=self._environment, capture_output=True, text=True, check=False
            )
        except FileNotFoundError:
            raise UserError("the packages for other machines come from Debian, and there is no apt-get here") from None
        if done.returncode != 0:
            raise UserError(f"{' '.join(command)}: {(done.stderr.strip().splitlines() or ['it failed'])[-1]}")
        return done.stdout

    def first_of(self, names: tuple[str, ...], least: tuple[int, int]) -> str:
        """The first package whose version is new enough. UserError if none is."""
        for name in names:
            found = re.search(r"Candidate: (\d+)\.(\d+)", self._run("apt-cache", "policy", name))
            if found and (int(found[1]), int(found[2])) >= least:
                return name
        raise UserError(f"no package of this system has Rust {least[0]}.{least[1]} or newer: {', '.join(names)}")

    def needed_by(self, package: str, pattern: str) -> list[str]:
        """The packages of that pattern that the package needs, those that they need included."""
        found: list[str] = []
        names = re.findall(r"^ +Depends: (\S+)$", self._run("apt-cache", "depends", package), re.MULTILINE)
        for name in names:
            if re.fullmatch(pattern, name):
                found += [name, *self.needed_by(name, pattern)]
        return list(dict.fromkeys(found))

    def unpack(self, package: str, folder: Path) -> None:
        """Fetches a package and lays its files below the folder."""
        self._run("apt-get", "-qq", "download", package)
        (fetched,) = self._packages.glob("*.deb")
        folder.mkdir(exist_ok=True)
        self._run("dpkg", "-x", str(fetched), str(folder))
        fetched.unlink()
