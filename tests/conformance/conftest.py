"""What every database must do: each test here runs on SQLite in the check, and on PostgreSQL as `split` decides."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from http_jotsam import HttpJotsam, ThreadedServer
from jotsam import Jotsam
from jotsam.storage import partitions
from prepared import MADE_BY_THE_PROGRAM
from split import on_server

# What it refuses is refused before any SQL runs, so its many cases run on one database.
ON_ONE_DATABASE = {"test_a_worker_refuses_everything_else_whatever_wrote_the_row"}

# Modules of which every test also runs on partitioned tables, with `-m long`; the variable
# `JOTSAM_TEST_PARTITIONS` does it for all.
PARTITIONED = {"test_upsert", "test_update", "test_forget", "test_trash", "test_retention", "test_changes"}

# Modules of which every test also runs on a `Client` in front of a file, except those in `NOT_OVER_HTTP`: these in each
# check, and more with `-m long`.
OVER_HTTP = {
    *("test_batches", "test_update", "test_forget", "test_upsert", "test_lifecycle_methods", "test_job_details"),
    *("test_selection", "test_actor_filter", "test_store", "test_store_search", "test_store_vectors"),
    "test_recall_pages",
}
LONG_OVER_HTTP = {
    *("test_graph", "test_scoped", "test_recall_scope", "test_operator", "test_trash", "test_added_turns"),
    *("test_memory", "test_graph_view", "test_fact_validity", "test_order", "test_recall", "test_recall_facts"),
    *("test_recall_time", "test_recall_titles", "test_recall_words", "test_brief", "test_reprocess", "test_bad_input"),
    *("test_python_api", "test_export", "test_redacted_fields", "test_discarded"),
}
# Why a test cannot run there.
NOT_OVER_HTTP = {
    "a transaction of the caller cannot be passed on over HTTP": {
        "test_a_refused_memory_leaves_the_transaction_as_it_was",
        "test_a_transaction_that_cannot_be_joined_is_refused",
        "test_a_queue_of_the_caller_shares_the_transaction",
        "test_a_memory_is_committed_with_the_rows_of_its_caller_or_not_at_all",
        "test_with_a_transaction_it_is_stored_with_the_rest_or_not_at_all",
        "test_with_a_transaction_it_is_committed_with_what_else_is_written",
        "test_vectors_are_committed_with_the_transaction",
    },
    "pausing, commands, all tenants and forgetting a tenant are not offered over HTTP": {
        "test_memories_whose_work_was_discarded_are_shown_and_taken_up_again",
        "test_the_model_is_not_asked_about_a_memory_whose_job_was_discarded",
        "test_a_memory_without_a_job_does_not_wait_behind_those_that_wait_for_their_first_one",
        "test_queued_commands_and_spooled_turns_with_the_text_go",
        "test_two_megabytes_are_accepted_found_at_once_and_found_again_when_they_are_cut",
        "test_a_command_has_its_arguments_and_its_result",
        "test_forgetting_a_tenant_removes_its_graph",
        "test_forgetting_a_tenant_leaves_nothing_of_it",
        "test_a_paused_queue_is_told_with_its_reason_and_its_next_probe",
        "test_a_tenant_sees_its_own_jobs_unless_all_are_asked_for",
        "test_what_nobody_takes_is_stuck_unless_its_queue_is_paused",
        "test_a_script_does_everything_with_one_object",
        "test_a_reason_is_stored_without_secrets",
    },
    "sessions are imported where the database is reachable": {
        "test_what_was_forgotten_for_good_does_not_come_back",
    },
    "the kept answer of an Idempotency-Key has the id of a memory, and no text, for a day": {
        "test_a_memory_goes_with_everything_that_was_made_of_it",
    },
    "the server checks types before the library, with messages of its own": {
        "test_an_invalid_supersession_of_a_fact_is_reported",
        "test_an_extracted_link_cannot_be_removed_by_a_caller",
        "test_metadata_that_cannot_be_compared_is_refused",
        "test_an_invalid_argument_is_named",
        "test_an_invalid_expansion_limit_is_refused_by_name",
        "test_an_invalid_page_is_refused",
        "test_an_invalid_update_is_refused_and_changes_nothing",
    },
    "the test needs an object of the class `Jotsam`": {
        "test_a_scope_has_its_own_project_and_actor_and_leaves_its_parent_open",
        "test_a_fact_is_not_found_by_another_tenant",
        "test_equal_dates_and_other_projects_tenants_or_predicates_invalidate_nothing",
        "test_invalid_and_superseded_memories_are_not_found_by_time",
        "test_a_title_is_forgotten_with_its_memory_and_hidden_from_other_tenants",
    },
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each test that needs a database runs on each kind of it."""
    if "kind" not in metafunc.fixturenames:
        return
    module, name = metafunc.module.__name__, metafunc.function.__name__
    kinds: list[Any] = ["sqlite"] if name in ON_ONE_DATABASE else ["sqlite", on_server(metafunc.definition)]
    kinds += [pytest.param("partitioned", marks=pytest.mark.long)] if module in PARTITIONED else []
    if "jot" in metafunc.fixturenames and not any(name in names for names in NOT_OVER_HTTP.values()):
        kinds += ["http"] if module in OVER_HTTP else []
        kinds += [pytest.param("http", marks=pytest.mark.long)] if module in LONG_OVER_HTTP else []
    metafunc.parametrize("kind", kinds, indirect=True)


@pytest.fixture
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "partitioned":
        monkeypatch.setattr(partitions, "DEFAULT", 4)
    return {"http": "sqlite", "partitioned": "postgres"}.get(request.param, str(request.param))


@pytest.fixture(scope="session")
def threaded_server() -> Iterator[ThreadedServer]:
    threaded = ThreadedServer()
    yield threaded
    threaded.stop()


@pytest.fixture
def open_jot(open_jot: Callable[..., Jotsam], request: pytest.FixtureRequest) -> Iterator[Callable[..., Jotsam]]:
    """Opens the database of the test; over HTTP, a client of it that looks the same."""
    if request.node.callspec.params.get("kind") != "http":
        yield open_jot
        return
    opened: list[HttpJotsam] = []

    def open_client(**settings: object) -> Jotsam:
        opened.append(HttpJotsam(request.getfixturevalue("threaded_server"), open_jot(**settings)))
        return opened[-1]  # type: ignore[return-value]

    yield open_client
    for client in opened:
        client.close()


@pytest.fixture
def new_url(new_url: Callable[[], str], kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """The address of a new database each time it is called, in which every migration is applied."""
    if kind == "postgres" or request.module.__name__ in MADE_BY_THE_PROGRAM:
        return new_url
    files, numbers = request.getfixturevalue("files"), itertools.count()
    return lambda: files.new(tmp_path / f"jotsam{next(numbers) or ''}.db")
