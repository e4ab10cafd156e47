"""The primitive "mode": one call for a whole message, its key given with it (contract.h)."""

from __future__ import annotations

from bancada.catalogue.experiment import Experiment
from bancada.primitives.mode.algorithm import ModeAlgorithm
from bancada.primitives.mode.client import ModeClient
from bancada.primitives.mode.numbers import BUFFERS, OPERATIONS
from bancada.primitives.primitive import FirmwareView, Primitive


def _parameters(experiment: Experiment, firmware: FirmwareView, operation: str) -> list[tuple[int, int]]:
    return [(size, 0) for size in experiment.packet_sizes_bytes or experiment.sizes_bytes]


PRIMITIVE = Primitive(
    name="mode",
    title="mode",
    order=70,
    operations=OPERATIONS,
    buffers=BUFFERS,
    images={"none": 0, "encrypt": 1, "decrypt": 2, "both": 3},
    measured=("encrypt", "decrypt"),
    required=("encrypt",),
    required_fields=("nonce_bytes",),
    decrypting=frozenset({"decrypt"}),
    decrypting_images=frozenset({"decrypt", "both"}),
    parameters=_parameters,
    client=ModeClient,
    algorithm_kind=ModeAlgorithm,
)
