"""A memory service for Google's Agent Development Kit: `Runner(..., memory_service=JotsamMemoryService(memory))`.

An app and a user of it are one project of Jotsam, so that no user gets what another one said. Where that must hold for
every program that has the same database, give each user a tenant, by a client of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import quote

from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.genai.types import Content, Part

from jotsam.core.clock import format_time
from jotsam.core.errors import NotFound

if TYPE_CHECKING:
    from google.adk.events.event import Event
    from google.adk.sessions.session import Session

    from jotsam import AsyncClient, AsyncJotsam

SOURCE = "adk"
LIMIT = 10  # memories of an answer, as many as ADK's own services give


class JotsamMemoryService(BaseMemoryService):
    """Keeps what was said in sessions, and finds it. Adding a session again stores its new events only."""

    def __init__(self, memory: AsyncJotsam | AsyncClient, *, limit: int = LIMIT) -> None:
        self._memory, self._limit = memory, limit

    async def add_session_to_memory(self, session: Session) -> None:
        """Accept each event of a session that has a text."""
        await self.add_events_to_memory(
            app_name=session.app_name, user_id=session.user_id, events=session.events, session_id=session.id
        )

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Accept each event that has a text. Metadata are not kept."""
        project = _project(app_name, user_id)
        for event in events:
            if text := _text(event.content):
                await self._memory.add_turn(
                    text,
                    session=session_id or SOURCE,
                    key=_key(project, session_id, event.id),
                    actor="user" if event.author == "user" else "assistant",  # not a name, which may be a person's
                    said_at=round(event.timestamp * 1000),
                    project=project,
                    source=SOURCE,
                )

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Accept memories as they are, with their metadata."""
        project = _project(app_name, user_id)
        for memory in memories:
            if text := _text(memory.content):
                await self._memory.remember(
                    text,
                    key=_key(project, None, memory.id) if memory.id else None,
                    actor=memory.author,
                    said_at=memory.timestamp,
                    project=project,
                    source=SOURCE,
                    metadata={**(custom_metadata or {}), **memory.custom_metadata} or None,
                )

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """The best memories of this user in this app. An empty query gives the newest."""
        answer = await self._memory.recall(query, limit=self._limit, project=_project(app_name, user_id))
        return SearchMemoryResponse(
            memories=[
                MemoryEntry(
                    id=hit.id,
                    content=Content(parts=[Part(text=hit.text)], role="user" if hit.actor == "user" else "model"),
                    author=hit.actor,
                    timestamp=None if hit.date is None else format_time(hit.date),
                )
                for hit in answer.hits
            ]
        )

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Forget a memory of this user by the id that a search gave. An unknown id changes nothing."""
        if memory_id:
            try:
                plan = await self._memory.plan_forget(ids=[memory_id], project=_project(app_name, user_id))
            except NotFound:
                return
            await self._memory.forget(plan)


def _project(app_name: str, user_id: str) -> str:
    return f"{quote(app_name, safe='')}/{quote(user_id, safe='')}"


def _key(project: str, session_id: str | None, id: str) -> str:
    """One key for an event, as long as any other."""
    return f"{SOURCE}:{sha256(repr((project, session_id, id)).encode()).hexdigest()}"


def _text(content: Content | None) -> str:
    """What was said, without the thoughts of a model."""
    parts = (content.parts if content else None) or []
    return "\n".join(part.text for part in parts if part.text and not part.thought).strip()
