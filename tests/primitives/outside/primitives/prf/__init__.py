"""The primitive "prf": a pseudo-random function of messages, as a hash table needs (contract.h)."""

from __future__ import annotations

from bancada.catalogue.experiment import Experiment
from bancada.plan.case import Firmware
from bancada.primitives import Primitive

from .algorithm import PrfAlgorithm
from .client import BUFFERS, OPERATIONS, PrfClient


def _parameters(experiment: Experiment, firmware: Firmware, operation: str) -> list[tuple[int, int]]:
    return [(0, 0)] if operation == "set-key" else [(size, 0) for size in experiment.sizes_bytes]


PRIMITIVE = Primitive(
    name="prf",
    title="pseudo-random function",
    order=45,
    operations=OPERATIONS,
    buffers=BUFFERS,
    images={"none": 0, "evaluate": 1},
    measured=("set-key", "evaluate"),
    required=("set-key", "evaluate"),
    required_fields=("digest_bytes",),
    setting_key=frozenset({"set-key"}),
    parameters=_parameters,
    client=PrfClient,
    algorithm_kind=PrfAlgorithm,
)
