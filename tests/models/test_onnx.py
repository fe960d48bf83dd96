"""ONNX models run by onnxruntime return the same vectors as the same weights in numpy."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("onnx", reason="a development dependency")
pytest.importorskip("onnxruntime", reason="installed by jotsam[onnx]")

from jotsam import Jotsam
from jotsam.core.errors import InvalidInput
from jotsam.core.settings import Settings
from jotsam.models.local_embedder import LocalEmbedder
from models import tiny, tiny_onnx

TEXTS = ["the cat sat on a mat", "we databases", "the", "", "a mat on the cat on the mat on a cat on the mat", "??"]
CLS, SEP, UNK = 2, 3, 1
# The environment of the telemetry test: variables of test runners would disable telemetry by themselves.
KEPT = ("PATH", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "LD_LIBRARY_PATH")


def numbers(vector: bytes) -> list[float]:
    return list(struct.unpack(f"<{len(vector) // 4}f", vector))


def by_numpy(tmp_path: Path) -> tuple[list[list[float]], str, tiny.Tensors]:
    """Write a safetensors model; returns its vectors, its name and its weights."""
    tensors = tiny.write(tmp_path)
    embedder = LocalEmbedder(str(tmp_path))
    assert type(embedder._encoder).__name__ == "BertEncoder"
    return [numbers(vector) for vector in embedder.embed(TEXTS)], embedder.name, tensors


@pytest.mark.parametrize("inputs", [tiny_onnx.INPUTS, tiny_onnx.INPUTS[:2]])
def test_vectors_equal_those_of_numpy_with_the_same_weights(inputs: tuple[str, ...], tmp_path: Path):
    wanted, name, tensors = by_numpy(tmp_path)
    tiny_onnx.write(tmp_path / "model.onnx", tensors, inputs=inputs)
    embedder = LocalEmbedder(str(tmp_path))
    assert type(embedder._encoder).__name__ == "OnnxEncoder"
    assert embedder.name == name, "vectors of both are comparable, so they share one name"
    for vector, other in zip(embedder.embed(TEXTS), wanted, strict=True):
        assert numbers(vector) == pytest.approx(other, abs=2e-6)
    assert numbers(embedder.embed(TEXTS[1:2])[0]) == pytest.approx(
        tiny.expected(tensors, [CLS, 13, 11, 12, 10, SEP]), abs=2e-6
    )


def test_the_embedding_output_of_the_file_is_used_if_it_exists(tmp_path: Path):
    _, _, tensors = by_numpy(tmp_path)
    tiny_onnx.write(tmp_path / "model.onnx", tensors, pools=True)
    (vector,) = LocalEmbedder(str(tmp_path)).embed(["the"])
    assert numbers(vector) == pytest.approx(tiny.expected(tensors, [CLS, 4, SEP], pooling="cls"), abs=2e-6)


def test_an_onnx_folder_can_be_used_for_recall(tmp_path: Path):
    _, _, tensors = by_numpy(tmp_path)
    (tmp_path / "model.safetensors").unlink()
    tiny_onnx.write(tmp_path / "model.onnx", tensors)
    settings = Settings(db=str(tmp_path / "jotsam.db"), worker="off", worker_idle_ms=0, embed_model=str(tmp_path))
    with Jotsam(settings=settings) as jot:
        jot.remember("the cat sat on a mat")
        jot.work()
        (hit,) = jot.recall("cats cat").hits
        assert "vectors" in hit.scores
        assert jot.recall("cats cat").coverage.unavailable == ()


def damaged(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


@pytest.mark.parametrize("break_it", [damaged, lambda path: path.write_bytes(b""), lambda path: path.write_text("{}")])
def test_a_damaged_file_is_reported(break_it, tmp_path: Path):
    _, _, tensors = by_numpy(tmp_path)
    path = tmp_path / "model.onnx"
    tiny_onnx.write(path, tensors)
    break_it(path)
    with pytest.raises(InvalidInput, match=r"onnxruntime cannot run .*model\.onnx"):
        LocalEmbedder(str(tmp_path))


def test_the_library_sends_no_telemetry(tmp_path: Path):
    """With telemetry it would store a session number and a machine id."""
    _, _, tensors = by_numpy(tmp_path)
    tiny_onnx.write(tmp_path / "model.onnx", tensors)
    traces = tmp_path / "traces"
    traces.mkdir()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ORT_") and name in KEPT}
    places = dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_DATA_HOME"), str(traces))
    imported = "import sys; from jotsam.models.local_embedder import LocalEmbedder; "
    program = imported + "LocalEmbedder(sys.argv[1]).embed(['the cat'])"
    command = [sys.executable, "-c", program, str(tmp_path)]
    subprocess.run(command, env=environment | places, check=True)
    assert list(traces.rglob("*")) == []


def test_without_onnxruntime_the_error_names_the_extra(tmp_path: Path):
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
    assert "has only a model.onnx; install the 'onnx' extra: pip install 'jotsam[onnx]'" in ended.stderr
