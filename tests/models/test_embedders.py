"""Which embedder is chosen, what a server may answer, and how a model is fetched."""

from __future__ import annotations

import hashlib
import math
import struct
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from jotsam.core.errors import InvalidInput, JotsamError, Malformed, ProviderUnavailable
from jotsam.core.settings import Settings
from jotsam.models.download import fetch
from jotsam.models.embedder_registry import Embedders, folder_of_models
from jotsam.models.fake_endpoint import FakeEndpoint
from jotsam.models.hashing_embedder import HashingEmbedder
from jotsam.models.openai_endpoint import Endpoint
from jotsam.models.remote_embedder import LONGEST, RemoteEmbedder
from models import tiny


def cosine(one: bytes, two: bytes) -> float:
    size = len(one) // 4
    a, b = struct.unpack(f"<{size}f", one), struct.unpack(f"<{size}f", two)
    return sum(x * y for x, y in zip(a, b, strict=True))


OPENED: list[Embedders | Endpoint] = []


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    while OPENED:
        OPENED.pop().close()


def embedders(**settings: str) -> Embedders:
    OPENED.append(Embedders(Settings(**settings), timeout_ms=30_000))
    return OPENED[-1]


def remote(url: str) -> RemoteEmbedder:
    OPENED.append(Endpoint(url, timeout_ms=30_000))
    return RemoteEmbedder(OPENED[-1], model="m")


def test_hashing_knows_which_texts_share_words_and_parts_of_words():
    cat, cats, other, same = HashingEmbedder().embed(["The cat sat", "the cats sat", "Wir essen", "The  cat, SAT!"])
    assert cosine(cat, cat) == pytest.approx(1, abs=1e-6)
    assert cat == same
    assert cosine(cat, cats) > 0.6 > 0.2 > abs(cosine(cat, other))
    (nothing,) = HashingEmbedder().embed(["?!"])
    assert set(nothing) == {0}


def test_hashing_gives_the_same_vectors_everywhere():
    (vector,) = HashingEmbedder().embed(["Größe 王小明 lease"])
    assert hashlib.sha256(vector).hexdigest() == "04b1e487bb9a490b580891b66cadfbe803dacc11183d2b8ddb3a1b291a5e969e"


def test_without_settings_there_is_no_embedder():
    assert not embedders().is_chosen
    assert embedders(embed_model="hashing").is_chosen


def test_a_model_is_chosen_by_its_folder_or_by_the_name_it_was_fetched_under(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    tiny.write(tmp_path / "mine")
    digest = hashlib.sha256((tmp_path / "mine" / "model.safetensors").read_bytes()).hexdigest()
    done = fetch(str(tmp_path / "mine"), into=folder_of_models(), name="tiny", sha256=digest.upper())
    assert done.sha256 == digest
    by_path = embedders(embed_model=str(tmp_path / "mine")).chosen()
    by_name = embedders(embed_model="tiny").chosen()
    assert by_path.name == by_name.name
    assert by_name.place == done.folder


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"embed_model": "no-such-model"}, "embed_model is 'no-such-model': give the folder"),
        ({"embed_url": "http://127.0.0.1:1/v1"}, "embed_model is not"),
        ({"embed_url": "127.0.0.1:1", "embed_model": "m"}, "the URL of a model is"),
    ],
)
def test_a_choice_that_cannot_be_is_named(settings: dict[str, str], says: str):
    with pytest.raises(InvalidInput, match=says):
        embedders(**settings).chosen()


def test_the_maker_of_older_vectors_is_found_where_it_was(tmp_path: Path):
    tiny.write(tmp_path / "old", seed=1)
    tiny.write(tmp_path / "new", seed=2)
    old = embedders(embed_model=str(tmp_path / "old")).chosen()
    now = embedders(embed_model=str(tmp_path / "new"))
    found = now.maker(name=old.name, place=old.place)
    assert found is not None
    assert found.embed(["the cat"]) == old.embed(["the cat"])
    assert now.maker(name="hashing-512", place="hashing") is not None
    assert now.maker(name=old.name, place=str(tmp_path / "new")) is None, "another model stands there now"
    assert now.maker(name=old.name, place=str(tmp_path / "gone")) is None


def test_a_server_of_older_vectors_is_never_given_the_key_of_another(fake_endpoint: FakeEndpoint):
    now = embedders(embed_url="http://127.0.0.1:9/v1", embed_model="m", embed_key="sk-secret")
    assert now.maker(name="m", place=fake_endpoint.url) is None
    assert fake_endpoint.requests == []


def test_a_server_embeds_a_batch_in_one_request(fake_endpoint: FakeEndpoint):
    chosen = embedders(embed_url=fake_endpoint.url, embed_model="served", embed_key="sk-1").chosen()
    one, two, three = chosen.embed(["Redis is fast", "Redis is quick", "a cat"])
    assert cosine(one, one) == pytest.approx(1, abs=1e-6)
    assert cosine(one, two) > cosine(one, three)
    assert len(fake_endpoint.requests) == 1
    assert (chosen.name, chosen.place) == ("served", fake_endpoint.url)
    assert chosen.embed([]) == []
    assert len(fake_endpoint.requests) == 1


def test_a_text_longer_than_the_model_takes_is_cut_off(fake_endpoint: FakeEndpoint):
    chosen = remote(fake_endpoint.url)
    fake_endpoint.script(["too-long", "too-long"])
    (vector,) = chosen.embed(["the cat " * 2_000])
    assert [len(request["input"][0]) for request in fake_endpoint.requests] == [LONGEST, LONGEST // 2, LONGEST // 4]
    assert len(vector) > 0


def test_of_a_batch_only_the_text_that_is_too_long_is_cut_off(fake_endpoint: FakeEndpoint):
    chosen = remote(fake_endpoint.url)
    fake_endpoint.script(["too-long", "ok", "too-long"])
    assert len(chosen.embed(["the cat", "the mat " * 900])) == 2
    sizes = [[len(text) for text in request["input"]] for request in fake_endpoint.requests]
    assert sizes == [[7, 7_200], [7], [7_200], [3_600]]


class Answers(SimpleHTTPRequestHandler):
    """Answers every POST with one body."""

    def __init__(self, body: bytes, *args: object) -> None:
        self.body = body
        super().__init__(*args)  # type: ignore[arg-type]

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def serve() -> Iterator[object]:
    """Starts a server with a handler, and gives its address."""
    servers: list[ThreadingHTTPServer] = []

    def start(handler: object) -> str:
        servers.append(ThreadingHTTPServer(("127.0.0.1", 0), handler))  # type: ignore[arg-type]
        threading.Thread(target=servers[-1].serve_forever, args=(0.01,), daemon=True).start()
        return f"http://127.0.0.1:{servers[-1].server_address[1]}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b'{"data": []}', "2 texts with 0 vectors"),
        (b'{"data": "x"}', "no list of vectors"),
        (b'{"data": [{"index": 0, "embedding": [1, 2]}, {"index": 0, "embedding": [1, 2]}]}', r"numbered \[0\]"),
        (b'{"data": [{"embedding": [1, 2]}, {"embedding": [1, 2, 3]}]}', "3 numbers, and with 2 before"),
        (b'{"data": [{"embedding": [1, "a"]}, {"embedding": [1, 2]}]}', "no vector"),
        (b'{"data": [{"embedding": [0, 0]}, {"embedding": [1, 2]}]}', "no vector: its length"),
        (b'{"data": [{"embedding": [NaN, 1]}, {"embedding": [1, 2]}]}', "no vector: its length"),
        (b'{"data": [{}, 7]}', "no vector"),
    ],
)
def test_an_answer_that_holds_no_vectors_is_malformed(body: bytes, says: str, serve):
    chosen = remote(serve(partial(Answers, body)))
    with pytest.raises(Malformed, match=says):
        chosen.embed(["one", "two"])


def test_vectors_come_back_in_the_order_of_their_texts_and_with_length_1(serve):
    body = b'{"data": [{"index": 1, "embedding": [0, 5]}, {"index": 0, "embedding": [3, 4]}]}'
    chosen = remote(serve(partial(Answers, body)))
    one, two = (struct.unpack("<2f", vector) for vector in chosen.embed(["one", "two"]))
    assert one == pytest.approx((0.6, 0.8))
    assert two == (0, 1)
    assert math.hypot(*one) == pytest.approx(1)


def test_a_server_that_is_not_there_pauses_the_queue():
    with pytest.raises(ProviderUnavailable, match="cannot be reached"):
        embedders(embed_url="http://127.0.0.1:9/v1", embed_model="m").chosen().embed(["text"])


def digest_of(folder: Path) -> str:
    return hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()


class Files(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def test_a_model_is_fetched_from_an_address(serve, tmp_path: Path):
    tiny.write(tmp_path / "source")
    address = serve(partial(Files, directory=str(tmp_path / "source")))
    done = fetch(address, into=str(tmp_path / "models"), name="tiny", sha256=digest_of(tmp_path / "source"))
    fetched, source = (embedders(embed_model=str(place)).chosen() for place in (done.folder, tmp_path / "source"))
    assert fetched.name == source.name
    assert sorted(path.name for path in Path(done.folder).iterdir()) == [
        "config.json",
        "model.safetensors",
        "tokenizer.json",
    ]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"sha256": "0" * 64}, "has the SHA-256"),
        ({"sha256": "12"}, "64 hexadecimal digits"),
        ({"name": "../out"}, "without a slash"),
        ({"name": ".hidden"}, "without a slash"),
        ({"name": "there"}, "exists"),
        ({"weights": "model.onnx"}, "there is no model.onnx"),
        ({"weights": "code.py"}, "weights is 'code.py'"),
        ({"source": "nowhere"}, "there is no config.json"),
        ({"source": "http://127.0.0.1:9/m"}, "give the --sha256"),
    ],
)
def test_what_is_not_as_it_should_be_is_not_kept(change: dict[str, str], says: str, tmp_path: Path):
    tiny.write(tmp_path / "source")
    (tmp_path / "models" / "there").mkdir(parents=True)
    given = {"source": str(tmp_path / "source"), "name": "tiny"} | change
    with pytest.raises(InvalidInput, match=says):
        fetch(given.pop("source"), into=str(tmp_path / "models"), **given)
    assert [path.name for path in (tmp_path / "models").iterdir()] == ["there"]


def test_an_address_that_cannot_be_reached_leaves_nothing_behind(tmp_path: Path):
    with pytest.raises(JotsamError, match="cannot be fetched"):
        fetch("http://127.0.0.1:9/m", into=str(tmp_path / "models"), name="m", sha256="0" * 64)
    assert list((tmp_path / "models").iterdir()) == []
