"""How an address is read and shown: a password is in no message, wherever it stands and whatever is in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotsam.core import dsn
from jotsam.core.errors import InvalidInput
from jotsam.core.settings import Settings

PLACE = "127.0.0.1:1/x"
SHOWN = {
    f"postgresql://ana:hunt#er2@{PLACE}": f"postgresql://ana@{PLACE}",
    f"postgresql://ana:hunt?er2@{PLACE}": f"postgresql://ana@{PLACE}",
    f"postgresql://ana:hunt@er2@{PLACE}": f"postgresql://ana@{PLACE}",
    f"postgresql://ana:hunt/er2@{PLACE}": f"postgresql://ana@{PLACE}",
    f"postgresql://ana:hu/nt?er2@{PLACE}": f"postgresql://ana@{PLACE}",
    f"postgresql://ana:hu?nt=e&r2@{PLACE}": f"postgresql://ana@{PLACE}",
    f"postgres://:hunter2@{PLACE}": f"postgres://{PLACE}",
    f"postgresql://{PLACE}?password=hunter2": f"postgresql://{PLACE}",
    f"postgresql://{PLACE}?sslpassword=hunter2&sslmode=require": f"postgresql://{PLACE}?sslmode=require",
    f"postgresql://{PLACE}?p%61ssword=hunter2": f"postgresql://{PLACE}",
    f"postgresql://{PLACE}?oauth_client_secret=hunter2": f"postgresql://{PLACE}?oauth_client_secret=...",
    f"postgresql://{PLACE}?hunter2": f"postgresql://{PLACE}?...",
    f"postgresql://ana@{PLACE}?passfile=/home/ana/.pgpass": f"postgresql://ana@{PLACE}?passfile=/home/ana/.pgpass",
    "postgresql://ana@/x?host=/a,/b&user=b@c&schema=s": "postgresql://ana@/x?host=/a,/b&user=b@c&schema=s",
    "postgresql://[::1]:1/x": "postgresql://[::1]:1/x",
    "postgresql://[::1": "postgresql://[::1",
    "/home/ana/a@b?c.db": "/home/ana/a@b?c.db",
    "http://bob:hunter2@127.0.0.1/v1?api_key=hunter2": "http://127.0.0.1/v1?api_key=...",
    "http://bob:hu@nt#er2@127.0.0.1/v1": "http://127.0.0.1/v1",
    "HTTPS://host/v1?api-version=2024-02-01&Key=hunter2": "HTTPS://host/v1?api-version=2024-02-01&Key=...",
    "https://host/v1?hunter2#hunter2": "https://host/v1?...",
    "https://bob:hunt?er2@host/v1": "https://host/v1",
    "https://host/sk-live-hunter2hunter2/v1": "https://host/.../v1",
    "https://host/token/hunter2/v1": "https://host/token/.../v1",
    "https://host/accounts/3f9a77c0b1d24e6f9a77c0b1d24e6f00/ai/v1": "https://host/accounts/.../ai/v1",
    "https://host/openai/deployments/gpt-4o-mini-2024-07-18": "https://host/openai/deployments/gpt-4o-mini-2024-07-18",
    "http://127.0.0.1:11434/v1/chat/completions": "http://127.0.0.1:11434/v1/chat/completions",
    f"postgresql://{PLACE}?options=-c%20app.key%3Dhunter2": f"postgresql://{PLACE}?options=...",
}


@pytest.mark.parametrize(("url", "shown"), SHOWN.items())
def test_an_address_is_shown_without_what_is_secret_in_it(url, shown):
    assert dsn.mask_address(url) == shown
    assert "hunter2" not in repr(Settings(db=url))


PASSWORD = st.text(st.sampled_from("zq:#?&=+~%."), min_size=4, max_size=12).map(lambda text: f"QZ{text}ZQ")


@given(PASSWORD)
def test_no_piece_of_a_password_that_the_library_reads_is_shown(password):
    url = f"postgresql://ana:{password}@db.example.org/app?sslmode=require&schema=s"
    assert dsn.mask_address(url) == "postgresql://ana@db.example.org/app?sslmode=require&schema=s"
    assert dsn.split_schema(url) == (f"postgresql://ana:{password}@db.example.org/app?sslmode=require", "s")


@given(st.text(st.sampled_from("zq:#?&=+~%./@"), min_size=1, max_size=12).map(lambda text: f"QZ{text}ZQ"))
def test_nor_of_one_that_it_misreads(password):
    assert "ZQ" not in dsn.mask_address(f"postgresql://ana:{password}@db.example.org/app")


@pytest.mark.parametrize("schema", ["a-b", "", "1a", "A", "a" * 49, "é", "a;drop table x"])
def test_a_schema_that_is_no_name_is_refused(schema):
    with pytest.raises(InvalidInput, match="invalid schema"):
        dsn.split_schema(f"postgresql:///x?schema={schema}")


def test_what_is_meant_by_a_sign_is_left_to_the_library():
    """A plus is a plus, and no space."""
    url = "postgresql:///x?options=-c%20a=b+c"
    assert dsn.split_schema(url) == (url, "jotsam")


@pytest.mark.parametrize("url", ["postgresql:/jotsam", "postgres:jotsam", "PostgreSQL:/x", "mysql://localhost/x"])
def test_what_looks_like_a_server_and_is_none_is_no_file(url):
    with pytest.raises(InvalidInput, match="postgresql://"):
        dsn.is_server(url)


@pytest.mark.parametrize("path", ["jotsam.db", "/a/b:c.db", "C:\\jotsam.db", "postgresql.db", "a://b"[:2]])
def test_a_path_is_a_file(path):
    assert not dsn.is_server(path)


@pytest.mark.parametrize(
    "text", ["host=db password=hunter2", "dbname=app", " user = ana", "x password=hunter2", "PORT=1"]
)
def test_the_keyword_form_is_refused_without_its_value(text):
    with pytest.raises(InvalidInput, match="keyword form") as refused:
        dsn.is_server(text)
    assert "hunter2" not in str(refused.value)


def test_a_message_is_shown_without_the_pieces_of_the_address_that_may_be_secret():
    url = "postgresql://ana:S3cr@t#zebra77@127.0.0.1:1/x"
    assert dsn.hide_secrets("failed to resolve host 't#zebra77@127.0.0.1'", url) == (
        "failed to resolve host '...@127.0.0.1'"
    )
    assert dsn.hide_secrets("user ana at 127.0.0.1", url) == "user ana at 127.0.0.1"
    assert (
        dsn.hide_secrets("no route /sk-live-zebra4711zebra", "https://h/sk-live-zebra4711zebra/v1") == "no route /..."
    )
    options = "postgresql://127.0.0.1:1/x?options=-c%20app.key%3Dzebra4711"
    assert dsn.hide_secrets("unrecognized parameter app.key=zebra4711", options) == "unrecognized parameter ..."
    assert dsn.hide_secrets("bad key k%2Fzebra or k/zebra", "http://h/v1?key=k%2Fzebra") == "bad key ... or ..."


def test_a_replica_has_everything_of_the_primarys_address_but_its_host():
    url = "postgresql://ana:a%40b@one:6432,two/app?target_session_attrs=read-write&read=%s&sslmode=require&schema=s"
    whole = "postgresql://ana:a%40b@/app?host=%s&sslmode=require&schema=s"
    own = "postgresql://reader:hunter2@three/app"
    expected = {
        "two": [("two", whole.replace("%s", "two"))],
        "two:5433": [("two:5433", whole.replace("%s", "two&port=5433"))],
        "[::1]:5433": [("[::1]:5433", whole.replace("%s", "%3A%3A1&port=5433"))],
        "%2Frun%2Fpg,::1": [("/run/pg", whole.replace("%s", "%2Frun%2Fpg")), ("::1", whole.replace("%s", "%3A%3A1"))],
        own.replace(":", "%3A").replace("/", "%2F").replace("@", "%40"): [("three", own)],
    }
    for value, replicas in expected.items():
        address = url.replace("%s", value)
        assert list(dsn.replicas(address)) == replicas, value
        assert dsn.split_schema(address)[0] == url.replace("read=%s&", "").replace("&schema=s", "")
        assert dsn.mask_address(address) == url.replace("read=%s&", "").replace(":a%40b", "")
        assert dsn.mask_with_replicas(address).endswith(f"&read={','.join(name for name, _ in replicas)}")
        if list(dsn.replicas(address)) == [("three", own)]:
            assert dsn.hide_secrets("three: hunter2", address) == "three: ..."
            assert "hunter2" not in repr(Settings(db=address))
    assert dsn.replicas("postgresql:///app") == ()


def test_a_replica_that_cannot_be_one_is_refused_without_a_secret():
    refused = ["", "two,", "two:0", "two:65536", "two:x", "two:", "[::1", "[::1]x", ":5433", "ana:hunter2@two"]
    for value in refused:
        with pytest.raises(InvalidInput, match="invalid replica") as error:
            dsn.replicas(f"postgresql://ana@one/app?read={value}")
        assert "hunter2" not in str(error.value), value
        assert dsn.mask_with_replicas(f"postgresql://ana@one/app?read={value}") == "postgresql://ana@one/app?read=..."
    with pytest.raises(InvalidInput, match="given twice"):
        dsn.replicas("postgresql:///app?read=two&read=three")
