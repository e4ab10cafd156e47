"""`make test-container`: the Containerfile's instructions in a fresh Debian, made by debootstrap, without an image.

Needs root. It takes some ten minutes and a network.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.container.containerfile import read

ROOT = Path(__file__).resolve().parents[2]


class Container:
    """A root folder, and the state that instructions change."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = "/"
        self.variables = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}

    def run(self, command: list[str], user: str = "root") -> subprocess.CompletedProcess[str]:
        inside = f'cd "{self.folder}" && exec "$@"'
        return subprocess.run(
            ["chroot", f"--userspec={user}", str(self.root), "/bin/sh", "-c", inside, "sh", *command],
            env=self.variables,
            capture_output=True,
            text=True,
        )

    def build(self, containerfile: Path) -> None:
        for instruction in read(containerfile):
            if instruction.name in ("ARG", "ENV"):
                name, _, value = instruction.value.partition("=")
                self.variables[name] = value
            elif instruction.name == "WORKDIR":
                self.folder = instruction.value
                (self.root / self.folder.lstrip("/")).mkdir(parents=True, exist_ok=True)
            elif instruction.name == "COPY":
                target = self.root / instruction.words[1].lstrip("/")
                files = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True).stdout
                subprocess.run(["tar", "-x", "-C", str(target)], input=files, check=True)
            elif instruction.name == "RUN":
                done = self.run(["/bin/sh", "-c", instruction.value])
                assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def container(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Container]:
    assert os.geteuid() == 0, "debootstrap needs root"
    assert shutil.which("debootstrap"), "install debootstrap"
    root = tmp_path_factory.mktemp("container") / "root"
    subprocess.run(["debootstrap", "--variant=minbase", "bookworm", str(root)], check=True, capture_output=True)
    # How this machine reaches the network: names, proxies, authorities.
    for name in (
        "etc/resolv.conf",
        "etc/hosts",
        "etc/pip.conf",
        "etc/apt/apt.conf.d",
        "usr/local/share/ca-certificates",
    ):
        source = Path("/") / name
        if source.is_dir():
            shutil.copytree(source, root / name, dirs_exist_ok=True)
        elif source.exists():
            shutil.copy(source, root / name)
    mounts = ("proc", "dev")
    for name in mounts:
        subprocess.run(["mount", "--rbind", f"/{name}", str(root / name)], check=True)
    try:
        made = Container(root)
        made.build(ROOT / "Containerfile")
        yield made
    finally:
        for name in mounts:
            subprocess.run(["umount", "--recursive", "--lazy", str(root / name)], check=False)


def test_a_user_gets_a_first_figure(container: Container) -> None:
    (container.root / "measurements").chmod(0o777)
    container.variables["HOME"] = "/measurements"
    done = container.run(
        ["bancada", "run", "libraries", "--quick", "--candidate", "tatu", "--target", "uno"], "1000:1000"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    shown = container.run(["bancada", "export", "--format", "csv"], "1000:1000")
    assert "tatu" in shown.stdout, shown.stdout + shown.stderr
