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
