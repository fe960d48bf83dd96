"""How the lines of a brief are packed into its tokens, and its text. It chooses nothing."""

from __future__ import annotations

from collections import Counter

from jotsam.core.answers import Brief
from jotsam.core.clock import format_time
from jotsam.core.fence import beginning, escape_marks, fenced, origin, part
from jotsam.core.names import DECISION, DONE, FIX, MODEL_SURE, OPEN, RULE
from jotsam.core.records import Record
from jotsam.pipeline.text.words import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jotsam.core.answers import BriefLine
    from jotsam.core.job_records import QueueDepth
    from jotsam.core.records import MemoryBlock

SHORT_ID = 8  # characters of an id that other commands take
HEADING_COST = 4  # tokens
RULES_PART, OPEN_PART = 0.5, 0.2  # of the room: the most for rules, and what decisions leave to what comes after them
MAX_ORIGIN = 40  # characters of a part of an origin
MAX_PROBLEM = 160
MIN_WORDS = 4  # of a line that may say the same as another
SAME_WORDS = 0.8  # of the words of the shorter line in another: it adds nothing
MIN_PART = 40  # characters of a block that is cut
CUT = " ... (cut: `jotsam brief blocks get` prints all of it)\n"
LARGEST = 9_000  # characters: Claude Code replaces more than 10,000 by the name of a file

SURE_DECISION = 0.5  # a decision that is less sure is not shown in a brief
SAID_SURE = 0.8  # a choice of what was proposed is surer
CHOSEN = "it was chosen of what was proposed, and nothing replaced it since"
SAID = "it was said, and nothing replaced it since"
REPORTED = "the agent reported it, and nothing replaced it since"
READ = "a language model found it in the session, with words of this turn"
STORED = "it was stored by itself, or was the last that was said"
WHY = {
    RULE: "the user demanded it for good",
    OPEN: "it was left open, and nothing says that it was done",
    FIX: "it is what helped against this problem",
    DONE: "it was the last that was done",
}


class Home(Record):
    """The project of a brief; all None if it is of no project."""

    key: str | None
    label: str | None


class Candidate(Record):
    """A line that the brief may have, and how much it is worth."""

    line: BriefLine
    worth: float
    words: frozenset[str]


class Head(Record):
    """What the first line says: whose brief it is, what is pending, and what is wrong."""

    home: Home
    depth: QueueDepth
    problem: str
    year: str


def packed(head: Head, sections: Sequence[Sequence[Candidate]], *, tokens: int, pinned: Sequence[MemoryBlock]) -> Brief:
    """The blocks and lines that fit. Rules come first and take a part of the room; decisions leave a part of it."""
    total = len({one.line.id for section in sections for one in section})
    usual = _usual(one.line for section in sections for one in section)
    room = tokens - estimate_tokens(_text(head, [], total, usual))
    room = min(room, LARGEST // 4)
    shown = _fitting(pinned, room)
    room -= sum(estimate_tokens(text + "\n") for _, text in shown)
    chosen: list[Candidate] = []
    used = 0
    costs = [sum(_cost(one.line, usual, head) for one in section) for section in sections]
    later = min(costs[2], int(room * OPEN_PART))
    limits = (min(room - min(sum(costs[1:]), int(room * (1 - RULES_PART))), room), room - later, room, room)
    # What is left by the later sections is given to the first ones again.
    for section, limit in (*zip(sections, limits, strict=True), *((section, room) for section in sections)):
        for one in section:
            cost = _cost(one.line, usual, head)
            cost += 0 if one.line.heading in {other.line.heading for other in chosen} else HEADING_COST
            if used + cost <= limit and one.line.text and not _is_said(one, chosen):
                chosen.append(one)
                used += cost
    order = {id(one): number for number, one in enumerate(one for section in sections for one in section)}
    chosen.sort(key=lambda one: order[id(one)])
    lines = [one.line for one in chosen]
    text = _text(head, lines, total, usual, [text for _, text in shown]) if lines or shown else ""
    counts = {name: getattr(head.depth, name) for name in ("pending", "in_progress", "failed", "dead")}
    found = tuple(block for block, _ in shown)
    spent = estimate_tokens(text)
    return Brief(
        project=head.home.key, lines=tuple(lines), total=total, tokens=spent, text=text, blocks=found, **counts
    )


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
    return any(_says_same(one, other) for other in chosen)


def _says_same(one: Candidate, other: Candidate) -> bool:
    is_of_one_memory = one.line.id == other.line.id
    if is_of_one_memory and one.line.note in (None, other.line.note):
        return True
    fewest = min(len(one.words), len(other.words))
    # Two notes of a memory, a rule and a decision, may be one sentence of two words.
    return len(one.words & other.words) >= SAME_WORDS * (fewest if is_of_one_memory else max(MIN_WORDS, fewest))


def _cost(line: BriefLine, usual: Sequence[str], head: Head) -> int:
    return estimate_tokens(_grouped_line(line, usual, head) + "\n")


def _grouped_line(line: BriefLine, usual: Sequence[str], head: Head) -> str:
    more = line.label.partition(", ")[2]
    # That a rule holds everywhere is in its heading; where it was said is in the memory.
    home = line.project if line.label.startswith("rule everywhere") else head.home.key
    known = _known(line, home, usual, year=head.year)
    return f"- {line.text}{f' ({more})' if more else ''} [{known}]"


def line_text(line: BriefLine, home: str | None) -> str:
    """A line by itself, with what it is and all that tells where it is from."""
    return f"- {line.label}: {line.text} [{_known(line, home, (), year='')}]"


def _known(line: BriefLine, home: str | None, usual: Sequence[str], *, year: str) -> str:
    """Date, id and origin of a line, without the year that is `year` and what is usual."""
    found = origin(source=line.source, actor=line.actor, project=line.project, home=home, limit=MAX_ORIGIN)
    said = " | ".join(one for one in found if one and one not in usual)
    date = format_time(line.date)[:10].removeprefix(f"{year}-")
    return f"{date} {line.id[:SHORT_ID]}{' | ' if said else ''}{said}"


def _usual(lines: Iterable[BriefLine]) -> tuple[str, ...]:
    """The source and actor of most lines: the first line of the text has them, instead of each; a user is not named."""
    found = [
        origin(source=line.source, actor=line.actor, project=None, home=None, limit=MAX_ORIGIN)[:2] for line in lines
    ]
    most = Counter(one for one in found if all(one)).most_common(1)
    return most[0][0] if most and most[0][1] > 1 else ()


def _text(head: Head, lines: Sequence[BriefLine], total: int, usual: Sequence[str], pinned: Sequence[str] = ()) -> str:
    """The fence, the pinned blocks, the line about what is missing, and the lines in groups."""
    home, depth = head.home, head.depth
    of = f"project {beginning(home.label, 60)}" if home.label else "no project"
    states = [f"{len({line.id for line in lines})} of {total} memories"]
    states += [f"{depth.pending:,} pending"] if depth.pending else []
    states += [f"{depth.in_progress:,} in progress"] if depth.in_progress else []
    states += [f"{depth.failed:,} failed, will be retried"] if depth.failed else []
    states += [f"{depth.dead:,} dead"] if depth.dead else []
    source, actor = usual or ("", "")
    by = f", by {actor}" if actor not in ("", "user") else ""
    where = f" of {source}{by}" if source else ""
    first = f"From earlier sessions{where}, {of} ({'; '.join(states)}). In full: `jotsam show ID`."
    wrong = [f"{beginning(head.problem, MAX_PROBLEM)}: `jotsam status` says what to do."] if head.problem else []
    groups: dict[str, list[str]] = {}
    for line in lines:
        groups.setdefault(line.heading, []).append(_grouped_line(line, usual, head))
    grouped = [text for name, texts in groups.items() for text in (f"{name}:", *texts)]
    return fenced((*pinned, first, *wrong, *grouped))


def why_of(kind: str, sure: float) -> str:
    """Why a note is one, in words for a person."""
    if sure == 1:
        return "it was stored as such"
    if sure == MODEL_SURE:
        return READ
    if kind == DECISION:
        return CHOSEN if sure > SAID_SURE else SAID if sure >= SURE_DECISION else REPORTED
    return WHY.get(kind, "")
