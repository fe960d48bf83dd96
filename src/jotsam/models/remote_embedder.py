"""Embedder on an OpenAI-compatible server: one POST to `/embeddings` per batch.

Errors are those of `openai_endpoint`, and nothing is retried here. The caller passes a meter that pays for each
request; prices are not known here.
"""

from __future__ import annotations

from contextlib import nullcontext
from copy import copy

from jotsam.core.errors import Malformed, TooLong
from jotsam.core.unit_vectors import packed
from jotsam.core.validate import token_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Any, Self

    from jotsam.models.openai_endpoint import Endpoint

    # Called with the estimated tokens of a request. The context manager yields a function that takes the actual number.
    Meter = Callable[[int], AbstractContextManager[Callable[[int], object]]]

# Most models take 512 to 8,192 tokens, and a text usually names its subject early.
MAX_CHARACTERS = 8_000
MIN_CHARACTERS = 200  # a text this short is not cut further when the server reports it as too long
BYTES_PER_TOKEN = 3  # low on purpose: for English this reserves a third more than is used


class RemoteEmbedder:
    """Unit vectors from a model on a server."""

    def __init__(self, endpoint: Endpoint, *, model: str) -> None:
        self._endpoint = endpoint
        self._dimensions: list[int] = []  # at most one, that of the first reply; a list, so that copies share it
        self._meter: Meter = lambda tokens: nullcontext(_ignore)
        self.name = model
        self.location = endpoint.url

    def metered_by(self, meter: Meter) -> Self:
        """A copy whose requests go through `meter`. `embed` raises what the meter raises."""
        other = copy(self)
        other._meter = meter
        return other

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """A unit vector per text, in order, as little-endian float32.

        Texts longer than the model's limit are truncated, as with local models.
        """
        truncated = [text[:MAX_CHARACTERS] for text in texts]
        try:
            return self._request(truncated)
        except TooLong:
            if len(truncated) > 1:
                return [vector for text in truncated for vector in self.embed([text])]
            if len(truncated[0]) <= MIN_CHARACTERS:
                raise
            return self.embed([truncated[0][: len(truncated[0]) // 2]])

    def _request(self, texts: Sequence[str]) -> list[bytes]:
        if not texts:
            return []
        estimate = estimated_tokens(texts)
        with self._meter(estimate) as report:
            reply = self._endpoint.post("/embeddings", {"model": self.name, "input": list(texts)})
            report(used_tokens(reply, estimate))
        found = reply.get("data")
        if not isinstance(found, list) or len(found) != len(texts):
            raise Malformed(f"{self.location} returned {_count(found)} vectors for {len(texts)} texts")
        vectors: dict[int, bytes] = {}
        for position, item in enumerate(found):
            vectors[_index(item, position)] = self._vector(item)
        if sorted(vectors) != list(range(len(texts))):
            raise Malformed(f"{self.location} returned vectors with the indexes {sorted(vectors)[:9]}")
        return [vectors[index] for index in range(len(texts))]

    def _vector(self, item: object) -> bytes:
        values = item.get("embedding") if isinstance(item, dict) else None
        try:
            vector = packed(values or ())
        except (TypeError, ValueError, OverflowError) as error:
            raise Malformed(f"{self.location} returned an invalid vector: {error}") from error
        dimension = len(vector) // 4
        known = self._dimensions or [dimension]
        self._dimensions[:] = known
        if dimension != known[0]:
            raise Malformed(f"{self.location} returned a vector of {dimension} dimensions after one of {known[0]}")
        return vector


def estimated_tokens(texts: Iterable[str]) -> int:
    """The number of tokens that texts have at most, as far as their size tells."""
    return sum(len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN + 1 for text in texts)


def used_tokens(reply: Mapping[str, Any], default: int) -> int:
    """The number of tokens that the server reports; some report none."""
    usage = reply.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return token_count(usage.get("prompt_tokens", usage.get("total_tokens")), default)


def _index(item: object, default: int) -> int:
    found: Mapping[str, Any] = item if isinstance(item, dict) else {}
    index = found.get("index", default)
    return index if isinstance(index, int) else default


def _ignore(tokens: int) -> None:
    """The report of a request without a meter."""


def _count(found: object) -> str:
    return str(len(found)) if isinstance(found, list) else "no list of"
