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
  body text not null,
  job_id integer not null,
  created_at integer not null,
  cut_at integer,
  superseded_at integer,
  superseded_by integer references document (id) on delete set null
) strict;
CREATE TABLE memory (
  id integer primary key autoincrement,
  uuid text not null unique,
  tenant text not null,
  project text,
  document_id integer references document (id) on delete cascade,
  position integer,
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
  superseded_by integer references memory (id) on delete set null
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
  cost real not null
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
insert into jotsam_migration values ('queue', 1, 'queue_0001_start.sql', 1795794506939);
insert into jotsam_migration values ('memory', 1, 'memory_0001_start.sql', 1795794506942);
insert into queue_job values (9, 'ingest', 'default', 'ingest', 'ready', 0, 0, NULL, 1, NULL, 60000, 0, 0, 5, NULL, NULL, NULL, 1795794509586);
insert into queue_payload values (9, '"39ed3e33-7ae3-4297-99ac-58d54bda0b19"', NULL, NULL, NULL, 0);
insert into queue_attempt values (1, 1, 'ingest', 'default', 'ingest', '2b978e11-eb06-478d-918d-f3e40eccf14b', 1795794506984, 1795794506985, 'done', NULL, NULL);
insert into queue_attempt values (2, 1, 'enrich', 'default', 'enrich', '2b978e11-eb06-478d-918d-f3e40eccf14b', 1795794506985, 1795794509492, 'done', NULL, NULL);
insert into queue_attempt values (3, 1, 'enrich', 'default', 'enrich', '2b978e11-eb06-478d-918d-f3e40eccf14b', 1795794507010, 1795794509502, 'done', NULL, NULL);
insert into queue_attempt values (4, 1, 'enrich', 'default', 'enrich', '2b978e11-eb06-478d-918d-f3e40eccf14b', 1795794507019, 1795794509333, 'done', NULL, NULL);
insert into queue_attempt values (5, 1, 'enrich', 'default', 'enrich', '2b978e11-eb06-478d-918d-f3e40eccf14b', 1795794507020, 1795794508978, 'done', NULL, NULL);
insert into queue_attempt values (6, 1, 'enrich', 'default', 'enrich', '2b978e11-eb06-478d-918d-f3e40eccf14b', 1795794508978, 1795794509509, 'done', NULL, NULL);
insert into queue_attempt values (7, 1, 'enrich', 'default', 'enrich', '2b978e11-eb06-478d-918d-f3e40eccf14b', 1795794509333, 1795794509507, 'done', NULL, NULL);
insert into queue_attempt values (8, 1, 'enrich', 'default', 'enrich', '2b978e11-eb06-478d-918d-f3e40eccf14b', 1795794509492, 1795794509506, 'done', NULL, NULL);
insert into queue_count values ('enrich', 'default', 'enrich', 498831, 7, 7, 0, 0, 0, 0);
insert into queue_count values ('ingest', 'default', 'ingest', 498831, 2, 1, 0, 0, 0, 0);
insert into queue_clock values (1, 1795794508978);
insert into document values (1, 'ddfed306-2048-44db-93b5-e9fecd154ec1', 'default', NULL, 'plan.md', NULL, NULL, NULL, NULL, '# Plan

Ana Lopez works at Ericsson since March 2024. The launch of Kafka is on Friday.

## Rollout

Bob decided to use PostgreSQL 16.', 1, 1795794506960, 1795794506985, NULL, NULL);
insert into document values (2, '39ed3e33-7ae3-4297-99ac-58d54bda0b19', 'default', NULL, 'late.md', NULL, NULL, NULL, NULL, 'A later note that waits, about Zanzibar.', 9, 1795794509586, NULL, NULL, NULL);
insert into memory values (1, '0ea689dc-ee85-43fb-9a05-4025afc40995', 'default', NULL, NULL, NULL, '', 'Ana works at Globex0. We decided to use tool number 0.', 'Ana works at Globex0.', 'Decision', 0.7, 0.6, '{"ticket": "T-0"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 2, 1795794506966, 1795794509492, NULL, NULL, NULL, 'rules/2', NULL, NULL, 'rules/2', 'rules/2');
insert into memory values (2, '4259776f-6d0a-40e0-b5f7-58bf0d39c40f', 'default', NULL, NULL, NULL, '', 'Ana works at Globex1. We decided to use tool number 1.', 'Ana works at Globex1.', 'Decision', 0.7, 0.6, '{"ticket": "T-1"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 3, 1795794506970, 1795794509502, NULL, NULL, NULL, 'rules/2', NULL, NULL, 'rules/2', 'rules/2');
insert into memory values (3, '7490b6c2-10b8-4844-8b11-115e8d5ddc0e', 'default', NULL, NULL, NULL, '', 'Ana works at Globex2. We decided to use tool number 2.', 'Ana works at Globex2.', 'Decision', 0.7, 0.6, '{"ticket": "T-2"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 4, 1795794506974, 1795794509333, NULL, NULL, NULL, 'rules/2', NULL, NULL, 'rules/2', 'rules/2');
insert into memory values (4, '8a6aa35e-382d-4a2b-a0eb-b8302a925eab', 'default', NULL, NULL, NULL, '', 'Ana works at Globex3. We decided to use tool number 3.', 'Ana works at Globex3.', 'Decision', 0.7, 0.6, '{"ticket": "T-3"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 5, 1795794506978, 1795794508978, NULL, NULL, NULL, 'rules/2', NULL, NULL, 'rules/2', 'rules/2');
insert into memory values (5, '5cb1954e-a7c7-43e3-8f58-ae0fa875334e', 'default', NULL, NULL, NULL, '', 'Ana works at Globex4. We decided to use tool number 4.', 'Ana works at Globex4.', 'Decision', 0.7, 0.6, '{"ticket": "T-4"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 6, 1795794506980, 1795794509509, NULL, NULL, NULL, 'rules/2', NULL, NULL, 'rules/2', 'rules/2');
insert into memory values (6, '84b383fa-4404-4d92-bc25-76ab920d590c', 'default', NULL, 1, 0, 'Plan', '# Plan

Ana Lopez works at Ericsson since March 2024. The launch of Kafka is on Friday.

', 'Ana Lopez works at Ericsson since March 2024.', 'Context', 0.4, 0.3, NULL, NULL, NULL, 'plan.md', NULL, NULL, NULL, NULL, NULL, 7, 1795794506985, 1795794509507, NULL, NULL, NULL, 'rules/2', NULL, 'rules/2', 'rules/2', 'rules/2');
insert into memory values (7, 'fe3ed763-70e0-4ee5-ad62-5b781a5502de', 'default', NULL, 1, 1, 'Plan > Rollout', '## Rollout

Bob decided to use PostgreSQL 16.', 'Bob decided to use PostgreSQL 16.', 'Decision', 0.7, 0.6, NULL, NULL, NULL, 'plan.md', NULL, NULL, NULL, NULL, NULL, 8, 1795794506985, 1795794509506, NULL, NULL, NULL, 'rules/2', NULL, 'rules/2', 'rules/2', 'rules/2');
insert into memory_tag values ('default', 'deploy', 1, NULL);
insert into memory_tag values ('default', 'deploy', 2, NULL);
insert into memory_tag values ('default', 'deploy', 3, NULL);
insert into memory_tag values ('default', 'deploy', 4, NULL);
insert into memory_tag values ('default', 'deploy', 5, NULL);
insert into memory_tag values ('default', 'entity:organizations:ericsson', 6, 'rules/2');
insert into memory_tag values ('default', 'entity:organizations:globex0', 1, 'rules/2');
insert into memory_tag values ('default', 'entity:organizations:globex1', 2, 'rules/2');
insert into memory_tag values ('default', 'entity:organizations:globex2', 3, 'rules/2');
insert into memory_tag values ('default', 'entity:organizations:globex3', 4, 'rules/2');
insert into memory_tag values ('default', 'entity:organizations:globex4', 5, 'rules/2');
insert into memory_tag values ('default', 'entity:people:ana', 1, 'rules/2');
insert into memory_tag values ('default', 'entity:people:ana', 2, 'rules/2');
insert into memory_tag values ('default', 'entity:people:ana', 3, 'rules/2');
insert into memory_tag values ('default', 'entity:people:ana', 4, 'rules/2');
insert into memory_tag values ('default', 'entity:people:ana', 5, 'rules/2');
insert into memory_tag values ('default', 'entity:people:ana-lopez', 6, 'rules/2');
insert into memory_tag values ('default', 'entity:people:bob', 7, 'rules/2');
insert into memory_tag values ('default', 'entity:tools:kafka', 6, 'rules/2');
insert into memory_tag values ('default', 'entity:tools:postgresql', 7, 'rules/2');
insert into entity values (1, 'default', 'organizations', 'globex3', 'Globex3', NULL);
insert into entity values (2, 'default', 'people', 'ana', 'Ana', NULL);
insert into entity values (3, 'default', 'organizations', 'globex2', 'Globex2', NULL);
insert into entity values (4, 'default', 'organizations', 'globex0', 'Globex0', NULL);
insert into entity values (5, 'default', 'organizations', 'globex1', 'Globex1', NULL);
insert into entity values (6, 'default', 'people', 'bob', 'Bob', NULL);
insert into entity values (7, 'default', 'tools', 'postgresql', 'PostgreSQL', NULL);
insert into entity values (8, 'default', 'organizations', 'ericsson', 'Ericsson', NULL);
insert into entity values (9, 'default', 'people', 'ana-lopez', 'Ana Lopez', NULL);
insert into entity values (10, 'default', 'tools', 'kafka', 'Kafka', NULL);
insert into entity values (11, 'default', 'organizations', 'globex4', 'Globex4', NULL);
insert into mention values (4, 1, 'rules/2', NULL);
insert into mention values (1, 2, 'rules/2', NULL);
insert into mention values (2, 2, 'rules/2', NULL);
insert into mention values (3, 2, 'rules/2', NULL);
insert into mention values (4, 2, 'rules/2', NULL);
insert into mention values (5, 2, 'rules/2', NULL);
insert into mention values (3, 3, 'rules/2', NULL);
insert into mention values (1, 4, 'rules/2', NULL);
insert into mention values (2, 5, 'rules/2', NULL);
insert into mention values (7, 6, 'rules/2', NULL);
insert into mention values (7, 7, 'rules/2', NULL);
insert into mention values (6, 8, 'rules/2', NULL);
insert into mention values (6, 9, 'rules/2', NULL);
insert into mention values (6, 10, 'rules/2', NULL);
insert into mention values (5, 11, 'rules/2', NULL);
insert into link values (2, 1, 'PRECEDED_BY', 0.5, 1795794509502, 'rules/2');
insert into link values (3, 1, 'PRECEDED_BY', 0.333, 1795794509333, 'rules/2');
insert into link values (3, 2, 'PRECEDED_BY', 0.5, 1795794509333, 'rules/2');
insert into link values (4, 1, 'PRECEDED_BY', 0.25, 1795794508978, 'rules/2');
insert into link values (4, 2, 'PRECEDED_BY', 0.333, 1795794508978, 'rules/2');
insert into link values (4, 3, 'PRECEDED_BY', 0.5, 1795794508978, 'rules/2');
insert into link values (5, 1, 'PRECEDED_BY', 0.2, 1795794509509, 'rules/2');
insert into link values (5, 2, 'PRECEDED_BY', 0.25, 1795794509509, 'rules/2');
insert into link values (5, 3, 'PRECEDED_BY', 0.333, 1795794509509, 'rules/2');
insert into link values (5, 4, 'PRECEDED_BY', 0.5, 1795794509509, 'rules/2');
insert into link values (7, 6, 'PRECEDED_BY', 1.0, 1795794506985, 'cut');
insert into allowed values ('default', '1ebe38778f80fc5533f572d66dc30d59d2eb88bf9605840aad823683add84bb0', 'x', 1795794509569);
insert into period values (1, 1793491200000, 1796083200000, 0);
insert into period values (1, 1795737600000, 1795824000000, 0);
insert into period values (2, 1793491200000, 1796083200000, 0);
insert into period values (2, 1795737600000, 1795824000000, 0);
insert into period values (3, 1793491200000, 1796083200000, 0);
insert into period values (3, 1795737600000, 1795824000000, 0);
insert into period values (4, 1793491200000, 1796083200000, 0);
insert into period values (4, 1795737600000, 1795824000000, 0);
insert into period values (5, 1793491200000, 1796083200000, 0);
insert into period values (5, 1795737600000, 1795824000000, 0);
insert into period values (6, 1709251200000, 1711929600000, 1);
insert into period values (6, 1795132800000, 1795219200000, 1);
insert into period values (6, 1795737600000, 1795824000000, 0);
insert into period values (7, 1793491200000, 1796083200000, 0);
insert into period values (7, 1795737600000, 1795824000000, 0);
insert into theme values (1, 'default', 'Decision', 'ana globex0 tool number');
insert into theme values (2, 'default', 'Decision', 'ana globex1 tool number');
insert into theme values (3, 'default', 'Decision', 'ana globex2 tool number');
insert into theme values (4, 'default', 'Decision', 'ana globex3 tool number');
insert into theme values (5, 'default', 'Decision', 'ana globex4 tool number');
insert into theme values (7, 'default', 'Decision', 'rollout bob postgresql');
insert into theme_type values ('default', 'Decision', 1795794509509);
insert into pattern values (1, 'default', 'Decision', 'ana', 'ana number tool', 1795794509492);
insert into exemplifies values (1, 1, 1795794506966);
insert into exemplifies values (1, 2, 1795794506970);
insert into exemplifies values (1, 3, 1795794506974);
insert into exemplifies values (1, 4, 1795794506978);
insert into exemplifies values (1, 5, 1795794506980);
insert into fact values (1, 'default', 4, 'Ana', 'works_at', 'Globex3', 'ana', 'globex3', 0.8, NULL, NULL, 'rules/2', 1795794508978, 1795794506980, 5);
insert into fact values (2, 'default', 4, 'we', 'decided', 'use tool number 3', 'we', 'use tool number 3', 0.8, NULL, NULL, 'rules/2', 1795794508978, NULL, NULL);
insert into fact values (3, 'default', 3, 'Ana', 'works_at', 'Globex2', 'ana', 'globex2', 0.8, NULL, NULL, 'rules/2', 1795794509333, 1795794506978, 4);
insert into fact values (4, 'default', 3, 'we', 'decided', 'use tool number 2', 'we', 'use tool number 2', 0.8, NULL, NULL, 'rules/2', 1795794509333, NULL, NULL);
insert into fact values (5, 'default', 1, 'Ana', 'works_at', 'Globex0', 'ana', 'globex0', 0.8, NULL, NULL, 'rules/2', 1795794509492, 1795794506970, 2);
insert into fact values (6, 'default', 1, 'we', 'decided', 'use tool number 0', 'we', 'use tool number 0', 0.8, NULL, NULL, 'rules/2', 1795794509492, NULL, NULL);
insert into fact values (7, 'default', 2, 'Ana', 'works_at', 'Globex1', 'ana', 'globex1', 0.8, NULL, NULL, 'rules/2', 1795794509502, 1795794506974, 3);
insert into fact values (8, 'default', 2, 'we', 'decided', 'use tool number 1', 'we', 'use tool number 1', 0.8, NULL, NULL, 'rules/2', 1795794509502, NULL, NULL);
insert into fact values (9, 'default', 7, 'Bob', 'decided', 'use PostgreSQL 16', 'bob', 'use postgresql 16', 0.8, NULL, NULL, 'rules/2', 1795794509506, NULL, NULL);
insert into fact values (10, 'default', 6, 'Ana Lopez', 'works_at', 'Ericsson', 'ana lopez', 'ericsson', 0.8, 1709251200000, NULL, 'rules/2', 1795794509507, NULL, NULL);
insert into fact values (11, 'default', 5, 'Ana', 'works_at', 'Globex4', 'ana', 'globex4', 0.8, NULL, NULL, 'rules/2', 1795794509509, NULL, NULL);
insert into fact values (12, 'default', 5, 'we', 'decided', 'use tool number 4', 'we', 'use tool number 4', 0.8, NULL, NULL, 'rules/2', 1795794509509, NULL, NULL);
