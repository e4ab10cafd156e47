"""The bands of held-out errors: which figures count, and the 90 % quantile."""

from __future__ import annotations

from bancada.catalogue.core import Core
from bancada.catalogue.paths import data_root
from bancada.catalogue.target import Target
from bancada.costing.memory import Memory
from bancada.measure.laboratory import open_laboratory
from bancada.validate.bands import FEWEST_FIGURES, band_of_memory, band_of_results, bands
from bancada.validate.section import _declared
from bancada.validate.validate import deciding_figures
from bancada.validate.validation import Validation


def _outcome(
    error_percent: float, kind: str, call_cycles: float, part: str = "validation", memory: str = ""
) -> Validation:
    return Validation(
        core="one",
        set=part,
        program="a/b",
        device="a core",
        unit="cycles",
        published=10,
        predicted=10,
        error_percent=error_percent,
        band_percent=5,
        source="a paper",
        note="",
        instructions=9,
        engine_version="1",
        table_sha256="0",
        kind=kind,
        call_cycles=call_cycles,
        memory=memory,
    )


def test_of_ten_figures_nine_are_within_the_quantile() -> None:
    outcomes = [_outcome(-error, "crypto-assembly", 300) for error in range(1, 11)]

    [band] = bands(outcomes)

    assert (band.quantile_90_percent, band.largest_percent, band.mean_percent, band.figures) == (9, 10, 5.5, 10)


def test_of_nine_figures_the_quantile_is_the_largest() -> None:
    [band] = bands([_outcome(error, "crypto-assembly", 300) for error in range(1, 10)])

    assert band.quantile_90_percent == 9


def test_fewer_than_five_figures_have_no_nine_tenths() -> None:
    """They are written down, and nobody takes the largest error of one figure for a quantile."""
    [one], [five] = (bands([_outcome(3, "crypto-assembly", 300)] * figures) for figures in (1, 5))

    assert (one.nine_tenths, one.largest_percent) == ("too few", 3)
    assert five.nine_tenths == "3.0 %"


# What docs/reference/cores-cortex-m.md says in its table, and whether the figures of git are necessary.
_DECIDING = {"cortex-m0": (1, 1), "cortex-m0plus": (0, 0), "cortex-m3": (1, 1), "cortex-m4": (1, 30)}
_DECIDING |= {"cortex-a7": (1, 9), "cortex-a8": (13, 13), "cortex-a15": (7, 7), "cortex-a53": (17, 17)}
_DECIDING |= {"cortex-a53-arm": (9, 9)}


def test_how_many_figures_decide_is_known_of_every_core() -> None:
    cores = {name: core for name, core in open_laboratory().cores.items() if core.band_percent is not None}

    found = {name: (deciding_figures(core), deciding_figures(core, from_git=True)) for name, core in cores.items()}

    assert found == _DECIDING


def test_a_band_that_figures_do_not_decide_is_called_assumed() -> None:
    """In the core's file, in the documentation and in the report."""
    page = (data_root() / "docs" / "reference" / "cores-cortex-m.md").read_text(encoding="utf-8")
    for name, core in open_laboratory().cores.items():
        if core.band_percent is None:
            continue
        figures = deciding_figures(core, from_git=True)
        is_assumed = figures < FEWEST_FIGURES
        assert ("the band is assumed" in core.source) == is_assumed
        assert _declared(core).endswith(", assumed") == is_assumed
        if name.startswith("cortex-m"):
            [row] = [line for line in page.splitlines() if line.startswith(f"| {core.title} | ") and "±" in line]
            _, _, written, band, how, _ = (cell.strip() for cell in row.split("|"))
            assert written.split(",")[0] == str(figures)
            assert band == f"±{core.band_percent:g} %"
            assert how.split(":")[0] == ("assumed" if is_assumed else "decided")


def test_kinds_and_lengths_are_apart_and_only_held_out_figures_count() -> None:
    found = bands(
        [
            _outcome(1, "crypto-assembly", 300),
            _outcome(2, "crypto-assembly", 299.9),
            _outcome(3, "media-assembly", 300),
            _outcome(90, "crypto-assembly", 300, "fit"),
            _outcome(91, "crypto-assembly", 300, "set aside"),
        ]
    )

    assert [(band.kind, band.is_short, band.largest_percent) for band in found] == [
        ("crypto-assembly", False, 1),
        ("crypto-assembly", True, 2),
        ("media-assembly", False, 3),
    ]


def test_ciphers_decide_on_long_calls_and_every_kind_on_short_ones() -> None:
    ciphers = [_outcome(1, "crypto-assembly", 900)] * 5
    filters = [_outcome(8, "media-assembly", 900)] * 5
    short = [_outcome(error, "media-assembly", 100) for error in (2, 3, 4, 5)] + [_outcome(6, "crypto-assembly", 100)]

    of_long = band_of_results(ciphers + filters + short, is_short=False)
    of_short = band_of_results(ciphers + filters + short, is_short=True)

    assert of_long is not None and of_short is not None
    assert (of_long.kind, of_long.quantile_90_percent) == ("crypto-assembly", 1)
    assert (of_short.kind, of_short.quantile_90_percent) == ("all", 6)


def test_fewer_than_five_figures_decide_nothing() -> None:
    assert band_of_results([_outcome(1, "crypto-assembly", 900)] * 4, is_short=False) is None
    assert band_of_results([_outcome(8, "media-assembly", 900)] * 9, is_short=False) is None


def test_figures_behind_a_memory_decide_for_that_memory_alone() -> None:
    nothing_waits = [_outcome(1, "crypto-assembly", 900)] * 5
    behind = [_outcome(7, "crypto-assembly", 900, memory="flash")] * 3 + [_outcome(8, "compiled", 900, memory="flash")]
    behind += [_outcome(9, "compiled", 900, memory="flash"), _outcome(90, "compiled", 900, "fit", "flash")]

    of_core, of_memory = band_of_results(nothing_waits + behind, is_short=False), band_of_memory(behind, "flash")

    assert of_core is not None and of_memory is not None
    assert of_core.quantile_90_percent == 1
    assert (of_memory.kind, of_memory.memory, of_memory.figures, of_memory.quantile_90_percent) == (
        "all",
        "flash",
        5,
        9,
    )
    assert band_of_memory(nothing_waits + behind, "another") is None
    assert [(band.memory, band.kind) for band in bands(nothing_waits + behind)] == [
        ("", "crypto-assembly"),
        ("flash", "compiled"),
        ("flash", "crypto-assembly"),
    ]


def test_a_target_carries_the_wider_band_of_core_and_memory() -> None:
    core = Core.model_construct(name="one", band_percent=9.0, band_of_short_calls_percent=20.0)

    def band(of_memory: float | None, cycles: float) -> float | None:
        memory = Memory(about="flash", band_percent=of_memory)
        return Target.model_construct(name="board", core=core, memory=memory).band_of(cycles)

    assert [band(17, 300), band(17, 299), band(5, 300), band(None, 300)] == [17, 20, 9, 9]


def test_a_short_call_has_the_band_of_short_calls() -> None:
    core = Core.model_construct(name="one", band_percent=9.0, band_of_short_calls_percent=20.0)

    assert [core.band_of(cycles) for cycles in (299, 300, None)] == [20, 9, 9]
    assert Core.model_construct(name="one", band_percent=9.0, band_of_short_calls_percent=None).band_of(10) == 9
