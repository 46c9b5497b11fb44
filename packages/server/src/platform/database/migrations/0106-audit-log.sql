-- Append-only log of what people, keys and commands did. Each row has the hash of the row before, so that changes
-- and gaps show.
create table audit_log (
  seq bigint primary key,
  at timestamptz not null,
  -- Record that the row is about; null for commands and pruning.
  entry_id uuid,
  -- JSON as text: the hash covers these bytes.
  entry text not null,
  prev_hash bytea not null,
  hash bytea not null
);
create index audit_log_entry on audit_log (entry_id, seq desc) where entry_id is not null;

-- Writes with an API key to settings are audited too.
alter table audit_entries
  alter column account_id drop not null,
  add column merchant_token_id uuid,
  add constraint audit_entries_actor_check check ((account_id is null) <> (merchant_token_id is null)) not valid;

-- Appends a row. The lock makes transactions append one after the other.
create function append_audit_log(about uuid, body jsonb) returns void
language plpgsql security definer set search_path from current set timezone to 'UTC' as $$
declare
  head record;
  next_seq bigint;
  next_at timestamptz;
  next_entry text;
begin
  perform pg_advisory_xact_lock(7238104513);
  select l.seq, l.hash into head from audit_log l order by l.seq desc limit 1;
  next_seq := coalesce(head.seq, 0) + 1;
  next_at := clock_timestamp();
  next_entry := (body || jsonb_build_object('at', next_at))::text;
  insert into audit_log (seq, at, entry_id, entry, prev_hash, hash)
  values (next_seq, next_at, about, next_entry, coalesce(head.hash, decode(repeat('00', 32), 'hex')),
    sha256(convert_to(next_seq || e'\n' || next_entry, 'UTF8')
      || coalesce(head.hash, decode(repeat('00', 32), 'hex'))));
end $$;

-- Appends the new row of a table of audit entries, with the name of the person at that time.
create function log_audited_row() returns trigger
language plpgsql security definer set search_path from current set timezone to 'UTC' as $$
declare person jsonb;
begin
  select jsonb_build_object('name', a.name, 'email', a.email) into person
  from accounts a where a.id = new.account_id;
  perform append_audit_log(new.id, jsonb_build_object('table', tg_table_name, 'event', lower(tg_op),
    'row', to_jsonb(new), 'person', person));
  return null;
end $$;

-- Deferred to the commit: a transaction holds the lock of the log for its last moment only.
create constraint trigger audit_entries_logged after insert or update on audit_entries
  deferrable initially deferred for each row execute function log_audited_row();
create constraint trigger oversight_entries_logged after insert or update on oversight_entries
  deferrable initially deferred for each row execute function log_audited_row();
create constraint trigger processor_account_entries_logged after insert or update on processor_account_entries
  deferrable initially deferred for each row execute function log_audited_row();

-- Rows never change. Only rows older than a year may be deleted.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at < clock_timestamp() - interval '365 days' then return old; end if;
  raise exception 'The audit log is append-only: % is refused.', lower(tg_op);
end $$;
create trigger audit_log_unchanged before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger audit_log_not_truncated before truncate on audit_log
  for each statement execute function refuse_audit_change();

-- Deletes the oldest rows past their retention, and appends where the log begins since. Returns their number.
create function prune_audit_log(keep_days integer, rows_max integer) returns integer
language plpgsql security definer set search_path from current as $$
declare
  cutoff timestamptz := clock_timestamp() - make_interval(days => keep_days);
  oldest record;
  kept_from bigint;
  latest record;
  pruned integer;
begin
  if keep_days < 365 then raise exception 'The audit log keeps at least 365 days, not %.', keep_days; end if;
  perform pg_advisory_xact_lock(7238104513);
  select l.seq, l.at into oldest from audit_log l order by l.seq limit 1;
  -- A day at a time: each pruning appends a row.
  if oldest is null or oldest.at > cutoff - interval '1 day' then return 0; end if;
  select l.seq into kept_from from audit_log l where l.at >= cutoff order by l.seq limit 1;
  select l.seq, l.hash into latest from audit_log l
  where l.seq < least(coalesce(kept_from, (select max(h.seq) from audit_log h)), oldest.seq + rows_max)
  order by l.seq desc limit 1;
  if latest is null then return 0; end if;
  delete from audit_log l where l.seq <= latest.seq;
  get diagnostics pruned = row_count;
  perform append_audit_log(null, jsonb_build_object('event', 'prune', 'through', latest.seq,
    'hash', encode(latest.hash, 'hex')));
  return pruned;
end $$;

-- How far the log was checked last, and the problem that was found. A check continues there.
create table audit_log_check (
  only_row boolean primary key default true check (only_row),
  seq bigint not null,
  hash bytea not null,
  fault text,
  checked_at timestamptz not null
);
