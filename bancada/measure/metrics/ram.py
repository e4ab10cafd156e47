"""All the RAM of one call: what static_ram, context and stack fill in, together."""

from __future__ import annotations

from bancada.measure.metric import AsPublished, Metric, Part

METRIC = Metric(
    name="ram",
    title="RAM",
    unit="B",
    definition=(
        "(SRAM) static RAM + context + stack: all that a call takes from the program around it. What needs more of "
        "it than the "
        "microcontroller has does not fit"
    ),
    in_short=(
        "Static variables, plus the key context that the caller keeps, plus the deepest stack of one call. The first "
        "two are exact on every "
        "target; the stack has the fidelity of the engine."
    ),
    of=lambda result: result.ram_bytes,
    timed=False,
    best="Least RAM",
    better="Smaller",
    worse="Larger",
    shown_in=frozenset({"headline", "study", "table", "plot"}),
    order=80,
    axis="RAM in use during one call, bytes",
    parts=(Part("ram_context_bytes", "key context"), Part("ram_static_bytes", "static"), Part("stack_bytes", "stack")),
    as_published=(AsPublished("sram_bytes", "RAM", "B", lambda results, size_bytes: results[0].ram_bytes),),
)
