-- What the dashboard shows of a tenant. No query reads more than a given number of rows, however much is stored.

-- name: counts
-- Each number is counted up to `limit`, from an index alone.
select
  (select count(*) from (select id from document where tenant = :tenant limit :limit) d) as documents,
  (select count(*) from (select id from memory where tenant = :tenant limit :limit) m) as memories,
  (select count(*) from (select id from entity where tenant = :tenant limit :limit) e) as entities,
  (select count(*) from (select id from fact where tenant = :tenant limit :limit) f) as facts,
  (
    select count(*) from (select id from memory where tenant = :tenant and enriched_at is null limit :limit) m
  ) as not_enriched,
  (
    select count(*) from (select id from memory where tenant = :tenant and degraded is not null limit :limit) m
  ) as degraded,
  (
    select count(*)
    from (select id from memory where tenant = :tenant and awaits_model_since is not null limit :limit) m
  ) as awaiting_model,
  (
    select count(*) from (select memory_id from embedding where tenant = :tenant and wanted = 1 limit :limit) v
  ) as not_embedded,
  (
    select count(*) from (select memory_id from embedding where tenant = :tenant and error is not null limit :limit) v
  ) as not_embeddable;

-- name: latest_events
select xact, id, at, type, subject, job_id, data
from event
where tenant = :tenant
order by xact desc, id desc
limit :limit;

-- name: requests
-- The requests to models of the latest days, by day, model and purpose: the latest `limit` only.
select
  day, model, purpose, count(*) as calls, cast(sum(tokens_in) as bigint) as tokens_in,
  cast(sum(tokens_cached) as bigint) as tokens_cached, cast(sum(tokens_out) as bigint) as tokens_out,
  sum(cost) as cost
from (
  select day, model, purpose, tokens_in, tokens_cached, tokens_out, cost
  from ledger
  where tenant = :tenant and day >= :first
  order by day desc
  limit :limit
) latest
group by day, model, purpose
order by day desc, model, purpose;

-- name: most_expensive_jobs
-- Among the same requests.
select
  job_id, max(model) as model, max(purpose) as purpose, max(day) as day, count(*) as calls,
  cast(sum(tokens_in + tokens_out) as bigint) as tokens, sum(cost) as cost
from (
  select job_id, model, purpose, day, tokens_in, tokens_out, cost
  from ledger
  where tenant = :tenant and day >= :first
  order by day desc
  limit :limit
) latest
where job_id > 0
group by job_id
order by cost desc, tokens desc, job_id desc
limit :jobs;

-- name: spent_days
-- What all tenants together have spent or reserved by day: there is one cap. One row per day.
select day, tokens, cost
from daily_spend
where day >= :first
order by day;
