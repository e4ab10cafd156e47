"""Runs the user's own git. It asks nothing, runs no hook, follows no submodule, and has a limit of time.

Everything that the user's configuration says of reaching a server holds: proxies, credentials, url.<base>.insteadOf.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass

from bancada.model.errors import UserError

# For one call of git. The largest library that is pinned in this repository has about 10 MB.
LIMIT_S = 300.0
_GRACE_S = 5.0

# What would make git look at another repository than the one that it is given (`git rev-parse --local-env-vars`). The
# configuration in the environment (GIT_CONFIG_*) is the user's, and stays.
_OF_ANOTHER_REPOSITORY = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_SHALLOW_FILE",
    "GIT_GRAFT_FILE",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_TEMPLATE_DIR",
)
# LC_ALL: messages are read here. The others: no question on a terminal, in a window or by a helper.
_SILENT = {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "SSH_ASKPASS": "", "GCM_INTERACTIVE": "never"}
_SETTINGS = (
    "core.hooksPath=/dev/null",
    "fetch.recurseSubmodules=false",
    "fetch.writeCommitGraph=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "credential.interactive=false",
)


@dataclass(frozen=True)
class GitDone:
    """How a call ended. `said` is what git wrote for its user, or that it had to be stopped."""

    is_right: bool
    output: bytes
    said: str


def run_git(*arguments: str, given: bytes = b"") -> GitDone:
    """Runs git with these arguments and `given` on its standard input. UserError if there is no git.

    A call that takes longer than LIMIT_S is stopped, and is not right.
    """
    if shutil.which("git") is None:
        raise UserError("The program 'git' is not installed; install it with: apt-get install git")
    command = ["git", *(part for setting in _SETTINGS for part in ("-c", setting)), *arguments]
    # Files and no pipes: a helper that outlives git would keep a pipe open.
    with tempfile.TemporaryFile() as to, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        to.write(given)
        to.seek(0)
        process = subprocess.Popen(command, env=_environment(), stdin=to, stdout=output, stderr=errors)
        late = ""
        try:
            process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            late = f"timed out, there was no end after {LIMIT_S:g} s"
        finally:
            _end(process)
        output.seek(0)
        errors.seek(0)
        said = late or errors.read().decode(errors="replace")
        return GitDone(process.returncode == 0 and not late, output.read(), said)


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _OF_ANOTHER_REPOSITORY}
    if not {"GIT_SSH", "GIT_SSH_COMMAND"} & kept.keys() and not _has_ssh_command():
        kept["GIT_SSH_COMMAND"] = "ssh -o BatchMode=yes"
    return {**kept, **_SILENT}


def _has_ssh_command() -> bool:
    """Whether the user configured how git calls ssh; else ssh is told to ask no question (ssh_config(5))."""
    asked = subprocess.run(["git", "config", "--get", "core.sshCommand"], capture_output=True, stdin=subprocess.DEVNULL)
    return asked.returncode == 0


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()  # git then ends its helpers
        try:
            process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
