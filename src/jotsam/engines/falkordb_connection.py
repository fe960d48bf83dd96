"""A connection to FalkorDB: its address, its queries and its errors. No other module imports the library.

Values reach the server as parameters, never as text in a query. Making a connection connects nowhere.
"""

from __future__ import annotations

from threading import Lock

from jotsam.core.errors import BuryJob, InvalidInput, JotsamError, ProviderUnavailable, Refused, RetryJob, install_extra
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

PLAIN, TLS = "falkordb://", "falkordbs://"
DEFAULT_PORT, MAX_PORT = 6379, 65_535
TIMEOUT_MS = 60_000
MISSING_GRAPH = "empty key"  # the part of the server's message that says that a graph does not exist
MODULE = "graph"  # the name under which FalkorDB is loaded into Redis

# What the name or the text of an error contains if a server cannot work at present, and what to do then.
UNAVAILABLE = (
    ("BusyLoadingError", "it is loading its data: wait"),
    ("AuthenticationError", "it refuses the password or the user name: give the right ones"),
    ("NoPermissionError", "the user may not run this command: grant it GRAPH.* and INFO on these graphs"),
    ("ReadOnlyError", "it is a read-only replica: give the address of the primary"),
    ("MasterDownError", "it is a replica without its primary: give the address of the primary"),
    ("MISCONF", "it refuses writes because it cannot save its data: free disk space on its machine"),
    ("OutOfMemoryError", "its memory is full: raise its maxmemory"),
    ("unknown command", "it is a Redis without FalkorDB: load falkordb.so, or give the address of a FalkorDB"),
    ("MaxClientsError", "it has too many clients: raise its maxclients"),
    ("Max pending queries", "it has too many queries waiting: wait"),
    ("Query timed out", "a query exceeded its TIMEOUT: raise it with GRAPH.CONFIG SET TIMEOUT_MAX and TIMEOUT_DEFAULT"),
)


class Address(Record):
    """Where a FalkorDB is. `graph` is empty unless the address names one."""

    host: str
    port: int
    tls: bool
    username: str | None
    graph: str

    def shown(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{TLS if self.tls else PLAIN}{host}:{self.port}"


def parse_address(text: str) -> Address:
    """`falkordb://[USER@]HOST[:PORT][/GRAPH]`, or `falkordbs://...` for TLS. Raises `InvalidInput`.

    A password is not part of an address, because addresses are shown, stored and logged.
    """
    scheme = next((scheme for scheme in (PLAIN, TLS) if text.startswith(scheme)), None)
    if scheme is None:
        raise InvalidInput("invalid address of FalkorDB: must be falkordb://HOST:PORT, with TLS falkordbs://HOST:PORT")
    place, _, graph = text.removeprefix(scheme).partition("/")
    credentials, at, place = place.rpartition("@")
    if ":" in credentials:
        raise InvalidInput("invalid address of FalkorDB: it must not contain a password; give the password apart")
    if place.startswith("["):
        host, _, port = place[1:].partition("]")
        port = port.removeprefix(":")
    else:
        host, _, port = place.partition(":")
    if not host or not (port or "0").isdecimal() or int(port or DEFAULT_PORT) not in range(1, MAX_PORT + 1):
        raise InvalidInput(f"invalid address of FalkorDB {place!r}: must be a host and a port from 1 to {MAX_PORT:,}")
    return Address(
        host=host,
        port=int(port or DEFAULT_PORT),
        tls=scheme == TLS,
        username=credentials if at and credentials else None,
        graph=graph,
    )


class Connection:
    """Runs queries on the graphs of one server. Thread-safe; it connects at the first query, and again after a cut."""

    def __init__(
        self, address: str, *, password: str | None = None, ca_file: str | None = None, timeout_ms: int = TIMEOUT_MS
    ) -> None:
        self.address = parse_address(address)
        self._password, self._ca_file, self._timeout = password, ca_file, timeout_ms / 1_000
        self._client: Any = None
        self._lock = Lock()

    def query(self, graph: str, text: str, parameters: Mapping[str, object] | None = None) -> list[list[Any]]:
        """Rows of a query that may write. It creates the graph if it does not exist."""
        values = {name: _storable(value) for name, value in (parameters or {}).items()}
        return self._run(lambda client: client.select_graph(graph).query(text, values).result_set)  # type: ignore[no-any-return]

    def read_rows(
        self, graph: str, text: str, parameters: Mapping[str, object] | None = None
    ) -> list[list[Any]] | None:
        """Rows of a query that only reads, or None if the graph does not exist."""
        values = {name: _storable(value) for name, value in (parameters or {}).items()}
        try:
            return self._run(lambda client: client.select_graph(graph).ro_query(text, values).result_set)  # type: ignore[no-any-return]
        except Refused as error:
            if MISSING_GRAPH in str(error):
                return None
            raise

    def create_index(self, graph: str, label: str, name: str) -> None:
        """Create an index on a property of the nodes of a label, unless another process has done it."""
        try:
            self.query(graph, f"create index for (n:{label}) on (n.{name})")
        except Refused as error:
            if "already indexed" not in str(error):
                raise

    def graphs(self) -> list[str]:
        return [str(name) for name in self._run(lambda client: client.list_graphs())]

    def delete_graph(self, graph: str) -> None:
        """Delete a graph, if it exists."""
        try:
            self._run(lambda client: client.select_graph(graph).delete())
        except Refused as error:
            if MISSING_GRAPH not in str(error):
                raise

    def version(self) -> str:
        """The version of FalkorDB, such as 4.16.3; empty if the user may not ask for it."""
        self.graphs()
        try:
            modules = self._run(lambda client: client.execute_command("MODULE", "LIST"))
        except ProviderUnavailable as error:
            if type(error.__cause__).__name__ == "NoPermissionError":
                return ""
            raise
        found = [dict(zip(module[::2], module[1::2], strict=False)) for module in modules]
        number = next((int(module["ver"]) for module in found if module.get("name") == MODULE), 0)
        return f"{number // 10_000}.{number // 100 % 100}.{number % 100}" if number else ""

    def close(self) -> None:
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _run(self, call: Any) -> Any:
        from redis import exceptions

        try:
            return call(self._connected())
        except (exceptions.RedisError, OSError) as error:
            raise self._explained(error) from error
        except ValueError as error:  # The library reads an answer that another kind of server gave.
            raise BuryJob(f"FalkorDB at {self.address.shown()} gave an answer that cannot be read: {error}") from error

    def _connected(self) -> Any:
        with self._lock:
            if self._client is None:
                self._client = self._connect()
            return self._client

    def _connect(self) -> Any:
        from falkordb import FalkorDB
        from redis.backoff import NoBackoff
        from redis.retry import Retry

        return FalkorDB(
            host=self.address.host,
            port=self.address.port,
            username=self.address.username,
            password=self._password,
            ssl=self.address.tls,
            ssl_ca_certs=self._ca_file,
            ssl_check_hostname=self.address.tls,
            socket_timeout=self._timeout,
            socket_connect_timeout=self._timeout,
            socket_keepalive=True,
            # A connection that the server has closed since is replaced before use. A job is retried by its queue.
            retry=Retry(NoBackoff(), 0),
            encoding_errors="replace",
        )

    def _explained(self, error: Exception) -> JotsamError:
        from redis import exceptions

        place, said = f"FalkorDB at {self.address.shown()}", str(error).rstrip(".")
        named = " ".join(kind.__name__ for kind in type(error).__mro__)
        for mark, advice in UNAVAILABLE:
            if mark in f"{named}: {said}":
                return ProviderUnavailable(f"{place} cannot be used: {advice}")
        if isinstance(error, exceptions.TimeoutError | TimeoutError):
            limit, tls = f"{self._timeout:g} s", ", and whether it speaks TLS" if self.address.tls else ""
            return ProviderUnavailable(f"{place} did not answer within {limit}: look whether it is overloaded{tls}")
        if isinstance(error, exceptions.ConnectionError | OSError):
            return ProviderUnavailable(f"{place} cannot be reached: {said}; start it, or correct the address")
        if "exceeded capacity" in said:
            return RetryJob(f"{place} refused a query that needs too much memory: raise QUERY_MEM_CAPACITY ({said})")
        return Refused(f"{place} refused a query: {said}", status=0)


def check_library() -> None:
    """Raises `InvalidInput` if the library is not installed."""
    try:
        import falkordb  # noqa: F401
    except ImportError as error:
        raise InvalidInput(f"the library of FalkorDB is missing ({error}); {install_extra('falkordb')}") from error


def _storable(value: Any) -> Any:
    """A parameter without NUL, at which the server's parser ends. What a map has as None is left out, which is null."""
    if isinstance(value, str):
        return value.replace("\0", "\ufffd") if "\0" in value else value
    if isinstance(value, dict):
        return {name: _storable(one) for name, one in value.items() if one is not None}
    return [_storable(one) for one in value] if isinstance(value, list | tuple) else value
