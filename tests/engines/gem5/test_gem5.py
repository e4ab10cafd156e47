"""The optional engine gem5, on the text that it writes and on a stand-in for the program: it need not be installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bancada.build.build import build
from bancada.engines.gem5.program import gem5_version, read_statistics
from bancada.measure.laboratory import open_laboratory
from bancada.measure.run import run
from bancada.model.errors import UserError
from bancada.plan.plan import plan

# As gem5 writes it since version 21: names, values, comments; a second section follows when the program ends.
STATISTICS = """
---------- Begin Simulation Statistics ----------
simSeconds                                   0.000412                       # Number of seconds simulated (Second)
simTicks                                    412345000                       # Number of ticks simulated (Tick)
simInsts                                       301234                       # Number of instructions simulated (Count)
system.cpu.numCycles                           824690                       # Number of cpu cycles simulated (Cycle)
system.cpu.cpi                               2.737705                       # CPI: cycles per instruction (core level)
system.cpu.dcache.overallMissRate::total          nan                       # miss rate for overall accesses (Ratio)

---------- End Simulation Statistics   ----------

---------- Begin Simulation Statistics ----------
simSeconds                                   0.900000                       # Number of seconds simulated (Second)
simInsts                                            7                       # Number of instructions simulated (Count)
system.cpu.numCycles                                9                       # Number of cpu cycles simulated (Cycle)
---------- End Simulation Statistics   ----------
"""
OLD = STATISTICS.replace("simSeconds", "sim_seconds").replace("simInsts", "sim_insts")


@pytest.mark.parametrize("text", [STATISTICS, OLD])
def test_the_first_section_is_the_one_that_counts(text: str) -> None:
    found = read_statistics(text)
    assert (found.cycles, found.instructions) == (824690, 301234)
    assert found.time_us == pytest.approx(412.0)


@pytest.mark.parametrize(
    "text", ["", "---------- Begin Simulation Statistics ----------\n", STATISTICS.replace("numCycles", "x")]
)
def test_a_section_that_is_not_whole_is_an_error(text: str) -> None:
    with pytest.raises(UserError, match="no whole section"):
        read_statistics(text)


def _bancada(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bancada", "gem5", *arguments],
        env={**os.environ, "PATH": f"{folder}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )


def _stand_in(root: Path, script: str) -> Path:
    """A build tree of gem5 whose program is a shell script."""
    program = root / "build" / "ARM" / "gem5.opt"
    (root / "configs" / "deprecated" / "example").mkdir(parents=True)
    (root / "configs" / "deprecated" / "example" / "se.py").touch()
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return program.parent


def test_gem5_is_asked_for_the_model_the_clock_and_the_program(tmp_path: Path) -> None:
    (tmp_path / "statistics").write_text(STATISTICS)
    script = (
        f'echo "$@" > {tmp_path}/asked\nfor word in "$@"; do case $word in --outdir=*) cp {tmp_path}/statistics '
        f'"${{word#--outdir=}}/stats.txt";; --env=*) cp "${{word#--env=}}" {tmp_path}/environment;; esac; done'
    )
    folder = _stand_in(tmp_path / "gem5", script)
    done = _bancada(folder, "program.elf", "--model", "ex5_big", "--clock-mhz", "1400", "--", "one", "two")
    assert done.returncode == 0, done.stderr
    assert "cycles        824690" in done.stdout
    assert "the whole program" in done.stdout
    asked = (tmp_path / "asked").read_text()
    assert "--cpu-type=ex5_big --cpu-clock=1400000000Hz" in asked
    assert "--cmd=program.elf --options=one two" in asked
    assert "rseq=0" in (tmp_path / "environment").read_text()


@pytest.mark.parametrize(
    ("script", "words"),
    [("echo 'fatal: Syscall 398 out of range' >&2; exit 1", "Syscall 398 out of range"), ("exit 0", "it said nothing")],
)
def test_a_simulation_that_fails_is_one_sentence(tmp_path: Path, script: str, words: str) -> None:
    folder = _stand_in(tmp_path / "gem5", script)
    done = _bancada(folder, "program.elf", "--model", "HPI", "--clock-mhz", "1000")
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_without_gem5_what_to_do_is_said(tmp_path: Path) -> None:
    done = _bancada(tmp_path, "program.elf", "--model", "HPI", "--clock-mhz", "1000")
    assert done.returncode == 2
    assert "not on the PATH" in done.stderr
    assert "scons" in done.stderr


# One instruction and two cycles for each byte that the firmware reads, and 1000 cycles for each timed call of operation
# 2.
_COUNTING = """
from pathlib import Path
import sys
from bancada.monitor.monitor import call_in
options = dict(word.split("=", 1) for word in sys.argv[1:] if word.startswith("--") and "=" in word)
said = Path(options["--input"]).read_bytes()
calls = [asked for frame in said.split(bytes(1)) if frame and (asked := call_in(frame))]
cycles = 2 * len(said) + 1000 * sum(asked == (2, 0x80) for asked in calls)
with open({log!r}, "a") as log:
    print(options["--cpu-type"], options["--cpu-clock"], calls, file=log)
text = Path({statistics!r}).read_text().replace("824690", str(cycles)).replace("301234", str(len(said)))
Path(options["--outdir"], "stats.txt").write_text(text)
"""


def test_a_campaign_times_calls_in_gem5(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Conformance under QEMU; the call is what a run with it takes more than one with an empty call in its place."""
    (tmp_path / "statistics").write_text(STATISTICS)
    (tmp_path / "gem5.py").write_text(
        _COUNTING.format(log=str(tmp_path / "log"), statistics=str(tmp_path / "statistics"))
    )
    folder = _stand_in(tmp_path / "gem5", f'exec {sys.executable} {tmp_path}/gem5.py "$@"')
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    gem5_version.cache_clear()
    try:
        workload = next(
            workload
            for workload in plan(
                open_laboratory(),
                open_laboratory().experiments["libraries"],
                only_targets=("gem5-ex5-big",),
                only_candidates=("tatu",),
                quick=True,
            )
            if workload.firmware is not None and workload.firmware.implementation == "tatu/aes128/small"
        )
        assert workload.firmware is not None
        made = build(workload.firmware)
        encrypt = next(case for case in workload.cases if case.operation == "encrypt")
        ran = run(workload.firmware, made, (encrypt,), 2)
    finally:
        gem5_version.cache_clear()
    assert [(region.cycles, region.instructions) for region in ran.regions[encrypt]] == [(1000, 0)] * 2
    assert "gem5" in ran.engine_version
    assert "ex5_big" in ran.engine_version
    assert (tmp_path / "log").read_text().splitlines() == [
        "ex5_big 1800000000Hz [(0, 0), (1, 0), (2, 128)]",
        "ex5_big 1800000000Hz [(0, 0), (1, 0), (0, 128)]",
        "ex5_big 1800000000Hz [(1, 0), (2, 128)]",
        "ex5_big 1800000000Hz [(1, 0), (0, 128)]",
    ]


def test_without_gem5_its_targets_say_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    gem5_version.cache_clear()
    with pytest.raises(UserError, match="gem5 is not on the PATH"):
        open_laboratory().target("gem5-hpi").engine.version(open_laboratory().target("gem5-hpi"))
