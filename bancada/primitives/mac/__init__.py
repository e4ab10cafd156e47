"""The primitive "mac" (contract.h)."""

from __future__ import annotations

from bancada.catalogue.experiment import Experiment
from bancada.primitives.mac.algorithm import MacAlgorithm
from bancada.primitives.mac.client import MacClient
from bancada.primitives.mac.numbers import BUFFERS, OPERATIONS
from bancada.primitives.mac.secrets import SECRETS
from bancada.primitives.primitive import FirmwareView, Primitive


def _parameters(experiment: Experiment, firmware: FirmwareView, operation: str) -> list[tuple[int, int]]:
    return [(0, 0)] if operation == "set-key" else [(size, 0) for size in experiment.sizes_bytes]


PRIMITIVE = Primitive(
    name="mac",
    title="authentication code",
    order=40,
    operations=OPERATIONS,
    buffers=BUFFERS,
    images={"none": 0, "set-key": 1, "mac": 2},
    measured=("set-key", "mac"),
    required=("set-key", "mac"),
    required_fields=("digest_bytes",),
    setting_key=frozenset({"set-key"}),
    parameters=_parameters,
    client=MacClient,
    algorithm_kind=MacAlgorithm,
    secrets=SECRETS,
)
