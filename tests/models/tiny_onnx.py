"""The BERT of `tiny` as an ONNX file with the same weights."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from models.tiny import CONFIG, Tensors

OPSET, IR_VERSION = 17, 10
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
HEADS, WIDTH = CONFIG["num_attention_heads"], CONFIG["hidden_size"]


def write(path: Path, tensors: Tensors, *, inputs: tuple[str, ...] = INPUTS, pools: bool = False) -> None:
    """Write the file. `inputs` are its input names; with `pools` the first token is a second output."""
    from onnx import TensorProto, helper, save

    graph = _Graph(tensors)
    hidden = graph.forward(typed="token_type_ids" in inputs)
    outputs = [helper.make_tensor_value_info(hidden, TensorProto.FLOAT, ["texts", "tokens", WIDTH])]
    if pools:
        first = graph.node("Gather", hidden, graph.whole(0), axis=1, named="sentence_embedding")
        outputs.append(helper.make_tensor_value_info(first, TensorProto.FLOAT, ["texts", WIDTH]))
    given = [helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"]) for name in inputs]
    made = helper.make_graph(graph.nodes, "tiny", given, outputs, graph.numbers)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    save(model, str(path))


class _Graph:
    """Collects nodes and constants under unique names."""

    def __init__(self, tensors: Tensors) -> None:
        self._tensors = tensors
        self.nodes: list[Any] = []
        self.numbers: list[Any] = []

    def node(self, operator: str, *inputs: str, named: str = "", **how: Any) -> str:
        from onnx import helper

        name = named or f"{operator}{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(inputs), [name], **how))
        return name

    def forward(self, *, typed: bool) -> str:
        """One vector per token. Source: Devlin et al., https://arxiv.org/abs/1810.04805."""
        ids, room = "input_ids", "embeddings."
        tokens = self.node("Gather", self.node("Shape", ids), self.whole(1))
        places = self.node("Range", self.whole(0), tokens, self.whole(1))
        kinds = "token_type_ids" if typed else self.whole(0)
        x = self.node("Gather", self._weight(room + "word_embeddings.weight"), ids)
        x = self.node("Add", x, self.node("Gather", self._weight(room + "position_embeddings.weight"), places))
        x = self.node("Add", x, self.node("Gather", self._weight(room + "token_type_embeddings.weight"), kinds))
        x = self._norm(x, room + "LayerNorm")
        mask = self._mask()
        for layer in range(CONFIG["num_hidden_layers"]):
            x = self._layer(x, mask, f"encoder.layer.{layer}.")
        return x

    def whole(self, *values: int) -> str:
        """Integers; a single one is a scalar."""
        return self._constant([*values], [] if len(values) == 1 else [len(values)], whole=True)

    def _layer(self, x: str, mask: str, room: str) -> str:
        query, key, value = (self._heads(x, f"{room}attention.self.{name}") for name in ("query", "key", "value"))
        scores = self.node("MatMul", query, self.node("Transpose", key, perm=[0, 1, 3, 2]))
        scores = self.node("Mul", scores, self._constant([1 / math.sqrt(WIDTH // HEADS)], []))
        shares = self.node("Softmax", self.node("Add", scores, mask), axis=-1)
        seen = self.node("Transpose", self.node("MatMul", shares, value), perm=[0, 2, 1, 3])
        seen = self.node("Reshape", seen, self.whole(0, 0, WIDTH))
        attended = self._linear(seen, room + "attention.output.dense")
        x = self._norm(self.node("Add", x, attended), room + "attention.output.LayerNorm")
        inner = self._gelu(self._linear(x, room + "intermediate.dense"))
        outer = self._linear(inner, room + "output.dense")
        return self._norm(self.node("Add", x, outer), room + "output.LayerNorm")

    def _heads(self, x: str, name: str) -> str:
        parts = self.node("Reshape", self._linear(x, name), self.whole(0, 0, HEADS, WIDTH // HEADS))
        return self.node("Transpose", parts, perm=[0, 2, 1, 3])

    def _mask(self) -> str:
        """0 for real tokens, a large negative number for padding."""
        from onnx import TensorProto

        real = self.node("Cast", "attention_mask", to=TensorProto.FLOAT)
        hidden = self.node("Mul", self.node("Sub", self._constant([1.0], []), real), self._constant([-1e9], []))
        return self.node("Unsqueeze", hidden, self.whole(1, 2))

    def _linear(self, x: str, name: str) -> str:
        shape, numbers = self._tensors[name + ".weight"]
        turned = [numbers[row * shape[1] + column] for column in range(shape[1]) for row in range(shape[0])]
        product = self.node("MatMul", x, self._constant(turned, shape[::-1]))
        return self.node("Add", product, self._weight(name + ".bias"))

    def _gelu(self, x: str) -> str:
        share = self.node("Add", self.node("Erf", self._scaled(x, math.sqrt(0.5))), self._constant([1.0], []))
        return self.node("Mul", self._scaled(x, 0.5), share)

    def _scaled(self, x: str, by: float) -> str:
        return self.node("Mul", x, self._constant([by], []))

    def _norm(self, x: str, name: str) -> str:
        weight, bias = self._weight(name + ".weight"), self._weight(name + ".bias")
        return self.node("LayerNormalization", x, weight, bias, axis=-1, epsilon=CONFIG["layer_norm_eps"])

    def _weight(self, name: str) -> str:
        shape, numbers = self._tensors[name]
        return self._constant(numbers, shape)

    def _constant(self, values: list[Any], shape: list[int], *, whole: bool = False) -> str:
        from onnx import TensorProto, helper

        name = f"number{len(self.numbers)}"
        kind = TensorProto.INT64 if whole else TensorProto.FLOAT
        self.numbers.append(helper.make_tensor(name, kind, shape, values))
        return name
