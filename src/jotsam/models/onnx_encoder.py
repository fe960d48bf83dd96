"""An encoder in a file `model.onnx`, run by onnxruntime, where that is installed. It is several times as fast as numpy.

Like `bert`, it gives one vector for each token, or, where the file pools by itself, one for each text.
From 1.29 on the library reports to its maker what it runs, unless it is told not to before it is loaded. It is told.
"""

from __future__ import annotations

import os

from jotsam.core.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jotsam.models.safetensors import Array

SILENT = "ORT_DISABLE_TELEMETRY"


class Onnx:
    """A session of onnxruntime. Raises `InvalidInput` for a file that it cannot run, `ImportError` without it."""

    def __init__(self, path: str, *, threads: int) -> None:
        os.environ.setdefault(SILENT, "1")
        import onnxruntime

        onnxruntime.disable_telemetry_events()  # For a program that had loaded it before.
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        try:
            self._session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # The library has a class of its own for each fault, and no name for them all.
            raise InvalidInput(f"{path} is no model that onnxruntime can run: {error}") from error
        self._inputs = [given.name for given in self._session.get_inputs()]
        self._output = _chosen([found.name for found in self._session.get_outputs()])

    def forward(self, ids: Array, mask: Array) -> Array:
        """Shape (texts, tokens, dimension), or (texts, dimension). `ids` and `mask` have shape (texts, tokens)."""
        whole = ids.astype("int64")
        given = {"input_ids": whole, "attention_mask": mask.astype("int64"), "token_type_ids": whole * 0}
        (found,) = self._session.run([self._output], {name: given[name] for name in self._inputs})
        vectors: Array = found.astype("float32")
        return vectors


def _chosen(outputs: list[Any]) -> str:
    return "sentence_embedding" if "sentence_embedding" in outputs else outputs[0]
