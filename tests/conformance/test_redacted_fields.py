"""Secrets in fields: redacted in descriptive fields, rejected in identifying fields."""

from __future__ import annotations

import json

import pytest

from jotsam import InvalidInput
from jotsam.core.settings import Settings
from jotsam.ingest import capture

GITHUB = "ghp_" + "h3Jk2LmN5pQrS8tUvWx1Yz4AbCdEfGhIjKl6"
AWS = "AKIA" + "Q3EGRIZ7XT5NVLWB"
GONE = "[redacted:github-token]"

DESCRIPTIVE = {
    "actor": (f"bot {GITHUB}", f"bot {GONE}"),
    "source": (f"notes/{GITHUB}.md", f"notes/{GONE}.md"),
    "type": (GITHUB, GONE),
    "tags": (("style", GITHUB), (GONE, "style")),
    "metadata": ({"login": GITHUB}, {"login": GONE}),
}
IDENTIFYING = ("external_id", "session", "project", "key")


def rows_with(jot, secret: str) -> list[str]:
    """The tables that hold a secret in any column."""
    found = []
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        memory = "document", "memory", "memory_tag", "metadata_index", "redaction", "text_index"
        for table in (*memory, "queue_job", "queue_payload"):
            text = json.dumps(tx.execute(f"select * from {table}"), default=repr).lower()
            found += [table] if secret.lower() in text else []
    return found


@pytest.mark.parametrize("field", DESCRIPTIVE)
def test_a_secret_in_a_descriptive_field_of_a_memory_is_redacted_and_recorded(field, jot):
    given, kept = DESCRIPTIVE[field]
    receipt = jot.remember("We use tabs.", **{field: given})
    assert getattr(jot.show(receipt.id).memory, field) == kept
    (one,) = jot.knowledge.redactions()
    assert (one.kind, one.place, one.id) == (
        "github-token",
        field.removesuffix("s") if field == "tags" else field,
        receipt.id,
    )
    assert rows_with(jot, GITHUB) == []
    assert jot.recall(GITHUB).hits == ()


@pytest.mark.parametrize("field", ["actor", "source"])
def test_a_secret_in_a_descriptive_field_of_a_document_is_redacted_and_recorded(field, jot):
    given, kept = DESCRIPTIVE[field]
    receipt = jot.add("We use tabs.", **{field: given})
    assert getattr(jot.show(receipt.id).document, field) == kept
    assert [(one.place, one.id) for one in jot.knowledge.redactions()] == [(field, receipt.id)]
    assert rows_with(jot, GITHUB) == []


def test_a_field_that_is_private_as_a_whole_is_removed(jot):
    receipt = jot.remember(
        "We use tabs.", actor="<private>my doctor</private>", tags=["<private>illness</private>", "a"]
    )
    memory = jot.show(receipt.id).memory
    assert (memory.actor, memory.tags) == (None, ("a",))


def test_tags_that_are_equal_after_redaction_are_deduplicated(jot):
    receipt = jot.remember("We use tabs.", tags=[GITHUB, GITHUB.replace("h3", "h4")])
    assert jot.show(receipt.id).memory.tags == (GONE,)


@pytest.mark.parametrize("field", IDENTIFYING)
def test_a_secret_in_an_identifying_field_of_a_memory_is_rejected_and_nothing_is_stored(field, jot):
    with pytest.raises(
        InvalidInput, match=rf"invalid {field}: it contains what looks like a secret \(github-token\); use another"
    ) as no:
        jot.remember("We use tabs.", **{field: GITHUB})
    assert GITHUB not in str(no.value)
    assert jot.status().memories == 0
    assert rows_with(jot, GITHUB) == []


@pytest.mark.parametrize("field", ["session", "project", "key"])
def test_a_secret_in_an_identifying_field_of_a_document_is_rejected(field, jot):
    with pytest.raises(InvalidInput, match=f"invalid {field}: it contains what looks like a secret"):
        jot.add("We use tabs.", **{field: f"key {AWS}"})
    assert jot.status().documents == 0


@pytest.mark.parametrize("name", ["api_key=h3Jk2LmN5pQr", "password: swordfish12", "https://ana:swordfish12@host/x"])
def test_an_assignment_in_an_external_id_is_rejected(name, jot):
    with pytest.raises(InvalidInput, match="invalid external_id: it contains what looks like a secret"):
        jot.remember("We use tabs.", external_id=name)


def test_a_topic_with_a_number_is_not_an_assignment(jot):
    names = ["token-refresh:ticket-4711", "password-reset:user12345", "auth_token:session-99aa"]
    for name in names:
        jot.remember("We use tabs.", external_id=name, key=name, session=name, project=name)
    assert [jot.show(name).memory.session for name in names] == names


def test_an_allowed_value_is_stored_in_each_field(jot):
    jot.knowledge.allow(GITHUB, reason="the example of the manual")
    fields = dict.fromkeys(("actor", "source", "type", *IDENTIFYING), GITHUB)
    receipt = jot.remember("We use tabs.", tags=[GITHUB], **fields)
    memory = jot.show(receipt.id).memory
    assert (memory.actor, memory.tags, memory.external_id, memory.session) == (GITHUB, (GITHUB,), GITHUB, GITHUB)
    assert jot.remember("Again.", external_id=GITHUB).id == receipt.id
    assert jot.knowledge.redactions() == ()


def turn(**fields) -> capture.Turn:
    whole = {
        "text": "We use tabs.",
        "actor": "user",
        "session": "s",
        "key": "hook:s:1",
        "source": "codex",
        "said_at": 1,
    }
    return capture.Turn(**(whole | fields))


def test_a_turn_of_a_hook_is_stored_with_its_session_redacted(url, open_jot):
    """It is not rejected, because a hook must not lose turns."""
    jot = open_jot()
    settings = Settings(db=url, worker="off", hook_lock_timeout_ms=60_000)
    capture.capture(settings, turn(session=GITHUB, project=f"p {AWS}", key=f"hook:{GITHUB}:1:Stop"))
    capture.empty_spool(jot.database, settings)
    (hit,) = jot.recall("tabs").hits
    memory = jot.show(hit.id).memory
    assert (memory.session, memory.project) == (GONE, "p [redacted:aws-key]")
    assert {(one.kind, one.place) for one in jot.knowledge.redactions()} == {
        ("github-token", "session"),
        ("aws-key", "project"),
    }
    assert rows_with(jot, GITHUB) == rows_with(jot, AWS) == []


def test_a_reason_is_stored_without_secrets(jot):
    jot.admin.pause("enrich", reason=f"until {GITHUB} is renewed")
    jot.knowledge.allow("harmless", reason=f"unlike {GITHUB}")
    assert [queue.reason for queue in jot.status().paused] == [f"until {GONE} is renewed"]
    assert [one.reason for one in jot.knowledge.allowed()] == [f"unlike {GONE}"]
