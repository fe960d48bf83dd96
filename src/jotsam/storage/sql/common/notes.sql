-- name: before
-- The memories of a session before a place, the latest first, with the chunks of long turns.
select
  id, uuid, actor, source, body, project, document_id, coalesce(said_at, created_at) as at, created_at, enriched_at,
  version
from memory
where tenant = :tenant and session = :session and superseded_at is null
  and coalesce(said_at, created_at) <= :at
  and (coalesce(said_at, created_at), coalesce(position, 0), id) < (:at, :place, :id)
order by coalesce(said_at, created_at) desc, coalesce(position, 0) desc, id desc
limit :limit;

-- name: from
-- The memories of a session from a place on.
select
  id, uuid, actor, source, body, project, document_id, coalesce(said_at, created_at) as at, created_at, enriched_at,
  version
from memory
where tenant = :tenant and session = :session and superseded_at is null
  and coalesce(said_at, created_at) >= :at
  and (coalesce(said_at, created_at), coalesce(position, 0), id) >= (:at, :place, :id)
order by coalesce(said_at, created_at), coalesce(position, 0), id
limit :limit;

-- name: unread_sessions
-- The sessions of which an earlier release enriched turns, and made no notes, with the number of those turns. Without
-- those that are queued to be enriched again.
select m.session, count(*) as turns
from memory m
left join queue_job j on j.id = m.job_id
where m.tenant = :tenant and m.session is not null and m.superseded_at is null
  and m.enriched_at < {note.read_since} and (j.state is null or j.state = 'dead')
group by m.session
order by max(coalesce(m.said_at, m.created_at)) desc, m.session;

-- name: of_memories
select position, project, kind, body, terms, sure, ended_by, ended_position, ended_how, ended_names, verdict
from note
where tenant = :tenant and memory_id {list.any_id memories}
order by memory_id, position;

-- name: delete
-- Those of the rules, which have the places below that of the first one of a model.
delete from note
where tenant = :tenant and memory_id = :memory_id and position < :below;

-- name: release
-- What the notes of memories with these positions ended holds again.
update note
set ended_by = null, ended_position = null, ended_how = null, ended_names = null
where tenant = :tenant and ended_by {list.any_id memories} and not memory_id {list.any_id memories}
  and ended_position >= :first and ended_position < :below
returning {note.compared};

-- name: written
select {note.compared}
from note
where tenant = :tenant and memory_id {list.any_id memories}
order by said_at, memory_id, position;

-- name: endings
select memory_id, position, ended_by, ended_position, ended_how, ended_names
from note
where tenant = :tenant and ended_by {list.any_id memories} and not memory_id {list.any_id memories};

-- name: end_again
update note
set ended_by = :ended_by, ended_position = :ended_position, ended_how = :ended_how, ended_names = :ended_names
where tenant = :tenant and memory_id = :memory_id and position = :position
  and exists (
    select 1
    from note again
    left join note e on e.memory_id = note.ended_by and e.position = note.ended_position and e.tenant || '' = :tenant
    where again.memory_id = :ended_by and again.position = :ended_position and again.tenant || '' = :tenant
      and (e.memory_id is null or again.said_at < e.said_at)
  );

-- name: release_repeated
-- What repeats a note, and was said after something else ended that, holds again.
update note
set ended_by = null, ended_position = null, ended_how = null, ended_names = null
where tenant = :tenant and ended_by = :memory_id and ended_position = :position and ended_how = 'repeated'
  and said_at > :since
returning {note.compared};

-- name: delete_of_text
-- All that were made of a memory's text.
delete from note
where tenant = :tenant and (memory_id = :memory_id or before_id = :memory_id or after_id = :memory_id);

-- name: save
insert into note (
  tenant, memory_id, position, before_id, after_id, project, kind, scope, body, problem, old_names, terms, sure,
  said_at, ended_by, ended_position, ended_how, ended_names, verdict
)
values (
  :tenant, :memory_id, :position, :before_id, :after_id, :project, :kind, :scope, :body, :problem, :old_names, :terms,
  :sure, :said_at, :ended_by, :ended_position, :ended_how, :ended_names, :verdict
);

-- name: end
update note
set
  ended_by = :ended_by, ended_position = :ended_position, ended_how = :ended_how, ended_names = :ended_names
where tenant = :tenant and memory_id = :memory_id and position = :position;

-- name: deny
update note
set sure = :sure
where tenant = :tenant and memory_id = :memory_id and position = :position;

-- name: sessions_to_ask
-- The last turns of sessions to which nothing was added for a while, and about which no model was asked.
select m.uuid
from memory m
where m.tenant = :tenant
  and m.id in (
    select max(s.id)
    from memory s
    where s.tenant = :tenant and s.session is not null and s.superseded_at is null
      and coalesce(s.said_at, s.created_at) > :since
    group by s.session
    having max(s.created_at) <= :before
  )
  and not exists (
    select 1
    from llm_cache c
    where c.tenant || '' = :tenant and c.memory_id = m.id and c.extractor = :extractor
  )
order by m.id
limit :limit;

-- name: set_verdict
update note
set verdict = :verdict
where tenant = :tenant and memory_id = :memory_id and position = :position;

-- name: of_project
-- The notes of a project, and of a person everywhere, the latest first.
{note.read}
where n.tenant = :tenant and n.kind {list.any_text kinds} and n.project = :label
  and (cast(:actor as text) is null or m.actor = :actor) and m.superseded_at is null and m.archived_at is null
order by n.said_at desc, n.memory_id desc, n.position
limit :limit;

-- name: without_project
{note.read}
where n.tenant = :tenant and n.kind {list.any_text kinds} and n.project is null
  and (cast(:actor as text) is null or m.actor = :actor) and m.superseded_at is null and m.archived_at is null
order by n.said_at desc, n.memory_id desc, n.position
limit :limit;

-- name: of_person
{note.read}
where n.tenant = :tenant and n.scope = 'person'
  and (cast(:actor as text) is null or m.actor = :actor) and m.superseded_at is null and m.archived_at is null
order by n.said_at desc, n.memory_id desc, n.position
limit :limit;

-- name: of_memory
{note.read}
where n.tenant = :tenant and n.memory_id = :memory_id
order by n.position;

-- name: of_each
-- Those of several memories.
{note.read}
where n.tenant = :tenant and n.memory_id {list.any_id memories}
order by n.memory_id, n.position;

-- name: move
-- After the memories of a project belong to another one, so do their notes.
update note
set project = (select m.project from memory m where m.id = note.memory_id and m.tenant = :tenant)
where tenant = :tenant and project = :key
  and not exists (select 1 from memory m where m.id = note.memory_id and m.tenant = :tenant and m.project = :key);

-- name: reversals
-- What no longer holds: names of notes that were replaced, with the note that replaced them, and names that a note
-- gives as old itself.
select n.project, n.ended_names as names, e.said_at as until, e.body, e.terms, m.uuid
from note n
join note e on e.memory_id = n.ended_by and e.position = n.ended_position and e.tenant || '' = :tenant
join memory m on m.id = e.memory_id and m.tenant || '' = :tenant
where n.tenant = :tenant and n.ended_names is not null and e.verdict is null
  and (cast(:project as text) is null or n.project = :project)
union all
select n.project, n.old_names, n.said_at, n.body, n.terms, m.uuid
from note n
join memory m on m.id = n.memory_id and m.tenant || '' = :tenant
where n.tenant = :tenant and n.old_names is not null and n.verdict is null
  and (cast(:project as text) is null or n.project = :project)
order by until desc
limit :limit;

-- name: compared
-- The notes of a project, or of none, that one said at a time may end or be ended by: those that held then, and later
-- ones.
select {note.compared}
from note
where tenant = :tenant and kind {list.any_text kinds}
  and (project = :project or (cast(:project as text) is null and project is null))
  and (
    said_at >= :at
    or (
      kind <> 'done'
      and (
        ended_by is null
        or exists (
          select 1
          from note e
          where e.memory_id = note.ended_by and e.position = note.ended_position and e.tenant || '' = :tenant
            and e.said_at >= :at
        )
      )
    )
  )
order by said_at desc, memory_id desc, position
limit :limit;

-- name: rules_of_person
select {note.compared}
from note
where tenant = :tenant and scope = 'person' and project is not null and project <> coalesce(:project, '')
order by said_at desc, memory_id desc, position
limit :limit;
