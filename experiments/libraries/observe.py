"""What the IV of CBC costs on the UNO, and what it hides: programs/ in the simulator.

Three programs send the same commands in ECB, in CBC with a fixed IV, and in CBC with a fresh one. A fourth makes every
IV that the usual call of random() can make.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bancada.build.elf import image_of
from bancada.catalogue.experiment import Experiment
from bancada.catalogue.paths import data_root
from bancada.engines.simavr.session import engine_version
from bancada.model.errors import UserError
from bancada.model.finding import Observation
from bancada.model.key import result_key
from bancada.model.status import Fidelity
from bancada.plan.laboratory import Laboratory
from bancada.store.store import Store
from bancada.studies.avr_program import AvrProgram, avr_program

TARGET = "uno"
OPTIMISATION = "-Os"
KIND, SEEDS_KIND = "iv", "seeded-iv"
IVS = ("none", "fixed", "fresh")

_PROGRAMS = Path(__file__).resolve().with_name("programs")
_TATU = ("aes/**/*.[cS]", "common/**/*.[cS]", "modes/*.c", "drbg/*.c", "entropy/**/*.c")
_BLOCK_BYTES = 16
_PACKET_BYTES = 2 * _BLOCK_BYTES
_MESSAGES = 8


def _blocks(data: bytes, length: int) -> list[bytes]:
    return [data[at : at + length] for at in range(0, len(data), length)]


def _commands(iv: str, program: AvrProgram) -> dict[str, Any]:
    image = image_of(program.elf)
    packets = _blocks(program.run()[0], _PACKET_BYTES)
    if len(packets) != _MESSAGES:
        raise UserError(f"The program with the IV '{iv}' sent {len(packets)} packets, and not {_MESSAGES}.")
    seal_cycles, seal_stack_bytes = program.cycles("seal", _MESSAGES)
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
        figures["iv_cycles"] = program.cycles("new_iv", _MESSAGES)[0]
    if iv == "fresh":
        seed_cycles, seed_stack_bytes = program.cycles("seed", 1)
        figures |= {"seed_s": seed_cycles / program.target.clock_hz, "seed_stack_bytes": seed_stack_bytes}
    return figures


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def observe(laboratory: Laboratory, experiment: Experiment, store: Store, say: Callable[[str], None]) -> None:
    """Builds and runs what has changed since it was stored."""
    target, library = laboratory.target(TARGET), data_root() / "tatu" / "src"

    def program(source: str, *defines: str) -> AvrProgram:
        return avr_program(target, _PROGRAMS / source, library, _TATU, OPTIMISATION, *defines)

    programs = {(KIND, iv): program("commands.c", f"-DIV_{iv.upper()}=1") for iv in IVS}
    programs[SEEDS_KIND, "analogRead"] = program("seeded_iv.c")
    code = Path(__file__).read_bytes()
    fresh = 0
    for (kind, name), one in programs.items():
        key = result_key(kind, name, one.elf.read_bytes(), code, engine_version(), target.clock_hz)
        if store.find_observation(experiment.name, kind, name, key) is not None:
            continue
        if kind == KIND:
            figures = _commands(name, one)
        else:
            ivs = _blocks(one.run()[0], _BLOCK_BYTES)
            figures = {"seeds": len(ivs), "distinct_ivs": len(set(ivs))}
        parameters = {"optimisation": OPTIMISATION, "bytes": _BLOCK_BYTES}
        store.put_observation(
            experiment.name, key, Observation(kind, name, Fidelity.EXACT, parameters, figures, _now())
        )
        fresh += 1
    say(f"programs that make an IV: {fresh} run, {len(programs) - fresh} unchanged")
