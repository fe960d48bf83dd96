"""What each method of `Client` sends. The signatures are those of `Jotsam`."""

from __future__ import annotations

import os

import jotsam
from jotsam.core import validate
from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import InvalidInput
from jotsam.core.new_file import opened
from jotsam.core.record_types import decode
from jotsam.core.records import Record
from jotsam.remote.admin_calls import AdminCalls
from jotsam.remote.export_sink import ExportSink
from jotsam.remote.knowledge_calls import KnowledgeCalls
from jotsam.remote.lifecycle_calls import LifecycleCalls
from jotsam.remote.request import (
    ANSWER,
    Request,
    accepting,
    asking,
    given,
    list_of,
    member,
    reading,
    record,
    segment,
    tuple_of,
    writing,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from os import PathLike
    from typing import Any, BinaryIO, Unpack

    from jotsam.memory.options import (
        DocumentItem,
        ImportMemoriesOptions,
        ListOrder,
        MemoryItem,
        MemoryOptions,
        RecallOptions,
        ReprocessOptions,
        SelectionOptions,
        Timestamp,
        TurnOptions,
        UpdateOptions,
    )
    from jotsam.remote.request import Steps

    Results = list[jotsam.ItemResult]  # Inside the class, `list` is a method.
    Tell = Callable[[str, int, int], object]

WAIT_MS = 20_000  # that one request waits
MAX_ITEMS = 500


class Defaults(Record):
    """What a client adds to its calls: the default project and actor. None: the server's own."""

    project: str | None = None
    actor: str | None = None


class MemoryCalls:
    """The methods of `Jotsam` as requests."""

    def __init__(self, defaults: Defaults) -> None:
        self.defaults = defaults
        self.admin = AdminCalls()
        self.knowledge = KnowledgeCalls()
        self.lifecycle = LifecycleCalls()
        self.crystals = self.blocks = {"project": defaults.project, "actor": defaults.actor}

    def __getitem__(self, name: str) -> str | None:
        return self.blocks[name]

    def add(
        self,
        text: str,
        *,
        source: str | None = None,
        project: str | None = None,
        date: Timestamp | None = None,
        key: str | None = None,
        actor: str | None = None,
        session: str | None = None,
    ) -> Request[jotsam.Receipt]:
        fields = given(source=source, project=project, date=date, key=key, actor=actor, session=session)
        return accepting("/v1/documents", record(lambda: jotsam.Receipt), self._item({"text": text, **fields}))

    def add_many(self, items: Iterable[str | DocumentItem]) -> Request[Results]:
        return self._batch("/v1/documents/batch", items)

    def remember(
        self, text: str, *, key: str | None = None, **options: Unpack[MemoryOptions]
    ) -> Request[jotsam.Receipt]:
        body = self._item({"text": text, **given(key=key), **options})
        return accepting("/v1/memories", record(lambda: jotsam.Receipt), body)

    def remember_many(self, items: Iterable[str | MemoryItem]) -> Request[Results]:
        return self._batch("/v1/memories/batch", items)

    def upsert(self, key: str, text: str, **options: Unpack[MemoryOptions]) -> Request[jotsam.UpsertReceipt]:
        path = f"/v1/memories/by-key/{segment('key', key)}"
        body = self._item({"text": text, **options})
        return accepting(path, record(lambda: jotsam.UpsertReceipt), body, method="PUT")

    def add_turn(
        self, text: str, *, session: str, key: str | None = None, **options: Unpack[TurnOptions]
    ) -> Request[jotsam.Receipt]:
        body = self._item({"text": text, "session": session, **given(key=key), **options})
        return accepting("/v1/turns", record(lambda: jotsam.Receipt), body)

    def recall(
        self, question: str = "", *, tokens: int | None = None, limit: int = 50, **options: Unpack[RecallOptions]
    ) -> Request[jotsam.Answer]:
        prefer = given(prefer=self.defaults.project or None)
        body = {"question": question, **given(tokens=tokens), "limit": limit, **prefer, **options}
        return asking("/v1/recall", record(lambda: jotsam.Answer), body)

    def brief(
        self, *, project: str | None = None, actor: str | None = None, tokens: int = 300
    ) -> Request[jotsam.Brief]:
        query = {"project": self.defaults.project if project is None else project, "actor": actor, "tokens": tokens}
        return reading("/v1/brief", record(lambda: jotsam.Brief), query)

    def list(
        self,
        *,
        order: ListOrder = "newest",
        history: bool = False,
        archived: bool = False,
        after: str | None = None,
        limit: int = 50,
        **selection: Unpack[SelectionOptions],
    ) -> Request[jotsam.Page]:
        shown = {"history": history, "archived": archived}
        query = {"order": order, **shown, "cursor": after, "limit": limit, **selection}
        return reading("/v1/memories", _page, query)

    def get(self, id: str, *, actor: str | None = None) -> Request[jotsam.StoredMemory]:
        return reading(f"/v1/memories/{segment('id', id)}", record(lambda: jotsam.StoredMemory), {"actor": actor})

    def versions(self, id: str, *, actor: str | None = None) -> Request[tuple[jotsam.MemoryVersion, ...]]:
        path = f"/v1/memories/{segment('id', id)}/versions"
        return reading(path, tuple_of(lambda: jotsam.MemoryVersion), {"actor": actor})

    def status(self) -> Request[jotsam.Status]:
        return reading("/v1/status", record(lambda: jotsam.Status))

    def update(
        self,
        id: str,
        *,
        version: int | None = None,
        forget_history: bool = False,
        **options: Unpack[UpdateOptions],
    ) -> Request[jotsam.UpdateReceipt]:
        headers = {}
        if version is not None:
            headers = {"If-Match": f'"{validate.check_int("version", version, 1)}"'}
        return Request(
            method="PATCH",
            path=f"/v1/memories/{segment('id', id)}",
            read=record(lambda: jotsam.UpdateReceipt),
            body={"forget_history": forget_history, **options},
            headers=headers,
        )

    def archive(self, id: str) -> Request[jotsam.StoredMemory]:
        return writing(f"/v1/memories/{segment('id', id)}/archive", record(lambda: jotsam.StoredMemory), {})

    def unarchive(self, id: str) -> Request[jotsam.StoredMemory]:
        return writing(f"/v1/memories/{segment('id', id)}/unarchive", record(lambda: jotsam.StoredMemory), {})

    def wait(self, ids: Iterable[str] = (), *, timeout_ms: int = 60_000) -> Steps[bool]:
        wanted = validate.check_list("ids", ids)
        deadline = monotonic_ms() + validate.check_int("timeout_ms", timeout_ms)
        while True:
            left = max(deadline - monotonic_ms(), 0)
            body = {"ids": wanted, "timeout_ms": min(left, WAIT_MS)}
            if (yield asking("/v1/wait", member("done", bool), body, longer_ms=WAIT_MS)):
                return True
            if left <= WAIT_MS:
                return False

    def plan_reprocess(
        self, ids: Iterable[str] = (), *, force: bool = False, **options: Unpack[ReprocessOptions]
    ) -> Request[jotsam.ReprocessPlan]:
        body = {"ids": validate.check_list("ids", ids), "force": force, **options}
        return asking("/v1/reprocess/plan", record(lambda: jotsam.ReprocessPlan), body)

    def reprocess(self, plan: jotsam.ReprocessPlan, *, clear: bool = False) -> Request[int]:
        if not isinstance(plan, jotsam.ReprocessPlan):
            raise InvalidInput(f"plan is {type(plan).__name__}: give what plan_reprocess returned")
        return writing("/v1/reprocess", member("queued", int), {"plan": plan, "clear": clear})

    def plan_forget(
        self,
        *,
        query: str | None = None,
        limit: int = 50,
        person: str | Iterable[str] | None = None,
        **options: Unpack[SelectionOptions],
    ) -> Request[jotsam.ForgetPlan]:
        names = None if person is None else [person] if isinstance(person, str) else [*person]
        body = {**given(query=query, person=names), "limit": limit, **options}
        return asking("/v1/forget/plan", record(lambda: jotsam.ForgetPlan), body)

    def forget(
        self, plan: jotsam.ForgetPlan, *, never_again: bool = False, trash: bool = False
    ) -> Request[jotsam.ForgetReceipt]:
        if not isinstance(plan, jotsam.ForgetPlan):
            raise InvalidInput(f"plan is {type(plan).__name__}: give what plan_forget returned")
        body = {"plan": plan, "never_again": never_again, "trash": trash}
        return writing("/v1/forget", record(lambda: jotsam.ForgetReceipt), body)

    def allow_again(self, text: str) -> Request[int]:
        return writing("/v1/forget/allow-again", member("allowed", int), {"text": text})

    def extract_prompt(self, ids: Iterable[str]) -> Request[str]:
        return asking("/v1/extract-prompt", member("prompt", str), {"ids": validate.check_list("ids", ids)})

    def extract_apply(self, text: str, *, by: str = "") -> Request[Sequence[jotsam.AppliedExtraction]]:
        return writing("/v1/extract-apply", list_of(lambda: jotsam.AppliedExtraction), {"text": text, "by": by})

    def export(
        self,
        file: str | PathLike[str] | BinaryIO,
        *,
        vectors: bool = False,
        tell: Tell | None = None,
        **options: Unpack[SelectionOptions],
    ) -> Steps[jotsam.ExportResult]:
        with opened(file) as out:
            sink = ExportSink(out, tell=tell)
            yield Request(
                method="GET",
                path="/v1/export",
                read=lambda answer: None,
                query={"vectors": vectors, **options},
                sink=sink.write,
            )
            counts = sink.finish()
        return jotsam.ExportResult(counts=counts, bytes=sink.bytes)

    def import_memories(
        self, path: str | PathLike[str], *, tell: Tell | None = None, **options: Unpack[ImportMemoriesOptions]
    ) -> Steps[jotsam.MemoryImport]:
        name = os.fspath(path)
        if not os.path.isfile(name):
            raise InvalidInput(f"{name} is not a file: a client sends one file; `jotsam import` also reads folders")
        size = os.path.getsize(name)
        with open(name, "rb") as file:
            found: jotsam.MemoryImport = yield Request(
                method="POST",
                path="/v1/import",
                read=record(lambda: jotsam.MemoryImport),
                query={**options},
                upload=file,
                upload_bytes=size,
                longer_ms=size // 10,  # 10 MB a second
            )
        if tell is not None:
            tell(name, size, size)
        return found.replace(problems=tuple(problem.replace(path=name) for problem in found.problems))

    def _item(self, fields: dict[str, Any]) -> dict[str, Any]:
        """The fields of a document or memory, with the project and actor of this client where none is given."""
        defaults = given(project=self.defaults.project or None, actor=self.defaults.actor)
        return {**defaults, **fields}

    def _batch(self, path: str, wanted: Iterable[Any]) -> Request[Results]:
        found = validate.check_list("items", wanted)
        if len(found) > MAX_ITEMS:
            raise InvalidInput(f"invalid items: {len(found):,} are given: must be at most {MAX_ITEMS} a call")
        sent = [self._item({"text": one} if isinstance(one, str) else one) if _is_item(one) else one for one in found]
        return accepting(path, list_of(lambda: jotsam.ItemResult), {"items": sent})


def _is_item(value: object) -> bool:
    return isinstance(value, str) or (hasattr(value, "keys") and hasattr(value, "items"))


def _page(answer: Any) -> jotsam.Page:
    memories = list_of(lambda: jotsam.StoredMemory)(answer)
    pending = decode(int, answer.get("pending", 0), name=f"{ANSWER}.pending")
    return jotsam.Page(memories=tuple(memories), next=answer.get("next_cursor"), pending=pending)
