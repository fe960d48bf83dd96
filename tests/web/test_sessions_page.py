"""The pages of sessions: the list, one as a conversation, and what can be done beside a turn."""

from __future__ import annotations

import pytest

from jotsam import Jotsam
from jotsam.storage.memories import given_texts
from web_site import Site

HOSTILE = "a/b?c#d <b>\"'{{ 7*7 }}"
STEPS = (
    "I read the log.",
    "I look at the code.",
    "I run the tests.",
    "# Done\n\n- **one**\n\nOpen: the siren needs a cable.",
)


@pytest.fixture(scope="module", autouse=True)
def memory(site: Site) -> None:
    assert "No sessions yet" in site.get("/ui/sessions").text
    say(site.jot, "s-1", ("user", "never open the valves of the tank by hand"), *(("assistant", one) for one in STEPS))
    say(site.jot, HOSTILE, ("user", f"see {HOSTILE} [x](javascript:alert(1))"), project="shed")
    say(site.jot, "long", ("user", "word " * 5_000), project="shed")
    site.jot.work()
    with site.jot.database.transaction(tenant=site.jot.settings.tenant) as tx:
        given_texts.add(tx, "s-1", kind="start", text=f"Rules: {HOSTILE}", ids=[])


def say(jot: Jotsam, session: str, *turns: tuple[str, str], project: str = "farm") -> None:
    for position, (actor, text) in enumerate(turns):
        options = {"session": session, "position": position, "project": project, "source": "codex"}
        jot.add_turn(text, actor=actor, said_at=1_790_000_000_000 + position * 1_000, **options)


def test_sessions_are_listed_and_lead_to_their_conversations(site: Site) -> None:
    page = site.get("/ui/sessions")
    assert "never open the valves" in page.text
    assert "5 turns" in page.text
    assert "learned" in page.text
    for link in [link for link in page.links if link.startswith("/ui/sessions/")]:
        assert site.get(link).status == 200, link
    assert "never open the valves" not in site.get("/ui/sessions?project=shed").text
    assert "No session of this project" in site.get("/ui/sessions?project=nowhere").text


def test_a_session_is_a_conversation_with_what_was_noted_and_given(site: Site) -> None:
    page = site.get("/ui/sessions/s-1")
    assert page.html.index("never open the valves of the tank") < page.html.index("<strong>one</strong>")
    assert "3 steps before the answer" in page.text
    assert "<h3>Done</h3>" in page.html
    assert "What it was given" in page.text
    assert "Rules: a/b?c#d &lt;b&gt;" in page.html
    assert "What the next session gets" in page.text
    assert "javascript:" not in "".join(site.get("/ui/sessions/a/b%3Fc%23d%20%3Cb%3E").links)
    assert "more characters" in site.get("/ui/sessions/long").text
    assert site.get("/ui/sessions/nothing").status == 404


def test_a_note_is_struck_beside_its_turn_and_that_is_undone(site: Site) -> None:
    (note,) = site.jot.session("s-1").turns[0].notes
    back = "/ui/sessions/s-1"
    done = site.post(f"/ui/next/notes/{note.id}/verdict", verdict="wrong", back=back, before="")
    assert "Struck as wrong" in done.text
    assert "What it was given" in done.text, "it is the page of the session again"
    assert site.jot.session("s-1").turns[0].notes[0].verdict == "wrong"
    undo = done.form(f"/ui/next/notes/{note.id}/verdict")
    assert undo["back"] == back
    site.post(f"/ui/next/notes/{note.id}/verdict", verdict="", back="https://elsewhere/", before="wrong")
    assert site.jot.session("s-1").turns[0].notes[0].verdict is None


def test_who_may_only_read_sees_no_buttons(site: Site) -> None:
    page = site.sign_in("read").get("/ui/sessions/s-1")
    assert "Wrong" not in page.text
    assert "Forget" not in page.text.partition("never open")[2]


def test_the_next_session_shows_its_size(site: Site) -> None:
    page = site.get("/ui/next?project=farm")
    assert "of 300 tokens" in page.text
    assert 'max="300"' in page.html
    assert "As it is sent" in page.text
