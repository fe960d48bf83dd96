"""Spans: how long a request, a recall, an accepted write or a job takes, for OpenTelemetry and for the metrics.

A program that traces has imported `opentelemetry.trace` to configure its exporter, so this module uses that one if it
is loaded, and never imports it. Without it, and without a listener, a span costs two lookups.
"""

from __future__ import annotations

import sys

from jotsam.core.clock import monotonic_seconds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager
    from types import TracebackType

    from opentelemetry.trace import Span as TracerSpan

    Attribute = str | bool | int | float
    Listener = Callable[[str, float], None]  # name of the span, seconds

TRACER = "jotsam"
ACCEPT, RECALL, JOB, REQUEST = "accept", "recall", "job", "request"

_listeners: list[Listener] = []


def listen(listener: Listener) -> Callable[[], None]:
    """Call `listener` at the end of every span of this process. Returns what ends that."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)


def span(
    name: str,
    *,
    title: str = "",
    kind: str = "INTERNAL",
    carrier: Mapping[str, str] | None = None,
    attributes: Mapping[str, Attribute | None] | None = None,
) -> Span:
    """A span around a `with` block; an exception marks it as failed.

    `title` is its name in a trace, such as `job enrich`; `kind` is SERVER, CONSUMER or INTERNAL. `carrier` are the
    headers of a request, which may name the span that it belongs to. Attributes that are None are left out.
    """
    trace = sys.modules.get("opentelemetry.trace")
    if not hasattr(trace, "get_tracer"):  # Not imported, or another thread is just importing it.
        return Span(name) if _listeners else _NOTHING
    assert trace is not None
    given = {key: value for key, value in (attributes or {}).items() if value is not None}
    tracer = trace.get_tracer(TRACER)
    how = {"context": _context(carrier), "kind": getattr(trace.SpanKind, kind)}
    return Span(name, tracer.start_as_current_span(title or name, **how, attributes=given))


class Span:
    """A running span."""

    def __init__(self, name: str, traced: AbstractContextManager[TracerSpan] | None = None) -> None:
        self._name = name
        self._traced = traced
        self._span: TracerSpan | None = None

    def set(self, name: str, value: Attribute) -> None:
        """Add an attribute."""
        if self._span is not None:
            self._span.set_attribute(name, value)

    def __enter__(self) -> Span:
        if self._traced is not None:
            self._span = self._traced.__enter__()
        self._began = monotonic_seconds()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        seconds = monotonic_seconds() - self._began
        if self._traced is not None:
            self._traced.__exit__(kind, error, trace)
        for listener in [*_listeners]:
            listener(self._name, seconds)


class _Nothing(Span):
    """The span of a process that nothing observes."""

    def __enter__(self) -> Span:
        return self

    def __exit__(self, *_: object) -> None:
        """Measures nothing."""


_NOTHING = _Nothing("")


def _context(carrier: Mapping[str, str] | None) -> object:
    """The context that the headers of a request carry, as far as the program has configured a propagator."""
    propagate = sys.modules.get("opentelemetry.propagate")
    return propagate.extract(carrier) if propagate and carrier and hasattr(propagate, "extract") else None
