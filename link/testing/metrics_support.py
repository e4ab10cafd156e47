"""The addresses that the server gives to programs that watch it."""

from __future__ import annotations

import re
import urllib.error
import urllib.request

from server_support import Server


def get(server: Server, path: str, host: str | None = None) -> tuple[int, str]:
    """The status and the text of /metrics or /health."""
    server.wait_for_log("metrics at http")
    base = re.findall(r"metrics at (\S+)/metrics", server.log())[-1]
    request = urllib.request.Request(base + path, headers={"Host": host} if host else {})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read().decode()
