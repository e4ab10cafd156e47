"""Tables with everything in them that TeX could stumble over."""

from __future__ import annotations

from bancada.answers.paper.table import Column, Table

NASTY = 'a & b, 50 % of $5 #1 _y_ {z} ~ ^ \\ "q" [1] <2> --flag ±3 µs 4 × 5 ÷ 6 · 7 − 8 … “é”'
LONG = "A long sentence that a column of words has to break into several lines, and so on and on. " * 2
TABLE = Table(
    "nasty",
    f"The caption: {NASTY}",
    (
        Column("name", NASTY),
        Column("words", "Words"),
        Column("published", "Published", numeric=True),
        Column("ours", "Ours", numeric=True),
    ),
    ((NASTY, LONG, 1234567.0, 0.5), ("[first", "", None, 12), ("last", "short", 3, 4)),
    (f"Modelled, ±33 %. {NASTY}", "Exact: every cycle counted.", "Modelled, ±33 %. " + NASTY),
)
