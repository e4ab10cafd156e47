"""`--port sim:`: a campaign on a simulated board, which leaves no result that looks measured."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory


def with_target_of(port: str | None, targets: tuple[str, ...]) -> tuple[str, ...]:
    """The targets that were asked for; the one of `sim:TARGET` where none was."""
    from bancada.engines.board.simulated_port import is_simulated, target_of

    if port is None or not is_simulated(port) or targets or not target_of(port):
        return targets
    return (target_of(port),)


@contextmanager
def store_for(port: str | None, path: Path | None) -> Iterator[Path | None]:
    """The store of a campaign: of a rehearsal, one that is thrown away, unless the user names one."""
    from bancada.engines.board.simulated_port import is_simulated

    if port is None or not is_simulated(port) or path is not None:
        yield path
        return
    with TemporaryDirectory(prefix="bancada-rehearsal-") as folder:
        yield Path(folder) / "results.sqlite"
