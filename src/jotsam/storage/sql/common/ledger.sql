-- name: reserve
-- A single statement, so that concurrent workers cannot exceed the cap together.
insert into daily_spend (day, tokens, cost, reserved_tokens, reserved_cost, reserved_until)
values (:day, :tokens, :cost, :tokens, :cost, :until)
on conflict (day) do update
set tokens = daily_spend.tokens + excluded.tokens, cost = daily_spend.cost + excluded.cost,
  reserved_tokens = daily_spend.reserved_tokens + excluded.tokens,
  reserved_cost = daily_spend.reserved_cost + excluded.cost,
  reserved_until = case
    when daily_spend.reserved_until > excluded.reserved_until then daily_spend.reserved_until
    else excluded.reserved_until
  end
where daily_spend.tokens + excluded.tokens <= :most_tokens and daily_spend.cost + excluded.cost <= :most_cost
returning tokens;

-- name: add
insert into ledger (tenant, day, job_id, model, purpose, state, tokens_in, tokens_out, cost, created_at)
values (:tenant, :day, :job_id, :model, :purpose, 'open', :tokens_in, :tokens_out, :cost, :now)
returning id;

-- name: get
select *
from ledger
where id = :id and tenant = :tenant;

-- name: settle
update ledger
set state = 'done', tokens_in = :tokens_in, tokens_cached = :tokens_cached, tokens_out = :tokens_out, cost = :cost
where id = :id and tenant = :tenant;

-- name: spend
-- Replaces a reservation by the actual amounts, as differences.
update daily_spend
set tokens = tokens + :tokens, cost = cost + :cost,
  reserved_tokens = reserved_tokens + :reserved_tokens, reserved_cost = reserved_cost + :reserved_cost
where day = :day;

-- name: add_use
insert into model_use (model, purpose, calls, tokens_in, tokens_out, cost)
values (:model, :purpose, 1, :tokens_in, :tokens_out, :cost)
on conflict (model, purpose) do update
set calls = model_use.calls + 1,
  tokens_in = model_use.tokens_in + excluded.tokens_in,
  tokens_out = model_use.tokens_out + excluded.tokens_out,
  cost = model_use.cost + excluded.cost;

-- name: use_of_all
select model, purpose, calls, tokens_in, tokens_out, cost
from model_use
order by model, purpose;

-- name: drop
delete from ledger
where id = :id and tenant = :tenant;

-- name: spent
select tokens, cost, reserved_tokens, reserved_cost, reserved_until
from daily_spend
where day = :day;

-- name: by_model
select
  model, purpose, count(*) as calls, cast(sum(tokens_in) as bigint) as tokens_in,
  cast(sum(tokens_cached) as bigint) as tokens_cached, cast(sum(tokens_out) as bigint) as tokens_out,
  sum(cost) as cost, sum(case when state = 'open' then 1 else 0 end) as open
from ledger
where tenant = :tenant and day between :first and :last
group by model, purpose
order by model, purpose;

-- name: by_day
select day, model, count(*) as calls, cast(sum(tokens_in + tokens_out) as bigint) as tokens, sum(cost) as cost
from ledger
where tenant = :tenant and day between :first and :last
group by day, model
order by day desc, model;

-- name: of_job
select job_id, model, purpose, state, tokens_in, tokens_cached, tokens_out, cost, created_at as at
from ledger
where tenant = :tenant and job_id = :job_id and job_id > 0
order by id;

-- name: cached_reply
select body, used_at
from llm_cache
where tenant = :tenant and key = :key and body <> '';

-- name: count_replies
select count(*) as replies
from (
  select key
  from llm_cache
  where tenant = :tenant and used_at >= :since and created_at >= :since and extractor = :extractor and body <> ''
  limit :limit
) later;

-- name: claim_reply
-- Claims a key before the model call. Until the answer is saved, `body` is empty, `extractor` holds the name of the
-- caller, and `used_at` the time at which the claim expires.
insert into llm_cache (tenant, key, body, extractor, created_at, used_at)
values (:tenant, :key, '', :extractor, :now, :until)
on conflict (tenant, key) do update
set extractor = excluded.extractor, created_at = excluded.created_at, used_at = excluded.used_at
where llm_cache.body = '' and (llm_cache.extractor = excluded.extractor or llm_cache.used_at <= :now)
returning key;

-- name: release_reply
delete from llm_cache
where tenant = :tenant and key = :key and body = '';

-- name: save_reply
-- Nothing is saved if the memory was forgotten, or has another job since, because its text was changed.
insert into llm_cache (tenant, key, body, extractor, created_at, used_at, memory_id)
select tenant, :key, :body, :extractor, :now, :now, id
from memory
where tenant = :tenant and id = :memory_id and job_id = coalesce(cast(:job_id as bigint), job_id)
on conflict (tenant, key) do update
set body = excluded.body, extractor = excluded.extractor, created_at = :now, used_at = :now,
  memory_id = excluded.memory_id;

-- name: touch_reply
update llm_cache
set used_at = :now
where tenant = :tenant and key = :key;

-- name: prune_replies
delete from llm_cache
where tenant = :tenant and key in (
  select key
  from llm_cache
  where tenant = :tenant and used_at < :before
  order by used_at
  limit :limit
)
returning key;

-- name: delete_reply
delete from llm_cache
where tenant = :tenant and key = :key;
