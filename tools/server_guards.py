"""The guards of docs/security.md against those who use a server or run it, and against a provider of a model."""

from __future__ import annotations

from tools.guard import CONFORMANCE, POSTGRES, SQLITE, SURFACES, UNIT, WEB, Guard

ACCESS, TOKENS, SITE = "surfaces/http/requests/access.py", "memory/access/tokens.py", "surfaces/web/site.py"
MIGRATIONS = "storage/sql/postgres/migrations"
TENANT = "tenant = nullif(current_setting('jotsam.tenant', true), '')"

REVOKED = f"{SURFACES}/test_http_tokens.py::test_a_token_is_refused_as_soon_as_it_is_revoked_and_its_use_is_noted"
EXPIRED = f"{CONFORMANCE}/test_api_tokens.py::test_a_token_is_refused_as_soon_as_it_is_revoked_or_has_expired"
RATE = f"{SURFACES}/test_http_tokens.py::test_a_token_beyond_its_rate_gets_the_time_to_try_again"
BODY = f"{SURFACES}/test_http_tokens.py::test_a_body_beyond_the_limit_of_its_token_is_refused"
SCOPE = f"{SURFACES}/test_operator_scope.py::test_each_route_and_page_needs_the_scope_that_it_must_have"
GRANTS = f"{SURFACES}/test_operator_scope.py::test_a_token_grants_and_revokes_at_most_its_own_scope"
HASH = f"{CONFORMANCE}/test_api_tokens.py::test_a_token_is_found_by_its_text_and_only_its_hash_is_stored"
LOG = f"{SURFACES}/test_http_metrics.py::test_the_log_says_who_asked_what_and_holds_no_secret_and_no_text"
AUDIT = f"{SURFACES}/test_http_tokens.py::test_each_request_that_changes_something_is_in_the_audit_and_no_other"
COOKIE = f"{WEB}/test_sign_in.py::test_a_cookie_is_no_token_of_the_api"
COOKIE_OPTIONS = f"{WEB}/test_sign_in.py::test_only_this_machine_gets_a_cookie_over_plain_http"
FORM = f"{WEB}/test_sign_in.py::test_a_form_without_the_token_of_its_sign_in_is_refused"
SCRIPT = f"{WEB}/test_sign_in.py::test_pages_allow_no_script_but_their_own"

STOLEN_TOKEN = [
    Guard("a revoked token is accepted", TOKENS, "revoked_at is None and (", "(", REVOKED),
    Guard("an expired token is accepted", TOKENS, "(expires_at is None or expires_at > now)", "True", EXPIRED),
    Guard("a token has no rate", ACCESS, "if wait_ms is not None:", "if False:", RATE),
    Guard(
        "a token has no limit of a body",
        "surfaces/http/app.py",
        'getattr(principal, "max_bytes", None) or 1 << 62',
        "1 << 62",
        BODY,
    ),
    Guard(
        "a token has every scope", ACCESS, "if route.scope and route.scope not in principal.scopes:", "if False:", SCOPE
    ),
    Guard("a page needs no scope", SITE, "if route.scope not in principal.scopes:", "if False:", SCOPE),
    Guard("a token creates a stronger one", ACCESS, "    if scope not in principal.scopes:", "    if False:", GRANTS),
    Guard(
        "the secret of a token is stored",
        TOKENS,
        "return hashlib.sha256(secret.encode()).digest()",
        "return secret.encode()",
        HASH,
    ),
    Guard(
        "the log has the query of a request",
        "surfaces/http/app.py",
        "route=route.path,\n",
        "route=str(request.url),\n",
        LOG,
    ),
    Guard("a change is not audited", ACCESS, 'route.scope != "read" and route.method != "GET"', "False", AUDIT),
    Guard("a cookie is a token of the API", TOKENS, ' or row["purpose"] != purpose', "", COOKIE),
    Guard(
        "a cookie goes over plain HTTP",
        "surfaces/web/cookies.py",
        "host_name(host) not in LOOPBACK",
        "False",
        COOKIE_OPTIONS,
    ),
    Guard(
        "a script reads the cookie", "surfaces/web/cookies.py", '"httponly": True', '"httponly": False', COOKIE_OPTIONS
    ),
    Guard("a form needs no token", SITE, "if not cookies.is_form_token(", "if False and cookies.is_form_token(", FORM),
    Guard("a page runs any script", SITE, "script-src 'self'; ", "script-src 'self' 'unsafe-inline'; ", SCRIPT),
]

NO_CALL = f"{POSTGRES}/test_tenant_isolation.py::test_no_call_reads_or_changes_what_is_another_tenants"
NO_ROUTE = f"{SURFACES}/test_http_tenants.py::test_no_route_reads_or_changes_what_another_tenant_has"
EVERY_QUERY = f"{UNIT}/test_sql_tenant.py::test_every_query_of_memory_has_the_tenant"
OWN_ROWS = (
    f"{POSTGRES}/test_row_level_security.py::test_a_transaction_sees_its_own_tenant_alone_and_without_a_tenant_nothing"
)
NO_CHANGE = f"{POSTGRES}/test_row_level_security.py::test_a_tenant_changes_and_deletes_no_row_of_another"
REFERENCES = (
    f"{POSTGRES}/test_row_level_security.py::test_a_row_refers_to_no_row_of_another_tenant_and_ids_cannot_be_probed"
)
TOKEN_POLICY = f"{POSTGRES}/test_tenant_isolation.py::test_the_setting_that_shows_tokens_lets_nobody_change_them"
NO_PAUSE = f"{SURFACES}/test_operator_scope.py::test_an_admin_can_neither_pause_for_others_nor_say_that_it_did"
NOTHING_SHOWN = f"{SURFACES}/test_operator_scope.py::test_nothing_of_the_server_is_shown_to_an_admin_of_its_own_tenant"
NO_STATUS = f"{SURFACES}/test_operator_scope.py::test_the_status_of_a_tenant_has_no_process_place_or_use_of_others"
JOBS = "from queue_job\nwhere (cast(:queue as text) is null or queue = :queue)\n"

TENANTS = [
    Guard(
        "jobs of all tenants are listed",
        "storage/sql/common/queue.sql",
        f"{JOBS}  and (cast(:tenant as text) is null or tenant = :tenant)\n",
        JOBS,
        NO_CALL,
    ),
    Guard(
        "projects of all tenants are listed",
        "storage/sql/common/projects.sql",
        "from project\nwhere tenant = :tenant\norder by key;",
        "from project\norder by key;",
        NO_ROUTE,
    ),
    Guard("a token is of any tenant", ACCESS, "jot.scoped(tenant=principal.tenant)", "jot.scoped()", NO_ROUTE),
    Guard("a query has no tenant", "storage/sql/common/facts.sql", "f.tenant = :tenant and ", "", EVERY_QUERY),
    Guard(
        "a policy shows all rows",
        f"{MIGRATIONS}/memory_0001_initial/5_tenant_isolation.sql",
        f"on memory using ({TENANT})",
        "on memory using (true)",
        OWN_ROWS,
    ),
    Guard(
        "a policy does not apply to the owner",
        f"{MIGRATIONS}/memory_0001_initial/5_tenant_isolation.sql",
        "alter table fact enable row level security, force row level security",
        "alter table fact enable row level security",
        NO_CHANGE,
    ),
    Guard(
        "a reference leads to any tenant",
        f"{MIGRATIONS}/memory_0001_initial/1_documents.sql",
        "  foreign key (archived_by, tenant) references memory (id, tenant) on delete set null (archived_by)\n",
        "  unique (id),\n  foreign key (archived_by) references memory (id) on delete set null\n",
        REFERENCES,
    ),
    Guard(
        "a lookup of tokens changes them",
        f"{MIGRATIONS}/memory_0003_operator_scope.sql",
        "for select\n",
        "",
        TOKEN_POLICY,
    ),
    Guard(
        "an admin pauses for all",
        "surfaces/web/pages/job_actions.py",
        '"operator" if is_shared else "write"',
        '"write"',
        NO_PAUSE,
    ),
    Guard(
        "a tenant sees the server",
        ACCESS,
        "scoped if principal.is_operator else tenant_client(scoped)",
        "scoped",
        NOTHING_SHOWN,
    ),
    Guard(
        "a tenant sees the use of all",
        "memory/status/tenant_view.py",
        "worker_pid=None, capture_off=(), replicas=(), spent=own,",
        "worker_pid=None, capture_off=(), replicas=(),",
        NO_STATUS,
    ),
]

DROPPED = f"{SQLITE}/test_dropped_bytes.py::test_no_byte_is_left_on_any_path_and_every_query_that_deletes_is_on_one"
DROPPED_THERE = f"{POSTGRES}/test_forget_vacuum.py::test_a_full_vacuum_leaves_no_byte_on_any_path"
MIRRORED = f"{CONFORMANCE}/test_mirror.py::test_each_change_reaches_the_engine"
PERSON = f"{CONFORMANCE}/test_forget_person.py::test_everything_of_a_person_goes_from_every_place_and_nothing_else"
LEFT = f"{CONFORMANCE}/test_forget_person.py::test_to_the_trash_it_can_be_undone_and_what_stays_is_told"
DATABASES = f"{SURFACES}/test_secrets_in_addresses.py::test_of_a_database"
MODELS = f"{SURFACES}/test_secrets_in_addresses.py::test_of_a_model"

OPERATOR = [
    Guard(
        "deleted bytes are not overwritten",
        "storage/sqlite/sqlite_connection.py",
        'pragma("secure_delete", 1)',
        'pragma("secure_delete", 0)',
        DROPPED,
    ),
    Guard(
        "a changed text keeps its words in the index",
        "memory/writing/update.py",
        "    updates.forget_versions(tx, number=number)\n",
        "",
        DROPPED,
    ),
    Guard(
        "dropped words stay in the index of a server",
        "storage/forgetting/erasure.py",
        "    search.unindex_many(tx, refs)\n",
        "",
        DROPPED_THERE,
    ),
    Guard(
        "an engine keeps what was forgotten",
        "worker/mirror.py",
        "engine.delete(job.tenant, batch.gone)",
        "pass",
        MIRRORED,
    ),
    Guard(
        "a person stays in a text that is not enriched",
        "memory/forgetting/forget_person.py",
        'has_words = self.finder.is_in_folded(text) or row["id"] in numbers',
        'has_words = row["id"] in numbers',
        PERSON,
    ),
    Guard(
        "a person stays in the trash",
        "memory/forgetting/forget_person.py",
        "for batch, part in found.trash:",
        "for batch, part in ():",
        PERSON,
    ),
    Guard(
        "a person stays in a queued command",
        "memory/forgetting/forget_person.py",
        "jobs += queue.forget_jobs(tx, found.jobs[begin : begin + PAGE])",
        "pass",
        PERSON,
    ),
    Guard(
        "the receipt does not say what is left",
        "memory/forgetting/forget_person.py",
        "for name, n in sorted(counts.items()) if n]",
        "for name, n in sorted(counts.items()) if False]",
        LEFT,
    ),
    Guard(
        "an address has its password",
        "core/dsn.py",
        'user = credentials.removesuffix("@").partition(":")[0]',
        'user = credentials.removesuffix("@")',
        DATABASES,
    ),
    Guard(
        "the address of a model has its key",
        "core/dsn.py",
        'map(_masked_parameter, query.split("&"))',
        'query.split("&")',
        MODELS,
    ),
]

NO_NETWORK = f"{SURFACES}/test_no_network.py::test_without_a_configured_server_no_process_connects_to_anything"
SECRETS = f"{UNIT}/test_redact_structures.py::test_each_secret_of_the_open_set_is_found"
NOT_SENT = f"{CONFORMANCE}/test_llm_extraction.py::test_no_request_to_the_model_has_a_secret"
FIELDS = (
    f"{CONFORMANCE}/test_redacted_fields.py::test_a_secret_in_a_descriptive_field_of_a_memory_is_redacted_and_recorded"
)
STORE_SECRETS = (
    f"{CONFORMANCE}/test_store.py::test_a_secret_is_refused_where_the_settings_say_so_and_nothing_else_is_changed"
)
CAP = (
    f"{CONFORMANCE}/test_llm_extraction.py::"
    "test_cost_is_reserved_before_the_call_and_jobs_over_the_daily_cap_wait_until_tomorrow"
)

MODEL_OF_SETTINGS = (
    'llm_url: str = ""  # OpenAI-compatible server for extraction, including `/v1`. Empty: no language model is used.\n'
    '    llm_model: str = ""'
)

AGENT = "models/agent_program.py"

PROVIDER = [
    Guard(
        "the reply of a model that called a tool is used",
        AGENT,
        'refusal=f"it asked for a tool ({tool}), and has none" if tool else ""',
        'refusal=""',
        f"{CONFORMANCE}/test_llm_by_agent.py::test_a_text_for_which_the_model_calls_a_tool_is_degraded_at_once",
    ),
    Guard(
        "an agent is given the files that a text names",
        AGENT,
        '_FILE_REFERENCE.sub("@ ", text)',
        "text",
        "tests/models/test_agent_program.py::test_a_file_that_the_text_names_is_not_added_to_the_prompt",
    ),
    Guard(
        "an agent is given the whole environment",
        AGENT,
        "if name in KEPT or name",
        "if True or name",
        "tests/models/test_agent_program.py::"
        "test_each_gets_the_prompt_on_standard_input_an_empty_folder_and_few_variables",
    ),
    Guard(
        "a model is asked that nobody configured",
        "core/settings.py",
        MODEL_OF_SETTINGS,
        'llm_url: str = "http://192.0.2.1:9/v1"\n    llm_model: str = "m"',
        NO_NETWORK,
    ),
    Guard(
        "structures are not read",
        "pipeline/redaction/redact.py",
        "if not may_hold_structures(view):",
        "if True:",
        SECRETS,
    ),
    Guard(
        "a text keeps its secrets",
        "ingest/redactor.py",
        "        text, secrets = self._redact(text)\n",
        "        secrets = self._redact(text)[1]\n",
        NOT_SENT,
    ),
    Guard(
        "the store keeps a secret that it is to refuse",
        "memory/writing/items.py",
        "for one in redactor.found:",
        "for one in redactor.found[:0]:",
        STORE_SECRETS,
    ),
    Guard(
        "a field keeps its secrets",
        "ingest/redactor.py",
        "        value, secrets = self._redact(value)\n",
        "        secrets = self._redact(value)[1]\n",
        FIELDS,
    ),
    Guard(
        "the cap has no effect",
        "storage/sql/common/ledger.sql",
        "daily_spend.tokens + excluded.tokens <= :most_tokens and ",
        "",
        CAP,
    ),
]

OF_SERVERS = [*STOLEN_TOKEN, *TENANTS, *OPERATOR, *PROVIDER]
