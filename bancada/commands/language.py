"""The command line in the language of the user: what it prints, its help, and what its library says."""

from __future__ import annotations

from collections.abc import Callable
from gettext import gettext, ngettext
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from bancada.language.catalogue import Catalogue
from bancada.language.spoken import PORTUGUESE, speak, spoken

if TYPE_CHECKING:
    from rich.console import Console

# The modules of click that speak.
_CLICK = ("core", "decorators", "exceptions", "formatting", "parser", "types")


def _chosen(context: click.Context, parameter: click.Parameter, language: str | None) -> None:
    if language is not None:
        speak(language)


lang_option = click.option(
    "--lang",
    type=click.Choice(("en", PORTUGUESE.replace("_", "-"))),
    is_eager=True,
    expose_value=False,
    callback=_chosen,
    help="The language of messages and of the report. Default: that of the locale.",
)


def say(text: str = "", err: bool = False) -> None:
    """Prints lines in the user's language, on standard output or standard error."""
    click.echo("\n".join(spoken().gettext(line) for line in text.split("\n")), err=err)


def teach_click() -> None:
    """Makes click speak the user's language: its modules call gettext by the names `_` and `ngettext`."""
    for name in _CLICK:
        module = import_module(f"click.{name}")
        for called, ours, theirs in (("_", _from_click, gettext), ("ngettext", _count_from_click, ngettext)):
            if getattr(module, called, None) is theirs:
                setattr(module, called, ours)


def _from_click(message: str) -> str:
    return spoken().exact(message) or gettext(message)


def _count_from_click(one: str, many: str, count: int) -> str:
    return _from_click(one if count == 1 else many)


def translated(command: click.Command) -> click.Command:
    """The command with its help in the user's language. Examples and the names of options stay as they are."""
    catalogue = spoken()
    if catalogue.has_messages:
        command.help = _help(command.help, catalogue)
        command.short_help = _help(command.short_help, catalogue)
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                parameter.help = _help(parameter.help, catalogue)
            if isinstance(parameter.type, click.Path):
                # Click asks for this word when the option is made, which is before the language is chosen.
                parameter.type.name = catalogue.exact(parameter.type.name) or parameter.type.name
        for inner in command.commands.values() if isinstance(command, click.Group) else ():
            translated(inner)
    return command


def _help(text: str | None, catalogue: Catalogue) -> str | None:
    """A help text. Its paragraphs are one message; the example is a paragraph of its own again."""
    if not text:
        return text
    found = catalogue.gettext(text)
    for word in ("Exemplo:", "Exemplos:"):
        found = found.replace(f" {word}", f"\n\n{word}")
    return found


def speaking(make: Callable[..., Console], **options: Any) -> Console:
    """A console that prints lines and tables in the user's language."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    catalogue = spoken()
    console = make(**options)
    if not catalogue.has_messages:
        return console
    print_english = console.print

    def print_translated(*objects: Any, **how: Any) -> None:
        print_english(*(_shown(one) for one in objects), **how)

    def _shown(one: Any) -> Any:
        if isinstance(one, str):
            return "\n".join(catalogue.gettext(line) for line in one.split("\n"))
        if isinstance(one, Text) and not one.spans:
            return Text(_shown(one.plain), style=one.style)
        if isinstance(one, Group):
            return Group(*(_shown(each) for each in one.renderables))
        if isinstance(one, Table):
            for column in one.columns:
                column.header = _shown(column.header)
                # A cell that is a Text is a name, which stays.
                column._cells = [_shown(cell) if isinstance(cell, str) else cell for cell in column._cells]
            one.title, one.caption = _shown(one.title), _shown(one.caption)
        return one

    console.print = print_translated  # type: ignore[method-assign]
    return console
