"""Repeated workflows over sessions, as proposals: a command, a script, a convention, or a skill. Pure."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2s

from jotsam.core.crystal_records import COMMAND, CONVENTION, SCRIPT, SKILL, Workflow, WorkflowQuote
from jotsam.core.records import Record
from jotsam.pipeline.lifecycle.session_commands import commands_in, instructions_in
from jotsam.pipeline.likeness.word_likeness import stemmed_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from jotsam.pipeline.lifecycle.session_commands import SaidCommand

MAX_STEPS = 8  # commands of a sequence
MAX_QUOTES, MAX_QUOTE = 5, 160  # of a proposal, and characters of each
SAME_INSTRUCTION = 0.6  # part of the words that two sentences share
COVERED_WORDS = 0.7  # part of the words of an instruction that a line of a file has
MIN_COMMAND_WORDS = 3  # of a command that is worth a name of its own

# Commands that look around: they are part of any work, and say nothing about it.
LOOKING = ("cd ", "ls", "cat ", "pwd", "echo ", "git status", "git diff", "git log", "git show", "git branch")


class SessionText(Record):
    """What one side said in a session."""

    session: str
    memory: str  # UUID
    at: int
    text: str
    by_user: bool  # a person, not an agent


def find_workflows(texts: Iterable[SessionText], *, min_sessions: int) -> list[Workflow]:
    """What was repeated in enough sessions, the most frequent first. `texts` of a session are in order."""
    said: dict[str, list[tuple[SaidCommand, SessionText]]] = {}
    told: list[tuple[str, SessionText]] = []
    for one in texts:
        commands = said.setdefault(one.session, [])
        for command in commands_in(one.text):
            is_new = not commands or commands[-1][0].form != command.form
            if is_new and not command.form.startswith(LOOKING):
                commands.append((command, one))
        if one.by_user:
            told += [(sentence, one) for sentence in instructions_in(one.text)]
    conventions = list(_conventions(told, min_sessions))
    workflows = [_with_convention(one, conventions, min_sessions) for one in _sequences(said, min_sessions)]
    used = {line for one in workflows if one.kind == SKILL for line in one.lines}
    found = [*workflows, *(one for one in conventions if one.lines[0] not in used)]
    return sorted(found, key=lambda one: (-len(one.sessions), -len(one.lines), one.id))


def covered(one: Workflow, files: Mapping[str, str]) -> Workflow:
    """The proposal with the file that says all of it already, if there is one."""
    for name, text in files.items():
        if all(_is_covered(line, text, is_command=one.kind != CONVENTION) for line in one.lines):
            return one.replace(covered_by=name)
    return one


def _is_covered(line: str, text: str, *, is_command: bool) -> bool:
    if is_command and line in " ".join(text.split()):
        return True
    words = set(stemmed_words(line))
    return any(
        len(words & set(stemmed_words(other))) >= COVERED_WORDS * len(words)
        for other in text.split("\n")
        if other.strip()
    )


def _sequences(said: Mapping[str, Sequence[tuple[SaidCommand, SessionText]]], least: int) -> Iterator[Workflow]:
    """Commands in the same order in enough sessions; the longest, without those that are part of another one."""
    seen: dict[tuple[str, ...], dict[str, int]] = {}
    for session, commands in said.items():
        forms = [command.form for command, _ in commands]
        for start in range(len(forms)):
            for end in range(start + 1, min(len(forms), start + MAX_STEPS) + 1):
                seen.setdefault(tuple(forms[start:end]), {}).setdefault(session, start)
    frequent = {steps: places for steps, places in seen.items() if len(places) >= least}
    kept: list[tuple[str, ...]] = []
    for steps in sorted(frequent, key=lambda one: (-len(one), -len(frequent[one]), one)):
        inside = [one for one in kept if _is_part(steps, one)]
        is_more = all(len(frequent[steps]) >= 2 * len(frequent[one]) for one in inside)
        is_worth = len(steps) > 1 or len(steps[0].split()) >= MIN_COMMAND_WORDS
        if is_worth and is_more:
            kept.append(steps)
            yield _sequence(steps, frequent[steps], said)


def _is_part(steps: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return any(other[start : start + len(steps)] == steps for start in range(len(other) - len(steps) + 1))


def _sequence(
    steps: tuple[str, ...],
    places: Mapping[str, int],
    said: Mapping[str, Sequence[tuple[SaidCommand, SessionText]]],
) -> Workflow:
    spelled: list[Counter[str]] = [Counter() for _ in steps]
    quotes = []
    for session, start in places.items():
        run = said[session][start : start + len(steps)]
        for number, (command, _) in enumerate(run):
            spelled[number][command.text] += 1
        first = run[0][1]
        quote = "; ".join(command.text for command, _ in run)[:MAX_QUOTE]
        quotes.append(WorkflowQuote(session=session, memory=first.memory, at=first.at, text=quote))
    # What differs between the sessions is left open.
    lines = tuple(next(iter(found)) if len(found) == 1 else form for form, found in zip(steps, spelled, strict=True))
    kind = COMMAND if len(steps) == 1 else SCRIPT
    return _workflow(kind, " && ".join(lines)[:80], lines, quotes)


def _conventions(told: Iterable[tuple[str, SessionText]], least: int) -> Iterator[Workflow]:
    """Instructions that a person repeated."""
    groups: list[tuple[frozenset[str], list[tuple[str, SessionText]]]] = []
    for sentence, one in told:
        words = frozenset(stemmed_words(sentence))
        for known, group in groups:
            if len(words & known) >= SAME_INSTRUCTION * len(words | known):
                group.append((sentence, one))
                break
        else:
            groups.append((words, [(sentence, one)]))
    for _, group in groups:
        quotes: dict[str, WorkflowQuote] = {}
        for sentence, one in group:
            quote = WorkflowQuote(session=one.session, memory=one.memory, at=one.at, text=sentence[:MAX_QUOTE])
            quotes.setdefault(one.session, quote)
        if len(quotes) >= least:
            latest = max(group, key=lambda one: one[1].at)[0]
            yield _workflow(CONVENTION, latest[:80], (latest,), [*quotes.values()])


def _with_convention(one: Workflow, conventions: Iterable[Workflow], least: int) -> Workflow:
    """A sequence of commands as a skill, if a person told something about one of them in the same sessions."""
    if one.kind != SCRIPT:
        return one
    for other in conventions:
        is_about = any(
            program in other.lines[0] for line in one.lines for program in (line, " ".join(line.split()[:2]))
        )
        if is_about and len({*one.sessions} & {*other.sessions}) >= least:
            return _workflow(SKILL, one.title, (*one.lines, *other.lines), [*one.quotes, *other.quotes])
    return one


def _workflow(kind: str, title: str, lines: tuple[str, ...], quotes: Sequence[WorkflowQuote]) -> Workflow:
    ordered = sorted(quotes, key=lambda one: (one.at, one.session))
    return Workflow(
        id=blake2s("\n".join((kind, *lines)).encode(), digest_size=4).hexdigest(),
        kind=kind,
        title=title,
        lines=lines,
        sessions=tuple(dict.fromkeys(one.session for one in ordered)),
        quotes=tuple(ordered[:MAX_QUOTES]),
        first_at=ordered[0].at,
        last_at=ordered[-1].at,
    )
