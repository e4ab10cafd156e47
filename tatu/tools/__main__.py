"""`python -m tatu.tools` writes docs/reference/tatu-api.md and tatu/keywords.txt from the headers."""

from __future__ import annotations

from pathlib import Path

from tatu.tools.headers import read_headers
from tatu.tools.keywords import keywords
from tatu.tools.reference import reference

TATU = Path(__file__).resolve().parents[1]


def main() -> None:
    """Writes both files."""
    headers = read_headers()
    (TATU / "keywords.txt").write_text(keywords(headers))
    (TATU.parent / "docs" / "reference" / "tatu-api.md").write_text(reference(headers))


if __name__ == "__main__":
    main()
