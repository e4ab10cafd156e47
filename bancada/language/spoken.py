"""Which language is spoken: what the environment says, as gettext reads it; English unless it says Portuguese."""

from __future__ import annotations

import os
from collections.abc import Mapping

from bancada.language.catalogue import Catalogue, catalogue

ENGLISH, PORTUGUESE = "en", "pt_BR"
# GNU gettext, "Locale Environment Variables" and "The LANGUAGE variable", the first that is set.
_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


def language_of(environment: Mapping[str, str]) -> str:
    """`en` or `pt_BR`: any Portuguese is that of Brazil, any other language English."""
    wanted = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    return PORTUGUESE if wanted.lower().startswith("pt") else ENGLISH


def spoken() -> Catalogue:
    """The catalogue of the language that this process speaks."""
    return catalogue(language_of(os.environ))


def speak(language: str) -> None:
    """Makes this process, and those that it starts, speak `en` or `pt-BR`."""
    os.environ["LANGUAGE"] = language.replace("-", "_")
