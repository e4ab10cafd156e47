"""`make test-wheels`: the wheels are the same bytes twice, and give a first figure on a machine with only Python.

Needs root, debootstrap and a network, from which pip, pipx and uv take what bancada depends on. It takes ten minutes or
more on two cores, most of it for compiling the engine twice.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_FIRST_FIGURE_S = 60.0
_SAID = "For those: apt-get install gcc-avr avr-libc"
_AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt"


# The processor time until the first figure is said, of the run and of what it has waited for.
_FIRST_FIGURE = """
import resource, signal, subprocess

command = ["v/bin/bancada", "run", "libraries", "--quick", "--store", "new"]
run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
assert any("first of the figures" in line for line in run.stdout)
run.send_signal(signal.SIGINT)
run.communicate()
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime)
"""


def _make(clone: Path, folder: Path, cache: Path) -> dict[str, bytes]:
    """The wheels for this machine, made from a clone that may lie anywhere."""
    subprocess.run(
        [sys.executable, "-m", "wheels.make_wheels", str(folder), "--only-here"],
        cwd=clone,
        env={**os.environ, "PYTHONPATH": str(clone), "BANCADA_CACHE": str(cache)},
        check=True,
    )
    return {path.name: path.read_bytes() for path in folder.glob("*.whl")}


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheels of this work tree."""
    folder = tmp_path_factory.mktemp("wheels")
    folder.chmod(0o755)
    _make(ROOT, folder, tmp_path_factory.mktemp("cache"))
    return folder


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, wheels: Path) -> Iterator[Path]:
    """A Debian with Python and nothing else, in which the user 1000 has the wheels in /dist."""
    assert os.geteuid() == 0, "debootstrap needs root"
    assert shutil.which("debootstrap"), "install debootstrap"
    made = tmp_path_factory.mktemp("debian") / "root"
    packages = "--include=python3,python3-venv,ca-certificates"
    subprocess.run(["debootstrap", "--variant=minbase", packages, "bookworm", str(made)], check=True)
    for name in ("etc/resolv.conf", "etc/hosts", "etc/pip.conf", _AUTHORITIES.lstrip("/")):
        if (Path("/") / name).exists():
            shutil.copy(Path("/") / name, made / name)
    shutil.copytree(wheels, made / "dist")
    mounts = ("proc", "dev")
    for name in mounts:
        subprocess.run(["mount", "--rbind", f"/{name}", str(made / name)], check=True)
    try:
        yield made
    finally:
        for name in mounts:
            subprocess.run(["umount", "--recursive", "--lazy", str(made / name)], check=False)


def _as_user(root: Path, home: str, command: str) -> subprocess.CompletedProcess[str]:
    """The command by a user with an empty home, whose PATH has no compiler."""
    (root / home.lstrip("/")).mkdir(exist_ok=True)
    os.chown(root / home.lstrip("/"), 1000, 1000)
    environment = {"HOME": home, "PATH": f"{home}/.local/bin:/usr/bin:/bin", "PIP_CERT": _AUTHORITIES}
    environment |= {"SSL_CERT_FILE": _AUTHORITIES, "USE_EMOJI": "0", "UV_PYTHON_DOWNLOADS": "never"}
    environment |= {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
    return subprocess.run(
        [
            shutil.which("chroot") or "/usr/sbin/chroot",
            "--userspec=1000:1000",
            str(root),
            "/bin/sh",
            "-ec",
            f"cd {home}; {command}",
        ],
        env=environment,
        capture_output=True,
        text=True,
    )


def _need(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_same_bytes_from_another_folder(wheels: Path, tmp_path: Path) -> None:
    clone = tmp_path / "somewhere" / "else"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    for name in subprocess.run(
        ["git", "ls-files", "-m", "-o", "-z", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\0"):
        if name and (ROOT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, clone / name)
    subprocess.run(["git", "add", "--all"], cwd=clone, check=True)
    again = _make(clone, tmp_path / "dist", tmp_path / "cache")
    assert again.keys() == {path.name for path in wheels.glob("*.whl")}
    assert [name for name, content in again.items() if content != (wheels / name).read_bytes()] == []


def test_every_wheel_is_for_this_machine(wheels: Path) -> None:
    names = sorted(path.name.split("-")[0] for path in wheels.glob("*.whl"))
    assert names == ["bancada", "bancada_engine_qemu", "bancada_engine_simavr"]
    engines = [path.name for path in wheels.glob("bancada_engine_*.whl")]
    assert all("manylinux_2_" in name and name.endswith(f"_{platform.machine()}.whl") for name in engines)


def test_pip_gives_a_first_figure_within_a_minute(root: Path) -> None:
    _need(_as_user(root, "/home/pip", "python3 -m venv v; v/bin/pip install --quiet --find-links /dist bancada"))
    begun = time.monotonic()
    said = _need(_as_user(root, "/home/pip", "v/bin/bancada run libraries --quick"))
    print(f"the run took {time.monotonic() - begun:.0f} s")
    assert "first of the figures: tatu/" in said
    assert "72 ok" in said
    assert _SAID in said
    shown = _need(_as_user(root, "/home/pip", "v/bin/bancada export --format jsonl"))
    assert "compiled before it was installed" in shown
    # On a machine that is busy with more than this, the processor time is what one can hold it to.
    (root / "home/pip/first_figure.py").write_text(_FIRST_FIGURE)
    spent = _need(_as_user(root, "/home/pip", "python3 first_figure.py"))
    print(f"the first figure took {spent.strip()} s of processor time")
    assert float(spent) < _FIRST_FIGURE_S
    timed = "import resource,subprocess; subprocess.run(['v/bin/bancada','run','libraries','--quick','--store','all'],"
    timed += "check=True); u=resource.getrusage(resource.RUSAGE_CHILDREN); print('TIME', u.ru_utime+u.ru_stime)"
    spent = _need(_as_user(root, "/home/pip", f'python3 -c "{timed}"'))
    print(f"all figures took {spent.split('TIME ')[1].strip()} s of processor time")
    assert float(spent.split("TIME ")[1]) < _FIRST_FIGURE_S


def test_pipx_installs_it(root: Path) -> None:
    _need(_as_user(root, "/home/pipx", "python3 -m venv v; v/bin/pip install --quiet pipx"))
    _need(_as_user(root, "/home/pipx", "v/bin/pipx install --pip-args='--find-links /dist' bancada"))
    said = _need(_as_user(root, "/home/pipx", "bancada run libraries --quick"))
    assert "72 ok" in said and _SAID in said


def test_uvx_runs_it(root: Path) -> None:
    _need(_as_user(root, "/home/uvx", "python3 -m venv v; v/bin/pip install --quiet uv"))
    said = _need(_as_user(root, "/home/uvx", "v/bin/uvx --find-links /dist bancada run libraries --quick"))
    assert "72 ok" in said and _SAID in said
