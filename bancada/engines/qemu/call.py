"""Cuts a region between two marker functions down to the calls in it: from the first call instruction to the last
return.

What the compiler puts between a marker and the call (arguments in registers) and behind the return is the harness's
own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bancada.costing.profile import ENTRY, Block, Edge, Profile


@dataclass(frozen=True)
class Call:
    """`profile` has the call and, if there is one, the first instruction after the return.

    The edge from the return to that instruction costs more than the instruction alone (`behind`). The difference
    belongs to the return.
    """

    profile: Profile
    behind: Profile | None


def _instruction_sizes(block: Block) -> list[int]:
    if block.instruction_set != "thumb":
        return [4] * (len(block.code) // 4)
    sizes = []
    at = 0
    while at < len(block.code):
        # Armv7-M Architecture Reference Manual, A5.1: these five bits say that a second half-word follows.
        sizes.append(4 if block.code[at + 1] >> 3 in (0b11101, 0b11110, 0b11111) else 2)
        at += sizes[-1]
    return sizes


def ends_in_call(block: Block) -> bool:
    """Whether the block's last instruction is BL or BLX."""
    last = int.from_bytes(block.code[len(block.code) - _instruction_sizes(block)[-1] :], "little")
    if block.instruction_set == "aarch64":
        return last & 0xFC000000 == 0x94000000 or last & 0xFFFFFC1F == 0xD63F0000
    if block.instruction_set == "thumb":
        return last & 0xFF87 == 0x4780 if _instruction_sizes(block)[-1] == 2 else last & 0xC000F800 == 0xC000F000
    return last & 0x0F000000 == 0x0B000000 or last & 0xFE000000 == 0xFA000000 or last & 0x0FFFFFF0 == 0x012FFF30


def _last_instruction(block: Block) -> Block:
    start = len(block.code) - _instruction_sizes(block)[-1]
    return replace(block, address=block.address + start, code=block.code[start:])


def _first_instruction(block: Block) -> Block:
    return replace(block, code=block.code[: _instruction_sizes(block)[0]])


def _only(found: list[int]) -> int | None:
    return found[0] if len(found) == 1 else None


def _successor(profile: Profile, number: int) -> int | None:
    return _only([edge.after for edge in profile.edges if edge.before == number])


def _is_once(profile: Profile, number: int) -> bool:
    return sum(edge.times for edge in profile.edges if edge.after == number) == 1


def without_marker(profile: Profile) -> Profile:
    """The region without the first marker's own block, which every region begins with."""
    marker = _successor(profile, ENTRY)
    first = None if marker is None else _successor(profile, marker)
    if marker is None or first is None:
        return profile
    edges = tuple(
        replace(edge, before=ENTRY) if edge.before == marker else edge for edge in profile.edges if edge.after != marker
    )
    return replace(profile, edges=edges)


def call_in(profile: Profile) -> Call | None:
    """The calls of a region from which the marker was cut; None if there is no call in it but that of the second
    marker."""
    first = _successor(profile, ENTRY)
    lasts = {edge.after for edge in profile.edges} - {edge.before for edge in profile.edges}
    last = _only(sorted(lasts))
    if first is None or first == last:
        return None
    blocks = list(profile.blocks)
    edges = list(profile.edges)
    if ends_in_call(blocks[first]) and _is_once(profile, first):
        blocks[first] = _last_instruction(blocks[first])
    returned = None if last is None else _returned(profile, last)
    behind = None
    if returned is not None:
        blocks[returned] = _first_instruction(blocks[returned])
        edges = [edge for edge in edges if edge.before not in _path_to(profile, last, returned)]
        behind = Profile(blocks=(blocks[returned],), edges=(Edge(ENTRY, 0, 1),), stack_bytes=0)
    return Call(replace(profile, blocks=tuple(blocks), edges=tuple(edges)), behind)


def _path_to(profile: Profile, last: int | None, returned: int) -> set[int]:
    """The blocks from the one returned to up to the last: they are executed once, one after the other."""
    path: set[int] = set()
    while last is not None:
        path.add(last)
        last = None if last == returned else _predecessor(profile, last)
    return path


def _predecessor(profile: Profile, number: int) -> int | None:
    return _only([edge.before for edge in profile.edges if edge.after == number])


def _returned(profile: Profile, last: int) -> int | None:
    """The block that the last call returned to; compilers may jump from there to an end that several regions share."""
    number: int | None = last
    while number is not None and number != ENTRY and _is_once(profile, number):
        if _is_return_to(profile, number):
            return number
        number = _predecessor(profile, number)
    return None


def _is_return_to(profile: Profile, number: int) -> bool:
    """Whether the block stands behind a call of the region."""
    address = profile.blocks[number].address
    return any(block.address + len(block.code) == address and ends_in_call(block) for block in profile.blocks)
