"""What a person may decide: contradictions, perhaps outdated texts, rules that perhaps are none, and the same entities.

Of the latest memories, so that it costs the same however many there are. What was decided is not asked again: a pair
that was refused is kept as a hash, which names nobody.
"""

from __future__ import annotations

from hashlib import sha256

from jotsam.core import validate
from jotsam.core.names import RULE, SURE_RULE
from jotsam.core.predicates import FUNCTIONAL
from jotsam.core.records import Record
from jotsam.memory.graph import entity_review
from jotsam.memory.graph.article import Doubt, doubts_of
from jotsam.pipeline.facts.predicates import PRONOUNS
from jotsam.storage.graph import entities, inbox
from jotsam.storage.lifecycle import lifecycle
from jotsam.storage.memories import notes, projects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jotsam.core.graph_records import MergeCandidate
    from jotsam.core.note_records import Note
    from jotsam.storage.database import Database, Row, Transaction

EXAMINED = 300  # of the latest memories
EXAMINED_FACTS = 1_000
EXAMINED_ENTITIES, EXAMINED_PAIRS = 120, 30
MAX_ITEMS = 20  # of a kind
LATER_MS = 7 * 86_400_000
DECISIONS = REJECT, LATER = ("reject", "later")


class Value(Record):
    """One of the values that contradict each other."""

    value: str
    fact: str  # one that states it
    statements: int
    last: int  # when it was said last
    memory: str


class Clash(Record):
    """Values of a predicate that has one at a time."""

    key: str
    subject: str
    predicate: str
    values: tuple[Value, ...]  # that was said last first


class DoubtfulText(Record):
    """A text that another one perhaps replaces."""

    key: str
    doubt: Doubt


class Merge(Record):
    """Two entities that may be the same."""

    key: str
    pair: MergeCandidate


class DoubtfulRule(Record):
    """What a session said, and perhaps is a rule: no brief has it until a person keeps it."""

    key: str
    note: Note
    memory: str  # that says it


class Inbox(Record):
    """What is not decided yet."""

    clashes: tuple[Clash, ...]
    doubts: tuple[DoubtfulText, ...]
    rules: tuple[DoubtfulRule, ...]
    merges: tuple[Merge, ...]

    @property
    def items(self) -> int:
        return len(self.clashes) + len(self.doubts) + len(self.rules) + len(self.merges)


def read_inbox(database: Database, *, tenant: str, project: str | None = None) -> Inbox:
    """What of the latest memories is to decide. Raises `InvalidInput`."""
    validate.check_optional_text("project", project)
    with database.snapshot(tenant=tenant) as tx:
        label = projects.asked(tx, project) if project else None
        rows = inbox.single_values(tx, FUNCTIONAL, project=label, latest=EXAMINED_FACTS)
        latest = inbox.learned(tx, since=0, project=label, latest=EXAMINED)
        named = entities.of_latest(tx, latest=EXAMINED, limit=EXAMINED_ENTITIES)
        pairs = entity_review.candidates_among(tx, named, limit=MAX_ITEMS, pairs_compared=EXAMINED_PAIRS)
        clashes = [*_clashes(rows)][:MAX_ITEMS]
        doubts = doubts_of(tx, [row["id"] for row in latest], limit=MAX_ITEMS)
        texts = [DoubtfulText(key=_key("text", one.old, one.new), doubt=one) for one in doubts]
        rules = [*_doubtful_rules(tx, [row["id"] for row in latest])][:MAX_ITEMS]
        merges = [Merge(key=_key("merge", one.name, one.into), pair=one) for one in pairs]
        undecided = _undecided(tx, [one.key for kind in (clashes, texts, rules, merges) for one in kind])
    return Inbox(
        clashes=tuple(one for one in clashes if one.key in undecided),
        doubts=tuple(one for one in texts if one.key in undecided),
        rules=tuple(one for one in rules if one.key in undecided),
        merges=tuple(one for one in merges if one.key in undecided),
    )


def decide(database: Database, *, tenant: str, key: str, decision: str | None) -> None:
    """Do not ask again about an item, or not for a week; None takes that back. Raises `InvalidInput`."""
    validate.check_choice("decision", decision, DECISIONS)
    mark = validate.check_text("key", key)[:64]
    with database.transaction(tenant=tenant) as tx:
        for hash in (mark, _later(mark)):
            lifecycle.allow_again(tx, hash)
        if decision is not None:
            lifecycle.refuse(tx, [mark if decision == REJECT else _later(mark)])


def _undecided(tx: Transaction, keys: Iterable[str]) -> set[str]:
    wanted = {*keys}
    later = {_later(key): key for key in wanted}
    waiting = {later[hash] for hash in lifecycle.refused_since(tx, later, since=tx.now - LATER_MS)}
    return wanted - lifecycle.refused(tx, wanted) - waiting


def _doubtful_rules(tx: Transaction, memories: Iterable[int]) -> Iterator[DoubtfulRule]:
    """What memories say that is not sure enough for a brief, the latest first."""
    found = [one for one in notes.of_each(tx, memories) if one.note.kind == RULE and one.verdict is None]
    for one in sorted(found, key=lambda one: one.said, reverse=True):
        if notes.holds(one) and notes.DENIED < one.note.sure < SURE_RULE:
            note = notes.record(one)
            yield DoubtfulRule(key=_key("rule", note.id, note.text), note=note, memory=one.uuid)


def _clashes(rows: Iterable[Row]) -> Iterator[Clash]:
    """Subjects with several values of a predicate that has one."""
    found: dict[tuple[str, str], dict[str, list[Row]]] = {}
    for row in rows:
        if row["subject_key"] not in PRONOUNS:
            found.setdefault((row["subject_key"], row["predicate"]), {}).setdefault(row["object_key"], []).append(row)
    for (subject, predicate), values in found.items():
        if len(values) > 1:
            first = next(iter(values.values()))[0]
            key = _key("values", subject, predicate, *sorted(values))
            shown = tuple(map(_value, values.values()))
            yield Clash(key=key, subject=first["subject"], predicate=predicate, values=shown)


def _value(said: list[Row]) -> Value:
    """Statements of one value, the last one first."""
    last = said[0]
    return Value(
        value=last["object"], fact=last["id"], statements=len(said), last=last["said_at"], memory=last["memory"]
    )


def _key(*parts: str) -> str:
    return sha256("\n".join(("inbox", *parts)).encode(errors="replace")).hexdigest()[:32]


def _later(key: str) -> str:
    return sha256(f"later\n{key}".encode(errors="replace")).hexdigest()[:32]
