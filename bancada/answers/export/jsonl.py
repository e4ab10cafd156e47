"""JSON Lines: one result a line, every field, in the order of bancada/schema/result-4.schema.json."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bancada.model.result import Result


def render(results: Sequence[Result]) -> str:
    return "".join(json.dumps(result.as_dict(), ensure_ascii=False, allow_nan=False) + "\n" for result in results)
