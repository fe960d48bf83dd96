"""Reranker on a server: one POST to `/rerank` with a question and texts, which returns how well each text answers it.

The protocol of Cohere, Jina, Voyage, llama.cpp, vLLM, Infinity and LiteLLM, which differ in the names of a reply's
fields. Text Embeddings Inference names the texts differently too: it is asked again in its form, which is remembered.
Errors are those of `openai_endpoint`, and nothing is retried here. The caller passes a meter that pays for a request.
"""

from __future__ import annotations

import math

from jotsam.core.errors import Malformed, Refused
from jotsam.models.remote_embedder import estimated_tokens, used_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from jotsam.models.openai_endpoint import Endpoint
    from jotsam.models.remote_embedder import Meter

DOCUMENTS, TEXTS = "documents", "texts"  # the field of the texts: of most servers, of Text Embeddings Inference
LISTS, SCORES = ("results", "data"), ("relevance_score", "score")  # names of a reply's list, and of a score in it


class RemoteReranker:
    """A reranking model on a server. Thread-safe."""

    def __init__(self, endpoint: Endpoint, *, model: str) -> None:
        """`model` may be empty: a server of one model needs no name."""
        self._endpoint = endpoint
        self._field = DOCUMENTS
        self.name = model

    def score(self, question: str, texts: Sequence[str], *, meter: Meter) -> list[float]:
        """The score of each text, in order; minus infinity for one that the server left out. Higher is better."""
        estimate = estimated_tokens([question] * len(texts)) + estimated_tokens(texts)
        try:
            reply = self._request(question, texts, meter, estimate)
        except Refused as error:
            if self._field == TEXTS or error.status not in (400, 422) or TEXTS not in str(error):
                raise
            self._field = TEXTS
            reply = self._request(question, texts, meter, estimate)
        return self._scores(reply, len(texts))

    def _request(self, question: str, texts: Sequence[str], meter: Meter, estimate: int) -> dict[str, Any]:
        """The reply. The number of results is not limited, because servers disagree on the name for that."""
        body: dict[str, Any] = {"query": question, self._field: list(texts)}
        if self.name:
            body["model"] = self.name
        if self._field == TEXTS:
            body["truncate"] = True  # Without it a text above the model's limit is an error.
        with meter(estimate) as report:
            reply = self._endpoint.post("/rerank", body)
            report(used_tokens(reply, estimate))
        return reply

    def _scores(self, reply: Mapping[str, Any], count: int) -> list[float]:
        found = next((reply[name] for name in LISTS if isinstance(reply.get(name), list)), None)
        if not found:
            raise Malformed(f"{self._endpoint.url} returned no scores for {count} texts")
        scores = [-math.inf] * count
        for item in found:
            index, score = _read(item)
            if index is None or score is None or not 0 <= index < count:
                raise Malformed(f"{self._endpoint.url} returned an invalid score: {str(item)[:100]}")
            scores[index] = score
        return scores


def _read(item: object) -> tuple[int | None, float | None]:
    """The index and the score of a result; None for what is not a number."""
    fields: Mapping[str, Any] = item if isinstance(item, dict) else {}
    index = fields.get("index")
    score = next((fields[name] for name in SCORES if name in fields), None)
    is_score = isinstance(score, int | float) and not isinstance(score, bool) and math.isfinite(score)
    return index if type(index) is int else None, float(score) if is_score and score is not None else None
