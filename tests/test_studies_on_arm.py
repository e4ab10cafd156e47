"""What the reports of the studies `beaglebone` and `biglittle` conclude follows from the results, whichever way they point."""

from __future__ import annotations

import dataclasses

import pytest
from example_results import result as example

from bancada.records import Finding, Result, Status, Verdict
from bancada.studies import beaglebone, biglittle
from bancada.studies.within_bands import findings_within_bands


def _packet(implementation: str, level: str, operation: str, cycles_per_byte: float, kib: int = 128, bits: int = 128) -> Result:
    """On the BeagleBone Black at 1 GHz; "plain/rc6" is candidate `plain`'s RC6."""
    candidate, algorithm = implementation.split("/")
    cycles = round(cycles_per_byte * kib * 1024)
    return dataclasses.replace(
        example(), target="bbb", candidate=candidate, implementation=implementation, algorithm=algorithm, optimisation=level,
        operation=operation, key_bits=bits, size_bytes=kib * 1024, cycles_median=cycles, time_us=cycles / 1000, status=Status.OK,
    )  # fmt: skip


def _of_beaglebone(results: list[Result], claim: str) -> Finding:
    return next(found for found in beaglebone.findings(results, []) if claim in found.claim)


def test_rc6_is_explained_where_it_decrypts_faster_and_plain_code_that_does_not_is_said() -> None:
    fast = [_packet("tatu/rc6", "-O2", "encrypt", 27), _packet("tatu/rc6", "-O2", "decrypt", 25)]
    found = _of_beaglebone(fast, "RC6 decrypts faster")
    assert found.verdict is Verdict.ANSWERED and "ROR" in found.why and "Without optimisation" not in found.why
    plain = [_packet("plain/rc6", "-O0", "encrypt", 250), _packet("plain/rc6", "-O0", "decrypt", 255)]
    found = _of_beaglebone(plain, "RC6 decrypts faster")
    assert found.verdict is Verdict.DOES_NOT_HOLD and "ROR" not in found.why
    two = [_packet("tomcrypt/rc6", "-O2", "encrypt", 25), _packet("tomcrypt/rc6", "-O2", "decrypt", 22)]
    found = _of_beaglebone([*fast, *plain, *two], "RC6 decrypts faster")
    assert found.verdict is Verdict.ANSWERED and "2 of 3 implementations" in found.ours and "Without optimisation" in found.why


@pytest.mark.parametrize(("largest", "verdict"), [(10.0, Verdict.HOLDS), (20.0, Verdict.HOLDS_IN_PART)])
def test_a_bend_in_the_line_is_seen(largest: float, verdict: Verdict) -> None:
    packets = [_packet("tatu/aes", "-O2", "encrypt", 10, kib) for kib in (128, 256, 512)]
    found = _of_beaglebone([*packets, _packet("tatu/aes", "-O2", "encrypt", largest, 1024)], "linearly")
    assert found.verdict is verdict


@pytest.mark.parametrize(("longer", "verdict"), [(10.1, Verdict.HOLDS), (14.0, Verdict.HOLDS_IN_PART)])
def test_the_key_matters_where_more_rounds_cost_more(longer: float, verdict: Verdict) -> None:
    results = [
        _packet("tatu/aes", "-O2", "encrypt", 10), _packet("tatu/aes", "-O2", "encrypt", longer, bits=256),
        _packet("tatu/rc6", "-O2", "encrypt", 20), _packet("tatu/rc6", "-O2", "encrypt", 20, bits=256),
    ]  # fmt: skip
    assert _of_beaglebone(results, "key's size").verdict is verdict


def test_how_much_slower_a_plain_program_is_comes_from_the_results() -> None:
    results = [
        _packet("tatu/aes", "-O2", "encrypt", 40), _packet("tatu/rc6", "-O2", "encrypt", 30),
        _packet("plain/aes", "-O0", "encrypt", 6840), _packet("plain/rc6", "-O0", "encrypt", 250),
    ]  # fmt: skip
    assert "takes 171 times as long" in _of_beaglebone(results, "8 to 10 times").why
    assert "plain" not in _of_beaglebone(results[:2], "8 to 10 times").why


def test_the_printed_voltage_is_beside_the_right_one_where_it_was_measured() -> None:
    def at(target: str, energy_uj: float) -> Result:
        return dataclasses.replace(
            example(), target=target, candidate="wolfssl", primitive="message", algorithm="message-sha-256", operation="send",
            optimisation="-O0", size_bytes=21, status=Status.OK, time_us=10.0, energy_uj=energy_uj,
        )  # fmt: skip

    def why(results: list[Result]) -> str:
        return next(found for found in biglittle.findings(results, []) if "higher clock" in found.claim).why

    both = [at("xu3-little@1000MHz", 10.0), at("xu3-little@1000MHz-1.89V", 27.5), at("xu3-little@600MHz", 8.0)]
    both += [dataclasses.replace(result, operation="receive") for result in both]
    assert "2.75 to 2.75 times the energy" in why(both)
    assert "1.8900" not in why([result for result in both if "1.89V" not in result.target])


def test_without_results_nothing_is_concluded() -> None:
    for study in (beaglebone, biglittle):
        assert {found.verdict for found in study.findings([], [])} == {Verdict.NOT_MEASURED}
        assert study.parts([], []) == ()


def _message(target: str, algorithm: str, operation: str, time_us: float, energy_uj: float) -> Result:
    return dataclasses.replace(
        example(), target=target, candidate="wolfssl", primitive="message", implementation=f"wolfssl/{algorithm}", algorithm=algorithm,
        optimisation="-O0", operation=operation, size_bytes=21, time_us=time_us, energy_uj=energy_uj, status=Status.OK,
        fidelity_band_percent=10.0,
    )  # fmt: skip


@pytest.mark.parametrize(("rsa_us", "verdict"), [(150.0, Verdict.HOLDS), (900.0, Verdict.HOLDS_IN_PART), (20.0, Verdict.DOES_NOT_HOLD)])
def test_rsa_and_ecdsa_are_compared_as_sender_and_receiver_together(rsa_us: float, verdict: Verdict) -> None:
    """ECDSA takes 40 and 60 µs."""
    rsa, ecdsa = "message-sha3-256+rsa-pkcs1", "message-sha3-256+ecdsa-secp256k1"
    results = [
        _message("xu3-big@600MHz", rsa, "send", rsa_us, rsa_us), _message("xu3-big@600MHz", rsa, "receive", 50, 50),
        _message("xu3-big@600MHz", ecdsa, "send", 40, 40), _message("xu3-big@600MHz", ecdsa, "receive", 60, 60),
    ]  # fmt: skip
    found = next(one for one in biglittle.findings(results, []) if "2.5 times" in one.claim)
    assert found.verdict is verdict
    assert f"{(rsa_us + 50) / 100:.2f}" in found.ours


@pytest.mark.parametrize(("cycles_per_byte", "band_percent", "fewest", "most"), [(300, 30.0, 100, 100), (23, 30.0, 10, 90), (23, 0.5, 100, 100)])
def test_a_verdict_says_whether_the_bands_of_the_models_could_turn_it(cycles_per_byte: int, band_percent: float, fewest: int, most: int) -> None:
    """RC6 at 20 cycles a byte for encryption: 300 for decryption is slower whatever the band; 23 is within 30 %, not within half a percent."""
    results = [
        dataclasses.replace(_packet("tatu/rc6", "-O2", operation, cost), fidelity_band_percent=band_percent)
        for operation, cost in (("encrypt", 20), ("decrypt", cycles_per_byte))
    ]
    found = next(f for f in findings_within_bands(beaglebone.BEAGLEBONE, results, []) if "RC6 decrypts faster" in f.claim)
    assert found.verdict is Verdict.DOES_NOT_HOLD
    assert found.draws_alike is not None and fewest <= found.draws_alike <= most
    others = [f for f in findings_within_bands(beaglebone.BEAGLEBONE, results, []) if f.verdict is Verdict.NOT_MEASURED]
    assert others and all(f.draws_alike is None for f in others)


def test_sizes_of_one_program_move_together() -> None:
    """Or every line would bend."""
    results = [dataclasses.replace(_packet("tatu/rc6", "-O2", "encrypt", 20, kib), fidelity_band_percent=30.0) for kib in (128, 256, 512)]
    found = next(f for f in findings_within_bands(beaglebone.BEAGLEBONE, results, []) if "linearly" in f.claim)
    assert (found.verdict, found.draws_alike) == (Verdict.HOLDS, 100)


def test_exact_figures_are_not_moved() -> None:
    results = [dataclasses.replace(_packet("tatu/rc6", "-O2", operation, 20), fidelity_band_percent=None) for operation in ("encrypt", "decrypt")]
    assert all(f.draws_alike is None for f in findings_within_bands(beaglebone.BEAGLEBONE, results, []))
