"""The moments t0 to t7 of each exchange that was measured, as the study names them."""

from __future__ import annotations

from bancada.answers.paper.table import Cell, Column, Table
from bancada.studies.study import Evidence

_MOMENTS = tuple(f"t{number}_ns" for number in range(8))


def tables(evidence: Evidence) -> tuple[Table, ...]:
    """One row for each exchange. t0 is 0.

    Client and server time themselves. How long one way took is the study's half of what the client waited beside the
    server's work, so that t2 and t6 rest on it.
    """
    columns = (
        Column("protection", "Protection"),
        Column("message", "Message"),
        Column("link", "Link"),
        Column("exchange", "Exchange", numeric=True),
        *(Column(name, name.removesuffix("_ns") + " (ns)", numeric=True) for name in _MOMENTS),
    )
    rows: list[tuple[Cell, ...]] = []
    for one in evidence.observations:
        if one.kind != "exchange":
            continue
        link = one.name.split(", ", 2)[2]
        for place in range(len(one.figures["total_ns"])):
            figures = {name: values[place] for name, values in one.figures.items()}
            moments: list[float] = [0.0]
            for name in _STEPS:
                moments.append(moments[-1] + figures[name])
            rows.append(
                (one.parameters["protection"], one.parameters["message"], link, place, *(round(at) for at in moments))
            )
    return (Table("moments", f"{evidence.experiment.title}: t0 to t7 of each exchange", columns, tuple(rows)),)


# From each moment to the next one.
_STEPS = (
    "client_encrypt_ns",
    "transmission_ns",
    "server_decrypt_ns",
    "processing_ns",
    "server_encrypt_ns",
    "transmission_ns",
    "client_decrypt_ns",
)
