"""The primitive "message": sender and receiver of a reading, as in the study of ARM big.LITTLE (contract.h)."""

from __future__ import annotations

from bancada.catalogue.candidate import Source
from bancada.catalogue.experiment import Experiment
from bancada.primitives.message.algorithm import MessageAlgorithm
from bancada.primitives.message.client import MessageClient
from bancada.primitives.message.numbers import BUFFERS, OPERATIONS
from bancada.primitives.primitive import FirmwareView, Library, Primitive


def _parameters(experiment: Experiment, firmware: FirmwareView, operation: str) -> list[tuple[int, int]]:
    return [(size, 0) for size in experiment.sizes_bytes]


_NANOPB = Library(
    source=Source(
        registry="debian-source",
        package="nanopb",
        version="0.4.7",
        sha256="e1d89b166367a3c42d42311bdc2ed57ff78f86aede9a66828516e45490d48c81",
    ),
    sources=("pb_common.c", "pb_encode.c", "pb_decode.c"),
    include=(".",),
)

PRIMITIVE = Primitive(
    name="message",
    title="message",
    order=60,
    operations=OPERATIONS,
    buffers=BUFFERS,
    images={"none": 0, "send": 1, "receive": 2, "both": 3},
    measured=("send", "receive"),
    required=("send", "receive"),
    required_fields=("digest_bytes",),
    parameters=_parameters,
    client=MessageClient,
    algorithm_kind=MessageAlgorithm,
    library=_NANOPB,
)
