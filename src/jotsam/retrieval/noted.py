"""The notes that a prompt needs, and what of stored texts no longer holds."""

from __future__ import annotations

from jotsam.core.answers import BriefLine
from jotsam.core.clock import format_time
from jotsam.core.fence import beginning
from jotsam.core.names import DECISION, DONE, FIX, OLD, OPEN, PROJECT_SCOPE, REPLACED, RULE, SURE_RULE, WRONG
from jotsam.core.records import Record
from jotsam.pipeline.notes.match import DOUBTFUL, MAX_NOTES, MIN_SURE, read_prompt, relevant
from jotsam.pipeline.notes.words import terms
from jotsam.retrieval.brief_text import SAID_SURE, SAME_WORDS, SURE_DECISION, why_of
from jotsam.retrieval.search.own_rules import gives_way_in
from jotsam.storage.memories import notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping

    from jotsam.core.answers import Hit
    from jotsam.storage.database import Transaction
    from jotsam.storage.memories.notes import Kept

MAX_LINES, MAX_OPEN, MAX_OTHERS = 6, 4, 10
MAX_TEXT = 320
MIN_DONE = 3  # words of what was done: "Done." says nothing
COVERED = 0.6  # of the words of a stored text in a line: it adds nothing
MAX_STEPS = 5  # from one replaced note to the next
LABELS = {RULE: "rule", DECISION: "decided", FIX: "fixed", OPEN: "open", DONE: "done"}
ORDER = tuple(LABELS)


class Noted(Record):
    """The lines for a prompt, and what no longer holds."""

    lines: tuple[BriefLine, ...]
    others: tuple[BriefLine, ...]  # what else holds, if the prompt asks for work on the project
    every: tuple[Kept, ...]
    struck: frozenset[str]  # memories of which a person called a note wrong or old
    decided: Mapping[str, tuple[Kept, bool]]  # by memory: the decision about it, and whether that was made of it

    def without_known(self, hits: Iterable[Hit]) -> tuple[list[Hit], list[BriefLine]]:
        """The hits that the lines do not cover and that still hold, and lines with what holds instead of others."""
        told = {line.id for line in self.lines}
        kept: list[Hit] = []
        instead: list[BriefLine] = []
        for hit in hits:
            if hit.id in told or hit.id in self.struck or any(_covers(line.text, hit.text) for line in self.lines):
                continue
            now = self._instead_of(hit)
            if now is None:
                kept.append(hit)
            elif now.uuid not in told and not any(_covers(line.text, now.note.text) for line in self.lines):
                told.add(now.uuid)
                instead.append(_line(now))
        return kept, instead

    def is_old(self, hit: Hit) -> bool:
        """Whether a stored text no longer holds."""
        return hit.id in self.struck or self._instead_of(hit) is not None

    def is_known(self) -> Callable[[frozenset[str]], bool]:
        """Whether the lines say what a part of a turn with these terms says, or a note said it and was ended since."""
        told = [terms(line.text) for line in self.lines]
        old = [one.note.names for one in self.every if not notes.holds(one) and one.ended_how in (REPLACED, None)]

        def known(said: frozenset[str]) -> bool:
            return any(_has_most(said, one) for one in old) or any(_has_most(one, said) for one in told)

        return known

    def _instead_of(self, hit: Hit) -> Kept | None:
        """The note that says better what a hit says: what was decided of a proposal, and what replaced it."""
        if hit.reason and hit.conflicts:
            return self._holding(hit.conflicts[0])
        one, is_chosen = self.decided.get(hit.id, (None, False))
        if one is None or (is_chosen and notes.holds(one)):
            return one
        return self._after(one)

    def _after(self, one: Kept) -> Kept | None:
        """What holds instead of a note that was replaced, perhaps more than once."""
        for _ in range(MAX_STEPS):
            following = next((other for other in self.every if other.memory == one.ended_by), None)
            if following is None or notes.holds(following):
                return following
            one = following
        return None

    def _holding(self, uuid: str) -> Kept | None:
        return next((one for one in self.every if one.uuid == uuid and notes.holds(one)), None)


def for_prompt(
    tx: Transaction,
    text: str,
    *,
    project: str | None,
    skip: Container[str],
    told: Container[str] = (),
    session: str | None,
    since: int,
    is_action: bool = False,
) -> Noted | None:
    """What the notes of a project and of the person have for a prompt.

    None if it asks about the world, or for a mechanical edit: such a prompt needs nothing of a project.

    If it asks for work on the project, `others` have what else holds, without the memories of `told`. Left out are
    lines of `skip`, by `line_id`, and notes of `session` said since `since`. `is_action`: the prompt asks for an action
    of which there may be rules, in however few words.
    """
    asked = read_prompt(text)
    if is_action:
        asked = asked.replace(world=DOUBTFUL)
    if asked.needs_nothing:
        return None
    every = notes.of_project(tx, project, kinds=ORDER, limit=MAX_NOTES)

    def is_new(one: Kept) -> bool:
        return not (session is not None and one.session == session and one.note.at >= since)

    usable = [one for one in every if is_new(one) and one.note.sure >= MIN_SURE and _is_usable(one)]
    others: list[Kept] = []
    if asked.wants_open:
        ends = [one for one in usable if one.note.kind == OPEN]
        matching = [ends[at] for _, at in relevant(asked, [one.note for one in ends])]
        found = _distinct(matching or [one for one in ends if notes.holds(one)])[:MAX_OPEN]
    else:
        gives_way = gives_way_in(project, every, sure=MIN_SURE)
        holding = [one for one in usable if notes.holds(one) and (one.note.kind != DONE or _says_what(one))]
        ranked = relevant(asked, [one.note for one in holding])
        best = _distinct(holding[at] for _, at in ranked if not gives_way(holding[at]))
        found = sorted(best[:MAX_LINES], key=lambda one: ORDER.index(one.note.kind))
        if asked.is_work:
            rest = [one for one in holding if one not in found and one.uuid not in skip and one.uuid not in told]
            others = _others(one for one in rest if not gives_way(one))
    lines = tuple(line for line in map(_line, found) if line_id(line) not in skip)
    struck = frozenset(one.uuid for one in every if one.verdict in (WRONG, OLD))
    return Noted(
        lines=lines, others=tuple(map(_line, others)), every=tuple(every), struck=struck, decided=_decided(every)
    )


def _others(rest: Iterable[Kept]) -> list[Kept]:
    """The latest rules and decisions of the project that a brief would have if it had the room."""
    least = {RULE: SURE_RULE, DECISION: SURE_DECISION}
    own = [one for one in rest if one.note.scope == PROJECT_SCOPE and one.note.kind in least]
    sure = [one for one in own if one.note.sure >= least[one.note.kind]]
    return _distinct(sorted(sure, key=lambda one: -one.note.at))[:MAX_OTHERS]


def _decided(every: Iterable[Kept]) -> dict[str, tuple[Kept, bool]]:
    """By memory, the first decision that was made of it; or that was replaced, if it is the turn after that."""
    found: dict[str, tuple[Kept, bool]] = {}
    for one in every:
        if one.note.kind != DECISION:
            continue
        if one.note.sure > SAID_SURE:
            found.setdefault(one.uuid, (one, True))
            if one.before is not None:
                found.setdefault(one.before, (one, True))
        if one.ended_how == REPLACED and one.after is not None:
            found.setdefault(one.after, (one, False))
    return found


def _distinct(ranked: Iterable[Kept]) -> list[Kept]:
    """Without notes that another one says too: the one with more words takes the place of the better one."""
    kept: list[tuple[Kept, frozenset[str]]] = []
    for one in ranked:
        said = terms(f"{one.note.problem} {one.note.text}")
        for at, (other, words) in enumerate(kept):
            if _says_same(one, said, other, words):
                kept[at] = (other, words) if len(said) <= len(words) else (one, said)
                break
        else:
            kept.append((one, said))
    return [one for one, _ in kept]


def _says_same(one: Kept, said: frozenset[str], other: Kept, words: frozenset[str]) -> bool:
    """Whether two notes say the same for one purpose, or as a rule and a decision, which may be of one sentence."""
    kinds, shared, fewest = {one.note.kind, other.note.kind}, len(said & words), min(len(said), len(words))
    if len(kinds) == 1 or DONE in kinds:
        return shared == fewest
    return one.memory == other.memory and kinds == {RULE, DECISION} and shared >= SAME_WORDS * fewest


def _says_what(one: Kept) -> bool:
    return len(terms(one.note.text)) >= MIN_DONE


def _is_usable(one: Kept) -> bool:
    return notes.holds(one) or (one.note.kind == OPEN and one.ended_how is not None and one.verdict is None)


def line_id(line: BriefLine) -> str:
    """By what a session knows a line that it was given with a prompt: a note, or the part of a memory."""
    return line.id if line.note is None else f"{line.id}#{line.note}"


def _has_most(said: frozenset[str], of: frozenset[str]) -> bool:
    return len(said & of) >= COVERED * len(of) > 0


def _covers(line: str, text: str) -> bool:
    """Whether a line says most of a stored text."""
    said = terms(text)
    return not said or _has_most(terms(line), said)


def _line(one: Kept) -> BriefLine:
    note = one.note
    label, text = LABELS[note.kind], note.text
    if note.kind == FIX:
        text = f"{note.problem} - {note.text}"
    if note.kind == OPEN and one.ended_how is not None:
        when = f" on {format_time(one.ended_at)[:10]}" if one.ended_at else ""
        label, text = f"closed{when}", f"{note.text}: {one.ended_text or 'done'}"
    return BriefLine(
        id=one.uuid,
        label=label,
        text=beginning(text, MAX_TEXT),
        date=note.at,
        source=one.source,
        actor=one.actor,
        project=one.project,
        note=one.place,
        why=why_of(note.kind, note.sure),
    )
