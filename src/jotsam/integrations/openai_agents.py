"""A session for the OpenAI Agents SDK: `Runner.run(agent, "Hello", session=JotsamSession("user-7", memory))`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents.memory.session import SessionABC
from agents.memory.session_settings import SessionSettings, coerce_session_settings, resolve_session_limit

from jotsam.core.errors import NotFound
from jotsam.integrations.items import append, latest

if TYPE_CHECKING:
    from agents.items import TResponseInputItem

    from jotsam import AsyncClient, AsyncJotsam

NAMESPACE = "openai-agents"


class JotsamSession(SessionABC):
    """Keeps the items of a conversation exactly, in order, in `jot.store`. Many runs may append at the same time."""

    def __init__(
        self,
        session_id: str,
        memory: AsyncJotsam | AsyncClient,
        *,
        session_settings: SessionSettings | dict[str, Any] | None = None,
        namespace: str = NAMESPACE,
    ) -> None:
        self.session_id = session_id
        self.session_settings = coerce_session_settings(session_settings or {})
        self._store, self._namespace = memory.store, (namespace, session_id)

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """All items in order, or the latest `limit` of them."""
        wanted = resolve_session_limit(limit, self.session_settings)
        return await latest(self._store, self._namespace, wanted)

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Append items; up to 500 are one commit."""
        await append(self._store, self._namespace, items)

    async def pop_item(self) -> TResponseInputItem | None:
        """Take out the latest item; None if there is none."""
        try:
            found: TResponseInputItem = (await self._store.pop(self._namespace)).value
        except NotFound:
            return None
        return found

    async def clear_session(self) -> None:
        """Delete all items of this session."""
        await self._store.clear(self._namespace)
