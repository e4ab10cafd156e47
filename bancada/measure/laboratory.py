"""Opens the laboratory: reads targets, cores, candidates, experiments, engines and primitives once."""

from __future__ import annotations

from bancada.catalogue.catalogue import read_candidates, read_cores, read_experiments, read_targets
from bancada.engines.found import read_engines
from bancada.plan.laboratory import Laboratory
from bancada.primitives import read_primitives


def open_laboratory() -> Laboratory:
    """Everything of this repository and of the folders of BANCADA_PATH, with engines of its own.

    UserError, with the file, the key and the reason, for a definition that is wrong.
    """
    cores = read_cores()
    return Laboratory(
        targets=read_targets(cores, read_engines()),
        cores=cores,
        candidates=read_candidates(cores),
        experiments=read_experiments(),
        primitives=read_primitives(),
    )
