"""Sentence embedder from a model folder on this machine: tokenizer, weights and pooling. Downloads nothing.

The folder has the layout of sentence-transformers: `config.json`, `tokenizer.json`, and `model.safetensors` or
`model.onnx`; `sentence_bert_config.json` and `1_Pooling/config.json` are optional.
"""

from __future__ import annotations

import json
import os
import sys
import threading

from jotsam.core.errors import InvalidInput, install_extra

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Protocol

    from jotsam.models.safetensors import Array

    class Encoder(Protocol):
        """Turns token ids into vectors, one per token or one per text."""

        def forward(self, ids: Array, mask: Array) -> Array: ...


MAX_TOKENS = 512  # of a text, unless the folder has its own limit
TOKENS_PER_BATCH = 2_048
SAMPLE_BYTES = 65_536
WEIGHTS = ("model.onnx", "model.safetensors")


class LocalEmbedder:
    """Unit vectors from a local model. Thread-safe; calls run one at a time.

    Raises `InvalidInput` for a folder without a usable model, or if a library is missing.
    """

    def __init__(self, folder: str, *, threads: int | None = None) -> None:
        self.location = os.path.abspath(os.path.expanduser(folder))
        self._threads = threads or max(1, (os.cpu_count() or 1) // 2)
        config = self._read("config.json")
        kind, self.dimension = config.get("model_type", "model"), int(config["hidden_size"])
        self._pooling = _pooling(self._read("1_Pooling/config.json", optional=True))
        self._weights = self._weights_path()
        self.name = f"{kind}-{self.dimension}-{self._fingerprint()}"
        self._config = config
        self._lock = threading.Lock()
        self._tokenizer, self._encoder = self._load()

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """A unit vector per text, in order, as little-endian float32. Long texts are truncated."""
        with self._lock:
            tokens = [found.ids for found in self._tokenizer.encode_batch(list(texts))]
            vectors: dict[int, bytes] = {}
            for batch in _batches(tokens):
                vectors |= zip(batch, self._embed([tokens[index] for index in batch]), strict=True)
        return [vectors[index] for index in range(len(texts))]

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
            _import_numpy(self._threads)
            from tokenizers import Tokenizer

            encoder, max_tokens = self._open_encoder()
        except ImportError as error:
            raise InvalidInput(
                f"libraries for local embedding are missing ({error}); {install_extra('embed')}"
            ) from error
        path = os.path.join(self.location, "tokenizer.json")
        try:
            tokenizer = Tokenizer.from_file(path)
        except Exception as error:  # The library raises bare Exception.
            raise InvalidInput(f"{path} is not a readable tokenizer: {error}") from error
        max_tokens = min(
            max_tokens, int(self._read("sentence_bert_config.json", optional=True).get("max_seq_length", max_tokens))
        )
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_tokens)
        return tokenizer, encoder

    def _open_encoder(self) -> tuple[Encoder, int]:
        if self._weights.endswith(".onnx"):
            from jotsam.models.onnx_encoder import OnnxEncoder

            onnx = OnnxEncoder(self._weights, threads=self._threads)
            return onnx, self._config.get("max_position_embeddings", MAX_TOKENS)
        from jotsam.models import safetensors
        from jotsam.models.bert_encoder import BertEncoder

        bert = BertEncoder(self._config, safetensors.read_tensors(self._weights))
        return bert, bert.max_tokens

    def _weights_path(self) -> str:
        """The ONNX file if onnxruntime is installed, else the safetensors file."""
        existing = [name for name in WEIGHTS if os.path.exists(os.path.join(self.location, name))]
        if not existing:
            raise InvalidInput(f"{self.location} is not a model: neither {' nor '.join(WEIGHTS)} exists")
        if existing[0].endswith(".onnx") and not _is_installed("onnxruntime"):
            if len(existing) == 1:
                raise InvalidInput(f"{self.location} has only a model.onnx; {install_extra('onnx')}")
            return os.path.join(self.location, existing[1])
        return os.path.join(self.location, existing[0])

    def _fingerprint(self) -> str:
        """A hash that identifies the model without reading all 90 MB: vectors of two models must not be compared.

        It does not depend on the folder's path, and is the same for an ONNX file next to the same safetensors.
        """
        import hashlib

        found = hashlib.sha256()
        safetensors = os.path.join(self.location, WEIGHTS[1])
        for name in ("config.json", "tokenizer.json"):
            with open(os.path.join(self.location, name), "rb") as file:
                found.update(file.read())
        with open(safetensors if os.path.exists(safetensors) else self._weights, "rb") as file:
            size = file.seek(0, os.SEEK_END)
            for offset in (0, size // 3, size * 2 // 3, max(0, size - SAMPLE_BYTES)):
                file.seek(offset)
                found.update(file.read(SAMPLE_BYTES))
        found.update(f"{size} {self._pooling}".encode())
        return found.hexdigest()[:12]

    def _read(self, name: str, *, optional: bool = False) -> dict[str, Any]:
        path = os.path.join(self.location, name)
        try:
            with open(path, encoding="utf-8") as file:
                found: dict[str, Any] = json.load(file)
        except FileNotFoundError as error:
            if optional:
                return {}
            raise InvalidInput(f"{self.location} is not a model: {name} is missing") from error
        except (OSError, ValueError) as error:
            raise InvalidInput(f"cannot read {path}: {error}") from error
        return found


def _batches(tokens: list[list[int]]) -> list[list[int]]:
    """Batches of text indexes. Texts of similar length share a batch, to minimize padding."""
    batches: list[list[int]] = []
    for index in sorted(range(len(tokens)), key=lambda index: len(tokens[index])):
        if not batches or len(tokens[index]) * (len(batches[-1]) + 1) > TOKENS_PER_BATCH:
            batches.append([])
        batches[-1].append(index)
    return batches


def _mean(vectors: Array, mask: Array) -> Array:
    import numpy as np

    whole: Array = np.einsum("btd,bt->bd", vectors, mask) / mask.sum(1, keepdims=True)
    return whole


def _pooling(config: dict[str, Any]) -> str:
    modes = [name for name, value in config.items() if name.startswith("pooling_mode_") and value is True]
    mode = modes[0] if modes else "pooling_mode_mean_tokens"
    if mode not in _POOLINGS:
        raise InvalidInput(f"unsupported pooling {mode}: must be {' or '.join(_POOLINGS)}")
    return _POOLINGS[mode]


_POOLINGS = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}


def _is_installed(library: str) -> bool:
    from importlib.util import find_spec

    return find_spec(library) is not None


def _import_numpy(threads: int) -> None:
    """Import numpy with a thread limit: on a busy machine one thread per core makes it several times slower.

    Its libraries read these variables only during the import. The environment is restored afterwards.
    """
    if "numpy" in sys.modules:
        return
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    added = [name for name in names if name not in os.environ]
    os.environ.update(dict.fromkeys(added, str(threads)))
    try:
        import numpy  # noqa: F401  # Imported for its side effect.
    finally:
        for name in added:
            os.environ.pop(name, None)
