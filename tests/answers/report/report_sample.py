"""Made-up results that look like real ones, for the tests of the report: shapes, sizes and every kind of ending.

The figures are of the right order for an ATmega328P and follow from small formulas; they were not measured.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from bancada.answers.report.input import (
    ExperimentSection,
    ExtraSection,
    ReportInput,
    Series,
    SourcedFact,
    TargetFacts,
    XYPlot,
)
from bancada.model.finding import Finding, PublishedFigure, Verdict
from bancada.model.result import SCHEMA, Result
from bancada.model.status import Fidelity, Status

LEVELS = ("-Os", "-O2", "-O3")
KEYS = (128, 192, 256)
OPERATIONS = ("set-key", "encrypt", "decrypt")
# What a level does to C code: cycles, flash. Assembly does not care.
_C_LEVELS = {"-Os": (1.0, 1.0), "-O2": (0.9, 1.13), "-O3": (0.82, 1.71)}


@dataclass(frozen=True)
class Kind:
    """One implementation with a 128-bit key; the other keys follow from the number of rounds."""

    candidate: str
    version: str
    algorithm: str
    variant: str
    set_key: int
    encrypt: int
    decrypt: int
    flash: int
    flash_both: int
    static: int
    context: int
    stack: int
    assembly: bool = False
    data_dependent: bool = False


KINDS = (
    Kind("tatu", "0.1.0", "aes", "plain", 801, 2198, 2779, 1010, 1880, 0, 176, 22, True),
    Kind("tatu", "0.1.0", "aes", "plain-ram", 790, 2039, 2618, 1012, 1900, 256, 176, 22, True),
    Kind("tatu", "0.1.0", "aes", "small", 60, 3010, 3580, 1098, 1790, 0, 16, 41, True),
    Kind("tatu", "0.1.0", "aes", "tiny", 60, 11900, 13800, 474, 890, 0, 16, 40, True),
    Kind("tatu", "0.1.0", "speck128", "plain", 2590, 2326, 2399, 980, 1720, 0, 256, 19, True),
    Kind("tatu", "0.1.0", "speck128", "small", 61, 4720, 4800, 702, 1240, 0, 16, 37, True),
    Kind("tatu", "0.1.0", "speck128", "tiny", 61, 4990, 5240, 398, 742, 0, 16, 35, True),
    Kind("arduinolibs", "1.2.0", "aes", "plain", 5230, 9110, 17640, 1740, 2710, 0, 181, 49),
    Kind("arduinolibs", "1.2.0", "aes", "small", 2100, 10830, 19210, 1690, 2690, 0, 37, 68),
    Kind("arduinolibs", "1.2.0", "aes", "tiny", 1020, 10296, 11088, 746, 1570, 0, 21, 60),
    Kind("arduinolibs", "1.2.0", "speck128", "plain", 4037, 2476, 2572, 1936, 2804, 0, 275, 25, True),
    Kind("arduinolibs", "1.2.0", "speck128", "small", 3300, 8634, 8790, 1610, 2480, 0, 35, 41, True),
    Kind("tinyaes", "1.1.1", "aes", "plain", 4310, 54487, 112300, 1820, 2520, 0, 192, 77, False, True),
    Kind("bearssl", "0.6", "aes", "small", 6900, 11285, 24100, 2300, 3910, 0, 248, 61, False, True),
    Kind("bearssl", "0.6", "aes", "ct", 91000, 936906, 941300, 6120, 7240, 0, 248, 402),
    Kind("wolfssl", "5.7.2", "aes", "plain", 7718, 8453, 9020, 5400, 8300, 1040, 284, 96, False, True),
    Kind("libtomcrypt", "1.18.2", "aes", "plain", 10200, 7718, 8103, 6800, 11900, 4130, 500, 80, False, True),
    Kind("mbedtls", "2.28.9", "aes", "plain", 9900, 8000, 8300, 9800, 17400, 0, 280, 88),
    Kind("nettle", "3.9.1", "aes", "plain", 11000, 10700, 10900, 7400, 12000, 0, 244, 90),
)

UNO = TargetFacts(
    name="uno",
    title="Arduino UNO R3 (ATmega328P)",
    clock_hz=16_000_000,
    flash_bytes=32_768,
    ram_bytes=2_048,
    supply_volts=5.0,
    facts=(
        SourcedFact("active current", "9.5 mA at 5 V and 16 MHz", "ATmega328P data sheet, figure 33-3"),
        SourcedFact("power-down current", "4.2 µA with the watchdog on", "ATmega328P data sheet, table 32-2"),
    ),
)
XU3 = TargetFacts("xu3-little@600MHz", "ODROID-XU3, Cortex-A7 at 600 MHz", 600_000_000, None, 2_147_483_648, 0.944)
M4 = TargetFacts("nrf52840", "nRF52840 (Cortex-M4)", 64_000_000, 1_048_576, 262_144, 3.0)


def block_cipher_results(kinds: tuple[Kind, ...] = KINDS) -> tuple[Result, ...]:
    """Every kind with every key, operation and level on the UNO, endings of all sorts among them."""
    return tuple(_all(kinds))


def _all(kinds: tuple[Kind, ...]) -> Iterator[Result]:
    for kind in kinds:
        for key_bits in KEYS:
            for operation in OPERATIONS:
                for level in LEVELS:
                    result = block_cipher(kind, key_bits, operation, level)
                    reason = _why_not(kind, key_bits, level)
                    yield withheld(result, *reason) if reason else result


def _why_not(kind: Kind, key_bits: int, level: str) -> tuple[Status, str] | None:
    if kind.candidate == "mbedtls":
        over = {128: 6_502, 192: 6_534, 256: 6_566}[key_bits]
        text = f"RAM: 8,550 B of tables are {over:,} B more than the target has; biggest: FT0 (1,024 B), RT0 (1,024 B)."
        return Status.DOES_NOT_FIT, text
    if kind.candidate == "nettle" and key_bits == 192:
        text = "AESAVS VarKey-192 vector 17: expected 6cd02513e8d4dc98, got <b>0000</b>5a2f & more."
        return Status.NOT_CONFORMANT, text
    if kind.candidate == "libtomcrypt" and level == "-O3":
        return Status.FAILED, "The device did not answer the command 'call' within 20,000,000 cycles."
    if kind.candidate == "wolfssl" and key_bits == 256 and level == "-O3":
        return Status.DOES_NOT_BUILD, "avr-gcc: aes.c:1203: error: size of array 'Te' is too large"
    return None


def block_cipher(kind: Kind, key_bits: int, operation: str, level: str) -> Result:
    rounds = {128: 1.0, 192: 1.2, 256: 1.4} if kind.algorithm == "aes" else {128: 1.0, 192: 1.03, 256: 1.06}
    base = {"set-key": kind.set_key, "encrypt": kind.encrypt, "decrypt": kind.decrypt}[operation]
    faster, larger = (1.0, 1.0) if kind.assembly else _C_LEVELS[level]
    cycles = round(base * rounds[key_bits] * faster)
    spread = round(cycles * 0.004) if kind.data_dependent and operation != "set-key" else 0
    flash = {"set-key": 0.35, "encrypt": 1.0, "decrypt": 1.12}[operation] * kind.flash
    growing = kind.context > 40
    context = round(kind.context * (rounds[key_bits] if growing else key_bits / 128))
    implementation = f"{kind.candidate}/{kind.algorithm}{'-' if kind.algorithm[-1].isdigit() else ''}{key_bits}"
    if kind.variant != "plain":
        implementation += f"-{kind.variant}"
    case = f"uno/{implementation}/{operation}/16/avr-gcc{level}"
    return Result(
        schema=SCHEMA,
        case=case,
        target="uno",
        core="avr5",
        engine="simavr",
        engine_version="0.1.0 (simavr 1.7)",
        fidelity=Fidelity.EXACT,
        fidelity_band_percent=None,
        candidate=kind.candidate,
        candidate_version=kind.version,
        implementation=implementation,
        primitive="block-cipher",
        algorithm=kind.algorithm,
        variant=kind.variant,
        operation=operation,
        key_bits=key_bits,
        size_bytes=16,
        associated_bytes=0,
        compiler="avr-gcc 5.4.0",
        optimisation=level,
        flags=f"-mmcu=atmega328p -DF_CPU=16000000UL -std=gnu99 {level} -ffunction-sections -fdata-sections -mrelax",
        status=Status.OK,
        reason=None,
        conformance_passed=568,
        conformance_total=568,
        sp800_38a="library makes a fresh IV" if kind.candidate == "tatu" else "caller gives the IV",
        samples=16,
        cycles_min=cycles - spread,
        cycles_median=cycles,
        cycles_max=cycles + 2 * spread,
        instructions_median=round(cycles * 0.8),
        time_us=cycles / 16,
        flash_bytes=round(flash * larger),
        flash_both_bytes=round(kind.flash_both * larger),
        ram_static_bytes=kind.static,
        ram_context_bytes=context,
        stack_bytes=kind.stack + (6 if level == "-O3" and not kind.assembly else 0),
        energy_uj=cycles / 16 * 5.0 * 9.5e-3,
        energy_dynamic_uj=None,
        energy_static_uj=None,
        energy_source="ATmega328P data sheet",
        initialisation_us=102.5,
        elf_sha256=hashlib.sha256(case.encode()).hexdigest(),
        date="2026-11-21T02:34:50Z",
    )


def withheld(result: Result, status: Status, reason: str) -> Result:
    """The same case with another ending: figures withheld, as the laboratory does."""
    conformance = (567, 568) if status == Status.NOT_CONFORMANT else (None, None)
    return replace(
        result,
        status=status,
        reason=reason,
        conformance_passed=conformance[0],
        conformance_total=conformance[1],
        samples=None,
        cycles_min=None,
        cycles_median=None,
        cycles_max=None,
        instructions_median=None,
        time_us=None,
        flash_bytes=None,
        flash_both_bytes=None,
        ram_static_bytes=None,
        ram_context_bytes=None,
        stack_bytes=None,
        energy_uj=None,
        energy_source=None,
        initialisation_us=None,
        elf_sha256=None if status == Status.DOES_NOT_BUILD else result.elf_sha256,
    )


# What is to come: messages of many sizes, other primitives, devices whose cycles are modelled or measured.

SIZES = (0, 8, 16, 32, 64, 128, 512)


def message_results() -> tuple[Result, ...]:
    """Hashes and AEADs over message sizes, on three targets of three fidelities."""
    found = []
    for target, core, engine, fidelity, band, clock, speed in (
        ("uno", "avr5", "simavr", Fidelity.EXACT, None, 16, 1.0),
        ("xu3-little@600MHz", "cortex-a7", "qemu", Fidelity.MODELLED, 6.6, 600, 0.06),
        ("nrf52840", "cortex-m4", "board", Fidelity.MEASURED, 0.5, 64, 0.11),
    ):
        for candidate, primitive, algorithm, operations, key_bits, start, each in (
            ("tatu", "aead", "ascon-aead128", ("encrypt", "decrypt"), 128, 17_600, 365.0),
            ("ascon-suite", "aead", "ascon-aead128", ("encrypt", "decrypt"), 128, 18_500, 372.9),
            ("tatu", "aead", "chacha20-poly1305", ("encrypt", "decrypt"), 256, 41_000, 290.0),
            ("tatu", "hash", "sha-256", ("hash",), 0, 27_000, 395.0),
            ("tatu", "hash", "ascon-hash256", ("hash",), 0, 24_000, 560.0),
            ("tatu", "hash", "sha3-256", ("hash",), 0, 119_000, 870.0),
            ("wolfssl", "hash", "sha-256", ("hash",), 0, 53_000, 780.0),
        ):
            for operation in operations:
                for size in SIZES:
                    model = block_cipher(KINDS[0], 128, "encrypt", "-O2")
                    cycles = round((start + each * size) * speed * (1.04 if operation == "decrypt" else 1))
                    spread = 0 if fidelity == Fidelity.EXACT else round(cycles * 0.003)
                    implementation = f"{candidate}/{algorithm}"
                    found.append(
                        replace(
                            model,
                            case=f"{target}/{implementation}/{operation}/{size}/gcc-O2",
                            target=target,
                            core=core,
                            engine=engine,
                            engine_version="7.2.17" if engine == "qemu" else "1.0",
                            fidelity=fidelity,
                            fidelity_band_percent=band,
                            candidate=candidate,
                            implementation=implementation,
                            primitive=primitive,
                            algorithm=algorithm,
                            variant="plain",
                            operation=operation,
                            key_bits=key_bits,
                            size_bytes=size,
                            cycles_min=cycles - spread,
                            cycles_median=cycles,
                            cycles_max=cycles + spread,
                            time_us=cycles / clock,
                            flash_bytes=round(1_900 + start / 30),
                            flash_both_bytes=round(2_700 + start / 25),
                            ram_static_bytes=0,
                            ram_context_bytes=40 if primitive == "aead" else 112,
                            stack_bytes=round(90 + start / 500),
                            energy_uj=cycles / clock * 0.0475,
                        )
                    )
    return tuple(found)


def published(experiment: str = "sensor") -> tuple[PublishedFigure, ...]:
    compiler = "The study used a newer compiler, and its figure has the loop around the call in it."
    air = "Ours ends with the cipher; theirs with the radio, which takes 290 ms a packet."
    rows = (
        ("Speck-128 encrypt", "time", "µs", 162.4, 154.8, Fidelity.EXACT, compiler),
        ("Speck-128 decrypt", "time", "µs", 162.4, 160.8, Fidelity.EXACT, compiler),
        ("AES-128 encrypt", "time", "µs", 569.0, 529.0, Fidelity.EXACT, compiler),
        ("AES-256 encrypt", "time", "µs", 802.0, 741.0, Fidelity.EXACT, compiler),
        ("Sender, any cipher", "throughput", "packets/s", 3.4, 1_889.0, Fidelity.EXACT, air),
        (
            "Sender, Speck-128",
            "energy",
            "µJ",
            0.00000123,
            None,
            None,
            "The study's plot is lost; only its order is known.",
        ),
    )
    return tuple(
        PublishedFigure(
            experiment,
            label,
            metric,
            unit,
            theirs,
            ours,
            ours / theirs if ours else None,
            fidelity,
            "uno/arduinolibs/speck128-128/encrypt/16/avr-gcc-Os" if ours else None,
            note,
        )
        for label, metric, unit, theirs, ours, fidelity, note in rows
    )


def report_input() -> ReportInput:
    """The report of the first light: two studies on the UNO, some 600 results."""
    return ReportInput(
        title="What cryptography costs on an Arduino UNO",
        made="2026-11-21T03:00:00Z",
        tool_version="0.1.0",
        targets=(UNO,),
        experiments=(
            ExperimentSection(
                name="libraries",
                title="AES libraries for Arduino",
                question="Which AES library embeds in an Arduino UNO, is correct, and costs least?",
                study="A survey of eleven AES libraries in three steps, each eliminating: does it embed, does it "
                "conform to FIPS 197 and SP 800-38A, and what does it cost in flash, SRAM and cycles.",
                citation="A survey of AES libraries for Arduino, and Securino",
                results=block_cipher_results(),
                published=(),
                notes=("No library is favoured: same compiler, same flags, each at its best level.",),
            ),
            ExperimentSection(
                name="sensor",
                title="AES and Speck on a sensor with LoRa",
                question="Which cipher should a battery-powered sensor use to send 16 bytes every 5 seconds?",
                study="AES and Speck, each plain, small and tiny, with three key sizes, on an Arduino UNO that sends "
                "four variables over raw LoRa to a gateway.",
                citation="AES and Speck on an Arduino UNO sensor with LoRa",
                results=block_cipher_results(KINDS[4:12]),
                published=published(),
                notes=(),
            ),
        ),
    )


FINDINGS = (
    Finding(
        "Time doubles with the packet",
        "twice as long",
        "1.99 to 2.01 times",
        Verdict.HOLDS,
        "Every block costs the same.",
    ),
    Finding("`rc6` beats AES by 8", "8 to 10 times", "1.2 times", Verdict.DOES_NOT_HOLD, "The AES was <slow>."),
)

PART = ExtraSection(
    title="Packets delivered",
    paragraphs=("Simulated beside theory.",),
    plots=(
        XYPlot(
            "Delivery against sensors",
            "sensors on one channel",
            "packets delivered, part",
            (
                Series(
                    "free running, simulated", ((1, 1.0), (2, 0.85), (4, 0.62), (8, 0.34), (16, 0.09)), joined=False
                ),
                Series(
                    "free running, theory",
                    ((1, 1.0), (2, 0.86), (4, 0.64), (8, 0.36), (16, 0.11)),
                    marked=False,
                    dashed=True,
                ),
                Series("time slots", ((1, 1.0), (2, 1.0), (4, 0.999), (8, 0.998))),
            ),
            "Exact counts of a simulated air at 2.4 kbit/s.",
            x_ticks_measured=True,
        ),
        XYPlot(
            "Predicted over published",
            "published, cycles",
            "predicted ÷ published",
            (
                Series(
                    "cortex-a8, fitted",
                    ((1900, 1.02), (40_000, 0.97)),
                    joined=False,
                    band_percent=6.0,
                    colour=1,
                    marker=1,
                ),
                Series(
                    "cortex-a8, held out",
                    ((2100, 1.05), (375_000, 0.96)),
                    joined=False,
                    band_percent=6.0,
                    colour=1,
                    marker=0,
                    point_names=("AES", "P-256"),
                ),
            ),
            "Modelled ±6 %: the whiskers.",
            levels=(("equal", 1.0),),
            y_from_zero=False,
        ),
    ),
    columns=("sensors", "delivered"),
    rows=(("1", "1.00"), ("2", "0.85")),
)


def future_input() -> ReportInput:
    """A report with what is to come, to see that it still looks right."""
    return ReportInput(
        title="Records on three devices",
        made="2027-02-01",
        tool_version="0.2.0",
        targets=(UNO, XU3, M4),
        experiments=(
            ExperimentSection(
                "records", "Records", "Is ours better than anything published?", "", "", message_results()
            ),
            ExperimentSection(
                "libraries",
                "AES libraries",
                "Which library costs least?",
                "",
                "",
                block_cipher_results(KINDS[:5]),
                findings=FINDINGS,
                parts=(PART,),
            ),
        ),
        extra=(
            ExtraSection(
                title="What a lost packet costs",
                paragraphs=("A sensor that waits for an answer keeps its radio on.",),
                columns=("packets lost", "energy, mJ"),
                rows=(("0 %", "12.1"), ("10 %", "13.5")),
            ),
        ),
    )
