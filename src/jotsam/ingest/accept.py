"""The light door: accept a document or a memory in one transaction, and see that a worker comes.

Everything that `jotsam add` and a hook need stands here, and nothing that would slow their start: this module imports
storage, the light rooms of the pipeline, and how to start a process.
"""

from __future__ import annotations

from jotsam.core.clock import new_id, parse_time
from jotsam.core.errors import InvalidInput
from jotsam.core.names import EVERY_QUEUE, as_type
from jotsam.core.records import Receipt, Record, Redaction
from jotsam.ingest import job_specs, spawn
from jotsam.pipeline.redaction.redact import may_hold_secrets, redact_and_list
from jotsam.pipeline.tags import clean_tags
from jotsam.pipeline.text.words import index_terms, normalise_newlines
from jotsam.storage import allowed_secrets as allowlist
from jotsam.storage import documents, memories, queue, search, worker_lease

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from jotsam.core.records import Document, Memory
    from jotsam.pipeline.redaction.redact import FoundSecret
    from jotsam.storage.database import Row, Transaction

    Item = TypeVar("Item", Document, Memory)

SOFT_CAP = 100
LEASE_MS = 60_000
RESERVATION_MS = 5_000
NOBODY = 0  # the pid of a reservation: its worker has none yet
LINE_LIMIT = 4_096
CROWDED = "jobs are waiting"
"""How the warning ends that is about the queue, and not about what was accepted."""

DESCRIBING, NAMING = ("source", "actor", "type"), ("project", "session", "external_id")
"""Short fields: those that tell something about a text, beside its tags, and those by which it is known."""


class Clean(Record):
    """A text as it is stored, warnings about what had to be changed, and what was taken out."""

    text: str
    warnings: tuple[str, ...] = ()
    redactions: tuple[Redaction, ...] = ()


def add(
    tx: Transaction,
    document: Document,
    *,
    key: str | None = None,
    soft_cap: int = SOFT_CAP,
    before: tuple[Redaction, ...] = (),
) -> Receipt:
    """Accept a document: keep it, make its words findable, send the job that cuts it.

    A key that this tenant used before, or the unchanged newest text of a source, is a duplicate: the first receipt
    comes back. `before` is what was taken out of the text before it came here. Raises `InvalidInput`.
    """
    allowed = _of(tx, document.tenant)
    text = clean(document.text, allowed=allowed)
    document = document.replace(
        text=text.text,
        id=new_id(),
        tenant=tenant(document.tenant),
        project=line("project", document.project),
        source=line("source", document.source),
        actor=line("actor", document.actor),
        session=line("session", document.session),
        date=None if document.date is None else parse_time(document.date, name="date"),
    )
    key = line("key", key)
    document, hidden = _discreet(document, key, allowed)
    tx.set_tenant(document.tenant)
    known = documents.known(tx, document, key=key)
    if known:
        return _duplicate(known)
    sent = queue.send(tx, job_specs.ingest(document.id, tenant=document.tenant))
    number = documents.save(tx, document, key=key, job_id=sent.id)
    words, grams = index_terms(document.text)
    search.index(tx, -number, body=words, context=context(document), grams=grams)
    _note(tx, (*before, *text.redactions, *hidden), document=number)
    return Receipt(id=document.id, job_id=sent.id, warnings=(*text.warnings, *_crowded(tx, soft_cap)))


def remember(
    tx: Transaction,
    memory: Memory,
    *,
    key: str | None = None,
    soft_cap: int = SOFT_CAP,
    attempts: int = job_specs.ENRICH_ATTEMPTS,
    before: tuple[Redaction, ...] = (),
) -> Receipt:
    """Accept one memory whole: keep it with its tags, make it findable, send the job that enriches it.

    A key or an own id that this tenant used before is a duplicate: the first receipt comes back. After `attempts`
    failures that job is dead. `before` is what was taken out of the text before it came here. Raises `InvalidInput`.
    """
    allowed = _of(tx, memory.tenant)
    text = clean(memory.text, allowed=allowed)
    memory = _checked(memory).replace(text=text.text, id=new_id())
    key = line("key", key)
    memory, hidden = _discreet(memory, key, allowed)
    metadata, more = _json(memory.metadata, allowed)
    tx.set_tenant(memory.tenant)
    known = memories.known(tx, memory, key=key)
    if known:
        return _duplicate(known)
    sent = queue.send(tx, job_specs.enrich(memory.id, tenant=memory.tenant, attempts=attempts))
    number = memories.save(tx, memory, metadata=metadata, key=key, job_id=sent.id)
    words, grams = index_terms(memory.text)
    search.index(tx, number, body=words, context=context(memory), grams=grams)
    _note(tx, (*before, *text.redactions, *hidden, *more), memory=number)
    return Receipt(id=memory.id, job_id=sent.id, warnings=(*text.warnings, *_crowded(tx, soft_cap)))


def reserve_worker(tx: Transaction) -> str | None:
    """In the transaction that sends: None if a worker is there, else a token with which the caller must launch one.

    The reservation keeps a burst of senders from launching a worker each.
    """
    here = spawn.host()
    holder = worker_lease.holder(tx, longest_ms=LEASE_MS)
    if holder and (holder.pid == NOBODY or holder.host != here or spawn.is_alive(holder.pid)):
        return None
    token = new_id()
    worker_lease.take(tx, worker_lease.Holder(owner=token, pid=NOBODY, host=here), lease_ms=RESERVATION_MS)
    return token


def clean(text: object, *, allowed: Callable[[], frozenset[str]] = frozenset) -> Clean:
    """A text as it is stored. Raises `InvalidInput`.

    `allowed` gives the fingerprints of what is no secret; it is asked only where something looks like one.
    """
    if not isinstance(text, str):
        raise InvalidInput(f"invalid text of type {type(text).__name__}: must be a string")
    text, warnings = _storable(text)
    text, taken = _without_secrets(text.removeprefix("\ufeff"), allowed)
    if taken:
        warnings.append(f"{len(taken)} {'secret' if len(taken) == 1 else 'secrets'} replaced by [redacted:...]")
    if not text.strip():
        raise InvalidInput("invalid text: it is empty once private blocks are removed")
    found = tuple(Redaction(kind=kind, place=f"line {at}", fingerprint=mark) for kind, at, mark in taken)
    return Clean(text=text, warnings=tuple(warnings), redactions=found)


def _without_secrets(given: str, allowed: Callable[[], frozenset[str]]) -> tuple[str, list[FoundSecret]]:
    text, taken = redact_and_list(given)
    known = allowed() if taken else None
    return redact_and_list(given, allowed=known) if known else (text, taken)


def _of(tx: Transaction, name: object) -> Callable[[], frozenset[str]]:
    """What a tenant allows, when it is asked for."""

    def allowed() -> frozenset[str]:
        tx.set_tenant(tenant(name))
        return allowlist.fingerprints(tx)

    return allowed


def _note(tx: Transaction, found: tuple[Redaction, ...], **whose: Any) -> None:
    if found:
        from jotsam.storage import redactions  # Only who hands in a secret pays for it.

        redactions.save(tx, found, **whose)


def beside(
    name: str, text: str, *, allowed: Callable[[], frozenset[str]] = frozenset
) -> tuple[str, tuple[Redaction, ...]]:
    """What stands beside a text, without its secrets, and what they were."""
    text, taken = _without_secrets(text, allowed)
    return text, tuple(Redaction(kind=kind, place=name, fingerprint=mark) for kind, _, mark in taken)


def _discreet(item: Item, key: str | None, allowed: Callable[[], frozenset[str]]) -> tuple[Item, tuple[Redaction, ...]]:
    """An item whose short fields hold no secret, and what was taken out of them. Raises `InvalidInput`.

    What describes is cleaned as a text is. What names is refused: two names could become one without what was taken
    out, and then the second item would be thrown away as a duplicate of the first.
    """
    tags: tuple[str, ...] = getattr(item, "tags", ())
    short: dict[str, str | None] = {name: getattr(item, name, None) for name in (*NAMING, *DESCRIBING)} | {"key": key}
    beside_it = "\n".join([*tags, *filter(None, short.values())])
    if not (beside_it and may_hold_secrets(beside_it)):
        return item, ()
    for name in (*NAMING, "key"):
        _refuse_a_secret(name, short[name], allowed)
    changes: dict[str, object] = {}
    found: list[Redaction] = []
    for name in DESCRIBING:
        text, taken = beside(name, short[name] or "", allowed=allowed)
        if taken:
            changes[name] = text or None
            found += taken
    cleaned = [beside("tag", tag, allowed=allowed) for tag in tags]
    if any(taken for _, taken in cleaned):
        changes["tags"] = clean_tags(tag for tag, _ in cleaned if tag)
        found += [one for _, taken in cleaned for one in taken]
    return item.replace(**changes), tuple(found)


def _refuse_a_secret(name: str, value: str | None, allowed: Callable[[], frozenset[str]]) -> None:
    """A name such as `token-refresh:ticket-4711` has the form of an assignment, and is none."""
    taken = _without_secrets(value, allowed)[1] if value else []
    is_assigned = any(sign in (value or "") for sign in ("=", ": ", "://"))
    kinds = [kind for kind, _, _ in taken if is_assigned or kind not in ("secret", "password")]
    if kinds:
        raise InvalidInput(
            f"{name} holds what looks like a secret ({kinds[0]}): give another {name}; if it is none, "
            f"`jotsam allow` lets it stand"
        )


def line(name: str, value: object) -> str | None:
    """A short text of one line, stripped; empty counts as none. Raises `InvalidInput`."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise InvalidInput(f"invalid {name} {value!r}: must be a string")
    value = _storable(value)[0].strip()
    if len(value) > LINE_LIMIT:
        raise InvalidInput(f"invalid {name} of {len(value):,} characters: must be at most {LINE_LIMIT:,}")
    return value or None


def tenant(value: object) -> str:
    """The name of a tenant. It is a wall, so it is never mended: what would have to be is refused."""
    name = line("tenant", value)
    if name is None or name != value:
        raise InvalidInput(
            f"invalid tenant {value!r}: must be a name without surrounding whitespace, NUL or unpaired surrogates"
        )
    return name


def context(item: Document | Memory) -> str:
    """What stands around a text and helps to find it: where it is from, who said it, its tags."""
    where = place(item.source or "", item.project)
    parts = [where, getattr(item, "section", None), item.actor, *getattr(item, "tags", ())]
    return " ".join(part for part in parts if part)


def place(source: str, project: str | None) -> str:
    """As much of a source as tells something about a text: of an absolute path what lies within its project, or else
    the name of the file.

    The folders above are the same for half of what somebody has: whoever asks what they ate at home means no folder.
    """
    path = source.removeprefix("file://").replace("\\", "/")
    if not (path.startswith(("/", "~")) or path[1:3] == ":/"):
        return source
    *folders, name = path.split("/")
    above = max((at for at, folder in enumerate(folders) if folder and folder == project), default=len(folders))
    return "/".join([*folders[above + 1 :], name])


def _storable(text: str) -> tuple[str, list[str]]:
    warnings = []
    if "\r" in text:
        text = normalise_newlines(text)
    if "\0" in text:
        warnings.append(f"{text.count(chr(0))} NUL characters replaced")
        text = text.replace("\0", "\ufffd")
    try:
        text.encode()
    except UnicodeEncodeError:
        warnings.append("halves of surrogate pairs replaced")
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text, warnings


def _checked(memory: Memory) -> Memory:
    lines = (*NAMING, *DESCRIBING)
    times = ("said_at", "valid_from", "valid_until")
    changes: dict[str, object] = {name: line(name, getattr(memory, name)) for name in lines}
    for name in times:
        value = getattr(memory, name)
        changes[name] = None if value is None else parse_time(value, name=name)
    for name in ("importance", "confidence"):
        changes[name] = _share(name, getattr(memory, name))
    if changes["type"]:
        changes["type"] = as_type(str(changes["type"]))
    memory = memory.replace(**changes, tags=clean_tags(memory.tags), tenant=tenant(memory.tenant))
    if memory.valid_from is not None and memory.valid_until is not None and memory.valid_until < memory.valid_from:
        raise InvalidInput(
            f"invalid valid_until {memory.valid_until}: must not be before valid_from {memory.valid_from}"
        )
    _place(memory.position)
    return memory


def _place(position: object) -> None:
    is_whole = isinstance(position, int) and not isinstance(position, bool)
    if position is not None and not (is_whole and 0 <= position < 1 << 63):  # type: ignore[operator]
        raise InvalidInput(f"invalid position {position!r}: must be an integer from 0 to 2**63 - 1")


def _share(name: str, value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidInput(f"invalid {name} {value!r}: must be a number from 0 to 1")
    return float(value)


def _json(metadata: object, allowed: Callable[[], frozenset[str]]) -> tuple[str | None, tuple[Redaction, ...]]:
    if metadata is None:
        return None, ()
    import json  # Only who gives metadata pays for it.

    if not isinstance(metadata, dict):
        raise InvalidInput(f"invalid metadata of type {type(metadata).__name__}: must be a dict")
    try:
        text, found = beside("metadata", json.dumps(metadata, ensure_ascii=True, allow_nan=False), allowed=allowed)
        json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"invalid metadata: must be JSON, also after redaction: {error}") from error
    return text, found


def _duplicate(known: Row) -> Receipt:
    return Receipt(id=known["uuid"], job_id=known["job_id"], duplicate=True)


def _crowded(tx: Transaction, soft_cap: int) -> tuple[str, ...]:
    waiting = queue.count_live(tx, queues=EVERY_QUEUE, tenant=tx.tenant, limit=soft_cap + 1)
    if waiting * 10 < soft_cap * 8:
        return ()
    return (f"{min(waiting, soft_cap)}{'+' if waiting > soft_cap else ''} of {soft_cap} {CROWDED}",)
