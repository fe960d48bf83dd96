"""A process that serves a model with the library of llama.cpp's server, for `test_small_models`.

The library answers in the process that loads it, and a test must be able to end it.
"""

from __future__ import annotations

import sys
import threading
from importlib import import_module


def main(model: str, port: str, slots: str, context: str, threads: str) -> None:
    library = import_module("xllamacpp")  # of a folder of its own, never in the environment of the tests
    settings = library.CommonParams()
    settings.model.path, settings.port = model, int(port)
    settings.n_parallel, settings.n_ctx = int(slots), int(context)
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = int(threads)
    settings.endpoint_metrics = True
    server = library.Server(settings)
    print("ready", server, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
