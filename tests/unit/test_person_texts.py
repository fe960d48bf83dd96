"""Every column with text is searched for the name of a person, or has its reason why not."""

from __future__ import annotations

import re
from pathlib import Path

from jotsam.storage.statements import SQL, queries

# Columns by the reason why the name of a person is not looked for in them.
NOT_SEARCHED = {
    "an id, a hash, or a word of a fixed list": {
        *("api_token.purpose", "api_token.scope", "audit.address", "audit.token", "document.date_by", "event.type"),
        *("fact.predicate", "fact.superseded_how", "identity.hash", "identity.made_by", "identity.sources"),
        *("lifecycle_refusal.hash", "lifecycle_run.options", "lifecycle_run.origin", "lifecycle_run.place"),
        *("lifecycle_run.state", "lifecycle_run.step", "link.type", "memory.confidence_by", "memory.importance_by"),
        *("memory.superseded_how", "memory.type_by", "metadata_index.hash", "redaction.fingerprint", "redaction.kind"),
        *(
            "redaction.place",
            "tombstone.hash",
            "tombstone_key.key",
            "triage.judged_by",
            "triage.kind",
            "triage.state",
            "theme.project",
            *("note.kind", "note.scope", "note.ended_how", "note.verdict", "note.project"),
            *("given_text.kind", "given_text.memories"),
            "item.address",
        ),
        *("trash.batch", "entity.category", "llm_cache.extractor", "kept_reply.fingerprint"),
        *("mention.extractor", "memory_tag.extractor", "link.extractor", "fact.extractor", "pattern.type"),
        *("queue_attempt.kind", "queue_attempt.outcome", "queue_attempt.owner", "queue_attempt.queue"),
        *("queue_job.kind", "queue_job.lane", "queue_job.owner", "queue_job.queue", "event.subject"),
        *("mirror_change.engine", "mirror_progress.engine", "mirror_progress.sweep_after"),
    },
    "derived of a memory, and deleted with it": {
        *("change_word.word", "fact.object_key", "fact.subject_key", "pattern_terms.terms", "pattern_terms.type"),
        *("hint_word.word", "title.slug", "embedding.error", "memory_version.type", "pattern_lock.type"),
    },
    "derived of an item, and deleted with it": {
        *("item.place", "item_field.name", "item_field.sort", "item_word.word"),
    },
    "without text of a memory": {
        *("lifecycle_run.error", "queue_control.reason", "ledger.model", "ledger.purpose"),
        *("ledger.state", "model_use.model", "model_use.purpose", "lifecycle_schedule.step", "queue_count.kind"),
        *("queue_count.queue", "queue_key.queue", "queue_tenant.queue", "queue_control.queue"),
    },
    "the address or the path of a repository, or a name that a person gave it": {
        *("project.key", "project.label", "project.joined_to", "project.mark"),
    },
    "a key of the caller for a job that is not run twice; it expires": {"queue_key.key"},
}
# Tables of the server, without a tenant.
SHARED = {"embedder", "engine", "jotsam_copy", "queue_worker", "worker_lease"}


def columns() -> set[str]:
    """The columns of the type text of all tables of a file, but the ids."""
    found = set()
    for path in Path(SQL, "sqlite", "migrations").rglob("*.sql"):
        script = re.sub(r"--.*", "", path.read_text(encoding="utf-8"))
        for table, body in re.findall(r"create table (\w+) \((.*?)\n\) strict", script, re.DOTALL):
            names = re.findall(r"^\s+(\w+) text", body, re.MULTILINE)
            found |= {f"{table}.{name}" for name in names if name not in ("tenant", "uuid", "id")} - {
                f"{one}.{name}" for one in SHARED for name in names
            }
    return found


def searched() -> set[str]:
    """The columns that a query reads as `text` or `body`."""
    found = set()
    for sql in queries("sqlite", "person_texts").values():
        selected = re.sub(r"--.*", "", sql).partition("\nfrom ")[0]
        for table in re.findall(r"(?:from|join) (\w+)", sql):
            found |= {f"{table}.{name}" for name in re.findall(r"\w+", selected)}
    return found


def test_every_column_with_text_is_searched_or_has_its_reason() -> None:
    reasons = set().union(*NOT_SEARCHED.values())
    assert columns() - searched() - reasons == set(), "search them, or say why not"
    assert reasons - columns() == set(), "there is no such column"
    assert len(columns() & searched()) > 40
