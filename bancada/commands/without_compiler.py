"""What a machine without a compiler can run: firmware that came with the installed package."""

from __future__ import annotations

from collections.abc import Sequence

from bancada.build.shipped import is_shipped, needs_shipped
from bancada.compilers.compile import compiler_version
from bancada.plan.case import Firmware, Workload


def _cannot_run(firmware: Firmware) -> bool:
    return needs_shipped(firmware) and not is_shipped(firmware)


def runnable(workloads: Sequence[Workload]) -> tuple[list[Workload], str]:
    """The workloads that this machine can run, and one sentence on the others: '' where there are none.

    UserError, with the package to install, for a compiler without which none of its workloads can run, or one that
    does not work.
    """
    shipped = dict.fromkeys(
        firmware.target.toolchain
        for firmware in (workload.firmware for workload in workloads)
        if firmware is not None and needs_shipped(firmware) and is_shipped(firmware)
    )
    for toolchain in dict.fromkeys(case.target.toolchain for workload in workloads for case in workload.cases):
        if toolchain not in shipped:
            compiler_version(toolchain.compiler, toolchain.package)
    if not shipped:
        return list(workloads), ""
    kept = [one for one in workloads if one.firmware is None or not _cannot_run(one.firmware)]
    count = sum(len(one.cases) for one in workloads) - sum(len(one.cases) for one in kept)
    names = " and ".join(toolchain.compiler for toolchain in shipped)
    packages = " ".join(dict.fromkeys(toolchain.package for toolchain in shipped))
    return kept, (
        f"Without {names}, what ran is firmware that was compiled before it was installed; {count} other cases did not"
        f" run. For those: apt-get install {packages}"
    )
