-- JSON of up to 1,000 characters. A longer payload, bytes, and those of jobs sent earlier are in queue_payload, because
-- every claim writes the row of its job again.
alter table queue_job add column payload text;
