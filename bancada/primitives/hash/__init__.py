"""The primitive "hash" (contract.h)."""

from __future__ import annotations

from bancada.catalogue.experiment import Experiment
from bancada.primitives.hash.algorithm import HashAlgorithm
from bancada.primitives.hash.client import HashClient
from bancada.primitives.hash.numbers import BUFFERS, OPERATIONS
from bancada.primitives.hash.secrets import SECRETS
from bancada.primitives.hash.template import TEMPLATE
from bancada.primitives.primitive import FirmwareView, Primitive


def _parameters(experiment: Experiment, firmware: FirmwareView, operation: str) -> list[tuple[int, int]]:
    return [(size, 0) for size in experiment.sizes_bytes]


PRIMITIVE = Primitive(
    name="hash",
    title="hash",
    order=30,
    operations=OPERATIONS,
    buffers=BUFFERS,
    images={"none": 0, "hash": 2},
    measured=("hash",),
    required=("hash",),
    required_fields=("digest_bytes",),
    parameters=_parameters,
    client=HashClient,
    algorithm_kind=HashAlgorithm,
    secrets=SECRETS,
    template=TEMPLATE,
)
