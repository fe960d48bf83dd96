"""Read the turns of one session and list its notes. Pure.

A turn is understood with those around it: "2" is a decision because of what was proposed before it.
"""

from __future__ import annotations

from jotsam.core.names import DONE, SURE_RULE
from jotsam.core.note_records import FoundNote, Turn
from jotsam.pipeline.notes.decisions import decisions_of, told_by_assistant
from jotsam.pipeline.notes.fixes import fix_of
from jotsam.pipeline.notes.open_ends import closes, open_ends_of
from jotsam.pipeline.notes.rule_changes import takes_back
from jotsam.pipeline.notes.rules import rules_of
from jotsam.pipeline.notes.sentences import sentences_of
from jotsam.pipeline.notes.words import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_REQUEST = 120  # characters


def read_session(turns: Sequence[Turn]) -> list[FoundNote]:
    """The notes of a session, in the order of its turns."""
    return [note for at in range(len(turns)) for note in read_turn(turns, at)]


def read_turn(turns: Sequence[Turn], at: int) -> Iterator[FoundNote]:
    """The notes of one turn, which at most two turns before it and one after it explain."""
    turn = turns[at]
    before = turns[at - 1] if at and not turns[at - 1].by_user else None
    after = turns[at + 1] if at + 1 < len(turns) and not turns[at + 1].by_user else None
    if not turn.by_user:
        request = turns[at - 1].text if at and turns[at - 1].by_user else ""
        yield from told_by_assistant(turn, request)
        yield from open_ends_of(turn)
        yield from _done(turn, request)
        return
    asked = turns[at - 2] if before is not None and at > 1 and turns[at - 2].by_user else None
    rules = rules_of(turn, before, after)
    yield from rules
    opened = open_ends_of(turn)
    yield from opened
    yield from _done(turn)
    fix = fix_of(turn, before, after, asked)
    if fix is not None:
        yield fix
    ordered = [one.text for one in (*rules, *opened)]
    sure = [one.text for one in rules if one.sure >= SURE_RULE]
    for note in decisions_of(turn, before, after, asked, sure):
        if not any(note.text in text or text in note.text for text in ordered):
            yield note


def _done(turn: Turn, request: str = "") -> Iterator[FoundNote]:
    """What a turn says was done, with the request for it, which closes open ends; and rules that a user takes back."""
    asked = terms(request) if len(request) <= MAX_REQUEST and not request.rstrip().endswith("?") else frozenset()
    for sentence in sentences_of(turn)[:12]:
        if closes(sentence, by_user=turn.by_user) or (turn.by_user and takes_back(sentence)):
            yield FoundNote(
                kind=DONE, text=sentence[:200], ref=turn.ref, at=turn.at, names=terms(sentence) | asked, sure=0.5
            )
            asked = frozenset()
