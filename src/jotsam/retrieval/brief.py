"""The brief for the start of a session: the rules, the decisions in force, what is open and what was done last.

It asks no question. Sessions are told by their notes, and what was stored alone by its type. Each line must be worth
its place: no questions, no commits, nothing twice, and nothing that was replaced, closed or superseded, or that a
person called wrong or old. Of other projects there are only the rules of the person, of other tenants nothing; of
memories without a project only preferences, styles and habits that were stored alone. Pinned memory blocks come first.
"""

from __future__ import annotations

from collections import Counter

from jotsam.core.answers import BriefLine
from jotsam.core.clock import format_time
from jotsam.core.fence import beginning
from jotsam.core.names import DECISION, DONE, KEEP, OLD, OPEN, PERSON_SCOPE, QUEUES, REPEATED, RULE, SURE_RULE, WRONG
from jotsam.core.records import Record
from jotsam.retrieval.brief_text import STORED, SURE_DECISION, Candidate, Head, Home, packed, why_of
from jotsam.storage import queue
from jotsam.storage.graph import facts
from jotsam.storage.memories import blocks, notes, projects
from jotsam.storage.recall import search
from jotsam.storage.recall.search import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence
    from typing import Any

    from jotsam.core.answers import Brief
    from jotsam.core.records import MemoryBlock
    from jotsam.storage.database import Row, Transaction

    Known = Callable[[Row], bool]

LABELS = {
    "decision": "decided",
    "preference": "preferred",
    "insight": "learned",
    "style": "style",
    "habit": "habit",
    "pattern": "pattern",
}
PERSONAL = ("preference", "style", "habit")  # types that hold in every project
PART_ENDS = ("; ", ". ", ", ", " (", ": ")
OPEN_TYPES = ("task", "todo", "question", "issue")  # that a caller may set
OPEN_CUES = (
    *("todo:", "to do:", "still need", "still has to", "still have to", "not done yet", "not yet done", "next step"),
    *("open question", "unresolved", "left to do", "remains to", "remaining work", "follow-up:", "blocked on"),
    *("blocked by", "still missing", "still open", "noch offen", "fehlt noch"),
)
# What a rule or a decision begins with that its heading says too, where the rest can stand without it.
LEADS = (
    *("from now on", "from here on", "from today on", "going forward", "a partir de ahora", "de ahora en adelante"),
    *("désormais", "dorénavant", "à partir de maintenant", "d'ora in poi", "a partir de agora", "daqui para frente"),
    *("we decided to ", "we have decided to ", "we've decided to ", "nous avons décidé de ", "on a décidé de "),
    *("hemos decidido ", "abbiamo deciso di ", "decidimos ", "postanowiliśmy ", "我们决定"),
    *("od teraz", "从现在起", "今后", "以后", "今後は", "これからは"),
)
OPEN_DAYS = 45  # an older statement that something is open is more likely out of date than true
LAST_DAYS = 30  # an older session has nothing to go on with

MAX_TYPED, MAX_SAID, MAX_NOTES = 500, 60, 400  # memories and notes that are considered
MAX_OPEN, MAX_SAID_LINES = 4, 2
FEW_LINES = 3  # with fewer, the last answer is worth a line
SURE_OPEN = 0.4  # an open end that is less sure is not shown
MAX_LINE = 200  # characters of a text
MAX_NOTE = {RULE: 96, DECISION: 60, OPEN: 80, DONE: 80}
SHORTEST = 30  # characters: a text is not cut before
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
    noted = notes.rows(tx, project, kinds=(RULE, DECISION, OPEN, DONE), actor=scope.actor, limit=MAX_NOTES)

    def known(row: Row) -> bool:
        is_own = reader.session is not None and row["session"] == reader.session
        return row["uuid"] in reader.ids or row["ref"] in outdated or is_own

    holding = [row for row in noted if notes.row_holds(row) and not known(row)]
    told = {row["uuid"] for row in noted}
    struck = {row["uuid"] for row in noted if row["verdict"] in (WRONG, OLD)}
    said = [row for row in said if row["uuid"] not in struck]
    rules, decided = _rules(_of_project(holding, project), noted, reader), _decisions(holding, tx.now)
    decided += [one for one in _typed(typed, tx.now, known) if one.line.id not in told]
    opened = [
        _noted(row, "open", 0.0)
        for row in holding
        if row["kind"] == OPEN and row["sure"] >= SURE_OPEN and tx.now - row["said_at"] <= OPEN_DAYS * DAY_MS
    ]
    opened += _open(said, tx.now, known)
    since = tx.now - LAST_DAYS * DAY_MS
    last = [
        _noted(row, "done", 0.0)
        for row in holding
        if row["kind"] == DONE
        and row["said_at"] >= since
        and not notes.is_commit(row)
        and notes.is_told(DONE, row["body"])
    ][:1]
    is_short = len(rules) + len(decided) + len(opened) + len(last) < FEW_LINES
    last += _by_worth(_last_said(said, tx.now, known, is_short=is_short))
    return _by_worth(rules), _by_worth(decided), opened[:MAX_OPEN], last[:MAX_SAID_LINES]


def _by_worth(candidates: Iterable[Candidate]) -> list[Candidate]:
    return sorted(candidates, key=lambda one: -one.worth)


def _of_project(holding: Iterable[Row], project: str | None) -> list[Row]:
    """The rules that hold in a project."""
    rules = [row for row in holding if row["kind"] == RULE]
    if len({row["scope"] for row in rules}) < 2:
        return rules
    from jotsam.retrieval.search.own_rules import gives_way_in

    records = [notes.kept(row) for row in rules]
    gives_way = gives_way_in(project, records, sure=SURE_RULE)
    return [row for row, one in zip(rules, records, strict=True) if not gives_way(one)]


def _rules(rules: Iterable[Row], every: Iterable[Row], reader: Reader) -> list[Candidate]:
    times = Counter(row["ended_by"] for row in every if row["ended_how"] == REPEATED and row["kind"] == RULE)
    sure = [row for row in rules if row["sure"] >= SURE_RULE or row["verdict"] == KEEP]
    return [
        _rule(row, 1 + times[row["memory_id"]])
        for row in sure
        if not (reader.is_told is not None and reader.is_told(row["body"]))
    ]


def _decisions(holding: Iterable[Row], now: int) -> list[Candidate]:
    return [_decided(row, now) for row in holding if row["kind"] == DECISION and row["sure"] >= SURE_DECISION]


def _rule(row: Row, times: int) -> Candidate:
    where = "rule everywhere" if row["scope"] == PERSON_SCOPE else "rule"
    often = f", said {times} times" if times > 1 else ""
    return _noted(row, f"{where}{often}", row["sure"] + min(times, 5) / 10 + (row["verdict"] == KEEP))


def _decided(row: Row, now: int) -> Candidate:
    age = max(0, now - row["said_at"]) / DAY_MS
    recency = OLDEST_WORTH + (1 - OLDEST_WORTH) * 0.5 ** (age / HALF_LIFE_DAYS)
    return _noted(row, "decided", (row["verdict"] == KEEP) + row["sure"] * recency)


def _noted(row: Row, label: str, worth: float) -> Candidate:
    of_memory = {"uuid": row["uuid"], "source": row["source"], "actor": row["actor"], "date": row["said_at"]}
    of_memory["project"] = row["memory_project"]
    text = shortened(_without_lead(row["body"]), MAX_NOTE[row["kind"]])
    return _candidate(of_memory, label, text, worth=worth, note=row["position"], why=why_of(row["kind"], row["sure"]))


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
        if known(row) or is_turn or notes.is_commit(row) or (_is_question(row) and kind not in OPEN_TYPES):
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
        if row["session"] is not None or known(row) or notes.is_commit(row) or now - row["date"] > OPEN_DAYS * DAY_MS:
            continue
        lower = row["body"].lower()
        at = min((place for cue in OPEN_CUES if (place := lower.find(cue)) >= 0), default=-1)
        if at >= 0 and len(lower) == len(row["body"]):
            yield _candidate(row, "open", _sentence(row["body"], at))


def _last_said(rows: Sequence[Row], now: int, known: Known, *, is_short: bool) -> Iterator[Candidate]:
    """The most important that was stored alone. If there is little else, how the last session ended."""
    rows = [row for row in rows if not notes.is_commit(row)]
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


def _is_question(row: Row) -> bool:
    return bool(row["body"].rstrip()[-1:] in ("?", "？"))


def _candidate(row: Row, label: str, text: str, *, worth: float = 0.0, **more: Any) -> Candidate:
    same = {name: row[name] for name in ("source", "actor", "project", "date")}
    more = {"why": STORED, **more}
    line = BriefLine(id=row["uuid"], label=label, text=beginning(text, MAX_LINE), **more, **same)
    return Candidate(
        line=line, worth=worth, words=frozenset(word.strip(".,;:!?") for word in line.text.casefold().split())
    )


def _sentence(text: str, at: int) -> str:
    """The sentence or line around a place."""
    ends = (". ", "! ", "\n")
    start = max(found + len(mark) if (found := text.rfind(mark, 0, at)) >= 0 else 0 for mark in ends)
    end = min(found + 1 if (found := text.find(mark, at)) >= 0 else len(text) for mark in ends)
    return text[start:end]


def _without_lead(text: str) -> str:
    """A text without the words that say that it was decided, or holds from then on, as the lines of a brief do."""
    lower = text.lower()
    lead = next((one for one in LEADS if lower.startswith(one)), "")
    rest = text[len(lead) :].lstrip(" ,:")
    is_enough = " " in rest or not rest.isascii()
    return rest if len(lower) == len(text) and is_enough else text


def shortened(text: str, limit: int) -> str:
    """The beginning of a text, cut where a part of it ends: the last within the limit, or the first after it."""
    if len(text) <= limit:
        return text
    end = max(text.rfind(mark, SHORTEST, limit + 1) for mark in PART_ENDS)
    if end <= 0:
        end = min((at for mark in PART_ENDS if (at := text.find(mark, limit)) > 0), default=len(text))
    return text[:end]
