"""Projects: what a name means, and joining two, which is taken back row by row."""

from __future__ import annotations

import io

import pytest

from jotsam import InvalidInput, Jotsam, NotFound, ProjectChange
from jotsam.storage.lifecycle import themes

ACME, OTHER = "github.com/acme/api", "github.com/other/api"


def rows(jot: Jotsam) -> list[tuple[str, ...]]:
    """The project of each row that has one."""
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        found = []
        for table, name in (("memory", "uuid"), ("document", "uuid"), ("memory_block", "name"), ("theme", "uuid")):
            found += tx.execute(f"select project, {name} as name, coalesce(joined_from, '') as own from {table}")
    return sorted(tuple(str(value) for value in row.values()) for row in found)


def texts(jot: Jotsam, project: str) -> set[str]:
    return {memory.text for memory in jot.list(project=project).memories}


@pytest.fixture
def filled(jot: Jotsam) -> Jotsam:
    for project, text in ((ACME, "Acme uses tabs."), (OTHER, "Other uses spaces.")):
        jot.remember(text, project=project, type="Decision")
        jot.add(f"# Notes\n\n{text} And more of it.", source="notes.md", project=project)
        jot.blocks.set("rules", f"Rules: {text}", project=project)
    jot.work()
    with jot.database.transaction(tenant="default") as tx:
        tx.execute(
            "insert into theme (uuid, tenant, project, name, terms, created_at)"
            f" values ('t', 'default', '{ACME}', 'tabs', 'tabs', 1)"
        )
    return jot


@pytest.mark.needs_server
def test_a_name_is_a_key_else_a_label_that_no_other_has_else_a_new_project(jot):
    jot.remember("Acme uses tabs.", project=ACME)
    assert jot.recall("tabs", project="api").hits
    assert jot.list(project="api").memories
    assert jot.brief(project="api").project == ACME
    jot.remember("Stored by the label.", project="api")
    assert texts(jot, ACME) == {"Acme uses tabs.", "Stored by the label."}
    jot.remember("Other uses spaces.", project=OTHER)
    said = f"project 'api' is the label of several: give one of the keys {ACME}, {OTHER}"
    for call in (
        lambda: jot.recall("tabs", project="api"),
        lambda: jot.list(project="api"),
        lambda: jot.brief(project="api"),
        lambda: jot.remember("Text.", project="api"),
        lambda: jot.add("Text.", project="api"),
        lambda: jot.add_turn("Text.", session="s", project="api"),
        lambda: jot.plan_forget(project="api"),
        lambda: jot.plan_reprocess(project="api"),
        lambda: jot.export(io.BytesIO(), project="api"),
        lambda: jot.distil(project="api"),
        lambda: jot.blocks.get("x", project="api"),
        lambda: jot.blocks.set("x", "y", project="api"),
        lambda: jot.blocks.list(project="api"),
        lambda: jot.knowledge.facts(project="api"),
        lambda: jot.crystals.list(project="api"),
        lambda: jot.lifecycle.themes(project="api"),
        lambda: jot.scoped(project="api").recall("tabs"),
        lambda: jot.merge_projects("api", into=OTHER),
    ):
        with pytest.raises(InvalidInput, match="is the label of several"):
            call()
    assert jot.status().memories == 3
    with pytest.raises(InvalidInput) as error:
        jot.list(project="api")
    assert str(error.value) == said
    jot.remember("No other has this name.", project="new")
    assert texts(jot, "new") == {"No other has this name."}


@pytest.mark.needs_server
def test_a_project_is_found_by_its_new_label_and_no_longer_by_the_old_one(jot):
    jot.remember("Acme uses tabs.", project=ACME)
    jot.rename_project(ACME, "billing", dry_run=True)
    assert jot.recall("tabs", project="api").hits
    jot.rename_project(ACME, "billing")
    assert [(one.key, one.label) for one in jot.projects()] == [(ACME, "billing")]
    assert jot.recall("tabs", project="billing").hits
    assert not jot.recall("tabs", project="api").hits


def test_a_key_is_never_taken_for_the_label_of_another(jot):
    jot.remember("Evil text.", project="github.com/evil/x")
    for label in ("github.com/victim/api", "a/b", "a\nb", "", "x" * 81):
        with pytest.raises(InvalidInput):
            jot.rename_project("github.com/evil/x", label)
    assert texts(jot, "github.com/victim/api") == set()
    part = "github.com/evil/x#github.com/victim/api"  # A program may give a key whose label looks as another key.
    jot.remember("More evil text.", project=part)
    assert texts(jot, "github.com/victim/api") == set()
    jot.remember("Text of the victim.", project="github.com/victim/api")
    assert texts(jot, "github.com/victim/api") == {"Text of the victim."}
    assert texts(jot, part) == {"More evil text."}


def test_joining_moves_everything_and_splitting_restores_it_exactly(filled):
    before = rows(filled)
    planned = filled.merge_projects(ACME, into=OTHER, dry_run=True)
    assert planned == ProjectChange(
        key=ACME, label="api", into=OTHER, memories=2, documents=1, blocks=1, themes=1, dry_run=True
    )
    assert rows(filled) == before
    done = filled.merge_projects(ACME, into=OTHER)
    assert done == planned.replace(dry_run=False, renamed_blocks=("rules 2",))
    assert {project for project, *_ in rows(filled)} == {OTHER}
    assert len(rows(filled)) == len(before)
    for name in (ACME, OTHER):
        assert {"Acme uses tabs.", "Other uses spaces."} <= texts(filled, name)
        assert {block.text for block in filled.blocks.list(project=name)} == {
            "Rules: Acme uses tabs.",
            "Rules: Other uses spaces.",
        }
    assert [(one.key, one.joined) for one in filled.projects()] == [(OTHER, (ACME,))]
    assert filled.split_project(ACME, dry_run=True).memories == 2
    back = filled.split_project(ACME)
    assert (back.memories, back.documents, back.blocks, back.themes) == (2, 1, 1, 1)
    assert rows(filled) == before
    with pytest.raises(NotFound):
        filled.split_project(ACME)


def test_what_is_stored_under_a_joined_name_later_returns_too(filled):
    filled.merge_projects(ACME, into=OTHER)
    filled.remember("Said later.", project=ACME)
    filled.add("A later document of acme.", project=ACME)
    filled.work()
    assert "Said later." in texts(filled, OTHER)
    filled.split_project(ACME)
    assert {"Said later.", "A later document of acme."} <= texts(filled, ACME)
    assert "Said later." not in texts(filled, OTHER)


@pytest.mark.needs_server
def test_chains_are_split_from_the_end_and_from_the_middle(jot):
    for name in ("a", "b", "c"):
        jot.remember(f"Text of {name}.", project=name)
    jot.merge_projects("a", into="b")
    jot.merge_projects("b", into="c")
    assert texts(jot, "a") == {"Text of a.", "Text of b.", "Text of c."}
    jot.split_project("b")
    assert (texts(jot, "b"), texts(jot, "c")) == ({"Text of a.", "Text of b."}, {"Text of c."})
    jot.merge_projects("b", into="c")
    jot.split_project("a")
    assert (texts(jot, "a"), texts(jot, "c")) == ({"Text of a."}, {"Text of b.", "Text of c."})
    with pytest.raises(InvalidInput, match="are one"):
        jot.merge_projects("c", into="b")


def test_the_trash_knows_where_a_row_belongs(filled):
    filled.merge_projects(ACME, into=OTHER)
    (memory,) = [one for one in filled.list(project=OTHER).memories if one.text == "Acme uses tabs."]
    batch = filled.forget(filled.plan_forget(ids=[memory.id]), trash=True).trash
    filled.split_project(ACME)
    filled.admin.restore_forgotten(batch)
    assert "Acme uses tabs." in texts(filled, ACME)


def test_an_export_of_joined_projects_can_be_split_where_it_is_imported(filled, open_jot, new_url, tmp_path):
    filled.merge_projects(ACME, into=OTHER)
    path = tmp_path / "all.jsonl"
    assert filled.export(path).counts["project"] == 2
    with open_jot(db=new_url()) as other:
        assert other.import_memories(path).added["project"] == 2
        assert "Acme uses tabs." in texts(other, ACME) & texts(other, OTHER)
        other.split_project(ACME)
        assert "Acme uses tabs." in texts(other, ACME) - texts(other, OTHER)


@pytest.mark.needs_server
def test_what_the_lifecycle_takes_back_later_goes_where_its_project_is_now(filled):
    with filled.database.transaction(tenant="default") as tx:
        before = themes.state(tx, "t")
        assert before is not None
        themes.delete(tx, before["id"])
    filled.merge_projects(ACME, into=OTHER)
    with filled.database.transaction(tenant="default") as tx:
        themes.restore(tx, before)
    assert (OTHER, "t", ACME) in rows(filled)
    filled.split_project(ACME)
    assert (ACME, "t", "") in rows(filled)


def test_another_tenant_has_other_projects(jot):
    jot.remember("Acme uses tabs.", project=ACME)
    eve = jot.scoped(tenant="eve")
    assert eve.projects() == ()
    for call in (lambda: eve.rename_project("api", "x"), lambda: eve.merge_projects(ACME, into="mine")):
        with pytest.raises(NotFound):
            call()
    eve.remember("Mine.", project="api")
    assert (texts(eve, "api"), texts(jot, "api")) == ({"Mine."}, {"Acme uses tabs."})


def test_forgetting_a_tenant_forgets_its_projects(jot):
    jot.remember("Acme uses tabs.", project=ACME)
    jot.admin.forget_tenant()
    with jot.database.snapshot(tenant="default") as tx:
        assert tx.execute("select * from project") == []


@pytest.mark.needs_server
def test_forgetting_all_of_a_project_forgets_its_key_and_label(filled):
    filled.forget(filled.plan_forget(project=ACME))
    filled.forget(filled.plan_forget(project=ACME))  # Its block goes with the first, its theme stays without members.
    with filled.database.snapshot(tenant="default") as tx:
        assert [row["key"] for row in tx.execute("select key from project")] == [OTHER]
