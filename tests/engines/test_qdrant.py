"""Qdrant as an engine: one suite for its embedded engine in a folder, and for the client of a server.

No server can be installed with a package manager. So the client runs with the engine in Python inside it, and with a
real server if `JOTSAM_TEST_QDRANT` names one, such as qdrant://127.0.0.1:6333 (with `JOTSAM_TEST_QDRANT_KEY`).
"""

from __future__ import annotations

import http.server
import json
import os
import subprocess
import sys
import threading
from array import array
from collections.abc import Iterator
from pathlib import Path

import pytest

from jotsam.core.clock import new_id
from jotsam.core.errors import InvalidInput, ProviderUnavailable, Refused
from jotsam.core.mirror_records import MirroredEntity, MirroredFact, MirroredLink, MirroredMemory, MirroredVector
from jotsam.core.settings import Settings
from jotsam.engines.addresses import open_engine as open_registered
from jotsam.engines.qdrant import QdrantEngine, open_engine, open_points, parse_address
from jotsam.engines.qdrant_folder import is_open
from jotsam.engines.qdrant_points import Newest, Point
from jotsam.engines.qdrant_server import IN_MEMORY, ServerPoints
from tls_front import TlsFront

SERVER = os.environ.get("JOTSAM_TEST_QDRANT", "")
KEY = os.environ.get("JOTSAM_TEST_QDRANT_KEY")
KINDS = ["folder", "client", *(["server"] if SERVER else [])]

# The engine in Python says that it ignores indexes.
pytestmark = pytest.mark.filterwarnings("ignore:Payload indexes have no effect")


@pytest.fixture(params=KINDS)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[QdrantEngine]:
    """An engine that holds nothing."""
    collection = f"jotsam-test-{new_id()}"
    if request.param == "folder":
        made = open_engine(f"qdrant://{tmp_path}")
    elif request.param == "client":
        points = ServerPoints(IN_MEMORY, collection, api_key=None, timeout_ms=5_000)
        made = QdrantEngine(points)
    else:
        made = open_engine(f"{SERVER}/{collection}", secret=KEY)
    made.prepare()
    yield made
    if request.param == "server":
        made._points._connected().delete_collection(collection)
    made.close()


def memory(number: int, **fields: object) -> MirroredMemory:
    """A memory with little in it, and ids in the order of the numbers."""
    empty = dict.fromkeys(name for name in MirroredMemory._fields if name not in MirroredMemory._defaults)
    given = {"id": uuid(number), "digest": f"digest {number}", "content": f"memory {number}", "tags": ()}
    return MirroredMemory(**{**empty, **given, "created_at": 1_700_000_000_000 + number, **fields})


def uuid(number: int) -> str:
    return f"{number:08x}-0000-4000-8000-000000000000"


def vector(*numbers: float, embedder: str = "tiny") -> MirroredVector:
    length = sum(number * number for number in numbers) ** 0.5
    return MirroredVector(embedder=embedder, bytes=array("f", [number / length for number in numbers]).tobytes())


def query(*numbers: float) -> bytes:
    return vector(*numbers).bytes


def full() -> MirroredMemory:
    """A memory with a value in each field."""
    times = dict.fromkeys(("said_at", "changed_at", "enriched_at", "valid_from", "valid_until", "superseded_at"))
    return memory(
        7,
        **{name: 1_712_345_678_901 + number for number, name in enumerate(times)},
        summary="summary\0 with 王小明",
        type="Decision",
        tags=("Project:Launchpad/east", "a.b"),
        importance=0.7,
        confidence=0.1 + 0.2,
        metadata='{"z":1,"a":{"big":123456789012345678901234567890,"none":null,"deep":[[["x"]]]}}',
        project="orders",
        actor="alice",
        session="s1",
        source="notes.md",
        external_id="x-1",
        superseded_by=uuid(8),
        entities=(MirroredEntity(category="people", slug="jose", name="José", confidence=0.9),),
        facts=(
            MirroredFact(
                id=uuid(9),
                subject="a",
                predicate="is",
                object="b",
                confidence=0.3,
                valid_from=1,
                valid_until=2,
                superseded_at=3,
            ),
        ),
        links=(
            MirroredLink(target=uuid(3), type="LEADS_TO", weight=1 / 3, properties='{"reason":"x"}', extractor="rules"),
            MirroredLink(target=uuid(1), type="RELATES_TO", weight=1.0),
        ),
        vector=vector(1, 2, 2, 0),
    )


def test_a_memory_is_read_back_as_it_was_written(engine: QdrantEngine) -> None:
    poor, rich = memory(1), full()
    assert not [name for name in MirroredMemory._fields if getattr(rich, name) in (None, ())], "fill each field"
    engine.upsert("t", [poor, rich], version=1)
    found = engine.read_memories("t", [rich.id, poor.id, uuid(99), "no uuid"])
    assert found.keys() == {poor.id, rich.id}
    assert found[poor.id] == poor
    assert found[rich.id].replace(vector=None) == rich.replace(vector=None)
    back, written = found[rich.id].vector, rich.vector
    assert back
    assert written
    assert back.embedder == "tiny"
    assert list(array("f", back.bytes)) == pytest.approx(list(array("f", written.bytes)), abs=1e-6)


def test_an_upsert_replaces_a_memory_as_a_whole(engine: QdrantEngine) -> None:
    engine.upsert("t", [full()], version=1)
    engine.upsert("t", [memory(7)], version=2)
    assert engine.read_memories("t", [uuid(7)]) == {uuid(7): memory(7)}
    assert engine.nearest("t", query(1, 2, 2, 0), embedder="tiny", limit=5, projects=None) == {}


def test_an_earlier_version_overwrites_nothing_of_a_later_one(engine: QdrantEngine) -> None:
    engine.upsert("t", [memory(1, content="later", vector=vector(1, 0))], version=5)
    engine.upsert("t", [memory(1, content="earlier"), memory(2, content="new")], version=4)
    assert {one.content for one in engine.read_memories("t", [uuid(1), uuid(2)]).values()} == {"later", "new"}
    engine.upsert("t", [memory(1, content="again")], version=5)  # The same batch may come twice.
    assert engine.read_memories("t", [uuid(1)])[uuid(1)].content == "again"


def test_tenants_do_not_see_or_change_each_other(engine: QdrantEngine) -> None:
    engine.upsert("a", [memory(1, vector=vector(1, 0)), memory(2)], version=9)
    engine.upsert("b", [memory(3, vector=vector(1, 0))], version=1)
    engine.upsert("b", [memory(1, content="stolen")], version=10)
    engine.delete("b", [uuid(1), uuid(2)])
    assert engine.tenants() == ["a", "b"]
    assert (engine.count("a"), engine.count("b"), engine.count("c")) == (2, 1, 0)
    assert engine.read_memories("a", [uuid(1)])[uuid(1)].content == "memory 1"
    assert engine.read_memories("b", [uuid(1), uuid(3)]).keys() == {uuid(3)}
    assert engine.nearest("b", query(1, 0), embedder="tiny", limit=5, projects=None).keys() == {uuid(3)}
    assert [id for id, _ in engine.digests("b", after="", limit=9)] == [uuid(3)]
    engine.forget_tenant("a")
    engine.forget_tenant("a")
    assert engine.tenants() == ["b"]


def test_digests_come_in_order_of_id_in_pages(engine: QdrantEngine) -> None:
    engine.upsert("t", [memory(number) for number in (5, 3, 9, 1, 7)], version=1)
    engine.upsert("u", [memory(4)], version=1)
    found: list[tuple[str, str]] = []
    while page := engine.digests("t", after=found[-1][0] if found else "", limit=2):
        assert len(page) <= 2
        found += page
    assert found == [(uuid(number), f"digest {number}") for number in (1, 3, 5, 7, 9)]
    assert engine.digests("t", after=uuid(4), limit=9)[0][0] == uuid(5)


def test_memories_are_deleted_and_unknown_ids_passed_over(engine: QdrantEngine) -> None:
    engine.upsert("t", [memory(1), memory(2)], version=1)
    engine.delete("t", [])
    assert engine.count("t") == 2
    engine.delete("t", [uuid(1), uuid(1), uuid(50), "", "x\0", "é"])
    engine.delete("t", [uuid(1)])
    assert [id for id, _ in engine.digests("t", after="", limit=9)] == [uuid(2)]


def test_the_nearest_come_best_first_within_projects(engine: QdrantEngine) -> None:
    rows = [(1, "x", (1, 0, 0)), (2, "y", (1, 1, 0)), (3, None, (0, 1, 0)), (4, "x", (0, 0, 1))]
    engine.upsert("t", [memory(n, project=project, vector=vector(*at)) for n, project, at in rows], version=1)
    engine.upsert("t", [memory(5, project="x")], version=2)

    def nearest(limit: int, projects: list[str] | None) -> list[str]:
        found = engine.nearest("t", query(1, 0.1, 0), embedder="tiny", limit=limit, projects=projects)
        assert [*found.values()] == sorted(found.values(), reverse=True)
        return [*found]

    assert nearest(9, None) == [uuid(1), uuid(2), uuid(3), uuid(4)]
    assert nearest(2, None) == [uuid(1), uuid(2)]
    assert nearest(9, ["x"]) == [uuid(1), uuid(4)]
    assert nearest(9, ["y", "x"]) == [uuid(1), uuid(2), uuid(4)]
    assert nearest(9, []) == nearest(0, None) == nearest(9, ["none"]) == []
    cosine = engine.nearest("t", query(1, 1, 0), embedder="tiny", limit=1, projects=["x"])[uuid(1)]
    assert cosine == pytest.approx(0.5**0.5, abs=1e-6)


def test_embedders_of_several_dimensions_are_held_side_by_side(engine: QdrantEngine) -> None:
    names = {384: "org/model:v1", 768: "org-model-v1", 1024: "模型", 3072: "x" * 300}
    for number, (dimension, name) in enumerate(names.items()):
        at = [0.0] * dimension
        at[number] = 1.0
        engine.upsert("t", [memory(number, vector=vector(*at, embedder=name))], version=1)
    for number, (dimension, name) in enumerate(names.items()):
        asked = array("f", [1.0] * dimension).tobytes()
        assert [*engine.nearest("t", asked, embedder=name, limit=9, projects=None)] == [uuid(number)], name
        back = engine.read_memories("t", [uuid(number)])[uuid(number)].vector
        assert back
        assert (back.embedder, len(back.bytes)) == (name, dimension * 4)
    assert engine.nearest("t", query(1, 0), embedder="unknown", limit=9, projects=None) == {}


def test_a_memory_that_another_embedder_embeds_leaves_the_vectors_of_the_first(engine: QdrantEngine) -> None:
    engine.upsert("t", [memory(1, vector=vector(1, 0))], version=1)
    engine.upsert("t", [memory(1, vector=vector(1, 0, 0, embedder="other"))], version=2)
    assert engine.nearest("t", query(1, 0), embedder="tiny", limit=9, projects=None) == {}
    assert [*engine.nearest("t", query(1, 0, 0), embedder="other", limit=9, projects=None)] == [uuid(1)]
    assert engine.count("t") == 1


def test_a_vector_of_another_dimension_is_refused(engine: QdrantEngine) -> None:
    engine.upsert("t", [memory(1, vector=vector(1, 0))], version=1)
    with pytest.raises(InvalidInput, match="tiny with 2 dimensions, and this one has 3"):
        engine.upsert("t", [memory(2, vector=vector(1, 0, 0))], version=2)
    with pytest.raises(InvalidInput, match="tiny with 2 dimensions, and this one has 4"):
        engine.nearest("t", query(1, 0, 0, 0), embedder="tiny", limit=1, projects=None)
    for broken in (b"", b"123", b"12345"):
        with pytest.raises(InvalidInput, match="no list of float32"):
            engine.upsert("t", [memory(2, vector=MirroredVector(embedder="tiny", bytes=broken))], version=2)


def test_preparing_twice_keeps_what_is_held(engine: QdrantEngine) -> None:
    engine.upsert("t", [memory(1)], version=1)
    assert engine.prepare().startswith("Qdrant")
    assert engine.count("t") == 1


def test_many_threads_use_one_engine(tmp_path: Path) -> None:
    engine = open_engine(f"qdrant://{tmp_path}")  # The engine in Python is for one thread.
    engine.prepare()
    failures: list[Exception] = []

    def write(part: int) -> None:
        try:
            for number in range(part * 100, part * 100 + 20):
                engine.upsert("t", [memory(number, vector=vector(1, number))], version=number)
                engine.nearest("t", query(1, 0), embedder="tiny", limit=3, projects=None)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=write, args=(part,)) for part in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert engine.count("t") == 80


def test_the_payload_has_the_names_of_automem(engine: QdrantEngine) -> None:
    engine.upsert("t", [full(), memory(1)], version=3)
    rich, poor = (engine._points.scroll(_where(one), after="", limit=1, only=None)[0].payload for one in (7, 1))
    expected = {
        "tenant": "t",
        "project": "orders",
        "type": "Decision",
        "tags": ["Project:Launchpad/east", "a.b"],
        "tag_prefixes": ["project", "project:launchpad", "project:launchpad:east", "a.b"],
        "importance": 0.7,
        "timestamp": "2024-04-05T19:34:38Z",
        "t_valid": "2024-04-05T19:34:38Z",
        "t_invalid": "2024-04-05T19:34:38Z",
        "updated_at": "2024-04-05T19:34:38Z",
    }
    assert {name: rich[name] for name in expected} == expected
    assert "metadata" not in rich, "a number that Qdrant cannot hold"
    assert poor["timestamp"] == poor["updated_at"] == "2023-11-14T22:13:20Z"
    assert "t_invalid" not in poor
    engine.upsert("t", [memory(1, metadata='{"b":{"c":[1,null]},"a":2}')], version=4)
    assert engine._points.scroll(_where(1), after="", limit=1, only=["metadata"])[0].payload == {
        "metadata": {"a": 2, "b": {"c": [1, None]}}
    }


def _where(number: int):  # type: ignore[no-untyped-def]
    from jotsam.engines.qdrant_points import Where

    return Where(tenant="t", ids=[uuid(number)])


def test_what_a_folder_holds_is_there_after_a_kill(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys; sys.path[:0] = sys.argv[2:]; import engines.test_qdrant as t;"
        "e = t.open_engine(sys.argv[1]); e.prepare();"
        "e.upsert('t', [t.memory(n, vector=t.vector(1, n)) for n in range(600)], version=1);"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    address, tests = f"qdrant://{tmp_path}", str(Path(__file__).parents[1])
    assert subprocess.run([sys.executable, "-c", code, address, tests], check=False).returncode == -9
    engine = open_engine(address)
    assert engine.count("t") == 600
    assert len(engine.nearest("t", query(1, 0), embedder="tiny", limit=50, projects=None)) == 50
    engine.close()


def test_a_folder_is_open_in_one_process_at_a_time(tmp_path: Path) -> None:
    first, second = (open_engine(f"qdrant://{tmp_path}") for _ in range(2))
    first.prepare()
    assert second.count("t") == 0  # The objects of a process share it.
    assert is_open(str(tmp_path))
    code = "import sys; from jotsam.engines.qdrant import open_engine;sys.exit(open_engine(sys.argv[1]).count('t'))"
    run = [sys.executable, "-c", code, f"qdrant://{tmp_path}"]
    refused = subprocess.run(run, capture_output=True, text=True, check=False)
    assert "EngineInUse: the folder" in refused.stderr
    assert "is open in another process" in refused.stderr
    first.close()
    assert second.count("t") == 0
    second.close()
    assert not is_open(str(tmp_path))
    assert subprocess.run(run, check=False).returncode == 0


def test_a_folder_that_is_opened_while_another_process_closes_it_loses_nothing(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from jotsam import ProviderUnavailable\n"
        "from jotsam.engines.qdrant import open_engine\n"
        "while True:\n"
        "    engine = open_engine(sys.argv[1])\n"
        "    try: print(engine.count('t'), flush=True); break\n"
        "    except ProviderUnavailable as error: print('refused', flush=True)\n"
        "    finally: engine.close()\n"
    )
    counts = []
    for number in range(3):
        engine = open_engine(f"qdrant://{tmp_path / str(number)}")
        engine.prepare()
        run = [sys.executable, "-c", code, f"qdrant://{tmp_path / str(number)}"]
        with subprocess.Popen(run, stdout=subprocess.PIPE, text=True) as other:
            assert other.stdout
            other.stdout.readline()
            for start in range(0, 1_000, 100):
                engine.upsert("t", [memory(each) for each in range(start, start + 100)], version=1)
            engine.close()
            counts.append(other.stdout.read().split()[-1])
    assert counts == ["1000"] * 3


def test_a_missing_collection_is_named(tmp_path: Path) -> None:
    gone = open_engine(f"qdrant://{tmp_path}/gone")
    points = ServerPoints(IN_MEMORY, "gone", api_key=None, timeout_ms=5_000)
    for engine in (gone, QdrantEngine(points)):
        for call in (lambda e: e.count("t"), lambda e: e.upsert("t", [memory(1)], version=1)):
            with pytest.raises(ProviderUnavailable, match=r"collection.*engine rebuild"):
                call(engine)


def test_a_collection_of_another_program_is_not_written_to(tmp_path: Path) -> None:
    import qdrant_edge as edge

    shape = edge.EdgeConfig(vectors=edge.EdgeVectorParams(4, edge.Distance.Cosine))
    edge.EdgeShard.create(str(tmp_path), shape).close()
    engine = open_engine(f"qdrant://{tmp_path}")
    with pytest.raises(InvalidInput, match="made by another program"):
        engine.prepare()
    engine.close()


class Answering(http.server.BaseHTTPRequestHandler):
    """Answers each request with the status and error of its server."""

    def do_GET(self) -> None:
        status, body = self.server.answer  # type: ignore[attr-defined]
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_PUT = do_GET

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def answering() -> Iterator[http.server.HTTPServer]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(
    ("status", "reason", "kind", "says"),
    [
        (401, "Must provide an API key", ProviderUnavailable, "refuses the API key"),
        (403, "Forbidden", ProviderUnavailable, "refuses the API key"),
        (404, "Not found: Collection `memories` doesn't exist!", ProviderUnavailable, "engine rebuild"),
        (400, "Wrong input: bad filter", Refused, "Wrong input: bad filter"),
        (503, "starting", ProviderUnavailable, "not ready"),
        (200, "", ProviderUnavailable, "cannot be reached"),  # no answer of Qdrant
    ],
)
def test_each_answer_of_a_server_becomes_an_error_that_says_what_to_do(
    answering: http.server.HTTPServer, status: int, reason: str, kind: type[Exception], says: str
) -> None:
    answering.answer = (status, json.dumps({"status": {"error": reason}}).encode())  # type: ignore[attr-defined]
    port = answering.server_address[1]
    engine = open_engine(f"qdrant://127.0.0.1:{port}", secret="s3cret-key")
    with pytest.raises(kind, match=says) as raised:
        engine.count("t")
    assert f"127.0.0.1:{port}" in str(raised.value)
    assert "s3cret" not in str(raised.value)
    engine.close()


def test_an_old_server_is_refused(answering: http.server.HTTPServer) -> None:
    answering.answer = (200, b'{"title": "qdrant", "version": "1.17.1"}')  # type: ignore[attr-defined]
    engine = open_engine(f"qdrant://127.0.0.1:{answering.server_address[1]}")
    with pytest.raises(InvalidInput, match=r"1\.17\.1.*1\.18 or later"):
        engine.prepare()
    engine.close()


def test_a_server_is_reached_by_tls_if_its_certificate_is_trusted(
    answering: http.server.HTTPServer, tmp_path: Path
) -> None:
    answering.answer = (200, b'{"title": "qdrant", "version": "1.17.1"}')  # type: ignore[attr-defined]
    front = TlsFront(tmp_path, port=answering.server_address[1])
    address = f"qdrants://127.0.0.1:{front.port}"
    (tmp_path / "empty.pem").write_text("")
    for trusted, error, says in (
        (front.ca_file, InvalidInput, f"Qdrant 1.17.1 at https://127.0.0.1:{front.port} is too old"),
        ("", ProviderUnavailable, "cannot be reached: .*certificate verify failed"),
        (
            str(tmp_path / "absent.pem"),
            InvalidInput,
            r"invalid engine_ca_file '.*: must be a file of certificates as PEM \(No such file",
        ),
        (str(tmp_path / "empty.pem"), InvalidInput, r"invalid engine_ca_file '.*: must be a file of cert"),
    ):
        with pytest.raises(error, match=says):
            open_registered(address, Settings(engine_ca_file=trusted)).prepare()
    # Without TLS nothing is verified, and the file is not read.
    open_registered("qdrant://127.0.0.1:9", Settings(engine_ca_file="absent.pem")).close()
    front.close()


def test_a_server_that_is_away_is_named() -> None:
    engine = open_engine("qdrant://127.0.0.1:9")
    with pytest.raises(ProviderUnavailable, match=r"http://127\.0\.0\.1:9 cannot be reached"):
        engine.prepare()
    engine.close()


def test_addresses_name_a_server_or_a_folder() -> None:
    assert parse_address("qdrant://host").as_dict() == {
        "collection": "memories",
        "host": "host",
        "port": 6333,
        "tls": False,
        "folder": None,
    }
    assert parse_address("qdrants://host:443/x").as_dict() == {
        "collection": "x",
        "host": "host",
        "port": 443,
        "tls": True,
        "folder": None,
    }
    assert parse_address("qdrant://[::1]:7000").host == "[::1]"
    assert parse_address("qdrant://[::1]/").port == 6333
    assert parse_address("qdrant:///var/lib/q d").folder == "/var/lib/q d"
    wrong = [
        *("qdrant://", "qdrant://host:0", "qdrant://host:70000", "qdrant://host:x", "http://host", "qdrant://host:"),
        *("qdrant://host/..", "qdrant://host/a/b", "qdrant://host/?key=x", "qdrants:///folder", "qdrant:///x\0"),
        *(
            "qdrant://key@host",
            "qdrant://host\0",
            "qdrant://host/é",
            "qdrant://ho st",
            "qdrant://" + "x" * 10 + ":" * 9,
        ),
    ]
    accepted = [address for address in wrong if _is_accepted(address)]
    assert not accepted
    with pytest.raises(InvalidInput) as raised:
        parse_address("qdrant://user:s3cret@host")
    assert "s3cret" not in str(raised.value)


def _is_accepted(address: str) -> bool:
    try:
        parse_address(address)
    except InvalidInput:
        return False
    return True


def test_points_of_another_program_are_read_with_their_unnamed_vector(tmp_path: Path) -> None:
    import qdrant_edge as edge

    shape = edge.EdgeConfig(vectors=edge.EdgeVectorParams(2, edge.Distance.Cosine))
    shard = edge.EdgeShard.create(str(tmp_path), shape)
    shard.update(edge.UpdateOperation.upsert_points([edge.Point(uuid(1), [0.6, 0.8], {"content": "x"})]))
    shard.close()
    from jotsam.engines.qdrant_points import Where

    points = open_points(f"qdrant://{tmp_path}")
    (point,) = points.scroll(Where(tenant=None), after="", limit=5, only=None)
    points.close()
    assert point.payload == {"content": "x"}
    assert point.vectors[""] == pytest.approx([0.6, 0.8])


def test_a_batch_may_hold_a_point_twice(engine: QdrantEngine) -> None:
    points = [Point(id=uuid(1), payload={"tenant": "t", "version": 1, "content": text}) for text in ("a", "b")]
    engine._points.upsert(points, unless=Newest(tenant="t", version=1))
    assert engine.count("t") == 1
