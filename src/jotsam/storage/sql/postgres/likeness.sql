-- name: sharing_words
-- Unlike SQLite, `match` is a tsquery. Current memories with some of these words, best first.
select w.ref
from text_index w
join memory m on m.id = w.ref
where w.tenant = :tenant and w.ref > 0 and w.lexemes @@ cast(:match as tsquery) and m.tenant = :tenant
  and m.archived_at is null and m.superseded_at is null and m.project is not distinct from cast(:project as text)
order by ts_rank(w.lexemes, cast(:match as tsquery)) desc, w.ref
limit :limit;
