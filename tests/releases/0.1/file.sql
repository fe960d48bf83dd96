
PRAGMA page_size=4096;

PRAGMA writable_schema=ON;

BEGIN TRANSACTION;

DROP TABLE IF EXISTS allowed_secret;
CREATE TABLE allowed_secret (
  tenant text not null,
  fingerprint text not null,
  reason text not null,
  created_at integer not null,
  primary key (tenant, fingerprint)
) strict, without rowid;
INSERT INTO allowed_secret VALUES('bo''s','dd2d87584f6977d573fe8e10ca0d993fb3bee9a9da9664c338d97128b3db0f13','an example',1787873208000);

DROP TABLE IF EXISTS api_token;
CREATE TABLE api_token (
  id text primary key,
  tenant text not null,
  name text not null,
  scope text not null check (scope in ('read', 'write', 'admin', 'operator')),
  purpose text not null check (purpose in ('api', 'link', 'dashboard')), -- a link signs in once, and makes a dashboard's
  hash blob not null, -- SHA-256 of the secret, which is random
  rate real, -- requests per second; null: not limited
  max_bytes integer, -- of a request's body; null: the limit of the server
  created_at integer not null,
  expires_at integer,
  revoked_at integer,
  last_used_at integer -- accurate to a minute
) strict, without rowid;
INSERT INTO api_token VALUES('4bbbfeac4187','bo''s','laptop','write','api',X'A192938706E0B1AB13A31B3324AC987F86DAEF2BB011CCBF4BF2889EB376A10F',0.5,1000,1787873208000,NULL,NULL,NULL);
INSERT INTO api_token VALUES('5e02e2eaba4f','default','laptop','write','api',X'C73034D0A60E01864AAF0DE2A9296B1027221FBF25EDF910E5DB916A293257F8',0.5,1000,1787873208000,NULL,NULL,NULL);
INSERT INTO api_token VALUES('79d27529a157','default','old phone','read','api',X'B7611CAE02BC02CFEB6A7D9CEFB3EA5DAC58AAFC9F736472441219CAC752C475',NULL,NULL,1787873208000,NULL,1787873208000,NULL);
CREATE INDEX api_token_tenant on api_token (tenant, created_at);

DROP TABLE IF EXISTS audit;
CREATE TABLE audit (
  id integer primary key autoincrement,
  tenant text not null,
  request text not null,
  token text not null, -- '' if it did not come over HTTP
  name text not null, -- of the token, or of the surface
  action text not null,
  subject text not null, -- the ids in the request
  address text not null, -- of the client
  created_at integer not null
) strict;
INSERT INTO audit VALUES(1,'default','r','','laptop','POST /v1/turns','','',1787873208000);
INSERT INTO audit VALUES(2,'default','6b9f8b87-af0b-4d40-b4a9-011e0552c798','','python','tokens create','79d27529a157','',1787873208000);
INSERT INTO audit VALUES(3,'default','6ed36ce6-5d5f-4191-8b33-f3df239e3382','','python','tokens revoke','79d27529a157','',1787873208000);
INSERT INTO audit VALUES(4,'default','438120a6-e74a-4e5b-9c0e-7e6368f670d6','','python','tokens create','5e02e2eaba4f','',1787873208000);
INSERT INTO audit VALUES(5,'bo''s','r','','laptop','POST /v1/turns','','',1787873208000);
INSERT INTO audit VALUES(6,'bo''s','c117b09c-1565-4819-aafb-c130527c701e','','python','tokens create','4bbbfeac4187','',1787873208000);
CREATE INDEX audit_created on audit (tenant, created_at);
CREATE INDEX audit_tenant on audit (tenant, id);

DROP TABLE IF EXISTS change_word;
CREATE TABLE change_word (
  tenant text not null,
  word text not null,
  at integer not null,
  memory_id integer not null references memory (id) on delete cascade,
  primary key (tenant, word, at, memory_id)
) strict, without rowid;
INSERT INTO change_word VALUES('bo''s','launc',1787873208000,43);
INSERT INTO change_word VALUES('bo''s','may',1787873208000,43);
INSERT INTO change_word VALUES('default','influ',1780093606000,18);
INSERT INTO change_word VALUES('default','postg',1780093606000,18);
INSERT INTO change_word VALUES('default','readi',1780093606000,18);
INSERT INTO change_word VALUES('default','table',1780093606000,18);
INSERT INTO change_word VALUES('default','ana',1780093608000,30);
INSERT INTO change_word VALUES('default','lima',1780093608000,30);
CREATE INDEX change_word_at on change_word (tenant, at);
CREATE INDEX change_word_memory on change_word (memory_id);

DROP TABLE IF EXISTS daily_spend;
CREATE TABLE daily_spend (
  day integer primary key,
  tokens integer not null,
  cost real not null,
  -- The part reserved by running requests, and when the last of them ends at the latest. What is still reserved then
  -- belongs to a process that died, and counts as spent.
  reserved_tokens integer not null,
  reserved_cost real not null,
  reserved_until integer not null
) strict, without rowid;
INSERT INTO daily_spend VALUES(20692,20,2.0,10,1.0,1787873268000);

DROP TABLE IF EXISTS date_range;
CREATE TABLE date_range (
  memory_id integer not null references memory (id) on delete cascade,
  tenant text not null,
  first integer not null,
  until integer not null,
  primary key (memory_id, first, until, tenant)
) strict, without rowid;
INSERT INTO date_range VALUES(48,'bo''s',1735257600000,1735344000000);
INSERT INTO date_range VALUES(43,'bo''s',1777593600000,1782864000000);
INSERT INTO date_range VALUES(45,'bo''s',1787270400000,1787356800000);
INSERT INTO date_range VALUES(14,'default',1768435200000,1768521600000);
INSERT INTO date_range VALUES(26,'default',1777593600000,1780272000000);
CREATE INDEX date_range_first on date_range (tenant, first, until);
CREATE INDEX date_range_long on date_range (tenant, first, until) where until - first > 2764800000;

DROP TABLE IF EXISTS document;
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
  date_by text, -- 'file': the modification time of a file; null: given by the caller
  job_id integer not null,
  created_at integer not null,
  cut_at integer, -- when its chunks became memories; until then the text index holds its whole text
  -- The time from which another document replaces it, and which one.
  superseded_at integer,
  superseded_by integer references document (id) on delete set null,
  body text not null -- last, because columns after a long text are slow to read
, joined_from text) strict;
INSERT INTO document VALUES(1,'a68e778c-499d-4eea-a83c-98033caae017','default','github.com/acme/farm','docs/billing-decisions.md',NULL,NULL,NULL,1772409600000,NULL,14,1780086400000,1780090004000,NULL,NULL,'# Billing: decisions

## Storage
On 2026-01-15 we chose PostgreSQL for the billing service. Ana Lima proposed it; Ben Okafor compared it with MongoDB.
MongoDB was faster to start with, but invoices must never be half written.

## Mail
Invoices are sent by the mail queue. A message that fails five times goes to the dead letters, and Clara Sommer looks at
them each morning.

## Open
- Who owns the nightly export to Northwind?
- Do we keep invoices for ten years, or for seven?
',NULL);
INSERT INTO document VALUES(2,'b2d9319c-ed5d-4249-8c2b-64ac049cf45b','default','billing','docs/totals.md',NULL,NULL,NULL,NULL,NULL,62,1787873208000,NULL,NULL,NULL,'# Totals

Totals of the third quarter.',NULL);
INSERT INTO document VALUES(3,'34f590da-64e4-4e9e-9450-e1216fd432b7','bo''s',NULL,'notes.md','first',NULL,NULL,NULL,NULL,64,1787873208000,1787873208000,NULL,NULL,'# Notes

## A
Met with John Smith about the launch.

## B
We use Redis and 数据库 for it.
',NULL);
INSERT INTO document VALUES(4,'39ffb872-7114-4f60-b77e-d9b550bf1be0','bo''s','apollo','notes.md',NULL,NULL,NULL,1735776000000,NULL,67,1787873208000,1787873208000,NULL,NULL,'# Notes

## A
Met with John Smith about the launch.

## B
We use Redis and 数据库 for it.

## C
The launch is on Friday.
',NULL);
INSERT INTO document VALUES(5,'990ba62e-1b71-4519-8747-c17917b09bda','bo''s',NULL,NULL,NULL,NULL,NULL,NULL,NULL,82,1787873208000,NULL,NULL,NULL,'Discarded, so that its job''s id is free.',NULL);
INSERT INTO document VALUES(6,'14a33aec-7ee1-4d65-89f4-aca0bc0dd314','bo''s',NULL,'later.md',NULL,NULL,NULL,NULL,NULL,83,1787873208000,NULL,NULL,NULL,'This still waits to be cut: launch codes.',NULL);
CREATE INDEX document_job on document (job_id);
CREATE INDEX document_joined on document (tenant, joined_from) where joined_from is not null;
CREATE UNIQUE INDEX document_key on document (tenant, key) where key is not null;
CREATE INDEX document_project on document (tenant, project) where project is not null;
CREATE INDEX document_source on document (tenant, source, id);
CREATE INDEX document_superseded_by on document (superseded_by) where superseded_by is not null;
CREATE INDEX document_waiting on document (tenant, source) where cut_at is null;

DROP TABLE IF EXISTS embedder;
CREATE TABLE embedder (
  id integer primary key autoincrement,
  name text not null unique,
  dimension integer not null,
  place text not null,
  version integer not null default 0,
  created_at integer not null
) strict;
INSERT INTO embedder VALUES(1,'hashing-512',512,'hashing',1,1780000000000);

DROP TABLE IF EXISTS embedding;
CREATE TABLE embedding (
  memory_id integer not null references memory (id) on delete cascade,
  tenant text not null,
  embedder_id integer references embedder (id),
  version integer,
  bytes blob,
  error text, -- why this text cannot be embedded
  wanted integer not null,
  primary key (memory_id, tenant)
) strict;
INSERT INTO embedding VALUES(1,'default',1,1,X'00000000000000003E0DFDBD3E0DFD3D00000000000000003E0DFD3D47289E3E000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000966BDD3E0000000000000000000000000000000047289EBE00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003E0DFDBD000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003E0DFD3D0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003E0D7DBE0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003E0DFD3D00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000047289E3E0000000047289EBE0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003E0DFDBD0000000000000000000000003E0DFDBD0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003E0DFD3D0000000000000000000000000000000000000000000000003E0DFDBD000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003E0DFDBD0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003E0DFDBD000000000000000000000000000000003E0DFDBD000000000000000000000000000000003E0DFDBD00000000000000003E0DFDBD000000000000000000000000000000000000000000000000000000003E0DFD3D0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003E0DFDBD000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003E0DFD3D000000000000000047289EBE00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000',NULL,0);
INSERT INTO embedding VALUES(2,'default',1,1,X'00000000000000009933F2BD9933F23D00000000000000009933F23D4060973E00000000000000000000000000000000000000000000000000000000000000009933F2BD00000000000000000000000000000000000000000000000000000000000000000000000026EDD33E0000000000000000000000009933F23D406097BE00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000009933F2BD000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000009933F23D000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000993372BE000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000004060973E00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000009933F2BD0000000000000000000000009933F2BD0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000009933F23D0000000000000000000000000000000000000000000000009933F2BD000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000009933F2BD0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000009933F2BD0000000000000000406097BE00000000993372BE000000000000000000000000000000009933F2BD00000000000000009933F2BD000000000000000000000000000000009933F2BD00000000000000009933F2BD0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000009933F2BD000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000009933F23D0000000000000000406097BE0000000000000000000000000000000000000000000000000000000000000000000000009933F23D000000000000000000000000000000000000000000000000000000000000000000000000',NULL,0);
CREATE INDEX embedding_failed on embedding (tenant) where error is not null;
CREATE INDEX embedding_version on embedding (tenant, embedder_id, version) where bytes is not null;
CREATE INDEX embedding_wanted on embedding (tenant, memory_id) where wanted = 1;
CREATE TRIGGER mirror_embedding_delete after delete on embedding
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = old.memory_id;
end;
CREATE TRIGGER mirror_embedding_insert after insert on embedding
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = new.memory_id;
end;
CREATE TRIGGER mirror_embedding_update after update of embedder_id, bytes on embedding
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = new.memory_id;
end;

DROP TABLE IF EXISTS engine;
CREATE TABLE engine (
  name text primary key,
  address text not null,
  place text not null, -- this database when the engine was added: a copy of it must not write into the engine
  version text not null, -- of the engine's server when it was last prepared
  xact integer not null default 0, -- a file has one writer at a time
  created_at integer not null,
  error text, -- why a memory could not be written, the last time
  error_at integer
) strict, without rowid;

DROP TABLE IF EXISTS entity;
CREATE TABLE entity (
  id integer primary key autoincrement,
  tenant text not null,
  category text not null,
  slug text not null,
  name text not null,
  canonical_id integer references entity (id) on delete set null, -- the entity it was merged into
  unique (tenant, category, slug)
) strict;
INSERT INTO entity VALUES(1,'default','people','user','user',NULL);
INSERT INTO entity VALUES(2,'default','people','assistant','assistant',NULL);
INSERT INTO entity VALUES(3,'default','tools','influxdb','InfluxDB',NULL);
INSERT INTO entity VALUES(4,'default','tools','postgresql','PostgreSQL',NULL);
INSERT INTO entity VALUES(5,'default','people','ana-lima','Ana Lima',NULL);
INSERT INTO entity VALUES(6,'default','people','ben-okafor','Ben Okafor',NULL);
INSERT INTO entity VALUES(7,'default','tools','mongodb','MongoDB',NULL);
INSERT INTO entity VALUES(8,'default','people','clara-sommer','Clara Sommer',NULL);
INSERT INTO entity VALUES(9,'default','organizations','globex','Globex',NULL);
INSERT INTO entity VALUES(10,'default','people','zoe','Zoe',NULL);
INSERT INTO entity VALUES(11,'default','concepts','lisbon','Lisbon',NULL);
INSERT INTO entity VALUES(12,'default','concepts','porto','Porto',NULL);
INSERT INTO entity VALUES(13,'default','people','john-smith','John Smith',14);
INSERT INTO entity VALUES(14,'default','tools','redis','Redis',NULL);
INSERT INTO entity VALUES(15,'bo''s','people','john-smith','John Smith',16);
INSERT INTO entity VALUES(16,'bo''s','tools','redis','Redis',NULL);
INSERT INTO entity VALUES(17,'bo''s','tools','数据库','数据库',NULL);
INSERT INTO entity VALUES(18,'bo''s','people','marcus','Marcus',NULL);
INSERT INTO entity VALUES(19,'bo''s','people','ana-lee','Ana Lee',NULL);
INSERT INTO entity VALUES(20,'bo''s','people','user','user',NULL);
CREATE INDEX entity_canonical on entity (canonical_id) where canonical_id is not null;
CREATE INDEX entity_slug on entity (tenant, slug);
CREATE TRIGGER mirror_entity_update after update on entity
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id in (
    select n.memory_id
    from mention n
    where n.entity_id = new.id or n.entity_id in (select id from entity where canonical_id = new.id)
  );
end;

DROP TABLE IF EXISTS event;
CREATE TABLE event (
  id integer primary key autoincrement,
  xact integer not null default 0, -- a file has one writer at a time, so the ids are in the order of the commits
  tenant text not null,
  at integer not null,
  type text not null,
  subject text, -- UUID of a memory or document
  job_id integer,
  data text not null -- JSON
) strict;
CREATE INDEX event_job on event (tenant, job_id, xact, id) where job_id is not null;
CREATE INDEX event_order on event (tenant, xact, id);

DROP TABLE IF EXISTS event_pruned;
CREATE TABLE event_pruned (
  tenant text primary key,
  xact integer not null,
  id integer not null
) strict, without rowid;

DROP TABLE IF EXISTS fact;
CREATE TABLE fact (
  id integer primary key autoincrement,
  uuid text not null unique, -- derived from its memory and its keys, so it is the same after another extraction
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
  -- The time from which another fact replaces it, and the memory of that fact: some predicates have one object at a time.
  superseded_at integer,
  superseded_by integer references memory (id) on delete set null,
  superseded_how text -- 'hand': ended manually; 'kept': restored manually; null: by a later fact, or not superseded
) strict;
INSERT INTO fact VALUES(1,'e83fbbb1-e9d5-8314-bf93-38756b3021a3','default',6,'heron','stands_in','northern lake','heron','northern lake',0.6,NULL,NULL,'rules/4',1780000000000,NULL,NULL,NULL);
INSERT INTO fact VALUES(2,'7e3f9578-72f5-860d-bbe8-13040abb1aba','default',13,'table reading','located_in','PostgreSQL','table reading','postgresql',0.6,NULL,NULL,'rules/4',1780090004000,NULL,NULL,NULL);
INSERT INTO fact VALUES(3,'dc2c0595-08b1-8cf7-a679-71431d62195b','default',14,'we','decided','PostgreSQL for the billing service','we','postgresql for the billing service',0.7,1768435200000,NULL,'rules/4',1780090004000,NULL,NULL,NULL);
INSERT INTO fact VALUES(4,'69354eaf-625b-834f-8080-bf019b5d2fbe','default',18,'readings','located_in','InfluxDB','readings','influxdb',0.6,NULL,NULL,'rules/4',1780093608000,NULL,NULL,NULL);
INSERT INTO fact VALUES(6,'195acdc7-79a4-8f97-a6d8-2627927d1cf9','default',26,'pump','has','60 litres a minute','pump','60 litres a minute',0.6,1777593600000,NULL,'rules/4',1780093608000,NULL,NULL,NULL);
INSERT INTO fact VALUES(7,'cb0b6497-3a3f-81df-b10b-94d76bfe08b3','default',27,'Zoe','works_at','Globex','zoe','globex',0.8,NULL,NULL,'rules/4',1780093608000,NULL,NULL,NULL);
INSERT INTO fact VALUES(8,'4f3b48e9-4510-824f-aac7-aecdb63e58d8','default',29,'Ana Lima','lives_in','Lisbon','ana lima','lisbon',0.8,NULL,NULL,'rules/4',1780093608000,NULL,NULL,NULL);
INSERT INTO fact VALUES(9,'8053e77f-d988-83b3-ad12-2cab0a63b993','default',30,'Ana Lima','lives_in','Porto','ana lima','porto',0.8,NULL,NULL,'rules/4',1780093608000,NULL,NULL,NULL);
INSERT INTO fact VALUES(10,'2b7773c1-a19e-8d40-ac0b-44d567c94617','bo''s',40,'we','uses','Redis','we','redis',0.8,NULL,NULL,'rules/4',1787873208000,NULL,NULL,NULL);
INSERT INTO fact VALUES(11,'1e33869e-825e-8e2d-aa31-c3adefe4e2fe','bo''s',40,'we','uses','数据库','we','数据库',0.8,NULL,NULL,'rules/4',1787873208000,NULL,NULL,NULL);
INSERT INTO fact VALUES(12,'844d9806-5325-8c5a-b4b1-97fc4c0ab1ba','bo''s',41,'Marcus','prefers','early returns','marcus','early returns',0.8,NULL,NULL,'rules/4',1787873208000,NULL,NULL,NULL);
INSERT INTO fact VALUES(13,'de00f13d-403a-88dd-ab49-6f452078c54c','bo''s',43,'launch','migrated_from','May to June','launch','may to june',0.6,1777593600000,NULL,'rules/4',1787873208000,NULL,NULL,NULL);
INSERT INTO fact VALUES(14,'52758c61-6a51-87fb-8fe6-3609790b8e6b','bo''s',47,'we','uses','Redis','we','redis',0.8,NULL,NULL,'rules/4',1787873208000,NULL,NULL,NULL);
INSERT INTO fact VALUES(15,'b276a7bc-78f2-8587-88f1-bd2a1c561c67','bo''s',47,'we','uses','数据库','we','数据库',0.8,NULL,NULL,'rules/4',1787873208000,NULL,NULL,NULL);
INSERT INTO fact VALUES(16,'5ca19244-3b98-86b2-89d9-6777ec775b00','bo''s',48,'launch','is_on','Friday','launch','friday',0.6,1735257600000,NULL,'rules/4',1787873208000,NULL,NULL,NULL);
INSERT INTO fact VALUES(17,'0fbb25d1-504f-84dc-9daa-d2367bf82bd3','bo''s',49,'we','decided','paint the kitchen green','we','paint the kitchen green',0.8,NULL,NULL,'rules/4',1787873208000,NULL,NULL,NULL);
INSERT INTO fact VALUES(18,'ca2fc593-9080-8da6-9a5c-bb654434d1c6','bo''s',50,'we','decided','paint the hall green','we','paint the hall green',0.8,NULL,NULL,'rules/4',1787873208000,NULL,NULL,NULL);
INSERT INTO fact VALUES(19,'0c4bb188-dd15-8cb4-ae11-6cd8205db51e','bo''s',51,'we','decided','paint the garden green','we','paint the garden green',0.8,NULL,NULL,'rules/4',1787873208000,NULL,NULL,NULL);
CREATE UNIQUE INDEX fact_memory on fact (memory_id, subject_key, predicate, object_key, tenant);
CREATE INDEX fact_object on fact (tenant, object_key, predicate, subject_key);
CREATE INDEX fact_subject on fact (tenant, subject_key, predicate);
CREATE INDEX fact_superseded on fact (tenant, superseded_at) where superseded_at is not null;
CREATE INDEX fact_superseded_by on fact (superseded_by) where superseded_by is not null;
CREATE TRIGGER mirror_fact_delete after delete on fact
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = old.memory_id;
end;
CREATE TRIGGER mirror_fact_insert after insert on fact
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = new.memory_id;
end;
CREATE TRIGGER mirror_fact_update after update on fact
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = new.memory_id;
end;

DROP TABLE IF EXISTS identity;
CREATE TABLE identity (
  tenant text not null,
  entity_id integer not null references entity (id) on delete cascade,
  body text not null,
  sources text not null, -- JSON list of the UUIDs of the facts
  hash text not null, -- of the facts
  made_by text not null, -- 'rules', or the model
  changed_at integer not null,
  primary key (entity_id, tenant)
) strict, without rowid;
INSERT INTO identity VALUES('default',5,'Ana Lima lives in Porto.','["8053e77f-d988-83b3-ad12-2cab0a63b993"]','7006bf1aa54ea9e07e1877d422c8bc51','rules/1',1787873208000);
INSERT INTO identity VALUES('bo''s',20,'A launch.','[]','h','rules',5);

DROP TABLE IF EXISTS jotsam_migration;
CREATE TABLE jotsam_migration (
  schema text not null,
  version integer not null,
  name text not null,
  fingerprint text not null,
  applied_at bigint not null,
  program text, -- the version of Jotsam that applied it
  primary key (schema, version)
);
INSERT INTO jotsam_migration VALUES('queue',1,'queue_0001_initial','2e5243832fb4',1780000000000,'0.1.0');
INSERT INTO jotsam_migration VALUES('memory',1,'memory_0001_initial','0ad14a461b54',1780000000000,'0.1.0');
INSERT INTO jotsam_migration VALUES('memory',2,'memory_0002_projects','7b50bf9d5e14',1780000000000,'0.1.0');
INSERT INTO jotsam_migration VALUES('memory',3,'memory_0003_operator_scope','181f08ac55f0',1780000000000,'0.1.0');
INSERT INTO jotsam_migration VALUES('memory',4,'memory_0004_notes','6753e1a08f02',1780000000000,'0.1.0');
INSERT INTO jotsam_migration VALUES('memory',5,'memory_0005_trash_rows','970c1fed53c3',1780000000000,'0.1.0');

DROP TABLE IF EXISTS kept_reply;
CREATE TABLE kept_reply (
  tenant text not null,
  key text not null,
  fingerprint text not null, -- of the request
  status integer not null,
  location text,
  body text not null, -- JSON
  created_at integer not null,
  primary key (tenant, key)
) strict;
INSERT INTO kept_reply VALUES('bo''s','8254c329a92850f6d539dd376f4816ee2764517da5e0235514af433164480d7a','f',202,'/v1/jobs/1','{}',1787873208000);
CREATE INDEX kept_reply_created on kept_reply (tenant, created_at);

DROP TABLE IF EXISTS ledger;
CREATE TABLE ledger (
  id integer primary key autoincrement,
  tenant text not null,
  day integer not null, -- days since 1970, UTC
  job_id integer not null, -- 0 for a recall query
  model text not null,
  purpose text not null, -- extraction, embedding, or question
  state text not null check (state in ('open', 'done')),
  tokens_in integer not null,
  tokens_cached integer not null default 0,
  tokens_out integer not null,
  cost real not null, -- in the currency of the configured prices
  created_at integer not null
) strict;
INSERT INTO ledger VALUES(1,'default',20692,1,'m','extraction','open',3,0,2,0.5,1787873208000);
INSERT INTO ledger VALUES(2,'default',20692,1,'m','extraction','done',3,0,2,0.5,1787873208000);
INSERT INTO ledger VALUES(3,'bo''s',20692,1,'m','extraction','open',3,0,2,0.5,1787873208000);
INSERT INTO ledger VALUES(4,'bo''s',20692,1,'m','extraction','done',3,0,2,0.5,1787873208000);
CREATE INDEX ledger_day on ledger (tenant, day, model);
CREATE INDEX ledger_job on ledger (tenant, job_id) where job_id > 0;

DROP TABLE IF EXISTS lifecycle_change;
CREATE TABLE lifecycle_change (
  tenant text not null,
  run_id integer not null references lifecycle_run (id) on delete cascade,
  part integer not null,
  changes text not null, -- JSON list
  primary key (run_id, part, tenant)
) strict, without rowid;
INSERT INTO lifecycle_change VALUES('default',3,0,'[{"kind": "relevance", "ids": ["cd072cd8-be6f-4f62-ac4c-09c28206e7e3", "5594aa6b-342f-4d0a-ba5e-4842fab428f7", "0442027a-af1f-495b-bf86-589578df43e4", "13167ae8-d9dc-4b37-b628-33811a71a723", "73862648-2f61-4623-b962-7cc124d44618"], "why": "computed for 24 memories, fell for 7 memories", "number": 31, "hash": "71c92915a3209fe040e35a7a2a3028e6", "undo": {"set": [[1, 0.376, 0.079], [2, 0.382, 0.08], [3, 0.354, 0.074], [4, 0.354, 0.074], [5, 0.354, 0.074], [6, 0.348, 0.088], [7, 1.0, 0.24], [9, null, 0.066], [10, null, 0.054], [11, null, 0.12], [12, null, 0.071], [13, null, 0.144], [14, null, 0.27], [15, null, 0.135], [16, null, 0.051], [17, null, 0.21], [18, null, 0.102], [19, null, 0.075], [20, null, 0.081], [21, null, 0.067], [22, null, 0.066], [23, null, 0.066], [24, null, 0.066], [25, null, 0.095], [26, null, 0.153], [27, null, 0.084], [28, null, 0.054], [30, null, 0.093], [31, null, 0.067], [32, null, 0.068], [33, null, 0.087]]}, "reverted": true}]');
INSERT INTO lifecycle_change VALUES('default',6,1,'[{"kind": "merge", "ids": ["13167ae8-d9dc-4b37-b628-33811a71a723", "0442027a-af1f-495b-bf86-589578df43e4"], "why": "says the same as 0442027a (likeness 1.00)", "number": 1, "hash": "51f9a1ea245a66948bea4b3229e5aaa5", "undo": {"archived": {"memory": 4, "into": 3, "at": 1787873208000}, "tags": []}}, {"kind": "merge", "ids": ["73862648-2f61-4623-b962-7cc124d44618", "0442027a-af1f-495b-bf86-589578df43e4"], "why": "says the same as 0442027a (likeness 1.00)", "number": 1, "hash": "ad1fa77bd40063c2e11440e27272df2d", "undo": {"archived": {"memory": 5, "into": 3, "at": 1787873208000}, "tags": []}}]');
INSERT INTO lifecycle_change VALUES('default',9,0,'[{"kind": "triage", "ids": ["c39faf42-028e-410f-ba4d-16cee68320eb", "ec903eb8-d137-40d7-b14c-1966162bd3b5", "4c0a29d3-d0e3-48c8-8116-0cabe56b11a0", "45e54a00-9d49-459c-bf1e-5b7e7af4fbd3", "2a371bde-2258-4855-aaf1-703e7a89f3ba"], "why": "judged 21: 2 decision, 1 learning, 1 preference, 1 fact", "number": 21, "hash": "4b22af262a47738e8edc7f39cecc08e8", "undo": {"rows": [[9, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "rules"}], [10, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "gate"}], [11, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "rules"}], [12, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "gate"}], [13, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "rules"}], [17, null, {"version": 2, "text_version": 1, "kind": "decision", "title": "PostgreSQL is too slow for the readings, let''s go with InfluxDB", "confidence": 0.6, "state": "candidate", "reason": null, "crystal_id": null, "judged_by": "rules"}], [18, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "rules"}], [19, null, {"version": 2, "text_version": 1, "kind": "learning", "title": "the import fails with ''timeout after 30 s''", "confidence": 0.6, "state": "candidate", "reason": null, "crystal_id": null, "judged_by": "rules"}], [20, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "rules"}], [21, null, {"version": 2, "text_version": 1, "kind": "preference", "title": "Answer in short sentences", "confidence": 0.7, "state": "candidate", "reason": null, "crystal_id": null, "judged_by": "rules"}], [22, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "rules"}], [23, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "rules"}], [24, null, {"version": 2, "text_version": 1, "kind": "decision", "title": "Use tabs.", "confidence": null, "state": "refused", "reason": "no statement: only questions, commands, data or a few words", "crystal_id": null, "judged_by": "gate"}], [25, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "rules"}], [26, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "rules"}], [27, null, {"version": 2, "text_version": 1, "kind": "fact", "title": "Zoe works at Globex", "confidence": 0.6, "state": "candidate", "reason": null, "crystal_id": null, "judged_by": "rules"}], [28, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "gate"}], [30, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "rules"}], [31, null, {"version": 2, "text_version": 2, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "gate"}], [32, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "gate"}], [33, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "rules"}]]}}]');
INSERT INTO lifecycle_change VALUES('default',10,0,'[{"kind": "identity", "ids": ["entity:people:ana-lima", "7006bf1aa54ea9e07e1877d422c8bc51"], "why": "made of 1 fact", "number": 1, "hash": "fa95412e1a464e930469c945a234b18d", "undo": {"entity": 5, "before": null, "after": "7006bf1aa54ea9e07e1877d422c8bc51"}}]');
INSERT INTO lifecycle_change VALUES('bo''s',12,0,'[]');

DROP TABLE IF EXISTS lifecycle_pair;
CREATE TABLE lifecycle_pair (
  tenant text not null,
  run_id integer not null references lifecycle_run (id) on delete cascade,
  first_id integer not null,
  second_id integer not null,
  likeness real not null,
  primary key (run_id, first_id, second_id, tenant)
) strict, without rowid;
INSERT INTO lifecycle_pair VALUES('bo''s',12,1,2,0.9);

DROP TABLE IF EXISTS lifecycle_refusal;
CREATE TABLE lifecycle_refusal (
  tenant text not null,
  hash text not null,
  created_at integer not null,
  primary key (tenant, hash)
) strict, without rowid;
INSERT INTO lifecycle_refusal VALUES('bo''s','h',5);

DROP TABLE IF EXISTS lifecycle_run;
CREATE TABLE lifecycle_run (
  id integer primary key autoincrement,
  uuid text not null unique,
  tenant text not null,
  step text not null,
  origin text not null, -- 'schedule', or 'request' of a caller
  state text not null check (state in ('waiting', 'running', 'done', 'failed', 'undoing', 'undone')),
  job_id integer not null, -- that works on it, or did last
  place text, -- where the next part begins; null: at the beginning
  parts integer not null default 0, -- that are committed
  examined integer not null default 0, -- memories or entities that it looked at
  changed integer not null default 0,
  reverted integer not null default 0, -- changes that were taken back
  kept integer not null default 0, -- changes that could not be taken back, because something else has changed it since
  error text,
  options text not null, -- JSON: the settings that it runs with
  created_at integer not null,
  started_at integer,
  ended_at integer,
  undone_at integer
) strict;
INSERT INTO lifecycle_run VALUES(3,'2d95373e-5e46-4604-b2e0-42bb7fbe6245','default','decay','request','undone',0,NULL,1,31,31,31,0,NULL,'{"archive_below": 0.0, "remove_below": 0.0}',1787873208000,1787873208000,1787873208000,1787873208000);
INSERT INTO lifecycle_run VALUES(4,'43aedfd0-45d8-4b0f-8d6a-c11963747ac8','default','decay','schedule','done',0,NULL,1,31,0,0,0,NULL,'{"archive_below": 0.0, "remove_below": 0.0}',1787873208000,1787873208000,1787873208000,NULL);
INSERT INTO lifecycle_run VALUES(5,'fabf7725-5f6c-46da-868b-9ab2478b0138','default','creative','schedule','done',0,NULL,1,1,0,0,0,NULL,'{"archive_below": 0.0, "remove_below": 0.0}',1787873208000,1787873208000,1787873208000,NULL);
INSERT INTO lifecycle_run VALUES(6,'b175940b-c4cb-4ed1-a9e2-e892fd595ba2','default','cluster','schedule','done',0,NULL,4,28,2,0,0,NULL,'{"archive_below": 0.0, "remove_below": 0.0}',1787873208000,1787873208000,1787873208000,NULL);
INSERT INTO lifecycle_run VALUES(7,'32cff6e8-9ec1-4fef-ad32-c18858d8279a','default','creative','request','done',0,NULL,1,1,0,0,0,NULL,'{"archive_below": 0.0, "remove_below": 0.0}',1787873208000,1787873208000,1787873208000,NULL);
INSERT INTO lifecycle_run VALUES(8,'1fa77193-d65c-441e-954c-2664b1a16e17','default','cluster','request','done',0,NULL,4,26,0,0,0,NULL,'{"archive_below": 0.0, "remove_below": 0.0}',1787873208000,1787873208000,1787873208000,NULL);
INSERT INTO lifecycle_run VALUES(9,'412506f6-fd43-4ff8-aa52-5a2f7b46d6b7','default','crystals','request','done',0,NULL,4,21,21,0,0,NULL,'{"archive_below": 0.0, "remove_below": 0.0}',1787873208000,1787873208000,1787873208000,NULL);
INSERT INTO lifecycle_run VALUES(10,'3314d505-1d03-438b-955b-f56cdaa3df9e','default','identity','request','done',0,NULL,1,14,1,0,0,NULL,'{"archive_below": 0.0, "remove_below": 0.0}',1787873208000,1787873208000,1787873208000,NULL);
INSERT INTO lifecycle_run VALUES(11,'98ddac59-e931-426f-a550-292e3f7aa00f','default','forget','request','done',0,NULL,1,0,0,0,0,NULL,'{"archive_below": 0.0, "remove_below": 0.0}',1787873208000,1787873208000,1787873208000,NULL);
INSERT INTO lifecycle_run VALUES(12,'bo''s-run','bo''s','decay','request','done',0,NULL,0,0,0,0,0,NULL,'{}',5,NULL,NULL,NULL);
CREATE INDEX lifecycle_run_ended on lifecycle_run (tenant, ended_at) where ended_at is not null;
CREATE INDEX lifecycle_run_tenant on lifecycle_run (tenant, id);

DROP TABLE IF EXISTS lifecycle_schedule;
CREATE TABLE lifecycle_schedule (
  tenant text not null,
  step text not null,
  due_at integer not null,
  primary key (tenant, step)
) strict, without rowid;
INSERT INTO lifecycle_schedule VALUES('bo''s','decay',5);
INSERT INTO lifecycle_schedule VALUES('default','cluster',1790465208000);
INSERT INTO lifecycle_schedule VALUES('default','creative',1788478008000);
INSERT INTO lifecycle_schedule VALUES('default','decay',1787959608000);

DROP TABLE IF EXISTS link;
CREATE TABLE link (
  tenant text not null,
  source_id integer not null references memory (id) on delete cascade,
  target_id integer not null references memory (id) on delete cascade,
  type text not null,
  weight real not null,
  created_at integer not null,
  extractor text, -- null if a caller gave it
  properties text, -- a JSON object, or null: what a caller says about it
  primary key (source_id, type, target_id, tenant)
) strict, without rowid;
INSERT INTO link VALUES('default',1,2,'SIMILAR_TO',0.8366,1780000000000,'hashing-512',NULL);
INSERT INTO link VALUES('default',2,1,'PRECEDED_BY',0.5,1780000000000,'rules/4',NULL);
INSERT INTO link VALUES('default',2,1,'SIMILAR_TO',0.8366,1780000000000,'hashing-512',NULL);
INSERT INTO link VALUES('default',3,1,'PRECEDED_BY',0.333,1780000000000,'rules/4',NULL);
INSERT INTO link VALUES('default',3,2,'PRECEDED_BY',0.5,1780000000000,'rules/4',NULL);
INSERT INTO link VALUES('default',4,3,'DUPLICATE_OF',1.0,1787873208000,'cluster',NULL);
INSERT INTO link VALUES('default',4,1,'PRECEDED_BY',0.25,1780000000000,'rules/4',NULL);
INSERT INTO link VALUES('default',4,2,'PRECEDED_BY',0.333,1780000000000,'rules/4',NULL);
INSERT INTO link VALUES('default',4,3,'PRECEDED_BY',0.5,1780000000000,'rules/4',NULL);
INSERT INTO link VALUES('default',5,3,'DUPLICATE_OF',1.0,1787873208000,'cluster',NULL);
INSERT INTO link VALUES('default',5,1,'PRECEDED_BY',0.2,1780000000000,'rules/4',NULL);
INSERT INTO link VALUES('default',5,2,'PRECEDED_BY',0.25,1780000000000,'rules/4',NULL);
INSERT INTO link VALUES('default',5,3,'PRECEDED_BY',0.333,1780000000000,'rules/4',NULL);
INSERT INTO link VALUES('default',5,4,'PRECEDED_BY',0.5,1780000000000,'rules/4',NULL);
INSERT INTO link VALUES('default',7,3,'DERIVED_FROM',1.0,1780086400000,'crystals/1',NULL);
INSERT INTO link VALUES('default',7,4,'DERIVED_FROM',1.0,1780086400000,'crystals/1',NULL);
INSERT INTO link VALUES('default',7,5,'DERIVED_FROM',1.0,1780086400000,'crystals/1',NULL);
INSERT INTO link VALUES('default',8,6,'DERIVED_FROM',1.0,1780086400000,'crystals/1',NULL);
INSERT INTO link VALUES('default',9,6,'PRECEDED_BY',0.5,1780090004000,'rules/4',NULL);
INSERT INTO link VALUES('default',10,2,'PRECEDED_BY',0.167,1780090004000,'rules/4',NULL);
INSERT INTO link VALUES('default',10,3,'PRECEDED_BY',0.2,1780090004000,'rules/4',NULL);
INSERT INTO link VALUES('default',10,4,'PRECEDED_BY',0.25,1780090004000,'rules/4',NULL);
INSERT INTO link VALUES('default',10,5,'PRECEDED_BY',0.333,1780090004000,'rules/4',NULL);
INSERT INTO link VALUES('default',10,7,'PRECEDED_BY',0.5,1780090004000,'rules/4',NULL);
INSERT INTO link VALUES('default',11,3,'PRECEDED_BY',0.167,1780090004000,'rules/4',NULL);
INSERT INTO link VALUES('default',11,4,'PRECEDED_BY',0.2,1780090004000,'rules/4',NULL);
INSERT INTO link VALUES('default',11,5,'PRECEDED_BY',0.25,1780090004000,'rules/4',NULL);
INSERT INTO link VALUES('default',11,7,'PRECEDED_BY',0.333,1780090004000,'rules/4',NULL);
INSERT INTO link VALUES('default',11,10,'PRECEDED_BY',1.0,1780090004000,'rules/4',NULL);
INSERT INTO link VALUES('default',12,4,'PRECEDED_BY',0.167,1780090004000,'rules/4',NULL);
INSERT INTO link VALUES('default',12,5,'PRECEDED_BY',0.2,1780090004000,'rules/4',NULL);
INSERT INTO link VALUES('default',12,7,'PRECEDED_BY',0.25,1780090004000,'rules/4',NULL);
INSERT INTO link VALUES('default',12,10,'PRECEDED_BY',0.333,1780090004000,'rules/4',NULL);
INSERT INTO link VALUES('default',12,11,'PRECEDED_BY',1.0,1780090004000,'rules/4',NULL);
INSERT INTO link VALUES('default',13,5,'PRECEDED_BY',0.167,1780090004000,'rules/4',NULL);
INSERT INTO link VALUES('default',13,7,'PRECEDED_BY',0.2,1780090004000,'rules/4',NULL);
INSERT INTO link VALUES('default',13,10,'PRECEDED_BY',0.25,1780090004000,'rules/4',NULL);
INSERT INTO link VALUES('default',13,11,'PRECEDED_BY',0.333,1780090004000,'rules/4',NULL);
INSERT INTO link VALUES('default',13,12,'PRECEDED_BY',1.0,1780090004000,'rules/4',NULL);
INSERT INTO link VALUES('default',15,14,'PRECEDED_BY',1.0,1780090004000,'cut',NULL);
INSERT INTO link VALUES('default',16,15,'PRECEDED_BY',1.0,1780090004000,'cut',NULL);
INSERT INTO link VALUES('default',17,7,'PRECEDED_BY',0.167,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',17,10,'PRECEDED_BY',0.2,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',17,11,'PRECEDED_BY',0.25,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',17,12,'PRECEDED_BY',0.333,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',17,13,'PRECEDED_BY',0.5,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',18,10,'PRECEDED_BY',0.167,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',18,11,'PRECEDED_BY',0.2,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',18,12,'PRECEDED_BY',0.25,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',18,13,'PRECEDED_BY',0.333,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',18,17,'PRECEDED_BY',1.0,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',19,11,'PRECEDED_BY',0.167,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',19,12,'PRECEDED_BY',0.2,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',19,13,'PRECEDED_BY',0.25,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',19,17,'PRECEDED_BY',0.333,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',19,18,'PRECEDED_BY',1.0,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',20,12,'PRECEDED_BY',0.167,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',20,13,'PRECEDED_BY',0.2,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',20,17,'PRECEDED_BY',0.25,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',20,18,'PRECEDED_BY',0.333,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',20,19,'PRECEDED_BY',1.0,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',22,13,'PRECEDED_BY',0.2,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',22,17,'PRECEDED_BY',0.25,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',22,18,'PRECEDED_BY',0.333,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',22,19,'PRECEDED_BY',0.5,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',23,17,'PRECEDED_BY',0.2,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',23,18,'PRECEDED_BY',0.25,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',23,19,'PRECEDED_BY',0.333,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',23,22,'PRECEDED_BY',0.5,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',24,18,'PRECEDED_BY',0.2,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',24,19,'PRECEDED_BY',0.25,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',24,22,'PRECEDED_BY',0.333,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',24,23,'PRECEDED_BY',0.5,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',26,22,'PRECEDED_BY',0.2,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',26,23,'PRECEDED_BY',0.25,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',26,24,'PRECEDED_BY',0.333,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',27,22,'PRECEDED_BY',0.167,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',27,23,'PRECEDED_BY',0.2,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',27,24,'PRECEDED_BY',0.25,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',27,26,'PRECEDED_BY',0.5,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',28,23,'PRECEDED_BY',0.167,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',28,24,'PRECEDED_BY',0.2,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',28,26,'PRECEDED_BY',0.333,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',28,27,'PRECEDED_BY',0.5,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',29,21,'PRECEDED_BY',0.5,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',30,21,'PRECEDED_BY',0.333,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',30,29,'PRECEDED_BY',0.5,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',31,21,'PRECEDED_BY',0.333,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',31,30,'PRECEDED_BY',0.5,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',32,21,'PRECEDED_BY',0.25,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',32,30,'PRECEDED_BY',0.333,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',32,31,'PRECEDED_BY',0.5,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',33,21,'PRECEDED_BY',0.2,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',33,30,'PRECEDED_BY',0.25,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',33,31,'PRECEDED_BY',0.333,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('default',33,32,'PRECEDED_BY',0.5,1780093608000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',40,39,'PRECEDED_BY',1.0,1787873208000,'cut',NULL);
INSERT INTO link VALUES('bo''s',41,38,'PRECEDED_BY',0.5,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',42,38,'PRECEDED_BY',0.333,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',42,41,'PRECEDED_BY',0.5,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',43,38,'PRECEDED_BY',0.25,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',43,41,'PRECEDED_BY',0.333,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',43,42,'PRECEDED_BY',0.5,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',44,38,'PRECEDED_BY',0.2,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',44,41,'PRECEDED_BY',0.25,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',44,42,'PRECEDED_BY',1.0,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',44,43,'PRECEDED_BY',0.5,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',45,38,'PRECEDED_BY',0.167,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',45,41,'PRECEDED_BY',0.2,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',45,42,'PRECEDED_BY',0.25,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',45,43,'PRECEDED_BY',0.333,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',45,44,'PRECEDED_BY',0.5,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',47,46,'PRECEDED_BY',1.0,1787873208000,'cut',NULL);
INSERT INTO link VALUES('bo''s',48,47,'PRECEDED_BY',1.0,1787873208000,'cut',NULL);
INSERT INTO link VALUES('bo''s',49,41,'PRECEDED_BY',0.167,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',49,42,'PRECEDED_BY',0.2,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',49,43,'PRECEDED_BY',0.25,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',49,44,'PRECEDED_BY',0.333,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',49,45,'PRECEDED_BY',0.5,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',50,42,'PRECEDED_BY',0.167,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',50,43,'PRECEDED_BY',0.2,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',50,44,'PRECEDED_BY',0.25,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',50,45,'PRECEDED_BY',0.333,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',50,49,'PRECEDED_BY',0.5,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',51,43,'PRECEDED_BY',0.167,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',51,44,'PRECEDED_BY',0.2,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',51,45,'PRECEDED_BY',0.25,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',51,49,'PRECEDED_BY',0.333,1787873208000,'rules/4',NULL);
INSERT INTO link VALUES('bo''s',51,50,'PRECEDED_BY',0.5,1787873208000,'rules/4',NULL);
CREATE INDEX link_target on link (target_id, type);
CREATE TRIGGER mirror_link_delete after delete on link
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = old.source_id;
end;
CREATE TRIGGER mirror_link_insert after insert on link
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = new.source_id;
end;
CREATE TRIGGER mirror_link_update after update on link
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = new.source_id;
end;

DROP TABLE IF EXISTS llm_cache;
CREATE TABLE llm_cache (
  tenant text not null,
  key text not null,
  body text not null, -- '' while the request runs
  extractor text not null, -- of the answer; while the request runs, who sent it
  created_at integer not null,
  used_at integer not null, -- accurate to a day, for removing unused answers; while the request runs, when the claim expires
  memory_id integer references memory (id) on delete cascade, -- from whose text it was read; null while the request runs
  primary key (tenant, key)
) strict, without rowid;
INSERT INTO llm_cache VALUES('default','k','{}','llm:m',1787873208000,1787873208000,1);
CREATE INDEX llm_cache_memory on llm_cache (memory_id) where memory_id is not null;
CREATE INDEX llm_cache_used on llm_cache (tenant, used_at);

DROP TABLE IF EXISTS memory;
CREATE TABLE memory (
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
, joined_from text) strict;
INSERT INTO memory VALUES(1,'cd072cd8-be6f-4f62-ac4c-09c28206e7e3','default','github.com/acme/farm',NULL,NULL,NULL,'','The well is 12 metres deep.','The well is 12 metres deep.','Context',0.4,0.3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,1780000000000,1,NULL,1780000000000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(2,'5594aa6b-342f-4d0a-ba5e-4842fab428f7','default','github.com/acme/farm',NULL,NULL,NULL,'','The well is twelve metres deep.','The well is twelve metres deep.','Context',0.4,0.3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,2,1780000000000,1,NULL,1780000000000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(3,'0442027a-af1f-495b-bf86-589578df43e4','default','github.com/acme/farm',NULL,NULL,NULL,'','Always run the migration tests before a release.','Always run the migration tests before a release.','Context',0.5,0.3,NULL,'user','a',NULL,NULL,NULL,NULL,NULL,NULL,4,1780000000000,1,NULL,1780000000000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(4,'13167ae8-d9dc-4b37-b628-33811a71a723','default','github.com/acme/farm',NULL,NULL,NULL,'','Always run the migration tests before a release.','Always run the migration tests before a release.','Context',0.5,0.3,NULL,'user','b',NULL,NULL,NULL,NULL,NULL,NULL,5,1780000000000,1,NULL,1780000000000,NULL,NULL,NULL,1787873208000,3,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(5,'73862648-2f61-4623-b962-7cc124d44618','default','github.com/acme/farm',NULL,NULL,NULL,'','Always run the migration tests before a release.','Always run the migration tests before a release.','Context',0.5,0.3,NULL,'user','c',NULL,NULL,NULL,NULL,NULL,NULL,6,1780000000000,1,NULL,1780000000000,NULL,NULL,NULL,1787873208000,3,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(6,'3c6e4d9e-a1a5-45cc-b72e-2140c304bdfc','default','github.com/acme/garden',NULL,NULL,NULL,'','The heron stands in the northern lake.','The heron stands in the northern lake.','Context',0.4,0.3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,7,1780000000000,1,NULL,1780000000000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(7,'2a9219af-1ece-4754-9758-de781ef34f8f','default','github.com/acme/farm',NULL,NULL,NULL,'','Always run the migration tests before a release','Always run the migration tests before a release','Preference',0.8,0.9,'{"kind": "preference", "title": "Always run the migration tests before a release", "why": "3 sessions say it"}','user',NULL,NULL,1780000000000,NULL,NULL,NULL,NULL,0,1780086400000,1,NULL,1780086400000,NULL,NULL,NULL,NULL,NULL,'crystals/1',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO memory VALUES(8,'06501d7a-135a-4471-9ef3-84dd9a6e7785','default','github.com/acme/garden',NULL,NULL,NULL,'','The heron stands in the northern lake.','The heron stands in the northern lake.','Insight',0.8,1.0,'{"kind": "fact", "title": "The heron stands in the northern lake.", "why": "confirmed by hand"}',NULL,NULL,NULL,1780000000000,NULL,NULL,NULL,NULL,0,1780086400000,1,NULL,1780086400000,1780086400000,NULL,NULL,NULL,NULL,'crystals/1',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO memory VALUES(9,'c39faf42-028e-410f-ba4d-16cee68320eb','default','github.com/acme/garden',NULL,NULL,NULL,'','The shed is green.','The shed is green.','Context',0.4,0.3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,13,1780086400000,1,NULL,1780090004000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','','shed');
INSERT INTO memory VALUES(10,'ec903eb8-d137-40d7-b14c-1966162bd3b5','default','github.com/acme/farm',NULL,0,NULL,'','Where do we keep the readings of the sensors?','Where do we keep the readings of the sensors?','Context',0.4,0.3,NULL,'user','sensors-1','turns',1780090001000,NULL,NULL,NULL,'turn:sensors-1:1c0409e19:0',15,1780090001000,1,NULL,1780090004000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(11,'4c0a29d3-d0e3-48c8-8116-0cabe56b11a0','default','github.com/acme/farm',NULL,1,NULL,'','Two ways:

- InfluxDB: made for it, one more service to run
- PostgreSQL: we have it, slower beyond 100 million rows

I recommend the second.','InfluxDB: made for it, one more service to run','Context',0.4,0.3,NULL,'assistant','sensors-1','turns',1780090002000,NULL,NULL,NULL,'turn:sensors-1:1c0409e19:1',16,1780090002000,1,NULL,1780090004000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(12,'45e54a00-9d49-459c-bf1e-5b7e7af4fbd3','default','github.com/acme/farm',NULL,2,NULL,'','ok the second','ok the second','Context',0.4,0.3,NULL,'user','sensors-1','turns',1780090003000,NULL,NULL,NULL,'turn:sensors-1:1c0409e19:2',17,1780090003000,1,NULL,1780090004000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(13,'2a371bde-2258-4855-aaf1-703e7a89f3ba','default','github.com/acme/farm',NULL,3,NULL,'','The table `reading` is in PostgreSQL, with one partition a month. Open: nobody has tested the restore of it.','The table reading is in PostgreSQL, with one partition a month.','Context',0.4,0.3,NULL,'assistant','sensors-1','turns',1780090004000,NULL,NULL,NULL,'turn:sensors-1:1c0409e19:3',18,1780090004000,1,NULL,1780090004000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(14,'e833d7de-ccbc-4f10-8cc5-e9304fc1c1ea','default','github.com/acme/farm',1,0,1,'Billing: decisions > Storage','# Billing: decisions

## Storage
On 2026-01-15 we chose PostgreSQL for the billing service. Ana Lima proposed it; Ben Okafor compared it with MongoDB.
MongoDB was faster to start with, but invoices must never be half written.

','On 2026-01-15 we chose PostgreSQL for the billing service.','Decision',0.9,0.6,NULL,NULL,NULL,'docs/billing-decisions.md',1772409600000,NULL,NULL,NULL,NULL,19,1780090004000,1,NULL,1780090004000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(15,'4f624891-2e96-4138-b7ee-153d6c05a8cd','default','github.com/acme/farm',1,1,7,'Billing: decisions > Mail','## Mail
Invoices are sent by the mail queue. A message that fails five times goes to the dead letters, and Clara Sommer looks at
them each morning.

','Invoices are sent by the mail queue.','Context',0.4,0.3,NULL,NULL,NULL,'docs/billing-decisions.md',1772409600000,NULL,NULL,NULL,NULL,20,1780090004000,1,NULL,1780090004000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(16,'d2b7b0f7-3383-4a24-bd2b-9dcdc163018b','default','github.com/acme/farm',1,2,11,'Billing: decisions > Open','## Open
- Who owns the nightly export to Northwind?
- Do we keep invoices for ten years, or for seven?
','Who owns the nightly export to Northwind?','Context',0.4,0.3,NULL,NULL,NULL,'docs/billing-decisions.md',1772409600000,NULL,NULL,NULL,NULL,21,1780090004000,1,NULL,1780090004000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(17,'d6650882-8e11-4bff-8b32-ceee02e6417d','default','github.com/acme/farm',NULL,0,NULL,'','PostgreSQL is too slow for the readings, let''s go with InfluxDB','PostgreSQL is too slow for the readings, let''s go with InfluxDB','Decision',0.7,0.6,NULL,'user','sensors-2','turns',1780093605000,NULL,NULL,NULL,'turn:sensors-2:850d585b9:0',22,1780093605000,1,NULL,1780093608000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(18,'1137eb1b-eb9d-4b4d-b7d9-1f8d03eb844a','default','github.com/acme/farm',NULL,1,NULL,'','Switched: the readings are in InfluxDB now, the table `reading` is removed from PostgreSQL.','Switched: the readings are in InfluxDB now, the table reading is removed from PostgreSQL.','Context',0.4,0.3,NULL,'assistant','sensors-2','turns',1780093606000,NULL,NULL,NULL,'turn:sensors-2:850d585b9:1',23,1780093606000,1,NULL,1780093608000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(19,'7d35e1b4-4998-431f-aa16-258c3a232f55','default','github.com/acme/farm',NULL,2,NULL,'','the import fails with ''timeout after 30 s''','the import fails with ''timeout after 30 s''','Context',0.4,0.3,NULL,'user','sensors-2','turns',1780093607000,NULL,NULL,NULL,'turn:sensors-2:850d585b9:2',24,1780093607000,1,NULL,1780093608000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(20,'6ee680d0-fb8e-48ec-8106-508a5c090534','default','github.com/acme/farm',NULL,3,NULL,'','Fixed: the batch size was too large, it is 500 rows now.','Fixed: the batch size was too large, it is 500 rows now.','Context',0.4,0.3,NULL,'assistant','sensors-2','turns',1780093608000,NULL,NULL,NULL,'turn:sensors-2:850d585b9:3',25,1780093608000,1,NULL,1780093608000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(21,'6d41a698-2178-45cc-a5e1-88627cfb2951','default',NULL,NULL,NULL,NULL,'','Answer in short sentences.','Answer in short sentences.','Rule',0.4,0.3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,26,1780093608000,1,NULL,1780093608000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,NULL,'','',NULL);
INSERT INTO memory VALUES(22,'72dd5d93-08bc-4a3d-8c08-534a5405122f','default','github.com/acme/farm',NULL,NULL,NULL,'','Ask before a deploy.','Ask before a deploy.','Rule',0.4,0.3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,27,1780093608000,1,NULL,1780093608000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,NULL,'','',NULL);
INSERT INTO memory VALUES(23,'26f37b30-e4ac-4bd2-b581-cd2f5ce17008','default','github.com/acme/farm',NULL,NULL,NULL,'','Ask before each deploy.','Ask before each deploy.','Rule',0.4,0.3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,28,1780093608000,1,NULL,1780093608000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,NULL,'','',NULL);
INSERT INTO memory VALUES(24,'e6b3de9c-b875-46fb-b7d4-1aa8330b9342','default','github.com/acme/farm',NULL,NULL,NULL,'','Use tabs.','Use tabs.','Decision',0.2,0.3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,29,1780093608000,1,NULL,1780093608000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,NULL,'','',NULL);
INSERT INTO memory VALUES(26,'c8b262ec-e669-4409-a879-abd758278b14','default','github.com/acme/farm',NULL,NULL,NULL,'','The pump has 60 litres a minute since May.','The pump has 60 litres a minute since May.','Context',0.4,0.3,NULL,NULL,NULL,NULL,NULL,1777593600000,NULL,NULL,NULL,31,1780093608000,1,NULL,1780093608000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(27,'76aceee5-a8d1-46b3-bb21-4fec4afe50d4','default','github.com/acme/farm',NULL,NULL,NULL,'','Zoe works at Globex.','Zoe works at Globex.','Context',0.4,0.3,NULL,NULL,NULL,NULL,NULL,NULL,1777680000000,NULL,NULL,32,1780093608000,1,NULL,1780093608000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(28,'b9c1648a-0bc0-49ae-82fa-2b64fd557ed6','default','github.com/acme/farm',NULL,NULL,NULL,'','Bye.',NULL,'Context',0.2,0.3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,33,1780093608000,1,NULL,1780093608000,NULL,NULL,NULL,1780093608000,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(29,'f1738db4-507a-4a86-bdf5-8f4627099485','default',NULL,NULL,NULL,NULL,'','Ana Lima lives in Lisbon.','Ana Lima lives in Lisbon.','Context',0.4,0.3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,34,1780093608000,1,NULL,1780093608000,1780093608000,30,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(30,'25e6c6cf-6fd7-493c-93e9-77d9846e1737','default',NULL,NULL,NULL,NULL,'','Ana Lima lives in Porto now.','Ana Lima lives in Porto now.','Context',0.4,0.3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,35,1780093608000,1,NULL,1780093608000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(31,'811a5873-c5a9-4e7e-90d7-05a99a7925a4','default',NULL,NULL,NULL,NULL,'','Door code: green.','Door code: green.','Context',0.4,0.3,'{"floor": 2}',NULL,NULL,NULL,NULL,NULL,NULL,NULL,'door',37,1780093608000,2,1780093608000,1780093608000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(32,'f1c00aff-cdfa-41b3-90a8-bcea0d8682fb','default',NULL,NULL,NULL,NULL,'','Connected with [redacted:aws-key].','Connected with [redacted:aws-key].','Context',0.4,0.3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,38,1780093608000,1,NULL,1780093608000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(33,'5a5a17cb-9a70-4c5b-b065-1615f5f30653','default',NULL,NULL,NULL,NULL,'','Met with John Smith of Globex about Redis.','Met with John Smith of Globex about Redis.','Context',0.4,0.3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,39,1780093608000,1,NULL,1780093608000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(35,'042e3e14-8ea0-4e55-9a29-30bdf0c3b20b','default','billing',NULL,NULL,NULL,'','Northwind asked for invoice 0.',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,59,1787873208000,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO memory VALUES(36,'ca85588b-93f5-4747-a4b7-8422a12f793d','default','billing',NULL,NULL,NULL,'','Northwind asked for invoice 1.',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,60,1787873208000,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO memory VALUES(37,'975a1dc3-d748-40f4-9b05-597b5b742b5a','default','billing',NULL,NULL,NULL,'','Northwind asked for invoice 2.',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,61,1787873208000,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO memory VALUES(38,'2d701c97-aa6b-48f2-bc69-56e49d4c3da2','bo''s',NULL,NULL,NULL,NULL,'','The port is 8080.','The port is 8080.','Context',0.4,0.3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,63,1787873208000,1,NULL,1787873208000,1787873208000,52,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(39,'45c59cbf-1c4c-476a-9bf8-32d485fb9ca6','bo''s',NULL,3,0,1,'Notes > A','# Notes

## A
Met with John Smith about the launch.

','Met with John Smith about the launch.','Context',0.4,0.3,NULL,NULL,NULL,'notes.md',NULL,NULL,NULL,NULL,NULL,65,1787873208000,1,NULL,1787873208000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(40,'1c45aa14-2fe4-4300-8931-3698b7323b31','bo''s',NULL,3,1,6,'Notes > B','## B
We use Redis and 数据库 for it.
','We use Redis and 数据库 for it.','Context',0.4,0.3,NULL,NULL,NULL,'notes.md',NULL,NULL,NULL,NULL,NULL,66,1787873208000,1,NULL,1787873208000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(41,'03887cac-0a5f-4291-87b3-e1dfad89166a','bo''s',NULL,NULL,NULL,NULL,'','Marcus prefers early returns.','Marcus prefers early returns.','Preference',0.1,0.6,'{"of": "code"}',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,69,1787873208000,2,1787873208000,1787873208000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,NULL,NULL,'',NULL);
INSERT INTO memory VALUES(42,'585d1308-89f9-4a66-97f5-26df2c1babb3','bo''s',NULL,NULL,NULL,NULL,'','He said so.','He said so.','Context',0.4,0.3,'{"a": [1, "\u00e9"], "b": "\u00e9"}','Ana Lee','s',NULL,NULL,NULL,NULL,'n-1',NULL,70,1787873208000,1,NULL,1787873208000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','',NULL,NULL);
INSERT INTO memory VALUES(43,'05de4591-3ae5-406b-81f6-adc561ab85a9','bo''s',NULL,NULL,NULL,NULL,'','The launch has been moved from May to June.','The launch has been moved from May to June.','Context',0.4,0.3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,71,1787873208000,1,NULL,1787873208000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(44,'746b81b5-efc0-490b-87ac-692ae3990272','bo''s',NULL,NULL,NULL,NULL,'','And again.',NULL,'Context',0.2,0.3,NULL,NULL,'s',NULL,NULL,1577836800000,NULL,NULL,'k',72,1787873208000,1,NULL,1787873208000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(45,'6bda5a10-00b2-4c42-9790-96b3b4255e28','bo''s',NULL,NULL,NULL,NULL,'','never deploy on a Friday','never deploy on a Friday','Context',0.5,0.3,NULL,'user','rules',NULL,NULL,NULL,NULL,NULL,NULL,73,1787873208000,1,NULL,1787873208000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(46,'ffc98be2-2570-4d7c-934c-75e8ab3bb88f','bo''s','apollo',4,0,1,'Notes > A','# Notes

## A
Met with John Smith about the launch.

','Met with John Smith about the launch.','Context',0.4,0.3,NULL,NULL,NULL,'notes.md',1735776000000,NULL,NULL,NULL,NULL,74,1787873208000,1,NULL,1787873208000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(47,'10439e9a-3f73-47c1-8c88-040060a445e2','bo''s','apollo',4,1,6,'Notes > B','## B
We use Redis and 数据库 for it.

','We use Redis and 数据库 for it.','Context',0.4,0.3,NULL,NULL,NULL,'notes.md',1735776000000,NULL,NULL,NULL,NULL,75,1787873208000,1,NULL,1787873208000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(48,'8f04f609-4ff8-4c7e-970f-71539a0ce34f','bo''s','apollo',4,2,9,'Notes > C','## C
The launch is on Friday.
','The launch is on Friday.','Context',0.4,0.3,NULL,NULL,NULL,'notes.md',1735776000000,NULL,NULL,NULL,NULL,76,1787873208000,1,NULL,1787873208000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(49,'efa763f9-dd6c-4acf-9a72-466a5cda2030','bo''s',NULL,NULL,NULL,NULL,'','We decided to paint the kitchen green.','We decided to paint the kitchen green.','Decision',0.7,0.6,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,77,1787873208000,1,NULL,1787873208000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(50,'37906e8c-3603-4aff-a5a4-89f6c51a12a2','bo''s',NULL,NULL,NULL,NULL,'','We decided to paint the hall green.','We decided to paint the hall green.','Decision',0.7,0.6,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,78,1787873208000,1,NULL,1787873208000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(51,'a4ad83fa-b118-4e15-9d04-63d62deebdb9','bo''s',NULL,NULL,NULL,NULL,'','We decided to paint the garden green.','We decided to paint the garden green.','Decision',0.7,0.6,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,79,1787873208000,1,NULL,1787873208000,NULL,NULL,NULL,NULL,NULL,'rules/4 tagger/2',NULL,NULL,NULL,'','','',NULL);
INSERT INTO memory VALUES(52,'f559de00-748d-4936-b998-a8030a8ea2b7','bo''s',NULL,NULL,NULL,NULL,'','The port is 9090.',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,80,1787873208000,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO memory VALUES(53,'e58b37c1-5b81-4a00-9b50-f1fa93869ed2','bo''s',NULL,NULL,NULL,NULL,'','Connected with [redacted:aws-key].',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,81,1787873208000,1,NULL,NULL,NULL,NULL,NULL,5,53,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO memory VALUES(56,'8249c104-1504-440a-8ee8-680afd18ab34','bo''s',NULL,NULL,NULL,NULL,'','Its job will die.',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,86,1787873208000,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE INDEX memory_actor on memory (tenant, actor) where actor is not null;
CREATE INDEX memory_archived_by on memory (archived_by) where archived_by is not null;
CREATE INDEX memory_awaits_model on memory (tenant, enriched_at, id) where awaits_model_since is not null;
CREATE INDEX memory_bounded on memory (tenant, superseded_at, archived_at, valid_from, valid_until)
where superseded_at is not null or archived_at is not null or valid_from is not null or valid_until is not null;
CREATE INDEX memory_degraded on memory (tenant) where degraded is not null;
CREATE UNIQUE INDEX memory_document on memory (document_id, position) where document_id is not null;
CREATE UNIQUE INDEX memory_external_id on memory (tenant, external_id) where external_id is not null;
CREATE INDEX memory_importance on memory (tenant, (coalesce(importance, -1)), id)
where coalesce(importance, -1) is not null;
CREATE INDEX memory_job on memory (job_id);
CREATE INDEX memory_joined on memory (tenant, joined_from) where joined_from is not null;
CREATE UNIQUE INDEX memory_key on memory (tenant, key) where key is not null;
CREATE INDEX memory_not_enriched on memory (tenant) where enriched_at is null;
CREATE INDEX memory_project on memory (tenant, project, (coalesce(said_at, created_at)), id) where project is not null;
CREATE INDEX memory_said on memory (tenant, (coalesce(said_at, created_at)), id)
where coalesce(said_at, created_at) is not null;
CREATE INDEX memory_session on memory (tenant, session, coalesce(said_at, created_at), coalesce(position, 0), id)
where session is not null;
CREATE INDEX memory_source on memory (tenant, source) where source is not null;
CREATE INDEX memory_superseded_by on memory (superseded_by) where superseded_by is not null;
CREATE INDEX memory_tenant on memory (
  tenant, id, project, actor, valid_from, valid_until, superseded_at, archived_at, said_at, created_at
);
CREATE INDEX memory_type on memory (tenant, lower(type)) where type is not null;
CREATE INDEX memory_typed on memory (tenant, project, (coalesce(said_at, created_at)), id) where type <> 'Context';
CREATE TRIGGER mirror_memory_delete after delete on memory
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select old.tenant, name, old.id, old.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from engine;
end;
CREATE TRIGGER mirror_memory_insert after insert on memory
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select new.tenant, name, new.id, new.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from engine;
end;
CREATE TRIGGER mirror_memory_update after update of
uuid, project, body, summary, type, importance, confidence, metadata, actor, session, source, said_at,
valid_from, valid_until, external_id, created_at, changed_at, enriched_at, superseded_at, superseded_by
on memory
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select new.tenant, name, new.id, new.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from engine;
end;

DROP TABLE IF EXISTS memory_block;
CREATE TABLE memory_block (
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
  changed_at integer not null, joined_from text, joined_name text,
  primary key (tenant, project, actor, name)
) strict, without rowid;
INSERT INTO memory_block VALUES('bo''s','apollo','Ana Lee','human','fd7732df-8963-4927-9edd-454726d9ead9','Ana é likes tea.',2000,1,1,1787873208000,1787873208000,NULL,NULL);
INSERT INTO memory_block VALUES('default','github.com/acme/farm','ana','rules','7ceffd79-3d92-4f11-a0ba-fe167adac0ad','Metric units only.',2000,1,1,1780093608000,1780093608000,NULL,NULL);

DROP TABLE IF EXISTS memory_tag;
CREATE TABLE memory_tag (
  tenant text not null,
  tag text not null,
  memory_id integer not null references memory (id) on delete cascade,
  extractor text, -- null if a caller gave it
  primary key (memory_id, tag, tenant)
) strict, without rowid;
INSERT INTO memory_tag VALUES('default','migration',3,'rules/4');
INSERT INTO memory_tag VALUES('default','migration',4,'rules/4');
INSERT INTO memory_tag VALUES('default','migration',5,'rules/4');
INSERT INTO memory_tag VALUES('default','crystal',7,NULL);
INSERT INTO memory_tag VALUES('default','crystal:preference',7,NULL);
INSERT INTO memory_tag VALUES('default','crystal',8,NULL);
INSERT INTO memory_tag VALUES('default','crystal:fact',8,NULL);
INSERT INTO memory_tag VALUES('default','database',11,'rules/4');
INSERT INTO memory_tag VALUES('default','entity:tools:influxdb',11,'rules/4');
INSERT INTO memory_tag VALUES('default','entity:tools:postgresql',11,'rules/4');
INSERT INTO memory_tag VALUES('default','backup',13,'rules/4');
INSERT INTO memory_tag VALUES('default','database',13,'rules/4');
INSERT INTO memory_tag VALUES('default','entity:tools:postgresql',13,'rules/4');
INSERT INTO memory_tag VALUES('default','database',14,'rules/4');
INSERT INTO memory_tag VALUES('default','entity:people:ana-lima',14,'rules/4');
INSERT INTO memory_tag VALUES('default','entity:people:ben-okafor',14,'rules/4');
INSERT INTO memory_tag VALUES('default','entity:tools:mongodb',14,'rules/4');
INSERT INTO memory_tag VALUES('default','entity:tools:postgresql',14,'rules/4');
INSERT INTO memory_tag VALUES('default','invoicing',14,'rules/4');
INSERT INTO memory_tag VALUES('default','email',15,'rules/4');
INSERT INTO memory_tag VALUES('default','entity:people:clara-sommer',15,'rules/4');
INSERT INTO memory_tag VALUES('default','invoicing',15,'rules/4');
INSERT INTO memory_tag VALUES('default','queue',15,'rules/4');
INSERT INTO memory_tag VALUES('default','invoicing',16,'rules/4');
INSERT INTO memory_tag VALUES('default','database',17,'rules/4');
INSERT INTO memory_tag VALUES('default','entity:tools:influxdb',17,'rules/4');
INSERT INTO memory_tag VALUES('default','entity:tools:postgresql',17,'rules/4');
INSERT INTO memory_tag VALUES('default','database',18,'rules/4');
INSERT INTO memory_tag VALUES('default','entity:tools:influxdb',18,'rules/4');
INSERT INTO memory_tag VALUES('default','entity:tools:postgresql',18,'rules/4');
INSERT INTO memory_tag VALUES('default','deployment',22,'rules/4');
INSERT INTO memory_tag VALUES('default','deployment',23,'rules/4');
INSERT INTO memory_tag VALUES('default','entity:organizations:globex',27,'rules/4');
INSERT INTO memory_tag VALUES('default','entity:people:zoe',27,'tagger/2');
INSERT INTO memory_tag VALUES('default','entity:concepts:lisbon',29,'rules/4');
INSERT INTO memory_tag VALUES('default','entity:people:ana-lima',29,'rules/4');
INSERT INTO memory_tag VALUES('default','entity:concepts:porto',30,'rules/4');
INSERT INTO memory_tag VALUES('default','entity:people:ana-lima',30,'rules/4');
INSERT INTO memory_tag VALUES('default','entity:organizations:globex',33,'rules/4');
INSERT INTO memory_tag VALUES('default','entity:people:john-smith',33,'rules/4');
INSERT INTO memory_tag VALUES('default','entity:tools:redis',33,'rules/4');
INSERT INTO memory_tag VALUES('bo''s','entity:people:john-smith',39,'rules/4');
INSERT INTO memory_tag VALUES('bo''s','entity:tools:redis',39,'merged:15');
INSERT INTO memory_tag VALUES('bo''s','entity:tools:redis',40,'rules/4');
INSERT INTO memory_tag VALUES('bo''s','entity:tools:数据库',40,'tagger/2');
INSERT INTO memory_tag VALUES('bo''s','entity:people:marcus',41,'rules/4');
INSERT INTO memory_tag VALUES('bo''s','style',41,NULL);
INSERT INTO memory_tag VALUES('bo''s','zeta',41,NULL);
INSERT INTO memory_tag VALUES('bo''s','deployment',45,'rules/4');
INSERT INTO memory_tag VALUES('bo''s','entity:people:john-smith',46,'rules/4');
INSERT INTO memory_tag VALUES('bo''s','entity:tools:redis',46,'merged:15');
INSERT INTO memory_tag VALUES('bo''s','entity:tools:redis',47,'rules/4');
INSERT INTO memory_tag VALUES('bo''s','entity:tools:数据库',47,'tagger/2');
INSERT INTO memory_tag VALUES('bo''s','gardening',51,'rules/4');
CREATE INDEX memory_tag_lower on memory_tag (tenant, (lower(tag)));
CREATE TRIGGER mirror_memory_tag_delete after delete on memory_tag
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = old.memory_id;
end;
CREATE TRIGGER mirror_memory_tag_insert after insert on memory_tag
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = new.memory_id;
end;

DROP TABLE IF EXISTS memory_version;
CREATE TABLE memory_version (
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
INSERT INTO memory_version VALUES('default',31,1,1780093608000,'Door code: blue.',NULL,'[]',NULL,NULL,'{"floor": 2}',NULL,NULL);
INSERT INTO memory_version VALUES('bo''s',41,1,1787873208000,'Marcus prefers returns.','Preference','["style", "zeta"]',0.1,NULL,NULL,NULL,NULL);

DROP TABLE IF EXISTS mention;
CREATE TABLE mention (
  tenant text not null,
  memory_id integer not null references memory (id) on delete cascade,
  entity_id integer not null references entity (id) on delete cascade,
  extractor text, -- null if a caller gave it
  confidence real,
  primary key (entity_id, memory_id, tenant)
) strict, without rowid;
INSERT INTO mention VALUES('default',3,1,'rules/4',NULL);
INSERT INTO mention VALUES('default',4,1,'rules/4',NULL);
INSERT INTO mention VALUES('default',5,1,'rules/4',NULL);
INSERT INTO mention VALUES('default',10,1,'rules/4',NULL);
INSERT INTO mention VALUES('default',12,1,'rules/4',NULL);
INSERT INTO mention VALUES('default',17,1,'rules/4',NULL);
INSERT INTO mention VALUES('default',19,1,'rules/4',NULL);
INSERT INTO mention VALUES('default',11,2,'rules/4',NULL);
INSERT INTO mention VALUES('default',13,2,'rules/4',NULL);
INSERT INTO mention VALUES('default',18,2,'rules/4',NULL);
INSERT INTO mention VALUES('default',20,2,'rules/4',NULL);
INSERT INTO mention VALUES('default',11,3,'rules/4',0.98);
INSERT INTO mention VALUES('default',17,3,'rules/4',0.98);
INSERT INTO mention VALUES('default',18,3,'rules/4',0.98);
INSERT INTO mention VALUES('default',11,4,'rules/4',0.98);
INSERT INTO mention VALUES('default',13,4,'rules/4',0.98);
INSERT INTO mention VALUES('default',14,4,'rules/4',0.98);
INSERT INTO mention VALUES('default',17,4,'rules/4',0.98);
INSERT INTO mention VALUES('default',18,4,'rules/4',0.98);
INSERT INTO mention VALUES('default',14,5,'rules/4',0.98);
INSERT INTO mention VALUES('default',29,5,'rules/4',0.98);
INSERT INTO mention VALUES('default',30,5,'rules/4',0.98);
INSERT INTO mention VALUES('default',14,6,'rules/4',0.98);
INSERT INTO mention VALUES('default',14,7,'rules/4',0.98);
INSERT INTO mention VALUES('default',15,8,'rules/4',0.98);
INSERT INTO mention VALUES('default',27,9,'rules/4',0.98);
INSERT INTO mention VALUES('default',33,9,'rules/4',0.98);
INSERT INTO mention VALUES('default',27,10,'tagger/2',0.6);
INSERT INTO mention VALUES('default',29,11,'rules/4',0.98);
INSERT INTO mention VALUES('default',30,12,'rules/4',0.98);
INSERT INTO mention VALUES('default',33,13,'rules/4',0.98);
INSERT INTO mention VALUES('default',33,14,'rules/4',0.98);
INSERT INTO mention VALUES('bo''s',39,15,'rules/4',0.98);
INSERT INTO mention VALUES('bo''s',46,15,'rules/4',0.98);
INSERT INTO mention VALUES('bo''s',39,16,'merged:15',0.98);
INSERT INTO mention VALUES('bo''s',40,16,'rules/4',0.98);
INSERT INTO mention VALUES('bo''s',46,16,'merged:15',0.98);
INSERT INTO mention VALUES('bo''s',47,16,'rules/4',0.98);
INSERT INTO mention VALUES('bo''s',40,17,'tagger/2',0.6);
INSERT INTO mention VALUES('bo''s',47,17,'tagger/2',0.6);
INSERT INTO mention VALUES('bo''s',41,18,'rules/4',0.98);
INSERT INTO mention VALUES('bo''s',42,19,'rules/4',NULL);
INSERT INTO mention VALUES('bo''s',45,20,'rules/4',NULL);
CREATE INDEX mention_memory on mention (memory_id);
CREATE TRIGGER mirror_mention_delete after delete on mention
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = old.memory_id;
end;
CREATE TRIGGER mirror_mention_insert after insert on mention
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = new.memory_id;
end;
CREATE TRIGGER mirror_mention_update after update on mention
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = new.memory_id;
end;

DROP TABLE IF EXISTS metadata_index;
CREATE TABLE metadata_index (
  tenant text not null,
  hash text not null,
  memory_id integer not null references memory (id) on delete cascade,
  primary key (tenant, hash, memory_id)
) strict, without rowid;
INSERT INTO metadata_index VALUES('default','8b94164b75e2f5d475ee734c29f4b9bc4be6a7309513b3db269e8eaa6ed61b1d',7);
INSERT INTO metadata_index VALUES('default','c3cf45ef408e2d35fde1936150826fd7009f27412a8650e2f64c7165a2a8fa03',7);
INSERT INTO metadata_index VALUES('default','d90b6b4d00abc03c8b39c297aa6cf1b67149ea6e7121fe3157fab13feaddd49c',7);
INSERT INTO metadata_index VALUES('default','3c4fe6d3f61300325f008d104e64ca44bd79f3503fe6b74bc65a8096632da2a5',8);
INSERT INTO metadata_index VALUES('default','9cec9631881178b400e8c6f8d86e96e821f2539a2b207790ff97fa13b1f7f4bf',8);
INSERT INTO metadata_index VALUES('default','d6424d8c447118c400077b9e248ea3cba237fef709103ca3c08f23dc6b9dde3a',8);
INSERT INTO metadata_index VALUES('default','cc738e1f400413540adfc9810e54f318fd1424b2ad92787be4b90e5a78969b8c',31);
INSERT INTO metadata_index VALUES('bo''s','9df3d5f7662bbb50dd04c1a62006910a01f91196e46669e8c3622432c3906159',41);
INSERT INTO metadata_index VALUES('bo''s','3828fc2536b81bf03f97f708927e83e88acd8490fbc2996cb2586d500f8b7e0c',42);
CREATE INDEX metadata_index_memory on metadata_index (memory_id);

DROP TABLE IF EXISTS mirror_change;
CREATE TABLE mirror_change (
  id integer primary key autoincrement,
  tenant text not null,
  engine text not null,
  memory_id integer not null,
  uuid text not null,
  at integer not null
) strict;
CREATE INDEX mirror_change_engine on mirror_change (tenant, engine, id);
CREATE TRIGGER mirror_change_once before insert on mirror_change
when exists (
  select 1
  from mirror_change
  where tenant = new.tenant and engine = new.engine and uuid = new.uuid and id > coalesce(
    (select read_to from mirror_progress where tenant = new.tenant and engine = new.engine),
    0
  )
)
begin
  select raise(ignore);
end;
CREATE INDEX mirror_change_uuid on mirror_change (tenant, engine, uuid);

DROP TABLE IF EXISTS mirror_progress;
CREATE TABLE mirror_progress (
  tenant text not null,
  engine text not null,
  version integer not null, -- rises with each batch
  fill_after integer, -- null: not filling
  sweep_after text, -- null: not deleting
  read_to integer not null default 0, -- the batch that was begun last reads no changes after this one
  primary key (tenant, engine)
) strict, without rowid;

DROP TABLE IF EXISTS model_use;
CREATE TABLE model_use (
  model text not null,
  purpose text not null,
  calls integer not null,
  tokens_in integer not null,
  tokens_out integer not null,
  cost real not null,
  primary key (model, purpose)
) strict, without rowid;
INSERT INTO model_use VALUES('m','extraction',2,6,4,1.0);

DROP TABLE IF EXISTS note;
CREATE TABLE note (
  tenant text not null,
  memory_id integer not null references memory (id) on delete cascade,
  position integer not null, -- among the notes of the memory
  before_id integer references memory (id) on delete cascade,
  after_id integer references memory (id) on delete cascade,
  project text,
  kind text not null check (kind in ('rule', 'decision', 'open', 'fix', 'done')),
  scope text not null check (scope in ('project', 'person')),
  body text not null,
  problem text, -- of a fix
  old_names text, -- JSON: names and values that no longer hold because of it
  terms text not null, -- JSON: the stems and names by which notes are compared
  sure real not null,
  said_at integer not null,
  ended_by integer references memory (id) on delete set null, -- the memory of the note that ended this one
  ended_position integer,
  ended_how text check (ended_how in ('replaced', 'closed', 'repeated')),
  ended_names text, -- JSON: names and values that no longer hold
  verdict text check (verdict in ('wrong', 'old', 'keep')), -- of a person
  primary key (memory_id, position, tenant)
) strict, without rowid;
INSERT INTO note VALUES('default',3,0,NULL,NULL,'github.com/acme/farm','rule','project','Always run the migration tests before a release.',NULL,NULL,'{"names":["migr","releas","test"],"concepts":["deploy","migration","test"]}',0.9,1780000000000,NULL,NULL,NULL,NULL,NULL);
INSERT INTO note VALUES('default',4,0,NULL,NULL,'github.com/acme/farm','rule','project','Always run the migration tests before a release.',NULL,NULL,'{"names":["migr","releas","test"],"concepts":["deploy","migration","test"]}',0.9,1780000000000,3,0,'repeated',NULL,NULL);
INSERT INTO note VALUES('default',5,0,NULL,NULL,'github.com/acme/farm','rule','project','Always run the migration tests before a release.',NULL,NULL,'{"names":["migr","releas","test"],"concepts":["deploy","migration","test"]}',0.9,1780000000000,3,0,'repeated',NULL,NULL);
INSERT INTO note VALUES('default',12,0,11,13,'github.com/acme/farm','decision','project','The table `reading` is in PostgreSQL, with one partition a month.',NULL,NULL,'{"names":["month","partitio","postgresql","read","tabl"],"heads":["postgresql","reading"],"against":["influxdb"],"concepts":["database","migration"],"kinds":["postgresql"]}',0.9,1780090003000,17,1,'replaced','["postgresql"]',NULL);
INSERT INTO note VALUES('default',13,0,12,NULL,'github.com/acme/farm','open','project','nobody has tested the restore of it',NULL,NULL,'{"names":["nobody","restor","test"],"concepts":["backup","test"]}',0.8,1780090004000,NULL,NULL,NULL,NULL,NULL);
INSERT INTO note VALUES('default',17,0,NULL,18,'github.com/acme/farm','fix','project','Switched: the readings are in InfluxDB now, the table `reading` is removed from PostgreSQL.','PostgreSQL is too slow for the readings, let''s go with InfluxDB',NULL,'{"names":["influxdb","postgresql","read","slow"],"stems":["remov","switch","tabl"],"concepts":["database","migration","speed"],"kinds":["postgresql","prometheus"]}',0.7,1780093605000,NULL,NULL,NULL,NULL,NULL);
INSERT INTO note VALUES('default',17,1,NULL,18,'github.com/acme/farm','decision','project','Switched: the readings are in InfluxDB now, the table `reading` is removed from PostgreSQL. (PostgreSQL is too slow for the readings, let''s go with InfluxDB)',NULL,NULL,'{"names":["influxdb","postgresql","read","remov","slow","switch","tabl"],"heads":["influxdb","reading"],"against":["postgresql"],"concepts":["database","migration","speed"],"kinds":["postgresql","prometheus"],"change":1}',0.8,1780093605000,NULL,NULL,NULL,NULL,NULL);
INSERT INTO note VALUES('default',19,0,18,20,'github.com/acme/farm','fix','project','Fixed: the batch size was too large, it is 500 rows now.','the import fails with ''timeout after 30 s''',NULL,'{"names":["30","fail","import","timeout"],"stems":["500","batch","fixed","larg","rows","size"]}',0.7,1780093607000,NULL,NULL,NULL,NULL,NULL);
INSERT INTO note VALUES('default',20,0,19,NULL,'github.com/acme/farm','done','project','Fixed: the batch size was too large, it is 500 rows now.',NULL,NULL,'{"names":["30","500","batch","fail","fixed","import","larg","rows","size","timeout"]}',0.5,1780093608000,NULL,NULL,NULL,NULL,NULL);
INSERT INTO note VALUES('default',21,0,NULL,NULL,NULL,'rule','person','Answer in short sentences.',NULL,NULL,'{"names":["answ","sentenc","short"],"heads":["answer"],"concepts":["answer"]}',1.0,1780093608000,NULL,NULL,NULL,NULL,NULL);
INSERT INTO note VALUES('default',22,0,NULL,NULL,'github.com/acme/farm','rule','project','Ask before a deploy.',NULL,NULL,'{"names":["ask","deploy"],"heads":["ask"],"concepts":["ask","deploy"]}',1.0,1780093608000,NULL,NULL,NULL,NULL,'old');
INSERT INTO note VALUES('default',23,0,NULL,NULL,'github.com/acme/farm','rule','project','Ask before each deploy.',NULL,NULL,'{"names":["ask","deploy"],"heads":["ask"],"concepts":["ask","deploy"]}',1.0,1780093608000,NULL,NULL,NULL,NULL,NULL);
INSERT INTO note VALUES('default',24,0,NULL,NULL,'github.com/acme/farm','decision','project','Use tabs.',NULL,NULL,'{"names":["tabs"],"concepts":["format"]}',1.0,1780093608000,NULL,NULL,NULL,NULL,'wrong');
INSERT INTO note VALUES('bo''s',45,0,NULL,NULL,NULL,'rule','project','never deploy on a Friday',NULL,NULL,'{"names":["deploy","friday"],"concepts":["deploy"]}',0.9,1787873208000,NULL,NULL,NULL,NULL,NULL);
CREATE INDEX note_after on note (after_id) where after_id is not null;
CREATE INDEX note_before on note (before_id) where before_id is not null;
CREATE INDEX note_ended on note (ended_by) where ended_by is not null;
CREATE INDEX note_person on note (tenant, said_at) where scope = 'person';
CREATE INDEX note_project on note (tenant, project, kind, said_at);
CREATE INDEX note_reversal on note (tenant, said_at) where ended_names is not null or old_names is not null;

DROP TABLE IF EXISTS pattern;
CREATE TABLE pattern (
  id integer primary key autoincrement,
  tenant text not null,
  type text not null,
  slug text not null,
  terms text not null, -- the terms that those memories share, the theme first, separated by spaces
  created_at integer not null,
  unique (tenant, type, slug)
) strict;
INSERT INTO pattern VALUES(1,'bo''s','Decision','green','green paint',1787873208000);

DROP TABLE IF EXISTS pattern_example;
CREATE TABLE pattern_example (
  tenant text not null,
  pattern_id integer not null references pattern (id) on delete cascade,
  memory_id integer not null references memory (id) on delete cascade,
  at integer not null, -- when the memory was said
  primary key (pattern_id, memory_id, tenant)
) strict, without rowid;
INSERT INTO pattern_example VALUES('bo''s',1,49,1787873208000);
INSERT INTO pattern_example VALUES('bo''s',1,50,1787873208000);
INSERT INTO pattern_example VALUES('bo''s',1,51,1787873208000);
CREATE INDEX pattern_example_memory on pattern_example (memory_id);

DROP TABLE IF EXISTS pattern_lock;
CREATE TABLE pattern_lock (
  tenant text not null,
  type text not null,
  locked_at integer not null,
  primary key (tenant, type)
) strict, without rowid;
INSERT INTO pattern_lock VALUES('bo''s','Decision',1787873208000);
INSERT INTO pattern_lock VALUES('bo''s','Preference',1787873208000);
INSERT INTO pattern_lock VALUES('default','Decision',1780093608000);
INSERT INTO pattern_lock VALUES('default','Fact',1780093608000);
INSERT INTO pattern_lock VALUES('default','Rule',1780093608000);

DROP TABLE IF EXISTS pattern_terms;
CREATE TABLE pattern_terms (
  memory_id integer not null references memory (id) on delete cascade,
  tenant text not null,
  type text not null,
  terms text not null, -- separated by spaces
  primary key (memory_id, tenant)
) strict, without rowid;
INSERT INTO pattern_terms VALUES(14,'default','Decision','billing mongodb storage postgresql service ana lima proposed ben okafor compared faster');
INSERT INTO pattern_terms VALUES(17,'default','Decision','postgresql slow reading influxdb');
INSERT INTO pattern_terms VALUES(21,'default','Rule','answer short sentence');
INSERT INTO pattern_terms VALUES(22,'default','Rule','ask deploy');
INSERT INTO pattern_terms VALUES(23,'default','Rule','ask deploy');
INSERT INTO pattern_terms VALUES(24,'default','Decision','tabs');
INSERT INTO pattern_terms VALUES(41,'bo''s','Preference','marcus early return');
INSERT INTO pattern_terms VALUES(49,'bo''s','Decision','paint kitchen green');
INSERT INTO pattern_terms VALUES(50,'bo''s','Decision','paint hall green');
INSERT INTO pattern_terms VALUES(51,'bo''s','Decision','paint garden green');
CREATE INDEX pattern_terms_latest on pattern_terms (tenant, type, memory_id);

DROP TABLE IF EXISTS project;
CREATE TABLE project (
  tenant text not null,
  key text not null,
  label text not null, -- what people see
  joined_to text, -- the key of the project that its memory belongs to now
  mark text, -- of its git directory, by which it is recognised after it was moved
  looked_at integer, -- when a session looked for what earlier versions stored under another name
  created_at integer not null,
  primary key (tenant, key)
) strict, without rowid;
INSERT INTO project VALUES('bo''s','apollo','apollo',NULL,NULL,NULL,1787873208000);
INSERT INTO project VALUES('default','billing','billing',NULL,NULL,NULL,1787873208000);
INSERT INTO project VALUES('default','github.com/acme/farm','farm',NULL,NULL,NULL,1780000000000);
INSERT INTO project VALUES('default','github.com/acme/garden','Rose garden',NULL,NULL,NULL,1780000000000);
INSERT INTO project VALUES('default','shed','shed','github.com/acme/garden',NULL,NULL,1780086400000);

DROP TABLE IF EXISTS queue_attempt;
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
INSERT INTO queue_attempt VALUES(40,1,'lifecycle','default','lifecycle','5283fc1d08b690b4',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(41,1,'lifecycle','default','lifecycle','5283fc1d08b690b4',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(42,1,'lifecycle','default','lifecycle','5283fc1d08b690b4',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(43,1,'lifecycle','default','lifecycle','5283fc1d08b690b4',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(44,1,'lifecycle','default','lifecycle','5283fc1d08b690b4',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(45,1,'lifecycle','default','lifecycle','5283fc1d08b690b4',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(46,1,'lifecycle','default','lifecycle','5283fc1d08b690b4',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(47,1,'lifecycle','default','lifecycle','ec163baeff75f112',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(48,1,'lifecycle','default','lifecycle','be7dc15e15d476d5',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(49,1,'lifecycle','default','lifecycle','be7dc15e15d476d5',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(50,1,'lifecycle','default','lifecycle','be7dc15e15d476d5',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(51,1,'lifecycle','default','lifecycle','be7dc15e15d476d5',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(52,1,'lifecycle','default','lifecycle','fa97b71f890eaf7a',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(53,1,'lifecycle','default','lifecycle','fa97b71f890eaf7a',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(54,1,'lifecycle','default','lifecycle','fa97b71f890eaf7a',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(55,1,'lifecycle','default','lifecycle','fa97b71f890eaf7a',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(56,1,'lifecycle','default','lifecycle','1debfb196ab7fdd5',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(57,1,'lifecycle','default','lifecycle','6e52ee8086e99577',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(59,1,'enrich','default','enrich','worker-1',1787873208000,1787873208000,'retry','ConnectionError: no reply from http://127.0.0.1:11493/v1 within 30 s',NULL);
INSERT INTO queue_attempt VALUES(60,1,'enrich','default','enrich','worker-1',1787873208000,1787873208000,'dead','ConnectionError: no reply from http://127.0.0.1:11494/v1 within 30 s',NULL);
INSERT INTO queue_attempt VALUES(61,1,'enrich','default','enrich','worker-1',1787873208000,1787873208000,'dead','ConnectionError: no reply from http://127.0.0.1:11495/v1 within 30 s',NULL);
INSERT INTO queue_attempt VALUES(62,1,'ingest','default','ingest','worker-1',1787873208000,1787873208000,'dead','UnicodeDecodeError: ''utf-8'' codec can''t decode byte 0xff in position 0: invalid start byte',NULL);
INSERT INTO queue_attempt VALUES(63,1,'enrich','bo''s','enrich','85a96f4ff7185563',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(64,1,'ingest','bo''s','ingest','85a96f4ff7185563',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(65,1,'enrich','bo''s','enrich','85a96f4ff7185563',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(66,1,'enrich','bo''s','enrich','85a96f4ff7185563',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(67,1,'ingest','bo''s','ingest','36f544724c080f87',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(69,1,'enrich','bo''s','enrich','36f544724c080f87',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(70,1,'enrich','bo''s','enrich','36f544724c080f87',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(71,1,'enrich','bo''s','enrich','36f544724c080f87',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(72,1,'enrich','bo''s','enrich','36f544724c080f87',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(73,1,'enrich','bo''s','enrich','36f544724c080f87',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(74,1,'enrich','bo''s','enrich','36f544724c080f87',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(75,1,'enrich','bo''s','enrich','36f544724c080f87',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(76,1,'enrich','bo''s','enrich','36f544724c080f87',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(77,1,'enrich','bo''s','enrich','82df69213655a0fc',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(78,1,'enrich','bo''s','enrich','82df69213655a0fc',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(79,1,'enrich','bo''s','enrich','82df69213655a0fc',1787873208000,1787873208000,'done',NULL,NULL);
INSERT INTO queue_attempt VALUES(80,1,'enrich','bo''s','enrich','me',1787873208000,1787873208000,'dead','hopeless'||X'00'||' 80','line 1
line 2');
INSERT INTO queue_attempt VALUES(81,1,'enrich','bo''s','enrich','me',1787873208000,1787873208000,'dead','hopeless'||X'00'||' 81','line 1
line 2');
INSERT INTO queue_attempt VALUES(86,1,'enrich','bo''s','enrich','me',1787873208000,1787873208000,'dead','hopeless'||X'00'||' 86','line 1
line 2');
INSERT INTO queue_attempt VALUES(91,1,'mail','default','default','ffcd55ae4db17942',1787873208000,1787873208000,'retry','not yet',NULL);
INSERT INTO queue_attempt VALUES(92,1,'mail','default','default','ffcd55ae4db17942',1787873208000,1787873208000,'done',NULL,NULL);

DROP TABLE IF EXISTS queue_clock;
CREATE TABLE queue_clock (
  id integer primary key check (id = 1),
  seen_at integer not null,
  pruned_at integer not null default 0 -- when old history was last deleted
) strict;
INSERT INTO queue_clock VALUES(1,1787873208000,1787873208000);

DROP TABLE IF EXISTS queue_control;
CREATE TABLE queue_control (
  queue text primary key,
  paused integer not null default 0,
  reason text,
  probe_at integer, -- when a queue paused by its circuit breaker delivers one job as a probe
  trips integer not null default 0,
  fair integer not null default 0,
  place integer not null default 0 -- the highest `place` delivered by a fair queue
) strict, without rowid;
INSERT INTO queue_control VALUES('mail',1,'for the night',NULL,0,1,4);

DROP TABLE IF EXISTS queue_count;
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
  busy_ms integer not null default 0, -- time from the claim to the outcome of the deliveries counted here
  primary key (queue, tenant, kind, hour)
) strict, without rowid;
INSERT INTO queue_count VALUES('embed','default','embed',0,1,1,0,0,0,0,0);
INSERT INTO queue_count VALUES('enrich','bo''s','enrich',496631,20,14,0,3,0,3,0);
INSERT INTO queue_count VALUES('enrich','default','enrich',0,32,31,0,0,0,1,0);
INSERT INTO queue_count VALUES('enrich','default','enrich',496631,4,0,1,2,0,1,0);
INSERT INTO queue_count VALUES('ingest','bo''s','ingest',496631,4,2,0,0,0,1,0);
INSERT INTO queue_count VALUES('ingest','default','ingest',0,1,1,0,0,0,0,0);
INSERT INTO queue_count VALUES('ingest','default','ingest',496631,1,0,0,1,0,0,0);
INSERT INTO queue_count VALUES('lifecycle','default','lifecycle',0,5,5,0,0,0,0,0);
INSERT INTO queue_count VALUES('lifecycle','default','lifecycle',496631,18,18,0,0,0,0,0);
INSERT INTO queue_count VALUES('mail','ana','default',496631,1,0,0,0,0,0,0);
INSERT INTO queue_count VALUES('mail','bo''s','default',496631,1,0,0,0,0,0,0);
INSERT INTO queue_count VALUES('mail','default','default',496631,5,1,1,0,0,1,0);

DROP TABLE IF EXISTS queue_job;
CREATE TABLE queue_job (
  id integer primary key autoincrement,
  queue text not null,
  tenant text not null,
  kind text not null,
  state text not null check (state in ('ready', 'leased', 'waiting', 'dead', 'blocked')),
  priority integer not null,
  place integer not null, -- order within a priority, before the id; 0 unless the queue is fair
  lane text,
  parallel integer not null,
  wake_at integer, -- end of the lease or of the delay
  lease_ms integer not null,
  received integer not null default 0,
  failures integer not null default 0,
  interruptions integer not null default 0, -- deliveries that ended because the worker did
  max_receive integer not null,
  owner text,
  leased_at integer,
  error text,
  created_at integer not null,
  check ((wake_at is not null) = (state in ('leased', 'waiting')))
) strict;
INSERT INTO queue_job VALUES(59,'enrich','default','enrich','waiting',0,0,NULL,1,1787873808000,60000,1,1,0,3,NULL,1787873208000,'ConnectionError: no reply from http://127.0.0.1:11493/v1 within 30 s',1787873208000);
INSERT INTO queue_job VALUES(60,'enrich','default','enrich','dead',0,0,NULL,1,NULL,60000,1,1,0,3,NULL,1787873208000,'ConnectionError: no reply from http://127.0.0.1:11494/v1 within 30 s',1787873208000);
INSERT INTO queue_job VALUES(61,'enrich','default','enrich','dead',0,0,NULL,1,NULL,60000,1,1,0,3,NULL,1787873208000,'ConnectionError: no reply from http://127.0.0.1:11495/v1 within 30 s',1787873208000);
INSERT INTO queue_job VALUES(62,'ingest','default','ingest','dead',0,0,NULL,1,NULL,60000,1,1,0,5,NULL,1787873208000,'UnicodeDecodeError: ''utf-8'' codec can''t decode byte 0xff in position 0: invalid start byte',1787873208000);
INSERT INTO queue_job VALUES(80,'enrich','bo''s','enrich','dead',0,0,NULL,1,NULL,60000,1,1,0,3,NULL,1787873208000,'hopeless'||X'00'||' 80',1787873208000);
INSERT INTO queue_job VALUES(81,'enrich','bo''s','enrich','dead',0,0,NULL,1,NULL,60000,1,1,0,3,NULL,1787873208000,'hopeless'||X'00'||' 81',1787873208000);
INSERT INTO queue_job VALUES(83,'ingest','bo''s','ingest','ready',0,0,NULL,1,NULL,60000,0,0,0,5,NULL,NULL,NULL,1787873208000);
INSERT INTO queue_job VALUES(86,'enrich','bo''s','enrich','dead',0,0,NULL,1,NULL,60000,1,1,0,3,NULL,1787873208000,'hopeless'||X'00'||' 86',1787873208000);
INSERT INTO queue_job VALUES(87,'mail','ana','default','ready',0,1,NULL,1,NULL,60000,0,0,0,5,NULL,NULL,NULL,1787873208000);
INSERT INTO queue_job VALUES(88,'mail','bo''s','default','waiting',0,1,NULL,1,1787876808000,60000,0,0,0,5,NULL,NULL,NULL,1787873208000);
INSERT INTO queue_job VALUES(89,'mail','default','default','ready',0,1,'l',0,NULL,60000,0,0,0,5,NULL,NULL,NULL,1787873208000);
INSERT INTO queue_job VALUES(90,'mail','default','default','blocked',0,2,'l',1,NULL,60000,0,0,0,5,NULL,NULL,NULL,1787873208000);
INSERT INTO queue_job VALUES(91,'mail','default','default','waiting',5,3,NULL,1,1787873268000,60000,1,1,0,5,NULL,1787873208000,'not yet',1787873208000);
CREATE INDEX queue_dead on queue_job (queue, tenant, id) where state = 'dead';
CREATE INDEX queue_lane on queue_job (queue, tenant, lane, state, id)
where lane is not null and state in ('ready', 'leased', 'blocked');
CREATE INDEX queue_live on queue_job (queue, tenant, id) where state <> 'dead';
CREATE INDEX queue_ready on queue_job (queue, priority desc, place, id) where state = 'ready';
CREATE INDEX queue_wake on queue_job (wake_at) where wake_at is not null;

DROP TABLE IF EXISTS queue_key;
CREATE TABLE queue_key (
  queue text not null,
  tenant text not null,
  key text not null,
  job_id integer not null,
  expires_at integer not null,
  primary key (queue, tenant, key)
) strict, without rowid;
INSERT INTO queue_key VALUES('mail','ana','once',87,1790465208000);

DROP TABLE IF EXISTS queue_payload;
CREATE TABLE queue_payload (
  job_id integer primary key,
  json text,
  bytes blob,
  progress real,
  note text,
  cancelled integer not null default 0
) strict;
INSERT INTO queue_payload VALUES(59,'"042e3e14-8ea0-4e55-9a29-30bdf0c3b20b"',NULL,NULL,NULL,0);
INSERT INTO queue_payload VALUES(60,'"ca85588b-93f5-4747-a4b7-8422a12f793d"',NULL,NULL,NULL,0);
INSERT INTO queue_payload VALUES(61,'"975a1dc3-d748-40f4-9b05-597b5b742b5a"',NULL,NULL,NULL,0);
INSERT INTO queue_payload VALUES(62,'"b2d9319c-ed5d-4249-8c2b-64ac049cf45b"',NULL,NULL,NULL,0);
INSERT INTO queue_payload VALUES(80,'"f559de00-748d-4936-b998-a8030a8ea2b7"',NULL,NULL,NULL,0);
INSERT INTO queue_payload VALUES(81,'"e58b37c1-5b81-4a00-9b50-f1fa93869ed2"',NULL,NULL,NULL,0);
INSERT INTO queue_payload VALUES(83,'"14a33aec-7ee1-4d65-89f4-aca0bc0dd314"',NULL,NULL,NULL,0);
INSERT INTO queue_payload VALUES(86,'"8249c104-1504-440a-8ee8-680afd18ab34"',NULL,NULL,NULL,0);
INSERT INTO queue_payload VALUES(87,'{"text":"é"}',NULL,NULL,NULL,0);
INSERT INTO queue_payload VALUES(88,NULL,X'0001FF',NULL,NULL,0);
INSERT INTO queue_payload VALUES(89,'"in order"',NULL,NULL,NULL,0);
INSERT INTO queue_payload VALUES(90,'"after that"',NULL,NULL,NULL,0);
INSERT INTO queue_payload VALUES(91,'"fails"',NULL,NULL,NULL,0);

DROP TABLE IF EXISTS queue_result;
CREATE TABLE queue_result (
  job_id integer primary key,
  json text not null,
  expires_at integer not null
) strict;
INSERT INTO queue_result VALUES(92,'{"n": 1}',1787959608000);

DROP TABLE IF EXISTS queue_tenant;
CREATE TABLE queue_tenant (
  queue text not null,
  tenant text not null,
  place integer not null,
  primary key (queue, tenant)
) strict, without rowid;
INSERT INTO queue_tenant VALUES('mail','ana',1);
INSERT INTO queue_tenant VALUES('mail','bo''s',1);
INSERT INTO queue_tenant VALUES('mail','default',5);

DROP TABLE IF EXISTS queue_worker;
CREATE TABLE queue_worker (
  owner text primary key,
  machine text not null, -- host name, boot and namespaces; empty if unknown
  host text not null,
  pid integer not null,
  started text not null, -- start time of the process as the kernel counts it
  seen_at integer not null
) strict, without rowid;
INSERT INTO queue_worker VALUES('me','','host',1,'',1787873208000);

DROP TABLE IF EXISTS recall_count;
CREATE TABLE recall_count (
  tenant text not null,
  memory_id integer not null references memory (id) on delete cascade,
  recalls integer not null, -- answers that contained the memory
  recalled_at integer not null, -- the last of them
  primary key (memory_id, tenant)
) strict, without rowid;
INSERT INTO recall_count VALUES('bo''s',52,1,1787873208000);

DROP TABLE IF EXISTS recording;
CREATE TABLE recording (
  one integer primary key check (one = 1),
  until integer not null,
  run integer not null
) strict;

DROP TABLE IF EXISTS redaction;
CREATE TABLE redaction (
  id integer primary key autoincrement,
  tenant text not null,
  document_id integer references document (id) on delete cascade,
  memory_id integer references memory (id) on delete cascade,
  kind text not null,
  place text not null, -- a line of the stored text, or the name of another field
  fingerprint text,
  created_at integer not null
) strict;
INSERT INTO redaction VALUES(1,'default',NULL,32,'aws-key','line 1','2c1218f731d1571cfd50d336e5bd72bdb284c04bc80150cf4e31e0bcbfc0c726',1780093608000);
INSERT INTO redaction VALUES(2,'bo''s',NULL,53,'aws-key','line 1','2c1218f731d1571cfd50d336e5bd72bdb284c04bc80150cf4e31e0bcbfc0c726',1787873208000);
CREATE INDEX redaction_document on redaction (document_id) where document_id is not null;
CREATE INDEX redaction_fingerprint on redaction (tenant, fingerprint) where fingerprint is not null;
CREATE INDEX redaction_memory on redaction (memory_id) where memory_id is not null;
CREATE INDEX redaction_tenant on redaction (tenant, id);

DROP TABLE IF EXISTS relevance;
CREATE TABLE relevance (
  tenant text not null,
  memory_id integer not null references memory (id) on delete cascade,
  relevance real not null,
  primary key (memory_id, tenant)
) strict, without rowid;
INSERT INTO relevance VALUES('default',1,0.376);
INSERT INTO relevance VALUES('default',2,0.382);
INSERT INTO relevance VALUES('default',3,0.354);
INSERT INTO relevance VALUES('default',4,0.354);
INSERT INTO relevance VALUES('default',5,0.354);
INSERT INTO relevance VALUES('default',6,0.348);
INSERT INTO relevance VALUES('default',7,1.0);
INSERT INTO relevance VALUES('bo''s',53,0.5);

DELETE FROM sqlite_schema WHERE name='text_index' AND type='table';
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql) VALUES('table','text_index','text_index',0,'CREATE VIRTUAL TABLE text_index using fts5 (
  body, context, grams,
  content = '''', contentless_delete = 1, tokenize = ''porter unicode61 remove_diacritics 2''
)');

DROP TABLE IF EXISTS text_index_config;
CREATE TABLE 'text_index_config'(k PRIMARY KEY, v) WITHOUT ROWID;
INSERT INTO text_index_config VALUES('rank','bm25(1.0, 0.6, 1.0)');
INSERT INTO text_index_config VALUES('version',4);

DROP TABLE IF EXISTS text_index_data;
CREATE TABLE 'text_index_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO text_index_data VALUES(1,X'3783356806');
INSERT INTO text_index_data VALUES(10,X'00000001FF0000010302490002020101013F000036010101404000000100000000');
INSERT INTO text_index_data VALUES(137438953473,X'0000002404306469653802050102697438020201036A6F62380203010477696C6C38020404080708');
INSERT INTO text_index_data VALUES(274877906945,X'00000B800230302302060201310E0207010131240206020230300B02130201320102050201350E020801013225020602033032360E0206010133070601010F020130130208010335303014020B010236301A020501043830383026020501043930393034020501016103020801020801020802080801010D06020B02020A0702040402070D08030101050602050108030101050204626F757421020806020807020802046674657213020702046761696E2C020302046C77616903020201020201020202080201010702026E610E02100F02020102020C060101020301640F02151902060402020302060304737765721502020201720F02040302050202736B1602020102020C02030102030102030304736973740B060101030206010103050601010302060101030201740F02190C0204020177200205150205010162280802010105070802010105020461746368140204020165FFFFFFFFFFFFFFFFFA02061402240302656E2B02050303666F7203020701020701020702080701010C0F020301020303016E0E02140304796F6E640B02120203696C6C0E0C020E01010305010801010305010801010305020275740E0220020179080601010E0702060301651C02020101633008020101050204686F73650E020A02046C6172610F021602036F6465FFFFFFFFFFFFFFFFFA02092502030A0601010403046D7061720E021603056E6669726D080601010D04046E656374200202150202020672797374616C07080101030301080101020302027574FFFFFFFFFFFFFFFFFA02070104646561640F021303036369643102030102030102030501730E0A0301010405010801010405010801010405030265700102070102070304706C6F691602050102051602030206697363617264FFFFFFFFFFFFFFFFFB020202016F0A020306020A030163FFFFFFFFFFFFFFFFFE0601010210060101020106010102010601010203026F721F02020101652A080101040302036163680F021B0802040303726C69290204020578706F72741002070104666163740808010104030302696C0F020D0402040304737465720E021C02036976650F020E03017814020202026F720B020603020C02040E060102061202040102040102040302070702070203726565FFFFFFFFFFFFFFFFFB020A0304696461692D020603020703026F6D12020E190207010667617264656E33020702056C6F6265781B020506020702016F11020B0301650F021002047265656E090205160204120208010208010208010268610D020F0D020411020403026C660E022504016C32020703026E64080601010F030276650B020F0201652A02020303726F6E0602030208030101070101690B0216020164FFFFFFFFFFFFFFFFFB020802056D706F727413020302016E0602050208050101090502060502060302030802050102050306666C757864620B020406020D0102070304766F69630E022101020301020D130205010205010205020173FFFFFFFFFFFFFFFFFB020906020401020407020404020504020301020C02020A1202040A0205040204020174FFFFFFFFFFFFFFFFFB02050C060101120404070B0202140104130606020914020807020801036A6F62FFFFFFFFFFFFFFFFFB02060302686E2102040602060702060203756E652B020A01046B6565700A020506020C030169200206150206020669746368656E31020701046C616B6506020802080801010C030272671402080303746572FFFFFFFFFFFFFFFFFA060101020304756E6368FFFFFFFFFFFFFFFFFA02082D020A04020303020A020204020265652A0601010303017411020904037465720F02140203696D610E02110F0203010203030473626F6E1D0206030274721A0206030276651D020401020402036F6F6B0F021801046D6164650B02050301691A020A11020804016C0F0A02080101080303726375290202020164FFFFFFFFFFFFFFFFFA06010103040601010410060101050106010105010601010517060101030106010103060601010301060101030106010103020565737361670F020B0301742102020602040702040401720102060102060205696772617403020501020501020502080501010A03056C6C696F6E0B021403036E75741A020802066F6E676F64620E041903040274680D020C030272650B020904016E0F021C030276652B020602037573740E022201056E657665720E02231F02020206696768746C6910020602056F626F64690D020E030672746865726E06020702080701010B060477696E6410020913020201020201020203027465270A0201010204010801010204060A020101020401080101020401080101020403017712020802020D0A020701026F66FFFFFFFFFFFFFFFFFE02040C020803021314020602016B0C0202030461666F720E021502016E0B02080202090102051F0204030206020370656E0D020D0308020101080201721002110202776E10020401057061696E743102050102050102050304727469740D020A02036F72742602030E020305016F1E02060308737467726573716C0B020D02020701020B03020201020F0205726566657207080101050322020303046F706F730E02120203756D701A0203010771756172746572FFFFFFFFFFFFFFFFFE020703036575650F02090104726561640A0207030204040208010404090307636F6D6D656E640B021703046461637420020415020404016921020907020507020503046C65617303020901020901020902080901010E03036D6F7612020D030473746F720D021203047475726E29020502026F770B021509020C0202756E03020301020301020302080301010804020C010173FFFFFFFFFFFFFFFFFB020716020A0202090202616907060101110401642A0203020565636F6E640B021901020403046E736F720A020A0401740F02050503656E631502050304727669630B020A03020F03057373696F6E0706010110030376656E100213020368656409020303036F72741502040203696E631A020903027A6514020502036C6F77110205050265720B021102046D69746821020506020707020702016FFFFFFFFFFFFFFFFFFB02032F020403046D6D65720F0217020474616E64060204020804010108040272740E021E0303696C6CFFFFFFFFFFFFFFFFFA020303046F7261670E08040101080303796C65290601010202057769746368120202010374616218020304016C0D020305020A0202656E10020F0302737403020601020601020602080601010B0602100203686174FFFFFFFFFFFFFFFFFB020414020C030165FFFFFFFFFFFFFFFFFE020503020201020201020401020401020401040206010804010109010C020601010606010202010406050102180102030104021101020D0104070D010205010207010403080102020102030602020C020201020904020203020902020301020601020601020601020204016D0F021A030169FFFFFFFFFFFFFFFFFA020204027264FFFFFFFFFFFFFFFFFE02060203696D650F020F05036F757413020602016FFFFFFFFFFFFFFFFFFA020511020B03021D0102110102081B020906020401020401020403016F110204030207030374616CFFFFFFFFFFFFFFFFFE0A0203010103020375726E0A060101020106010102010601010201060101020406010102010601010201060101020106010102020477656C7602020503016F0B02020102757318020210020407020403026572030601010201060101020106010102020601010203060101030206010103050601010302060101031A06010102010277610E021B0602060301690B0203040174FFFFFFFFFFFFFFFFFA02040201650A020401020E03020902020B18020307020302020201020201020203026C6C0102030102030204686572650A020203016F10020302036974680D02080104180903020C0202050D020301020306020507020507020302036F726B1B0203020672697474656E0E022601047965617210021001047A657461290601010302026F651B02020103E5BA93280601020407060102040106E68DAEE5BA9328060102030706010203020595B0E68DAE280601020207060102020406060607060606080806080709092D0F090915120F0909131A09090F0911071A060919070B0609090918090C0C140F090E160A0F13091F07090B080A0C0A09080620100C0A0B0D0606150D07060907060E060E0A1B11182C27100D080C090B0F07121D0906080E09070A0809090A083D0A0C09160A080C07070607080D0B0A1112240C180609120E060710090B06191009081408130C0C0C150809090A161409060D0906080C0C080808080708070F11090F07100C0A0A080907161375060E0F08082609142D09060D310A060E1E0A090621080B090B070F12');

DROP TABLE IF EXISTS text_index_docsize;
CREATE TABLE 'text_index_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);
INSERT INTO text_index_docsize VALUES(-6,X'080200',61);
INSERT INTO text_index_docsize VALUES(-5,X'090000',60);
INSERT INTO text_index_docsize VALUES(-2,X'060300',40);
INSERT INTO text_index_docsize VALUES(1,X'060000',1);
INSERT INTO text_index_docsize VALUES(2,X'060000',2);
INSERT INTO text_index_docsize VALUES(3,X'080100',3);
INSERT INTO text_index_docsize VALUES(4,X'080100',4);
INSERT INTO text_index_docsize VALUES(5,X'080100',5);
INSERT INTO text_index_docsize VALUES(6,X'070000',6);
INSERT INTO text_index_docsize VALUES(7,X'081100',7);
INSERT INTO text_index_docsize VALUES(8,X'070E00',8);
INSERT INTO text_index_docsize VALUES(9,X'040000',9);
INSERT INTO text_index_docsize VALUES(10,X'090200',11);
INSERT INTO text_index_docsize VALUES(11,X'180200',12);
INSERT INTO text_index_docsize VALUES(12,X'030200',13);
INSERT INTO text_index_docsize VALUES(13,X'130200',14);
INSERT INTO text_index_docsize VALUES(14,X'250700',15);
INSERT INTO text_index_docsize VALUES(15,X'1B0700',16);
INSERT INTO text_index_docsize VALUES(16,X'120700',17);
INSERT INTO text_index_docsize VALUES(17,X'0C0200',18);
INSERT INTO text_index_docsize VALUES(18,X'0E0200',19);
INSERT INTO text_index_docsize VALUES(19,X'080200',20);
INSERT INTO text_index_docsize VALUES(20,X'0C0200',21);
INSERT INTO text_index_docsize VALUES(21,X'040000',22);
INSERT INTO text_index_docsize VALUES(22,X'040000',23);
INSERT INTO text_index_docsize VALUES(23,X'040000',24);
INSERT INTO text_index_docsize VALUES(24,X'020000',25);
INSERT INTO text_index_docsize VALUES(26,X'090000',27);
INSERT INTO text_index_docsize VALUES(27,X'040000',28);
INSERT INTO text_index_docsize VALUES(28,X'010000',29);
INSERT INTO text_index_docsize VALUES(29,X'050000',30);
INSERT INTO text_index_docsize VALUES(30,X'060000',31);
INSERT INTO text_index_docsize VALUES(31,X'030000',33);
INSERT INTO text_index_docsize VALUES(32,X'050000',34);
INSERT INTO text_index_docsize VALUES(33,X'080000',35);
INSERT INTO text_index_docsize VALUES(35,X'050000',37);
INSERT INTO text_index_docsize VALUES(36,X'050000',38);
INSERT INTO text_index_docsize VALUES(37,X'050000',39);
INSERT INTO text_index_docsize VALUES(38,X'040000',41);
INSERT INTO text_index_docsize VALUES(39,X'090400',43);
INSERT INTO text_index_docsize VALUES(40,X'070403',44);
INSERT INTO text_index_docsize VALUES(41,X'040300',47);
INSERT INTO text_index_docsize VALUES(42,X'030400',48);
INSERT INTO text_index_docsize VALUES(43,X'090000',49);
INSERT INTO text_index_docsize VALUES(44,X'020000',50);
INSERT INTO text_index_docsize VALUES(45,X'050100',51);
INSERT INTO text_index_docsize VALUES(46,X'090400',52);
INSERT INTO text_index_docsize VALUES(47,X'070403',53);
INSERT INTO text_index_docsize VALUES(48,X'060400',54);
INSERT INTO text_index_docsize VALUES(49,X'070000',55);
INSERT INTO text_index_docsize VALUES(50,X'070000',56);
INSERT INTO text_index_docsize VALUES(51,X'070000',57);
INSERT INTO text_index_docsize VALUES(52,X'040000',58);
INSERT INTO text_index_docsize VALUES(53,X'050000',59);
INSERT INTO text_index_docsize VALUES(56,X'040000',64);

DROP TABLE IF EXISTS text_index_idx;
CREATE TABLE 'text_index_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO text_index_idx VALUES(1,X'',2);
INSERT INTO text_index_idx VALUES(2,X'',2);

DROP TABLE IF EXISTS theme;
CREATE TABLE theme (
  id integer primary key autoincrement,
  uuid text not null unique,
  tenant text not null,
  project text,
  name text not null,
  terms text not null, -- separated by spaces, the most frequent first
  summary_id integer references memory (id) on delete set null, -- the memory that summarises it
  created_at integer not null
, joined_from text) strict;
INSERT INTO theme VALUES(1,'bo''s-theme','bo''s',NULL,'launch','launch',53,5,NULL);
CREATE INDEX theme_summary on theme (summary_id) where summary_id is not null;
CREATE INDEX theme_tenant on theme (tenant, id);

DROP TABLE IF EXISTS theme_member;
CREATE TABLE theme_member (
  tenant text not null,
  theme_id integer not null references theme (id) on delete cascade,
  memory_id integer not null references memory (id) on delete cascade,
  primary key (theme_id, memory_id, tenant)
) strict, without rowid;
INSERT INTO theme_member VALUES('bo''s',1,53);
CREATE INDEX theme_member_memory on theme_member (memory_id);

DROP TABLE IF EXISTS title;
CREATE TABLE title (
  tenant text not null,
  slug text not null,
  memory_id integer not null references memory (id) on delete cascade,
  primary key (tenant, slug, memory_id)
) strict, without rowid;
INSERT INTO title VALUES('default','user',3);
INSERT INTO title VALUES('default','user',4);
INSERT INTO title VALUES('default','user',5);
INSERT INTO title VALUES('default','turns',10);
INSERT INTO title VALUES('default','user',10);
INSERT INTO title VALUES('default','assistant',11);
INSERT INTO title VALUES('default','turns',11);
INSERT INTO title VALUES('default','turns',12);
INSERT INTO title VALUES('default','user',12);
INSERT INTO title VALUES('default','assistant',13);
INSERT INTO title VALUES('default','turns',13);
INSERT INTO title VALUES('default','billing-decisions',14);
INSERT INTO title VALUES('default','storage',14);
INSERT INTO title VALUES('default','billing-decisions',15);
INSERT INTO title VALUES('default','mail',15);
INSERT INTO title VALUES('default','billing-decisions',16);
INSERT INTO title VALUES('default','open',16);
INSERT INTO title VALUES('default','turns',17);
INSERT INTO title VALUES('default','user',17);
INSERT INTO title VALUES('default','assistant',18);
INSERT INTO title VALUES('default','turns',18);
INSERT INTO title VALUES('default','turns',19);
INSERT INTO title VALUES('default','user',19);
INSERT INTO title VALUES('default','assistant',20);
INSERT INTO title VALUES('default','turns',20);
INSERT INTO title VALUES('bo''s','a',39);
INSERT INTO title VALUES('bo''s','notes',39);
INSERT INTO title VALUES('bo''s','b',40);
INSERT INTO title VALUES('bo''s','notes',40);
INSERT INTO title VALUES('bo''s','ana-lee',42);
INSERT INTO title VALUES('bo''s','user',45);
INSERT INTO title VALUES('bo''s','a',46);
INSERT INTO title VALUES('bo''s','notes',46);
INSERT INTO title VALUES('bo''s','b',47);
INSERT INTO title VALUES('bo''s','notes',47);
INSERT INTO title VALUES('bo''s','c',48);
INSERT INTO title VALUES('bo''s','notes',48);
CREATE INDEX title_memory on title (memory_id);

DROP TABLE IF EXISTS tombstone;
CREATE TABLE tombstone (
  tenant text not null,
  hash text not null,
  created_at integer not null,
  primary key (tenant, hash)
) strict, without rowid;
INSERT INTO tombstone VALUES('bo''s','81638d63a2749d39086135582e31c99806aeba262baa04b23355a4b6e8ba9743',1787873208000);
INSERT INTO tombstone VALUES('default','083e02eb58c291895383ac20e3ef098206e3c94ffba207d51759e34c9825fc83',1787873208000);

DROP TABLE IF EXISTS tombstone_key;
CREATE TABLE tombstone_key (
  tenant text not null,
  version integer not null, -- of the hash: 1 is BLAKE2s
  key text not null,
  primary key (tenant, version)
) strict, without rowid;
INSERT INTO tombstone_key VALUES('bo''s',1,'514dc1cc14e5d6cae2b7a31d271582dc903fa9416dd92722812a50a76a715785');
INSERT INTO tombstone_key VALUES('default',1,'122c32ac12fc1234b8bf6ff7e7f070c42b6ddc0eb2dae4c9608f1bad5d5c8028');

DROP TABLE IF EXISTS trash;
CREATE TABLE trash (
  tenant text not null,
  batch text not null, -- one `forget`
  part integer not null,
  created_at integer not null,
  memories integer not null,
  documents integer not null,
  sample text not null, -- the beginning of one of the texts
  undo text not null, -- JSON: the ids of the rows, and what they superseded
  lines text not null, rows text not null default '', -- of an export
  primary key (tenant, batch, part)
) strict;
INSERT INTO trash VALUES('default','11bf6dd8',1,1787873208000,1,0,'The pump has 40 litres a minute.','{"ids": {"b854f2c1-ab63-4621-ab05-74e038ee4826": 25}, "cleared": [], "superseded": [], "order": {}, "summaries": []}','','[{"memory":[["id","uuid","project","document_id","position","line","section","body","summary","type","importance","confidence","metadata","actor","session","source","said_at","valid_from","valid_until","external_id","key","job_id","created_at","version","changed_at","enriched_at","superseded_at","superseded_by","superseded_how","archived_at","archived_by","extractor","degraded","awaits_model_since","rejected","type_by","importance_by","confidence_by","joined_from"],[25,"b854f2c1-ab63-4621-ab05-74e038ee4826","github.com/acme/farm",null,null,null,"","The pump has 40 litres a minute.","The pump has 40 litres a minute.","Fact",0.4,0.3,"{\"ticket\": \"T-1\"}",null,null,null,null,null,null,null,null,30,1780093608000,1,null,1780093608000,null,null,null,null,null,"rules/4 tagger/2",null,null,null,null,"","",null]],"metadata_index":[["hash","memory_id"],["b7d67728421fa6eae31304581f0033214087608f2a2aff832bc680954fa2db3a",25]],"link":[["source_id","target_id","type","weight","created_at","extractor","properties"],[25,26,"CONTRADICTS",0.7,1780093608000,null,"{\"reason\": \"another pump\"}"],[25,19,"PRECEDED_BY",0.2,1780093608000,"rules/4",null],[25,22,"PRECEDED_BY",0.25,1780093608000,"rules/4",null],[25,23,"PRECEDED_BY",0.333,1780093608000,"rules/4",null],[25,24,"PRECEDED_BY",0.5,1780093608000,"rules/4",null],[26,25,"PRECEDED_BY",0.5,1780093608000,"rules/4",null],[27,25,"PRECEDED_BY",0.333,1780093608000,"rules/4",null],[28,25,"PRECEDED_BY",0.25,1780093608000,"rules/4",null]],"pattern_terms":[["memory_id","type","terms"],[25,"Fact","pump litre minute"]],"fact":[["id","uuid","memory_id","subject","predicate","object","subject_key","object_key","confidence","valid_from","valid_until","extractor","created_at","superseded_at","superseded_by","superseded_how"],[5,"08814039-ed1c-892b-b21c-1f3932946d6b",25,"pump","has","40 litres a minute","pump","40 litres a minute",0.6,null,null,"rules/4",1780093608000,null,null,null]],"triage":[["memory_id","version","text_version","kind","title","confidence","state","reason","crystal_id","judged_by"],[25,2,1,null,null,null,"none",null,null,"rules"]]}]');
INSERT INTO trash VALUES('bo''s','40ce771d',1,1787873208000,1,0,'Forgotten to the trash.','{"ids": {"50d138d1-e0ba-49a6-b3d4-1aa57677d858": 55}, "cleared": [], "superseded": [], "order": {}, "summaries": []}','','[{"memory":[["id","uuid","project","document_id","position","line","section","body","summary","type","importance","confidence","metadata","actor","session","source","said_at","valid_from","valid_until","external_id","key","job_id","created_at","version","changed_at","enriched_at","superseded_at","superseded_by","superseded_how","archived_at","archived_by","extractor","degraded","awaits_model_since","rejected","type_by","importance_by","confidence_by","joined_from"],[55,"50d138d1-e0ba-49a6-b3d4-1aa57677d858",null,null,null,null,"","Forgotten to the trash.",null,null,null,null,null,null,null,null,null,null,null,null,null,85,1787873208000,1,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null]]}]');
CREATE INDEX trash_created on trash (tenant, created_at);

DROP TABLE IF EXISTS triage;
CREATE TABLE triage (
  tenant text not null,
  memory_id integer not null references memory (id) on delete cascade,
  version integer not null, -- of the rules
  text_version integer not null, -- of the memory when it was judged
  kind text, -- of knowledge; null: none
  title text,
  confidence real,
  state text not null check (state in ('none', 'candidate', 'promoted', 'refused', 'retracted')),
  reason text, -- why it was refused
  crystal_id integer references memory (id) on delete set null, -- the memory that was made of it and others
  judged_by text not null, -- a model, 'person', 'gate' (no model was needed), or 'rules' (a model may judge it later)
  primary key (memory_id, tenant)
) strict, without rowid;
INSERT INTO triage VALUES('default',1,2,1,NULL,NULL,NULL,'none',NULL,NULL,'rules');
INSERT INTO triage VALUES('default',2,2,1,NULL,NULL,NULL,'none',NULL,NULL,'rules');
INSERT INTO triage VALUES('default',3,2,1,'preference','Always run the migration tests before a release',0.7,'promoted',NULL,7,'rules');
INSERT INTO triage VALUES('default',4,2,1,'preference','Always run the migration tests before a release',0.7,'promoted',NULL,7,'rules');
INSERT INTO triage VALUES('default',5,2,1,'preference','Always run the migration tests before a release',0.7,'promoted',NULL,7,'rules');
INSERT INTO triage VALUES('default',6,2,1,'fact','The heron stands in the northern lake.',1.0,'retracted',NULL,8,'person');
INSERT INTO triage VALUES('default',9,2,1,NULL,NULL,NULL,'none',NULL,NULL,'rules');
INSERT INTO triage VALUES('default',10,2,1,NULL,NULL,NULL,'none',NULL,NULL,'gate');
INSERT INTO triage VALUES('default',11,2,1,NULL,NULL,NULL,'none',NULL,NULL,'rules');
INSERT INTO triage VALUES('default',12,2,1,NULL,NULL,NULL,'none',NULL,NULL,'gate');
INSERT INTO triage VALUES('default',13,2,1,NULL,NULL,NULL,'none',NULL,NULL,'rules');
INSERT INTO triage VALUES('default',17,2,1,'decision','PostgreSQL is too slow for the readings, let''s go with InfluxDB',0.6,'candidate',NULL,NULL,'rules');
INSERT INTO triage VALUES('default',18,2,1,NULL,NULL,NULL,'none',NULL,NULL,'rules');
INSERT INTO triage VALUES('default',19,2,1,'learning','the import fails with ''timeout after 30 s''',0.6,'candidate',NULL,NULL,'rules');
INSERT INTO triage VALUES('default',20,2,1,NULL,NULL,NULL,'none',NULL,NULL,'rules');
INSERT INTO triage VALUES('default',21,2,1,'preference','Answer in short sentences',0.7,'candidate',NULL,NULL,'rules');
INSERT INTO triage VALUES('default',22,2,1,NULL,NULL,NULL,'none',NULL,NULL,'rules');
INSERT INTO triage VALUES('default',23,2,1,NULL,NULL,NULL,'none',NULL,NULL,'rules');
INSERT INTO triage VALUES('default',24,2,1,'decision','Use tabs.',NULL,'refused','no statement: only questions, commands, data or a few words',NULL,'gate');
INSERT INTO triage VALUES('default',26,2,1,NULL,NULL,NULL,'none',NULL,NULL,'rules');
INSERT INTO triage VALUES('default',27,2,1,'fact','Zoe works at Globex',0.6,'candidate',NULL,NULL,'rules');
INSERT INTO triage VALUES('default',28,2,1,NULL,NULL,NULL,'none',NULL,NULL,'gate');
INSERT INTO triage VALUES('default',30,2,1,NULL,NULL,NULL,'none',NULL,NULL,'rules');
INSERT INTO triage VALUES('default',31,2,2,NULL,NULL,NULL,'none',NULL,NULL,'gate');
INSERT INTO triage VALUES('default',32,2,1,NULL,NULL,NULL,'none',NULL,NULL,'gate');
INSERT INTO triage VALUES('default',33,2,1,NULL,NULL,NULL,'none',NULL,NULL,'rules');
INSERT INTO triage VALUES('bo''s',53,1,1,NULL,NULL,NULL,'none',NULL,53,'rules');
CREATE INDEX triage_crystal on triage (crystal_id) where crystal_id is not null;
CREATE INDEX triage_state on triage (tenant, state, kind);

DROP TABLE IF EXISTS worker_lease;
CREATE TABLE worker_lease (
  name text primary key,
  owner text not null,
  pid integer not null,
  host text not null,
  until integer not null
) strict, without rowid;

DELETE FROM main.sqlite_sequence WHERE name='audit';
INSERT INTO main.sqlite_sequence VALUES ('audit', 6);
DELETE FROM main.sqlite_sequence WHERE name='document';
INSERT INTO main.sqlite_sequence VALUES ('document', 6);
DELETE FROM main.sqlite_sequence WHERE name='embedder';
INSERT INTO main.sqlite_sequence VALUES ('embedder', 1);
DELETE FROM main.sqlite_sequence WHERE name='entity';
INSERT INTO main.sqlite_sequence VALUES ('entity', 20);
DELETE FROM main.sqlite_sequence WHERE name='fact';
INSERT INTO main.sqlite_sequence VALUES ('fact', 19);
DELETE FROM main.sqlite_sequence WHERE name='ledger';
INSERT INTO main.sqlite_sequence VALUES ('ledger', 4);
DELETE FROM main.sqlite_sequence WHERE name='lifecycle_run';
INSERT INTO main.sqlite_sequence VALUES ('lifecycle_run', 12);
DELETE FROM main.sqlite_sequence WHERE name='memory';
INSERT INTO main.sqlite_sequence VALUES ('memory', 56);
DELETE FROM main.sqlite_sequence WHERE name='mirror_change';
INSERT INTO main.sqlite_sequence VALUES ('mirror_change', 0);
DELETE FROM main.sqlite_sequence WHERE name='pattern';
INSERT INTO main.sqlite_sequence VALUES ('pattern', 1);
DELETE FROM main.sqlite_sequence WHERE name='queue_job';
INSERT INTO main.sqlite_sequence VALUES ('queue_job', 93);
DELETE FROM main.sqlite_sequence WHERE name='redaction';
INSERT INTO main.sqlite_sequence VALUES ('redaction', 2);
DELETE FROM main.sqlite_sequence WHERE name='theme';
INSERT INTO main.sqlite_sequence VALUES ('theme', 1);

COMMIT TRANSACTION;

PRAGMA writable_schema=OFF;

BEGIN;
CREATE TABLE no_such_table(x,y,z);
ROLLBACK;
