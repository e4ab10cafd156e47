"""What a compiler's or linker's first error means for the person whose library it is, and what to do about it."""

from __future__ import annotations

import re

from bancada.plan.case import Firmware

_QUOTES = "[‘'`]"

_IN_CONTRACT = re.compile(
    rf"{_QUOTES}(bancada_\w+)['’](?: was not declared| undeclared|.*does not name a type)|unknown type name"
    rf" {_QUOTES}(bancada_\w+)|undefined reference to {_QUOTES}(bancada_\w+)"
)
_MISSING_HEADER = re.compile(rf"fatal error: ([^:'\s]+): No such file|{_QUOTES}([^'’]+)['’] file not found")
_CPP_READ_AS_C = re.compile(
    rf"unknown type name {_QUOTES}(class|namespace|template|using|bool)['’]|fatal error: (c\w+|new|string|vector): No"
    r" such file"
)


def _missing_header(header: str, firmware: Firmware) -> str:
    candidate, target = firmware.candidate, firmware.target
    if header == "Arduino.h" and not candidate.arduino:
        return "that is an Arduino library: say 'arduino = true' in candidate.toml"
    if header == "Arduino.h":
        with_core = " or ".join(firmware.arduino_targets) or "a target that has a table [arduino]"
        return f"there is no Arduino core for {target.name} here: measure it on {with_core}"
    if "." not in header:
        return f"{target.name} has no C++ standard library"
    if candidate.arduino:
        name = header.removesuffix(".h")
        return f"if {name} is another library, put the folder of that library beside this one"
    return "name its folder under 'include' in candidate.toml"


def explained(message: str, firmware: Firmware) -> str:
    """The message, with what to do about it where that is known."""
    candidate, target = firmware.candidate, firmware.target
    is_cpp = firmware.adapter.endswith(".hpp")
    if asked := _IN_CONTRACT.search(message):
        name = next(group for group in asked.groups() if group)
        contract = firmware.primitive.contract
        return f"{firmware.adapter} does not define {name}, which {contract} asks for ({message})"
    if not is_cpp and _CPP_READ_AS_C.search(message):
        return (
            f"{message}; that is C++, and {firmware.adapter} is read as C: let its name end in .hpp, in"
            " candidate.toml too"
        )
    if missing := _MISSING_HEADER.search(message):
        return f"{message}; {_missing_header(missing[1] or missing[2], firmware)}"
    if "exception handling disabled" in message or "with exceptions disabled" in message:
        return (
            f"{message}; firmware for {target.name} is compiled without exceptions, as by the Arduino IDE: return an"
            " error instead"
        )
    if "undefined reference to" in message:
        what = message[message.index("undefined reference to") + len("undefined reference to ") :]
        where = "the library" if candidate.arduino else "'sources' of candidate.toml"
        return f"{what} is called, and no file of {where} defines it ({message})"
    return message
