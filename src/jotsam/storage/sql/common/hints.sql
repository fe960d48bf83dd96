-- name: add
insert into hint_word (tenant, word, memory_id)
values (:tenant, :word, :memory_id)
on conflict (tenant, word, memory_id) do nothing;

-- name: clear
delete from hint_word
where tenant = :tenant and memory_id = :memory_id;

-- name: match
-- Memories in scope that at least `least` of these words lead to, those with most first; of equals those with the words
-- that lead to the fewest.
with asked (word) as materialized (
  {list.texts words}
),
hit as materialized (
  select w.word, w.memory_id
  from asked
  cross join hint_word w
  where w.tenant = :tenant and w.word = asked.word
),
rarity as materialized (
  select word, 1.0 / count(*) as weight
  from hit
  group by word
)
select hit.memory_id as ref, count(*) as words
from hit
join rarity on rarity.word = hit.word
join memory m on m.id = hit.memory_id
where m.tenant = :tenant and {visible.memory}
group by hit.memory_id
having count(*) >= :least
order by words desc, sum(rarity.weight) desc, ref desc
limit :limit;
