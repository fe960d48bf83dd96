-- Full-text index: memories by id, documents that are not chunked yet by negative id. It is contentless, because the
-- text is in its own table. `grams` holds the two-character tokens of text that is written without spaces.
create virtual table text_index using fts5 (
  body, context, grams,
  content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);
insert into text_index (text_index, rank) values ('rank', 'bm25(1.0, 0.6, 1.0)');
