"""Groups of similar memories, from pairs of them. Pure.

Each member of a group is similar to its centre. Connected components are not enough: by a chain of neighbours, each
similar to the next, they grow until their ends have nothing in common.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MIN_MEMBERS, MAX_MEMBERS = 3, 50


def star_groups(pairs: Iterable[tuple[int, int, float]]) -> list[tuple[int, ...]]:
    """The groups, each with its members in order; groups are ordered by their first member.

    The memory with the most similar ones becomes a centre, with those that belong to no group yet; then the next. A
    memory is in one group at most.
    """
    near: dict[int, dict[int, float]] = {}
    for one, other, score in pairs:
        near.setdefault(one, {})[other] = score
        near.setdefault(other, {})[one] = score
    ranked = sorted(near, key=lambda number: (-len(near[number]), number))
    taken: set[int] = set()
    found = []
    for centre in ranked:
        if centre in taken:
            continue
        free = [other for other in near[centre] if other not in taken]
        if len(free) + 1 < MIN_MEMBERS:
            continue
        free.sort(key=lambda other: (-near[centre][other], other))
        group = tuple(sorted((centre, *free[: MAX_MEMBERS - 1])))
        taken.update(group)
        found.append(group)
    return sorted(found)


def matched(
    groups: Iterable[tuple[int, ...]], known: Mapping[str, frozenset[int]]
) -> tuple[dict[tuple[int, ...], str], list[str]]:
    """Which known group each new one continues: the one it shares most members with, and at least half of them.

    A known group is continued by one group at most. Also returns those that none continues.
    """
    holders: dict[int, list[str]] = {}
    for name in sorted(known):
        for member in known[name]:
            holders.setdefault(member, []).append(name)
    shared: dict[tuple[tuple[int, ...], str], int] = {}
    for group in groups:
        for member in group:
            for name in holders.get(member, ()):
                shared[group, name] = shared.get((group, name), 0) + 1
    continued: dict[tuple[int, ...], str] = {}
    used: set[str] = set()
    for group, name in sorted(shared, key=lambda pair: (-shared[pair], pair[0], pair[1])):
        is_free = group not in continued and name not in used
        if is_free and 2 * shared[group, name] >= min(len(group), len(known[name])):
            continued[group] = name
            used.add(name)
    return continued, sorted(set(known) - used)
