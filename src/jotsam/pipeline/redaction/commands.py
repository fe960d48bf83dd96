"""Passwords in commands, code, SQL, XML, Terraform, `.netrc` and `.pgpass`: tables of patterns for `redact`.

The accept path imports this module, so it imports nothing at the start.
"""

from __future__ import annotations

from jotsam.pipeline.redaction.text_view import ANY_CASE, BEGINNING, TEXT

# A value as the argument of an option: no other option, variable, placeholder, port or pipe.
_ARGUMENT = r"[\"']?(?!\d+(?::\d+)?(?:[\s\"']|$))(?P<login>[^\s\"'$<>|&;(){}\[\]`-][^\s\"'<>`]{3,}+)"


_SAME_LINE = r"(?:[^\n]|(?<=\\)\n)"  # or the next one, after a backslash


def _option(begins: tuple[str, ...], command: str, options: str) -> tuple[str, tuple[str, ...], str]:
    """The argument of an option. The search ends where the command occurs again, so many of them take linear time."""
    return (BEGINNING, begins, rf"{command}(?:(?!{command}){_SAME_LINE}){{0,300}}?\s(?:{options})[ =]?{_ARGUMENT}")


_CURL = r"\bcurl\b"
_MYSQL = r"\b(?:mysql[a-z]{0,10}|mariadb[a-z-]{0,10})\b"

# Where a marker is, the markers, and the regular expression, as in `redact`.
COMMAND_PATTERNS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        BEGINNING,
        ("curl",),
        rf"{_CURL}(?:(?!{_CURL}){_SAME_LINE}){{0,300}}?\s(?:-u|--user)"
        r"[ =]?[\"']?[^\s:\"'=]{0,60}:(?P<login>[^\s\"']{3,}+)",
    ),
    (
        BEGINNING,
        ("mysql", "mariadb"),
        rf"{_MYSQL}(?:(?!{_MYSQL}){_SAME_LINE}){{0,300}}?"
        r"\s-p[\"']?(?P<login>[^\s\"'$<]{4,}+)",
    ),
    (BEGINNING, ("sshpass",), r"\bsshpass\s+-p\s?[\"']?(?P<login>[^\s\"']{4,}+)"),
    (BEGINNING, ("mysqladmin",), rf"\bmysqladmin\b[^\n]{{0,200}}?\spassword\s{_ARGUMENT}"),
    _option(("redis-cli",), r"\bredis-cli\b", "-a"),
    _option(("sqlcmd", "ipmitool"), r"\b(?:sqlcmd|ipmitool)\b", "-P"),
    _option(("mongo",), r"\bmongo(?:sh|dump|restore|export|import)?\b", "-p"),
    _option(("docker login", "podman login", "registry login"), r"\b(?:docker|podman|registry)\s+login\b", "-p"),
    _option(("az login",), r"\baz\s+login\b", "-p"),
    _option(("ldap",), r"\bldap(?:search|add|modify|delete|whoami|passwd|compare)\b", "-w"),
    _option(("zip ", "unzip "), r"\b(?:un)?zip\b", "-P"),
    _option(("plink", "pscp"), r"\b(?:plink|pscp)\b", "-pw"),
    _option(("http ", "https "), r"\bhttps?\b(?=[ \t])", r"(?:-a|--auth)[ =][\"']?[^\s:\"'=]{1,60}:"),
    _option(("smb", "rpcclient"), r"\b(?:smb[a-z]{2,8}|rpcclient)\b", r"(?:-U|--user)[ =]?[\"']?[^\s%\"']{1,60}%"),
    (BEGINNING, ("-storepass", "-keypass"), rf"-(?:store|key)pass\s+{_ARGUMENT}"),
    (BEGINNING, ("-pass",), rf"-pass(?:in|out)?\s+[\"']?pass:{_ARGUMENT}"),
    (
        BEGINNING,
        ("htpasswd",),
        rf"\bhtpasswd(?=[^\n]{{0,40}}?\s-[a-zA-Z]{{0,6}}b)(?:\s+-[a-zA-Z0-9]{{1,8}}){{1,4}}(?:\s+[^\s-]\S{{0,200}}){{1,2}}\s+{_ARGUMENT}",
    ),
    (BEGINNING, ("net user",), r"\bnet\s+user\s+[^\s/]{1,60}\s+[\"']?(?P<option>[^\s\"'/*<][^\s\"'<>]{4,}+)"),
    (
        BEGINNING,
        ("sqlplus", "sqlldr", "expdp", "impdp", "oracle:thin:"),
        r"(?:\b(?:sqlplus|sqlldr|expdp|impdp)(?:\s+-\w{1,10}){0,4}\s+[\"']?|oracle:thin:)[\w$#]{1,30}/"
        r"(?P<login>[^\s\"'/@$<]{3,}+)@",
    ),
    (
        BEGINNING,
        ("echo",),
        r"\becho\s+(?:-\w{1,3}\s+)?[\"']?[\w.-]{1,40}:(?P<login>[^\s\"'$]{4,}+)[\"']?\s{0,4}\|\s{0,4}(?:sudo\s+)?chpasswd",
    ),
    (
        BEGINNING,
        ("identified ",),
        r"(?i:\bidentified\s+(?:with\s+\S{1,40}\s+)?(?:by|as)\s+(?:password\s+)?)[\"'](?P<login>[^\"'\s]{4,200}+)[\"']",
    ),
    (
        BEGINNING,
        ("role ", "user ", "login "),
        r"(?i:\b(?:role|user|login)\s+[^\s;]{1,60}\s[^;\n]{0,80}?\bpassword\s{0,2}=?\s{0,2})'(?P<login>[^'\s]{4,200}+)'",
    ),
    (
        BEGINNING,
        ("auth",),
        r"\bauth\s?=\s?\(\s?[\"'][^\"'\n]{1,60}[\"'],\s{0,4}[\"'](?P<login>[^\"'\s]{4,200}+)[\"']",
    ),
    (
        BEGINNING,
        ("define",),
        r"\bdefine\s{0,2}\(\s{0,2}[\"']\w{0,30}(?i:passw(?:or)?d|secret|_key|_salt|token)\w{0,20}[\"']\s{0,2},\s{0,4}"
        r"(?:\"(?P<login>[^\"\n]{4,200}+)\"|'(?P<login_single>[^'\n]{4,200}+)')",
    ),
    (
        BEGINNING,
        ("--pass",),
        r"--pass(?:word|wd|phrase)?\s+[\"']?(?P<option>[^\s\"'`<>\[\]-][^\s\"'`<>\[\]]{3,}+)",
    ),
    (
        BEGINNING,
        ("<pass",),
        r"(?i:<pass(?:word|wd|phrase)>)(?P<login>[^<>\s]{4,200}+)</",
    ),
    (
        ANY_CASE,
        ("password ",),
        r"\bmachine\s+[^\s]{1,200}\s+login\s+[^\s]{1,200}\s+password\s+(?P<login>[^\s]{3,}+)",
    ),
    (
        ANY_CASE,
        ("secret>", "token>", "key>"),
        r"(?i:<(?:[\w.:-]{0,20}[._:-])?(?:client[_-]?secret|secret|(?:access|auth|api)?[_-]?token"
        r"|(?:api|secret|access|private)[_-]?key)>)"
        r"\s{0,8}(?P<told>[A-Za-z0-9_/+=.~-]{8,200}+)\s{0,8}</",
    ),
    (
        ANY_CASE,
        (" value=",),
        r"(?i:[\"'][\w.:-]{0,40}(?:passw(?:or)?d|secret|token|api-?_?key)[\"']\s{1,8}value=)[\"'](?P<option>[^\"'\s]{6,200}+)[\"']",
    ),
    (
        BEGINNING,
        ("variable",),
        r"\bvariable\s{1,4}\"[^\"\n]{0,60}(?i:passw(?:or)?d|secret|token|_key)[^\"\n]{0,30}\"\s{0,8}\{[^}]{0,400}?"
        r"\bdefault\s{0,12}=\s{0,4}\"(?P<option>[^\"\n]{6,200}+)\"",
    ),
    (
        ANY_CASE,
        (":543", ":6432:", ":*:"),
        r"(?m:^)[\w.*-]{1,200}:(?:543[0-9]|6432|\*):[\w*.-]{1,63}:[\w*.-]{1,63}:(?P<login>[^\s:]{4,200}+)(?m:$)",
    ),
    (TEXT, ("Private-Lines:",), r"Private-Lines: [0-9]{1,3}\s+(?P<private_key>(?:[A-Za-z0-9+/=]{16,}+\s?)++)"),
)
