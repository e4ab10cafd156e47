"""The measurements on this machine: client and server, over the loopback and over links."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bancada.catalogue.experiment import Experiment
from bancada.model.errors import UserError
from bancada.model.finding import Observation
from bancada.model.key import result_key
from bancada.model.status import Fidelity
from bancada.plan.laboratory import Laboratory
from bancada.store.store import Store
from bancada.studies.this_machine import processor

from . import exchange as exchange_module
from . import link as link_module
from .built_programs import PROTECTIONS, Programs, build_programs
from .exchange import Exchange, exchange
from .link import Link, Maker, best_maker, why_not
from .messages import image, string

LOOPBACK = Link(None, 0)
# 72.2 Mbit/s is the nominal rate of 802.11n with one stream of 20 MHz (IEEE 802.11-2012, table 20-30, MCS 7, short
# guard interval), as the Raspberry Pi 3B has; an exchange gets less. The delay is assumed: a local network's.
_DELAY_US = 1000.0
STUDY_LINK = Link(72.2e6, _DELAY_US)
LINKS = (Link(20e6, _DELAY_US), STUDY_LINK, Link(300e6, _DELAY_US))
MESSAGES: dict[str, Callable[[], bytes]] = {"string": string, "image": image}

# On shaped links one key size is enough. Another size changes the cryptography, which is measured on the loopback, and
# not the link.
SHAPED_PROTECTIONS = ("relic-aes-cbc-128", "tatu-aes-cbc-128", "tatu-aes-ccm-128", "tatu-ascon-aead128")
# Enough exchanges so that at least one is hardly disturbed by other programs. Tatu's take up to a second each.
_LOOPBACK_TIMES = {"string": 51, "image": 5}
_LOOPBACK_TIMES_STUDY = 41
_SHAPED_TIMES = {"string": 7, "image": 2}

# Where the kernel can shape a rate but not a delay, its link is compared with ours.
CHECKED_LINKS = (Link(20e6, 0), Link(300e6, 0))
_CHECKED_TIMES = 3


@dataclass(frozen=True)
class _Run:
    kind: str
    protection: str
    message: str
    link: Link
    maker: Maker
    times: int

    @property
    def name(self) -> str:
        name = f"{self.protection}, {self.message}, {self.link.name}"
        return name if self.kind == "exchange" else f"{name}, {self.maker}"


def _runs() -> Iterator[_Run]:
    for protection in PROTECTIONS:
        for message in MESSAGES:
            times = _LOOPBACK_TIMES_STUDY if protection.startswith("relic") else _LOOPBACK_TIMES[message]
            yield _Run("exchange", protection, message, LOOPBACK, Maker.LOOPBACK, times)
    for link in LINKS:
        for protection in SHAPED_PROTECTIONS:
            for message in MESSAGES:
                yield _Run("exchange", protection, message, link, best_maker(link), _SHAPED_TIMES[message])
    if why_not(Maker.TBF) is None:
        for link in CHECKED_LINKS:
            for maker in (Maker.TBF, Maker.USER_SPACE):
                yield _Run("link", SHAPED_PROTECTIONS[0], "image", link, maker, _CHECKED_TIMES)


def _samples(found: tuple[Exchange, ...]) -> dict[str, list[float]]:
    """Every sample of every part."""
    records = [asdict(one) for one in found]
    return {name: [record[name] for record in records] for name in records[0]}


def _observe(programs: Programs, run: _Run) -> Observation:
    message = MESSAGES[run.message]()
    busy = os.getloadavg()[0]
    figures = _samples(exchange(programs, run.protection, message, run.link, run.maker, run.times))
    parameters: dict[str, Any] = {
        "protection": run.protection,
        "implementation": PROTECTIONS[run.protection][0],
        "key_bits": PROTECTIONS[run.protection][1],
        "message": run.message,
        "message_bytes": len(message),
        "rate_bits_per_s": run.link.rate_bits_per_s,
        "delay_us": run.link.delay_us,
        "maker": str(run.maker),
        "why_not_the_kernel": why_not(Maker.NETEM),
        "processor": processor(),
        "load_average_before": busy,
    }
    return Observation(
        run.kind, run.name, Fidelity.MEASURED, parameters, figures, datetime.now(UTC).isoformat(timespec="seconds")
    )


def observe(laboratory: Laboratory, experiment: Experiment, store: Store, say: Callable[[str], None]) -> None:
    """Runs the exchanges that changed since they were stored. If something that they need is missing, they are left
    out, with one line that says so."""
    what = "client and server on this machine"
    try:
        programs = build_programs(laboratory)
        code = (
            b"".join(Path(str(module.__file__)).read_bytes() for module in (exchange_module, link_module))
            + Path(__file__).read_bytes()
        )
        facts = (programs.sources_sha256, code, processor())
        fresh = unchanged = 0
        for run in _runs():
            key = result_key(run.kind, run.name, run.maker, *facts)
            if store.find_observation(experiment.name, run.kind, run.name, key) is not None:
                unchanged += 1
                continue
            store.put_observation(experiment.name, key, _observe(programs, run))
            fresh += 1
    except UserError as error:
        say(f"{what}: left out, {error}")
        return
    reason = why_not(Maker.NETEM)
    links = f"links by our user-space shaper, since {reason}" if reason else f"links by {Maker.NETEM}"
    say(f"{what}: {fresh} run, {unchanged} unchanged; {links}")
