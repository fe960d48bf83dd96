-- name: newest
-- What is there when nothing is asked in words.
select m.id as ref, cast(1 as double precision) as score, count(*) over () as total
from memory m
where m.tenant = :tenant and {shown.memory}
order by coalesce(m.said_at, m.valid_from, m.created_at) desc, m.id desc
limit :limit;

-- name: typed
-- The same of memories of a type, however it is written.
select m.id as ref, cast(1 as double precision) as score, count(*) over () as total
from memory m
where m.tenant = :tenant and m.type is not null and lower(m.type) in (:type, :other) and {shown.memory}
order by coalesce(m.said_at, m.valid_from, m.created_at) desc, m.id desc
limit :limit;

-- name: tags_like
-- In a prefix a slash is as good as a colon.
select distinct tag
from memory_tag
where tenant = :tenant
  and substr(replace(lower(tag), '/', ':'), 1, length(cast(:prefix as text))) = replace(lower(cast(:prefix as text)), '/', ':')
order by tag;

-- name: having
-- What has a value under a key in its metadata, by the mark of both.
select memory_id as ref
from memory_mark
where tenant = :tenant and mark = :mark;
