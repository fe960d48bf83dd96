"""A context provider for Microsoft's Agent Framework.

Agent(client, context_providers=[JotsamContextProvider(memory)])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_framework import ContextProvider, HistoryProvider, Message

from jotsam.integrations.items import append, latest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_framework import AgentSession, SessionContext, SupportsAgentRun

    from jotsam import AsyncClient, AsyncJotsam

SOURCE = "agent-framework"
TOKENS = 1_000  # of what is given before a run


class JotsamContextProvider(ContextProvider):
    """Gives a run what memory knows about its messages, and keeps what was said in it.

    `project` keeps one application, customer or user apart from others. A run is accepted in a few milliseconds; a
    worker enriches it later.
    """

    def __init__(
        self,
        memory: AsyncJotsam | AsyncClient,
        *,
        project: str | None = None,
        tokens: int = TOKENS,
        source_id: str = "jotsam",
    ) -> None:
        super().__init__(source_id)
        self._memory, self._project, self._tokens = memory, project, tokens

    async def before_run(
        self, *, agent: SupportsAgentRun, session: AgentSession, context: SessionContext, state: dict[str, Any]
    ) -> None:
        """Recall by the texts of the new messages, and add the answer as a message, if there is a hit."""
        question = "\n".join(filter(None, map(_text, context.input_messages)))
        if question:
            answer = await self._memory.recall(question, tokens=self._tokens, project=self._project)
            if answer.hits:
                context.extend_messages(self, [Message("user", [str(answer)])])

    async def after_run(
        self, *, agent: SupportsAgentRun, session: AgentSession, context: SessionContext, state: dict[str, Any]
    ) -> None:
        """Accept the new messages and those of the response."""
        replies = context.response.messages if context.response else []
        for message in (*context.input_messages, *replies):
            if text := _text(message):
                await self._memory.add_turn(
                    text,
                    session=session.session_id,
                    actor=message.role,
                    project=self._project,
                    source=SOURCE,
                )


class JotsamHistoryProvider(HistoryProvider):
    """Keeps the messages of sessions exactly and in order. Options as of `HistoryProvider`."""

    def __init__(self, memory: AsyncJotsam | AsyncClient, *, source_id: str = "jotsam-history", **options: Any) -> None:
        super().__init__(source_id, **options)
        self._store = memory.store

    async def get_messages(
        self, session_id: str | None, *, state: dict[str, Any] | None = None, **kwargs: Any
    ) -> list[Message]:
        """The messages of a session, in order; none without a session."""
        if session_id is None:
            return []
        return [Message.from_dict(one) for one in await latest(self._store, self._place(session_id))]

    async def save_messages(
        self,
        session_id: str | None,
        messages: Sequence[Message],
        *,
        state: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Append messages to a session; without a session nothing is kept."""
        if session_id is not None:
            await append(self._store, self._place(session_id), [message.to_dict() for message in messages])

    def _place(self, session_id: str) -> tuple[str, str, str]:
        return (SOURCE, self.source_id, session_id)


def _text(message: Message) -> str:
    return message.text.strip() if message.role in ("user", "assistant") else ""
