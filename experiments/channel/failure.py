"""The message of a program of the channel, for the person who ran the experiment. That person did not give the
program's options, so these are removed from the message.
"""

from __future__ import annotations

import re

from bancada.model.errors import UserError

# A step of an exchange that takes longer has failed: the slowest link of a study needs far less for its image.
STEP_TIMEOUT_S = 120

# A pointer to an option of client or server: " (--timeout-s)", " (its --largest-bytes)", ", or choose another
# (--port)".
_OPTION = re.compile(r"(?:, or choose another)?\s*\((?:its )?--[a-z-]+\)")


def failure(what: str, said: str) -> UserError:
    """UserError: `what` failed, with the program's message."""
    lines = said.strip().splitlines() or ["it said nothing"]
    words = _OPTION.sub("", lines[-1]).rstrip(".")
    again = "run the same command again"
    if "in time" in words:
        again += (
            f" with nothing else at work on this machine: a step has {STEP_TIMEOUT_S} s, "
            "many times what the slowest link takes"
        )
    return UserError(f"{what}: {words}. What was finished is stored; {again}.")
