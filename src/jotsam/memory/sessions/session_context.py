"""What an agent gets from memory in a hook: a brief when its session starts, and what a prompt needs.

An agent waits for this. So it never migrates, has a deadline, embeds nothing, and imports only what it needs: not the
client. Where the database is absent, older or newer, there is nothing to give.
"""

from __future__ import annotations

import os

from jotsam.core.answers import Question
from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import DatabaseUnavailable, JotsamError, SchemaTooNew, SchemaTooOld
from jotsam.core.names import BRIEF_TOKENS, PROMPT_TOKENS, RULE
from jotsam.core.project_identity import nearest
from jotsam.ingest import spool
from jotsam.memory.sessions import session_state
from jotsam.storage import connect
from jotsam.storage.memories import projects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jotsam.core.settings import Settings
    from jotsam.storage.database import Database, Transaction

    # Reads in a snapshot: the text, and the ids of the memories in it.
    Read = Callable[[Transaction], tuple[str, Iterable[str]]]
    # Keeps what was read, with these ids.
    Note = Callable[[Database, str, Iterable[str]], None]

MAX_PROMPT = 20_000  # characters of a prompt that are searched for

# Files of a folder that tell an agent how to work: it reads them at the start of a session.
INSTRUCTIONS = (
    *("CLAUDE.md", ".claude/CLAUDE.md", "AGENTS.md", "GEMINI.md", ".cursorrules"),
    ".github/copilot-instructions.md",
)
OF_PERSON = "~/.claude/CLAUDE.md"

# Why a session starts, in the words of the agents. After "resume" it has the context that it had before, and after
# "fork" that of another session; after anything else ("startup", "clear", "compact") it has none.
RESUME, FORK = "resume", "fork"


def at_start(settings: Settings, *, session: str, reason: str | None, deadline: int, folder: str | None = None) -> str:
    """The brief for a session in a folder, or "". `deadline` is a time of `monotonic_ms`. Raises `JotsamError`."""
    if reason not in (RESUME, FORK):
        session_state.forget_context(session)
    if settings.recall == "off" or reason == FORK:
        return ""
    from jotsam.memory.sessions import project_session
    from jotsam.memory.status.queue_state import problem
    from jotsam.retrieval.brief import Reader, brief, given_id

    state = session_state.read_session_state(session)
    reader = Reader(ids=state.given, session=session if reason == RESUME else None, is_told=_told(folder))
    notes: list[str] = []

    def prepare(database: Database) -> None:
        notes.append(project_session.begin(database, settings, folder))

    def read(tx: Transaction) -> tuple[str, Iterable[str]]:
        spooled = len(spool.waiting(settings.db))
        found = brief(
            tx,
            project=projects.asked(tx, settings.project) or None,
            tokens=BRIEF_TOKENS,
            reader=reader,
            spooled=spooled,
            problem=problem(tx, settings, leased="://" not in settings.db, spooled=spooled),
        )
        given = [line.id for line in found.lines]
        return with_note(found.text, "".join(notes)), given + [given_id(block) for block in found.blocks]

    return _given(settings, session, read, deadline, prepare=prepare)


def _told(folder: str | None) -> Callable[[str], bool] | None:
    """Whether a rule is in a file that the agent reads anyway. None: there is no such file."""
    here = os.path.abspath(folder or os.getcwd())
    repository = os.path.dirname(nearest(here, ".git") or "")
    places = [os.path.join(where, name) for where in {here, repository or here} for name in INSTRUCTIONS]
    found = [path for path in (*places, os.path.expanduser(OF_PERSON)) if os.path.exists(path)]
    if not found:
        return None
    from jotsam.memory.sessions.told_rules import told_in

    return told_in(found)


def with_note(text: str, note: str) -> str:
    """A brief, which may be empty, with one line more."""
    if not note:
        return text
    from jotsam.core.fence import CLOSING, escape_marks, fenced

    note = escape_marks(" ".join(note.split()))
    head, sign, end = text.rpartition(CLOSING)
    return f"{head}{note}\n{sign}{end}" if sign else fenced([note])


def brief_later(*, session: str, reason: str | None) -> None:
    """Note that the next prompt of a session gets the brief."""
    if reason != RESUME:
        session_state.forget_context(session)
    session_state.mark_brief(session, is_due=True)


def at_first_prompt(settings: Settings, *, session: str, deadline: int, folder: str | None = None) -> str:
    """The brief that is due, or "". Raises `JotsamError`."""
    if not session_state.read_session_state(session).is_brief_due:
        return ""
    session_state.mark_brief(session, is_due=False)
    return at_start(settings, session=session, reason=RESUME, deadline=deadline, folder=folder)


def at_prompt(settings: Settings, *, session: str, prompt: str, deadline: int) -> str:
    """What a prompt needs, or "". Raises `JotsamError`."""
    if settings.recall != "on":
        return ""
    from jotsam.retrieval.question.trivial_prompt import asks_action, is_trivial

    if is_trivial(prompt):
        return _rules_about(settings, session, prompt, deadline) if asks_action(prompt) else ""
    from jotsam.ingest import late_index
    from jotsam.retrieval.noted import line_id
    from jotsam.retrieval.prompt import recall_for_prompt
    from jotsam.retrieval.rank.weights import chosen_weights

    state = session_state.read_session_state(session)
    question = Question(
        text=prompt[:MAX_PROMPT], tenant=settings.tenant, project=settings.project or None, tokens=PROMPT_TOKENS
    )

    def read(tx: Transaction) -> tuple[str, Iterable[str]]:
        late_index.load_waiting(tx)
        weights = chosen_weights(settings)
        asked = question.replace(project=projects.asked(tx, question.project))
        found = recall_for_prompt(tx, asked, skip=state.given, session=session, since=state.lost_at, weights=weights)
        given = [id for hit in found.hits for id in (hit.id, *(fact.memory for fact in hit.facts)) if id]
        return found.text, [*given, *map(line_id, found.lines)]

    return _given(settings, session, read, deadline, is_counted=True)


def _rules_about(settings: Settings, session: str, prompt: str, deadline: int) -> str:
    """The rules about what a prompt asks for, or "". It names no subject, so nothing else is looked for."""
    from jotsam.core.fence import fenced
    from jotsam.retrieval.brief_text import line_text
    from jotsam.retrieval.noted import LABELS, for_prompt, line_id

    state = session_state.read_session_state(session)
    asked = prompt.strip().lower().removeprefix("git ")  # With it, a prompt is taken for one that needs no notes.

    def read(tx: Transaction) -> tuple[str, Iterable[str]]:
        project = projects.asked(tx, settings.project or None)
        found = for_prompt(
            tx, asked, project=project, skip=state.given, session=session, since=state.lost_at, is_action=True
        )
        rules = [line for line in found.lines if line.label == LABELS[RULE]] if found else []
        text = fenced([line_text(line, project) for line in rules]) if rules else ""
        return text, [*map(line_id, rules)]

    return _given(settings, session, read, deadline, is_counted=True)


def context_lost(session: str) -> None:
    """Note that the context of a session is compacted: what it was given may be given again."""
    session_state.forget_context(session)


def _given(
    settings: Settings,
    session: str,
    read: Read,
    deadline: int,
    *,
    prepare: Callable[[Database], None] | None = None,
    is_counted: bool = False,
) -> str:
    def note(database: Database, text: str, ids: Iterable[str]) -> None:
        _note(database, settings, session, text=text, ids=[*ids], is_counted=is_counted)

    read_from = _on_server if "://" in settings.db else _read
    text, ids = read_from(settings, read, deadline, prepare=prepare, note=note)
    if text:
        session_state.add(session, ids)
    return text


def _read(
    settings: Settings, read: Read, deadline: int, *, prepare: Callable[[Database], None] | None, note: Note
) -> tuple[str, Iterable[str]]:
    if "://" not in settings.db and not os.path.exists(settings.db):
        return "", ()
    wait_ms = max(1, min(settings.hook_lock_timeout_ms, deadline - monotonic_ms()))
    try:
        database = connect(settings.db, wait_ms=wait_ms, migrate=False, deadline=deadline)
    except (SchemaTooOld, SchemaTooNew):
        return "", ()
    try:
        if prepare is not None:
            prepare(database)
        with database.snapshot(tenant=settings.tenant) as tx:
            text, ids = read(tx)
        if text:
            note(database, text, ids)
        return text, ids
    finally:
        database.close()


def _note(database: Database, settings: Settings, session: str, *, text: str, ids: list[str], is_counted: bool) -> None:
    """Keep what a session was given, and with a prompt count the memories as recalled.

    A database that cannot be written now loses that, not the answer.
    """
    is_kept = settings.session_log == "on"
    if not (is_kept or is_counted):
        return
    try:
        with database.transaction(tenant=settings.tenant, durable=False) as tx:
            if is_counted:
                from jotsam.storage.recall import recall_counts

                recall_counts.add(tx, dict.fromkeys(ids, 1), at=tx.now)
            if is_kept:
                from jotsam.storage.memories import given_texts

                kind = given_texts.PROMPT if is_counted else given_texts.START
                given_texts.add(tx, session, kind=kind, text=text, ids=ids)
    except JotsamError:
        pass


def _on_server(
    settings: Settings, read: Read, deadline: int, *, prepare: Callable[[Database], None] | None, note: Note
) -> tuple[str, Iterable[str]]:
    """The same in a thread that is left alone after the deadline: connecting cannot be interrupted."""
    import threading

    results: list[tuple[str, Iterable[str]]] = []
    errors: list[JotsamError | OSError] = []

    def run() -> None:
        try:
            results.append(_read(settings, read, deadline, prepare=prepare, note=note))
        except (JotsamError, OSError) as error:
            errors.append(error)

    reader = threading.Thread(target=run, daemon=True)
    reader.start()
    reader.join(max(0, deadline - monotonic_ms()) / 1000)
    if errors:
        raise errors[0]
    if not results:
        raise DatabaseUnavailable("the server did not answer before the deadline")
    return results[0]
