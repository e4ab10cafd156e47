"""The primitive "kem" (contract.h)."""

from __future__ import annotations

from bancada.catalogue.experiment import Experiment
from bancada.primitives.kem.algorithm import KemAlgorithm
from bancada.primitives.kem.client import KemClient
from bancada.primitives.kem.numbers import BUFFERS, OPERATIONS
from bancada.primitives.kem.secrets import SECRETS
from bancada.primitives.primitive import FirmwareView, Primitive


def _parameters(experiment: Experiment, firmware: FirmwareView, operation: str) -> list[tuple[int, int]]:
    """There is no message."""
    return [(0, 0)]


PRIMITIVE = Primitive(
    name="kem",
    title="key encapsulation",
    order=57,
    operations=OPERATIONS,
    buffers=BUFFERS,
    images={"none": 0, "make-key": 1, "encapsulate": 2, "decapsulate": 3, "both": 4},
    measured=("make-key", "encapsulate", "decapsulate"),
    required=("encapsulate",),
    required_fields=(),
    parameters=_parameters,
    client=KemClient,
    algorithm_kind=KemAlgorithm,
    secrets=SECRETS,
)
