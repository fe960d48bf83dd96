"""Which embedder the settings name, and which one made a vector that is stored. Each is opened once and kept.

An embedder has a `name` that tells its vectors from those of every other model, a `place` where it was found, and
`embed(texts)`, which gives a vector for each text: little-endian float32, of length 1.
"""

from __future__ import annotations

import os
import threading

from jotsam.core.errors import InvalidInput
from jotsam.core.settings import data_folder
from jotsam.models.hashing_embedder import HashingEmbedder
from jotsam.models.remote_embedder import RemoteEmbedder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from jotsam.core.settings import Settings
    from jotsam.models.openai_endpoint import Endpoint
    from jotsam.models.remote_embedder import Pay

    class Embedder(Protocol):
        """See the top of this room."""

        @property
        def name(self) -> str: ...
        @property
        def place(self) -> str: ...
        def embed(self, texts: Sequence[str]) -> list[bytes]: ...


BY_HASHING = HashingEmbedder.place


class Embedders:
    """The embedders of one set of settings. Safe to use from many threads."""

    def __init__(self, settings: Settings, *, timeout_ms: int) -> None:
        """`timeout_ms` is how long a server may take for one batch."""
        self._settings = settings
        self._timeout_ms = timeout_ms
        self._opened: dict[str, Embedder] = {}
        self._endpoint: Endpoint | None = None
        self._turn = threading.Lock()

    @property
    def is_chosen(self) -> bool:
        """Whether the settings name an embedder; without one there are no vectors."""
        return bool(self._settings.embed_model or self._settings.embed_url)

    def chosen(self) -> Embedder:
        """The one that the settings name. Raises `InvalidInput`, saying what is missing."""
        settings = self._settings
        if settings.embed_url:
            if not settings.embed_model:
                raise InvalidInput("embed_url is set, and embed_model is not: give the name of a model of that server")
            return self._remote()
        return self._local(_place(settings.embed_model))

    def maker(self, *, name: str, place: str) -> Embedder | None:
        """The one that made vectors under a name; None if it is not to be had any more.

        A server is asked only when the settings name it: the key is meant for that one.
        """
        if place.startswith(("http://", "https://")):
            chosen = self._remote() if self._settings.embed_url else None
            return chosen if chosen and (chosen.name, chosen.place) == (name, place) else None
        if place != BY_HASHING and not os.path.isdir(place):
            return None
        found = self._local(place)
        return found if found.name == name else None

    def close(self) -> None:
        """Close the connections to a server."""
        if self._endpoint:
            self._endpoint.close()

    def _remote(self) -> Embedder:
        from jotsam.models.openai_endpoint import Endpoint

        settings = self._settings
        with self._turn:
            if self._endpoint is None:
                self._endpoint = Endpoint(settings.embed_url, key=settings.embed_key, timeout_ms=self._timeout_ms)
                self._opened[settings.embed_url] = RemoteEmbedder(self._endpoint, model=settings.embed_model)
            return self._opened[settings.embed_url]

    def _local(self, place: str) -> Embedder:
        with self._turn:
            if place not in self._opened:
                self._opened[place] = _local(place)
            return self._opened[place]


def paid(embedder: Embedder, pay: Pay) -> Embedder:
    """The same embedder, whose requests to a server are paid by `pay`. One on this machine costs nothing."""
    return embedder.paid_by(pay) if isinstance(embedder, RemoteEmbedder) else embedder


def folder_of_models() -> str:
    """Where models that were fetched are kept."""
    return os.path.join(data_folder(os.environ), "models")


def _place(model: str) -> str:
    """The folder of a model, by its path or by the name under which it was fetched."""
    path = os.path.abspath(os.path.expanduser(model))
    fetched = os.path.join(folder_of_models(), model)
    if model == BY_HASHING:
        return BY_HASHING
    for folder in (path, fetched):
        if os.path.isdir(folder):
            return folder
    raise InvalidInput(
        f"embed_model is {model!r}: give the folder of a model, the name of one in {folder_of_models()} that"
        f" `jotsam embedder fetch` has put there, {BY_HASHING!r}, or embed_url for a server that knows it"
    )


def _local(place: str) -> Embedder:
    if place == BY_HASHING:
        return HashingEmbedder()
    from jotsam.models.local_embedder import LocalEmbedder

    return LocalEmbedder(place)
