"""Caches that are filled on first use, by two processes that start at the same moment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bancada.catalogue.paths import data_root

# Neither begins before the other could: a FIFO opens only when one process reads and the other writes.
_MEET = """
import os, sys
from pathlib import Path
here = Path(os.environ["MEETING"])
def meet(name):
    os.close(os.open(here / name, os.O_RDONLY if sys.argv[1] == "0" else os.O_WRONLY))
(here / f"{os.getpid()}.pid").touch()
meet("start")
"""

# What the process in the critical section waits for: the kernel says that the other one waits for a lock (proc(5),
# /proc/locks, "->"), or the log says that it came in.
_OTHER_IS_KEPT_OUT = """
def wait_for_the_other(mine, log, word):
    meeting = Path(os.environ["MEETING"])
    [other] = {path.stem for path in meeting.glob("*.pid")} - {str(mine)}
    def is_waiting():
        fields = (line.split() for line in Path("/proc/locks").read_text().splitlines())
        return any(line[1] == "->" and line[5] == other for line in fields)
    while not is_waiting() and log.read_text().count(word) < 2 and Path("/proc", other).exists():
        os.sched_yield()
"""

_MADE = (
    _MEET
    + _OTHER_IS_KEPT_OUT
    + """
from tests.engines.made_once import made_once
def make(fresh):
    log = Path(sys.argv[2])
    with log.open("a") as file:
        file.write("made\\n")
    (fresh / "first").touch()
    wait_for_the_other(os.getpid(), log, "made")
    (fresh / "second").touch()
home = made_once(Path(sys.argv[3]), make)
print(sorted(path.name for path in home.iterdir()))
"""
)

_RUNNER = (
    """
import sys
from pathlib import Path
from bancada.engines.simavr import session
session.data_root = lambda: Path(sys.argv[2])
"""
    + _MEET
    + """
print(session.runner().read_text())
"""
)

# Like cargo it locks the target folder while it builds. Then it waits for the other build: only a lock that is held
# until the program is copied keeps that one out.
_CARGO = (
    """#!{python}
import fcntl, os, sys
from pathlib import Path
"""
    + _OTHER_IS_KEPT_OUT.replace("{", "{{").replace("}", "}}")
    + """
target = Path(sys.argv[sys.argv.index("--target-dir") + 1])
binary = target / "release" / sys.argv[sys.argv.index("--bin") + 1]
binary.parent.mkdir(parents=True, exist_ok=True)
log = target / "log"
with (target / "cargo.lock").open("w") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    with log.open("a") as file:
        file.write("begun\\n")
    binary.write_text(Path("version").read_text())
wait_for_the_other(os.getppid(), log, "begun")
"""
)


def _both(program: str, arguments: list[list[str]], tmp_path: Path, **environment: str) -> list[str]:
    """What two processes of the program print, which start together."""
    meeting = tmp_path / "meeting"
    meeting.mkdir()
    for name in ("start", "copied"):
        os.mkfifo(meeting / name)
    path = os.pathsep.join((str(data_root()), os.environ.get("PYTHONPATH", "")))
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(number), *given],
            env={**os.environ, "MEETING": str(meeting), "PYTHONPATH": path, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number, given in enumerate(arguments)
    ]
    printed = [process.communicate(timeout=120) for process in processes]
    assert [process.returncode for process in processes] == [0, 0], printed
    return [output.strip() for output, _ in printed]


def test_two_test_processes_make_one_folder(tmp_path: Path) -> None:
    log, home = tmp_path / "log", tmp_path / "cache" / "second-simulator"
    assert _both(_MADE, [[str(log), str(home)]] * 2, tmp_path) == ["['first', 'second']"] * 2
    assert log.read_text() == "made\n"


def test_a_folder_that_was_left_half_made_is_made_again(tmp_path: Path) -> None:
    log, home = tmp_path / "log", tmp_path / "cache" / "second-simulator"
    left = home.with_name("second-simulator.fresh")
    left.mkdir(parents=True)
    (left / "rubbish").touch()
    assert _both(_MADE, [[str(log), str(home)]] * 2, tmp_path) == ["['first', 'second']"] * 2


@pytest.mark.parametrize("versions", [("one", "two"), ("one", "one")], ids=["two versions", "one version"])
def test_two_processes_build_the_engine(versions: tuple[str, str], tmp_path: Path) -> None:
    """Two checkouts share the user's cache: each gets the program of its own sources."""
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "cargo").write_text(_CARGO.format(python=sys.executable))
    (tools / "cargo").chmod(0o755)
    for version in set(versions):
        crate = tmp_path / version / "engines" / "simavr"
        (crate / "src").mkdir(parents=True)
        (crate / "src" / "main.rs").write_text(f"// {version}\n")
        for name in ("Cargo.toml", "Cargo.lock"):
            (crate / name).write_text("")
        (crate / "version").write_text(version)
    printed = _both(
        _RUNNER,
        [[str(tmp_path / version)] for version in versions],
        tmp_path,
        BANCADA_CACHE=str(tmp_path / "cache"),
        PATH=f"{tools}{os.pathsep}{os.environ['PATH']}",
    )
    assert printed == list(versions)


_BUILT = {
    "an object and its image": """
from bancada.compilers.compile import compile_object, link_image
made = compile_object("cc", "cc 1", ("-O2",), Path(sys.argv[2]))
image = link_image("cc", "cc 1", (), [made])
print(subprocess.run([image]).returncode)
""",
    "an archive": """
from bancada.compilers.compile import archive, compile_object
made = archive("cc", "cc 1", [compile_object("cc", "cc 1", ("-O2",), Path(sys.argv[2]))])
print(made.read_bytes()[:4])
""",
    "an object without its lists": """
from bancada.compilers.compile import compile_object, link_image, without_constructors
made = without_constructors("cc", "cc 1", compile_object("cc", "cc 1", ("-O2",), Path(sys.argv[2])))
print(made.read_bytes()[:4])
""",
    "the calls that are checked": """
from bancada.build.checked_calls import checking_source
replace = os.replace
def together(partial, path):
    meet("copied")
    replace(partial, path)
os.replace = together
text = checking_source(here, ("one", "two")).read_text()
print("checked two" in text)
""",
    "the plugin of QEMU": """
from bancada.engines.qemu.plugin import plugin
print(plugin("qemu-arm").read_bytes()[:4])
""",
    "the sizes of an image": """
import shutil
from bancada.build.elf import image_of
copy = here.parent / "image.elf"
if sys.argv[1] == "0":
    shutil.copy(sys.executable, copy)
meet("copied")
print(image_of(copy).flash_bytes > 0)
""",
}


@pytest.mark.parametrize("what", _BUILT)
def test_two_processes_build(what: str, tmp_path: Path) -> None:
    source = tmp_path / "main.c"
    source.write_text("int main(void) { return 42; }\n")
    program = f"import subprocess\n{_MEET}{_BUILT[what]}"
    first, second = _both(program, [[str(source)]] * 2, tmp_path, BANCADA_CACHE=str(tmp_path / "cache"))
    assert first == second
    assert first in ("42", "b'\\x7fELF'", "b'!<ar'", "True")
    assert not list((tmp_path / "cache").rglob("*partial*"))
