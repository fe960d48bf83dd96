-- name: start_merge
-- A negative number begins to merge all segments of the text index into one.
insert into text_index (text_index, rank) values ('merge', -:pages);

-- name: merge
insert into text_index (text_index, rank) values ('merge', :pages);

-- name: changes
-- A merge that had nothing to do has changed one row, that of the command.
select total_changes() as changes;

-- name: free
select freelist_count * page_size as bytes
from pragma_freelist_count, pragma_page_size;
