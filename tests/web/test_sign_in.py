"""Who gets in, and what a form must send."""

from __future__ import annotations

import re
from html import unescape

import pytest
from playwright.sync_api import Browser

from browser import violations, visiting
from http_server import serving
from jotsam.memory.access.sign_ins import create_link
from web_site import Site, open_client


def test_without_a_sign_in_every_page_leads_to_the_sign_in(site: Site) -> None:
    stranger = Site(site.server, site.jot)
    for path in ("/ui/", "/ui/jobs?state=dead", "/ui/memories/x", "/ui/nowhere"):
        found = stranger.get(path, follow=False)
        assert found.status == 303, path
        assert found.headers["location"].startswith("/ui/sign-in?next=/ui/"), path
    assert stranger.get("/").text.startswith("Sign in")
    assert stranger.get("/ui/events", headers={"HX-Request": "true"}).headers["hx-redirect"] == "/ui/sign-in"
    refused = stranger.post("/ui/sign-out", form_token="x")
    assert refused.status == 401
    assert "nothing was changed" in refused.text


def test_a_link_works_once(site: Site) -> None:
    link = f"/ui/sign-in?link={create_link(site.jot.database, tenant='default', scope='read')}"
    first, second = Site(site.server, site.jot), Site(site.server, site.jot)
    assert "read only" in first.get(link).text
    again = second.get(link)
    assert (again.status, second.cookies) == (401, {})
    assert "This link was used or has expired" in again.text


def test_a_program_that_looks_at_a_link_does_not_use_it_up(site: Site) -> None:
    link = f"/ui/sign-in?link={create_link(site.jot.database, tenant='default', scope='read')}"
    looked = site.server.request("HEAD", link, token=None)
    assert (looked.status, "set-cookie" in looked.headers) == (200, False)
    assert "read only" in Site(site.server, site.jot).get(link).text


def test_a_link_that_expired_does_not_work(site: Site) -> None:
    link = create_link(site.jot.database, tenant="default", scope="read")
    _expire(site, link)
    assert Site(site.server, site.jot).get(f"/ui/sign-in?link={link}").status == 401


def test_an_expired_sign_in_leads_to_the_sign_in_and_back(site: Site) -> None:
    visitor = site.sign_in("admin")
    token = visitor.form_token()
    _expire(site, next(iter(visitor.cookies.values())))
    assert visitor.get("/ui/", follow=False).headers["location"] == "/ui/sign-in?next=/ui/"
    refused = visitor.post("/ui/sign-out", form_token=token)
    assert (refused.status, "your sign-in has ended" in refused.text) == (401, True)
    page = visitor.post("/ui/sign-in", form_token="", token=site.server.token, next="/ui/?x=1")
    assert (page.status, page.headers.get("x-request-id") is not None) == (200, True)


def test_a_token_of_the_api_signs_in_with_its_scope_and_nothing_else_is_accepted(site: Site) -> None:
    visitor = Site(site.server, site.jot)
    for wrong in ("", "jot_x_y", "é", site.server.token + "x", next(iter(site.cookies.values()))):
        assert visitor.post("/ui/sign-in", form_token="", token=wrong).status == 401, wrong
    reader = site.server.create_token(scope="read")
    assert "read only" in visitor.post("/ui/sign-in", form_token="", token=f" {reader} ").text
    for path in ("//evil.example/", "https://evil.example/", "/v1/status", "/ui/\\evil"):
        away = Site(site.server, site.jot).post("/ui/sign-in", follow=False, form_token="", token=reader, next=path)
        assert away.headers["location"] == "/ui/?signed-in", path


def test_a_cookie_is_no_token_of_the_api(site: Site) -> None:
    cookie = next(iter(site.cookies.values()))
    assert site.server.get("/v1/status", token=cookie).status == 401
    headers = {"Cookie": f"{next(iter(site.cookies))}={cookie}"}
    assert site.server.get("/v1/status", token=None, headers=headers).status == 401


def test_only_this_machine_gets_a_cookie_over_plain_http(tmp_path: object) -> None:
    db = f"{tmp_path}/jotsam.db"
    with serving(db, "--allow-host", "memory.example") as server, open_client(db) as jot:
        for host, is_secure in ((server.url.partition("://")[2], False), ("memory.example", True)):
            link = f"/ui/sign-in?link={create_link(jot.database, tenant='default', scope='read')}"
            cookie = server.request("GET", link, token=None, headers={"Host": host}).headers["set-cookie"]
            attributes = {one.strip().lower() for one in cookie.split(";")[1:]}
            assert {"httponly", "samesite=strict", "path=/ui"} <= attributes, cookie
            assert ("secure" in attributes) == is_secure, cookie


def test_a_form_without_the_token_of_its_sign_in_is_refused(site: Site) -> None:
    visitor, other = site.sign_in(), site.sign_in()
    for wrong in ("", "0" * 64, other.form_token()):
        assert visitor.post("/ui/sign-out", form_token=wrong).status == 403
    foreign = visitor.post("/ui/sign-out", headers={"Origin": "https://evil.example"})
    assert foreign.status == 403
    wrong_host = visitor.get("/ui/", headers={"Host": "evil.example"})
    assert wrong_host.status == 421
    assert visitor.get("/ui/").status == 200


def test_who_signed_out_is_out(site: Site) -> None:
    visitor = site.sign_in()
    cookies = dict(visitor.cookies)
    assert visitor.post("/ui/sign-out").text.startswith("Sign in")
    visitor.cookies = cookies
    assert visitor.get("/ui/", follow=False).status == 303


def test_a_read_only_dashboard_lowers_every_sign_in_and_off_means_none(tmp_path: object) -> None:
    db = f"{tmp_path}/jotsam.db"
    with serving(db, "--dashboard", "read") as server, open_client(db) as jot:
        assert "read only" in Site(server, jot).sign_in("admin").get("/ui/").text
    with serving(db, "--dashboard", "off") as server:
        assert server.get("/ui/", token=None).status == 404


def test_pages_allow_no_script_but_their_own(site: Site) -> None:
    for path in ("/ui/", "/ui/nowhere", "/ui/sign-in"):
        page = site.get(path)
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'; script-src 'self';" in policy, path
        assert page.headers["cache-control"] == "no-store"
        assert not re.search(r"\son\w+=|<style|\sstyle=|<script>", page.html), path
    cookie = site.sign_in().get("/ui/sign-in").headers
    assert cookie["x-content-type-options"] == "nosniff"


def test_the_files_of_the_pages_are_small_and_never_loaded_from_elsewhere(site: Site) -> None:
    page = site.get("/ui/")
    addresses = [unescape(one) for one in re.findall(r'(?:src|href)="([^"#]+)"', page.html)]
    assert all(one.startswith("/ui/") for one in addresses), addresses
    files = [one for one in addresses if one.startswith("/ui/static/")]
    found = [site.server.get(one, token=None) for one in files]
    assert all(one.status == 200 and "immutable" in one.headers["cache-control"] for one in found)
    assert len(files) == 4
    assert sum(len(one.content) for one in found) <= 100_000
    assert site.server.get("/ui/static/..%2fsite.py", token=None).status == 404


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_sign_in_has_no_barrier(browser: Browser, site: Site, scheme: str) -> None:
    with visiting(browser, Site(site.server, site.jot), color_scheme=scheme) as page:
        page.goto("/ui/sign-in")
        assert violations(page) == []


def _expire(site: Site, secret: str) -> None:
    """Let the token with this secret end now."""
    with site.jot.database.transaction(tenant="default") as tx:
        tx.execute("update api_token set expires_at = :now where id = :id", {"now": tx.now, "id": secret.split("_")[1]})
