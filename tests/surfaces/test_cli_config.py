"""`jotsam config set` and `unset`: the files that they change, and what is in effect then."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

USER_FILE = "config/jotsam/config.toml"


def test_a_setting_is_written_to_the_users_file_and_removed_again(jotsam: Shell) -> None:
    path = jotsam.file(USER_FILE, "# ours\nsoft_cap = 7  # few\nworker_idle_ms = 5\n")
    done = jotsam("config", "set", "soft_cap", "8")
    assert (done.returncode, done.stderr) == (0, "")
    assert path.read_text() == "# ours\nsoft_cap = 8  # few\nworker_idle_ms = 5\n"
    assert jotsam("config", "set", "similar_threshold", "0.5").returncode == 0
    assert jotsam.json("config")["settings"]["similar_threshold"] == 0.5
    assert jotsam("config", "unset", "soft_cap").stdout.endswith("in effect soft_cap = 100  # default\n")
    assert "soft_cap" not in path.read_text()


def test_an_invalid_value_or_file_changes_nothing(jotsam: Shell) -> None:
    path = jotsam.file(USER_FILE, "soft_cap = 7\n")
    for line in (["soft_cap", "many"], ["worker", "maybe"], ["tenant", " "]):
        assert jotsam("config", "set", *line).returncode == 1
    assert path.read_text() == "soft_cap = 7\n"
    path.write_text("soft_cap = = 7\n")
    done = jotsam("config", "set", "soft_cap", "8")
    assert (done.returncode, path.read_text()) == (1, "soft_cap = = 7\n")
    assert f"{path} cannot be changed" in done.stderr


def test_a_wrong_value_in_the_file_can_be_mended(jotsam: Shell) -> None:
    jotsam.file(USER_FILE, 'soft_cap = "many"\nnonsense = 1\n')
    assert jotsam("status").returncode == 1
    assert jotsam("config", "set", "soft_cap", "8").returncode == 0
    assert "unknown setting 'nonsense'" in jotsam("status").stderr


def test_a_source_of_higher_precedence_is_named(jotsam: Shell) -> None:
    done = jotsam("config", "set", "soft_cap", "8", JOTSAM_SOFT_CAP="9")
    assert "in effect soft_cap = 9  # environment JOTSAM_SOFT_CAP" in done.stdout
    assert "warning: environment JOTSAM_SOFT_CAP has precedence over" in done.stderr


def test_a_project_file_takes_the_few_settings_that_a_clone_may_bring(jotsam: Shell) -> None:
    assert jotsam("config", "set", "capture", "off", "--project").returncode == 0
    assert (jotsam.home / ".jotsam.toml").read_text() == 'capture = "off"\n'
    assert "only project, recall_tokens" in jotsam("config", "set", "db", "x", "--project").stderr
    assert jotsam("config", "unset", "capture", "--project").returncode == 0


def test_a_secret_is_not_printed_and_only_its_owner_reads_the_file(jotsam: Shell) -> None:
    path = jotsam.file(USER_FILE, "soft_cap = 7\n")
    path.chmod(0o644)
    done = jotsam("config", "set", "llm_api_key", "-", input="hunter2\n")
    assert (done.returncode, "hunter2" in done.stdout + done.stderr) == (0, False)
    assert "in effect llm_api_key = (set)" in done.stdout
    assert (stat.S_IMODE(path.stat().st_mode), 'llm_api_key = "hunter2"' in path.read_text()) == (0o600, True)


def test_config_says_what_each_setting_means(jotsam: Shell) -> None:
    lines = jotsam("config").stdout.splitlines()
    about = lines[lines.index("soft_cap = 100") - 1]
    assert about.startswith("# Jobs that may wait")
