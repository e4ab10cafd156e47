"""Campaigns on a cluster: the results are those of this machine, whoever dies meanwhile, and every mistake is one
sentence."""

from __future__ import annotations

import dataclasses
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bancada.campaign import distribute, distribute_worker
from bancada.campaign.campaign import here, run_campaign
from bancada.campaign.distribute import on_cluster
from bancada.campaign.interrupt import Interrupted
from bancada.catalogue.experiment import Experiment
from bancada.measure.laboratory import open_laboratory
from bancada.measure.read_metrics import read_metrics
from bancada.model.errors import UserError
from bancada.model.result import Result
from bancada.model.status import Status
from bancada.plan.plan import plan
from bancada.store.store import Store
from tests.campaign.cluster import Cluster

ELSEWHERE_LINE = "is run again elsewhere"


def _experiment(*candidates: str) -> Experiment:
    """Two libraries with three key sizes each, on the target whose conformance tests run in the shortest time: six
    batches."""
    changed = {"targets": ("samd21",), "candidates": candidates or ("ctaes", "tinyaes"), "samples": 16}
    return open_laboratory().experiments["libraries"].model_copy(update=changed)


def _run(
    cluster: Cluster,
    store: Store,
    experiment: Experiment,
    progress: Callable[[int, str], None] = lambda done, case: None,
) -> tuple[tuple[Result, ...], list[str]]:
    said: list[str] = []
    worker = on_cluster(open_laboratory(), cluster.address, said.append, no_worker_seconds=3)
    workloads = plan(open_laboratory(), experiment, quick=True)
    outcome = run_campaign(experiment, workloads, store, worker, False, read_metrics(), progress)
    return outcome.results, said


def _but_dates(results: tuple[Result, ...]) -> list[Result]:
    return [dataclasses.replace(result, date="") for result in results]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def three_workers(cluster: Cluster) -> Cluster:
    """The cluster with three workers and no others."""
    cluster.add(3 - len(cluster.workers))
    return cluster


@pytest.fixture
def nobody_yet(cluster: Cluster) -> Iterator[Cluster]:
    """The cluster without a worker; those that a test starts in a special way end with it."""
    for address in list(cluster.workers):
        cluster.kill(address)
    yield cluster
    for address in list(cluster.workers):
        cluster.kill(address)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store.sqlite")


def test_workers_killed_in_mid_campaign_change_no_result(
    three_workers: Cluster, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the first and with a later result that arrives, a worker that is at something is killed."""
    campaigns: list[distribute._Campaign] = []
    begin = distribute._Campaign.__init__

    def noted(self: distribute._Campaign, *arguments: object) -> None:
        campaigns.append(self)
        begin(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(distribute._Campaign, "__init__", noted)
    arrived: list[str] = []

    def kill_one_that_works(done: int, case: str) -> None:
        arrived.append(case)
        if len(arrived) in (1, 5, 9, 13) and len(three_workers.workers) > 1:
            machines = campaigns[0]._machines.items()
            # The campaign may not have noticed yet that an earlier one is gone.
            alive = [(address, machine) for address, machine in machines if address in three_workers.workers]
            busy = [address for address, machine in alive if any(not future.done() for future in machine.tasks)]
            for address in busy[:1]:
                three_workers.kill(address)

    experiment = _experiment()
    results, said = _run(three_workers, store, experiment, kill_one_that_works)
    assert len(three_workers.workers) == 1
    assert len([line for line in said if ELSEWHERE_LINE in line]) == 2, said
    local = run_campaign(
        experiment,
        plan(open_laboratory(), experiment, quick=True),
        Store(tmp_path / "local.sqlite"),
        here(2),
        False,
        read_metrics(),
        lambda done, case: None,
    )
    assert _but_dates(results) == _but_dates(local.results)
    assert sorted(arrived) == sorted(result.case for result in local.results)
    assert {result.status for result in results} == {Status.OK}

    # The store is one: what a cluster found is known here, and the other way round.
    workloads = plan(open_laboratory(), experiment, quick=True)
    again = run_campaign(experiment, workloads, store, here(2), False, read_metrics(), lambda done, case: None)
    assert again.cached == len(results)
    unchanged, said = _run(three_workers, Store(tmp_path / "local.sqlite"), experiment)
    assert unchanged == local.results
    assert not said


def test_a_case_that_kills_three_workers_is_a_failed_case(
    nobody_yet: Cluster, store: Store, added_root: Path, tmp_path: Path
) -> None:
    """A compiler that kills whoever calls it for one library's source: the others' cases end as ever."""
    candidate = added_root / "candidates" / "poison"
    candidate.mkdir(parents=True)
    toml = (open_laboratory().candidates["plain"].folder / "candidate.toml").read_text()
    (candidate / "candidate.toml").write_text(
        toml.partition("[[implementation]]")[0]
        .replace('"plain"', '"poison"')
        .replace('root = "candidates/plain"', 'root = "."')
        + '[[implementation]]\nname = "aes{key_bits}"\nprimitive = "block-cipher"\nalgorithm = "aes"\nvariant ='
        ' ["poison"]\nkey_bits = [128]\nblock_bytes = 16\nadapter = "poison.h"\nsources = ["poison.c"]\noperations ='
        ' ["set-key", "encrypt"]\n'
    )
    (candidate / "poison.c").write_text("int nothing;\n")
    (candidate / "poison.h").write_text("\n")
    compiler = shutil.which("arm-none-eabi-gcc")
    folder = _program(
        tmp_path / "compilers",
        "arm-none-eabi-gcc",
        f'case "$*" in *poison.c*) kill -9 $PPID;; esac\nexec {compiler} "$@"',
    )
    nobody_yet.add(4, PATH=_before("PATH", folder), BANCADA_PATH=str(added_root))
    results, said = _run(nobody_yet, store, _experiment("poison", "tinyaes"))
    assert len(nobody_yet.workers) == 4
    assert sum(process.poll() is None for process in nobody_yet.workers.values()) == 1
    by_candidate = {name: [result for result in results if result.candidate == name] for name in ("poison", "tinyaes")}
    assert {result.status for result in by_candidate["tinyaes"]} == {Status.OK}
    died = [
        result
        for result in by_candidate["poison"]
        if result.key_bits == 128 and result.operation in ("set-key", "encrypt")
    ]
    assert [result.status for result in died] == [Status.FAILED] * 2
    assert {result.reason for result in died} == {"3 workers died while they worked on it"}


def _before(variable: str, folder: Path) -> str:
    """The variable's value with that folder in front."""
    return os.pathsep.join(part for part in (str(folder), os.environ.get(variable, "")) if part)


def _program(folder: Path, name: str, script: str) -> Path:
    """A folder with a program of that name."""
    folder.mkdir()
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return folder


def test_ctrl_c_keeps_what_arrived_and_frees_the_workers(three_workers: Cluster, store: Store) -> None:
    arrived: list[str] = []

    def interrupt(done: int, case: str) -> None:
        arrived.append(case)
        raise KeyboardInterrupt

    experiment = _experiment()
    with pytest.raises(Interrupted):
        _run(three_workers, store, experiment, interrupt)
    kept = {result.case for result in store.results()}
    assert set(arrived) <= kept
    assert len(kept) < 24
    results, said = _run(three_workers, store, experiment)
    assert {result.status for result in results} == {Status.OK}
    assert not said


def test_ctrl_c_does_not_wait_for_a_worker_that_hangs(
    nobody_yet: Cluster, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distribute, "_STOP_SECONDS", 1.0)
    nobody_yet.add(1)
    ((address, worker),) = nobody_yet.workers.items()

    def interrupt(done: int, case: str) -> None:
        worker.send_signal(signal.SIGSTOP)
        raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        _run(nobody_yet, store, _experiment("tinyaes"), interrupt)
    assert worker.poll() is None and address in nobody_yet.workers, "it hung all the while"
    assert store.results(), "what arrived is stored"


def test_ctrl_c_on_the_command_line(three_workers: Cluster, tmp_path: Path) -> None:
    store = tmp_path / "results.sqlite"
    command = [
        sys.executable,
        "-m",
        "bancada",
        "run",
        "libraries",
        "--dask",
        three_workers.address,
        "--store",
        str(store),
    ]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    while process.poll() is None and not store.exists():
        pass
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130, said
    assert said.strip() == "bancada: stopped; every finished case is stored, the same command resumes."


def _refusal(cluster: Cluster, store: Store) -> str:
    with pytest.raises(UserError) as caught:
        _run(cluster, store, _experiment("tinyaes"))
    assert store.results() == []
    return str(caught.value)


def test_a_worker_with_another_version_is_named(nobody_yet: Cluster, store: Store, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import bancada\nbancada.__version__ = '0.0.1'\n")
    nobody_yet.add(1, PYTHONPATH=_before("PYTHONPATH", tmp_path))
    (address,) = nobody_yet.workers
    assert f"The worker {address} has another version of Bancada: '0.0.1', here it is" in _refusal(nobody_yet, store)


def test_the_state_of_the_code_is_that_of_what_builds_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = shutil.copytree(
        Path(distribute_worker.__file__).parents[1],
        tmp_path / "bancada",
        ignore=shutil.ignore_patterns("_data", "__pycache__"),
    )
    monkeypatch.setattr(distribute_worker, "__file__", str(package / "campaign" / "distribute_worker.py"))
    here = distribute_worker._own_code()
    (package / "answers" / "report" / "__init__.py").write_text("")
    assert distribute_worker._own_code() == here, "a report is drawn here, whatever a worker would draw"
    (package / "build" / "build.py").write_text("")
    assert distribute_worker._own_code() != here


def test_a_compiler_and_an_engine_are_asked_for_each_device() -> None:
    asked = distribute_worker.facts(open_laboratory(), (("uno", "clang"), ("samd21", "clang")))
    assert {name for name in asked if name.startswith("compiler ")} == {
        "compiler clang for uno",
        "compiler clang for samd21",
    }


def test_a_worker_with_other_candidates_is_named(nobody_yet: Cluster, store: Store, tmp_path: Path) -> None:
    (tmp_path / "candidates" / "mine").mkdir(parents=True)
    (tmp_path / "candidates" / "mine" / "adapter.h").write_text("\n")
    nobody_yet.add(1, BANCADA_PATH=str(tmp_path))
    (address,) = nobody_yet.workers
    assert f"The worker {address} has another state of targets, cores, candidates, harness and Tatu: " in _refusal(
        nobody_yet, store
    )


def test_a_worker_with_another_compiler_is_named(nobody_yet: Cluster, store: Store, tmp_path: Path) -> None:
    folder = _program(tmp_path / "compilers", "arm-none-eabi-gcc", "echo arm-none-eabi-gcc 4.9")
    nobody_yet.add(1, PATH=_before("PATH", folder))
    (address,) = nobody_yet.workers
    assert (
        f"The worker {address} has another compiler arm-none-eabi-gcc for samd21: 'arm-none-eabi-gcc 4.9', here it is"
        " 'arm-none-eabi-gcc" in _refusal(nobody_yet, store)
    )


def test_a_worker_without_bancada_is_named(nobody_yet: Cluster, store: Store, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['bancada'] = None\n")
    nobody_yet.add(1, PYTHONPATH=_before("PYTHONPATH", tmp_path))
    (address,) = nobody_yet.workers
    refusal = _refusal(nobody_yet, store)
    assert refusal.startswith(f"The worker {address} has another version of Bancada, or none (")
    assert "this machine has" in refusal


def test_a_cluster_without_workers(nobody_yet: Cluster, store: Store) -> None:
    assert "has no worker (waited 3 s): start some with 'dask worker" in _refusal(nobody_yet, store)


def test_no_scheduler_there(store: Store) -> None:
    """Nobody listens, somebody listens who says nothing, and what is no address: each one sentence, after a bounded
    wait."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        for address, why in (
            (f"127.0.0.1:{port}", "nothing within"),
            ("127.0.0.1:1", "nothing within"),
            ("foo", "port"),
            ("udp://a:1", "udp"),
        ):
            worker = on_cluster(open_laboratory(), address, print, connect_seconds=0.5)
            experiment = _experiment("tinyaes")
            with pytest.raises(UserError, match=f"No scheduler of dask answers at {address} .*{why}.*'dask scheduler'"):
                workloads = plan(open_laboratory(), experiment, quick=True)
                run_campaign(experiment, workloads, store, worker, False, read_metrics(), lambda done, case: None)


def test_without_the_package_the_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UserError, match=r"pip install 'bancada\[dask\]'"):
        on_cluster(open_laboratory(), "127.0.0.1:8786", print)
