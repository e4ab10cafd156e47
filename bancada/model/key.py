"""The key of a result in the store."""

from __future__ import annotations

import hashlib
import json


def result_key(*parts: object) -> str:
    """Hash of all that can change a result."""
    return hashlib.sha256(json.dumps([str(part) for part in parts]).encode()).hexdigest()
