"""Makes a large page small: parts that a reader sees only after a choice are stored compressed.

A part becomes a script element with base64 in it, which report.js turns back when the page opens. A
small page stays as it is, so that it can be read without a script.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable

from markupsafe import Markup

# What is shorter gains nothing.
_LEAST_CHARACTERS = 2000
_LEVEL = 9


def packed(text: str, told: Callable[[str], str] = str) -> Markup:
    """The part in compact form, which is what `told` makes of it, or as it is where it is short. The same text gives
    the same form."""
    if len(text) < _LEAST_CHARACTERS:
        return Markup(text)
    compressor = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    data = compressor.compress(str(told(text)).encode()) + compressor.flush()
    return Markup(f'<script type="application/x-deflate" class="packed">{base64.b64encode(data).decode()}</script>')


def unpacked(page: str) -> str:
    """A page with its packed parts as they were: for programs that read pages."""
    opening, closing = '<script type="application/x-deflate" class="packed">', "</script>"
    parts = page.split(opening)
    text = [parts[0]]
    for part in parts[1:]:
        data, rest = part.split(closing, 1)
        text += [zlib.decompress(base64.b64decode(data), -zlib.MAX_WBITS).decode(), rest]
    return "".join(text)
