"""An embedder behind an OpenAI-compatible server: one POST to `/embeddings` for a batch of texts.

What goes wrong is raised as `endpoint` raises it, for what shall become of the job; nothing is tried again here.
Whoever asks says how each request is paid; this room must not know what anything costs.
"""

from __future__ import annotations

import math
import struct
from contextlib import nullcontext
from copy import copy

from jotsam.core.errors import Malformed, TooLong
from jotsam.models.openai_endpoint import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Any, Self

    from jotsam.models.openai_endpoint import Endpoint

    Pay = Callable[[int], AbstractContextManager[Callable[[int], object]]]
    """Goes around each request: given how many tokens that may take, it yields what is told how many it took."""

LONGEST = 8_000
"""Characters of a text that are sent. Most models take 512 to 8,192 tokens, and what a text is about stands early."""

SHORTEST = 200
BYTES_PER_TOKEN = 3
"""Rather too few: more is reserved than a request takes, in English by a third."""


class RemoteEmbedder:
    """Vectors of length 1 from a server, by a model that it knows under a name."""

    def __init__(self, endpoint: Endpoint, *, model: str) -> None:
        self._endpoint = endpoint
        self._dimensions: list[int] = []  # that of the first answer
        self._pay: Pay = lambda tokens: nullcontext(_told)
        self.name = model
        self.place = endpoint.url

    def paid_by(self, pay: Pay) -> Self:
        """The same, whose requests are paid in this way. What paying raises, `embed` does."""
        other = copy(self)
        other._pay = pay
        return other

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """A vector for each text, in its order: little-endian float32, of length 1.

        A text that is longer than the model takes is cut off, as a model on this machine does.
        """
        cut = [text[:LONGEST] for text in texts]
        try:
            return self._ask(cut)
        except TooLong:
            if len(cut) > 1:
                return [vector for text in cut for vector in self.embed([text])]
            if len(cut[0]) <= SHORTEST:
                raise
            return self.embed([cut[0][: len(cut[0]) // 2]])

    def _ask(self, texts: Sequence[str]) -> list[bytes]:
        if not texts:
            return []
        estimate = sum(len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN + 1 for text in texts)
        with self._pay(estimate) as told:
            reply = self._endpoint.post("/embeddings", {"model": self.name, "input": list(texts)})
            told(_tokens(reply, estimate))
        found = reply.get("data")
        if not isinstance(found, list) or len(found) != len(texts):
            raise Malformed(f"{self.place} answered {len(texts)} texts with {_count(found)} vectors")
        vectors: dict[int, bytes] = {}
        for place, item in enumerate(found):
            vectors[_place(item, place)] = self._vector(item)
        if sorted(vectors) != list(range(len(texts))):
            raise Malformed(f"{self.place} answered with vectors numbered {sorted(vectors)[:9]}")
        return [vectors[place] for place in range(len(texts))]

    def _vector(self, item: object) -> bytes:
        values = item.get("embedding") if isinstance(item, dict) else None
        try:
            numbers = [float(value) for value in values or ()]
            length = math.sqrt(sum(number * number for number in numbers))
            if not length or not math.isfinite(length):
                raise ValueError("its length is not a number above 0")
            packed = struct.pack(f"<{len(numbers)}f", *(number / length for number in numbers))
        except (TypeError, ValueError, struct.error) as error:
            raise Malformed(f"{self.place} answered with something that is no vector: {error}") from error
        known = self._dimensions or [len(numbers)]
        self._dimensions[:] = known
        if len(numbers) != known[0]:
            raise Malformed(f"{self.place} answered with {len(numbers)} numbers, and with {known[0]} before")
        return packed


def _place(item: object, default: int) -> int:
    found: Mapping[str, Any] = item if isinstance(item, dict) else {}
    place = found.get("index", default)
    return place if isinstance(place, int) else default


def _tokens(reply: Mapping[str, Any], otherwise: int) -> int:
    """What the server has counted; some count nothing."""
    usage = reply.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return counted(usage.get("prompt_tokens", usage.get("total_tokens")), otherwise)


def _told(tokens: int) -> None:
    """Nobody pays."""


def _count(found: object) -> str:
    return str(len(found)) if isinstance(found, list) else "no list of"
