-- Row-level security: a transaction sees the rows of the tenant in `jotsam.tenant`, and nothing without that
-- setting. It is forced, so that it applies to the owner of the tables too. Superusers bypass it.
alter table document enable row level security, force row level security;
create policy tenant_isolation on document using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table memory enable row level security, force row level security;
create policy tenant_isolation on memory using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table memory_version enable row level security, force row level security;
create policy tenant_isolation on memory_version using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table recall_count enable row level security, force row level security;
create policy tenant_isolation on recall_count using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table memory_tag enable row level security, force row level security;
create policy tenant_isolation on memory_tag using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table metadata_index enable row level security, force row level security;
create policy tenant_isolation on metadata_index using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table date_range enable row level security, force row level security;
create policy tenant_isolation on date_range using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table title enable row level security, force row level security;
create policy tenant_isolation on title using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table change_word enable row level security, force row level security;
create policy tenant_isolation on change_word using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table entity enable row level security, force row level security;
create policy tenant_isolation on entity using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table fact enable row level security, force row level security;
create policy tenant_isolation on fact using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table llm_cache enable row level security, force row level security;
create policy tenant_isolation on llm_cache using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table ledger enable row level security, force row level security;
create policy tenant_isolation on ledger using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table embedding enable row level security, force row level security;
create policy tenant_isolation on embedding using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table pattern_lock enable row level security, force row level security;
create policy tenant_isolation on pattern_lock using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table allowed_secret enable row level security, force row level security;
create policy tenant_isolation on allowed_secret using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table tombstone enable row level security, force row level security;
create policy tenant_isolation on tombstone using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table tombstone_key enable row level security, force row level security;
create policy tenant_isolation on tombstone_key using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table memory_block enable row level security, force row level security;
create policy tenant_isolation on memory_block using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table trash enable row level security, force row level security;
create policy tenant_isolation on trash using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table kept_reply enable row level security, force row level security;
create policy tenant_isolation on kept_reply using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table redaction enable row level security, force row level security;
create policy tenant_isolation on redaction using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table pattern enable row level security, force row level security;
create policy tenant_isolation on pattern using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table pattern_terms enable row level security, force row level security;
create policy tenant_isolation on pattern_terms using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table mention enable row level security, force row level security;
create policy tenant_isolation on mention using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table link enable row level security, force row level security;
create policy tenant_isolation on link using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table pattern_example enable row level security, force row level security;
create policy tenant_isolation on pattern_example using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table text_count enable row level security, force row level security;
create policy tenant_isolation on text_count using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
alter table audit enable row level security, force row level security;
create policy tenant_isolation on audit using (tenant = nullif(current_setting('jotsam.tenant', true), ''));

-- `look_up_token` finds the token of a request by its id, which is in the setting `jotsam.token` meanwhile. `*`, which
-- is the id of none, shows all: `token_tenants` lists the tenants for copying a database.
alter table api_token enable row level security, force row level security;
create policy tenant_isolation on api_token
using (
  tenant = nullif(current_setting('jotsam.tenant', true), '')
  or id = nullif(current_setting('jotsam.token', true), '')
  or current_setting('jotsam.token', true) = '*'
)
with check (tenant = nullif(current_setting('jotsam.tenant', true), ''));

-- A search passes its tsquery in the setting `jotsam.search`, and the policy applies it. `@@` is not leakproof, so
-- under row-level security a condition of the query itself could not use the index. The tenant is compared in any
-- case. Without the setting all texts of the tenant match, because none contains the word `-`.
alter table text_index enable row level security, force row level security;
create policy tenant_isolation on text_index
using (
  tenant = nullif(current_setting('jotsam.tenant', true), '')
  and lexemes @@ cast(coalesce(nullif(current_setting('jotsam.search', true), ''), '!''-''') as tsquery)
)
with check (tenant = nullif(current_setting('jotsam.tenant', true), ''));

-- How often a text has a term, each time by its weight. `ts_rank` of one term is the sum of 1 / n^2 for its n-th
-- occurrence, divided by the limit of that sum; what is missing to the limit tells how many they are.
create function term_frequency(rank real) returns double precision
language sql immutable parallel safe
return 1 / (1.64494 - 1.64493406685 * rank) - (1.64494 - 1.64493406685 * rank) / 12 - 0.5;

-- The tenant's texts for each tsquery of a JSON list, with what bm25 needs: how often a text has the term, and its length.
-- `place` is the position in the list, from 1. A text is returned once per term; its parts are merged only if the tenant
-- has texts of several parts, because that takes as long as finding them. The terms are searched one after the other, so
-- that the index returns only texts that contain a term. Under row-level security the policy alone filters: the same
-- condition again would decompress every text twice. A role that bypasses it needs the condition.
create function rank_terms(terms text) returns table (ref bigint, place bigint, frequency double precision, length bigint)
language plpgsql rows 10000 as $$
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

-- How many of the tenant's texts match each tsquery of a JSON list, counted up to `most`, which keeps it from reading
-- all of them. `place` as in `rank_terms`, and so is what the policy filters.
create function count_terms(terms text, most bigint) returns table (place bigint, texts bigint)
language plpgsql rows 10 as $$
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
