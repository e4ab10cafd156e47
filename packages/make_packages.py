"""Makes Debian packages of the link's gateway and server, for each machine that can be compiled for.

Usage: python -m packages.make_packages FOLDER [--machine NAME]... The packages of earlier runs in FOLDER are deleted. A
machine that cannot be compiled for is named, with the reason; the exit code is 1 if it was asked for, or is this one.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass, field
from email.utils import formatdate
from pathlib import Path

from bancada.catalogue.paths import data_root
from bancada.model.errors import UserError
from wheels.machine import Machine, machine
from wheels.portable import glibc_minor

_HERE = Path(__file__).parent
MAINTAINER = "The authors of Bancada <bancada@example.org>"
# What Debian calls the machines.
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64", "armv7l": "armhf"}
_STRIP = {"x86_64": "strip", "aarch64": "aarch64-linux-gnu-strip", "armv7l": "arm-linux-gnueabihf-strip"}
# One time for every file, so that the same sources make the same package.
_TIME = "1577836800"


@dataclass(frozen=True)
class Package:
    """What goes into one package, besides its program."""

    name: str
    folder: Path
    units: tuple[Path, ...]
    summary: str
    examples: tuple[Path, ...] = ()
    configuration: dict[str, Path] = field(default_factory=dict)


def packages(link: Path) -> tuple[Package, ...]:
    """The packages, by the folder of the link's sources."""
    server = link / "server"
    return (
        Package(
            "bancada-link-gateway",
            _HERE / "gateway",
            (link / "gateway" / "bancada-link-gateway.service",),
            "keep what sensors send until a server has stored it",
            (link / "gateway" / "gateway.toml",),
        ),
        Package(
            "bancada-link-server",
            _HERE / "server",
            (
                server / "bancada-link-broker.service",
                server / "bancada-link-server.service",
                server / "bancada-link-renew.service",
                server / "bancada-link-renew.timer",
            ),
            "verify, store and show what sensors send",
            (server / "grafana-dashboard.json",),
            {"etc/default/bancada-link-server": _HERE / "server" / "default"},
        ),
    )


def version(link: Path) -> str:
    """Of the link's programs. BANCADA_PACKAGE_REVISION, 1 without it, tells packages of one version apart."""
    told = tomllib.loads((link / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    return f"{told}-{os.environ.get('BANCADA_PACKAGE_REVISION', '1')}"


def compile_for(target: Machine, link: Path, scratch: Path) -> Path:
    """The folder with the programs for that machine. UserError if they do not compile."""
    folder = scratch / f"cargo-{target.name}"
    command = ["cargo", "build", "--release", "--locked", "--target", target.triple, "--target-dir", str(folder)]
    flags = f"--remap-path-prefix={link}=/link --remap-path-prefix={Path.home()}=/home"
    environment = {**os.environ, **target.environment, "RUSTFLAGS": flags}
    done = subprocess.run(command, cwd=link, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        wrong = [line for line in done.stderr.splitlines() if line.startswith("error")]
        raise UserError(f"the link's programs do not compile for {target.name}: {(wrong or ['no message'])[0]}")
    return folder / target.triple / "release"


def make(package: Package, target: Machine, programs: Path, folder: Path, scratch: Path) -> Path:
    """Lays the files of the package out and packs them. The package."""
    link = data_root() / "link"
    root = scratch / f"{package.name}-{target.name}"
    shutil.rmtree(root, ignore_errors=True)
    program = root / "usr/bin" / package.name
    _install(programs / package.name, program, 0o755)
    subprocess.run([_STRIP[target.name], "--strip-all", str(program)], check=True)
    for unit in package.units:
        text = unit.read_text().replace("/usr/local/bin/", "/usr/bin/")
        _write(root / "lib/systemd/system" / unit.name, text)
    documents = root / "usr/share/doc" / package.name
    for example in package.examples:
        _install(example, documents / "examples" / example.name, 0o644)
    for path, source in package.configuration.items():
        _install(source, root / path, 0o644)
    licence = (data_root() / "LICENSE").read_text().split("\n\n", 2)[2].strip()
    _write(documents / "copyright", _copyright(licence))
    _compress(documents / "changelog.Debian.gz", _changelog(package.name, version(link)))
    _compress(root / "usr/share/man/man8" / f"{package.name}.8.gz", _manual(package))
    _write_control(package, target, root, f"{version(link)}")
    _settle(root)
    name = f"{package.name}_{version(link)}_{ARCHITECTURES[target.name]}.deb"
    made = folder / name
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(root), str(made)],
        check=True,
        capture_output=True,
        env={**os.environ, "SOURCE_DATE_EPOCH": _TIME},
    )
    return made


def _install(source: Path, target: Path, mode: int) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(mode)


def _write(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)


def _compress(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode(), compresslevel=9, mtime=0))
    path.chmod(0o644)


def _settle(root: Path) -> None:
    """Modes of folders, and one time for everything."""
    for path in [root, *root.rglob("*")]:
        if path.is_dir():
            path.chmod(0o755)
        os.utime(path, (int(_TIME), int(_TIME)))


def _write_control(package: Package, target: Machine, root: Path, told: str) -> None:
    control = root / "DEBIAN"
    program = root / "usr/bin" / package.name
    # The newest glibc whose symbols the program has; libgcc's unwinder is the other library that Rust's programs need.
    libraries = f"libc6 (>= 2.{glibc_minor(program, extra=('libgcc_s.so.1',)) or 17}), libgcc-s1 (>= 3.0)"
    files = [path for path in sorted(root.rglob("*")) if path.is_file()]
    size = sum((path.stat().st_size + 1023) // 1024 for path in files)
    text = (package.folder / "control").read_text().replace("${libc}", libraries)
    head, _, rest = text.partition("Section:")
    fields = f"Version: {told}\nArchitecture: {ARCHITECTURES[target.name]}\nMaintainer: {MAINTAINER}\n"
    _write(
        control / "control",
        f"{head}{fields}Installed-Size: {size}\nHomepage: https://example.org/bancada\nSection:{rest}",
    )
    sums = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n" for path in files]
    _write(control / "md5sums", "".join(sums))
    if package.configuration:
        _write(control / "conffiles", "".join(f"/{path}\n" for path in package.configuration))
    enabled = [unit.name for unit in package.units if "[Install]" in unit.read_text()]
    postinst = (package.folder / "postinst").read_text().replace("#SERVICES\n", _start(enabled))
    _write(control / "postinst", postinst, 0o755)
    _write(control / "prerm", _stop(enabled), 0o755)
    _write(control / "postrm", _forget(enabled, (package.folder / "purge").read_text()), 0o755)


def _start(units: list[str]) -> str:
    """Enables the services unless the administrator has disabled them, and starts them, or starts them anew."""
    names = " ".join(units)
    return f"""
if [ "$1" = configure ] || [ "$1" = abort-upgrade ] || [ "$1" = abort-remove ]; then
    for unit in {names}; do
        deb-systemd-helper unmask "$unit" >/dev/null || true
        if deb-systemd-helper --quiet was-enabled "$unit"; then
            deb-systemd-helper enable "$unit" >/dev/null || true
        else
            deb-systemd-helper update-state "$unit" >/dev/null || true
        fi
    done
    if [ -d /run/systemd/system ]; then
        systemctl --system daemon-reload >/dev/null || true
        if [ -n "$2" ]; then action=restart; else action=start; fi
        deb-systemd-invoke $action {names} >/dev/null || true
    fi
fi
"""


def _stop(units: list[str]) -> str:
    return f"""#!/bin/sh
set -e

if [ -d /run/systemd/system ] && [ "$1" = remove ]; then
    deb-systemd-invoke stop {" ".join(units)} >/dev/null || true
fi
exit 0
"""


def _forget(units: list[str], purge: str) -> str:
    names = " ".join(units)
    inside = "".join(f"    {line}\n" for line in purge.splitlines())
    return f"""#!/bin/sh
set -e

if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
    systemctl --system daemon-reload >/dev/null || true
fi
if [ "$1" = remove ] && command -v deb-systemd-helper >/dev/null; then
    deb-systemd-helper mask {names} >/dev/null || true
fi
if [ "$1" = purge ]; then
    if command -v deb-systemd-helper >/dev/null; then
        deb-systemd-helper purge {names} >/dev/null || true
        deb-systemd-helper unmask {names} >/dev/null || true
    fi
{inside}fi
exit 0
"""


def _copyright(licence: str) -> str:
    body = "\n".join(f" {line}" if line else " ." for line in licence.splitlines())
    return (
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
        "Upstream-Name: Bancada\nSource: https://example.org/bancada\n\n"
        f"Files: *\nCopyright: 2026 The Bancada and Tatu authors\nLicense: MIT\n\nLicense: MIT\n{body}\n"
    )


def _changelog(name: str, told: str) -> str:
    date = formatdate(int(_TIME))
    return (
        f"{name} ({told}) unstable; urgency=medium\n\n  * What changed is in CHANGELOG.md of the sources.\n\n"
        f" -- {MAINTAINER}  {date}\n"
    )


def _manual(package: Package) -> str:
    name = package.name
    units = ", ".join(unit.name for unit in package.units)
    return (
        f".TH {name.upper()} 8 2026 Bancada\n.SH NAME\n{name} \\- {package.summary}\n.SH SYNOPSIS\n.B {name}\n"
        f"[\\fB\\-\\-help\\fR]\n.SH DESCRIPTION\nThe option \\fB\\-\\-help\\fR describes commands and options.\n"
        f"Its services are {units}.\n.SH SEE ALSO\n.BR mosquitto (8)\n"
    )


def make_packages(folder: Path, machines: list[str], asked: bool) -> int:
    """Makes the packages for these machines. Gives the exit code."""
    if shutil.which("dpkg-deb") is None:
        raise UserError("There is no dpkg-deb here: packages are made on Debian.")
    folder.mkdir(parents=True, exist_ok=True)
    for earlier in folder.glob("bancada-link-*.deb"):
        earlier.unlink()
    repository = data_root()
    scratch = repository / "build" / "packages"
    scratch.mkdir(parents=True, exist_ok=True)
    is_whole = True
    for name in machines:
        try:
            target = machine(name, scratch)
            programs = compile_for(target, repository / "link", scratch)
        except UserError as error:
            print(f"packages: none for {name}: {error}", file=sys.stderr)
            is_whole = is_whole and not asked and name != platform.machine()
            continue
        for package in packages(repository / "link"):
            path = make(package, target, programs, folder, scratch)
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            print(f"packages: {path.name}, {path.stat().st_size} bytes, SHA-256 {digest}", flush=True)
    return 0 if is_whole else 1


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m packages.make_packages")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--machine", action="append", choices=list(ARCHITECTURES), help="this one only; more than once")
    asked = parser.parse_args()
    here = platform.machine()
    machines = asked.machine or [here, *(name for name in ARCHITECTURES if name != here)]
    try:
        return make_packages(asked.folder.absolute(), machines, bool(asked.machine))
    except UserError as error:
        print(f"packages: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
