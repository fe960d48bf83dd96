"""`Jotsam.store`: exact values by namespace and key. What is put is what is got, or it is refused with the reason.

An item is not a memory: it is not redacted, not extracted from, not merged, and not found by `recall`.
"""

from __future__ import annotations

from jotsam.core import exact_json, validate
from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.operations import Operation
from jotsam.core.store_records import StoreChange, StoredItem, StoreNamespace
from jotsam.ingest import start_worker
from jotsam.memory.reading import item_index, near_items
from jotsam.memory.writing import items as new
from jotsam.storage.database import transact
from jotsam.storage.memories import items

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, TypeVar

    from jotsam.core.settings import Settings
    from jotsam.memory.options import StoreDeletion, StoreItem
    from jotsam.storage.database import Database, Row, Transaction

    T = TypeVar("T")

MAX_LISTED = 1_000
MAX_OFFSET = 1_000_000
MAX_ANSWER_BYTES = 64 << 20  # of the values that one call returns


class Store:
    """The items of one tenant, by namespace and key.

    A namespace is a path of labels, such as `("users", "ana")`, and a key is a text; both are of any length. A value is
    JSON: it comes back equal, or `InvalidInput` says why it is refused. With `tx`, a transaction of `database`, a call
    reads and writes in that.
    """

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database, self._settings, self._tenant = database, settings, settings.tenant

    @Operation(
        route="POST /v1/store/put",
        scope="write",
        body="StorePut: A value to store.",
        check=new.check_sent,
        summary="Store one value",
    )
    def put(
        self,
        namespace: Iterable[str],
        key: str,
        value: Any,
        *,
        text: str | None = None,  # what a search by words looks at; default: all texts in the value
        ttl_ms: int | None = None,  # deleted so long after it was put or read last
        vectors: Iterable[Iterable[float]] | None = None,  # made by your embedder; `search(vector=)` compares them
        version: int | None = None,  # only in place of the item that has this version; 0: only if there is none
        tx: Transaction | None = None,
    ) -> StoreChange:
        """Store a value, in place of the one that has this namespace and key. Raises `Conflict`, `InvalidInput`."""
        given = new.new_item(namespace, key, value, text=text, ttl_ms=ttl_ms, vectors=vectors, version=version)
        return self._save(new.checked([given]), (), tx)

    @Operation(
        route="POST /v1/store/put-many",
        scope="write",
        body="StorePutMany: Items to store, each as the body of `put`, and items to delete first.",
        limits={"items": (0, new.MAX_ITEMS), "delete": (0, new.MAX_ITEMS)},
        check=new.check_sent,
        summary="Store up to 500 values in one commit",
    )
    def put_many(
        self,
        items: Iterable[StoreItem],
        *,
        delete: Iterable[StoreDeletion] = (),  # items to delete before: each a dict of the arguments of `delete`
        tx: Transaction | None = None,
    ) -> StoreChange:
        """Store up to 500 values in one commit, all of them or none. An item is a dict of the arguments of `put`.

        Of several with one namespace and key the last is stored. Raises `Conflict` if one has another version than was
        given, and `InvalidInput`.
        """
        return self._save(*new.new_items(items, delete), tx)

    @Operation(
        route="POST /v1/store/get",
        scope="read",
        body="StoreGet: The namespace and key of an item.",
        check=new.check_sent,
        summary="One item of the store",
    )
    def get(
        self,
        namespace: Iterable[str],
        key: str,
        *,
        refresh: bool = True,  # begin its time to live again
        tx: Transaction | None = None,
    ) -> StoredItem:
        """One item. Raises `NotFound`, `InvalidInput`."""
        labels = exact_json.labels("namespace", namespace)
        found = self.get_many(labels, (key,), refresh=refresh, tx=tx)
        if not found:
            raise _not_found(labels, key)
        return found[0]

    @Operation(
        route="POST /v1/store/get-many",
        scope="read",
        body="StoreGetMany: A namespace and keys of items in it.",
        limits={"keys": (1, new.MAX_ITEMS)},
        check=new.check_sent,
        summary="Items of the store by their keys",
    )
    def get_many(
        self,
        namespace: Iterable[str],
        keys: Iterable[str],
        *,
        refresh: bool = True,  # begin their time to live again
        tx: Transaction | None = None,
    ) -> tuple[StoredItem, ...]:
        """Those of up to 500 items that exist, in the order of the keys. Raises `InvalidInput`."""
        place, listed = new.namespace_text("namespace", namespace), validate.check_list("keys", keys)
        validate.check_int("number of keys", len(listed), 1, new.MAX_ITEMS)
        wanted = [items.address(place, new.key_text(key)) for key in dict.fromkeys(listed)]

        def find(tx: Transaction) -> list[Row]:
            found = {row["address"]: row for row in items.found(tx, wanted)}
            return [found[one] for one in wanted if one in found]

        return self._read_items(find, refresh=refresh, tx=tx)

    @Operation(
        route="POST /v1/store/delete",
        scope="write",
        body="StoreDelete: The namespace and key of an item.",
        check=new.check_sent,
        summary="Delete one item of the store",
    )
    def delete(
        self,
        namespace: Iterable[str],
        key: str,
        *,
        version: int | None = None,  # only the item that has this version
        tx: Transaction | None = None,
    ) -> StoreChange:
        """Delete an item. `number` is 0 if there is none. Raises `Conflict`, `InvalidInput`."""
        return self._save((), (new.deletion(namespace, key, version=version),), tx)

    @Operation(
        route="POST /v1/store/search",
        scope="read",
        body="StoreSearch: What is searched for; without words and filter everything below the namespace.",
        limits={"limit": (1, MAX_LISTED), "offset": (0, MAX_OFFSET)},
        check=new.check_sent,
        summary="Items of the store below a namespace",
    )
    def search(
        self,
        namespace: Iterable[str] = (),  # this one and all below it
        *,
        query: str | None = None,  # words: the best matches first; without it the newest first
        vector: Iterable[float] | None = None,  # in place of words: items with the nearest vectors of its length first
        filter: Mapping[str, Any] | None = None,  # {"field": value}, or {"field": {"$gte": 4, "$lt": 5}}
        limit: int = 50,
        offset: int = 0,  # how many to leave out at the beginning
        refresh: bool = True,  # begin the time to live of what is found again
        tx: Transaction | None = None,
    ) -> tuple[StoredItem, ...]:
        """Items below a namespace: with words of the query, with vectors, or the newest. Equal values are all listed.

        A filter is about fields of values that are objects; its operators are $eq, $ne, $gt, $gte, $lt and $lte. A
        field that is absent counts as null. Raises `InvalidInput`.
        """
        wanted = items.Found(
            path=new.path_text("namespace", namespace),
            conditions=item_index.conditions({} if filter is None else filter),
            limit=validate.check_int("limit", limit, 1, MAX_LISTED),
            offset=validate.check_int("offset", offset, 0, MAX_OFFSET),
        )
        if vector is not None:
            if query:
                raise InvalidInput("give a query or a vector, not both: their scores cannot be compared")
            near = new.vector_bytes("vector", vector)
            return self._read_items(lambda tx: near_items.nearest(tx, wanted, near), refresh=refresh, tx=tx)
        words = [word for word, _ in item_index.words(validate.check_text("query", query))] if query else None
        return self._read_items(lambda tx: items.search(tx, wanted, words=words), refresh=refresh, tx=tx)

    @Operation(
        route="POST /v1/store/namespaces",
        scope="read",
        body="StoreNamespaces: Which namespaces to list.",
        limits={"depth": (1, exact_json.MAX_LABELS), "limit": (1, MAX_LISTED), "offset": (0, MAX_OFFSET)},
        check=new.check_sent,
        summary="Namespaces of the store",
    )
    def namespaces(
        self,
        *,
        prefix: Iterable[str] = (),  # those that begin with these labels
        suffix: Iterable[str] = (),  # and end with these
        depth: int | None = None,  # cut to so many labels, and listed once
        limit: int = 50,
        offset: int = 0,
        tx: Transaction | None = None,
    ) -> tuple[StoreNamespace, ...]:
        """Namespaces that have items, in their order, with the number of items. Raises `InvalidInput`."""
        path, end = new.path_text("prefix", prefix), exact_json.labels("suffix", suffix, least=0)
        most = exact_json.MAX_LABELS if depth is None else depth
        validate.check_int("depth", most, 1, exact_json.MAX_LABELS)
        first = validate.check_int("offset", offset, 0, MAX_OFFSET)
        last = first + validate.check_int("limit", limit, 1, MAX_LISTED)
        found: dict[tuple[str, ...], int] = {}
        for row in self._read(lambda tx: items.namespaces(tx, path), tx):
            labels = tuple(exact_json.decoded(row["namespace"]))
            if labels[len(labels) - len(end) :] == end and len(labels) >= len(end):
                found[labels[:most]] = found.get(labels[:most], 0) + row["items"]
        return tuple(StoreNamespace(namespace=one, items=found[one]) for one in sorted(found)[first:last])

    @Operation(
        route="POST /v1/store/append",
        scope="write",
        body="StoreAppend: Values to append to a namespace.",
        limits={"values": (1, new.MAX_ITEMS)},
        check=new.check_sent,
        summary="Append values to a namespace of the store",
    )
    def append(
        self,
        namespace: Iterable[str],
        values: Iterable[Any],
        *,
        ttl_ms: int | None = None,  # deleted so long after they were appended or read last
        tx: Transaction | None = None,
    ) -> StoreChange:
        """Append up to 500 values to a namespace, in one commit. Each gets a key, and the next position from 0.

        Calls at the same time append one after the other. `position` is that of the first. Raises `InvalidInput`.
        """
        found = new.appended(namespace, values, ttl_ms=ttl_ms)

        def write(tx: Transaction) -> StoreChange:
            first = items.next_position(tx, found[0].namespace)
            numbered = [one.replace(position=first + number) for number, one in enumerate(found)]
            new.save(tx, numbered, self._settings)
            return StoreChange(number=len(found), position=first, at=tx.now)

        return self._write(write, tx, lock=found[0].namespace)

    @Operation(
        route="POST /v1/store/pop",
        scope="write",
        body="StorePop: A namespace to which values were appended.",
        check=new.check_sent,
        keeps_reply=False,
        summary="Take the last value out of a namespace of the store",
    )
    def pop(self, namespace: Iterable[str], *, tx: Transaction | None = None) -> StoredItem:
        """Delete the item that was appended last, and return it. Raises `NotFound`, `InvalidInput`."""
        place = new.namespace_text("namespace", namespace)

        def write(tx: Transaction) -> StoredItem:
            row = items.last(tx, place)
            if row is None:
                raise _not_found(exact_json.decoded(place), None)
            (found,) = _read_values(tx, [row])
            items.delete(tx, row["address"])
            return found

        return self._write(write, tx, lock=place)

    @Operation(
        route="POST /v1/store/clear",
        scope="write",
        body="StoreClear: A namespace.",
        check=new.check_sent,
        summary="Delete all items of a namespace of the store",
    )
    def clear(self, namespace: Iterable[str], *, tx: Transaction | None = None) -> StoreChange:
        """Delete all items of a namespace, and none below it. Raises `InvalidInput`."""
        place = new.namespace_text("namespace", namespace)

        def write(tx: Transaction) -> StoreChange:
            items.lock_all(tx)
            return StoreChange(number=items.clear(tx, place), at=tx.now)

        return self._write(write, tx, lock=place)

    def _save(self, found: Sequence[new.NewItem], gone: Sequence[new.Deletion], tx: Transaction | None) -> StoreChange:
        last = {(one.namespace, one.key): one for one in found}

        def write(tx: Transaction) -> StoreChange:
            if len(last) + len(gone) > 1:
                items.lock_all(tx)
            saved, deleted = new.save(tx, last.values(), self._settings, gone)
            version = saved[0] if len(saved) == 1 else None
            return StoreChange(number=len(saved) + deleted, version=version, at=tx.now)

        return self._write(write, tx)

    def _read_items(
        self, find: Callable[[Transaction], Sequence[Row]], *, refresh: bool, tx: Transaction | None
    ) -> tuple[StoredItem, ...]:
        begins_again = validate.check_bool("refresh", refresh)
        rows = self._read(lambda tx: _read_rows(tx, find(tx)), tx)
        kept = {row["address"] for row in rows if row["ttl_ms"] is not None} if begins_again else set[str]()
        if not kept:
            return tuple(map(_item, rows))

        def write(tx: Transaction) -> int:
            if len(kept) > 1:
                items.lock_all(tx)
            items.refresh(tx, kept)
            return tx.now

        now = self._write(write, tx, durable=False)
        return tuple(
            _item({**row, "expires_at": now + row["ttl_ms"]} if row["address"] in kept else row) for row in rows
        )

    def _read(self, call: Callable[[Transaction], T], tx: Transaction | None) -> T:
        if tx is not None:
            return self._joined(call, tx)
        with self._database.snapshot(tenant=self._tenant) as own:
            return call(own)

    def _write(
        self, call: Callable[[Transaction], T], tx: Transaction | None, *, lock: str = "", durable: bool = True
    ) -> T:
        """The result of a call in one transaction. `lock`: a namespace in which no other call appends meanwhile."""

        def write(tx: Transaction) -> T:
            tx.set_tenant(self._tenant)
            if lock:
                tx.lock(f"append {self._tenant} {lock}")
            return call(tx)

        return self._joined(write, tx) if tx is not None else transact(self._database, write, durable=durable)

    def _joined(self, call: Callable[[Transaction], T], tx: Transaction) -> T:
        """The same in a transaction of the caller. Nothing of the store waits for a worker."""

        def run(tx: Transaction) -> T:
            tx.set_tenant(self._tenant)
            return call(tx)

        return start_worker.commit_with(self._database, tx, run, tenant=self._tenant, worker="off")


def _read_values(tx: Transaction, found: Sequence[Row]) -> tuple[StoredItem, ...]:
    return tuple(map(_item, _read_rows(tx, found)))


def _read_rows(tx: Transaction, found: Sequence[Row]) -> list[Row]:
    """The rows of items that were found, in their order. Raises `InvalidInput` if they are too large together."""
    ids = [row["id"] for row in found]
    if (size := items.size(tx, ids)) > MAX_ANSWER_BYTES:
        raise InvalidInput(
            f"the values of {len(found):,} items have {size:,} bytes: ask for fewer of them at a time, so that it is at"
            f" most {MAX_ANSWER_BYTES:,}"
        )
    rows = items.rows(tx, ids)
    return [{**rows[row["id"]], "score": row.get("score")} for row in found]


def _item(row: Row) -> StoredItem:
    return StoredItem(
        namespace=tuple(exact_json.decoded(row["namespace"])),
        key=exact_json.decoded(row["key"]),
        value=exact_json.decoded(row["value"]),
        **{
            name: row[name]
            for name in ("version", "position", "score", "created_at", "changed_at", "ttl_ms", "expires_at")
        },
    )


def _not_found(namespace: Iterable[str], key: str | None) -> NotFound:
    named = "nothing was appended" if key is None else f"there is no key {validate.shown(key)}"
    return NotFound(f"{named} in the namespace {validate.shown([*namespace])} of the store")
