"""`bancada entropy`: the table, JSON, and every mistake."""

from __future__ import annotations

import json
import random
from pathlib import Path

from click.testing import CliRunner

from bancada.commands.entropy import entropy


def test_the_command_shows_all_estimators_and_the_least(tmp_path: Path) -> None:
    file = tmp_path / "samples.bin"
    file.write_bytes(bytes(random.Random(1).choices(range(16), k=10_000)))
    done = CliRunner().invoke(entropy, [str(file), "--bits", "4"])
    assert done.exit_code == 0
    for section in range(1, 11):
        assert f"6.3.{section} " in done.output
    assert "10,000 samples; the standard asks for 1,000,000" in done.output
    found = json.loads(CliRunner().invoke(entropy, [str(file), "--bits", "4", "--json"]).output)
    of_samples = [estimate["bits"] for estimate in found["of_samples"]]
    of_bits = [4 * estimate["bits"] for estimate in found["of_bits"]]
    assert found["min_entropy"] == min(of_samples + of_bits)
    assert f"min-entropy: {found['min_entropy']:.4f} bits a sample of 4 bits" in done.output


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    done = CliRunner().invoke(entropy, [str(tmp_path / "none.bin")])
    assert "No such file" in str(done.exception)
