"""Opens embedders: the one that the settings name, and those that made the stored vectors. Each is opened once.

An embedder has a `name`, unique to its model; a `location` (folder or URL); and `embed(texts)`, which returns a unit
vector per text as little-endian float32.
"""

from __future__ import annotations

import os
import threading

from jotsam.core.errors import InvalidInput
from jotsam.core.platform.folders import data_folder
from jotsam.models.hashing_embedder import HashingEmbedder
from jotsam.models.remote_embedder import RemoteEmbedder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from jotsam.core.settings import Settings
    from jotsam.models.openai_endpoint import Endpoint
    from jotsam.models.remote_embedder import Meter

    class Embedder(Protocol):
        """See the module docstring."""

        @property
        def name(self) -> str: ...
        @property
        def location(self) -> str: ...
        def embed(self, texts: Sequence[str]) -> list[bytes]: ...


HASHING = HashingEmbedder.location


class EmbedderRegistry:
    """The embedders available under one set of settings. Thread-safe."""

    def __init__(self, settings: Settings, *, timeout_ms: int) -> None:
        """`timeout_ms` limits one request to a server."""
        self._settings = settings
        self._timeout_ms = timeout_ms
        self._opened: dict[str, Embedder] = {}
        self._endpoint: Endpoint | None = None
        self._lock = threading.Lock()

    @property
    def is_configured(self) -> bool:
        return self._settings.has_embedder

    def configured(self) -> Embedder:
        """The embedder that the settings name. Raises `InvalidInput` with what is missing."""
        settings = self._settings
        if settings.embed_url:
            if not settings.embed_model:
                raise InvalidInput("embed_url is set but embed_model is not: set it to the model's name on that server")
            return self._remote()
        return self._local(_location(settings.embed_model))

    def find(self, *, name: str, location: str) -> Embedder | None:
        """The embedder that made stored vectors; None if it has been removed.

        A server is only used if the settings name it, because the API key belongs to that server.
        """
        if location.startswith(("http://", "https://")):
            remote = self._remote() if self._settings.embed_url else None
            return remote if remote and (remote.name, remote.location) == (name, location) else None
        if location != HASHING and not os.path.isdir(location):
            return None
        found = self._local(location)
        return found if found.name == name else None

    def close(self) -> None:
        """Close the connections to a server."""
        if self._endpoint:
            self._endpoint.close()

    def _remote(self) -> Embedder:
        from jotsam.models.openai_endpoint import Endpoint

        settings = self._settings
        with self._lock:
            if self._endpoint is None:
                self._endpoint = Endpoint(settings.embed_url, key=settings.embed_api_key, timeout_ms=self._timeout_ms)
                self._opened[settings.embed_url] = RemoteEmbedder(self._endpoint, model=settings.embed_model)
            return self._opened[settings.embed_url]

    def _local(self, location: str) -> Embedder:
        with self._lock:
            if location not in self._opened:
                self._opened[location] = _open_local(location)
            return self._opened[location]


def metered(embedder: Embedder, meter: Meter) -> Embedder:
    """The embedder with its requests to a server metered. A local embedder is returned as it is: it costs nothing."""
    return embedder.metered_by(meter) if isinstance(embedder, RemoteEmbedder) else embedder


def models_folder() -> str:
    """The folder of downloaded models."""
    return os.path.join(data_folder(os.environ), "models")


def _location(model: str) -> str:
    """The folder of a model given by its path or by the name of a download."""
    path = os.path.abspath(os.path.expanduser(model))
    downloaded = os.path.join(models_folder(), model)
    if model == HASHING:
        return HASHING
    for folder in (path, downloaded):
        if os.path.isdir(folder):
            return folder
    raise InvalidInput(
        f"unknown embed_model {model!r}: must be the folder of a model, the name of a model that"
        f" `jotsam models fetch` stored in {models_folder()}, {HASHING!r}, or a model of the server in embed_url"
    )


def _open_local(location: str) -> Embedder:
    if location == HASHING:
        return HashingEmbedder()
    from jotsam.models.local_embedder import LocalEmbedder

    return LocalEmbedder(location)
