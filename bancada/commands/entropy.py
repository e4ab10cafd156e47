"""`bancada entropy`: how much min-entropy do raw samples have?"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from bancada.commands.options import console, json_option, print_json
from bancada.entropy.assess import STANDARD_SAMPLES, assess
from bancada.entropy.estimate import Estimate
from bancada.model.errors import UserError


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--bits", type=click.IntRange(1, 8), default=8, show_default=True, help="Bits of a sample.")
@json_option
def entropy(file: Path, bits: int, as_json: bool) -> None:
    """Estimate the min-entropy of raw samples.

    FILE has one sample in each byte. The estimators are the ten of NIST SP 800-90B, section 6.3, for sources that are
    not IID. The least estimate counts. A million samples take minutes.

    Example: bancada entropy samples.bin --bits 8
    """
    try:
        samples = file.read_bytes()
    except OSError as error:
        raise UserError(f"{file}: {error.strerror}: give a file with one sample in each byte") from None
    found = assess(samples, bits)
    if as_json:
        print_json(asdict(found))
        return
    from rich.table import Table

    table = Table("section", "estimator", "samples", "bits", title="Min-entropy, bits a sample and bits a bit")
    of_bits = {estimate.section: estimate for estimate in found.of_bits}
    of_samples = {estimate.section: estimate for estimate in found.of_samples}
    for section in sorted({**of_bits, **of_samples}, key=lambda one: int(one.rsplit(".", 1)[1])):
        pair = (of_samples.get(section), of_bits.get(section))
        [name, *_] = [estimate.name for estimate in pair if estimate]
        table.add_row(section, name, *map(_shown, pair))
    out = console()
    out.print(table)
    if found.samples < STANDARD_SAMPLES:
        out.print(f"{found.samples:,} samples; the standard asks for {STANDARD_SAMPLES:,}: the estimates are low.")
    out.print(f"min-entropy: {found.min_entropy:.4f} bits a sample of {bits} bits")


def _shown(estimate: Estimate | None) -> str:
    return f"{estimate.bits:.4f}" if estimate else "-"
