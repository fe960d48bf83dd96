"""Secrets in structures, commands and sentences, and the cheap check that comes before the search for them."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import pytest
from benchmarks.secrets import cases
from test_redact import CONTEXTS, HARMLESS, KEYS, KEYS_IN_CONTEXT, NOT_PASSWORDS, PASSWORDS, PROVIDERS, SECRETS

import jotsam.pipeline.redaction.redact as redaction
from jotsam.pipeline.redaction.redact import fingerprint, may_hold_secrets, redact, redact_and_list

DOCS = Path(__file__).parents[2] / "docs"
OPEN = cases("open")


def encoded(text: str) -> str:
    return b64encode(text.encode()).decode()


def test_each_secret_of_the_open_set_is_found() -> None:
    assert [case.name for case in OPEN if case.secrets and not case.is_found_in(redact(case.text)[0])] == []


def test_each_text_of_the_open_set_without_a_secret_is_unchanged() -> None:
    assert {
        case.text: found for case in OPEN if not case.secrets and (found := redact(case.text)[0]) != case.text
    } == {}


def test_redacting_the_open_set_again_changes_nothing() -> None:
    once = [redact(case.text)[0] for case in OPEN]
    assert [text for text in once if redact(text) != (text, 0)] == []


def test_the_cheap_check_passes_each_text_that_has_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [case.text for case in OPEN] + [text for text, _ in (*SECRETS, *KEYS_IN_CONTEXT, *PASSWORDS)]
    texts += [text.format(secret) for text, secret, _ in CONTEXTS] + HARMLESS + NOT_PASSWORDS
    texts += [f"use {key} now" for key in (*(key for keys in KEYS.values() for key in keys), *dict(PROVIDERS))]
    texts += ["keytool -storepass changeable", "tool --password x7f3kd9", "openssl rsa -passin pass:abcdefgh"]
    texts += [f"# Notes\n\n{text}\n\nMore prose follows." for text in texts]
    checked = [redact_and_list(text) for text in texts]
    for name in ("_may_hold_secrets", "may_hold_structures"):
        monkeypatch.setattr(redaction, name, lambda view: True)
    assert [text for text, found in zip(texts, checked, strict=True) if redact_and_list(text) != found] == []


def test_the_cheap_check_lets_few_slices_of_documents_pass() -> None:
    whole = "\n".join(path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("*.md")))
    slices = [whole[at % (len(whole) - 5_000) :][:5_000] for at in range(0, 300 * 39_595, 39_595)]
    clean = [text for text in slices if redact(text)[0] == text]
    assert len(clean) > 200
    assert sum(map(may_hold_secrets, clean)) <= 60


ENCODED = [
    '{"auth": "{}"}'.replace("{}", encoded("ci:hunter22")),
    f"_auth = {encoded('ci:hunter22')}",
    f"echo {encoded('HOST=db')} {encoded('DB_PASSWORD=hunter22xyz')}",
    f"client-key-data: {encoded('-----BEGIN PRIVATE KEY-----' + chr(10) + 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC')}",
]
NOT_ENCODED = [
    f"mail {encoded('Dear all, the password policy changed. The token is in the kitchen.')}",
    f"data:image/png;base64,{encoded('x' * 40)}",
    '{"auth": "required"}, {"auth": "oauth2client"}',
    f"twice {encoded(encoded('DB_PASSWORD=hunter22xyz'))}",
    "DatabaseUnavailable and ConfigurationManager",
]


def test_base64_of_a_secret_is_decoded_once() -> None:
    assert [text for text in ENCODED if redact(text)[1] != 1] == []
    assert [text for text in NOT_ENCODED if redact(text) != (text, 0)] == []
    assert redact(ENCODED[2])[0].startswith(f"echo {encoded('HOST=db')} [redacted:")


def test_each_run_of_base64_is_decoded_at_most_once() -> None:
    text = " ".join(encoded(f"note {number} of many, no secret") for number in range(3_000))
    assert redact(text) == (text, 0)


def test_what_is_encoded_or_in_another_field_can_be_allowed() -> None:
    run = encoded("DB_PASSWORD=hunter22xyz and more")
    assert redact(f"A={run}", allowed=frozenset([fingerprint(run)])) == (f"A={run}", 0)
    pair = '- name: DB_TOKEN\n  value: "a1b2c3d4e5f6"\n'
    assert redact(pair)[1] == 1
    assert redact(pair, allowed=frozenset([fingerprint("a1b2c3d4e5f6")])) == (pair, 0)


def test_the_line_of_a_secret_in_a_structure_is_that_of_its_value() -> None:
    ((kind, line, mark),) = redact_and_list("env:\n- name: ADMIN_PASSWORD\n  value: butterscotch\n")[1]
    assert (kind, line, mark) == ("password", 3, None)


STRUCTURES = [
    ('char secret[25] = "m0xk39fk3"', 'char secret[25] = "[redacted:secret]"'),
    ('password = @"Winter!9x";', 'password = @"[redacted:password]";'),
    ("curl -X POST \\\n  --user jo:Kdkk39fk!", "curl -X POST \\\n  --user jo:[redacted:password]"),
    ('curl -u ":d2LkV78zLx!t" https://a.b', 'curl -u ":[redacted:password]" https://a.b'),
    ("kind: Secret\ndata:\n  a: bXlwYXNz\ntype: Opaque1", "kind: Secret\ndata:\n  a: [redacted:secret]\ntype: Opaque1"),
    ("Server=a;Pwd=swordfish;b=1", "Server=a;Pwd=[redacted:password];b=1"),
    ("n=t.token;r=e.password;pwd=swordfish;b=1", "n=t.token;r=e.password;pwd=swordfish;b=1"),
    ("messages.MessageField('GoogleIamV3alphaSourcePolicyAwsIamPolicy', 1)",) * 2,
    ("create table a (password varchar(255) not null)",) * 2,
    ('"password": "Mot de passe", "secret": "Secreto"',) * 2,
    ("private_key: Ed25519PrivateKey | Ed448PrivateKey",) * 2,
    ("auth = { username: basic[0], password: basic[1] }",) * 2,
    ("const UNEXPECTED_TOKEN = /^Unexpected1 token/",) * 2,
    ("client_secret='Qh...ww1', last_pass_time => '1219328376.07815'",) * 2,
    ("data:\n  a: bXlwYXNz\n", "data:\n  a: bXlwYXNz\n"),
]


def test_values_are_read_in_the_structure_that_they_are_in() -> None:
    assert {text: found for text, expected in STRUCTURES if (found := redact(text)[0]) != expected} == {}
