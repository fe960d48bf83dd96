-- Words of questions that a memory answers, and broader words for what it is about, as a model wrote them. They lead to
-- the memory and are never shown. `word` is a stem.
create table hint_word (
  tenant text not null,
  word text not null,
  memory_id bigint not null,
  primary key (tenant, word, memory_id),
  foreign key (memory_id, tenant) references memory (id, tenant) on delete cascade
);

create index hint_word_memory on hint_word (memory_id, tenant);

alter table hint_word enable row level security, force row level security;
create policy tenant_isolation on hint_word using (tenant = nullif(current_setting('jotsam.tenant', true), ''));
