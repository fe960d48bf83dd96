"""A tiny BERT for tests: random weights in a safetensors file, and a tokenizer with few words.

`expected` computes its embedding independently, in plain Python with twice the precision, sharing no code with
the module under test.
"""

from __future__ import annotations

import json
import math
import random
import struct
from pathlib import Path
from typing import Any

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "cat", "sat", "on", "a", "mat", "##s", "data", "##base", "we", ".")
CONFIG = {
    "model_type": "bert",
    "hidden_size": 8,
    "num_attention_heads": 2,
    "num_hidden_layers": 2,
    "intermediate_size": 12,
    "max_position_embeddings": 10,
    "layer_norm_eps": 1e-12,
    "hidden_act": "gelu",
}

Tensors = dict[str, tuple[list[int], list[float]]]


def write(folder: Path, *, seed: int = 1, kind: str = "F32", prefix: str = "", **changes: Any) -> Tensors:
    """Write a model folder. Returns the tensors as stored: shape and numbers."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(CONFIG | changes))
    _tokenizer().save(str(folder / "tokenizer.json"))
    tensors = {name: (shape, _stored(_random(shape, name, seed), kind)) for name, shape in _shapes().items()}
    save(folder / "model.safetensors", tensors, kind=kind, prefix=prefix)
    return tensors


def save(path: Path, tensors: Tensors, *, kind: str = "F32", prefix: str = "") -> None:
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    body = struct.pack("<10q", *range(10))
    header["embeddings.position_ids"] = {"dtype": "I64", "shape": [1, 10], "data_offsets": [0, len(body)]}
    for name, (shape, numbers) in tensors.items():
        start = len(body)
        body += b"".join(_packed(number, kind) for number in numbers)
        header[prefix + name] = {"dtype": kind, "shape": shape, "data_offsets": [start, len(body)]}
    head = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(head)) + head + body)


def expected(tensors: Tensors, ids: list[int], *, pooling: str = "mean") -> list[float]:
    """The expected embedding of a text, from its token ids. Source: Devlin et al., https://arxiv.org/abs/1810.04805."""
    rows = []
    for place, token in enumerate(ids):
        parts = (
            _row(tensors, "embeddings.word_embeddings.weight", token),
            _row(tensors, "embeddings.position_embeddings.weight", place),
            _row(tensors, "embeddings.token_type_embeddings.weight", 0),
        )
        rows.append(_norm(tensors, "embeddings.LayerNorm", [sum(values) for values in zip(*parts, strict=True)]))
    for layer in range(2):
        rows = _layer(tensors, f"encoder.layer.{layer}.", rows)
    pooled = rows[0] if pooling == "cls" else [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    length = math.sqrt(sum(value * value for value in pooled))
    return [value / length for value in pooled]


def _layer(tensors: Tensors, room: str, rows: list[list[float]]) -> list[list[float]]:
    parts = [
        [_linear(tensors, f"{room}attention.self.{name}", row) for row in rows] for name in ("query", "key", "value")
    ]
    seen = []
    for query in parts[0]:
        whole: list[float] = []
        for head in (slice(0, 4), slice(4, 8)):
            weights = [math.exp(sum(map(_product, query[head], key[head])) / 2.0) for key in parts[1]]
            mixed = [sum(w * value[head][i] for w, value in zip(weights, parts[2], strict=True)) for i in range(4)]
            whole += [value / sum(weights) for value in mixed]
        seen.append(whole)
    after = []
    for row, mixed in zip(rows, seen, strict=True):
        attended = _linear(tensors, room + "attention.output.dense", mixed)
        row = _norm(tensors, room + "attention.output.LayerNorm", list(map(_sum, row, attended)))
        inner = [x / 2 * (1 + math.erf(x / math.sqrt(2))) for x in _linear(tensors, room + "intermediate.dense", row)]
        outer = _linear(tensors, room + "output.dense", inner)
        after.append(_norm(tensors, room + "output.LayerNorm", list(map(_sum, row, outer))))
    return after


def _linear(tensors: Tensors, name: str, row: list[float]) -> list[float]:
    bias = tensors[name + ".bias"][1]
    return [sum(map(_product, _row(tensors, name + ".weight", out), row)) + bias[out] for out in range(len(bias))]


def _norm(tensors: Tensors, name: str, row: list[float]) -> list[float]:
    mean = sum(row) / len(row)
    spread = math.sqrt(sum((value - mean) ** 2 for value in row) / len(row) + 1e-12)
    weight, bias = tensors[name + ".weight"][1], tensors[name + ".bias"][1]
    return [(value - mean) / spread * w + b for value, w, b in zip(row, weight, bias, strict=True)]


def _row(tensors: Tensors, name: str, place: int) -> list[float]:
    (_, width), numbers = tensors[name]
    return numbers[place * width : (place + 1) * width]


def _product(a: float, b: float) -> float:
    return a * b


def _sum(a: float, b: float) -> float:
    return a + b


def _shapes() -> dict[str, list[int]]:
    shapes = {
        "embeddings.word_embeddings.weight": [len(WORDS), 8],
        "embeddings.position_embeddings.weight": [10, 8],
        "embeddings.token_type_embeddings.weight": [2, 8],
        "embeddings.LayerNorm.weight": [8],
        "embeddings.LayerNorm.bias": [8],
    }
    for layer in range(2):
        room = f"encoder.layer.{layer}."
        for name in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            shapes |= {f"{room}{name}.weight": [8, 8], f"{room}{name}.bias": [8]}
        shapes |= {f"{room}intermediate.dense.weight": [12, 8], f"{room}intermediate.dense.bias": [12]}
        shapes |= {f"{room}output.dense.weight": [8, 12], f"{room}output.dense.bias": [8]}
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes |= {f"{room}{name}.weight": [8], f"{room}{name}.bias": [8]}
    return shapes


def _random(shape: list[int], name: str, seed: int) -> list[float]:
    dice = random.Random(f"{seed} {name}")
    return [dice.gauss(0, 0.7) for _ in range(math.prod(shape))]


def _stored(numbers: list[float], kind: str) -> list[float]:
    """The numbers after rounding to the stored type."""
    return [_unpacked(_packed(number, kind), kind) for number in numbers]


def _packed(number: float, kind: str) -> bytes:
    if kind == "BF16":
        return struct.pack("<f", number)[2:]
    return struct.pack({"F32": "<f", "F16": "<e"}[kind], number)


def _unpacked(data: bytes, kind: str) -> float:
    if kind == "BF16":
        return float(struct.unpack("<f", b"\0\0" + data)[0])
    return float(struct.unpack({"F32": "<f", "F16": "<e"}[kind], data)[0])


def _tokenizer() -> Any:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    known = {word: place for place, word in enumerate(WORDS)}
    tokenizer = Tokenizer(models.WordPiece(known, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    frame = [("[CLS]", known["[CLS]"]), ("[SEP]", known["[SEP]"])]
    tokenizer.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", special_tokens=frame)
    return tokenizer
