"""Runs an encoder from a `model.onnx` file with onnxruntime (optional), several times faster than numpy.

Like `bert_encoder` it returns one vector per token, or one per text if the file does its own pooling.
onnxruntime 1.29 and later send telemetry unless it is disabled before the import; this module disables it.
"""

from __future__ import annotations

import os

from jotsam.core.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jotsam.models.safetensors import Array

DISABLE_TELEMETRY = "ORT_DISABLE_TELEMETRY"


class OnnxEncoder:
    """An onnxruntime session. Raises `InvalidInput` for an unusable file, `ImportError` without onnxruntime."""

    def __init__(self, path: str, *, threads: int) -> None:
        os.environ.setdefault(DISABLE_TELEMETRY, "1")
        import onnxruntime

        onnxruntime.disable_telemetry_events()  # If the program had imported it already.
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        try:
            self._session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime errors have no common base class.
            raise InvalidInput(f"onnxruntime cannot run {path}: {error}") from error
        self._inputs = [one.name for one in self._session.get_inputs()]
        self._output = _output_name([one.name for one in self._session.get_outputs()])

    def forward(self, ids: Array, mask: Array) -> Array:
        """Shape (texts, tokens, dimension), or (texts, dimension). `ids` and `mask` have shape (texts, tokens)."""
        whole = ids.astype("int64")
        given = {"input_ids": whole, "attention_mask": mask.astype("int64"), "token_type_ids": whole * 0}
        (found,) = self._session.run([self._output], {name: given[name] for name in self._inputs})
        vectors: Array = found.astype("float32")
        return vectors


def _output_name(outputs: list[Any]) -> str:
    return "sentence_embedding" if "sentence_embedding" in outputs else outputs[0]
