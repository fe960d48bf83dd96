"""Write the table of word vectors that the models of sentences read.

    python -m tools.word_vectors FOLDER

The source is the table of word pieces of all-MiniLM-L6-v2 (Apache-2.0): FOLDER has its `model.safetensors` and
`tokenizer.json`. Of 384 dimensions the table keeps the 64 with most variance, each scaled to the same variance, a byte
a number.
"""

from __future__ import annotations

import argparse
import json
import struct
from pathlib import Path

import numpy as np

from jotsam.pipeline.notes.word_vectors import DIMENSIONS, STEP

OUT = Path(__file__).parents[1] / "src" / "jotsam" / "pipeline" / "notes" / "word_vectors.bin"
TABLE = "embeddings.word_embeddings.weight"
LIMIT = 127


def table(weights: bytes) -> np.ndarray:
    """The vectors of the word pieces, a row each."""
    (length,) = struct.unpack_from("<Q", weights)
    entry = json.loads(weights[8 : 8 + length])[TABLE]
    start, end = (8 + length + offset for offset in entry["data_offsets"])
    dtype = {"F32": "<f4", "F16": "<f2"}[entry["dtype"]]
    found: np.ndarray = np.frombuffer(weights[start:end], dtype=dtype).reshape(entry["shape"]).astype(np.float64)
    return found


def reduced(vectors: np.ndarray) -> np.ndarray:
    centred = vectors - vectors.mean(axis=0)
    variances, axes = np.linalg.eigh(np.cov(centred.T))
    best = np.argsort(variances)[::-1][:DIMENSIONS]
    scaled = centred @ axes[:, best] / np.sqrt(variances[best])
    found: np.ndarray = np.clip(np.rint(scaled * STEP), -LIMIT, LIMIT).astype(np.int8)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    folder = parser.parse_args().folder
    vocabulary = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    pieces = sorted(piece for piece in vocabulary if piece.isascii() and not piece.startswith("["))
    rows = reduced(table((folder / "model.safetensors").read_bytes()))[[vocabulary[piece] for piece in pieces]]
    OUT.write_bytes("\n".join(pieces).encode() + b"\0" + rows.tobytes())
    print(f"{len(pieces):,} word pieces, {OUT.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
