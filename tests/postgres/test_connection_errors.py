"""Connection errors: each states how to fix it, and only temporary ones are reported as temporary."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from jotsam.core.errors import DatabaseUnavailable, DatabaseUnusable, InvalidInput, JotsamError
from jotsam.storage import connect, outstanding, script
from jotsam.storage.postgres.postgres_errors import error
from proxies import Proxy


@pytest.fixture
def locked_out(server) -> Iterator[str]:
    """The address of the server for roles that need a password; the tests' own role needs none."""
    rules = server.folder / "data" / "pg_hba.conf"
    before = rules.read_text()
    server.execute("create role careful login nosuperuser password 'open sesame'")
    server.execute("create role crowded login nosuperuser connection limit 0")
    server.execute("create role nobody nologin")
    rules.write_text(f"local all careful scram-sha-256\nlocal all banned reject\n{before}")
    server.execute("select pg_reload_conf()")
    yield f"postgresql://{{}}@/{{}}?host={server.folder / 'data'}"
    rules.write_text(before)
    server.execute("select pg_reload_conf()")
    for role in ("careful", "crowded", "nobody"):
        server.execute(f"drop role {role}")


@pytest.mark.parametrize(
    ("user", "database", "meaning"),
    [
        ("jotsam_test", "nowhere", "the database does not exist; create it"),
        ("stranger", "postgres", "authentication failed"),
        ("nobody", "postgres", "authentication failed"),
        ("careful:wrong", "postgres", "authentication failed"),
        ("careful", "postgres", "authentication failed"),
        ("banned", "postgres", "pg_hba.conf"),
    ],
)
def test_what_trying_again_cannot_help_says_so(user, database, meaning, locked_out):
    with pytest.raises(DatabaseUnusable, match=meaning) as refused:
        connect(locked_out.format(user, database))
    assert "try again" not in str(refused.value).partition("(")[0]
    assert refused.value.retry is False


def test_a_server_that_is_full_is_tried_again(locked_out):
    with pytest.raises(DatabaseUnavailable, match="the server has no free connections"):
        connect(locked_out.format("crowded", "postgres"))


@pytest.mark.parametrize("port", ["99999", "x"])
def test_a_port_that_is_none_is_named(port):
    with pytest.raises(DatabaseUnusable, match="must be 1 to 65535"):
        connect(f"postgresql://ana@127.0.0.1:{port}/x")


def test_a_wrong_parameter_is_permanent_and_named(server):
    wrong = {
        "sslmode=nonsense": 'invalid parameter in the address; .*"nonsense"',
        "target_session_attrs=best": 'invalid parameter in the address; .*"best"',
        "ssl_min_protocol_version=9": 'invalid parameter in the address; .*"9"',
        "service=nowhere": 'invalid parameter in the address; .*"nowhere"',
        # Its value may hold a secret, so no message repeats it.
        "options=-c%20nope%3D1": r'options=\.\.\.: invalid parameter in the address; .*"\.\.\."',
        "options=-c%20work_mem%3Dabc": r'options=\.\.\.: invalid parameter in the address; .*"\.\.\."',
        "connect_timeout=soon": "'soon'",
        "statement_timeout=1": "invalid parameter statement_timeout .* options=-c%20statement_timeout%3DVALUE",
    }
    for parameter, reason in wrong.items():
        with pytest.raises(JotsamError, match=reason) as refused:
            connect(f"{server.url('parameters')}&{parameter}")
        assert refused.value.retry is False
        assert "try again" not in str(refused.value)


def test_a_role_without_a_right_is_told_the_statement_that_grants_it(server, url, guest):
    server.execute("create role plain login nosuperuser")
    plain = server.url("fresh", role="plain")
    with pytest.raises(
        DatabaseUnusable, match="`grant create on database postgres to plain` or `create schema fresh a"
    ):
        connect(plain)
    server.execute("create schema fresh")
    with pytest.raises(DatabaseUnusable, match="`grant usage, create on schema fresh to plain`"):
        connect(plain)
    server.execute("alter schema fresh owner to plain")
    connect(plain).close()
    connect(url).close()
    schema = url.rpartition("schema=")[2]
    right = f"`grant select, insert, update, delete on all tables in schema {schema} to guest_{schema}`"
    database = guest()
    server.execute(f"revoke select on {schema}.document from guest_{schema}")
    with pytest.raises(DatabaseUnusable, match=right), database.snapshot() as tx:
        tx.execute("select 1 from document")
    server.execute("drop schema fresh cascade")
    server.execute("drop role plain")


def test_a_server_that_is_too_old_is_refused(server, url, proxied):
    major = str(server.execute("show server_version")[0][0])[:2].encode()
    address, proxy = proxied(url)
    proxy.replaced = (b"server_version\0" + major, b"server_version\0" + b"14")
    for ask in (connect, outstanding):
        with pytest.raises(DatabaseUnusable, match="PostgreSQL 14 is too old; Jotsam needs PostgreSQL 15 or later"):
            ask(address)


@pytest.mark.parametrize(
    ("said", "ours"),
    [
        ("FATAL: the database system is starting up", DatabaseUnavailable),
        ("FATAL: the database system is not yet accepting connections", DatabaseUnavailable),
        ("FATAL: sorry, too many clients already", DatabaseUnavailable),
        ("connection refused; FATAL: role \"x\" does not exist", DatabaseUnusable),
        ("session is read-only; password authentication failed", DatabaseUnavailable),
        ("SSL error: certificate verify failed", DatabaseUnusable),
        ("Verbindungsaufbau abgelehnt", DatabaseUnavailable),
    ],
)  # fmt: skip
def test_of_several_hosts_what_passes_by_itself_comes_first(said, ours):
    assert type(error("postgresql:///x", None, said)) is ours


@pytest.mark.parametrize("url", ["postgresql://ana:s3cr%zzet@h/x", "postgresql://[::1", "postgresql:///x?s3cret=1"])
def test_an_address_that_cannot_be_read_is_refused_without_its_password(url):
    with pytest.raises(InvalidInput, match=r"invalid (address|parameter)") as refused:
        connect(url)
    assert "zzet" not in str(refused.value)
    assert refused.value.__cause__ is None


@pytest.mark.parametrize("ask", [connect, outstanding, script])
def test_a_peer_that_listens_and_never_answers_holds_nobody_for_ever(ask):
    with socket.create_server(("127.0.0.1", 0)) as frozen:
        port = frozen.getsockname()[1]
        with pytest.raises(DatabaseUnavailable, match="cannot reach the server"):
            ask(f"postgresql://ana@127.0.0.1:{port}/x?connect_timeout=2")


@pytest.mark.parametrize("ask", [outstanding, script])
def test_a_table_that_somebody_holds_is_waited_for_no_longer_than_is_said(ask, url, server):
    database = connect(url)
    with database.transaction() as tx:
        tx.execute("lock table jotsam_migration in access exclusive mode")
        with pytest.raises(DatabaseUnavailable, match="another transaction holds"):
            ask(url, wait_ms=50)
    database.close()


def test_a_line_that_freezes_after_the_greeting_is_given_up(url, server):
    """The same connection as everybody's: whoever only asks what is outstanding has its deadlines too."""
    proxy = Proxy(server.folder / "data" / ".s.PGSQL.5432")
    proxy.freeze()
    address = f"postgresql://jotsam_test@127.0.0.1:{proxy.port}/postgres?sslmode=disable&connect_timeout=2"
    with pytest.raises(DatabaseUnavailable, match="cannot reach the server"):
        outstanding(address)
    proxy.close()
