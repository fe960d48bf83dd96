"""A model in a file of ONNX, run by onnxruntime: the same vectors as the same weights give in numpy."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("onnx", reason="it is among the dependencies of development")
pytest.importorskip("onnxruntime", reason="it comes with jotsam[onnx]")

from jotsam import Jotsam
from jotsam.core.errors import InvalidInput
from jotsam.core.settings import Settings
from jotsam.models.local_embedder import LocalEmbedder
from models import tiny, tiny_onnx

TEXTS = ["the cat sat on a mat", "we databases", "the", "", "a mat on the cat on the mat on a cat on the mat", "??"]
CLS, SEP, UNK = 2, 3, 1
KEPT = ("PATH", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "LD_LIBRARY_PATH")
"""Of the environment; what says that this is a test would silence the library by itself."""


def numbers(vector: bytes) -> list[float]:
    return list(struct.unpack(f"<{len(vector) // 4}f", vector))


def by_numpy(tmp_path: Path) -> tuple[list[list[float]], str, tiny.Tensors]:
    """The vectors and the name of the model that stands there as safetensors; its weights."""
    tensors = tiny.write(tmp_path)
    embedder = LocalEmbedder(str(tmp_path))
    assert type(embedder._encoder).__name__ == "Bert"
    return [numbers(vector) for vector in embedder.embed(TEXTS)], embedder.name, tensors


@pytest.mark.parametrize("inputs", [tiny_onnx.INPUTS, tiny_onnx.INPUTS[:2]])
def test_its_vectors_are_those_that_numpy_gives_for_the_same_weights(inputs: tuple[str, ...], tmp_path: Path):
    wanted, name, tensors = by_numpy(tmp_path)
    tiny_onnx.write(tmp_path / "model.onnx", tensors, inputs=inputs)
    embedder = LocalEmbedder(str(tmp_path))
    assert type(embedder._encoder).__name__ == "Onnx"
    assert embedder.name == name, "vectors of both may be compared, so they have one name"
    for vector, other in zip(embedder.embed(TEXTS), wanted, strict=True):
        assert numbers(vector) == pytest.approx(other, abs=2e-6)
    assert numbers(embedder.embed(TEXTS[1:2])[0]) == pytest.approx(
        tiny.expected(tensors, [CLS, 13, 11, 12, 10, SEP]), abs=2e-6
    )


def test_where_the_file_pools_by_itself_its_own_embedding_is_taken(tmp_path: Path):
    _, _, tensors = by_numpy(tmp_path)
    tiny_onnx.write(tmp_path / "model.onnx", tensors, pools=True)
    (vector,) = LocalEmbedder(str(tmp_path)).embed(["the"])
    assert numbers(vector) == pytest.approx(tiny.expected(tensors, [CLS, 4, SEP], pooling="cls"), abs=2e-6)


def test_it_is_chosen_by_its_folder_and_finds_what_a_question_means(tmp_path: Path):
    _, _, tensors = by_numpy(tmp_path)
    (tmp_path / "model.safetensors").unlink()
    tiny_onnx.write(tmp_path / "model.onnx", tensors)
    settings = Settings(db=str(tmp_path / "jotsam.db"), worker="off", linger_ms=0, embed_model=str(tmp_path))
    with Jotsam(settings=settings) as jot:
        jot.remember("the cat sat on a mat")
        jot.work()
        (hit,) = jot.recall("cats cat").hits
        assert "vectors" in hit.scores
        assert jot.recall("cats cat").coverage.unavailable == ()


def damaged(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


@pytest.mark.parametrize("break_it", [damaged, lambda path: path.write_bytes(b""), lambda path: path.write_text("{}")])
def test_a_damaged_file_is_named(break_it, tmp_path: Path):
    _, _, tensors = by_numpy(tmp_path)
    path = tmp_path / "model.onnx"
    tiny_onnx.write(path, tensors)
    break_it(path)
    with pytest.raises(InvalidInput, match=r"model\.onnx is no model that onnxruntime can run"):
        LocalEmbedder(str(tmp_path))


def test_the_library_reports_to_nobody(tmp_path: Path):
    """Where it does, it leaves the number of its session behind, and an id of the machine."""
    _, _, tensors = by_numpy(tmp_path)
    tiny_onnx.write(tmp_path / "model.onnx", tensors)
    traces = tmp_path / "traces"
    traces.mkdir()
    telling = {name: value for name, value in os.environ.items() if not name.startswith("ORT_") and name in KEPT}
    places = dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_DATA_HOME"), str(traces))
    imported = "import sys; from jotsam.models.local_embedder import LocalEmbedder; "
    program = imported + "LocalEmbedder(sys.argv[1]).embed(['the cat'])"
    command = [sys.executable, "-c", program, str(tmp_path)]
    subprocess.run(command, env=telling | places, check=True)
    assert list(traces.rglob("*")) == []


def test_where_onnxruntime_is_missing_the_way_out_is_told(tmp_path: Path):
    _, _, tensors = by_numpy(tmp_path)
    (tmp_path / "model.safetensors").unlink()
    tiny_onnx.write(tmp_path / "model.onnx", tensors)
    program = (
        "import sys\n"
        "sys.modules['onnxruntime'] = None\n"
        "from jotsam.models.local_embedder import LocalEmbedder\n"
        "LocalEmbedder(sys.argv[1])\n"
    )
    ended = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True)
    assert "holds only a model.onnx, which needs: pip install 'jotsam[onnx]'" in ended.stderr
