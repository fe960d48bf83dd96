"""Tokens of the HTTP API: what a text authenticates, and what it no longer does."""

from __future__ import annotations

import hashlib

import pytest

from jotsam import InvalidInput, NotFound
from jotsam.core.token_records import Principal
from jotsam.memory.access.tokens import create_token, find_principal, list_tokens, mark_used, revoke_token

MINUTE_MS = 60_000


def made(jot, tenant="default", **options):
    return create_token(jot.database, **{"tenant": tenant, "name": "laptop", "scope": "write", **options})


def test_a_token_is_found_by_its_text_and_only_its_hash_is_stored(jot, clock):
    new = made(jot, rate=5, max_bytes=1_000, expires_at=clock() + 1_000)
    prefix, id, secret = new.secret.split("_", 2)
    assert (prefix, id, len(secret)) == ("jot", new.id, 43)
    found = find_principal(jot.database, new.secret)
    assert found == Principal(
        token=id, name="laptop", tenant="default", scope="write", rate=5.0, max_bytes=1_000, used=True
    )
    assert found.scopes == ("read", "write")
    with jot.database.snapshot(tenant="default") as tx:
        (row,) = tx.execute("select * from api_token")
    assert bytes(row["hash"]) == hashlib.sha256(secret.encode()).digest()
    assert secret not in repr(row)
    assert secret not in repr(new)
    assert new.token == list_tokens(jot.database, tenant="default")[0]


def test_a_text_that_is_no_token_finds_nothing(jot):
    new = made(jot)
    other = made(jot)
    secret = new.secret.rpartition(f"{new.id}_")[2]
    wrong = ["", "jot", "jot__", f"jot_{new.id}", f"jot_{new.id}_", f"jot_{new.id}_{secret[:-1]}", f"{new.secret}="]
    wrong += [new.secret.upper(), f" {new.secret}", f"jot_{other.id}_{secret}", f"jot_{'0' * 12}_{secret}"]
    wrong += [f"jot_*_{secret}", f"jot_{new.id}'--_{secret}", f"jot_%_{secret}", new.secret[:-1] + "é"]
    wrong += [new.secret + "a" * 1_000_000, f"jot_{'a' * 1_000_000}", f"jot_{new.id}_\0", f"jot_\0_{secret}", "\ud800"]
    assert [text for text in wrong if find_principal(jot.database, text)] == []


def test_a_token_is_refused_as_soon_as_it_is_revoked_or_has_expired(jot, clock):
    revoked, expiring = made(jot), made(jot, expires_at=clock() + 1_000)
    assert find_principal(jot.database, revoked.secret)
    gone = revoke_token(jot.database, tenant="default", id=revoked.id)
    assert gone.revoked_at == clock()
    assert find_principal(jot.database, revoked.secret) is None
    clock.tick(999)
    assert find_principal(jot.database, expiring.secret)
    clock.tick(1)
    assert find_principal(jot.database, expiring.secret) is None
    assert revoke_token(jot.database, tenant="default", id=revoked.id) == gone, "the first time is kept"
    assert len(list_tokens(jot.database, tenant="default")) == 2


def test_another_tenant_neither_lists_nor_revokes_a_token(jot):
    new = made(jot, tenant="ana")
    for id in (new.id, new.id[:4], "*", "%", "' or 1=1 --"):
        with pytest.raises(NotFound):
            revoke_token(jot.database, tenant="eve", id=id)
    assert list_tokens(jot.database, tenant="eve") == ()
    jot.scoped(tenant="eve").admin.forget_tenant()
    assert find_principal(jot.database, new.secret).tenant == "ana"
    mine = made(jot, tenant="eve")
    jot.scoped(tenant="ana").admin.forget_tenant()
    assert list_tokens(jot.database, tenant="ana") == ()
    assert find_principal(jot.database, new.secret) is None
    assert find_principal(jot.database, mine.secret)


def test_the_last_use_is_noted_at_most_once_a_minute(jot, clock):
    new = made(jot)

    def use():
        principal = find_principal(jot.database, new.secret)
        mark_used(jot.database, principal)
        return principal.used, list_tokens(jot.database, tenant="default")[0].last_used_at

    first = clock()
    assert use() == (True, first)
    clock.tick(MINUTE_MS - 1)
    assert use() == (False, first)
    late = find_principal(jot.database, new.secret).replace(used=True)
    mark_used(jot.database, late)
    assert use() == (False, first), "of requests that run at once, one notes it"
    clock.tick(1)
    assert use() == (True, first + MINUTE_MS)


def test_a_database_that_cannot_be_written_is_no_error_for_a_use(jot):
    principal = find_principal(jot.database, made(jot).secret)
    jot.database.close()
    mark_used(jot.database, principal)


def test_a_database_that_is_locked_is_no_error_for_a_use(open_jot, open_database):
    jot = open_jot(lock_timeout_ms=0)
    new = made(jot)
    with open_database().transaction(tenant="default") as tx:
        tx.execute("update api_token set name = 'busy' where tenant = 'default'")
        mark_used(jot.database, find_principal(jot.database, new.secret))
    assert list_tokens(jot.database, tenant="default")[0].last_used_at is None


def test_an_export_has_no_tokens_and_a_token_in_a_text_is_redacted(jot, tmp_path):
    new = made(jot)
    jot.remember(f"The token is {new.secret}.")
    jot.export(tmp_path / "all.jsonl")
    assert new.secret.split("_", 2)[2] not in (tmp_path / "all.jsonl").read_text()
    assert "api_token" not in (tmp_path / "all.jsonl").read_text()


def test_wrong_options_are_refused_with_their_value(jot, clock):
    wrong = [
        ({"name": ""}, "invalid name ''"),
        ({"name": " \n"}, "must contain more than whitespace"),
        ({"name": "a" * 501}, "invalid name of 501 bytes"),
        ({"name": 5}, "invalid name 5"),
        ({"scope": "root"}, "invalid scope 'root': must be one of read, write, admin, operator"),
        ({"scope": ["read"]}, "invalid scope"),
        ({"tenant": " ana"}, "invalid tenant ' ana'"),
        ({"expires_at": clock()}, "must be in the future"),
        ({"expires_at": "soon"}, "invalid expires_at 'soon'"),
        ({"rate": 0}, "invalid rate 0: must be requests per second, above 0"),
        ({"rate": float("nan")}, "invalid rate nan"),
        ({"rate": True}, "invalid rate True"),
        ({"max_bytes": 0}, "invalid max_bytes 0"),
        ({"colour": "red"}, "unknown field 'colour'"),
    ]
    for options, message in wrong:
        with pytest.raises(InvalidInput) as refused:
            made(jot, **options)
        assert message in str(refused.value), options
    assert list_tokens(jot.database, tenant="default") == ()


def test_a_secret_in_the_name_of_a_token_is_redacted(jot):
    assert "AKIAQ3EGRIZ7XT5NVLWB" not in made(jot, name="key AKIAQ3EGRIZ7XT5NVLWB").token.name
