"""What goes wrong in `bancada run channel` is said without the options of client and server, which it has not, and
with what to do.
"""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from bancada.catalogue.paths import data_root
from bancada.model.errors import UserError
from experiments.channel import exchange as module
from experiments.channel.built_programs import Programs
from experiments.channel.exchange import exchange
from experiments.channel.failure import failure
from experiments.channel.link import Link, Maker, best_maker, open_link


def _words_of_the_programs() -> list[str]:
    """Every sentence of theirs that points to an option."""
    sources = "".join(
        path.read_text() for path in sorted((data_root() / "experiments" / "channel" / "programs" / "src").glob("*.c"))
    )
    return [words for words in re.findall(r'"((?:[^"\\]|\\.)*)"', sources) if re.search(r"\((its )?--[a-z-]+\)", words)]


def test_no_option_of_theirs_is_left_in_what_the_user_reads() -> None:
    words = _words_of_the_programs()
    assert len(words) >= 9
    for one in words:
        said = str(failure("An exchange failed", f"channel-client: {one}\n"))
        assert "--" not in said and "()" not in said, said
        assert said.startswith("An exchange failed: channel-client: ") and "run the same command again" in said
        assert ("nothing else at work on this machine" in said) == ("in time" in one)


def test_a_link_that_does_not_start_is_one_sentence(programs: Programs, tmp_path: Path) -> None:
    broken = tmp_path / "channel-link"
    broken.write_text(
        "#!/bin/sh\n"
        "echo 'channel-link: port 7 of 127.0.0.1 is in use: stop what listens there, or choose another (--port)' >&2\n"
        "exit 2\n"
    )
    broken.chmod(0o755)
    link = Link(1e6, 1000)
    said = (
        r"^The link does not listen: channel-link: port 7 of 127\.0\.0\.1 is in use: stop what listens there\. "
        r"What was finished is stored; run the same command again\.$"
    )
    with pytest.raises(UserError, match=said), open_link(link, Maker.USER_SPACE, broken) as ends, ends.connect(7):
        pass


def test_a_client_that_waits_too_long_says_what_can_be_done(programs: Programs, tmp_path: Path) -> None:
    slow = tmp_path / "channel-client"
    slow.write_text(
        "#!/bin/sh\necho 'channel-client: only 0 of 4 bytes of the reply came in time (--timeout-s)' >&2\nexit 1\n"
    )
    slow.chmod(0o755)
    with pytest.raises(
        UserError,
        match=r"^An exchange failed: channel-client: only 0 of 4 bytes of the reply came in time\. .* a step has 120 s",
    ):
        exchange(
            dataclasses.replace(programs, client=slow), "relic-aes-cbc-128", b"x", Link(None, 0), Maker.LOOPBACK, 1
        )


def test_an_exchange_that_does_not_end_is_the_same(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "STEP_TIMEOUT_S", 1)
    hanging = tmp_path / "channel-client"
    hanging.write_text("#!/bin/sh\nexec sleep 60\n")
    hanging.chmod(0o755)
    with pytest.raises(
        UserError, match=r"^An exchange failed: (1 bytes did not come and go in time, 2 s|channel-server: .* in time)"
    ):
        exchange(
            dataclasses.replace(programs, client=hanging), "relic-aes-cbc-128", b"x", Link(None, 0), Maker.LOOPBACK, 1
        )


def test_a_link_that_tbf_cannot_make_names_who_can() -> None:
    assert best_maker(Link(1e6, 1000)) in (Maker.NETEM, Maker.USER_SPACE)
    with (
        pytest.raises(UserError, match="a link of 1 Mbit/s, 1 ms is made by tc netem or by the user-space shaper"),
        open_link(Link(1e6, 1000), Maker.TBF, Path("none")),
    ):
        pass
