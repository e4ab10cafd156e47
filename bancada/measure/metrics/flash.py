"""Flash that an operation takes."""

from __future__ import annotations

from bancada.measure.images import flash_bytes
from bancada.measure.metric import Facts, Figure, Metric
from bancada.model.result import FigureValue


def _derive(facts: Facts) -> dict[str, FigureValue]:
    return {
        "flash_bytes": flash_bytes(facts.build, facts.operation),
        "flash_both_bytes": flash_bytes(facts.build, "both"),
    }


METRIC = Metric(
    name="flash",
    title="flash",
    unit="B",
    definition=(
        "`.text`, `.rodata` and `.data` of a program that sets a key and calls just this operation, minus the same "
        "program without the calls; "
        "linked with `--gc-sections`. So *encrypt* has the key schedule in it: without one it is of no use. *Both* "
        "is a program that encrypts "
        "and decrypts"
    ),
    in_short=(
        "What the image grows by when it calls this one operation: code, constants and initial values, unused code "
        "dropped by the linker. Exact "
        "on every target."
    ),
    figures=(
        Figure(
            "flash_bytes",
            "flash",
            "B",
            "Flash of an image with just this operation, minus that of the empty image.",
            kind="integer",
            counted=True,
        ),
        Figure(
            "flash_both_bytes",
            "flash, both directions",
            "B",
            "The same for an image with both directions.",
            kind="integer",
            counted=True,
        ),
    ),
    derive=_derive,
    timed=False,
    best="Smallest flash",
    better="Smaller",
    worse="Larger",
    shown_in=frozenset({"headline", "study", "table", "up"}),
    order=40,
    axis="flash, bytes",
)
