"""The primitive "signature" (contract.h)."""

from __future__ import annotations

from bancada.catalogue.experiment import Experiment
from bancada.primitives.primitive import FirmwareView, Primitive
from bancada.primitives.signature.algorithm import SignatureAlgorithm
from bancada.primitives.signature.client import SignatureClient
from bancada.primitives.signature.numbers import BUFFERS, OPERATIONS
from bancada.primitives.signature.secrets import SECRETS


def _parameters(experiment: Experiment, firmware: FirmwareView, operation: str) -> list[tuple[int, int]]:
    """What is signed is a digest, whatever the message."""
    return [(0, 0)]


def _is_in_pieces(firmware: FirmwareView) -> bool:
    """Signatures of schemes without a size of key are thousands of bytes."""
    return firmware.key_bits == 0


PRIMITIVE = Primitive(
    name="signature",
    title="signature",
    order=50,
    operations=OPERATIONS,
    buffers=BUFFERS,
    images={"none": 0, "sign": 1, "verify": 2, "both": 3},
    measured=("set-key", "sign", "verify"),
    required=("verify",),
    required_fields=("digest_bytes",),
    setting_key=frozenset({"set-key"}),
    parameters=_parameters,
    client=SignatureClient,
    algorithm_kind=SignatureAlgorithm,
    secrets=SECRETS,
    is_in_pieces=_is_in_pieces,
)
