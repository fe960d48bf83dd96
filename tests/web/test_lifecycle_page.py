"""The pages of the lifecycle: look, run, read what was changed, take it back."""

from __future__ import annotations

import re

from web_site import Site


def test_a_step_is_looked_at_run_and_taken_back(site: Site) -> None:
    site.jot.remember("Herons stand in the lake.")
    site.jot.work()
    page = site.get("/ui/lifecycle")
    assert "No step has run yet" in page.text
    assert re.search(r"decay .* every day", page.text)
    planned = site.get("/ui/lifecycle/plan/decay").text
    assert "Nothing was changed" in planned
    assert "computed for 1 memory" in planned
    assert "Run decay now?" in site.get("/ui/lifecycle/run/decay").text
    started = site.act("/ui/lifecycle/run/decay")
    assert "A worker runs decay." in started.text
    assert "Nothing yet" in started.text
    site.jot.work()
    (run,) = site.jot.lifecycle.runs()
    address = f"/ui/lifecycle/runs/{run.id}"
    assert address in site.get("/ui/lifecycle").links
    shown = site.get(address)
    memory = site.jot.list().memories[0].id
    assert f"/ui/memories/{memory}" in shown.links
    assert "computed for 1 memory" in shown.text
    assert "Take back 1 change of decay?" in site.get(f"{address}/undo").text
    undone = site.act(f"{address}/undo").text
    assert "Took back 1 of 1 changes of decay." in undone
    assert "taken back" in undone
    assert f"{address}/undo" not in site.get(address).links
    assert site.jot.lifecycle.runs()[0].state == "undone"


def test_who_may_only_read_can_look_and_not_run(site: Site) -> None:
    site.jot.lifecycle.run("decay")
    site.jot.work()
    reader, run = site.sign_in("read"), site.jot.lifecycle.runs()[0]
    for path in ("/ui/lifecycle", "/ui/lifecycle/plan/decay", f"/ui/lifecycle/runs/{run.id}"):
        page = reader.get(path)
        assert page.status == 200
        assert [one for one in page.links if "/run/" in one or one.endswith("/undo")] == []
    assert reader.get("/ui/lifecycle/run/decay").status == 403
    assert site.get("/ui/lifecycle/plan/sleep").status == 400
    assert site.get("/ui/lifecycle/runs/4f2a").status == 404


def test_the_changes_of_a_run_have_pages(site: Site) -> None:
    site.jot.remember("Egrets stand in the lake.")
    site.jot.lifecycle.run("decay")
    site.jot.work()
    address = f"/ui/lifecycle/runs/{site.jot.lifecycle.runs()[0].id}"
    later = site.get(f"{address}?after=1")
    assert "computed for" in site.get(address).text
    assert "computed for" not in later.text
    assert address in later.links


def test_themes_are_listed_with_their_members(site: Site) -> None:
    assert "Themes" not in site.get("/ui/lifecycle").text
    for word in ("alpha", "beta", "gamma", "delta", "epsilon", "zeta"):
        site.jot.remember(f"The nightly export of the billing service to the archive bucket failed in region {word}.")
    site.jot.work()
    site.jot.lifecycle.run("cluster")
    site.jot.work()
    (theme,) = site.jot.lifecycle.themes()
    page = site.get("/ui/lifecycle")
    assert theme.name in page.text
    assert {f"/ui/memories/{id}" for id in theme.members[:3]} <= set(page.links)


def test_a_change_of_many_memories_names_some_and_counts_the_others(site: Site) -> None:
    site.jot.remember_many([f"Heron {number} stands in the lake." for number in range(8)])
    site.jot.work()
    (change,) = site.jot.lifecycle.plan("decay").changes
    assert f"and {change.number - 3} more" in site.get("/ui/lifecycle/plan/decay").text
