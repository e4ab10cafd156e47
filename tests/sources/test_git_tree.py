"""Candidates from Git repositories: a commit comes by the user's own git, its files are proved by a SHA-256, and every
way it can fail is one sentence.

The repositories are made here. The hash of the pinned tree is computed here too, by the definition in words.
"""

from __future__ import annotations

import hashlib
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bancada.catalogue.candidate import GitSource
from bancada.model.errors import UserError
from bancada.sources import fetch as fetch_module
from bancada.sources import git_client
from bancada.sources.fetch import fetch
from bancada.sources.git_tree import CannotBeFetched, try_again

pytestmark = pytest.mark.quick

ADDRESS = "https://git.invalid/somebody/Thing"
CIPHER = b"int cipher;\r\n"
README = b"A thing.\n"


@pytest.fixture(autouse=True)
def as_in_a_new_process() -> Iterator[None]:
    fetch_module._is_whole_since.cache_clear()
    try_again()
    yield
    try_again()


@pytest.fixture(autouse=True)
def configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's configuration of git, empty."""
    path = tmp_path / "gitconfig"
    path.touch()
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(path))
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    return path


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=Nobody", "-c", "user.email=nobody@example.org", "-c", "init.defaultBranch=main")
    return subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


def commit(folder: Path, message: str) -> str:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", message)
    return git(folder, "rev-parse", "HEAD").strip()


def pinned_hash(entries: list[tuple[str, str, bytes]]) -> str:
    """mode SPACE path NUL length NUL bytes, in the order of the paths."""
    text = b""
    for path, mode, content in sorted(entries):
        text += f"{mode} {path}".encode() + b"\0" + str(len(content)).encode() + b"\0" + content
    return hashlib.sha256(text).hexdigest()


TREE = [("README", "100644", README), ("src/cipher.c", "100755", CIPHER), ("src/link.c", "120000", b"../../outside")]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository of three commits, of which the second is the one that is pinned. It gives no commit by its id."""
    folder = tmp_path / "repository"
    (folder / "src").mkdir(parents=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "config", "core.autocrlf", "false")
    (folder / "README").write_bytes(b"Nothing yet.\n")
    commit(folder, "first")
    (folder / "README").write_bytes(README)
    (folder / "src" / "cipher.c").write_bytes(CIPHER)
    (folder / "src" / "cipher.c").chmod(0o755)
    (folder / "src" / "link.c").symlink_to("../../outside")
    commit(folder, "second")
    git(folder, "tag", "--annotate", "--message=two", "v2")
    (folder / "README").write_bytes(b"Later.\n")
    commit(folder, "third")
    return folder


def gives_commits_by_id(repository: Path) -> None:
    git(repository, "config", "uploadpack.allowReachableSHA1InWant", "true")


@pytest.fixture
def source(repository: Path) -> GitSource:
    pinned = git(repository, "rev-parse", "v2^{commit}").strip()
    return GitSource(registry="git", address=f"file://{repository}", commit=pinned, sha256=pinned_hash(TREE))


def changed(source: GitSource, **fields: str) -> GitSource:
    return GitSource(**{**source.model_dump(), **fields})


def test_a_commit_comes_as_its_bytes_are_in_the_repository(
    source: GitSource, repository: Path, tmp_path: Path, configuration: Path
) -> None:
    """Line ends are those of the repository, whatever the user's git makes of them in a checkout. No link comes."""
    gives_commits_by_id(repository)
    configuration.write_text("[core]\n\tautocrlf = input\n\teol = lf\n")
    folder = fetch(source, tmp_path / "cache")
    assert (folder / "src" / "cipher.c").read_bytes() == CIPHER
    assert sorted(path.name for path in folder.rglob("*")) == ["README", "cipher.c", "src"]
    name = f"repository-{source.commit[:12]}-{source.sha256[:12]}"
    assert folder == tmp_path / "cache" / "sources" / name / "repository"


def test_a_link_becomes_a_copy_of_its_file_where_a_source_asks_for_it(repository: Path, tmp_path: Path) -> None:
    """Through another link, too. A link out of the commit, to a folder or in a circle stays away."""
    links = {"again.c": "near.c", "near.c": "./src/cipher.c", "folder": "src", "circle": "circle", "far": "../README"}
    for name, target in links.items():
        (repository / name).symlink_to(target)
    tree = [("README", "100644", b"Later.\n"), *TREE[1:], *((n, "120000", t.encode()) for n, t in links.items())]
    pinned = commit(repository, "links")
    gives_commits_by_id(repository)
    without = GitSource(registry="git", address=f"file://{repository}", commit=pinned, sha256=pinned_hash(tree))

    folder = fetch(without, tmp_path / "cache")
    with_copies = fetch(without.model_copy(update={"copies_links": True}), tmp_path / "cache")

    assert sorted(path.name for path in folder.iterdir()) == ["README", "src"]
    assert sorted(path.name for path in with_copies.iterdir()) == ["README", "again.c", "near.c", "src"]
    assert (with_copies / "again.c").read_bytes() == CIPHER
    assert not any(path.is_symlink() for path in with_copies.rglob("*"))
    assert [path.name for path in (with_copies / "src").iterdir()] == ["cipher.c"]


def test_only_the_commit_is_fetched_where_the_server_gives_it_by_its_id(
    source: GitSource, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = _calls(monkeypatch)
    gives_commits_by_id(repository)
    fetch(source, tmp_path / "cache")
    assert [call for call in calls if "fetch" in call] == [_call(calls, "--depth=1", source.commit)]


@pytest.mark.parametrize("branch", ["v2", "main", "elsewhere", ""])
def test_a_server_that_gives_no_commit_by_its_id_is_asked_for_the_branch_and_then_for_all(
    source: GitSource, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, branch: str
) -> None:
    """`v2` is a tag of the commit, `main` is past it; `elsewhere` does not have it, so everything comes."""
    git(repository, "branch", "elsewhere", "main~2")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "protocol.version")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "0")
    calls = _calls(monkeypatch)
    folder = fetch(changed(source, branch=branch), tmp_path / "cache")
    assert (folder / "README").read_bytes() == README
    asked = [call[-1] for call in calls if "fetch" in call]
    everything = "+refs/*:refs/fetched/*"
    by_name = {"v2": ["v2"], "main": ["main"], "elsewhere": ["elsewhere", everything], "": [everything]}
    assert asked == [source.commit, *by_name[branch]]


def _calls(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    calls: list[list[str]] = []
    real = subprocess.Popen

    def noted(command: list[str], *rest: object, **more: object) -> object:
        calls.append(command)
        return real(command, *rest, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "Popen", noted)
    return calls


def _call(calls: list[list[str]], *words: str) -> list[str]:
    [found] = [call for call in calls if all(word in call for word in words)]
    return found


def test_instead_of_in_the_users_configuration_is_where_git_goes(
    source: GitSource, repository: Path, tmp_path: Path, configuration: Path
) -> None:
    configuration.write_text(f'[url "file://{repository}"]\n\tinsteadOf = {ADDRESS}\n')
    folder = fetch(changed(source, address=ADDRESS), tmp_path / "cache")
    assert folder.name == "Thing"
    assert (folder / "README").read_bytes() == README


def test_the_second_time_needs_no_repository(source: GitSource, repository: Path, tmp_path: Path) -> None:
    folder = fetch(source, tmp_path / "cache")
    repository.rename(tmp_path / "gone")
    fetch_module._is_whole_since.cache_clear()
    assert fetch(source, tmp_path / "cache") == folder


@pytest.mark.parametrize("harm", ["changed", "removed", "added"])
def test_a_copy_that_is_not_as_it_was_written_is_fetched_again(source: GitSource, tmp_path: Path, harm: str) -> None:
    folder = fetch(source, tmp_path / "cache")
    file = folder / "src" / "cipher.c"
    if harm == "changed":
        file.write_text("int cypher;\n")
    elif harm == "removed":
        file.unlink()
    else:
        (folder / "src" / "new.c").write_text("int more;\n")
    fetch_module._is_whole_since.cache_clear()
    assert fetch(source, tmp_path / "cache") == folder
    assert file.read_bytes() == CIPHER
    assert [path.name for path in (folder / "src").iterdir()] == ["cipher.c"]


def test_a_folder_of_the_repository_is_the_source(source: GitSource, tmp_path: Path) -> None:
    folder = fetch(changed(source, folder="src"), tmp_path / "cache")
    assert [path.name for path in folder.iterdir()] == ["cipher.c"]
    with pytest.raises(UserError, match="has no folder 'source', which candidate.toml names"):
        fetch(changed(source, folder="source"), tmp_path / "other")


@pytest.mark.parametrize(
    "tree",
    [
        [("README", "100644", b"a thing.\n"), *TREE[1:]],
        [TREE[0], ("src/cipher.c", "100644", CIPHER), TREE[2]],
        [TREE[0], ("src/cypher.c", "100755", CIPHER), TREE[2]],
        TREE[:2],
    ],
    ids=["bytes", "mode", "path", "file"],
)
def test_another_tree_than_the_pinned_one_is_refused_with_both_hashes(
    source: GitSource, tmp_path: Path, tree: list[tuple[str, str, bytes]]
) -> None:
    pinned = changed(source, sha256=pinned_hash(tree))
    with pytest.raises(UserError) as error:
        fetch(pinned, tmp_path / "cache")
    for part in (f"at {source.commit[:12]} is not what candidate.toml pins", pinned.sha256, f"got {source.sha256}"):
        assert part in str(error.value)
    assert not isinstance(error.value, CannotBeFetched)
    assert not [path for path in (tmp_path / "cache" / "sources").iterdir() if path.suffix != ".lock"]


def test_a_commit_whose_object_was_changed_in_the_repository_is_refused(
    source: GitSource, repository: Path, tmp_path: Path
) -> None:
    """An object that says another thing than its name: git finds it before the hash is compared."""
    blob = git(repository, "rev-parse", "v2:README").strip()
    other = git(repository, "rev-parse", "main:README").strip()
    objects = repository / ".git" / "objects"
    wrong = objects / blob[:2] / blob[2:]
    wrong.chmod(0o644)
    wrong.write_bytes((objects / other[:2] / other[2:]).read_bytes())
    with pytest.raises(UserError, match=f"at {source.commit[:12]}"):
        fetch(source, tmp_path / "cache")
    assert not list((tmp_path / "cache" / "sources").glob("repository-*/*"))


def test_a_commit_that_is_not_there_is_one_sentence(source: GitSource, tmp_path: Path) -> None:
    with pytest.raises(CannotBeFetched) as error:
        fetch(changed(source, commit="1" * 40), tmp_path / "cache")
    assert str(error.value).startswith("cannot be fetched: ")
    assert str(error.value).endswith("the repository has no such commit.")


def test_an_address_without_a_repository_is_one_sentence(source: GitSource, tmp_path: Path) -> None:
    with pytest.raises(CannotBeFetched, match=r"^cannot be fetched: .*git says: .*nowhere.*does not") as error:
        fetch(changed(source, address=f"file://{tmp_path}/nowhere"), tmp_path / "cache")
    assert "\n" not in str(error.value)


def test_a_server_that_refuses_is_asked_once(
    source: GitSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another candidate of the same server is not tried, and a campaign ends."""
    calls = _calls(monkeypatch)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens
        for name in ("one", "two"):
            away = changed(source, address=f"git://127.0.0.1:{taken.getsockname()[1]}/{name}")
            with pytest.raises(CannotBeFetched, match=r"git does not reach 127\.0\.0\.1:\d+: unable to connect"):
                fetch(away, tmp_path / "cache")
    assert len([call for call in calls if "fetch" in call]) == 1


def test_what_is_said_of_a_server_names_no_other_repository(source: GitSource, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens
        for name in ("one", "two"):
            away = changed(source, address=f"http://127.0.0.1:{taken.getsockname()[1]}/{name}")
            with pytest.raises(CannotBeFetched, match=f"{name} at .*git does not reach .*Failed to connect") as error:
                fetch(away, tmp_path / "cache")
            assert ("/one" in str(error.value)) == (name == "one")


def test_a_server_that_says_nothing_has_a_limit(
    source: GitSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_client, "LIMIT_S", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        away = changed(source, address=f"git://127.0.0.1:{silent.getsockname()[1]}/thing")
        began = time.monotonic()
        with pytest.raises(CannotBeFetched, match="timed out, there was no end after 1 s"):
            fetch(away, tmp_path / "cache")
    assert time.monotonic() - began < 60


def test_no_hook_of_the_user_runs_and_no_submodule_comes(repository: Path, tmp_path: Path, configuration: Path) -> None:
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("reference-transaction", "post-checkout", "post-merge"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
        (hooks / name).chmod(0o755)
    inner = git(repository, "rev-parse", "main").strip()
    git(repository, "update-index", "--add", "--cacheinfo", f"160000,{inner},inner")
    (repository / ".gitmodules").write_text(f'[submodule "inner"]\n\tpath = inner\n\turl = file://{repository}\n')
    git(repository, "add", ".gitmodules")
    git(repository, "commit", "--quiet", "--message", "a submodule")
    modules = (repository / ".gitmodules").read_bytes()
    tree = [
        (".gitmodules", "100644", modules),
        ("README", "100644", b"Later.\n"),
        ("inner", "160000", inner.encode()),
        *TREE[1:],
    ]
    pinned = git(repository, "rev-parse", "main").strip()
    # Not the newest, and not given by its id: everything is fetched, which writes names, which calls hooks.
    git(repository, "commit", "--quiet", "--allow-empty", "--message", "later")
    settings = f"[core]\n\thooksPath = {hooks}\n[fetch]\n\trecurseSubmodules = true\n[protocol]\n\tversion = 0\n"
    configuration.write_text(settings)
    folder = fetch(
        GitSource(
            registry="git",
            address=f"file://{repository}",
            commit=pinned,
            sha256=pinned_hash(tree),
        ),
        tmp_path / "cache",
    )
    assert not (tmp_path / "ran").exists()
    assert not (folder / "inner").exists()


def test_what_the_process_has_of_another_repository_is_not_used(
    source: GitSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where bancada is called in a hook of git."""
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(tmp_path / "objects"))
    assert (fetch(source, tmp_path / "cache") / "README").read_bytes() == README
    assert not (tmp_path / "elsewhere").exists()
    assert not (tmp_path / "objects").exists()


def test_no_question_is_asked(monkeypatch: pytest.MonkeyPatch, configuration: Path) -> None:
    seen: list[dict[str, str]] = []
    real = subprocess.Popen

    def noted(command: list[str], *rest: object, **more: dict[str, str]) -> object:
        seen.append(more["env"]) if "env" in more else None
        return real(command, *rest, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "Popen", noted)
    monkeypatch.delenv("GIT_SSH_COMMAND", raising=False)
    git_client.run_git("version")
    assert seen[-1]["GIT_TERMINAL_PROMPT"] == "0"
    assert "BatchMode=yes" in seen[-1]["GIT_SSH_COMMAND"]
    configuration.write_text("[core]\n\tsshCommand = my-ssh\n")
    git_client.run_git("version")
    assert "GIT_SSH_COMMAND" not in seen[-1], "the user's own stays"


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"address": "--upload-pack=touch ran"}, "address"),
        ({"address": "-x"}, "address"),
        ({"commit": "v2"}, "commit"),
        ({"commit": "1234567"}, "commit"),
        ({"branch": "--all"}, "branch"),
        ({"branch": "+refs/*:refs/*"}, "branch"),
        ({"folder": "../other"}, "folder"),
        ({"folder": "/etc"}, "folder"),
        ({"address": "https://example.org/.."}, "names no repository"),
    ],
)
def test_what_is_no_address_commit_branch_or_folder_is_refused(
    source: GitSource, fields: dict[str, str], word: str
) -> None:
    with pytest.raises(ValueError, match=word):
        changed(source, **fields)
