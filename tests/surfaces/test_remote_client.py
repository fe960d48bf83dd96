"""`Client` and `AsyncClient` against a server that fails in every way a server can."""

from __future__ import annotations

import asyncio
import inspect
import io
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripted_server import Scripted, ScriptedServer, problem

import jotsam
from jotsam import AsyncClient, Client, Receipt
from jotsam.remote.methods import PARTS
from tls_front import TlsFront

RECEIPT = {"id": "4d5e", "job_id": 7, "duplicate": False, "warnings": [], "forgotten": False}
TAKEN = Scripted(202, RECEIPT)
LOST = Scripted(cut=0)

FOOTER = b'{"kind":"footer","lines":3,"counts":{"memory":1}}\n'
EXPORT = b'{"kind":"header"}\n{"kind":"memory","id":"x"}\n' + FOOTER


@pytest.fixture(params=["sync", "async"])
def call(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Calls a method of a client of either kind: `call(url, "add", "text")`."""

    def sync(url: str, name: str, *arguments: object, **options: object) -> object:
        with Client(url, token="jot_a_b") as client:
            return getattr(client, name)(*arguments, **options)

    async def awaited(url: str, name: str, *arguments: object, **options: object) -> object:
        async with AsyncClient(url, token="jot_a_b") as client:
            return await getattr(client, name)(*arguments, **options)

    return {"sync": sync, "async": lambda *a, **o: asyncio.run(awaited(*a, **o))}[request.param]


def test_each_method_has_the_signature_of_the_original() -> None:
    pairs = (
        (jotsam.Jotsam, Client, AsyncClient),
        (jotsam.Admin, PARTS[jotsam.Admin], jotsam.AsyncAdmin),
        (jotsam.Knowledge, PARTS[jotsam.Knowledge], jotsam.AsyncKnowledge),
        (jotsam.Blocks, PARTS[jotsam.Blocks], jotsam.AsyncBlocks),
        (jotsam.Lifecycle, PARTS[jotsam.Lifecycle], jotsam.AsyncLifecycle),
        (jotsam.Crystals, PARTS[jotsam.Crystals], jotsam.AsyncCrystals),
    )
    offenders = []
    for original, sync, awaited in pairs:
        for name, member in inspect.getmembers(original):
            if name.startswith("_") or not inspect.isfunction(member):
                continue
            wanted = dict(inspect.signature(member).parameters)
            wanted.pop("tx", None)
            for kind in (sync, awaited):
                same = getattr(kind, name, None)
                if same is None or dict(inspect.signature(same).parameters) != wanted:
                    offenders.append(f"{kind.__name__}.{name}")
            if name != "scoped" and not inspect.iscoroutinefunction(getattr(awaited, name)):
                offenders.append(f"{awaited.__name__}.{name} is no coroutine")
    assert offenders == []


def test_what_is_accepted_is_sent_again_with_the_same_key_until_it_is_answered(call: Callable[..., Any]) -> None:
    with ScriptedServer(LOST, Scripted(503, {"detail": "?"}), problem(503, "unavailable", "busy"), TAKEN) as server:
        assert call(server.url, "remember", "x") == Receipt(id="4d5e", job_id=7)
    assert len(server.sent) == 4
    assert len({one.headers["idempotency-key"] for one in server.sent}) == 1
    assert {one.headers["authorization"] for one in server.sent} == {"Bearer jot_a_b"}
    assert [json.loads(one.body) for one in server.sent] == [{"text": "x"}] * 4


def test_after_three_retries_the_error_is_raised(call: Callable[..., Any]) -> None:
    with (
        ScriptedServer(problem(503, "unavailable", "the disk is full", Retry_After="0")) as server,
        pytest.raises(jotsam.DatabaseUnavailable, match="the disk is full") as caught,
    ):
        call(server.url, "add", "x")
    assert len(server.sent) == 4
    assert caught.value.retry


def test_a_call_that_could_take_effect_twice_is_not_sent_again(call: Callable[..., Any]) -> None:
    for name, arguments in (("supersede", ("a", "b")), ("update", ("a",)), ("allow_again", ("x",))):
        with ScriptedServer(LOST) as server, pytest.raises(jotsam.DatabaseUnavailable, match=server.url):
            call(server.url, name, *arguments)
        assert len(server.sent) == 1, name
    with ScriptedServer(LOST, Scripted(200, {"done": True})) as server:
        assert call(server.url, "wait", ["x"], timeout_ms=0)  # It changes nothing.


def test_a_long_wait_asked_for_by_the_server_is_left_to_the_caller(call: Callable[..., Any]) -> None:
    limited = problem(429, "rate-limited", "60 requests a minute", Retry_After="3600")
    with ScriptedServer(limited) as server, pytest.raises(jotsam.DatabaseUnavailable, match="60 requests"):
        call(server.url, "status")
    assert len(server.sent) == 1


def test_each_code_becomes_the_exception_of_the_library(call: Callable[..., Any]) -> None:
    wanted = {
        (400, "invalid-input"): jotsam.InvalidInput,
        (401, "unauthorized"): jotsam.DatabaseUnusable,
        (403, "forbidden"): jotsam.DatabaseUnusable,
        (404, "not-found"): jotsam.NotFound,
        (409, "conflict"): jotsam.Conflict,
        (412, "conflict"): jotsam.Conflict,
        (413, "too-large"): jotsam.InvalidInput,
        (422, "key-reused"): jotsam.Conflict,
        (500, "unusable"): jotsam.DatabaseUnusable,
        (500, "internal"): jotsam.DatabaseUnusable,
    }
    for (status, code), kind in wanted.items():
        with ScriptedServer(problem(status, code, "because")) as server, pytest.raises(jotsam.JotsamError) as caught:
            call(server.url, "get", "x")
        assert type(caught.value) is kind, code
        assert "because" in str(caught.value)
        assert len(server.sent) == 1


def test_an_answer_that_is_not_of_a_server_of_jotsam_is_shown(call: Callable[..., Any]) -> None:
    wanted = (
        (Scripted(200, b"<html>"), "does not understand"),
        (Scripted(200, ["a list"]), "the answer is"),
        (Scripted(200, {"id": "x"}), "it has no job_id"),
        (Scripted(404, b"<h1>nginx</h1>"), "nginx"),
        (Scripted(200, b"[" * 100_000), "does not understand"),
        (Scripted(200, b"no gzip", headers={"Content-Encoding": "gzip"}), "cannot be decoded"),
        (Scripted(308, b"", headers={"Location": "https://elsewhere.org/"}), "redirects to 'https://elsewhere.org/'"),
    )
    for answer, message in wanted:
        with ScriptedServer(answer) as server, pytest.raises(jotsam.DatabaseUnusable, match=message):
            call(server.url, "add", "x")


def test_a_server_that_is_not_there_is_named(call: Callable[..., Any]) -> None:
    with ScriptedServer(TAKEN) as server:
        pass
    with pytest.raises(jotsam.DatabaseUnavailable, match=server.url):
        call(server.url, "supersede", "a", "b")


def test_a_server_whose_certificate_is_not_trusted_is_sent_nothing(call: Callable[..., Any], tmp_path: Path) -> None:
    with ScriptedServer(TAKEN) as server:
        front = TlsFront(tmp_path, port=int(server.url.rpartition(":")[2]))
        with pytest.raises(jotsam.DatabaseUnavailable, match="certificate verify failed"):
            call(f"https://127.0.0.1:{front.port}", "supersede", "a", "b")
        front.close()
    assert server.sent == []


def test_a_list_that_is_longer_than_a_page_is_read_page_by_page() -> None:
    names = ("tenant", "request", "token", "name", "action", "subject", "address")
    entry = {**dict.fromkeys(names, "x"), "id": 7, "created_at": 1}
    pages = ({"items": [entry] * 200, "next_cursor": "7"}, {"items": [entry], "next_cursor": None})
    with ScriptedServer(*(Scripted(200, page) for page in pages)) as server, Client(server.url) as client:
        assert len(client.admin.audit(limit=300)) == 201
    assert [one.path for one in server.sent] == ["/v1/audit?limit=200", "/v1/audit?cursor=7&limit=100"]


def test_ids_of_any_characters_stay_one_part_of_the_path(call: Callable[..., Any]) -> None:
    ids = {
        "a/b": "a%2Fb",
        "..": "%2E%2E",
        ".": "%2E",
        "a?b#c": "a%3Fb%23c",
        "100%": "100%25",
        "日本": "%E6%97%A5%E6%9C%AC",
        " x": "%20x",
    }
    for id, quoted in ids.items():
        with ScriptedServer(problem(404, "not-found", "no")) as server, pytest.raises(jotsam.NotFound):
            call(server.url, "get", id)
        assert server.sent[0].path == f"/v1/memories/{quoted}"


def test_what_json_cannot_hold_is_refused_before_anything_is_sent(call: Callable[..., Any]) -> None:
    wrong: tuple[tuple[str, tuple[object, ...], dict[str, object]], ...] = (
        ("add", (b"x",), {}),
        ("remember", ("x",), {"importance": float("nan")}),
        ("remember", ("x",), {"tx": object()}),
        ("remember", ("x",), {"metadata": {1: "a"}}),
        ("remember", ("x",), {"metadata": {"a": {1j}}}),
        ("get", ("",), {}),
        ("get", (3,), {}),
        ("get", ("\ud800",), {}),
        ("get", ("x" * 100_000,), {}),
        ("wait", ("abc",), {}),
        ("reprocess", (["a"],), {}),
        ("work", (), {}),
        ("import_memories", ("/no/such/file",), {}),
        ("import_memories", ("/",), {}),
    )
    with ScriptedServer(TAKEN) as server:
        for name, arguments, options in wrong:
            with pytest.raises(jotsam.InvalidInput):
                call(server.url, name, *arguments, **options)
    assert server.sent == []


def test_an_export_has_its_name_only_when_all_of_it_arrived(call: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    for answer in (
        Scripted(200, EXPORT, cut=30),
        Scripted(200, EXPORT[: -len(FOOTER)]),
        Scripted(200, b""),
        problem(403, "forbidden", "needs the scope admin"),
    ):
        with ScriptedServer(answer) as server, pytest.raises(jotsam.JotsamError):
            call(server.url, "export", path)
        assert list(tmp_path.iterdir()) == []
    with ScriptedServer(Scripted(200, EXPORT)) as server:
        told: list[tuple[str, int, int]] = []
        result = call(server.url, "export", path, project="p", tell=lambda *step: told.append(step))
        assert result == jotsam.ExportResult(counts={"memory": 1}, bytes=len(EXPORT))
        assert path.read_bytes() == EXPORT
        assert server.sent[0].path == "/v1/export?vectors=false&project=p"
        assert told[-1] == ("memories", 1, 1)
        out = io.BytesIO()
        call(server.url, "export", out)
        assert out.getvalue() == EXPORT


def test_an_import_is_sent_as_a_stream_of_a_known_length(call: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    path.write_bytes(EXPORT * 5_000)
    answer = {"format": "jotsam", "added": {"memory": 1}, "duplicates": {}, "skipped": {}, "forgotten": {}}
    problems = [{"path": "upload", "line": 3, "reason": "no text"}]
    with ScriptedServer(Scripted(200, {**answer, "problems": problems})) as server:
        result = call(server.url, "import_memories", path, format="jotsam")
    assert server.sent[0].body == path.read_bytes()
    assert "transfer-encoding" not in server.sent[0].headers
    assert result.added == {"memory": 1}
    assert result.problems[0].path == str(path)


def test_the_address_and_token_are_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedServer(TAKEN) as server:
        monkeypatch.setenv("JOTSAM_URL", server.url + "/")
        monkeypatch.setenv("JOTSAM_TOKEN", "jot_c_d")
        with Client(project="shop") as client:
            client.scoped(actor="ana").add("x")
    assert server.sent[0].headers["authorization"] == "Bearer jot_c_d"
    assert json.loads(server.sent[0].body) == {"project": "shop", "actor": "ana", "text": "x"}


def test_a_proxy_is_not_asked_for_a_server_of_this_machine(
    call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedServer(TAKEN) as proxy:
        pass  # Nothing listens there any more.
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, proxy.url)
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with ScriptedServer(TAKEN) as server:
        assert call(server.url, "add", "x").job_id == 7


def test_wrong_addresses_tokens_and_tenants_are_refused() -> None:
    wrong: tuple[dict[str, Any], ...] = (
        {"url": "memory.example.org"},
        {"url": "postgresql://a/b"},
        {"url": "http://"},
        {"url": "http://ana:secret@a"},
        {"url": "http://[a"},
        {"url": 3},
        {"url": "http://a", "token": "a\nb"},
        {"url": "http://a", "token": 3},
        {"url": "http://a", "timeout_ms": 0},
        {"url": "http://a", "project": 3},
    )
    for options in wrong:
        for kind in (Client, AsyncClient):
            with pytest.raises(jotsam.InvalidInput) as caught:
                kind(**options)
            assert "secret" not in str(caught.value)
    with pytest.raises(jotsam.InvalidInput, match="a token belongs to one tenant"):
        Client("http://a").scoped(tenant="eve")


def test_no_representation_and_no_pickle_contains_the_token() -> None:
    for client in (Client("http://a", token="jot_a_secret"), AsyncClient("http://a", token="jot_a_secret")):
        assert "secret" not in repr(client) + repr(client._connection) + repr(client._connection.address)
        with pytest.raises(TypeError, match="cannot be pickled"):
            pickle.dumps(client)


def test_a_closed_client_says_so_and_a_scoped_one_closes_nothing() -> None:
    with ScriptedServer(TAKEN) as server:
        client = Client(server.url)
        client.scoped(project="p").close()
        client.add("x")
        client.close()
        with pytest.raises(jotsam.DatabaseClosed):
            client.add("x")


def test_an_async_client_can_be_used_in_several_event_loops() -> None:
    with ScriptedServer(TAKEN._replace(headers={"Connection": "close"})) as server:
        client = AsyncClient(server.url)
        for _ in range(2):
            assert asyncio.run(client.add("x")).job_id == 7
        asyncio.run(client.close())
        with pytest.raises(jotsam.DatabaseClosed):
            asyncio.run(client.add("x"))


def test_a_child_process_uses_connections_of_its_own() -> None:
    with ScriptedServer(TAKEN) as server, Client(server.url) as client:
        client.add("x")
        parent = client._connection._http
        child = os.fork()
        if child == 0:
            try:
                is_right = client.add("x").job_id == 7 and client._connection._http is not parent
            finally:
                os._exit(0 if is_right else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert client.add("x").job_id == 7


def test_importing_the_package_imports_no_http_library_before_a_client_is_used() -> None:
    is_there = "print('httpx2' in sys.modules)"
    code = f"import sys, jotsam; jotsam.Jotsam; {is_there}; jotsam.Client; {is_there}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == ["False", "True"]
