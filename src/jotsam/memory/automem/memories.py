"""Memories as AutoMem's clients store, change and list them.

They repeat a request whose answer was lost, without an idempotency key: the same content, tags, type, timestamp and
metadata within ten minutes are one memory. Names of fields are AutoMem's; what a reply looks like is decided elsewhere.
"""

from __future__ import annotations

from jotsam.core.clock import parse_time
from jotsam.core.errors import InvalidInput
from jotsam.memory.automem.fields import STORED, renamed
from jotsam.memory.writing.remember_once import remember_each_once
from jotsam.pipeline.extraction.classify import classify

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from jotsam.core.records import Receipt, StoredMemory
    from jotsam.memory.api.client import Jotsam

TYPED_CONFIDENCE = 0.9  # of a type that a client gives without a confidence
PAGE = 200

NEW = {**STORED, "timestamp": "said_at"}
CHANGED = {**STORED, "content": "text"}
MARKED = ("tags", "type", "timestamp", "metadata")  # what makes two requests with one content different memories
TIMES, NUMBERS = ("timestamp", "t_valid", "t_invalid"), ("importance", "confidence")

# What has no effect: we make vectors ourselves, ids are the server's, and these times are recorded.
WITHOUT_EFFECT = ("id", "embedding", "updated_at", "last_accessed")


def store(jot: Jotsam, items: Sequence[Mapping[str, Any]], *, source: str) -> list[Receipt]:
    """Accept memories in one commit, all or none. Raises `InvalidInput`."""
    wanted = []
    for index, item in enumerate(items):
        try:
            wanted.append(_item(item, source))
        except InvalidInput as error:
            raise InvalidInput(f"item {index}: {error}" if len(items) > 1 else str(error)) from error
    return remember_each_once(jot.database, jot.settings, wanted)


def change(jot: Jotsam, id: str, fields: Mapping[str, Any]) -> None:
    """Change fields of a memory; metadata is replaced. Raises `NotFound`, `InvalidInput`.

    New tags enrich it again, as AutoMem documents it; `Jotsam.update` does so for a new text only. A memory that ends
    before it begins, here and in `store`, was never valid: the clock of a client may be behind ours.
    """
    options = renamed(cleaned(fields), CHANGED)
    current = jot.get(id)
    since, until = options.get("valid_from", current.valid_from), options.get("valid_until")
    if since is not None and until is not None and until < since:
        options["valid_from"] = until
    if not options:
        return
    changed = jot.update(id, **options)
    if "tags" in options and changed.job_id is None and changed.version != current.version:
        jot.reprocess(jot.plan_reprocess([current.id], force=True))


def with_tags(
    jot: Jotsam,
    tags: Sequence[str],
    *,
    limit: int,
    offset: int = 0,
    history: bool = True,
    project: str | None = None,
) -> tuple[list[StoredMemory], bool]:
    """A page of the memories with one of the tags, the most important first, and whether more follow.

    Ours have no offset, so the ones before are read too. `history` includes what is not valid now.
    """
    found: list[StoredMemory] = []
    after: str | None = None
    while len(found) <= offset + limit:
        page = jot.list(tags=tags, project=project, order="importance", history=history, limit=PAGE, after=after)
        found += page.memories
        after = page.next
        if after is None:
            break
    return found[offset : offset + limit], len(found) > offset + limit


def forget(jot: Jotsam, **selection: Any) -> int:
    """Forget what a selection finds. Returns how many memories and documents."""
    plan = jot.plan_forget(**selection)
    receipt = jot.forget(plan)
    return receipt.memories + receipt.documents


def type_of(memory: StoredMemory) -> tuple[str, float]:
    """The type and confidence of a memory; before it is enriched, what the rules find in its text."""
    if memory.type is not None:
        return memory.type, TYPED_CONFIDENCE if memory.confidence is None else memory.confidence
    guessed = classify(memory.text)
    return guessed.type, guessed.confidence if memory.confidence is None else memory.confidence


def cleaned(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields with times in milliseconds, numbers as numbers and tags as a list without empty ones.

    Raises `InvalidInput`, with the name of the field that the client sent.
    """
    found = dict(fields)
    for name in TIMES:
        if name in found:
            found[name] = parse_time(found[name], name=name) if found[name] else None
    for name in NUMBERS:
        if isinstance(found.get(name), str):
            try:
                found[name] = float(found[name])
            except ValueError:
                raise InvalidInput(f"invalid {name} {found[name][:60]!r}: must be a number from 0 to 1") from None
    if "tags" in found:
        tags = [found["tags"]] if isinstance(found["tags"], str) else found["tags"] or []
        found["tags"] = [tag for tag in tags if tag.strip()]
    return found


def _item(fields: Mapping[str, Any], source: str) -> tuple[str, object, dict[str, Any]]:
    text = fields.get("content")
    if not isinstance(text, str) or not text.strip():
        raise InvalidInput("'content' is required")
    fields = cleaned(fields)
    options = {"source": source, **renamed(fields, NEW)}
    if options.get("type") and options.get("confidence") is None:
        options["confidence"] = TYPED_CONFIDENCE
    since, until = options.get("valid_from"), options.get("valid_until")
    if since is not None and until is not None and until < since:
        options["valid_from"] = until
    return text.strip(), [fields.get(name) for name in MARKED], options
