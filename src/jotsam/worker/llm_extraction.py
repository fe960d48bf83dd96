"""Reads a memory with a language model, and pays for nothing twice.

What a request may cost is reserved before it is made. Its answer and its cost are saved in a commit of their own, which
survives a power cut, before anything is made of them: whoever dies then finds the answer when the job comes again.
A fault that may be the text's own is tried again as often as any job is, and then the rules must do: the memory is
marked `degraded`, with the reason, and a later `jotsam reprocess --degraded` reads it again. A fault that cannot be the
text's (no connection, a wrong key, no quota, the cap of the day) spends no attempt.

One deadline holds for all that is asked in one delivery of a job, and it ends before the job's lease does. What could
not be asked until then, of a text in parts, is asked in the next.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from hashlib import blake2s

from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import CapReached, CutOff, InvalidInput, Malformed, Refused, RetryJob, TooLong
from jotsam.core.records import Record
from jotsam.models.chat import MAX_REPLY_BYTES, Chat
from jotsam.models.openai_endpoint import Endpoint
from jotsam.pipeline.chunk import chunk
from jotsam.pipeline.dates.iso import format_day
from jotsam.pipeline.llm import extraction as reading
from jotsam.pipeline.llm.extraction import Context, Reading
from jotsam.pipeline.text.words import estimate_tokens
from jotsam.storage import ledger
from jotsam.storage.budget import PER_MILLION, Order, Till

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jotsam.core.job_records import Job
    from jotsam.core.settings import Settings
    from jotsam.models.chat import ChatReply, Message
    from jotsam.storage.database import Database, Row, Transaction

PURPOSE = "reading"
MOST_TOKENS = 6_000
"""A longer text is read in parts: few models keep their attention on more."""

FEWEST_TOKENS = 100
"""What is shorter is not split any further."""

ASKED_ELSEWHERE_MS = 2_000
"""Whoever finds that another worker asks the same looks again after this time."""

SCHEMA_TOKENS = estimate_tokens(str(reading.SCHEMA))


class Prices(Record):
    """Of a million tokens, in whatever currency."""

    tokens_in: float = 0.0
    tokens_out: float = 0.0
    tokens_cached: float = 0.0  # 0: they cost what the others do

    def cost(self, *, tokens_in: int, tokens_cached: int, tokens_out: int) -> float:
        cached = self.tokens_cached or self.tokens_in
        whole = (tokens_in - tokens_cached) * self.tokens_in + tokens_cached * cached + tokens_out * self.tokens_out
        return whole / PER_MILLION


class Outcome(Record):
    """What came of reading a memory. Without a reading, `degraded` says why the rules alone must do."""

    reading: Reading | None
    degraded: str | None = None


class _Turn(Record):
    """One delivery of a job: until when it may ask, on the monotonic clock, and what it has heard so far."""

    job: Job
    until: int
    fair: int  # milliseconds that a further request needs to have a chance
    answers: list[str]

    def left(self) -> int:
        """Milliseconds that it may still take. Raises `RetryJob` where that is too little: the next delivery goes on.

        What would be cut off could be charged for all the same, so a further part is not even begun then.
        """
        left = self.until - monotonic_ms()
        if left > (self.fair if self.answers else 0):
            return left
        got = len(self.answers)
        raise RetryJob(f"its time is over after {got} of its parts; the next delivery goes on", after_ms=0, spend=False)


class CostEstimate(Record):
    """What reading some memories would take."""

    calls: int = 0
    kept: int = 0  # answers that are there already, and cost nothing
    tokens: int = 0
    cost: float = 0.0


class Reader:
    """Reads with one model, within the cap of a day. Safe to use from many threads."""

    def __init__(self, database: Database, chat: Chat, *, prices: Prices, till: Till) -> None:
        self._database = database
        self._chat = chat
        self._prices = prices
        self._till = till
        self._lock = threading.Lock()
        self._asking: dict[str, tuple[threading.Lock, int]] = {}
        self.extractor = reading.extractor(chat.model)

    def read(self, job: Job, row: Row) -> Outcome:
        """What the model reads in a memory. Raises what decides about the job: later, or not at all now."""
        whole = self._chat.endpoint.timeout_ms
        turn = _Turn(job=job, until=monotonic_ms() + whole, fair=whole // 2, answers=[])
        try:
            return Outcome(reading=self._read(turn, row["body"], context_of(row), MOST_TOKENS))
        except CapReached:
            raise
        except Refused as error:
            return Outcome(reading=None, degraded=f"{type(error).__name__}: {error}")
        except RetryJob as error:
            is_again = isinstance(error, Malformed) and was_malformed(job)
            if error.spend and (is_again or job.failures + 1 >= job.max_receive):
                return Outcome(reading=None, degraded=f"{type(error).__name__}: {error}")
            raise

    def cost(self, rows: Sequence[Row], *, tenant: str) -> CostEstimate:
        """What reading these memories would take, about; answers that are kept cost nothing."""
        calls = kept = tokens = 0
        cost = 0.0
        with self._database.snapshot(tenant=tenant) as tx:
            for row in rows:
                context = context_of(row)
                for text in _parts(row["body"], MOST_TOKENS):
                    asked = reading.messages(text, context)
                    if ledger.reading(tx, key=self._key(asked)) is not None:
                        kept += 1
                        continue
                    usual = self._estimate(asked, most_out=max(200, estimate_tokens(text) // 2))
                    calls, tokens = calls + 1, tokens + usual.tokens_in + usual.tokens_out
                    cost += usual.cost
        return CostEstimate(calls=calls, kept=kept, tokens=tokens, cost=cost)

    def close(self) -> None:
        self._chat.close()

    def _read(self, turn: _Turn, text: str, context: Context, limit: int) -> Reading:
        """The reading of a text; of one that is too long for the model, that of its parts together."""
        parts = _parts(text, limit)
        if len(parts) > 1:
            return joined([self._read(turn, part, context, limit) for part in parts])
        asked = reading.messages(text, context)
        try:
            with self._alone(turn, self._key(asked)):
                kept = self._kept(turn.job.tenant, asked, text, context)
                return kept or self._ask(turn, asked, text, context)
        except (TooLong, CutOff):
            shorter = min(limit, estimate_tokens(text)) // 2
            if shorter < FEWEST_TOKENS or len(_parts(text, shorter)) < 2:
                raise
            return self._read(turn, text, context, shorter)

    @contextmanager
    def _alone(self, turn: _Turn, key: str) -> Iterator[None]:
        """Whoever asks the same meanwhile waits, and then finds the answer: two copies of a text are paid for once."""
        question = turn.job.tenant + key
        with self._lock:
            lock, askers = self._asking.get(question, (threading.Lock(), 0))
            self._asking[question] = lock, askers + 1
        try:
            while not lock.acquire(timeout=turn.left() / 1000):
                pass  # Until there is no time left, which raises.
            try:
                yield
            finally:
                lock.release()
        finally:
            with self._lock:
                lock, askers = self._asking.pop(question)
                if askers > 1:
                    self._asking[question] = lock, askers - 1

    @contextmanager
    def _claimed(self, turn: _Turn, key: str) -> Iterator[None]:
        """The same between workers: one at a time asks, and the others look again in a while."""
        job = turn.job
        asker, left = f"job {job.id}", turn.left()
        with self._database.transaction(durable=False, tenant=job.tenant) as tx:
            mine = ledger.begin_reading(tx, key=key, asker=asker, until=tx.now + left)
        if not mine:
            raise RetryJob("another worker asks the same", after_ms=ASKED_ELSEWHERE_MS, spend=False)
        try:
            yield
        except BaseException:
            with self._database.transaction(durable=False, tenant=job.tenant) as tx:
                ledger.end_reading(tx, key=key)
            raise

    def _ask(self, turn: _Turn, asked: list[Message], text: str, context: Context) -> Reading:
        """One request, its cost and its answer written down. Raises `CutOff` for an answer without an end."""
        with self._claimed(turn, self._key(asked)):
            return self._paid(turn, asked, text, context)

    def _paid(self, turn: _Turn, asked: list[Message], text: str, context: Context) -> Reading:
        job = turn.job
        order = Order(tenant=job.tenant, job_id=job.id, model=self._chat.model, purpose=PURPOSE)
        estimate = self._estimate(asked, most_out=self._chat.max_output_tokens)
        with self._till.request(order, estimate=estimate) as entry:
            said = self._chat.complete(_again(asked, job), deadline=turn.until)
        turn.answers.append(said.finish)
        try:
            found = reading.read(said.text, text=text, context=context)
        except Malformed as error:
            self._settle(order, entry, said)
            if said.is_cut_off:
                raise CutOff(f"the model's answer was cut off after {said.tokens_out} tokens") from error
            raise
        self._settle(order, entry, said, key=self._key(asked))
        return found

    def _settle(self, order: Order, entry: int, said: ChatReply, *, key: str | None = None) -> None:
        """The cost, and the answer if it can be read, in one commit."""
        counted = {"tokens_in": said.tokens_in, "tokens_cached": said.tokens_cached, "tokens_out": said.tokens_out}
        spent = ledger.Spent(**counted, cost=self._prices.cost(**counted))

        def keep(tx: Transaction) -> None:
            if key is not None:
                ledger.keep_reading(tx, key=key, body=said.text, extractor=self.extractor)

        self._till.settle(order, entry, spent=spent, with_it=keep)

    def _kept(self, tenant: str, asked: list[Message], text: str, context: Context) -> Reading | None:
        """What was answered before; an answer that cannot be read by now is dropped, and asked for again."""
        key = self._key(asked)
        with self._database.snapshot(tenant=tenant) as tx:
            kept = ledger.reading(tx, key=key)
        if kept is None:
            return None
        body, is_stale = kept
        if is_stale:
            with self._database.transaction(durable=False, tenant=tenant) as tx:
                ledger.use_reading(tx, key=key)
        try:
            return reading.read(body, text=text, context=context)
        except Malformed:
            with self._database.transaction(durable=False, tenant=tenant) as tx:
                ledger.drop_reading(tx, key=key)
            return None

    def _estimate(self, asked: list[Message], *, most_out: int) -> ledger.Spent:
        tokens_in = SCHEMA_TOKENS + sum(estimate_tokens(message["content"]) for message in asked)
        cost = self._prices.cost(tokens_in=tokens_in, tokens_cached=0, tokens_out=most_out)
        return ledger.Spent(tokens_in=tokens_in, tokens_out=most_out, cost=cost)

    def _key(self, asked: list[Message]) -> str:
        """A hash of all that decides about the answer: the model, prompt and schema, and what is asked."""
        whole = "\0".join((self.extractor, *(message["content"] for message in asked)))
        return blake2s(whole.encode("utf-8", "surrogatepass")).hexdigest()


def reader(database: Database, settings: Settings) -> Reader | None:
    """The reader that the settings ask for; None while no model is configured. Raises `InvalidInput`."""
    if not settings.llm_url:
        return None
    if not settings.llm_model:
        raise InvalidInput("llm_url is set and llm_model is not: say which model shall read (JOTSAM_LLM_MODEL)")
    endpoint = Endpoint(
        settings.llm_url, key=settings.llm_api_key, timeout_ms=settings.llm_timeout_ms, max_body_bytes=MAX_REPLY_BYTES
    )
    chat = Chat(endpoint, model=settings.llm_model, schema=reading.SCHEMA, name=reading.NAME)
    prices = Prices(
        tokens_in=settings.llm_price_in, tokens_out=settings.llm_price_out, tokens_cached=settings.llm_price_cached
    )
    return Reader(database, chat, prices=prices, till=Till(database, cap=ledger.cap_of(settings)))


def context_of(row: Row) -> Context:
    """What is known around the text of a memory."""
    date = row["said_at"] if row["said_at"] is not None else None
    return Context(
        source=row["source"] or "",
        section=row["section"] or "",
        date="" if date is None else format_day(date),
        actor=row["actor"] or "",
    )


def was_malformed(job: Job) -> bool:
    """Whether the last try of a job ended with an answer that could not be read."""
    return (job.error or "").startswith((Malformed.__name__, CutOff.__name__))


def joined(readings: Sequence[Reading]) -> Reading:
    """The readings of the parts of a text as one; its summary and type are those of the first part."""
    first = readings[0]
    entities = {(one.category, one.slug): (one, share) for part in readings for one, share in part.entities}
    facts = {(fact.subject, fact.predicate, fact.object): fact for part in readings for fact in part.facts}
    return first.replace(
        entities=tuple(entities.values()),
        facts=tuple(facts.values()),
        dates=tuple(date for part in readings for date in part.dates),
        importance=max((part.importance for part in readings if part.importance is not None), default=None),
        rejected=tuple(word for part in readings for word in part.rejected),
    )


def _again(asked: list[Message], job: Job) -> list[Message]:
    """After an answer that could not be read, the model is told so: at temperature 0 it would say the same."""
    if not was_malformed(job):
        return asked
    *before, last = asked
    note = f"\n\nYour last answer could not be used ({job.error}). Answer with the JSON object alone."
    return [*before, {**last, "content": last["content"] + note}]


def _parts(text: str, limit: int) -> list[str]:
    """A text cut at its own structure into parts of at most so many tokens."""
    if estimate_tokens(text) <= limit:
        return [text]
    return [piece.text for piece in chunk(text, limit=limit)]
