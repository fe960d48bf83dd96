"""Extraction with a language model. No request is paid for twice.

The cost of a request is reserved before it is sent. Its reply and its real cost are committed durably before the reply
is used, so a worker that dies then finds the reply in the cache when the job is delivered again.

Errors that the text may cause are retried like any job. After the last attempt the rules' extraction is saved as
`degraded` with the reason. If the server may be the cause, the memory waits for it (`model_retry`); if the model read
other texts in the meantime, the text is the cause, and only `jotsam models reprocess --degraded` retries it. Errors
that the text cannot cause (no connection, wrong key, quota exhausted, daily cap) spend no attempt.

One deadline covers all requests of a delivery. Parts of a long text that do not fit are left to the next delivery.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from hashlib import blake2s

from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import CapReached, CutOff, Malformed, NoAnswer, Refused, RetryJob, TooLong
from jotsam.core.records import Record
from jotsam.models.language_model import open_language_model
from jotsam.models.request_limit import RequestLimit
from jotsam.pipeline.extraction.chunk import chunk
from jotsam.pipeline.extraction.extract import Extraction
from jotsam.pipeline.llm.prompt import (
    SCHEMA,
    SCHEMA_NAME,
    Context,
    PromptSize,
    llm_extractor_name,
    messages,
    prompt_size,
)
from jotsam.pipeline.llm.reply import join_parts, parse_reply
from jotsam.pipeline.llm.reply_object import completed
from jotsam.pipeline.text.words import estimate_tokens
from jotsam.storage import queue
from jotsam.storage.costs import ledger
from jotsam.storage.costs.budget import PER_MILLION, Budget, ModelCall
from jotsam.storage.memories import memories
from jotsam.worker.enrichment import model_retry
from jotsam.worker.enrichment.model_context import read_context

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jotsam.core.job_records import Job
    from jotsam.core.settings import Settings
    from jotsam.models.chat import ChatReply, Message
    from jotsam.models.language_model import LanguageModel
    from jotsam.storage.database import Database, Row, Transaction

PURPOSE = "extraction"

# A shorter text is not split further.
MIN_PART_TOKENS = 100

# If a server finds a text of so few tokens too long, its context is taken for a small one.
SMALL_TEXT_TOKENS, ASSUMED_CONTEXT = 2_000, 2_048

# A text whose requests fail is the cause if the model has read this many others since its server first failed for it.
OTHERS_READ = 3

# A memory waits for the model no longer.
MAX_WAIT_MS = 7 * ledger.DAY_MS

# The delay of a job while another worker sends the same request.
IN_FLIGHT_RETRY_MS = 2_000

SCHEMA_TOKENS = estimate_tokens(str(SCHEMA))


class Prices(Record):
    """Prices per million tokens."""

    tokens_in: float = 0.0
    tokens_out: float = 0.0
    tokens_cached: float = 0.0  # 0: the same as tokens_in

    def cost(self, *, tokens_in: int, tokens_cached: int, tokens_out: int) -> float:
        cached = self.tokens_cached or self.tokens_in
        whole = (tokens_in - tokens_cached) * self.tokens_in + tokens_cached * cached + tokens_out * self.tokens_out
        return whole / PER_MILLION


class _Delivery(Record):
    """One delivery of a job: its deadline on the monotonic clock, and the replies received."""

    job: Job
    memory: int
    deadline: int
    min_left_ms: int  # a further request is only sent if this much time is left
    finishes: list[str]  # finish reason of each reply

    def left_ms(self) -> int:
        """The time left. Raises `RetryJob` if it is too short for another request, so the next delivery continues.

        A request that times out may still be billed, so it is better not sent.
        """
        left = self.deadline - monotonic_ms()
        if left > (self.min_left_ms if self.finishes else 0):
            return left
        done = len(self.finishes)
        raise RetryJob(f"deadline reached after {done} parts; continuing in the next delivery", after_ms=0, spend=False)


class CostEstimate(Record):
    """The estimated cost of extracting from a number of memories."""

    calls: int = 0
    kept: int = 0  # cached replies, which cost nothing
    tokens: int = 0
    cost: float = 0.0


class LlmExtractor:
    """Extracts with one model, within the daily cap. Thread-safe."""

    def __init__(
        self, database: Database, chat: LanguageModel, *, prices: Prices, budget: Budget, attempts: int, most: int
    ) -> None:
        """`attempts` is the limit for jobs of memories that waited for the model, `most` that of requests at a time."""
        self._attempts = attempts
        self.limit = RequestLimit(most)
        self._size = PromptSize()
        self._is_fitted = False
        self._database = database
        self._chat = chat
        self._prices = prices
        self._budget = budget
        self._lock = threading.Lock()
        self._in_flight: dict[str, tuple[threading.Lock, int]] = {}
        self.name = llm_extractor_name(chat.model)

    def at_once(self) -> int:
        """How many requests the server answers well at a time, as far as known."""
        return self.limit.value

    def extract(self, job: Job, row: Row) -> Extraction:
        """The model's extraction of a memory, or a `degraded` one after the last attempt.

        Raises the job error that decides when the job is delivered again.
        """
        if not self._is_fitted:
            self._fit(self._chat.context_tokens())
        timeout_ms = self._chat.timeout_ms
        delivery = _Delivery(
            job=job,
            memory=row["id"],
            deadline=monotonic_ms() + self._chat.longest_ms,
            min_left_ms=timeout_ms // 2,
            finishes=[],
        )
        try:
            found = self._extract(delivery, row["body"], self._context(row), self._size.part_tokens)
            return found.replace(only_adds=self._size.is_short)
        except CapReached:
            raise
        except Refused as error:
            return self._degraded(error)
        except RetryJob as error:
            is_repeated = isinstance(error, Malformed) and was_malformed(job)
            if error.spend and (is_repeated or job.failures + 1 >= job.max_receive):
                return self._degraded(error, awaits_model=self._is_outage(job, row, error))
            raise

    def _fit(self, context_tokens: int | None) -> None:
        """Use the prompt and the lengths that fit into a context."""
        self._is_fitted = True
        self._size = prompt_size(context_tokens)
        self._chat.fit(schema=self._size.schema, max_output_tokens=self._size.output_tokens)

    def _degraded(self, error: Exception, *, awaits_model: bool = False) -> Extraction:
        message = f"{type(error).__name__}: {error}"
        return Extraction(extractor=self.name, degraded=message, awaits_model=awaits_model)

    def _is_outage(self, job: Job, row: Row, error: RetryJob) -> bool:
        """Whether the last attempt may have failed because of the server, and not because of this text.

        Invalid replies count from the first one; other failures cost nothing, so their text is always retried once.
        """
        if isinstance(error, CutOff):
            return False
        with self._database.snapshot(tenant=job.tenant) as tx:
            is_unread = (row["degraded"] or "").startswith(memories.UNREAD)
            since = None if is_unread else row["awaits_model_since"]
            if since is None and not isinstance(error, Malformed):
                return True
            if since is None:
                since = min((tried["started_at"] for tried in queue.attempts(tx, job.id)), default=tx.now)
            others = ledger.count_replies(tx, extractor=self.name, since=since, limit=OTHERS_READ)
            return others < OTHERS_READ and tx.now < since + MAX_WAIT_MS

    def estimate(self, rows: Sequence[Row], *, tenant: str) -> CostEstimate:
        """The approximate cost of extracting from these memories. Cached replies cost nothing."""
        calls = kept = tokens = 0
        cost, size = 0.0, self._size
        with self._database.snapshot(tenant=tenant) as tx:
            for row in rows:
                context = read_context(tx, row)
                for number, text in enumerate(_parts(row["body"], size.part_tokens)):
                    shown = context.alone() if number or size.is_short else context
                    prompt = messages(text, shown, is_short=size.is_short)
                    if ledger.cached_reply(tx, key=self._key(prompt)) is not None:
                        kept += 1
                        continue
                    request = self._estimate(prompt, max_out=max(200, estimate_tokens(text) // 2))
                    calls, tokens = calls + 1, tokens + request.tokens_in + request.tokens_out
                    cost += request.cost
        return CostEstimate(calls=calls, kept=kept, tokens=tokens, cost=cost)

    def close(self) -> None:
        self._chat.close()

    def _context(self, row: Row) -> Context:
        with self._database.snapshot(tenant=row["tenant"]) as tx:
            return read_context(tx, row)

    def _extract(self, delivery: _Delivery, text: str, context: Context, limit: int) -> Extraction:
        """The extraction of a text. A text that is too long for the model is split, and its parts are joined."""
        first, *others = _parts(text, limit)
        if others:
            found = [self._extract(delivery, first, context, limit)]
            return join_parts(found + [self._extract(delivery, one, context.alone(), limit) for one in others])
        size = self._size
        if size.is_short:
            context = context.alone()
        prompt = messages(text, context, is_short=size.is_short)
        try:
            with self._single_flight(delivery, self._key(prompt)):
                cached = self._cached(delivery.job.tenant, prompt, text, context)
                return cached or self._request(delivery, prompt, text, context)
        except (TooLong, CutOff) as error:
            is_small = isinstance(error, TooLong) and estimate_tokens(text) <= SMALL_TEXT_TOKENS
            if is_small and not size.is_short:
                self._fit(ASSUMED_CONTEXT)
                return self._extract(delivery, text, context, self._size.part_tokens)
            shorter = _shorter(text)
            if not shorter:
                raise
            return self._extract(delivery, text, context, shorter)

    @contextmanager
    def _single_flight(self, delivery: _Delivery, key: str) -> Iterator[None]:
        """Let one thread at a time send a request. The others wait and find the reply in the cache."""
        request = delivery.job.tenant + key
        with self._lock:
            lock, users = self._in_flight.get(request, (threading.Lock(), 0))
            self._in_flight[request] = lock, users + 1
        try:
            while not lock.acquire(timeout=delivery.left_ms() / 1000):
                pass  # `left_ms` raises at the deadline.
            try:
                yield
            finally:
                lock.release()
        finally:
            with self._lock:
                lock, users = self._in_flight.pop(request)
                if users > 1:
                    self._in_flight[request] = lock, users - 1

    @contextmanager
    def _claimed(self, delivery: _Delivery, key: str) -> Iterator[None]:
        """The same between worker processes: one claims the request in the database, the others retry later."""
        job = delivery.job
        asker, left = f"job {job.id}", delivery.left_ms()
        with self._database.transaction(tenant=job.tenant, durable=False) as tx:
            claimed = ledger.claim_reply(tx, key=key, asker=asker, until=tx.now + left)
        if not claimed:
            raise RetryJob("another worker is sending the same request", after_ms=IN_FLIGHT_RETRY_MS, spend=False)
        try:
            yield
        except BaseException:
            with self._database.transaction(tenant=job.tenant, durable=False) as tx:
                ledger.release_reply(tx, key=key)
            raise

    def _request(self, delivery: _Delivery, prompt: list[Message], text: str, context: Context) -> Extraction:
        """Send one request; its cost and its reply are saved. Raises `CutOff` for an incomplete reply."""
        with self._claimed(delivery, self._key(prompt)):
            return self._paid_request(delivery, prompt, text, context)

    def _paid_request(self, delivery: _Delivery, prompt: list[Message], text: str, context: Context) -> Extraction:
        job = delivery.job
        call = ModelCall(tenant=job.tenant, job_id=job.id, model=self._chat.model, purpose=PURPOSE)
        estimate = self._estimate(prompt, max_out=self._chat.max_output_tokens)
        # A place that is free too late is left to others: the reply must come within the claim of the request.
        wait_ms = delivery.left_ms() - delivery.min_left_ms
        with self._budget.request(call, estimate=estimate) as entry, self.limit.request(wait_ms=wait_ms) as count:
            reply = self._chat.complete(_with_retry_note(prompt, job), deadline=delivery.deadline)
            count(reply.tokens_out)
        if reply.stopped:
            self.limit.shrink()
        delivery.finishes.append(reply.finish)
        if reply.is_cut_off and not _shorter(text):
            reply = reply.replace(text=completed(reply.text) or reply.text)
        try:
            found = parse_reply(reply.require_text(), text=text, context=context, extractor=self.name)
        except (Malformed, NoAnswer, Refused) as error:
            self._settle(call, entry, reply)
            if isinstance(error, Malformed) and reply.is_cut_off:
                raise CutOff(f"the model's reply was cut off after {reply.tokens_out} tokens") from error
            raise
        self._settle(call, entry, reply, keep=(self._key(prompt), delivery.memory))
        model_retry.retry_after_reply(self._database, tenant=job.tenant, attempts=self._attempts)
        return found

    def _settle(self, call: ModelCall, entry: int, reply: ChatReply, *, keep: tuple[str, int] | None = None) -> None:
        """Save the cost of a request, and its reply if it is valid (`keep`: key and memory), in one commit."""
        tokens = {"tokens_in": reply.tokens_in, "tokens_cached": reply.tokens_cached, "tokens_out": reply.tokens_out}
        spent = ledger.Spent(**tokens, cost=self._prices.cost(**tokens) if reply.cost is None else reply.cost)

        def save_reply(tx: Transaction) -> None:
            if keep is not None:
                key, memory = keep
                about = {"memory": memory, "job_id": call.job_id}
                ledger.save_reply(tx, key=key, body=reply.text, extractor=self.name, **about)

        self._budget.settle(call, entry, spent=spent, with_it=save_reply)

    def _cached(self, tenant: str, prompt: list[Message], text: str, context: Context) -> Extraction | None:
        """The extraction of a cached reply. One that the current parser rejects is removed from the cache."""
        key = self._key(prompt)
        with self._database.snapshot(tenant=tenant) as tx:
            cached = ledger.cached_reply(tx, key=key)
        if cached is None:
            return None
        body, is_stale = cached
        if is_stale:
            with self._database.transaction(tenant=tenant, durable=False) as tx:
                ledger.touch_reply(tx, key=key)
        try:
            return parse_reply(body, text=text, context=context, extractor=self.name)
        except Malformed:
            with self._database.transaction(tenant=tenant, durable=False) as tx:
                ledger.delete_reply(tx, key=key)
            return None

    def _estimate(self, prompt: list[Message], *, max_out: int) -> ledger.Spent:
        tokens_in = SCHEMA_TOKENS + sum(estimate_tokens(message["content"]) for message in prompt)
        cost = self._prices.cost(tokens_in=tokens_in, tokens_cached=0, tokens_out=max_out)
        return ledger.Spent(tokens_in=tokens_in, tokens_out=max_out, cost=cost)

    def _key(self, prompt: list[Message]) -> str:
        """The cache key: a hash of the model, the versions and the messages."""
        parts = "\0".join((self.name, *(message["content"] for message in prompt)))
        return blake2s(parts.encode("utf-8", "surrogatepass")).hexdigest()


def open_extractor(database: Database, settings: Settings) -> LlmExtractor | None:
    """The extractor that the settings name; None if no model is configured. Raises `InvalidInput`."""
    if not settings.has_model:
        return None
    chat = open_language_model(settings, schema=SCHEMA, name=SCHEMA_NAME, timeout_ms=settings.llm_timeout_ms)
    prices = Prices(
        tokens_in=settings.llm_price_in, tokens_out=settings.llm_price_out, tokens_cached=settings.llm_price_cached
    )
    budget = Budget(database, cap=ledger.cap_of(settings), timeout_ms=chat.longest_ms)
    return LlmExtractor(
        database, chat, prices=prices, budget=budget, attempts=settings.enrich_attempts, most=settings.concurrency
    )


def was_malformed(job: Job) -> bool:
    """Whether the last attempt of a job failed with an invalid reply."""
    return (job.error or "").startswith((Malformed.__name__, CutOff.__name__))


def _with_retry_note(prompt: list[Message], job: Job) -> list[Message]:
    """The prompt, after an invalid reply with its error: at temperature 0 the model would repeat the reply."""
    if not was_malformed(job):
        return prompt
    *before, last = prompt
    note = f"\n\nYour last answer could not be used ({job.error}). Answer with the JSON object alone."
    return [*before, {**last, "content": last["content"] + note}]


def _shorter(text: str) -> int:
    """The limit for parts of a text that is too long; 0 if it cannot be split."""
    shorter = estimate_tokens(text) // 2
    return shorter if shorter >= MIN_PART_TOKENS and len(_parts(text, shorter)) > 1 else 0


def _parts(text: str, limit: int) -> list[str]:
    """A text as parts of at most `limit` tokens, split at its structure."""
    if estimate_tokens(text) <= limit:
        return [text]
    return [part.text for part in chunk(text, limit=limit)]
