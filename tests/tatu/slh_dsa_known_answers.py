"""The ten known answers of SLH-DSA-SHA2-128s, made by the reference: their digest is the one that the designers give.
It takes minutes: `make test-slh-dsa`."""

from __future__ import annotations

import hashlib
import sys

from bancada.primitives.references.slh_dsa import holds
from bancada.primitives.signature.algorithms.slh_dsa_sha2_128s import known_answers


def main() -> int:
    """0 if the digest is right."""
    text = "# SPHINCS+\n\n"
    for number, answer in enumerate(known_answers.known_answers()):
        text += known_answers.entry(number, answer)
        print(f"{number + 1} of {known_answers.COUNT}", flush=True)
    found = hashlib.sha256(text.encode()).hexdigest()
    public, message, signature = known_answers.first()
    is_right = found == known_answers.DIGEST and holds(public, message, signature) and signature.hex().upper() in text
    print(f"expected {known_answers.DIGEST}, got {found}: {'right' if is_right else 'WRONG'}")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
