"""Several tabs of one browser, its back button, and a tab that is open when its sign-in ends."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, expect

from browser import visiting
from web_site import Site


def test_what_one_tab_has_done_is_not_done_again_by_another_or_after_going_back(browser: Browser, site: Site) -> None:
    site.jot.admin.pause("enrich")
    jobs = [site.jot.remember(f"Release {number} went out.").job_id for number in (1, 2)]
    with visiting(browser, site, strict=False) as one:
        other = one.context.new_page()
        for page in (one, other):
            page.goto(f"/ui/jobs/discard?id={jobs[0]}")
        one.get_by_role("button", name="Discard").click()
        expect(one.get_by_role("status")).to_contain_text("Discarded 1 job.")
        other.get_by_role("button", name="Discard").click()
        expect(other.locator("main")).to_contain_text("Discarded 0 jobs.")
        one.go_back()
        expect(one.get_by_role("button", name="Discard")).to_have_count(0)
    assert site.get(f"/ui/jobs/{jobs[0]}").status == 404, "it was never delivered, so it leaves no history"
    assert "Its queue is paused" in site.get(f"/ui/jobs/{jobs[1]}").text


def test_a_form_that_was_open_when_another_tab_signed_out_changes_nothing(browser: Browser, site: Site) -> None:
    memory = site.jot.remember("Deploy on Tuesdays.").id
    with visiting(browser, site.sign_in(), strict=False) as one:
        other = one.context.new_page()
        other.goto(f"/ui/memories/{memory}/edit")
        one.goto("/ui/operate")
        one.get_by_role("button", name="Sign out").click()
        expect(one.locator("h1")).to_have_text("Sign in")
        other.get_by_label("Text").fill("Deploy on Fridays.")
        other.get_by_role("button", name="Save").click()
        expect(other.locator("main")).to_contain_text("nothing was changed")
        one.go_back()
        expect(one.locator("h1")).to_have_text("Sign in")
    assert site.jot.get(memory).text == "Deploy on Tuesdays."


def test_an_open_page_leads_to_the_sign_in_when_its_sign_in_has_ended(browser: Browser, site: Site) -> None:
    visitor = site.sign_in()
    with visiting(browser, visitor, strict=False) as page:
        page.goto("/ui/?from=mail")
        expect(page.locator("#live")).to_have_text("live")
        secret = next(iter(visitor.cookies.values()))
        with site.jot.database.transaction(tenant="default") as tx:
            ended = {"now": tx.now, "id": secret.split("_")[1]}
            tx.execute("update api_token set expires_at = :now where id = :id", ended)
        site.jot.remember("Clara reviews migrations.")
        expect(page).to_have_url(re.compile(r"/ui/sign-in\?next="))
        page.get_by_label("Token").fill(site.server.token)
        page.get_by_role("button", name="Sign in").click()
        expect(page).to_have_url(re.compile(r"/ui/\?from=mail"))
