"""Where the command line begins. Ctrl-C ends it with one line from here on, also while its modules are imported: that
takes up to a second. So this module imports nothing that takes long."""

from __future__ import annotations

import os
import sys

from bancada.campaign import interrupt

EXIT_INTERRUPTED = 130


def main() -> None:
    """Runs the command line (bancada.commands.command_line) and ends the process."""
    interrupt.listen()
    try:
        _fill_closed_files()
        from bancada.commands.command_line import start

        start()
    except BaseException:
        # Whatever it is that ends a command after Ctrl-C, Ctrl-C is why: a compiler that it stopped, an import.
        if not interrupt.is_requested():
            raise
        interrupt.listen_no_more()
        _say_stopped()
        # Python notes a KeyboardInterrupt that leaves a program given as text, as libraries run some while they are
        # imported, and would end itself by the signal. The next such program takes the note back.
        exec("")
        sys.exit(EXIT_INTERRUPTED)
    finally:
        interrupt.listen_no_more()


def _fill_closed_files() -> None:
    """Standard input, output and error are there, if only as /dev/null: otherwise the next file that is opened, which
    may be a store, would be the standard output."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)


def _say_stopped() -> None:
    from contextlib import suppress

    from bancada.language.spoken import spoken

    sentence = spoken().gettext("stopped; every finished case is stored, the same command resumes.")
    with suppress(OSError, ValueError, AttributeError):  # nobody listens on the standard error, or there is none
        if sys.stderr.isatty():
            print(file=sys.stderr)  # the terminal has written ^C
        print("bancada:", sentence, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
