"""What it costs an UNO to protect a reading for the radio, in five ways (programs/packets.c)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bancada.build.elf import image_of
from bancada.catalogue.paths import data_root
from bancada.catalogue.target import Target
from bancada.model.errors import UserError
from bancada.model.finding import Observation
from bancada.model.status import Fidelity
from bancada.studies.avr_program import AvrProgram, avr_program

KIND = "packet"
MESSAGES = 4
_OPTIMISATION = "-Os"
_PROGRAM = Path(__file__).resolve().with_name("programs") / "packets.c"
_TATU = (
    "aes/**/*.[cS]", "ascon/**/*.[cS]", "ccm/**/*.[cS]", "common/**/*.[cS]", "drbg/**/*.[cS]", "entropy/**/*.[cS]",
    "hmac/**/*.[cS]", "modes/**/*.[cS]", "sha2/**/*.[cS]",
)  # fmt: skip


@dataclass(frozen=True)
class Protection:
    """A way to protect a reading of 16 bytes: the bytes that are sent, and what it hides and notices."""

    name: str
    title: str
    sent_bytes: int
    notices_changes: str
    equal_readings_differ: str


PROTECTIONS = (
    Protection("ECB", "AES-128 in ECB, as published", 16, "no", "no"),
    Protection("CBC", "AES-128 in CBC, fresh IV", 32, "no", "yes"),
    Protection("HMAC", "the same, and HMAC-SHA-256, tag of 16", 48, "yes", "yes"),
    Protection("CCM", "AES-128-CCM, counter and tag of 8", 32, "yes", "yes"),
    Protection("ASCON", "Ascon-AEAD128, counter and tag of 8", 32, "yes", "yes"),
)


def packet_programs(target: Target) -> Iterator[tuple[Protection, AvrProgram]]:
    """Each protection with its program."""
    library = data_root() / "tatu" / "src"
    for one in PROTECTIONS:
        yield one, avr_program(target, _PROGRAM, library, _TATU, _OPTIMISATION, f"-DPROTECT_{one.name}=1")


def observe_packet(protection: Protection, program: AvrProgram) -> Observation:
    """Cycles and stack of sealing, and the size of the whole program. UserError if it sends something else."""
    sent = program.run()[0]
    if len(sent) != MESSAGES * protection.sent_bytes:
        raise UserError(f"The program of {protection.title} sends {len(sent)} bytes.")
    cycles, stack_bytes = program.cycles("seal", MESSAGES)
    image = image_of(program.elf)
    figures = {
        "seal_cycles": cycles,
        "seal_stack_bytes": stack_bytes,
        "flash_bytes": image.flash_bytes,
        "ram_static_bytes": image.ram_static_bytes,
        "different_packets": len(
            {sent[at : at + protection.sent_bytes] for at in range(0, len(sent), protection.sent_bytes)}
        ),
        "packets": [sent[at : at + protection.sent_bytes].hex() for at in range(0, len(sent), protection.sent_bytes)],
    }
    parameters = {"optimisation": _OPTIMISATION, "sent_bytes": protection.sent_bytes, "messages": MESSAGES}
    date = datetime.now(UTC).isoformat(timespec="seconds")
    return Observation(KIND, protection.name, Fidelity.EXACT, parameters, figures, date)
