"""The pages for operators: tokens, sign-ins, the audit, settings and agents."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from browser import violations
from jotsam.core.settings import SECRETS, Settings
from web_site import Site


def test_a_token_is_shown_once_works_and_is_revoked(site: Site) -> None:
    made = site.post("/ui/tokens/create", name="laptop <b>", scope="read", days="30")
    (secret,) = set(re.findall(r"jot_[0-9a-f]+_[\w-]+", made.html))
    assert f"curl -H 'Authorization: Bearer {secret}' {site.server.url}/v1/status" in made.text
    assert site.server.request("GET", "/v1/status", token=secret).status == 200
    (token,) = [one for one in site.jot.admin.tokens() if one.name == "laptop <b>"]
    assert round((token.expires_at - token.created_at) / 86_400_000) == 30
    listed = site.get("/ui/tokens")
    assert secret not in listed.html
    assert "laptop <b>" in listed.text
    assert "Revoke the token laptop <b>?" in site.get(f"/ui/tokens/{token.id}/revoke").text
    assert site.server.request("GET", "/v1/status", token=secret).status == 200
    assert "Revoked the token laptop <b>." in site.act(f"/ui/tokens/{token.id}/revoke").text
    assert site.server.request("GET", "/v1/status", token=secret).status == 401


def test_a_wrong_token_is_refused_with_the_value(site: Site) -> None:
    for fields, said in (
        ({"name": "", "scope": "read"}, "name"),
        ({"name": "x", "scope": "all"}, "invalid scope 'all'"),
        ({"name": "x", "scope": "read", "days": "-1"}, "invalid days '-1'"),
    ):
        page = site.post("/ui/tokens/create", **fields)
        assert (page.status, said.lower() in page.text.lower()) == (400, True), page
    assert site.get("/ui/tokens/none/revoke").status == 404


def test_a_browser_is_signed_out_from_the_list(site: Site) -> None:
    other = site.sign_in("read")
    browsers = [one for one in site.jot.admin.tokens() if one.purpose == "dashboard"]
    page = site.get("/ui/tokens")
    assert page.text.count("(this browser)") == 1
    id = browsers[-1].id
    assert "Signed out the browser" in site.act(f"/ui/tokens/{id}/revoke").text
    assert other.get("/ui/", follow=False).status == 303


def test_the_audit_has_pages(site: Site) -> None:
    for _ in range(51):
        made = site.jot.admin.create_token(name="many", scope="read")
        site.jot.admin.revoke_token(made.id)
    page = site.get("/ui/audit")
    assert page.text.count("tokens revoke") + page.text.count("tokens create") == 100
    (following,) = [one for one in page.links if one.startswith("/ui/audit?after=")]
    assert site.get(following).status == 200
    assert "tokens create" in site.get(following).text
    assert site.get("/ui/audit?after=x").status == 400


def test_only_admins_see_tokens(site: Site) -> None:
    reader = site.sign_in("write")
    for path in ("/ui/tokens", "/ui/tokens/create", "/ui/audit"):
        assert reader.get(path).status == 403, path
    assert reader.post("/ui/tokens/create", name="x", scope="admin").status == 403
    assert "/ui/tokens" not in reader.get("/ui/").links
    assert "/ui/tokens" in site.get("/ui/settings").links


def test_every_setting_is_listed_with_its_origin_and_no_secret(site: Site) -> None:
    page = site.get("/ui/settings")
    for name in Settings._fields:
        assert f"<code>{name}</code>" in page.html, name
    assert "recall_tokens 2,000 tokens default" in page.text
    assert f"db {site.jot.settings.db} given when the server was started" in page.text
    for name in SECRETS:
        assert f"{name} empty" in page.text
    changed = site.get("/ui/settings?changed=1")
    assert ("<code>db</code>" in changed.html, "<code>chunk_tokens</code>" in changed.html) == (True, False)


def test_agents_are_listed_with_what_to_do(site: Site) -> None:
    page = site.get("/ui/agents")
    assert "No agent is installed" in page.text
    assert "jotsam install claude" in page.text
    assert "every turn of a hook is in the database" in page.text


def test_a_token_is_created_in_a_browser(browser_page: Page) -> None:
    browser_page.goto("/ui/tokens")
    browser_page.get_by_role("link", name="Create a token").click()
    browser_page.get_by_label("Name", exact=True).fill("phone")
    browser_page.get_by_role("button", name="Create").click()
    expect(browser_page.get_by_role("heading", level=1)).to_have_text("Token phone created")
    assert violations(browser_page) == []
