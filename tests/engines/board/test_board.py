"""A board through its port: what the simulator counts, its timer counts; every fault of line, port and flasher is one
bounded error.

The board is tests/board_bench.py: the simulator behind a pseudo-terminal, and a false avrdude.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import serial

from bancada.build.build import build
from bancada.campaign.board import alone_with, maybe_board
from bancada.catalogue.target import Target
from bancada.engines.board import flash as board_flash
from bancada.engines.board import port as board_port
from bancada.engines.board import session as board
from bancada.engines.board.flash import Flash
from bancada.engines.board.intel_hex import intel_hex
from bancada.measure.conformance import conformance
from bancada.measure.device import Device, open_device
from bancada.measure.laboratory import open_laboratory
from bancada.measure.run import run
from bancada.model.build import Build
from bancada.model.errors import UserError
from bancada.monitor.monitor import DeviceError
from bancada.plan.case import Case, Firmware
from bancada.plan.plan import plan
from tests.board_bench import Bench, path_without_avrdude, with_board_at


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    with Bench(tmp_path / "bench") as found:
        monkeypatch.setenv("PATH", found.path)
        yield found


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults are waited for less long than people's boards are."""
    monkeypatch.setattr(board, "_WAKE_S", 4.0)
    monkeypatch.setattr(board.BoardSession, "answer_wait_s", 2.0)
    monkeypatch.setattr(board.BoardSession, "longest_wait_s", 2.0)


@pytest.fixture
def speck(firmware_of: Callable[[str], Firmware]) -> tuple[Firmware, Build, tuple[Case, ...]]:
    firmware = firmware_of("tatu/speck128-128")
    made = build(firmware)
    workloads = plan(open_laboratory(), open_laboratory().experiments["sensor"], quick=True)
    cases = next(workload.cases for workload in workloads if workload.firmware == firmware)
    return firmware, made, cases


Speck = tuple[Firmware, Build, tuple[Case, ...]]


@contextmanager
def attached(bench: Bench) -> Iterator[Target]:
    """The UNO that is the board on the bench's port."""
    with with_board_at("uno", bench.port) as laboratory:
        yield laboratory.target("uno")


def on(target: Target, firmware: Firmware) -> Firmware:
    return replace(firmware, target=target)


def open_on(bench: Bench, speck: Speck) -> Iterator[Device]:
    with attached(bench) as uno, open_device(on(uno, speck[0]), speck[1]) as device:
        yield device


def test_the_boards_timer_says_what_the_simulator_counts(bench: Bench, speck: Speck) -> None:
    firmware, made, cases = speck
    simulated = run(firmware, made, cases, 4)
    with attached(bench) as uno:
        measured = run(on(uno, firmware), made, cases, 4)
        with open_device(on(uno, firmware), made) as device:
            tested = conformance(firmware, device)
    assert (tested.first_failure, tested.passed) == (None, tested.total)
    assert {case.operation for case in cases} == {"set-key", "set-decrypt-key", "encrypt", "decrypt"}
    for case in cases:
        counted, timed = simulated.regions[case], measured.regions[case]
        assert [region.cycles for region in timed] == [region.cycles for region in counted], case.name
        assert all(region.stack_bytes is None and region.instructions is None for region in timed)
    assert measured.main_cycles is None
    assert "Timer 1" in measured.engine_version
    assert bench.complaints == []


def test_the_flash_is_written_only_when_another_firmware_is_there(
    bench: Bench, speck: Speck, firmware_of: Callable[[str], Firmware]
) -> None:
    firmware, made, _ = speck
    other = firmware_of("tatu/speck128-128/tiny")
    with attached(bench) as uno:
        for _ in range(2):
            with open_device(on(uno, firmware), made) as device:
                assert device.facts.key_bytes == 16
        assert (bench.compared, bench.written) == (1, 1)
        with open_device(on(uno, other), build(other)):
            pass
        assert (bench.compared, bench.written) == (1, 2)
    with attached(bench) as uno, open_device(on(uno, other), build(other)):
        pass
    assert (bench.compared, bench.written) == (2, 2), "a campaign that begins again looks before it writes"


def test_a_board_that_was_changed_for_another_is_looked_at_again(bench: Bench, speck: Speck) -> None:
    firmware, made, _ = speck
    with attached(bench) as uno:
        with open_device(on(uno, firmware), made):
            pass
        bench.unplug()
        keeps_the_old_device_files_number = [os.openpty() for _ in range(3)]
        bench.plug_in()
        bench._image = b"\xff" * 64  # another board, with something else in its flash
        with open_device(on(uno, firmware), made) as device:
            assert device.facts.block_bytes == 16
        assert bench.written == 2
    for ends in keeps_the_old_device_files_number:
        for end in ends:
            os.close(end)


def test_a_board_behind_an_address_is_looked_at_whenever_it_is_opened(
    bench: Bench, speck: Speck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The device file is the same for another board: only the content of its flash shows which one it is."""
    firmware, made, _ = speck
    monkeypatch.setattr(board_flash, "is_address", lambda port: True)
    with attached(bench) as uno:
        for _ in range(2):
            with open_device(on(uno, firmware), made):
                pass
        assert (bench.compared, bench.written) == (2, 1)
        bench._image = b"\xff" * 64  # another board, with something else in its flash
        with (
            pytest.raises(UserError, match="no longer has the firmware that was written to it: it is another board"),
            open_device(on(uno, firmware), made),
        ):
            pass
        assert bench.written == 1, "a board is not written to without being asked"


def test_noise_around_frames_and_damaged_and_lost_answers_change_nothing(
    bench: Bench, speck: Speck, impatient: None
) -> None:
    for device in open_on(bench, speck):
        first = bench.frames + 1
        faults = bench.faults
        faults.before = {first: b"\x07boot loader 4.4\r\n", first + 1: bytes(range(255, 0, -1))}
        faults.after = {first: b"\x02\x02noise", first + 2: b"\0\0\x01\0"}
        faults.damaged = {first + 3}
        faults.lost = {first + 5}
        data = bytes(range(16))
        for _ in range(4):
            device.monitor.write(2, data)
            assert device.monitor.read(2, 16) == data
        assert bench.frames >= first + 7 + len(faults.damaged) + len(faults.lost)


def test_noise_in_front_of_an_answer_costs_nothing(bench: Bench, speck: Speck, impatient: None) -> None:
    """A call is never asked for twice: its answer must be found."""
    for device in open_on(bench, speck):
        bench.faults.before = {bench.frames + 1: b"\x07boot loader 4.4\r\n"}
        assert device.monitor.call(0)[0] == 0


def test_noise_that_is_sent_to_the_board_changes_nothing(bench: Bench, speck: Speck) -> None:
    for device in open_on(bench, speck):
        device.session.write(bytes(range(256)) * 2)
        device.monitor.write(2, bytes(16))
        assert device.monitor.read(2, 16) == bytes(16)


def test_an_answer_to_a_call_that_was_damaged_fails_the_case(bench: Bench, speck: Speck, impatient: None) -> None:
    for device in open_on(bench, speck):
        bench.faults.damaged = {bench.frames + 1}
        with pytest.raises(
            DeviceError, match="did not answer at step 'call operation 0' within 2 s; 1 damaged answer came"
        ):
            device.monitor.call(0)


def test_a_reset_in_the_middle_is_noticed(bench: Bench, speck: Speck, impatient: None) -> None:
    for device in open_on(bench, speck):
        device.monitor.write(2, bytes(16))
        bench.reset()
        with pytest.raises(DeviceError, match="restarted in the middle of the run, at step 'read buffer 2'"):
            device.monitor.read(2, 16)


def test_a_reset_before_an_answer_is_noticed(bench: Bench, speck: Speck, impatient: None) -> None:
    for device in open_on(bench, speck):
        bench.faults.reset_at = {bench.frames + 1}
        with pytest.raises(DeviceError, match="restarted in the middle of the run, at step 'read buffer 2'"):
            device.monitor.read(2, 16)


def test_silence_in_a_case_fails_the_case(bench: Bench, speck: Speck, impatient: None) -> None:
    for device in open_on(bench, speck):
        bench.faults.silent_from = bench.frames + 1
        with pytest.raises(DeviceError, match="did not answer at step 'write buffer 2' within 2 s"):
            device.monitor.write(2, bytes(16))


def test_an_unplugged_board_is_no_fault_of_the_case(bench: Bench, speck: Speck, impatient: None) -> None:
    with pytest.raises(
        UserError, match=r"The board on .*ttyACM0 went away.*plug it in again; every finished case is stored"
    ):
        for device in open_on(bench, speck):
            bench.faults.unplug_at = bench.frames + 2
            for _ in range(3):
                device.monitor.read(2, 16)


def test_a_board_that_never_answers_is_told_from_firmware_that_never_does(
    bench: Bench, speck: Speck, impatient: None
) -> None:
    bench.faults.silent_from = 1
    with pytest.raises(
        UserError, match="did not answer within 4 s and sent nothing, while the same firmware answers in the simulator"
    ):
        next(open_on(bench, speck))


def test_firmware_that_answers_nowhere_fails_its_cases_alone(
    bench: Bench, speck: Speck, impatient: None, tmp_path: Path
) -> None:
    source, elf = tmp_path / "dumb.c", tmp_path / "dumb.elf"
    source.write_text(
        "#include <avr/sleep.h>\n#include <avr/interrupt.h>\nint main(void) { cli(); sleep_mode(); for (;;) {} }\n"
    )
    subprocess.run(["avr-gcc", "-mmcu=atmega328p", "-Os", str(source), "-o", str(elf)], check=True)
    firmware, made, _ = speck
    dumb = replace(made, elf_path=str(elf))
    with attached(bench) as uno:
        with (
            pytest.raises(DeviceError, match="answers neither on the board, which sent nothing, nor in the simulator"),
            open_device(on(uno, firmware), dumb),
        ):
            pass
        with open_device(on(uno, firmware), made) as device:
            assert device.facts.clock_hz == 16_000_000


def test_another_speed_is_named_as_what_it_looks_like(bench: Bench, speck: Speck, impatient: None) -> None:
    bench.faults.echo = b"\xf8\x00\x1c\xe0\x00\xf8"
    with pytest.raises(
        UserError,
        match="sent [0-9]+ bytes that are not an answer.*at 16 MHz, and does its USB bridge run at 500000 baud",
    ):
        next(open_on(bench, speck))


def test_the_port_is_opened_at_the_firmwares_speed(bench: Bench, speck: Speck) -> None:
    """The bench passes nothing but noise at any other."""
    for device in open_on(bench, speck):
        assert device.facts.block_bytes == 16
        assert bench._speed_is_right()
        bench.baud = 0
        assert not bench._speed_is_right()


# The port.


def test_a_port_that_is_not_there_is_told_with_those_that_are(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    there = [board_port.Port("/dev/ttyACM1", "Arduino Uno", "USB 2341:0043")]
    monkeypatch.setattr(board_port, "ports", lambda: there)
    with (
        pytest.raises(UserError, match=r"no port /dev/ttyACM99; the ports there are: /dev/ttyACM1 \(Arduino Uno\)"),
        with_board_at("uno", "/dev/ttyACM99"),
    ):
        pass
    monkeypatch.setattr(board_port, "ports", lambda: [])
    with pytest.raises(UserError, match="no serial port at all"), with_board_at("uno", "/dev/ttyACM99"):
        pass


def test_a_port_that_another_program_has_is_told(bench: Bench) -> None:
    with open(bench.port, "rb", buffering=0) as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with (
            pytest.raises(UserError, match="Another program has .* open"),
            with_board_at("uno", bench.port),
        ):
            pass


def test_two_campaigns_do_not_share_a_board(bench: Bench) -> None:
    with (
        with_board_at("uno", bench.port),
        pytest.raises(UserError, match="Another bancada is at work with the board"),
        with_board_at("uno", bench.port),
    ):
        pass


def test_an_address_is_one_board_from_every_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with alone_with("socket://127.0.0.1:9"):
        monkeypatch.chdir(tmp_path)
        with (
            pytest.raises(UserError, match="Another bancada is at work with the board"),
            alone_with("socket://127.0.0.1:9"),
        ):
            pass


def test_a_port_that_may_not_be_used_is_told_with_the_group(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise serial.SerialException(errno.EACCES, "could not open port: Permission denied")

    monkeypatch.setattr(serial, "serial_for_url", refuse)
    with (
        pytest.raises(UserError, match="You may not use .*usermod -aG dialout"),
        with_board_at("uno", bench.port),
    ):
        pass


def test_a_file_is_no_port(bench: Bench, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(UserError, match="is not a serial port"), with_board_at("uno", str(file)):
        pass


@pytest.mark.parametrize(
    ("port", "said"),
    [("nonsense://here", "is not a serial port"), ("socket://localhost:1", "Nothing answers at socket://localhost:1")],
)
def test_an_address_that_leads_nowhere_is_told(bench: Bench, port: str, said: str) -> None:
    with pytest.raises(UserError, match=said), with_board_at("uno", port):
        pass


def test_a_target_that_no_firmware_is_written_to_has_no_board(bench: Bench) -> None:
    with pytest.raises(UserError, match=r"has no table \[flasher\]"), with_board_at("samd21", bench.port):
        pass


@pytest.mark.parametrize(
    ("targets", "scheduler", "said"),
    [
        ((), None, "say which with one --target"),
        (("uno", "mega2560"), None, "say which with one --target"),
        (("uno",), "tcp://x:1", "leave one out"),
    ],
)
def test_options_that_no_board_can_follow(targets: tuple[str, ...], scheduler: str | None, said: str) -> None:
    with pytest.raises(UserError, match=said):
        maybe_board(open_laboratory(), "/dev/ttyACM0", targets, scheduler)


# The flasher.


def test_a_missing_flasher_is_told_with_its_package(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", path_without_avrdude(tmp_path))
    with (
        pytest.raises(
            UserError, match="avrdude, which writes firmware to the board, is not installed: apt-get install avrdude"
        ),
        with_board_at("uno", bench.port),
    ):
        pass


def test_a_flasher_that_fails_is_quoted(bench: Bench, speck: Speck) -> None:
    said = (
        "avrdude: stk500_recv(): programmer is not responding\navrdude: stk500_getsync() attempt 10 of 10: not in sync:"
        " resp=0x00\n\navrdude done.  Thank you.\n"
    )
    bench.faults.avrdude = lambda arguments: (1, said)
    with pytest.raises(
        UserError,
        match="could not be written .* avrdude said: .*not responding / .*attempt 10 of 10: not in sync: resp=0x00 ",
    ):
        next(open_on(bench, speck))


def test_a_flasher_that_hangs_is_ended(
    bench: Bench, speck: Speck, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hanging = tmp_path / "hanging"
    hanging.mkdir()
    (hanging / "avrdude").write_text(f"#!/bin/sh\necho $$ > {hanging / 'pid'}\nsleep 1000 & wait\n")
    (hanging / "avrdude").chmod(0o755)
    monkeypatch.setenv("PATH", f"{hanging}{os.pathsep}{os.environ['PATH']}")
    target = open_laboratory().targets["uno"]
    assert target.flasher is not None
    assert speck[1].elf_path is not None
    quick = target.model_copy(update={"flasher": target.flasher.model_copy(update={"timeout_s": 1.0, "verify": ()})})
    with pytest.raises(UserError, match="avrdude did not end within 1 s .* press its reset button"):
        Flash(bench.port).put(quick, speck[1].elf_path)
    group = (hanging / "pid").read_text().strip()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, its_group = stat.read_text().rpartition(")")[2].split()[:3]
            assert its_group != group or state == "Z", "neither avrdude nor what it started is left"


def test_stopping_ends_the_wait_for_the_board(bench: Bench, speck: Speck) -> None:
    with attached(bench) as uno, open_device(on(uno, speck[0]), speck[1]) as device:
        bench.faults.silent_from = bench.frames + 1
        stopper = threading.Timer(0.5, uno.engine.stop_all)
        stopper.start()
        with pytest.raises(DeviceError, match="stopped"):
            device.monitor.read(2, 16)
        stopper.join()
    flash = Flash(bench.port)
    flash.stop()
    with pytest.raises(UserError, match="stopped"):
        flash.put(open_laboratory().targets["uno"], str(speck[1].elf_path))


def test_stopping_ends_a_board_that_still_wakes_and_opens_no_other(bench: Bench, speck: Speck) -> None:
    with attached(bench) as uno:
        with open_device(on(uno, speck[0]), speck[1]):
            pass  # written by now, so that only waking is left to be stopped
        bench.faults.silent_from = bench.frames + 1
        stopper = threading.Timer(0.5, uno.engine.stop_all)
        stopper.start()
        with pytest.raises(DeviceError, match="stopped"), open_device(on(uno, speck[0]), speck[1]):
            pass
        stopper.join()
        bench.faults.silent_from = None
        with pytest.raises(DeviceError, match="stopped"), open_device(on(uno, speck[0]), speck[1]):
            pass


# Intel HEX.


@pytest.mark.parametrize(("mcu", "table_bytes"), [("atmega328p", 100), ("atmega2560", 32_000)])
def test_intel_hex_is_what_objcopy_makes_of_the_same_elf(tmp_path: Path, mcu: str, table_bytes: int) -> None:
    """GNU objcopy is the independent implementation; three tables of the larger image take it beyond 64 KiB."""
    tables = "".join(
        f'const char table_{n}[{table_bytes}] __attribute__((section(".text.t{n}"), used)) = {{{n + 1}}};'
        for n in range(3)
    )
    source, elf = tmp_path / "p.c", tmp_path / "p.elf"
    source.write_text(
        f"#include <avr/eeprom.h>\n{tables} char data = 7; EEMEM char kept = 9;\nint main(void) {{ return data +"
        " eeprom_read_byte((void *)&kept); }\n"
    )
    subprocess.run(["avr-gcc", f"-mmcu={mcu}", "-Os", "-w", str(source), "-o", str(elf)], check=True)
    ours = tmp_path / "ours.hex"
    ours.write_text(intel_hex(elf))
    subprocess.run(["avr-objcopy", "-I", "ihex", "-O", "binary", str(ours), str(tmp_path / "ours.bin")], check=True)
    subprocess.run(["avr-objcopy", "-R", ".eeprom", "-O", "binary", str(elf), str(tmp_path / "theirs.bin")], check=True)
    content = (tmp_path / "ours.bin").read_bytes()
    assert content == (tmp_path / "theirs.bin").read_bytes()
    assert len(content) > 3 * table_bytes


def test_what_is_no_elf_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "x.elf").write_bytes(b"no elf")
    with pytest.raises(UserError, match="is not an ELF file"):
        intel_hex(tmp_path / "x.elf")


def test_avrdude_knows_the_options(bench: Bench) -> None:
    """The real one, on a port that does not exist: it must complain of the port, and of nothing else."""
    real = shutil.which("avrdude", path=os.pathsep.join(os.environ["PATH"].split(os.pathsep)[1:]))
    assert real is not None, "apt-get install avrdude"
    for name in ("uno", "mega2560"):
        target = open_laboratory().targets[name]
        assert target.flasher is not None
        hex_path = bench.folder / "empty.hex"
        hex_path.write_text(":00000001FF\n")
        for arguments in (target.flasher.arguments, target.flasher.verify):
            filled = [
                board_flash._filled(argument, {"{port}": "/dev/nobody", "{hex}": str(hex_path)})
                for argument in arguments
            ]
            # avrdude 7.1 goes on for ever on a `wiring` port that it could not open.
            done = subprocess.run(["timeout", "2", real, *filled], capture_output=True, text=True)
            said = board_flash._last(done.stderr.partition("\n")[0])
            assert done.returncode != 0 and re.search('(open port|open device) "?/dev/nobody', said), done.stderr
            assert not re.search("(?i)usage|invalid|unknown|cannot find|not found in", done.stderr), done.stderr
