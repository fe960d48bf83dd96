-- Groups of similar memories, the memories that summarise them, and duplicates that were merged.

-- name: every
-- Those with most members first.
select t.id, t.uuid, t.project, t.name, t.terms, t.created_at, s.uuid as summary, count(n.memory_id) as members
from theme t
left join memory s on s.id = t.summary_id and s.tenant = t.tenant
left join theme_member n on n.theme_id = t.id and n.tenant = t.tenant
where t.tenant = :tenant and (cast(:project as text) is null or t.project = :project)
group by t.id, t.tenant, t.uuid, t.project, t.name, t.terms, t.created_at, s.uuid
order by count(n.memory_id) desc, t.id
limit :limit;

-- name: of_memory
select t.id, t.uuid, t.project, t.name, t.terms, t.created_at, s.uuid as summary, (
  select count(*)
  from theme_member o
  where o.theme_id = t.id and o.tenant || '' = :tenant
) as members
from theme_member n
join theme t on t.id = n.theme_id and t.tenant = n.tenant
left join memory s on s.id = t.summary_id and s.tenant = t.tenant
where n.tenant || '' = :tenant and n.memory_id = :memory_id
order by t.id;

-- name: member_uuids
select m.uuid
from theme_member n
join memory m on m.id = n.memory_id and m.tenant = n.tenant
where n.tenant = :tenant and n.theme_id = :theme_id
order by m.id
limit :limit;

-- name: all_members
select t.uuid, n.memory_id, s.uuid as summary
from theme t
left join theme_member n on n.theme_id = t.id and n.tenant = t.tenant
left join memory s on s.id = t.summary_id and s.tenant = t.tenant
where t.tenant = :tenant
order by t.id, n.memory_id;

-- name: get
select id, uuid, project, name, terms, summary_id
from theme
where tenant || '' = :tenant and uuid = :uuid;

-- name: members
select memory_id
from theme_member
where tenant = :tenant and theme_id = :theme_id
order by memory_id;

-- name: add
insert into theme (uuid, tenant, project, joined_from, name, terms, created_at)
values (:uuid, :tenant, :project, :joined_from, :name, :terms, :now)
returning id;

-- name: restore
insert into theme (id, uuid, tenant, project, joined_from, name, terms, summary_id, created_at)
values (:id, :uuid, :tenant, :project, :joined_from, :name, :terms, (
  select id
  from memory
  where tenant = :tenant and id = :summary_id
), :now);

-- name: update
update theme
set name = :name, terms = :terms
where tenant = :tenant and id = :id;

-- name: set_summary
update theme
set summary_id = (
  select id
  from memory
  where tenant = :tenant and id = cast(:summary_id as bigint)
)
where tenant = :tenant and id = :id;

-- name: delete
delete from theme
where tenant = :tenant and id = :id;

-- name: clear_members
delete from theme_member
where tenant = :tenant and theme_id = :theme_id;

-- name: add_members
-- Those that still exist, in the theme's project.
insert into theme_member (tenant, theme_id, memory_id)
select :tenant, :theme_id, m.id
from memory m
where m.tenant || '' = :tenant and m.id {list.any_id members}
  and m.project is not distinct from cast(:project as text);

-- name: add_summary
-- It is archived from the beginning: an answer shows it after its sources, and never instead of them. The text index
-- does not hold it, so that it changes no ranking.
insert into memory (
  uuid, tenant, project, joined_from, body, summary, type, actor, said_at, job_id, created_at, enriched_at, archived_at,
  extractor, type_by
)
values (
  :uuid, :tenant, :project, :joined_from, :body, :summary, 'Context', :actor, :said_at, 0, :now, :now, :now, 'cluster',
  :made_by
)
returning id;

-- name: restore_summary
insert into memory (
  id, uuid, tenant, project, joined_from, body, summary, type, actor, said_at, job_id, created_at, enriched_at,
  archived_at, extractor, type_by
)
values (
  :id, :uuid, :tenant, :project, :joined_from, :body, :summary, 'Context', :actor, :said_at, 0, :created_at,
  :enriched_at, :archived_at, 'cluster', :made_by
);

-- name: summary
-- A summary as it was made.
select id, uuid, project, body, summary, actor, said_at, type_by as made_by, created_at, enriched_at, archived_at
from memory
where tenant = :tenant and id = :id and extractor = 'cluster' and version = 1 and archived_at is not null
  and archived_by is null and type = 'Context';

-- name: sources_of_summary
select target_id as id
from link
where tenant = :tenant and source_id = :id and type = 'SUMMARIZES' and extractor = 'cluster'
order by target_id;

-- name: link_sources
insert into link (tenant, source_id, target_id, type, weight, created_at, extractor)
select :tenant, :id, m.id, 'SUMMARIZES', 1, :now, 'cluster'
from memory m
where m.tenant || '' = :tenant and m.id {list.any_id members}
on conflict do nothing;

-- name: summaries_of
-- The summaries of the themes of these memories.
select distinct t.summary_id as id, t.id as theme
from theme_member n
join theme t on t.id = n.theme_id and t.tenant = n.tenant
where n.tenant || '' = :tenant and n.memory_id {list.any_id refs} and t.summary_id is not null
order by id;

-- name: given_tags
select tag
from memory_tag
where tenant || '' = :tenant and memory_id = :memory_id and extractor is null
  and tag not in (select o.tag from memory_tag o where o.tenant || '' = :tenant and o.memory_id = :other)
order by tag;

-- name: untag
delete from memory_tag
where tenant || '' = :tenant and memory_id = :memory_id and tag = :tag and extractor is null;

-- name: unlink
delete from link
where tenant = :tenant and source_id = :source_id and target_id = :target_id and type = :type and extractor = 'cluster';

-- name: merged
-- What was merged into a memory, directly and through others, in the order in which it was said.
with recursive copy (id) as (
  select id
  from memory
  where tenant = :tenant and archived_by = :id
  union
  select m.id
  from copy
  join memory m on m.archived_by = copy.id
  where m.tenant || '' = :tenant
)
select m.uuid, m.source, m.session, m.actor, coalesce(m.said_at, m.created_at) as at
from copy
join memory m on m.id = copy.id
where m.tenant || '' = :tenant
order by at, m.id
limit :limit;

-- name: unlink_merged
delete from link
where tenant = :tenant and type = 'DUPLICATE_OF' and extractor = 'cluster' and (source_id = :id or target_id = :id);
