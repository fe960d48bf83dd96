"""One file for each memory system: what is installed for it, and how it stores texts and answers a question.

`REQUIREMENTS` are installed with pip into an environment that nothing else shares, `DISTRIBUTION` is the one whose
version is told, and `ROWS` are the ways in which it is measured, each with the options of `Store`. `Store` imports the
system itself, so that the program that measures can read the rest without it. It gives the id of a text to the system
wherever that has room for one, and `ask` returns ids, best first. `store` returns when the system says that it keeps
the texts: a second process on the same folder must find them.
"""

import sqlite3
import sys


def load_extensions() -> None:
    """Use the SQLite of `pysqlite3` if that of Python was built without the loading of extensions."""
    if not hasattr(sqlite3.Connection, "enable_load_extension"):
        import pysqlite3

        sys.modules["sqlite3"] = pysqlite3
        sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2
