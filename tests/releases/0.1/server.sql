
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
CREATE SCHEMA jotsam_of_release;
CREATE FUNCTION jotsam_of_release.count_terms(terms text, most bigint) RETURNS TABLE(place bigint, texts bigint)
    LANGUAGE plpgsql ROWS 10
    AS $$
declare
  has_policy boolean := row_security_active('text_index');
  term record;
begin
  for term in
    select cast(value as tsquery) as query, ordinality
    from json_array_elements_text(cast(terms as json)) with ordinality
  loop
    if has_policy then
      perform set_config('jotsam.search', cast(term.query as text), true);
      return query
        select term.ordinality, count(distinct one.ref)
        from (select w.ref from text_index w limit most) one;
    else
      return query
        select term.ordinality, count(distinct one.ref)
        from (
          select w.ref
          from text_index w
          where w.tenant = current_setting('jotsam.tenant') and w.lexemes @@ term.query
          limit most
        ) one;
    end if;
  end loop;
  perform set_config('jotsam.search', '', true);
end
$$;
CREATE FUNCTION jotsam_of_release.ensure_embedding_index() RETURNS boolean
    LANGUAGE plpgsql
    AS $$
begin
  if to_regclass(current_schema() || '.embedding_index') is not null then
    return true;
  end if;
  if to_regtype('vector') is null then
    begin
      create extension if not exists vector with schema public;
    exception when others then
      return false;
    end;
  end if;
  -- A role that owns nothing does not create the table either: the owner does.
  if to_regtype('vector') is null or not has_schema_privilege(current_schema(), 'create') then
    return false;
  end if;
  create table embedding_index (
    memory_id bigint not null,
    tenant text not null,
    embedder_id bigint not null,
    value vector not null,
    primary key (memory_id, tenant),
    foreign key (memory_id, tenant) references embedding (memory_id, tenant) on delete cascade
  );
  create index embedding_index_tenant on embedding_index (tenant, embedder_id);
  alter table embedding_index enable row level security, force row level security;
  create policy tenant_isolation on embedding_index using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
  return true;
end
$$;
CREATE FUNCTION jotsam_of_release.enter_tenant(wanted text, writes boolean) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  found_state text;
  found_other text;
begin
  perform set_config('jotsam.tenant', wanted, true);
  if writes then
    perform pg_advisory_xact_lock_shared(hashtextextended(current_schema() || ' tenant ' || wanted, 0));
  end if;
  select m.state, m.other into found_state, found_other
  from tenant_move m
  where m.tenant = wanted and m.state <> 'arrived' and (writes or m.state <> 'leaving')
    and m.move is distinct from current_setting('jotsam.move', true);
  if found_state = 'gone' then
    raise exception using errcode = 'JM001', message = format('tenant %L has moved to %s', wanted, found_other);
  elsif found_state = 'leaving' then
    raise exception using errcode = 'JM001', message = format('tenant %L is being moved to %s', wanted, found_other);
  elsif found_state = 'arriving' then
    raise exception using errcode = 'JM001', message = format('tenant %L is being moved here from %s', wanted, found_other);
  end if;
end
$$;
CREATE FUNCTION jotsam_of_release.log_entity_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'jotsam_of_release', 'public'
    AS $$
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
CREATE FUNCTION jotsam_of_release.log_memory_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'jotsam_of_release', 'public'
    AS $$
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
CREATE FUNCTION jotsam_of_release.log_part_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'jotsam_of_release', 'public'
    AS $$
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
CREATE TABLE jotsam_of_release.api_token (
    id text NOT NULL,
    tenant text NOT NULL,
    name text NOT NULL,
    scope text NOT NULL,
    purpose text NOT NULL,
    hash bytea NOT NULL,
    rate double precision,
    max_bytes bigint,
    created_at bigint NOT NULL,
    expires_at bigint,
    revoked_at bigint,
    last_used_at bigint,
    CONSTRAINT api_token_purpose_check CHECK ((purpose = ANY (ARRAY['api'::text, 'link'::text, 'dashboard'::text]))),
    CONSTRAINT api_token_scope_check CHECK ((scope = ANY (ARRAY['read'::text, 'write'::text, 'admin'::text, 'operator'::text])))
);
ALTER TABLE ONLY jotsam_of_release.api_token FORCE ROW LEVEL SECURITY;
CREATE FUNCTION jotsam_of_release.look_up_token(wanted text) RETURNS SETOF jotsam_of_release.api_token
    LANGUAGE plpgsql ROWS 1
    AS $$
begin
  perform set_config('jotsam.token', wanted, true);
  return query select t.* from api_token t where t.id = wanted;
  perform set_config('jotsam.token', '', true);
end
$$;
CREATE FUNCTION jotsam_of_release.normalize_text(body text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN regexp_replace(regexp_replace(NORMALIZE(body, NFD), '[\u0300-\u036f]'::text, ''::text, 'g'::text), '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f]+'::text, ' '::text, 'g'::text);
CREATE FUNCTION jotsam_of_release.queue_mark_requeued() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.requeued := true;
  return new;
end
$$;
CREATE FUNCTION jotsam_of_release.rank_terms(terms text) RETURNS TABLE(ref bigint, place bigint, frequency double precision, length bigint)
    LANGUAGE plpgsql ROWS 10000
    AS $$
declare
  has_policy boolean := row_security_active('text_index');
  has_parts boolean := exists (
    select 1 from text_index w where w.tenant = current_setting('jotsam.tenant') and w.part > 0
  );
  term record;
begin
  for term in
    select cast(value as tsquery) as query, ordinality
    from json_array_elements_text(cast(terms as json)) with ordinality
  loop
    if has_policy then
      perform set_config('jotsam.search', cast(term.query as text), true);
    end if;
    if has_policy and not has_parts then
      return query
        select
          w.ref, term.ordinality, term_frequency(ts_rank('{0, 1, 0.6, 1}', w.lexemes, term.query)), w.length
        from text_index w;
    elsif has_policy then
      return query
        select
          w.ref, term.ordinality, max(term_frequency(ts_rank('{0, 1, 0.6, 1}', w.lexemes, term.query))), max(w.length)
        from text_index w
        group by w.ref;
    else
      return query
        select
          w.ref, term.ordinality, max(term_frequency(ts_rank('{0, 1, 0.6, 1}', w.lexemes, term.query))), max(w.length)
        from text_index w
        where w.tenant = current_setting('jotsam.tenant') and w.lexemes @@ term.query
        group by w.ref;
    end if;
  end loop;
  perform set_config('jotsam.search', '', true);
end
$$;
CREATE FUNCTION jotsam_of_release.save_to_embedding_index(memory bigint, embedder bigint, listed text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  if to_regclass(current_schema() || '.embedding_index') is not null then
    insert into embedding_index (memory_id, tenant, embedder_id, value)
    values (memory, current_setting('jotsam.tenant'), embedder, cast(listed as vector))
    on conflict (memory_id, tenant) do update
    set embedder_id = excluded.embedder_id, value = excluded.value;
  end if;
end
$$;
CREATE FUNCTION jotsam_of_release.tenant_prefix() RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN "left"(encode(sha256(convert_to(current_setting('jotsam.tenant'::text), 'utf8'::name)), 'base64'::text), 3);
CREATE FUNCTION jotsam_of_release.term_frequency(rank real) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((((1)::double precision / ((1.64494)::double precision - ((1.64493406685)::double precision * rank))) - (((1.64494)::double precision - ((1.64493406685)::double precision * rank)) / (12)::double precision)) - (0.5)::double precision);
CREATE FUNCTION jotsam_of_release.token_tenants() RETURNS SETOF text
    LANGUAGE plpgsql
    AS $$
begin
  perform set_config('jotsam.token', '*', true);
  return query select distinct t.tenant from api_token t;
  perform set_config('jotsam.token', '', true);
end
$$;
CREATE FUNCTION jotsam_of_release.with_tenant_prefix(lexemes tsvector) RETURNS tsvector
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (replace((' '::text || (ts_delete(lexemes, ARRAY(SELECT one.one FROM unnest(tsvector_to_array(with_tenant_prefix.lexemes)) one(one) WHERE (octet_length(one.one) >= 2000))))::text), ' '''::text, (' '''::text || jotsam_of_release.tenant_prefix())))::tsvector;
CREATE TEXT SEARCH DICTIONARY jotsam_of_release.jotsam_english (
    TEMPLATE = pg_catalog.snowball,
    language = 'english' );
CREATE TEXT SEARCH CONFIGURATION jotsam_of_release.jotsam (
    PARSER = pg_catalog."default" );
ALTER TEXT SEARCH CONFIGURATION jotsam_of_release.jotsam
    ADD MAPPING FOR asciiword WITH jotsam_of_release.jotsam_english;
ALTER TEXT SEARCH CONFIGURATION jotsam_of_release.jotsam
    ADD MAPPING FOR word WITH jotsam_of_release.jotsam_english;
ALTER TEXT SEARCH CONFIGURATION jotsam_of_release.jotsam
    ADD MAPPING FOR numword WITH jotsam_of_release.jotsam_english;
ALTER TEXT SEARCH CONFIGURATION jotsam_of_release.jotsam
    ADD MAPPING FOR email WITH simple;
ALTER TEXT SEARCH CONFIGURATION jotsam_of_release.jotsam
    ADD MAPPING FOR url WITH simple;
ALTER TEXT SEARCH CONFIGURATION jotsam_of_release.jotsam
    ADD MAPPING FOR host WITH simple;
ALTER TEXT SEARCH CONFIGURATION jotsam_of_release.jotsam
    ADD MAPPING FOR sfloat WITH simple;
ALTER TEXT SEARCH CONFIGURATION jotsam_of_release.jotsam
    ADD MAPPING FOR version WITH simple;
ALTER TEXT SEARCH CONFIGURATION jotsam_of_release.jotsam
    ADD MAPPING FOR hword_numpart WITH jotsam_of_release.jotsam_english;
ALTER TEXT SEARCH CONFIGURATION jotsam_of_release.jotsam
    ADD MAPPING FOR hword_part WITH jotsam_of_release.jotsam_english;
ALTER TEXT SEARCH CONFIGURATION jotsam_of_release.jotsam
    ADD MAPPING FOR hword_asciipart WITH jotsam_of_release.jotsam_english;
ALTER TEXT SEARCH CONFIGURATION jotsam_of_release.jotsam
    ADD MAPPING FOR numhword WITH jotsam_of_release.jotsam_english;
ALTER TEXT SEARCH CONFIGURATION jotsam_of_release.jotsam
    ADD MAPPING FOR asciihword WITH jotsam_of_release.jotsam_english;
ALTER TEXT SEARCH CONFIGURATION jotsam_of_release.jotsam
    ADD MAPPING FOR hword WITH jotsam_of_release.jotsam_english;
ALTER TEXT SEARCH CONFIGURATION jotsam_of_release.jotsam
    ADD MAPPING FOR url_path WITH simple;
ALTER TEXT SEARCH CONFIGURATION jotsam_of_release.jotsam
    ADD MAPPING FOR file WITH simple;
ALTER TEXT SEARCH CONFIGURATION jotsam_of_release.jotsam
    ADD MAPPING FOR "float" WITH simple;
ALTER TEXT SEARCH CONFIGURATION jotsam_of_release.jotsam
    ADD MAPPING FOR "int" WITH simple;
ALTER TEXT SEARCH CONFIGURATION jotsam_of_release.jotsam
    ADD MAPPING FOR uint WITH simple;
CREATE TABLE jotsam_of_release.allowed_secret (
    tenant text NOT NULL,
    fingerprint text NOT NULL,
    reason text NOT NULL,
    created_at bigint NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.allowed_secret FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.audit (
    id bigint NOT NULL,
    tenant text NOT NULL,
    request text NOT NULL,
    token text NOT NULL,
    name text NOT NULL,
    action text NOT NULL,
    subject text NOT NULL,
    address text NOT NULL,
    created_at bigint NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.audit FORCE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.audit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME jotsam_of_release.audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE jotsam_of_release.change_word (
    tenant text NOT NULL,
    word text NOT NULL,
    at bigint NOT NULL,
    memory_id bigint NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.change_word FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.daily_spend (
    day bigint NOT NULL,
    tokens bigint NOT NULL,
    cost double precision NOT NULL,
    reserved_tokens bigint NOT NULL,
    reserved_cost double precision NOT NULL,
    reserved_until bigint NOT NULL
);
CREATE TABLE jotsam_of_release.date_range (
    memory_id bigint NOT NULL,
    tenant text NOT NULL,
    first bigint NOT NULL,
    until bigint NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.date_range FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.document (
    id bigint NOT NULL,
    uuid text NOT NULL,
    tenant text NOT NULL,
    project text,
    source text,
    key text,
    actor text,
    session text,
    date bigint,
    date_by text,
    job_id bigint NOT NULL,
    created_at bigint NOT NULL,
    cut_at bigint,
    superseded_at bigint,
    superseded_by bigint,
    body text NOT NULL,
    joined_from text
);
ALTER TABLE ONLY jotsam_of_release.document FORCE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.document ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME jotsam_of_release.document_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE jotsam_of_release.embedder (
    id bigint NOT NULL,
    name text NOT NULL,
    dimension bigint NOT NULL,
    place text NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    created_at bigint NOT NULL
);
ALTER TABLE jotsam_of_release.embedder ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME jotsam_of_release.embedder_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE jotsam_of_release.embedding (
    memory_id bigint NOT NULL,
    tenant text NOT NULL,
    embedder_id bigint,
    version bigint,
    bytes bytea,
    error text,
    wanted bigint NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.embedding FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.embedding_index (
    memory_id bigint NOT NULL,
    tenant text NOT NULL,
    embedder_id bigint NOT NULL,
    value public.vector NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.embedding_index FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.engine (
    name text NOT NULL,
    address text NOT NULL,
    place text NOT NULL,
    version text NOT NULL,
    xact bigint DEFAULT ((pg_current_xact_id())::text)::bigint NOT NULL,
    created_at bigint NOT NULL,
    error text,
    error_at bigint
);
CREATE TABLE jotsam_of_release.entity (
    id bigint NOT NULL,
    tenant text NOT NULL,
    category text NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    canonical_id bigint
);
ALTER TABLE ONLY jotsam_of_release.entity FORCE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.entity ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME jotsam_of_release.entity_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE jotsam_of_release.event (
    id bigint NOT NULL,
    xact bigint DEFAULT ((pg_current_xact_id())::text)::bigint NOT NULL,
    tenant text NOT NULL,
    at bigint NOT NULL,
    type text NOT NULL,
    subject text,
    job_id bigint,
    data text NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.event FORCE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.event ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME jotsam_of_release.event_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE jotsam_of_release.event_pruned (
    tenant text NOT NULL,
    xact bigint NOT NULL,
    id bigint NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.event_pruned FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.fact (
    id bigint NOT NULL,
    uuid text NOT NULL,
    tenant text NOT NULL,
    memory_id bigint NOT NULL,
    subject text NOT NULL,
    predicate text NOT NULL,
    object text NOT NULL,
    subject_key text NOT NULL,
    object_key text NOT NULL,
    confidence double precision NOT NULL,
    valid_from bigint,
    valid_until bigint,
    extractor text NOT NULL,
    created_at bigint NOT NULL,
    superseded_at bigint,
    superseded_by bigint,
    superseded_how text,
    CONSTRAINT fact_confidence_check CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision)))
);
ALTER TABLE ONLY jotsam_of_release.fact FORCE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.fact ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME jotsam_of_release.fact_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE jotsam_of_release.held_job (
    job_id bigint NOT NULL,
    tenant text NOT NULL,
    state text NOT NULL,
    wake_at bigint
);
CREATE TABLE jotsam_of_release.identity (
    tenant text NOT NULL,
    entity_id bigint NOT NULL,
    body text NOT NULL,
    sources text NOT NULL,
    hash text NOT NULL,
    made_by text NOT NULL,
    changed_at bigint NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.identity FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.jotsam_migration (
    schema text NOT NULL,
    version integer NOT NULL,
    name text NOT NULL,
    fingerprint text NOT NULL,
    applied_at bigint NOT NULL,
    program text
);
CREATE TABLE jotsam_of_release.kept_reply (
    tenant text NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    status integer NOT NULL,
    location text,
    body text NOT NULL,
    created_at bigint NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.kept_reply FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.ledger (
    id bigint NOT NULL,
    tenant text NOT NULL,
    day bigint NOT NULL,
    job_id bigint NOT NULL,
    model text NOT NULL,
    purpose text NOT NULL,
    state text NOT NULL,
    tokens_in bigint NOT NULL,
    tokens_cached bigint DEFAULT 0 NOT NULL,
    tokens_out bigint NOT NULL,
    cost double precision NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT ledger_state_check CHECK ((state = ANY (ARRAY['open'::text, 'done'::text])))
);
ALTER TABLE ONLY jotsam_of_release.ledger FORCE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.ledger ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME jotsam_of_release.ledger_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE jotsam_of_release.lifecycle_change (
    tenant text NOT NULL,
    run_id bigint NOT NULL,
    part bigint NOT NULL,
    changes text NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.lifecycle_change FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.lifecycle_pair (
    tenant text NOT NULL,
    run_id bigint NOT NULL,
    first_id bigint NOT NULL,
    second_id bigint NOT NULL,
    likeness double precision NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.lifecycle_pair FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.lifecycle_refusal (
    tenant text NOT NULL,
    hash text NOT NULL,
    created_at bigint NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.lifecycle_refusal FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.lifecycle_run (
    id bigint NOT NULL,
    uuid text NOT NULL,
    tenant text NOT NULL,
    step text NOT NULL,
    origin text NOT NULL,
    state text NOT NULL,
    job_id bigint NOT NULL,
    place text,
    parts bigint DEFAULT 0 NOT NULL,
    examined bigint DEFAULT 0 NOT NULL,
    changed bigint DEFAULT 0 NOT NULL,
    reverted bigint DEFAULT 0 NOT NULL,
    kept bigint DEFAULT 0 NOT NULL,
    error text,
    options text NOT NULL,
    created_at bigint NOT NULL,
    started_at bigint,
    ended_at bigint,
    undone_at bigint,
    CONSTRAINT lifecycle_run_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'failed'::text, 'undoing'::text, 'undone'::text])))
);
ALTER TABLE ONLY jotsam_of_release.lifecycle_run FORCE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.lifecycle_run ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME jotsam_of_release.lifecycle_run_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE jotsam_of_release.lifecycle_schedule (
    tenant text NOT NULL,
    step text NOT NULL,
    due_at bigint NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.lifecycle_schedule FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.link (
    tenant text NOT NULL,
    source_id bigint NOT NULL,
    target_id bigint NOT NULL,
    type text NOT NULL,
    weight double precision NOT NULL,
    created_at bigint NOT NULL,
    extractor text,
    properties text
);
ALTER TABLE ONLY jotsam_of_release.link FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.llm_cache (
    tenant text NOT NULL,
    key text NOT NULL,
    body text NOT NULL,
    extractor text NOT NULL,
    created_at bigint NOT NULL,
    used_at bigint NOT NULL,
    memory_id bigint
);
ALTER TABLE ONLY jotsam_of_release.llm_cache FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.memory (
    id bigint NOT NULL,
    uuid text NOT NULL,
    tenant text NOT NULL,
    project text,
    document_id bigint,
    "position" bigint,
    line bigint,
    section text DEFAULT ''::text NOT NULL,
    body text NOT NULL,
    summary text,
    type text,
    importance double precision,
    confidence double precision,
    metadata text,
    actor text,
    session text,
    source text,
    said_at bigint,
    valid_from bigint,
    valid_until bigint,
    external_id text,
    key text,
    job_id bigint NOT NULL,
    created_at bigint NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    changed_at bigint,
    enriched_at bigint,
    superseded_at bigint,
    superseded_by bigint,
    superseded_how text,
    archived_at bigint,
    archived_by bigint,
    extractor text,
    degraded text,
    awaits_model_since bigint,
    rejected text,
    type_by text,
    importance_by text,
    confidence_by text,
    joined_from text,
    CONSTRAINT memory_confidence_check CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision))),
    CONSTRAINT memory_importance_check CHECK (((importance >= (0)::double precision) AND (importance <= (1)::double precision)))
);
ALTER TABLE ONLY jotsam_of_release.memory FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.memory_block (
    tenant text NOT NULL,
    project text NOT NULL,
    actor text NOT NULL,
    name text NOT NULL,
    uuid text NOT NULL,
    body text NOT NULL,
    max_length bigint NOT NULL,
    pinned bigint NOT NULL,
    version bigint NOT NULL,
    created_at bigint NOT NULL,
    changed_at bigint NOT NULL,
    joined_from text,
    joined_name text
);
ALTER TABLE ONLY jotsam_of_release.memory_block FORCE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.memory ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME jotsam_of_release.memory_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE jotsam_of_release.memory_tag (
    tenant text NOT NULL,
    tag text NOT NULL,
    memory_id bigint NOT NULL,
    extractor text
);
ALTER TABLE ONLY jotsam_of_release.memory_tag FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.memory_version (
    tenant text NOT NULL,
    memory_id bigint NOT NULL,
    version bigint NOT NULL,
    until bigint NOT NULL,
    body text NOT NULL,
    type text,
    tags text NOT NULL,
    importance double precision,
    confidence double precision,
    metadata text,
    valid_from bigint,
    valid_until bigint
);
ALTER TABLE ONLY jotsam_of_release.memory_version FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.mention (
    tenant text NOT NULL,
    memory_id bigint NOT NULL,
    entity_id bigint NOT NULL,
    extractor text,
    confidence double precision
);
ALTER TABLE ONLY jotsam_of_release.mention FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.metadata_index (
    tenant text NOT NULL,
    hash text NOT NULL,
    memory_id bigint NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.metadata_index FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.mirror_change (
    id bigint NOT NULL,
    tenant text NOT NULL,
    engine text NOT NULL,
    memory_id bigint NOT NULL,
    uuid text NOT NULL,
    at bigint NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.mirror_change FORCE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.mirror_change ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME jotsam_of_release.mirror_change_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE jotsam_of_release.mirror_progress (
    tenant text NOT NULL,
    engine text NOT NULL,
    version bigint NOT NULL,
    fill_after bigint,
    sweep_after text,
    read_to bigint DEFAULT 0 NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.mirror_progress FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.model_use (
    model text NOT NULL,
    purpose text NOT NULL,
    calls bigint NOT NULL,
    tokens_in bigint NOT NULL,
    tokens_out bigint NOT NULL,
    cost double precision NOT NULL
);
CREATE TABLE jotsam_of_release.note (
    tenant text NOT NULL,
    memory_id bigint NOT NULL,
    "position" bigint NOT NULL,
    before_id bigint,
    after_id bigint,
    project text,
    kind text NOT NULL,
    scope text NOT NULL,
    body text NOT NULL,
    problem text,
    old_names text,
    terms text NOT NULL,
    sure double precision NOT NULL,
    said_at bigint NOT NULL,
    ended_by bigint,
    ended_position bigint,
    ended_how text,
    ended_names text,
    verdict text,
    CONSTRAINT note_ended_how_check CHECK ((ended_how = ANY (ARRAY['replaced'::text, 'closed'::text, 'repeated'::text]))),
    CONSTRAINT note_kind_check CHECK ((kind = ANY (ARRAY['rule'::text, 'decision'::text, 'open'::text, 'fix'::text, 'done'::text]))),
    CONSTRAINT note_scope_check CHECK ((scope = ANY (ARRAY['project'::text, 'person'::text]))),
    CONSTRAINT note_verdict_check CHECK ((verdict = ANY (ARRAY['wrong'::text, 'old'::text, 'keep'::text])))
);
ALTER TABLE ONLY jotsam_of_release.note FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.pattern (
    id bigint NOT NULL,
    tenant text NOT NULL,
    type text NOT NULL,
    slug text NOT NULL,
    terms text NOT NULL,
    created_at bigint NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.pattern FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.pattern_example (
    tenant text NOT NULL,
    pattern_id bigint NOT NULL,
    memory_id bigint NOT NULL,
    at bigint NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.pattern_example FORCE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.pattern ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME jotsam_of_release.pattern_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE jotsam_of_release.pattern_lock (
    tenant text NOT NULL,
    type text NOT NULL,
    locked_at bigint NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.pattern_lock FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.pattern_terms (
    memory_id bigint NOT NULL,
    tenant text NOT NULL,
    type text NOT NULL,
    terms text NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.pattern_terms FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.project (
    tenant text NOT NULL,
    key text NOT NULL,
    label text NOT NULL,
    joined_to text,
    mark text,
    looked_at bigint,
    created_at bigint NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.project FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.queue_attempt (
    job_id bigint NOT NULL,
    received bigint NOT NULL,
    queue text NOT NULL,
    tenant text NOT NULL,
    kind text NOT NULL,
    owner text,
    started_at bigint NOT NULL,
    ended_at bigint NOT NULL,
    outcome text NOT NULL,
    error text,
    trace text,
    CONSTRAINT queue_attempt_outcome_check CHECK ((outcome = ANY (ARRAY['done'::text, 'cancelled'::text, 'retry'::text, 'released'::text, 'dead'::text, 'expired'::text, 'interrupted'::text])))
);
CREATE TABLE jotsam_of_release.queue_clock (
    id bigint NOT NULL,
    seen_at bigint NOT NULL,
    pruned_at bigint DEFAULT 0 NOT NULL,
    CONSTRAINT queue_clock_id_check CHECK ((id = 1))
);
CREATE TABLE jotsam_of_release.queue_control (
    queue text NOT NULL,
    paused bigint DEFAULT 0 NOT NULL,
    reason text,
    probe_at bigint,
    trips bigint DEFAULT 0 NOT NULL,
    fair bigint DEFAULT 0 NOT NULL,
    place bigint DEFAULT 0 NOT NULL
);
CREATE TABLE jotsam_of_release.queue_count (
    queue text NOT NULL,
    tenant text NOT NULL,
    kind text NOT NULL,
    hour bigint NOT NULL,
    accepted bigint DEFAULT 0 NOT NULL,
    done bigint DEFAULT 0 NOT NULL,
    retried bigint DEFAULT 0 NOT NULL,
    buried bigint DEFAULT 0 NOT NULL,
    redriven bigint DEFAULT 0 NOT NULL,
    discarded bigint DEFAULT 0 NOT NULL,
    busy_ms bigint DEFAULT 0 NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0');
CREATE TABLE jotsam_of_release.queue_job (
    id bigint NOT NULL,
    queue text NOT NULL,
    tenant text NOT NULL,
    kind text NOT NULL,
    state text NOT NULL,
    priority bigint NOT NULL,
    place bigint NOT NULL,
    lane text,
    parallel bigint NOT NULL,
    wake_at bigint,
    lease_ms bigint NOT NULL,
    received bigint DEFAULT 0 NOT NULL,
    failures bigint DEFAULT 0 NOT NULL,
    interruptions bigint DEFAULT 0 NOT NULL,
    max_receive bigint NOT NULL,
    owner text,
    leased_at bigint,
    error text,
    created_at bigint NOT NULL,
    requeued boolean DEFAULT false NOT NULL,
    CONSTRAINT queue_job_check CHECK (((wake_at IS NOT NULL) = (state = ANY (ARRAY['leased'::text, 'waiting'::text])))),
    CONSTRAINT queue_job_state_check CHECK ((state = ANY (ARRAY['ready'::text, 'leased'::text, 'waiting'::text, 'dead'::text, 'blocked'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0');
ALTER TABLE jotsam_of_release.queue_job ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME jotsam_of_release.queue_job_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE jotsam_of_release.queue_key (
    queue text NOT NULL,
    tenant text NOT NULL,
    key text NOT NULL,
    job_id bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE jotsam_of_release.queue_payload (
    job_id bigint NOT NULL,
    "json" text,
    bytes bytea,
    progress double precision,
    note text,
    cancelled bigint DEFAULT 0 NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0');
CREATE TABLE jotsam_of_release.queue_result (
    job_id bigint NOT NULL,
    "json" text NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE jotsam_of_release.queue_tenant (
    queue text NOT NULL,
    tenant text NOT NULL,
    place bigint NOT NULL
);
CREATE TABLE jotsam_of_release.queue_worker (
    owner text NOT NULL,
    machine text NOT NULL,
    host text NOT NULL,
    pid bigint NOT NULL,
    started text NOT NULL,
    seen_at bigint NOT NULL
);
CREATE TABLE jotsam_of_release.recall_count (
    tenant text NOT NULL,
    memory_id bigint NOT NULL,
    recalls bigint NOT NULL,
    recalled_at bigint NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.recall_count FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.recording (
    one bigint NOT NULL,
    until bigint NOT NULL,
    run bigint NOT NULL,
    CONSTRAINT recording_one_check CHECK ((one = 1))
);
CREATE TABLE jotsam_of_release.redaction (
    id bigint NOT NULL,
    tenant text NOT NULL,
    document_id bigint,
    memory_id bigint,
    kind text NOT NULL,
    place text NOT NULL,
    fingerprint text,
    created_at bigint NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.redaction FORCE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.redaction ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME jotsam_of_release.redaction_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE jotsam_of_release.relevance (
    tenant text NOT NULL,
    memory_id bigint NOT NULL,
    relevance double precision NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.relevance FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.tenant_move (
    tenant text NOT NULL,
    move text NOT NULL,
    state text NOT NULL,
    other text NOT NULL,
    first_job bigint DEFAULT 0 NOT NULL,
    place text,
    CONSTRAINT tenant_move_state_check CHECK ((state = ANY (ARRAY['leaving'::text, 'gone'::text, 'arriving'::text, 'arrived'::text])))
);
CREATE TABLE jotsam_of_release.text_count (
    tenant text NOT NULL,
    id bigint NOT NULL,
    memories bigint NOT NULL,
    documents bigint NOT NULL,
    words bigint NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.text_count FORCE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.text_count ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME jotsam_of_release.text_count_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE jotsam_of_release.text_index (
    tenant text DEFAULT NULLIF(current_setting('jotsam.tenant'::text, true), ''::text) NOT NULL,
    ref bigint NOT NULL,
    part bigint NOT NULL,
    lexemes tsvector NOT NULL,
    length bigint NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.text_index FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.theme (
    id bigint NOT NULL,
    uuid text NOT NULL,
    tenant text NOT NULL,
    project text,
    name text NOT NULL,
    terms text NOT NULL,
    summary_id bigint,
    created_at bigint NOT NULL,
    joined_from text
);
ALTER TABLE ONLY jotsam_of_release.theme FORCE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.theme ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME jotsam_of_release.theme_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE jotsam_of_release.theme_member (
    tenant text NOT NULL,
    theme_id bigint NOT NULL,
    memory_id bigint NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.theme_member FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.title (
    tenant text NOT NULL,
    slug text NOT NULL,
    memory_id bigint NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.title FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.tombstone (
    tenant text NOT NULL,
    hash text NOT NULL,
    created_at bigint NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.tombstone FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.tombstone_key (
    tenant text NOT NULL,
    version bigint NOT NULL,
    key text NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.tombstone_key FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.trash (
    tenant text NOT NULL,
    batch text NOT NULL,
    part bigint NOT NULL,
    created_at bigint NOT NULL,
    memories bigint NOT NULL,
    documents bigint NOT NULL,
    sample text NOT NULL,
    undo text NOT NULL,
    lines text NOT NULL,
    rows text DEFAULT ''::text NOT NULL
);
ALTER TABLE ONLY jotsam_of_release.trash FORCE ROW LEVEL SECURITY;
CREATE TABLE jotsam_of_release.triage (
    tenant text NOT NULL,
    memory_id bigint NOT NULL,
    version bigint NOT NULL,
    text_version bigint NOT NULL,
    kind text,
    title text,
    confidence double precision,
    state text NOT NULL,
    reason text,
    crystal_id bigint,
    judged_by text NOT NULL,
    CONSTRAINT triage_state_check CHECK ((state = ANY (ARRAY['none'::text, 'candidate'::text, 'promoted'::text, 'refused'::text, 'retracted'::text])))
);
ALTER TABLE ONLY jotsam_of_release.triage FORCE ROW LEVEL SECURITY;
INSERT INTO jotsam_of_release.allowed_secret VALUES
	('bo''s', 'dd2d87584f6977d573fe8e10ca0d993fb3bee9a9da9664c338d97128b3db0f13', 'an example', 1787873208000);
INSERT INTO jotsam_of_release.api_token VALUES
	('4bbbfeac4187', 'bo''s', 'laptop', 'write', 'api', '\xa192938706e0b1ab13a31b3324ac987f86daef2bb011ccbf4bf2889eb376a10f', 0.5, 1000, 1787873208000, NULL, NULL, NULL),
	('5e02e2eaba4f', 'default', 'laptop', 'write', 'api', '\xc73034d0a60e01864aaf0de2a9296b1027221fbf25edf910e5db916a293257f8', 0.5, 1000, 1787873208000, NULL, NULL, NULL),
	('79d27529a157', 'default', 'old phone', 'read', 'api', '\xb7611cae02bc02cfeb6a7d9cefb3ea5dac58aafc9f736472441219cac752c475', NULL, NULL, 1787873208000, NULL, 1787873208000, NULL);
INSERT INTO jotsam_of_release.audit OVERRIDING SYSTEM VALUE VALUES
	(1, 'default', 'r', '', 'laptop', 'POST /v1/turns', '', '', 1787873208000),
	(2, 'default', '6b9f8b87-af0b-4d40-b4a9-011e0552c798', '', 'python', 'tokens create', '79d27529a157', '', 1787873208000),
	(3, 'default', '6ed36ce6-5d5f-4191-8b33-f3df239e3382', '', 'python', 'tokens revoke', '79d27529a157', '', 1787873208000),
	(4, 'default', '438120a6-e74a-4e5b-9c0e-7e6368f670d6', '', 'python', 'tokens create', '5e02e2eaba4f', '', 1787873208000),
	(5, 'bo''s', 'r', '', 'laptop', 'POST /v1/turns', '', '', 1787873208000),
	(6, 'bo''s', 'c117b09c-1565-4819-aafb-c130527c701e', '', 'python', 'tokens create', '4bbbfeac4187', '', 1787873208000);
INSERT INTO jotsam_of_release.change_word VALUES
	('bo''s', 'launc', 1787873208000, 43),
	('bo''s', 'may', 1787873208000, 43),
	('default', 'ana', 1780093608000, 30),
	('default', 'influ', 1780093606000, 18),
	('default', 'lima', 1780093608000, 30),
	('default', 'postg', 1780093606000, 18),
	('default', 'readi', 1780093606000, 18),
	('default', 'table', 1780093606000, 18);
INSERT INTO jotsam_of_release.daily_spend VALUES
	(20692, 20, 2, 10, 1, 1787873268000);
INSERT INTO jotsam_of_release.date_range VALUES
	(14, 'default', 1768435200000, 1768521600000),
	(26, 'default', 1777593600000, 1780272000000),
	(43, 'bo''s', 1777593600000, 1782864000000),
	(45, 'bo''s', 1787270400000, 1787356800000),
	(48, 'bo''s', 1735257600000, 1735344000000);
INSERT INTO jotsam_of_release.document VALUES
	(1, 'a68e778c-499d-4eea-a83c-98033caae017', 'default', 'github.com/acme/farm', 'docs/billing-decisions.md', NULL, NULL, NULL, 1772409600000, NULL, 14, 1780086400000, 1780090004000, NULL, NULL, '# Billing: decisions
## Storage
On 2026-01-15 we chose PostgreSQL for the billing service. Ana Lima proposed it; Ben Okafor compared it with MongoDB.
MongoDB was faster to start with, but invoices must never be half written.
## Mail
Invoices are sent by the mail queue. A message that fails five times goes to the dead letters, and Clara Sommer looks at
them each morning.
## Open
- Who owns the nightly export to Northwind?
- Do we keep invoices for ten years, or for seven?
', NULL),
	(2, 'b2d9319c-ed5d-4249-8c2b-64ac049cf45b', 'default', 'billing', 'docs/totals.md', NULL, NULL, NULL, NULL, NULL, 62, 1787873208000, NULL, NULL, NULL, '# Totals
Totals of the third quarter.', NULL),
	(3, '34f590da-64e4-4e9e-9450-e1216fd432b7', 'bo''s', NULL, 'notes.md', 'first', NULL, NULL, NULL, NULL, 64, 1787873208000, 1787873208000, NULL, NULL, '# Notes
## A
Met with John Smith about the launch.
## B
We use Redis and 数据库 for it.
', NULL),
	(4, '39ffb872-7114-4f60-b77e-d9b550bf1be0', 'bo''s', 'apollo', 'notes.md', NULL, NULL, NULL, 1735776000000, NULL, 67, 1787873208000, 1787873208000, NULL, NULL, '# Notes
## A
Met with John Smith about the launch.
## B
We use Redis and 数据库 for it.
## C
The launch is on Friday.
', NULL),
	(5, '990ba62e-1b71-4519-8747-c17917b09bda', 'bo''s', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 82, 1787873208000, NULL, NULL, NULL, 'Discarded, so that its job''s id is free.', NULL),
	(6, '14a33aec-7ee1-4d65-89f4-aca0bc0dd314', 'bo''s', NULL, 'later.md', NULL, NULL, NULL, NULL, NULL, 83, 1787873208000, NULL, NULL, NULL, 'This still waits to be cut: launch codes.', NULL);
INSERT INTO jotsam_of_release.embedder OVERRIDING SYSTEM VALUE VALUES
	(1, 'hashing-512', 512, 'hashing', 1, 1780000000000);
INSERT INTO jotsam_of_release.embedding VALUES
	(1, 'default', 1, 1, '\x00000000000000003e0dfdbd3e0dfd3d00000000000000003e0dfd3d47289e3e000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000966bdd3e0000000000000000000000000000000047289ebe00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003e0dfdbd000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003e0dfd3d0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003e0d7dbe0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003e0dfd3d00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000047289e3e0000000047289ebe0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003e0dfdbd0000000000000000000000003e0dfdbd0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003e0dfd3d0000000000000000000000000000000000000000000000003e0dfdbd000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003e0dfdbd0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003e0dfdbd000000000000000000000000000000003e0dfdbd000000000000000000000000000000003e0dfdbd00000000000000003e0dfdbd000000000000000000000000000000000000000000000000000000003e0dfd3d0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003e0dfdbd000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003e0dfd3d000000000000000047289ebe00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', NULL, 0),
	(2, 'default', 1, 1, '\x00000000000000009933f2bd9933f23d00000000000000009933f23d4060973e00000000000000000000000000000000000000000000000000000000000000009933f2bd00000000000000000000000000000000000000000000000000000000000000000000000026edd33e0000000000000000000000009933f23d406097be00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000009933f2bd000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000009933f23d000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000993372be000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000004060973e00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000009933f2bd0000000000000000000000009933f2bd0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000009933f23d0000000000000000000000000000000000000000000000009933f2bd000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000009933f2bd0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000009933f2bd0000000000000000406097be00000000993372be000000000000000000000000000000009933f2bd00000000000000009933f2bd000000000000000000000000000000009933f2bd00000000000000009933f2bd0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000009933f2bd000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000009933f23d0000000000000000406097be0000000000000000000000000000000000000000000000000000000000000000000000009933f23d000000000000000000000000000000000000000000000000000000000000000000000000', NULL, 0);
INSERT INTO jotsam_of_release.embedding_index VALUES
	(1, 'default', 1, '[0,0,-0.12356041,0.12356041,0,0,0.12356041,0.30890104,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0.43246144,0,0,0,0,-0.30890104,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-0.12356041,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0.12356041,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-0.24712083,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0.12356041,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0.30890104,0,-0.30890104,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-0.12356041,0,0,0,-0.12356041,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0.12356041,0,0,0,0,0,0,-0.12356041,0,0,0,0,0,0,0,0,0,0,0,0,0,-0.12356041,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-0.12356041,0,0,0,0,-0.12356041,0,0,0,0,-0.12356041,0,0,-0.12356041,0,0,0,0,0,0,0,0.12356041,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-0.12356041,0,0,0,0,0,0,0,0,0,0,0,0,0,0.12356041,0,0,-0.30890104,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]'),
	(2, 'default', 1, '[0,0,-0.11826248,0.11826248,0,0,0.11826248,0.2956562,0,0,0,0,0,0,0,0,-0.11826248,0,0,0,0,0,0,0,0,0,0.41391867,0,0,0,0.11826248,-0.2956562,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-0.11826248,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0.11826248,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-0.23652495,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0.2956562,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-0.11826248,0,0,0,-0.11826248,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0.11826248,0,0,0,0,0,0,-0.11826248,0,0,0,0,0,0,0,0,0,0,0,0,0,-0.11826248,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-0.11826248,0,0,-0.2956562,0,-0.23652495,0,0,0,0,-0.11826248,0,0,-0.11826248,0,0,0,0,-0.11826248,0,0,-0.11826248,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-0.11826248,0,0,0,0,0,0,0,0,0,0,0,0,0,0.11826248,0,0,-0.2956562,0,0,0,0,0,0,0,0,0,0.11826248,0,0,0,0,0,0,0,0,0]');
INSERT INTO jotsam_of_release.entity VALUES
	(1, 'default', 'people', 'user', 'user', NULL),
	(2, 'default', 'people', 'assistant', 'assistant', NULL),
	(3, 'default', 'tools', 'influxdb', 'InfluxDB', NULL),
	(4, 'default', 'tools', 'postgresql', 'PostgreSQL', NULL),
	(5, 'default', 'people', 'ana-lima', 'Ana Lima', NULL),
	(6, 'default', 'people', 'ben-okafor', 'Ben Okafor', NULL),
	(7, 'default', 'tools', 'mongodb', 'MongoDB', NULL),
	(8, 'default', 'people', 'clara-sommer', 'Clara Sommer', NULL),
	(9, 'default', 'organizations', 'globex', 'Globex', NULL),
	(10, 'default', 'people', 'zoe', 'Zoe', NULL),
	(11, 'default', 'concepts', 'lisbon', 'Lisbon', NULL),
	(12, 'default', 'concepts', 'porto', 'Porto', NULL),
	(13, 'default', 'people', 'john-smith', 'John Smith', 14),
	(14, 'default', 'tools', 'redis', 'Redis', NULL),
	(15, 'bo''s', 'people', 'john-smith', 'John Smith', 16),
	(16, 'bo''s', 'tools', 'redis', 'Redis', NULL),
	(17, 'bo''s', 'tools', '数据库', '数据库', NULL),
	(18, 'bo''s', 'people', 'marcus', 'Marcus', NULL),
	(19, 'bo''s', 'people', 'ana-lee', 'Ana Lee', NULL),
	(20, 'bo''s', 'people', 'user', 'user', NULL);
INSERT INTO jotsam_of_release.fact VALUES
	(1, 'e83fbbb1-e9d5-8314-bf93-38756b3021a3', 'default', 6, 'heron', 'stands_in', 'northern lake', 'heron', 'northern lake', 0.6, NULL, NULL, 'rules/4', 1780000000000, NULL, NULL, NULL),
	(2, '7e3f9578-72f5-860d-bbe8-13040abb1aba', 'default', 13, 'table reading', 'located_in', 'PostgreSQL', 'table reading', 'postgresql', 0.6, NULL, NULL, 'rules/4', 1780090004000, NULL, NULL, NULL),
	(3, 'dc2c0595-08b1-8cf7-a679-71431d62195b', 'default', 14, 'we', 'decided', 'PostgreSQL for the billing service', 'we', 'postgresql for the billing service', 0.7, 1768435200000, NULL, 'rules/4', 1780090004000, NULL, NULL, NULL),
	(4, '69354eaf-625b-834f-8080-bf019b5d2fbe', 'default', 18, 'readings', 'located_in', 'InfluxDB', 'readings', 'influxdb', 0.6, NULL, NULL, 'rules/4', 1780093608000, NULL, NULL, NULL),
	(6, '195acdc7-79a4-8f97-a6d8-2627927d1cf9', 'default', 26, 'pump', 'has', '60 litres a minute', 'pump', '60 litres a minute', 0.6, 1777593600000, NULL, 'rules/4', 1780093608000, NULL, NULL, NULL),
	(7, 'cb0b6497-3a3f-81df-b10b-94d76bfe08b3', 'default', 27, 'Zoe', 'works_at', 'Globex', 'zoe', 'globex', 0.8, NULL, NULL, 'rules/4', 1780093608000, NULL, NULL, NULL),
	(8, '4f3b48e9-4510-824f-aac7-aecdb63e58d8', 'default', 29, 'Ana Lima', 'lives_in', 'Lisbon', 'ana lima', 'lisbon', 0.8, NULL, NULL, 'rules/4', 1780093608000, NULL, NULL, NULL),
	(9, '8053e77f-d988-83b3-ad12-2cab0a63b993', 'default', 30, 'Ana Lima', 'lives_in', 'Porto', 'ana lima', 'porto', 0.8, NULL, NULL, 'rules/4', 1780093608000, NULL, NULL, NULL),
	(10, '2b7773c1-a19e-8d40-ac0b-44d567c94617', 'bo''s', 40, 'we', 'uses', 'Redis', 'we', 'redis', 0.8, NULL, NULL, 'rules/4', 1787873208000, NULL, NULL, NULL),
	(11, '1e33869e-825e-8e2d-aa31-c3adefe4e2fe', 'bo''s', 40, 'we', 'uses', '数据库', 'we', '数据库', 0.8, NULL, NULL, 'rules/4', 1787873208000, NULL, NULL, NULL),
	(12, '844d9806-5325-8c5a-b4b1-97fc4c0ab1ba', 'bo''s', 41, 'Marcus', 'prefers', 'early returns', 'marcus', 'early returns', 0.8, NULL, NULL, 'rules/4', 1787873208000, NULL, NULL, NULL),
	(13, 'de00f13d-403a-88dd-ab49-6f452078c54c', 'bo''s', 43, 'launch', 'migrated_from', 'May to June', 'launch', 'may to june', 0.6, 1777593600000, NULL, 'rules/4', 1787873208000, NULL, NULL, NULL),
	(14, '52758c61-6a51-87fb-8fe6-3609790b8e6b', 'bo''s', 47, 'we', 'uses', 'Redis', 'we', 'redis', 0.8, NULL, NULL, 'rules/4', 1787873208000, NULL, NULL, NULL),
	(15, 'b276a7bc-78f2-8587-88f1-bd2a1c561c67', 'bo''s', 47, 'we', 'uses', '数据库', 'we', '数据库', 0.8, NULL, NULL, 'rules/4', 1787873208000, NULL, NULL, NULL),
	(16, '5ca19244-3b98-86b2-89d9-6777ec775b00', 'bo''s', 48, 'launch', 'is_on', 'Friday', 'launch', 'friday', 0.6, 1735257600000, NULL, 'rules/4', 1787873208000, NULL, NULL, NULL),
	(17, '0fbb25d1-504f-84dc-9daa-d2367bf82bd3', 'bo''s', 49, 'we', 'decided', 'paint the kitchen green', 'we', 'paint the kitchen green', 0.8, NULL, NULL, 'rules/4', 1787873208000, NULL, NULL, NULL),
	(18, 'ca2fc593-9080-8da6-9a5c-bb654434d1c6', 'bo''s', 50, 'we', 'decided', 'paint the hall green', 'we', 'paint the hall green', 0.8, NULL, NULL, 'rules/4', 1787873208000, NULL, NULL, NULL),
	(19, '0c4bb188-dd15-8cb4-ae11-6cd8205db51e', 'bo''s', 51, 'we', 'decided', 'paint the garden green', 'we', 'paint the garden green', 0.8, NULL, NULL, 'rules/4', 1787873208000, NULL, NULL, NULL);
INSERT INTO jotsam_of_release.identity VALUES
	('default', 5, 'Ana Lima lives in Porto.', '["8053e77f-d988-83b3-ad12-2cab0a63b993"]', '7006bf1aa54ea9e07e1877d422c8bc51', 'rules/1', 1787873208000),
	('bo''s', 20, 'A launch.', '[]', 'h', 'rules', 5);
INSERT INTO jotsam_of_release.jotsam_migration VALUES
	('memory', 1, 'memory_0001_initial', '6ed148033bb7', 1780000000000, '0.1.0'),
	('memory', 2, 'memory_0002_projects', 'd819a29328c9', 1780000000000, '0.1.0'),
	('memory', 3, 'memory_0003_operator_scope', '1e0b744186c9', 1780000000000, '0.1.0'),
	('memory', 4, 'memory_0004_notes', 'e66d64d173c7', 1780000000000, '0.1.0'),
	('memory', 5, 'memory_0005_trash_rows', '970c1fed53c3', 1780000000000, '0.1.0'),
	('queue', 1, 'queue_0001_initial', '0a560d4f9dd8', 1780000000000, '0.1.0');
INSERT INTO jotsam_of_release.kept_reply VALUES
	('bo''s', '8254c329a92850f6d539dd376f4816ee2764517da5e0235514af433164480d7a', 'f', 202, '/v1/jobs/1', '{}', 1787873208000);
INSERT INTO jotsam_of_release.ledger OVERRIDING SYSTEM VALUE VALUES
	(1, 'default', 20692, 1, 'm', 'extraction', 'open', 3, 0, 2, 0.5, 1787873208000),
	(2, 'default', 20692, 1, 'm', 'extraction', 'done', 3, 0, 2, 0.5, 1787873208000),
	(3, 'bo''s', 20692, 1, 'm', 'extraction', 'open', 3, 0, 2, 0.5, 1787873208000),
	(4, 'bo''s', 20692, 1, 'm', 'extraction', 'done', 3, 0, 2, 0.5, 1787873208000);
INSERT INTO jotsam_of_release.lifecycle_change VALUES
	('default', 3, 0, '[{"kind": "relevance", "ids": ["cd072cd8-be6f-4f62-ac4c-09c28206e7e3", "5594aa6b-342f-4d0a-ba5e-4842fab428f7", "0442027a-af1f-495b-bf86-589578df43e4", "13167ae8-d9dc-4b37-b628-33811a71a723", "73862648-2f61-4623-b962-7cc124d44618"], "why": "computed for 24 memories, fell for 7 memories", "number": 31, "hash": "71c92915a3209fe040e35a7a2a3028e6", "undo": {"set": [[1, 0.376, 0.079], [2, 0.382, 0.08], [3, 0.354, 0.074], [4, 0.354, 0.074], [5, 0.354, 0.074], [6, 0.348, 0.088], [7, 1.0, 0.24], [9, null, 0.066], [10, null, 0.054], [11, null, 0.12], [12, null, 0.071], [13, null, 0.144], [14, null, 0.27], [15, null, 0.135], [16, null, 0.051], [17, null, 0.21], [18, null, 0.102], [19, null, 0.075], [20, null, 0.081], [21, null, 0.067], [22, null, 0.066], [23, null, 0.066], [24, null, 0.066], [25, null, 0.095], [26, null, 0.153], [27, null, 0.084], [28, null, 0.054], [30, null, 0.093], [31, null, 0.067], [32, null, 0.068], [33, null, 0.087]]}, "reverted": true}]'),
	('default', 6, 1, '[{"kind": "merge", "ids": ["13167ae8-d9dc-4b37-b628-33811a71a723", "0442027a-af1f-495b-bf86-589578df43e4"], "why": "says the same as 0442027a (likeness 1.00)", "number": 1, "hash": "51f9a1ea245a66948bea4b3229e5aaa5", "undo": {"archived": {"memory": 4, "into": 3, "at": 1787873208000}, "tags": []}}, {"kind": "merge", "ids": ["73862648-2f61-4623-b962-7cc124d44618", "0442027a-af1f-495b-bf86-589578df43e4"], "why": "says the same as 0442027a (likeness 1.00)", "number": 1, "hash": "ad1fa77bd40063c2e11440e27272df2d", "undo": {"archived": {"memory": 5, "into": 3, "at": 1787873208000}, "tags": []}}]'),
	('default', 9, 0, '[{"kind": "triage", "ids": ["c39faf42-028e-410f-ba4d-16cee68320eb", "ec903eb8-d137-40d7-b14c-1966162bd3b5", "4c0a29d3-d0e3-48c8-8116-0cabe56b11a0", "45e54a00-9d49-459c-bf1e-5b7e7af4fbd3", "2a371bde-2258-4855-aaf1-703e7a89f3ba"], "why": "judged 21: 2 decision, 1 learning, 1 preference, 1 fact", "number": 21, "hash": "4b22af262a47738e8edc7f39cecc08e8", "undo": {"rows": [[9, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "rules"}], [10, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "gate"}], [11, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "rules"}], [12, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "gate"}], [13, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "rules"}], [17, null, {"version": 2, "text_version": 1, "kind": "decision", "title": "PostgreSQL is too slow for the readings, let''s go with InfluxDB", "confidence": 0.6, "state": "candidate", "reason": null, "crystal_id": null, "judged_by": "rules"}], [18, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "rules"}], [19, null, {"version": 2, "text_version": 1, "kind": "learning", "title": "the import fails with ''timeout after 30 s''", "confidence": 0.6, "state": "candidate", "reason": null, "crystal_id": null, "judged_by": "rules"}], [20, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "rules"}], [21, null, {"version": 2, "text_version": 1, "kind": "preference", "title": "Answer in short sentences", "confidence": 0.7, "state": "candidate", "reason": null, "crystal_id": null, "judged_by": "rules"}], [22, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "rules"}], [23, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "rules"}], [24, null, {"version": 2, "text_version": 1, "kind": "decision", "title": "Use tabs.", "confidence": null, "state": "refused", "reason": "no statement: only questions, commands, data or a few words", "crystal_id": null, "judged_by": "gate"}], [25, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "rules"}], [26, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "rules"}], [27, null, {"version": 2, "text_version": 1, "kind": "fact", "title": "Zoe works at Globex", "confidence": 0.6, "state": "candidate", "reason": null, "crystal_id": null, "judged_by": "rules"}], [28, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "gate"}], [30, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "rules"}], [31, null, {"version": 2, "text_version": 2, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "gate"}], [32, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "gate"}], [33, null, {"version": 2, "text_version": 1, "kind": null, "title": null, "confidence": null, "state": "none", "reason": null, "crystal_id": null, "judged_by": "rules"}]]}}]'),
	('default', 10, 0, '[{"kind": "identity", "ids": ["entity:people:ana-lima", "7006bf1aa54ea9e07e1877d422c8bc51"], "why": "made of 1 fact", "number": 1, "hash": "fa95412e1a464e930469c945a234b18d", "undo": {"entity": 5, "before": null, "after": "7006bf1aa54ea9e07e1877d422c8bc51"}}]'),
	('bo''s', 12, 0, '[]');
INSERT INTO jotsam_of_release.lifecycle_pair VALUES
	('bo''s', 12, 1, 2, 0.9);
INSERT INTO jotsam_of_release.lifecycle_refusal VALUES
	('bo''s', 'h', 5);
INSERT INTO jotsam_of_release.lifecycle_run VALUES
	(3, '2d95373e-5e46-4604-b2e0-42bb7fbe6245', 'default', 'decay', 'request', 'undone', 0, NULL, 1, 31, 31, 31, 0, NULL, '{"archive_below": 0.0, "remove_below": 0.0}', 1787873208000, 1787873208000, 1787873208000, 1787873208000),
	(4, '43aedfd0-45d8-4b0f-8d6a-c11963747ac8', 'default', 'decay', 'schedule', 'done', 0, NULL, 1, 31, 0, 0, 0, NULL, '{"archive_below": 0.0, "remove_below": 0.0}', 1787873208000, 1787873208000, 1787873208000, NULL),
	(5, 'fabf7725-5f6c-46da-868b-9ab2478b0138', 'default', 'creative', 'schedule', 'done', 0, NULL, 1, 1, 0, 0, 0, NULL, '{"archive_below": 0.0, "remove_below": 0.0}', 1787873208000, 1787873208000, 1787873208000, NULL),
	(6, 'b175940b-c4cb-4ed1-a9e2-e892fd595ba2', 'default', 'cluster', 'schedule', 'done', 0, NULL, 4, 28, 2, 0, 0, NULL, '{"archive_below": 0.0, "remove_below": 0.0}', 1787873208000, 1787873208000, 1787873208000, NULL),
	(7, '32cff6e8-9ec1-4fef-ad32-c18858d8279a', 'default', 'creative', 'request', 'done', 0, NULL, 1, 1, 0, 0, 0, NULL, '{"archive_below": 0.0, "remove_below": 0.0}', 1787873208000, 1787873208000, 1787873208000, NULL),
	(8, '1fa77193-d65c-441e-954c-2664b1a16e17', 'default', 'cluster', 'request', 'done', 0, NULL, 4, 26, 0, 0, 0, NULL, '{"archive_below": 0.0, "remove_below": 0.0}', 1787873208000, 1787873208000, 1787873208000, NULL),
	(9, '412506f6-fd43-4ff8-aa52-5a2f7b46d6b7', 'default', 'crystals', 'request', 'done', 0, NULL, 4, 21, 21, 0, 0, NULL, '{"archive_below": 0.0, "remove_below": 0.0}', 1787873208000, 1787873208000, 1787873208000, NULL),
	(10, '3314d505-1d03-438b-955b-f56cdaa3df9e', 'default', 'identity', 'request', 'done', 0, NULL, 1, 14, 1, 0, 0, NULL, '{"archive_below": 0.0, "remove_below": 0.0}', 1787873208000, 1787873208000, 1787873208000, NULL),
	(11, '98ddac59-e931-426f-a550-292e3f7aa00f', 'default', 'forget', 'request', 'done', 0, NULL, 1, 0, 0, 0, 0, NULL, '{"archive_below": 0.0, "remove_below": 0.0}', 1787873208000, 1787873208000, 1787873208000, NULL),
	(12, 'bo''s-run', 'bo''s', 'decay', 'request', 'done', 0, NULL, 0, 0, 0, 0, 0, NULL, '{}', 5, NULL, NULL, NULL);
INSERT INTO jotsam_of_release.lifecycle_schedule VALUES
	('bo''s', 'decay', 5),
	('default', 'cluster', 1790465208000),
	('default', 'creative', 1788478008000),
	('default', 'decay', 1787959608000);
INSERT INTO jotsam_of_release.link VALUES
	('default', 1, 2, 'SIMILAR_TO', 0.8366, 1780000000000, 'hashing-512', NULL),
	('default', 2, 1, 'PRECEDED_BY', 0.5, 1780000000000, 'rules/4', NULL),
	('default', 2, 1, 'SIMILAR_TO', 0.8366, 1780000000000, 'hashing-512', NULL),
	('default', 3, 1, 'PRECEDED_BY', 0.333, 1780000000000, 'rules/4', NULL),
	('default', 3, 2, 'PRECEDED_BY', 0.5, 1780000000000, 'rules/4', NULL),
	('default', 4, 3, 'DUPLICATE_OF', 1, 1787873208000, 'cluster', NULL),
	('default', 4, 1, 'PRECEDED_BY', 0.25, 1780000000000, 'rules/4', NULL),
	('default', 4, 2, 'PRECEDED_BY', 0.333, 1780000000000, 'rules/4', NULL),
	('default', 4, 3, 'PRECEDED_BY', 0.5, 1780000000000, 'rules/4', NULL),
	('default', 5, 3, 'DUPLICATE_OF', 1, 1787873208000, 'cluster', NULL),
	('default', 5, 1, 'PRECEDED_BY', 0.2, 1780000000000, 'rules/4', NULL),
	('default', 5, 2, 'PRECEDED_BY', 0.25, 1780000000000, 'rules/4', NULL),
	('default', 5, 3, 'PRECEDED_BY', 0.333, 1780000000000, 'rules/4', NULL),
	('default', 5, 4, 'PRECEDED_BY', 0.5, 1780000000000, 'rules/4', NULL),
	('default', 7, 3, 'DERIVED_FROM', 1, 1780086400000, 'crystals/1', NULL),
	('default', 7, 4, 'DERIVED_FROM', 1, 1780086400000, 'crystals/1', NULL),
	('default', 7, 5, 'DERIVED_FROM', 1, 1780086400000, 'crystals/1', NULL),
	('default', 8, 6, 'DERIVED_FROM', 1, 1780086400000, 'crystals/1', NULL),
	('default', 9, 6, 'PRECEDED_BY', 0.5, 1780090004000, 'rules/4', NULL),
	('default', 10, 2, 'PRECEDED_BY', 0.167, 1780090004000, 'rules/4', NULL);
INSERT INTO jotsam_of_release.link VALUES
	('default', 10, 3, 'PRECEDED_BY', 0.2, 1780090004000, 'rules/4', NULL),
	('default', 10, 4, 'PRECEDED_BY', 0.25, 1780090004000, 'rules/4', NULL),
	('default', 10, 5, 'PRECEDED_BY', 0.333, 1780090004000, 'rules/4', NULL),
	('default', 10, 7, 'PRECEDED_BY', 0.5, 1780090004000, 'rules/4', NULL),
	('default', 11, 3, 'PRECEDED_BY', 0.167, 1780090004000, 'rules/4', NULL),
	('default', 11, 4, 'PRECEDED_BY', 0.2, 1780090004000, 'rules/4', NULL),
	('default', 11, 5, 'PRECEDED_BY', 0.25, 1780090004000, 'rules/4', NULL),
	('default', 11, 7, 'PRECEDED_BY', 0.333, 1780090004000, 'rules/4', NULL),
	('default', 11, 10, 'PRECEDED_BY', 1, 1780090004000, 'rules/4', NULL),
	('default', 12, 4, 'PRECEDED_BY', 0.167, 1780090004000, 'rules/4', NULL),
	('default', 12, 5, 'PRECEDED_BY', 0.2, 1780090004000, 'rules/4', NULL),
	('default', 12, 7, 'PRECEDED_BY', 0.25, 1780090004000, 'rules/4', NULL),
	('default', 12, 10, 'PRECEDED_BY', 0.333, 1780090004000, 'rules/4', NULL),
	('default', 12, 11, 'PRECEDED_BY', 1, 1780090004000, 'rules/4', NULL),
	('default', 13, 5, 'PRECEDED_BY', 0.167, 1780090004000, 'rules/4', NULL),
	('default', 13, 7, 'PRECEDED_BY', 0.2, 1780090004000, 'rules/4', NULL),
	('default', 13, 10, 'PRECEDED_BY', 0.25, 1780090004000, 'rules/4', NULL),
	('default', 13, 11, 'PRECEDED_BY', 0.333, 1780090004000, 'rules/4', NULL),
	('default', 13, 12, 'PRECEDED_BY', 1, 1780090004000, 'rules/4', NULL),
	('default', 15, 14, 'PRECEDED_BY', 1, 1780090004000, 'cut', NULL);
INSERT INTO jotsam_of_release.link VALUES
	('default', 16, 15, 'PRECEDED_BY', 1, 1780090004000, 'cut', NULL),
	('default', 17, 7, 'PRECEDED_BY', 0.167, 1780093608000, 'rules/4', NULL),
	('default', 17, 10, 'PRECEDED_BY', 0.2, 1780093608000, 'rules/4', NULL),
	('default', 17, 11, 'PRECEDED_BY', 0.25, 1780093608000, 'rules/4', NULL),
	('default', 17, 12, 'PRECEDED_BY', 0.333, 1780093608000, 'rules/4', NULL),
	('default', 17, 13, 'PRECEDED_BY', 0.5, 1780093608000, 'rules/4', NULL),
	('default', 18, 10, 'PRECEDED_BY', 0.167, 1780093608000, 'rules/4', NULL),
	('default', 18, 11, 'PRECEDED_BY', 0.2, 1780093608000, 'rules/4', NULL),
	('default', 18, 12, 'PRECEDED_BY', 0.25, 1780093608000, 'rules/4', NULL),
	('default', 18, 13, 'PRECEDED_BY', 0.333, 1780093608000, 'rules/4', NULL),
	('default', 18, 17, 'PRECEDED_BY', 1, 1780093608000, 'rules/4', NULL),
	('default', 19, 11, 'PRECEDED_BY', 0.167, 1780093608000, 'rules/4', NULL),
	('default', 19, 12, 'PRECEDED_BY', 0.2, 1780093608000, 'rules/4', NULL),
	('default', 19, 13, 'PRECEDED_BY', 0.25, 1780093608000, 'rules/4', NULL),
	('default', 19, 17, 'PRECEDED_BY', 0.333, 1780093608000, 'rules/4', NULL),
	('default', 19, 18, 'PRECEDED_BY', 1, 1780093608000, 'rules/4', NULL),
	('default', 20, 12, 'PRECEDED_BY', 0.167, 1780093608000, 'rules/4', NULL),
	('default', 20, 13, 'PRECEDED_BY', 0.2, 1780093608000, 'rules/4', NULL),
	('default', 20, 17, 'PRECEDED_BY', 0.25, 1780093608000, 'rules/4', NULL),
	('default', 20, 18, 'PRECEDED_BY', 0.333, 1780093608000, 'rules/4', NULL);
INSERT INTO jotsam_of_release.link VALUES
	('default', 20, 19, 'PRECEDED_BY', 1, 1780093608000, 'rules/4', NULL),
	('default', 22, 13, 'PRECEDED_BY', 0.2, 1780093608000, 'rules/4', NULL),
	('default', 22, 17, 'PRECEDED_BY', 0.25, 1780093608000, 'rules/4', NULL),
	('default', 22, 18, 'PRECEDED_BY', 0.333, 1780093608000, 'rules/4', NULL),
	('default', 22, 19, 'PRECEDED_BY', 0.5, 1780093608000, 'rules/4', NULL),
	('default', 23, 17, 'PRECEDED_BY', 0.2, 1780093608000, 'rules/4', NULL),
	('default', 23, 18, 'PRECEDED_BY', 0.25, 1780093608000, 'rules/4', NULL),
	('default', 23, 19, 'PRECEDED_BY', 0.333, 1780093608000, 'rules/4', NULL),
	('default', 23, 22, 'PRECEDED_BY', 0.5, 1780093608000, 'rules/4', NULL),
	('default', 24, 18, 'PRECEDED_BY', 0.2, 1780093608000, 'rules/4', NULL),
	('default', 24, 19, 'PRECEDED_BY', 0.25, 1780093608000, 'rules/4', NULL),
	('default', 24, 22, 'PRECEDED_BY', 0.333, 1780093608000, 'rules/4', NULL),
	('default', 24, 23, 'PRECEDED_BY', 0.5, 1780093608000, 'rules/4', NULL),
	('default', 26, 22, 'PRECEDED_BY', 0.2, 1780093608000, 'rules/4', NULL),
	('default', 26, 23, 'PRECEDED_BY', 0.25, 1780093608000, 'rules/4', NULL),
	('default', 26, 24, 'PRECEDED_BY', 0.333, 1780093608000, 'rules/4', NULL),
	('default', 27, 22, 'PRECEDED_BY', 0.167, 1780093608000, 'rules/4', NULL),
	('default', 27, 23, 'PRECEDED_BY', 0.2, 1780093608000, 'rules/4', NULL),
	('default', 27, 24, 'PRECEDED_BY', 0.25, 1780093608000, 'rules/4', NULL),
	('default', 27, 26, 'PRECEDED_BY', 0.5, 1780093608000, 'rules/4', NULL);
INSERT INTO jotsam_of_release.link VALUES
	('default', 28, 23, 'PRECEDED_BY', 0.167, 1780093608000, 'rules/4', NULL),
	('default', 28, 24, 'PRECEDED_BY', 0.2, 1780093608000, 'rules/4', NULL),
	('default', 28, 26, 'PRECEDED_BY', 0.333, 1780093608000, 'rules/4', NULL),
	('default', 28, 27, 'PRECEDED_BY', 0.5, 1780093608000, 'rules/4', NULL),
	('default', 29, 21, 'PRECEDED_BY', 0.5, 1780093608000, 'rules/4', NULL),
	('default', 30, 21, 'PRECEDED_BY', 0.333, 1780093608000, 'rules/4', NULL),
	('default', 30, 29, 'PRECEDED_BY', 0.5, 1780093608000, 'rules/4', NULL),
	('default', 31, 21, 'PRECEDED_BY', 0.333, 1780093608000, 'rules/4', NULL),
	('default', 31, 30, 'PRECEDED_BY', 0.5, 1780093608000, 'rules/4', NULL),
	('default', 32, 21, 'PRECEDED_BY', 0.25, 1780093608000, 'rules/4', NULL),
	('default', 32, 30, 'PRECEDED_BY', 0.333, 1780093608000, 'rules/4', NULL),
	('default', 32, 31, 'PRECEDED_BY', 0.5, 1780093608000, 'rules/4', NULL),
	('default', 33, 21, 'PRECEDED_BY', 0.2, 1780093608000, 'rules/4', NULL),
	('default', 33, 30, 'PRECEDED_BY', 0.25, 1780093608000, 'rules/4', NULL),
	('default', 33, 31, 'PRECEDED_BY', 0.333, 1780093608000, 'rules/4', NULL),
	('default', 33, 32, 'PRECEDED_BY', 0.5, 1780093608000, 'rules/4', NULL),
	('bo''s', 40, 39, 'PRECEDED_BY', 1, 1787873208000, 'cut', NULL),
	('bo''s', 41, 38, 'PRECEDED_BY', 0.5, 1787873208000, 'rules/4', NULL),
	('bo''s', 42, 38, 'PRECEDED_BY', 0.333, 1787873208000, 'rules/4', NULL),
	('bo''s', 42, 41, 'PRECEDED_BY', 0.5, 1787873208000, 'rules/4', NULL);
INSERT INTO jotsam_of_release.link VALUES
	('bo''s', 43, 38, 'PRECEDED_BY', 0.25, 1787873208000, 'rules/4', NULL),
	('bo''s', 43, 41, 'PRECEDED_BY', 0.333, 1787873208000, 'rules/4', NULL),
	('bo''s', 43, 42, 'PRECEDED_BY', 0.5, 1787873208000, 'rules/4', NULL),
	('bo''s', 44, 38, 'PRECEDED_BY', 0.2, 1787873208000, 'rules/4', NULL),
	('bo''s', 44, 41, 'PRECEDED_BY', 0.25, 1787873208000, 'rules/4', NULL),
	('bo''s', 44, 42, 'PRECEDED_BY', 1, 1787873208000, 'rules/4', NULL),
	('bo''s', 44, 43, 'PRECEDED_BY', 0.5, 1787873208000, 'rules/4', NULL),
	('bo''s', 45, 38, 'PRECEDED_BY', 0.167, 1787873208000, 'rules/4', NULL),
	('bo''s', 45, 41, 'PRECEDED_BY', 0.2, 1787873208000, 'rules/4', NULL),
	('bo''s', 45, 42, 'PRECEDED_BY', 0.25, 1787873208000, 'rules/4', NULL),
	('bo''s', 45, 43, 'PRECEDED_BY', 0.333, 1787873208000, 'rules/4', NULL),
	('bo''s', 45, 44, 'PRECEDED_BY', 0.5, 1787873208000, 'rules/4', NULL),
	('bo''s', 47, 46, 'PRECEDED_BY', 1, 1787873208000, 'cut', NULL),
	('bo''s', 48, 47, 'PRECEDED_BY', 1, 1787873208000, 'cut', NULL),
	('bo''s', 49, 41, 'PRECEDED_BY', 0.167, 1787873208000, 'rules/4', NULL),
	('bo''s', 49, 42, 'PRECEDED_BY', 0.2, 1787873208000, 'rules/4', NULL),
	('bo''s', 49, 43, 'PRECEDED_BY', 0.25, 1787873208000, 'rules/4', NULL),
	('bo''s', 49, 44, 'PRECEDED_BY', 0.333, 1787873208000, 'rules/4', NULL),
	('bo''s', 49, 45, 'PRECEDED_BY', 0.5, 1787873208000, 'rules/4', NULL),
	('bo''s', 50, 42, 'PRECEDED_BY', 0.167, 1787873208000, 'rules/4', NULL);
INSERT INTO jotsam_of_release.link VALUES
	('bo''s', 50, 43, 'PRECEDED_BY', 0.2, 1787873208000, 'rules/4', NULL),
	('bo''s', 50, 44, 'PRECEDED_BY', 0.25, 1787873208000, 'rules/4', NULL),
	('bo''s', 50, 45, 'PRECEDED_BY', 0.333, 1787873208000, 'rules/4', NULL),
	('bo''s', 50, 49, 'PRECEDED_BY', 0.5, 1787873208000, 'rules/4', NULL),
	('bo''s', 51, 43, 'PRECEDED_BY', 0.167, 1787873208000, 'rules/4', NULL),
	('bo''s', 51, 44, 'PRECEDED_BY', 0.2, 1787873208000, 'rules/4', NULL),
	('bo''s', 51, 45, 'PRECEDED_BY', 0.25, 1787873208000, 'rules/4', NULL),
	('bo''s', 51, 49, 'PRECEDED_BY', 0.333, 1787873208000, 'rules/4', NULL),
	('bo''s', 51, 50, 'PRECEDED_BY', 0.5, 1787873208000, 'rules/4', NULL);
INSERT INTO jotsam_of_release.llm_cache VALUES
	('bo''s', 'k', '{}', 'llm:m', 1787873208000, 1787873208000, 38),
	('default', 'k', '{}', 'llm:m', 1787873208000, 1787873208000, 1);
INSERT INTO jotsam_of_release.memory VALUES
	(1, 'cd072cd8-be6f-4f62-ac4c-09c28206e7e3', 'default', 'github.com/acme/farm', NULL, NULL, NULL, '', 'The well is 12 metres deep.', 'The well is 12 metres deep.', 'Context', 0.4, 0.3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, 1780000000000, 1, NULL, 1780000000000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(2, '5594aa6b-342f-4d0a-ba5e-4842fab428f7', 'default', 'github.com/acme/farm', NULL, NULL, NULL, '', 'The well is twelve metres deep.', 'The well is twelve metres deep.', 'Context', 0.4, 0.3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 2, 1780000000000, 1, NULL, 1780000000000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(3, '0442027a-af1f-495b-bf86-589578df43e4', 'default', 'github.com/acme/farm', NULL, NULL, NULL, '', 'Always run the migration tests before a release.', 'Always run the migration tests before a release.', 'Context', 0.5, 0.3, NULL, 'user', 'a', NULL, NULL, NULL, NULL, NULL, NULL, 4, 1780000000000, 1, NULL, 1780000000000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(4, '13167ae8-d9dc-4b37-b628-33811a71a723', 'default', 'github.com/acme/farm', NULL, NULL, NULL, '', 'Always run the migration tests before a release.', 'Always run the migration tests before a release.', 'Context', 0.5, 0.3, NULL, 'user', 'b', NULL, NULL, NULL, NULL, NULL, NULL, 5, 1780000000000, 1, NULL, 1780000000000, NULL, NULL, NULL, 1787873208000, 3, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(5, '73862648-2f61-4623-b962-7cc124d44618', 'default', 'github.com/acme/farm', NULL, NULL, NULL, '', 'Always run the migration tests before a release.', 'Always run the migration tests before a release.', 'Context', 0.5, 0.3, NULL, 'user', 'c', NULL, NULL, NULL, NULL, NULL, NULL, 6, 1780000000000, 1, NULL, 1780000000000, NULL, NULL, NULL, 1787873208000, 3, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(6, '3c6e4d9e-a1a5-45cc-b72e-2140c304bdfc', 'default', 'github.com/acme/garden', NULL, NULL, NULL, '', 'The heron stands in the northern lake.', 'The heron stands in the northern lake.', 'Context', 0.4, 0.3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 7, 1780000000000, 1, NULL, 1780000000000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(7, '2a9219af-1ece-4754-9758-de781ef34f8f', 'default', 'github.com/acme/farm', NULL, NULL, NULL, '', 'Always run the migration tests before a release', 'Always run the migration tests before a release', 'Preference', 0.8, 0.9, '{"kind": "preference", "title": "Always run the migration tests before a release", "why": "3 sessions say it"}', 'user', NULL, NULL, 1780000000000, NULL, NULL, NULL, NULL, 0, 1780086400000, 1, NULL, 1780086400000, NULL, NULL, NULL, NULL, NULL, 'crystals/1', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(8, '06501d7a-135a-4471-9ef3-84dd9a6e7785', 'default', 'github.com/acme/garden', NULL, NULL, NULL, '', 'The heron stands in the northern lake.', 'The heron stands in the northern lake.', 'Insight', 0.8, 1, '{"kind": "fact", "title": "The heron stands in the northern lake.", "why": "confirmed by hand"}', NULL, NULL, NULL, 1780000000000, NULL, NULL, NULL, NULL, 0, 1780086400000, 1, NULL, 1780086400000, 1780086400000, NULL, NULL, NULL, NULL, 'crystals/1', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(9, 'c39faf42-028e-410f-ba4d-16cee68320eb', 'default', 'github.com/acme/garden', NULL, NULL, NULL, '', 'The shed is green.', 'The shed is green.', 'Context', 0.4, 0.3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 13, 1780086400000, 1, NULL, 1780090004000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', 'shed'),
	(10, 'ec903eb8-d137-40d7-b14c-1966162bd3b5', 'default', 'github.com/acme/farm', NULL, 0, NULL, '', 'Where do we keep the readings of the sensors?', 'Where do we keep the readings of the sensors?', 'Context', 0.4, 0.3, NULL, 'user', 'sensors-1', 'turns', 1780090001000, NULL, NULL, NULL, 'turn:sensors-1:1c0409e19:0', 15, 1780090001000, 1, NULL, 1780090004000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(11, '4c0a29d3-d0e3-48c8-8116-0cabe56b11a0', 'default', 'github.com/acme/farm', NULL, 1, NULL, '', 'Two ways:
- InfluxDB: made for it, one more service to run
- PostgreSQL: we have it, slower beyond 100 million rows
I recommend the second.', 'InfluxDB: made for it, one more service to run', 'Context', 0.4, 0.3, NULL, 'assistant', 'sensors-1', 'turns', 1780090002000, NULL, NULL, NULL, 'turn:sensors-1:1c0409e19:1', 16, 1780090002000, 1, NULL, 1780090004000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(12, '45e54a00-9d49-459c-bf1e-5b7e7af4fbd3', 'default', 'github.com/acme/farm', NULL, 2, NULL, '', 'ok the second', 'ok the second', 'Context', 0.4, 0.3, NULL, 'user', 'sensors-1', 'turns', 1780090003000, NULL, NULL, NULL, 'turn:sensors-1:1c0409e19:2', 17, 1780090003000, 1, NULL, 1780090004000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(13, '2a371bde-2258-4855-aaf1-703e7a89f3ba', 'default', 'github.com/acme/farm', NULL, 3, NULL, '', 'The table `reading` is in PostgreSQL, with one partition a month. Open: nobody has tested the restore of it.', 'The table reading is in PostgreSQL, with one partition a month.', 'Context', 0.4, 0.3, NULL, 'assistant', 'sensors-1', 'turns', 1780090004000, NULL, NULL, NULL, 'turn:sensors-1:1c0409e19:3', 18, 1780090004000, 1, NULL, 1780090004000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(14, 'e833d7de-ccbc-4f10-8cc5-e9304fc1c1ea', 'default', 'github.com/acme/farm', 1, 0, 1, 'Billing: decisions > Storage', '# Billing: decisions
## Storage
On 2026-01-15 we chose PostgreSQL for the billing service. Ana Lima proposed it; Ben Okafor compared it with MongoDB.
MongoDB was faster to start with, but invoices must never be half written.
', 'On 2026-01-15 we chose PostgreSQL for the billing service.', 'Decision', 0.9, 0.6, NULL, NULL, NULL, 'docs/billing-decisions.md', 1772409600000, NULL, NULL, NULL, NULL, 19, 1780090004000, 1, NULL, 1780090004000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(15, '4f624891-2e96-4138-b7ee-153d6c05a8cd', 'default', 'github.com/acme/farm', 1, 1, 7, 'Billing: decisions > Mail', '## Mail
Invoices are sent by the mail queue. A message that fails five times goes to the dead letters, and Clara Sommer looks at
them each morning.
', 'Invoices are sent by the mail queue.', 'Context', 0.4, 0.3, NULL, NULL, NULL, 'docs/billing-decisions.md', 1772409600000, NULL, NULL, NULL, NULL, 20, 1780090004000, 1, NULL, 1780090004000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(16, 'd2b7b0f7-3383-4a24-bd2b-9dcdc163018b', 'default', 'github.com/acme/farm', 1, 2, 11, 'Billing: decisions > Open', '## Open
- Who owns the nightly export to Northwind?
- Do we keep invoices for ten years, or for seven?
', 'Who owns the nightly export to Northwind?', 'Context', 0.4, 0.3, NULL, NULL, NULL, 'docs/billing-decisions.md', 1772409600000, NULL, NULL, NULL, NULL, 21, 1780090004000, 1, NULL, 1780090004000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(17, 'd6650882-8e11-4bff-8b32-ceee02e6417d', 'default', 'github.com/acme/farm', NULL, 0, NULL, '', 'PostgreSQL is too slow for the readings, let''s go with InfluxDB', 'PostgreSQL is too slow for the readings, let''s go with InfluxDB', 'Decision', 0.7, 0.6, NULL, 'user', 'sensors-2', 'turns', 1780093605000, NULL, NULL, NULL, 'turn:sensors-2:850d585b9:0', 22, 1780093605000, 1, NULL, 1780093608000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(18, '1137eb1b-eb9d-4b4d-b7d9-1f8d03eb844a', 'default', 'github.com/acme/farm', NULL, 1, NULL, '', 'Switched: the readings are in InfluxDB now, the table `reading` is removed from PostgreSQL.', 'Switched: the readings are in InfluxDB now, the table reading is removed from PostgreSQL.', 'Context', 0.4, 0.3, NULL, 'assistant', 'sensors-2', 'turns', 1780093606000, NULL, NULL, NULL, 'turn:sensors-2:850d585b9:1', 23, 1780093606000, 1, NULL, 1780093608000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(19, '7d35e1b4-4998-431f-aa16-258c3a232f55', 'default', 'github.com/acme/farm', NULL, 2, NULL, '', 'the import fails with ''timeout after 30 s''', 'the import fails with ''timeout after 30 s''', 'Context', 0.4, 0.3, NULL, 'user', 'sensors-2', 'turns', 1780093607000, NULL, NULL, NULL, 'turn:sensors-2:850d585b9:2', 24, 1780093607000, 1, NULL, 1780093608000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(20, '6ee680d0-fb8e-48ec-8106-508a5c090534', 'default', 'github.com/acme/farm', NULL, 3, NULL, '', 'Fixed: the batch size was too large, it is 500 rows now.', 'Fixed: the batch size was too large, it is 500 rows now.', 'Context', 0.4, 0.3, NULL, 'assistant', 'sensors-2', 'turns', 1780093608000, NULL, NULL, NULL, 'turn:sensors-2:850d585b9:3', 25, 1780093608000, 1, NULL, 1780093608000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL);
INSERT INTO jotsam_of_release.memory VALUES
	(21, '6d41a698-2178-45cc-a5e1-88627cfb2951', 'default', NULL, NULL, NULL, NULL, '', 'Answer in short sentences.', 'Answer in short sentences.', 'Rule', 0.4, 0.3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 26, 1780093608000, 1, NULL, 1780093608000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, NULL, '', '', NULL),
	(22, '72dd5d93-08bc-4a3d-8c08-534a5405122f', 'default', 'github.com/acme/farm', NULL, NULL, NULL, '', 'Ask before a deploy.', 'Ask before a deploy.', 'Rule', 0.4, 0.3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 27, 1780093608000, 1, NULL, 1780093608000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, NULL, '', '', NULL),
	(23, '26f37b30-e4ac-4bd2-b581-cd2f5ce17008', 'default', 'github.com/acme/farm', NULL, NULL, NULL, '', 'Ask before each deploy.', 'Ask before each deploy.', 'Rule', 0.4, 0.3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 28, 1780093608000, 1, NULL, 1780093608000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, NULL, '', '', NULL),
	(24, 'e6b3de9c-b875-46fb-b7d4-1aa8330b9342', 'default', 'github.com/acme/farm', NULL, NULL, NULL, '', 'Use tabs.', 'Use tabs.', 'Decision', 0.2, 0.3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 29, 1780093608000, 1, NULL, 1780093608000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, NULL, '', '', NULL),
	(26, 'c8b262ec-e669-4409-a879-abd758278b14', 'default', 'github.com/acme/farm', NULL, NULL, NULL, '', 'The pump has 60 litres a minute since May.', 'The pump has 60 litres a minute since May.', 'Context', 0.4, 0.3, NULL, NULL, NULL, NULL, NULL, 1777593600000, NULL, NULL, NULL, 31, 1780093608000, 1, NULL, 1780093608000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(27, '76aceee5-a8d1-46b3-bb21-4fec4afe50d4', 'default', 'github.com/acme/farm', NULL, NULL, NULL, '', 'Zoe works at Globex.', 'Zoe works at Globex.', 'Context', 0.4, 0.3, NULL, NULL, NULL, NULL, NULL, NULL, 1777680000000, NULL, NULL, 32, 1780093608000, 1, NULL, 1780093608000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(28, 'b9c1648a-0bc0-49ae-82fa-2b64fd557ed6', 'default', 'github.com/acme/farm', NULL, NULL, NULL, '', 'Bye.', NULL, 'Context', 0.2, 0.3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 33, 1780093608000, 1, NULL, 1780093608000, NULL, NULL, NULL, 1780093608000, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(29, 'f1738db4-507a-4a86-bdf5-8f4627099485', 'default', NULL, NULL, NULL, NULL, '', 'Ana Lima lives in Lisbon.', 'Ana Lima lives in Lisbon.', 'Context', 0.4, 0.3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 34, 1780093608000, 1, NULL, 1780093608000, 1780093608000, 30, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(30, '25e6c6cf-6fd7-493c-93e9-77d9846e1737', 'default', NULL, NULL, NULL, NULL, '', 'Ana Lima lives in Porto now.', 'Ana Lima lives in Porto now.', 'Context', 0.4, 0.3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 35, 1780093608000, 1, NULL, 1780093608000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(31, '811a5873-c5a9-4e7e-90d7-05a99a7925a4', 'default', NULL, NULL, NULL, NULL, '', 'Door code: green.', 'Door code: green.', 'Context', 0.4, 0.3, '{"floor": 2}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'door', 37, 1780093608000, 2, 1780093608000, 1780093608000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(32, 'f1c00aff-cdfa-41b3-90a8-bcea0d8682fb', 'default', NULL, NULL, NULL, NULL, '', 'Connected with [redacted:aws-key].', 'Connected with [redacted:aws-key].', 'Context', 0.4, 0.3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 38, 1780093608000, 1, NULL, 1780093608000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(33, '5a5a17cb-9a70-4c5b-b065-1615f5f30653', 'default', NULL, NULL, NULL, NULL, '', 'Met with John Smith of Globex about Redis.', 'Met with John Smith of Globex about Redis.', 'Context', 0.4, 0.3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 39, 1780093608000, 1, NULL, 1780093608000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(35, '042e3e14-8ea0-4e55-9a29-30bdf0c3b20b', 'default', 'billing', NULL, NULL, NULL, '', 'Northwind asked for invoice 0.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 59, 1787873208000, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(36, 'ca85588b-93f5-4747-a4b7-8422a12f793d', 'default', 'billing', NULL, NULL, NULL, '', 'Northwind asked for invoice 1.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 60, 1787873208000, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(37, '975a1dc3-d748-40f4-9b05-597b5b742b5a', 'default', 'billing', NULL, NULL, NULL, '', 'Northwind asked for invoice 2.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 61, 1787873208000, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(38, '2d701c97-aa6b-48f2-bc69-56e49d4c3da2', 'bo''s', NULL, NULL, NULL, NULL, '', 'The port is 8080.', 'The port is 8080.', 'Context', 0.4, 0.3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 63, 1787873208000, 1, NULL, 1787873208000, 1787873208000, 52, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(39, '45c59cbf-1c4c-476a-9bf8-32d485fb9ca6', 'bo''s', NULL, 3, 0, 1, 'Notes > A', '# Notes
## A
Met with John Smith about the launch.
', 'Met with John Smith about the launch.', 'Context', 0.4, 0.3, NULL, NULL, NULL, 'notes.md', NULL, NULL, NULL, NULL, NULL, 65, 1787873208000, 1, NULL, 1787873208000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(40, '1c45aa14-2fe4-4300-8931-3698b7323b31', 'bo''s', NULL, 3, 1, 6, 'Notes > B', '## B
We use Redis and 数据库 for it.
', 'We use Redis and 数据库 for it.', 'Context', 0.4, 0.3, NULL, NULL, NULL, 'notes.md', NULL, NULL, NULL, NULL, NULL, 66, 1787873208000, 1, NULL, 1787873208000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(41, '03887cac-0a5f-4291-87b3-e1dfad89166a', 'bo''s', NULL, NULL, NULL, NULL, '', 'Marcus prefers early returns.', 'Marcus prefers early returns.', 'Preference', 0.1, 0.6, '{"of": "code"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 69, 1787873208000, 2, 1787873208000, 1787873208000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, NULL, NULL, '', NULL),
	(42, '585d1308-89f9-4a66-97f5-26df2c1babb3', 'bo''s', NULL, NULL, NULL, NULL, '', 'He said so.', 'He said so.', 'Context', 0.4, 0.3, '{"a": [1, "\u00e9"], "b": "\u00e9"}', 'Ana Lee', 's', NULL, NULL, NULL, NULL, 'n-1', NULL, 70, 1787873208000, 1, NULL, 1787873208000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', NULL, NULL);
INSERT INTO jotsam_of_release.memory VALUES
	(43, '05de4591-3ae5-406b-81f6-adc561ab85a9', 'bo''s', NULL, NULL, NULL, NULL, '', 'The launch has been moved from May to June.', 'The launch has been moved from May to June.', 'Context', 0.4, 0.3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 71, 1787873208000, 1, NULL, 1787873208000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(44, '746b81b5-efc0-490b-87ac-692ae3990272', 'bo''s', NULL, NULL, NULL, NULL, '', 'And again.', NULL, 'Context', 0.2, 0.3, NULL, NULL, 's', NULL, NULL, 1577836800000, NULL, NULL, 'k', 72, 1787873208000, 1, NULL, 1787873208000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(45, '6bda5a10-00b2-4c42-9790-96b3b4255e28', 'bo''s', NULL, NULL, NULL, NULL, '', 'never deploy on a Friday', 'never deploy on a Friday', 'Context', 0.5, 0.3, NULL, 'user', 'rules', NULL, NULL, NULL, NULL, NULL, NULL, 73, 1787873208000, 1, NULL, 1787873208000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(46, 'ffc98be2-2570-4d7c-934c-75e8ab3bb88f', 'bo''s', 'apollo', 4, 0, 1, 'Notes > A', '# Notes
## A
Met with John Smith about the launch.
', 'Met with John Smith about the launch.', 'Context', 0.4, 0.3, NULL, NULL, NULL, 'notes.md', 1735776000000, NULL, NULL, NULL, NULL, 74, 1787873208000, 1, NULL, 1787873208000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(47, '10439e9a-3f73-47c1-8c88-040060a445e2', 'bo''s', 'apollo', 4, 1, 6, 'Notes > B', '## B
We use Redis and 数据库 for it.
', 'We use Redis and 数据库 for it.', 'Context', 0.4, 0.3, NULL, NULL, NULL, 'notes.md', 1735776000000, NULL, NULL, NULL, NULL, 75, 1787873208000, 1, NULL, 1787873208000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(48, '8f04f609-4ff8-4c7e-970f-71539a0ce34f', 'bo''s', 'apollo', 4, 2, 9, 'Notes > C', '## C
The launch is on Friday.
', 'The launch is on Friday.', 'Context', 0.4, 0.3, NULL, NULL, NULL, 'notes.md', 1735776000000, NULL, NULL, NULL, NULL, 76, 1787873208000, 1, NULL, 1787873208000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(49, 'efa763f9-dd6c-4acf-9a72-466a5cda2030', 'bo''s', NULL, NULL, NULL, NULL, '', 'We decided to paint the kitchen green.', 'We decided to paint the kitchen green.', 'Decision', 0.7, 0.6, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 77, 1787873208000, 1, NULL, 1787873208000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(50, '37906e8c-3603-4aff-a5a4-89f6c51a12a2', 'bo''s', NULL, NULL, NULL, NULL, '', 'We decided to paint the hall green.', 'We decided to paint the hall green.', 'Decision', 0.7, 0.6, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 78, 1787873208000, 1, NULL, 1787873208000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(51, 'a4ad83fa-b118-4e15-9d04-63d62deebdb9', 'bo''s', NULL, NULL, NULL, NULL, '', 'We decided to paint the garden green.', 'We decided to paint the garden green.', 'Decision', 0.7, 0.6, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 79, 1787873208000, 1, NULL, 1787873208000, NULL, NULL, NULL, NULL, NULL, 'rules/4 tagger/2', NULL, NULL, NULL, '', '', '', NULL),
	(52, 'f559de00-748d-4936-b998-a8030a8ea2b7', 'bo''s', NULL, NULL, NULL, NULL, '', 'The port is 9090.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 80, 1787873208000, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(53, 'e58b37c1-5b81-4a00-9b50-f1fa93869ed2', 'bo''s', NULL, NULL, NULL, NULL, '', 'Connected with [redacted:aws-key].', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 81, 1787873208000, 1, NULL, NULL, NULL, NULL, NULL, 5, 53, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(56, '8249c104-1504-440a-8ee8-680afd18ab34', 'bo''s', NULL, NULL, NULL, NULL, '', 'Its job will die.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 86, 1787873208000, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO jotsam_of_release.memory_block VALUES
	('bo''s', 'apollo', 'Ana Lee', 'human', 'fd7732df-8963-4927-9edd-454726d9ead9', 'Ana é likes tea.', 2000, 1, 1, 1787873208000, 1787873208000, NULL, NULL),
	('default', 'github.com/acme/farm', 'ana', 'rules', '7ceffd79-3d92-4f11-a0ba-fe167adac0ad', 'Metric units only.', 2000, 1, 1, 1780093608000, 1780093608000, NULL, NULL);
INSERT INTO jotsam_of_release.memory_tag VALUES
	('bo''s', 'deployment', 45, 'rules/4'),
	('bo''s', 'entity:people:john-smith', 39, 'rules/4'),
	('bo''s', 'entity:people:john-smith', 46, 'rules/4'),
	('bo''s', 'entity:people:marcus', 41, 'rules/4'),
	('bo''s', 'entity:tools:redis', 39, 'merged:15'),
	('bo''s', 'entity:tools:redis', 40, 'rules/4'),
	('bo''s', 'entity:tools:redis', 46, 'merged:15'),
	('bo''s', 'entity:tools:redis', 47, 'rules/4'),
	('bo''s', 'entity:tools:数据库', 40, 'tagger/2'),
	('bo''s', 'entity:tools:数据库', 47, 'tagger/2'),
	('bo''s', 'gardening', 51, 'rules/4'),
	('bo''s', 'style', 41, NULL),
	('bo''s', 'zeta', 41, NULL),
	('default', 'backup', 13, 'rules/4'),
	('default', 'crystal', 7, NULL),
	('default', 'crystal', 8, NULL),
	('default', 'crystal:fact', 8, NULL),
	('default', 'crystal:preference', 7, NULL),
	('default', 'database', 11, 'rules/4'),
	('default', 'database', 13, 'rules/4');
INSERT INTO jotsam_of_release.memory_tag VALUES
	('default', 'database', 14, 'rules/4'),
	('default', 'database', 17, 'rules/4'),
	('default', 'database', 18, 'rules/4'),
	('default', 'deployment', 22, 'rules/4'),
	('default', 'deployment', 23, 'rules/4'),
	('default', 'email', 15, 'rules/4'),
	('default', 'entity:concepts:lisbon', 29, 'rules/4'),
	('default', 'entity:concepts:porto', 30, 'rules/4'),
	('default', 'entity:organizations:globex', 27, 'rules/4'),
	('default', 'entity:organizations:globex', 33, 'rules/4'),
	('default', 'entity:people:ana-lima', 14, 'rules/4'),
	('default', 'entity:people:ana-lima', 29, 'rules/4'),
	('default', 'entity:people:ana-lima', 30, 'rules/4'),
	('default', 'entity:people:ben-okafor', 14, 'rules/4'),
	('default', 'entity:people:clara-sommer', 15, 'rules/4'),
	('default', 'entity:people:john-smith', 33, 'rules/4'),
	('default', 'entity:people:zoe', 27, 'tagger/2'),
	('default', 'entity:tools:influxdb', 11, 'rules/4'),
	('default', 'entity:tools:influxdb', 17, 'rules/4'),
	('default', 'entity:tools:influxdb', 18, 'rules/4');
INSERT INTO jotsam_of_release.memory_tag VALUES
	('default', 'entity:tools:mongodb', 14, 'rules/4'),
	('default', 'entity:tools:postgresql', 11, 'rules/4'),
	('default', 'entity:tools:postgresql', 13, 'rules/4'),
	('default', 'entity:tools:postgresql', 14, 'rules/4'),
	('default', 'entity:tools:postgresql', 17, 'rules/4'),
	('default', 'entity:tools:postgresql', 18, 'rules/4'),
	('default', 'entity:tools:redis', 33, 'rules/4'),
	('default', 'invoicing', 14, 'rules/4'),
	('default', 'invoicing', 15, 'rules/4'),
	('default', 'invoicing', 16, 'rules/4'),
	('default', 'migration', 3, 'rules/4'),
	('default', 'migration', 4, 'rules/4'),
	('default', 'migration', 5, 'rules/4'),
	('default', 'queue', 15, 'rules/4');
INSERT INTO jotsam_of_release.memory_version VALUES
	('default', 31, 1, 1780093608000, 'Door code: blue.', NULL, '[]', NULL, NULL, '{"floor": 2}', NULL, NULL),
	('bo''s', 41, 1, 1787873208000, 'Marcus prefers returns.', 'Preference', '["style", "zeta"]', 0.1, NULL, NULL, NULL, NULL);
INSERT INTO jotsam_of_release.mention VALUES
	('default', 3, 1, 'rules/4', NULL),
	('default', 4, 1, 'rules/4', NULL),
	('default', 5, 1, 'rules/4', NULL),
	('default', 10, 1, 'rules/4', NULL),
	('default', 12, 1, 'rules/4', NULL),
	('default', 17, 1, 'rules/4', NULL),
	('default', 19, 1, 'rules/4', NULL),
	('default', 11, 2, 'rules/4', NULL),
	('default', 13, 2, 'rules/4', NULL),
	('default', 18, 2, 'rules/4', NULL),
	('default', 20, 2, 'rules/4', NULL),
	('default', 11, 3, 'rules/4', 0.98),
	('default', 17, 3, 'rules/4', 0.98),
	('default', 18, 3, 'rules/4', 0.98),
	('default', 11, 4, 'rules/4', 0.98),
	('default', 13, 4, 'rules/4', 0.98),
	('default', 14, 4, 'rules/4', 0.98),
	('default', 17, 4, 'rules/4', 0.98),
	('default', 18, 4, 'rules/4', 0.98),
	('default', 14, 5, 'rules/4', 0.98);
INSERT INTO jotsam_of_release.mention VALUES
	('default', 29, 5, 'rules/4', 0.98),
	('default', 30, 5, 'rules/4', 0.98),
	('default', 14, 6, 'rules/4', 0.98),
	('default', 14, 7, 'rules/4', 0.98),
	('default', 15, 8, 'rules/4', 0.98),
	('default', 27, 9, 'rules/4', 0.98),
	('default', 33, 9, 'rules/4', 0.98),
	('default', 27, 10, 'tagger/2', 0.6),
	('default', 29, 11, 'rules/4', 0.98),
	('default', 30, 12, 'rules/4', 0.98),
	('default', 33, 13, 'rules/4', 0.98),
	('default', 33, 14, 'rules/4', 0.98),
	('bo''s', 39, 15, 'rules/4', 0.98),
	('bo''s', 46, 15, 'rules/4', 0.98),
	('bo''s', 39, 16, 'merged:15', 0.98),
	('bo''s', 40, 16, 'rules/4', 0.98),
	('bo''s', 46, 16, 'merged:15', 0.98),
	('bo''s', 47, 16, 'rules/4', 0.98),
	('bo''s', 40, 17, 'tagger/2', 0.6),
	('bo''s', 47, 17, 'tagger/2', 0.6);
INSERT INTO jotsam_of_release.mention VALUES
	('bo''s', 41, 18, 'rules/4', 0.98),
	('bo''s', 42, 19, 'rules/4', NULL),
	('bo''s', 45, 20, 'rules/4', NULL);
INSERT INTO jotsam_of_release.metadata_index VALUES
	('bo''s', '3828fc2536b81bf03f97f708927e83e88acd8490fbc2996cb2586d500f8b7e0c', 42),
	('bo''s', '9df3d5f7662bbb50dd04c1a62006910a01f91196e46669e8c3622432c3906159', 41),
	('default', '3c4fe6d3f61300325f008d104e64ca44bd79f3503fe6b74bc65a8096632da2a5', 8),
	('default', '8b94164b75e2f5d475ee734c29f4b9bc4be6a7309513b3db269e8eaa6ed61b1d', 7),
	('default', '9cec9631881178b400e8c6f8d86e96e821f2539a2b207790ff97fa13b1f7f4bf', 8),
	('default', 'c3cf45ef408e2d35fde1936150826fd7009f27412a8650e2f64c7165a2a8fa03', 7),
	('default', 'cc738e1f400413540adfc9810e54f318fd1424b2ad92787be4b90e5a78969b8c', 31),
	('default', 'd6424d8c447118c400077b9e248ea3cba237fef709103ca3c08f23dc6b9dde3a', 8),
	('default', 'd90b6b4d00abc03c8b39c297aa6cf1b67149ea6e7121fe3157fab13feaddd49c', 7);
INSERT INTO jotsam_of_release.model_use VALUES
	('m', 'extraction', 2, 6, 4, 1);
INSERT INTO jotsam_of_release.note VALUES
	('default', 3, 0, NULL, NULL, 'github.com/acme/farm', 'rule', 'project', 'Always run the migration tests before a release.', NULL, NULL, '{"names":["migr","releas","test"],"concepts":["deploy","migration","test"]}', 0.9, 1780000000000, NULL, NULL, NULL, NULL, NULL),
	('default', 4, 0, NULL, NULL, 'github.com/acme/farm', 'rule', 'project', 'Always run the migration tests before a release.', NULL, NULL, '{"names":["migr","releas","test"],"concepts":["deploy","migration","test"]}', 0.9, 1780000000000, 3, 0, 'repeated', NULL, NULL),
	('default', 5, 0, NULL, NULL, 'github.com/acme/farm', 'rule', 'project', 'Always run the migration tests before a release.', NULL, NULL, '{"names":["migr","releas","test"],"concepts":["deploy","migration","test"]}', 0.9, 1780000000000, 3, 0, 'repeated', NULL, NULL),
	('default', 12, 0, 11, 13, 'github.com/acme/farm', 'decision', 'project', 'The table `reading` is in PostgreSQL, with one partition a month.', NULL, NULL, '{"names":["month","partitio","postgresql","read","tabl"],"heads":["postgresql","reading"],"against":["influxdb"],"concepts":["database","migration"],"kinds":["postgresql"]}', 0.9, 1780090003000, 17, 1, 'replaced', '["postgresql"]', NULL),
	('default', 13, 0, 12, NULL, 'github.com/acme/farm', 'open', 'project', 'nobody has tested the restore of it', NULL, NULL, '{"names":["nobody","restor","test"],"concepts":["backup","test"]}', 0.8, 1780090004000, NULL, NULL, NULL, NULL, NULL),
	('default', 17, 0, NULL, 18, 'github.com/acme/farm', 'fix', 'project', 'Switched: the readings are in InfluxDB now, the table `reading` is removed from PostgreSQL.', 'PostgreSQL is too slow for the readings, let''s go with InfluxDB', NULL, '{"names":["influxdb","postgresql","read","slow"],"stems":["remov","switch","tabl"],"concepts":["database","migration","speed"],"kinds":["postgresql","prometheus"]}', 0.7, 1780093605000, NULL, NULL, NULL, NULL, NULL),
	('default', 17, 1, NULL, 18, 'github.com/acme/farm', 'decision', 'project', 'Switched: the readings are in InfluxDB now, the table `reading` is removed from PostgreSQL. (PostgreSQL is too slow for the readings, let''s go with InfluxDB)', NULL, NULL, '{"names":["influxdb","postgresql","read","remov","slow","switch","tabl"],"heads":["influxdb","reading"],"against":["postgresql"],"concepts":["database","migration","speed"],"kinds":["postgresql","prometheus"],"change":1}', 0.8, 1780093605000, NULL, NULL, NULL, NULL, NULL),
	('default', 19, 0, 18, 20, 'github.com/acme/farm', 'fix', 'project', 'Fixed: the batch size was too large, it is 500 rows now.', 'the import fails with ''timeout after 30 s''', NULL, '{"names":["30","fail","import","timeout"],"stems":["500","batch","fixed","larg","rows","size"]}', 0.7, 1780093607000, NULL, NULL, NULL, NULL, NULL),
	('default', 20, 0, 19, NULL, 'github.com/acme/farm', 'done', 'project', 'Fixed: the batch size was too large, it is 500 rows now.', NULL, NULL, '{"names":["30","500","batch","fail","fixed","import","larg","rows","size","timeout"]}', 0.5, 1780093608000, NULL, NULL, NULL, NULL, NULL),
	('default', 21, 0, NULL, NULL, NULL, 'rule', 'person', 'Answer in short sentences.', NULL, NULL, '{"names":["answ","sentenc","short"],"heads":["answer"],"concepts":["answer"]}', 1, 1780093608000, NULL, NULL, NULL, NULL, NULL),
	('default', 22, 0, NULL, NULL, 'github.com/acme/farm', 'rule', 'project', 'Ask before a deploy.', NULL, NULL, '{"names":["ask","deploy"],"heads":["ask"],"concepts":["ask","deploy"]}', 1, 1780093608000, NULL, NULL, NULL, NULL, 'old'),
	('default', 23, 0, NULL, NULL, 'github.com/acme/farm', 'rule', 'project', 'Ask before each deploy.', NULL, NULL, '{"names":["ask","deploy"],"heads":["ask"],"concepts":["ask","deploy"]}', 1, 1780093608000, NULL, NULL, NULL, NULL, NULL),
	('default', 24, 0, NULL, NULL, 'github.com/acme/farm', 'decision', 'project', 'Use tabs.', NULL, NULL, '{"names":["tabs"],"concepts":["format"]}', 1, 1780093608000, NULL, NULL, NULL, NULL, 'wrong'),
	('bo''s', 45, 0, NULL, NULL, NULL, 'rule', 'project', 'never deploy on a Friday', NULL, NULL, '{"names":["deploy","friday"],"concepts":["deploy"]}', 0.9, 1787873208000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO jotsam_of_release.pattern VALUES
	(1, 'bo''s', 'Decision', 'green', 'green paint', 1787873208000);
INSERT INTO jotsam_of_release.pattern_example VALUES
	('bo''s', 1, 49, 1787873208000),
	('bo''s', 1, 50, 1787873208000),
	('bo''s', 1, 51, 1787873208000);
INSERT INTO jotsam_of_release.pattern_lock VALUES
	('bo''s', 'Decision', 1787873208000),
	('bo''s', 'Preference', 1787873208000),
	('default', 'Decision', 1780093608000),
	('default', 'Fact', 1780093608000),
	('default', 'Rule', 1780093608000);
INSERT INTO jotsam_of_release.pattern_terms VALUES
	(14, 'default', 'Decision', 'billing mongodb storage postgresql service ana lima proposed ben okafor compared faster'),
	(17, 'default', 'Decision', 'postgresql slow reading influxdb'),
	(21, 'default', 'Rule', 'answer short sentence'),
	(22, 'default', 'Rule', 'ask deploy'),
	(23, 'default', 'Rule', 'ask deploy'),
	(24, 'default', 'Decision', 'tabs'),
	(41, 'bo''s', 'Preference', 'marcus early return'),
	(49, 'bo''s', 'Decision', 'paint kitchen green'),
	(50, 'bo''s', 'Decision', 'paint hall green'),
	(51, 'bo''s', 'Decision', 'paint garden green');
INSERT INTO jotsam_of_release.project VALUES
	('bo''s', 'apollo', 'apollo', NULL, NULL, NULL, 1787873208000),
	('default', 'billing', 'billing', NULL, NULL, NULL, 1787873208000),
	('default', 'github.com/acme/farm', 'farm', NULL, NULL, NULL, 1780000000000),
	('default', 'github.com/acme/garden', 'Rose garden', NULL, NULL, NULL, 1780000000000),
	('default', 'shed', 'shed', 'github.com/acme/garden', NULL, NULL, 1780086400000);
INSERT INTO jotsam_of_release.queue_attempt VALUES
	(40, 1, 'lifecycle', 'default', 'lifecycle', '5283fc1d08b690b4', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(41, 1, 'lifecycle', 'default', 'lifecycle', '5283fc1d08b690b4', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(42, 1, 'lifecycle', 'default', 'lifecycle', '5283fc1d08b690b4', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(43, 1, 'lifecycle', 'default', 'lifecycle', '5283fc1d08b690b4', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(44, 1, 'lifecycle', 'default', 'lifecycle', '5283fc1d08b690b4', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(45, 1, 'lifecycle', 'default', 'lifecycle', '5283fc1d08b690b4', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(46, 1, 'lifecycle', 'default', 'lifecycle', '5283fc1d08b690b4', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(47, 1, 'lifecycle', 'default', 'lifecycle', 'ec163baeff75f112', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(48, 1, 'lifecycle', 'default', 'lifecycle', 'be7dc15e15d476d5', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(49, 1, 'lifecycle', 'default', 'lifecycle', 'be7dc15e15d476d5', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(50, 1, 'lifecycle', 'default', 'lifecycle', 'be7dc15e15d476d5', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(51, 1, 'lifecycle', 'default', 'lifecycle', 'be7dc15e15d476d5', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(52, 1, 'lifecycle', 'default', 'lifecycle', 'fa97b71f890eaf7a', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(53, 1, 'lifecycle', 'default', 'lifecycle', 'fa97b71f890eaf7a', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(54, 1, 'lifecycle', 'default', 'lifecycle', 'fa97b71f890eaf7a', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(55, 1, 'lifecycle', 'default', 'lifecycle', 'fa97b71f890eaf7a', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(56, 1, 'lifecycle', 'default', 'lifecycle', '1debfb196ab7fdd5', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(57, 1, 'lifecycle', 'default', 'lifecycle', '6e52ee8086e99577', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(59, 1, 'enrich', 'default', 'enrich', 'worker-1', 1787873208000, 1787873208000, 'retry', 'ConnectionError: no reply from http://127.0.0.1:11493/v1 within 30 s', NULL),
	(60, 1, 'enrich', 'default', 'enrich', 'worker-1', 1787873208000, 1787873208000, 'dead', 'ConnectionError: no reply from http://127.0.0.1:11494/v1 within 30 s', NULL);
INSERT INTO jotsam_of_release.queue_attempt VALUES
	(61, 1, 'enrich', 'default', 'enrich', 'worker-1', 1787873208000, 1787873208000, 'dead', 'ConnectionError: no reply from http://127.0.0.1:11495/v1 within 30 s', NULL),
	(62, 1, 'ingest', 'default', 'ingest', 'worker-1', 1787873208000, 1787873208000, 'dead', 'UnicodeDecodeError: ''utf-8'' codec can''t decode byte 0xff in position 0: invalid start byte', NULL),
	(63, 1, 'enrich', 'bo''s', 'enrich', '85a96f4ff7185563', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(64, 1, 'ingest', 'bo''s', 'ingest', '85a96f4ff7185563', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(65, 1, 'enrich', 'bo''s', 'enrich', '85a96f4ff7185563', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(66, 1, 'enrich', 'bo''s', 'enrich', '85a96f4ff7185563', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(67, 1, 'ingest', 'bo''s', 'ingest', '36f544724c080f87', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(69, 1, 'enrich', 'bo''s', 'enrich', '36f544724c080f87', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(70, 1, 'enrich', 'bo''s', 'enrich', '36f544724c080f87', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(71, 1, 'enrich', 'bo''s', 'enrich', '36f544724c080f87', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(72, 1, 'enrich', 'bo''s', 'enrich', '36f544724c080f87', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(73, 1, 'enrich', 'bo''s', 'enrich', '36f544724c080f87', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(74, 1, 'enrich', 'bo''s', 'enrich', '36f544724c080f87', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(75, 1, 'enrich', 'bo''s', 'enrich', '36f544724c080f87', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(76, 1, 'enrich', 'bo''s', 'enrich', '36f544724c080f87', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(77, 1, 'enrich', 'bo''s', 'enrich', '82df69213655a0fc', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(78, 1, 'enrich', 'bo''s', 'enrich', '82df69213655a0fc', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(79, 1, 'enrich', 'bo''s', 'enrich', '82df69213655a0fc', 1787873208000, 1787873208000, 'done', NULL, NULL),
	(80, 1, 'enrich', 'bo''s', 'enrich', 'me', 1787873208000, 1787873208000, 'dead', 'hopeless� 80', 'line 1
line 2'),
	(81, 1, 'enrich', 'bo''s', 'enrich', 'me', 1787873208000, 1787873208000, 'dead', 'hopeless� 81', 'line 1
line 2');
INSERT INTO jotsam_of_release.queue_attempt VALUES
	(86, 1, 'enrich', 'bo''s', 'enrich', 'me', 1787873208000, 1787873208000, 'dead', 'hopeless� 86', 'line 1
line 2'),
	(91, 1, 'mail', 'default', 'default', 'ffcd55ae4db17942', 1787873208000, 1787873208000, 'retry', 'not yet', NULL),
	(92, 1, 'mail', 'default', 'default', 'ffcd55ae4db17942', 1787873208000, 1787873208000, 'done', NULL, NULL);
INSERT INTO jotsam_of_release.queue_clock VALUES
	(1, 1787873208000, 1787873208000);
INSERT INTO jotsam_of_release.queue_control VALUES
	('mail', 1, 'for the night', NULL, 0, 1, 4);
INSERT INTO jotsam_of_release.queue_count VALUES
	('lifecycle', 'default', 'lifecycle', 496631, 0, 1, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 1, 0, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 0, 1, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 1, 0, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 0, 1, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 1, 0, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 0, 1, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 1, 0, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 0, 1, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 1, 0, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 0, 1, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 1, 0, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 0, 1, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 1, 0, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 0, 1, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 1, 0, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 0, 1, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 1, 0, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 0, 1, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 1, 0, 0, 0, 0, 0, 0);
INSERT INTO jotsam_of_release.queue_count VALUES
	('lifecycle', 'default', 'lifecycle', 496631, 0, 1, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 1, 0, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 0, 1, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 1, 0, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 0, 1, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 1, 0, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 0, 1, 0, 0, 0, 0, 0),
	('ingest', 'default', 'ingest', 0, 1, 1, 0, 0, 0, 0, 0),
	('enrich', 'default', 'enrich', 0, 32, 31, 0, 0, 0, 1, 0),
	('lifecycle', 'default', 'lifecycle', 0, 5, 5, 0, 0, 0, 0, 0),
	('embed', 'default', 'embed', 0, 1, 1, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 1, 0, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 1, 0, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 0, 1, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 1, 0, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 0, 1, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 1, 0, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 0, 1, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 1, 0, 0, 0, 0, 0, 0),
	('lifecycle', 'default', 'lifecycle', 496631, 0, 1, 0, 0, 0, 0, 0);
INSERT INTO jotsam_of_release.queue_count VALUES
	('enrich', 'default', 'enrich', 496631, 1, 0, 0, 0, 0, 0, 0),
	('enrich', 'default', 'enrich', 496631, 0, 0, 0, 0, 0, 1, 0),
	('enrich', 'default', 'enrich', 496631, 1, 0, 0, 0, 0, 0, 0),
	('enrich', 'default', 'enrich', 496631, 1, 0, 0, 0, 0, 0, 0),
	('enrich', 'default', 'enrich', 496631, 1, 0, 0, 0, 0, 0, 0),
	('ingest', 'default', 'ingest', 496631, 1, 0, 0, 0, 0, 0, 0),
	('enrich', 'default', 'enrich', 496631, 0, 0, 1, 0, 0, 0, 0),
	('enrich', 'default', 'enrich', 496631, 0, 0, 0, 1, 0, 0, 0),
	('enrich', 'default', 'enrich', 496631, 0, 0, 0, 1, 0, 0, 0),
	('ingest', 'default', 'ingest', 496631, 0, 0, 0, 1, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 1, 0, 0, 0, 0, 0, 0),
	('ingest', 'bo''s', 'ingest', 496631, 1, 0, 0, 0, 0, 0, 0),
	('ingest', 'bo''s', 'ingest', 496631, 0, 1, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 1, 0, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 1, 0, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 0, 1, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 0, 1, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 0, 1, 0, 0, 0, 0, 0),
	('ingest', 'bo''s', 'ingest', 496631, 1, 0, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 1, 0, 0, 0, 0, 0, 0);
INSERT INTO jotsam_of_release.queue_count VALUES
	('enrich', 'bo''s', 'enrich', 496631, 0, 0, 0, 0, 0, 1, 0),
	('enrich', 'bo''s', 'enrich', 496631, 1, 0, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 1, 0, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 1, 0, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 1, 0, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 1, 0, 0, 0, 0, 0, 0),
	('ingest', 'bo''s', 'ingest', 496631, 0, 1, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 1, 0, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 1, 0, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 1, 0, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 0, 1, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 0, 1, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 0, 1, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 0, 1, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 0, 1, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 1, 0, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 1, 0, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 1, 0, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 0, 1, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 0, 1, 0, 0, 0, 0, 0);
INSERT INTO jotsam_of_release.queue_count VALUES
	('enrich', 'bo''s', 'enrich', 496631, 0, 1, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 1, 0, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 1, 0, 0, 0, 0, 0, 0),
	('ingest', 'bo''s', 'ingest', 496631, 1, 0, 0, 0, 0, 0, 0),
	('ingest', 'bo''s', 'ingest', 496631, 0, 0, 0, 0, 0, 1, 0),
	('ingest', 'bo''s', 'ingest', 496631, 1, 0, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 1, 0, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 0, 0, 0, 0, 0, 1, 0),
	('enrich', 'bo''s', 'enrich', 496631, 1, 0, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 0, 0, 0, 0, 0, 1, 0),
	('enrich', 'bo''s', 'enrich', 496631, 1, 0, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 0, 0, 0, 1, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 0, 0, 0, 1, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 0, 1, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 0, 1, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 0, 1, 0, 0, 0, 0, 0),
	('enrich', 'bo''s', 'enrich', 496631, 0, 0, 0, 1, 0, 0, 0),
	('mail', 'ana', 'default', 496631, 1, 0, 0, 0, 0, 0, 0),
	('mail', 'bo''s', 'default', 496631, 1, 0, 0, 0, 0, 0, 0),
	('mail', 'default', 'default', 496631, 1, 0, 0, 0, 0, 0, 0);
INSERT INTO jotsam_of_release.queue_count VALUES
	('mail', 'default', 'default', 496631, 1, 0, 0, 0, 0, 0, 0),
	('mail', 'default', 'default', 496631, 1, 0, 0, 0, 0, 0, 0),
	('mail', 'default', 'default', 496631, 0, 0, 1, 0, 0, 0, 0),
	('mail', 'default', 'default', 496631, 1, 0, 0, 0, 0, 0, 0),
	('mail', 'default', 'default', 496631, 0, 1, 0, 0, 0, 0, 0),
	('mail', 'default', 'default', 496631, 1, 0, 0, 0, 0, 0, 0),
	('mail', 'default', 'default', 496631, 0, 0, 0, 0, 0, 1, 0);
INSERT INTO jotsam_of_release.queue_job OVERRIDING SYSTEM VALUE VALUES
	(59, 'enrich', 'default', 'enrich', 'waiting', 0, 0, NULL, 1, 1787873808000, 60000, 1, 1, 0, 3, NULL, 1787873208000, 'ConnectionError: no reply from http://127.0.0.1:11493/v1 within 30 s', 1787873208000, false),
	(60, 'enrich', 'default', 'enrich', 'dead', 0, 0, NULL, 1, NULL, 60000, 1, 1, 0, 3, NULL, 1787873208000, 'ConnectionError: no reply from http://127.0.0.1:11494/v1 within 30 s', 1787873208000, false),
	(61, 'enrich', 'default', 'enrich', 'dead', 0, 0, NULL, 1, NULL, 60000, 1, 1, 0, 3, NULL, 1787873208000, 'ConnectionError: no reply from http://127.0.0.1:11495/v1 within 30 s', 1787873208000, false),
	(62, 'ingest', 'default', 'ingest', 'dead', 0, 0, NULL, 1, NULL, 60000, 1, 1, 0, 5, NULL, 1787873208000, 'UnicodeDecodeError: ''utf-8'' codec can''t decode byte 0xff in position 0: invalid start byte', 1787873208000, false),
	(80, 'enrich', 'bo''s', 'enrich', 'dead', 0, 0, NULL, 1, NULL, 60000, 1, 1, 0, 3, NULL, 1787873208000, 'hopeless� 80', 1787873208000, false),
	(81, 'enrich', 'bo''s', 'enrich', 'dead', 0, 0, NULL, 1, NULL, 60000, 1, 1, 0, 3, NULL, 1787873208000, 'hopeless� 81', 1787873208000, false),
	(83, 'ingest', 'bo''s', 'ingest', 'ready', 0, 0, NULL, 1, NULL, 60000, 0, 0, 0, 5, NULL, NULL, NULL, 1787873208000, false),
	(86, 'enrich', 'bo''s', 'enrich', 'dead', 0, 0, NULL, 1, NULL, 60000, 1, 1, 0, 3, NULL, 1787873208000, 'hopeless� 86', 1787873208000, false),
	(87, 'mail', 'ana', 'default', 'ready', 0, 1, NULL, 1, NULL, 60000, 0, 0, 0, 5, NULL, NULL, NULL, 1787873208000, false),
	(88, 'mail', 'bo''s', 'default', 'waiting', 0, 1, NULL, 1, 1787876808000, 60000, 0, 0, 0, 5, NULL, NULL, NULL, 1787873208000, false),
	(89, 'mail', 'default', 'default', 'ready', 0, 1, 'l', 0, NULL, 60000, 0, 0, 0, 5, NULL, NULL, NULL, 1787873208000, false),
	(90, 'mail', 'default', 'default', 'blocked', 0, 2, 'l', 1, NULL, 60000, 0, 0, 0, 5, NULL, NULL, NULL, 1787873208000, false),
	(91, 'mail', 'default', 'default', 'waiting', 5, 3, NULL, 1, 1787873268000, 60000, 1, 1, 0, 5, NULL, 1787873208000, 'not yet', 1787873208000, false);
INSERT INTO jotsam_of_release.queue_key VALUES
	('mail', 'ana', 'once', 87, 1790465208000);
INSERT INTO jotsam_of_release.queue_payload VALUES
	(59, '"042e3e14-8ea0-4e55-9a29-30bdf0c3b20b"', NULL, NULL, NULL, 0),
	(60, '"ca85588b-93f5-4747-a4b7-8422a12f793d"', NULL, NULL, NULL, 0),
	(61, '"975a1dc3-d748-40f4-9b05-597b5b742b5a"', NULL, NULL, NULL, 0),
	(62, '"b2d9319c-ed5d-4249-8c2b-64ac049cf45b"', NULL, NULL, NULL, 0),
	(80, '"f559de00-748d-4936-b998-a8030a8ea2b7"', NULL, NULL, NULL, 0),
	(81, '"e58b37c1-5b81-4a00-9b50-f1fa93869ed2"', NULL, NULL, NULL, 0),
	(83, '"14a33aec-7ee1-4d65-89f4-aca0bc0dd314"', NULL, NULL, NULL, 0),
	(86, '"8249c104-1504-440a-8ee8-680afd18ab34"', NULL, NULL, NULL, 0),
	(87, '{"text":"é"}', NULL, NULL, NULL, 0),
	(88, NULL, '\x0001ff', NULL, NULL, 0),
	(89, '"in order"', NULL, NULL, NULL, 0),
	(90, '"after that"', NULL, NULL, NULL, 0),
	(91, '"fails"', NULL, NULL, NULL, 0);
INSERT INTO jotsam_of_release.queue_result VALUES
	(92, '{"n": 1}', 1787959608000);
INSERT INTO jotsam_of_release.queue_tenant VALUES
	('mail', 'ana', 1),
	('mail', 'bo''s', 1),
	('mail', 'default', 5);
INSERT INTO jotsam_of_release.queue_worker VALUES
	('me', '', 'host', 1, '', 1787873208000);
INSERT INTO jotsam_of_release.recall_count VALUES
	('bo''s', 52, 1, 1787873208000);
INSERT INTO jotsam_of_release.redaction VALUES
	(1, 'default', NULL, 32, 'aws-key', 'line 1', '2c1218f731d1571cfd50d336e5bd72bdb284c04bc80150cf4e31e0bcbfc0c726', 1780093608000),
	(2, 'bo''s', NULL, 53, 'aws-key', 'line 1', '2c1218f731d1571cfd50d336e5bd72bdb284c04bc80150cf4e31e0bcbfc0c726', 1787873208000);
INSERT INTO jotsam_of_release.relevance VALUES
	('default', 1, 0.376),
	('default', 2, 0.382),
	('default', 3, 0.354),
	('default', 4, 0.354),
	('default', 5, 0.354),
	('default', 6, 0.348),
	('default', 7, 1),
	('bo''s', 53, 0.5);
INSERT INTO jotsam_of_release.text_count OVERRIDING SYSTEM VALUE VALUES
	('bo''s', 76, 16, 2, 148),
	('bo''s', 77, 1, 0, 4),
	('default', 42, 32, 0, 371),
	('default', 43, 1, 0, 5),
	('default', 44, 1, 0, 5),
	('default', 45, 1, 0, 5),
	('default', 46, 0, 1, 9);
INSERT INTO jotsam_of_release.text_index VALUES
	('default', 1, 0, '''N6j12'':4A ''N6jdeep'':6A ''N6jis'':3A ''N6jmetr'':5A ''N6jthe'':1A ''N6jwell'':2A', 6),
	('default', 2, 0, '''N6jdeep'':6A ''N6jis'':3A ''N6jmetr'':5A ''N6jthe'':1A ''N6jtwelv'':4A ''N6jwell'':2A', 6),
	('default', 3, 0, '''N6ja'':7A ''N6jalway'':1A ''N6jbefor'':6A ''N6jmigrat'':4A ''N6jreleas'':8A ''N6jrun'':2A ''N6jtest'':5A ''N6jthe'':3A ''N6juser'':9B', 9),
	('default', 4, 0, '''N6ja'':7A ''N6jalway'':1A ''N6jbefor'':6A ''N6jmigrat'':4A ''N6jreleas'':8A ''N6jrun'':2A ''N6jtest'':5A ''N6jthe'':3A ''N6juser'':9B', 9),
	('default', 5, 0, '''N6ja'':7A ''N6jalway'':1A ''N6jbefor'':6A ''N6jmigrat'':4A ''N6jreleas'':8A ''N6jrun'':2A ''N6jtest'':5A ''N6jthe'':3A ''N6juser'':9B', 9),
	('default', 6, 0, '''N6jheron'':2A ''N6jin'':4A ''N6jlake'':7A ''N6jnorthern'':6A ''N6jstand'':3A ''N6jthe'':1A,5A', 7),
	('default', 7, 0, '''N6j3'':22B ''N6ja'':7A,20B ''N6jalway'':1A,14B ''N6jbefor'':6A,19B ''N6jcrystal'':10B,11B ''N6jit'':25B ''N6jmigrat'':4A,17B ''N6jprefer'':12B,13B ''N6jreleas'':8A,21B ''N6jrun'':2A,15B ''N6jsay'':24B ''N6jsession'':23B ''N6jtest'':5A,18B ''N6jthe'':3A,16B ''N6juser'':9B', 25),
	('default', 8, 0, '''N6jby'':20B ''N6jconfirm'':19B ''N6jcrystal'':8B,9B ''N6jfact'':10B,11B ''N6jhand'':21B ''N6jheron'':2A,13B ''N6jin'':4A,15B ''N6jlake'':7A,18B ''N6jnorthern'':6A,17B ''N6jstand'':3A,14B ''N6jthe'':1A,5A,12B,16B', 21),
	('default', 9, 0, '''N6jgreen'':4A ''N6jis'':3A ''N6jshed'':2A ''N6jthe'':1A', 4),
	('default', 10, 0, '''N6jdo'':2A ''N6jkeep'':4A ''N6jof'':7A ''N6jread'':6A ''N6jsensor'':9A ''N6jthe'':5A,8A ''N6jturn'':10B ''N6juser'':11B ''N6jwe'':3A ''N6jwhere'':1A', 11),
	('default', 11, 0, '''N6j100'':18A ''N6jassist'':26B ''N6jbeyond'':17A ''N6jfor'':5A ''N6jhave'':14A ''N6ji'':21A ''N6jinfluxdb'':3A ''N6jit'':6A,15A ''N6jmade'':4A ''N6jmillion'':19A ''N6jmore'':8A ''N6jone'':7A ''N6jpostgresql'':12A ''N6jrecommend'':22A ''N6jrow'':20A ''N6jrun'':11A ''N6jsecond'':24A ''N6jservic'':9A ''N6jslower'':16A ''N6jthe'':23A ''N6jto'':10A ''N6jturn'':25B ''N6jtwo'':1A ''N6jway'':2A ''N6jwe'':13A', 26),
	('default', 12, 0, '''N6jok'':1A ''N6jsecond'':3A ''N6jthe'':2A ''N6jturn'':4B ''N6juser'':5B', 5),
	('default', 13, 0, '''N6ja'':10A ''N6jassist'':21B ''N6jhas'':14A ''N6jin'':5A ''N6jis'':4A ''N6jit'':19A ''N6jmonth'':11A ''N6jnobodi'':13A ''N6jof'':18A ''N6jone'':8A ''N6jopen'':12A ''N6jpartit'':9A ''N6jpostgresql'':6A ''N6jread'':3A ''N6jrestor'':17A ''N6jtabl'':2A ''N6jtest'':15A ''N6jthe'':1A,16A ''N6jturn'':20B ''N6jwith'':7A', 21),
	('default', 14, 0, '''N6j01'':6A ''N6j15'':7A ''N6j2026'':5A ''N6jana'':15A ''N6jbe'':35A ''N6jben'':19A ''N6jbill'':1A,13A,39B,42B ''N6jbut'':31A ''N6jchose'':9A ''N6jcompar'':21A ''N6jdecis'':2A,40B,43B ''N6jdoc'':38B ''N6jfaster'':27A ''N6jfor'':11A ''N6jhalf'':36A ''N6jinvoic'':32A ''N6jit'':18A,22A ''N6jlima'':16A ''N6jmd'':41B ''N6jmongodb'':24A,25A ''N6jmust'':33A ''N6jnever'':34A ''N6jokafor'':20A ''N6jon'':4A ''N6jpostgresql'':10A ''N6jpropos'':17A ''N6jservic'':14A ''N6jstart'':29A ''N6jstorag'':3A,44B ''N6jthe'':12A ''N6jto'':28A ''N6jwas'':26A ''N6jwe'':8A ''N6jwith'':23A,30A ''N6jwritten'':37A', 44),
	('default', 15, 0, '''N6ja'':9A ''N6jand'':20A ''N6jare'':3A ''N6jat'':24A ''N6jbill'':29B,32B ''N6jby'':5A ''N6jclara'':21A ''N6jdead'':18A ''N6jdecis'':30B,33B ''N6jdoc'':28B ''N6jeach'':26A ''N6jfail'':12A ''N6jfive'':13A ''N6jgoe'':15A ''N6jinvoic'':2A ''N6jletter'':19A ''N6jlook'':23A ''N6jmail'':1A,7A,34B ''N6jmd'':31B ''N6jmessag'':10A ''N6jmorn'':27A ''N6jqueue'':8A ''N6jsent'':4A ''N6jsommer'':22A ''N6jthat'':11A ''N6jthe'':6A,17A ''N6jthem'':25A ''N6jtime'':14A ''N6jto'':16A', 34),
	('default', 16, 0, '''N6jbill'':20B,23B ''N6jdecis'':21B,24B ''N6jdo'':9A ''N6jdoc'':19B ''N6jexport'':6A ''N6jfor'':13A,17A ''N6jinvoic'':12A ''N6jkeep'':11A ''N6jmd'':22B ''N6jnight'':5A ''N6jnorthwind'':8A ''N6jopen'':1A,25B ''N6jor'':16A ''N6jown'':3A ''N6jseven'':18A ''N6jten'':14A ''N6jthe'':4A ''N6jto'':7A ''N6jwe'':10A ''N6jwho'':2A ''N6jyear'':15A', 25),
	('default', 17, 0, '''N6jfor'':5A ''N6jgo'':10A ''N6jinfluxdb'':12A ''N6jis'':2A ''N6jlet'':8A ''N6jpostgresql'':1A ''N6jread'':7A ''N6js'':9A ''N6jslow'':4A ''N6jthe'':6A ''N6jtoo'':3A ''N6jturn'':13B ''N6juser'':14B ''N6jwith'':11A', 14),
	('default', 18, 0, '''N6jare'':4A ''N6jassist'':16B ''N6jfrom'':13A ''N6jin'':5A ''N6jinfluxdb'':6A ''N6jis'':11A ''N6jnow'':7A ''N6jpostgresql'':14A ''N6jread'':3A,10A ''N6jremov'':12A ''N6jswitch'':1A ''N6jtabl'':9A ''N6jthe'':2A,8A ''N6jturn'':15B', 16),
	('default', 19, 0, '''N6j30'':7A ''N6jafter'':6A ''N6jfail'':3A ''N6jimport'':2A ''N6js'':8A ''N6jthe'':1A ''N6jtimeout'':5A ''N6jturn'':9B ''N6juser'':10B ''N6jwith'':4A', 10),
	('default', 20, 0, '''N6j500'':10A ''N6jassist'':14B ''N6jbatch'':3A ''N6jfix'':1A ''N6jis'':9A ''N6jit'':8A ''N6jlarg'':7A ''N6jnow'':12A ''N6jrow'':11A ''N6jsize'':4A ''N6jthe'':2A ''N6jtoo'':6A ''N6jturn'':13B ''N6jwas'':5A', 14);
INSERT INTO jotsam_of_release.text_index VALUES
	('default', 21, 0, '''N6janswer'':1A ''N6jin'':2A ''N6jsentenc'':4A ''N6jshort'':3A', 4),
	('default', 22, 0, '''N6ja'':3A ''N6jask'':1A ''N6jbefor'':2A ''N6jdeploy'':4A', 4),
	('default', 23, 0, '''N6jask'':1A ''N6jbefor'':2A ''N6jdeploy'':4A ''N6jeach'':3A', 4),
	('default', 24, 0, '''N6jtab'':2A ''N6juse'':1A', 2),
	('default', 26, 0, '''N6j60'':4A ''N6ja'':6A ''N6jhas'':3A ''N6jlitr'':5A ''N6jmay'':9A ''N6jminut'':7A ''N6jpump'':2A ''N6jsinc'':8A ''N6jthe'':1A', 9),
	('default', 27, 0, '''N6jat'':3A ''N6jglobex'':4A ''N6jwork'':2A ''N6jzoe'':1A', 4),
	('default', 28, 0, '''N6jbye'':1A', 1),
	('default', 29, 0, '''N6jana'':1A ''N6jin'':4A ''N6jlima'':2A ''N6jlisbon'':5A ''N6jlive'':3A', 5),
	('default', 30, 0, '''N6jana'':1A ''N6jin'':4A ''N6jlima'':2A ''N6jlive'':3A ''N6jnow'':6A ''N6jporto'':5A', 6),
	('default', 31, 0, '''N6jcode'':2A ''N6jdoor'':1A ''N6jgreen'':3A', 3),
	('default', 32, 0, '''N6jaw'':4A ''N6jconnect'':1A ''N6jkey'':5A ''N6jredact'':3A ''N6jwith'':2A', 5),
	('default', 33, 0, '''N6jabout'':7A ''N6jglobex'':6A ''N6jjohn'':3A ''N6jmet'':1A ''N6jof'':5A ''N6jredi'':8A ''N6jsmith'':4A ''N6jwith'':2A', 8),
	('default', 35, 0, '''N6j0'':5A ''N6jask'':2A ''N6jfor'':3A ''N6jinvoic'':4A ''N6jnorthwind'':1A', 5),
	('default', 36, 0, '''N6j1'':5A ''N6jask'':2A ''N6jfor'':3A ''N6jinvoic'':4A ''N6jnorthwind'':1A', 5),
	('default', 37, 0, '''N6j2'':5A ''N6jask'':2A ''N6jfor'':3A ''N6jinvoic'':4A ''N6jnorthwind'':1A', 5),
	('default', -2, 0, '''N6jdoc'':7B ''N6jmd'':9B ''N6jof'':3A ''N6jquarter'':6A ''N6jthe'':4A ''N6jthird'':5A ''N6jtotal'':1A,2A,8B', 9),
	('bo''s', 38, 0, '''lOd8080'':4A ''lOdis'':3A ''lOdport'':2A ''lOdthe'':1A', 4),
	('bo''s', 39, 0, '''lOda'':2A,13B ''lOdabout'':7A ''lOdjohn'':5A ''lOdlaunch'':9A ''lOdmd'':11B ''lOdmet'':3A ''lOdnote'':1A,10B,12B ''lOdsmith'':6A ''lOdthe'':8A ''lOdwith'':4A', 13),
	('bo''s', 40, 0, '''lOd.库'':14C ''lOd.据库'':13C ''lOd.数据'':12C ''lOdand'':5A ''lOdb'':1A,11B ''lOdfor'':6A ''lOdit'':7A ''lOdmd'':9B ''lOdnote'':8B,10B ''lOdredi'':4A ''lOduse'':3A ''lOdwe'':2A', 14),
	('bo''s', 41, 0, '''lOdcode'':7B ''lOdearli'':3A ''lOdmarcus'':1A ''lOdprefer'':2A ''lOdreturn'':4A ''lOdstyle'':5B ''lOdzeta'':6B', 7);
INSERT INTO jotsam_of_release.text_index VALUES
	('bo''s', 42, 0, '''lOdana'':4B ''lOde'':6B,7B ''lOdhe'':1A ''lOdlee'':5B ''lOdsaid'':2A ''lOdso'':3A', 7),
	('bo''s', 43, 0, '''lOdbeen'':4A ''lOdfrom'':6A ''lOdhas'':3A ''lOdjune'':9A ''lOdlaunch'':2A ''lOdmay'':7A ''lOdmove'':5A ''lOdthe'':1A ''lOdto'':8A', 9),
	('bo''s', 44, 0, '''lOdagain'':2A ''lOdand'':1A', 2),
	('bo''s', 45, 0, '''lOda'':4A ''lOddeploy'':2A ''lOdfriday'':5A ''lOdnever'':1A ''lOdon'':3A ''lOduser'':6B', 6),
	('bo''s', 46, 0, '''lOda'':2A,13B ''lOdabout'':7A ''lOdjohn'':5A ''lOdlaunch'':9A ''lOdmd'':11B ''lOdmet'':3A ''lOdnote'':1A,10B,12B ''lOdsmith'':6A ''lOdthe'':8A ''lOdwith'':4A', 13),
	('bo''s', 47, 0, '''lOd.库'':14C ''lOd.据库'':13C ''lOd.数据'':12C ''lOdand'':5A ''lOdb'':1A,11B ''lOdfor'':6A ''lOdit'':7A ''lOdmd'':9B ''lOdnote'':8B,10B ''lOdredi'':4A ''lOduse'':3A ''lOdwe'':2A', 14),
	('bo''s', 48, 0, '''lOdc'':1A,10B ''lOdfriday'':6A ''lOdis'':4A ''lOdlaunch'':3A ''lOdmd'':8B ''lOdnote'':7B,9B ''lOdon'':5A ''lOdthe'':2A', 10),
	('bo''s', 49, 0, '''lOddecid'':2A ''lOdgreen'':7A ''lOdkitchen'':6A ''lOdpaint'':4A ''lOdthe'':5A ''lOdto'':3A ''lOdwe'':1A', 7),
	('bo''s', 50, 0, '''lOddecid'':2A ''lOdgreen'':7A ''lOdhall'':6A ''lOdpaint'':4A ''lOdthe'':5A ''lOdto'':3A ''lOdwe'':1A', 7),
	('bo''s', 51, 0, '''lOddecid'':2A ''lOdgarden'':6A ''lOdgreen'':7A ''lOdpaint'':4A ''lOdthe'':5A ''lOdto'':3A ''lOdwe'':1A', 7),
	('bo''s', 52, 0, '''lOd9090'':4A ''lOdis'':3A ''lOdport'':2A ''lOdthe'':1A', 4),
	('bo''s', 53, 0, '''lOdaw'':4A ''lOdconnect'':1A ''lOdkey'':5A ''lOdredact'':3A ''lOdwith'':2A', 5),
	('bo''s', -5, 0, '''lOddiscard'':1A ''lOdfree'':9A ''lOdid'':7A ''lOdis'':8A ''lOdit'':4A ''lOdjob'':5A ''lOds'':6A ''lOdso'':2A ''lOdthat'':3A', 9),
	('bo''s', -6, 0, '''lOdbe'':5A ''lOdcode'':8A ''lOdcut'':6A ''lOdlater'':9B ''lOdlaunch'':7A ''lOdmd'':10B ''lOdstill'':2A ''lOdthis'':1A ''lOdto'':4A ''lOdwait'':3A', 10),
	('bo''s', 56, 0, '''lOddie'':4A ''lOdit'':1A ''lOdjob'':2A ''lOdwill'':3A', 4);
INSERT INTO jotsam_of_release.theme VALUES
	(1, 'bo''s-theme', 'bo''s', NULL, 'launch', 'launch', 53, 5, NULL);
INSERT INTO jotsam_of_release.theme_member VALUES
	('bo''s', 1, 53);
INSERT INTO jotsam_of_release.title VALUES
	('bo''s', 'a', 39),
	('bo''s', 'a', 46),
	('bo''s', 'ana-lee', 42),
	('bo''s', 'b', 40),
	('bo''s', 'b', 47),
	('bo''s', 'c', 48),
	('bo''s', 'notes', 39),
	('bo''s', 'notes', 40),
	('bo''s', 'notes', 46),
	('bo''s', 'notes', 47),
	('bo''s', 'notes', 48),
	('bo''s', 'user', 45),
	('default', 'assistant', 11),
	('default', 'assistant', 13),
	('default', 'assistant', 18),
	('default', 'assistant', 20),
	('default', 'billing-decisions', 14),
	('default', 'billing-decisions', 15),
	('default', 'billing-decisions', 16),
	('default', 'mail', 15);
INSERT INTO jotsam_of_release.title VALUES
	('default', 'open', 16),
	('default', 'storage', 14),
	('default', 'turns', 10),
	('default', 'turns', 11),
	('default', 'turns', 12),
	('default', 'turns', 13),
	('default', 'turns', 17),
	('default', 'turns', 18),
	('default', 'turns', 19),
	('default', 'turns', 20),
	('default', 'user', 3),
	('default', 'user', 4),
	('default', 'user', 5),
	('default', 'user', 10),
	('default', 'user', 12),
	('default', 'user', 17),
	('default', 'user', 19);
INSERT INTO jotsam_of_release.tombstone VALUES
	('bo''s', '81638d63a2749d39086135582e31c99806aeba262baa04b23355a4b6e8ba9743', 1787873208000),
	('default', '083e02eb58c291895383ac20e3ef098206e3c94ffba207d51759e34c9825fc83', 1787873208000);
INSERT INTO jotsam_of_release.tombstone_key VALUES
	('bo''s', 1, '514dc1cc14e5d6cae2b7a31d271582dc903fa9416dd92722812a50a76a715785'),
	('default', 1, '122c32ac12fc1234b8bf6ff7e7f070c42b6ddc0eb2dae4c9608f1bad5d5c8028');
INSERT INTO jotsam_of_release.trash VALUES
	('bo''s', '40ce771d', 1, 1787873208000, 1, 0, 'Forgotten to the trash.', '{"ids": {"50d138d1-e0ba-49a6-b3d4-1aa57677d858": 55}, "cleared": [], "superseded": [], "order": {}, "summaries": []}', '', '[{"memory":[["id","uuid","project","document_id","position","line","section","body","summary","type","importance","confidence","metadata","actor","session","source","said_at","valid_from","valid_until","external_id","key","job_id","created_at","version","changed_at","enriched_at","superseded_at","superseded_by","superseded_how","archived_at","archived_by","extractor","degraded","awaits_model_since","rejected","type_by","importance_by","confidence_by","joined_from"],[55,"50d138d1-e0ba-49a6-b3d4-1aa57677d858",null,null,null,null,"","Forgotten to the trash.",null,null,null,null,null,null,null,null,null,null,null,null,null,85,1787873208000,1,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null]]}]'),
	('default', '11bf6dd8', 1, 1787873208000, 1, 0, 'The pump has 40 litres a minute.', '{"ids": {"b854f2c1-ab63-4621-ab05-74e038ee4826": 25}, "cleared": [], "superseded": [], "order": {}, "summaries": []}', '', '[{"memory":[["id","uuid","project","document_id","position","line","section","body","summary","type","importance","confidence","metadata","actor","session","source","said_at","valid_from","valid_until","external_id","key","job_id","created_at","version","changed_at","enriched_at","superseded_at","superseded_by","superseded_how","archived_at","archived_by","extractor","degraded","awaits_model_since","rejected","type_by","importance_by","confidence_by","joined_from"],[25,"b854f2c1-ab63-4621-ab05-74e038ee4826","github.com/acme/farm",null,null,null,"","The pump has 40 litres a minute.","The pump has 40 litres a minute.","Fact",0.4,0.3,"{\"ticket\": \"T-1\"}",null,null,null,null,null,null,null,null,30,1780093608000,1,null,1780093608000,null,null,null,null,null,"rules/4 tagger/2",null,null,null,null,"","",null]],"metadata_index":[["hash","memory_id"],["b7d67728421fa6eae31304581f0033214087608f2a2aff832bc680954fa2db3a",25]],"link":[["source_id","target_id","type","weight","created_at","extractor","properties"],[25,26,"CONTRADICTS",0.7,1780093608000,null,"{\"reason\": \"another pump\"}"],[25,19,"PRECEDED_BY",0.2,1780093608000,"rules/4",null],[25,22,"PRECEDED_BY",0.25,1780093608000,"rules/4",null],[25,23,"PRECEDED_BY",0.333,1780093608000,"rules/4",null],[25,24,"PRECEDED_BY",0.5,1780093608000,"rules/4",null],[26,25,"PRECEDED_BY",0.5,1780093608000,"rules/4",null],[27,25,"PRECEDED_BY",0.333,1780093608000,"rules/4",null],[28,25,"PRECEDED_BY",0.25,1780093608000,"rules/4",null]],"pattern_terms":[["memory_id","type","terms"],[25,"Fact","pump litre minute"]],"fact":[["id","uuid","memory_id","subject","predicate","object","subject_key","object_key","confidence","valid_from","valid_until","extractor","created_at","superseded_at","superseded_by","superseded_how"],[5,"08814039-ed1c-892b-b21c-1f3932946d6b",25,"pump","has","40 litres a minute","pump","40 litres a minute",0.6,null,null,"rules/4",1780093608000,null,null,null]],"triage":[["memory_id","version","text_version","kind","title","confidence","state","reason","crystal_id","judged_by"],[25,2,1,null,null,null,"none",null,null,"rules"]]}]');
INSERT INTO jotsam_of_release.triage VALUES
	('default', 1, 2, 1, NULL, NULL, NULL, 'none', NULL, NULL, 'rules'),
	('default', 2, 2, 1, NULL, NULL, NULL, 'none', NULL, NULL, 'rules'),
	('default', 3, 2, 1, 'preference', 'Always run the migration tests before a release', 0.7, 'promoted', NULL, 7, 'rules'),
	('default', 4, 2, 1, 'preference', 'Always run the migration tests before a release', 0.7, 'promoted', NULL, 7, 'rules'),
	('default', 5, 2, 1, 'preference', 'Always run the migration tests before a release', 0.7, 'promoted', NULL, 7, 'rules'),
	('default', 6, 2, 1, 'fact', 'The heron stands in the northern lake.', 1, 'retracted', NULL, 8, 'person'),
	('default', 9, 2, 1, NULL, NULL, NULL, 'none', NULL, NULL, 'rules'),
	('default', 10, 2, 1, NULL, NULL, NULL, 'none', NULL, NULL, 'gate'),
	('default', 11, 2, 1, NULL, NULL, NULL, 'none', NULL, NULL, 'rules'),
	('default', 12, 2, 1, NULL, NULL, NULL, 'none', NULL, NULL, 'gate'),
	('default', 13, 2, 1, NULL, NULL, NULL, 'none', NULL, NULL, 'rules'),
	('default', 17, 2, 1, 'decision', 'PostgreSQL is too slow for the readings, let''s go with InfluxDB', 0.6, 'candidate', NULL, NULL, 'rules'),
	('default', 18, 2, 1, NULL, NULL, NULL, 'none', NULL, NULL, 'rules'),
	('default', 19, 2, 1, 'learning', 'the import fails with ''timeout after 30 s''', 0.6, 'candidate', NULL, NULL, 'rules'),
	('default', 20, 2, 1, NULL, NULL, NULL, 'none', NULL, NULL, 'rules'),
	('default', 21, 2, 1, 'preference', 'Answer in short sentences', 0.7, 'candidate', NULL, NULL, 'rules'),
	('default', 22, 2, 1, NULL, NULL, NULL, 'none', NULL, NULL, 'rules'),
	('default', 23, 2, 1, NULL, NULL, NULL, 'none', NULL, NULL, 'rules'),
	('default', 24, 2, 1, 'decision', 'Use tabs.', NULL, 'refused', 'no statement: only questions, commands, data or a few words', NULL, 'gate'),
	('default', 26, 2, 1, NULL, NULL, NULL, 'none', NULL, NULL, 'rules');
INSERT INTO jotsam_of_release.triage VALUES
	('default', 27, 2, 1, 'fact', 'Zoe works at Globex', 0.6, 'candidate', NULL, NULL, 'rules'),
	('default', 28, 2, 1, NULL, NULL, NULL, 'none', NULL, NULL, 'gate'),
	('default', 30, 2, 1, NULL, NULL, NULL, 'none', NULL, NULL, 'rules'),
	('default', 31, 2, 2, NULL, NULL, NULL, 'none', NULL, NULL, 'gate'),
	('default', 32, 2, 1, NULL, NULL, NULL, 'none', NULL, NULL, 'gate'),
	('default', 33, 2, 1, NULL, NULL, NULL, 'none', NULL, NULL, 'rules'),
	('bo''s', 53, 1, 1, NULL, NULL, NULL, 'none', NULL, 53, 'rules');
SELECT pg_catalog.setval('jotsam_of_release.audit_id_seq', 6, true);
SELECT pg_catalog.setval('jotsam_of_release.document_id_seq', 6, true);
SELECT pg_catalog.setval('jotsam_of_release.embedder_id_seq', 1, true);
SELECT pg_catalog.setval('jotsam_of_release.entity_id_seq', 20, true);
SELECT pg_catalog.setval('jotsam_of_release.event_id_seq', 1, false);
SELECT pg_catalog.setval('jotsam_of_release.fact_id_seq', 19, true);
SELECT pg_catalog.setval('jotsam_of_release.ledger_id_seq', 4, true);
SELECT pg_catalog.setval('jotsam_of_release.lifecycle_run_id_seq', 12, true);
SELECT pg_catalog.setval('jotsam_of_release.memory_id_seq', 56, true);
SELECT pg_catalog.setval('jotsam_of_release.mirror_change_id_seq', 1, false);
SELECT pg_catalog.setval('jotsam_of_release.pattern_id_seq', 1, true);
SELECT pg_catalog.setval('jotsam_of_release.queue_job_id_seq', 93, true);
SELECT pg_catalog.setval('jotsam_of_release.redaction_id_seq', 2, true);
SELECT pg_catalog.setval('jotsam_of_release.text_count_id_seq', 77, true);
SELECT pg_catalog.setval('jotsam_of_release.theme_id_seq', 1, true);
ALTER TABLE ONLY jotsam_of_release.allowed_secret
    ADD CONSTRAINT allowed_secret_pkey PRIMARY KEY (tenant, fingerprint);
ALTER TABLE jotsam_of_release.allowed_secret CLUSTER ON allowed_secret_pkey;
ALTER TABLE ONLY jotsam_of_release.api_token
    ADD CONSTRAINT api_token_pkey PRIMARY KEY (id);
ALTER TABLE jotsam_of_release.api_token CLUSTER ON api_token_pkey;
ALTER TABLE ONLY jotsam_of_release.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id, tenant);
ALTER TABLE jotsam_of_release.audit CLUSTER ON audit_pkey;
ALTER TABLE ONLY jotsam_of_release.change_word
    ADD CONSTRAINT change_word_pkey PRIMARY KEY (tenant, word, at, memory_id);
ALTER TABLE jotsam_of_release.change_word CLUSTER ON change_word_pkey;
ALTER TABLE ONLY jotsam_of_release.daily_spend
    ADD CONSTRAINT daily_spend_pkey PRIMARY KEY (day);
ALTER TABLE jotsam_of_release.daily_spend CLUSTER ON daily_spend_pkey;
ALTER TABLE ONLY jotsam_of_release.date_range
    ADD CONSTRAINT date_range_pkey PRIMARY KEY (memory_id, first, until, tenant);
ALTER TABLE jotsam_of_release.date_range CLUSTER ON date_range_pkey;
ALTER TABLE ONLY jotsam_of_release.document
    ADD CONSTRAINT document_pkey PRIMARY KEY (id, tenant);
ALTER TABLE jotsam_of_release.document CLUSTER ON document_pkey;
ALTER TABLE ONLY jotsam_of_release.document
    ADD CONSTRAINT document_uuid_tenant_key UNIQUE (uuid, tenant);
ALTER TABLE ONLY jotsam_of_release.embedder
    ADD CONSTRAINT embedder_name_key UNIQUE (name);
ALTER TABLE ONLY jotsam_of_release.embedder
    ADD CONSTRAINT embedder_pkey PRIMARY KEY (id);
ALTER TABLE jotsam_of_release.embedder CLUSTER ON embedder_pkey;
ALTER TABLE ONLY jotsam_of_release.embedding_index
    ADD CONSTRAINT embedding_index_pkey PRIMARY KEY (memory_id, tenant);
ALTER TABLE jotsam_of_release.embedding_index CLUSTER ON embedding_index_pkey;
ALTER TABLE ONLY jotsam_of_release.embedding
    ADD CONSTRAINT embedding_pkey PRIMARY KEY (memory_id, tenant);
ALTER TABLE jotsam_of_release.embedding CLUSTER ON embedding_pkey;
ALTER TABLE ONLY jotsam_of_release.engine
    ADD CONSTRAINT engine_pkey PRIMARY KEY (name);
ALTER TABLE jotsam_of_release.engine CLUSTER ON engine_pkey;
ALTER TABLE ONLY jotsam_of_release.entity
    ADD CONSTRAINT entity_pkey PRIMARY KEY (id, tenant);
ALTER TABLE jotsam_of_release.entity CLUSTER ON entity_pkey;
ALTER TABLE ONLY jotsam_of_release.entity
    ADD CONSTRAINT entity_tenant_category_slug_key UNIQUE (tenant, category, slug);
ALTER TABLE ONLY jotsam_of_release.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (tenant, xact, id);
ALTER TABLE jotsam_of_release.event CLUSTER ON event_pkey;
ALTER TABLE ONLY jotsam_of_release.event_pruned
    ADD CONSTRAINT event_pruned_pkey PRIMARY KEY (tenant);
ALTER TABLE jotsam_of_release.event_pruned CLUSTER ON event_pruned_pkey;
ALTER TABLE ONLY jotsam_of_release.fact
    ADD CONSTRAINT fact_pkey PRIMARY KEY (id, tenant);
ALTER TABLE jotsam_of_release.fact CLUSTER ON fact_pkey;
ALTER TABLE ONLY jotsam_of_release.fact
    ADD CONSTRAINT fact_uuid_tenant_key UNIQUE (uuid, tenant);
ALTER TABLE ONLY jotsam_of_release.held_job
    ADD CONSTRAINT held_job_pkey PRIMARY KEY (job_id);
ALTER TABLE jotsam_of_release.held_job CLUSTER ON held_job_pkey;
ALTER TABLE ONLY jotsam_of_release.identity
    ADD CONSTRAINT identity_pkey PRIMARY KEY (entity_id, tenant);
ALTER TABLE jotsam_of_release.identity CLUSTER ON identity_pkey;
ALTER TABLE ONLY jotsam_of_release.jotsam_migration
    ADD CONSTRAINT jotsam_migration_pkey PRIMARY KEY (schema, version);
ALTER TABLE jotsam_of_release.jotsam_migration CLUSTER ON jotsam_migration_pkey;
ALTER TABLE ONLY jotsam_of_release.kept_reply
    ADD CONSTRAINT kept_reply_pkey PRIMARY KEY (tenant, key);
ALTER TABLE jotsam_of_release.kept_reply CLUSTER ON kept_reply_pkey;
ALTER TABLE ONLY jotsam_of_release.ledger
    ADD CONSTRAINT ledger_pkey PRIMARY KEY (id, tenant);
ALTER TABLE jotsam_of_release.ledger CLUSTER ON ledger_pkey;
ALTER TABLE ONLY jotsam_of_release.lifecycle_change
    ADD CONSTRAINT lifecycle_change_pkey PRIMARY KEY (run_id, part, tenant);
ALTER TABLE jotsam_of_release.lifecycle_change CLUSTER ON lifecycle_change_pkey;
ALTER TABLE ONLY jotsam_of_release.lifecycle_pair
    ADD CONSTRAINT lifecycle_pair_pkey PRIMARY KEY (run_id, first_id, second_id, tenant);
ALTER TABLE jotsam_of_release.lifecycle_pair CLUSTER ON lifecycle_pair_pkey;
ALTER TABLE ONLY jotsam_of_release.lifecycle_refusal
    ADD CONSTRAINT lifecycle_refusal_pkey PRIMARY KEY (tenant, hash);
ALTER TABLE jotsam_of_release.lifecycle_refusal CLUSTER ON lifecycle_refusal_pkey;
ALTER TABLE ONLY jotsam_of_release.lifecycle_run
    ADD CONSTRAINT lifecycle_run_pkey PRIMARY KEY (id, tenant);
ALTER TABLE jotsam_of_release.lifecycle_run CLUSTER ON lifecycle_run_pkey;
ALTER TABLE ONLY jotsam_of_release.lifecycle_run
    ADD CONSTRAINT lifecycle_run_uuid_tenant_key UNIQUE (uuid, tenant);
ALTER TABLE ONLY jotsam_of_release.lifecycle_schedule
    ADD CONSTRAINT lifecycle_schedule_pkey PRIMARY KEY (tenant, step);
ALTER TABLE jotsam_of_release.lifecycle_schedule CLUSTER ON lifecycle_schedule_pkey;
ALTER TABLE ONLY jotsam_of_release.link
    ADD CONSTRAINT link_pkey PRIMARY KEY (source_id, type, target_id, tenant);
ALTER TABLE jotsam_of_release.link CLUSTER ON link_pkey;
ALTER TABLE ONLY jotsam_of_release.llm_cache
    ADD CONSTRAINT llm_cache_pkey PRIMARY KEY (tenant, key);
ALTER TABLE jotsam_of_release.llm_cache CLUSTER ON llm_cache_pkey;
ALTER TABLE ONLY jotsam_of_release.memory_block
    ADD CONSTRAINT memory_block_pkey PRIMARY KEY (tenant, project, actor, name);
ALTER TABLE jotsam_of_release.memory_block CLUSTER ON memory_block_pkey;
ALTER TABLE ONLY jotsam_of_release.memory
    ADD CONSTRAINT memory_pkey PRIMARY KEY (id, tenant);
ALTER TABLE jotsam_of_release.memory CLUSTER ON memory_pkey;
ALTER TABLE ONLY jotsam_of_release.memory_tag
    ADD CONSTRAINT memory_tag_pkey PRIMARY KEY (tenant, tag, memory_id);
ALTER TABLE jotsam_of_release.memory_tag CLUSTER ON memory_tag_pkey;
ALTER TABLE ONLY jotsam_of_release.memory
    ADD CONSTRAINT memory_uuid_tenant_key UNIQUE (uuid, tenant);
ALTER TABLE ONLY jotsam_of_release.memory_version
    ADD CONSTRAINT memory_version_pkey PRIMARY KEY (memory_id, version, tenant);
ALTER TABLE jotsam_of_release.memory_version CLUSTER ON memory_version_pkey;
ALTER TABLE ONLY jotsam_of_release.mention
    ADD CONSTRAINT mention_pkey PRIMARY KEY (entity_id, memory_id, tenant);
ALTER TABLE jotsam_of_release.mention CLUSTER ON mention_pkey;
ALTER TABLE ONLY jotsam_of_release.metadata_index
    ADD CONSTRAINT metadata_index_pkey PRIMARY KEY (tenant, hash, memory_id);
ALTER TABLE jotsam_of_release.metadata_index CLUSTER ON metadata_index_pkey;
ALTER TABLE ONLY jotsam_of_release.mirror_change
    ADD CONSTRAINT mirror_change_pkey PRIMARY KEY (tenant, engine, id);
ALTER TABLE jotsam_of_release.mirror_change CLUSTER ON mirror_change_pkey;
ALTER TABLE ONLY jotsam_of_release.mirror_progress
    ADD CONSTRAINT mirror_progress_pkey PRIMARY KEY (tenant, engine);
ALTER TABLE jotsam_of_release.mirror_progress CLUSTER ON mirror_progress_pkey;
ALTER TABLE ONLY jotsam_of_release.model_use
    ADD CONSTRAINT model_use_pkey PRIMARY KEY (model, purpose);
ALTER TABLE jotsam_of_release.model_use CLUSTER ON model_use_pkey;
ALTER TABLE ONLY jotsam_of_release.note
    ADD CONSTRAINT note_pkey PRIMARY KEY (memory_id, "position", tenant);
ALTER TABLE jotsam_of_release.note CLUSTER ON note_pkey;
ALTER TABLE ONLY jotsam_of_release.pattern_example
    ADD CONSTRAINT pattern_example_pkey PRIMARY KEY (pattern_id, memory_id, tenant);
ALTER TABLE jotsam_of_release.pattern_example CLUSTER ON pattern_example_pkey;
ALTER TABLE ONLY jotsam_of_release.pattern_lock
    ADD CONSTRAINT pattern_lock_pkey PRIMARY KEY (tenant, type);
ALTER TABLE jotsam_of_release.pattern_lock CLUSTER ON pattern_lock_pkey;
ALTER TABLE ONLY jotsam_of_release.pattern
    ADD CONSTRAINT pattern_pkey PRIMARY KEY (id, tenant);
ALTER TABLE jotsam_of_release.pattern CLUSTER ON pattern_pkey;
ALTER TABLE ONLY jotsam_of_release.pattern
    ADD CONSTRAINT pattern_tenant_type_slug_key UNIQUE (tenant, type, slug);
ALTER TABLE ONLY jotsam_of_release.pattern_terms
    ADD CONSTRAINT pattern_terms_pkey PRIMARY KEY (memory_id, tenant);
ALTER TABLE jotsam_of_release.pattern_terms CLUSTER ON pattern_terms_pkey;
ALTER TABLE ONLY jotsam_of_release.project
    ADD CONSTRAINT project_pkey PRIMARY KEY (tenant, key);
ALTER TABLE jotsam_of_release.project CLUSTER ON project_pkey;
ALTER TABLE ONLY jotsam_of_release.queue_attempt
    ADD CONSTRAINT queue_attempt_pkey PRIMARY KEY (job_id, received);
ALTER TABLE jotsam_of_release.queue_attempt CLUSTER ON queue_attempt_pkey;
ALTER TABLE ONLY jotsam_of_release.queue_clock
    ADD CONSTRAINT queue_clock_pkey PRIMARY KEY (id);
ALTER TABLE jotsam_of_release.queue_clock CLUSTER ON queue_clock_pkey;
ALTER TABLE ONLY jotsam_of_release.queue_control
    ADD CONSTRAINT queue_control_pkey PRIMARY KEY (queue);
ALTER TABLE jotsam_of_release.queue_control CLUSTER ON queue_control_pkey;
ALTER TABLE ONLY jotsam_of_release.queue_job
    ADD CONSTRAINT queue_job_pkey PRIMARY KEY (id);
ALTER TABLE jotsam_of_release.queue_job CLUSTER ON queue_job_pkey;
ALTER TABLE ONLY jotsam_of_release.queue_key
    ADD CONSTRAINT queue_key_pkey PRIMARY KEY (queue, tenant, key);
ALTER TABLE jotsam_of_release.queue_key CLUSTER ON queue_key_pkey;
ALTER TABLE ONLY jotsam_of_release.queue_payload
    ADD CONSTRAINT queue_payload_pkey PRIMARY KEY (job_id);
ALTER TABLE jotsam_of_release.queue_payload CLUSTER ON queue_payload_pkey;
ALTER TABLE ONLY jotsam_of_release.queue_result
    ADD CONSTRAINT queue_result_pkey PRIMARY KEY (job_id);
ALTER TABLE jotsam_of_release.queue_result CLUSTER ON queue_result_pkey;
ALTER TABLE ONLY jotsam_of_release.queue_tenant
    ADD CONSTRAINT queue_tenant_pkey PRIMARY KEY (queue, tenant);
ALTER TABLE jotsam_of_release.queue_tenant CLUSTER ON queue_tenant_pkey;
ALTER TABLE ONLY jotsam_of_release.queue_worker
    ADD CONSTRAINT queue_worker_pkey PRIMARY KEY (owner);
ALTER TABLE jotsam_of_release.queue_worker CLUSTER ON queue_worker_pkey;
ALTER TABLE ONLY jotsam_of_release.recall_count
    ADD CONSTRAINT recall_count_pkey PRIMARY KEY (memory_id, tenant);
ALTER TABLE jotsam_of_release.recall_count CLUSTER ON recall_count_pkey;
ALTER TABLE ONLY jotsam_of_release.recording
    ADD CONSTRAINT recording_pkey PRIMARY KEY (one);
ALTER TABLE jotsam_of_release.recording CLUSTER ON recording_pkey;
ALTER TABLE ONLY jotsam_of_release.redaction
    ADD CONSTRAINT redaction_pkey PRIMARY KEY (id, tenant);
ALTER TABLE jotsam_of_release.redaction CLUSTER ON redaction_pkey;
ALTER TABLE ONLY jotsam_of_release.relevance
    ADD CONSTRAINT relevance_pkey PRIMARY KEY (memory_id, tenant);
ALTER TABLE jotsam_of_release.relevance CLUSTER ON relevance_pkey;
ALTER TABLE ONLY jotsam_of_release.tenant_move
    ADD CONSTRAINT tenant_move_pkey PRIMARY KEY (tenant);
ALTER TABLE jotsam_of_release.tenant_move CLUSTER ON tenant_move_pkey;
ALTER TABLE ONLY jotsam_of_release.text_count
    ADD CONSTRAINT text_count_pkey PRIMARY KEY (tenant, id);
ALTER TABLE jotsam_of_release.text_count CLUSTER ON text_count_pkey;
ALTER TABLE ONLY jotsam_of_release.theme_member
    ADD CONSTRAINT theme_member_pkey PRIMARY KEY (theme_id, memory_id, tenant);
ALTER TABLE jotsam_of_release.theme_member CLUSTER ON theme_member_pkey;
ALTER TABLE ONLY jotsam_of_release.theme
    ADD CONSTRAINT theme_pkey PRIMARY KEY (id, tenant);
ALTER TABLE jotsam_of_release.theme CLUSTER ON theme_pkey;
ALTER TABLE ONLY jotsam_of_release.theme
    ADD CONSTRAINT theme_uuid_tenant_key UNIQUE (uuid, tenant);
ALTER TABLE ONLY jotsam_of_release.title
    ADD CONSTRAINT title_pkey PRIMARY KEY (tenant, slug, memory_id);
ALTER TABLE jotsam_of_release.title CLUSTER ON title_pkey;
ALTER TABLE ONLY jotsam_of_release.tombstone_key
    ADD CONSTRAINT tombstone_key_pkey PRIMARY KEY (tenant, version);
ALTER TABLE jotsam_of_release.tombstone_key CLUSTER ON tombstone_key_pkey;
ALTER TABLE ONLY jotsam_of_release.tombstone
    ADD CONSTRAINT tombstone_pkey PRIMARY KEY (tenant, hash);
ALTER TABLE jotsam_of_release.tombstone CLUSTER ON tombstone_pkey;
ALTER TABLE ONLY jotsam_of_release.trash
    ADD CONSTRAINT trash_pkey PRIMARY KEY (tenant, batch, part);
ALTER TABLE jotsam_of_release.trash CLUSTER ON trash_pkey;
ALTER TABLE ONLY jotsam_of_release.triage
    ADD CONSTRAINT triage_pkey PRIMARY KEY (memory_id, tenant);
ALTER TABLE jotsam_of_release.triage CLUSTER ON triage_pkey;
CREATE INDEX api_token_tenant ON jotsam_of_release.api_token USING btree (tenant, created_at);
CREATE INDEX audit_created ON jotsam_of_release.audit USING btree (tenant, created_at);
CREATE INDEX audit_tenant ON jotsam_of_release.audit USING btree (tenant, id);
CREATE INDEX change_word_at ON jotsam_of_release.change_word USING btree (tenant, at);
CREATE INDEX change_word_memory ON jotsam_of_release.change_word USING btree (memory_id, tenant);
CREATE INDEX date_range_first ON jotsam_of_release.date_range USING btree (tenant, first, until);
CREATE INDEX date_range_long ON jotsam_of_release.date_range USING btree (tenant, first, until) WHERE ((until - first) > '2764800000'::bigint);
CREATE INDEX document_job ON jotsam_of_release.document USING btree (job_id);
CREATE INDEX document_joined ON jotsam_of_release.document USING btree (tenant, joined_from) WHERE (joined_from IS NOT NULL);
CREATE UNIQUE INDEX document_key ON jotsam_of_release.document USING btree (tenant, key) WHERE (key IS NOT NULL);
CREATE INDEX document_project ON jotsam_of_release.document USING btree (tenant, project) WHERE (project IS NOT NULL);
CREATE INDEX document_source ON jotsam_of_release.document USING btree (tenant, source, id);
CREATE INDEX document_superseded_by ON jotsam_of_release.document USING btree (superseded_by, tenant) WHERE (superseded_by IS NOT NULL);
CREATE INDEX document_uncut ON jotsam_of_release.document USING btree (tenant, id) WHERE (cut_at IS NULL);
CREATE INDEX document_waiting ON jotsam_of_release.document USING btree (tenant, source) WHERE (cut_at IS NULL);
CREATE INDEX embedding_failed ON jotsam_of_release.embedding USING btree (tenant) WHERE (error IS NOT NULL);
CREATE INDEX embedding_index_tenant ON jotsam_of_release.embedding_index USING btree (tenant, embedder_id);
CREATE INDEX embedding_version ON jotsam_of_release.embedding USING btree (tenant, embedder_id, version) WHERE (bytes IS NOT NULL);
CREATE INDEX embedding_wanted ON jotsam_of_release.embedding USING btree (tenant, memory_id) WHERE (wanted = 1);
CREATE INDEX entity_canonical ON jotsam_of_release.entity USING btree (canonical_id, tenant) WHERE (canonical_id IS NOT NULL);
CREATE INDEX entity_slug ON jotsam_of_release.entity USING btree (tenant, slug);
CREATE INDEX event_job ON jotsam_of_release.event USING btree (tenant, job_id, xact, id) WHERE (job_id IS NOT NULL);
CREATE UNIQUE INDEX fact_memory ON jotsam_of_release.fact USING btree (memory_id, subject_key, predicate, object_key, tenant);
CREATE INDEX fact_object ON jotsam_of_release.fact USING btree (tenant, object_key, predicate, subject_key);
CREATE INDEX fact_subject ON jotsam_of_release.fact USING btree (tenant, subject_key, predicate);
CREATE INDEX fact_superseded ON jotsam_of_release.fact USING btree (tenant, superseded_at) WHERE (superseded_at IS NOT NULL);
CREATE INDEX fact_superseded_by ON jotsam_of_release.fact USING btree (superseded_by, tenant) WHERE (superseded_by IS NOT NULL);
CREATE INDEX held_job_tenant ON jotsam_of_release.held_job USING btree (tenant, job_id);
CREATE INDEX kept_reply_created ON jotsam_of_release.kept_reply USING btree (tenant, created_at);
CREATE INDEX ledger_day ON jotsam_of_release.ledger USING btree (tenant, day, model);
CREATE INDEX ledger_job ON jotsam_of_release.ledger USING btree (tenant, job_id) WHERE (job_id > 0);
CREATE INDEX lifecycle_run_ended ON jotsam_of_release.lifecycle_run USING btree (tenant, ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX lifecycle_run_tenant ON jotsam_of_release.lifecycle_run USING btree (tenant, id);
CREATE INDEX link_target ON jotsam_of_release.link USING btree (target_id, type, tenant);
CREATE INDEX llm_cache_memory ON jotsam_of_release.llm_cache USING btree (memory_id, tenant) WHERE (memory_id IS NOT NULL);
CREATE INDEX llm_cache_used ON jotsam_of_release.llm_cache USING btree (tenant, used_at);
CREATE INDEX memory_actor ON jotsam_of_release.memory USING btree (tenant, actor) WHERE (actor IS NOT NULL);
CREATE INDEX memory_archived_by ON jotsam_of_release.memory USING btree (archived_by, tenant) WHERE (archived_by IS NOT NULL);
CREATE INDEX memory_awaits_model ON jotsam_of_release.memory USING btree (tenant, enriched_at, id) WHERE (awaits_model_since IS NOT NULL);
CREATE INDEX memory_bounded ON jotsam_of_release.memory USING btree (tenant, id, superseded_at, archived_at, valid_from, valid_until) WHERE ((superseded_at IS NOT NULL) OR (archived_at IS NOT NULL) OR (valid_from IS NOT NULL) OR (valid_until IS NOT NULL));
CREATE INDEX memory_degraded ON jotsam_of_release.memory USING btree (tenant) WHERE (degraded IS NOT NULL);
CREATE UNIQUE INDEX memory_document ON jotsam_of_release.memory USING btree (document_id, "position", tenant) WHERE (document_id IS NOT NULL);
CREATE UNIQUE INDEX memory_external_id ON jotsam_of_release.memory USING btree (tenant, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX memory_importance ON jotsam_of_release.memory USING btree (tenant, COALESCE(importance, ('-1'::integer)::double precision), id) WHERE (COALESCE(importance, ('-1'::integer)::double precision) IS NOT NULL);
CREATE INDEX memory_job ON jotsam_of_release.memory USING btree (job_id);
CREATE INDEX memory_joined ON jotsam_of_release.memory USING btree (tenant, joined_from) WHERE (joined_from IS NOT NULL);
CREATE UNIQUE INDEX memory_key ON jotsam_of_release.memory USING btree (tenant, key) WHERE (key IS NOT NULL);
CREATE INDEX memory_not_enriched ON jotsam_of_release.memory USING btree (tenant) WHERE (enriched_at IS NULL);
CREATE INDEX memory_project ON jotsam_of_release.memory USING btree (tenant, project, COALESCE(said_at, created_at), id) WHERE (project IS NOT NULL);
CREATE INDEX memory_said ON jotsam_of_release.memory USING btree (tenant, COALESCE(said_at, created_at), id) WHERE (COALESCE(said_at, created_at) IS NOT NULL);
CREATE INDEX memory_session ON jotsam_of_release.memory USING btree (tenant, session, COALESCE(said_at, created_at), COALESCE("position", (0)::bigint), id) WHERE (session IS NOT NULL);
CREATE INDEX memory_source ON jotsam_of_release.memory USING btree (tenant, source) WHERE (source IS NOT NULL);
CREATE INDEX memory_superseded ON jotsam_of_release.memory USING btree (tenant, superseded_at) WHERE (superseded_at IS NOT NULL);
CREATE INDEX memory_superseded_by ON jotsam_of_release.memory USING btree (superseded_by, tenant) WHERE (superseded_by IS NOT NULL);
CREATE INDEX memory_tag_lower ON jotsam_of_release.memory_tag USING btree (tenant, lower(tag));
CREATE INDEX memory_tag_memory ON jotsam_of_release.memory_tag USING btree (memory_id, tenant);
CREATE INDEX memory_tenant ON jotsam_of_release.memory USING btree (tenant, id, project, actor, valid_from, valid_until, superseded_at, archived_at, said_at, created_at);
CREATE INDEX memory_type ON jotsam_of_release.memory USING btree (tenant, lower(type)) WHERE (type IS NOT NULL);
CREATE INDEX memory_typed ON jotsam_of_release.memory USING btree (tenant, project, COALESCE(said_at, created_at), id) WHERE (type <> 'Context'::text);
CREATE INDEX mention_memory ON jotsam_of_release.mention USING btree (memory_id, tenant);
CREATE INDEX metadata_index_memory ON jotsam_of_release.metadata_index USING btree (memory_id, tenant);
CREATE INDEX note_after ON jotsam_of_release.note USING btree (after_id) WHERE (after_id IS NOT NULL);
CREATE INDEX note_before ON jotsam_of_release.note USING btree (before_id) WHERE (before_id IS NOT NULL);
CREATE INDEX note_ended ON jotsam_of_release.note USING btree (ended_by) WHERE (ended_by IS NOT NULL);
CREATE INDEX note_person ON jotsam_of_release.note USING btree (tenant, said_at) WHERE (scope = 'person'::text);
CREATE INDEX note_project ON jotsam_of_release.note USING btree (tenant, project, kind, said_at);
CREATE INDEX note_reversal ON jotsam_of_release.note USING btree (tenant, said_at) WHERE ((ended_names IS NOT NULL) OR (old_names IS NOT NULL));
CREATE INDEX pattern_example_memory ON jotsam_of_release.pattern_example USING btree (memory_id, tenant);
CREATE INDEX pattern_terms_latest ON jotsam_of_release.pattern_terms USING btree (tenant, type, memory_id);
CREATE INDEX queue_count_hour ON jotsam_of_release.queue_count USING btree (hour);
CREATE INDEX queue_dead ON jotsam_of_release.queue_job USING btree (queue, tenant, id) WHERE (state = 'dead'::text);
CREATE INDEX queue_lane ON jotsam_of_release.queue_job USING btree (queue, tenant, lane, state, id) WHERE ((lane IS NOT NULL) AND (state = ANY (ARRAY['ready'::text, 'leased'::text, 'blocked'::text])));
CREATE INDEX queue_live ON jotsam_of_release.queue_job USING btree (queue, tenant, id) WHERE (state <> 'dead'::text);
CREATE INDEX queue_ready ON jotsam_of_release.queue_job USING btree (queue, priority DESC, place, id) WHERE (state = 'ready'::text);
CREATE INDEX queue_requeued ON jotsam_of_release.queue_job USING btree (queue, priority DESC, place, id) WHERE ((state = 'ready'::text) AND requeued);
CREATE INDEX queue_wake ON jotsam_of_release.queue_job USING btree (wake_at) WHERE (wake_at IS NOT NULL);
CREATE INDEX redaction_document ON jotsam_of_release.redaction USING btree (document_id, tenant) WHERE (document_id IS NOT NULL);
CREATE INDEX redaction_fingerprint ON jotsam_of_release.redaction USING btree (tenant, fingerprint) WHERE (fingerprint IS NOT NULL);
CREATE INDEX redaction_memory ON jotsam_of_release.redaction USING btree (memory_id, tenant) WHERE (memory_id IS NOT NULL);
CREATE INDEX redaction_tenant ON jotsam_of_release.redaction USING btree (tenant, id);
CREATE UNIQUE INDEX text_index_key ON jotsam_of_release.text_index USING btree (ref, part, ((tenant || ''::text)));
CREATE INDEX text_index_lexemes ON jotsam_of_release.text_index USING gin (lexemes) WITH (fastupdate='on', gin_pending_list_limit='256');
CREATE INDEX text_index_parts ON jotsam_of_release.text_index USING btree (tenant) WHERE (part > 0);
CREATE INDEX theme_member_memory ON jotsam_of_release.theme_member USING btree (memory_id, tenant);
CREATE INDEX theme_summary ON jotsam_of_release.theme USING btree (summary_id) WHERE (summary_id IS NOT NULL);
CREATE INDEX theme_tenant ON jotsam_of_release.theme USING btree (tenant, id);
CREATE INDEX title_memory ON jotsam_of_release.title USING btree (memory_id, tenant);
CREATE INDEX trash_created ON jotsam_of_release.trash USING btree (tenant, created_at);
CREATE INDEX triage_crystal ON jotsam_of_release.triage USING btree (crystal_id) WHERE (crystal_id IS NOT NULL);
CREATE INDEX triage_state ON jotsam_of_release.triage USING btree (tenant, state, kind);
CREATE TRIGGER mirror_embedding AFTER INSERT OR DELETE OR UPDATE OF embedder_id, bytes ON jotsam_of_release.embedding FOR EACH ROW EXECUTE FUNCTION jotsam_of_release.log_part_change();
CREATE TRIGGER mirror_entity AFTER UPDATE ON jotsam_of_release.entity FOR EACH ROW EXECUTE FUNCTION jotsam_of_release.log_entity_change();
CREATE TRIGGER mirror_fact AFTER INSERT OR DELETE OR UPDATE ON jotsam_of_release.fact FOR EACH ROW EXECUTE FUNCTION jotsam_of_release.log_part_change();
CREATE TRIGGER mirror_link AFTER INSERT OR DELETE OR UPDATE ON jotsam_of_release.link FOR EACH ROW EXECUTE FUNCTION jotsam_of_release.log_part_change('source_id');
CREATE TRIGGER mirror_memory AFTER INSERT OR DELETE OR UPDATE OF uuid, project, body, summary, type, importance, confidence, metadata, actor, session, source, said_at, valid_from, valid_until, external_id, created_at, changed_at, enriched_at, superseded_at, superseded_by ON jotsam_of_release.memory FOR EACH ROW EXECUTE FUNCTION jotsam_of_release.log_memory_change();
CREATE TRIGGER mirror_memory_tag AFTER INSERT OR DELETE ON jotsam_of_release.memory_tag FOR EACH ROW EXECUTE FUNCTION jotsam_of_release.log_part_change();
CREATE TRIGGER mirror_mention AFTER INSERT OR DELETE OR UPDATE ON jotsam_of_release.mention FOR EACH ROW EXECUTE FUNCTION jotsam_of_release.log_part_change();
CREATE TRIGGER queue_mark_requeued BEFORE UPDATE OF state ON jotsam_of_release.queue_job FOR EACH ROW WHEN (((new.state = 'ready'::text) AND (old.state <> 'ready'::text))) EXECUTE FUNCTION jotsam_of_release.queue_mark_requeued();
ALTER TABLE ONLY jotsam_of_release.change_word
    ADD CONSTRAINT change_word_memory_id_tenant_fkey FOREIGN KEY (memory_id, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.date_range
    ADD CONSTRAINT date_range_memory_id_tenant_fkey FOREIGN KEY (memory_id, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.document
    ADD CONSTRAINT document_superseded_by_tenant_fkey FOREIGN KEY (superseded_by, tenant) REFERENCES jotsam_of_release.document(id, tenant) ON DELETE SET NULL (superseded_by);
ALTER TABLE ONLY jotsam_of_release.embedding
    ADD CONSTRAINT embedding_embedder_id_fkey FOREIGN KEY (embedder_id) REFERENCES jotsam_of_release.embedder(id);
ALTER TABLE ONLY jotsam_of_release.embedding_index
    ADD CONSTRAINT embedding_index_memory_id_tenant_fkey FOREIGN KEY (memory_id, tenant) REFERENCES jotsam_of_release.embedding(memory_id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.embedding
    ADD CONSTRAINT embedding_memory_id_tenant_fkey FOREIGN KEY (memory_id, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.entity
    ADD CONSTRAINT entity_canonical_id_tenant_fkey FOREIGN KEY (canonical_id, tenant) REFERENCES jotsam_of_release.entity(id, tenant) ON DELETE SET NULL (canonical_id);
ALTER TABLE ONLY jotsam_of_release.fact
    ADD CONSTRAINT fact_memory_id_tenant_fkey FOREIGN KEY (memory_id, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.fact
    ADD CONSTRAINT fact_superseded_by_tenant_fkey FOREIGN KEY (superseded_by, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE SET NULL (superseded_by);
ALTER TABLE ONLY jotsam_of_release.identity
    ADD CONSTRAINT identity_entity_id_tenant_fkey FOREIGN KEY (entity_id, tenant) REFERENCES jotsam_of_release.entity(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.lifecycle_change
    ADD CONSTRAINT lifecycle_change_run_id_tenant_fkey FOREIGN KEY (run_id, tenant) REFERENCES jotsam_of_release.lifecycle_run(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.lifecycle_pair
    ADD CONSTRAINT lifecycle_pair_run_id_tenant_fkey FOREIGN KEY (run_id, tenant) REFERENCES jotsam_of_release.lifecycle_run(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.link
    ADD CONSTRAINT link_source_id_tenant_fkey FOREIGN KEY (source_id, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.link
    ADD CONSTRAINT link_target_id_tenant_fkey FOREIGN KEY (target_id, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.llm_cache
    ADD CONSTRAINT llm_cache_memory_id_tenant_fkey FOREIGN KEY (memory_id, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.memory
    ADD CONSTRAINT memory_archived_by_tenant_fkey FOREIGN KEY (archived_by, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE SET NULL (archived_by);
ALTER TABLE ONLY jotsam_of_release.memory
    ADD CONSTRAINT memory_document_id_tenant_fkey FOREIGN KEY (document_id, tenant) REFERENCES jotsam_of_release.document(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.memory
    ADD CONSTRAINT memory_superseded_by_tenant_fkey FOREIGN KEY (superseded_by, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE SET NULL (superseded_by);
ALTER TABLE ONLY jotsam_of_release.memory_tag
    ADD CONSTRAINT memory_tag_memory_id_tenant_fkey FOREIGN KEY (memory_id, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.memory_version
    ADD CONSTRAINT memory_version_memory_id_tenant_fkey FOREIGN KEY (memory_id, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.mention
    ADD CONSTRAINT mention_entity_id_tenant_fkey FOREIGN KEY (entity_id, tenant) REFERENCES jotsam_of_release.entity(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.mention
    ADD CONSTRAINT mention_memory_id_tenant_fkey FOREIGN KEY (memory_id, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.metadata_index
    ADD CONSTRAINT metadata_index_memory_id_tenant_fkey FOREIGN KEY (memory_id, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.note
    ADD CONSTRAINT note_after_id_tenant_fkey FOREIGN KEY (after_id, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.note
    ADD CONSTRAINT note_before_id_tenant_fkey FOREIGN KEY (before_id, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.note
    ADD CONSTRAINT note_ended_by_tenant_fkey FOREIGN KEY (ended_by, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE SET NULL (ended_by);
ALTER TABLE ONLY jotsam_of_release.note
    ADD CONSTRAINT note_memory_id_tenant_fkey FOREIGN KEY (memory_id, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.pattern_example
    ADD CONSTRAINT pattern_example_memory_id_tenant_fkey FOREIGN KEY (memory_id, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.pattern_example
    ADD CONSTRAINT pattern_example_pattern_id_tenant_fkey FOREIGN KEY (pattern_id, tenant) REFERENCES jotsam_of_release.pattern(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.pattern_terms
    ADD CONSTRAINT pattern_terms_memory_id_tenant_fkey FOREIGN KEY (memory_id, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.recall_count
    ADD CONSTRAINT recall_count_memory_id_tenant_fkey FOREIGN KEY (memory_id, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.redaction
    ADD CONSTRAINT redaction_document_id_tenant_fkey FOREIGN KEY (document_id, tenant) REFERENCES jotsam_of_release.document(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.redaction
    ADD CONSTRAINT redaction_memory_id_tenant_fkey FOREIGN KEY (memory_id, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.relevance
    ADD CONSTRAINT relevance_memory_id_tenant_fkey FOREIGN KEY (memory_id, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.theme_member
    ADD CONSTRAINT theme_member_memory_id_tenant_fkey FOREIGN KEY (memory_id, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.theme_member
    ADD CONSTRAINT theme_member_theme_id_tenant_fkey FOREIGN KEY (theme_id, tenant) REFERENCES jotsam_of_release.theme(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.theme
    ADD CONSTRAINT theme_summary_id_tenant_fkey FOREIGN KEY (summary_id, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE SET NULL (summary_id);
ALTER TABLE ONLY jotsam_of_release.title
    ADD CONSTRAINT title_memory_id_tenant_fkey FOREIGN KEY (memory_id, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE CASCADE;
ALTER TABLE ONLY jotsam_of_release.triage
    ADD CONSTRAINT triage_crystal_id_tenant_fkey FOREIGN KEY (crystal_id, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE SET NULL (crystal_id);
ALTER TABLE ONLY jotsam_of_release.triage
    ADD CONSTRAINT triage_memory_id_tenant_fkey FOREIGN KEY (memory_id, tenant) REFERENCES jotsam_of_release.memory(id, tenant) ON DELETE CASCADE;
ALTER TABLE jotsam_of_release.allowed_secret ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.api_token ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.audit ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.change_word ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.date_range ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.document ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.embedding ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.embedding_index ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.entity ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.event ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.event_pruned ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.fact ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.identity ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.kept_reply ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.ledger ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.lifecycle_change ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.lifecycle_pair ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.lifecycle_refusal ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.lifecycle_run ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.lifecycle_schedule ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.link ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.llm_cache ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.memory ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.memory_block ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.memory_tag ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.memory_version ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.mention ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.metadata_index ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.mirror_change ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.mirror_progress ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.note ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.pattern ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.pattern_example ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.pattern_lock ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.pattern_terms ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.project ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.recall_count ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.redaction ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.relevance ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant_isolation ON jotsam_of_release.allowed_secret USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.api_token USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text))) WITH CHECK ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.audit USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.change_word USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.date_range USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.document USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.embedding USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.embedding_index USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.entity USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.event USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.event_pruned USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.fact USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.identity USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.kept_reply USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.ledger USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.lifecycle_change USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.lifecycle_pair USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.lifecycle_refusal USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.lifecycle_run USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.lifecycle_schedule USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.link USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.llm_cache USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.memory USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.memory_block USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.memory_tag USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.memory_version USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.mention USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.metadata_index USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.mirror_change USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.mirror_progress USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.note USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.pattern USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.pattern_example USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.pattern_lock USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.pattern_terms USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.project USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.recall_count USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.redaction USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.relevance USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.text_count USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.text_index USING (((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)) AND (lexemes @@ (COALESCE(NULLIF(current_setting('jotsam.search'::text, true), ''::text), '!''-'''::text))::tsquery))) WITH CHECK ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.theme USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.theme_member USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.title USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.tombstone USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.tombstone_key USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.trash USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
CREATE POLICY tenant_isolation ON jotsam_of_release.triage USING ((tenant = NULLIF(current_setting('jotsam.tenant'::text, true), ''::text)));
ALTER TABLE jotsam_of_release.text_count ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.text_index ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.theme ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.theme_member ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.title ENABLE ROW LEVEL SECURITY;
CREATE POLICY token_lookup ON jotsam_of_release.api_token FOR SELECT USING (((id = NULLIF(current_setting('jotsam.token'::text, true), ''::text)) OR (current_setting('jotsam.token'::text, true) = '*'::text)));
ALTER TABLE jotsam_of_release.tombstone ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.tombstone_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.trash ENABLE ROW LEVEL SECURITY;
ALTER TABLE jotsam_of_release.triage ENABLE ROW LEVEL SECURITY;
