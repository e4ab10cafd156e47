"""ML-DSA-44 verified on an ATmega328P, which has 2 KB of RAM: its cycles, its stack and its flash."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path

import pytest
from dilithium_py.ml_dsa import ML_DSA_44
from elftools.elf.elffile import ELFFile

from bancada.engines.simavr.session import runner
from tests.laboratory_fixtures import Bancada
from tests.tatu.compiled import sources_of
from tests.tatu.machines import HERE, SECTIONS, TATU_SRC

RAM_BYTES = 2048
MOST_CYCLES, MOST_STACK_BYTES = 15_500_000, 1_950


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ml_dsa_uno")
    source = random.Random("ml-dsa-44 on an UNO")
    key, private = ML_DSA_44.key_derive(source.randbytes(32))
    message = source.randbytes(100)
    vector = {"PUBLIC_KEY": key, "MESSAGE": message, "SIGNATURE": ML_DSA_44.sign(private, message, deterministic=True)}
    lines = [f"#ifdef {name}\n{', '.join(map(str, data))}\n#endif\n" for name, data in vector.items()]
    (folder / "ml_dsa_uno_vector.h").write_text("".join(lines))
    elf = folder / "program.elf"
    command = ["avr-gcc", "-mmcu=atmega328p", "-mrelax", "-std=gnu99", "-Os", *SECTIONS, "-Wl,--gc-sections"]
    sources = [HERE / "ml_dsa_uno.c", *sources_of(("ml_dsa", "sha3", "common"), "*.[cS]")]
    subprocess.run([*command, f"-I{TATU_SRC}", f"-I{folder}", "-o", str(elf), *map(str, sources)], check=True)
    return elf


def test_a_signature_holds_and_that_of_another_message_does_not(program: Path) -> None:
    options = ["--mcu", "atmega328p", "--frequency", "16000000", "--uart", "stdio", "--max-cycles", "100000000"]
    done = subprocess.run([runner(), *options, program], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert done.stdout == bytes([0, 256 - 4]), done.stderr.decode()[-300:]


def test_it_takes_less_than_two_kilobytes_of_ram(program: Path, bancada: Bancada) -> None:
    done = bancada("measure", str(program), "--target", "uno", "--function", "verify", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)["calls"][0]
    with program.open("rb") as file:
        elf = ELFFile(file)
        sections = [section for section in elf.iter_sections() if section.name in (".data", ".bss")]
        static = sum(section["sh_size"] for section in sections)
    assert found["cycles"] < MOST_CYCLES
    assert found["stack_bytes"] < MOST_STACK_BYTES
    assert static + found["stack_bytes"] + 2 < RAM_BYTES
