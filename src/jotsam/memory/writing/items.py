"""Items of the store on their way into it: checked, in a client too, and saved with what finds them.

What is stored is what was given. Nothing is redacted, cut or replaced: what cannot be stored so is refused.
"""

from __future__ import annotations

from jotsam.core import exact_json, validate
from jotsam.core.errors import Conflict, InvalidInput
from jotsam.core.names import ENRICH
from jotsam.core.records import Record
from jotsam.core.unit_vectors import packed
from jotsam.ingest.redactor import Redactor
from jotsam.memory.reading import item_index
from jotsam.storage import queue
from jotsam.storage.memories import allowed_secrets, items

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeVar

    from jotsam.core.settings import Settings
    from jotsam.storage.database import Transaction

    T = TypeVar("T")

MAX_ITEMS = 500  # of a call
MAX_BYTES = 8 << 20  # of a call: a request of HTTP may have 16 MiB
LONGEST_TTL_MS = 100 * 366 * 24 * 3_600_000
MAX_VECTORS = 1_000  # of an item
MAX_DIMENSION = 16_000
MOST_VERSION = 2**53 - 1  # JavaScript has no larger integers
NUMBER_BYTES = 20  # of a number of a vector in a request of HTTP


class NewItem(Record):
    """An item as it is stored: namespace, key and value as JSON text."""

    namespace: str
    key: str
    value: str
    words: str | None = None
    vectors: tuple[bytes, ...] = ()
    position: int | None = None
    ttl_ms: int | None = None
    version: int | None = None  # of the item that it replaces; 0: of none
    created_at: int | None = None  # of an import
    changed_at: int | None = None
    expires_at: int | None = None


class Deletion(Record):
    """An item to delete."""

    namespace: str
    key: str
    version: int | None = None  # only this one


def new_item(
    namespace: object,
    key: object,
    value: object,
    *,
    text: str | None = None,
    ttl_ms: int | None = None,
    vectors: object = None,
    version: int | None = None,
) -> NewItem:
    """An item of what a caller gives. Raises `InvalidInput`."""
    return NewItem(
        namespace=namespace_text("namespace", namespace),
        key=key_text(key),
        value=exact_json.encoded("value", value),
        words=None if text is None else _checked_text(text),
        ttl_ms=None if ttl_ms is None else validate.check_int("ttl_ms", ttl_ms, 1, LONGEST_TTL_MS),
        vectors=() if vectors is None else _checked_vectors(vectors),
        version=None if version is None else validate.check_int("version", version, 0, MOST_VERSION),
    )


def deletion(namespace: object, key: object, *, version: int | None = None) -> Deletion:
    """What a caller wants to delete. Raises `InvalidInput`."""
    return Deletion(
        namespace=namespace_text("namespace", namespace),
        key=key_text(key),
        version=None if version is None else validate.check_int("version", version, 0, MOST_VERSION),
    )


def new_items(items: object, delete: object = ()) -> tuple[list[NewItem], list[Deletion]]:
    """The items of two lists of dicts. Raises `InvalidInput` with the place of a wrong one."""
    found, gone = _each("items", items, new_item), _each("delete", delete, deletion)
    _check_number([*found, *gone])
    return checked(found), gone


def _each(name: str, given: object, made: Callable[..., T]) -> list[T]:
    """What is made of each dict of a list, which has the arguments of `made`."""
    code = made.__code__
    required = code.co_varnames[: code.co_argcount]
    allowed = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    found = []
    for index, one in enumerate(validate.check_list(name, given)):
        if not hasattr(one, "keys") or not hasattr(one, "items"):
            raise InvalidInput(f"invalid {name}[{index}] {validate.shown(one)}: must be a dict")
        fields: dict[str, Any] = {**one}
        validate.check_fields(map(str, fields), allowed)
        if missing := [field for field in required if field not in fields]:
            raise InvalidInput(f"{name}[{index}] has no {missing[0]}")
        try:
            found.append(made(**fields))
        except InvalidInput as error:
            raise InvalidInput(f"{name}[{index}]: {error}") from error
    return found


def appended(namespace: object, values: object, *, ttl_ms: int | None = None) -> list[NewItem]:
    """Items of values that are appended to a namespace. Raises `InvalidInput`."""
    from jotsam.core.clock import new_id

    listed = validate.check_list("values", values)
    _check_number(listed)
    return checked([new_item(namespace, new_id(), value, ttl_ms=ttl_ms) for value in listed])


def checked(found: list[NewItem]) -> list[NewItem]:
    """The items of one call, if they are not too large together. Raises `InvalidInput`."""
    size = sum(len(text.encode()) for one in found for text in (one.namespace, one.key, one.value, one.words or ""))
    numbers = sum(len(vector) // 4 for one in found for vector in one.vectors)
    if size + NUMBER_BYTES * numbers > MAX_BYTES:
        vectors = f", and {numbers:,} numbers of vectors, each of which counts {NUMBER_BYTES}" if numbers else ""
        raise InvalidInput(
            f"invalid call with {size:,} bytes of namespaces, keys and values{vectors}: must be at most {MAX_BYTES:,};"
            " store parts of it under several keys, in several calls"
        )
    return found


def vector_bytes(name: str, values: object) -> bytes:
    """A vector of numbers as it is stored and compared. Raises `InvalidInput`."""
    numbers = validate.check_list(name, values)
    if not 1 <= len(numbers) <= MAX_DIMENSION:
        raise InvalidInput(f"invalid {name} of {len(numbers):,} numbers: must be 1 to {MAX_DIMENSION:,}")
    for one in numbers:
        if isinstance(one, bool) or not isinstance(one, int | float):
            raise InvalidInput(f"invalid {name} with {validate.shown(one)}: must be a list of int and float")
    try:
        return packed(numbers)
    except (ValueError, OverflowError) as error:
        raise InvalidInput(f"invalid {name}: it has no direction, because its length is 0 or not finite") from error


def check_sent(body: Mapping[str, Any]) -> None:
    """Refuse in a client what the store refuses, because JSON might change it on its way there."""
    if "items" in body:
        new_items(**body)
    elif "values" in body:
        appended(**body)
    elif "value" in body:
        checked([new_item(**body)])
    else:
        for name, value in body.items():
            exact_json.encoded(name, [*value] if isinstance(value, tuple) else value)


def namespace_text(name: str, value: object) -> str:
    return exact_json.encoded(name, [*exact_json.labels(name, value)])


def path_text(name: str, value: object) -> str:
    """The text with which namespaces below a path begin."""
    return exact_json.encoded(name, [*exact_json.labels(name, value, least=0)]).removesuffix("]")


def key_text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise InvalidInput(f"invalid key {validate.shown(value)}: must be a non-empty string")
    return exact_json.encoded("key", value)


def save(
    tx: Transaction, found: Iterable[NewItem], settings: Settings, gone: Iterable[Deletion] = ()
) -> tuple[list[int], int]:
    """Delete items, and save others in their order. Returns the versions of these, and how many were deleted.

    Raises `InvalidInput`, `Conflict` before anything is written.
    """
    listed, removed = [*found], [*gone]
    if settings.store_secrets == "refuse":
        for one in listed:
            _refuse_secrets(tx, one)
    _check_versions(tx, listed, removed)
    number = sum(items.delete(tx, items.address(one.namespace, one.key)) for one in removed)
    saved = items.put(tx, [_indexed(one, now=tx.now) for one in listed])
    if any(is_new for _, is_new in saved):
        queue.register_tenant(tx, queue=ENRICH, tenant=tx.tenant)
    return [version for version, _ in saved], number


def _check_versions(tx: Transaction, put: Iterable[NewItem], gone: Iterable[Deletion]) -> None:
    """Of an item that is deleted and put in one call, the version is that of the deletion."""
    given: dict[str, NewItem | Deletion] = {items.address(one.namespace, one.key): one for one in put}
    given |= {items.address(one.namespace, one.key): one for one in gone}
    wanted = {address: one for address, one in given.items() if one.version is not None}
    found = items.versions(tx, wanted) if wanted else {}
    for address, one in wanted.items():
        if (has := found.get(address, 0)) != one.version:
            state = f"has version {has}" if has else "does not exist"
            raise Conflict(
                f"the item {one.key} in the namespace {one.namespace} {state}, not version {one.version}: read it again"
            )


def _indexed(item: NewItem, *, now: int) -> items.Indexed:
    value, expires_at = exact_json.decoded(item.value), item.expires_at
    if expires_at is None and item.ttl_ms is not None:
        expires_at = now + item.ttl_ms
    row = {
        **{name: one for name, one in item.as_dict().items() if name not in ("vectors", "version")},
        "created_at": now if item.created_at is None else item.created_at,
        "changed_at": now if item.changed_at is None else item.changed_at,
        "expires_at": expires_at,
    }
    text = item_index.texts(value) if item.words is None else item.words
    return items.Indexed(
        row=row,
        is_new=item.version == 0,
        fields=[*item_index.fields(value)],
        words=item_index.words(text),
        vectors=item.vectors,
    )


def _checked_text(text: object) -> str:
    return validate.check_characters("text", validate.check_text("text", text))


def _checked_vectors(vectors: object) -> tuple[bytes, ...]:
    listed = validate.check_list("vectors", vectors)
    if len(listed) > MAX_VECTORS:
        raise InvalidInput(f"invalid vectors: an item has at most {MAX_VECTORS:,}, and these are {len(listed):,}")
    return tuple(vector_bytes(f"vectors[{at}]", one) for at, one in enumerate(listed))


def _check_number(listed: list[Any]) -> None:
    if not 1 <= len(listed) <= MAX_ITEMS:
        raise InvalidInput(f"invalid call with {len(listed):,} items: must be 1 to {MAX_ITEMS}")


def _refuse_secrets(tx: Transaction, item: NewItem) -> None:
    redactor = Redactor(lambda: allowed_secrets.fingerprints(tx))
    for name in ("namespace", "key", "value"):
        redactor.redact_field(name, getattr(item, name))
    for one in redactor.found:
        raise InvalidInput(
            f"the {one.place} of the item contains what looks like a secret ({one.kind}), and store_secrets is refuse:"
            " take it out, or run `jotsam db secrets allow` if it is not a secret"
        )
