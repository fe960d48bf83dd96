"""The guards of docs/security.md: each taken out as one fault, with the test that must find it.

`python -m tools.mutate --only guard:` runs them. tests/docs/test_security.py compares this table with the page. `KEPT`
has guards of no claim there: they keep a worker and a server running.
"""

from __future__ import annotations

from tools.guard import CONFORMANCE, SQLITE, SURFACES, UNIT, WEB, Guard
from tools.server_guards import OF_SERVERS

IDENTITY, OWN_FILES, FENCE = "core/project_identity.py", "core/own_files.py", "core/fence.py"
PIPES, PLATFORM_FILES = "core/platform/pipes.py", "core/platform/files.py"
SIGN_IN = "surfaces/cli/operate/sign_in_page.py"

HOSTILE = f"{SURFACES}/test_project_memory.py::test_no_hostile_place_reads_or_writes_the_memory_of_a_victim"
REFERS_BACK = (
    f"{UNIT}/test_project_identity.py::test_a_dot_git_file_gives_access_to_nothing_unless_the_git_directory_refers_back"
)
NEWER_CLONE = f"{SURFACES}/test_project_memory.py::test_a_clone_that_is_newer_than_a_label_does_not_get_it"
LABEL_OF_ANOTHER = f"{CONFORMANCE}/test_projects.py::test_a_key_is_never_taken_for_the_label_of_another"
NAME_IN_FILE = f"{UNIT}/test_project_identity.py::test_a_name_in_a_project_file_is_never_another_key"
PROJECT_FILE = f"{UNIT}/test_project_identity.py::test_a_project_file_chooses_no_database_and_switches_nothing_on"
OWN_PROJECT = f"{SURFACES}/test_mcp_tools.py::test_a_setting_keeps_what_is_read_in_the_own_project"
COMMIT = f"{SURFACES}/test_hook_git.py::test_a_commit_whose_author_is_called_user_is_not_the_user"
OUR_FENCE = f"{UNIT}/test_fence.py::test_a_tag_and_its_look_alikes_are_escaped"
OTHER_MARKS = f"{UNIT}/test_fence.py::test_control_marks_of_other_systems_and_forged_lines_are_escaped"
INVISIBLE = f"{UNIT}/test_fence.py::test_invisible_characters_are_shown"
RESTORED = f"{UNIT}/test_fence.py::test_what_is_escaped_is_restored_exactly_and_harmless"
ORIGIN = f"{CONFORMANCE}/test_brief.py::test_a_line_says_where_it_is_from"

REPOSITORY = [
    Guard(
        "a project file names the project of another",
        "core/settings.py",
        "else key, label[0]\n",
        "else label[0], label[0]\n",
        HOSTILE,
    ),
    Guard("the remote is not in the key", IDENTITY, "return known\n", "return known.rpartition('/')[2]\n", HOSTILE),
    Guard(
        "a worktree that does not refer back belongs",
        IDENTITY,
        'is_worktree and _same(_pointed(os.path.join(git_dir, "gitdir")), link)',
        "is_worktree",
        REFERS_BACK,
    ),
    Guard("a made up administrative folder belongs", IDENTITY, "common if is_worktree and", "common if", REFERS_BACK),
    Guard(
        "a submodule that does not refer back belongs",
        IDENTITY,
        'return git_dir if worktree and _same(os.path.join(git_dir, worktree), os.path.dirname(link)) else ""',
        "return git_dir",
        REFERS_BACK,
    ),
    Guard(
        "a link to a git directory belongs", IDENTITY, "    if os.path.islink(link):\n", "    if False:\n", REFERS_BACK
    ),
    Guard(
        "a clone gets a label that is older than it",
        "memory/sessions/project_session.py",
        "made is None or made > max(times)",
        "made is None",
        NEWER_CLONE,
    ),
    Guard(
        "a key is looked up as a label",
        "storage/memories/projects.py",
        "if is_key(name) or tx.one",
        "if tx.one",
        LABEL_OF_ANOTHER,
    ),
    Guard("a label has a slash", "core/settings.py", "is_key(value)", "False", NAME_IN_FILE),
    Guard(
        "a project file sets what the user's file may set",
        "core/settings.py",
        "PROJECT_FIELDS, PROJECT_FILE_BYTES",
        "Settings._fields, PROJECT_FILE_BYTES",
        PROJECT_FILE,
    ),
    Guard(
        "a project file switches on",
        "core/settings.py",
        'if name in SWITCHES and value != "off" and',
        "if False and",
        PROJECT_FILE,
    ),
    Guard(
        "MCP searches another project",
        "surfaces/mcp/own_project.py",
        "if project and _key(jot, project) != own:",
        "if False:",
        OWN_PROJECT,
    ),
    Guard(
        "MCP searches all projects",
        "surfaces/mcp/own_project.py",
        "    return own\n\n\ndef is_readable",
        "    return project\n\n\ndef is_readable",
        OWN_PROJECT,
    ),
    Guard(
        "MCP reads an id of another project",
        "surfaces/mcp/own_project.py",
        "item.project in (None, own)",
        "True",
        OWN_PROJECT,
    ),
    Guard(
        "a commit is said by its author",
        "agents/git/commits.py",
        'cut_name(f"git {author}".strip(), limit=MAX_ID)',
        "author",
        COMMIT,
    ),
    Guard("the fence is not escaped", FENCE, 'rf"[<\\[{{](?=[\\s/{_IGNORABLE}]*{_OURS})",', "", OUR_FENCE),
    Guard(
        "look-alikes are not escaped",
        FENCE,
        "text if text.isascii() else text.translate(_alphabet())",
        "text",
        OUR_FENCE,
    ),
    Guard("marks of chat formats are not escaped", FENCE, 'rf"<(?={_SLASH}(?:{_TAGS})(?![a-z0-9]))",', "", OTHER_MARKS),
    Guard(
        "a forged footer is not escaped",
        FENCE,
        'rf"{_LINE}\\((?=returned \\d|not known yet|nothing found|nothing here speaks)",',
        "",
        OTHER_MARKS,
    ),
    Guard(
        "invisible characters are not escaped",
        FENCE,
        'rf"[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f{_IGNORABLE}]|\\r(?!\\n)",',
        "",
        INVISIBLE,
    ),
    Guard(
        "what looks as an escape is not escaped",
        FENCE,
        'r"\\{(?=U\\+[0-9A-F]{4,6}\\})",  # what an escape looks like',
        "",
        RESTORED,
    ),
    Guard(
        "an escaped text is not restored",
        FENCE,
        "_ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)",
        "text",
        RESTORED,
    ),
    Guard(
        "a line does not say who said it",
        FENCE,
        'found = part(source or "", limit), part(actor or "", limit)',
        'found = part(source or "", limit), ""',
        ORIGIN,
    ),
    Guard(
        "a line does not say which project it is from",
        FENCE,
        "if project and project != home else",
        "if False else",
        ORIGIN,
    ),
]

OPEN_MASK = f"{SQLITE}/test_database.py::test_only_the_owner_can_read_anything_of_it"
BACKUP_MODE = f"{SQLITE}/test_backup_file.py::test_named_backups_are_private_and_only_the_newest_are_kept"
OWN_SPOOL = f"{SURFACES}/test_hook.py::test_a_hook_spools_its_turn_instead_of_creating_the_database"
EXPORT_MODE = f"{SQLITE}/test_files_of_others.py::test_what_this_user_left_is_used_again"
LEFT_ALONE = f"{SQLITE}/test_files_of_others.py::test_what_another_user_made_is_left_as_it_is"
OTHER_PIPE = f"{SQLITE}/test_files_of_others.py::test_a_pipe_of_another_user_gets_no_export"
OTHER_SPOOL = f"{SQLITE}/test_files_of_others.py::test_a_turn_that_another_user_spools_is_not_stored"
OWN_PIPE = f"{SQLITE}/test_notify.py::test_only_its_owner_can_use_the_pipe"
RUN_FOLDER = f"{SQLITE}/test_notify.py::test_a_run_folder_that_others_can_use_is_not_used_and_waiting_polls"
NO_LINK = f"{SURFACES}/test_cli_dashboard.py::test_another_user_of_the_machine_finds_no_link_while_the_browser_starts"
OWN_PAGE = (
    f"{SURFACES}/test_cli_dashboard.py::test_the_browser_gets_a_page_of_its_owner_that_is_gone_once_the_link_was_used"
)
OWN_FOLDER = f"{SURFACES}/test_cli_dashboard.py::test_a_folder_that_others_can_write_to_gets_no_page"
ONCE = f"{WEB}/test_sign_in.py::test_a_link_works_once"

OTHER_USERS = [
    Guard(
        "a database is made with the mask of the process",
        "storage/sqlite/sqlite_file.py",
        "os.O_RDWR, 0o600",
        "os.O_RDWR, 0o666",
        OPEN_MASK,
    ),
    Guard(
        "a log is made with the mask of the process",
        OWN_FILES,
        "_SAFELY, 0o600)\n    try:",
        "_SAFELY, 0o666)\n    try:",
        OPEN_MASK,
    ),
    Guard(
        "a backup is made with the mask of the process",
        "storage/sqlite/sqlite_backup.py",
        "os.O_RDWR, 0o600",
        "os.O_RDWR, 0o666",
        BACKUP_MODE,
    ),
    Guard(
        "a spooled turn is made with the mask of the process",
        "ingest/spool.py",
        "os.O_EXCL, 0o600",
        "os.O_EXCL, 0o666",
        OWN_SPOOL,
    ),
    Guard(
        "an export is made with the mask of the process",
        OWN_FILES,
        "files.BINARY, 0o600)",
        "files.BINARY, 0o666)",
        EXPORT_MODE,
    ),
    Guard("a file of another user is used", OWN_FILES, "found.st_uid not in _trusted(beside)", "False", LEFT_ALONE),
    Guard("a link is followed", OWN_FILES, "if stat.S_IFMT(found.st_mode) != kind:", "if False:", LEFT_ALONE),
    Guard("a second name of a file is written", OWN_FILES, "and found.st_nlink > 1", "and False", LEFT_ALONE),
    Guard(
        "a pipe of another user gets the export",
        "core/new_file.py",
        "own_files.check_device(out.fileno(), path)",
        "pass",
        OTHER_PIPE,
    ),
    Guard(
        "a spool of another user is read",
        "ingest/spool.py",
        "return own_files.problem(place, kind=stat.S_IFDIR, beside=place.removesuffix(SPOOL))",
        "return None",
        OTHER_SPOOL,
    ),
    Guard("any user may open the pipe", PIPES, "os.mkfifo(path, 0o600)", "os.mkfifo(path, 0o666)", OWN_PIPE),
    Guard(
        "a run folder of another user is used",
        PLATFORM_FILES,
        "and is_own(found) and not",
        "and not",
        RUN_FOLDER,
    ),
    Guard(
        "a run folder that others can open is used",
        PLATFORM_FILES,
        " and not (HAS_MODES and found.st_mode & 0o077)",
        "",
        RUN_FOLDER,
    ),
    Guard(
        "the link is an argument of the browser",
        SIGN_IN,
        "webbrowser.open(path.as_uri())",
        "webbrowser.open(link)",
        NO_LINK,
    ),
    Guard(
        "others can read the page with the link",
        SIGN_IN,
        "files.NO_FOLLOW, 0o600)",
        "files.NO_FOLLOW, 0o644)",
        OWN_PAGE,
    ),
    Guard("the page is in a folder of others", SIGN_IN, "if not files.is_private(found):", "if False:", OWN_FOLDER),
    Guard("a link works twice", "memory/access/sign_ins.py", "tokens.use_up(tx, id=found.token)", "found", ONCE),
]

UNKNOWN_KIND = (
    f"{CONFORMANCE}/test_loop.py::test_a_kind_without_a_handler_is_given_back_and_done_by_a_worker_that_has_it"
)
RULE = f"{CONFORMANCE}/test_failed_rules.py::test_a_memory_is_enriched_with_what_the_other_rules_find"
UNREAD_LOG = f"{SURFACES}/test_unread_log.py::test_requests_are_answered_while_nothing_reads_the_log"

KEPT = [
    Guard(
        "a job of an unknown kind is buried",
        "queueing/outcomes.py",
        "queue.release(tx, job, error=message, delay_ms=delay_ms, spend=False)\n\n\ndef _pause",
        'queue.bury(tx, job, error=message, trace="")\n\n\ndef _pause',
        UNKNOWN_KIND,
    ),
    Guard(
        "a rule that fails costs the whole text",
        "pipeline/extraction/extract.py",
        "except RULE_ERRORS as error:",
        "except ZeroDivisionError as error:",
        RULE,
    ),
    Guard(
        "a log that nothing reads stops the server",
        "admin/logs.py",
        "UnreadHandler(sys.stderr) if never_waits else ",
        "",
        UNREAD_LOG,
    ),
]

GUARDS = [*REPOSITORY, *OTHER_USERS, *OF_SERVERS, *KEPT]
