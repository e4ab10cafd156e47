"""Published figures of silicon in two halves (cores/silicon/<set>-fit.csv, <set>-validation.csv).

A row belongs to the validation half if the first byte of the SHA-256 of its call's name is odd. The validation halves
are frozen: cores/silicon/frozen.toml has the SHA-256 of each. cores/silicon/set-aside.toml names rows whose figure is
not of the program alone, each with the reason; they are predicted and count nowhere.
"""

from __future__ import annotations

import csv
import hashlib
from pathlib import Path
from typing import Literal

from bancada.catalogue.paths import room
from bancada.catalogue.toml_record import read_toml
from bancada.costing.table import PublishedCycles
from bancada.model.errors import UserError

_COLUMNS = ("core", "program", "figure", "unit", "bytes", "author", "date", "source", "address", "note")
# Where the memory of the device is known: its name (cores/memories/), and the part that was measured.
_COLUMNS_WITH_MEMORY = (*_COLUMNS, "memory", "device")


def half_of(program: str) -> Literal["fit", "validation"]:
    """The half that "<program>/<call>" belongs to."""
    call = program.partition("/")[2]
    return "validation" if hashlib.sha256(call.encode()).digest()[0] & 1 else "fit"


def silicon_figures(core: str, device: str) -> tuple[PublishedCycles, ...]:
    """The figures of one core, in the order of the files. UserError if a frozen file was changed, or a row is in the
    wrong half."""
    found: list[PublishedCycles] = []
    for folder in room("cores"):
        silicon = folder / "silicon"
        if not silicon.is_dir():
            continue
        frozen = read_toml(silicon / "frozen.toml")["sha256"]
        aside = {
            (row["core"], row["program"]): row["reason"] for row in read_toml(silicon / "set-aside.toml").get("row", [])
        }
        for path in sorted(silicon.glob("*.csv")):
            _check(path, frozen)
            found += [
                _figure(path, row, device, aside.get((core, row["program"]), ""))
                for row in _rows(path)
                if row["core"] == core
            ]
    return tuple(found)


def _check(path: Path, frozen: dict[str, str]) -> None:
    if not path.stem.endswith("-validation"):
        return
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    if frozen.get(path.name) != sha256:
        raise UserError(
            f"{path} is not what frozen.toml beside it says: SHA-256 {sha256}, frozen"
            f" {frozen.get(path.name, 'nothing')}. A validation half is never changed: put the file back."
        )


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        reader = csv.DictReader(file)
        if tuple(reader.fieldnames or ()) not in (_COLUMNS, _COLUMNS_WITH_MEMORY):
            raise UserError(f"{path}: the columns are not {', '.join(_COLUMNS)}, then none or memory, device.")
        return list(reader)


def _figure(path: Path, row: dict[str, str], device: str, aside: str) -> PublishedCycles:
    half = half_of(row["program"])
    if not path.stem.endswith(f"-{half}"):
        raise UserError(f"{path}: {row['program']} belongs to the {half} half.")
    source = f"{row['source']} ({row['author']}, {row['date']}), {row['address']}"
    common: dict[str, object] = {"program": row["program"], "note": aside or row["note"]}
    common |= {"set": "set aside" if aside else half, "source": source, "bytes": int(row["bytes"])}
    common |= {"device": row.get("device") or device, "memory": row.get("memory") or None}
    if row["unit"] == "cycles":
        return PublishedCycles.model_validate({**common, "cycles": float(row["figure"])})
    if row["unit"] == "cycles/further byte":
        return PublishedCycles.model_validate({**common, "cycles_per_word": float(row["figure"]), "word_bytes": 1})
    raise UserError(f"{path}: {row['program']} has the unit '{row['unit']}', not 'cycles' or 'cycles/further byte'.")
