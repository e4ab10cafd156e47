"""Whole firmware on the emulated devices: what is counted, that it repeats, and what the one who asks gets when it goes
wrong."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bancada.build.build import build
from bancada.build.symbols import symbols
from bancada.catalogue.core import Core
from bancada.catalogue.target import Target
from bancada.costing.profile import ENTRY
from bancada.engines.qemu.call import call_in, ends_in_call
from bancada.engines.qemu.session import QemuSession
from bancada.measure.conformance import conformance
from bancada.measure.device import Device, open_device
from bancada.measure.laboratory import open_laboratory
from bancada.measure.run import run
from bancada.model.build import Build
from bancada.model.errors import UserError
from bancada.model.status import Status
from bancada.monitor.monitor import DeviceError
from bancada.plan.case import Firmware
from tests.engines.qemu.whole_firmware import firmware_on

FirmwareOf = Callable[[str], Firmware]

# One bare device, and one Linux process of each instruction set.
TARGETS = ("samd21", "bbb", "rpi3")


@pytest.mark.parametrize("target", TARGETS)
def test_a_run_is_conformant_and_the_same_again(target: str) -> None:
    firmware, cases = firmware_on(target)
    made = build(firmware)
    assert made.status is Status.OK, made.reason
    with open_device(firmware, made, is_counted=False) as device:
        tested = conformance(firmware, device)
    assert tested.first_failure is None
    assert tested.total > 100
    first, second = (run(firmware, made, cases[:2], 2) for _ in range(2))
    assert first.regions == second.regions
    for case in cases[:2]:
        for region in first.regions[case]:
            assert region.instructions is not None
            assert region.cycles is not None
            assert 0 < region.instructions < region.cycles * 3
            assert region.events["instructions"] == region.instructions


def session_of(device: Device) -> QemuSession:
    assert isinstance(device.session, QemuSession)
    return device.session


@pytest.mark.parametrize("target", TARGETS)
def test_a_region_is_cut_to_the_call_and_its_return(target: str) -> None:
    """The first instruction is the call, the last are those of the return; what sets up arguments between is not
    there."""
    firmware, cases = firmware_on(target, "tatu/aes128/tiny")
    made = build(firmware)
    assert made.elf_path is not None
    encrypt = next(case for case in cases if case.operation == "encrypt")
    with open_device(firmware, made) as device:
        device.client.prepare(encrypt, random.Random(1))
        session_of(device).profiles()
        device.client.call(encrypt)
        [profile] = session_of(device).profiles()
    call = call_in(profile)
    assert call is not None
    assert call.behind is not None
    [entry] = [edge.after for edge in call.profile.edges if edge.before == ENTRY]
    first = call.profile.blocks[entry]
    assert ends_in_call(first)
    assert len(first.code) == 4
    [called] = {edge.after for edge in call.profile.edges if edge.before == entry}
    function = symbols(Path(made.elf_path)).function_at(call.profile.blocks[called].address)
    assert function == "tatu_aes128_tiny_encrypt"
    [behind] = call.behind.blocks
    assert behind.address == first.address + len(first.code)


def test_the_empty_region_costs_what_is_subtracted() -> None:
    firmware, _ = firmware_on("samd21")
    made = build(firmware)
    with open_device(firmware, made) as device:
        device.session.regions()
        device.monitor.call(0)
        [empty] = device.session.regions()
        assert empty.region_cycles == empty.cycles > 0
        assert empty.stack_bytes == 0


# A cipher that does what its key's first byte says.
_MISBEHAVING = """
#define BANCADA_ONE_KEY 1
typedef struct { uint8_t key[16]; } bancada_encrypt_context;
__attribute__((noinline)) static void fall_over(void) { __asm__ __volatile__("udf #0"); }
__attribute__((noinline)) static void turn_round(void) { for (;;) { __asm__ __volatile__(""); } }
__attribute__((noinline)) static void misbehave(uint8_t how) { if (how == 1) { fall_over(); } if (how == 2) { turn_round(); } }
static inline void bancada_set_encrypt_key(bancada_encrypt_context *c, const uint8_t *key) { c->key[0] = key[0]; misbehave(key[0]); }
static inline void bancada_encrypt(bancada_encrypt_context *c, uint8_t *out, const uint8_t *in) { out[0] = in[0] ^ c->key[0]; }
"""


@pytest.fixture
def misbehaving(added_root: Path) -> Callable[[str], tuple[Firmware, Build]]:
    folder = added_root / "candidates" / "misbehaving"
    folder.mkdir(parents=True)
    (folder / "adapter.h").write_text(_MISBEHAVING)
    (folder / "empty.c").write_text("typedef int nothing;\n")
    (folder / "candidate.toml").write_text(
        'name = "misbehaving"\ntitle = "Misbehaving"\nversion = "1"\nlicence = "MIT"\nabout = "a test"\nroot ='
        ' "."\n[[implementation]]\nname = "aes128"\nprimitive = "block-cipher"\nalgorithm = "aes"\nvariant ='
        ' ["plain"]\nkey_bits = [128]\nblock_bytes = 16\nadapter = "adapter.h"\nsources = ["empty.c"]\noperations ='
        ' ["set-key", "encrypt"]\n'
    )

    def made(target: str) -> tuple[Firmware, Build]:
        firmware, _ = firmware_on(target, "misbehaving/aes128")
        return firmware, build(firmware)

    return made


@pytest.mark.parametrize("target", TARGETS)
def test_a_crash_names_the_function(target: str, misbehaving: Callable[[str], tuple[Firmware, Build]]) -> None:
    firmware, made = misbehaving(target)
    with open_device(firmware, made) as device:
        device.monitor.write(0, bytes([1]) + bytes(15))
        with pytest.raises(DeviceError, match="The firmware crashed in fall_over"):
            device.monitor.call(1)


@pytest.mark.parametrize("target", TARGETS)
def test_what_hangs_is_bounded_and_named(target: str, misbehaving: Callable[[str], tuple[Firmware, Build]]) -> None:
    firmware, made = misbehaving(target)
    with open_device(firmware, made) as device:
        device.monitor.write(0, bytes([2]) + bytes(15))
        with pytest.raises(
            DeviceError, match=r"did not answer at step 'call operation 1' within 0.5 s; it was in turn_round"
        ):
            device.monitor.call(1, timeout_s=0.5)


def test_a_campaign_that_is_stopped_ends_its_emulators(misbehaving: Callable[[str], tuple[Firmware, Build]]) -> None:
    firmware, made = misbehaving("samd21")
    with open_device(firmware, made) as device:
        firmware.target.engine.stop_all()
        with pytest.raises(DeviceError):
            device.monitor.call(0)


def test_an_instruction_that_the_table_does_not_know_is_named() -> None:
    """Firmware of a Cortex-M4 under the table of a Cortex-M0+, which lacks most of its instructions."""
    firmware, cases = firmware_on("stm32f4")
    made = build(firmware)
    assert made.elf_path is not None
    target = open_laboratory().target("stm32f4")
    core = open_laboratory().core("cortex-m0plus")
    encrypt = next(case for case in cases if case.operation == "encrypt")
    with open_device(firmware, made) as device:
        device.client.prepare(encrypt, random.Random(1))
        session = replace_core(session_of(device), core)
        session.profiles()
        device.client.call(encrypt)
        with pytest.raises(
            DeviceError, match=r"The instruction '.+' at 0x8.+ cannot be costed: .+ It is in the function add_round_key"
        ):
            session.regions()
    assert target.core.name == "cortex-m4"


def replace_core(session: QemuSession, core: Core) -> QemuSession:
    session._core = core
    return session


def test_a_missing_emulator_names_its_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    target = open_laboratory().target("samd21")
    emulator = replace_program(target, "qemu-system-arm-that-is-missing")
    for use in (target.engine.version, lambda missing: target.engine.open(missing, "x", False)):
        with pytest.raises(UserError, match="apt-get install qemu-system-arm"):
            use(emulator)


def replace_program(target: Target, program: str) -> Target:
    settings = target.settings.model_copy(update={"program": program})
    return target.model_copy(update={"settings": settings})


def test_what_does_not_fit_a_microcontroller_says_by_how_much(
    misbehaving: Callable[[str], tuple[Firmware, Build]],
) -> None:
    folder = open_laboratory().candidates["misbehaving"].folder
    (folder / "empty.c").write_text("unsigned char bulky_table[40000] = {1};\n")
    (folder / "adapter.h").write_text(
        _MISBEHAVING.replace("in[0] ^", "bulky_table[in[0]] ^").replace(
            "typedef struct", "extern uint8_t bulky_table[40000];\ntypedef struct", 1
        )
    )
    _, made = misbehaving("samd21")
    assert made.status is Status.DOES_NOT_FIT
    assert "more RAM than the 32768 B there are (biggest: bulky_table 40000 B" in str(made.reason)


def test_a_packet_is_costed_with_its_caches_and_repeats(monkeypatch: pytest.MonkeyPatch) -> None:
    """128 KiB pass through a level 1 data cache of 32 KiB: each of their 2048 input lines misses once."""
    firmware, cases = firmware_on("bbb", "tatu/aes128", "beaglebone")
    packet = next(case for case in cases if case.size_bytes == 131072 and case.operation == "encrypt")
    made = build(firmware)
    first = run(firmware, made, (packet,), 1)
    monkeypatch.setenv("LONGER", "x" * 1000)
    assert run(firmware, made, (packet,), 1).regions == first.regions
    [region] = first.regions[packet]
    assert 2048 <= region.events["l1d-misses"] < 2200
    assert region.events["l2-accesses"] > region.events["l1d-misses"]


def test_each_clock_of_a_target_is_a_target() -> None:
    slow, fast = (open_laboratory().target(f"xu3-little@{mhz}MHz") for mhz in (200, 1400))
    assert (slow.clock_hz, fast.clock_hz) == (200_000_000, 1_400_000_000)
    assert slow.toolchain == fast.toolchain
    assert slow.event_power is not None
    assert slow.event_power.voltage_v == 0.9195
    with pytest.raises(UserError, match="did you mean 'xu3-little@"):
        open_laboratory().target("xu3-little@400MHz")


def test_monte_carlo_of_several_calls_reports_each_region() -> None:
    firmware, _ = firmware_on("samd21")
    made = build(firmware)
    with open_device(firmware, made) as device:
        device.monitor.write(0, bytes(16))
        device.monitor.call(1)
        device.session.regions()
        device.monitor.call(2, count=7)
        assert len(device.session.regions()) == 7


def test_sources_of_a_target_do_not_change_with_its_clock() -> None:
    """One ELF serves all clocks of a core: it is built once."""
    firmware, _ = firmware_on("xu3-little@200MHz", experiment="libraries")
    other = replace(firmware, target=open_laboratory().target("xu3-little@1400MHz"))
    assert build(firmware).elf_sha256 == build(other).elf_sha256
