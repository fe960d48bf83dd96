-- Documents whose words the text index does not have yet: it gets them when 64 of a tenant wait, unless they are chunked
-- before. Until then a search looks through them.
-- On a server there is no such table, because a commit costs by the row there, and here by the page.
create table text_index_waiting (
  tenant text not null,
  document_id integer not null references document (id) on delete cascade,
  primary key (tenant, document_id)
) strict, without rowid;
