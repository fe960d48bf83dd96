"""Requests as a client of AutoMem sends them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

if TYPE_CHECKING:
    from http_server import HttpServer


def store(server: HttpServer, token: str, content: str, **more: Any) -> str:
    found = server.post("/memory", {"content": content, **more}, token=token)
    assert found.status == 201, found
    id: str = found.json["memory_id"]
    return id


def recalled(server: HttpServer, token: str, **parameters: Any) -> dict[str, Any]:
    found = server.get(f"/recall?{urlencode(parameters, doseq=True)}", token=token)
    assert found.status == 200, found
    body: dict[str, Any] = found.json
    return body


def ids_of(body: dict[str, Any]) -> list[str]:
    return [one["id"] for one in body["results"]]
