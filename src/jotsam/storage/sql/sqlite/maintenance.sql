-- name: start_merge
-- Unlike PostgreSQL, the text index consists of segments. A negative number begins to merge all of them into one.
insert into text_index (text_index, rank) values ('merge', -:pages);

-- name: merge
-- Unlike PostgreSQL, see `start_merge`.
insert into text_index (text_index, rank) values ('merge', :pages);

-- name: changes
-- Unlike PostgreSQL, a command is a row: a merge that had nothing to do has changed that one.
select total_changes() as changes;

-- name: free
-- Unlike PostgreSQL, free pages are given back by a statement of their own.
select freelist_count * page_size as bytes
from pragma_freelist_count, pragma_page_size;
