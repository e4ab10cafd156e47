"""The primitive "aead" (contract.h)."""

from __future__ import annotations

from bancada.catalogue.experiment import Experiment
from bancada.primitives.aead.algorithm import AeadAlgorithm
from bancada.primitives.aead.client import AeadClient
from bancada.primitives.aead.numbers import BUFFERS, OPERATIONS
from bancada.primitives.aead.secrets import SECRETS
from bancada.primitives.aead.template import TEMPLATE
from bancada.primitives.primitive import FirmwareView, Primitive


def _parameters(experiment: Experiment, firmware: FirmwareView, operation: str) -> list[tuple[int, int]]:
    if operation == "set-key":
        return [(0, 0)]
    return [(size, more) for more in experiment.associated_sizes_bytes for size in experiment.sizes_bytes]


PRIMITIVE = Primitive(
    name="aead",
    title="authenticated encryption",
    order=20,
    operations=OPERATIONS,
    buffers=BUFFERS,
    images={"none": 0, "set-key": 1, "encrypt": 2, "decrypt": 3, "both": 4},
    measured=("set-key", "encrypt", "decrypt"),
    required=("encrypt",),
    required_fields=("nonce_bytes", "tag_bytes"),
    setting_key=frozenset({"set-key"}),
    decrypting=frozenset({"decrypt"}),
    decrypting_images=frozenset({"decrypt", "both"}),
    parameters=_parameters,
    client=AeadClient,
    algorithm_kind=AeadAlgorithm,
    secrets=SECRETS,
    template=TEMPLATE,
)
