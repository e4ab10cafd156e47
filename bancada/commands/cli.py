"""Where the command line begins. Ctrl-C ends it with one line from here on, also while its modules are imported: that
takes up to a second. So this module imports nothing that takes long."""

from __future__ import annotations

import sys

from bancada.campaign import interrupt

EXIT_INTERRUPTED = 130


def main() -> None:
    """Runs the command line (bancada.commands.command_line) and ends the process."""
    interrupt.listen()
    try:
        from bancada.commands.command_line import start

        start()
    except BaseException:
        # Whatever it is that ends a command after Ctrl-C, Ctrl-C is why: a compiler that it stopped, an import.
        if not interrupt.is_requested():
            raise
        interrupt.listen_no_more()
        _say_stopped()
        sys.exit(EXIT_INTERRUPTED)
    finally:
        interrupt.listen_no_more()


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
