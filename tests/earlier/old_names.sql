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
  outcome text not null check (outcome in ('done', 'cancelled', 'retry', 'released', 'dead', 'expired')),
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
  one integer primary key check (one = 1),
  seen_at integer not null
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
  own_id text,
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
CREATE TABLE memory_mark (
  tenant text not null,
  mark text not null,
  memory_id integer not null references memory (id) on delete cascade,
  primary key (tenant, mark, memory_id)
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
CREATE TABLE allowed (
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
CREATE TABLE period (
  memory_id integer not null references memory (id) on delete cascade,
  tenant text not null,
  first integer not null,
  until integer not null,
  named integer not null,
  primary key (memory_id, first, until)
) strict, without rowid;
CREATE TABLE theme (
  memory_id integer primary key references memory (id) on delete cascade,
  tenant text not null,
  type text not null,
  terms text not null
) strict;
CREATE TABLE theme_type (
  tenant text not null,
  type text not null,
  noted_at integer not null,
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
CREATE TABLE exemplifies (
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
CREATE TABLE reading (
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
CREATE TABLE spending (
  day integer primary key,
  tokens integer not null,
  cost real not null,
  reserved_tokens integer not null,
  reserved_cost real not null,
  moved_at integer not null
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
insert into jotsam_migration values ('queue', 1, 'queue_0001_start.sql', 1795794521776);
insert into jotsam_migration values ('memory', 1, 'memory_0001_start.sql', 1795794521788);
insert into queue_job values (9, 'ingest', 'default', 'ingest', 'ready', 0, 0, NULL, 1, NULL, 60000, 0, 0, 5, NULL, NULL, NULL, 1795794523387);
insert into queue_payload values (9, '"cc1ca00c-5dfe-44e4-9795-19906fb27291"', NULL, NULL, NULL, 0);
insert into queue_attempt values (1, 1, 'ingest', 'default', 'ingest', 'e7651365-5c94-40f1-acba-1b9f8b8e1519', 1795794522449, 1795794522463, 'done', NULL, NULL);
insert into queue_attempt values (2, 1, 'enrich', 'default', 'enrich', 'e7651365-5c94-40f1-acba-1b9f8b8e1519', 1795794522463, 1795794523294, 'done', NULL, NULL);
insert into queue_attempt values (3, 1, 'enrich', 'default', 'enrich', 'e7651365-5c94-40f1-acba-1b9f8b8e1519', 1795794522468, 1795794523329, 'done', NULL, NULL);
insert into queue_attempt values (4, 1, 'enrich', 'default', 'enrich', 'e7651365-5c94-40f1-acba-1b9f8b8e1519', 1795794522477, 1795794523314, 'done', NULL, NULL);
insert into queue_attempt values (5, 1, 'enrich', 'default', 'enrich', 'e7651365-5c94-40f1-acba-1b9f8b8e1519', 1795794522483, 1795794523324, 'done', NULL, NULL);
insert into queue_attempt values (6, 1, 'enrich', 'default', 'enrich', 'e7651365-5c94-40f1-acba-1b9f8b8e1519', 1795794523294, 1795794523333, 'done', NULL, NULL);
insert into queue_attempt values (7, 1, 'enrich', 'default', 'enrich', 'e7651365-5c94-40f1-acba-1b9f8b8e1519', 1795794523314, 1795794523342, 'done', NULL, NULL);
insert into queue_attempt values (8, 1, 'enrich', 'default', 'enrich', 'e7651365-5c94-40f1-acba-1b9f8b8e1519', 1795794523324, 1795794523344, 'done', NULL, NULL);
insert into queue_count values ('enrich', 'default', 'enrich', 498831, 7, 7, 0, 0, 0, 0);
insert into queue_count values ('ingest', 'default', 'ingest', 498831, 2, 1, 0, 0, 0, 0);
insert into queue_clock values (1, 1795794522449);
insert into document values (1, 'ca86bafd-ace0-4ca4-a086-29b315b2ddeb', 'default', NULL, 'plan.md', NULL, NULL, NULL, NULL, NULL, 1, 1795794521804, 1795794522463, NULL, NULL, '# Plan

Ana Lopez works at Ericsson since March 2024. The launch of Kafka is on Friday.

## Rollout

Bob decided to use PostgreSQL 16.');
insert into document values (2, 'cc1ca00c-5dfe-44e4-9795-19906fb27291', 'default', NULL, 'late.md', NULL, NULL, NULL, NULL, NULL, 9, 1795794523387, NULL, NULL, NULL, 'A later note that waits, about Zanzibar.');
insert into memory values (1, 'd3fdb09f-c7ed-473f-b5a9-31594608c1bc', 'default', NULL, NULL, NULL, NULL, '', 'Ana works at Globex0. We decided to use tool number 0.', 'Ana works at Globex0.', 'Decision', 0.7, 0.6, '{"ticket": "T-0"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 2, 1795794521810, 1795794523294, NULL, NULL, NULL, 'rules/3 tagger/1', NULL, NULL, NULL, 'rules/3 tagger/1', 'rules/3 tagger/1');
insert into memory values (2, 'e46d5c0d-3f1a-4480-9bd1-2bb23f2722b8', 'default', NULL, NULL, NULL, NULL, '', 'Ana works at Globex1. We decided to use tool number 1.', 'Ana works at Globex1.', 'Decision', 0.7, 0.6, '{"ticket": "T-1"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 3, 1795794521822, 1795794523329, NULL, NULL, NULL, 'rules/3 tagger/1', NULL, NULL, NULL, 'rules/3 tagger/1', 'rules/3 tagger/1');
insert into memory values (3, '15b58127-3ddf-4d1a-be02-a577d95461e8', 'default', NULL, NULL, NULL, NULL, '', 'Ana works at Globex2. We decided to use tool number 2.', 'Ana works at Globex2.', 'Decision', 0.7, 0.6, '{"ticket": "T-2"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 4, 1795794521824, 1795794523314, NULL, NULL, NULL, 'rules/3 tagger/1', NULL, NULL, NULL, 'rules/3 tagger/1', 'rules/3 tagger/1');
insert into memory values (4, '84e3c9da-b621-4a3b-9f3a-71eee738ad82', 'default', NULL, NULL, NULL, NULL, '', 'Ana works at Globex3. We decided to use tool number 3.', 'Ana works at Globex3.', 'Decision', 0.7, 0.6, '{"ticket": "T-3"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 5, 1795794521830, 1795794523324, NULL, NULL, NULL, 'rules/3 tagger/1', NULL, NULL, NULL, 'rules/3 tagger/1', 'rules/3 tagger/1');
insert into memory values (5, 'def4fc8f-c6d5-4a1f-959d-e35fdbe6b8be', 'default', NULL, NULL, NULL, NULL, '', 'Ana works at Globex4. We decided to use tool number 4.', 'Ana works at Globex4.', 'Decision', 0.7, 0.6, '{"ticket": "T-4"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 6, 1795794521834, 1795794523333, NULL, NULL, NULL, 'rules/3 tagger/1', NULL, NULL, NULL, 'rules/3 tagger/1', 'rules/3 tagger/1');
insert into memory values (6, 'c4d349e6-cc17-4135-9134-37260d507d87', 'default', NULL, 1, 0, 1, 'Plan', '# Plan

Ana Lopez works at Ericsson since March 2024. The launch of Kafka is on Friday.

', 'Ana Lopez works at Ericsson since March 2024.', 'Context', 0.4, 0.3, NULL, NULL, NULL, 'plan.md', NULL, NULL, NULL, NULL, NULL, 7, 1795794522463, 1795794523342, NULL, NULL, NULL, 'rules/3 tagger/1', NULL, NULL, 'rules/3 tagger/1', 'rules/3 tagger/1', 'rules/3 tagger/1');
insert into memory values (7, '676769c8-d175-4f33-81e1-a2d05af072e8', 'default', NULL, 1, 1, 5, 'Plan > Rollout', '## Rollout

Bob decided to use PostgreSQL 16.', 'Bob decided to use PostgreSQL 16.', 'Decision', 0.7, 0.6, NULL, NULL, NULL, 'plan.md', NULL, NULL, NULL, NULL, NULL, 8, 1795794522463, 1795794523344, NULL, NULL, NULL, 'rules/3 tagger/1', NULL, NULL, 'rules/3 tagger/1', 'rules/3 tagger/1', 'rules/3 tagger/1');
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
insert into memory_mark values ('default', '740157732faa8a2a51d66393d7fbc977822d08b9eee122b36c0b7c0991a4ba3d', 1);
insert into memory_mark values ('default', 'b7d67728421fa6eae31304581f0033214087608f2a2aff832bc680954fa2db3a', 2);
insert into memory_mark values ('default', 'f4b3676de52af599e5dbeb74bd404827175efc60622e17dc2fc326ae5f1fe507', 3);
insert into memory_mark values ('default', 'e64e09c518714c9c083303054cf1791ad0b8788a813affe5e9a87811a0b6f99f', 4);
insert into memory_mark values ('default', 'f6cba0a1849d2dfd1f217fd292dc80b8671d0314122cef44800f66bf553dbc4b', 5);
insert into entity values (1, 'default', 'organizations', 'globex0', 'Globex0', NULL);
insert into entity values (2, 'default', 'people', 'ana', 'Ana', NULL);
insert into entity values (3, 'default', 'organizations', 'globex2', 'Globex2', NULL);
insert into entity values (4, 'default', 'organizations', 'globex3', 'Globex3', NULL);
insert into entity values (5, 'default', 'organizations', 'globex1', 'Globex1', NULL);
insert into entity values (6, 'default', 'organizations', 'globex4', 'Globex4', NULL);
insert into entity values (7, 'default', 'organizations', 'ericsson', 'Ericsson', NULL);
insert into entity values (8, 'default', 'people', 'ana-lopez', 'Ana Lopez', NULL);
insert into entity values (9, 'default', 'tools', 'kafka', 'Kafka', NULL);
insert into entity values (10, 'default', 'people', 'bob', 'Bob', NULL);
insert into entity values (11, 'default', 'tools', 'postgresql', 'PostgreSQL', NULL);
insert into mention values (1, 1, 'rules/3', 0.98);
insert into mention values (1, 2, 'tagger/1', 0.6);
insert into mention values (2, 2, 'tagger/1', 0.6);
insert into mention values (3, 2, 'tagger/1', 0.6);
insert into mention values (4, 2, 'tagger/1', 0.6);
insert into mention values (5, 2, 'tagger/1', 0.6);
insert into mention values (3, 3, 'rules/3', 0.98);
insert into mention values (4, 4, 'rules/3', 0.98);
insert into mention values (2, 5, 'rules/3', 0.98);
insert into mention values (5, 6, 'rules/3', 0.98);
insert into mention values (6, 7, 'rules/3', 0.98);
insert into mention values (6, 8, 'tagger/1', 0.6);
insert into mention values (6, 9, 'rules/3', 0.98);
insert into mention values (7, 10, 'rules/3', 0.98);
insert into mention values (7, 11, 'rules/3', 0.98);
insert into title values ('default', 'plan', 6);
insert into title values ('default', 'plan', 7);
insert into title values ('default', 'rollout', 7);
insert into link values (2, 1, 'PRECEDED_BY', 0.5, 1795794523329, 'rules/3');
insert into link values (3, 1, 'PRECEDED_BY', 0.333, 1795794523314, 'rules/3');
insert into link values (3, 2, 'PRECEDED_BY', 0.5, 1795794523314, 'rules/3');
insert into link values (4, 1, 'PRECEDED_BY', 0.25, 1795794523324, 'rules/3');
insert into link values (4, 2, 'PRECEDED_BY', 0.333, 1795794523324, 'rules/3');
insert into link values (4, 3, 'PRECEDED_BY', 0.5, 1795794523324, 'rules/3');
insert into link values (5, 1, 'PRECEDED_BY', 0.2, 1795794523333, 'rules/3');
insert into link values (5, 2, 'PRECEDED_BY', 0.25, 1795794523333, 'rules/3');
insert into link values (5, 3, 'PRECEDED_BY', 0.333, 1795794523333, 'rules/3');
insert into link values (5, 4, 'PRECEDED_BY', 0.5, 1795794523333, 'rules/3');
insert into link values (7, 6, 'PRECEDED_BY', 1.0, 1795794522463, 'cut');
insert into allowed values ('default', '1ebe38778f80fc5533f572d66dc30d59d2eb88bf9605840aad823683add84bb0', 'x', 1795794523380);
insert into period values (1, 'default', 1793491200000, 1796083200000, 0);
insert into period values (1, 'default', 1795737600000, 1795824000000, 0);
insert into period values (2, 'default', 1793491200000, 1796083200000, 0);
insert into period values (2, 'default', 1795737600000, 1795824000000, 0);
insert into period values (3, 'default', 1793491200000, 1796083200000, 0);
insert into period values (3, 'default', 1795737600000, 1795824000000, 0);
insert into period values (4, 'default', 1793491200000, 1796083200000, 0);
insert into period values (4, 'default', 1795737600000, 1795824000000, 0);
insert into period values (5, 'default', 1793491200000, 1796083200000, 0);
insert into period values (5, 'default', 1795737600000, 1795824000000, 0);
insert into period values (6, 'default', 1709251200000, 1711929600000, 1);
insert into period values (6, 'default', 1795132800000, 1795219200000, 1);
insert into period values (6, 'default', 1795737600000, 1795824000000, 0);
insert into period values (7, 'default', 1793491200000, 1796083200000, 0);
insert into period values (7, 'default', 1795737600000, 1795824000000, 0);
insert into theme values (1, 'default', 'Decision', 'ana globex0 tool number');
insert into theme values (2, 'default', 'Decision', 'ana globex1 tool number');
insert into theme values (3, 'default', 'Decision', 'ana globex2 tool number');
insert into theme values (4, 'default', 'Decision', 'ana globex3 tool number');
insert into theme values (5, 'default', 'Decision', 'ana globex4 tool number');
insert into theme values (7, 'default', 'Decision', 'rollout bob postgresql');
insert into theme_type values ('default', 'Decision', 1795794523344);
insert into pattern values (1, 'default', 'Decision', 'ana', 'ana number tool', 1795794523324);
insert into exemplifies values (1, 1, 1795794521810);
insert into exemplifies values (1, 2, 1795794521822);
insert into exemplifies values (1, 3, 1795794521824);
insert into exemplifies values (1, 4, 1795794521830);
insert into exemplifies values (1, 5, 1795794521834);
insert into fact values (1, '193c7b6f-9f09-822c-8308-af80076dd4a1', 'default', 1, 'Ana', 'works_at', 'Globex0', 'ana', 'globex0', 0.8, NULL, NULL, 'rules/3', 1795794523294, 1795794521822, 2, NULL);
insert into fact values (2, '5cf06f10-abce-868e-9424-3e03431e3d29', 'default', 1, 'we', 'decided', 'use tool number 0', 'we', 'use tool number 0', 0.8, NULL, NULL, 'rules/3', 1795794523294, NULL, NULL, NULL);
insert into fact values (3, '0bcd2138-07ce-85ad-9dbc-007181718846', 'default', 3, 'Ana', 'works_at', 'Globex2', 'ana', 'globex2', 0.8, NULL, NULL, 'rules/3', 1795794523314, 1795794521830, 4, NULL);
insert into fact values (4, 'b432c348-2f9b-8959-9044-d6e3ddb2245c', 'default', 3, 'we', 'decided', 'use tool number 2', 'we', 'use tool number 2', 0.8, NULL, NULL, 'rules/3', 1795794523314, NULL, NULL, NULL);
insert into fact values (5, '9c6ff95e-5249-8f53-9fe6-2a7e0d260c9b', 'default', 4, 'Ana', 'works_at', 'Globex3', 'ana', 'globex3', 0.8, NULL, NULL, 'rules/3', 1795794523324, 1795794521834, 5, NULL);
insert into fact values (6, 'e2b9364f-8795-8a14-b3f0-e9d55017183f', 'default', 4, 'we', 'decided', 'use tool number 3', 'we', 'use tool number 3', 0.8, NULL, NULL, 'rules/3', 1795794523324, NULL, NULL, NULL);
insert into fact values (7, '740f55f0-a713-896e-b1ef-dea4f64cd1c8', 'default', 2, 'Ana', 'works_at', 'Globex1', 'ana', 'globex1', 0.8, NULL, NULL, 'rules/3', 1795794523329, 1795794521824, 3, NULL);
insert into fact values (8, 'f84a7654-d82d-8f10-84a7-fb4b3de0517b', 'default', 2, 'we', 'decided', 'use tool number 1', 'we', 'use tool number 1', 0.8, NULL, NULL, 'rules/3', 1795794523329, NULL, NULL, NULL);
insert into fact values (9, '42d71dd1-ef38-8680-8c6d-bbaa89b28aca', 'default', 5, 'Ana', 'works_at', 'Globex4', 'ana', 'globex4', 0.8, NULL, NULL, 'rules/3', 1795794523333, NULL, NULL, NULL);
insert into fact values (10, '6030d463-e619-8498-87ea-7dd3d33cbac8', 'default', 5, 'we', 'decided', 'use tool number 4', 'we', 'use tool number 4', 0.8, NULL, NULL, 'rules/3', 1795794523333, NULL, NULL, NULL);
insert into fact values (11, '0f6c8c68-56cf-8105-8d04-3e39e5d764fd', 'default', 6, 'Ana Lopez', 'works_at', 'Ericsson', 'ana lopez', 'ericsson', 0.8, 1709251200000, NULL, 'rules/3', 1795794523342, NULL, NULL, NULL);
insert into fact values (12, 'b9d93077-d47f-8402-8e6d-5e3526c84e08', 'default', 7, 'Bob', 'decided', 'use PostgreSQL 16', 'bob', 'use postgresql 16', 0.8, NULL, NULL, 'rules/3', 1795794523344, NULL, NULL, NULL);
