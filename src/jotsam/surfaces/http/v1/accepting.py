"""Replies to what was accepted: where to follow it, once for an idempotency key, and one result for each item."""

from __future__ import annotations

import json
from typing import Annotated, Any

from msgspec import Meta, Struct

from jotsam.core.errors import InvalidInput
from jotsam.core.record_types import error_code
from jotsam.core.records import ItemResult, Record, UpsertResult
from jotsam.memory.access.idempotency import KeptReply, fingerprint, run_once, storable_message
from jotsam.surfaces.http.requests.decode import encode
from jotsam.surfaces.http.requests.route import Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jotsam.core.records import Receipt, UpsertReceipt
    from jotsam.surfaces.http.requests.route import Call

RETRY_AFTER_S = 2
ACCEPTED, SOME_FAILED = 202, 207


class Batch(Struct, forbid_unknown_fields=True):
    """Up to 500 items, accepted in one commit."""

    items: Annotated[list[Any], Meta(description="Each as the body of the route for one, or a text")]


class BatchResult(Record):
    """One result for each item, in order."""

    items: tuple[ItemResult, ...]


class UpsertBatchResult(Record):
    """One result for each item, in order."""

    items: tuple[UpsertResult, ...]


BATCHES = {ItemResult: BatchResult, UpsertResult: UpsertBatchResult}


def once(call: Call, write: Callable[[Any], Reply]) -> Reply:
    """The reply of `write`; with an `Idempotency-Key`, for a repetition that of the first request.

    `write` gets the transaction in which the reply is kept. The reply must hold no text of what was accepted.
    """
    key = call.headers.get("idempotency-key")
    if key is None:
        return write(None)
    kept, is_repeated = run_once(
        call.jot.database,
        call.jot.settings,
        key=_bare(key),
        fingerprint=fingerprint(call.target.encode(), call.payload),
        write=lambda tx: _kept(write(tx)),
    )
    headers = {"Retry-After": str(RETRY_AFTER_S)} if kept.status in (ACCEPTED, SOME_FAILED) else {}
    headers |= {"Location": kept.location} if kept.location else {}
    headers |= {"Idempotency-Replayed": "true"} if is_repeated else {}
    ids = tuple(_ids(json.loads(kept.body)))
    return Reply(body=kept.body.encode(), status=kept.status, headers=headers, wait_for=ids)


def accepted(receipt: Receipt | UpsertReceipt) -> Reply:
    """The reply to what was accepted: where to follow its job."""
    headers = {"Retry-After": str(RETRY_AFTER_S)}
    if receipt.job_id:
        headers["Location"] = f"/v1/jobs/{receipt.job_id}"
    return Reply(body=receipt, status=ACCEPTED, headers=headers, wait_for=(receipt.id,) if receipt.id else ())


def batch_reply(results: Iterable[ItemResult | UpsertResult], *, status: int = ACCEPTED) -> Reply:
    """The reply to a batch: 207 if an item was not accepted, with an error in its result."""
    found = list(results)
    return Reply(
        body={"items": [item(one) for one in found]},
        status=SOME_FAILED if any(one.error for one in found) else status,
        headers={"Retry-After": str(RETRY_AFTER_S)} if status == ACCEPTED else {},
        wait_for=tuple(one.receipt.id for one in found if one.receipt and one.receipt.id),
    )


def item(result: Record) -> dict[str, Any] | Record:
    """The result for one item, with the code of its error. A secret in the message is redacted: it may be kept."""
    error: object = getattr(result, "error", None)
    if not isinstance(error, BaseException):
        return result
    return result.as_dict() | {"error": storable_message(error), "code": error_code(error)}


def _kept(reply: Reply) -> KeptReply:
    assert reply.status is not None
    return KeptReply(status=reply.status, body=encode(reply.body).decode(), location=reply.headers.get("Location"))


def _bare(key: str) -> str:
    """The key of the header, a string of RFC 9651 in quotation marks, or without them."""
    text = key.strip()
    if not text.startswith('"'):
        return text
    if len(text) < 2 or not text.endswith('"'):
        raise InvalidInput(f"invalid Idempotency-Key {key[:80]!r}: a quotation mark is missing")
    return text[1:-1].replace('\\"', '"').replace("\\\\", "\\")


def _ids(body: dict[str, Any]) -> Iterator[str]:
    """The ids of the receipts in a kept reply."""
    receipts = [one.get("receipt") for one in body["items"]] if "items" in body else [body]
    yield from (receipt["id"] for receipt in receipts if receipt and receipt.get("id"))
