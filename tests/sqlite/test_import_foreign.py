"""Memories of other programs are recognised, and each is imported once. The files are ours, in the shapes of theirs."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from jotsam import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jotsam import Jotsam

DAY = "2026-03-01T14:00:00+00:00"
AT = 1_772_373_600_000
NODES = [
    {
        "id": number,
        "labels": ["Memory"],
        "properties": {
            "id": f"00000000-0000-4000-8000-00000000000{number}",
            "content": text,
            "timestamp": DAY,
            "t_valid": DAY,
            "t_invalid": "2027-01-01T00:00:00Z",
            "importance": 0.7,
            "confidence": 0.9,
            "type": "Decision",
            "tags": ["db", "entity:tools:redis"],
            "metadata": '{"a": 1, "entities": {}}',
        },
    }
    for number, text in ((1, "We chose Redis."), (2, "We chose Kafka."))
]
GRAPH = {
    "timestamp": "20260301_140000",
    "graph_name": "memories",
    "nodes": [*NODES, {"id": 3, "labels": ["Entity"], "properties": {"id": "x"}}],
    "relationships": [
        {"source_id": 1, "type": "LEADS_TO", "target_id": 2, "properties": {"strength": 0.4}},
        {"source_id": 1, "type": "SIMILAR_TO", "target_id": 2, "properties": {"score": 0.9}},
    ],
    "stats": {},
}
MEM0 = {
    "results": [
        {
            "id": "m-1",
            "memory": "Prefers tea",
            "hash": "h",
            "created_at": DAY,
            "updated_at": None,
            "user_id": "ana",
            "run_id": "r-1",
            "metadata": {"mood": "calm"},
        },
        {"id": "m-2"},
    ]
}
SERVER_MEMORY = """\
{"type":"entity","name":"Ana Lee","entityType":"person","observations":["Speaks Spanish","Ana Lee likes tea"]}
{"type":"entity","name":"Acme","entityType":"organization","observations":[]}
{"type":"relation","from":"Ana Lee","to":"Acme","relationType":"works_at"}
{"type":"relation","from":"Ana Lee"}
"""
NOTE = """\
---
title: Coffee
permalink: drinks/coffee
tags:
- drinks
- "hot"
created: 2026-03-01T14:00:00+00:00
---
# Coffee
About beans.

- [method] Pour over is best #brewing (for me)
- [ ] buy beans
- part_of [[Drinks]]
- grows_in [[Nowhere]]
"""
SCHEMA = """
create table sdk_sessions (id integer primary key, content_session_id text, memory_session_id text, project text);
create table observations (id integer primary key, memory_session_id text, project text, text text, type text,
  title text, subtitle text, facts text, narrative text, concepts text, files_read text, files_modified text,
  created_at text, created_at_epoch integer);
create table session_summaries (id integer primary key, memory_session_id text, project text, request text,
  learned text, created_at_epoch integer);
create table user_prompts (id integer primary key, content_session_id text, prompt_number integer, prompt_text text,
  created_at_epoch integer);
insert into sdk_sessions values (1, 'content', 'memory', 'shop');
insert into observations values (1, 'memory', 'shop', null, 'decision', 'Chose Redis', null, '["It is fast"]',
  'We need a cache.', '["trade-off"]', '["a.py"]', '[]', '', 1772373600000);
insert into session_summaries values (1, 'memory', 'shop', 'Add a cache', 'Redis is fast', 1772373600000);
insert into user_prompts values (1, 'content', 1, 'Add a cache please', 1772373600000);
"""


@pytest.fixture
def written(tmp_path: Path) -> dict[str, tuple[Path, ...]]:
    """By format, its files, each of which has the same memories."""
    plain, packed, archive = (tmp_path / name for name in ("graph.json", "graph.json.gz", "backup.tar.gz"))
    plain.write_text(json.dumps(GRAPH, indent=2))
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    with tarfile.open(archive, "w:gz") as file:
        member = tarfile.TarInfo("falkordb/falkordb_1.json.gz")
        member.size = packed.stat().st_size
        file.addfile(member, io.BytesIO(packed.read_bytes()))
    mem0, bare = tmp_path / "mem0.json", tmp_path / "bare.json"
    mem0.write_text(json.dumps(MEM0))
    bare.write_text(json.dumps(MEM0["results"], indent=1))
    graph, notes, database = tmp_path / "memory.jsonl", tmp_path / "notes", tmp_path / "claude-mem.db"
    graph.write_text(SERVER_MEMORY)
    (notes / "drinks").mkdir(parents=True)
    (notes / "drinks" / "coffee.md").write_text(NOTE)
    (notes / "drinks.md").write_text("---\ntitle: Drinks\ntags: [x, y]\n---\nAll of them.\n")
    connection = apsw.Connection(str(database))
    connection.execute(SCHEMA)
    connection.close()
    return {
        "automem": (plain, packed, archive),
        "mem0": (mem0, bare),
        "server-memory": (graph,),
        "basic-memory": (notes,),
        "claude-mem": (database,),
    }


def memory(jot: Jotsam, start: str) -> Any:
    """The memory whose text starts so."""
    (found,) = [hit.id for hit in jot.recall(history=True, limit=50).hits if hit.text.startswith(start)]
    return jot.show(found).memory


def links(jot: Jotsam) -> list[tuple[str, str, str, float]]:
    """The links as first words, types and weights."""
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        rows = tx.execute(
            "select s.body as source, l.type, t.body as target, l.weight from link l"
            " join memory s on s.id = l.source_id join memory t on t.id = l.target_id"
        )
    return sorted(
        (row["source"].split("\n")[0], row["type"], row["target"].split("\n")[0], row["weight"]) for row in rows
    )


def test_every_format_is_recognised_and_imported_once(jot: Jotsam, written: dict[str, tuple[Path, ...]]) -> None:
    expected = {"automem": (2, 1, 0), "mem0": (1, 0, 1), "server-memory": (5, 3, 1), "basic-memory": (3, 2, 0)}
    expected["claude-mem"] = (3, 0, 0)
    for format, paths in written.items():
        memories, linked, invalid = expected[format]
        tried = jot.import_memories(paths[0], dry_run=True)
        assert (tried.format, tried.added) == (format, {"memory": memories})
        for number, path in enumerate((*paths, paths[0])):
            done = jot.import_memories(path)
            assert (done.format, done.invalid) == (format, invalid), done
            counts = {"memory": memories} | ({"link": linked} if linked else {})
            assert (done.duplicates if number else done.added) == counts
            assert (done.added if number else done.duplicates) == {}


def test_what_automem_invalidated_is_hidden_and_links_keep_their_properties(jot: Jotsam, tmp_path: Path) -> None:
    relation = GRAPH["relationships"][0]
    said = {"strength": 0.9, "reason": "corrected", "updated_at": "2026-03-01T14:00:00Z"}
    changed = relation | {"type": "INVALIDATED_BY", "properties": said}
    path = tmp_path / "falkordb.json"
    path.write_text(json.dumps(GRAPH | {"relationships": [changed]}))
    for _ in range(2):
        assert jot.import_memories(path).invalid == 0
        old, new = memory(jot, "We chose Redis."), memory(jot, "We chose Kafka.")
        assert (old.superseded_by, new.superseded_by) == (new.id, None)
        (link,) = [link for link in jot.show(old.id).links if link.type == "INVALIDATED_BY"]
        assert (link.properties, link.weight) == ({"reason": "corrected"}, 0.9)
        assert not any("Redis" in hit.text for hit in jot.recall().hits)


def test_what_automem_invalidated_before_it_was_valid_is_imported(jot: Jotsam, tmp_path: Path) -> None:
    node = {**NODES[0], "properties": {**NODES[0]["properties"], "t_invalid": "2026-02-01T00:00:00Z"}}  # type: ignore[dict-item]
    path = tmp_path / "falkordb.json"
    path.write_text(json.dumps(GRAPH | {"nodes": [node], "relationships": []}))
    assert (jot.import_memories(path).invalid, jot.recall("Redis").hits) == (0, ())
    found = memory(jot, "We chose Redis.")
    assert found.valid_from == found.valid_until is not None


def test_times_tags_importance_and_relations_are_kept(jot: Jotsam, written: dict[str, tuple[Path, ...]]) -> None:
    for paths in written.values():
        jot.import_memories(paths[0])
    redis = memory(jot, "We chose Redis.")
    assert (redis.said_at, redis.valid_from, redis.importance, redis.type) == (AT, None, 0.7, "Decision")
    assert (redis.tags, redis.metadata, redis.confidence) == (("db",), {"a": 1}, 0.9)
    assert redis.valid_until == 1_798_761_600_000
    assert jot.show("00000000-0000-4000-8000-000000000001").memory.text == redis.text  # type: ignore[union-attr]
    tea = memory(jot, "Prefers tea")
    assert (tea.actor, tea.session, tea.said_at) == ("ana", "r-1", AT)
    assert tea.metadata == {"user_id": "ana", "mood": "calm"}
    assert memory(jot, "Ana Lee: Speaks Spanish").tags == ("person",)
    brewing = memory(jot, "Pour over is best")
    assert (brewing.tags, brewing.said_at) == (("brewing", "method"), AT)
    coffee = memory(jot, "# Coffee")
    assert coffee.tags == ("drinks", "hot")
    assert "buy beans" in coffee.text
    assert "Pour over" not in coffee.text
    chose = memory(jot, "Chose Redis")
    assert (chose.project, chose.session, chose.type, chose.said_at) == ("shop", "content", "Decision", AT)
    assert chose.text == "Chose Redis\nWe need a cache.\n- It is fast"
    prompt = memory(jot, "Add a cache please")
    assert (prompt.actor, prompt.session, prompt.project) == ("user", "content", "shop")
    expected = [
        ("Ana Lee (person)", "RELATES_TO", "Acme (organization)", 1.0),
        ("Ana Lee likes tea", "PART_OF", "Ana Lee (person)", 1.0),
        ("Ana Lee: Speaks Spanish", "PART_OF", "Ana Lee (person)", 1.0),
        ("# Coffee", "PART_OF", "Drinks", 1.0),
        ("Pour over is best #brewing (for me)", "PART_OF", "# Coffee", 1.0),
        ("We chose Redis.", "LEADS_TO", "We chose Kafka.", 0.4),
    ]
    assert links(jot) == sorted(expected)


KEY = "AKIAQ3EGRIZ7XT5NVLWB"
WRONG: tuple[Any, ...] = (None, True, 0, -1, 1e308, 10**30, "", " ", "\ud800", "a\0b", "[", KEY, "x" * 300)
WRONG += ([], [[]], {}, {"a": [1]})


def broken(value: Any) -> Iterator[Any]:
    """Copies of a JSON value in which one part is something else."""
    yield from WRONG
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        for part in broken(value[key]):
            copied = value.copy()
            copied[key] = part
            yield copied


def renamed(entries: Iterator[Any]) -> Iterator[Any]:
    """The entries with ids of their own, unless that is what is broken."""
    for number, one in enumerate(entries):
        is_whole = isinstance(one, dict) and one.get("id") not in WRONG
        yield one | {"id": f"id-{number}"} if is_whole else one


def test_parts_of_any_shape_are_skipped_and_named_and_the_others_are_imported(jot: Jotsam, tmp_path: Path) -> None:
    path = tmp_path / "x"
    node, relation = NODES[0], GRAPH["relationships"][0]
    lines = [json.loads(line) for line in SERVER_MEMORY.splitlines()[:3]]
    nodes = [node | {"properties": one} for one in renamed(broken(node["properties"]))] + [*broken(node)]
    whole: dict[str, list[Any]] = {
        "automem": [GRAPH | {"nodes": [*NODES, *nodes], "relationships": [relation, *broken(relation)]}],
        "mem0": [[MEM0["results"][0], *renamed(broken(MEM0["results"][0]))]],
        "server-memory": [*lines, *(one for line in lines for one in broken(line))],
    }
    for format, parts in whole.items():
        path.write_text("\n".join(json.dumps(part) for part in parts))
        done = jot.import_memories(path, format=format)  # type: ignore[arg-type]
        assert done.invalid, format
        assert all(problem.reason for problem in done.problems)
        again = jot.import_memories(path, format=format)  # type: ignore[arg-type]
        assert (again.added, again.invalid) == ({}, done.invalid)
    assert {"We chose Redis.", "We chose Kafka.", "Prefers tea", "Ana Lee (person)"} <= texts(jot)
    assert ("We chose Redis.", "LEADS_TO", "We chose Kafka.", 0.4) in links(jot)
    for format, value in (("automem", GRAPH), ("mem0", MEM0)):
        for one in WRONG + tuple(value | {name: part} for name in value for part in WRONG):  # type: ignore[attr-defined]
            path.write_text(json.dumps(one))
            with suppress(InvalidInput):
                jot.import_memories(path, format=format)  # type: ignore[arg-type]
    jot.export(path)
    assert KEY not in path.read_text()


def test_rows_and_notes_of_any_shape_are_imported_or_named(
    jot: Jotsam, tmp_path: Path, written: dict[str, tuple[Path, ...]]
) -> None:
    (database,), (notes,) = written["claude-mem"], written["basic-memory"]
    connection = apsw.Connection(str(database))
    connection.execute("begin")
    for table in ("sdk_sessions", "observations", "session_summaries", "user_prompts"):
        for name in [name for _, name, *_ in connection.execute(f"pragma table_info({table})") if name != "id"]:
            for value in (None, 2**62, -1.5, b"\xff", "", "\ud800".encode("utf-8", "surrogatepass"), '["a"', "[[1]]"):
                cast = "cast(? as text)" if value == b"\xed\xa0\x80" else "?"
                connection.execute(f"create temp table t as select * from {table} where id = 1")
                connection.execute(f"update t set id = null, {name} = {cast}", (value,))
                connection.execute(f"insert into {table} select * from t")
                connection.execute("drop table t")
    connection.execute("commit")
    connection.close()
    jot.import_memories(database)
    heads = (
        "tags: [",
        "tags:\n- ",
        "- x",
        "title:",
        "title: [a, b]",
        "created: yesterday",
        "created: 9",
        "permalink: \0",
        ":",
    )
    for number, head in enumerate(heads):
        (notes / f"{number}.md").write_text(f"---\n{head}\n---\n# Note {number}\n- [a] b\n")
    (notes / "binary.md").write_bytes(b"---\n\xff\xfe\0---\n")
    done = jot.import_memories(notes)
    assert all(str(notes) in problem.reason for problem in done.problems)
    found = "".join(texts(jot))
    assert [n for n in range(len(heads)) if f"# Note {n}" not in found] == [5, 6, 7], "no dates, and NUL in a file"
    jot.export(tmp_path / "all.jsonl")


def test_what_was_forgotten_for_good_is_not_imported(jot: Jotsam, written: dict[str, tuple[Path, ...]]) -> None:
    path = written["automem"][0]
    jot.import_memories(path)
    jot.forget(jot.plan_forget(query="Redis"), never_again=True)
    for forgotten in ({"memory": 1}, {}):
        done = jot.import_memories(path)
        assert (done.forgotten, done.added) == (forgotten, {} if forgotten else {"memory": 1, "link": 1})
        jot.allow_again("We chose Redis.")
        jot.allow_again("automem:00000000-0000-4000-8000-000000000001")
        jot.allow_again("00000000-0000-4000-8000-000000000001")


def texts(jot: Jotsam) -> set[str]:
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        return {row["body"] for row in tx.execute("select body from memory")}


def test_a_file_that_is_not_of_the_format_is_refused(jot: Jotsam, tmp_path: Path) -> None:
    path = tmp_path / "x"
    bad = {"automem": b"\x1f\x8bxx", "mem0": b"{}", "claude-mem": b"SQLite format 3\0" + bytes(100)}
    for format, data in bad.items():
        path.write_bytes(data)
        with pytest.raises(InvalidInput, match=str(path)):
            jot.import_memories(path, format=format)  # type: ignore[arg-type]
    path.write_bytes(b'{"role": "user", "content": "Hi"}')
    with pytest.raises(InvalidInput, match="not a file of memories"):
        jot.import_memories(path)
