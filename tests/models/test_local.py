"""Local embedder: vectors match the BERT architecture, alone and in batches."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from jotsam.core.errors import InvalidInput
from jotsam.models.local_embedder import LocalEmbedder
from models import tiny

TEXTS = ["the cat sat on a mat", "we databases", "the", "", "a mat on the cat on the mat on a cat on the mat", "??"]
CLS, SEP, UNK = 2, 3, 1
IDS = [
    [CLS, 4, 5, 6, 7, 8, 9, SEP],
    [CLS, 13, 11, 12, 10, SEP],
    [CLS, 4, SEP],
    [CLS, SEP],
    [CLS, 8, 9, 7, 4, 5, 7, 4, 9, SEP],  # truncated to the ten positions of the model
    [CLS, UNK, UNK, SEP],
]


def numbers(vector: bytes) -> list[float]:
    return list(struct.unpack(f"<{len(vector) // 4}f", vector))


@pytest.mark.parametrize(("kind", "prefix"), [("F32", ""), ("F16", ""), ("BF16", ""), ("F32", "bert.")])
def test_vectors_match_the_architecture(kind: str, prefix: str, tmp_path: Path):
    tensors = tiny.write(tmp_path, kind=kind, prefix=prefix)
    for vector, ids in zip(LocalEmbedder(str(tmp_path)).embed(TEXTS), IDS, strict=True):
        assert numbers(vector) == pytest.approx(tiny.expected(tensors, ids), abs=2e-6)


def test_pooling_follows_the_config(tmp_path: Path):
    tensors = tiny.write(tmp_path)
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    (vector,) = LocalEmbedder(str(tmp_path)).embed(TEXTS[:1])
    assert numbers(vector) == pytest.approx(tiny.expected(tensors, IDS[0], pooling="cls"), abs=2e-6)


def test_texts_are_truncated_at_the_configured_length(tmp_path: Path):
    tensors = tiny.write(tmp_path)
    (tmp_path / "sentence_bert_config.json").write_text('{"max_seq_length": 5}')
    (vector,) = LocalEmbedder(str(tmp_path)).embed(TEXTS[:1])
    assert numbers(vector) == pytest.approx(tiny.expected(tensors, [CLS, 4, 5, 6, SEP]), abs=2e-6)


def test_a_text_has_the_same_vector_alone_and_in_a_batch(tmp_path: Path):
    tiny.write(tmp_path)
    embedder = LocalEmbedder(str(tmp_path))
    many = [f"{'the cat ' * (place % 4)}{'on a mat ' * (place % 3)}" for place in range(900)]
    together = embedder.embed(many)
    for place in (0, 5, 11, 500, 899):
        (alone,) = embedder.embed([many[place]])
        assert numbers(together[place]) == pytest.approx(numbers(alone), abs=2e-6)
    assert embedder.embed([]) == []


def test_different_models_have_different_names(tmp_path: Path):
    tiny.write(tmp_path / "one", seed=1)
    tiny.write(tmp_path / "two", seed=2)
    tiny.write(tmp_path / "same", seed=1)
    one, two, same = (LocalEmbedder(str(tmp_path / name)).name for name in ("one", "two", "same"))
    assert one == same
    assert one != two
    assert one.startswith("bert-8-")


@pytest.mark.parametrize(
    ("break_it", "message"),
    [
        (lambda folder: (folder / "config.json").unlink(), "config.json is missing"),
        (lambda folder: (folder / "config.json").write_text("{"), "cannot read"),
        (lambda folder: (folder / "model.safetensors").unlink(), "neither model.onnx nor model.safetensors"),
        (lambda folder: (folder / "tokenizer.json").write_text("{}"), "is not a readable tokenizer"),
        (lambda folder: (folder / "model.safetensors").write_bytes(b"\xff" * 40), "is not a readable safetensors file"),
        (lambda folder: (folder / "model.safetensors").write_bytes(b"\2\0\0\0\0\0\0\0{}"), "not those of a BERT"),
        (lambda folder: tiny.write(folder, model_type="roberta"), "unsupported model: model_type is 'roberta'"),
        (lambda folder: tiny.write(folder, hidden_act="relu"), "unsupported model: hidden_act is 'relu'"),
        (lambda folder: _pool(folder, "max_tokens"), "unsupported pooling pooling_mode_max_tokens"),
    ],
)
def test_an_unusable_model_folder_is_reported(break_it, message: str, tmp_path: Path):
    tiny.write(tmp_path)
    break_it(tmp_path)
    with pytest.raises(InvalidInput, match=message):
        LocalEmbedder(str(tmp_path))


def _pool(folder: Path, mode: str) -> None:
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({f"pooling_mode_{mode}": True}))


def test_a_tensor_outside_the_file_is_rejected(tmp_path: Path):
    tiny.write(tmp_path)
    whole = (tmp_path / "model.safetensors").read_bytes()
    (tmp_path / "model.safetensors").write_bytes(whole[:-4])
    with pytest.raises(InvalidInput, match="is not a readable safetensors file"):
        LocalEmbedder(str(tmp_path))


def test_libraries_get_few_threads_and_the_environment_is_restored(tmp_path: Path):
    tiny.write(tmp_path)
    program = (
        "import os, sys\n"
        "from jotsam.models.local_embedder import LocalEmbedder\n"
        "assert 'numpy' not in sys.modules\n"
        "seen = {}\n"
        "class Watch:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'numpy':\n"
        "            seen.update(os.environ)\n"
        "sys.meta_path.insert(0, Watch())\n"
        "LocalEmbedder(sys.argv[1], threads=3).embed(['the cat'])\n"
        "print(seen['OPENBLAS_NUM_THREADS'], seen['OMP_NUM_THREADS'], os.environ.get('OPENBLAS_NUM_THREADS'))\n"
    )
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    told = environment | {"OMP_NUM_THREADS": "1"}
    ended = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, env=told, check=True
    )
    assert ended.stdout.split() == ["3", "1", "None"]
