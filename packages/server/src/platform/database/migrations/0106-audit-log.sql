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

-- Appends a command that somebody ran on the server.
create function append_audit_command(command text, subject text, os_user text) returns void
language sql security definer set search_path from current as $$
  select append_audit_log(null, jsonb_build_object('event', 'command', 'command', command, 'subject', subject,
    'user', os_user))
$$;

-- Entries get their outcome, and the record that they made. Those of an account that has no password yet move to the
-- account that accepts its invitation. Everything else of an entry stays.
create function refuse_entry_change() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  if tg_op = 'DELETE' then
    if old.created_at < clock_timestamp() - interval '365 days' then return old; end if;
  elsif to_jsonb(new) - '{outcome,record_id,account_id}'::text[] = to_jsonb(old) - '{outcome,record_id,account_id}'::text[]
    and (old.outcome is null or new.outcome = old.outcome)
    and (old.record_id is null or new.record_id = old.record_id)
    and (new.account_id is not distinct from old.account_id or exists (select from accounts a
      where a.id = old.account_id and a.account_status = 'pending' and a.password_hash is null))
  then return new;
  end if;
  raise exception 'Audit entries stay as they are: % is refused.', lower(tg_op);
end $$;
create trigger audit_entries_unchanged before update or delete on audit_entries
  for each row execute function refuse_entry_change();
create trigger oversight_entries_unchanged before update or delete on oversight_entries
  for each row execute function refuse_change();
create trigger processor_account_entries_unchanged before update or delete on processor_account_entries
  for each row execute function refuse_change();

-- How far the log was checked last, and the problem that was found. A check continues there.
create table audit_log_check (
  only_row boolean primary key default true check (only_row),
  seq bigint not null,
  hash bytea not null,
  fault text,
  checked_at timestamptz not null
);

-- Stores the result of a check. A check moves forward, ends at a row of the log, and clears no fault.
create function store_audit_check(checked_seq bigint, checked_hash bytea, problem text, at timestamptz) returns void
language plpgsql security definer set search_path from current as $$
begin
  if problem is null and checked_seq > 0
    and not exists (select from audit_log l where l.seq = checked_seq and l.hash = checked_hash)
  then raise exception 'The audit log has no row % with this hash.', checked_seq; end if;
  insert into audit_log_check as c (seq, hash, fault, checked_at) values (checked_seq, checked_hash, problem, at)
  on conflict (only_row) do update
    set seq = excluded.seq, hash = excluded.hash, fault = excluded.fault, checked_at = excluded.checked_at
    where c.fault is null and (excluded.seq >= c.seq or excluded.fault is not null);
end $$;

-- Lets the checks continue after a fault, from the newest row on, and appends that. Returns the fault.
create function accept_audit_fault(os_user text, at timestamptz) returns text
language plpgsql security definer set search_path from current as $$
declare accepted text;
begin
  select c.fault into accepted from audit_log_check c for update;
  if accepted is null then return null; end if;
  perform append_audit_command('audit accept', accepted, os_user);
  update audit_log_check c set seq = l.seq, hash = l.hash, fault = null, checked_at = at
  from (select seq, hash from audit_log order by seq desc limit 1) l;
  return accepted;
end $$;
