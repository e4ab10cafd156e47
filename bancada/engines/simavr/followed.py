"""A firmware whose secrets the simulator follows through every instruction (docs/reference/audit.md)."""

from __future__ import annotations

from bancada.catalogue.target import SecretBytes, SecretPlace
from bancada.engines.simavr.session import SimavrSession, secret_follower
from bancada.monitor.monitor import DeviceError


class FollowedSession(SimavrSession):
    """One device in the program that follows secrets. It counts nothing."""

    is_counting = False

    def __init__(
        self,
        mcu: str,
        clock_hz: int,
        elf_path: str,
        secrets: tuple[SecretBytes, ...],
        live: set[SimavrSession] | None = None,
    ) -> None:
        """UserError if the program cannot be built, with what to install."""
        options = tuple(part for one in secrets for part in ("--secret", f"{one.address}:{one.size_bytes}"))
        super().__init__(mcu, clock_hz, elf_path, options, secret_follower(), live)

    def places(self) -> list[SecretPlace]:
        """What was found in the timed regions since the last call. DeviceError if the firmware crashed."""
        events = self.events()
        for event in events:
            if event["event"] == "fault":
                place = event.get("symbol") or hex(event["pc"])
                raise DeviceError(f"The firmware crashed in {place}: {event['reason']}.")
        return [
            SecretPlace(found["kind"], found["pc"], found["symbol"] or "", tuple(found["callers"]), found["count"])
            for event in events
            if event["event"] == "secrets"
            for found in event["found"]
        ]
