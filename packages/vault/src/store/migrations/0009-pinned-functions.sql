-- Triggers work the same whatever search path the calling session has.
alter function vault.refuse_change() set search_path = pg_catalog, pg_temp;
