"""What is concluded follows from the results, whichever way they point. All results are planted."""

from __future__ import annotations

import csv
import dataclasses
import tomllib
from pathlib import Path

import pytest

from bancada.costing.profile import ENTRY, Block, Edge, Profile
from bancada.measure.laboratory import open_laboratory
from bancada.model.finding import Finding, Observation, Verdict
from bancada.model.result import Result
from bancada.model.status import Fidelity, Status
from bancada.studies.found import study_of
from bancada.studies.study import Evidence
from bancada.studies.within_bands import findings_of, findings_within_bands
from experiments.beaglebone.observe import counted
from tests.example_results import result as example

pytestmark = pytest.mark.quick

LABORATORY = open_laboratory()
EXPERIMENT = LABORATORY.experiments["beaglebone"]
STUDY = study_of(EXPERIMENT)
_WAYS = ("encrypt", "decrypt")


def _evidence(results: list[Result]) -> Evidence:
    return Evidence(LABORATORY, EXPERIMENT, results, ())


def _packet(
    implementation: str,
    level: str,
    operation: str,
    cycles_per_byte: float,
    kib: int = 128,
    bits: int = 128,
) -> Result:
    """On the BeagleBone Black at 1 GHz; "plain/rc6" is candidate `plain`'s RC6."""
    candidate, algorithm = implementation.split("/")
    cycles = round(cycles_per_byte * kib * 1024)
    return dataclasses.replace(
        example(),
        target="bbb",
        candidate=candidate,
        implementation=implementation,
        algorithm=algorithm,
        optimisation=level,
        operation=operation,
        key_bits=bits,
        size_bytes=kib * 1024,
        cycles_median=cycles,
        time_us=cycles / 1000,
        status=Status.OK,
    )


def _finding(results: list[Result], claim: str, judged_for: str = "") -> Finding:
    (found,) = [
        one for one in findings_of(STUDY, _evidence(results)) if claim in one.claim and judged_for in one.judged_for
    ]
    return found


@pytest.mark.parametrize(
    ("largest", "verdict"),
    [(10.0, Verdict.HOLDS), (10.4, Verdict.HOLDS), (10.6, Verdict.HOLDS_IN_PART), (4.0, Verdict.DOES_NOT_HOLD)],
)
def test_a_bend_in_the_line_is_seen(largest: float, verdict: Verdict) -> None:
    """10 cycles a byte at 512 KiB; doubling is 2.08 at 10.4, 2.12 at 10.6, and 0.8 at 4."""
    for implementation, level, programs in (("tatu/aes", "-O2", "fastest"), ("plain/aes", "-O0", "plain")):
        packets = [_packet(implementation, level, "encrypt", 10, kib) for kib in (128, 256, 512)]
        results = [*packets, _packet(implementation, level, "encrypt", largest, 1024)]
        assert _finding(results, "linearly", programs).verdict is verdict


@pytest.mark.parametrize(
    ("longer", "verdict"), [(10.1, Verdict.HOLDS), (10.4, Verdict.HOLDS_IN_PART), (14.0, Verdict.HOLDS_IN_PART)]
)
def test_the_key_matters_where_more_rounds_cost_more(longer: float, verdict: Verdict) -> None:
    for candidate, level, programs in (("tatu", "-O2", "fastest"), ("plain", "-O0", "plain")):
        results = [
            _packet(
                f"{candidate}/{algorithm}",
                level,
                operation,
                10 if bits == 128 or algorithm == "rc6" else longer,
                bits=bits,
            )
            for algorithm in ("aes", "rc6")
            for operation in ("encrypt", "decrypt")
            for bits in (128, 192, 256)
        ]
        assert _finding(results, "key's size", programs).verdict is verdict
        slower = [
            dataclasses.replace(one, time_us=one.time_us * 2) if one.key_bits == 256 and one.time_us else one
            for one in results
        ]
        assert _finding(slower, "key's size", programs).verdict is Verdict.DOES_NOT_HOLD


@pytest.mark.parametrize(
    ("aes", "verdict"),
    [(70, Verdict.HOLDS), (119, Verdict.HOLDS), (200, Verdict.HOLDS_IN_PART), (9, Verdict.DOES_NOT_HOLD)],
)
def test_rc6_against_aes_is_judged_for_plain_programs_and_for_the_fastest(aes: float, verdict: Verdict) -> None:
    """RC6 takes 10 cycles a byte. Within 20 % of 8 to 10 are 6.4 to 12."""
    plain = [_packet("plain/aes", "-O0", "encrypt", aes), _packet("plain/rc6", "-O0", "encrypt", 10)]
    assert _finding(plain, "8 to 10 times", "plain programs").verdict is verdict
    good = [_packet("tatu/aes", "-O2", "encrypt", 8), _packet("tomcrypt/rc6", "-O2", "encrypt", 9)]
    for results in (good, [*good, *plain]):
        assert _finding(results, "8 to 10 times", "fastest").verdict is Verdict.DOES_NOT_HOLD
    assert f"takes {round(aes / 8)} times as long" in _finding([*good, *plain], "8 to 10 times", "fastest").why
    assert "plain" not in _finding(good, "8 to 10 times", "fastest").why


@pytest.mark.parametrize(
    ("back", "verdict"), [(118, Verdict.HOLDS), (164, Verdict.HOLDS_IN_PART), (99, Verdict.DOES_NOT_HOLD)]
)
def test_aes_in_both_directions(back: float, verdict: Verdict) -> None:
    results = [_packet("plain/aes", "-O0", "encrypt", 100), _packet("plain/aes", "-O0", "decrypt", back)]
    assert _finding(results, "AES decrypts slower", "plain").verdict is verdict


@pytest.mark.parametrize(("longer", "verdict"), [(3960, Verdict.HOLDS), (4400, Verdict.HOLDS_IN_PART)])
def test_an_aes_that_makes_its_tables_anew_is_judged_apart(longer: float, verdict: Verdict) -> None:
    """It is measured on the smallest packet, and compared with RC6 on the same."""
    anew = [
        dataclasses.replace(
            _packet("plain/aes", "-O0", operation, longer if bits == 256 else 3900, bits=bits),
            variant="plain-tables-anew",
        )
        for operation in ("encrypt", "decrypt")
        for bits in (128, 192, 256)
    ]
    rc6 = [
        _packet("plain/rc6", "-O0", operation, 390 if kib == 128 else 1, kib, bits)
        for operation in ("encrypt", "decrypt")
        for bits in (128, 192, 256)
        for kib in (128, 1024)
    ]
    found = _finding([*anew, *rc6], "key's size", "tables for each block")
    assert found.verdict is verdict and "AES takes 3,900 cycles a byte" in found.ours
    assert f"{longer / 390:.3g} times" in _finding([*anew, *rc6], "8 to 10 times", "tables for each block").ours
    assert _finding([*anew, *rc6], "key's size", "plain programs").verdict is Verdict.NOT_MEASURED


@pytest.mark.parametrize(
    ("cost", "verdict"), [(100, Verdict.HOLDS), (20, Verdict.HOLDS_IN_PART), (5, Verdict.DOES_NOT_HOLD)]
)
def test_3des_is_compared_on_packets_of_its_size(cost: float, verdict: Verdict) -> None:
    """AES takes 30 cycles a byte and RC6 10, on the smallest packet; 1 on the largest."""
    for candidate, level, programs in (("plain", "-O0", "plain programs"), ("tomcrypt", "-O2", "fastest")):
        others = [
            _packet(f"{candidate}/{algorithm}", level, operation, one if kib == 128 else 1, kib)
            for algorithm, one in (("aes", 30), ("rc6", 10))
            for operation in ("encrypt", "decrypt")
            for kib in (128, 1024)
        ]
        slow = [_packet(f"{candidate}/triple-des", level, way, cost, bits=192) for way in ("encrypt", "decrypt")]
        assert _finding([*others, *slow], "better than 3DES", programs).verdict is verdict
        assert _finding(others, "better than 3DES", programs).verdict is Verdict.NOT_MEASURED


def test_rc6_is_judged_by_level() -> None:
    fast = [_packet("tatu/rc6", "-O2", operation, cost) for operation, cost in (("encrypt", 27), ("decrypt", 26))]
    plain = [_packet("plain/rc6", "-O0", operation, cost) for operation, cost in (("encrypt", 250), ("decrypt", 255))]
    with_, without = (_finding([*fast, *plain], "RC6 decrypts faster", words) for words in ("-O2", "-O0"))
    assert (with_.verdict, without.verdict) == (Verdict.HOLDS, Verdict.DOES_NOT_HOLD)
    assert "1 of 1 programs" in with_.ours and "0 of 1 programs" in without.ours
    assert "Loads and stores" in without.why


def _counted(program: str, level: str, encrypt: float, decrypt: float) -> tuple[list[Result], list[Observation]]:
    """A program's results, and its subtractions in a block."""
    both = {"encrypt": encrypt, "decrypt": decrypt}
    return [_packet(program, level, operation, 25) for operation in both], [
        Observation(
            "instructions",
            f"{program} {level} {operation}",
            Fidelity.EXACT,
            {"implementation": program, "optimisation": level, "operation": operation},
            {
                "instructions_per_block": 400.0 + (operation == "decrypt"),
                "subtractions_from_per_block": count,
            },
            "2026-11-23",
        )
        for operation, count in both.items()
    ]


@pytest.mark.parametrize(
    ("decrypts", "verdict"),
    [((0, 0, 0), Verdict.ANSWERED), ((0, 0, 80), Verdict.ANSWERED), ((40, 40, 0), Verdict.DOES_NOT_HOLD)],
)
def test_the_reason_follows_from_counted_instructions(decrypts: tuple[int, ...], verdict: Verdict) -> None:
    results, observations = _counted("plain/rc6", "-O0", 79, 40)
    for name, decrypt in zip(("one", "two", "three"), decrypts, strict=True):
        more = _counted(f"{name}/rc6", "-O2", 40, decrypt)
        results, observations = results + more[0], observations + more[1]
    found = next(
        one
        for one in findings_of(STUDY, Evidence(LABORATORY, EXPERIMENT, results, observations))
        if "Why does RC6" in one.claim
    )
    assert found.verdict is verdict
    assert f"{decrypts.count(0)} of 3 programs" in found.ours and "plain/rc6 79 and 40" in found.ours
    assert _finding(results, "Why does RC6").verdict is Verdict.NOT_MEASURED


def test_without_optimisation_the_counted_instructions_are_told() -> None:
    results, observations = _counted("plain/rc6", "-O0", 79, 40)
    (found,) = [
        one
        for one in findings_of(STUDY, Evidence(LABORATORY, EXPERIMENT, results, observations))
        if "RC6 decrypts faster" in one.claim and "-O0" in one.judged_for
    ]
    assert found.why.startswith("1 of 1 programs execute more instructions to decrypt")


@pytest.mark.parametrize(("algorithm", "least_ms"), [("AES", 509.0), ("RC6", 71.0)])
def test_the_plots_have_the_published_points(algorithm: str, least_ms: float) -> None:
    """Table 1: 128 KB with a 128-bit key; four packets."""
    results = [
        _packet(f"plain/{name}", "-O0", way, 250, kib) for name in ("aes", "rc6") for way in _WAYS for kib in (128, 256)
    ]
    plots = [plot for part in STUDY.sections(_evidence(results)) for plot in part.plots]
    (points,) = [one.points for one in plots[0].series if one.name == f"{algorithm}, published"]
    assert points[0] == (128.0, least_ms) and len(points) == 4
    assert len(plots) == 2


# ARMv7, assembled by hand from the ARM ARM (DDI 0406, A8.8): RSB r3, r2, #32; ROR r0, r0, r3; ROR r0, r0, #27;
# EOR r1, r1, r0, ROR r2; BX lr.
_ROTATIONS = "203062e2 7003a0e1 e00da0e1 701221e0 1eff2fe1"


def test_rotations_by_a_register_are_told_from_others() -> None:
    block = Block(0x1000, bytes.fromhex(_ROTATIONS), "arm")
    profile = Profile(blocks=(block,), edges=(Edge(ENTRY, 0, 1), Edge(0, 0, 19)), stack_bytes=0)
    found = counted(profile)
    assert (found["rsb"], found["rotations"], found["eor"], found["bx"]) == (20, 40, 20, 20)


def test_a_ready_made_library_is_counted_once() -> None:
    """Debian's library is the same whatever flags the program has that calls it."""
    ready_made = [
        _packet("tomcryptdebian/rc6", level, operation, cost)
        for level in ("-O0", "-O2")
        for operation, cost in (("encrypt", 27), ("decrypt", 26))
    ]
    assert _finding(ready_made, "RC6 decrypts faster", "-O2").ours.startswith("1 of 1")
    assert _finding(ready_made, "RC6 decrypts faster", "-O0").verdict is Verdict.NOT_MEASURED
    own = [dataclasses.replace(one, candidate="tomcrypt", implementation="tomcrypt/rc6") for one in ready_made]
    assert _finding(own, "RC6 decrypts faster", "-O0").ours.startswith("1 of 1")


def test_without_results_nothing_is_concluded() -> None:
    evidence = _evidence([])
    assert {found.verdict for found in findings_of(STUDY, evidence)} == {Verdict.NOT_MEASURED}
    assert STUDY.sections(evidence) == ()


def _within_bands(results: list[Result], claim: str, judged_for: str) -> Finding:
    (found,) = [
        one
        for one in findings_within_bands(STUDY, _evidence(results))
        if claim in one.claim and judged_for in one.judged_for
    ]
    return found


@pytest.mark.parametrize(
    ("back", "verdict"), [(1.4, Verdict.HOLDS_IN_PART), (1.02, Verdict.UNDECIDED), (0.8, Verdict.DOES_NOT_HOLD)]
)
def test_both_directions_of_one_program_share_the_error_of_the_core(back: float, verdict: Verdict) -> None:
    """The band is 33 %. 20 and 40 % are more than two directions of a program can differ in; 2 % are not."""
    results = [
        dataclasses.replace(_packet("tatu/aes", "-O2", operation, cost), fidelity_band_percent=33.0)
        for operation, cost in (("encrypt", 20.0), ("decrypt", 20 * back))
    ]
    assert _within_bands(results, "AES decrypts slower", "fastest").verdict is verdict


def test_sizes_of_one_program_move_together() -> None:
    """Or every line would bend."""
    results = [
        dataclasses.replace(_packet("tatu/rc6", "-O2", "encrypt", 20, kib), fidelity_band_percent=30.0)
        for kib in (128, 256, 512)
    ]
    found = _within_bands(results, "linearly", "fastest")
    assert (found.verdict, found.draws_alike) == (Verdict.HOLDS, 100)


def test_exact_figures_are_not_moved() -> None:
    results = [
        dataclasses.replace(_packet("tatu/rc6", "-O2", operation, 20), fidelity_band_percent=None)
        for operation in ("encrypt", "decrypt")
    ]
    assert all(f.draws_alike is None for f in findings_within_bands(STUDY, _evidence(results)))


# What was published, transcribed from the original a second time.

_FOLDER = Path(__file__).parent
_COLUMNS = [(algorithm, bits) for bits in ("128", "192", "256") for algorithm in ("aes", "rc6")]


def _printed() -> dict[tuple[str, ...], float]:
    """Every figure of the transcription: the tables' by algorithm, operation, key and size."""
    figures: dict[tuple[str, ...], float] = {}
    with (_FOLDER / "transcription.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            packet, *cells = row["printed"].split()
            if row["where"] in ("Table 1", "Table 2"):
                operation = {"Table 1": "encrypt", "Table 2": "decrypt"}[row["where"]]
                size = str(int(packet.removesuffix("KB")) * 1024)
                for (algorithm, bits), cell in zip(_COLUMNS, cells, strict=True):
                    figures[algorithm, operation, bits, size, "time"] = float(cell)
            elif row["figure"]:
                key, _, value = row["figure"].rpartition("=")
                figures[tuple(key.split(","))] = float(value)
    return figures


def test_published_csv_is_what_was_printed() -> None:
    with (_FOLDER.parent / "published.csv").open(newline="", encoding="utf-8") as file:
        published = {
            tuple(row[name] for name in ("algorithm", "operation", "key_bits", "size_bytes", "metric")): float(
                row["value"]
            )
            for row in csv.DictReader(file)
        }
    assert published == _printed()
    assert len(published) == 48 + 6
    assert published["rc6", "decrypt", "128", "131072", "time"] == 67


def test_the_ratios_of_the_findings_are_those_of_the_printed_tables() -> None:
    times = {key: value for key, value in _printed().items() if key[-1] == "time"}

    def spread(place: int, one: str, other: str, **fixed: str) -> list[float]:
        ratios = [
            times[(*key[:place], one, *key[place + 1 :])] / times[(*key[:place], other, *key[place + 1 :])]
            for key in times
            if key[place] == one and all(value in key for value in fixed.values())
        ]
        return [round(min(ratios), 2), round(max(ratios), 2)]

    file = tomllib.loads((_FOLDER.parent / "findings.toml").read_text(encoding="utf-8"))
    claims = {one["claim"]: one for one in file["finding"]}
    assert claims["AES decrypts slower than it encrypts"]["within"]["ratio"]["published"] == spread(
        1, "decrypt", "encrypt", algorithm="aes"
    )
    assert claims["RC6 decrypts faster than it encrypts"]["within"]["ratio"]["published"] == spread(
        1, "decrypt", "encrypt", algorithm="rc6"
    )
    low, high = spread(0, "aes", "rc6")
    assert f"{low:.1f} to {high:.1f} by its tables" in claims["RC6 is 8 to 10 times as fast as AES"]["published"]
    longest = max(max(spread(2, bits, "128")) for bits in ("192", "256"))
    assert f"at most {(longest - 1) * 100:.0f} %" in claims["The key's size hardly matters"]["published"]
