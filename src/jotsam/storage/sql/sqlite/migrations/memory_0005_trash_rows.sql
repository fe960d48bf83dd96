-- The trash keeps the rows themselves. Earlier versions kept `lines` of an export; what they put into it has no rows.
alter table trash add column rows text not null default '';
