"""Secrets: redaction, `jotsam db secrets`, and files that are refused because of their names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from jotsam.ingest import spool
from jotsam.models.fake_endpoint import fake_extraction

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

AWS = "AKIA" + "Q3EGRIZ7XT5NVLWB"
GITHUB = "ghp_" + "h3Jk2LmN5pQrS8tUvWx1Yz4AbCdEfGhIjKl6"
JWT = "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
PEM = "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIEow/+IBAAKCAQEAq0Fb\n-----END RSA PRIVATE KEY-----"
TEXT = f"# Access\nThe key is {AWS}.\n{PEM}\nPush with {GITHUB}, ask with {JWT}.\npassword: swordfish12\n"
KEPT = [
    ("private-key", "line 3"),
    ("jwt", "line 4"),
    ("github-token", "line 4"),
    ("aws-key", "line 2"),
    ("password", "line 5"),
]


def everything_kept(shell: Shell) -> bytes:
    """The content of every file below the home directory."""
    return b"".join(path.read_bytes() for path in shell.home.rglob("*") if path.is_file())


@pytest.mark.on_both
def test_redacted_secrets_are_listed_with_kind_place_and_fingerprint(jotsam: Shell) -> None:
    """GK-11: kind, place, fingerprint, time and id are listed; the secret is not stored or printed."""
    done = jotsam("add", "-", input=TEXT)
    assert "5 secrets replaced by [redacted:...]" in done.stderr
    id = done.stdout.split()[1]
    printed = jotsam("redacted", "--json").stdout
    found = json.loads(printed)["redacted"]
    assert sorted((one["kind"], one["place"]) for one in found) == sorted(KEPT)
    assert {one["id"] for one in found} == {id}
    assert all(one["created_at"] > "2026" for one in found)
    marks = {one["kind"]: one["fingerprint"] for one in found}
    assert marks["password"] is None, "a password could be guessed by its fingerprint"
    assert all(len(mark) == 64 for kind, mark in marks.items() if kind != "password")
    shown = jotsam("show", id).stdout
    assert f"aws-key in line 2  ({marks['aws-key'][:12]})" in shown
    assert "password in line 5\n" in shown
    assert f"{marks['jwt'][:12]}" in jotsam("redacted").stdout
    kept = shown + printed + everything_kept(jotsam).decode("latin-1")
    assert [secret for secret in (AWS, GITHUB, JWT, "MIIEow", "swordfish12") if secret in kept] == []


def test_the_place_of_a_redaction_is_a_line_of_the_stored_text(jotsam: Shell) -> None:
    id = jotsam("add", "-", input=TEXT).stdout.split()[1]
    lines = jotsam.json("show", id)["document"]["text"].splitlines()
    for kind, place in KEPT:
        assert f"[redacted:{kind}]" in lines[int(place.removeprefix("line ")) - 1]


@pytest.mark.on_both
def test_a_redacted_text_can_be_allowed_by_its_fingerprint(jotsam: Shell) -> None:
    jotsam("remember", f"The example is {AWS}.")
    (one,) = jotsam.json("redacted")["redacted"]
    mark = one["fingerprint"]
    allowed = jotsam.json("allow", "--fingerprint", mark[:12], "--reason", "the example of the manual")
    assert allowed["fingerprint"] == mark
    id = jotsam("remember", f"Again the example is {AWS}.").stdout.split()[1]
    assert jotsam.json("show", id)["memory"]["text"] == f"Again the example is {AWS}."
    assert len(jotsam.json("redacted")["redacted"]) == 1
    done = jotsam("allow", "--fingerprint", "0123456789", "--reason", "x")
    assert (done.returncode, "`jotsam db secrets list` lists them" in done.stderr) == (1, True)
    assert jotsam("allow", "--fingerprint", mark[:12]).returncode == 2
    assert jotsam("allow", "text", "--remove", mark, "--reason", "x").returncode == 2


@pytest.mark.on_both
def test_metadata_is_redacted_and_listed_too(jotsam: Shell) -> None:
    jotsam("remember", "A memory.", "--metadata", json.dumps({"login": {"api_key": GITHUB}}))
    (one,) = jotsam.json("redacted")["redacted"]
    assert (one["kind"], one["place"]) == ("github-token", "metadata")


def test_a_database_without_redactions_is_reported(jotsam: Shell) -> None:
    jotsam("remember", "Nothing to hide.")
    assert jotsam("redacted").stdout == "nothing was redacted\n"
    assert jotsam.json("redacted") == {"schema": 1, "redacted": []}
    done = jotsam("redacted", "--limit", "0")
    assert (done.returncode, "invalid number '0': must be an integer from 1 to" in done.stderr) == (2, True)


def test_redactions_are_listed_latest_first_up_to_the_limit(jotsam: Shell) -> None:
    for secret in (AWS, GITHUB):
        jotsam("remember", f"With {secret}.")
    assert [one["kind"] for one in jotsam.json("redacted", "--limit", "1")["redacted"]] == ["github-token"]


@pytest.mark.on_both
def test_a_tenant_only_sees_its_own_redactions(jotsam: Shell) -> None:
    jotsam("remember", f"With {AWS}.", "--tenant", "ana")
    assert jotsam.json("redacted")["redacted"] == []
    assert len(jotsam.json("redacted", "--tenant", "ana")["redacted"]) == 1


@pytest.mark.on_both
def test_a_turn_of_a_hook_is_redacted_and_listed(jotsam: Shell) -> None:
    jotsam("migrate")
    jotsam.hooked("Stop", last_assistant_message=f"I used {AWS}.")
    (one,) = jotsam.json("redacted")["redacted"]
    assert one["kind"] == "aws-key"
    assert jotsam.json("show", one["id"])["memory"]["text"] == "I used [redacted:aws-key]."


def test_a_turn_of_a_hook_may_contain_allowed_text(jotsam: Shell) -> None:
    """With SQLite only: on the way to a server a turn is spooled first, and the spool redacts everything."""
    jotsam("allow", JWT, "--reason", "the example of jwt.io")
    jotsam.hook("Stop", last_assistant_message=f"I used {JWT}.")
    assert jotsam.json("redacted")["redacted"] == []
    assert JWT in jotsam("recall").stdout


@pytest.mark.no_database
@pytest.mark.parametrize("more", ["", " And more." * 1_000], ids=["memory", "document"])
def test_a_spooled_turn_is_redacted_in_the_spool_and_listed_after_import(jotsam: Shell, more: str) -> None:
    jotsam.hook("Stop", last_assistant_message=f"I used {AWS}.{more}")
    (path,) = spool.waiting(str(jotsam.db))
    with open(path) as file:
        assert AWS not in file.read()
    jotsam("work")
    (one,) = jotsam.json("redacted")["redacted"]
    assert (one["kind"], one["place"]) == ("aws-key", "line 1")


REFUSED = [".env", ".env.local", "prod.env", "server.pem", "id_ed25519", ".netrc", "credentials.json", "Secrets.YAML"]
REFUSED += [
    "client_secret_12.json",
    "service-account-prod.json",
    ".kube/config",
    "terraform.tfvars",
    ".git-credentials",
]
WELCOME = [".env.example", "id_rsa.pub", "environment.md", "keys.md", "secrets-of-success.txt", "credentials.md", "env"]


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_for_secrets_is_refused_by_name_unless_forced(jotsam: Shell, name: str) -> None:
    """GK-12."""
    path = jotsam.file(name, "API_KEY=abcdefghij0123456789\n")
    done = jotsam("add", path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(
        f"error: {path} is refused: its name suggests that it contains secrets\nhint: --force"
    )
    assert jotsam("add", path, "--force").returncode == 0
    assert "abcdefghij0123456789" not in jotsam("recall", "API_KEY").stdout


@pytest.mark.parametrize("name", WELCOME)
def test_a_file_with_a_similar_name_is_accepted(jotsam: Shell, name: str) -> None:
    assert jotsam("add", jotsam.file(name)).returncode == 0


def test_a_symlink_to_a_file_for_secrets_is_refused(jotsam: Shell) -> None:
    (jotsam.home / "notes.md").symlink_to(jotsam.file(".env", "A=1"))
    done = jotsam("add", "notes.md", jotsam.file("good.md"))
    assert done.returncode == 1
    assert "notes.md is refused" in done.stderr
    assert done.stdout.startswith("accepted")


def test_the_text_of_a_file_for_secrets_can_be_piped(jotsam: Shell) -> None:
    assert jotsam("add", "-", input="API_KEY=abcdefghij0123456789\n").returncode == 0


def test_files_for_secrets_in_a_directory_are_skipped_with_a_warning(jotsam: Shell) -> None:
    """GK-12."""
    for name in ("docs/a.md", "docs/tls/server.key", "docs/credentials.json"):
        jotsam.file(name, f"text of {name}")
    done = jotsam("add", "docs", "--glob", "*")
    assert done.returncode == 0
    assert [line.split()[-1] for line in done.stdout.splitlines()] == ["docs/a.md", "accepted"]
    assert "2 files were skipped because their names suggest that they contain secrets" in done.stderr
    assert ": docs/credentials.json, docs/tls/server.key\n" in done.stderr
    assert "--force" in done.stderr
    told = jotsam.json("add", "docs", "--glob", "*")
    assert told["skipped"] == ["docs/credentials.json", "docs/tls/server.key"]
    forced = jotsam.json("add", "docs", "--glob", "*", "--force")
    assert (len(forced["receipts"]), forced["skipped"]) == (3, [])


def test_a_directory_with_only_files_for_secrets_is_an_error(jotsam: Shell) -> None:
    jotsam.file("tls/server.key", "x")
    done = jotsam("add", "tls", "--glob", "*")
    assert done.returncode == 1
    assert "1 file was skipped because its name suggests that it contains secrets: tls/server.key" in done.stderr
    assert "no other file below tls matches *" in done.stderr


@pytest.mark.no_database
def test_every_command_refuses_a_file_for_secrets(jotsam: Shell) -> None:
    path = jotsam.file("credentials.json", '{"token": "abcdefghij0123456789"}')
    done = jotsam("extract-apply", path)
    assert (done.returncode, "is refused" in done.stderr, "abcdefghij" in done.stderr) == (1, True, False)
    done = jotsam("--async", "add", path)
    assert (done.returncode, "is refused" in done.stderr, jotsam.db.exists()) == (1, True, False)


def test_the_summary_of_an_agent_is_redacted(jotsam: Shell) -> None:
    id = jotsam.json("remember", "We use Redis.")["receipt"]["id"]
    reading = {"memory": id, **fake_extraction("We use Redis."), "summary": f"Redis, with {AWS}."}
    assert jotsam("extract-apply", "-", input=json.dumps({"extractions": [reading]})).returncode == 0
    assert jotsam.json("show", id)["memory"]["summary"] == "Redis, with [redacted:aws-key]."
