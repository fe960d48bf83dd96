-- Full-text index: memories by id, documents that are not chunked yet by negative id. A long text has several parts,
-- because a tsvector holds at most 1 MB. The tenant is that of the transaction. The key starts with the reference, and
-- the tenant in it is an expression, so that no index but that of the lexemes can be used for a search.
create table text_index (
  tenant text not null default nullif(current_setting('jotsam.tenant', true), ''),
  ref bigint not null,
  part bigint not null,
  lexemes tsvector not null,
  length bigint not null -- of the text in words, for its rank
);

create unique index text_index_key on text_index (ref, part, (tenant || ''));
-- Tells whether a tenant has texts of several parts: hardly any has one for long, because documents are chunked.
create index text_index_parts on text_index (tenant) where part > 0;

-- New entries are buffered in the pending list, because writing each memory directly produces ten times as much WAL.
-- Every search reads the list, so it is kept short.
create index text_index_lexemes on text_index using gin (lexemes) with (fastupdate = on, gin_pending_list_limit = 256);

-- How many memories and documents the index holds, and how long they are together: the sums of a tenant's rows. Each
-- write appends a row, so that writers do not wait for each other, and some writes replace the earlier rows by their sum.
create table text_count (
  tenant text not null,
  id bigint generated always as identity,
  memories bigint not null,
  documents bigint not null,
  words bigint not null,
  primary key (tenant, id)
);

-- Prefix of a tenant's lexemes. One index holds the lexemes of all tenants, and a word that is common among all of them
-- would slow each one down, so nearly every tenant has its own keys. Two tenants with the same prefix only cost time.
create function tenant_prefix() returns text
language sql stable parallel safe
return left(encode(sha256(convert_to(current_setting('jotsam.tenant'), 'utf8')), 'base64'), 3);

-- Lexemes with the prefix. `normalize_text` removes spaces and quotes. Lexemes of 2,000 bytes and more are dropped:
-- they are not words, and with the prefix they could exceed the maximum length of a lexeme.
create function with_tenant_prefix(lexemes tsvector) returns tsvector
language sql stable parallel safe
return cast(
  replace(
    ' ' || cast(
      ts_delete(lexemes, array(select one from unnest(tsvector_to_array(lexemes)) one where octet_length(one) >= 2000))
      as text
    ),
    ' ''', ' ''' || tenant_prefix()
  )
  as tsvector
);

-- English stemming without stop words: recall removes them from the question, except if nothing else is left.
create text search dictionary jotsam_english (template = snowball, language = english);
create text search configuration jotsam (copy = pg_catalog.english);
alter text search configuration jotsam
alter mapping for asciiword, word, numword, asciihword, hword, numhword, hword_asciipart, hword_part, hword_numpart
with jotsam_english;

-- Removes accents and replaces punctuation by spaces, so that the parser recognizes no addresses, versions or paths,
-- and "foo_bar.py" is three words, as in a question.
create function normalize_text(body text) returns text
language sql immutable parallel safe
return regexp_replace(
  regexp_replace(normalize(body, nfd), '[\u0300-\u036f]', '', 'g'),
  '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f]+', ' ', 'g'
);
