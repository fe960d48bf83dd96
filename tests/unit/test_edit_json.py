"""Editing JSON and TOML by position: what is added and removed again leaves the text as it was."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotsam.agents.agent_files import HOOK, SERVER, Entry
from jotsam.core.errors import InvalidInput
from jotsam.surfaces.agent_files.edit_json import JsonDocument
from jotsam.surfaces.agent_files.edit_toml import TomlDocument
from jotsam.surfaces.agent_files.entries import add, remove

HOOKS = {"hooks": [{"type": "command", "command": "/home/ana/bin/jotsam hook --harness claude", "timeout": 10}]}
SERVER_ENTRY = Entry(kind=SERVER, place=("mcpServers", "jotsam"), value={"command": "/bin/jotsam", "args": ["mcp"]})
ENTRIES = (
    *(Entry(kind=HOOK, place=("hooks", event), value=HOOKS) for event in ("Stop", "SessionStart")),
    SERVER_ENTRY,
)

scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.floats(allow_nan=False, width=16)
others = st.fixed_dictionaries({"command": st.just("say done")}, optional={"x": scalars})
groups = st.lists(st.fixed_dictionaries({"hooks": st.lists(others, min_size=1, max_size=2)}), min_size=1, max_size=2)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner))
files = st.fixed_dictionaries(
    {},
    optional={
        "hooks": st.dictionaries(st.sampled_from(["Stop", "SessionStart", "Other"]), groups, min_size=1),
        "mcpServers": st.dictionaries(st.sampled_from(["a", "b"]), others, min_size=1),
        "model": values,
        "env": values,
    },
)
spaces = st.sampled_from(["", " ", "\n", "\r\n", "\n\t", "\n\n  ", " // it's {\n", "/* , ] */", "\n  // }\n  "])


@st.composite
def written(draw: st.DrawFn, value: object) -> str:
    """A value as JSON with any spaces, comments and trailing commas."""

    def container(opening: str, items: list[str], closing: str) -> str:
        if not items:
            return opening + closing
        comma = draw(st.sampled_from(["", ","]))
        separated = ",".join(draw(spaces) + item + draw(spaces) for item in items)
        return f"{opening}{separated}{comma}{draw(spaces)}{closing}"

    def text(one: object) -> str:
        if isinstance(one, dict):
            pairs = [f"{json.dumps(key)}{draw(spaces)}:{draw(spaces)}{text(each)}" for key, each in one.items()]
            return container("{", pairs, "}")
        if isinstance(one, list):
            return container("[", [text(each) for each in one], "]")
        return json.dumps(one, ensure_ascii=draw(st.booleans()))

    return draw(spaces) + text(value) + draw(spaces)


@given(files.flatmap(lambda value: st.tuples(st.just(value), written(value))))
def test_what_is_added_and_removed_again_leaves_the_text_as_it_was(case: tuple[dict[str, object], str]) -> None:
    value, text = case
    document = JsonDocument(text, comments=True, trailing_commas=True)
    assert document.value == value
    add(document, ENTRIES)
    once, changed = document.text, document.value
    assert changed["mcpServers"]["jotsam"] == SERVER_ENTRY.value
    assert all(HOOKS in changed["hooks"][event] for event in ("Stop", "SessionStart"))
    add(document, ENTRIES)
    assert document.text == once
    if "//" not in text and "/*" not in text and not re.search(r",\s*[}\]]", text):
        assert json.loads(once) == changed

    remove(document, ENTRIES)
    assert document.value == value
    assert document.text == text


BROKEN = st.sampled_from(["", "\x00", "]", "}", '"', ",", "nan", "//"])


@given(files.flatmap(lambda value: st.tuples(written(value), BROKEN)))
def test_what_json_refuses_is_refused(case: tuple[str, str]) -> None:
    text = "".join(case)
    try:
        expected = json.loads(text)
    except ValueError:
        expected = None
    try:
        assert JsonDocument(text).value == expected
    except InvalidInput:
        assert expected is None


def test_an_entry_of_ours_that_was_changed_or_written_by_hand_is_replaced_in_its_place() -> None:
    old = {"hooks": [{"type": "command", "command": "/old/venv/bin/jotsam hook Stop", "timeout": 99}]}
    mine = {"type": "command", "command": "echo jotsam"}
    mixed = {"hooks": [mine, {"type": "command", "command": "jotsam hook UserPromptSubmit"}]}
    before = {"Stop": [old, {"hooks": [mine]}], "Gone": [old], "UserPromptSubmit": [mixed]}
    document = JsonDocument(json.dumps({"hooks": before}, indent=1))
    add(document, ENTRIES)
    assert document.value["hooks"] == {
        "Stop": [HOOKS, {"hooks": [mine]}],
        "UserPromptSubmit": [{"hooks": [mine]}],
        "SessionStart": [HOOKS],
    }


def test_a_server_of_our_name_that_runs_something_else_is_refused() -> None:
    document = JsonDocument('{"mcpServers": {"jotsam": {"command": "node", "args": ["other.js"]}}}')
    with pytest.raises(InvalidInput, match=r"mcpServers\.jotsam exists and does not run jotsam"):
        add(document, ENTRIES)


TOML_SERVER = (SERVER_ENTRY.replace(place=("mcp_servers", "jotsam")),)
TOML = {
    "nothing": "",
    "values": 'model = "stub"  # mine\n\n[features]\nx = true\n',
    "no line end": "[features]\nx = true",
    "another server": '[mcp_servers.other]\ncommand = "x"\n\n[mcp_servers.other.env]\nA = "b"\n',
    "tables behind": '[mcp_servers.other]\ncommand = "x"\n\n# mine\n[zoo]\na = [\n  1, # one\n]\n',
    "Windows": 'model = "stub"\r\n\r\n[features]\r\nx = true\r\n',
    "an inline table": 'mcp_servers = {other = {command = "x"}}\n',
    "dotted keys": 'mcp_servers.other.command = "x"\n',
    "a multi-line text": 'a = """\n[mcp_servers.jotsam]\n"""\n[[list]]\nb = 1\n',
}


@pytest.mark.parametrize("what", TOML)
def test_a_toml_file_keeps_its_comments_and_order(what: str) -> None:
    text = TOML[what]
    document = TomlDocument(text)
    before = document.value
    add(document, TOML_SERVER)
    added = document.text
    assert document.value["mcp_servers"]["jotsam"] == SERVER_ENTRY.value
    assert added.startswith(text) or what == "an inline table"
    assert added.count("\r\n") == (added.count("\n") if what == "Windows" else 0)
    add(document, TOML_SERVER)
    assert document.text == added
    for behind in ("", '\n[hooks.state."a:b"]\nx = "1"\n', "# end\n", "[z]\n"):
        document = TomlDocument(added + behind)
        remove(document, TOML_SERVER)
        assert document.value == before | TomlDocument(behind).value
        assert document.text == (text + "\n" if what == "no line end" else text) + behind


def test_a_changed_server_of_ours_is_replaced_in_its_place() -> None:
    document = TomlDocument('[mcp_servers.jotsam]\ncommand = "/old/jotsam" # old\nenv = {A = "1"}\n\n[z]\na = 1\n')
    add(document, TOML_SERVER)
    assert document.value == {"mcp_servers": {"jotsam": SERVER_ENTRY.value}, "z": {"a": 1}}
    assert document.text.index("jotsam") < document.text.index("[z]")


def test_toml_that_is_not_valid_is_refused_with_its_line() -> None:
    for text in ("a = ", "[a]\n[a]\n", "a = 1\na = 2\n", "\x00"):
        with pytest.raises(InvalidInput, match="line"):
            TomlDocument(text)
