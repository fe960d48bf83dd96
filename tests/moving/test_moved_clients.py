"""Clients of the HTTP API find the server that their tenant was moved to."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from types import SimpleNamespace

import httpx2
import pytest

from http_server import serving
from jotsam import AsyncClient, Client, Jotsam, TenantMoved
from jotsam.admin.move_tenant import move_tenant
from jotsam.core.errors import DatabaseUnavailable, DatabaseUnusable, InvalidInput
from jotsam.core.settings import Settings
from jotsam.memory.access.tokens import create_token
from jotsam.remote.exchange import Exchange, resolve_address
from jotsam.remote.request import Request
from jotsam.storage import connect


@pytest.fixture
def three(server):
    """Servers of three databases; the tenant `ana` lives on the first, and was moved by way of the second."""
    with ExitStack() as stack:
        urls = [server.url() for _ in range(3)]
        first = Settings(db=urls[0], worker="off", tenant="ana")
        with Jotsam(settings=first) as jot:
            jot.remember("Ana fires the kiln at 1,240 degrees.")
            token = create_token(jot.database, tenant="ana", name="laptop", scope="admin").secret
            other = create_token(jot.database, tenant="bo", name="laptop", scope="write").secret
        yield SimpleNamespace(
            settings=[first.replace(db=url) for url in urls],
            servers=[stack.enter_context(serving(url)).url for url in urls],
            token=token,
            other=other,
        )


def move(three, source, to):
    return move_tenant(three.settings[source], "ana", three.settings[to].db, server=three.servers[to])


def test_a_client_goes_on_where_its_tenant_was_moved_also_by_way_of_another_server(three):
    first, _, third = three.servers
    with Client(first, token=three.token) as client, Client(first, token=three.other) as bo:
        assert [hit.text[:3] for hit in client.recall("how hot is the kiln?").hits] == ["Ana"]
        move(three, 0, 1)
        move(three, 1, 2)
        receipt = client.remember("The kiln has a new lid.")
        assert repr(client) == f"Client({third!r})"
        assert {hit.text[:3] for hit in client.recall("kiln").hits} == {"Ana", "The"}
        assert bo.remember("Bo stays.").id
        assert repr(bo) == f"Client({first!r})"
    with Jotsam(settings=three.settings[2]) as jot:
        assert jot.get(receipt.id).text == "The kiln has a new lid."

    async def ask():
        async with AsyncClient(first, token=three.token) as one:
            found = await one.recall("kiln")
            return repr(one), len(found.hits)

    assert asyncio.run(ask()) == (f"AsyncClient({third!r})", 2)


def test_an_upload_is_refused_once_and_then_goes_to_the_other_server(three, tmp_path):
    first, second, _ = three.servers
    move(three, 0, 1)
    lines = tmp_path / "lines.jsonl"
    with Jotsam(str(tmp_path / "file.db"), worker="off") as jot:
        jot.remember("The clay comes from Delft.")
        jot.export(lines)
    with Client(first, token=three.token) as client:
        with pytest.raises(TenantMoved, match=f"is on {second}: send its requests there"):
            client.import_memories(lines)
        assert client.import_memories(lines).added["memory"] == 1
        assert len(client.recall("clay").hits) == 1


def test_a_later_call_changes_the_server_and_one_without_leaves_it(three):
    first, second, _ = three.servers
    move_tenant(three.settings[0], "ana", three.settings[1].db)
    with Client(first, token=three.token) as client:
        with pytest.raises(DatabaseUnavailable, match="ask its operator"):
            client.status()
        move_tenant(three.settings[0], "ana", three.settings[1].db, server=f"{second}/")
        move_tenant(three.settings[0], "ana", three.settings[1].db)
        client.status()
        assert repr(client) == f"Client({second!r})"
    with pytest.raises(InvalidInput, match="invalid server 'db2': must be as http"):
        move_tenant(three.settings[0], "ana", three.settings[2].db, server="db2")


def test_a_token_is_not_sent_from_https_to_http():
    request = Request(method="GET", path="/v1/status", read=lambda answer: answer)
    answers = {
        url: httpx2.Response(410, json={"code": "tenant-moved", "detail": "it is gone", "server": url})
        for url in ("http://memory2.example.org", "https://memory2.example.org")
    }
    for url, address in answers.items():
        exchange = Exchange(resolve_address("https://memory.example.org", "secret", 1_000), request)
        if url.startswith("https:"):
            assert exchange.moved(address).url == url
        else:
            with pytest.raises(DatabaseUnusable, match="which is not encrypted"):
                exchange.moved(address)


def test_a_token_is_not_sent_round_in_a_circle_or_to_what_is_no_address(three):
    """What a mistaken operator may store."""
    first = three.servers[0]
    move(three, 0, 1)
    database = connect(three.settings[1].db)
    point = (
        "insert into tenant_move (tenant, move, state, other, server) values ('ana', 'm', 'gone', 'x', :server)"
        " on conflict (tenant) do update set server = excluded.server"
    )
    with Client(first, token=three.token) as client:
        for server, error in ((first, TenantMoved), ("ftp://x", DatabaseUnusable)):
            with database.transaction() as tx:
                tx.execute(point, {"server": server})
            with pytest.raises(error):
                client.status()
    database.close()
