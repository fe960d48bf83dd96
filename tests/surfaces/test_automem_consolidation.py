"""AutoMem's `POST /consolidate` on a real server: each mode with `dry_run` false, and the fields of its replies."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from http_server import serving
from jotsam import Jotsam
from processes import working

INSIGHT = "We learned that the importer stalls when the warehouse export has duplicate customer rows."
PATTERN = "Every quarter the importer stalls again because the warehouse export has duplicate customer rows."
OLD = "The parking space near the station was free of charge on Sundays."
KEPT = "The bicycle cellar of the old house had a blue door."
KILN = (
    "The kiln in the pottery workshop fires at 1240 degrees for the stoneware glaze.",
    "Stoneware glaze from the pottery workshop needs the kiln at full heat, Nadia says.",
    "Nadia repaired the kiln of the pottery workshop before the stoneware glaze firing.",
    "The pottery workshop orders stoneware glaze for the kiln from a dealer in Delft.",
    "Visitors of the pottery workshop watch how the kiln hardens the stoneware glaze.",
)


@pytest.fixture
def there(tmp_path) -> Iterator[SimpleNamespace]:
    """A server whose thresholds archive and remove what is old, its memory, and the ids of two insights and the old."""
    db = str(tmp_path / "jotsam.db")
    environ = {"JOTSAM_ARCHIVE_BELOW": "0.2", "JOTSAM_REMOVE_BELOW": "0.2"}
    with Jotsam(db, worker="off", settings=None) as jot, serving(db, environ=environ) as server:
        typed = ((INSIGHT, "Insight"), (PATTERN, "Pattern"), *((text, "Context") for text in KILN))
        ids = [jot.remember(text, type=type, importance=0.5).id for text, type in typed]
        old: dict[str, Any] = {"importance": 0.1, "said_at": "2020-03-01"}
        ids.append(jot.remember(KEPT, metadata={"protected": True}, **old).id)
        ids.append(jot.remember(OLD, **old).id)
        jot.work()
        yield SimpleNamespace(server=server, jot=jot, ids=ids)


def consolidated(there: SimpleNamespace, mode: str, *, dry_run: bool = False) -> dict[str, Any]:
    """The reports of the steps of a mode."""
    with working(there.jot):
        reply = there.server.post("/consolidate", {"mode": mode, "dry_run": dry_run})
    found = reply.json["consolidation"]
    assert (reply.status, found["mode"], found["dry_run"], found["success"]) == (200, mode, dry_run, True)
    assert "completed_at" in found
    return found["steps"]  # type: ignore[no-any-return]


def test_each_mode_reports_what_it_did_as_automem(there):
    assert consolidated(there, "decay")["decay"]["updated"] == 9
    planned = consolidated(there, "creative", dry_run=True)["creative"]
    done = consolidated(there, "creative")["creative"]
    assert (planned["discovered"], planned["created"], done["discovered"], done["created"]) == (1, 0, 1, 1)
    assert planned["sample_associations"] == done["sample_associations"]
    (link,) = done["sample_associations"]
    assert (link["memory1_id"], link["memory2_id"]) == tuple(there.ids[:2])
    assert (link["type"], link["kind"], link["confidence"]) == ("DISCOVERED", "explains", 0.7)
    assert 0.5 < link["similarity"] < 1
    cluster = consolidated(there, "cluster")["cluster"]
    assert (cluster["clusters_found"], cluster["meta_memories_created"], cluster["merged"]) == (1, 1, 0)
    (sample,) = cluster["sample_clusters"]
    (theme,) = there.jot.lifecycle.themes()
    assert (sample["cluster_id"], sample["size"], set(sample["memory_ids"])) == (theme.id, 5, set(there.ids[2:7]))
    assert (sample["dominant_type"], sample["time_span_days"], sample["sample_content"]) == ("Context", 0, KILN[0])
    assert consolidated(there, "identity")["identity"]["errors"] == []


def test_forgetting_archives_then_removes(there):
    assert consolidated(there, "full").keys() == {"decay", "creative", "cluster", "forget", "identity"}
    old = there.jot.get(there.ids[-1])
    assert old.archived_at is not None
    planned = consolidated(there, "forget", dry_run=True)["forget"]
    assert (planned["archived"], len(planned["deleted"])) == ([], 1)
    (gone,) = planned["deleted"]
    assert (gone["id"], gone["content_preview"], gone["type"]) == (old.id, OLD[:50], old.type)
    assert 0 < gone["relevance"] < 0.2
    kept = {one["id"]: one for one in planned["protected"]}[there.ids[-2]]
    assert (kept["content_preview"], kept["action"]) == (KEPT[:50], "archive")
    assert (kept["protection_reason"], 0 < kept["relevance"] < 0.2) == ("its metadata says so", True)
    done = consolidated(there, "forget")["forget"]
    assert [one["id"] for one in done["deleted"]] == [old.id]
    assert [one.memories for one in there.jot.admin.trash()] == [1]
