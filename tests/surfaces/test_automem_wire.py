"""What clients of AutoMem sent, as `tools.record_wire` recorded it, is sent again to a new server and compared.

The clients are not needed. A line of a fixture is a request with its reply; `{id1}` is an id that a reply had before.
A reply has to have every field of the recorded one, of the same type, and the same value where clients depend on it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from http_server import HttpServer, serving

FIXTURES = sorted((Path(__file__).parents[1] / "wire").glob("*.jsonl"))
ORIGIN = "http://localhost:3000"  # where the viewer was served from

# Values that do not depend on the time, and on which clients depend.
SAME = {"status", "code", "count", "stored", "deleted_count", "created_count", "failed_count", "has_more", "limit"}
SAME |= {"offset", "relation_type", "index", "content", "mode", "tag_mode", "tag_match", "state_mode", "returned_nodes"}
# Objects whose keys are data.
FREE = {"metadata", "score_components", "by_type", "by_relationship", "properties", "vector_dimensions"}
PLACEHOLDER = re.compile(r"\{(id\d+)\}")
ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[HttpServer]:
    with serving(str(tmp_path_factory.mktemp("wire") / "jotsam.db"), "--allow-origin", ORIGIN) as running:
        yield running


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_a_client_is_answered_as_it_was_when_it_was_recorded(path, server):
    head, *exchanges = map(json.loads, path.read_text().splitlines())
    assert re.fullmatch(r"[\w.-]+ [\d.]+ \([0-9a-f]{7,40}\)", head["client"]), "name, version and commit"
    token, ids, wrong = server.create_token(tenant=path.stem), dict[str, str](), list[str]()
    for number, exchange in enumerate(exchanges, 2):
        wrong += [f"line {number}: {found}" for found in replayed(server, exchange, token=token, ids=ids)]
    assert not wrong, "\n".join(wrong)
    assert len(exchanges) > 5


def replayed(server: HttpServer, exchange: dict[str, Any], *, token: str, ids: dict[str, str]) -> Iterator[str]:
    """Send a request again. Yields what is wrong with the reply, and notes its ids."""
    sent = json.dumps({name: exchange[name] for name in ("path", "headers", "body")}).replace("{token}", token)
    sent = PLACEHOLDER.sub(lambda found: ids[found[1]], sent)
    asked = json.loads(sent)
    content = None if asked["body"] is None else json.dumps(asked["body"]).encode()
    headers = {name: value for name, value in asked["headers"].items() if name != "content-length"}
    reply = server.request(exchange["method"], asked["path"], token=None, headers=headers, content=content)
    what = f"{exchange['method']} {exchange['path'][:80]}"
    if reply.status != exchange["status"]:
        yield f"{what}: {reply.status} instead of {exchange['status']}: {reply.content[:300]!r}"
        return
    for name, value in exchange["reply_headers"].items():
        if reply.headers.get(name) != value:
            yield f"{what}: header {name} is {reply.headers.get(name)!r} instead of {value!r}"
    if isinstance(exchange["reply"], dict):
        yield from (f"{what}: {found}" for found in differences(exchange["reply"], reply.json, "reply", ids))


def differences(recorded: Any, found: Any, place: str, ids: dict[str, str]) -> Iterator[str]:
    """Where a reply lacks what the recorded one has."""
    name = place.rpartition(".")[2]
    if isinstance(recorded, dict) and isinstance(found, dict):
        if name not in FREE:
            yield from (f"{place} has no {key}" for key in recorded.keys() - found.keys())
        for key in recorded.keys() & found.keys():
            yield from differences(recorded[key], found[key], f"{place}.{key}", ids)
    elif isinstance(recorded, list) and isinstance(found, list):
        if recorded and not found:
            yield f"{place} is empty"
        for number, (one, other) in enumerate(zip(recorded, found, strict=False)):
            yield from differences(one, other, f"{place}.{number}", ids)
    elif (None not in (recorded, found) and kind(recorded) != kind(found)) or (name in SAME and recorded != found):
        yield f"{place} is {found!r} instead of {recorded!r}"
    elif isinstance(recorded, str):
        note_ids(recorded, found, ids)


def kind(value: Any) -> str:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return "number" if is_number else type(value).__name__


def note_ids(recorded: str, found: str, ids: dict[str, str]) -> None:
    """The ids that a reply has for those of the recorded one, if they are new."""
    names = PLACEHOLDER.findall(recorded)
    if not names or all(name in ids for name in names):
        return
    pattern = ".*?".join(f"({ID})" for _ in names)
    if match := re.search(pattern, found):
        for name, id in zip(names, match.groups(), strict=True):
            ids.setdefault(name, id)
