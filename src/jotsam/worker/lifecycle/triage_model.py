"""The judgement of a language model about what lasts of memories, in batches, within the daily budget.

A verdict is cached by the text of its memory, so that a part that is repeated is not paid twice, and what is forgotten
leaves no verdict. Where the model cannot answer now there is no verdict: the rules decide.
"""

from __future__ import annotations

import json
from hashlib import blake2s

from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import JobError, Refused
from jotsam.core.records import Record
from jotsam.pipeline.llm import triage_prompt
from jotsam.pipeline.llm.triage_prompt import Verdict, read_verdicts, triage_messages
from jotsam.storage.costs import ledger
from jotsam.worker.lifecycle.ask_model import Form, ask, redacted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jotsam.core.settings import Settings
    from jotsam.models.chat import ChatReply
    from jotsam.storage.database import Transaction
    from jotsam.worker.lifecycle.step import StepContext

BATCH = 20  # notes of a request
ASKED_MS = 100_000  # for which a part asks, so that it ends within its lease
FORM = Form(purpose="triage", schema=triage_prompt.SCHEMA, max_output_tokens=triage_prompt.MAX_OUTPUT_TOKENS)
PREFIX = "llm:"


class _Note(Record):
    """A text to judge, and the first memory that has it."""

    key: str
    text: str
    memory: int


class TriageModel:
    """The model that the settings name."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.name = f"{PREFIX}{settings.model_name}"
        self._extractor = f"triage/{triage_prompt.VERSION}:{self.name}"

    def verdicts(self, context: StepContext, asked: Mapping[int, str]) -> dict[int, Verdict]:
        """By memory: its verdict, if there is one. `asked` has the texts of the memories."""
        notes = {number: self._note(number, text) for number, text in asked.items()}
        once = {note.key: note for note in reversed(notes.values())}
        found = self._cached(context, [*once.values()])
        left = [note for note in once.values() if note.key not in found]
        left.sort(key=lambda note: note.memory)
        began = monotonic_ms()
        for begin in range(0, len(left), BATCH):
            if monotonic_ms() - began > ASKED_MS:
                break
            try:
                found |= self._asked(context, left[begin : begin + BATCH])
            except Refused:
                continue  # The texts may be the cause.
            except JobError:
                break  # The server is down, or the cap is reached.
        plain = {key: _without_secrets(context, verdict) for key, verdict in found.items()}
        return {number: plain[note.key] for number, note in notes.items() if note.key in plain}

    def _asked(self, context: StepContext, notes: Sequence[_Note]) -> dict[str, Verdict]:
        """The verdicts of one request. Its cost and they are saved in one commit."""
        texts = [note.text for note in notes]

        def read(reply: ChatReply) -> dict[int, Verdict]:
            return {} if reply.refusal else read_verdicts(reply.text, texts)

        def keep(tx: Transaction, reply: ChatReply) -> None:
            for place, verdict in read(reply).items():
                note, body = notes[place], json.dumps(verdict.as_dict(), ensure_ascii=False)
                ledger.save_reply(tx, key=note.key, body=body, extractor=self._extractor, memory=note.memory)

        reply = ask(context, self._settings, triage_messages(texts), form=FORM, keep=keep)
        return {notes[place].key: verdict for place, verdict in read(reply).items()}

    def _cached(self, context: StepContext, notes: Sequence[_Note]) -> dict[str, Verdict]:
        found, stale = {}, []
        with context.database.snapshot(tenant=context.tenant) as tx:
            for note in notes:
                cached = ledger.cached_reply(tx, key=note.key)
                if cached is not None:
                    found[note.key] = Verdict(**json.loads(cached[0]))
                    stale += [note.key] if cached[1] else []
        if stale:
            with context.database.transaction(tenant=context.tenant, durable=False) as tx:
                for key in stale:
                    ledger.touch_reply(tx, key=key)
        return found

    def _note(self, memory: int, text: str) -> _Note:
        key = blake2s("\0".join((self._extractor, text)).encode("utf-8", "surrogatepass")).hexdigest()
        return _Note(key=key, text=text, memory=memory)


def open_triage_model(settings: Settings) -> TriageModel | None:
    """The model of the settings, if there is one."""
    return TriageModel(settings) if settings.has_model and settings.model_name else None


def _without_secrets(context: StepContext, verdict: Verdict) -> Verdict:
    return verdict.replace(title=redacted(context, verdict.title) or "") if verdict.title else verdict
