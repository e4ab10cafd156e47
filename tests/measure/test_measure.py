"""`bancada measure`: functions of programs that are not the laboratory's, whose figures counting gives."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any
from xml.etree import ElementTree

import pytest

from bancada.catalogue.target import FunctionRequest
from bancada.engines.simavr.session import runner
from bancada.measure.function import measure, symbol_of
from bancada.measure.laboratory import open_laboratory
from bancada.model.errors import UserError

Bancada = Callable[..., CompletedProcess[str]]
HERE = Path(__file__).resolve().parent
HARNESS = HERE.parents[1] / "harness"
PROGRAMS = HERE / "programs"
AVR_FIRMWARE = HERE.parent / "engines" / "simavr" / "firmware"


def _compile(*command: str | Path) -> None:
    subprocess.run([str(word) for word in command], check=True)


@pytest.fixture(scope="module")
def avr(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("avr") / "regions.elf"
    _compile("avr-gcc", "-mmcu=atmega328p", f"-I{AVR_FIRMWARE}", AVR_FIRMWARE / "regions.S", "-o", made)
    return made


def _cortex_m(folder: Path, core: str, flash: int, ram_bytes: int) -> Path:
    made = folder / f"{core}.elf"
    places = (f"FLASH_ORIGIN={flash:#x}", "RAM_ORIGIN=0x20000000", f"RAM_BYTES={ram_bytes}")
    flags = (f"-mcpu={core}", "-mthumb", "-O2", "-nostartfiles", *(f"-Wl,--defsym={place}" for place in places))
    sources = (PROGRAMS / "cortex_m.c", HARNESS / "src" / "startup_cortex_m.c")
    _compile("arm-none-eabi-gcc", *flags, *sources, "-T", HARNESS / "link" / "cortex_m.ld", "-o", made)
    return made


@pytest.fixture(scope="module")
def cortex_m0plus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _cortex_m(tmp_path_factory.mktemp("m0plus"), "cortex-m0plus", 0, 32768)


@pytest.fixture(scope="module")
def cortex_m4(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _cortex_m(tmp_path_factory.mktemp("m4"), "cortex-m4", 0x0800_0000, 131072)


def _linux(folder: Path, compiler: str, *flags: str) -> Path:
    made = folder / "linux"
    _compile(compiler, "-O2", *flags, PROGRAMS / "linux.c", "-o", made)
    return made


@pytest.fixture(scope="module")
def arm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _linux(tmp_path_factory.mktemp("arm"), "arm-linux-gnueabihf-gcc", "-static", "-marm")


@pytest.fixture(scope="module")
def aarch64(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _linux(tmp_path_factory.mktemp("aarch64"), "aarch64-linux-gnu-gcc", "-static")


def test_an_avr_function_costs_what_the_region_around_its_call_does(avr: Path) -> None:
    """Region 2 of regions.S is CALL outer; by hand: CALL 4, two PUSH 4, RCALL 3, inner 17, two POP 4, RET 4."""
    command = [str(runner()), "--mcu", "atmega328p", "--frequency", "16000000", "--max-cycles", "1000000", str(avr)]
    said = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stderr
    events = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    region = next(event for event in events if event["event"] == "region" and event["index"] == 2)
    [call] = measure(open_laboratory().target("uno"), FunctionRequest(avr, "outer")).calls
    assert (call.cycles, call.stack_bytes) == (region["cycles"], region["stack_bytes"]) == (36, 9)
    assert call.instructions == region["instructions"] == 1 + 2 + 1 + 8 + 2 + 1


def test_a_cortex_m0plus_takes_what_its_manual_says(cortex_m0plus: Path) -> None:
    """DDI 0484, table 3-1: BL 3, MOVS and SUBS 1, BNE 2 if taken and 1 if not, BX 2. PUSH of four 1 + 4, SP 1 and 1,
    POP with PC 3 + 4.

    The cycles in which the pipeline fills again behind a return (1 of BX, 2 of POP) are the call's, and no block's. A
    call may wait for flash besides; what its blocks cost is without that."""
    found = measure(
        open_laboratory().target("samd21"), FunctionRequest(cortex_m0plus, "counts_to_ten", first_call=2, calls=2)
    )
    assert [call.instructions for call in found.calls] == [1 + 1 + 10 + 10 + 1] * 2
    assert found.blocks_cycles == 2 * (3 + 1 + 10 + 9 * 2 + 1 + (2 - 1))
    assert all(call.cycles >= found.blocks_cycles / 2 + 1 for call in found.calls)
    assert found.hottest[0].times == 2 * 9
    assert found.hottest[0].function == "counts_to_ten"
    pushes = measure(open_laboratory().target("samd21"), FunctionRequest(cortex_m0plus, "pushes", first_call=2))
    assert pushes.calls[0].stack_bytes == 4 * 4 + 24
    assert pushes.calls[0].instructions == 1 + 4
    assert pushes.blocks_cycles == 3 + (1 + 4) + 1 + 1 + (3 + 4 - 2)


def test_a_cortex_m4_loops_in_the_cycles_of_its_manual(cortex_m4: Path) -> None:
    """DDI 0439, table 3-1: SUBS 1, B taken 1 + P where P is 1 to 3, so between 2 and 4, for nine of ten times, and so
    BL and BX."""
    found = measure(open_laboratory().target("stm32f4"), FunctionRequest(cortex_m4, "counts_to_ten", first_call=2))
    [call] = found.calls
    assert call.instructions == 1 + 22
    assert 2 + 1 + 10 + 9 * 2 + 1 + 2 <= call.cycles <= 4 + 1 + 10 + 9 * 4 + 1 + 4 + 3


@pytest.mark.parametrize(("target", "program"), [("bbb", "arm"), ("xu3-little@600MHz", "arm"), ("rpi3", "aarch64")])
def test_a_linux_program_takes_arguments_and_a_longer_call_more(
    target: str, program: str, request: pytest.FixtureRequest
) -> None:
    elf: Path = request.getfixturevalue(program)
    first, second = measure(
        open_laboratory().target(target), FunctionRequest(elf, "adds", calls=2, arguments=("a", "b", "c"))
    ).calls
    [third] = measure(
        open_laboratory().target(target), FunctionRequest(elf, "adds", first_call=3, arguments=("a", "b", "c"))
    ).calls
    of_thousand = (second.instructions - first.instructions, third.instructions - second.instructions)
    assert of_thousand[0] == of_thousand[1]
    assert of_thousand[0] % 1000 == 0
    assert 3 <= of_thousand[0] / 1000 <= 4
    assert first.cycles < second.cycles < third.cycles
    assert first.stack_bytes == 0


def test_a_stripped_program_is_measured_by_address(arm: Path, tmp_path: Path) -> None:
    stripped = tmp_path / "stripped"
    _compile("arm-linux-gnueabihf-strip", arm, "-o", stripped)
    listed = subprocess.run(["arm-linux-gnueabihf-nm", str(arm)], capture_output=True, text=True, check=True).stdout
    address = next(line.split()[0] for line in listed.splitlines() if line.endswith(" T adds"))
    named = measure(open_laboratory().target("bbb"), FunctionRequest(arm, "adds", arguments=("a",)))
    assert (
        measure(open_laboratory().target("bbb"), FunctionRequest(stripped, f"0x{address}", arguments=("a",))).calls
        == named.calls
    )
    with pytest.raises(UserError, match="stripped has no symbols: give the address"):
        measure(open_laboratory().target("bbb"), FunctionRequest(stripped, "adds"))


def test_json_says_what_the_figures_are_worth(bancada: Bancada, arm: Path, avr: Path) -> None:
    def printed(*arguments: str) -> dict[str, Any]:
        done = bancada("measure", *arguments, "--json")
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    modelled = printed(str(arm), "a", "--target", "bbb", "--function", "adds")
    assert (modelled["fidelity"], modelled["fidelity_band_percent"]) == (
        "modelled",
        open_laboratory().cores["cortex-a8"].band_of(modelled["calls"][0]["cycles"]),
    )
    assert modelled["target"] == "bbb"
    assert modelled["clock_hz"] == 1_000_000_000
    assert [call["instructions"] for call in modelled["calls"]]
    assert modelled["hottest"][0]["function"] == "adds"
    exact = printed(str(avr), "--target", "uno", "--function", "outer")
    assert (exact["fidelity"], exact["fidelity_band_percent"]) == ("exact", None)
    assert exact["calls"] == [{"cycles": 36, "instructions": 15, "stack_bytes": 9}]


CPP = """
struct Cipher {
    unsigned char twice(unsigned char value) const;
    unsigned char twice(unsigned char first, unsigned char second) const;
    unsigned char once(unsigned char value) const;
};
volatile unsigned char out;
__attribute__((noinline)) unsigned char Cipher::twice(unsigned char value) const { out = value; return value << 1; }
__attribute__((noinline)) unsigned char Cipher::twice(unsigned char first, unsigned char second) const
{
    out = first;
    return first + second;
}
__attribute__((noinline)) unsigned char Cipher::once(unsigned char value) const { out = value; return value ^ 0x5a; }
int main()
{
    Cipher cipher;
    out = cipher.twice(out);
    out = cipher.twice(out, out);
    out = cipher.once(out);
    __asm__ volatile ("cli\\n\\tsleep");
}
"""


@pytest.fixture(scope="module")
def cpp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cpp")
    (folder / "cipher.cpp").write_text(CPP)
    _compile("avr-g++", "-mmcu=atmega328p", "-Os", folder / "cipher.cpp", "-o", folder / "cipher.elf")
    return folder / "cipher.elf"


def test_functions_of_cpp_are_found_by_the_names_that_people_write(bancada: Bancada, cpp: Path) -> None:
    target = open_laboratory().target("uno")

    def calls(name: str) -> Any:
        return measure(target, FunctionRequest(cpp, name)).calls

    assert calls("Cipher::once") == calls("_ZNK6Cipher4onceEh")
    assert calls("Cipher::twice(unsigned char, unsigned char) const") == calls("_ZNK6Cipher5twiceEhh")
    with pytest.raises(UserError, match=r"'Cipher::twice' names several functions of cipher\.elf: 'Cipher::twice\("):
        calls("Cipher::twice")
    with pytest.raises(UserError, match=r"nearest: Cipher::once\(unsigned char\) const, ") as error:
        calls("Cipher::one")
    assert str(error.value).count(", ") <= 10


def test_static_functions_of_one_name_are_told_apart_by_their_address(tmp_path: Path) -> None:
    """The first of the symbol table would be measured, whichever was meant."""
    sources = {"one.c": "void other(void); int main(void) { other(); work(3); for (;;) ; }", "other.c": ""}
    for number, (name, rest) in enumerate(sources.items(), 1):
        rest = rest or "void other(void) { work(9); }"
        (tmp_path / name).write_text(
            "static __attribute__((noinline, noclone)) void work(unsigned char n)"
            f' {{ for (; n; n -= 1) __asm__ volatile ("{"nop; " * number}"); }}\n{rest}\n'
        )
    elf = tmp_path / "both.elf"
    subprocess.run(
        ["avr-gcc", "-Os", "-mmcu=atmega328p", *(tmp_path / name for name in sources), "-o", elf], check=True
    )
    with pytest.raises(UserError, match=r"'work' names several functions of both\.elf: 'work' at (0x\w+), 'work' at "):
        symbol_of(elf, "work")
    assert symbol_of(elf, "0x90") == "0x90"


def test_a_function_is_found_without_what_the_compiler_made_of_it(tmp_path: Path) -> None:
    """GCC clones what is called with a constant, and a template has the type that it returns before its name."""
    (tmp_path / "clone.cpp").write_text(
        "volatile unsigned char out;\n"
        "struct Cipher { __attribute__((noinline)) void step(unsigned char n) { while (n--) out++; } };\n"
        "template<class T> __attribute__((noinline)) T twice(T value) { out++; return value + value; }\n"
        "int main() { Cipher cipher; cipher.step(5); out = twice<unsigned char>(out); for (;;); }\n"
    )
    elf = tmp_path / "clone.elf"
    subprocess.run(["avr-g++", "-Os", "-mmcu=atmega328p", tmp_path / "clone.cpp", "-o", elf], check=True)
    step = symbol_of(elf, "Cipher::step(unsigned char)")
    assert step == symbol_of(elf, "Cipher::step")
    assert step.startswith("_ZN6Cipher4stepEh.")
    assert symbol_of(elf, "twice<unsigned char>") == "_Z5twiceIhET_S0_"


def test_several_functions_are_measured_by_one_command(bancada: Bancada, cpp: Path) -> None:
    names = ("Cipher::once", "_ZNK6Cipher5twiceEh")
    asked = [word for name in names for word in ("--function", name)]
    done = bancada("measure", str(cpp), "--target", "uno", *asked, "--json")
    assert done.returncode == 0, done.stderr
    assert [found["function"] for found in json.loads(done.stdout)] == list(names)
    said = bancada("measure", str(cpp), "--target", "uno", *asked).stdout
    assert "Cipher::twice(unsigned char) const at 0x" in said


def test_the_text_says_the_band(bancada: Bancada, arm: Path) -> None:
    asked = ("measure", str(arm), "a", "--target", "bbb", "--function", "adds")
    cycles = json.loads(bancada(*asked, "--json").stdout)["calls"][0]["cycles"]
    band = open_laboratory().cores["cortex-a8"].band_of(cycles)
    assert f"modelled ±{band:g} %" in bancada(*asked).stdout


@pytest.mark.parametrize(
    ("program", "options", "words"),
    [
        ("arm", ("--target", "bb", "--function", "adds"), "no target 'bb'; did you mean 'bbb'?"),
        ("arm", ("--target", "bbb", "--function", "add"), "There is no function 'add' in linux; nearest: adds, "),
        ("avr", ("--target", "uno", "--function", "oute"), "nearest: outer, "),
        ("arm", ("--target", "bbb", "--function", "0xzz"), "'0xzz' is neither the name of a function nor an address"),
        ("arm", ("--target", "rpi3", "--function", "adds"), "is for 32-bit Arm, 'rpi3' is 64-bit Arm"),
        ("avr", ("--target", "stm32f4", "--function", "outer"), "is for AVR, 'stm32f4' is 32-bit Arm"),
        ("arm", ("--target", "stm32f4", "--function", "adds"), "compiled for a Cortex-A and 'stm32f4' is a Cortex-M"),
        ("cortex_m4", ("--target", "samd21", "--function", "main"), "where 'samd21' as it is emulated has no memory"),
        ("arm", ("--target", "bbb", "--function", "never_called"), "ended and never reached never_called"),
        ("arm", ("a", "--target", "bbb", "--function", "adds", "--calls", "2"), "ended after 1 of the regions at adds"),
        (
            "avr",
            ("a", "--target", "uno", "--function", "outer"),
            "'uno' is a bare device: its programs take no arguments",
        ),
        (
            "avr",
            ("--target", "uno", "--function", "outer", "--calls", "99"),
            "when 1 of the 99 calls of outer from number 1 on",
        ),
    ],
)
def test_a_mistake_is_one_sentence(
    program: str, options: tuple[str, ...], words: str, bancada: Bancada, request: pytest.FixtureRequest
) -> None:
    done = bancada("measure", str(request.getfixturevalue(program)), *options)
    assert done.returncode == 2
    assert done.stdout == ""
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_what_is_no_program_is_said(bancada: Bancada, tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("no program")
    for path, words in (
        (text, "is not a program in ELF format"),
        (tmp_path / "nothing", "cannot be read: No such file"),
    ):
        done = bancada("measure", str(path), "--target", "bbb", "--function", "f")
        assert done.returncode == 2
        assert words in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_a_program_that_needs_libraries_that_are_not_there_is_named(bancada: Bancada, tmp_path: Path) -> None:
    elf = _linux(tmp_path, "aarch64-linux-gnu-gcc", f"-Wl,--dynamic-linker={tmp_path / 'loader'}")
    done = bancada("measure", str(elf), "--target", "rpi3", "--function", "adds")
    assert done.returncode == 2
    assert "needs shared libraries" in done.stderr
    assert "-static" in done.stderr


def test_without_qemu_its_package_is_named(bancada: Bancada, arm: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("cc", "as", "ld"):
        (tools / name).symlink_to(str(shutil.which(name)))
    done = bancada("measure", str(arm), "--target", "bbb", "--function", "adds", PATH=str(tools))
    assert done.returncode == 2
    assert "'qemu-arm' is not installed; install it with: apt-get install qemu-user" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_function_that_hangs_is_left_at_the_limit(bancada: Bancada, cortex_m4: Path) -> None:
    """Firmware never ends: after main returns it stays in a loop."""
    options = ("--target", "stm32f4", "--function", "pushes", "--calls", "4", "--limit-seconds", "2")
    done = bancada("measure", str(cortex_m4), *options)
    assert done.returncode == 2
    assert "did not come to an end of pushes within 2 s; it was in startup_reset" in done.stderr


def test_the_call_tree_as_text_as_folded_stacks_and_as_a_flame_graph(bancada: Bancada, tmp_path: Path) -> None:
    avr = tmp_path / "functions.elf"
    _compile("avr-gcc", "-mmcu=atmega328p", AVR_FIRMWARE / "functions.S", "-o", avr)
    flame, folded = tmp_path / "flame.svg", tmp_path / "folded.txt"
    done = bancada(
        *("measure", str(avr), "--target", "uno", "--function", "end_of_chain", "--tree"),
        *("--flame", str(flame), "--folded", str(folded)),
    )
    assert done.returncode == 0, done.stderr
    # By hand: RCALL 3, NOP 1, RET 4; PUSH 2, POP 2, RET 4.
    assert re.search(r"^ +16 +8  end_of_chain, 1 call$", done.stdout, re.MULTILINE)
    assert re.search(r"^ +8 +8    leaf, 1 call$", done.stdout, re.MULTILINE)
    assert folded.read_text() == "end_of_chain 8\nend_of_chain;leaf 8\n"
    root = ElementTree.parse(flame).getroot()
    boxes = root.findall("{http://www.w3.org/2000/svg}g")
    titles = [box.findtext("{http://www.w3.org/2000/svg}title") for box in boxes]
    assert titles == [
        "end_of_chain: 16 cycles (100.0 %), its own 8, 1 calls",
        "leaf: 8 cycles (50.0 %), its own 8, 1 calls",
    ]
    widths = [float(box.find("{http://www.w3.org/2000/svg}rect").get("width")) for box in boxes]  # type: ignore[union-attr, arg-type]
    assert widths[1] / widths[0] == pytest.approx(1 / 2, abs=0.001)


def test_the_tree_is_for_avr_and_for_one_function(bancada: Bancada, arm: Path, avr: Path, tmp_path: Path) -> None:
    done = bancada("measure", str(arm), "a", "--target", "bbb", "--function", "adds", "--tree")
    assert done.returncode == 2
    assert "--tree, --folded and --flame are for AVR" in done.stderr
    two = ("--function", "outer", "--function", "inner", "--flame", str(tmp_path / "x.svg"))
    done = bancada("measure", str(avr), "--target", "uno", *two)
    assert done.returncode == 2
    assert "name one" in done.stderr
