"""`jotsam server start` as a process: how it starts, what it refuses, how it stops."""

from __future__ import annotations

import os
import pty
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn

from http_server import HttpServer, serving
from jotsam import Jotsam
from jotsam.core.errors import InvalidInput
from jotsam.core.settings import Settings
from jotsam.memory.access.tokens import find_principal
from jotsam.surfaces.cli.operate import serve as cli_serve
from jotsam.surfaces.http import serve
from jotsam.surfaces.http.server.hosts import allowed_hosts, check_host, check_origin
from jotsam.surfaces.http.server.http_error import HttpError
from jotsam.surfaces.http.server.options import ServeOptions
from processes import until


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    with serving(str(tmp_path_factory.mktemp("serve") / "jotsam.db"), forked=False) as running:
        yield running


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "jotsam", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "JOTSAM_ASYNC": "0"}, timeout=60)


def test_the_first_start_makes_a_token_that_only_its_owner_can_read(tmp_path: Path) -> None:
    db = tmp_path / "new.db"
    command = [sys.executable, "-m", "jotsam", "--db", str(db), "serve", "--port", "0", "--no-worker"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            assert process.stdout
            line = process.stdout.readline()
        finally:
            process.send_signal(signal.SIGTERM)
    token = Path(f"{db}.token")
    assert f"$(cat {token})" in line
    assert token.read_text().startswith("jot_")
    assert token.stat().st_mode & 0o777 == 0o600


def test_a_token_that_was_revoked_is_none_for_a_start(tmp_path: Path) -> None:
    """Another address than loopback is refused without a valid token, and the file of this machine gets a new one."""
    db = tmp_path / "new.db"
    path = Path(f"{db}.token")
    with Jotsam(db, worker="off") as jot:
        revoked = jot.admin.create_token(name="local", scope="admin")
        jot.admin.revoke_token(revoked.id)
        path.write_text(revoked.secret)
        refused = run("--db", str(db), "serve", "--host", "0.0.0.0", "--port", "0")
        assert (refused.returncode, "jotsam server tokens create" in refused.stderr) == (1, True)
        assert cli_serve._token_file(jot.settings) == str(path)
        assert find_principal(jot.database, path.read_text().strip())
        assert cli_serve._token_file(jot.settings) == str(path)
        assert len(jot.admin.tokens()) == 2
        jot.admin.revoke_token(jot.admin.tokens()[1].id)
        jot.scoped(tenant="shop").admin.create_token(name="shop", scope="read")
        assert cli_serve._token_file(jot.settings) is None, "tokens are managed by hand"


def test_several_processes_beside_a_file_are_refused(tmp_path: Path) -> None:
    refused = run("--db", str(tmp_path / "new.db"), "serve", "--workers", "2", "--port", "0")
    assert refused.returncode == 1
    assert "one writer" in refused.stderr
    assert not (tmp_path / "new.db.token").exists()


def test_a_host_that_is_none_is_an_error_that_names_the_option() -> None:
    for host in ("a..b", "x" * 300):
        with pytest.raises(InvalidInput, match=r"cannot listen on '.*choose an address of this machine with --host"):
            serve._listen(ServeOptions(host=host, port=0))


def test_a_port_in_use_is_an_error_that_names_it(served: HttpServer, tmp_path: Path) -> None:
    port = served.url.rpartition(":")[2]
    refused = run("--db", str(tmp_path / "new.db"), "serve", "--port", port)
    assert refused.returncode == 1
    assert f"127.0.0.1:{port}: Address already in use" in refused.stderr


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_a_request_that_has_begun_is_finished_when_a_signal_stops_the_server(tmp_path: Path, name: str) -> None:
    with serving(str(tmp_path / "jotsam.db")) as server:
        connection = server.connection()
        body = b'{"text": "We use Redis."}'
        connection.putrequest("POST", "/v1/memories")
        connection.putheader("Authorization", f"Bearer {server.token}")
        connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body[:5])
        assert server.get("/v1/status").status == 200  # So the server has read the first half.
        server.process.send_signal(getattr(signal, name))
        connection.send(body[5:])
        assert connection.getresponse().status == 202
        connection.close()
        assert server.process.wait(60) == 0
    with Jotsam(tmp_path / "jotsam.db", worker="off") as jot:
        assert [memory.text for memory in jot.list().memories] == ["We use Redis."]


def test_a_request_that_a_stopping_server_does_not_wait_for_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(serve, "GRACE_S", 0)
    settings = Settings(db=str(tmp_path / "jotsam.db"), worker="off", http_token="t" * 20)
    config = serve._config(settings, ServeOptions(), None)
    running = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
        thread.start()
        with socket.create_connection(listening.getsockname(), 60) as slow:
            slow.sendall(b"POST /v1/memories HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n")
            slow.sendall(b"Authorization: Bearer " + b"t" * 20 + b"\r\n\r\n{")
            until(lambda: bool(running.server_state.tasks))
            config.loaded_app.state.server.stopping.set()  # as the signal does
            running.should_exit = True
            answer = slow.makefile("rb").read()
        thread.join()
    assert answer.startswith(b"HTTP/1.1 503 ")
    assert b"the server stopped before this request was done" in answer
    assert not [record for record in caplog.records if record.exc_info]


def test_the_worker_beside_it_does_the_work_and_is_replaced_when_it_is_killed(tmp_path: Path) -> None:
    with serving(str(tmp_path / "jotsam.db"), worker=True) as server:
        first = server.post("/v1/memories", {"text": "We use Redis."}, headers={"Prefer": "wait=30"})
        assert first.status == 200
        os.kill(server.get("/v1/status").json["worker_pid"], signal.SIGKILL)
        second = server.post("/v1/memories", {"text": "Ana prefers PostgreSQL."}, headers={"Prefer": "wait=30"})
        assert second.status == 200
        logged = server.stop()
    assert "the worker ended with code -9" in logged


def test_at_a_terminal_the_worker_writes_log_lines_and_draws_no_bar(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "jotsam", "--db", str(tmp_path / "jotsam.db"), "serve", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, start_new_session=True)
    os.close(theirs)
    shown = b""
    try:
        while b"working on" not in shown:
            shown += os.read(ours, 4_096)
        process.send_signal(signal.SIGINT)
        while b"INFO stopped\r\n" not in shown:
            shown += os.read(ours, 4_096)
        assert process.wait(60) == 0
    finally:
        process.kill()
        os.close(ours)
    lines = shown.decode().splitlines()
    assert [line for line in lines if not re.match(r"\d{4}-\d\d-\d\dT[\d:]+Z INFO ", line)] == []


def test_a_file_that_was_deleted_is_missed_until_it_is_restored(tmp_path: Path) -> None:
    path, copy = tmp_path / "jotsam.db", str(tmp_path / "copy.db")
    with serving(str(path), worker=True) as server:
        assert server.post("/v1/memories", {"text": "We use Redis."}, headers={"Prefer": "wait=30"}).status == 200
        assert run("--db", str(path), "backup", copy).returncode == 0
        worker = server.get("/v1/status").json["worker_pid"]
        for suffix in ("", "-wal", "-shm"):
            Path(f"{path}{suffix}").unlink(missing_ok=True)
        os.kill(worker, signal.SIGKILL)  # It has the file open, and another one would create it.
        assert [server.get(route).status for route in ("/v1/status", "/readyz", "/healthz")] == [503, 503, 200]
        assert not path.exists()
        assert run("--db", str(path), "restore", copy).returncode == 0
        assert server.get("/v1/status").json["memories"] == 1
        again = server.post("/v1/memories", {"text": "Ana uses Vim."}, headers={"Prefer": "wait=30"})
        assert again.status == 200
        assert f"{path} was deleted: restore it" in server.stop()


def test_where_the_database_is_is_told_to_the_log_and_not_to_clients(tmp_path: Path) -> None:
    path = tmp_path / "jotsam.db"
    with serving(str(path), environ={"JOTSAM_LOCK_TIMEOUT_MS": "100"}) as server:
        with Jotsam(path, worker="off") as jot, jot.database.transaction():
            refused = [server.post("/v1/memories", {"text": "x"}), server.post("/memory", {"content": "x"})]
        path.rename(tmp_path / "moved.db")
        refused.append(server.get("/v1/status", token="jot_0123456789ab_x"))
        logged = server.stop()
    assert [answer.status for answer in refused[:2]] == [503, 503]
    assert refused[0].json["detail"] == "the database is busy, and nothing was written: try again"
    assert not [answer for answer in refused if str(tmp_path).encode() in answer.content]
    assert f"request {refused[0].json['request_id']} failed: {path}: " in logged


def test_hosts_and_origins_of_other_sites_are_refused(served: HttpServer) -> None:
    assert served.get("/v1/status", headers={"Host": "evil.example"}).status == 421
    assert served.get("/v1/status", headers={"Origin": "https://evil.example"}).status == 403
    assert served.get("/v1/status", headers={"Host": "localhost:1234", "Origin": "http://127.0.0.1:99"}).status == 200


def test_an_address_is_no_name_that_another_site_could_have_bound() -> None:
    for listening in ("0.0.0.0", "::", "fd00::1", "10.0.0.7"):
        allowed = allowed_hosts(listening, ("memory.example",))
        for host in ("192.0.2.7:8787", "[fd00::1]:8787", "memory.example", "localhost:1"):
            check_host({"host": host}, allowed)
            check_origin({"host": host, "origin": f"http://{host}"}, hosts=allowed, origins=frozenset())
        for host in ("evil.example", "", "192.0.2.7.evil.example", "::1.evil.example"):
            with pytest.raises(HttpError, match="unknown host"):
                check_host({"host": host}, allowed)
        for origin in ("http://192.0.2.9:8787", "https://evil.example", "null", "http://"):
            with pytest.raises(HttpError, match="unknown origin"):
                check_origin({"host": "192.0.2.7:8787", "origin": origin}, hosts=allowed, origins=frozenset())
    for listening in ("127.0.0.1", "::1", "127.0.0.2", "localhost"):
        with pytest.raises(HttpError, match="unknown host"):
            check_host({"host": "192.0.2.7:8787"}, allowed_hosts(listening, ()))


def test_allowed_hosts_and_origins_are_answered(tmp_path: Path) -> None:
    allowed = "--allow-host", "memory.example", "--allow-origin", "https://viewer.example"
    with serving(str(tmp_path / "jotsam.db"), *allowed) as server:
        headers = {"Host": "memory.example", "Origin": "https://viewer.example"}
        found = server.get("/v1/status", headers=headers)
        assert found.status == 200
        assert found.headers["access-control-allow-origin"] == "https://viewer.example"


def test_a_token_is_needed_and_its_scope_counts(served: HttpServer) -> None:
    reader = served.create_token(scope="read")
    assert served.get("/v1/status", token=None).status == 401
    assert served.get("/v1/status", token="jot_0_0").status == 401
    assert served.get("/v1/status", token=reader).status == 200
    refused = served.post("/v1/memories", {"text": "x"}, token=reader)
    assert (refused.status, refused.json["code"]) == (403, "forbidden")
    assert refused.headers["content-type"] == "application/problem+json"


def test_a_request_id_of_the_client_is_kept_and_an_odd_one_replaced(served: HttpServer) -> None:
    assert served.get("/v1/status", headers={"X-Request-Id": "abc-1"}).headers["x-request-id"] == "abc-1"
    assert served.get("/v1/status", headers={"X-Request-Id": "a b"}).headers["x-request-id"] != "a b"


def test_an_id_with_a_slash_is_one_part_of_a_path(served: HttpServer) -> None:
    served.post("/v1/memories", {"text": "We use Redis.", "external_id": "notes/1 ä"})
    assert served.get("/v1/memories/notes%2f1%20%C3%A4").json["text"] == "We use Redis."
    assert served.get("/v1/memories/notes/1%20%C3%A4").status == 404


def test_a_token_in_another_place_counts_on_the_routes_of_automem_only(served: HttpServer) -> None:
    for path, expected in (("/v1/status", 401), ("/graph/types", 200)):
        assert served.get(path, token=None, headers={"X-API-Key": served.token}).status == expected
    assert served.get(f"/graph/types?api_key={served.token}", token=None).status == 200
    assert served.get(f"/v1/status?api_key={served.token}", token=None).status == 401
    reprocess = f"/enrichment/reprocess?admin_token={served.token}"
    assert served.post(reprocess, {"ids": ["7"]}, headers={"X-Request-Id": "last"}).status == 404
    until(lambda: any("request last," in line for line in served.logged_so_far))
    logged = "".join(served.logged_so_far)
    assert "GET /graph/types has a token as ?api_key=, which" in logged
    assert "POST /enrichment/reprocess has a token as ?admin_token=, which" in logged
    assert served.token.split("_", 2)[2] not in logged


def test_each_request_that_changes_something_is_audited_once(served: HttpServer) -> None:
    tokens = {name: served.create_token(tenant="audited", scope="write") for name in ("first", "second")}
    kept = served.post("/v1/memories", {"text": "We use Redis."}, token=tokens["first"], headers={"X-Request-Id": "a"})
    assert kept.status == 202
    call = {"name": "remember", "arguments": {"text": "Tabs."}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    assert served.post("/mcp", body, token=tokens["second"], headers={"X-Request-Id": "b"}).status == 200
    for path, sent in (("/v1/memories", {"text": ""}), ("/v1/recall", {"question": "Redis"})):
        served.post(path, sent, token=tokens["first"])
    for request_id in ("c", "repeated"):
        told = {"X-Request-Id": request_id, "Idempotency-Key": "key"}
        again = served.post("/v1/memories", {"text": "Ana uses Vim."}, token=tokens["first"], headers=told)
        assert again.status == 202
    with Jotsam(served.db, tenant="audited", worker="off") as jot:
        found = [(entry.request, entry.action, entry.address) for entry in reversed(jot.admin.audit()) if entry.token]
    changes = [("a", "POST /v1/memories"), ("b", "POST /mcp remember"), ("c", "POST /v1/memories")]
    assert found == [(*change, "127.0.0.1") for change in changes]


def test_the_numbers_of_all_tenants_are_for_tokens_of_the_servers_own(served: HttpServer) -> None:
    assert served.get("/metrics").status == 200
    assert served.get("/metrics", token=served.create_token(tenant="other")).status == 403


def test_a_model_server_without_a_model_is_refused_at_the_start(tmp_path: Path) -> None:
    """Each worker beside the server would end with this error."""
    environ = {**os.environ, "JOTSAM_LLM_URL": "http://127.0.0.1:9/v1"}
    command = [sys.executable, "-m", "jotsam", "--db", str(tmp_path / "m.db"), "serve", "--port", "0"]
    done = subprocess.run(command, capture_output=True, text=True, env=environ, timeout=60)
    assert (done.returncode, done.stdout) == (1, "")
    assert "llm_url is set but llm_model is not: set the name of the model (JOTSAM_LLM_MODEL)" in done.stderr
