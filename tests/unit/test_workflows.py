"""What is proposed out of sessions, and where it was seen."""

from __future__ import annotations

import pytest

from jotsam.pipeline.lifecycle.session_commands import commands_in, instructions_in
from jotsam.pipeline.lifecycle.workflows import SessionText, covered, find_workflows

RELEASE = "```bash\nruff format .\nruff check .\npytest -q tests/unit -n 2\ngit push origin main\n```"


def texts(*sessions: tuple[str, ...], by_user: bool = False) -> list[SessionText]:
    return [
        SessionText(session=f"s{number}", memory=f"m{number}-{place}", at=number * 1_000, text=text, by_user=by_user)
        for number, session in enumerate(sessions)
        for place, text in enumerate(session)
    ]


def proposals(given: list[SessionText]) -> list[tuple[str, tuple[str, ...], int]]:
    return [(one.kind, one.lines, len(one.sessions)) for one in find_workflows(given, min_sessions=3)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Run `git push origin main` now.", ["git push origin main"]),
        ("```console\n$ frobnicate --all\nall done\n```", ["frobnicate --all"]),
        ("```sh\n# first\nDEBUG=1 make check \\\n  -j 4\n```", ["DEBUG=1 make check -j 4"]),
        ("```python\nmake = 4\n```\nand `make` or `config.py` or `git`", ["make"]),
        ('`git commit -m "Fix it"`', ['git commit -m "Fix it"']),
        ("Then ./deploy.sh runs: `./deploy.sh`", ["./deploy.sh"]),
    ],
)
def test_commands_are_found_in_code(text, expected) -> None:
    assert [one.text for one in commands_in(text)] == expected


def test_instructions_are_sentences_that_tell_how_it_is_done() -> None:
    text = (
        "Hi there. Always run the linter before committing! Why should we never push?\n- Please use tabs in Makefiles."
    )
    assert [*instructions_in(text)] == ["Always run the linter before committing!", "Please use tabs in Makefiles."]


def test_a_sequence_of_three_sessions_is_a_script_and_its_parts_are_no_proposals() -> None:
    steps = ("ruff format .", "ruff check .", "pytest -q tests/unit -n 2", "git push origin main")
    assert proposals(texts((RELEASE,), ("`git status`", RELEASE), (*(f"`{one}`" for one in steps),))) == [
        ("script", steps, 3)
    ]
    assert proposals(texts((RELEASE,), (RELEASE, RELEASE))) == []


def test_what_differs_between_sessions_is_left_open() -> None:
    said = [(f'`git commit -m "{text}"` and `git push origin v1.{text}`',) for text in ("1", "22", "333")]
    (found,) = find_workflows(texts(*said), min_sessions=3)
    assert found.lines == ("git commit -m '…'", "git push origin N")
    assert found.quotes[0].text == 'git commit -m "1"; git push origin v1.1'


def test_a_single_command_is_proposed_if_it_is_long_or_far_more_frequent_than_the_sequence() -> None:
    assert proposals(texts(*[("`make check`",)] * 3)) == []
    assert proposals(texts(*[("`uv run pytest -q`",)] * 3)) == [("command", ("uv run pytest -q",), 3)]


def test_instructions_of_a_person_are_conventions_and_those_of_an_agent_are_not() -> None:
    said = [
        ("Always write tests for the parser.",),
        ("always write the tests for parser!",),
        ("Always write parser tests.",),
    ]
    assert proposals(texts(*said)) == []
    (found,) = find_workflows(texts(*said, by_user=True), min_sessions=3)
    assert (found.kind, found.lines) == ("convention", ("Always write parser tests.",))
    assert [(one.session, one.memory) for one in found.quotes] == [("s0", "m0-0"), ("s1", "m1-0"), ("s2", "m2-0")]
    assert (found.first_at, found.last_at) == (0, 2_000)


def test_commands_with_an_instruction_about_them_are_a_skill() -> None:
    told = "Always run ruff check . and pytest before git push origin main."
    given = texts(*[(RELEASE,)] * 3) + texts(*[(told,)] * 3, by_user=True)
    ((kind, lines, sessions),) = proposals(given)
    assert (kind, lines[-1], len(lines), sessions) == ("skill", told, 5, 3)


def test_a_proposal_names_the_file_that_says_it() -> None:
    (script,) = find_workflows(texts(*[("`uv run pytest -q`",)] * 3), min_sessions=3)
    files = {"README.md": "Run the tests.", "Makefile": "test:\n\tuv run pytest -q\n"}
    assert covered(script, files).covered_by == "Makefile"
    assert covered(script, {"README.md": files["README.md"]}).covered_by is None
    (rule,) = find_workflows(texts(*[("Always write tests for the parser.",)] * 3, by_user=True), min_sessions=3)
    assert covered(rule, {"CLAUDE.md": "# Rules\n- Write tests for each parser, always\n"}).covered_by == "CLAUDE.md"
