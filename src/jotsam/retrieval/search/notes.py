"""Note retriever: turns with a rule, a decision or a fix that still holds and is about the question.

A long turn says such a thing in a few words, and the question may name it by others. So the note is compared, not the
turn, and by what its words mean.
"""

from __future__ import annotations

from jotsam.core.names import DECISION, FIX, RULE
from jotsam.pipeline.notes.match import DOUBTFUL, MAX_NOTES, MIN_SURE, read_prompt, relevant
from jotsam.retrieval.search.own_rules import gives_way_in
from jotsam.storage.memories import notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Transaction

KINDS = (RULE, DECISION, FIX)


def by_notes(tx: Transaction, question: str, project: str | None) -> dict[int, float]:
    """How well the best note of each memory of a project fits the question: 1 for the best. None without a project.

    A rule of the person that gives way to one of the project is not compared.
    """
    asked = read_prompt(question).replace(world=DOUBTFUL)  # A memory that is asked needs no doubt.
    if project is None or asked.is_general:
        return {}
    rows = notes.rows(tx, project, kinds=KINDS, limit=MAX_NOTES)
    usable = [notes.kept(row) for row in rows if row["sure"] >= MIN_SURE and notes.row_holds(row)]
    gives_way = gives_way_in(project, usable, sure=MIN_SURE)
    holding = [one for one in usable if not gives_way(one)]
    found: dict[int, float] = {}
    for fit, at in relevant(asked, [one.note for one in holding]):
        found.setdefault(holding[at].memory, fit)
    best = max(found.values(), default=1.0)
    return {ref: fit / best for ref, fit in found.items()}
