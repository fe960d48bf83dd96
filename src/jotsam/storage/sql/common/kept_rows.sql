-- What the trash keeps of memories and documents besides the lines of an export: the ids of rows that are deleted with
-- them, and the rows that no line has. For each name in `kept_rows.KEPT` there is a query that reads and one that writes.

-- name: ids
-- By UUID or name: of these memories and documents, of their facts, and of the entities and patterns that nothing else
-- has. Redactions are numbered as in the lines.
select uuid as name, id
from memory
where tenant || '' = :tenant and id {list.any_id memories}
union all
select uuid, id
from document
where tenant || '' = :tenant and id {list.any_id documents}
union all
select uuid, id
from fact
where tenant || '' = :tenant and memory_id {list.any_id memories}
union all
select 'entity:' || e.category || ':' || e.slug, e.id
from entity e
where e.tenant || '' = :tenant and {chosen.entity}
union all
select 'pattern:' || p.type || ':' || p.slug, p.id
from pattern p
where p.tenant || '' = :tenant
  and p.id in (
    select x.pattern_id
    from pattern_example x
    where x.tenant || '' = :tenant and x.memory_id {list.any_id memories}
  )
  and not exists (
    select 1
    from pattern_example x
    where x.tenant || '' = :tenant and x.pattern_id = p.id and not x.memory_id {list.any_id memories}
  )
union all
select 'redaction:' || m.uuid || ':' || row_number() over (partition by r.memory_id order by r.id), r.id
from redaction r
join memory m on m.id = r.memory_id and m.tenant = r.tenant
where r.tenant || '' = :tenant and r.memory_id {list.any_id memories}
union all
select 'redaction:' || d.uuid || ':' || row_number() over (partition by r.document_id order by r.id), r.id
from redaction r
join document d on d.id = r.document_id and d.tenant = r.tenant
where r.tenant || '' = :tenant and r.document_id {list.any_id documents};

-- name: order
-- The links of a turn to those before it, but for these.
select source_id, target_id, weight, extractor, properties, created_at
from link
where tenant || '' = :tenant and source_id = :id and type = 'PRECEDED_BY' and not target_id {list.any_id memories};

-- name: clear_order
-- Those that were made while these memories were gone. A link of a caller stays.
delete from link
where tenant = :tenant and source_id = :id and type = 'PRECEDED_BY' and extractor is not null
  and not target_id {list.any_id memories};

-- name: write_order
insert into link (tenant, source_id, target_id, type, weight, extractor, properties, created_at)
select m.tenant, :source_id, m.id, 'PRECEDED_BY', :weight, :extractor, :properties, :created_at
from memory m
where m.tenant = :tenant and m.id = :target_id
on conflict (source_id, type, target_id, tenant) do update set
  weight = excluded.weight, extractor = excluded.extractor, properties = excluded.properties,
  created_at = excluded.created_at;

-- name: job
-- Of what no job is to be sent for again.
select id, job_id
from memory
where tenant || '' = :tenant and id {list.any_id memories} and enriched_at is not null;

-- name: write_job
update memory
set job_id = :job_id
where tenant = :tenant and id = :id and enriched_at is not null;

-- name: document_job
select id, job_id
from document
where tenant || '' = :tenant and id {list.any_id documents} and cut_at is not null;

-- name: write_document_job
update document
set job_id = :job_id
where tenant = :tenant and id = :id and cut_at is not null;

-- name: relevance
select memory_id, relevance
from relevance
where tenant || '' = :tenant and memory_id {list.any_id memories};

-- name: write_relevance
insert into relevance (tenant, memory_id, relevance)
select m.tenant, m.id, :relevance
from memory m
where m.tenant = :tenant and m.id = :memory_id
on conflict do nothing;

-- name: theme_member
select theme_id, memory_id
from theme_member
where tenant || '' = :tenant and memory_id {list.any_id memories};

-- name: write_theme_member
insert into theme_member (tenant, theme_id, memory_id)
select t.tenant, t.id, m.id
from theme t
join memory m on m.tenant = t.tenant and m.id = :memory_id
where t.tenant = :tenant and t.id = :theme_id
on conflict do nothing;

-- name: theme_summary
select id, summary_id
from theme
where tenant || '' = :tenant and summary_id {list.any_id memories};

-- name: write_theme_summary
update theme
set summary_id = (
  select m.id
  from memory m
  where m.tenant = :tenant and m.id = :summary_id
)
where tenant = :tenant and id = :id and summary_id is null;

-- name: is_without_summary
-- Whether a theme has no summary, and every source of the former one is stored.
select id
from theme
where tenant = :tenant and id = :id and summary_id is null and :sources_count = (
  select count(*)
  from memory m
  where m.tenant || '' = :tenant and m.id {list.any_id sources}
);

-- name: triage
select memory_id, version, text_version, judged_by, kind, title, confidence, state, reason, crystal_id
from triage
where tenant || '' = :tenant and memory_id {list.any_id memories};

-- name: write_triage
insert into triage (
  tenant, memory_id, version, text_version, judged_by, kind, title, confidence, state, reason, crystal_id
)
select m.tenant, m.id, :version, :text_version, :judged_by, :kind, :title, :confidence, :state, :reason, (
  select c.id
  from memory c
  where c.tenant = :tenant and c.id = cast(:crystal_id as bigint)
)
from memory m
where m.tenant = :tenant and m.id = :memory_id
on conflict do nothing;

-- name: note
select
  memory_id, position, before_id, after_id, project, kind, scope, body, problem, old_names, terms, sure, said_at,
  ended_by,
  ended_position, ended_how, ended_names, verdict
from note
where tenant || '' = :tenant
  and (memory_id {list.any_id memories} or before_id {list.any_id memories} or after_id {list.any_id memories});

-- name: write_note
insert into note (
  tenant, memory_id, position, before_id, after_id, project, kind, scope, body, problem, old_names, terms, sure, said_at,
  ended_by,
  ended_position, ended_how, ended_names, verdict
)
select m.tenant, m.id, :position, :before_id, :after_id, m.project, :kind, :scope, :body, :problem, :old_names, :terms,
  :sure, :said_at, (
    select e.id
    from memory e
    where e.tenant = :tenant and e.id = cast(:ended_by as bigint)
  ), :ended_position, :ended_how, :ended_names, :verdict
from memory m
where m.tenant = :tenant and m.id = :memory_id
  and (cast(:before_id as bigint) is null
    or exists (select 1 from memory b where b.tenant = :tenant and b.id = cast(:before_id as bigint)))
  and (cast(:after_id as bigint) is null
    or exists (select 1 from memory a where a.tenant = :tenant and a.id = cast(:after_id as bigint)))
on conflict do nothing;

-- name: note_ended
-- Those that stay and were ended by one that goes.
select memory_id, position, ended_by
from note
where tenant || '' = :tenant and ended_by {list.any_id memories} and not memory_id {list.any_id memories};

-- name: write_note_ended
update note
set ended_by = (
  select m.id
  from memory m
  where m.tenant = :tenant and m.id = :ended_by
)
where tenant = :tenant and memory_id = :memory_id and position = :position and ended_by is null;

-- name: triage_crystal
-- The sources that stay of crystals that go.
select memory_id, crystal_id
from triage
where tenant || '' = :tenant and crystal_id {list.any_id memories} and not memory_id {list.any_id memories};

-- name: write_triage_crystal
update triage
set crystal_id = (
  select m.id
  from memory m
  where m.tenant = :tenant and m.id = :crystal_id
)
where tenant = :tenant and memory_id = :memory_id and crystal_id is null;

-- name: merge
-- Entities that lose the one that they were merged into, or go themselves.
select e.id, e.canonical_id
from entity e
where e.tenant || '' = :tenant and e.canonical_id is not null and {chosen.entity}
union
select a.id, a.canonical_id
from entity a
join entity e on e.id = a.canonical_id and e.tenant = a.tenant
where e.tenant || '' = :tenant and {chosen.entity};

-- name: write_merge
update entity
set canonical_id = (
  select c.id
  from entity c
  where c.tenant = :tenant and c.id = :canonical_id
)
where tenant = :tenant and id = :id and canonical_id is null;

-- name: orphan_entities
select id, category, slug, name, canonical_id
from entity
where tenant || '' = :tenant and id {list.any_id entities};

-- name: orphan_patterns
select id, type, slug, terms, created_at
from pattern
where tenant || '' = :tenant and id {list.any_id patterns};

-- name: identity
-- Texts about entities that go, and those that were made of a fact that goes.
select y.entity_id, y.body, y.sources, y.hash, y.made_by, y.changed_at
from identity y
join entity e on e.id = y.entity_id and e.tenant = y.tenant
where y.tenant = :tenant and ({chosen.entity} or exists (
  select 1
  from fact f
  where f.tenant || '' = :tenant and f.memory_id {list.any_id memories} and y.sources like '%' || f.uuid || '%'
));

-- name: write_identity
insert into identity (tenant, entity_id, body, sources, hash, made_by, changed_at)
select e.tenant, e.id, :body, :sources, :hash, :made_by, :changed_at
from entity e
where e.tenant = :tenant and e.id = :entity_id
on conflict do nothing;

-- name: llm_cache
select key, body, extractor, created_at, used_at, memory_id
from llm_cache
where tenant || '' = :tenant and memory_id {list.any_id memories};

-- name: write_llm_cache
insert into llm_cache (tenant, key, body, extractor, created_at, used_at, memory_id)
select m.tenant, :key, :body, :extractor, :created_at, :used_at, m.id
from memory m
where m.tenant = :tenant and m.id = :memory_id
on conflict do nothing;

-- name: embedding
-- What a line does not say: that a vector is wanted, or that there is none, and why.
select memory_id, error, wanted
from embedding
where tenant || '' = :tenant and memory_id {list.any_id memories} and (wanted = 1 or error is not null or bytes is null);

-- name: write_embedding
insert into embedding (tenant, memory_id, error, wanted)
select m.tenant, m.id, cast(:error as text), cast(:wanted as bigint)
from memory m
where m.tenant = :tenant and m.id = :memory_id
on conflict (memory_id, tenant) do update set error = excluded.error, wanted = excluded.wanted;
