"""What a program of the channel said, for the person who ran the experiment: its options are not theirs, and it is they who must do
something."""

from __future__ import annotations

import re

from bancada.errors import UserError

# Beyond this a step of an exchange has gone wrong: far more than the slowest link of a study takes for its image.
STEP_TIMEOUT_S = 120

# A pointer to an option of client or server: " (--timeout-s)", " (its --largest-bytes)", ", or choose another (--port)".
_OPTION = re.compile(r"(?:, or choose another)?\s*\((?:its )?--[a-z-]+\)")


def failure(what: str, said: str) -> UserError:
    """`what` failed, whose program said that."""
    lines = said.strip().splitlines() or ["it said nothing"]
    words = _OPTION.sub("", lines[-1]).rstrip(".")
    again = "run the same command again"
    if "in time" in words:
        again += f" with nothing else at work on this machine: a step has {STEP_TIMEOUT_S} s, many times what the slowest link takes"
    return UserError(f"{what}: {words}. What was finished is stored; {again}.")
