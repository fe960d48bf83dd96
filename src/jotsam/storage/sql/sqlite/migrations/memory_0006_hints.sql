-- Words of questions that a memory answers, and broader words for what it is about, as a model wrote them. They lead to
-- the memory and are never shown. `word` is a stem.
create table hint_word (
  tenant text not null,
  word text not null,
  memory_id integer not null references memory (id) on delete cascade,
  primary key (tenant, word, memory_id)
) strict, without rowid;

create index hint_word_memory on hint_word (memory_id);
