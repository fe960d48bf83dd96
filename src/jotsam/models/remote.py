"""An embedder behind an OpenAI-compatible server: one POST to `/embeddings` for a batch of texts.

What goes wrong is raised as `endpoint` raises it, for what shall become of the job; nothing is tried again here.
"""

from __future__ import annotations

import math
import struct

from jotsam.errors import Malformed, TooLong

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from jotsam.models.endpoint import Endpoint

LONGEST = 8_000
"""Characters of a text that are sent. Most models take 512 to 8,192 tokens, and what a text is about stands early."""

SHORTEST = 200


class RemoteEmbedder:
    """Vectors of length 1 from a server, by a model that it knows under a name."""

    def __init__(self, endpoint: Endpoint, *, model: str) -> None:
        self._endpoint = endpoint
        self._dimension = 0  # until the first answer
        self.name = model
        self.place = endpoint.url

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
        reply = self._endpoint.post("/embeddings", {"model": self.name, "input": list(texts)})
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
        self._dimension = self._dimension or len(numbers)
        if len(numbers) != self._dimension:
            raise Malformed(f"{self.place} answered with {len(numbers)} numbers, and with {self._dimension} before")
        return packed


def _place(item: object, default: int) -> int:
    found: Mapping[str, Any] = item if isinstance(item, dict) else {}
    place = found.get("index", default)
    return place if isinstance(place, int) else default


def _count(found: object) -> str:
    return str(len(found)) if isinstance(found, list) else "no list of"
