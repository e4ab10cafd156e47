"""Set-up and the virtual environment: what a stopped set-up or a moved folder left is made again, a folder that is no
virtual environment is left alone. Every program that set-up calls is a stub here."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick

SETUP = Path(__file__).resolve().parents[1] / "setup.sh"
# `python3 -m venv .venv` as set-up calls it: an environment whose programs name the folder they are in.
PYTHON = """#!/bin/sh
if [ "$1 $2" = "-m venv" ]; then
    mkdir -p .venv/bin && : > .venv/pyvenv.cfg
    for program in python bancada; do printf '#!/bin/sh\\nexit 0\\n' > .venv/bin/$program; done
    printf '#!/bin/sh\\n# %s/.venv/bin/python\\nexit 0\\n' "$PWD" > .venv/bin/pip
    chmod +x .venv/bin/*
    echo made >> made
fi
exit 0
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A clone with set-up alone, on a machine where every package is installed."""
    clone = tmp_path / "a clone"
    clone.mkdir()
    shutil.copy2(SETUP, clone / "setup.sh")
    (clone / "pyproject.toml").write_text("")
    stubs = {
        "python3": PYTHON,
        "dpkg-query": "#!/bin/sh\necho installed\n",
        "cargo": "#!/bin/sh\necho cargo 1.99.0\n",
    }
    (tmp_path / "programs").mkdir()
    for name in ("gcc", "make", "clang", "git"):
        stubs[name] = "#!/bin/sh\nexit 0\n"
    for name, text in stubs.items():
        program = tmp_path / "programs" / name
        program.write_text(text)
        program.chmod(0o755)
    return clone


def set_up(clone: Path) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, "PATH": f"{clone.parent / 'programs'}:{os.environ['PATH']}"}
    return subprocess.run(
        ["./setup.sh", "report"], cwd=clone, env=variables, capture_output=True, text=True, timeout=60
    )


def times_made(clone: Path) -> int:
    return len((clone / "made").read_text().splitlines())


def test_a_second_time_nothing_is_made(folder: Path) -> None:
    assert set_up(folder).returncode == 0
    again = set_up(folder)
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")
    assert times_made(folder) == 1


def test_an_environment_of_a_stopped_set_up_is_made_again(folder: Path) -> None:
    assert set_up(folder).returncode == 0
    # Python's venv makes the link to the interpreter before it installs pip.
    (folder / ".venv" / "bin" / "pip").unlink()
    (folder / ".venv" / "bin" / "python").write_text("#!/bin/sh\nexit 1\n")
    done = set_up(folder)
    assert done.returncode == 0, done.stderr
    assert "half made or was moved" in done.stdout
    assert times_made(folder) == 2


def test_an_environment_that_was_moved_is_made_again(folder: Path) -> None:
    assert set_up(folder).returncode == 0
    moved = folder.rename(folder.parent / "moved")
    done = set_up(moved)
    assert done.returncode == 0, done.stderr
    assert "half made or was moved" in done.stdout
    assert times_made(moved) == 2


def test_an_environment_whose_python_is_gone_is_made_again(folder: Path) -> None:
    assert set_up(folder).returncode == 0
    python = folder / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to("/nowhere/python3")
    assert set_up(folder).returncode == 0
    assert times_made(folder) == 2


def test_a_folder_that_is_no_environment_is_left_alone(folder: Path) -> None:
    kept = folder / ".venv" / "thesis.txt"
    kept.parent.mkdir()
    kept.write_text("years of work")
    done = set_up(folder)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert ".venv is not a virtual environment" in done.stderr
    assert kept.read_text() == "years of work"


def test_only_one_set_up_installs_packages_at_a_time(folder: Path) -> None:
    """In a container, apt's hooks delete the packages that another set-up has downloaded and not yet installed."""
    programs = folder.parent / "programs"
    other = "flock --nonblock /var/lib/dpkg true && other=runs || other=waits"
    for name, text in (
        ("dpkg-query", "echo missing"),
        ("id", "echo 0"),
        ("apt-get", f'{other}; printf "%s: %s\\n" "$other" "$*" >> apt'),
    ):
        (programs / name).write_text(f"#!/bin/sh\n{text}\n")
        (programs / name).chmod(0o755)
    assert set_up(folder).returncode == 0
    update, install = (folder / "apt").read_text().splitlines()
    assert update.startswith("waits: ") and update.endswith(" update")
    assert install.startswith("waits: ") and " install -y --no-install-recommends " in install and "gcc-avr" in install


# A target whose tests need a program that `./setup.sh test` does not install.
@pytest.mark.parametrize("script", sorted((SETUP.parent / "tests").glob("*/long_*.py")), ids=lambda path: path.stem)
def test_what_a_slow_test_asks_for_is_installed_by_its_target(script: Path) -> None:
    asked = set(re.findall(r'shutil\.which\("([\w-]+)"\), "install', script.read_text()))
    recipes = [part for part in (SETUP.parent / "Makefile").read_text().split("\n\n") if f"/{script.name}" in part]
    for program in asked:
        for recipe in recipes:
            purpose = re.findall(r"\./setup\.sh (\w+)", recipe)[-1:]
            installs = [line for line in SETUP.read_text().splitlines() if program in line]
            assert purpose and any(f'"$purpose" = {purpose[0]} ]' in line for line in installs), recipe
    assert recipes or not asked
