"""`bancada pick`: which implementation fits?"""

from __future__ import annotations

from pathlib import Path

import click

from bancada.commands.options import Size, console, json_option, print_json, store_option, store_to_read
from bancada.model.errors import UserError


@click.command()
@click.option("--target", required=True)
@click.option("--operation", default="encrypt", show_default=True)
@click.option(
    "--key", "key_bits", type=int, default=128, show_default=True, help="Key size in bits; 0 for what has none."
)
@click.option("--size", "size_bytes", type=Size(), default=None, help="Bytes of the message. Default: one block, 16.")
@click.option(
    "--associated",
    "associated_bytes",
    type=Size(),
    default=None,
    help="Bytes of associated data. Default: the least measured.",
)
@click.option("--flash", type=Size(), default=None, help="At most this much flash: 2K, 1500.")
@click.option("--ram", type=Size(), default=None, help="At most this much RAM, stack included: 300.")
@click.option(
    "--by",
    default=None,
    metavar="METRIC",
    help="Best by this metric (bancada list metrics). Default: the first one, cycles.",
)
@click.option(
    "--primitive", default=None, help="Of this class: block-cipher, aead. Default: the first that has the operation."
)
@click.option("--algorithm", default=None, help="Only this algorithm: aes, speck128.")
@click.option(
    "--constant-time",
    is_flag=True,
    help="Only what 'bancada audit' found clean: on an AVR in this very build, elsewhere in its C sources.",
)
@json_option
@store_option
def pick(
    target: str,
    operation: str,
    key_bits: int,
    size_bytes: int | None,
    associated_bytes: int | None,
    flash: int | None,
    ram: int | None,
    by: str | None,
    primitive: str | None,
    algorithm: str | None,
    constant_time: bool,
    as_json: bool,
    store_path: Path | None,
) -> None:
    """Say which implementations fit a device's limits, best first, and why the others do not.

    Example: bancada pick --target uno --operation encrypt --key 128 --flash 2K --ram 300
    """
    from bancada.answers.board_section import without_boards
    from bancada.answers.pick import Question, pick_as_dict, render_pick
    from bancada.answers.pick import pick as choose
    from bancada.audit.marks import with_audits
    from bancada.audit.store import read_audits
    from bancada.measure.laboratory import open_laboratory
    from bancada.measure.read_metrics import read_metrics
    from bancada.model.status import Status

    metrics = read_metrics()
    store = store_to_read(store_path)
    results = without_boards(with_audits(store.results(), read_audits(store.path)))
    if not any(result.target == target for result in results):
        # A target with results is accepted even if its target.toml is not found in this shell.
        open_laboratory().target(target)
    if not any(result.target == target and result.status is Status.OK for result in results):
        raise UserError(f"There are no results for target '{target}' yet: bancada run EXPERIMENT --target {target}")
    question = Question(
        target=target,
        operation=operation,
        key_bits=key_bits,
        limits={name: most for name, most in (("flash", flash), ("ram", ram)) if most is not None},
        by=by,
        primitive=primitive,
        algorithm=algorithm,
        size_bytes=size_bytes,
        associated_bytes=associated_bytes,
        constant_time=constant_time,
    )
    answer = choose(results, question, metrics)
    if as_json:
        print_json(pick_as_dict(answer))
    else:
        console().print(render_pick(answer, metrics))
