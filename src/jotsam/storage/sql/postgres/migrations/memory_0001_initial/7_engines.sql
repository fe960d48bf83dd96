-- Other databases that hold a projection of the memories. An address contains no password.
create table engine (
  name text primary key,
  address text not null,
  place text not null, -- this database when the engine was added: a copy of it must not write into the engine
  version text not null, -- of the engine's server when it was last prepared
  -- What transactions before this one wrote is not in the log: they may have begun before the engine was known.
  xact bigint not null default cast(cast(pg_current_xact_id() as text) as bigint),
  created_at bigint not null,
  error text, -- why a memory could not be written, the last time
  error_at bigint
);

-- Memories of which an engine may hold an earlier state: written by triggers while an engine is registered, deleted with
-- the job that has mirrored them. Rows are only added, so that writers never wait for each other.
create table mirror_change (
  id bigint generated always as identity,
  tenant text not null,
  engine text not null,
  memory_id bigint not null,
  uuid text not null,
  at bigint not null,
  primary key (tenant, engine, id)
);

-- How far an engine is with a tenant. All of a tenant's memories are written after those with a lower id, then what the
-- engine holds too much is deleted after those with a lower UUID.
create table mirror_progress (
  tenant text not null,
  engine text not null,
  version bigint not null, -- rises with each batch
  fill_after bigint, -- null: not filling
  sweep_after text, -- null: not deleting
  read_to bigint not null default 0, -- the batch that was begun last reads no changes after this one
  primary key (tenant, engine)
);

-- The functions keep the schema in which they were made, so that statements of other programs are logged too. Several
-- changes of a memory in a row are logged once in a transaction: the setting `jotsam.logged` names the last memory that
-- was logged, and ends with the transaction.
create function log_memory_change() returns trigger
language plpgsql set search_path from current as $$
declare
  changed record;
begin
  if not exists (select 1 from engine) then
    return null;
  end if;
  if tg_op = 'DELETE' then
    changed := old;
  else
    changed := new;
    if tg_op = 'UPDATE' and old.uuid = new.uuid
      and current_setting('jotsam.logged', true) = new.id || ' ' || new.tenant then
      return null;
    end if;
  end if;
  perform set_config('jotsam.logged', changed.id || ' ' || changed.tenant, true);
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select changed.tenant, name, changed.id, changed.uuid, cast(extract(epoch from clock_timestamp()) * 1000 as bigint)
  from engine;
  return null;
end
$$;

-- The trigger's argument names the column with the id of the memory, unless it is memory_id. A row that was deleted with
-- its memory is not logged: the memory is.
create function log_part_change() returns trigger
language plpgsql set search_path from current as $$
declare
  part record;
  changed_id bigint;
begin
  if not exists (select 1 from engine) then
    return null;
  end if;
  if tg_op = 'DELETE' then
    part := old;
  else
    part := new;
  end if;
  if tg_argv[0] = 'source_id' then
    changed_id := part.source_id;
  else
    changed_id := part.memory_id;
  end if;
  if current_setting('jotsam.logged', true) = changed_id || ' ' || part.tenant then
    return null;
  end if;
  perform set_config('jotsam.logged', changed_id || ' ' || part.tenant, true);
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(extract(epoch from clock_timestamp()) * 1000 as bigint)
  from memory m
  cross join engine e
  where m.id = changed_id and m.tenant = part.tenant;
  return null;
end
$$;

-- What merges into the entity is mirrored under its name.
create function log_entity_change() returns trigger
language plpgsql set search_path from current as $$
begin
  insert into mirror_change (tenant, engine, memory_id, uuid, at)
  select m.tenant, e.name, m.id, m.uuid, cast(extract(epoch from clock_timestamp()) * 1000 as bigint)
  from engine e
  cross join memory m
  where m.tenant = new.tenant and m.id in (
    select n.memory_id
    from mention n
    where n.tenant = new.tenant
      and (n.entity_id = new.id or n.entity_id in (select id from entity where canonical_id = new.id and tenant = new.tenant))
  );
  return null;
end
$$;

create trigger mirror_memory after insert or delete or update of
uuid, project, body, summary, type, importance, confidence, metadata, actor, session, source, said_at,
valid_from, valid_until, external_id, created_at, changed_at, enriched_at, superseded_at, superseded_by
on memory for each row execute function log_memory_change();
create trigger mirror_memory_tag after insert or delete on memory_tag
for each row execute function log_part_change();
create trigger mirror_mention after insert or update or delete on mention
for each row execute function log_part_change();
create trigger mirror_fact after insert or update or delete on fact
for each row execute function log_part_change();
create trigger mirror_link after insert or update or delete on link
for each row execute function log_part_change('source_id');
create trigger mirror_embedding after insert or update of embedder_id, bytes or delete on embedding
for each row execute function log_part_change();
create trigger mirror_entity after update on entity
for each row execute function log_entity_change();

alter table mirror_change enable row level security, force row level security;
create policy tenant_isolation on mirror_change using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table mirror_progress enable row level security, force row level security;
create policy tenant_isolation on mirror_progress using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
