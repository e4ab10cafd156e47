"""What a cipher leaves of a cell's life, in the study's reckoning with the times of the study's own library."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass

from bancada.answers.ranking import number
from bancada.answers.report.input import ExtraSection
from bancada.catalogue.experiment import Experiment
from bancada.studies.study import Evidence

from .blocks import studys_blocks
from .energy import STUDY_YEARS, study_share

_NONE = "–"
# Of published-devices.csv: whom a subject names. "all others" are those that no row names.
_SUBJECTS = {
    "Speck": ("Speck 128", "Speck 192", "Speck 256"),
    "Speck Small 128": ("Speck Small 128",),
    "AES 128 and AES Small": ("AES 128", "AES Small 128"),
    "AES 192 and AES 256": ("AES 192", "AES 256"),
    "AES Small 256": ("AES Small 256",),
}
_OTHERS = "all others"
_OPERATIONS = {"sender": "encrypt", "receiver": "decrypt"}


@dataclass(frozen=True)
class LifeLeft:
    """Per cent of the life that a cipher leaves on a device; `published` as it was printed."""

    cipher: str
    device: str
    time_us: float
    percent: float
    published: float | None


def _published(experiment: Experiment) -> dict[str, dict[str, float]]:
    """By device and cipher, and `all others`."""
    found: dict[str, dict[str, float]] = {device: {} for device in _OPERATIONS}
    with (experiment.folder / "published-devices.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["metric"] == "life left":
                for cipher in _SUBJECTS.get(row["subject"], (row["subject"],)):
                    found[row["device"]][cipher] = float(row["value"])
    return found


def life_left(evidence: Evidence) -> list[LifeLeft]:
    """Each cipher of the study's library on each device that has it."""
    printed, blocks = _published(evidence.experiment), studys_blocks(evidence)
    return [
        LifeLeft(
            cipher,
            device,
            time_us,
            study_share(STUDY_YEARS[device], time_us) * 100,
            printed[device].get(cipher, printed[device].get(_OTHERS)),
        )
        for device, operation in _OPERATIONS.items()
        for cipher, time_us in blocks.by(operation, "time_us").items()
    ]


def _cells(found: Sequence[LifeLeft], cipher: str, device: str) -> tuple[str, ...]:
    one = next((one for one in found if (one.cipher, one.device) == (cipher, device)), None)
    if one is None:
        return (_NONE, _NONE, _NONE)
    published = _NONE if one.published is None else f"{one.published:g} %"
    return (number(round(one.time_us, 1)), f"{one.percent:.2g} %", published)


def life_section(evidence: Evidence) -> ExtraSection | None:
    """Beside the published shares, sender and receiver."""
    found = life_left(evidence)
    if not found:
        return None
    heads = [f"{device}, {what}" for device in ("Sender", "Receiver") for what in ("µs", "left", "left, published")]
    return ExtraSection(
        title="What a cipher leaves of the life, as the study reckons",
        paragraphs=(
            "The times are of the study's own library, compiled as by the Arduino IDE (-Os). In the study's reckoning "
            "a cipher's time replaces the 6.66 µs (sender) and 4.90 µs (receiver) of the table above. The receiver's "
            "shares come out in per cent; the sender's are a hundred times what was printed, as if parts had been "
            "printed as per cent.",
        ),
        columns=("Cipher", *heads),
        rows=tuple(
            (cipher, *_cells(found, cipher, "sender"), *_cells(found, cipher, "receiver"))
            for cipher in dict.fromkeys(one.cipher for one in found)
        ),
    )
