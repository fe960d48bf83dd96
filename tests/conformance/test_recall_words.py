"""What a question's words find, and what of it are no words to be found: on every database."""

from __future__ import annotations

import pytest


def texts(answer) -> list[str]:
    return [hit.text for hit in answer.hits]


HOME = "/x/home/projects/shop"


@pytest.mark.parametrize("project", [None, "shop"])
@pytest.mark.parametrize("is_cut", [False, True])
def test_the_folders_above_a_project_are_no_words_of_its_files(jot, project: str | None, is_cut: bool) -> None:
    for name in ("colours.md", "docs/prices.md"):
        jot.add(f"All of {name} is about paint.", source=f"{HOME}/{name}", project=project)
    if is_cut:
        jot.work()
    for question in ("what did I eat at home?", "projects", "shop", "~/x/home"):
        assert jot.recall(question).coverage.total == 0, question
    for source in ("~/projects/shop/notes.md", "C:\\Users\\ann\\notes.md", "file:///x/home/notes.md"):
        jot.add("A note about glue.", source=source)
    for question in ("projects", "users ann", "home"):
        assert jot.recall(question).coverage.total == 0, question


@pytest.mark.parametrize("question", ["retrieval/parse.py", "/x/home/projects/shop/retrieval/parse.py", "parse.py"])
@pytest.mark.parametrize("project", [None, "shop"])
def test_a_file_is_found_by_its_path_and_by_its_name(jot, question: str, project: str | None) -> None:
    jot.add("Nothing here says what it is called.", source=f"{HOME}/retrieval/parse.py", project=project)
    jot.add("Another one.", source=f"{HOME}/retrieval/legs.md", project=project)
    assert jot.recall(question).hits[0].source == f"{HOME}/retrieval/parse.py"


def test_folders_within_a_project_are_words(jot) -> None:
    jot.add("Nothing here says where it is.", source=f"{HOME}/kitchen/colours.md", project="shop")
    assert jot.recall("kitchen").coverage.total == 1
    jot.add("Nor here.", source="cellar/glue.md")
    assert jot.recall("cellar").coverage.total == 1
