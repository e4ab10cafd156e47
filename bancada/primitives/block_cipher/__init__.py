"""The primitive "block-cipher" (contract.h)."""

from __future__ import annotations

from bancada.catalogue.experiment import Experiment
from bancada.primitives.block_cipher.algorithm import BlockCipherAlgorithm
from bancada.primitives.block_cipher.client import BlockCipherClient
from bancada.primitives.block_cipher.numbers import BUFFERS, CHAINS, OPERATIONS
from bancada.primitives.block_cipher.secrets import SECRETS
from bancada.primitives.block_cipher.template import TEMPLATE
from bancada.primitives.primitive import FirmwareView, Primitive


def _parameters(experiment: Experiment, firmware: FirmwareView, operation: str) -> list[tuple[int, int]]:
    """One block; or the experiment's packets, of which variants that are too slow take the smallest."""
    if not experiment.packet_sizes_bytes or operation not in ("encrypt", "decrypt"):
        return [(firmware.block_bytes, 0)]
    sizes = experiment.packet_sizes_bytes
    if firmware.variant in experiment.smallest_packet_only:
        sizes = (min(sizes),)
    return [(size, 0) for size in sizes]


PRIMITIVE = Primitive(
    name="block-cipher",
    title="block cipher",
    order=10,
    operations=OPERATIONS,
    buffers=BUFFERS,
    chains=CHAINS,
    images={
        "none": 0,
        "set-key": 1,
        "encrypt": 2,
        "none-decrypt": 6,
        "set-decrypt-key": 5,
        "decrypt": 3,
        "both": 4,
    },
    measured=("set-key", "set-decrypt-key", "encrypt", "decrypt"),
    required=("set-key", "encrypt"),
    required_fields=("block_bytes",),
    setting_key=frozenset({"set-key", "set-decrypt-key"}),
    decrypting=frozenset({"decrypt", "set-decrypt-key"}),
    decrypting_images=frozenset({"none-decrypt", "set-decrypt-key", "decrypt", "both"}),
    implied={"decrypt": "set-decrypt-key"},
    shows_gaps=True,
    parameters=_parameters,
    client=BlockCipherClient,
    algorithm_kind=BlockCipherAlgorithm,
    secrets=SECRETS,
    template=TEMPLATE,
)
