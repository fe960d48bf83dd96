"""AutoMem's environment variables fill our settings where ours are unset."""

from __future__ import annotations

import os

import pytest

from jotsam.core.errors import InvalidInput
from jotsam.core.settings import AUTOMEM_VARIABLES, UNKNOWN, Settings, configured_settings, load_settings

ALL = {
    "AUTOMEM_API_TOKEN": ("secret-1", "http_token", "secret-1"),
    "ADMIN_API_TOKEN": ("secret-2", "http_admin_token", "secret-2"),
    "ENRICHMENT_ENABLE_SUMMARIES": ("False", "summaries", "off"),
    "ENRICHMENT_MAX_ATTEMPTS": ("7", "enrich_attempts", 7),
    "ENRICHMENT_IDLE_SLEEP_SECONDS": ("0.5", "poll_interval_ms", 500),
    "ENRICHMENT_FAILURE_BACKOFF_SECONDS": ("30", "enrich_backoff_ms", 30_000),
    "ENRICHMENT_SIMILARITY_LIMIT": ("9", "similar_limit", 9),
    "ENRICHMENT_SIMILARITY_THRESHOLD": ("0.75", "similar_threshold", 0.75),
    "ENRICHMENT_SPACY_MODEL": ("en_core_web_sm", "spacy_model", "en_core_web_sm"),
    "CONSOLIDATION_DECAY_INTERVAL_SECONDS": ("3600", "decay_every_days", 1),
    "CONSOLIDATION_CREATIVE_INTERVAL_SECONDS": ("604801", "creative_every_days", 8),
    "CONSOLIDATION_CLUSTER_INTERVAL_SECONDS": ("5184000", "cluster_every_days", 60),
    "CONSOLIDATION_IDENTITY_INTERVAL_SECONDS": ("86400", "identity_every_days", 1),
    "CONSOLIDATION_FORGET_INTERVAL_SECONDS": ("604800", "forget_every_days", 7),
    "FALKORDB_PASSWORD": ("secret-3", "falkordb_password", "secret-3"),
    "QDRANT_API_KEY": ("secret-4", "qdrant_api_key", "secret-4"),
    "GRAPH_VIEWER_URL": ("http://localhost:3000", "viewer_url", "http://localhost:3000"),
}


def load(environ, folder, **options):
    return load_settings(options.pop("options", None), environ=environ, folder=str(folder), **options)


@pytest.fixture
def home(tmp_path):
    return {"XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path)}


def test_each_variable_fills_its_setting_in_our_unit_and_is_its_origin(home, tmp_path):
    assert ALL.keys() == AUTOMEM_VARIABLES.keys()
    settings, origins = load(home | {name: value for name, (value, _, _) in ALL.items()}, tmp_path)
    found = {name: (getattr(settings, field), origins[field]) for name, (_, field, _) in ALL.items()}
    assert found == {name: (value, f"environment {name}") for name, (_, _, value) in ALL.items()}
    assert "secret-" not in repr(settings)


def test_ours_come_first_wherever_they_are_set(home, tmp_path):
    (tmp_path / "jotsam").mkdir()
    (tmp_path / "jotsam" / "config.toml").write_text('similar_limit = 1\nsummaries = "on"\n')
    environ = home | {name: value for name, (value, _, _) in ALL.items()} | {"JOTSAM_ENRICH_ATTEMPTS": "2"}
    settings, origins = load(environ, tmp_path, options={"http_token": "ours"})
    assert (settings.similar_limit, settings.summaries, settings.enrich_attempts) == (1, "on", 2)
    assert (settings.http_token, settings.http_admin_token) == ("ours", "secret-2")
    assert origins["enrich_attempts"] == "environment JOTSAM_ENRICH_ATTEMPTS"
    assert origins["similar_threshold"] == "environment ENRICHMENT_SIMILARITY_THRESHOLD"


WRONG = {
    "ENRICHMENT_ENABLE_SUMMARIES": ["maybe", "2"],
    "ENRICHMENT_MAX_ATTEMPTS": ["0", "many", "1.5", "-1"],
    "ENRICHMENT_IDLE_SLEEP_SECONDS": ["soon", "0", "61", "nan", "inf", "1e400"],
    "ENRICHMENT_FAILURE_BACKOFF_SECONDS": ["", " ", "5s", "0.01", "4000"],
    "ENRICHMENT_SIMILARITY_LIMIT": ["51", "x"],
    "ENRICHMENT_SIMILARITY_THRESHOLD": ["1.5", "nan", "x"],
    "CONSOLIDATION_FORGET_INTERVAL_SECONDS": ["-86400", "weekly", "inf", "nan"],
    "AUTOMEM_API_TOKEN": ["two words", "umlaut-ü", "line\nbreak"],
    "ADMIN_API_TOKEN": ["two words"],
}


def test_a_wrong_value_is_an_error_that_names_the_variable_and_a_hook_ignores_it(home, tmp_path):
    for variable, values in WRONG.items():
        field = AUTOMEM_VARIABLES[variable]
        for value in filter(None, values):
            with pytest.raises(InvalidInput) as refused:
                load(home | {variable: value}, tmp_path)
            assert variable in str(refused.value), (variable, value)
            assert "TOKEN" not in variable or value not in str(refused.value)
            settings, origins = load(home | {variable: value}, tmp_path, strict=False)
            assert (getattr(settings, field), origins[field]) == (Settings._defaults[field], UNKNOWN)
            ours = {f"JOTSAM_{field.upper()}": str(getattr(Settings(), field)) or "ok"}
            assert load(home | {variable: value} | ours, tmp_path, strict=False)[1][field] != UNKNOWN


def test_an_empty_variable_is_not_set_and_words_mean_what_automem_takes_them_for(home, tmp_path):
    assert load(home | {"ENRICHMENT_MAX_ATTEMPTS": ""}, tmp_path)[1]["enrich_attempts"] == "default"
    for word, expected in (("true", "on"), ("1", "on"), ("YES", "on"), ("0", "off"), ("no", "off"), (" off ", "off")):
        assert load(home | {"ENRICHMENT_ENABLE_SUMMARIES": word}, tmp_path)[0].summaries == expected


def test_the_settings_of_the_users_file_alone_have_none_of_them(monkeypatch, home):
    for name, value in (home | {"ENRICHMENT_MAX_ATTEMPTS": "7", "JOTSAM_SIMILAR_LIMIT": "3"}).items():
        monkeypatch.setenv(name, value)
    assert (configured_settings().enrich_attempts, configured_settings().similar_limit) == (3, 5)
    assert os.environ["ENRICHMENT_MAX_ATTEMPTS"] == "7"
