"""A sentence embedder out of a folder on this machine: its tokenizer, its weights, and how it pools.

The folder is laid out as sentence-transformers lays it out: `config.json`, `tokenizer.json`, and `model.safetensors` or
`model.onnx`; `sentence_bert_config.json` and `1_Pooling/config.json` are read when they are there. Nothing is fetched.
"""

from __future__ import annotations

import json
import os
import sys
import threading

from jotsam.core.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Protocol

    from jotsam.models.safetensors import Array

    class Encoder(Protocol):
        """What turns tokens into vectors: one per token, or one per text."""

        def forward(self, ids: Array, mask: Array) -> Array: ...


LONGEST = 512  # tokens of a text, where the folder does not say
TOKENS_PER_BATCH = 2_048
SAMPLE = 65_536
WEIGHTS = ("model.onnx", "model.safetensors")
EXTRA = "pip install 'jotsam[embed]'"


class LocalEmbedder:
    """Vectors of length 1 for texts. Safe to use from many threads, which take turns.

    Raises `InvalidInput` for a folder that holds no model it can read, or when the libraries are missing.
    """

    def __init__(self, folder: str, *, threads: int | None = None) -> None:
        self.place = os.path.abspath(os.path.expanduser(folder))
        self._threads = threads or max(1, (os.cpu_count() or 1) // 2)
        config = self._read("config.json")
        kind, self.dimension = config.get("model_type", "model"), int(config["hidden_size"])
        self._pooling = _pooling(self._read("1_Pooling/config.json", optional=True))
        self._weights = self._chosen()
        self.name = f"{kind}-{self.dimension}-{self._fingerprint()}"
        self._config = config
        self._turn = threading.Lock()
        self._tokenizer, self._encoder = self._load()

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """A vector for each text, in its order: little-endian float32, of length 1. What is too long is cut off."""
        with self._turn:
            tokens = [found.ids for found in self._tokenizer.encode_batch(list(texts))]
            vectors: dict[int, bytes] = {}
            for batch in _batches(tokens):
                vectors |= zip(batch, self._embed([tokens[place] for place in batch]), strict=True)
        return [vectors[place] for place in range(len(texts))]

    def _embed(self, tokens: list[list[int]]) -> list[bytes]:
        import numpy as np

        width = max(len(ids) for ids in tokens)
        ids = np.zeros((len(tokens), width), np.int64)
        mask = np.zeros((len(tokens), width), np.float32)
        for row, found in enumerate(tokens):
            ids[row, : len(found)], mask[row, : len(found)] = found, 1
        vectors = self._encoder.forward(ids, mask)
        if vectors.ndim == 3:
            vectors = vectors[:, 0] if self._pooling == "cls" else _mean(vectors, mask)
        vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        return [vector.tobytes() for vector in vectors.astype("<f4")]

    def _load(self) -> tuple[Any, Encoder]:
        try:
            _few_threads(self._threads)
            from tokenizers import Tokenizer

            encoder, longest = self._encoder_of_weights()
        except ImportError as error:
            raise InvalidInput(f"embedding on this machine needs libraries: {EXTRA} ({error})") from error
        path = os.path.join(self.place, "tokenizer.json")
        try:
            tokenizer = Tokenizer.from_file(path)
        except Exception as error:  # The library raises nothing more special.
            raise InvalidInput(f"{path} is no tokenizer that can be read: {error}") from error
        longest = min(
            longest, int(self._read("sentence_bert_config.json", optional=True).get("max_seq_length", longest))
        )
        tokenizer.no_padding()
        tokenizer.enable_truncation(longest)
        return tokenizer, encoder

    def _encoder_of_weights(self) -> tuple[Encoder, int]:
        if self._weights.endswith(".onnx"):
            from jotsam.models.onnx_encoder import Onnx

            return Onnx(self._weights, threads=self._threads), self._config.get("max_position_embeddings", LONGEST)
        from jotsam.models import safetensors
        from jotsam.models.bert_encoder import Bert

        bert = Bert(self._config, safetensors.read(self._weights))
        return bert, bert.longest

    def _chosen(self) -> str:
        """The ONNX file where its library is installed, else the safetensors."""
        there = [name for name in WEIGHTS if os.path.exists(os.path.join(self.place, name))]
        if not there:
            raise InvalidInput(f"{self.place} holds no model: there is neither {' nor '.join(WEIGHTS)}")
        if there[0].endswith(".onnx") and not _is_installed("onnxruntime"):
            if len(there) == 1:
                raise InvalidInput(f"{self.place} holds only a model.onnx, which needs: pip install 'jotsam[onnx]'")
            return os.path.join(self.place, there[1])
        return os.path.join(self.place, there[0])

    def _fingerprint(self) -> str:
        """Tells models apart without reading 90 MB: vectors of two models must never be compared.

        It stays the same where the folder is moved or renamed, and for an ONNX file beside the same safetensors.
        """
        import hashlib

        found = hashlib.sha256()
        there = os.path.join(self.place, WEIGHTS[1])
        for name in ("config.json", "tokenizer.json"):
            with open(os.path.join(self.place, name), "rb") as file:
                found.update(file.read())
        with open(there if os.path.exists(there) else self._weights, "rb") as file:
            size = file.seek(0, os.SEEK_END)
            for place in (0, size // 3, size * 2 // 3, max(0, size - SAMPLE)):
                file.seek(place)
                found.update(file.read(SAMPLE))
        found.update(f"{size} {self._pooling}".encode())
        return found.hexdigest()[:12]

    def _read(self, name: str, *, optional: bool = False) -> dict[str, Any]:
        path = os.path.join(self.place, name)
        try:
            with open(path, encoding="utf-8") as file:
                found: dict[str, Any] = json.load(file)
        except FileNotFoundError as error:
            if optional:
                return {}
            raise InvalidInput(f"{self.place} holds no model: there is no {name}") from error
        except (OSError, ValueError) as error:
            raise InvalidInput(f"{path} cannot be read: {error}") from error
        return found


def _batches(tokens: list[list[int]]) -> list[list[int]]:
    """Places of texts, those of like length together, so that little is computed for padding."""
    batches: list[list[int]] = []
    for place in sorted(range(len(tokens)), key=lambda place: len(tokens[place])):
        if not batches or len(tokens[place]) * (len(batches[-1]) + 1) > TOKENS_PER_BATCH:
            batches.append([])
        batches[-1].append(place)
    return batches


def _mean(vectors: Array, mask: Array) -> Array:
    import numpy as np

    whole: Array = np.einsum("btd,bt->bd", vectors, mask) / mask.sum(1, keepdims=True)
    return whole


def _pooling(config: dict[str, Any]) -> str:
    modes = [name for name, value in config.items() if name.startswith("pooling_mode_") and value is True]
    mode = modes[0] if modes else "pooling_mode_mean_tokens"
    if mode not in _POOLINGS:
        raise InvalidInput(f"the model pools by {mode}: only {' and '.join(_POOLINGS)} are known")
    return _POOLINGS[mode]


_POOLINGS = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}


def _is_installed(library: str) -> bool:
    from importlib.util import find_spec

    return find_spec(library) is not None


def _few_threads(threads: int) -> None:
    """Load numpy with few threads: on a busy machine a thread for each core makes it several times slower.

    Its libraries read their environment while they load, and only then; it is left as it was.
    """
    if "numpy" in sys.modules:
        return
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    added = [name for name in names if name not in os.environ]
    os.environ.update(dict.fromkeys(added, str(threads)))
    try:
        import numpy  # noqa: F401  # Only loaded here; who needs it imports it.
    finally:
        for name in added:
            os.environ.pop(name, None)
