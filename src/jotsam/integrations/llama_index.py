"""A memory block and a retriever for LlamaIndex.

Memory.from_defaults(memory_blocks=[JotsamMemoryBlock(memory=memory)])
RetrieverQueryEngine(JotsamRetriever(memory))
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.bridge.pydantic import Field
from llama_index.core.memory import BaseMemoryBlock
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

if TYPE_CHECKING:
    from jotsam import Client, Jotsam

SOURCE = "llama-index"
TOKENS = 1_000  # of what is given to a model
ACTORS = ("user", "assistant")
END = "\n</jotsam-memory>"  # of what an answer found


class JotsamMemoryBlock(BaseMemoryBlock[str]):
    """Keeps what leaves the short-term memory, and gives what is known about the newest messages.

    `memory` is an `AsyncJotsam` or an `AsyncClient`. `project` keeps one application or user apart from others.
    """

    name: str = "jotsam"
    memory: Any = Field(exclude=True)
    project: str | None = None
    tokens: int = TOKENS
    last: int = Field(default=2, description="Number of the newest messages that memory is asked about.")

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        question = "\n".join(filter(None, (message.content for message in (messages or [])[-self.last :])))
        if not question:
            return ""
        answer = await self.memory.recall(question, tokens=self.tokens, project=self.project)
        return str(answer) if answer.hits else ""

    async def _aput(self, messages: list[ChatMessage]) -> None:
        for message in messages:
            if message.content and message.role in ACTORS:
                await self.memory.add_turn(
                    message.content,
                    session=message.additional_kwargs.get("session_id") or SOURCE,
                    actor=message.role.value,
                    project=self.project,
                    source=SOURCE,
                )

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """The answer without its last lines; four characters count as a token. None if nothing of it is left."""
        found, end, footer = content.rpartition(END)
        kept = found[: max(0, len(found) - 4 * tokens_to_truncate)].rpartition("\n")[0]
        return kept + end + footer if "\n" in kept else None


class JotsamRetriever(BaseRetriever):
    """Finds memories as nodes, best first, with their score, source, time and actor."""

    def __init__(self, memory: Jotsam | Client, *, limit: int = 10, project: str | None = None) -> None:
        super().__init__()
        self._memory, self._limit, self._project = memory, limit, project

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        answer = self._memory.recall(query_bundle.query_str, limit=self._limit, project=self._project)
        return [
            NodeWithScore(
                node=TextNode(
                    id_=hit.id,
                    text=hit.text,
                    metadata={"source": hit.source, "date": hit.date, "actor": hit.actor, "session": hit.session},
                ),
                score=hit.score,
            )
            for hit in answer.hits
        ]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await asyncio.to_thread(self._retrieve, query_bundle)
