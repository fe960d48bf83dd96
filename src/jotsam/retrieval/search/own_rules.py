"""Which rules of the person do not hold in a project, because a rule of the project takes their place there.

Such a rule still holds in every other project, so nothing ends it: what is printed for one project leaves it out. The
words of rules are compared only if there are rules of both, because a hook waits for it.
"""

from __future__ import annotations

from jotsam.core.names import PERSON_SCOPE, PROJECT_SCOPE, RULE
from jotsam.storage.memories import notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jotsam.storage.memories.notes import Kept


def gives_way_in(project: str | None, every: Iterable[Kept], *, sure: float) -> Callable[[Kept], bool]:
    """Whether a note is a rule of the person that a rule of the project, at least this sure, replaces there.

    What the person says in the project itself of every project is said of this one too: only a later rule replaces it.
    """
    own = [
        one
        for one in every
        if one.note.kind == RULE
        and one.note.scope == PROJECT_SCOPE
        and project is not None
        and one.project == project
        and one.note.sure >= sure
        and notes.holds(one)
    ]

    def gives_way(one: Kept) -> bool:
        if one.note.kind != RULE or one.note.scope != PERSON_SCOPE:
            return False
        rivals = [other.note for other in own if one.project != project or other.said > one.said]
        if not rivals:
            return False
        from jotsam.pipeline.notes.resolve import replaces_rule

        return any(replaces_rule(rival, one.note) for rival in rivals)

    return gives_way
