"""Audits what an experiment has measured, as far as it is not audited yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass

from bancada.audit.audit import audit, auditor, place_of
from bancada.audit.findings import Audit
from bancada.audit.secret_calls import audited_operations
from bancada.catalogue.experiment import Experiment
from bancada.model.result import Result
from bancada.model.status import Status
from bancada.plan.case import Firmware
from bancada.plan.laboratory import Laboratory
from bancada.plan.plan import plan


@dataclass(frozen=True)
class Question:
    """Operations of a firmware that are to be audited."""

    firmware: Firmware
    operations: tuple[str, ...]


def open_questions(
    laboratory: Laboratory, experiment: Experiment, results: Sequence[Result], audits: Sequence[Audit], samples: int
) -> tuple[list[Question], int]:
    """What of these results has no audit of the very same firmware with so many samples, and how many operations have
    one. Only targets whose engine follows secrets count."""
    measured = {result.case: result.elf_sha256 for result in results if result.status is Status.OK}
    audited = {
        (one.target, one.implementation, one.operation, one.optimisation, one.elf_sha256, one.auditor)
        for one in audits
        if one.timing is None or one.timing.fixed_samples + one.timing.random_samples >= samples
    }
    operations: dict[Firmware, dict[str, bool]] = {}
    for workload in plan(laboratory, experiment, from_git=True):
        firmware = workload.firmware
        if firmware is None or not firmware.target.engine.follows_secrets:
            continue
        for case in workload.cases:
            elf_sha256 = measured.get(case.name)
            if elf_sha256 is None or case.operation not in audited_operations(firmware):
                continue
            known = (firmware.target.name, firmware.implementation, case.operation, firmware.optimisation, elf_sha256)
            is_known = (*known, auditor(firmware.candidate.folder)) in audited
            operations.setdefault(firmware, {})[case.operation] = is_known
    questions = [
        Question(firmware, tuple(name for name, is_known in of.items() if not is_known))
        for firmware, of in operations.items()
    ]
    unchanged = sum(is_known for of in operations.values() for is_known in of.values())
    return [question for question in questions if question.operations], unchanged


def answer(
    laboratory: Laboratory,
    questions: Sequence[Question],
    samples: int,
    jobs: int,
    take: Callable[[Sequence[Audit]], None],
) -> None:
    """Audits each firmware, `jobs` at once, and gives `take` what was found of it, in the calling thread."""
    engines = list({id(one.firmware.target.engine): one.firmware.target.engine for one in questions}.values())

    def one(question: Question) -> list[Audit]:
        place = place_of(laboratory, question.firmware.target.name)
        return list(audit(question.firmware, place, question.operations, samples))

    with ExitStack() as stack:
        for engine in engines:
            stack.enter_context(engine.several(jobs > 1 and len(questions) > 1))
        pool = stack.enter_context(ThreadPoolExecutor(max_workers=jobs))
        futures = [pool.submit(one, question) for question in questions]
        try:
            for future in as_completed(futures):
                take(future.result())
        except BaseException:
            for future in futures:
                future.cancel()
            for engine in engines:
                engine.stop_all()
            raise
