"""The brief for the start of a session: what was decided, preferred and left open in a project, in a few lines.

It asks no question. Memories of a type come first, then what is open, then where the last session stopped. Enrichment
by rules finds few types, so each line must earn its place: no questions, no greetings, no commits, nothing twice, and
nothing that is superseded or states a superseded fact. Of other projects and tenants there is nothing in it; of
memories without a project only preferences, styles and habits that were stored alone, because a turn belongs to the
folder in which it was said. Pinned memory blocks come before all lines.
"""

from __future__ import annotations

from jotsam.core.answers import Brief, BriefLine
from jotsam.core.clock import format_time
from jotsam.core.fence import beginning, escape_marks, fenced, origin, part
from jotsam.core.names import QUEUES
from jotsam.core.records import Record
from jotsam.pipeline.text.words import estimate_tokens
from jotsam.storage import blocks, facts, projects, queue, search
from jotsam.storage.search import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence

    from jotsam.core.job_records import QueueDepth
    from jotsam.core.records import MemoryBlock
    from jotsam.storage.database import Row, Transaction

    Known = Callable[[Row], bool]

COMMITS = "git"  # the source of commits, and how their actors begin
SHORT_ID = 8  # characters of an id that other commands take
LABELS = {
    "decision": "decided",
    "preference": "preferred",
    "insight": "learned",
    "style": "style",
    "habit": "habit",
    "pattern": "pattern",
}
PERSONAL = ("preference", "style", "habit")  # types that hold in every project
OPEN_TYPES = ("task", "todo", "question", "issue")  # that a caller may set
OPEN_CUES = (
    *("todo:", "to do:", "still need", "still has to", "still have to", "not done yet", "not yet done", "next step"),
    *("open question", "unresolved", "left to do", "remains to", "remaining work", "follow-up:", "blocked on"),
    *("blocked by", "still missing", "still open", "noch offen", "fehlt noch"),
)
OPEN_DAYS = 14  # an older statement that something is open is more likely out of date than true
LAST_DAYS = 30  # an older session has nothing to go on with

MAX_TYPED, MAX_SAID = 500, 60  # memories that are considered
MAX_OPEN, MAX_SAID_LINES = 3, 3
MAX_LINE, MAX_ORIGIN = 200, 40  # characters of a text, and of a part of its origin
MAX_PROBLEM = 160
MIN_WORDS = 4  # of a statement without a type
HALF_LIFE_DAYS = 30
OLDEST_WORTH = 0.3  # what age leaves of a worth
BY_RULES_SURE, BY_RULES, BY_MODEL, CHUNK = 0.7, 0.5, 0.9, 0.6  # how much a type is trusted; a caller's counts as 1
CRYSTAL = 2.0  # more than any other memory is worth: what several sessions agree on comes first
SURE = 0.8  # confidence of the rules: two cues or more
SAME_WORDS = 0.8  # of the words of the shorter line in another: it adds nothing
DAY_MS = 86_400_000
MIN_PART = 40  # characters of a block that is cut
CUT = " ... (cut: `jotsam blocks get` prints all of it)\n"
LARGEST = 9_000  # characters: Claude Code replaces more than 10,000 by the name of a file


class Home(Record):
    """The project of a brief; all None if it is of no project."""

    key: str | None
    label: str | None


class Candidate(Record):
    """A line that the brief may have, and how much it is worth."""

    line: BriefLine
    worth: float
    words: frozenset[str]


def brief(
    tx: Transaction,
    *,
    project: str | None,
    actor: str | None = None,
    tokens: int,
    skip: Container[str] = (),
    skip_session: str | None = None,
    spooled: int = 0,
    problem: str = "",
) -> Brief:
    """At most `tokens` of what is known about a project, or about what has none. Writes nothing.

    `actor` is the only one whose memories are in it. `skip` are ids, and `skip_session` a session, whose memories the
    reader knows. `spooled` turns count as pending. `problem` is the verdict on the memory, if something is wrong.
    """
    scope = Scope(tenant=tx.tenant, at=tx.now, actor=actor)
    depth = queue.depth(tx, queues=QUEUES, tenant=tx.tenant)
    depth = depth.replace(pending=depth.pending + spooled)
    typed = _typed_rows(tx, scope, project)
    said = search.latest_said(tx, scope, project=project, limit=MAX_SAID)
    outdated = facts.superseded(tx, refs={row["ref"] for row in (*typed, *said)}, at=tx.now)

    def known(row: Row) -> bool:
        is_own = skip_session is not None and row["session"] == skip_session
        return row["uuid"] in skip or row["ref"] in outdated or is_own

    sections = (
        sorted(_typed(typed, tx.now, known), key=lambda one: -one.worth),
        [*_open(said, tx.now, known)][:MAX_OPEN],
        sorted(_last_said(said, tx.now, known), key=lambda one: -one.worth)[:MAX_SAID_LINES],
    )
    pinned = blocks.pinned(tx, project=project, actor=actor)
    home = Home(key=project, label=projects.label(tx, project) if project else None)
    unknown = [one for one in pinned if given_id(one) not in skip]
    return _packed(home, sections, depth, tokens, unknown, problem)


def given_id(block: MemoryBlock) -> str:
    """By what a session that was given a block knows it: a changed one is given again."""
    return f"{block.id}/{block.version}"


def _typed_rows(tx: Transaction, scope: Scope, project: str | None) -> list[Row]:
    if project is None:
        return search.typed(tx, scope, project=None, limit=MAX_TYPED)
    personal = search.typed(tx, scope, project=None, limit=MAX_TYPED, stored_alone=True)
    mine = [row for row in personal if row["type"].lower() in PERSONAL]
    return search.typed(tx, scope, project=project, limit=MAX_TYPED) + mine


def _typed(rows: Iterable[Row], now: int, known: Known) -> Iterator[Candidate]:
    for row in rows:
        kind = row["type"].lower()
        if known(row) or _is_commit(row) or (_is_question(row) and kind not in OPEN_TYPES):
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
    """Sentences that state that something is left to do, the newest first."""
    for row in rows:
        if known(row) or _is_commit(row) or now - row["date"] > OPEN_DAYS * DAY_MS:
            continue
        lower = row["body"].lower()
        at = min((place for cue in OPEN_CUES if (place := lower.find(cue)) >= 0), default=-1)
        if at >= 0 and len(lower) == len(row["body"]):
            yield _candidate(row, "open", _sentence(row["body"], at))


def _last_said(rows: Sequence[Row], now: int, known: Known) -> Iterator[Candidate]:
    """How the last session ended: its last answer, and what was asked for. And the most important stored alone."""
    rows = [row for row in rows if not _is_commit(row)]
    session, seen = next((row["session"] for row in rows if row["session"] and not known(row)), None), set()
    for row in rows:
        actor = row["actor"] or "user"
        is_last = row["session"] is not None and row["session"] == session and actor not in seen
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


def _candidate(row: Row, label: str, text: str, *, worth: float = 0.0) -> Candidate:
    same = {name: row[name] for name in ("source", "actor", "project", "date")}
    line = BriefLine(id=row["uuid"], label=label, text=beginning(text, MAX_LINE), **same)
    return Candidate(
        line=line, worth=worth, words=frozenset(word.strip(".,;:!?") for word in line.text.casefold().split())
    )


def _sentence(text: str, at: int) -> str:
    """The sentence or line around a place."""
    ends = (". ", "! ", "\n")
    start = max(found + len(mark) if (found := text.rfind(mark, 0, at)) >= 0 else 0 for mark in ends)
    end = min(found + 1 if (found := text.find(mark, at)) >= 0 else len(text) for mark in ends)
    return text[start:end]


def _packed(
    home: Home,
    sections: Sequence[Sequence[Candidate]],
    depth: QueueDepth,
    tokens: int,
    pinned: Sequence[MemoryBlock],
    problem: str,
) -> Brief:
    """The blocks and lines that fit. Memories of a type leave a third of the room to open and latest ones."""
    total = len({one.line.id for section in sections for one in section})
    room = tokens - estimate_tokens(_text(home, [], total, depth, problem))
    room = min(room, LARGEST // 4)
    shown = _fitting(pinned, room)
    room -= sum(estimate_tokens(text + "\n") for _, text in shown)
    chosen: list[Candidate] = []
    used = 0
    typed, *rest = sections
    others = sum(_cost(one.line, home.key) for section in rest for one in section)
    for section in sections:
        limit = room - min(others, room // 3) if section is typed else room
        for one in section:
            if used + _cost(one.line, home.key) <= limit and one.line.text and not _is_said(one, chosen):
                chosen.append(one)
                used += _cost(one.line, home.key)
    lines = [one.line for one in chosen]
    text = _text(home, lines, total, depth, problem, [text for _, text in shown]) if lines or shown else ""
    counts = {name: getattr(depth, name) for name in ("pending", "in_progress", "failed", "dead")}
    found = tuple(block for block, _ in shown)
    spent = estimate_tokens(text)
    return Brief(project=home.key, lines=tuple(lines), total=total, tokens=spent, text=text, blocks=found, **counts)


def _fitting(pinned: Iterable[MemoryBlock], room: int) -> list[tuple[MemoryBlock, str]]:
    """The blocks that fit, as they are printed. The first that does not fit is cut, if a part of use fits."""
    shown: list[tuple[MemoryBlock, str]] = []
    for block in pinned:
        text = f"{_block_heading(block)}\n{escape_marks(block.text)}"
        left = room - sum(estimate_tokens(one + "\n") for _, one in shown)
        if estimate_tokens(text + "\n") <= left:
            shown.append((block, text))
            continue
        part = len(text)
        while part > MIN_PART and estimate_tokens(text[:part] + CUT) > left:
            part = part * 3 // 4
        if estimate_tokens(text[:part] + CUT) <= left:
            shown.append((block, text[:part].rstrip() + CUT))
        break
    return shown


def _block_heading(block: MemoryBlock) -> str:
    """The line above a pinned block. Its project is that of the brief, or none."""
    known = (part(f"block {block.name}"), part(block.actor or ""), format_time(block.changed_at)[:10])
    return f"[{' | '.join(filter(None, known))}]"


def _is_said(one: Candidate, chosen: Iterable[Candidate]) -> bool:
    return any(
        one.line.id == other.line.id
        or len(one.words & other.words) >= SAME_WORDS * max(MIN_WORDS, min(len(one.words), len(other.words)))
        for other in chosen
    )


def _cost(line: BriefLine, home: str | None) -> int:
    return estimate_tokens(_line(line, home) + "\n")


def _line(line: BriefLine, home: str | None) -> str:
    found = origin(source=line.source, actor=line.actor, project=line.project, home=home, limit=MAX_ORIGIN)
    known = " | ".join((line.id[:SHORT_ID], *filter(None, found)))
    return f"- {format_time(line.date)[:10]} {line.label}: {line.text} [{known}]"


def _text(
    home: Home,
    lines: Sequence[BriefLine],
    total: int,
    depth: QueueDepth,
    problem: str,
    pinned: Sequence[str] = (),
) -> str:
    """The fence, the pinned blocks, the line about what is missing, and the lines."""
    of = f"project {beginning(home.label, 60)}" if home.label else "no project"
    states = [f"{len(lines)} of {total} memories"]
    states += [f"{depth.pending:,} pending"] if depth.pending else []
    states += [f"{depth.in_progress:,} in progress"] if depth.in_progress else []
    states += [f"{depth.failed:,} failed, will be retried"] if depth.failed else []
    states += [f"{depth.dead:,} dead"] if depth.dead else []
    head = f"From earlier sessions, {of} ({'; '.join(states)}). One in full: get_memory or `jotsam show` with its [id]."
    wrong = [f"{beginning(problem, MAX_PROBLEM)}: `jotsam status` says what to do."] if problem else []
    return fenced((*pinned, head, *wrong, *(_line(line, home.key) for line in lines)))
