"""`/metrics`, `/healthz`, `/readyz` and the log of a real server."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from http_server import HttpServer, serving
from jotsam.core.job_records import JobSpec
from jotsam.storage import connect, queue
from processes import until

THREADS = 40  # of a server process
TEXT = "The launch code of our rocket is 4711."
UNITS = ("_seconds", "_bytes")
COUNTED = (
    "jotsam_lifecycle_runs",
    "jotsam_lifecycle_changes",
    "jotsam_jobs",
    "jotsam_workers",
    "jotsam_spooled_turns",
    "jotsam_queue_paused",
    "jotsam_ready",
    "jotsam_health",
    "jotsam_finding",
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    """A server that has accepted a memory and answered a search."""
    with serving(str(tmp_path_factory.mktemp("metrics") / "jotsam.db"), "--log-format", "json") as running:
        assert running.post("/v1/memories", {"text": TEXT}).status == 202
        assert running.post("/v1/recall", {"question": "rocket"}).status == 200
        yield running


def samples(server: HttpServer, **options: str | None) -> dict[tuple[str, ...], float]:
    """By name and label values."""
    text = server.get("/metrics", **options).content.decode()
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_the_numbers_are_those_of_the_database_and_of_the_requests(served: HttpServer) -> None:
    found = samples(served)
    assert found["jotsam_jobs", "enrich", "enrich", "ready"] == 1
    assert found["jotsam_jobs_accepted_total", "enrich", "enrich"] == 1
    assert found["jotsam_queue_paused", "enrich"] == 0
    assert found["jotsam_oldest_job_age_seconds", "enrich"] > 0
    assert found["jotsam_recall_duration_seconds_count",] == 1
    request = "jotsam_http_request_duration_seconds_count"
    assert found[request, "POST", "/v1/memories", "202"] == 1
    assert 0 < found["jotsam_http_request_duration_seconds_sum", "POST", "/v1/recall", "200"] < 60
    served.get(f"/v1/memories/{'0' * 32}")
    assert samples(served)[request, "GET", "/v1/memories/{id}", "404"] == 1
    assert not any("0" * 32 in label for key in samples(served) for label in key)


def test_names_and_help_are_as_prometheus_recommends(served: HttpServer) -> None:
    answered = served.get("/metrics")
    assert answered.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    odd = []
    for family in text_string_to_metric_families(answered.content.decode()):
        is_counter = family.type == "counter" and all(one.name == f"{family.name}_total" for one in family.samples)
        has_unit = family.name.endswith(UNITS) or family.name in COUNTED
        if not (family.name.startswith("jotsam_") and family.documentation and (is_counter or has_unit)):
            odd.append(family.name)
    assert odd == []


def test_the_page_has_each_metric(served: HttpServer) -> None:
    families = text_string_to_metric_families(served.get("/metrics").content.decode())
    page = (Path(__file__).parents[2] / "docs" / "operations.md").read_text()
    assert [one.name for one in families if not re.search(rf"`{one.name}(_total|_sum)?`", page)] == []


def test_metrics_need_an_operator(served: HttpServer) -> None:
    assert served.get("/metrics", token=None).status == 401
    assert served.get("/metrics", token=served.create_token(scope="admin")).status == 403
    assert served.get("/metrics", token=served.create_token(tenant="other", scope="operator")).status == 200


def test_the_verdict_is_a_word_for_outsiders_and_numbers_for_the_operator(tmp_path: Path) -> None:
    db = str(tmp_path / "jotsam.db")
    with serving(db) as server:
        assert server.get("/readyz", token=None).json == {"status": "ready", "health": "ok"}
        assert samples(server)["jotsam_health",] == 0
        database = connect(db)
        with database.transaction() as tx:
            queue.pause(tx, "enrich", reason="a reason that is not for outsiders")
        database.close()
        ready = server.get("/readyz", token=None)
        assert (ready.status, ready.json) == (200, {"status": "ready", "health": "warning"}), "it can work"
        found = samples(server)
        assert (found["jotsam_health",], found["jotsam_finding", "warning", "paused"]) == (1, 1)


def test_probes_are_open_and_take_any_host(served: HttpServer) -> None:
    for path in ("/healthz", "/readyz"):
        assert served.get(path, token=None, headers={"Host": "10.0.0.7:8787"}).status == 200


def test_a_server_that_cannot_work_is_alive_and_not_ready_and_its_metrics_can_be_open(tmp_path: Path) -> None:
    db = str(tmp_path / "jotsam.db")
    with serving(db, "--open-metrics") as server:
        found = samples(server, token=None)
        assert (found["jotsam_workers",], found["jotsam_ready",]) == (0, 1)
        assert server.get("/readyz", token=None).json == {"status": "ready", "health": "ok"}
        database = connect(db)
        with database.transaction() as tx:
            tx.execute("update jotsam_migration set version = 98 + version, fingerprint = 'x' where schema = 'queue'")
        database.close()
        refused = server.get("/readyz", token=None)
        assert (refused.status, refused.headers["retry-after"]) == (503, "5")
        assert refused.json == {
            "status": "unavailable",
            "reason": "the schema of the database is newer than this program",
        }
        assert samples(server, token=None)["jotsam_ready",] == 0
        Path(db).unlink()
        Path(db).mkdir()
        assert server.get("/readyz", token=None).status == 503
        assert db not in server.get("/readyz", token=None).content.decode()
        assert samples(server, token=None).keys() & {("jotsam_ready",), ("jotsam_workers",)} == {("jotsam_ready",)}
        assert server.get("/healthz", token=None).json == {"status": "ok"}


@pytest.mark.parametrize("begins", ["at the start of the server", "later"])
def test_probes_answer_while_the_database_hangs_and_every_thread_waits_for_it(begins, own_server) -> None:
    """A connection to the database is waited for longer than a request of this test takes at most."""
    with serving(f"{own_server.url()}&connect_timeout=600") as running:
        if begins == "later":
            assert running.get("/readyz", token=None).status == 200
        waiting = [running.connection() for _ in range(THREADS + 5)]
        with own_server.frozen():
            for connection in waiting:
                connection.request("GET", "/v1/status", headers={"Authorization": f"Bearer {running.token}"})
            assert running.get("/healthz", token=None).status == 200
            assert running.get("/readyz", token=None).json["reason"] == "the database does not answer"
            for connection in waiting:
                connection.close()
        until(lambda: running.get("/readyz", token=None).status == 200)


def test_the_log_says_who_asked_what_and_holds_no_secret_and_no_text(tmp_path: Path) -> None:
    with serving(str(tmp_path / "jotsam.db"), "--log-format", "json") as server:
        made = server.post("/v1/memories", {"text": TEXT}, headers={"X-Request-Id": "r-1"})
        server.get("/v1/memories?cursor=rocket-in-the-query", headers={"X-Request-Id": "r-2"})
        server.get(f"/entities?api_key={server.token}", token=None, headers={"X-Request-Id": "r-3"})
        server.get("/readyz", token=None)
        server.get(f"/no/such/path?api_key={server.token}", token=None)
        logged = server.stop()
    lines = [json.loads(line) for line in logged.splitlines()]
    by_request = {line["request_id"]: line for line in lines if "status" in line}
    line = by_request["r-1"]
    assert {name: line[name] for name in ("level", "method", "route", "status", "tenant")} == {
        "level": "info",
        "method": "POST",
        "route": "/v1/memories",
        "status": made.status,
        "tenant": "default",
    }
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["time"])
    assert line["duration_ms"] > 0
    assert line["token"] in server.token
    secret = server.token.split("_", 2)[2]
    assert [word for word in (secret, "rocket", "4711") if word in logged] == []
    assert by_request["r-3"]["status"] in (200, 404)
    assert not any(line.get("route") == "/readyz" for line in lines)
    assert [line["status"] for line in lines if line.get("route") == "(none)"] == [404]


def test_a_request_can_be_followed_to_the_job_that_enriches_what_it_stored(tmp_path: Path) -> None:
    call = {"name": "remember", "arguments": {"text": TEXT}}
    sent = {
        "/v1/memories": {"text": TEXT},
        "/v1/memories/batch": {"items": [{"text": f"{TEXT} {number}"} for number in range(2)]},
        "/memory": {"content": TEXT + " Again."},
        "/mcp": {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call},
    }
    with serving(str(tmp_path / "jotsam.db"), "--log-format", "json", worker=True) as server:
        for path, body in sent.items():
            server.post(path, body, headers={"X-Request-Id": f"to{path}"})
        assert server.post("/v1/wait", {"timeout_ms": 30_000}).json == {"done": True}
        lines = [json.loads(line) for line in server.stop().splitlines()]
    requests = {line["request_id"]: line for line in lines if line.get("ids")}
    done = {line["id"]: line for line in lines if line["logger"] == "jotsam.jobs"}
    assert [f"to{path}" for path in sent] == list(requests)
    assert {id for line in requests.values() for id in line["ids"]} == done.keys()
    job = done[requests["to/v1/memories"]["ids"][0]]
    assert (job["kind"], job["job_id"]) == ("enrich", requests["to/v1/memories"]["job_id"])


def test_the_worker_logs_the_job_and_its_kind_as_fields(tmp_path: Path) -> None:
    db = str(tmp_path / "jotsam.db")
    database = connect(db)
    with database.transaction() as tx:
        job = queue.send(tx, JobSpec(queue="command", kind="command", payload="{}"))
    database.close()
    command = [sys.executable, "-m", "jotsam", "--db", db, "work", "--log-format", "json"]
    worked = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in worked.stderr.splitlines()]
    assert worked.stdout == ""
    assert [line["kind"] for line in lines if line.get("job_id") == job.id] == ["command"]
    assert {line["level"] for line in lines} == {"info", "warning"}


def test_the_processes_of_a_server_count_together_and_log_alike(server) -> None:
    with serving(server.url(), "--workers", "2", "--log-format", "json") as running:
        for _ in range(20):
            assert running.get("/v1/status").status == 200
        count = "jotsam_http_request_duration_seconds_count", "GET", "/v1/status", "200"
        assert [samples(running)[count] for _ in range(6)] == [20] * 6
        lines = [json.loads(line) for line in running.stop().splitlines()]
    assert [line["status"] for line in lines if line.get("route") == "/v1/status"] == [200] * 20
