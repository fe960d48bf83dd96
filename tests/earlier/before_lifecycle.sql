CREATE TABLE jotsam_migration (
  schema text not null,
  version integer not null,
  name text not null,
  fingerprint text not null,
  applied_at bigint not null,
  primary key (schema, version)
);
CREATE TABLE queue_job (
  id integer primary key autoincrement,
  queue text not null,
  tenant text not null,
  kind text not null,
  state text not null check (state in ('ready', 'leased', 'waiting', 'dead', 'blocked')),
  priority integer not null,
  place integer not null,
  lane text,
  parallel integer not null,
  wake_at integer,
  lease_ms integer not null,
  received integer not null default 0,
  failures integer not null default 0,
  interruptions integer not null default 0,
  max_receive integer not null,
  owner text,
  leased_at integer,
  error text,
  created_at integer not null,
  check ((wake_at is not null) = (state in ('leased', 'waiting')))
) strict;
CREATE TABLE queue_payload (
  job_id integer primary key,
  json text,
  bytes blob,
  progress real,
  note text,
  cancelled integer not null default 0
) strict;
CREATE TABLE queue_result (
  job_id integer primary key,
  json text not null,
  expires_at integer not null
) strict;
CREATE TABLE queue_key (
  queue text not null,
  tenant text not null,
  key text not null,
  job_id integer not null,
  expires_at integer not null,
  primary key (queue, tenant, key)
) strict, without rowid;
CREATE TABLE queue_attempt (
  job_id integer not null,
  received integer not null,
  queue text not null,
  tenant text not null,
  kind text not null,
  owner text,
  started_at integer not null,
  ended_at integer not null,
  outcome text not null check (outcome in ('done', 'cancelled', 'retry', 'released', 'dead', 'expired', 'interrupted')),
  error text,
  trace text,
  primary key (job_id, received)
) strict, without rowid;
CREATE TABLE queue_count (
  queue text not null,
  tenant text not null,
  kind text not null,
  hour integer not null,
  accepted integer not null default 0,
  done integer not null default 0,
  retried integer not null default 0,
  buried integer not null default 0,
  redriven integer not null default 0,
  discarded integer not null default 0,
  busy_ms integer not null default 0,
  primary key (queue, tenant, kind, hour)
) strict, without rowid;
CREATE TABLE queue_worker (
  owner text primary key,
  machine text not null,
  host text not null,
  pid integer not null,
  started text not null,
  seen_at integer not null
) strict, without rowid;
CREATE TABLE queue_control (
  queue text primary key,
  paused integer not null default 0,
  reason text,
  probe_at integer,
  trips integer not null default 0,
  fair integer not null default 0,
  place integer not null default 0
) strict, without rowid;
CREATE TABLE queue_tenant (
  queue text not null,
  tenant text not null,
  place integer not null,
  primary key (queue, tenant)
) strict, without rowid;
CREATE TABLE queue_clock (
  id integer primary key check (id = 1),
  seen_at integer not null,
  pruned_at integer not null default 0
) strict;
CREATE TABLE document (
  id integer primary key autoincrement,
  uuid text not null unique,
  tenant text not null,
  project text,
  source text,
  key text,
  actor text,
  session text,
  date integer,
  date_by text,
  job_id integer not null,
  created_at integer not null,
  cut_at integer,
  superseded_at integer,
  superseded_by integer references document (id) on delete set null,
  body text not null
) strict;
CREATE TABLE memory (
  id integer primary key autoincrement,
  uuid text not null unique,
  tenant text not null,
  project text,
  document_id integer references document (id) on delete cascade,
  position integer,
  line integer,
  section text not null default '',
  body text not null,
  summary text,
  type text,
  importance real check (importance between 0 and 1),
  confidence real check (confidence between 0 and 1),
  metadata text,
  actor text,
  session text,
  source text,
  said_at integer,
  valid_from integer,
  valid_until integer,
  external_id text,
  key text,
  job_id integer not null,
  created_at integer not null,
  version integer not null default 1,
  changed_at integer,
  enriched_at integer,
  superseded_at integer,
  superseded_by integer references memory (id) on delete set null,
  superseded_how text,
  extractor text,
  degraded text,
  awaits_model_since integer,
  rejected text,
  type_by text,
  importance_by text,
  confidence_by text
) strict;
CREATE TABLE memory_version (
  tenant text not null,
  memory_id integer not null references memory (id) on delete cascade,
  version integer not null,
  until integer not null,
  body text not null,
  type text,
  tags text not null,
  importance real,
  confidence real,
  metadata text,
  valid_from integer,
  valid_until integer,
  primary key (memory_id, version, tenant)
) strict, without rowid;
CREATE TABLE recall_count (
  tenant text not null,
  memory_id integer not null references memory (id) on delete cascade,
  recalls integer not null,
  recalled_at integer not null,
  primary key (memory_id, tenant)
) strict, without rowid;
CREATE TABLE memory_tag (
  tenant text not null,
  tag text not null,
  memory_id integer not null references memory (id) on delete cascade,
  extractor text,
  primary key (memory_id, tag, tenant)
) strict, without rowid;
CREATE TABLE metadata_index (
  tenant text not null,
  hash text not null,
  memory_id integer not null references memory (id) on delete cascade,
  primary key (tenant, hash, memory_id)
) strict, without rowid;
CREATE TABLE allowed_secret (
  tenant text not null,
  fingerprint text not null,
  reason text not null,
  created_at integer not null,
  primary key (tenant, fingerprint)
) strict, without rowid;
CREATE TABLE tombstone (
  tenant text not null,
  hash text not null,
  created_at integer not null,
  primary key (tenant, hash)
) strict, without rowid;
CREATE TABLE tombstone_key (
  tenant text not null,
  version integer not null,
  key text not null,
  primary key (tenant, version)
) strict, without rowid;
CREATE TABLE trash (
  tenant text not null,
  batch text not null,
  part integer not null,
  created_at integer not null,
  memories integer not null,
  documents integer not null,
  sample text not null,
  undo text not null,
  lines text not null,
  primary key (tenant, batch, part)
) strict;
CREATE TABLE kept_reply (
  tenant text not null,
  key text not null,
  fingerprint text not null,
  status integer not null,
  location text,
  body text not null,
  created_at integer not null,
  primary key (tenant, key)
) strict;
CREATE TABLE memory_block (
  tenant text not null,
  project text not null,
  actor text not null,
  name text not null,
  uuid text not null,
  body text not null,
  max_length integer not null,
  pinned integer not null,
  version integer not null,
  created_at integer not null,
  changed_at integer not null,
  primary key (tenant, project, actor, name)
) strict, without rowid;
CREATE TABLE redaction (
  id integer primary key autoincrement,
  tenant text not null,
  document_id integer references document (id) on delete cascade,
  memory_id integer references memory (id) on delete cascade,
  kind text not null,
  place text not null,
  fingerprint text,
  created_at integer not null
) strict;
CREATE TABLE date_range (
  memory_id integer not null references memory (id) on delete cascade,
  tenant text not null,
  first integer not null,
  until integer not null,
  primary key (memory_id, first, until, tenant)
) strict, without rowid;
CREATE TABLE entity (
  id integer primary key autoincrement,
  tenant text not null,
  category text not null,
  slug text not null,
  name text not null,
  canonical_id integer references entity (id) on delete set null,
  unique (tenant, category, slug)
) strict;
CREATE TABLE mention (
  tenant text not null,
  memory_id integer not null references memory (id) on delete cascade,
  entity_id integer not null references entity (id) on delete cascade,
  extractor text,
  confidence real,
  primary key (entity_id, memory_id, tenant)
) strict, without rowid;
CREATE TABLE title (
  tenant text not null,
  slug text not null,
  memory_id integer not null references memory (id) on delete cascade,
  primary key (tenant, slug, memory_id)
) strict, without rowid;
CREATE TABLE link (
  tenant text not null,
  source_id integer not null references memory (id) on delete cascade,
  target_id integer not null references memory (id) on delete cascade,
  type text not null,
  weight real not null,
  created_at integer not null,
  extractor text,
  properties text,
  primary key (source_id, type, target_id, tenant)
) strict, without rowid;
CREATE TABLE change_word (
  tenant text not null,
  word text not null,
  at integer not null,
  memory_id integer not null references memory (id) on delete cascade,
  primary key (tenant, word, at, memory_id)
) strict, without rowid;
CREATE TABLE pattern_terms (
  memory_id integer not null references memory (id) on delete cascade,
  tenant text not null,
  type text not null,
  terms text not null,
  primary key (memory_id, tenant)
) strict, without rowid;
CREATE TABLE pattern_lock (
  tenant text not null,
  type text not null,
  locked_at integer not null,
  primary key (tenant, type)
) strict, without rowid;
CREATE TABLE pattern (
  id integer primary key autoincrement,
  tenant text not null,
  type text not null,
  slug text not null,
  terms text not null,
  created_at integer not null,
  unique (tenant, type, slug)
) strict;
CREATE TABLE pattern_example (
  tenant text not null,
  pattern_id integer not null references pattern (id) on delete cascade,
  memory_id integer not null references memory (id) on delete cascade,
  at integer not null,
  primary key (pattern_id, memory_id, tenant)
) strict, without rowid;
CREATE TABLE fact (
  id integer primary key autoincrement,
  uuid text not null unique,
  tenant text not null,
  memory_id integer not null references memory (id) on delete cascade,
  subject text not null,
  predicate text not null,
  object text not null,
  subject_key text not null,
  object_key text not null,
  confidence real not null check (confidence between 0 and 1),
  valid_from integer,
  valid_until integer,
  extractor text not null,
  created_at integer not null,
  superseded_at integer,
  superseded_by integer references memory (id) on delete set null,
  superseded_how text
) strict;
CREATE TABLE llm_cache (
  tenant text not null,
  key text not null,
  body text not null,
  extractor text not null,
  created_at integer not null,
  used_at integer not null,
  memory_id integer references memory (id) on delete cascade,
  primary key (tenant, key)
) strict, without rowid;
CREATE TABLE ledger (
  id integer primary key autoincrement,
  tenant text not null,
  day integer not null,
  job_id integer not null,
  model text not null,
  purpose text not null,
  state text not null check (state in ('open', 'done')),
  tokens_in integer not null,
  tokens_cached integer not null default 0,
  tokens_out integer not null,
  cost real not null,
  created_at integer not null
) strict;
CREATE TABLE daily_spend (
  day integer primary key,
  tokens integer not null,
  cost real not null,
  reserved_tokens integer not null,
  reserved_cost real not null,
  reserved_until integer not null
) strict, without rowid;
CREATE TABLE model_use (
  model text not null,
  purpose text not null,
  calls integer not null,
  tokens_in integer not null,
  tokens_out integer not null,
  cost real not null,
  primary key (model, purpose)
) strict, without rowid;
CREATE TABLE embedder (
  id integer primary key autoincrement,
  name text not null unique,
  dimension integer not null,
  place text not null,
  version integer not null default 0,
  created_at integer not null
) strict;
CREATE TABLE embedding (
  memory_id integer not null references memory (id) on delete cascade,
  tenant text not null,
  embedder_id integer references embedder (id),
  version integer,
  bytes blob,
  error text,
  wanted integer not null,
  primary key (memory_id, tenant)
) strict;
CREATE TABLE worker_lease (
  name text primary key,
  owner text not null,
  pid integer not null,
  host text not null,
  until integer not null
) strict, without rowid;
CREATE TABLE api_token (
  id text primary key,
  tenant text not null,
  name text not null,
  scope text not null check (scope in ('read', 'write', 'admin')),
  hash blob not null,
  rate real,
  max_bytes integer,
  created_at integer not null,
  expires_at integer,
  revoked_at integer,
  last_used_at integer
) strict, without rowid;
CREATE TABLE audit (
  id integer primary key autoincrement,
  tenant text not null,
  request text not null,
  token text not null,
  name text not null,
  action text not null,
  subject text not null,
  address text not null,
  created_at integer not null
) strict;
CREATE TABLE event (
  id integer primary key autoincrement,
  xact integer not null default 0,
  tenant text not null,
  at integer not null,
  type text not null,
  subject text,
  job_id integer,
  data text not null
) strict;
CREATE TABLE event_pruned (
  tenant text primary key,
  xact integer not null,
  id integer not null
) strict, without rowid;
CREATE TABLE recording (
  one integer primary key check (one = 1),
  until integer not null,
  run integer not null
) strict;
CREATE TABLE engine (
  name text primary key,
  address text not null,
  place text not null,
  version text not null,
  xact integer not null default 0,
  created_at integer not null,
  error text,
  error_at integer
) strict, without rowid;
CREATE TABLE mirror_change (
  id integer primary key autoincrement,
  tenant text not null,
  engine text not null,
  memory_id integer not null,
  uuid text not null,
  at integer not null
) strict;
CREATE TABLE mirror_progress (
  tenant text not null,
  engine text not null,
  version integer not null,
  fill_after integer,
  sweep_after text,
  read_to integer not null default 0,
  primary key (tenant, engine)
) strict, without rowid;
insert into jotsam_migration values ('queue', 1, 'queue_0001_initial', '2e5243832fb4', 1795794459220);
insert into jotsam_migration values ('memory', 1, 'memory_0001_initial', '74051b6f54b2', 1795794459241);
insert into queue_job values (14, 'enrich', 'default', 'enrich', 'ready', 0, 0, NULL, 1, NULL, 60000, 0, 0, 0, 3, NULL, NULL, NULL, 1795794460394);
insert into queue_job values (15, 'ingest', 'default', 'ingest', 'ready', 0, 0, NULL, 1, NULL, 60000, 0, 0, 0, 5, NULL, NULL, NULL, 1795794460418);
insert into queue_payload values (14, '"0300b9ac-2634-46a5-828c-72226092f30c"', NULL, NULL, NULL, 0);
insert into queue_payload values (15, '"c55f5a29-a2d8-4678-9d7f-361fa6198a54"', NULL, NULL, NULL, 0);
insert into queue_attempt values (1, 1, 'ingest', 'default', 'ingest', '34d2a80ac14b6990', 1795794459996, 1795794459997, 'done', NULL, NULL);
insert into queue_attempt values (2, 1, 'enrich', 'default', 'enrich', '34d2a80ac14b6990', 1795794459997, 1795794460284, 'done', NULL, NULL);
insert into queue_attempt values (3, 1, 'enrich', 'default', 'enrich', '34d2a80ac14b6990', 1795794460032, 1795794460265, 'done', NULL, NULL);
insert into queue_attempt values (4, 1, 'enrich', 'default', 'enrich', '34d2a80ac14b6990', 1795794460035, 1795794460292, 'done', NULL, NULL);
insert into queue_attempt values (5, 1, 'enrich', 'default', 'enrich', '34d2a80ac14b6990', 1795794460040, 1795794460301, 'done', NULL, NULL);
insert into queue_attempt values (6, 1, 'enrich', 'default', 'enrich', '34d2a80ac14b6990', 1795794460265, 1795794460278, 'done', NULL, NULL);
insert into queue_attempt values (7, 1, 'enrich', 'default', 'enrich', '34d2a80ac14b6990', 1795794460278, 1795794460306, 'done', NULL, NULL);
insert into queue_attempt values (8, 1, 'enrich', 'default', 'enrich', '34d2a80ac14b6990', 1795794460284, 1795794460308, 'done', NULL, NULL);
insert into queue_attempt values (9, 1, 'enrich', 'default', 'enrich', '34d2a80ac14b6990', 1795794460292, 1795794460309, 'done', NULL, NULL);
insert into queue_attempt values (10, 1, 'enrich', 'default', 'enrich', '34d2a80ac14b6990', 1795794460301, 1795794460325, 'done', NULL, NULL);
insert into queue_attempt values (11, 1, 'enrich', 'default', 'enrich', '34d2a80ac14b6990', 1795794460306, 1795794460330, 'done', NULL, NULL);
insert into queue_attempt values (12, 1, 'enrich', 'default', 'enrich', '34d2a80ac14b6990', 1795794460308, 1795794460332, 'done', NULL, NULL);
insert into queue_attempt values (13, 1, 'enrich', 'default', 'enrich', '34d2a80ac14b6990', 1795794460309, 1795794460323, 'done', NULL, NULL);
insert into queue_count values ('enrich', 'default', 'enrich', 498831, 13, 12, 0, 0, 0, 0, 1206);
insert into queue_count values ('ingest', 'default', 'ingest', 498831, 2, 1, 0, 0, 0, 0, 1);
insert into queue_clock values (1, 1795794459996, 1795794460339);
insert into document values (1, '9eddad80-b7c7-459d-9979-c6e66610dfee', 'default', NULL, 'plan.md', NULL, NULL, NULL, NULL, NULL, 1, 1795794459253, 1795794459997, NULL, NULL, '# Plan

Ana Lopez works at Ericsson since March 2024. The launch of Kafka is on Friday.

## Rollout

Bob decided to use PostgreSQL 16.');
insert into document values (2, 'c55f5a29-a2d8-4678-9d7f-361fa6198a54', 'default', NULL, 'late.md', NULL, NULL, NULL, NULL, NULL, 15, 1795794460418, NULL, NULL, NULL, 'A later note that waits, about Zanzibar.');
insert into memory values (1, 'a29703d2-90d7-47ef-b4a8-86f00bbd7f49', 'default', NULL, NULL, NULL, NULL, '', 'Ana works at Globex0. We decided to use tool number 0.', 'Ana works at Globex0.', 'Decision', 0.7, 0.6, '{"ticket": "T-0"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 2, 1795794459257, 1, NULL, 1795794460284, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, NULL, '', '');
insert into memory values (2, '2e0321ef-d3b8-4023-b954-2618b1b0a39e', 'default', NULL, NULL, NULL, NULL, '', 'Ana works at Globex1. We decided to use tool number 1.', 'Ana works at Globex1.', 'Decision', 0.7, 0.6, '{"ticket": "T-1"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 3, 1795794459271, 1, NULL, 1795794460265, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, NULL, '', '');
insert into memory values (3, 'c9112468-fcba-424a-a2c1-a47d5ad07f3d', 'default', NULL, NULL, NULL, NULL, '', 'Ana works at Globex2. We decided to use tool number 2.', 'Ana works at Globex2.', 'Decision', 0.7, 0.6, '{"ticket": "T-2"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 4, 1795794459275, 1, NULL, 1795794460292, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, NULL, '', '');
insert into memory values (4, '1d0802cf-9269-4088-845d-f6f393149001', 'default', NULL, NULL, NULL, NULL, '', 'Ana works at Globex3. We decided to use tool number 3.', 'Ana works at Globex3.', 'Decision', 0.7, 0.6, '{"ticket": "T-3"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 5, 1795794459284, 1, NULL, 1795794460301, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, NULL, '', '');
insert into memory values (5, '755ce4e7-1f54-4c6b-ab58-24a6f12457f1', 'default', NULL, NULL, NULL, NULL, '', 'Ana works at Globex4. We decided to use tool number 4.', 'Ana works at Globex4.', 'Decision', 0.7, 0.6, '{"ticket": "T-4"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 6, 1795794459294, 1, NULL, 1795794460278, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, NULL, '', '');
insert into memory values (6, '54b80830-24ec-4899-82bb-2fa21325d907', 'default', NULL, NULL, NULL, NULL, '', 'Plain remark number 0 about caching.', 'Plain remark number 0 about caching.', 'Context', 0.4, 0.3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 7, 1795794459298, 1, NULL, 1795794460306, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '');
insert into memory values (7, '5be71f37-fb08-4938-a8a6-6668d1b9e6af', 'default', NULL, NULL, NULL, NULL, '', 'Plain remark number 1 about caching.', 'Plain remark number 1 about caching.', 'Context', 0.4, 0.3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 8, 1795794459298, 1, NULL, 1795794460308, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '');
insert into memory values (8, 'e0e67a64-303b-4358-830a-4742030060f9', 'default', NULL, NULL, NULL, NULL, '', 'Plain remark number 2 about caching.', 'Plain remark number 2 about caching.', 'Context', 0.4, 0.3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 9, 1795794459298, 1, NULL, 1795794460309, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '');
insert into memory values (9, 'f14c8542-f130-4576-bc39-c9e8567184b4', 'default', NULL, NULL, NULL, NULL, '', 'Plain remark number 3 about caching.', 'Plain remark number 3 about caching.', 'Context', 0.4, 0.3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 10, 1795794459298, 1, NULL, 1795794460325, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '');
insert into memory values (10, 'c776574e-4067-4196-b9ed-d4603173a1f2', 'default', NULL, NULL, NULL, NULL, '', 'Plain remark number 4 about caching.', 'Plain remark number 4 about caching.', 'Context', 0.4, 0.3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 11, 1795794459298, 1, NULL, 1795794460330, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '');
insert into memory values (11, '3d94f829-7cde-4e27-8e9f-9bafa59e4aa8', 'default', NULL, 1, 0, 1, 'Plan', '# Plan

Ana Lopez works at Ericsson since March 2024. The launch of Kafka is on Friday.

', 'Ana Lopez works at Ericsson since March 2024.', 'Context', 0.4, 0.3, NULL, NULL, NULL, 'plan.md', NULL, NULL, NULL, NULL, NULL, 12, 1795794459997, 1, NULL, 1795794460332, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '');
insert into memory values (12, '54dd2ca1-3220-4039-8d2b-44842f324a20', 'default', NULL, 1, 1, 5, 'Plan > Rollout', '## Rollout

Bob decided to use PostgreSQL 16.', 'Bob decided to use PostgreSQL 16.', 'Decision', 0.7, 0.6, NULL, NULL, NULL, 'plan.md', NULL, NULL, NULL, NULL, NULL, 13, 1795794459997, 1, NULL, 1795794460323, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '');
insert into memory values (13, '0300b9ac-2634-46a5-828c-72226092f30c', 'default', NULL, NULL, NULL, NULL, '', 'with an external id', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'x-1', NULL, 14, 1795794460394, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into memory_tag values ('default', 'deploy', 1, NULL);
insert into memory_tag values ('default', 'entity:organizations:globex0', 1, 'rules/4');
insert into memory_tag values ('default', 'entity:people:ana', 1, 'rules/4');
insert into memory_tag values ('default', 'deploy', 2, NULL);
insert into memory_tag values ('default', 'entity:organizations:globex1', 2, 'rules/4');
insert into memory_tag values ('default', 'entity:people:ana', 2, 'rules/4');
insert into memory_tag values ('default', 'deploy', 3, NULL);
insert into memory_tag values ('default', 'entity:organizations:globex2', 3, 'rules/4');
insert into memory_tag values ('default', 'entity:people:ana', 3, 'rules/4');
insert into memory_tag values ('default', 'deploy', 4, NULL);
insert into memory_tag values ('default', 'entity:organizations:globex3', 4, 'rules/4');
insert into memory_tag values ('default', 'entity:people:ana', 4, 'rules/4');
insert into memory_tag values ('default', 'deploy', 5, NULL);
insert into memory_tag values ('default', 'entity:organizations:globex4', 5, 'rules/4');
insert into memory_tag values ('default', 'entity:people:ana', 5, 'rules/4');
insert into memory_tag values ('default', 'caching', 6, 'rules/4');
insert into memory_tag values ('default', 'caching', 7, 'rules/4');
insert into memory_tag values ('default', 'caching', 8, 'rules/4');
insert into memory_tag values ('default', 'caching', 9, 'rules/4');
insert into memory_tag values ('default', 'caching', 10, 'rules/4');
insert into memory_tag values ('default', 'entity:concepts:kafka', 11, 'tagger/2');
insert into memory_tag values ('default', 'entity:organizations:ericsson', 11, 'rules/4');
insert into memory_tag values ('default', 'entity:people:ana-lopez', 11, 'rules/4');
insert into memory_tag values ('default', 'queue', 11, 'rules/4');
insert into memory_tag values ('default', 'database', 12, 'rules/4');
insert into memory_tag values ('default', 'deployment', 12, 'rules/4');
insert into memory_tag values ('default', 'entity:people:bob', 12, 'tagger/2');
insert into memory_tag values ('default', 'entity:tools:postgresql', 12, 'rules/4');
insert into metadata_index values ('default', '740157732faa8a2a51d66393d7fbc977822d08b9eee122b36c0b7c0991a4ba3d', 1);
insert into metadata_index values ('default', 'b7d67728421fa6eae31304581f0033214087608f2a2aff832bc680954fa2db3a', 2);
insert into metadata_index values ('default', 'f4b3676de52af599e5dbeb74bd404827175efc60622e17dc2fc326ae5f1fe507', 3);
insert into metadata_index values ('default', 'e64e09c518714c9c083303054cf1791ad0b8788a813affe5e9a87811a0b6f99f', 4);
insert into metadata_index values ('default', 'f6cba0a1849d2dfd1f217fd292dc80b8671d0314122cef44800f66bf553dbc4b', 5);
insert into allowed_secret values ('default', '1ebe38778f80fc5533f572d66dc30d59d2eb88bf9605840aad823683add84bb0', 'x', 1795794460413);
insert into memory_block values ('default', '', '', 'rules', '384cb2b2-5895-4ee6-90ce-c09ec360b0dc', 'never deploy on Friday', 2000, 1, 1, 1795794460390, 1795794460390);
insert into date_range values (11, 'default', 1709251200000, 1711929600000);
insert into date_range values (11, 'default', 1795132800000, 1795219200000);
insert into entity values (1, 'default', 'organizations', 'globex1', 'Globex1', NULL);
insert into entity values (2, 'default', 'people', 'ana', 'Ana', NULL);
insert into entity values (3, 'default', 'organizations', 'globex4', 'Globex4', NULL);
insert into entity values (4, 'default', 'organizations', 'globex0', 'Globex0', NULL);
insert into entity values (5, 'default', 'organizations', 'globex2', 'Globex2', NULL);
insert into entity values (6, 'default', 'organizations', 'globex3', 'Globex3', NULL);
insert into entity values (7, 'default', 'people', 'bob', 'Bob', NULL);
insert into entity values (8, 'default', 'tools', 'postgresql', 'PostgreSQL', NULL);
insert into entity values (9, 'default', 'concepts', 'kafka', 'Kafka', NULL);
insert into entity values (10, 'default', 'organizations', 'ericsson', 'Ericsson', NULL);
insert into entity values (11, 'default', 'people', 'ana-lopez', 'Ana Lopez', NULL);
insert into mention values ('default', 2, 1, 'rules/4', 0.98);
insert into mention values ('default', 1, 2, 'rules/4', 0.98);
insert into mention values ('default', 2, 2, 'rules/4', 0.98);
insert into mention values ('default', 3, 2, 'rules/4', 0.98);
insert into mention values ('default', 4, 2, 'rules/4', 0.98);
insert into mention values ('default', 5, 2, 'rules/4', 0.98);
insert into mention values ('default', 5, 3, 'rules/4', 0.98);
insert into mention values ('default', 1, 4, 'rules/4', 0.98);
insert into mention values ('default', 3, 5, 'rules/4', 0.98);
insert into mention values ('default', 4, 6, 'rules/4', 0.98);
insert into mention values ('default', 12, 7, 'tagger/2', 0.6);
insert into mention values ('default', 12, 8, 'rules/4', 0.98);
insert into mention values ('default', 11, 9, 'tagger/2', 0.6);
insert into mention values ('default', 11, 10, 'rules/4', 0.98);
insert into mention values ('default', 11, 11, 'rules/4', 0.98);
insert into title values ('default', 'plan', 11);
insert into title values ('default', 'plan', 12);
insert into title values ('default', 'rollout', 12);
insert into link values ('default', 2, 1, 'PRECEDED_BY', 0.5, 1795794460265, 'rules/4', NULL);
insert into link values ('default', 3, 1, 'PRECEDED_BY', 0.333, 1795794460292, 'rules/4', NULL);
insert into link values ('default', 3, 2, 'PRECEDED_BY', 0.5, 1795794460292, 'rules/4', NULL);
insert into link values ('default', 4, 1, 'PRECEDED_BY', 0.25, 1795794460301, 'rules/4', NULL);
insert into link values ('default', 4, 2, 'PRECEDED_BY', 0.333, 1795794460301, 'rules/4', NULL);
insert into link values ('default', 4, 3, 'PRECEDED_BY', 0.5, 1795794460301, 'rules/4', NULL);
insert into link values ('default', 5, 1, 'PRECEDED_BY', 0.2, 1795794460278, 'rules/4', NULL);
insert into link values ('default', 5, 2, 'PRECEDED_BY', 0.25, 1795794460278, 'rules/4', NULL);
insert into link values ('default', 5, 3, 'PRECEDED_BY', 0.333, 1795794460278, 'rules/4', NULL);
insert into link values ('default', 5, 4, 'PRECEDED_BY', 0.5, 1795794460278, 'rules/4', NULL);
insert into link values ('default', 6, 1, 'PRECEDED_BY', 0.167, 1795794460306, 'rules/4', NULL);
insert into link values ('default', 6, 2, 'PRECEDED_BY', 0.2, 1795794460306, 'rules/4', NULL);
insert into link values ('default', 6, 3, 'PRECEDED_BY', 0.25, 1795794460306, 'rules/4', NULL);
insert into link values ('default', 6, 4, 'PRECEDED_BY', 0.333, 1795794460306, 'rules/4', NULL);
insert into link values ('default', 6, 5, 'PRECEDED_BY', 0.5, 1795794460306, 'rules/4', NULL);
insert into link values ('default', 7, 2, 'PRECEDED_BY', 0.167, 1795794460308, 'rules/4', NULL);
insert into link values ('default', 7, 3, 'PRECEDED_BY', 0.2, 1795794460308, 'rules/4', NULL);
insert into link values ('default', 7, 4, 'PRECEDED_BY', 0.25, 1795794460308, 'rules/4', NULL);
insert into link values ('default', 7, 5, 'PRECEDED_BY', 0.333, 1795794460308, 'rules/4', NULL);
insert into link values ('default', 7, 6, 'PRECEDED_BY', 0.5, 1795794460308, 'rules/4', NULL);
insert into link values ('default', 8, 3, 'PRECEDED_BY', 0.167, 1795794460309, 'rules/4', NULL);
insert into link values ('default', 8, 4, 'PRECEDED_BY', 0.2, 1795794460309, 'rules/4', NULL);
insert into link values ('default', 8, 5, 'PRECEDED_BY', 0.25, 1795794460309, 'rules/4', NULL);
insert into link values ('default', 8, 6, 'PRECEDED_BY', 0.333, 1795794460309, 'rules/4', NULL);
insert into link values ('default', 8, 7, 'PRECEDED_BY', 0.5, 1795794460309, 'rules/4', NULL);
insert into link values ('default', 9, 4, 'PRECEDED_BY', 0.167, 1795794460325, 'rules/4', NULL);
insert into link values ('default', 9, 5, 'PRECEDED_BY', 0.2, 1795794460325, 'rules/4', NULL);
insert into link values ('default', 9, 6, 'PRECEDED_BY', 0.25, 1795794460325, 'rules/4', NULL);
insert into link values ('default', 9, 7, 'PRECEDED_BY', 0.333, 1795794460325, 'rules/4', NULL);
insert into link values ('default', 9, 8, 'PRECEDED_BY', 0.5, 1795794460325, 'rules/4', NULL);
insert into link values ('default', 10, 5, 'PRECEDED_BY', 0.167, 1795794460330, 'rules/4', NULL);
insert into link values ('default', 10, 6, 'PRECEDED_BY', 0.2, 1795794460330, 'rules/4', NULL);
insert into link values ('default', 10, 7, 'PRECEDED_BY', 0.25, 1795794460330, 'rules/4', NULL);
insert into link values ('default', 10, 8, 'PRECEDED_BY', 0.333, 1795794460330, 'rules/4', NULL);
insert into link values ('default', 10, 9, 'PRECEDED_BY', 0.5, 1795794460330, 'rules/4', NULL);
insert into link values ('default', 12, 11, 'PRECEDED_BY', 1.0, 1795794459997, 'cut', NULL);
insert into pattern_terms values (1, 'default', 'Decision', 'ana globex0 tool number');
insert into pattern_terms values (2, 'default', 'Decision', 'ana globex1 tool number');
insert into pattern_terms values (3, 'default', 'Decision', 'ana globex2 tool number');
insert into pattern_terms values (4, 'default', 'Decision', 'ana globex3 tool number');
insert into pattern_terms values (5, 'default', 'Decision', 'ana globex4 tool number');
insert into pattern_terms values (12, 'default', 'Decision', 'rollout bob postgresql');
insert into pattern_lock values ('default', 'Decision', 1795794460323);
insert into pattern values (1, 'default', 'Decision', 'ana', 'ana number tool', 1795794460284);
insert into pattern_example values ('default', 1, 1, 1795794459257);
insert into pattern_example values ('default', 1, 2, 1795794459271);
insert into pattern_example values ('default', 1, 3, 1795794459275);
insert into pattern_example values ('default', 1, 4, 1795794459284);
insert into pattern_example values ('default', 1, 5, 1795794459294);
insert into fact values (1, '37563c0b-f451-800b-92d4-608b9e7013f0', 'default', 2, 'Ana', 'works_at', 'Globex1', 'ana', 'globex1', 0.8, NULL, NULL, 'rules/4', 1795794460265, 1795794459275, 3, NULL);
insert into fact values (2, '48aac55f-760b-8240-924c-78bd0833c8b5', 'default', 2, 'we', 'decided', 'use tool number 1', 'we', 'use tool number 1', 0.8, NULL, NULL, 'rules/4', 1795794460265, NULL, NULL, NULL);
insert into fact values (3, '1f9c123c-5f97-823c-8dd7-d690fd028f96', 'default', 5, 'Ana', 'works_at', 'Globex4', 'ana', 'globex4', 0.8, NULL, NULL, 'rules/4', 1795794460278, NULL, NULL, NULL);
insert into fact values (4, '17c43430-4251-80cf-863e-ec59b2cc5238', 'default', 5, 'we', 'decided', 'use tool number 4', 'we', 'use tool number 4', 0.8, NULL, NULL, 'rules/4', 1795794460278, NULL, NULL, NULL);
insert into fact values (5, '2c4da57f-fb25-8d34-b5e6-ab506d4e0278', 'default', 1, 'Ana', 'works_at', 'Globex0', 'ana', 'globex0', 0.8, NULL, NULL, 'rules/4', 1795794460284, 1795794459271, 2, NULL);
insert into fact values (6, '35b441d8-b51e-881b-95d0-2b70d9f47b61', 'default', 1, 'we', 'decided', 'use tool number 0', 'we', 'use tool number 0', 0.8, NULL, NULL, 'rules/4', 1795794460284, NULL, NULL, NULL);
insert into fact values (7, 'f22a84c3-fc9e-8b4b-b0c7-8a9f27cbfad1', 'default', 3, 'Ana', 'works_at', 'Globex2', 'ana', 'globex2', 0.8, NULL, NULL, 'rules/4', 1795794460292, 1795794459284, 4, NULL);
insert into fact values (8, '2f846481-0c8a-8ab3-b2e2-f2056950659a', 'default', 3, 'we', 'decided', 'use tool number 2', 'we', 'use tool number 2', 0.8, NULL, NULL, 'rules/4', 1795794460292, NULL, NULL, NULL);
insert into fact values (9, '2c81a430-b1bb-807c-bf7f-ad5539d5da7c', 'default', 4, 'Ana', 'works_at', 'Globex3', 'ana', 'globex3', 0.8, NULL, NULL, 'rules/4', 1795794460301, 1795794459294, 5, NULL);
insert into fact values (10, '43859129-f66e-8dbe-a7f9-75ed403c4085', 'default', 4, 'we', 'decided', 'use tool number 3', 'we', 'use tool number 3', 0.8, NULL, NULL, 'rules/4', 1795794460301, NULL, NULL, NULL);
insert into fact values (11, '88a1ba84-0432-8a01-84fd-2247b65f02de', 'default', 12, 'Bob', 'decided', 'use PostgreSQL 16', 'bob', 'use postgresql 16', 0.8, NULL, NULL, 'rules/4', 1795794460323, NULL, NULL, NULL);
insert into fact values (12, '3d638dcd-7986-881b-9b2c-a9ea1de20e2d', 'default', 11, 'Ana Lopez', 'works_at', 'Ericsson', 'ana lopez', 'ericsson', 0.8, 1709251200000, NULL, 'rules/4', 1795794460332, NULL, NULL, NULL);
insert into fact values (13, 'f3c50465-3dbf-8595-b774-058a866717bc', 'default', 11, 'launch of Kafka', 'is_on', 'Friday', 'launch of kafka', 'friday', 0.6, 1795132800000, NULL, 'rules/4', 1795794460332, NULL, NULL, NULL);
