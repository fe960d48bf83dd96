"""The brief for the start of a session: the rules, the decisions in force, what is open and what was done last.

It asks no question. Sessions are told by their notes, and what was stored alone by its type. Each line must be worth
its place: no questions, no commits, nothing twice, and nothing that was replaced, closed or superseded, or that a
person called wrong or old. Of other projects there are only the rules of the person, of other tenants nothing; of
memories without a project only preferences, styles and habits that were stored alone. Pinned memory blocks come first.
"""

from __future__ import annotations

import re
from collections import Counter

from jotsam.core.answers import BriefLine
from jotsam.core.clock import format_time
from jotsam.core.fence import beginning
from jotsam.core.names import QUEUES
from jotsam.core.note_records import DECISION, DONE, KEEP, OPEN, PERSON, REPEATED, RULE
from jotsam.core.records import Record
from jotsam.retrieval.brief_text import Candidate, Head, Home, packed
from jotsam.storage import blocks, facts, notes, projects, queue, search
from jotsam.storage.search import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence

    from jotsam.core.answers import Brief
    from jotsam.core.records import MemoryBlock
    from jotsam.storage.database import Row, Transaction
    from jotsam.storage.notes import Kept

    Known = Callable[[Row], bool]

COMMITS = "git"  # the source of commits, and how their actors begin
LABELS = {
    "decision": "decided",
    "preference": "preferred",
    "insight": "learned",
    "style": "style",
    "habit": "habit",
    "pattern": "pattern",
}
PERSONAL = ("preference", "style", "habit")  # types that hold in every project
_PART_ENDS = re.compile(r"; |\. |, | \(|: ")
OPEN_TYPES = ("task", "todo", "question", "issue")  # that a caller may set
OPEN_CUES = (
    *("todo:", "to do:", "still need", "still has to", "still have to", "not done yet", "not yet done", "next step"),
    *("open question", "unresolved", "left to do", "remains to", "remaining work", "follow-up:", "blocked on"),
    *("blocked by", "still missing", "still open", "noch offen", "fehlt noch"),
)
OPEN_DAYS = 45  # an older statement that something is open is more likely out of date than true
LAST_DAYS = 30  # an older session has nothing to go on with

MAX_TYPED, MAX_SAID, MAX_NOTES = 500, 60, 400  # memories and notes that are considered
MAX_OPEN, MAX_SAID_LINES = 4, 2
FEW_LINES = 3  # with fewer, the last answer is worth a line
SURE_RULE, SURE_DECISION = 0.6, 0.5  # a note that is less sure is not shown
MAX_LINE = 200  # characters of a text
MAX_NOTE = {RULE: 110, DECISION: 88, OPEN: 80, DONE: 80}
MIN_WORDS = 4  # of a statement without a type
HALF_LIFE_DAYS = 30
OLDEST_WORTH = 0.3  # what age leaves of a worth
BY_RULES_SURE, BY_RULES, BY_MODEL, CHUNK = 0.7, 0.5, 0.9, 0.6  # how much a type is trusted; a caller's counts as 1
CRYSTAL = 2.0  # more than any other memory is worth: what several sessions agree on comes first
SURE = 0.8  # confidence of the rules: two cues or more
DAY_MS = 86_400_000


class Reader(Record):
    """What the reader of a brief knows already."""

    ids: Container[str] = ()  # of memories and blocks that it was given
    session: str | None = None  # whose turns it has
    is_told: Callable[[str], bool] | None = None  # whether a rule is in a file that it reads anyway


NEW_READER = Reader()


def brief(
    tx: Transaction,
    *,
    project: str | None,
    actor: str | None = None,
    tokens: int,
    reader: Reader = NEW_READER,
    spooled: int = 0,
    problem: str = "",
) -> Brief:
    """At most `tokens` of what is known about a project, or about what has none. Writes nothing.

    `actor` is the only one whose memories are in it. `spooled` turns count as pending. `problem` is the verdict on the
    memory, if something is wrong.
    """
    depth = queue.depth(tx, queues=QUEUES, tenant=tx.tenant)
    sections = _sections(tx, project, Scope(tenant=tx.tenant, at=tx.now, actor=actor), reader)
    pinned = blocks.pinned(tx, project=project, actor=actor)
    head = Head(
        home=Home(key=project, label=projects.label(tx, project) if project else None),
        depth=depth.replace(pending=depth.pending + spooled),
        problem=problem,
        year=format_time(tx.now)[:4],
    )
    unknown = [one for one in pinned if given_id(one) not in reader.ids]
    return packed(head, sections, tokens=tokens, pinned=unknown)


def given_id(block: MemoryBlock) -> str:
    """By what a session that was given a block knows it: a changed one is given again."""
    return f"{block.id}/{block.version}"


def _sections(tx: Transaction, project: str | None, scope: Scope, reader: Reader) -> tuple[list[Candidate], ...]:
    """The lines that the brief may have, in its order, each section with the best first."""
    typed = _typed_rows(tx, scope, project)
    said = search.latest_said(tx, scope, project=project, limit=MAX_SAID)
    outdated = facts.superseded(tx, refs={row["ref"] for row in (*typed, *said)}, at=tx.now)
    noted = notes.of_project(tx, project, kinds=(RULE, DECISION, OPEN, DONE), actor=scope.actor, limit=MAX_NOTES)
    noted += [one for one in notes.of_person(tx, actor=scope.actor, limit=MAX_NOTES) if one.project != project]

    def known(row: Row) -> bool:
        is_own = reader.session is not None and row["session"] == reader.session
        return row["uuid"] in reader.ids or row["ref"] in outdated or is_own

    holding = [
        one
        for one in noted
        if notes.holds(one) and not known({"session": one.session, "uuid": one.uuid, "ref": one.memory})
    ]
    told = {one.uuid for one in noted}
    rules, decided = _rules(holding, noted, reader), _decisions(holding, tx.now)
    decided += [one for one in _typed(typed, tx.now, known) if one.line.id not in told]
    opened = [
        _noted(one, "open", 0.0)
        for one in holding
        if one.note.kind == OPEN and tx.now - one.note.at <= OPEN_DAYS * DAY_MS
    ]
    opened += _open(said, tx.now, known)
    last = [
        _noted(one, "done", 0.0)
        for one in holding
        if one.note.kind == DONE and len(one.note.names) >= MIN_WORDS and tx.now - one.note.at <= LAST_DAYS * DAY_MS
    ][:1]
    is_short = len(rules) + len(decided) + len(opened) + len(last) < FEW_LINES
    last += _by_worth(_last_said(said, tx.now, known, is_short=is_short))
    return _by_worth(rules), _by_worth(decided), opened[:MAX_OPEN], last[:MAX_SAID_LINES]


def _by_worth(candidates: Iterable[Candidate]) -> list[Candidate]:
    return sorted(candidates, key=lambda one: -one.worth)


def _rules(holding: Iterable[Kept], every: Iterable[Kept], reader: Reader) -> list[Candidate]:
    times = Counter(one.ended_by for one in every if one.ended_how == REPEATED and one.note.kind == RULE)
    return [
        _rule(one, 1 + times[one.memory])
        for one in holding
        if one.note.kind == RULE
        and one.note.sure >= SURE_RULE
        and not (reader.is_told is not None and reader.is_told(one.note.text))
    ]


def _decisions(holding: Iterable[Kept], now: int) -> list[Candidate]:
    return [_decided(one, now) for one in holding if one.note.kind == DECISION and one.note.sure >= SURE_DECISION]


def _rule(one: Kept, times: int) -> Candidate:
    where = "rule everywhere" if one.note.scope == PERSON else "rule"
    often = f", said {times} times" if times > 1 else ""
    return _noted(one, f"{where}{often}", one.note.sure + min(times, 5) / 10 + (1 if one.verdict == KEEP else 0))


def _decided(one: Kept, now: int) -> Candidate:
    age = max(0, now - one.note.at) / DAY_MS
    recency = OLDEST_WORTH + (1 - OLDEST_WORTH) * 0.5 ** (age / HALF_LIFE_DAYS)
    return _noted(one, "decided", (1 if one.verdict == KEEP else 0) + one.note.sure * recency)


def _noted(one: Kept, label: str, worth: float) -> Candidate:
    row = {"uuid": one.uuid, "source": one.source, "actor": one.actor, "project": one.project, "date": one.note.at}
    return _candidate(row, label, shortened(one.note.text, MAX_NOTE[one.note.kind]), worth=worth, note=one.place)


def _typed_rows(tx: Transaction, scope: Scope, project: str | None) -> list[Row]:
    if project is None:
        return search.typed(tx, scope, project=None, limit=MAX_TYPED)
    personal = search.typed(tx, scope, project=None, limit=MAX_TYPED, stored_alone=True)
    mine = [row for row in personal if row["type"].lower() in PERSONAL]
    return search.typed(tx, scope, project=project, limit=MAX_TYPED) + mine


def _typed(rows: Iterable[Row], now: int, known: Known) -> Iterator[Candidate]:
    for row in rows:
        kind = row["type"].lower()
        is_turn = row["session"] is not None and row["type_by"] is not None and not row["is_crystal"]
        if known(row) or is_turn or _is_commit(row) or (_is_question(row) and kind not in OPEN_TYPES):
            continue
        label = "open" if kind in OPEN_TYPES else LABELS.get(kind) or beginning(kind, 20)
        # The beginning of a text has more content than its first sentence, "Done."; of a chunk it is a heading.
        text = (row["summary"] if row["document_id"] is not None else None) or row["body"]
        yield _candidate(row, label, text, worth=_worth(row, now))


def _worth(row: Row, now: int) -> float:
    by, confidence = row["type_by"], row["confidence"] or 0.0
    trust = 1.0 if by is None else BY_MODEL if by.startswith(("llm:", "agent ")) else BY_RULES
    if trust == BY_RULES and confidence >= SURE:
        trust = BY_RULES_SURE
    if row["document_id"] is not None:
        trust *= CHUNK  # The agent can read the file.
    importance: float = 0.5 if row["importance"] is None else row["importance"]
    age: float = max(0, now - row["date"]) / DAY_MS
    first = CRYSTAL if row["is_crystal"] else 0.0
    recency: float = OLDEST_WORTH + (1 - OLDEST_WORTH) * 0.5 ** (age / HALF_LIFE_DAYS)
    return first + trust * (0.5 + importance) * recency


def _open(rows: Iterable[Row], now: int, known: Known) -> Iterator[Candidate]:
    """Sentences of what was stored alone that state that something is left to do, the newest first."""
    for row in rows:
        if row["session"] is not None or known(row) or _is_commit(row) or now - row["date"] > OPEN_DAYS * DAY_MS:
            continue
        lower = row["body"].lower()
        at = min((place for cue in OPEN_CUES if (place := lower.find(cue)) >= 0), default=-1)
        if at >= 0 and len(lower) == len(row["body"]):
            yield _candidate(row, "open", _sentence(row["body"], at))


def _last_said(rows: Sequence[Row], now: int, known: Known, *, is_short: bool) -> Iterator[Candidate]:
    """The most important that was stored alone. If there is little else, how the last session ended."""
    rows = [row for row in rows if not _is_commit(row)]
    session, seen = next((row["session"] for row in rows if row["session"] and not known(row)), None), set()
    for row in rows:
        actor = row["actor"] or "user"
        is_last = is_short and row["session"] is not None and row["session"] == session and actor not in seen
        if known(row) or not (is_last or row["session"] is None) or not _is_statement(row):
            continue
        if now - row["date"] > LAST_DAYS * DAY_MS:
            return
        seen.add(actor)
        asked = "last asked" if actor == "user" else "last answer"
        worth = 1.0 if is_last else row["importance"] or 0.0
        yield _candidate(row, asked if is_last else "noted", row["body"], worth=worth)


def _is_statement(row: Row) -> bool:
    words = row["body"].split()
    is_long = len(words) >= MIN_WORDS or (len(row["body"]) >= 2 * MIN_WORDS and not row["body"].isascii())
    return is_long and not _is_question(row) and row["type"] in (None, "Context")


def _is_commit(row: Row) -> bool:
    """Whether a row was captured by the hook of git. Anyone may be the author of a commit, also one named `user`."""
    return row["source"] == COMMITS or (row["actor"] or "").startswith(f"{COMMITS} ")


def _is_question(row: Row) -> bool:
    return bool(row["body"].rstrip()[-1:] in ("?", "？"))


def _candidate(row: Row, label: str, text: str, *, worth: float = 0.0, note: int | None = None) -> Candidate:
    same = {name: row[name] for name in ("source", "actor", "project", "date")}
    line = BriefLine(id=row["uuid"], label=label, text=beginning(text, MAX_LINE), note=note, **same)
    return Candidate(
        line=line, worth=worth, words=frozenset(word.strip(".,;:!?") for word in line.text.casefold().split())
    )


def _sentence(text: str, at: int) -> str:
    """The sentence or line around a place."""
    ends = (". ", "! ", "\n")
    start = max(found + len(mark) if (found := text.rfind(mark, 0, at)) >= 0 else 0 for mark in ends)
    end = min(found + 1 if (found := text.find(mark, at)) >= 0 else len(text) for mark in ends)
    return text[start:end]


def shortened(text: str, limit: int) -> str:
    """The beginning of a text, cut where a part of it ends."""
    if len(text) <= limit:
        return text
    ends = [match.start() for match in _PART_ENDS.finditer(text, limit // 2, limit + 1)]
    return text[: ends[-1]] if ends else text
