CREATE TABLE jotsam_migration (
  schema text not null,
  version integer not null,
  name text not null,
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
  enriched_at integer,
  superseded_at integer,
  superseded_by integer references memory (id) on delete set null,
  superseded_how text,
  extractor text,
  degraded text,
  rejected text,
  type_by text,
  importance_by text,
  confidence_by text
) strict;
CREATE TABLE memory_tag (
  tenant text not null,
  tag text not null,
  memory_id integer not null references memory (id) on delete cascade,
  extractor text,
  primary key (tenant, tag, memory_id)
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
  named integer not null,
  primary key (memory_id, first, until)
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
  memory_id integer not null references memory (id) on delete cascade,
  entity_id integer not null references entity (id) on delete cascade,
  extractor text,
  confidence real,
  primary key (entity_id, memory_id)
) strict, without rowid;
CREATE TABLE title (
  tenant text not null,
  slug text not null,
  memory_id integer not null references memory (id) on delete cascade,
  primary key (tenant, slug, memory_id)
) strict, without rowid;
CREATE TABLE link (
  source_id integer not null references memory (id) on delete cascade,
  target_id integer not null references memory (id) on delete cascade,
  type text not null,
  weight real not null,
  created_at integer not null,
  extractor text,
  primary key (source_id, type, target_id)
) strict, without rowid;
CREATE TABLE pattern_terms (
  memory_id integer primary key references memory (id) on delete cascade,
  tenant text not null,
  type text not null,
  terms text not null
) strict;
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
  pattern_id integer not null references pattern (id) on delete cascade,
  memory_id integer not null references memory (id) on delete cascade,
  at integer not null,
  primary key (pattern_id, memory_id)
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
CREATE TABLE embedder (
  id integer primary key autoincrement,
  name text not null unique,
  dimension integer not null,
  place text not null,
  version integer not null default 0,
  created_at integer not null
) strict;
CREATE TABLE embedding (
  memory_id integer primary key references memory (id) on delete cascade,
  tenant text not null,
  embedder_id integer references embedder (id),
  version integer,
  bytes blob,
  error text,
  wanted integer not null
) strict;
CREATE TABLE worker_lease (
  name text primary key,
  owner text not null,
  pid integer not null,
  host text not null,
  until integer not null
) strict, without rowid;
insert into jotsam_migration values ('queue', 1, 'queue_0001_initial', 1795794425577);
insert into jotsam_migration values ('memory', 1, 'memory_0001_initial', 1795794425580);
insert into queue_job values (9, 'enrich', 'default', 'enrich', 'ready', 0, 0, NULL, 1, NULL, 60000, 0, 0, 0, 3, NULL, NULL, NULL, 1795794426571);
insert into queue_job values (10, 'ingest', 'default', 'ingest', 'ready', 0, 0, NULL, 1, NULL, 60000, 0, 0, 0, 5, NULL, NULL, NULL, 1795794426601);
insert into queue_payload values (9, '"0e63f9a8-ba89-4528-ad05-3ac743a43304"', NULL, NULL, NULL, 0);
insert into queue_payload values (10, '"d8cc7ec9-4369-45b5-9e65-03de0e104a2c"', NULL, NULL, NULL, 0);
insert into queue_attempt values (1, 1, 'ingest', 'default', 'ingest', '6596fcda-dedc-4f52-a8f6-80a4d49d6c80', 1795794425877, 1795794425885, 'done', NULL, NULL);
insert into queue_attempt values (2, 1, 'enrich', 'default', 'enrich', '6596fcda-dedc-4f52-a8f6-80a4d49d6c80', 1795794425885, 1795794426458, 'done', NULL, NULL);
insert into queue_attempt values (3, 1, 'enrich', 'default', 'enrich', '6596fcda-dedc-4f52-a8f6-80a4d49d6c80', 1795794425890, 1795794426442, 'done', NULL, NULL);
insert into queue_attempt values (4, 1, 'enrich', 'default', 'enrich', '6596fcda-dedc-4f52-a8f6-80a4d49d6c80', 1795794425897, 1795794426491, 'done', NULL, NULL);
insert into queue_attempt values (5, 1, 'enrich', 'default', 'enrich', '6596fcda-dedc-4f52-a8f6-80a4d49d6c80', 1795794425899, 1795794426499, 'done', NULL, NULL);
insert into queue_attempt values (6, 1, 'enrich', 'default', 'enrich', '6596fcda-dedc-4f52-a8f6-80a4d49d6c80', 1795794426442, 1795794426477, 'done', NULL, NULL);
insert into queue_attempt values (7, 1, 'enrich', 'default', 'enrich', '6596fcda-dedc-4f52-a8f6-80a4d49d6c80', 1795794426458, 1795794426508, 'done', NULL, NULL);
insert into queue_attempt values (8, 1, 'enrich', 'default', 'enrich', '6596fcda-dedc-4f52-a8f6-80a4d49d6c80', 1795794426477, 1795794426512, 'done', NULL, NULL);
insert into queue_count values ('enrich', 'default', 'enrich', 498831, 8, 7, 0, 0, 0, 0);
insert into queue_count values ('ingest', 'default', 'ingest', 498831, 2, 1, 0, 0, 0, 0);
insert into queue_clock values (1, 1795794425877, 1795794426543);
insert into document values (1, 'dc81f2d8-fd1d-47c4-8759-bb0cb81cc8e3', 'default', NULL, 'plan.md', NULL, NULL, NULL, NULL, NULL, 1, 1795794425598, 1795794425885, NULL, NULL, '# Plan

Ana Lopez works at Ericsson since March 2024. The launch of Kafka is on Friday.

## Rollout

Bob decided to use PostgreSQL 16.');
insert into document values (2, 'd8cc7ec9-4369-45b5-9e65-03de0e104a2c', 'default', NULL, 'late.md', NULL, NULL, NULL, NULL, NULL, 10, 1795794426601, NULL, NULL, NULL, 'A later note that waits, about Zanzibar.');
insert into memory values (1, '6b0313d4-283c-455c-8992-fa14d7d0e61b', 'default', NULL, NULL, NULL, NULL, '', 'Ana works at Globex0. We decided to use tool number 0.', 'Ana works at Globex0.', 'Decision', 0.7, 0.6, '{"ticket": "T-0"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 2, 1795794425607, 1795794426458, NULL, NULL, NULL, 'rules/3 tagger/1', NULL, NULL, NULL, 'rules/3 tagger/1', 'rules/3 tagger/1');
insert into memory values (2, '62d1998c-91d8-44ca-a0d6-864923eee26b', 'default', NULL, NULL, NULL, NULL, '', 'Ana works at Globex1. We decided to use tool number 1.', 'Ana works at Globex1.', 'Decision', 0.7, 0.6, '{"ticket": "T-1"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 3, 1795794425619, 1795794426442, NULL, NULL, NULL, 'rules/3 tagger/1', NULL, NULL, NULL, 'rules/3 tagger/1', 'rules/3 tagger/1');
insert into memory values (3, 'c28c2b3f-cdf9-4a6f-8510-a480ee730882', 'default', NULL, NULL, NULL, NULL, '', 'Ana works at Globex2. We decided to use tool number 2.', 'Ana works at Globex2.', 'Decision', 0.7, 0.6, '{"ticket": "T-2"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 4, 1795794425623, 1795794426491, NULL, NULL, NULL, 'rules/3 tagger/1', NULL, NULL, NULL, 'rules/3 tagger/1', 'rules/3 tagger/1');
insert into memory values (4, '277227b0-49bf-40b0-a615-11c9220bbdd8', 'default', NULL, NULL, NULL, NULL, '', 'Ana works at Globex3. We decided to use tool number 3.', 'Ana works at Globex3.', 'Decision', 0.7, 0.6, '{"ticket": "T-3"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 5, 1795794425626, 1795794426499, NULL, NULL, NULL, 'rules/3 tagger/1', NULL, NULL, NULL, 'rules/3 tagger/1', 'rules/3 tagger/1');
insert into memory values (5, '6c769b05-5220-4bdd-acfb-9b85432543b7', 'default', NULL, NULL, NULL, NULL, '', 'Ana works at Globex4. We decided to use tool number 4.', 'Ana works at Globex4.', 'Decision', 0.7, 0.6, '{"ticket": "T-4"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 6, 1795794425630, 1795794426477, NULL, NULL, NULL, 'rules/3 tagger/1', NULL, NULL, NULL, 'rules/3 tagger/1', 'rules/3 tagger/1');
insert into memory values (6, '6a8d3e39-7115-4aef-adaa-45c1bd5ea192', 'default', NULL, 1, 0, 1, 'Plan', '# Plan

Ana Lopez works at Ericsson since March 2024. The launch of Kafka is on Friday.

', 'Ana Lopez works at Ericsson since March 2024.', 'Context', 0.4, 0.3, NULL, NULL, NULL, 'plan.md', NULL, NULL, NULL, NULL, NULL, 7, 1795794425885, 1795794426508, NULL, NULL, NULL, 'rules/3 tagger/1', NULL, NULL, 'rules/3 tagger/1', 'rules/3 tagger/1', 'rules/3 tagger/1');
insert into memory values (7, 'e4be5b1d-228a-43ec-8183-8cd3614be096', 'default', NULL, 1, 1, 5, 'Plan > Rollout', '## Rollout

Bob decided to use PostgreSQL 16.', 'Bob decided to use PostgreSQL 16.', 'Decision', 0.7, 0.6, NULL, NULL, NULL, 'plan.md', NULL, NULL, NULL, NULL, NULL, 8, 1795794425885, 1795794426512, NULL, NULL, NULL, 'rules/3 tagger/1', NULL, NULL, 'rules/3 tagger/1', 'rules/3 tagger/1', 'rules/3 tagger/1');
insert into memory values (8, '0e63f9a8-ba89-4528-ad05-3ac743a43304', 'default', NULL, NULL, NULL, NULL, '', 'with an external id', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'x-1', NULL, 9, 1795794426571, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into memory_tag values ('default', 'deploy', 1, NULL);
insert into memory_tag values ('default', 'deploy', 2, NULL);
insert into memory_tag values ('default', 'deploy', 3, NULL);
insert into memory_tag values ('default', 'deploy', 4, NULL);
insert into memory_tag values ('default', 'deploy', 5, NULL);
insert into memory_tag values ('default', 'entity:organizations:ericsson', 6, 'rules/3');
insert into memory_tag values ('default', 'entity:organizations:globex0', 1, 'rules/3');
insert into memory_tag values ('default', 'entity:organizations:globex1', 2, 'rules/3');
insert into memory_tag values ('default', 'entity:organizations:globex2', 3, 'rules/3');
insert into memory_tag values ('default', 'entity:organizations:globex3', 4, 'rules/3');
insert into memory_tag values ('default', 'entity:organizations:globex4', 5, 'rules/3');
insert into memory_tag values ('default', 'entity:people:ana', 1, 'tagger/1');
insert into memory_tag values ('default', 'entity:people:ana', 2, 'tagger/1');
insert into memory_tag values ('default', 'entity:people:ana', 3, 'tagger/1');
insert into memory_tag values ('default', 'entity:people:ana', 4, 'tagger/1');
insert into memory_tag values ('default', 'entity:people:ana', 5, 'tagger/1');
insert into memory_tag values ('default', 'entity:people:ana-lopez', 6, 'tagger/1');
insert into memory_tag values ('default', 'entity:people:bob', 7, 'rules/3');
insert into memory_tag values ('default', 'entity:tools:kafka', 6, 'rules/3');
insert into memory_tag values ('default', 'entity:tools:postgresql', 7, 'rules/3');
insert into metadata_index values ('default', '740157732faa8a2a51d66393d7fbc977822d08b9eee122b36c0b7c0991a4ba3d', 1);
insert into metadata_index values ('default', 'b7d67728421fa6eae31304581f0033214087608f2a2aff832bc680954fa2db3a', 2);
insert into metadata_index values ('default', 'f4b3676de52af599e5dbeb74bd404827175efc60622e17dc2fc326ae5f1fe507', 3);
insert into metadata_index values ('default', 'e64e09c518714c9c083303054cf1791ad0b8788a813affe5e9a87811a0b6f99f', 4);
insert into metadata_index values ('default', 'f6cba0a1849d2dfd1f217fd292dc80b8671d0314122cef44800f66bf553dbc4b', 5);
insert into allowed_secret values ('default', '1ebe38778f80fc5533f572d66dc30d59d2eb88bf9605840aad823683add84bb0', 'x', 1795794426596);
insert into date_range values (1, 'default', 1793491200000, 1796083200000, 0);
insert into date_range values (1, 'default', 1795737600000, 1795824000000, 0);
insert into date_range values (2, 'default', 1793491200000, 1796083200000, 0);
insert into date_range values (2, 'default', 1795737600000, 1795824000000, 0);
insert into date_range values (3, 'default', 1793491200000, 1796083200000, 0);
insert into date_range values (3, 'default', 1795737600000, 1795824000000, 0);
insert into date_range values (4, 'default', 1793491200000, 1796083200000, 0);
insert into date_range values (4, 'default', 1795737600000, 1795824000000, 0);
insert into date_range values (5, 'default', 1793491200000, 1796083200000, 0);
insert into date_range values (5, 'default', 1795737600000, 1795824000000, 0);
insert into date_range values (6, 'default', 1709251200000, 1711929600000, 1);
insert into date_range values (6, 'default', 1795132800000, 1795219200000, 1);
insert into date_range values (6, 'default', 1795737600000, 1795824000000, 0);
insert into date_range values (7, 'default', 1793491200000, 1796083200000, 0);
insert into date_range values (7, 'default', 1795737600000, 1795824000000, 0);
insert into entity values (1, 'default', 'organizations', 'globex1', 'Globex1', NULL);
insert into entity values (2, 'default', 'people', 'ana', 'Ana', NULL);
insert into entity values (3, 'default', 'organizations', 'globex0', 'Globex0', NULL);
insert into entity values (4, 'default', 'organizations', 'globex4', 'Globex4', NULL);
insert into entity values (5, 'default', 'organizations', 'globex2', 'Globex2', NULL);
insert into entity values (6, 'default', 'organizations', 'globex3', 'Globex3', NULL);
insert into entity values (7, 'default', 'organizations', 'ericsson', 'Ericsson', NULL);
insert into entity values (8, 'default', 'people', 'ana-lopez', 'Ana Lopez', NULL);
insert into entity values (9, 'default', 'tools', 'kafka', 'Kafka', NULL);
insert into entity values (10, 'default', 'people', 'bob', 'Bob', NULL);
insert into entity values (11, 'default', 'tools', 'postgresql', 'PostgreSQL', NULL);
insert into mention values (2, 1, 'rules/3', 0.98);
insert into mention values (1, 2, 'tagger/1', 0.6);
insert into mention values (2, 2, 'tagger/1', 0.6);
insert into mention values (3, 2, 'tagger/1', 0.6);
insert into mention values (4, 2, 'tagger/1', 0.6);
insert into mention values (5, 2, 'tagger/1', 0.6);
insert into mention values (1, 3, 'rules/3', 0.98);
insert into mention values (5, 4, 'rules/3', 0.98);
insert into mention values (3, 5, 'rules/3', 0.98);
insert into mention values (4, 6, 'rules/3', 0.98);
insert into mention values (6, 7, 'rules/3', 0.98);
insert into mention values (6, 8, 'tagger/1', 0.6);
insert into mention values (6, 9, 'rules/3', 0.98);
insert into mention values (7, 10, 'rules/3', 0.98);
insert into mention values (7, 11, 'rules/3', 0.98);
insert into title values ('default', 'plan', 6);
insert into title values ('default', 'plan', 7);
insert into title values ('default', 'rollout', 7);
insert into link values (2, 1, 'PRECEDED_BY', 0.5, 1795794426442, 'rules/3');
insert into link values (3, 1, 'PRECEDED_BY', 0.333, 1795794426491, 'rules/3');
insert into link values (3, 2, 'PRECEDED_BY', 0.5, 1795794426491, 'rules/3');
insert into link values (4, 1, 'PRECEDED_BY', 0.25, 1795794426499, 'rules/3');
insert into link values (4, 2, 'PRECEDED_BY', 0.333, 1795794426499, 'rules/3');
insert into link values (4, 3, 'PRECEDED_BY', 0.5, 1795794426499, 'rules/3');
insert into link values (5, 1, 'PRECEDED_BY', 0.2, 1795794426477, 'rules/3');
insert into link values (5, 2, 'PRECEDED_BY', 0.25, 1795794426477, 'rules/3');
insert into link values (5, 3, 'PRECEDED_BY', 0.333, 1795794426477, 'rules/3');
insert into link values (5, 4, 'PRECEDED_BY', 0.5, 1795794426477, 'rules/3');
insert into link values (7, 6, 'PRECEDED_BY', 1.0, 1795794425885, 'cut');
insert into pattern_terms values (1, 'default', 'Decision', 'ana globex0 tool number');
insert into pattern_terms values (2, 'default', 'Decision', 'ana globex1 tool number');
insert into pattern_terms values (3, 'default', 'Decision', 'ana globex2 tool number');
insert into pattern_terms values (4, 'default', 'Decision', 'ana globex3 tool number');
insert into pattern_terms values (5, 'default', 'Decision', 'ana globex4 tool number');
insert into pattern_terms values (7, 'default', 'Decision', 'rollout bob postgresql');
insert into pattern_lock values ('default', 'Decision', 1795794426512);
insert into pattern values (1, 'default', 'Decision', 'ana', 'ana number tool', 1795794426477);
insert into pattern_example values (1, 1, 1795794425607);
insert into pattern_example values (1, 2, 1795794425619);
insert into pattern_example values (1, 3, 1795794425623);
insert into pattern_example values (1, 4, 1795794425626);
insert into pattern_example values (1, 5, 1795794425630);
insert into fact values (1, '556dd0c8-6a02-802c-a596-73b34b95177a', 'default', 2, 'Ana', 'works_at', 'Globex1', 'ana', 'globex1', 0.8, NULL, NULL, 'rules/3', 1795794426442, 1795794425623, 3, NULL);
insert into fact values (2, 'd4a98a1a-9b23-8dd7-929b-163d8ef2c4f9', 'default', 2, 'we', 'decided', 'use tool number 1', 'we', 'use tool number 1', 0.8, NULL, NULL, 'rules/3', 1795794426442, NULL, NULL, NULL);
insert into fact values (3, '35ae2608-0dc4-8542-8c99-31f8bd73279e', 'default', 1, 'Ana', 'works_at', 'Globex0', 'ana', 'globex0', 0.8, NULL, NULL, 'rules/3', 1795794426458, 1795794425619, 2, NULL);
insert into fact values (4, '9318067d-a9f5-83d9-b1d5-8c03da75f9c3', 'default', 1, 'we', 'decided', 'use tool number 0', 'we', 'use tool number 0', 0.8, NULL, NULL, 'rules/3', 1795794426458, NULL, NULL, NULL);
insert into fact values (5, '76f8f671-7dfb-82e1-bc1d-aed9f5c5cb5e', 'default', 5, 'Ana', 'works_at', 'Globex4', 'ana', 'globex4', 0.8, NULL, NULL, 'rules/3', 1795794426477, NULL, NULL, NULL);
insert into fact values (6, '121ded2f-24cd-8c83-9851-d9a23006ec81', 'default', 5, 'we', 'decided', 'use tool number 4', 'we', 'use tool number 4', 0.8, NULL, NULL, 'rules/3', 1795794426477, NULL, NULL, NULL);
insert into fact values (7, 'c4fc7bc9-cbb2-8c9e-810a-517dacb5c4b1', 'default', 3, 'Ana', 'works_at', 'Globex2', 'ana', 'globex2', 0.8, NULL, NULL, 'rules/3', 1795794426491, 1795794425626, 4, NULL);
insert into fact values (8, 'e5bd81eb-9254-862b-a12c-68a49f66ac20', 'default', 3, 'we', 'decided', 'use tool number 2', 'we', 'use tool number 2', 0.8, NULL, NULL, 'rules/3', 1795794426491, NULL, NULL, NULL);
insert into fact values (9, '5a065d6e-f73d-823f-a001-df46c9fa14cd', 'default', 4, 'Ana', 'works_at', 'Globex3', 'ana', 'globex3', 0.8, NULL, NULL, 'rules/3', 1795794426499, 1795794425630, 5, NULL);
insert into fact values (10, '7869a500-91cd-836c-82f2-81d1fef0ffc2', 'default', 4, 'we', 'decided', 'use tool number 3', 'we', 'use tool number 3', 0.8, NULL, NULL, 'rules/3', 1795794426499, NULL, NULL, NULL);
insert into fact values (11, '833e7d65-16ed-812f-89ac-98789ae8da40', 'default', 6, 'Ana Lopez', 'works_at', 'Ericsson', 'ana lopez', 'ericsson', 0.8, 1709251200000, NULL, 'rules/3', 1795794426508, NULL, NULL, NULL);
insert into fact values (12, 'cf32cf40-249f-85f9-a401-ff8d346c498a', 'default', 7, 'Bob', 'decided', 'use PostgreSQL 16', 'bob', 'use postgresql 16', 0.8, NULL, NULL, 'rules/3', 1795794426512, NULL, NULL, NULL);
