"""The language model of the settings: a server, or a coding agent of the user. Both answer the same calls."""

from __future__ import annotations

from jotsam.core.settings import NO_AGENT, check_model
from jotsam.models.chat import MAX_OUTPUT_TOKENS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Protocol

    from jotsam.core.settings import Settings
    from jotsam.models.chat import ChatReply, Message

    class LanguageModel(Protocol):
        """What `Chat` and `AgentProgram` have in common."""

        model: str
        timeout_ms: int
        longest_ms: int
        max_output_tokens: int

        def complete(self, messages: Sequence[Message], *, deadline: int | None = None) -> ChatReply: ...

        def context_tokens(self) -> int | None: ...

        def fit(self, *, schema: Mapping[str, Any], max_output_tokens: int) -> None: ...

        def close(self) -> None: ...


def open_language_model(
    settings: Settings,
    *,
    schema: Mapping[str, Any],
    name: str,
    timeout_ms: int,
    max_output_tokens: int = MAX_OUTPUT_TOKENS,
) -> LanguageModel:
    """The model that the settings name, asked for JSON of a schema. Raises `InvalidInput`."""
    check_model(settings)
    if settings.llm != NO_AGENT:
        from jotsam.models.agent_program import AgentProgram

        return AgentProgram(
            settings.llm, model=settings.llm_model, timeout_ms=timeout_ms, max_output_tokens=max_output_tokens
        )
    from jotsam.models.chat import MAX_REPLY_BYTES, Chat
    from jotsam.models.openai_endpoint import Endpoint

    endpoint = Endpoint(
        settings.llm_url, key=settings.llm_api_key, timeout_ms=timeout_ms, max_body_bytes=MAX_REPLY_BYTES
    )
    return Chat(endpoint, model=settings.llm_model, schema=schema, name=name, max_output_tokens=max_output_tokens)
