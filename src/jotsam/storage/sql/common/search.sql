-- name: tags_like
-- In a prefix a slash is as good as a colon.
select distinct tag
from memory_tag
where tenant = :tenant
  and substr(replace(lower(tag), '/', ':'), 1, length(cast(:prefix as text))) = replace(lower(cast(:prefix as text)), '/', ':')
order by tag;
