"""A process that uses one `jotsam.Queue` while others do too: it cycles, waits, or reads and never stops reading."""

from __future__ import annotations

import time
from itertools import count

import apsw

import jotsam
from benchmarks.child import serve
from benchmarks.queue.contestant import BODY

WAIT_MS = 500

queues: list[jotsam.Queue] = []
readers: list[apsw.Connection] = []


def start(file: str, durable: bool) -> None:
    queues.append(jotsam.Queue(file, durable=durable))


def crowd(seconds: float) -> dict[str, float]:
    """Cycle for so long. Returns the longest that any one verb took, in nanoseconds, and how many cycles there were."""
    queue = queues[0]
    longest, done, end = 0, 0, time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.perf_counter_ns()
        queue.send(BODY)
        sent = time.perf_counter_ns()
        job = queue.receive()
        received = time.perf_counter_ns()
        if job:
            queue.delete(job)
        longest = max(longest, sent - began, received - sent, time.perf_counter_ns() - received)
        done += 1
    return {"longest": longest, "cycles": done}


def read_for_ever(file: str) -> None:
    """Begin a read transaction and forget it."""
    connection = apsw.Connection(file)
    connection.execute("begin")
    connection.execute("select count(*) from sqlite_schema").fetchall()
    readers.append(connection)


def send_slowly(number: int, pause: float) -> None:
    """Send jobs that say when they were sent, by the clock that all processes of a machine share."""
    for _ in range(number):
        time.sleep(pause)
        queues[0].send(time.monotonic_ns())


def receive_slowly(number: int) -> dict[str, list[float] | float]:
    """Wait for so many jobs. Returns how long after its sending began each was here, and the share of a core used."""
    queue = queues[0]
    latencies: list[float] = []
    began, used = time.monotonic_ns(), time.process_time_ns()
    while len(latencies) < number:
        job = queue.receive(wait_ms=WAIT_MS)
        if job:
            latencies.append(time.monotonic_ns() - int(job.payload))
            queue.delete(job)
    return {"latencies": latencies, "share": (time.process_time_ns() - used) / (time.monotonic_ns() - began)}


def idle(seconds: float) -> float:
    """The share of a core that waiting takes while nothing comes."""
    began, used = time.monotonic_ns(), time.process_time_ns()
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        queues[0].receive(wait_ms=int(left * 1000) + 1)
    return (time.process_time_ns() - used) / (time.monotonic_ns() - began)


def idle_processor(seconds: float) -> float:
    """The share of a core that a processor takes while nothing comes."""
    processor = jotsam.Processor(queues[0], {"default": lambda task: None})
    processor.start()
    time.sleep(0.5)
    began, used = time.monotonic_ns(), time.process_time_ns()
    time.sleep(seconds)
    share = (time.process_time_ns() - used) / (time.monotonic_ns() - began)
    processor.stop()
    return share


def process(jobs: int, concurrency: int, wait: float, durable: bool) -> float:
    """How long a processor takes for so many jobs, each of which only waits, in nanoseconds."""
    queue = queues[0]
    for start in range(0, jobs, 1_000):
        queue.send_many([BODY] * min(1_000, jobs - start))
    seen = count()

    def handler(task: jotsam.Task) -> None:
        next(seen)
        if wait:
            time.sleep(wait)

    processor = jotsam.Processor(queue, {"default": handler}, concurrency=concurrency, durable=durable)
    began = time.perf_counter_ns()
    done = processor.run()
    took = time.perf_counter_ns() - began
    assert done == jobs == next(seen)
    return took


if __name__ == "__main__":
    verbs = (start, crowd, read_for_ever, send_slowly, receive_slowly, idle, idle_processor, process)
    serve({verb.__name__: verb for verb in verbs})
