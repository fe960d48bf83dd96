-- The projects that a tenant has stored something in. Rows refer to a project by its key.
create table project (
  tenant text not null,
  key text not null,
  label text not null, -- what people see
  joined_to text, -- the key of the project that its memory belongs to now
  mark text, -- of its git directory, by which it is recognised after it was moved
  looked_at bigint, -- when a session looked for what earlier versions stored under another name
  created_at bigint not null,
  primary key (tenant, key)
);


-- The project that a row belongs to when its projects are split again; null: the one that it has.
alter table document add column joined_from text;
alter table memory add column joined_from text;
alter table theme add column joined_from text;
alter table memory_block add column joined_from text;
alter table memory_block add column joined_name text; -- its name before, if a block of the other project has that name

create index document_project on document (tenant, project) where project is not null;
create index document_joined on document (tenant, joined_from) where joined_from is not null;
create index memory_joined on memory (tenant, joined_from) where joined_from is not null;

alter table project enable row level security, force row level security;
create policy tenant_isolation on project using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
