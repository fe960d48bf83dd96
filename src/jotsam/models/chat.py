"""Client for chat completions on an OpenAI-compatible endpoint: messages in, one reply out, with its token counts.

Servers reject parameters they do not support (`json_schema`, `max_tokens`, a temperature) before charging anything.
The request is then repeated in a simpler form, which is remembered for the life of the process. Prompts and the
validation of replies belong to the caller, which also decides what a refusal of the model means: it was paid for.
"""

from __future__ import annotations

from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import JobError, Malformed, NoAnswer, Refused, TooLong, UnsupportedParameter
from jotsam.core.records import Record
from jotsam.core.validate import replace_unstorable, token_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from jotsam.models.openai_endpoint import Endpoint

    Message = dict[str, str]

# How a JSON reply is requested, strictest first.
JSON_SCHEMA, JSON_OBJECT, PLAIN = JSON_MODES = ("json_schema", "json_object", "plain")

# The parameter that limits the length of a reply; newer models accept only the second.
LIMIT_PARAMETERS = ("max_tokens", "max_completion_tokens")
TEMPERATURE = "temperature"
STREAM_OPTIONS, STREAM = STREAMING = ("stream_options", "stream")
OPTIONAL = (*LIMIT_PARAMETERS, TEMPERATURE, *STREAMING, "response_format")  # parameters that some servers reject

CUT_OFF = "length"
MAX_OUTPUT_TOKENS = 2_000
MAX_REPLY_BYTES = 4_000_000  # far above any extraction; a longer body is not read
CHARACTERS_PER_TOKEN = 4
LONGEST_MS = 900_000  # of a request whose reply is streamed: 2,000 tokens at two a second
MODELS_MS = 5_000  # for the list of models
CONTEXT_FIELDS = ("n_ctx", "max_model_len", "context_length", "context_window")  # of llama.cpp, vLLM and gateways
_UNSUPPORTED = frozenset((400, 415, 422))


class ChatReply(Record):
    """A model's reply. Token counts come from the server, or are estimated at four characters per token."""

    text: str
    tokens_in: int
    tokens_cached: int  # of tokens_in, read from the provider's prompt cache
    tokens_out: int
    finish: str  # "stop", or "length" if the reply was cut off
    refusal: str = ""  # why the model declined
    cost: float | None = None  # if the model reports it
    stopped: str = ""  # why the reply ended early: its tokens were used all the same

    @property
    def is_cut_off(self) -> bool:
        return self.finish == CUT_OFF

    def require_text(self) -> str:
        """The text. Raises `Refused` if the model declined, `Malformed` if there is none, `NoAnswer` if it stopped."""
        if self.stopped:
            raise NoAnswer(self.stopped)
        if self.refusal:
            raise Refused(f"the model refused this text: {self.refusal}", status=200)
        if not self.text and not self.is_cut_off:
            raise Malformed(f"the model's reply has no text (finish_reason {self.finish})")
        return self.text


class Chat:
    """One model on one server, asked for JSON of one schema. Thread-safe."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        model: str,
        schema: Mapping[str, Any],
        name: str,
        max_output_tokens: int = MAX_OUTPUT_TOKENS,
    ) -> None:
        """`name` names the schema in the request: letters, digits and underscores."""
        self.endpoint = endpoint
        self.model = model
        self.timeout_ms = endpoint.timeout_ms  # of a reply that is not streamed, and of a silence in one that is
        self.longest_ms = max(LONGEST_MS, endpoint.timeout_ms)
        self.max_output_tokens = max_output_tokens
        self._schema = schema
        self._name = name
        self._features = _Features()

    @property
    def json_mode(self) -> str:
        """How JSON is requested now: one of `JSON_MODES`."""
        return self._features.json_mode

    def complete(self, messages: Sequence[Message], *, deadline: int | None = None) -> ChatReply:
        """The model's reply, whose text may be missing. Raises what `Endpoint.post` raises.

        `deadline`, on the monotonic clock in milliseconds, covers all forms of the request together.
        """
        features = self._features
        deadline = monotonic_ms() + self.longest_ms if deadline is None else deadline
        while True:
            left = deadline - monotonic_ms()
            if left <= 0:
                message = f"{self.endpoint.url} timed out after rejecting each form of the request"
                raise NoAnswer(message, may_be_billed=False)
            body = self._body(messages, features)
            optional = [name for name in OPTIONAL if name in body]
            try:
                limits = {"timeout_ms": min(self.timeout_ms, left), "longest_ms": left}
                found = self.endpoint.post("/chat/completions", body, optional=optional, **limits)
            except TooLong:
                raise
            except Refused as error:
                simpler = _simpler(features, error)
                if simpler is None:
                    raise
                features = simpler
            else:
                self._features = features  # Only after a success: the refusal may have been about this text.
                return parse_completion(found, messages)

    def fit(self, *, schema: Mapping[str, Any], max_output_tokens: int) -> None:
        """From now on ask for replies of another schema and length."""
        self._schema, self.max_output_tokens = schema, max_output_tokens

    def context_tokens(self) -> int | None:
        """The size of the model's context, if the server tells it with its list of models, which costs nothing."""
        try:
            found = self.endpoint.get("/models", timeout_ms=min(MODELS_MS, self.timeout_ms))
        except JobError:
            return None
        listed = [one for one in found.get("data") or () if isinstance(one, dict)]
        one = next((one for one in listed if one.get("id") == self.model), listed[0] if len(listed) == 1 else {})
        meta = one.get("meta")
        about = {**one, **(meta if isinstance(meta, dict) else {})}
        sizes = [about.get(name) for name in CONTEXT_FIELDS]
        return next((size for size in sizes if type(size) is int and size > 0), None)

    def close(self) -> None:
        self.endpoint.close()

    def _body(self, messages: Sequence[Message], features: _Features) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self.model, "messages": list(messages)}
        if features.limit_parameter:
            body[features.limit_parameter] = self.max_output_tokens
        if features.temperature:
            body[TEMPERATURE] = 0
        if features.streams:
            body[STREAM] = True
        if features.streams and features.counts:
            body[STREAM_OPTIONS] = {"include_usage": True}
        if features.json_mode == JSON_SCHEMA:
            schema = {"name": self._name, "schema": self._schema, "strict": True}
            body["response_format"] = {"type": JSON_SCHEMA, JSON_SCHEMA: schema}
        elif features.json_mode == JSON_OBJECT:
            body["response_format"] = {"type": JSON_OBJECT}
        return body


class _Features(Record):
    """The request features that a server supports, as far as known."""

    json_mode: str = JSON_SCHEMA
    limit_parameter: str = LIMIT_PARAMETERS[0]  # "": none
    temperature: bool = True  # some models accept only their default
    streams: bool = True
    counts: bool = True  # the tokens of a stream, at its end


def _simpler(features: _Features, error: Refused) -> _Features | None:
    """The next simpler form of the request after a refusal; None after the last one."""
    name = error.name if isinstance(error, UnsupportedParameter) else ""
    if name and name == features.limit_parameter:
        names = (*LIMIT_PARAMETERS, "")
        return features.replace(limit_parameter=names[names.index(name) + 1])
    if name == TEMPERATURE:
        return features.replace(temperature=False)
    if name in STREAMING:
        return features.replace(streams=name != STREAM, counts=False)
    if not name and error.status not in _UNSUPPORTED:
        return None
    following = JSON_MODES.index(features.json_mode) + 1
    return features.replace(json_mode=JSON_MODES[following]) if following < len(JSON_MODES) else None


def parse_completion(found: Mapping[str, Any], messages: Sequence[Message]) -> ChatReply:
    """The reply in a response of `/chat/completions`; a response of another shape has no text."""
    choices = found.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    text, finish = (
        replace_unstorable(_text(message.get("content"))),
        replace_unstorable(str(choice.get("finish_reason") or "stop")),
    )
    refusal = message.get("refusal") or (finish if finish == "content_filter" and not text else "")
    usage = found.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    chunks = found["chunks"] if isinstance(found.get("chunks"), int) else 0  # servers send a token in each
    details = usage.get("prompt_tokens_details")
    prompt_characters = sum(len(message["content"]) for message in messages)
    tokens_in = token_count(usage.get("prompt_tokens"), prompt_characters // CHARACTERS_PER_TOKEN)
    cached = token_count(details.get("cached_tokens") if isinstance(details, dict) else None, 0)
    return ChatReply(
        text=text,
        tokens_in=tokens_in,
        tokens_cached=min(cached, tokens_in),
        tokens_out=token_count(usage.get("completion_tokens"), max(chunks, len(text) // CHARACTERS_PER_TOKEN)),
        finish=finish,
        stopped=str(found.get("stopped") or ""),
        refusal=replace_unstorable(str(refusal))[:200],
    )


def _text(content: object) -> str:
    """The text of a message; some servers send it in parts."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""
