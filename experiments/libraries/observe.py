"""What the IV of CBC costs on the UNO, and what it hides: programs/ in the simulator.

Three programs send the same commands in ECB, in CBC with a fixed IV, and in CBC with a fresh one. A fourth makes every
IV that the usual call of random() can make.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from bancada.build.elf import image_of
from bancada.build.symbols import symbols
from bancada.catalogue.experiment import Experiment
from bancada.catalogue.paths import data_root
from bancada.catalogue.target import Target
from bancada.compilers.compile import compile_object, compiler_version, link_image
from bancada.engines.simavr.session import engine_version, runner
from bancada.model.errors import UserError
from bancada.model.finding import Observation
from bancada.model.key import result_key
from bancada.model.status import Fidelity
from bancada.plan.laboratory import Laboratory
from bancada.store.store import Store

TARGET = "uno"
OPTIMISATION = "-Os"
KIND, SEEDS_KIND = "iv", "seeded-iv"
IVS = ("none", "fixed", "fresh")

_PROGRAMS = Path(__file__).resolve().with_name("programs")
_TATU = ("aes/**/*.[cS]", "common/**/*.[cS]", "modes/*.c", "drbg/*.c", "entropy/**/*.c")
_BLOCK_BYTES = 16
_PACKET_BYTES = 2 * _BLOCK_BYTES
_MESSAGES = 8
# Seeding takes about 24 s of device time, 384 million cycles.
_LIMIT_CYCLES = 1_000_000_000
# The watchdog of a simulator has no jitter of its own, and the source of entropy refuses to work without.
_JITTER_SEED = "1"


def _program(target: Target, source: str, *defines: str) -> Path:
    toolchain = target.toolchain
    version = compiler_version(toolchain.compiler, toolchain.package)
    root = data_root() / "tatu" / "src"
    flags = (*toolchain.flags, OPTIMISATION, f"-I{root}")
    sources = sorted({path for pattern in _TATU for path in root.glob(pattern)}, key=lambda path: (path.name, path))
    objects = [compile_object(toolchain.compiler, version, (*flags, *defines), _PROGRAMS / source)]
    objects += [compile_object(toolchain.compiler, version, flags, path) for path in sources]
    return link_image(toolchain.compiler, version, (*toolchain.link_flags, OPTIMISATION), objects)


def _run(target: Target, elf: Path, *options: str) -> tuple[bytes, list[dict[str, Any]]]:
    """What the program sends on its serial port until it sleeps, and the events of the engine."""
    device = ("--mcu", str(target.mcu), "--frequency", str(target.clock_hz), "--uart", "stdio")
    limit = ("--max-cycles", str(_LIMIT_CYCLES), "--wdt-jitter", _JITTER_SEED)
    done = subprocess.run(
        [str(runner()), *device, *limit, *options, str(elf)], stdin=subprocess.DEVNULL, capture_output=True
    )
    said = done.stderr.decode(errors="replace")
    if done.returncode != 0:
        raise UserError(f"A program of the experiment `libraries` did not end: {said[-200:].strip()}")
    return done.stdout, [json.loads(line) for line in said.splitlines() if line.startswith("{")]


def _cycles(target: Target, elf: Path, function: str, calls: int) -> tuple[int, int]:
    """The median cycles and the deepest stack of the calls."""
    place = f"{symbols(elf).address(function):#x}"
    _, events = _run(target, elf, "--function", place, "--calls", str(calls))
    regions = [event for event in events if event["event"] == "region"]
    if len(regions) != calls:
        raise UserError(f"A program of the experiment `libraries` calls {function} {len(regions)} times, not {calls}.")
    return int(median(one["cycles"] for one in regions)), max(one["stack_bytes"] for one in regions)


def _blocks(data: bytes, length: int) -> list[bytes]:
    return [data[at : at + length] for at in range(0, len(data), length)]


def _commands(target: Target, iv: str, elf: Path) -> dict[str, Any]:
    image = image_of(elf)
    packets = _blocks(_run(target, elf)[0], _PACKET_BYTES)
    if len(packets) != _MESSAGES:
        raise UserError(f"The program with the IV '{iv}' sent {len(packets)} packets, and not {_MESSAGES}.")
    seal_cycles, seal_stack_bytes = _cycles(target, elf, "seal", _MESSAGES)
    figures: dict[str, Any] = {
        "flash_bytes": image.flash_bytes,
        "ram_static_bytes": image.ram_static_bytes,
        "seal_cycles": seal_cycles,
        "seal_stack_bytes": seal_stack_bytes,
        "messages": _MESSAGES,
        "distinct_commands": 2,
        "distinct_packets": len(set(packets)),
    }
    if iv != "none":
        figures["iv_cycles"] = _cycles(target, elf, "new_iv", _MESSAGES)[0]
    if iv == "fresh":
        seed_cycles, seed_stack_bytes = _cycles(target, elf, "seed", 1)
        figures |= {"seed_s": seed_cycles / target.clock_hz, "seed_stack_bytes": seed_stack_bytes}
    return figures


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def observe(laboratory: Laboratory, experiment: Experiment, store: Store, say: Callable[[str], None]) -> None:
    """Builds and runs what has changed since it was stored."""
    target = laboratory.target(TARGET)
    programs: dict[tuple[str, str], Path] = {
        (KIND, iv): _program(target, "commands.c", f"-DIV_{iv.upper()}=1") for iv in IVS
    }
    programs[SEEDS_KIND, "analogRead"] = _program(target, "seeded_iv.c")
    code = Path(__file__).read_bytes()
    fresh = 0
    for (kind, name), elf in programs.items():
        key = result_key(kind, name, elf.read_bytes(), code, engine_version(), target.clock_hz)
        if store.find_observation(experiment.name, kind, name, key) is not None:
            continue
        if kind == KIND:
            figures = _commands(target, name, elf)
        else:
            ivs = _blocks(_run(target, elf)[0], _BLOCK_BYTES)
            figures = {"seeds": len(ivs), "distinct_ivs": len(set(ivs))}
        parameters = {"optimisation": OPTIMISATION, "bytes": _BLOCK_BYTES}
        store.put_observation(
            experiment.name, key, Observation(kind, name, Fidelity.EXACT, parameters, figures, _now())
        )
        fresh += 1
    say(f"programs that make an IV: {fresh} run, {len(programs) - fresh} unchanged")
