"""The durations that a server measures, and the numbers of its database, in the text format of Prometheus.

The processes of one server count in files of a common folder, so that any of them answers for all.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, SummaryMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from jotsam.admin import logs
from jotsam.core import tracing
from jotsam.memory.status import health

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from prometheus_client import Metric

    from jotsam.memory.status.metrics import Metrics
    from jotsam.surfaces.http.server.request_log import RequestEnd

# prometheus_client reads this variable when it is imported, so it is set before the processes of a server start.
FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"

MEDIA_TYPE = CONTENT_TYPE_PLAIN_0_0_4
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0)  # seconds
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

GRADES = {"ok": 0, "warning": 1, "error": 2}
STATES = ("ready", "leased", "waiting", "dead")
EVENTS = {
    "accepted": "Jobs that were sent.",
    "done": "Jobs that are done.",
    "retried": "Deliveries that failed and are retried.",
    "dead": "Jobs that became dead letters.",
    "redriven": "Dead letters that were revived.",
    "discarded": "Jobs that were deleted without being done.",
}


class ServerMetrics:
    """What one process has counted. Safe to use from many threads."""

    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self._folder = os.environ.get(FOLDER_VARIABLE)
        self._registry = CollectorRegistry()
        # The processes of a server count in files, which one collector reads.
        own = None if self._folder else self._registry
        if self._folder:
            MultiProcessCollector(self._registry, self._folder)  # type: ignore[no-untyped-call]
        about = "Time until a request was answered."
        names = ("method", "route", "status")
        self._requests = Histogram("jotsam_http_request_duration_seconds", about, names, registry=own, buckets=BUCKETS)
        about = "Time of a search, without the rest of its request."
        self._recalls = Histogram("jotsam_recall_duration_seconds", about, registry=own, buckets=BUCKETS)
        self._dropped = Counter("jotsam_log_lines_dropped", "Lines of the log that nothing read.", registry=own)
        logs.DROPPED.listeners.append(self._dropped.inc)
        self._unlisten: Callable[[], None] | None = tracing.listen(self._span_ended)

    def request_ended(self, end: RequestEnd) -> None:
        """Count an answered request."""
        method = end.method if end.method in METHODS else "other"
        self._requests.labels(method, end.route, str(end.status)).observe(end.seconds)

    def text(self, found: Metrics | None, *, ready: bool) -> bytes:
        """The text format, with the numbers of the database if it answers."""
        registry = CollectorRegistry()
        state = _gauge("jotsam_ready", "1 if the server can do its work, as /readyz tells.", ready)
        numbers = families(found) if found else ()
        registry.register(_Fixed([state, *numbers, *self._registry.collect()]))
        return generate_latest(registry)

    def close(self) -> None:
        """Stop counting recalls of this process."""
        if self._unlisten:
            self._unlisten()
            self._unlisten = None
            logs.DROPPED.listeners.remove(self._dropped.inc)

    def _span_ended(self, name: str, seconds: float) -> None:
        if name == tracing.RECALL:
            self._recalls.observe(seconds)


class _Fixed:
    """A collector of what was read already."""

    def __init__(self, found: Iterable[Metric]) -> None:
        self._found = list(found)

    def collect(self) -> list[Metric]:
        return self._found


@contextmanager
def common_folder(processes: int) -> Iterator[None]:
    """The folder in which the processes of a server count together, until they have ended."""
    if processes == 1:
        os.environ.pop(FOLDER_VARIABLE, None)
        yield
        return
    folder = os.environ[FOLDER_VARIABLE] = tempfile.mkdtemp(prefix="jotsam-metrics-")
    try:
        yield
    finally:
        del os.environ[FOLDER_VARIABLE]
        shutil.rmtree(folder, ignore_errors=True)


def families(found: Metrics) -> Iterator[Metric]:
    """The numbers of the database by their Prometheus names."""
    labels = ("queue", "kind")
    jobs = GaugeMetricFamily("jotsam_jobs", "Jobs that are not done, by state.", labels=(*labels, "state"))
    for job in found.jobs:
        for state in STATES:
            jobs.add_metric((job.queue, job.kind, state), getattr(job, state))
    yield jobs
    for event, about in EVENTS.items():
        counter = CounterMetricFamily(f"jotsam_jobs_{event}", about, labels=labels)
        for job in found.jobs:
            counter.add_metric((job.queue, job.kind), job.buried if event == "dead" else getattr(job, event))
        yield counter
    about = "Time of deliveries from the claim to the outcome: done, failed or cancelled."
    durations = SummaryMetricFamily("jotsam_job_duration_seconds", about, labels=labels)
    for job in found.jobs:
        deliveries = job.done + job.retried + job.buried
        durations.add_metric((job.queue, job.kind), count_value=deliveries, sum_value=job.busy_ms / 1000)
    yield durations
    yield from _health(found)
    yield from _queues(found)
    yield from _models(found)
    yield from _lifecycle(found)
    yield _gauge("jotsam_workers", "Workers that process jobs.", found.workers)
    yield _gauge("jotsam_spooled_turns", "Turns of hooks on this machine that are not in the database.", found.spooled)
    yield _gauge("jotsam_database_size_bytes", "Size of the database.", found.bytes)


def _health(found: Metrics) -> Iterator[Metric]:
    level = health.level_of(found.findings)
    yield _gauge(
        "jotsam_health", "The verdict of `jotsam status` on all tenants: 0 ok, 1 warning, 2 error.", GRADES[level]
    )
    about = "1 for each thing that is wrong, by its name in `jotsam status`."
    wrong = GaugeMetricFamily("jotsam_finding", about, labels=("name", "level"))
    for name, level in dict.fromkeys((one.name, one.level) for one in found.findings):
        wrong.add_metric((name, level), 1)
    yield wrong


def _queues(found: Metrics) -> Iterator[Metric]:
    oldest = GaugeMetricFamily(
        "jotsam_oldest_job_age_seconds", "Age of the oldest job that is neither done nor dead, or 0.", labels=("queue",)
    )
    paused = GaugeMetricFamily("jotsam_queue_paused", "1 if a queue delivers no jobs.", labels=("queue",))
    for name in sorted({job.queue for job in found.jobs} | set(found.paused)):
        oldest.add_metric((name,), found.oldest_ms.get(name, 0) / 1000)
        paused.add_metric((name,), int(name in found.paused))
    yield oldest
    yield paused


def _models(found: Metrics) -> Iterator[Metric]:
    labels = ("model", "purpose")
    calls = CounterMetricFamily("jotsam_model_calls", "Requests to models.", labels=labels)
    tokens = CounterMetricFamily("jotsam_model_tokens", "Tokens of models.", labels=(*labels, "direction"))
    cost = CounterMetricFamily("jotsam_model_cost", "Cost of models, in the currency of the prices.", labels=labels)
    for use in found.models:
        calls.add_metric((use.model, use.purpose), use.calls)
        tokens.add_metric((use.model, use.purpose, "in"), use.tokens_in)
        tokens.add_metric((use.model, use.purpose, "out"), use.tokens_out)
        cost.add_metric((use.model, use.purpose), use.cost)
    yield calls
    yield tokens
    yield cost


def _lifecycle(found: Metrics) -> Iterator[Metric]:
    about = "Runs of steps of the lifecycle that are kept, of the server's own tenant."
    runs = GaugeMetricFamily("jotsam_lifecycle_runs", about, labels=("step", "state"))
    changed = GaugeMetricFamily("jotsam_lifecycle_changes", "What these runs changed.", labels=("step", "state"))
    about = "Time since a run of the step ended in this state."
    ended = GaugeMetricFamily("jotsam_lifecycle_last_run_age_seconds", about, labels=("step", "state"))
    for one in found.steps:
        runs.add_metric((one.step, one.state), one.runs)
        changed.add_metric((one.step, one.state), one.changed)
        if one.ended_ms is not None:
            ended.add_metric((one.step, one.state), one.ended_ms / 1000)
    yield from (runs, changed, ended)


def _gauge(name: str, about: str, value: float) -> Metric:
    return GaugeMetricFamily(name, about, value=value)
