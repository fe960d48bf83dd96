"""A language model behind an OpenAI-compatible endpoint: messages in, one text out, with what it cost.

What a server does not understand (`json_schema`, `max_tokens`, a temperature) it refuses before it has cost anything;
the request is then put in a plainer way, and the plainer way is remembered for as long as the process lives. This room
must not know what is asked, nor judge the answer.
"""

from __future__ import annotations

from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import Malformed, NoAnswer, Refused, TooLong
from jotsam.core.records import Record
from jotsam.core.validate import storable
from jotsam.models.openai_endpoint import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from jotsam.models.openai_endpoint import Endpoint

    Message = dict[str, str]

STRUCTURED, JSON, PLAIN = RUNGS = ("json_schema", "json_object", "plain")
"""How a reply in JSON is asked for, from the strictest way to the plainest."""

CUT_OFF = "length"
MOST_OUTPUT_TOKENS = 2_000
LONGEST_REPLY = 4_000_000
"""Bytes. No reading is as long; what is longer is not taken in."""

CHARACTERS_PER_TOKEN = 4
_NOT_UNDERSTOOD = frozenset((400, 415, 422, 501))


class Said(Record):
    """A model's answer. Tokens are those that the server counted, or else estimated at four characters each."""

    text: str
    tokens_in: int
    tokens_cached: int  # of these; the provider had read them before
    tokens_out: int
    finish: str  # "stop"; "length" when it was cut off

    @property
    def is_cut_off(self) -> bool:
        return self.finish == CUT_OFF


class Chat:
    """One model of one server, asked for JSON of one schema. Safe to use from many threads."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        model: str,
        schema: Mapping[str, Any],
        name: str,
        most_output_tokens: int = MOST_OUTPUT_TOKENS,
    ) -> None:
        """`name` is what the schema is called towards the server: letters, digits and underscores."""
        self.endpoint = endpoint
        self.model = model
        self.most_output_tokens = most_output_tokens
        self._schema = schema
        self._name = name
        self._manners = _Manners()

    @property
    def rung(self) -> str:
        """How JSON is asked for by now."""
        return RUNGS[self._manners.rung]

    def ask(self, messages: Sequence[Message], *, until: int | None = None) -> Said:
        """The model's answer. Raises what `Endpoint.post` raises, and `Malformed` for an answer without a text.

        `until`, on the monotonic clock, is one deadline for all that is asked, in however many ways.
        """
        manners = self._manners
        until = monotonic_ms() + self.endpoint.timeout_ms if until is None else until
        while True:
            left = until - monotonic_ms()
            if left <= 0:
                raise NoAnswer(f"{self.endpoint.url} did not answer in time: it refused each way of asking until then")
            try:
                found = self.endpoint.post("/chat/completions", self._body(messages, manners), timeout_ms=left)
            except TooLong:
                raise
            except Refused as error:
                plainer = _plainer(manners, str(error).lower()) if error.status in _NOT_UNDERSTOOD else None
                if plainer is None:
                    raise
                manners = plainer
            else:
                self._manners = manners  # Only what was understood is remembered: a refusal may be due to the text.
                return said(found, messages)

    def close(self) -> None:
        self.endpoint.close()

    def _body(self, messages: Sequence[Message], manners: _Manners) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self.model, "messages": list(messages)}
        body[manners.limit] = self.most_output_tokens
        if manners.temperature:
            body["temperature"] = 0
        if RUNGS[manners.rung] == STRUCTURED:
            asked = {"name": self._name, "schema": self._schema, "strict": True}
            body["response_format"] = {"type": STRUCTURED, STRUCTURED: asked}
        elif RUNGS[manners.rung] == JSON:
            body["response_format"] = {"type": JSON}
        return body


class _Manners(Record):
    """What a server understands, as far as it is known."""

    rung: int = 0
    limit: str = "max_tokens"  # newer models call it max_completion_tokens
    temperature: bool = True  # some refuse any but their own


def _plainer(manners: _Manners, refusal: str) -> _Manners | None:
    """The next plainer way of asking, given what the server said; None when there is none left."""
    if "max_completion_tokens" in refusal and manners.limit == "max_tokens":
        return manners.replace(limit="max_completion_tokens")
    if "temperature" in refusal and manners.temperature:
        return manners.replace(temperature=False)
    return manners.replace(rung=manners.rung + 1) if manners.rung + 1 < len(RUNGS) else None


def said(found: Mapping[str, Any], messages: Sequence[Message]) -> Said:
    """What a reply of `/chat/completions` says. Raises `Malformed` when it says nothing, `Refused` when it will not."""
    choices = found.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    text, finish = storable(_text(message.get("content"))), storable(str(choice.get("finish_reason") or "stop"))
    if message.get("refusal") or (finish == "content_filter" and not text):
        told = storable(str(message.get("refusal") or finish))[:200]
        raise Refused(f"the model will not read this: {told}", status=200)
    if not text and finish != CUT_OFF:
        raise Malformed(f"the model answered with no text (finish_reason {finish})")
    usage = found.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    details = usage.get("prompt_tokens_details")
    asked = sum(len(message["content"]) for message in messages)
    tokens_in = counted(usage.get("prompt_tokens"), asked // CHARACTERS_PER_TOKEN)
    cached = counted(details.get("cached_tokens") if isinstance(details, dict) else None, 0)
    return Said(
        text=text,
        tokens_in=tokens_in,
        tokens_cached=min(cached, tokens_in),
        tokens_out=counted(usage.get("completion_tokens"), len(text) // CHARACTERS_PER_TOKEN),
        finish=finish,
    )


def _text(content: object) -> str:
    """The text of a message; some servers give it in parts."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""
