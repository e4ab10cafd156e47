"""The primitives that the laboratory measures.

Each is one folder with everything about it; read_primitives finds them.
"""

from __future__ import annotations

from pathlib import Path

from bancada.primitives.discovery import read_primitives
from bancada.primitives.primitive import (
    SP800_38A,
    Algorithm,
    Check,
    Client,
    Library,
    Primitive,
    Secret,
    SecretCalls,
    Secrets,
    Template,
)

# C sources find a primitive of ours below it, as "<primitive>/contract.h".
CONTRACTS = Path(__file__).parent

__all__ = [
    "CONTRACTS",
    "SP800_38A",
    "Algorithm",
    "Check",
    "Client",
    "Library",
    "Primitive",
    "Secret",
    "SecretCalls",
    "Secrets",
    "Template",
    "read_primitives",
]
