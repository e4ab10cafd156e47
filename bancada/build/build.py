"""Compiles the firmware of one implementation for one target, and the images whose size is a metric.

The embedding test of the survey is here: what does not compile, or does not fit the device, ends here with its reason.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from bancada.build.arduino import CORE_DEFINES, ArduinoParts
from bancada.build.checked_calls import checking_source, library_functions, wrap_options
from bancada.build.elf import biggest_symbols, image_of
from bancada.build.mistakes import explained
from bancada.build.shipped import needs_shipped, shipped_build, shipped_checking_firmware
from bancada.catalogue.candidate import Candidate
from bancada.catalogue.paths import cache_folder, data_root
from bancada.catalogue.target import Target
from bancada.compilers.compile import (
    CompileError,
    archive,
    compile_object,
    file_sha256,
    link_image,
    without_constructors,
)
from bancada.compilers.compilers import CPP_SUFFIXES, Compiler, own_compiler
from bancada.compilers.cpp import need_cpp
from bancada.model.build import Build, Image
from bancada.model.errors import NotInThisRelease, UserError
from bancada.model.status import Status
from bancada.plan.case import Firmware
from bancada.primitives import CONTRACTS, Library
from bancada.sources import prebuilt
from bancada.sources.fetch import fetch

# What the monitor's own calls need above the firmware's static RAM, found by the engine's stack count on the UNO.
MONITOR_STACK_BYTES = 96

# Images that others are compared with: nothing of the library is called in them.
BASELINES = ("none", "none-decrypt")


class _DoesNotFit(Exception):
    pass


def source_root(candidate: Candidate) -> Path:
    """The folder that the candidate's `sources` are relative to; fetched first if it comes from a registry."""
    if candidate.source is not None:
        return fetch(candidate.source, cache_folder())
    if candidate.compiled:
        return candidate.folder
    root = candidate.root or "."
    for base in (candidate.folder, data_root()):
        if (base / root).is_dir():
            return (base / root).resolve()
    raise UserError(f"{candidate.folder / 'candidate.toml'}: key 'root': there is no folder '{root}'.")


def _source_files(root: Path, candidate: Candidate, firmware: Firmware) -> list[Path]:
    files: list[Path] = []
    for pattern in firmware.sources:
        # By file name, whatever folder a file is in: a move between folders then changes no address, and so no figure.
        matched = [*root.glob(pattern)] or [*candidate.folder.glob(pattern)]
        matched.sort(key=lambda path: (path.name, path))
        if not matched:
            raise CompileError(f"candidate.toml names the source '{pattern}', which is not in {root.name}")
        files += [path for path in matched if path not in files]
    return files


def _check_fit(image: Image, target: Target, reserve_bytes: int, what: str) -> None:
    over_flash = image.flash_bytes - target.flash_bytes
    over_ram = image.ram_static_bytes + reserve_bytes - target.ram_bytes
    if over_flash <= 0 and over_ram <= 0:
        return
    path = Path(image.elf_path)
    parts = []
    if over_flash > 0:
        biggest = ", ".join(f"{name} {size} B" for name, size in biggest_symbols(path, in_ram=False))
        parts.append(f"{over_flash} B more flash than the {target.flash_bytes} B there are (biggest: {biggest})")
    if over_ram > 0:
        biggest = ", ".join(f"{name} {size} B" for name, size in biggest_symbols(path, in_ram=True))
        parts.append(f"{over_ram} B more RAM than the {target.ram_bytes} B there are (biggest: {biggest})")
    raise _DoesNotFit(f"{what} needs {' and '.join(parts)}")


def _layout(target: Target) -> tuple[str, ...]:
    """What harness/link asks of a target."""
    # Where the emulated machine has more RAM the stack begins at its end: one that is too deep for the device then
    # corrupts nothing, and it can be said by how much (bancada.measure.ram).
    ram_bytes = target.settings.linked_ram_bytes or target.ram_bytes
    symbols = {"FLASH_ORIGIN": target.linked_flash_origin, "RAM_ORIGIN": target.ram_origin, "RAM_BYTES": ram_bytes}
    return tuple(f"-Wl,--defsym={name}={value:#x}" for name, value in symbols.items() if value is not None)


class _Builder:
    """The compiler with a firmware's flags."""

    def __init__(self, firmware: Firmware, target: Target, compiler: Compiler) -> None:
        candidate = firmware.candidate
        self.firmware = firmware
        self.target = target
        self.candidate = candidate
        self.compiler = compiler
        self.primitive = firmware.primitive
        self.base = (*target.toolchain.flags, firmware.optimisation)
        self.root = source_root(candidate)
        if not (candidate.folder / firmware.adapter).is_file():
            raise CompileError(
                f"candidate.toml names the adapter '{firmware.adapter}', which is not in {candidate.folder.name}"
            )
        self.is_cpp_adapter = Path(firmware.adapter).suffix == ".hpp"
        self.arduino = ArduinoParts(candidate, target, self.root)
        self.packages = prebuilt.unpacked(candidate, target, cache_folder())
        self.harness = data_root() / "harness"
        self.library_flags = (
            *self.base,
            "-w",
            *(f"-D{define}" for define in firmware.defines),
            f"-I{candidate.folder}",
            *(f"-I{self.root / folder}" for folder in firmware.include),
            *prebuilt.include_flags(self.packages, target, firmware.include),
            *self.arduino.flags,
        )
        self.contract_flags = (
            *self.library_flags,
            f"-I{self.harness / 'include'}",
            f"-I{CONTRACTS}",
            *self.primitive.compiler_flags,
            f'-DBANCADA_ADAPTER="{candidate.folder / firmware.adapter}"',
            f"-DBANCADA_KEY_BITS={firmware.key_bits}",
            f"-DBANCADA_KEY_BYTES={firmware.key_bits // 8}",
            f"-DBANCADA_BLOCK_BYTES={firmware.block_bytes}",
            f"-DBANCADA_DIGEST_BYTES={firmware.digest_bytes}",
            f"-DBANCADA_NONCE_BYTES={firmware.nonce_bytes}",
            f"-DBANCADA_TAG_BYTES={firmware.tag_bytes}",
            *(f"-D{define}" for define in firmware.adapter_defines),
        )
        self.plain_flags = (*self.base, f"-I{self.harness / 'include'}")
        self.links_cpp = self.is_cpp_adapter or candidate.arduino
        constructors = ("-DSTARTUP_CONSTRUCTORS=1",) if self.links_cpp else ()
        self.startup = [
            self._object(self._of_target("src", name), (*self.plain_flags, *constructors)) for name in target.startup
        ]
        sources = [*self.arduino.sources, *_source_files(self.root, candidate, firmware)]
        if not compiler.is_clang and (self.is_cpp_adapter or any(path.suffix in CPP_SUFFIXES for path in sources)):
            need_cpp(compiler.linker)
        self.library = [self._object(path, self.library_flags) for path in sources]
        self.runtime = self._cpp_runtime()
        if self.primitive.library is not None:
            self._add_library(self.primitive.library)

    def _add_library(self, library: Library) -> None:
        """What the primitive's programs need beside the candidate, compiled with the same flags."""
        root = fetch(library.source, cache_folder())
        include = tuple(f"-I{root / folder}" for folder in library.include)
        self.contract_flags = (*self.contract_flags, *include)
        for pattern in library.sources:
            self.library += [self._object(path, (*self.base, "-w", *include)) for path in sorted(root.glob(pattern))]

    def _object(self, source: Path, flags: tuple[str, ...], is_cpp: bool = False) -> Path:
        if source.suffix in CPP_SUFFIXES or is_cpp:
            is_cpp = True
            flags = (
                *(flag for flag in flags if not flag.startswith("-std=")),
                *self.target.toolchain.cpp_flags,
                "-x",
                "c++",
            )
        return compile_object(
            self.compiler.command[0], self.compiler.version, self.compiler.flags_for(flags, is_cpp), source
        )

    def _contract_object(self, source: Path, flags: tuple[str, ...]) -> Path:
        """A source of the primitive that includes the adapter, in the adapter's language."""
        return self._object(source, (*self.contract_flags, *flags), self.is_cpp_adapter)

    def _of_target(self, folder: str, name: str) -> Path:
        """A board layer, start-up file or linker script: in the target's own folder, or else in the harness."""
        own = self.target.folder / name
        return own if own.is_file() else self.harness / folder / name

    def _cpp_runtime(self) -> tuple[str, ...]:
        """What C++ links: on Linux its library, with an Arduino library the core, else what a device needs of it."""
        if not self.links_cpp:
            return ()
        if self.target.settings.is_linux:
            return ("-lstdc++",)
        objects = self._core_objects()
        objects.append(self._object(self.harness / "src" / "cpp_runtime.cpp", self.plain_flags))
        return (str(archive(self.compiler.linker, self.compiler.linker_version, objects)),)

    def _core_objects(self) -> list[Path]:
        """The Arduino core's objects. A file of it that this compiler does not compile is left out: the linker says so
        if it is needed."""
        objects = []
        for path in self.arduino.core_sources():
            with suppress(CompileError):
                objects.append(self._object(path, (*self.base, "-w", *self.arduino.flags, *CORE_DEFINES)))
        return objects

    def _link(
        self,
        objects: list[Path],
        behind: list[Path] | None = None,
        with_library: bool = True,
        options: tuple[str, ...] = (),
    ) -> Path:
        flags = (*self.compiler.link_flags(self.target.toolchain.link_flags), self.firmware.optimisation, *options)
        libraries = (*prebuilt.link_arguments(self.packages, self.target, self.firmware.libraries), *self.runtime)
        library = self.library if with_library else []
        script = self._of_target("link", self.target.linker_script) if self.target.linker_script else None
        layout = _layout(self.target) if script else ()
        if script and self.links_cpp:
            layout = (*layout, f"-Wl,-T,{self.harness / 'link' / 'constructors.ld'}")
        return link_image(
            self.compiler.linker,
            self.compiler.linker_version,
            (*flags, *layout),
            [*self.startup, *objects, *library, *(behind or [])],
            libraries,
            script,
        )

    def program(self, source: Path, flags: tuple[str, ...], options: tuple[str, ...]) -> Path:
        return self._link([self._contract_object(source, flags)], options=options)

    def _options(self, with_decrypt: bool) -> tuple[str, ...]:
        if not with_decrypt:
            return ()
        cbc = (f"-DBANCADA_CBC_{self.firmware.cbc.upper()}=1",) if self.firmware.cbc else ()
        return ("-DBANCADA_WITH_DECRYPT=1", *cbc)

    def image(self, name: str, with_decrypt: bool) -> Image:
        flags = (*self._options(with_decrypt), f"-DBANCADA_IMAGE={self.primitive.images[name]}")
        program = self._contract_object(self.primitive.size_source, flags)
        # Objects that are constructed before main are the library's or the adapter's, and stay out of the baseline,
        # which the linker would keep them in.
        is_without = bool(self.runtime) and name in BASELINES
        if is_without:
            program = without_constructors(self.compiler.linker, self.compiler.linker_version, program)
        return image_of(self._link([program], with_library=not is_without))

    def monitor(self, with_decrypt: bool) -> Image:
        """The firmware that is measured."""
        objects, behind = self._monitor_objects(with_decrypt)
        return image_of(self._link(objects, behind))

    def checking_monitor(self, with_decrypt: bool) -> Path:
        """The same library, with each call of it checked (bancada.build.checked_calls)."""
        objects, behind = self._monitor_objects(with_decrypt, ("-DBANCADA_CHECKED=1",))
        functions = library_functions(objects[1], self.library)
        checking = self._object(checking_source(self.harness, functions), self.plain_flags)
        return self._link(objects, [*behind, checking], options=wrap_options(functions))

    def _monitor_objects(self, with_decrypt: bool, checks: tuple[str, ...] = ()) -> tuple[list[Path], list[Path]]:
        """What goes in front of the library, the primitive's operations second, and what goes behind it."""
        plain = (*self.plain_flags, f"-DBANCADA_BAUD={self.target.baud}UL")
        sources = self.harness / "src"
        board_layer = self.target.board_layer or self.target.core.board_layer
        if board_layer is None:
            raise UserError(
                f"{self.target.folder / 'target.toml'}: key 'board_layer': neither the target nor its core"
                f" '{self.target.core.name}' has one."
            )
        objects = [
            self._object(sources / "monitor.c", (*plain, *checks)),
            self._contract_object(self.primitive.operations_source, (*self._options(with_decrypt), *checks)),
        ]
        if with_decrypt and self.firmware.cbc:
            objects += [
                self._object(self.candidate.folder / name, self.library_flags) for name in self.firmware.monitor_sources
            ]
        # The board layer goes behind the library: what stands between a caller and the library decides, on an AVR,
        # whether a call reaches it in one word, so as little of the laboratory's own code as possible is there.
        return objects, [self._object(self._of_target("src", board_layer), plain)]


def _images(builder: _Builder, with_decrypt: bool) -> tuple[dict[str, Image], dict[str, str]]:
    """The size images that fit, and for each operation whose image does not, why."""
    images: dict[str, Image] = {}
    reasons: dict[str, str] = {}
    primitive = builder.primitive
    for name in primitive.images:
        if name in primitive.decrypting_images and not with_decrypt:
            continue
        image = builder.image(name, with_decrypt)
        try:
            _check_fit(
                image,
                builder.target,
                0,
                f"a program that calls only {name}" if name != "both" else "a program with both",
            )
        except _DoesNotFit as error:
            reasons[name] = str(error)
        images[name] = image
    return images, reasons


def _shown_flags(firmware: Firmware, target: Target, compiler: Compiler) -> str:
    defines = (f"-D{define}" for define in firmware.defines)
    return " ".join(
        (
            *compiler.shown(target.toolchain.flags),
            firmware.optimisation,
            *defines,
            *compiler.link_flags(target.toolchain.link_flags),
        )
    )


def _first_line(message: str) -> str:
    """A compiler's message without the path of this machine."""
    return re.sub(r"(/[^\s:]+)+/", "", message)


def build(firmware: Firmware, toolchain_of: Target | None = None) -> Build:
    """Builds one firmware. Never raises for a candidate's fault: the record says what went wrong.

    `toolchain_of` is the firmware's target changed in how it is compiled (the audit's, with line numbers). UserError if
    a source cannot be fetched, or a tool is missing for firmware that did not come with the package.
    """
    if toolchain_of is None and (shipped := shipped_build(firmware)) is not None:
        return shipped
    target = toolchain_of or firmware.target
    compiler = firmware.compiler or own_compiler(target)
    flags = _shown_flags(firmware, target, compiler)

    def failed(status: Status, reason: str) -> Build:
        return Build(status, reason, None, None, compiler.version, flags)

    with_decrypt = "decrypt" in firmware.operations
    try:
        builder = _Builder(firmware, target, compiler)
        images, reasons = _images(builder, with_decrypt)
        first = next((reasons[name] for name in reasons if name not in builder.primitive.decrypting_images), None)
        if first is not None:
            return failed(Status.DOES_NOT_FIT, first)
        monitors = [True, False] if with_decrypt and "decrypt" not in reasons else [False]
        for decrypting in monitors:
            monitor = builder.monitor(decrypting)
            try:
                _check_fit(monitor, target, MONITOR_STACK_BYTES, "the library fits alone, but beside the monitor it")
            except _DoesNotFit as error:
                reasons.setdefault("decrypt" if decrypting else "monitor", str(error))
                continue
            return Build(
                Status.OK,
                None,
                monitor.elf_path,
                file_sha256(Path(monitor.elf_path)),
                compiler.version,
                flags,
                with_decrypt=decrypting,
                operation_reason=reasons,
                images=images,
            )
        return failed(Status.DOES_NOT_FIT, reasons["monitor"])
    except CompileError as error:
        return failed(Status.DOES_NOT_BUILD, explained(_first_line(str(error)), firmware))
    except NotInThisRelease as error:
        return failed(Status.DOES_NOT_BUILD, str(error))


def checking_firmware(firmware: Firmware, made: Build) -> Build | None:
    """The firmware of the successful build `made` with each call of the library checked: for conformance alone.

    None if it does not fit the target, or where the target's linker cannot send calls elsewhere.
    """
    if needs_shipped(firmware):
        return shipped_checking_firmware(firmware)
    target = firmware.target.simulated
    builder = _Builder(firmware, target, firmware.compiler or own_compiler(target))
    try:
        image = image_of(builder.checking_monitor(made.with_decrypt))
        _check_fit(image, target, MONITOR_STACK_BYTES, "the firmware that checks calls")
    except (CompileError, _DoesNotFit):
        return None
    return replace(made, elf_path=image.elf_path, elf_sha256=file_sha256(Path(image.elf_path)))


def program_of(firmware: Firmware, source: Path, flags: tuple[str, ...] = (), options: tuple[str, ...] = ()) -> Path:
    """An experiment's own program, linked with the firmware's library: `source` includes the adapter as the primitive's
    own programs do. `flags` are the compiler's besides the firmware's, `options` the linker's.

    UserError if a tool is missing, a source cannot be fetched, or the program does not compile.
    """
    try:
        builder = _Builder(firmware, firmware.target, firmware.compiler or own_compiler(firmware.target))
        return builder.program(source, flags, options)
    except CompileError as error:
        raise UserError(f"{source.name} does not build with {firmware.implementation}: {error}") from error
