"""Signing, the bootloader's file and the update of a simulated device, as a person does them on the command line."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from laboratory_references import lms_holds
from sensorlink.cli import link
from sensorlink.laboratory import UserError
from sensorlink.update import lms, signing_key
from sensorlink.update.bootloader_command import BOOT_AT
from sensorlink.update.image import MAX_PAGES, PAGE_BYTES, make_image, read_image
from sensorlink.update.signing_key import SigningKey, leaf_of, make_key, read_key
from serial import SerialException
from simulated_device import SimulatedDevice, SimulatedPort


@pytest.fixture(scope="module")
def farm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site as far as signing needs one, with its key."""
    site = tmp_path_factory.mktemp("site")
    (site / "ca").mkdir()
    said = invoke("bootloader", "--site", site, "--type", "sensor")
    assert said.exit_code == 0, said.output
    assert "signing key is new" in said.output and "hfuse:w:0xd8" in said.output
    return site


@pytest.fixture(scope="module")
def key(farm: Path) -> SigningKey:
    return read_key(farm / "ca" / "firmware")


@pytest.fixture
def device(farm: Path, tmp_path: Path) -> Iterator[SimulatedDevice]:
    """A chip that a programmer wrote the site's file to, and nothing else."""
    contents = bytearray()
    for line in (farm / "bootloader-sensor.hex").read_text().splitlines():
        record = bytes.fromhex(line[1:])
        assert sum(record) & 0xFF == 0
        if record[3] == 0:
            assert int.from_bytes(record[1:3], "big") == BOOT_AT + len(contents)
            contents += record[4:-1]
    assert 4032 < len(contents) <= 4096
    empty = tmp_path / "empty.elf"
    empty.write_bytes(_elf_of(bytes(contents[:2])))
    with SimulatedDevice(empty) as made:
        made.write_flash(BOOT_AT, bytes(contents))
        made.power_on()
        yield made


def _elf_of(code: bytes) -> bytes:
    """The least ELF file for an AVR, with this code in the boot section."""
    header = bytes.fromhex("7f454c46010101000000000000000000" + "0200" + "5300" + "01000000" + "00000000")
    header += (52).to_bytes(4, "little") + bytes(8) + bytes.fromhex("340020000100000000000000")
    segment = (1, 84, BOOT_AT, BOOT_AT, len(code), len(code), 5, 2)
    return header + b"".join(field.to_bytes(4, "little") for field in segment) + code


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(link, [str(argument) for argument in arguments])


def signed(farm: Path, folder: Path, version: int) -> Path:
    path = folder / f"sensor-{version}.signed"
    said = invoke("sign-firmware", "--site", farm, "--type", "sensor", "--version", version, "--output", path)
    assert said.exit_code == 0, said.output
    return path


def wrong(said: Result) -> str:
    assert isinstance(said.exception, UserError), said.output
    return str(said.exception)


def test_a_person_updates_a_new_device(
    farm: Path, device: SimulatedDevice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[tuple[str, Any]] = []

    def open_port(name: str, **settings: Any) -> SimulatedPort:
        opened.append((name, settings["baudrate"]))
        return SimulatedPort(device)

    monkeypatch.setattr("serial.serial_for_url", open_port)
    first, second = signed(farm, tmp_path, 1), signed(farm, tmp_path, 2)
    said = invoke("update", "--port", "/dev/ttyUSB0", second)
    assert said.exit_code == 0, said.output
    assert opened == [("/dev/ttyUSB0", 115_200)]
    assert "The sensor has version 2" in said.output
    assert device.boot()
    program = read_image(second.read_bytes()).program
    assert device.read_flash(0, len(program)) == program
    assert "takes no older one; this program has version 1" in wrong(invoke("update", "--port", "x", first))


def test_a_port_without_a_bootloader(farm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    image = signed(farm, tmp_path, 1)

    class SilentPort:
        dtr = rts = True

        def write(self, data: bytes) -> int:
            return len(data)

        def read(self, size: int) -> bytes:
            return b""

        def reset_input_buffer(self) -> None: ...

        def close(self) -> None: ...

    class GonePort(SilentPort):
        def read(self, size: int) -> bytes:
            raise SerialException("device disconnected")

    monkeypatch.setattr("serial.serial_for_url", lambda name, **settings: SilentPort())
    assert "no bootloader answers" in wrong(invoke("update", "--port", "x", image))
    monkeypatch.setattr("serial.serial_for_url", lambda name, **settings: GonePort())
    assert "goes on where it stopped" in wrong(invoke("update", "--port", "x", image))
    monkeypatch.undo()
    assert "cannot be opened" in wrong(invoke("update", "--port", "/dev/no-such-port", image))


def test_files_that_are_no_images_are_refused_before_the_port_is_opened(farm: Path, tmp_path: Path) -> None:
    good = signed(farm, tmp_path, 1).read_bytes()
    damaged = bytearray(good)
    damaged[-1] ^= 1
    for contents, reason in (
        (b"", "not a signed program"),
        (b"\x7fELF" + good[4:], "not a signed program"),
        (good[:-1], "not whole"),
        (good + b"\0", "not whole"),
        (bytes(damaged), "is damaged"),
    ):
        path = tmp_path / "bad.signed"
        path.write_bytes(contents)
        assert reason in wrong(invoke("update", "--port", "/dev/no-such-port", path))
    assert "cannot be read" in wrong(invoke("update", "--port", "x", tmp_path / "none"))


def test_what_is_signed_holds_by_the_reference(key: SigningKey) -> None:
    image = make_image(1, 9, leaf_of(1, 9), b"program", lambda header: key.sign(leaf_of(1, 9), header))
    signature = key.sign(leaf_of(1, 9), image[:64])
    public = lms.public_key(key.secret.identifier, key.root)
    assert lms_holds(public, image[:64], signature.encoded())
    assert not lms_holds(public, b"\0" + image[1:64], signature.encoded())
    for leaf in (0, lms.LEAVES - 1):
        assert lms_holds(public, b"message", lms.sign(key.secret, key.leaves, leaf, bytes(32), b"message").encoded())


def test_leaves_of_types_and_versions_differ() -> None:
    leaves = [leaf_of(kind, version) for kind in (1, 2) for version in range(1, signing_key.LARGEST_VERSION + 1)]
    assert len(set(leaves)) == len(leaves) and max(leaves) < lms.LEAVES


def test_a_leaf_signs_one_message_and_always_the_same(key: SigningKey) -> None:
    first = key.sign(leaf_of(1, 20), b"one")
    assert key.sign(leaf_of(1, 20), b"one") == first
    with pytest.raises(UserError, match="higher version"):
        key.sign(leaf_of(1, 20), b"another")
    assert read_key(key.folder).sign(leaf_of(1, 20), b"one") == first


class Crash(Exception):
    """The machine stops."""


@pytest.mark.parametrize("call", ["open", "fsync", "link", "unlink"])
def test_a_crash_while_signing_never_frees_a_leaf(
    key: SigningKey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """At each step to the disk, before it and after it. What was signed before the crash can only be signed again."""
    leaf = leaf_of(2, {"open": 30, "fsync": 31, "link": 32, "unlink": 33}[call])
    signatures: list[lms.Signature] = []
    for is_after in (False, True):
        original = getattr(Path if call == "unlink" else os, call)

        def crash(*arguments: Any, original: Any = original, is_after: bool = is_after, **settings: Any) -> Any:
            if is_after:
                original(*arguments, **settings)
            raise Crash

        with monkeypatch.context() as patch:
            patch.setattr(Path if call == "unlink" else os, call, crash)
            with suppress(Crash):
                signatures.append(key.sign(leaf, b"one"))
    recorded = key.folder / "signed" / f"{leaf:04d}"
    assert not recorded.exists() or recorded.read_text() == hashlib.sha256(b"one").hexdigest()
    if signatures or recorded.exists():
        with pytest.raises(UserError):
            key.sign(leaf, b"another")
    assert key.sign(leaf, b"one").leaf == leaf
    with pytest.raises(UserError):
        key.sign(leaf, b"another")


def test_only_the_owner_can_read_the_key(farm: Path) -> None:
    folder = farm / "ca" / "firmware"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "key.json").stat().st_mode) == 0o600
    assert sorted(path.name for path in folder.parent.iterdir()) == ["firmware"], "nothing half made is left"


def test_mistakes_get_one_sentence(farm: Path, tmp_path: Path) -> None:
    assert "provision" in wrong(invoke("bootloader", "--site", tmp_path, "--type", "sensor"))
    (tmp_path / "ca").mkdir()
    no_key = invoke("sign-firmware", "--site", tmp_path, "--type", "sensor", "--version", 1)
    assert "no signing key" in wrong(no_key)
    not_elf = tmp_path / "program.bin"
    not_elf.write_bytes(b"program")
    sign = ("sign-firmware", "--site", farm, "--type", "sensor", "--version", 40)
    assert "no ELF file" in wrong(invoke(*sign, not_elf))
    assert "cannot be read" in wrong(invoke(*sign, tmp_path / "none.elf"))
    not_elf.write_bytes(_elf_of(b"ab"))
    assert "does not fit" in wrong(invoke(*sign, not_elf))
    # A download that broke off.
    not_elf.write_bytes(_elf_of(b"program")[:-1])
    assert "is not whole" in wrong(invoke(*sign, not_elf))
    assert invoke("sign-firmware", "--site", farm, "--type", "sensor", "--version", 512).exit_code == 2
    with pytest.raises(ValueError, match="bytes"):
        make_image(1, 1, 1, bytes(MAX_PAGES * PAGE_BYTES + 1), lambda header: lms.Signature(1, b"", (), ()))


def test_a_damaged_key_is_not_used(key: SigningKey, tmp_path: Path) -> None:
    folder = tmp_path / "firmware"
    folder.mkdir()
    for name in ("key.json", "leaves.bin"):
        (folder / name).write_bytes((key.folder / name).read_bytes())
    with pytest.raises(UserError, match="is damaged"):
        read_key(folder)  # what is signed is not there
    (folder / "signed").mkdir()
    assert read_key(folder).root == key.root
    leaves = bytearray((folder / "leaves.bin").read_bytes())
    leaves[77] ^= 1
    (folder / "leaves.bin").write_bytes(leaves)
    with pytest.raises(UserError, match="is damaged"):
        read_key(folder)
    for text in ("{}", "[]", '{"identifier": null}'):
        (folder / "key.json").write_text(text)
        with pytest.raises(UserError, match="cannot be read"):
            read_key(folder)


def test_a_key_is_there_as_a_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*arguments: Any) -> None:
        raise Crash

    monkeypatch.setattr(lms, "leaf_nodes", lambda secret: tuple(bytes(32) for _ in range(lms.LEAVES)))
    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", crash)
        with pytest.raises(Crash):
            make_key(tmp_path / "firmware")
    assert not (tmp_path / "firmware").exists()
    make_key(tmp_path / "firmware")
    read_key(tmp_path / "firmware")
