"""What is known of one entity, to read: each fact once with how often it was said, what it was before, and by whom.

Everything reads a bounded part of memory, however large it is; the record states which.
"""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.predicates import FUNCTIONAL
from jotsam.core.records import Record
from jotsam.memory.graph import entity_review
from jotsam.memory.graph.entity_details import names_of
from jotsam.memory.graph.entity_review import parsed_name
from jotsam.storage.graph import entities, facts
from jotsam.storage.memories import changes, projects, selection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jotsam.storage.database import Database, Row, Transaction

EXAMINED = 2_000  # of the latest statements
EXAMINED_MENTIONS = 500  # of the latest memories that mention it
DOUBTED_MENTIONS = 200  # of these, that are asked for contradictions
MAX_IDS, MAX_ACTORS, MAX_DECISIONS, MAX_SESSIONS, MAX_DOUBTS = 20, 3, 12, 8, 12
WRONG, KEPT = "wrong", "kept"


class FactLine(Record):
    """Everything that says the same of an entity: one line."""

    predicate: str
    value: str  # the other end, as it was written last
    is_subject: bool  # the entity is the subject, and `value` the object
    ids: tuple[str, ...]  # one fact of each spelling: a verdict is given on all of them
    statements: int
    first: int  # since when it holds, by the first statement
    last: int  # when it was said last
    until: int | None  # None while it holds
    memory: str  # that said it last
    actors: tuple[str, ...]  # who said it, the latest first
    confidence: float  # of the surest statement
    verdict: str | None  # wrong, ended, kept; hand: a person named what replaced it


class FactGroup(Record):
    """The lines of one predicate. One with several values at a time has no former ones."""

    predicate: str
    is_subject: bool
    is_single: bool  # it has one value at a time
    holds: tuple[FactLine, ...]  # that was said last first
    former: tuple[FactLine, ...]  # that ended last first

    @property
    def is_contradiction(self) -> bool:
        """Whether it has several values although it has one at a time."""
        return self.is_single and len(self.holds) > 1


class Doubt(Record):
    """A memory that another one perhaps replaces."""

    old: str
    old_text: str
    new: str
    new_text: str
    reason: str  # the sentence that says so


class Decision(Record):
    """What was decided, by whom."""

    memory: str
    text: str
    actor: str | None
    project: str | None
    at: int
    is_over: bool


class MentioningSession(Record):
    """A session whose turns mention the entity."""

    session: str
    project: str | None
    source: str | None
    memories: int  # that mention it
    last_at: int


class Article(Record):
    """What is known of an entity."""

    groups: tuple[FactGroup, ...]  # those with a value that holds first
    wrong: tuple[FactLine, ...]  # of which a person said that they never held
    doubts: tuple[Doubt, ...]
    decisions: tuple[Decision, ...]  # the latest first
    sessions: tuple[MentioningSession, ...]  # the latest first
    has_more: bool  # there are older statements


def article(database: Database, *, tenant: str, name: str, project: str | None = None) -> Article:
    """What is known of an entity (as for `Knowledge.entity`), of all projects or of one.

    Raises `NotFound`, `InvalidInput`.
    """
    validate.check_optional_text("project", project)
    category, slug = parsed_name(name)
    with database.snapshot(tenant=tenant) as tx:
        entity = entity_review.entity(tx, slug=slug, category=category)
        row = entities.one(tx, category=entity.category, slug=entity.slug)
        label = projects.asked(tx, project) if project else None
        names = names_of(entity)
        rows = facts.statements_about(tx, names, project=label, limit=EXAMINED + 1)
        lines = fact_lines(rows[:EXAMINED], {facts.key(one) for one in names}, now=tx.now)
        latest, number = EXAMINED_MENTIONS, row["id"]
        decided = entities.decisions_about(tx, number, project=label, latest=latest, limit=MAX_DECISIONS)
        sessions = entities.sessions_about(tx, number, project=label, latest=latest, limit=MAX_SESSIONS)
        doubts = doubts_of(tx, entities.latest_mentions(tx, number, limit=DOUBTED_MENTIONS), limit=MAX_DOUBTS)
    return Article(
        groups=tuple(_groups([one for one in lines if one.verdict != WRONG])),
        wrong=tuple(one for one in lines if one.verdict == WRONG),
        doubts=doubts,
        decisions=tuple(_decision(one) for one in decided),
        sessions=tuple(MentioningSession(**one) for one in sessions),
        has_more=len(rows) > EXAMINED,
    )


def fact_lines(rows: Iterable[Row], names: set[str], *, now: int) -> list[FactLine]:
    """Statements, the latest first, as lines: those that say the same are one. `names` are keys of the entity."""
    found: dict[tuple[bool, str, str], list[Row]] = {}
    for row in rows:
        is_subject = row["subject_key"] in names
        other = row["object_key"] if is_subject else row["subject_key"]
        found.setdefault((is_subject, row["predicate"], other), []).append(row)
    return [_line(said, is_subject=key[0], now=now) for key, said in found.items()]


def doubts_of(tx: Transaction, numbers: Sequence[int], *, limit: int) -> tuple[Doubt, ...]:
    """Memories among these that hold, and that another one perhaps replaces, with the sentence that says so."""
    reasons = changes.reasons(tx, refs=numbers, at=tx.now)
    pairs = [
        (number, reason)
        for number in numbers
        for reason in reasons.get(number, [])
        if reason["weight"] == changes.DOUBTED
    ][:limit]
    rows = selection.rows(tx, {number for number, reason in pairs} | {reason["other"] for _, reason in pairs})
    shown = {number: row for number, (row, *_) in rows.items()}
    return tuple(
        Doubt(
            old=shown[number]["uuid"],
            old_text=shown[number]["body"],
            new=shown[reason["other"]]["uuid"],
            new_text=shown[reason["other"]]["body"],
            reason=reason["sentence"] or "",
        )
        for number, reason in pairs
        if number in shown and reason["other"] in shown and shown[number]["superseded_at"] is None
    )


def _line(said: Sequence[Row], *, is_subject: bool, now: int) -> FactLine:
    """Statements of the same as one line. It holds if one of them does."""
    latest = max(said, key=lambda row: row["said_at"])
    ends = [_end(row) for row in said]
    holds = any(end is None or end > now for end in ends)
    spellings = {(row["subject_key"], row["object_key"]): row["id"] for row in said}
    verdicts = {row["superseded_how"] for row in said if not holds or row["superseded_how"] == KEPT}
    actors = dict.fromkeys(row["actor"] for row in said if row["actor"])
    return FactLine(
        predicate=latest["predicate"],
        value=latest["object"] if is_subject else latest["subject"],
        is_subject=is_subject,
        ids=tuple(spellings.values())[:MAX_IDS],
        statements=len(said),
        first=min(row["since"] for row in said),
        last=latest["said_at"],
        until=None if holds else max(end for end in ends if end is not None),
        memory=latest["memory"],
        actors=tuple(actors)[:MAX_ACTORS],
        confidence=max(row["confidence"] for row in said),
        verdict=next((one for one in (KEPT, "ended", "hand", WRONG) if one in verdicts), None),
    )


def _end(row: Row) -> int | None:
    """When a statement ended: by a later one, by its own words, or with its memory."""
    ends = [row[name] for name in ("superseded_at", "valid_until", "memory_superseded_at") if row[name] is not None]
    return min(ends) if ends else None


def _groups(lines: Iterable[FactLine]) -> Iterator[FactGroup]:
    """The lines by predicate: first what the entity is the subject of, and what holds; then by the last statement."""
    found: dict[tuple[bool, str], list[FactLine]] = {}
    for line in lines:
        found.setdefault((line.is_subject, line.predicate), []).append(line)
    groups = [
        FactGroup(
            predicate=predicate,
            is_subject=is_subject,
            is_single=is_subject and predicate in FUNCTIONAL,
            holds=tuple(sorted((one for one in said if one.until is None), key=lambda one: -one.last)),
            former=tuple(sorted((one for one in said if one.until is not None), key=lambda one: -(one.until or 0))),
        )
        for (is_subject, predicate), said in found.items()
    ]
    return iter(sorted(groups, key=_place))


def _place(group: FactGroup) -> tuple[bool, bool, bool, int]:
    last = max(one.last for one in group.holds or group.former)
    return not group.holds, not group.is_subject, not group.is_single, -last


def _decision(row: Row) -> Decision:
    return Decision(
        memory=row["uuid"],
        text=row["body"],
        actor=row["actor"],
        project=row["project"],
        at=row["at"],
        is_over=bool(row["is_over"]),
    )
