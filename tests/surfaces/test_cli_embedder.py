"""`jotsam models`: show, fetch, refresh."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from models import tiny

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

CAT = "The cat sat on the mat"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    tiny.write(tmp_path / "tiny")
    return tmp_path / "tiny"


def test_without_an_embedder_the_settings_that_choose_one_are_printed(jotsam: Shell):
    ended = jotsam("embedder")
    assert ended.returncode == 0
    assert "model    none: recall searches by words only; `jotsam models install` lets" in ended.stdout
    assert "ok    embedder     none is configured; `jotsam models install` lets" in jotsam("doctor").stdout


@pytest.mark.on_both
def test_a_fetched_model_embeds_memories_and_answers_by_vectors(jotsam: Shell, model: Path):
    digest = hashlib.sha256((model / "model.safetensors").read_bytes()).hexdigest()
    jotsam("remember", CAT)
    jotsam("work")
    fetched = jotsam("embedder", "fetch", str(model), "--sha256", digest)
    assert fetched.returncode == 0, fetched.stderr
    assert 'embed_model = "tiny"' in fetched.stdout
    chosen = {"JOTSAM_EMBED_MODEL": "tiny"}
    assert "1 memory has no vector: run `jotsam models refresh`" in jotsam("embedder", **chosen).stdout
    tried = jotsam("embedder", "refresh", "--dry-run", "--json", **chosen)
    assert json.loads(tried.stdout) == {"schema": 1, "memories": 1, "characters": len(CAT), "queued": False}
    assert "1 memory, 22 characters will be embedded" in jotsam("embedder", "refresh", **chosen).stdout
    jotsam("work", **chosen)
    assert "vectors  1 of 1 memory: bert-8-" in jotsam("embedder", **chosen).stdout
    assert "every memory has a vector" in jotsam("embedder", "refresh", **chosen).stdout
    found = json.loads(jotsam("recall", "the mat", "--json", **chosen).stdout)
    assert found["hits"][0]["scores"]["vectors"] > 0


def test_install_chooses_the_model_and_embeds_what_is_stored(jotsam: Shell, model: Path):
    """The model is there already, so that nothing is downloaded."""
    jotsam("remember", CAT)
    jotsam("work")
    jotsam("embedder", "fetch", str(model), "--name", "minilm")
    installed = jotsam("embedder", "install")
    assert "installed minilm, and set embed_model in" in installed.stdout
    assert "1 memory will be embedded in the background" in installed.stdout
    assert "to go back to words only: jotsam config unset embed_model" in installed.stdout
    jotsam("work")
    assert "vectors  1 of 1 memory: bert-8-" in jotsam("embedder").stdout
    assert "\nembedder " not in jotsam("install", "claude", "--dry-run").stdout
    jotsam("config", "unset", "embed_model")
    assert "\nembedder   off; `jotsam models install` lets" in jotsam("install", "claude", "--dry-run").stdout


def test_until_the_installed_model_is_done_the_one_before_answers_and_can_be_chosen_again(
    jotsam: Shell, model: Path, tmp_path: Path
):
    def with_vectors() -> bool:
        (hit,) = json.loads(jotsam("recall", "the mat", "--json").stdout)["hits"]
        return hit["scores"].get("vectors", 0) > 0

    tiny.write(tmp_path / "other", seed=2)
    jotsam("config", "set", "embed_model", str(model))
    jotsam("remember", CAT)
    jotsam("work")
    before = jotsam("embedder").stdout
    jotsam("embedder", "fetch", str(tmp_path / "other"), "--name", "minilm")
    planned = jotsam("embedder", "install", "--dry-run").stdout
    assert "minilm is installed\n" in planned
    assert "would embed 1 memory in the background" in planned
    assert jotsam("embedder").stdout == before, "nothing was changed"
    installed = jotsam("embedder", "install").stdout
    assert f"to go back: jotsam config set embed_model {model} && jotsam models refresh" in installed
    assert with_vectors()
    assert "memory will be embedded" not in jotsam("embedder", "install").stdout, "it is queued already"
    jotsam("work")
    assert with_vectors()
    assert "would embed 0 memories" in jotsam("embedder", "install", "--dry-run").stdout
    jotsam("config", "set", "embed_model", str(model))
    jotsam("embedder", "refresh")
    jotsam("work")
    assert jotsam("embedder").stdout == before


def test_a_dry_run_of_install_downloads_nothing(jotsam: Shell):
    planned = jotsam("embedder", "install", "--dry-run")
    assert (planned.returncode, planned.stderr) == (0, "")
    assert planned.stdout.startswith("would download 84 MB\n")
    assert "model    none" in jotsam("embedder").stdout


def test_install_refuses_while_a_server_embeds(jotsam: Shell):
    ended = jotsam("embedder", "install", JOTSAM_EMBED_URL="http://127.0.0.1:9/v1")
    assert "embed_url is http://127.0.0.1:9/v1: unset it" in ended.stderr


def test_a_model_with_another_checksum_is_not_installed(jotsam: Shell, model: Path):
    ended = jotsam("embedder", "fetch", str(model), "--sha256", "0" * 64)
    assert ended.returncode == 1
    assert "checksum mismatch" in ended.stderr
    assert "no-such" in jotsam("embedder", JOTSAM_EMBED_MODEL="no-such").stdout


def test_embedder_and_doctor_report_an_unusable_model_as_degraded(jotsam: Shell):
    wrong = {"JOTSAM_EMBED_MODEL": "no-such"}
    assert jotsam("embedder", **wrong).returncode == 3
    examined = jotsam("doctor", **wrong)
    assert examined.returncode == 3
    assert "unknown embed_model 'no-such'" in examined.stdout


def test_the_embedding_api_key_is_never_printed(jotsam: Shell):
    secret = {"JOTSAM_EMBED_API_KEY": "sk-embed-0123456789", "JOTSAM_EMBED_URL": "http://127.0.0.1:9/v1"}
    for arguments in (["config"], ["config", "--json"], ["embedder"], ["recall", "x"]):
        ended = jotsam(*arguments, JOTSAM_EMBED_MODEL="m", **secret)
        assert "sk-embed" not in ended.stdout + ended.stderr
