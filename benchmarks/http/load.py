"""Many clients at once: 1,000 requests from 100 clients, 200 open event streams, and the memory of the server.

Each client is a thread with a connection of its own and sends its requests one after the other. A receipt that the
server sent must be found in the database once, and nothing without a receipt: none is lost, none is doubled. `wrk`,
where it is installed, measures requests per second of an empty handler and of accepting.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from threading import Barrier, Thread
from time import perf_counter_ns

from benchmarks.http.server import Client, Served, served
from benchmarks.plan import Plan, main
from benchmarks.report import Bound, Report, Table, duration, number
from benchmarks.timing import middle
from jotsam import Jotsam

CLIENTS, REQUESTS, STREAMS = 100, 1_000, 200
LIMIT_MIB = 250
WRK_SECONDS = "5s"
SCRIPT = """
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "Bearer {token}"
local number = 0
local prefix = math.random()
function setup(thread) thread:set("id", tostring(thread)) end
request = function()
  number = number + 1
  return wrk.format(nil, nil, nil, string.format('{{"text": "%s %d: we use Redis for sessions."}}', id, number))
end
"""


def measure(plan: Plan) -> Report:
    db = str(plan.folder / "jotsam.db")
    with served(db) as server:
        empty_mib = server.mebibytes()
        took, receipts = _crowd(server, plan.of(full=REQUESTS, quick=100))
        loaded_mib = server.mebibytes()
        streams = [_stream(server) for _ in range(plan.of(full=STREAMS, quick=10))]
        streaming_mib = server.mebibytes()
        crowded, more = _crowd(server, plan.of(full=REQUESTS, quick=100))
        for stream in streams:
            stream.close()
        stored = _stored(db)  # before `wrk` stores texts whose receipts nobody keeps
        throughput = _wrk(plan.folder, server) if shutil.which("wrk") and not plan.quick else []
    receipts += more
    told = set(receipts)
    lost = len(told - stored.keys())
    doubled = len(receipts) - len(told) + stored.total() - len(told & stored.keys())
    tables = [
        Table(
            caption=f"{len(took):,} requests from {CLIENTS} clients, each accepting a memory.",
            columns=("", "p50", "p99", "slowest"),
            rows=[
                ("alone", *_times(took)),
                (f"beside {len(streams)} event streams", *_times(crowded)),
            ],
        ),
        Table(
            caption="Memory of the server's process.",
            columns=("", "resident"),
            rows=[
                ("started", f"{empty_mib:.0f} MiB"),
                ("after the requests", f"{loaded_mib:.0f} MiB"),
                (f"with {len(streams)} event streams", f"{streaming_mib:.0f} MiB"),
            ],
        ),
    ]
    if throughput:
        tables.append(Table(caption="`wrk` with 2 threads.", columns=("", "requests a second", "p99"), rows=throughput))
    bounds = [
        Bound(promise="accepted over HTTP and lost", measured=lost, limit=0, unit=""),
        Bound(promise="accepted over HTTP and doubled", measured=doubled, limit=0, unit=""),
        Bound(promise="memory of the server with event streams", measured=streaming_mib, limit=LIMIT_MIB, unit="MiB"),
    ]
    return Report(tables=tables, bounds=bounds, conditions=("no worker runs", "every commit synced"))


def _crowd(server: Served, requests: int) -> tuple[list[int], list[str]]:
    """How long each request took in nanoseconds, and the ids in the receipts."""
    took: list[int] = []
    receipts: list[str] = []
    start = Barrier(CLIENTS)

    def send(name: int) -> None:
        client = server.client()
        start.wait()
        for each in range(requests // CLIENTS):
            began = perf_counter_ns()
            status, body = client.request("POST", "/v1/memories", {"text": f"Client {name} sends text {each}."})
            took.append(perf_counter_ns() - began)
            if status == 202:
                receipts.append(json.loads(body)["id"])
        client.close()

    threads = [Thread(target=send, args=(name,)) for name in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(receipts) == requests // CLIENTS * CLIENTS, f"{len(receipts)} of {requests} requests were accepted"
    return took, receipts


def _stream(server: Served) -> Client:
    """An open event stream."""
    client = server.client()
    client.send("GET", "/v1/events")
    assert client.first_bytes(b"\r\n\r\n").startswith(b"HTTP/1.1 200")
    return client


def _stored(db: str) -> Counter[str]:
    """How often each memory is in the database."""
    found: Counter[str] = Counter()
    with Jotsam(db, worker="off") as jot:
        after = None
        while True:
            page = jot.list(limit=200, after=after)
            found.update(memory.id for memory in page.memories)
            if (after := page.next) is None:
                return found


def _times(took: list[int]) -> tuple[str, str, str]:
    ordered = sorted(took)
    return duration(middle(ordered)), duration(ordered[len(ordered) * 99 // 100]), duration(ordered[-1])


def _wrk(folder: Path, server: Served) -> list[tuple[str, str, str]]:
    script = folder / "accept.lua"
    script.write_text(SCRIPT.format(token=server.token))
    sides = {"empty handler": [f"{server.url}/healthz"]}
    sides["accept a memory"] = ["--script", str(script), f"{server.url}/v1/memories"]
    rows = []
    for name, arguments in sides.items():
        command = ["wrk", "--threads", "2", "--connections", "32", "--duration", WRK_SECONDS, "--latency", *arguments]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert "Non-2xx" not in said, said
        speed, slow = re.search(r"Requests/sec:\s*([\d.]+)", said), re.search(r"99%\s*(\S+)", said)
        rows.append((name, number(float(speed[1])), slow[1]))  # type: ignore[index]
    return rows


if __name__ == "__main__":
    main(measure, __doc__)
