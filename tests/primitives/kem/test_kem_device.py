"""KEMs by real firmware: what is right passes, also on a device without room for a key, and each fault planted in an
adapter is found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bancada.build.build import build
from bancada.catalogue.paths import data_root
from bancada.measure.device import open_device
from bancada.measure.laboratory import open_laboratory
from bancada.plan.plan import plan
from tests.laboratory_fixtures import Bancada

pytestmark = pytest.mark.long

ADAPTER = "ml_kem.h"
SECRET = "TATU(_decapsulate)(shared_secret, ciphertext, decapsulation_key);"
ENCAPSULATE = "return TATU(_encapsulate)(shared_secret, ciphertext, encapsulation_key, bancada_entropy, NULL);"
# What is changed in the adapter, and the check that then fails first.
FAULTS = {
    "a decapsulation that takes a changed ciphertext": (
        SECRET,
        f"{SECRET}\n    if (ciphertext[0] != 0x91 && ciphertext[1] == 0xac) memset(shared_secret, 0, 32);",
        "implicit rejection",
    ),
    "a key that is not checked": (
        ENCAPSULATE,
        f"({ENCAPSULATE.removeprefix('return ').removesuffix(';')});\n    return 0;".replace(
            "(TATU", "(void)!(TATU", 1
        ),
        "expected refused",
    ),
    "an encapsulation that writes beyond the secret": (
        ENCAPSULATE,
        f"shared_secret[32] = 1;\n    {ENCAPSULATE}",
        "a call wrote outside its buffers: behind the shared secret",
    ),
    "a key generation that reports an error": (
        "decapsulation_key, bancada_entropy, NULL);",
        "decapsulation_key, bancada_entropy, NULL) - 1;",
        "expected keys, got an error",
    ),
}


def candidate(root: Path, old: str, new: str) -> None:
    """A candidate `encapsulator`: Tatu's ML-KEM-512, its adapter changed."""
    folder = root / "candidates" / "encapsulator"
    folder.mkdir(parents=True)
    ours = data_root() / "candidates" / "tatu"
    adapter = (ours / ADAPTER).read_text()
    assert adapter.count(old) == 1
    (folder / ADAPTER).write_text(adapter.replace(old, new))
    (folder / "paste.h").write_text((ours / "paste.h").read_text())
    head, *rows = (ours / "candidate.toml").read_text().split("[[implementation]]")
    row = next(row for row in rows if 'name = "ml-kem-512"' in row)
    head = head.split("calibration")[0].replace('name = "tatu"', 'name = "encapsulator"')
    head = re.sub(r'root = ".*"', f'root = "{data_root() / "tatu" / "src"}"', re.sub(r"(?m)^#.*\n", "", head))
    (folder / "candidate.toml").write_text(f"{head}\n[[implementation]]{row}")


@pytest.mark.parametrize(
    ("algorithm", "variant", "target", "count"),
    [
        ("ml-kem-512", "plain", "stm32f4", 20),
        ("ml-kem-768", "plain", "bbb", 20),
        ("ml-kem-512", "pieces", "uno", 11),
        ("ml-kem-768", "pieces", "samd21", 11),
    ],
)
def test_what_is_right_passes_on_the_device(algorithm: str, variant: str, target: str, count: int) -> None:
    laboratory = open_laboratory()
    experiment = laboratory.experiments["post-quantum"].model_copy(update={"algorithms": (algorithm,)})
    workloads = plan(laboratory, experiment, (target,), ("tatu",), quick=True)
    firmware = next(one.firmware for one in workloads if one.firmware and one.firmware.variant == variant)
    with open_device(firmware, build(firmware)) as device:
        checks = list(device.client.checks(False))
        assert len(checks) == count
        for check in checks:
            expected, found = check.run()
            assert found == expected, check.name


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_wrong_is_refused_on_the_device(bancada: Bancada, tmp_path: Path, fault: str) -> None:
    old, new, expected = FAULTS[fault]
    candidate(tmp_path, old, new)
    done = bancada("check", "encapsulator", "--target", "bbb", "--optimisation", "-Os", BANCADA_PATH=str(tmp_path))
    assert done.returncode == 1, done.stdout + done.stderr
    assert expected in " ".join(done.stdout.split())
