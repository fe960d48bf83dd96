"""One request of a step to the language model of the settings, within the daily budget and the worker's limit."""

from __future__ import annotations

from contextlib import nullcontext

from jotsam.core.errors import InvalidInput, NoAnswer
from jotsam.core.records import Record
from jotsam.pipeline.text.words import estimate_tokens
from jotsam.storage.costs import ledger
from jotsam.storage.memories import allowed_secrets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from jotsam.core.settings import Settings
    from jotsam.models.chat import ChatReply, Message
    from jotsam.storage.database import Transaction
    from jotsam.worker.lifecycle.step import StepContext

MAX_MS = 120_000  # of a request
MAX_WAIT_MS = 60_000  # for a place among the requests of the worker


class Form(Record):
    """What a reply is for, its JSON schema and its longest length."""

    purpose: str
    schema: Mapping[str, Any]
    max_output_tokens: int


def ask(
    context: StepContext,
    settings: Settings,
    prompt: Sequence[Message],
    *,
    form: Form,
    keep: Callable[[Transaction, ChatReply], None] | None = None,
) -> ChatReply:
    """The reply; `keep` saves it in the transaction that settles its cost. Raises `JobError`: there is none now."""
    # Slow to import, and needed only with a model.
    from jotsam.models.language_model import open_language_model
    from jotsam.storage.costs.budget import Budget, ModelCall
    from jotsam.worker.enrichment.llm_extraction import Prices

    timeout_ms = min(MAX_MS, settings.llm_timeout_ms)
    prices = Prices(
        tokens_in=settings.llm_price_in, tokens_out=settings.llm_price_out, tokens_cached=settings.llm_price_cached
    )
    tokens_in = sum(estimate_tokens(message["content"]) for message in prompt)
    cost = prices.cost(tokens_in=tokens_in, tokens_cached=0, tokens_out=form.max_output_tokens)
    estimate = ledger.Spent(tokens_in=tokens_in, tokens_out=form.max_output_tokens, cost=cost)
    call = ModelCall(tenant=context.tenant, model=settings.model_name, purpose=form.purpose, job_id=context.job_id)
    chat = open_language_model(
        settings,
        schema=form.schema,
        name=form.purpose,
        timeout_ms=timeout_ms,
        max_output_tokens=form.max_output_tokens,
    )
    budget = Budget(context.database, cap=ledger.cap_of(settings), timeout_ms=chat.longest_ms)
    place = context.limit.request(wait_ms=MAX_WAIT_MS) if context.limit else nullcontext(lambda _: None)
    try:
        with budget.request(call, estimate=estimate) as entry, place as count:
            reply = chat.complete(prompt)
            count(reply.tokens_out)
    finally:
        chat.close()
    used = {"tokens_in": reply.tokens_in, "tokens_cached": reply.tokens_cached, "tokens_out": reply.tokens_out}
    with_it = (lambda tx: keep(tx, reply)) if keep and not reply.stopped else None
    spent = ledger.Spent(**used, cost=prices.cost(**used) if reply.cost is None else reply.cost)
    budget.settle(call, entry, spent=spent, with_it=with_it)
    if reply.stopped:
        if context.limit:
            context.limit.shrink()
        raise NoAnswer(reply.stopped)
    return reply


def redacted(context: StepContext, text: str) -> str | None:
    """A text of a model without secrets; None if it cannot be stored."""
    from jotsam.ingest.redactor import Redactor  # Slow to import, and needed only with a model.

    with context.database.snapshot(tenant=context.tenant) as tx:
        try:
            return Redactor(lambda: allowed_secrets.fingerprints(tx)).redact_text(text)
        except InvalidInput:
            return None
