"""Hits that say the same, as one. Pure."""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.pipeline.likeness.repetition import Saying, says_the_same, words_of_saying

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jotsam.core.answers import Hit


class EqualHits(Record):
    """A hit with those that say nothing else."""

    hit: Hit  # the best of them
    others: tuple[Hit, ...] = ()

    @property
    def count(self) -> int:
        """How often it is said."""
        return 1 + len(self.others)


def fold_equal(hits: Sequence[Hit]) -> tuple[EqualHits, ...]:
    """The hits in their order, each with the later ones that say the same.

    Excerpts are never folded, because the rest of their texts may differ; nor is what holds with what does not.
    """
    found: list[EqualHits] = []
    for hit in hits:
        at = next((at for at, one in enumerate(found) if _are_equal(one.hit, hit)), None)
        if at is None:
            found.append(EqualHits(hit=hit))
        else:
            found[at] = found[at].replace(others=(*found[at].others, hit))
    return tuple(found)


def _are_equal(one: Hit, other: Hit) -> bool:
    if one.kind != other.kind or not (one.whole and other.whole):
        return False
    if _state(one) != _state(other):
        return False
    mine = words_of_saying(one.text)
    is_repeated = one.actor == other.actor and bool(mine) and mine == words_of_saying(other.text)  # also a question
    return is_repeated or says_the_same(_saying(one), _saying(other))


def _state(hit: Hit) -> tuple[str | None, bool, bool, bool, bool]:
    is_over = hit.superseded_at is not None
    return hit.project, is_over, hit.archived_at is not None, bool(hit.conflicts), bool(hit.summary_of)


def _saying(hit: Hit) -> Saying:
    return Saying(text=hit.text, actor=hit.actor, session=hit.session, at=hit.date or 0)
