"""Spans for OpenTelemetry: made for a program that has configured a tracer, and nothing is imported for another."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

USE = """
import json, sys
from jotsam import Jotsam

with Jotsam(sys.argv[1], worker="off") as jot:
    jot.remember("We use Redis.", key="k")
    jot.recall("Redis")
    jot.work()
"""

TRACED = (
    """
from opentelemetry import propagate, trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

exporter = InMemorySpanExporter()
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(exporter))
trace.set_tracer_provider(provider)
"""
    + USE
    + """
from starlette.testclient import TestClient
from jotsam.core.settings import Settings
from jotsam.surfaces.http.app import create_app
from jotsam.surfaces.http.server.options import ServeOptions
from jotsam.surfaces.http.server.server import Server

server = Server(Settings(db=sys.argv[1], http_token="secret-of-32-characters-at-least"), ServeOptions())
with TestClient(create_app(server), base_url="http://localhost") as client:
    client.post(
        "/v1/recall",
        json={"question": "Redis"},
        headers={
            "Authorization": "Bearer secret-of-32-characters-at-least",
            "X-Request-Id": "r-1",
            "traceparent": f"00-{'a' * 32}-{'b' * 16}-01",
        },
    )
spans = exporter.get_finished_spans()
names = {span.context.span_id: span.name for span in spans}
print(json.dumps([
    {
        "name": span.name,
        "kind": span.kind.name,
        "parent": names.get(span.parent.span_id, f"{span.parent.span_id:x}") if span.parent else None,
        "trace": f"{span.context.trace_id:x}",
        **span.attributes,
    }
    for span in spans
]))
"""
)


def run(code: str, *arguments: str) -> str:
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_program_that_traces_gets_spans_of_requests_recalls_writes_and_jobs(tmp_path: Path) -> None:
    spans = {span["name"]: span for span in json.loads(run(TRACED, str(tmp_path / "jotsam.db")))}
    assert {"accept", "recall", "job enrich", "POST /v1/recall"} <= spans.keys()
    assert (spans["job enrich"]["kind"], spans["job enrich"]["jotsam.job.kind"]) == ("CONSUMER", "enrich")
    assert spans["accept"]["jotsam.job.id"] == spans["job enrich"]["jotsam.job.id"]
    request = spans["POST /v1/recall"]
    assert (request["kind"], request["parent"], request["trace"]) == ("SERVER", "b" * 16, "a" * 32)
    assert request["http.route"] == "/v1/recall"
    assert (request["http.response.status_code"], request["jotsam.request_id"]) == (200, "r-1")
    assert spans["recall"]["parent"] == "POST /v1/recall"
    assert "secret-of" not in json.dumps(spans)
    assert "Redis" not in json.dumps(spans)


def test_without_a_tracer_opentelemetry_is_not_imported(tmp_path: Path) -> None:
    code = USE + "print([name for name in sys.modules if name.startswith(('opentelemetry', 'prometheus'))])"
    assert run(code, str(tmp_path / "jotsam.db")).strip() == "[]"
