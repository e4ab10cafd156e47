"""The primitive "keystream" (contract.h)."""

from __future__ import annotations

from bancada.catalogue.experiment import Experiment
from bancada.primitives.keystream.algorithm import KeystreamAlgorithm
from bancada.primitives.keystream.client import KeystreamClient
from bancada.primitives.keystream.numbers import BUFFERS, OPERATIONS
from bancada.primitives.keystream.secrets import SECRETS
from bancada.primitives.primitive import FirmwareView, Primitive


def _parameters(experiment: Experiment, firmware: FirmwareView, operation: str) -> list[tuple[int, int]]:
    """A block, whose size is that of its counter and nonce, and the experiment's messages."""
    if operation == "set-key":
        return [(0, 0)]
    return [(size, 0) for size in (firmware.block_bytes, *experiment.stream_sizes_bytes)]


PRIMITIVE = Primitive(
    name="keystream",
    title="stream cipher",
    order=15,
    operations=OPERATIONS,
    buffers=BUFFERS,
    images={"none": 0, "keystream": 2},
    measured=("keystream",),
    required=("keystream",),
    required_fields=("digest_bytes",),
    setting_key=frozenset({"set-key"}),
    parameters=_parameters,
    client=KeystreamClient,
    algorithm_kind=KeystreamAlgorithm,
    secrets=SECRETS,
)
