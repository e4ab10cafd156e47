"""The primitive "key-exchange" (contract.h)."""

from __future__ import annotations

from bancada.catalogue.experiment import Experiment
from bancada.primitives.key_exchange.algorithm import KeyExchangeAlgorithm
from bancada.primitives.key_exchange.client import KeyExchangeClient
from bancada.primitives.key_exchange.numbers import BUFFERS, OPERATIONS
from bancada.primitives.key_exchange.secrets import SECRETS
from bancada.primitives.key_exchange.template import TEMPLATE
from bancada.primitives.primitive import FirmwareView, Primitive


def _parameters(experiment: Experiment, firmware: FirmwareView, operation: str) -> list[tuple[int, int]]:
    """There is no message."""
    return [(0, 0)]


PRIMITIVE = Primitive(
    name="key-exchange",
    title="key exchange",
    order=55,
    operations=OPERATIONS,
    buffers=BUFFERS,
    images={"none": 0, "public-key": 1, "shared-secret": 2, "both": 3},
    measured=("public-key", "shared-secret"),
    required=("public-key", "shared-secret"),
    required_fields=(),
    parameters=_parameters,
    client=KeyExchangeClient,
    algorithm_kind=KeyExchangeAlgorithm,
    secrets=SECRETS,
    template=TEMPLATE,
)
