"""What a client sends for the methods whose requests do not follow from `core.operations`.

Each is a function from the client's own project and actor, and the arguments of the method, to a `Request`, or a
generator that yields several and returns the result.

Takes the pieces of an export from a server, writes them, and knows at the end whether all of it arrived.
"""

from __future__ import annotations

import json
import os
from functools import cache
from typing import TYPE_CHECKING, Any

import jotsam
from jotsam.core import validate
from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import DatabaseUnavailable, InvalidInput
from jotsam.core.new_file import opened
from jotsam.core.record_types import decode
from jotsam.memory.api.admin_client import Admin
from jotsam.memory.api.client import Jotsam
from jotsam.memory.api.knowledge import Knowledge
from jotsam.memory.api.lifecycle_client import Lifecycle
from jotsam.remote import operation_calls
from jotsam.remote.request import ANSWER, Request, asking, list_of, member, reading, record, segment, writing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from os import PathLike
    from typing import BinaryIO, Concatenate, ParamSpec, TypeVar, Unpack

    from jotsam.memory.options import ImportMemoriesOptions, ListOrder, SelectionOptions
    from jotsam.remote.operation_calls import OfClient
    from jotsam.remote.request import Call, Steps

    P = ParamSpec("P")
    S = TypeVar("S")
    T = TypeVar("T")
    Tell = Callable[[str, int, int], object]

WAIT_MS = 20_000  # that one request waits
LIVE = ("waiting", "running")  # states of a run
RUNS = "/v1/lifecycle/runs"
BY_HAND: dict[str, Callable[..., Any]] = {}  # by the names of methods: "Jotsam.wait"


@cache
def request_for(method: Callable[..., Any]) -> Callable[..., Any]:
    """The function that describes a call of a method: written here, or made from its declaration."""
    return BY_HAND.get(method.__qualname__) or operation_calls.request_for(method)


def _call_of(
    method: Callable[Concatenate[S, P], T],
) -> Callable[[Callable[Concatenate[OfClient, P], Call[T]]], Callable[Concatenate[OfClient, P], Call[T]]]:
    """A decorator of what describes a call of the method. A type checker compares both signatures."""

    def register(describe: Callable[Concatenate[OfClient, P], Call[T]]) -> Callable[Concatenate[OfClient, P], Call[T]]:
        BY_HAND[method.__qualname__] = describe
        return describe

    return register


@_call_of(Jotsam.list)
def list_memories(
    of_client: OfClient,
    *,
    order: ListOrder = "newest",
    history: bool = False,
    archived: bool = False,
    after: str | None = None,
    limit: int = 50,
    **selection: Unpack[SelectionOptions],
) -> Request[jotsam.Page]:
    shown = {"history": history, "archived": archived}
    return reading("/v1/memories", _page, {"order": order, **shown, "cursor": after, "limit": limit, **selection})


def _page(answer: Any) -> jotsam.Page:
    memories = list_of(lambda: jotsam.StoredMemory)(answer)
    pending = decode(int, answer.get("pending", 0), name=f"{ANSWER}.pending")
    return jotsam.Page(memories=tuple(memories), next=answer.get("next_cursor"), pending=pending)


@_call_of(Jotsam.get)
def get(
    of_client: OfClient, id: str | None = None, *, key: str | None = None, actor: str | None = None
) -> Request[jotsam.StoredMemory]:
    validate.check_one("id", id, "key", key)
    place = segment("id", id) if key is None else f"by-key/{segment('key', key)}"
    return reading(f"/v1/memories/{place}", record(lambda: jotsam.StoredMemory), {"actor": actor})


@_call_of(Jotsam.wait)
def wait(of_client: OfClient, ids: Iterable[str] = (), *, timeout_ms: int = 60_000) -> Steps[bool]:
    wanted = validate.check_list("ids", ids)
    deadline = monotonic_ms() + validate.check_int("timeout_ms", timeout_ms)
    while True:
        left = max(deadline - monotonic_ms(), 0)
        body = {"ids": wanted, "timeout_ms": min(left, WAIT_MS)}
        if (yield asking("/v1/wait", member("done", bool), body, longer_ms=WAIT_MS)):
            return True
        if left <= WAIT_MS:
            return False


@_call_of(Jotsam.export)
def export(
    of_client: OfClient,
    file: str | PathLike[str] | BinaryIO,
    *,
    vectors: bool = False,
    tell: Tell | None = None,
    **options: Unpack[SelectionOptions],
) -> Steps[jotsam.ExportResult]:
    with opened(file) as out:
        sink, query = ExportSink(out, tell=tell), {"vectors": vectors, **options}
        yield Request(method="GET", path="/v1/export", read=lambda answer: None, query=query, sink=sink.write)
        counts = sink.finish()
    return jotsam.ExportResult(counts=counts, bytes=sink.bytes)


@_call_of(Jotsam.import_memories)
def import_memories(
    of_client: OfClient,
    path: str | PathLike[str],
    *,
    tell: Tell | None = None,
    **options: Unpack[ImportMemoriesOptions],
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


@_call_of(Admin.retry)
def retry(of_client: OfClient, job_id: int) -> Steps[None]:
    _raise_refused((yield request_for(Admin.retry_many)(of_client, [job_id])))


@_call_of(Admin.discard)
def discard(of_client: OfClient, job_id: int) -> Steps[None]:
    _raise_refused((yield request_for(Admin.discard_many)(of_client, [job_id])))


def _raise_refused(changes: Iterable[jotsam.JobChange]) -> None:
    for one in changes:
        if one.error is not None:
            raise one.error


@_call_of(Knowledge.allow)
def allow(of_client: OfClient, secret: str, *, reason: str) -> Request[str]:
    return writing("/v1/allowed-secrets", member("fingerprint", str), {"secret": secret, "reason": reason})


@_call_of(Knowledge.allow_redacted)
def allow_redacted(of_client: OfClient, prefix: str, *, reason: str) -> Request[str]:
    return writing("/v1/allowed-secrets", member("fingerprint", str), {"fingerprint": prefix, "reason": reason})


@_call_of(Knowledge.forbid)
def forbid(of_client: OfClient, prefix: str) -> Request[int]:
    return writing("/v1/allowed-secrets/forbid", member("forbidden", int), {"fingerprint": prefix})


@_call_of(Lifecycle.run)
def run_step(of_client: OfClient, step: str, *, wait_ms: int | None = None) -> Steps[jotsam.LifecycleRun]:
    if wait_ms is not None:
        validate.check_int("wait_ms", wait_ms)
    found: jotsam.LifecycleRun = yield writing(RUNS, record(lambda: jotsam.LifecycleRun), {"step": step})
    return found if wait_ms is None else (yield from _ended(found.id, wait_ms))


@_call_of(Lifecycle.wait)
def wait_for_run(of_client: OfClient, run: str, *, timeout_ms: int = 60_000) -> Steps[jotsam.LifecycleRun]:
    return _ended(run, timeout_ms)


def _ended(run: str, timeout_ms: int) -> Steps[jotsam.LifecycleRun]:
    deadline, path = monotonic_ms() + validate.check_int("timeout_ms", timeout_ms), f"{RUNS}/{segment('run', run)}"
    while True:
        left_ms = min(max(0, deadline - monotonic_ms()), WAIT_MS)
        seconds = -(-left_ms // 1_000)
        found: jotsam.LifecycleRunDetails = yield Request(
            method="GET",
            path=path,
            read=record(lambda: jotsam.LifecycleRunDetails),
            query={"limit": 0},
            headers={"Prefer": f"wait={seconds}"},
            is_safe=True,
            longer_ms=seconds * 1_000,
        )
        if found.run.state not in LIVE or not left_ms:
            return found.run


class ExportSink:
    """Writes pieces to a file. The last line of an export states how many lines of each kind it has."""

    def __init__(self, out: BinaryIO, *, tell: Callable[[str, int, int], object] | None) -> None:
        self._out, self._tell = out, tell
        self._line = b""  # the current one, not complete yet, or the last
        self._memories = 0
        self.bytes = 0

    def write(self, piece: bytes) -> None:
        self._out.write(piece)
        self.bytes += len(piece)
        *whole, rest = (self._line + piece).split(b"\n")
        self._memories += sum(line.startswith(b'{"kind":"memory"') for line in whole)
        self._line = rest or (whole[-1] + b"\n" if whole else b"")
        if self._tell is not None and whole:
            self._tell("memories", self._memories, self._memories)

    def finish(self) -> dict[str, int]:
        """The number of lines of each kind. Raises `DatabaseUnavailable` if the last line is missing."""
        try:
            footer = json.loads(self._line)
        except ValueError:
            footer = None
        if not isinstance(footer, dict) or footer.get("kind") != "footer":
            raise DatabaseUnavailable("the export was cut off before its last line: try again")
        return {str(kind): int(number) for kind, number in footer["counts"].items()}
