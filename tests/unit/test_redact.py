"""Secrets never reach the store (MB-28, GK-11), and ordinary text passes unchanged."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jotsam.pipeline.redact
from jotsam.pipeline.redact import fingerprint, redact

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

HARMLESS = [
    "",
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
    "a" * 1_000_000,
    "-" * 1_000_000,
    "eyJ" * 333_333,
    "eyJaaaaaaaa." * 80_000,
    "sk-" * 333_333,
    "://" * 333_333,
    "://x:" + "a" * 1_000_000,
    'token="' * 140_000,
    "token=" * 160_000,
    "token" + " " * 1_000_000,
    "secret='" + "\\" * 1_000_000,
    "-----BEGIN PRIVATE KEY-----" * 37_000,
    "-----BEGIN PRIVATE KEY-----" + "a " * 500_000,
    "<jotsam-memory>" * 66_000,
    "<private>" * 110_000,
    "<pri" * 40_000 + "<private>" + "</private>vate>" * 40_000,
]

PIECES = [text for text, _ in SECRETS] + HARMLESS
PIECES += ["<private>", "</private>", "<pri", "vate>", "<jotsam-memory a=1>", "</jotsam-memory>", "[redacted:secret]"]
PIECES += ["abcdefgh12345678", "password", "API_KEY", "sk-", "eyJ", "token=", "://", *"\"'=: \n-@"]


@pytest.mark.parametrize(("text", "expected"), SECRETS)
def test_a_secret_is_replaced_and_its_surroundings_stay(text: str, expected: str) -> None:
    """MB-28, GK-11: the secret goes, the name of the variable stays, the placeholder says what kind it was."""
    assert redact(text) == (expected, 1)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_talks_about_secrets_is_unchanged(text: str) -> None:
    assert redact(text) == (text, 0)


def test_every_secret_is_counted() -> None:
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
    """A private block counts as a secret; what Jotsam itself recalled does not."""
    assert redact(text) == (expected, count)


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=12))
def test_redacting_twice_changes_nothing_more(pieces: list[str]) -> None:
    once, _ = redact("".join(pieces))
    assert redact(once) == (once, 0)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:20])
def test_a_hostile_megabyte_is_read_in_linear_time(text: str) -> None:
    """A pattern that reads a run twice would take hours here."""
    once, _ = redact(text)
    assert redact(once) == (once, 0)


def test_importing_loads_nothing_and_a_plain_text_needs_no_regular_expressions() -> None:
    """The room is imported on the way to every accepted text, in a process that has just started."""
    program = (
        "import sys; before = set(sys.modules); from jotsam.pipeline.redact import redact;"
        "redact('A key idea: the task-based plan, see https://example.com/a and me@example.com.');"
        "print(sorted(set(sys.modules) - before - {'jotsam', 'jotsam.pipeline', 'jotsam.pipeline.redact'}))"
    )
    source = Path(jotsam.pipeline.redact.__file__).parents[2]
    command = [sys.executable, "-S", "-c", program]
    run = subprocess.run(command, env={"PYTHONPATH": str(source)}, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "['__future__']"


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
]


@pytest.mark.parametrize(("secret", "kind"), PROVIDERS)
def test_the_keys_of_known_providers_are_taken_out_and_their_kind_stays(secret: str, kind: str) -> None:
    """GK-11."""
    assert redact(f"Use {secret} here.") == (f"Use [redacted:{kind}] here.", 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "https://hooks." + "slack.com/services/T0000/B0000/abcdXXXXXXXX",
            "https://hooks.slack.com/services/[redacted:slack-webhook]",
        ),
        ("AccountKey=" + "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2U==", "AccountKey=[redacted:azure-key]"),
        ("Authorization: Basic dXNlcjpwYXNzd29yZDEyMw==", "Authorization: Basic [redacted:basic-login]"),
        ("Cookie: sessionid=abcdef0123456789", "Cookie: [redacted:cookie]"),
    ],
)
def test_the_place_of_a_secret_stays(text: str, expected: str) -> None:
    assert redact(text) == (expected, 1)


@pytest.mark.parametrize(
    "text",
    [
        "task SKU and ACID, ASKING",
        "the npm_config of hf_hub and gsk_",
        "a basic authorization: none",
        "glpat-short",
        "SG. Miller",
    ],
)
def test_words_that_only_begin_like_a_key_stay(text: str) -> None:
    assert redact(text) == (text, 0)


def test_what_is_allowed_stays_and_everything_else_goes() -> None:
    one, two = PROVIDERS[2][0], PROVIDERS[3][0]
    assert redact(f"{one} {two}", allowed=frozenset([fingerprint(one)])) == (f"{one} [redacted:npm-token]", 1)
