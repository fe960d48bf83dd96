create table document (
  id integer primary key autoincrement,
  uuid text not null unique,
  tenant text not null,
  project text,
  source text,
  key text,
  actor text,
  session text,
  date integer,
  date_by text, -- 'file': the modification time of a file; null: given by the caller
  job_id integer not null,
  created_at integer not null,
  cut_at integer, -- when its chunks became memories; until then the text index holds its whole text
  -- The time from which another document replaces it, and which one.
  superseded_at integer,
  superseded_by integer references document (id) on delete set null,
  body text not null -- last, because columns after a long text are slow to read
) strict;

create unique index document_key on document (tenant, key) where key is not null;
create index document_source on document (tenant, source, id); -- also counts the documents of a tenant
create index document_job on document (job_id);
create index document_superseded_by on document (superseded_by) where superseded_by is not null;
create index document_waiting on document (tenant, source) where cut_at is null;

create table memory (
  id integer primary key autoincrement,
  uuid text not null unique,
  tenant text not null,
  project text,
  document_id integer references document (id) on delete cascade,
  position integer,
  line integer, -- first line in the document, as stored after redaction
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
  version integer not null default 1, -- rises with each update by a caller
  changed_at integer, -- of the latest update
  enriched_at integer,
  superseded_at integer, -- the time from which it is no longer valid
  superseded_by integer references memory (id) on delete set null, -- the memory that replaces it, if known
  superseded_how text, -- 'facts': all its facts were superseded; 'change': a newer text says so; 'kept': that was taken back manually; 'source': by a newer
  -- document of its source; null: otherwise
  archived_at integer, -- the time from which it is hidden from recall, until it is restored
  archived_by integer references memory (id) on delete set null, -- the memory into which it was merged; null: because of its age
  extractor text, -- what extracted from it last: the rules or a model, with the versions of prompt and schema
  degraded text, -- why only the rules were applied although a model is configured
  awaits_model_since integer, -- the model's server failed at this time, and the model is asked again when it replies
  rejected text, -- JSON list of the parts of the model's answer that were rejected, and why
  type_by text, -- the extractor that set the type; '' if it is `extractor`, null if a caller gave it
  importance_by text,
  confidence_by text
) strict;

create unique index memory_key on memory (tenant, key) where key is not null;
create unique index memory_external_id on memory (tenant, external_id) where external_id is not null;
create unique index memory_document on memory (document_id, position) where document_id is not null;
-- The order of a conversation. Memories imported later may belong between existing ones.
create index memory_session on memory (tenant, session, coalesce(said_at, created_at), coalesce(position, 0), id)
where session is not null;
-- Covers the visibility conditions, so that matches are filtered and counted from the index alone.
create index memory_tenant on memory (
  tenant, id, project, actor, valid_from, valid_until, superseded_at, archived_at, said_at, created_at
);
-- The few that are not visible at every time, so that a search need not look up each of its matches.
create index memory_bounded on memory (tenant, superseded_at, archived_at, valid_from, valid_until)
where superseded_at is not null or archived_at is not null or valid_from is not null or valid_until is not null;
create index memory_type on memory (tenant, lower(type)) where type is not null;
create index memory_not_enriched on memory (tenant) where enriched_at is null;
create index memory_degraded on memory (tenant) where degraded is not null;
create index memory_awaits_model on memory (tenant, enriched_at, id) where awaits_model_since is not null;
-- For lists.
create index memory_source on memory (tenant, source) where source is not null;
create index memory_project on memory (tenant, project, (coalesce(said_at, created_at)), id) where project is not null;
-- For the brief at the start of a session.
create index memory_typed on memory (tenant, project, (coalesce(said_at, created_at)), id) where type <> 'Context';
create index memory_actor on memory (tenant, actor) where actor is not null;
create index memory_job on memory (job_id);
create index memory_superseded_by on memory (superseded_by) where superseded_by is not null;
create index memory_archived_by on memory (archived_by) where archived_by is not null;

-- Earlier versions of memories that a caller updated.
create table memory_version (
  tenant text not null,
  memory_id integer not null references memory (id) on delete cascade,
  version integer not null,
  until integer not null, -- when the next version replaced it
  body text not null,
  type text,
  tags text not null, -- JSON list
  importance real,
  confidence real,
  metadata text,
  valid_from integer,
  valid_until integer,
  primary key (memory_id, version, tenant)
) strict, without rowid;

create table recall_count (
  tenant text not null,
  memory_id integer not null references memory (id) on delete cascade,
  recalls integer not null, -- answers that contained the memory
  recalled_at integer not null, -- the last of them
  primary key (memory_id, tenant)
) strict, without rowid;

create table memory_tag (
  tenant text not null,
  tag text not null,
  memory_id integer not null references memory (id) on delete cascade,
  extractor text, -- null if a caller gave it
  primary key (memory_id, tag, tenant)
) strict, without rowid;

-- Tags are compared without regard to case. It has all columns of the key, so an index of the tags as they are written
-- would repeat it.
create index memory_tag_lower on memory_tag (tenant, (lower(tag)));

-- One row for each key and value of a memory's metadata: a hash of both, because a value may be of any length.
create table metadata_index (
  tenant text not null,
  hash text not null,
  memory_id integer not null references memory (id) on delete cascade,
  primary key (tenant, hash, memory_id)
) strict, without rowid;

create index metadata_index_memory on metadata_index (memory_id);

-- Fingerprints of texts that look like a secret and are not, with the reason given.
create table allowed_secret (
  tenant text not null,
  fingerprint text not null,
  reason text not null,
  created_at integer not null,
  primary key (tenant, fingerprint)
) strict, without rowid;

-- Keyed hashes of texts and identifiers that were forgotten for good, and the random key of each tenant.
create table tombstone (
  tenant text not null,
  hash text not null,
  created_at integer not null,
  primary key (tenant, hash)
) strict, without rowid;

create table tombstone_key (
  tenant text not null,
  version integer not null, -- of the hash: 1 is BLAKE2s
  key text not null,
  primary key (tenant, version)
) strict, without rowid;

-- What was forgotten to the trash, one row for each commit of a `forget`.
create table trash (
  tenant text not null,
  batch text not null, -- one `forget`
  part integer not null,
  created_at integer not null,
  memories integer not null,
  documents integer not null,
  sample text not null, -- the beginning of one of the texts
  undo text not null, -- JSON: the ids of the rows, and what they superseded
  lines text not null, -- of an export
  primary key (tenant, batch, part)
) strict;

create index trash_created on trash (tenant, created_at);

-- Replies to requests with an idempotency key: ids and numbers, no texts. The key is its SHA-256.
create table kept_reply (
  tenant text not null,
  key text not null,
  fingerprint text not null, -- of the request
  status integer not null,
  location text,
  body text not null, -- JSON
  created_at integer not null,
  primary key (tenant, key)
) strict;

create index kept_reply_created on kept_reply (tenant, created_at);

-- Small named texts for a project and an actor; '' is none.
create table memory_block (
  tenant text not null,
  project text not null,
  actor text not null,
  name text not null,
  uuid text not null,
  body text not null,
  max_length integer not null, -- characters of the body
  pinned integer not null, -- 1: it is in each brief
  version integer not null,
  created_at integer not null,
  changed_at integer not null,
  primary key (tenant, project, actor, name)
) strict, without rowid;

-- What was redacted and where; never the secret itself. A secret that could be guessed from its fingerprint has none.
create table redaction (
  id integer primary key autoincrement,
  tenant text not null,
  document_id integer references document (id) on delete cascade,
  memory_id integer references memory (id) on delete cascade,
  kind text not null,
  place text not null, -- a line of the stored text, or the name of another field
  fingerprint text,
  created_at integer not null
) strict;

create index redaction_tenant on redaction (tenant, id);
create index redaction_document on redaction (document_id) where document_id is not null;
create index redaction_memory on redaction (memory_id) where memory_id is not null;
create index redaction_fingerprint on redaction (tenant, fingerprint) where fingerprint is not null;

-- The dates that a memory mentions. When it was said is in `memory`.
create table date_range (
  memory_id integer not null references memory (id) on delete cascade,
  tenant text not null,
  first integer not null,
  until integer not null,
  primary key (memory_id, first, until, tenant)
) strict, without rowid;

-- The conditions of memory_said and memory_importance are always true: they keep planners from using these indexes for
-- anything but their order.
create index date_range_first on date_range (tenant, first, until);
-- Those longer than 32 days, which are few, so that a search for a time need not start a year before it.
create index date_range_long on date_range (tenant, first, until) where until - first > 2764800000;
create index memory_said on memory (tenant, (coalesce(said_at, created_at)), id)
where coalesce(said_at, created_at) is not null;
create index memory_importance on memory (tenant, (coalesce(importance, -1)), id)
where coalesce(importance, -1) is not null;
