"""Throughput of an embedding model in a folder, on this machine.

    python -m benchmarks.embedding.throughput FOLDER

FOLDER is a model such as all-MiniLM-L6-v2; with a `model.onnx` in it, and onnxruntime installed, that is measured.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.timing import percentile, timed
from jotsam.models.local_embedder import LocalEmbedder

SHORT = "The team decided to migrate the database to PostgreSQL because of performance concerns ({})."
SENTENCE = (
    "Queue rows survive crashes and the worker resumes after the lease expires, with fencing tokens and priorities. "
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    opened = timed(lambda: LocalEmbedder(str(given.folder)), 1)
    embedder = LocalEmbedder(str(given.folder))
    embedder.embed(["warm"])
    print(f"{embedder.name}: opened in {opened[0] / 1e6:.0f} ms")
    for name, texts in (
        ("one short question", [SHORT.format(0)]),
        ("64 short texts", [SHORT.format(number) for number in range(64)]),
        ("64 texts of 120 tokens", [SENTENCE * 6 + str(number) for number in range(64)]),
    ):
        took = percentile(timed(lambda texts=texts: embedder.embed(texts), given.rounds), 0.5)  # type: ignore[misc]
        print(f"{name}: {took / 1e6:.1f} ms, {len(texts) / took * 1e9:.0f} texts/s")


if __name__ == "__main__":
    main()
