"""The figures that findings.toml judges of flash and SRAM: the study's table 1, for programs and its library."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bancada.answers.ranking import number
from bancada.studies.claim import Figures
from bancada.studies.observed import figures_of
from bancada.studies.spread import Spread
from bancada.studies.study import Evidence

from .blocks import SRAM, studys_blocks
from .whole_devices import least, least_of_families, offered


def _places(paper: Mapping[str, Mapping[str, Any]], name: str) -> tuple[list[int], list[str]]:
    """The place of a cipher by flash and by SRAM, sender and receiver; those that tie share the better place."""
    places, said = [], []
    for device, who in (("sensor", "sender"), ("gateway", "receiver")):
        for field, what in (("flash_bytes", "flash"), ("ram_static_bytes", "SRAM")):
            found = offered(paper, device)
            if name in found:
                values = {one[f"{device}_{field}"] for one in found.values()}
                places.append(1 + sum(value < found[name][f"{device}_{field}"] for value in values))
                said.append(f"{who}, {what}: {places[-1]}")
    return places, said


def second_least(evidence: Evidence) -> Figures:
    """`places`: of Speck Small 128 by flash and SRAM, sender and receiver; equal figures count once."""
    places, said = _places(figures_of(evidence.observations, "paper"), "Speck Small 128")
    return {"places": Spread(places), "said": "; ".join(said)} if places else None


def least_of_aes(evidence: Evidence) -> Figures:
    """`said`: the AES whose sender takes least flash, and least SRAM; `flash` and `sram`: whether Tiny 128 is."""
    paper = figures_of(evidence.observations, "paper")
    own = {name: one for name, one in offered(paper, "sensor").items() if name.startswith("AES")}
    if not own:
        return None
    winners = {}
    for field in ("flash_bytes", "ram_static_bytes"):
        value = min(one[f"sensor_{field}"] for one in own.values())
        winners[field] = ([name for name, one in own.items() if one[f"sensor_{field}"] == value], value)
    flash, sram = winners.values()
    return {
        "flash": "AES Tiny 128" in flash[0],
        "sram": "AES Tiny 128" in sram[0],
        "flash_said": f"{', '.join(flash[0])} ({number(flash[1])} B)",
        "sram_said": f"{', '.join(sram[0])} ({number(sram[1])} B)",
    }


def _table1(device: str, field: str) -> Callable[[Evidence], Figures]:
    """`winners`, in words, and whether `speck` is among them; `study`: whether the study's is. Of whole programs."""

    def figures(evidence: Evidence) -> Figures:
        paper = figures_of(evidence.observations, "paper")
        winners, value = least(paper, device, field)
        if not winners:
            return None
        return _judged(winners, number(value), least_of_families(paper, device, field))

    return figures


def _table1_of_the_studys(operation: str, field: str) -> Callable[[Evidence], Figures]:
    """As `_table1`, of the study's library alone."""

    def figures(evidence: Evidence) -> Figures:
        blocks = studys_blocks(evidence)
        winners, value = blocks.winners(operation, field)
        if not winners:
            return None
        every = blocks.by(operation, field)
        firsts = [next((name for name in every if name.startswith(family)), None) for family in ("AES", "Speck")]
        families = ", ".join(f"{name} {every[name]:.0f} B" for name in firsts if name is not None)
        return _judged(winners, number(value), families)

    return figures


def _judged(winners: list[str], value: str, families: str) -> Figures:
    return {
        "winners": ", ".join(winners),
        "value": value,
        "speck": any(name.startswith("Speck") for name in winners),
        "aes": any(name.startswith("AES") for name in winners),
        "tiny": "Speck Tiny 128" in winners,
        "small": "Speck Small 128" in winners,
        "plain": any(name in winners for name in ("Speck 128", "Speck 192", "Speck 256")),
        "families": families,
    }


sending_flash_of_the_studys = _table1_of_the_studys("encrypt", "flash_bytes")
sending_sram_of_the_studys = _table1_of_the_studys("encrypt", SRAM)
receiving_flash_of_the_studys = _table1_of_the_studys("decrypt", "flash_bytes")
receiving_sram_of_the_studys = _table1_of_the_studys("decrypt", SRAM)
sending_flash = _table1("sensor", "flash_bytes")
sending_sram = _table1("sensor", "ram_static_bytes")
receiving_flash = _table1("gateway", "flash_bytes")
receiving_sram = _table1("gateway", "ram_static_bytes")


def small_over_plaintext(evidence: Evidence) -> Figures:
    """What Speck Small 128 adds to a program without a cipher: `flash` and `ram`, per cent, sender and receiver."""
    paper = figures_of(evidence.observations, "paper")
    small, none = paper.get("speck128-128-small"), paper.get("none")
    if small is None or none is None:
        return None

    def more(field: str) -> Spread:
        return Spread(
            (small[f"{device}_{field}"] / none[f"{device}_{field}"] - 1) * 100 for device in ("sensor", "gateway")
        )

    return {"flash": more("flash_bytes"), "ram": more("ram_static_bytes")}


def most_sram(evidence: Evidence) -> Figures:
    """`most`: the ciphers whose sender takes the most static RAM; `aes256`: whether AES-256 is one of them."""
    paper = figures_of(evidence.observations, "paper")
    ciphers = {name: one["sensor_ram_static_bytes"] for name, one in paper.items() if name != "none"}
    if not ciphers:
        return None
    largest = max(ciphers.values())
    worst = [name for name, value in ciphers.items() if value == largest]
    return {"most": ", ".join(worst), "bytes": largest, "aes256": "aes256" in worst}
