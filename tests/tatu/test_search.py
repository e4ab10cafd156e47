"""The searches for orders (tatu/search): the model of the one for AES accepts what is committed, and what it finds is
right and no slower; the products of P-256 for AArch64 are what their search finds."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from bancada.costing.cortex_a import new_pipeline
from bancada.costing.cortex_a_operations import Operations
from bancada.costing.cortex_a_table import InOrderTable
from bancada.costing.cortex_m_table import CortexMTable
from bancada.costing.profile import Block
from bancada.measure.laboratory import open_laboratory

SEARCH = Path(__file__).resolve().parents[2] / "tatu" / "search"
STATES = 8
SEED = 1
# The cycles of the committed kernels by the tables of the cores: M0+, M4 and, in a loop, A8. Instructions behind them.
COMMITTED = {
    "thumb1-encrypt": (246, 201),
    "thumb1-decrypt": (272, 220),
    "thumb2-encrypt": (144, 136),
    "thumb2-decrypt": (164, 152),
    "neon-encrypt": (160, 209),
    "neon-decrypt": (195, 246),
    "neon-encrypt-last": (116, 137),
    "neon-decrypt-last": (121, 143),
}
# Changes in which the search comes at least as far: a few seconds each.
STEPS = {"thumb1": 150_000, "thumb2": 400_000, "neon": 45_000}


def _module(name: str) -> ModuleType:
    """A file of tatu/search, which is no package."""
    spec = importlib.util.spec_from_file_location(f"tatu_search_{name}", SEARCH / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


kernels = _module("kernels")
describe = _module("describe")
p256_aarch64 = _module("p256_aarch64")


@pytest.fixture(scope="module")
def search(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("search") / "search"
    flags = ("-std=c99", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror")
    subprocess.run(["gcc", *flags, *sorted(SEARCH.glob("*.c")), "-o", program, "-lm"], check=True)
    return program


def thumb_cycles(lines: tuple[str, ...], core: str) -> float:
    """Cycles of a straight line by the table of a Cortex-M."""
    table = open_laboratory().cores[core].table
    assert isinstance(table, CortexMTable)
    alone = {"ldr": table.instruction["load"].cycles, "str": table.instruction["store-immediate"].cycles}
    after = {
        ("ldr", "ldr"): "load-after-load",
        ("ldr", "str"): "store-immediate-after-load",
        ("str", "ldr"): "load-after-store-immediate",
    }
    cycles, before = 0.0, ""
    for line in lines:
        name = line.split()[0]
        found = table.interaction.get(after.get((before, name), ""))  # type: ignore[call-overload]
        cycles += alone.get(name, table.instruction["data"].cycles) + (found.cycles if found is not None else 0)
        before = name
    return cycles


def neon_cycles(lines: tuple[str, ...], folder: Path) -> int:
    """Cycles of one more turn of a loop, on the laboratory's model of the Cortex-A8."""
    source, machine_code = folder / "code.s", folder / "code.o"
    source.write_text(".syntax unified\n.arm\n.fpu neon\n" + "\n".join(lines) + "\n")
    subprocess.run(["arm-linux-gnueabihf-as", "-march=armv7-a", source, "-o", machine_code], check=True)
    binary = folder / "code.bin"
    subprocess.run(["arm-linux-gnueabihf-objcopy", "-O", "binary", "-j", ".text", machine_code, binary], check=True)
    table = open_laboratory().cores["cortex-a8"].table
    assert isinstance(table, InOrderTable)
    pipeline, last = new_pipeline(table), []
    for _ in range(3):
        for operation in Operations(table).of(Block(0x1000, binary.read_bytes(), "arm")):
            at = pipeline.step(operation)
        last.append(at)
    return last[2] - last[1]


def cycles_of(kernel: Any, folder: Path) -> float:
    if kernel.machine == "neon":
        return neon_cycles(kernel.lines, folder)
    return thumb_cycles(kernel.lines, "cortex-m0plus" if kernel.machine == "thumb1" else "cortex-m4")


@pytest.mark.parametrize("name", kernels.KERNELS)
def test_the_committed_kernel_is_right_and_costs_what_is_noted(name: str, tmp_path: Path) -> None:
    kernel = kernels.committed(name)
    assert kernels.is_right(kernel, STATES, SEED)
    assert (cycles_of(kernel, tmp_path), len(kernel.lines)) == COMMITTED[name]


@pytest.mark.parametrize("name", kernels.KERNELS)
def test_the_search_finds_a_right_one(name: str, search: Path, tmp_path: Path) -> None:
    machine = name.split("-")[0]
    done = subprocess.run(
        [search, machine, str(STEPS[machine]), str(SEED)],
        input=describe.describe(kernels.description_of(name)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    kernel = kernels.found(name, done.stdout)
    cycles = cycles_of(kernel, tmp_path)
    assert kernels.is_right(kernel, STATES, SEED)
    said = done.stderr.split()
    assert int(said[1]) == pytest.approx(cycles, abs=4 if machine == "neon" else 0), "the search counts otherwise"
    assert cycles <= 1.04 * COMMITTED[name][0], "the search has become worse"


@pytest.mark.parametrize("name", ["thumb2-encrypt", "neon-decrypt"])
def test_one_wrong_operand_is_noticed(name: str) -> None:
    kernel = kernels.committed(name)
    at = next(number for number, line in enumerate(kernel.lines) if "and" in line)
    wrong = tuple(line.replace("and", "eor") if number == at else line for number, line in enumerate(kernel.lines))
    assert not kernels.is_right(kernels.Kernel(**{**vars(kernel), "lines": wrong}), STATES, SEED)


@pytest.mark.parametrize("name", p256_aarch64.PRODUCTS)
def test_the_products_of_p256_are_those_of_the_search(name: str) -> None:
    source = (SEARCH.parent / "src" / "p256" / "aarch64" / "p256_points_aarch64.S").read_text()
    (committed,) = re.findall(rf"^\.L{name}:\n(.*?)^    ret$", source, re.MULTILINE | re.DOTALL)
    assert [line.strip() for line in committed.splitlines()] == p256_aarch64.instructions(name)
