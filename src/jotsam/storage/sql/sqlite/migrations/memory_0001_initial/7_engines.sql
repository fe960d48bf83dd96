-- Other databases that hold a projection of the memories. An address contains no password.
create table engine (
  name text primary key,
  address text not null,
  place text not null, -- this database when the engine was added: a copy of it must not write into the engine
  version text not null, -- of the engine's server when it was last prepared
  xact integer not null default 0, -- a file has one writer at a time
  created_at integer not null,
  error text, -- why a memory could not be written, the last time
  error_at integer
) strict, without rowid;

-- Memories of which an engine may hold an earlier state: written by triggers while an engine is registered, deleted with
-- the job that has mirrored them. Rows are only added, so that writers never wait for each other.
create table mirror_change (
  id integer primary key autoincrement,
  tenant text not null,
  engine text not null,
  memory_id integer not null,
  uuid text not null,
  at integer not null
) strict;

create index mirror_change_engine on mirror_change (tenant, engine, id);
create index mirror_change_uuid on mirror_change (tenant, engine, uuid);

-- How far an engine is with a tenant. All of a tenant's memories are written after those with a lower id, then what the
-- engine holds too much is deleted after those with a lower UUID.
create table mirror_progress (
  tenant text not null,
  engine text not null,
  version integer not null, -- rises with each batch
  fill_after integer, -- null: not filling
  sweep_after text, -- null: not deleting
  read_to integer not null default 0, -- the batch that was begun last reads no changes after this one
  primary key (tenant, engine)
) strict, without rowid;

-- Changes of a memory are logged once until a batch reads them. On PostgreSQL a change could be committed after the batch
-- that has read the entry of an earlier one, and be lost.
create trigger mirror_change_once before insert on mirror_change
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

create trigger mirror_memory_insert after insert on memory
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select new.tenant, name, new.id, new.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from engine;
end;

create trigger mirror_memory_delete after delete on memory
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select old.tenant, name, old.id, old.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from engine;
end;

create trigger mirror_memory_update after update of
uuid, project, body, summary, type, importance, confidence, metadata, actor, session, source, said_at,
valid_from, valid_until, external_id, created_at, changed_at, enriched_at, superseded_at, superseded_by
on memory
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select new.tenant, name, new.id, new.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from engine;
end;

-- A row that was deleted with its memory is not logged: the memory is.
create trigger mirror_memory_tag_insert after insert on memory_tag
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = new.memory_id;
end;

create trigger mirror_memory_tag_delete after delete on memory_tag
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = old.memory_id;
end;

create trigger mirror_mention_insert after insert on mention
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = new.memory_id;
end;

create trigger mirror_mention_update after update on mention
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = new.memory_id;
end;

create trigger mirror_mention_delete after delete on mention
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = old.memory_id;
end;

create trigger mirror_fact_insert after insert on fact
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = new.memory_id;
end;

create trigger mirror_fact_update after update on fact
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = new.memory_id;
end;

create trigger mirror_fact_delete after delete on fact
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = old.memory_id;
end;

create trigger mirror_link_insert after insert on link
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = new.source_id;
end;

create trigger mirror_link_update after update on link
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = new.source_id;
end;

create trigger mirror_link_delete after delete on link
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = old.source_id;
end;

create trigger mirror_embedding_insert after insert on embedding
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = new.memory_id;
end;

create trigger mirror_embedding_update after update of embedder_id, bytes on embedding
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = new.memory_id;
end;

create trigger mirror_embedding_delete after delete on embedding
when exists (select 1 from engine)
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(unixepoch('subsec') * 1000 as integer)
  from memory m
  cross join engine e
  where m.id = old.memory_id;
end;

-- What merges into the entity is mirrored under its name.
create trigger mirror_entity_update after update on entity
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
