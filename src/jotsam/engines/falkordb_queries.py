"""The Cypher of `falkordb`: constant texts. Values are parameters; the only part that is filled in is a relation type,
which must be checked to be a plain word, because it cannot be a parameter.
"""

from __future__ import annotations

INDEXED = (("Memory", "id"), ("Missing", "id"), ("Entity", "id"), ("Entity", "slug"), ("Fact", "id"))

INDEXES = "call db.indexes() yield label, properties return label, properties"

ANY = "match (n) return 1 limit 1"

COUNT = "match (m:Memory) return count(m)"

# One row, because a server can be configured to cut answers of many rows. No digest if a relation was added or removed
# since it was written, as when another program deletes an entity.
PAGE = """
match (m:Memory)
where m.id > $after
with m
order by m.id
limit $limit
return collect([m.id, case when m.parts = indegree(m, 'REFERENCED_IN') + outdegree(m) then m.digest else '' end])
"""

# In one query, so that no link is added to the node of a missing memory while it becomes one.
MEMORIES = """
unwind $rows as row
optional match (s:Missing {id: row.id})
foreach (one in case when s is null then [] else [s] end | set one:Memory remove one:Missing)
with row
merge (m:Memory {id: row.id})
with m, row
where m.version is null or m.version <= $version
set m = row.memory
return collect(m.id)
"""

DIGESTS = """
unwind $rows as row
match (m:Memory {id: row.id})
where m.version = $version
set m.digest = row.digest, m.parts = indegree(m, 'REFERENCED_IN') + outdegree(m)
"""

CLEAR_FACTS = """
unwind $ids as id
match (m:Memory {id: id})-[:STATES]->(f:Fact)
where $version is null or m.version = $version
delete f
"""

CLEAR_MENTIONS = """
unwind $ids as id
match (m:Memory {id: id})<-[r:REFERENCED_IN]-(e:Entity)
where $version is null or m.version = $version
delete r
return collect(distinct e.id)
"""

CLEAR_LINKS = """
unwind $ids as id
match (m:Memory {id: id})-[r]->(t)
where $version is null or m.version = $version
delete r
return collect(distinct t.id)
"""

MENTIONS = """
unwind $rows as row
match (m:Memory {id: row.memory})
where m.version = $version
merge (e:Entity {id: row.entity})
merge (e)-[r:REFERENCED_IN]->(m)
set r.confidence = row.confidence
"""

# Each entity once: of two rows that set the same node, the server may let the first one win.
ENTITIES = """
unwind $rows as row
match (e:Entity {id: row.id})
set e += row
"""

FACTS = """
unwind $rows as row
match (m:Memory {id: row.memory})
where m.version = $version
merge (f:Fact {id: row.fact.id})
set f = row.fact
merge (m)-[:STATES]->(f)
"""

SUBJECTS = """
unwind $rows as row
match (f:Fact {id: row.fact})
match (e:Entity {id: row.entity})
merge (f)-[:SUBJECT]->(e)
"""

OBJECTS = """
unwind $rows as row
match (f:Fact {id: row.fact})
match (e:Entity {id: row.entity})
merge (f)-[:OBJECT]->(e)
"""

MISSING = """
unwind $rows as row
optional match (m:Memory {id: row.target})
with row, m
where m is null
merge (:Missing {id: row.target})
"""

LINKS = """
unwind $rows as row
match (m:Memory {{id: row.memory}})
where m.version = $version
optional match (t:Memory {{id: row.target}})
optional match (s:Missing {{id: row.target}})
with m, row, coalesce(t, s) as target
where target is not null
merge (m)-[r:`{type}`]->(target)
set r = row.link
"""

# A memory that others are linked to stays as a missing one, because the links are theirs.
TO_MISSING = """
unwind $ids as id
match (m:Memory {id: id})<-[]-()
with distinct m, id
set m = {id: id}
set m:Missing
remove m:Memory
"""

DELETE = """
unwind $ids as id
match (m:Memory {id: id})
delete m
"""

REMOVE_ENTITIES = """
unwind $ids as id
match (e:Entity {id: id})
where outdegree(e, 'REFERENCED_IN') = 0
delete e
"""

REMOVE_MISSING = """
unwind $ids as id
match (s:Missing {id: id})
where indegree(s) = 0
delete s
"""

SWEEP_ENTITIES = """
match (e:Entity)
where outdegree(e, 'REFERENCED_IN') = 0
delete e
"""

SWEEP_FACTS = """
match (f:Fact)
where indegree(f, 'STATES') = 0
delete f
"""

SWEEP_MISSING = """
match (s:Missing)
where indegree(s) = 0
delete s
"""


def _exact(number: str) -> str:
    """A number of 0 to 1 as two integers, because an answer contains only 15 of its digits."""
    scaled = f"{number} * 4611686018427387904.0"
    return f"[toInteger({scaled}), toInteger(({scaled} - floor({scaled})) * 4611686018427387904.0)]"


READ_MEMORIES = f"""
unwind $ids as id
match (m:Memory {{id: id}})
return id, properties(m), {_exact("m.importance")}, {_exact("m.confidence")}
"""

# A row for each memory, see `PAGE`.
READ_MENTIONS = f"""
unwind $ids as id
match (m:Memory {{id: id}})<-[r:REFERENCED_IN]-(e:Entity)
return id, collect([e.category, e.slug, e.name, {_exact("r.confidence")}])
"""

READ_FACTS = f"""
unwind $ids as id
match (m:Memory {{id: id}})-[:STATES]->(f:Fact)
return id, collect([properties(f), {_exact("f.confidence")}])
"""

READ_LINKS = f"""
unwind $ids as id
match (m:Memory {{id: id}})-[r]->(t)
where type(r) <> 'STATES'
return id, collect([type(r), t.id, properties(r), {_exact("r.strength")}])
"""

READ_PARTS = (READ_MENTIONS, READ_FACTS, READ_LINKS)
