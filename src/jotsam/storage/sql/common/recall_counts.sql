-- How often memories were in answers.

-- name: add
-- A memory that was forgotten meanwhile is left out.
insert into recall_count (tenant, memory_id, recalls, recalled_at)
select m.tenant, m.id, :recalls, :recalled_at
from memory m
where m.tenant = :tenant and m.uuid = :uuid
on conflict (memory_id, tenant) do update set
  recalls = recall_count.recalls + excluded.recalls,
  recalled_at = case
    when recall_count.recalled_at < excluded.recalled_at then excluded.recalled_at
    else recall_count.recalled_at
  end;

-- name: of_memory
select recalls, recalled_at
from recall_count
where tenant = :tenant and memory_id = :memory_id;
