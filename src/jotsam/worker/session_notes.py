"""The job `session-notes`: asks the language model once for the notes of a whole session that has ended.

A worker looks for sessions to which nothing was added for a while. The notes, the cost of the request and the mark that
it was made are committed together, so a worker that is killed leaves all of them or none. The mark is a kept reply
without any text of the session: it goes with the last turn, and another turn makes another session to ask about.
"""

from __future__ import annotations

import json
import logging
from hashlib import blake2s

from jotsam.core.errors import Malformed, ProviderUnavailable, Refused, RetryJob, TooLong
from jotsam.core.job_records import JobSpec
from jotsam.core.names import CLOSED, DECISION, FIX, LIFECYCLE, OPEN, REPLACED, RULE, SESSION_NOTES
from jotsam.core.records import Record
from jotsam.pipeline.llm import notes_prompt
from jotsam.pipeline.llm.notes_prompt import read_session_reply, session_messages
from jotsam.pipeline.notes.resolve import SAME, dead_names
from jotsam.storage import queue
from jotsam.storage.costs import ledger
from jotsam.storage.memories import memories, notes
from jotsam.worker.enrichment.notes import relate, turns_of
from jotsam.worker.lifecycle.ask_model import Form, ask
from jotsam.worker.lifecycle.step import StepContext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jotsam.core.job_records import Job
    from jotsam.core.note_records import FoundNote, Turn
    from jotsam.core.settings import Settings
    from jotsam.models.chat import ChatReply
    from jotsam.models.request_limit import RequestLimit
    from jotsam.pipeline.llm.notes_prompt import SessionReply
    from jotsam.queueing.loop import Handler
    from jotsam.storage.database import Database, Row, Transaction
    from jotsam.storage.memories.notes import Kept

log = logging.getLogger("jotsam.worker")

MINUTE_MS, DAY_MS = 60_000, 86_400_000
# Sessions that ended before are not asked about: a whole history would spend the budget of weeks.
OLDEST_MS = 7 * DAY_MS
SESSIONS = 20  # of a tenant that are sent at a time
MAX_MEMORIES = 400  # of a session
MAX_EARLIER = 30  # notes of other sessions that a request shows
MOST_TOKENS, FEWEST_TOKENS = 24_000, 3_000  # of turns that are sent: fewer if the model takes no more
LEASE_MS = 300_000
ATTEMPTS = 5
AWAY_MS = 600_000  # until a server that is away is asked again
ASKED = f"notes/{notes_prompt.VERSION}"  # the extractor of the marks
FORM = Form(purpose="notes", schema=notes_prompt.SCHEMA, max_output_tokens=notes_prompt.MAX_OUTPUT_TOKENS)


class _Session(Record):
    """The turns of a session in one project, and the notes that the model is shown."""

    last: Row  # the memory of its last turn
    project: str | None
    turns: tuple[Turn, ...]
    known: tuple[Kept, ...]

    def key(self) -> str:
        """What identifies its content, whatever model reads it."""
        parts = (ASKED, *(f"{turn.ref} {turn.by_user} {turn.text}" for turn in self.turns))
        return blake2s("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()

    def found(self) -> list[FoundNote]:
        return [one.note for one in self.known]


def is_on(settings: Settings) -> bool:
    """Whether a model is asked about sessions."""
    return bool(settings.session_notes_after_minutes and settings.has_model and settings.model_name)


def send_due(database: Database, settings: Settings, tenants: Iterable[str]) -> None:
    """Send a job for each session of these tenants that has ended, and about which no model was asked."""
    for tenant in tenants:
        with database.snapshot(tenant=tenant) as tx:
            before = tx.now - settings.session_notes_after_minutes * MINUTE_MS
            since = tx.now - OLDEST_MS
            found = notes.sessions_to_ask(tx, since=since, before=before, asked=ASKED, limit=SESSIONS)
        if found:
            with database.transaction(tenant=tenant, durable=False) as tx:
                for memory in found:
                    queue.send(tx, job_spec(tenant, memory), key_life_ms=OLDEST_MS)


def job_spec(tenant: str, memory: str) -> JobSpec:
    """The job for the session whose last turn is the memory with this id. A tenant has one at a time at work."""
    return JobSpec(
        queue=LIFECYCLE,
        kind=SESSION_NOTES,
        payload=json.dumps(memory),
        tenant=tenant,
        key=f"{ASKED} {memory}",
        lease_ms=LEASE_MS,
        max_receive=ATTEMPTS,
        lane=SESSION_NOTES,
        parallel=False,
    )


def handler(database: Database, settings: Settings, *, limit: RequestLimit | None = None) -> Handler:
    """A handler of `session-notes` jobs. `limit` is that of requests to the model."""

    def work(job: Job) -> Callable[[Transaction], None] | None:
        if not is_on(settings):
            return None
        with database.snapshot(tenant=job.tenant) as tx:
            session = _read(tx, str(job.payload).strip('"'))
            if session is None or ledger.cached_reply(tx, key=session.key()) is not None:
                return None
        if not session.turns:
            return lambda tx: _mark(tx, session, saved=0, refused=0)
        context = StepContext(
            database=database,
            tenant=job.tenant,
            run="",
            options={},
            pairs=lambda: (),
            job_id=job.id,
            limit=limit,
        )
        try:
            _ask(context, settings, session)
        except ProviderUnavailable as error:  # It must not pause the queue: the other steps need no model.
            raise RetryJob(str(error), after_ms=AWAY_MS, spend=False) from error
        return None

    return work


def _read(tx: Transaction, uuid: str) -> _Session | None:
    """The session whose last turn is a memory; None if that was forgotten."""
    last = memories.get(tx, uuid=uuid)
    if last is None or last["session"] is None:
        return None
    rows = notes.around(tx, last, limit=MAX_MEMORIES)
    turns = turns_of(row for row in rows if row["project"] == last["project"])
    refs = {turn.ref for turn in turns}
    kinds = (RULE, DECISION, OPEN, FIX)
    every = notes.of_project(tx, last["project"], kinds=kinds)
    own = [one for one in every if one.memory in refs]
    others = [one for one in every if one.memory not in refs and one.note.kind != FIX and notes.holds(one)]
    known = (*own, *others[:MAX_EARLIER])
    return _Session(last=last, project=last["project"], turns=tuple(turns), known=known)


def _ask(context: StepContext, settings: Settings, session: _Session, *, limit: int = MOST_TOKENS) -> None:
    """Ask about a session; the notes are saved with the cost of the request. Raises `JobError`."""

    def keep(tx: Transaction, reply: ChatReply) -> None:
        now = _read(tx, session.last["uuid"])
        if now is None or now.key() != session.key():
            return  # A turn was added, changed or forgotten in the meantime.
        try:
            found = read_session_reply(reply.require_text(), session.turns, session.found())
        except (Malformed, Refused) as error:
            # Not asked again: at temperature 0 it would say the same, and be paid for again.
            log.warning("the notes of a session could not be read: %s", type(error).__name__)
            _mark(tx, session, saved=0, refused=1)
        else:
            _save(tx, session, found)

    try:
        ask(context, settings, session_messages(session.turns, session.found(), limit=limit), form=FORM, keep=keep)
    except TooLong:
        if limit < 2 * FEWEST_TOKENS:
            raise
        _ask(context, settings, session, limit=limit // 2)


def _save(tx: Transaction, session: _Session, found: SessionReply) -> None:
    """Save the notes of a reply, and what it says of known ones, unless a person judged those."""
    notes.lock(tx)
    saved = 0
    for item in found.items:
        same = [one for one in notes.of_memory(tx, item.note.ref) if _is_same(one.note, item.note)]
        if any(one.verdict or one.ended_how or one.place >= notes.BY_MODEL for one in same):
            continue
        added = notes.add(tx, item.note, before=item.before, project=session.project)
        saved += 1
        for one in same:  # The rules found it too, in other words.
            notes.end(tx, one, by=added, how=REPLACED)
        relate(tx, [added], session.project)
        ended = None if item.ends is None else _now(tx, session.known[item.ends])
        if ended is not None and ended.ended_how is None:
            gone = dead_names(item.note, ended.note) if item.replaces else ()
            notes.end(tx, ended, by=added, how=REPLACED if item.replaces else CLOSED, names=gone)
    for place in found.denied:
        denied = _now(tx, session.known[place])
        if denied is not None and denied.place < notes.BY_MODEL and denied.note.sure < 1:
            notes.deny(tx, denied)
    for why in found.refused:
        log.info("notes of a session: refused %s", why)
    _mark(tx, session, saved=saved, refused=len(found.refused))


def _now(tx: Transaction, known: Kept) -> Kept | None:
    """A known note as it is now; None if it is gone, or a person judged it."""
    same = (one for one in notes.of_memory(tx, known.memory) if one.note.text == known.note.text)
    return next((one for one in same if one.note.kind == known.note.kind and one.verdict is None), None)


def _is_same(one: FoundNote, other: FoundNote) -> bool:
    """Whether two notes of one turn say the same."""
    fewest = min(len(one.names), len(other.names))
    return one.kind == other.kind and len(one.names & other.names) >= SAME * fewest


def _mark(tx: Transaction, session: _Session, *, saved: int, refused: int) -> None:
    """Remember that a model was asked about a session, with how many notes were saved, and how many items refused."""
    body = json.dumps({"saved": saved, "refused": refused})
    ledger.save_reply(tx, key=session.key(), body=body, extractor=ASKED, memory=session.last["id"])
