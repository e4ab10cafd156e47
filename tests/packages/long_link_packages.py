"""`make test-link-packages`: the link's packages are made for every machine, judged by lintian, and installed by their
Containerfiles into a fresh Debian, where the services' programs run, are upgraded and are removed.

Needs root, debootstrap and a network. The first time it compiles for three machines.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from link_site import wait_until

ROOT = Path(__file__).resolve().parents[2]
SITE = "/var/lib/bancada-link-server/site"
DEADLINE_S = 60
ALLOWED = ("--suppress-tags", "initial-upload-closes-no-bugs")


def make(folder: Path, revision: str, *options: str) -> list[Path]:
    done = subprocess.run(
        [sys.executable, "-m", "packages.make_packages", str(folder), *options],
        cwd=ROOT,
        env={**os.environ, "BANCADA_PACKAGE_REVISION": revision},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and "none for" not in done.stderr, done.stdout + done.stderr
    return sorted(folder.glob("*.deb"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return make(tmp_path_factory.mktemp("packages"), "1")


def test_lintian_finds_nothing(made: list[Path]) -> None:
    assert len(made) == 6, made
    for package in made:
        done = subprocess.run(
            # The first upload to Debian itself closes the bug that announces the package; nobody has announced it.
            ["lintian", "--allow-root", "--fail-on", "error,warning", *ALLOWED, str(package)],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"{package.name}\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize(
    ("architecture", "emulator", "libraries"),
    [
        ("arm64", "qemu-aarch64", "/usr/aarch64-linux-gnu"),
        ("armhf", "qemu-arm", "/usr/arm-linux-gnueabihf"),
    ],
)
def test_the_programs_of_a_pi_begin(
    made: list[Path], tmp_path: Path, architecture: str, emulator: str, libraries: str
) -> None:
    for package in made:
        if not package.stem.endswith(architecture):
            continue
        subprocess.run(["dpkg", "-x", str(package), str(tmp_path)], check=True)
        name = package.name.split("_")[0]
        program = tmp_path / "usr/bin" / name
        done = subprocess.run([emulator, "-L", libraries, str(program), "--version"], capture_output=True, text=True)
        version = package.name.split("_")[1].partition("-")[0]
        assert done.returncode == 0 and version in done.stdout, done.stderr
        if name == "bancada-link-server":
            # Cryptography, certificates and database of a whole site, on that processor.
            site = tmp_path / f"site-{architecture}"
            command = [emulator, "-L", libraries, str(program), "provision", "--site", str(site), "--gateway", "roof"]
            done = subprocess.run(command, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            subprocess.run(
                ["openssl", "verify", "-CAfile", site / "ca/ca.crt", site / "gateways/roof/gateway.crt"],
                check=True,
                capture_output=True,
            )


class Machine:
    """A Debian in a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.started: list[subprocess.Popen[bytes]] = []

    def command(self, *words: str, user: str = "root") -> list[str]:
        # chroot asks this machine for the names of accounts; the other one has its own.
        return ["chroot", str(self.root), "setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", *words]

    def run(self, *words: str, user: str = "root") -> str:
        done = subprocess.run(self.command(*words, user=user), env=self.environment(), capture_output=True, text=True)
        assert done.returncode == 0, f"{words}\n{done.stdout}{done.stderr}"
        return done.stdout

    def start(self, *words: str, user: str) -> None:
        with (self.root / "tmp" / f"{words[0]}.log").open("wb") as log:
            command = self.command(*words, user=user)
            self.started.append(subprocess.Popen(command, env=self.environment(), stdout=log, stderr=log))

    def environment(self) -> dict[str, str]:
        return {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root",
            "DEBIAN_FRONTEND": "noninteractive",
        }

    def follow(self, containerfile: Path, context: list[Path]) -> None:
        """COPY of packages, and RUN; the rest says how a container is started."""
        for line in containerfile.read_text().splitlines():
            name, _, value = line.partition(" ")
            if name == "COPY":
                pattern, target = value.split()
                for package in context:
                    if package.match(pattern):
                        shutil.copy(package, self.root / target.lstrip("/"))
            elif name == "RUN":
                self.run("sh", "-c", value)

    def path(self, name: str) -> Path:
        return self.root / name.lstrip("/")

    def is_enabled(self, unit: str) -> bool:
        # The links lead to places below the root of the other machine.
        return any((folder / unit).is_symlink() for folder in self.path("/etc/systemd/system").glob("*.wants"))


@pytest.fixture(scope="module")
def debian(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    assert os.geteuid() == 0, "debootstrap needs root"
    assert shutil.which("debootstrap"), "install debootstrap"
    root = tmp_path_factory.mktemp("debian") / "root"
    subprocess.run(["debootstrap", "--variant=minbase", "bookworm", str(root)], check=True, capture_output=True)
    root.parent.chmod(0o755)
    for name in ("etc/resolv.conf", "etc/hosts", "etc/apt/apt.conf.d", "usr/local/share/ca-certificates"):
        source = Path("/") / name
        if source.is_dir():
            shutil.copytree(source, root / name, dirs_exist_ok=True)
        elif source.exists():
            shutil.copy(source, root / name)
    # No service of a package starts by itself here (policy-rc.d).
    (root / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
    (root / "usr/sbin/policy-rc.d").chmod(0o755)
    for name in ("proc", "dev"):
        subprocess.run(["mount", "--rbind", f"/{name}", str(root / name)], check=True)
    machine = Machine(root)
    try:
        yield machine
    finally:
        for process in machine.started:
            process.kill()
            process.wait()
        for name in ("proc", "dev"):
            subprocess.run(["umount", "--recursive", "--lazy", str(root / name)], check=False)


def health(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


def test_installed_used_upgraded_and_removed(made: list[Path], debian: Machine, tmp_path: Path) -> None:
    (architecture,) = {debian.run("dpkg", "--print-architecture").strip()}
    own = [package for package in made if package.stem.endswith(f"_{architecture}")]
    for name in ("gateway", "server"):
        debian.follow(ROOT / "packages" / f"Containerfile.{name}", own)
    units = (
        "bancada-link-gateway.service",
        "bancada-link-server.service",
        "bancada-link-broker.service",
        "bancada-link-renew.timer",
    )
    for unit in units:
        assert debian.is_enabled(unit), unit
    assert (
        "/usr/bin/bancada-link-gateway" in debian.path("/lib/systemd/system/bancada-link-gateway.service").read_text()
    )
    accounts = debian.path("/etc/passwd").read_text()
    assert "\nbancada-link:" in accounts and "\nbancada-link-server:" in accounts
    assert debian.path("/etc/bancada-link").stat().st_mode & 0o777 == 0o750

    # A site as root makes it: everything belongs to the accounts that need it.
    said = debian.run(
        *("bancada-link-server", "provision", "--site", SITE, "--broker-port", "28883", "--gateway", "roof"),
        *("--page", "127.0.0.1:28080", "--device", "1"),
    )
    assert "shown this once" in said

    def owned(user: str) -> list[str]:
        return debian.run("find", SITE, "-user", user).split()

    assert owned("root") == [] and f"{SITE}/broker/broker.key" in owned("mosquitto")
    assert f"{SITE}/server/seal.key" in owned("bancada-link-server")
    debian.start("mosquitto", "-c", f"{SITE}/broker/mosquitto.conf", user="mosquitto")
    debian.start(
        *("bancada-link-server", "serve", "--site", SITE, "--metrics", "127.0.0.1:29464"), user="bancada-link-server"
    )
    wait_until(
        lambda: health("http://127.0.0.1:29464/health") == 200,
        "the server's health",
        DEADLINE_S,
        lambda: "\n".join(path.read_text() for path in debian.path("/tmp").glob("*.log")),
    )
    assert debian.run("bancada-link-server", "renew", "--site", SITE, "--wait", "1") == "No certificate was due.\n"
    # With a new lifetime of a day all are due, and root's renewal leaves every file to its account.
    debian.run("bancada-link-server", "provision", "--site", SITE, "--renew", "--days", "1")
    assert "broker/broker.crt is new" in debian.run("bancada-link-server", "renew", "--site", SITE, "--wait", "1")
    assert owned("root") == []
    backup = f"{SITE}/../backup.sqlite"
    debian.run("bancada-link-server", "backup", "--site", SITE, "--to", backup, user="bancada-link-server")
    shutil.copytree(debian.path(f"{SITE}/gateways/roof"), debian.path("/etc/bancada-link"), dirs_exist_ok=True)
    settings = debian.path("/etc/bancada-link/gateway.toml")
    settings.write_text(settings.read_text().replace("outbox.sqlite", "/var/lib/bancada-link/outbox.sqlite"))
    debian.run("chown", "-R", "root:bancada-link", "/etc/bancada-link")
    debian.run("chmod", "-R", "g+rX", "/etc/bancada-link")
    checked = debian.run("bancada-link-gateway", "--check-config", user="bancada-link")
    assert "the settings hold" in checked

    # What an administrator changed is as it was after an upgrade; what was disabled stays so.
    options = debian.path("/etc/default/bancada-link-server")
    options.write_text('OPTIONS="--metrics 127.0.0.1:9999"\n')
    # What `systemctl disable` does, which is not in this Debian.
    debian.path("/etc/systemd/system/timers.target.wants/bancada-link-renew.timer").unlink()
    before = {path: path.read_bytes() for path in (settings, options, debian.path(f"{SITE}/site.toml"))}
    newer = make(tmp_path / "newer", "2", "--machine", os.uname().machine)
    for package in newer:
        shutil.copy(package, debian.path("/tmp"))
    debian.run("sh", "-c", "dpkg -i /tmp/bancada-link-*-2_*.deb")
    assert "-2" in debian.run("dpkg-query", "-W", "-f", "${Version}", "bancada-link-server")
    assert {path: path.read_bytes() for path in before} == before
    assert [debian.is_enabled(unit) for unit in units] == [True, True, True, False]

    debian.run("dpkg", "--remove", "bancada-link-gateway", "bancada-link-server")
    assert {path: path.read_bytes() for path in before} == before
    debian.run("dpkg", "--purge", "bancada-link-gateway", "bancada-link-server")
    for gone in ("/etc/bancada-link", "/var/lib/bancada-link", "/var/lib/bancada-link-server", str(options)):
        assert not debian.path(gone.removeprefix(str(debian.root))).exists(), gone
    assert not any(debian.is_enabled(unit) for unit in units)
