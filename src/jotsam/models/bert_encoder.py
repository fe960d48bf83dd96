"""The forward pass of a BERT encoder (Devlin et al., https://arxiv.org/abs/1810.04805) in numpy.

Takes token ids and returns one vector per token. Tokenizing is not done here.
"""

from __future__ import annotations

import math

import numpy as np

from jotsam.core.errors import InvalidInput, install_extra

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jotsam.models.safetensors import Array

MASKED = np.float32(-1e9)


class BertEncoder:
    """A BERT of any size, built from its configuration and tensors. Raises `InvalidInput` for other architectures."""

    def __init__(self, config: Mapping[str, Any], tensors: Mapping[str, Array]) -> None:
        _check_config(config)
        self._tensors = {name.removeprefix("bert."): tensor for name, tensor in tensors.items()}
        self._heads = int(config["num_attention_heads"])
        self._layers = int(config["num_hidden_layers"])
        self._epsilon = np.float32(config.get("layer_norm_eps", 1e-12))
        self.dimension = int(config["hidden_size"])
        self.max_tokens = int(config["max_position_embeddings"])
        try:
            self._positions = self._get("embeddings.position_embeddings.weight")
            self._token_type = self._get("embeddings.token_type_embeddings.weight")[0]
            self._attention = [self._attention_weights(layer) for layer in range(self._layers)]
        except KeyError as error:
            raise InvalidInput(f"the weights are not those of a BERT: tensor {error} is missing") from error

    def forward(self, ids: Array, mask: Array) -> Array:
        """One vector per token. `ids` and `mask` have shape (texts, tokens); the mask is 0 for padding."""
        tokens = ids.shape[1]
        x = self._get("embeddings.word_embeddings.weight")[ids] + self._positions[:tokens] + self._token_type
        x = self._norm(x, "embeddings.LayerNorm")
        padding = ((1 - mask) * MASKED)[:, None, None, :].astype(np.float32)
        for layer in range(self._layers):
            prefix = f"encoder.layer.{layer}."
            x = self._norm(x + self._attend(x, padding, layer), prefix + "attention.output.LayerNorm")
            inner = _gelu(self._linear(x, prefix + "intermediate.dense"))
            x = self._norm(x + self._linear(inner, prefix + "output.dense"), prefix + "output.LayerNorm")
        return x

    def _attend(self, x: Array, padding: Array, layer: int) -> Array:
        texts, tokens, width = x.shape
        weight, bias = self._attention[layer]
        parts = (x @ weight + bias).reshape(texts, tokens, 3, self._heads, width // self._heads)
        query, key, value = parts.transpose(2, 0, 3, 1, 4)
        scores = query @ key.transpose(0, 1, 3, 2)
        scores += padding
        scores -= scores.max(-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(-1, keepdims=True)
        seen = (scores @ value).transpose(0, 2, 1, 3).reshape(texts, tokens, width)
        return self._linear(seen, f"encoder.layer.{layer}.attention.output.dense")

    def _attention_weights(self, layer: int) -> tuple[Array, Array]:
        """Query, key and value weights as one matrix, to multiply once; the query is scaled here."""
        prefix = f"encoder.layer.{layer}.attention.self."
        scale = np.float32(1 / math.sqrt(self.dimension // self._heads))
        weights = [self._get(f"{prefix}{name}.weight").T for name in ("query", "key", "value")]
        biases = [self._get(f"{prefix}{name}.bias") for name in ("query", "key", "value")]
        weights[0], biases[0] = weights[0] * scale, biases[0] * scale
        return np.concatenate(weights, axis=1), np.concatenate(biases)

    def _get(self, name: str) -> Array:
        return self._tensors[name]

    def _linear(self, x: Array, name: str) -> Array:
        product = x @ self._get(name + ".weight").T
        product += self._get(name + ".bias")
        return product

    def _norm(self, x: Array, name: str) -> Array:
        x = x - x.mean(-1, keepdims=True)
        spread = np.einsum("...i,...i->...", x, x)[..., None] / np.float32(x.shape[-1])
        x /= np.sqrt(spread + self._epsilon)
        x *= self._get(name + ".weight")
        x += self._get(name + ".bias")
        return x


def _check_config(config: Mapping[str, Any]) -> None:
    supported = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}
    for name, value in supported.items():
        found = config.get(name, value)
        if found != value:
            raise InvalidInput(
                f"unsupported model: {name} is {found!r}, and safetensors weights need {value!r};"
                f" use a folder with a model.onnx, and {install_extra('onnx')}"
            )


def _gelu(x: Array) -> Array:
    half = x * np.float32(0.5)
    inner = _erf(x * np.float32(math.sqrt(0.5)))
    inner += 1
    inner *= half
    return inner


def _erf(x: Array) -> Array:
    """Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26: error at most 1.5e-7."""
    x_abs = np.abs(x)
    t = 1 / (1 + np.float32(0.3275911) * x_abs)
    sum = np.full_like(t, np.float32(1.061405429))
    for term in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        sum *= t
        sum += np.float32(term)
    sum *= t
    x_abs *= x_abs
    np.negative(x_abs, out=x_abs)
    np.exp(x_abs, out=x_abs)
    sum *= x_abs
    np.subtract(1, sum, out=sum)
    return np.copysign(sum, x)
