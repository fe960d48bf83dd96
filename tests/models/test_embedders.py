"""Embedder selection, responses of embedding servers, and model downloads."""

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
from jotsam.models.download import download_model
from jotsam.models.embedder_registry import EmbedderRegistry, models_folder
from jotsam.models.fake_endpoint import FakeEndpoint
from jotsam.models.hashing_embedder import HashingEmbedder
from jotsam.models.openai_endpoint import Endpoint
from jotsam.models.remote_embedder import MAX_CHARACTERS, RemoteEmbedder
from models import tiny


def cosine(one: bytes, two: bytes) -> float:
    size = len(one) // 4
    a, b = struct.unpack(f"<{size}f", one), struct.unpack(f"<{size}f", two)
    return sum(x * y for x, y in zip(a, b, strict=True))


OPEN: list[EmbedderRegistry | Endpoint] = []


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    while OPEN:
        OPEN.pop().close()


def embedders(**settings: str) -> EmbedderRegistry:
    OPEN.append(EmbedderRegistry(Settings(**settings), timeout_ms=30_000))
    return OPEN[-1]


def remote(url: str) -> RemoteEmbedder:
    OPEN.append(Endpoint(url, timeout_ms=30_000))
    return RemoteEmbedder(OPEN[-1], model="m")


def test_hashing_finds_texts_that_share_words_or_parts_of_words():
    cat, cats, other, same = HashingEmbedder().embed(["The cat sat", "the cats sat", "Wir essen", "The  cat, SAT!"])
    assert cosine(cat, cat) == pytest.approx(1, abs=1e-6)
    assert cat == same
    assert cosine(cat, cats) > 0.6 > 0.2 > abs(cosine(cat, other))
    (nothing,) = HashingEmbedder().embed(["?!"])
    assert set(nothing) == {0}


def test_hashing_returns_the_same_vectors_on_every_machine():
    (vector,) = HashingEmbedder().embed(["Größe 王小明 lease"])
    assert hashlib.sha256(vector).hexdigest() == "04b1e487bb9a490b580891b66cadfbe803dacc11183d2b8ddb3a1b291a5e969e"


def test_without_settings_there_is_no_embedder():
    assert not embedders().is_configured
    assert embedders(embed_model="hashing").is_configured


def test_a_model_is_selected_by_its_folder_or_by_the_name_of_its_download(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    tiny.write(tmp_path / "mine")
    digest = hashlib.sha256((tmp_path / "mine" / "model.safetensors").read_bytes()).hexdigest()
    done = download_model(str(tmp_path / "mine"), into=models_folder(), name="tiny", sha256=digest.upper())
    assert done.sha256 == digest
    by_path = embedders(embed_model=str(tmp_path / "mine")).configured()
    by_name = embedders(embed_model="tiny").configured()
    assert by_path.name == by_name.name
    assert by_name.location == done.folder


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"embed_model": "no-such-model"}, "unknown embed_model 'no-such-model': must be the folder"),
        ({"embed_url": "http://127.0.0.1:1/v1"}, "embed_model is not"),
        ({"embed_url": "127.0.0.1:1", "embed_model": "m"}, "invalid model URL"),
    ],
)
def test_an_invalid_embedder_setting_is_reported(settings: dict[str, str], message: str):
    with pytest.raises(InvalidInput, match=message):
        embedders(**settings).configured()


def test_the_embedder_of_older_vectors_is_found_at_its_location(tmp_path: Path):
    tiny.write(tmp_path / "old", seed=1)
    tiny.write(tmp_path / "new", seed=2)
    old = embedders(embed_model=str(tmp_path / "old")).configured()
    now = embedders(embed_model=str(tmp_path / "new"))
    found = now.find(name=old.name, location=old.location)
    assert found is not None
    assert found.embed(["the cat"]) == old.embed(["the cat"])
    assert now.find(name="hashing-512", location="hashing") is not None
    assert now.find(name=old.name, location=str(tmp_path / "new")) is None, "the folder holds another model now"
    assert now.find(name=old.name, location=str(tmp_path / "gone")) is None


def test_the_key_of_one_server_is_never_sent_to_the_server_of_older_vectors(fake_endpoint: FakeEndpoint):
    now = embedders(embed_url="http://127.0.0.1:9/v1", embed_model="m", embed_api_key="sk-secret")
    assert now.find(name="m", location=fake_endpoint.url) is None
    assert fake_endpoint.requests == []


def test_a_server_embeds_a_batch_in_one_request(fake_endpoint: FakeEndpoint):
    chosen = embedders(embed_url=fake_endpoint.url, embed_model="served", embed_api_key="sk-1").configured()
    one, two, three = chosen.embed(["Redis is fast", "Redis is quick", "a cat"])
    assert cosine(one, one) == pytest.approx(1, abs=1e-6)
    assert cosine(one, two) > cosine(one, three)
    assert len(fake_endpoint.requests) == 1
    assert (chosen.name, chosen.location) == ("served", fake_endpoint.url)
    assert chosen.embed([]) == []
    assert len(fake_endpoint.requests) == 1


def test_a_text_beyond_the_model_limit_is_truncated(fake_endpoint: FakeEndpoint):
    chosen = remote(fake_endpoint.url)
    fake_endpoint.script(["too-long", "too-long"])
    (vector,) = chosen.embed(["the cat " * 2_000])
    assert [len(request["input"][0]) for request in fake_endpoint.requests] == [
        MAX_CHARACTERS,
        MAX_CHARACTERS // 2,
        MAX_CHARACTERS // 4,
    ]
    assert len(vector) > 0


def test_only_the_long_text_of_a_batch_is_truncated(fake_endpoint: FakeEndpoint):
    chosen = remote(fake_endpoint.url)
    fake_endpoint.script(["too-long", "ok", "too-long"])
    assert len(chosen.embed(["the cat", "the mat " * 900])) == 2
    sizes = [[len(text) for text in request["input"]] for request in fake_endpoint.requests]
    assert sizes == [[7, 7_200], [7], [7_200], [3_600]]


class Answers(SimpleHTTPRequestHandler):
    """Returns the same body for every POST."""

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
    """Start a server with a handler; returns its URL."""
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
    ("body", "message"),
    [
        (b'{"data": []}', "0 vectors for 2 texts"),
        (b'{"data": "x"}', "no list of vectors"),
        (b'{"data": [{"index": 0, "embedding": [1, 2]}, {"index": 0, "embedding": [1, 2]}]}', r"indexes \[0\]"),
        (b'{"data": [{"embedding": [1, 2]}, {"embedding": [1, 2, 3]}]}', "3 dimensions after one of 2"),
        (b'{"data": [{"embedding": [1, "a"]}, {"embedding": [1, 2]}]}', "invalid vector"),
        (b'{"data": [{"embedding": [0, 0]}, {"embedding": [1, 2]}]}', "invalid vector: its length"),
        (b'{"data": [{"embedding": [NaN, 1]}, {"embedding": [1, 2]}]}', "invalid vector: its length"),
        (b'{"data": [{}, 7]}', "invalid vector"),
    ],
)
def test_a_response_without_valid_vectors_is_malformed(body: bytes, message: str, serve):
    chosen = remote(serve(partial(Answers, body)))
    with pytest.raises(Malformed, match=message):
        chosen.embed(["one", "two"])


def test_vectors_are_returned_in_the_order_of_their_texts_and_normalized(serve):
    body = b'{"data": [{"index": 1, "embedding": [0, 5]}, {"index": 0, "embedding": [3, 4]}]}'
    chosen = remote(serve(partial(Answers, body)))
    one, two = (struct.unpack("<2f", vector) for vector in chosen.embed(["one", "two"]))
    assert one == pytest.approx((0.6, 0.8))
    assert two == (0, 1)
    assert math.hypot(*one) == pytest.approx(1)


def test_an_unreachable_server_pauses_the_queue():
    with pytest.raises(ProviderUnavailable, match="cannot connect to"):
        embedders(embed_url="http://127.0.0.1:9/v1", embed_model="m").configured().embed(["text"])


def digest_of(folder: Path) -> str:
    return hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()


class Files(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def test_a_model_is_downloaded_from_a_url(serve, tmp_path: Path):
    tiny.write(tmp_path / "source")
    address = serve(partial(Files, directory=str(tmp_path / "source")))
    done = download_model(address, into=str(tmp_path / "models"), name="tiny", sha256=digest_of(tmp_path / "source"))
    fetched, source = (embedders(embed_model=str(place)).configured() for place in (done.folder, tmp_path / "source"))
    assert fetched.name == source.name
    assert sorted(path.name for path in Path(done.folder).iterdir()) == [
        "config.json",
        "model.safetensors",
        "tokenizer.json",
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sha256": "0" * 64}, "checksum mismatch"),
        ({"sha256": "12"}, "64 hexadecimal digits"),
        ({"name": "../out"}, "invalid name"),
        ({"name": ".hidden"}, "invalid name"),
        ({"name": "there"}, "already exists"),
        ({"weights": "model.onnx"}, "model.onnx is missing"),
        ({"weights": "code.py"}, "invalid weights 'code.py'"),
        ({"source": "nowhere"}, "config.json is missing"),
        ({"source": "http://127.0.0.1:9/m"}, "give the --sha256"),
    ],
)
def test_a_failed_download_leaves_no_files(change: dict[str, str], message: str, tmp_path: Path):
    tiny.write(tmp_path / "source")
    (tmp_path / "models" / "there").mkdir(parents=True)
    given = {"source": str(tmp_path / "source"), "name": "tiny"} | change
    with pytest.raises(InvalidInput, match=message):
        download_model(given.pop("source"), into=str(tmp_path / "models"), **given)
    assert [path.name for path in (tmp_path / "models").iterdir()] == ["there"]


def test_an_unreachable_url_leaves_no_files(tmp_path: Path):
    with pytest.raises(JotsamError, match="cannot download"):
        download_model("http://127.0.0.1:9/m", into=str(tmp_path / "models"), name="m", sha256="0" * 64)
    assert list((tmp_path / "models").iterdir()) == []
