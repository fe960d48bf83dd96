"""Secrets are redacted before they are stored (MB-28, GK-11); other text stays unchanged."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from re import _parser as parser  # type: ignore[attr-defined]

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jotsam.pipeline.redaction.redact
from hostile import superlinear
from jotsam.pipeline.redaction.patterns import _BEFORE, PATTERNS, matches
from jotsam.pipeline.redaction.redact import fingerprint, may_hold_secrets, redact, redact_and_list
from jotsam.pipeline.redaction.text_view import BEGINNING, LONG_WORDS, MIN_KEY_CHARACTERS, TextView

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
PEM = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIEow/+IBAAKCAQEA=\n-----END RSA PRIVATE KEY-----"
CUT_PEM = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQDabcdefghijklm\n"

SECRETS = [
    ("use sk-proj-abc123def456ghi789jkl now", "use [redacted:api-key] now"),
    ("use sk-ant-api03-abcDEF123456_7890 now", "use [redacted:api-key] now"),
    ("sk-abcdefghijklmnopqrstuvwxyz", "[redacted:api-key]"),
    ("AIzaSyA-1234567890abcdefghijklmnopqrst", "[redacted:api-key]"),
    ("push with ghp_abcdefghij0123456789abcdefghij012345!", "push with [redacted:github-token]!"),
    ("gho_abcdefghij0123456789abcdefghij012345", "[redacted:github-token]"),
    ("ghs_abcdefghij0123456789abcdefghij012345", "[redacted:github-token]"),
    ("github_pat_11ABCDEFG0abcdefghij_0123456789", "[redacted:github-token]"),
    ("id AKIAIOSFODNN7EXAMPLE.", "id [redacted:aws-key]."),
    ("xoxb-123456789012-abcdefGHIJ", "[redacted:slack-token]"),
    (f"cookie {JWT};", "cookie [redacted:jwt];"),
    (f"before\n{PEM}\nafter", "before\n[redacted:private-key]\nafter"),
    (f"{CUT_PEM}\nand prose", "[redacted:private-key]\n\nand prose"),
    ("Authorization: Bearer abc.def.123456", "Authorization: Bearer [redacted:bearer-token]"),
    ("authorization: bearer abcdefghijklmnopqrst", "authorization: bearer [redacted:bearer-token]"),
    ("postgres://bob:hunter2@db.example.com/app", "postgres://bob:[redacted:password]@db.example.com/app"),
    ("redis://:p@ss@cache:6379", "redis://:[redacted:password]@cache:6379"),
    ("API_KEY=abcdefghij", "API_KEY=[redacted:secret]"),
    ("export GITHUB_TOKEN=swordfish1\nnext", "export GITHUB_TOKEN=[redacted:secret]\nnext"),
    ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG", "AWS_SECRET_ACCESS_KEY=[redacted:secret]"),
    ('{"password": "hunter2 and more"}', '{"password": "[redacted:password]"}'),
    ('{\\"client_secret\\": \\"abc12345xyz\\"}', '{\\"client_secret\\": \\"[redacted:secret]\\"}'),
    ("password: str = 'hunter2hunter2'", "password: str = '[redacted:password]'"),
    ("secret: abcd1234efgh", "secret: [redacted:secret]"),
    ("  password: swordfish\n", "  password: [redacted:password]\n"),
    ("x-api-key: 0123abcd4567", "x-api-key: [redacted:secret]"),
    ("https://host/?token=abc12345678&page=2", "https://host/?token=[redacted:secret]&page=2"),
    ("privateKey = `abc12345678`", "privateKey = `[redacted:secret]`"),
]

HEX, MIXED = "0123456789abcdef" * 2, "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY"
KEYS = {
    "discord-token": ["MTk" + MIXED[:21] + ".Gx3k_1." + MIXED[:27], "MTA" + MIXED[:23] + ".aB3dE5." + MIXED + "123456"],
    "mailchimp-key": [f"{HEX}-us14"],
    "square-token": ["EAAA" + MIXED + MIXED[:28], "sq0atp-" + MIXED[:22], "sq0csp-" + MIXED + MIXED[:11]],
    "new-relic-key": ["NRAK-" + MIXED.upper()[:27], HEX + "0123NRAL", "eu01xx" + HEX[:30] + "NRAL"],
    "razorpay-key": ["rzp_live_" + MIXED[:14]],
    "tailscale-key": [f"tskey-auth-{MIXED[:17]}-{MIXED}", f"tskey-{MIXED[:24]}"],
    "jotsam-token": [f"jot_0123456789ab_{MIXED}{MIXED[:9]}_-"],
    "contentful-token": ["CFPAT-" + MIXED + MIXED[:11]],
    "alibaba-key": ["LTAI5t" + MIXED[:18], "LTAI" + MIXED[:12]],
    "grafana-token": ["eyJrIjoi" + MIXED * 3 + "=="],
}
CONTEXTS = [
    ("Ocp-Apim-Subscription-Key: {}", HEX, "secret"),
    ("The password is {}.", "hunter2x9", "password"),
    ("the staging db password is: {}", "Tr0ub4dor&3", "password"),
    ("password for bob is `{}`", "Kx9!mQ2z", "password"),
    ("the api key is {}", MIXED, "secret"),
    ("user bob pw: {}", "hunter2x9", "password"),
    ("Das Passwort lautet {}", "geheim77x", "password"),
    ("Das Kennwort für den Server ist {}", "Sommer2024!", "password"),
    ("Passwort: {}", "Geheim77x", "password"),
    ("<clientSecret>{}</clientSecret>", "a8f9d7c6b5e4", "secret"),
    ('<add key="DbPassword" value="{}" />', "hunter2x", "password"),
    ('variable "db_password" {{\n  type = string\n  default = "{}"\n}}', "S3cretPass!", "password"),
    ("db.example.com:5432:app:bob:{}", "hunter2x9", "password"),
    ("*:*:*:bob:{}", "hunter2x9", "password"),
    ("| user | password |\n|---|---|\n| bob | {} |\n", "hunter2x9", "password"),
    ("host | API key | note\n:--|--|--\na | `{}` | x\n", MIXED, "secret"),
]

HARMLESS = [
    "",
    '{"next_token": "NextMarker", "secret": "SecretString", "access_token": "oauth.access-token"}',
    "arn:aws:secretsmanager:us-west-2:123456789012:secret:MyDatabaseSecret-a1b2c3",
    "the password is base64-encoded and the token is SHA-256 of it",
    "The password is 12-characters long. The API key is 32-characters long",
    "The token is short-lived-2h and the key is X-Request-Id",
    "Passwort ist erforderlich, pw: see vault, pwn=12345678",
    "<token>identifier</token> <key>CFBundleVersion1</key>",
    "a:5432:b and 12:30:45:info:started",
    "| token | meaning |\n|---|---|\n| `access_token2` x | y |\n| bearer-token | a token |\n",
    "the secret: never give up",
    "the password: absolutely!",
    "token budget = 2000",
    "max_tokens=100000000",
    "tokens: 2000 per call",
    "password = get_password()",
    "password = self.settings.password",
    "secret: process.env.MY_SECRET",
    'token = os.environ["TOKEN_NAME"]',
    "secret == other_thing12",
    "secret: Utf8Secret = load()",
    "def f(token: CancellationTokenSource) -> None",
    "token_path=/run/secrets/1token",
    "secretary: 12345abcdef",
    "API_KEY=<your key>",
    "API_KEY=your-api-key-here",
    'API_KEY="your-api-key"',
    "API_KEY=xxxxxxxxxxxx",
    "API_KEY=...",
    "API_KEY=sk-...",
    "API_KEY=$OTHER_KEY_12",
    "API_KEY=${OTHER_KEY_12}",
    "API_KEY=short",
    "password: required",
    "postgres://user:${PASSWORD}@host/db",
    "http://localhost:6333 and me@example.com",
    "Bearer <token>",
    "Bearer authentication is the default",
    "a task-oriented-design-3 and a risk-based one",
    "sk-learn-compatible-estimators",
    "the header `-----BEGIN PRIVATE KEY-----` marks a key",
    "the tag </private> alone, or <jotsam-memory> never closed",
]

HOSTILE = [
    ("", piece, "")
    for piece in (
        "a",
        "-",
        "eyJ",
        "eyJaaaaaaaa.",
        "sk-",
        "://",
        'token="',
        "token=",
        "-----BEGIN PRIVATE KEY-----",
        "<jotsam-memory>",
        "<private>",
        "MTk4NjIyNDgzNDcxOTI1MjQ4.",
        "MTk4",
        "aB3dE5fG7hJ9kL.atlasv1.",
        "Ab78Q~",
        "ghs_123456_",
        "xoxe.xox",
        "https://discord.com/api/webhooks/",
        "?sig=",
        "SK",
        "re_",
    )
]
HOSTILE += [
    *(("", piece, "") for piece in ("password is ", "password a ", "<token>", 'variable "secret" {', "a:*:b:c:")),
    *(("", piece, "") for piece in ('"token" value="', "|password|\n|-|\n", "|-", "-|\n", "EAAA", "tskey-", "-us1")),
    ("|password|\n|-|\n", "|a1b2c3d4|\n", ""),
    *(
        ("", piece, "")
        for piece in ("password to a ", " is the a", "identified by ", "htpasswd -b ", "aws a/", "auth=(")
    ),
    *(
        ("", piece, "")
        for piece in ("name: token, ", "token: |\n", "secret:\n value: ", "a,password\n", "QUFB", "QUFB ")
    ),
    *(
        ("", piece, "")
        for piece in ("docker login ", "define('x_key", "role x password ", "Authorization: a ", "net user a ")
    ),
    ("a,password\n", "b,c1234567\n", ""),
    ("kind: Secret\ndata:\n", " a: b\n", ""),
    ("kind: Secret\n", "data:\n a: b\n", ""),
    ("curl ", "a \\\n", ""),
    ("Private-Lines: 1\n", "AAAAAAAAAAAAAAAAAAAA\n", ""),
    ("://x:", "a", ""),
    ("token", " ", ""),
    ("secret='", "\\", ""),
    ("-----BEGIN PRIVATE KEY-----", "a ", ""),
    ("<pri" * 5_000 + "<private>", "</private>vate>", ""),
    ("A" * 50_000 + "AZDO", "A", ""),
    ("A" * 76, "AZDO", ""),
    ("password=", "password", ""),
    ("password='", "test-", "'"),
    ("https://hooks.slack.com/services/T", "A", ""),
]

PIECES = [text for text, _ in SECRETS] + HARMLESS
PIECES += ["<private>", "</private>", "<pri", "vate>", "<jotsam-memory a=1>", "</jotsam-memory>", "[redacted:secret]"]
PIECES += ["abcdefgh12345678", "password", "API_KEY", "sk-", "eyJ", "token=", "://", *"\"'=: \n-@"]


def test_keys_of_more_providers_and_secrets_in_more_contexts_are_redacted() -> None:
    keys = [(f"use {key} now", f"use [redacted:{kind}] now") for kind, keys in KEYS.items() for key in keys]
    contexts = [(text.format(secret), text.format(f"[redacted:{kind}]")) for text, secret, kind in CONTEXTS]
    assert wrong([*keys, *contexts]) == {}


def wrong(table: Iterable[tuple[str, str]]) -> dict[str, tuple[str, int]]:
    """What was returned for each text whose one secret was not redacted as expected."""
    return {text: found for text, expected in table if (found := redact(text)) != (expected, 1)}


def changed(texts: Iterable[str]) -> dict[str, tuple[str, int]]:
    return {text: found for text in texts if (found := redact(text)) != (text, 0)}


def test_a_secret_is_replaced_by_its_kind_and_the_rest_stays() -> None:
    """MB-28, GK-11."""
    assert wrong(SECRETS) == {}


def test_a_text_about_secrets_is_unchanged() -> None:
    assert changed(HARMLESS) == {}


def test_each_secret_is_counted() -> None:
    text = "\n".join(text for text, _ in SECRETS)
    assert redact(text)[1] == len(SECRETS)


@pytest.mark.parametrize(
    ("text", "expected", "count"),
    [
        ("a <private>x</private> b", "a  b", 1),
        ("a <PRIVATE>x\ny</Private> b <private>z</private>", "a  b ", 2),
        ("a <private>x <private>y</private> z</private> b", "a  b", 1),
        ("a <private>never closed", "a ", 1),
        ("a <pri<private>x</private>vate>y</private> b", "a  b", 2),
        ("a <jotsam-memory answer='1'>old\nnews</jotsam-memory> b", "a  b", 0),
        ("a <jotsam-memory><private>x</private></jotsam-memory> b", "a  b", 0),
        ("<private>API_KEY=abcdefghij</private>API_KEY=abcdefghij", "API_KEY=[redacted:secret]", 2),
    ],
)
def test_private_and_recalled_blocks_are_removed(text: str, expected: str, count: int) -> None:
    """A private block counts as a secret, a recalled block does not."""
    assert redact(text) == (expected, count)


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=12))
def test_redacting_again_changes_nothing(pieces: list[str]) -> None:
    once, _ = redact("".join(pieces))
    assert redact(once) == (once, 0)


def test_a_hostile_text_is_redacted_completely_in_linear_time() -> None:
    def redact_twice(text: str) -> None:
        once, _ = redact(text)
        assert redact(once) == (once, 0)

    assert superlinear(redact_twice, HOSTILE, characters=50_000, times_prose=2) == []


def test_blocks_that_a_removal_uncovers_go_too_and_after_three_rounds_the_rest() -> None:
    text, left = "a <private>x</private> b", []
    for _ in range(4):
        left.append(redact(text)[0])
        text = text.replace("<private>", "<pri<private>x</private>vate>", 1)
    assert left == ["a  b", "a  b", "a  b", "a "]


def test_the_cheap_check_is_true_of_each_secret_and_false_of_plain_text() -> None:
    assert [text for text, _ in SECRETS if may_hold_secrets(text) is not True] == []
    assert may_hold_secrets("We deploy on Fridays, after lunch.") is False


def test_importing_loads_nothing_and_a_plain_text_needs_no_regular_expressions() -> None:
    """The accept path imports it, often in a process that has just started."""
    program = (
        "import sys; before = set(sys.modules); from jotsam.pipeline.redaction.redact import redact;"
        "redact('A key idea: the task-based plan, see https://example.com/a and me@example.com.');"
        "print(sorted(name for name in set(sys.modules) - before if not name.startswith('jotsam')));"
        "print(sorted(name for name in sys.modules if name.startswith('jotsam')))"
    )
    source = Path(jotsam.pipeline.redaction.redact.__file__).parents[3]
    command = [sys.executable, "-S", "-c", program]
    run = subprocess.run(command, env={"PYTHONPATH": str(source)}, capture_output=True, text=True, check=True)
    names = ("cheap_check", "provider_keys", "redact", "text_view")
    modules = [
        "jotsam",
        *(f"jotsam.pipeline{module}" for module in ("", ".redaction", *(f".redaction.{name}" for name in names))),
    ]
    assert run.stdout.splitlines() == ["['__future__']", str(modules)]


PROVIDERS = [
    ("sk_" + "live_4eC39HqLyjWDarjtT1zdp7dc", "stripe-key"),
    ("rk_" + "test_4eC39HqLyjWDarjtT1zdp7dc", "stripe-key"),
    ("glpat-" + "xY3kPq9sTz2LmN8vB4cD", "gitlab-token"),
    ("npm_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", "npm-token"),
    ("pypi-" + "AgEIcHlwaS5vcmcCJDU3YzE2ZjQyLTQ1", "pypi-token"),
    ("hf_" + "AbCdEfGhIjKlMnOpQrStUvWxYz123456", "hugging-face-token"),
    ("SG." + "abcdefghijklmnopqrstuv.ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", "sendgrid-key"),
    ("SK" + "0123456789abcdef0123456789abcdef", "twilio-key"),
    ("123456789:" + "AAF1abcdefghijklmnopqrstuvwxyz12345", "telegram-token"),
    ("ya29." + "a0AfH6SMBxyzxyzxyzxyz_yyyyyyyyyyyyyyyy", "google-token"),
    ("GOCSPX-" + "abcdefghijklmnopqrstuvwxyz12", "google-token"),
    ("xapp-" + "1-A0123-456-abcdef0123456789", "slack-token"),
    ("dop_v1_" + "0123456789abcdef" * 4, "digitalocean-token"),
    ("shpat_" + "0123456789abcdef0123456789abcdef", "shopify-token"),
    ("gsk_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", "groq-key"),
    ("xai-" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", "xai-key"),
    ("dapi" + "0123456789abcdef0123456789abcdef", "databricks-token"),
    ("AGE-SECRET-KEY-" + "1QQPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQQPZRY9X8GF2TVDW0S", "age-key"),
    ("hvs." + "CAESIabcdefghijklmnopqrstuvwx", "vault-token"),
    ("lin_api_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", "linear-key"),
    ("ntn_" + "123456789012abcdefghijABCDEFGHIJ1234567890abcd", "notion-token"),
    ("PMAK-" + "0123456789abcdef01234567-0123456789abcdef0123456789abcdef01", "postman-key"),
    ("r8_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8z", "replicate-token"),
    ("sbp_" + "0123456789abcdef0123456789abcdef01234567", "supabase-token"),
    ("sb_secret_" + "Qx7Zp2Lk9Vn4Tb6Rm1Wc3Y_aB3dE5fG", "supabase-token"),
    ("MTk4NjIyNDgzNDcxOTI1MjQ4" + ".Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs", "discord-token"),
    ("MTA5ODc2NTQzMjEwOTg3NjU0Mw" + ".GhIjKl.aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789_-", "discord-token"),
    ("sk-proj-" + "Zx81_kLm-92PqRsTuVwT3BlbkFJAbC7dEfGh0iJkLmN-opQ", "api-key"),
    ("sk-svcacct-" + "Zx81_kLm92PqRsTuVwT3BlbkFJAbC7dEfGh0iJkLmNopQ", "api-key"),
    ("sk-ant-api03-" + "hY7_kLm92PqRsTuVw-xT3AbC7dEfGh0iJkLmNopQAA", "api-key"),
    ("sk-or-v1-" + "0a1b2c3d4e5f" * 5, "api-key"),
    ("AQ.Ab8R" + "N6LmQ7pT2vW9xZ3cF5gH8jK1nB4sD6yU0aEiOqRtYuIpLk", "api-key"),
    ("pplx-" + "Kd93hfJs82kLmNq0vBx7ZyTrWe4Ua1Pc", "api-key"),
    ("nvapi-" + "Kd93hfJs82kLmNq0vBx7ZyTrWe4Ua1Pc_-", "api-key"),
    ("tvly-dev-" + "Kd93hfJs82kLmNq0vBx7ZyTrWe4Ua1Pc", "api-key"),
    ("lsv2_pt_" + "0123456789abcdef0123456789abcdef_0123456789", "langsmith-key"),
    ("sk_" + "0123456789abcdef" * 3, "elevenlabs-key"),
    ("ABIA" + "Q3EGRIZ7XT5NVLWB", "aws-key"),
    ("ABSK" + "QmVkcm9ja0FQSUtleS1" * 7 + "==", "aws-key"),
    ("ghs_" + "123456_eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJnaXRodWIifQ.a-b_c9", "github-token"),
    ("glpat-" + "xY3kPq9sTz2LmN8vB4cDw286MQp1OjEyMw8.01.120abcdef", "gitlab-token"),
    ("glcbt-" + "64_xY3kPq9sTz2LmN8vB4cD", "gitlab-token"),
    ("glptt-" + "0123456789abcdef0123456789abcdef01234567", "gitlab-token"),
    ("xoxe.xoxp-" + "1-Mi0yLTEyMzQ1Njc4OTAxMi0xMjM0", "slack-token"),
    ("xoxe-" + "1-My0xLTEyMzQ1Njc4OTAxMi0xMjM0", "slack-token"),
    ("xoxc-" + "1234567890-1234567890-abcdef012345", "slack-token"),
    ("sk_org_" + "live_4eC39HqLyjWDarjtT1zdp7dc", "stripe-key"),
    ("whsec_" + "4eC39HqLyjWDarjtT1zdp7dcXy", "stripe-key"),
    ("AC" + "0123456789abcdef0123456789abcdef", "twilio-key"),
    ("1//0" + "gK4mNz8pQ2rS6tU0vW3xY7aB1cD5eF9hJ", "google-token"),
    ("Ab7" + "8Q~kL2mN4pQ6rS8tU0vW1xY3zA5bC7dE9fG", "azure-key"),
    ("9Zx8" * 19 + "AZDO" + "4Wvu", "azure-key"),
    ("dapi" + "0123456789abcdef0123456789abcdef-2", "databricks-token"),
    ("lin_oauth_" + "0123456789abcdef" * 4, "linear-key"),
    ("secret_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9f", "notion-token"),
    ("vcp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fGh1Jk3Mn5Pq", "vercel-token"),
    ("vck_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fGh1Jk3Mn5Pq", "vercel-token"),
    ("sntrys_" + "eyJpYXQiOjE3MDAwMDAwMDAuMTIzNDU2LCJ1cmwiOm51bGx9_aB3dE5fG7hJ9kL1mN3pQ", "sentry-token"),
    ("sntryu_" + "0123456789abcdef" * 4, "sentry-token"),
    ("dckr_pat_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9", "docker-token"),
    ("ATATT3" + "xFfGF0aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fGh1Jk3Mn5Pq7Rs9", "atlassian-token"),
    ("figd_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7d", "figma-token"),
    ("nfp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5", "netlify-token"),
    ("fm2_" + "lJPECAAAAAAAAaB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z", "fly-token"),
    ("glsa_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY_0a1b2c3d", "grafana-token"),
    ("pscale_tkn_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5", "planetscale-token"),
    (
        "aB3dE5fG7hJ9kL" + ".atlasv1." + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fGh1Jk3Mn5Pq7Rs9Tu",
        "terraform-token",
    ),
    ("re_" + "aB3dE5fG_7hJ9kL1mN3pQ5rS7tU9vW1xY", "resend-key"),
    ("xkeysib-" + "0123456789abcdef" * 4 + "-aB3dE5fG7hJ9kL1m", "brevo-key"),
    ("key-" + "0123456789abcdef0123456789abcdef", "mailgun-key"),
    ("rubygems_" + "0123456789abcdef" * 3, "rubygems-key"),
    ("ops_eyJ" + "aB3dE5fG7h" * 11, "one-password-token"),
]


def test_keys_of_known_providers_are_redacted() -> None:
    """GK-11."""
    assert wrong((f"Use {secret} here.", f"Use [redacted:{kind}] here.") for secret, kind in PROVIDERS) == {}


KEYS_IN_CONTEXT = [
    (
        "https://hooks." + "slack.com/services/T024BE7LD/B03KX5QRT/aB3dE5fG7hJ9kL1mN3pQ5rS7",
        "https://hooks.slack.com/services/[redacted:slack-webhook]",
    ),
    (
        "https://discord.com/api/" + "webhooks/198622483471925248/aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fGh1Jk",
        "https://discord.com/api/webhooks/[redacted:discord-webhook]",
    ),
    (
        "https://x.blob.core.windows.net/a?sv=2024&sig=" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9f%3D",
        "https://x.blob.core.windows.net/a?sv=2024&sig=[redacted:azure-signature]",
    ),
    (
        "https://" + "0123456789abcdef0123456789abcdef@o4501.ingest.sentry.io/4502",
        "https://[redacted:sentry-dsn]@o4501.ingest.sentry.io/4502",
    ),
    (
        '{"text": "A=1\\n' + 'ghp_abcdefghij0123456789abcdefghij012345"}',
        '{"text": "A=1\\n[redacted:github-token]"}',
    ),
    ("next%3D" + "ghp_abcdefghij0123456789abcdefghij012345", "next%3D[redacted:github-token]"),
    ("AccountKey=" + "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2U==", "AccountKey=[redacted:azure-key]"),
    ("Authorization: Basic dXNlcjpwYXNzd29yZDEyMw==", "Authorization: Basic [redacted:basic-login]"),
    ("Cookie: sessionid=abcdef0123456789", "Cookie: [redacted:cookie]"),
]


def test_the_text_around_a_key_stays() -> None:
    assert wrong(KEYS_IN_CONTEXT) == {}


SIMILAR_TO_KEYS = [
    "task SKU and ACID, ASKING",
    "the npm_config of hf_hub and gsk_",
    "a basic authorization: none",
    "glpat-short",
    "SG. Miller",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "id 550e8400-e29b-41d4-a716-446655440000",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "version 1.2.3-rc.4+build.20260131 and v2026.1.31",
    "MTk4NjIyNDgzNDcxOTI1MjQ4 is a number in base64, and MTIz.abcdef.ghi is nothing",
    "org.example.Module.Configuration.Abstract and NTFS.volume.with.a.long.name",
    "sk_" + "hex_digest_of_the_file and task_0123456789abcdef0123456789abcdef0123456789abcdef",
    "re_compile_pattern and core_12345678_abcdefghijklmnopqrstuvwx",
    "key-value-store and monkey-0123456789abcdef0123456789abcdef",
    "the secret_manager_client_configuration_for_production_use",
    "sb_publishable_aB3dE5fG7hJ9kL1mN3pQ5rS7 may be seen by anybody",
    "pk_live_" + "4eC39HqLyjWDarjtT1zdp7dc may be seen by anybody",
    "AKIA stands for a key; ASIA is a continent; ABSKxyz is none",
    "hooks.slack.com/services/YOUR/WEBHOOK/URL",
    "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
    "https://discord.com/api/webhooks/123456789/abcdefg",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx and AKIAXXXXXXXXXXXXXXXX and sk-00000000000000000000",
    "glpat-xxxxxxxxxxxxxxxxxxxx, vcp_, lin_api_key, npm_config_registry, dckr_pat_ and ntn_ are prefixes",
    "API token: `test-token`, admin token: `test-admin-token`",
    "POSTGRES_PASSWORD=password and POSTGRES_PASSWORD=postgres",
    '"password": "changeme", "password": "my-secret-password"',
    "postgres://user:password@host:port/dbname",
    "https://o4501.ingest.sentry.io/4502 and https://a1b2@example.com",
    "123456789:AAshort, 12:AA and 10:AAPL",
    "ya29 is a prefix, 1//0 a quotient, AQ.Abc a section, Q~ a sign",
    "dapiserver and dapi0123, hvs.short, r8_short, figd_ and re_1",
    "lsv2_pt_short, csk-short, jina_embeddings_v3, pplx-api, tgp_v1_x, nfp_rules, fm2_radio, glc_context",
    "x.atlasv1.y, xapp-files, xoxo-hugs, pscale_tkn_, sntrys_token, rubygems_update, ops_eyJ, ATATT3",
    "a?sig=short&x=1, AccountKey=, whsec_test, sk_org_chart, shpat_1, PMAK-1, AZDO",
]


def test_a_text_similar_to_a_key_is_unchanged() -> None:
    assert changed(SIMILAR_TO_KEYS) == {}


def test_an_allowed_value_stays_and_others_are_redacted() -> None:
    one, two = PROVIDERS[2][0], PROVIDERS[3][0]
    assert redact(f"{one} {two}", allowed=frozenset([fingerprint(one)])) == (f"{one} [redacted:npm-token]", 1)


def test_each_secret_is_listed_with_kind_line_and_fingerprint() -> None:
    key = PROVIDERS[3][0]
    text = f"one\n<private>two\nthree</private>\n{PEM}\n{PEM}\n{key} and {key}\n\npassword: swordfish1234567890123\n"
    left, taken = redact_and_list(text)
    lines = left.splitlines()
    assert [line for _, line, _ in taken] == [2, 3, 4, 5, 5, 7]
    assert [(kind, lines[line - 1]) for kind, line, _ in taken] == [
        ("private", ""),
        ("private-key", "[redacted:private-key]"),
        ("private-key", "[redacted:private-key]"),
        ("npm-token", "[redacted:npm-token] and [redacted:npm-token]"),
        ("npm-token", "[redacted:npm-token] and [redacted:npm-token]"),
        ("password", "password: [redacted:password]"),
    ]
    marks = [mark for _, _, mark in taken]
    assert marks == [None, fingerprint(PEM), fingerprint(PEM), fingerprint(key), fingerprint(key), None]


@pytest.mark.parametrize("text", ["password = 'correct horse battery staple'", "secret: abcd1234efgh"])
def test_a_guessable_secret_has_no_fingerprint(text: str) -> None:
    ((_, _, secret_fingerprint),) = redact_and_list(text)[1]
    assert secret_fingerprint is None


def test_trailing_punctuation_is_not_part_of_an_allowed_value() -> None:
    assert redact(f"See {JWT}.", allowed=frozenset([fingerprint(JWT)])) == (f"See {JWT}.", 0)
    assert redact("secret: abcd1234efgh.", allowed=frozenset([fingerprint("abcd1234efgh")]))[1] == 0


PASSWORDS = [
    ("DB_PASS=7zx7UOSpgR", "DB_PASS=[redacted:password]"),
    ("SMTP_PASS: 'geheim99x'", "SMTP_PASS: '[redacted:password]'"),
    ('smtp_pass = "abcd1234"', 'smtp_pass = "[redacted:password]"'),
    ("PASSWORD=hunter2", "PASSWORD=[redacted:password]"),
    ("DB_PASSWORD=s3cr3t", "DB_PASSWORD=[redacted:password]"),
    ("SECRET=abc1234", "SECRET=[redacted:secret]"),
    ("curl -s -u admin:hunter22 https://a.b", "curl -s -u admin:[redacted:password] https://a.b"),
    ("curl --user 'bob:pa55word' http://a.b", "curl --user 'bob:[redacted:password]' http://a.b"),
    ("curl -s curl -x a -u bob:hunter22 curl -u x", "curl -s curl -x a -u bob:[redacted:password] curl -u x"),
    (
        "mysql -h mysql.a.b -u mysqladministrator -phunter22",
        "mysql -h mysql.a.b -u mysqladministrator -p[redacted:password]",
    ),
    ("tool --password hunter2 --now", "tool --password [redacted:password] --now"),
    ("mysql -u root -p'S3cret!x' shop", "mysql -u root -p'[redacted:password]' shop"),
    ("sshpass -p hunter2 ssh a", "sshpass -p [redacted:password] ssh a"),
    ("<password>geheim7</password>", "<password>[redacted:password]</password>"),
    ("machine a.b login joe password swordfish", "machine a.b login joe password [redacted:password]"),
    ("machine a.b\n  login joe\n  password swordfish\n", "machine a.b\n  login joe\n  password [redacted:password]\n"),
    ("密码：abc12345", "密码：[redacted:password]"),
    ("密码是 hunter2。", "密码是 [redacted:password]。"),
]


def test_passwords_in_commands_files_and_sentences_are_redacted() -> None:
    assert wrong(PASSWORDS) == {}
    assert changed(expected for _, expected in PASSWORDS) == {}


NOT_PASSWORDS = [
    "docker run -u 1000:1000 -p8080:80 mysql",
    "git push -u origin main:main",
    "mysqldump -p shop",
    "tool --password PASSWORD, and --password swordfish in prose",
    "first_pass=0.95x and FIRST_PASS=12, two-pass: 3.5ms",
    "password=pwd, password = get(), password: string, PASSWORD=test",
    "password = user.password; if password == 'abc1': pass",
    "passwords: 1000 tested, token: v1.2, TOKEN=abcd, PWD=/app",
    "the password is: never; 密码：请输入",
    "machine learning needs no password reset",
    "DB_PASS=$DB_PASS DB_PASS=changeme DB_PASS=<yours>",
]


def test_other_values_in_the_place_of_a_password_stay() -> None:
    assert changed(NOT_PASSWORDS) == {}


def test_a_key_is_found_in_the_long_words_alone() -> None:
    """Its pattern matches no white space, and no fewer characters than such a word has."""
    wrong = []
    for where, markers, source in PATTERNS:
        if where == LONG_WORDS:
            key = source.removeprefix(_BEFORE)
            shortest, _ = parser.parse(key).getwidth()
            items = str(parser.parse(key))
            if shortest < MIN_KEY_CHARACTERS or any(f"LITERAL, {ord(space)})" in items for space in " \t\r\n\f\v"):
                wrong.append(source)
            if (
                "ANY" in items
                or "CATEGORY_SPACE" in items
                or "NOT_CATEGORY" in items
                or any(map(str.isspace, "".join(markers)))
            ):
                wrong.append(source)
    assert wrong == []


ASSIGNMENTS = [
    "API_KEY=a1b2c3d4e5f6",
    "db-pass: hunter2x",
    "PWD=x9y8z7w6",
    "Private Key: none",
    'KENNWORT = "geheim12"',
]
ASSIGNMENTS += [
    "authkey='a1b2c3d4'",
    "my_token: abcdefgh1",
    "secret key is a1b2c3d4e5f6g7",
    "Authorization: Basic YWJjOmRlZg==",
]
ASSIGNMENTS += [
    "Bearer a1b2c3d4e5f6",
    "the password for it is tr0ub4dor&3",
    "pa\u017f\u017fword=hunter2x",
    "to\u212aen: a1b2c3d4e5",
    "\u0130 pw=abcd12345",
]


def test_a_pattern_finds_the_same_at_its_beginnings_as_everywhere() -> None:
    texts = [
        f"{before}{one}{after}"
        for one in ASSIGNMENTS
        for before in ("", "x ", "x_", "é-")
        for after in ("", "\n", " key=")
    ]
    different = []
    for where, markers, source in PATTERNS:
        for text in texts if where == BEGINNING else ():
            found = [match.span() for match in matches(TextView(text), where, markers, source)]
            if found != [match.span() for match in re.finditer(source, text)]:
                different.append((text, source))
    assert different == []
