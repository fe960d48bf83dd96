"""Export and import: a file holds everything, in either direction between the databases, and adds everything once."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from jotsam import InvalidInput, Jotsam, Selection, Settings
from jotsam.memory.transfer import import_export
from jotsam.memory.transfer.export_markdown import export_markdown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conftest import StandingClock

sys.path.insert(0, str(Path(__file__).parents[1] / "moving"))

KEY = "AKIAQ3EGRIZ7XT5NVLWB"
VECTOR = bytes(range(16))


@pytest.fixture
def other_url(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of the other kind."""
    return str(tmp_path / "other.db") if kind == "postgres" else request.getfixturevalue("server").url()


def lines_of(jot: Jotsam, **options: Any) -> list[str]:
    """The lines of an export in alphabetical order, without the header, which has its time."""
    file = io.BytesIO()
    jot.export(file, **options)
    return sorted(line for line in file.getvalue().decode().splitlines() if '"kind":"header"' not in line)


NUMBERED = ("id", "job_id", "document_id", "memory_id", "superseded_by", "archived_by")


def rows_of(jot: Jotsam) -> list[list[dict[str, Any]]]:
    """Every column of what an export holds, without the numbers of rows. An item that is imported has a new version."""
    with jot.database.snapshot(tenant="default") as tx:
        tables = ("document", "memory", "fact", "pattern", "allowed_secret", "memory_tag", "redaction", "link")
        tables = (*tables, "memory_block", "item", "item_vector")
        found = [tx.execute(f"select * from {table} where tenant = 'default'") for table in tables]
    left_out = (*NUMBERED, "item_id", "source_id", "target_id", "extractor")
    plain = [[{name: row[name] for name in row if name not in left_out} for row in rows] for rows in found]
    for row in plain[tables.index("item")]:
        del row["version"]
    return [sorted(rows, key=str) for rows in plain]


def fill(url: str, clock: StandingClock) -> None:
    """Memories of every sort: some hundreds, with all that belongs to them."""
    from sources import fill as fill_all

    fill_all(Settings(db=url, worker="off"), clock)
    with Jotsam(url, worker="off", clock=clock) as jot:
        ids = [jot.remember(f"Note {n} of Ana Lee about Redis.", tags=[f"t{n % 7}"], key=f"n{n}").id for n in range(40)]
        jot.remember("Not yet read: 数据库.", metadata={"big": 2**70, "nul": "a\0b"}, said_at="1999-12-31", project="p")
        clock.tick(1_000)
        jot.knowledge.link(ids[0], "LEADS_TO", ids[1], weight=0.5)
        jot.supersede(ids[2], ids[3])
        with jot.database.transaction(tenant="default") as tx:
            tx.execute("update memory set superseded_how = 'source' where uuid = :uuid", {"uuid": ids[2]})
        one, two = (jot.remember(f"Ana works at {place}.", said_at=day) for place, day in (("Acme", 1), ("Initech", 2)))
        jot.work()
        assert one.id != two.id
        jot.remember(f"A key {KEY} and more.", source="keys")
        jot.remember_many(sorts())
        with jot.database.transaction(tenant="default") as tx:
            # Enriching them takes most of the time, and is compared above.
            tx.execute("update memory set enriched_at = 7, extractor = 'x/1' where body like 'Sort%'")
            tx.execute("insert into embedder (name, dimension, place, created_at) values ('m', 4, '/x', 1)")
            tx.execute(
                "insert into memory_version (tenant, memory_id, version, until, body, tags, metadata)"
                """ select tenant, id, 1, 2, 'Earlier.', '["é"]', '{"a": 1}' from memory where uuid = :uuid""",
                {"uuid": ids[5]},
            )
            tx.execute("update memory set version = 2, changed_at = 9 where uuid = :uuid", {"uuid": ids[5]})
            maker = tx.execute("select id from embedder where name = 'm'")[0]["id"]
            (memory,) = tx.execute("select id from memory where tenant = 'default' and uuid = :uuid", {"uuid": ids[4]})
            tx.execute(
                "insert into embedding (memory_id, tenant, embedder_id, version, bytes, wanted)"
                " values (:id, 'default', :maker, 1, :bytes, 0)",
                {"id": memory["id"], "maker": maker, "bytes": VECTOR},
            )


def sorts() -> Iterator[dict[str, Any]]:
    """Memories with and without each field."""
    fields: dict[str, Any] = {
        "said_at": 1_700_000_000_000,
        "importance": 0.25,
        "confidence": 1.0,
        "type": "Decision",
        "tags": ["a", "数据"],
        "metadata": {"n": 1.5, "list": [None, True]},
        "valid_until": 1_900_000_000_000,
        "project": "p",
    }
    for n in range(2 ** len(fields)):
        given = {name: value for bit, (name, value) in enumerate(fields.items()) if n >> bit & 1}
        yield {"text": f"Sort {n}\tof é, with a line\nand another.", "session": f"s{n % 5}", "actor": "Ana", **given}


def test_a_round_trip_to_the_other_kind_of_database_keeps_every_line(
    url: str, other_url: str, clock: StandingClock, tmp_path: Path
) -> None:
    fill(url, clock)
    path = tmp_path / "export.jsonl"
    with Jotsam(url, worker="off", clock=clock) as jot:
        made = jot.export(path, vectors=True)
        before = lines_of(jot, vectors=True)
        jot.settings = jot.settings.replace(recall_relevance="off")  # It is not exported: `decay` computes it again.
        found = [hit.text for hit in jot.recall("Redis", limit=20).hits]
    assert oct(path.stat().st_mode)[-3:] == "600"
    for kind in ("allowed_secret", "block", "entity", "merge", "pattern", "document", "memory", "link", "superseded"):
        assert made.counts.get(kind), f"there is no {kind} to compare"
    assert KEY not in path.read_text()
    assert '"versions":[{"version":1,"until":2,"text":"Earlier."' in path.read_text()
    assert '"recalls":1,"recalled_at":' in path.read_text()
    with Jotsam(other_url, worker="off", clock=clock) as jot:
        first, second = jot.import_memories(path), jot.import_memories(path)
        assert (first.invalid, first.duplicates, first.added["memory"]) == (0, {}, made.counts["memory"])
        assert (second.invalid, second.added, second.duplicates["memory"]) == (0, {}, made.counts["memory"])
        assert lines_of(jot, vectors=True) == before
        assert sorted(found) == sorted(hit.text for hit in jot.recall("Redis", limit=20).hits)
        jot.work()
        assert not jot.status().depth.live
        done = {line for line in before if '"enriched_at"' in line}
        assert done
        assert done <= set(lines_of(jot, vectors=True)), "what was extracted was extracted again"


def test_an_import_that_is_interrupted_after_any_commit_is_finished_by_the_next(
    url: str, new_url: Callable[[], str], clock: StandingClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_export, "BATCH_LINES", 25)
    fill(url, clock)
    path = tmp_path / "export.jsonl"
    with Jotsam(url, worker="off", clock=clock) as jot:
        jot.export(path)
        before, rows = lines_of(jot), rows_of(jot)
    with Jotsam(str(tmp_path / "target.db"), worker="off", clock=clock) as jot:
        commits = 0

        def stop(*_: object) -> None:
            nonlocal commits
            commits += 1
            raise KeyboardInterrupt

        while True:
            try:
                jot.import_memories(path, tell=stop if commits < 3 else None)
                break
            except KeyboardInterrupt:
                monkeypatch.setattr(import_export, "BATCH_LINES", 25 * (commits + 1))
        assert commits == 3
        assert lines_of(jot) == before
        assert rows_of(jot) == rows


@pytest.mark.needs_server
def test_a_selection_is_exported_with_what_it_refers_to_and_nothing_else(
    jot: Jotsam, new_url: Callable[[], str], clock: StandingClock, tmp_path: Path
) -> None:
    jot.add("# Notes\n\n## A\nMet with John Smith.\n\n## B\nWe use Redis.\n", source="n.md", project="p")
    jot.remember("Ana Lee met Bob Ray at Initech.", project="q", tags=["x"])
    jot.work()
    both = [jot.remember(text, project="p", session=text).id for text in ("One.", "Two.")]
    jot.supersede(*both)
    whole = lines_of(jot, project="p")
    assert not [line for line in whole if "ana-lee" in line or "Initech" in line]
    assert [line for line in whole if '"superseded"' in line and both[1] in line]
    chunk = lines_of(jot, session="One.")
    assert len([line for line in chunk if '"kind":"memory"' in line]) == 1
    assert not [line for line in chunk if '"kind":"superseded"' in line]
    path = tmp_path / "p.jsonl"
    jot.export(path, project="p")
    with Jotsam(str(tmp_path / "target.db"), worker="off", clock=clock) as target:
        assert target.import_memories(path).invalid == 0
        assert lines_of(target) == whole


def test_files_that_are_not_whole_or_not_an_export_are_refused_before_anything_is_stored(
    tmp_path: Path, clock: StandingClock
) -> None:
    with Jotsam(str(tmp_path / "a.db"), worker="off", clock=clock) as jot:
        for n in range(3):
            jot.remember(f"Note {n}.")
        path, bad = tmp_path / "a.jsonl", tmp_path / "bad.jsonl"
        jot.export(path)
    lines = path.read_bytes().splitlines(keepends=True)
    header, footer = json.loads(lines[0]), json.loads(lines[-1])
    newer = json.dumps({**header, "version": 2}).encode() + b"\n"
    files = {
        "cut off": [b"".join(lines)[: len(b"".join(lines)) - size] for size in (5, 2 + len(lines[-1]), 300)],
        "version 2": [newer + b"".join(lines[1:])],
        "line 1": [b"", b'{"format": "other"}\n', lines[0][:40]],
    }
    with Jotsam(str(tmp_path / "b.db"), worker="off", clock=clock) as jot:
        for reason, texts in files.items():
            for text in texts:
                bad.write_bytes(text)
                with pytest.raises(InvalidInput, match=reason):
                    jot.import_memories(bad, format="jotsam")
        assert jot.status().memories == 0
        missing = {**footer, "counts": {"memory": 4}}
        bad.write_bytes(b"".join(lines[:-1]) + json.dumps(missing).encode())
        assert "4 memory" in jot.import_memories(bad).problems[0].reason


def test_a_line_that_cannot_be_stored_is_reported_and_the_others_are_stored(jot: Jotsam, tmp_path: Path) -> None:
    jot.remember("Mine.", external_id="e-1", key="k-1")
    template = json.loads(next(line for line in lines_of(jot) if '"kind":"memory"' in line))
    header = {"kind": "header", "format": "jotsam-export", "version": 1, "program": "x", "tenant": "t", "created_at": 1}
    ids = iter(f"00000000-0000-4000-8000-{number:012d}" for number in range(99))
    plain = {name: value for name, value in template.items() if name not in ("external_id", "key")}

    def memory(**fields: object) -> dict[str, object]:
        return {**plain, "id": next(ids), **fields}

    deep = json.loads("[" * 150 + "]" * 150)
    items: list[tuple[dict[str, object] | str, str | None]] = [
        (memory(text="Theirs.", external_id="e-1"), "external id 'e-1' belongs to"),
        (memory(text="Theirs.", key="k-1"), "key 'k-1' belongs to"),
        (memory(importance=7), "importance"),
        (memory(said_at=2**63), "said_at"),
        (memory(text="  "), "it is empty"),
        (memory(colour="red"), "colour"),
        (memory(id="1"), "id"),
        (memory(document=next(ids)), "document"),
        (memory(actor="a\0b"), "NUL"),
        (memory(session=KEY), "secret"),
        (memory(metadata={"a": deep}), "metadata is nested too deeply"),
        ("{", "not a line"),
        (memory(text=f"Kept, without {KEY}.", summary=f"It is {KEY}.", metadata={"a": KEY}, source=KEY), None),
    ]
    body = [one if isinstance(one, str) else json.dumps(one) for one, _ in items]
    footer = {"kind": "footer", "lines": len(items) + 2, "counts": {}}
    path = tmp_path / "bad.jsonl"
    path.write_text("\n".join([json.dumps(header), *body, json.dumps(footer)]))
    result = jot.import_memories(path)
    wrong = {line + 2: reason for line, (_, reason) in enumerate(items) if reason}
    assert result.invalid == len(wrong)
    for problem in result.problems:
        assert wrong[problem.line or 0] in problem.reason, problem
    assert result.added == {"memory": 1}
    stored = lines_of(jot)
    assert KEY not in "".join(stored)
    assert sum("Kept, without" in line for line in stored) == 1
    assert result.redacted == 4
    assert len(jot.knowledge.redactions()) == 4


def test_markdown_has_current_memories_by_project_and_type_with_the_newest_first(jot: Jotsam, tmp_path: Path) -> None:
    old = jot.remember("Tea.", project="p", said_at="2026-01-01").id
    new = jot.remember("Coffee,\nblack.", project="p", type="Habit", tags=["hot"], source="n.md", said_at="2026-01-02")
    jot.supersede(old, new.id)
    jot.remember("Juice.", project="p", type="Habit", said_at="2026-01-03")
    jot.remember("Water.", said_at="2026-01-04")
    path = tmp_path / "MEMORY.md"
    export_markdown(jot.database, path, Selection(), tenant=jot.settings.tenant)
    assert path.read_text() == (
        "# Memory\n\n## p\n\n### Habit\n\n- **2026-01-03** Juice.\n"
        "- **2026-01-02** Coffee,\n  black.  \n  `hot` · n.md\n"
        "\n## Without a project\n\n### Other\n\n- **2026-01-04** Water.\n"
    )


@pytest.mark.needs_server
def test_an_import_leaves_out_what_was_forgotten_for_good(
    jot: Jotsam, new_url: Callable[[], str], clock: StandingClock, tmp_path: Path
) -> None:
    """The rest becomes what forgetting leaves, in the database of the export and in another one."""
    versions = [jot.add(f"# Plan\n\nBob Ray wants plan {n}.\n", source="plan.md").id for n in (1, 2)]
    split = jot.add("# One\n\nKeep this.\n\n# Two\n\nWalrus secret.\n\n# Three\n\nKeep that.\n", source="split.md").id
    jot.work()
    turns = [jot.remember(f"Turn {n}.", session="s", said_at=n + 1).id for n in range(4)]
    old, secret = jot.remember("Ana lives in Oslo."), jot.remember("Zoe Xu lives in Bath.", key="k", external_id="x")
    works = [jot.remember(f"Ana works at {place}.", said_at=day) for place, day in (("Acme", 1), ("Initech", 2))]
    jot.supersede(old.id, secret.id)
    jot.knowledge.link(secret.id, "LEADS_TO", turns[0])
    jot.update(turns[3], text="Turn three.")
    jot.work()
    clock.tick(1_000)
    path = tmp_path / "all.jsonl"
    jot.export(path)
    texts = [jot.show(id).memory.text for id in (secret.id, works[1].id, turns[1], turns[2])]
    chunk = jot.show(split).memories[1]
    ids = [secret.id, works[1].id, turns[1], turns[2], versions[1], chunk]
    assert jot.forget(jot.plan_forget(ids=ids), never_again=True).memories == 6
    left = lines_of(jot)
    result = jot.import_memories(path)
    assert (result.invalid, result.added) == (0, {})
    assert result.forgotten == {"document": 1, "memory": 6}
    assert lines_of(jot) == left
    with Jotsam(new_url(), worker="off", clock=clock) as other:
        for text in (*texts, "# Plan\n\nBob Ray wants plan 2.", "# Two\n\nWalrus secret.", "Turn 3."):
            other.forget(other.plan_forget(ids=[other.remember(text).id]), never_again=True)
        assert other.import_memories(path, dry_run=True).forgotten == {"document": 1, "memory": 6}
        assert other.import_memories(path).forgotten == {"document": 1, "memory": 6}
        parts = [line.partition(',"versions":[{"version":1,') for line in left]
        assert sum(bool(cut) for _, cut, _ in parts) == 1
        left = [before + "}" if cut else before for before, cut, _ in parts]
        assert lines_of(other) == left, "the earlier text of a memory is left out too"
        again = other.import_memories(path)
        assert (again.added, again.invalid) == ({}, 0)
        assert lines_of(other) == left
        assert other.allow_again(texts[0])
        assert other.import_memories(path).added == {"entity": 2, "memory": 1, "link": 1}
        assert other.show(secret.id).memory.text == texts[0]


def test_notes_keep_their_ends_and_what_a_person_said_of_them(jot: Jotsam, tmp_path: Path) -> None:
    for text, actor, session in (
        ("never push to main", "user", "s"),
        ("Understood.", "assistant", "s"),
        ("no emojis in the changelog", "user", "s"),
        ("Noted.", "assistant", "s"),
        ("pushing to main is allowed again", "user", "t"),
        ("OK.", "assistant", "t"),
    ):
        jot.remember(text, session=session, actor=actor, project="farm")
    jot.work()
    (emojis,) = [one for one in jot.notes.list(project="farm") if "emojis" in one.text]
    jot.notes.judge(emojis.id, verdict="wrong")
    notes = jot.notes.list(project="farm", state="all")
    assert {(one.text, one.state) for one in notes if one.kind == "rule"} == {
        ("never push to main", "replaced"),
        ("no emojis in the changelog", "wrong"),
    }
    jot.export(tmp_path / "whole.jsonl")
    with Jotsam(str(tmp_path / "there.db"), worker="off") as there:
        assert there.import_memories(tmp_path / "whole.jsonl").added["note"] >= 3
        assert there.notes.list(project="farm", state="all") == notes
        assert there.import_memories(tmp_path / "whole.jsonl").added == {}
        again = tmp_path / "again.jsonl"
        again.write_text((tmp_path / "whole.jsonl").read_text().replace('"verdict":"wrong"', '"verdict":"odd"'))
    with Jotsam(str(tmp_path / "elsewhere.db"), worker="off") as elsewhere:
        found = elsewhere.import_memories(again)
        assert [one.reason for one in found.problems] == [
            "invalid verdict 'odd' of a note: must be one of wrong, old, keep"
        ]
