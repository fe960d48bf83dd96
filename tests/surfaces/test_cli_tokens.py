"""`jotsam server tokens` and `jotsam server audit` as a user runs them."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from jotsam import Jotsam
from jotsam.memory.access.tokens import find_principal

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell


def test_a_token_is_printed_alone_listed_without_its_secret_and_revoked(jotsam: Shell) -> None:
    options = ("--name", "my laptop", "--scope", "write", "--days", "90", "--rate", "5", "--max-bytes", "1000")
    made = jotsam("--tenant", "shop", "tokens", "create", *options)
    assert re.fullmatch(r"jot_[0-9a-f]{12}_[\w-]{43}\n", made.stdout)
    secret = made.stdout.strip()
    id = secret.split("_")[1]
    assert f"token {id} of tenant 'shop', scope write until 20" in made.stderr
    assert secret not in made.stderr

    listed = jotsam("--tenant", "shop", "tokens").stdout
    assert re.search(rf"{id}  my laptop +api +write  valid until .*  never +5/s, 1,000 bytes", listed)
    (token,) = json.loads(jotsam("--tenant", "shop", "tokens", "list", "--json").stdout)["tokens"]
    assert (token["id"], token["rate"], token["max_bytes"], token["last_used_at"]) == (id, 5.0, 1000, None)
    assert secret.split("_", 2)[2] not in listed + json.dumps(token)
    created, expires = (datetime.fromisoformat(token[name]) for name in ("created_at", "expires_at"))
    assert timedelta(days=90, minutes=-1) <= expires - created <= timedelta(days=90)
    assert jotsam("tokens").stdout == "no tokens: `jotsam server tokens create` makes one\n"

    refused = jotsam("tokens", "revoke", id)
    assert (refused.returncode, "there is no token" in refused.stderr) == (1, True)
    with Jotsam(jotsam.db, worker="off") as jot:
        assert find_principal(jot.database, secret).tenant == "shop"
        assert jotsam("--tenant", "shop", "tokens", "revoke", id).stdout.startswith(f"revoked {id} (my laptop) at 20")
        assert find_principal(jot.database, secret) is None
    assert "revoked" in jotsam("--tenant", "shop", "tokens").stdout

    audit = json.loads(jotsam("--tenant", "shop", "audit", "--json").stdout)["audit"]
    found = [(one["name"], one["token"], one["action"], one["subject"]) for one in audit]
    assert found == [("cli", "", "tokens revoke", id), ("cli", "", "tokens create", id)]
    older = jotsam("--tenant", "shop", "audit", "--after", str(audit[0]["id"]), "--limit", "1").stdout
    assert "tokens create" in older
    assert "tokens revoke" not in older


def test_wrong_limits_create_nothing(jotsam: Shell) -> None:
    wrong = {
        ("--rate", "0"): "invalid rate 0.0: must be requests per second",
        ("--rate", "nan"): "invalid rate nan",
        ("--days", "1000000000"): "invalid days 1,000,000,000: must end before the year 10000",
        ("--name", " "): "invalid name ' '",
    }
    for options, message in wrong.items():
        done = jotsam("tokens", "create", "--name", "x", *options)
        assert (done.returncode, done.stdout) == (1, "")
        assert message in done.stderr
    assert jotsam("tokens").stdout == "no tokens: `jotsam server tokens create` makes one\n"
