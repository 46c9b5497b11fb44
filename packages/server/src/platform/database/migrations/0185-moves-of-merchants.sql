-- florin: expand
-- Moves of merchants between cells. A row of the global database says how far a move is, until it ends.
create table directory_moves (
  merchant_id uuid primary key constraint directory_moves_merchant_id_fkey references directory_merchants (merchant_id),
  id uuid not null,
  from_cell_id uuid not null constraint directory_moves_from_cell_id_fkey references cells (id),
  to_cell_id uuid not null constraint directory_moves_to_cell_id_fkey references cells (id),
  step text not null constraint directory_moves_step_check check (step in ('stop', 'copy', 'remove')),
  -- Accounts at processors of the source, each with that of the target.
  accounts jsonb not null,
  -- The command that works on the move, and until when no other one may.
  lease_id uuid not null,
  leased_until timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- Merchants that a cell does not serve, or only for reads. `fenced`: no transaction may write their rows. `arriving`: their
-- rows are there, and the other cell still serves them. `moved`: the other cell serves them for good.
create table stopped_merchants (
  merchant_id uuid primary key,
  move_id uuid not null,
  state text not null constraint stopped_merchants_state_check
    check (state in ('leaving', 'fenced', 'arriving', 'moved')),
  other_cell text not null,
  since timestamptz not null
);

-- Refuses writes of fenced and moved merchants, except by the move itself. Triggers call it only while a merchant moves.
-- The error is that of a lock, so callers try again. Logs of requests are left out, for they come in batches of merchants.
create function refuse_stopped_merchant() returns trigger
language plpgsql set search_path from current as $$
declare
  owner uuid;
begin
  if tg_table_name = 'merchants' then
    if tg_op = 'DELETE' then owner := old.id; else owner := new.id; end if;
  elsif tg_op = 'DELETE' then owner := old.merchant_id;
  else owner := new.merchant_id;
  end if;
  if exists (select from stopped_merchants s where s.merchant_id = owner and s.state in ('fenced', 'moved'))
    and current_setting('florin.moved_merchant', true) is distinct from owner::text then
    if tg_table_name = 'api_requests' then return null; end if;
    raise exception 'merchant % moves to another cell', owner using errcode = 'lock_not_available';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;

-- Rows that are never changed also leave with a merchant that has moved.
create or replace function refuse_change() returns trigger
language plpgsql set search_path from current as $$
begin
  if tg_op = 'DELETE' and to_jsonb(old) ->> 'mode' = 'sandbox'
    and to_jsonb(old) ->> 'merchant_id' = current_setting('florin.emptied_sandbox', true) then
    return old;
  end if;
  if tg_op = 'DELETE' and tg_table_name = 'events' and current_setting('florin.prunes_events', true) = 'on' then
    return old;
  end if;
  if tg_op = 'DELETE' and to_jsonb(old) ->> 'merchant_id' = current_setting('florin.moved_merchant', true)
    and exists (select from stopped_merchants s
      where s.merchant_id = (to_jsonb(old) ->> 'merchant_id')::uuid and s.state = 'moved') then
    return old;
  end if;
  raise exception 'rows of % are never changed', tg_table_name using errcode = 'check_violation';
end $$;

-- Captures arrive in any order, and failed ones count only when they are inserted.
create or replace function refuse_excess_capture() returns trigger
language plpgsql set search_path from current as $$
begin
  if new.merchant_id::text = current_setting('florin.moved_merchant', true)
    and exists (select from stopped_merchants s where s.merchant_id = new.merchant_id and s.state = 'arriving') then
    return new;
  end if;
  if new.amount_cents + (select coalesce(sum(amount_cents), 0) from capture_demands
      where merchant_id = new.merchant_id and payment_demand_id = new.payment_demand_id and status <> 'failed')
    > (select amount_authorised_cents from payment_demands
      where merchant_id = new.merchant_id and id = new.payment_demand_id) then
    raise exception 'captures of payment % exceed its authorised amount', new.payment_demand_id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- Transfers of a merchant that lines of settlement prove in a cell where the merchant was before. Those lines stay with
-- their files.
create table moved_settlements (
  merchant_id uuid not null,
  mode text not null constraint moved_settlements_mode_check check (mode in ('live', 'sandbox')),
  source_id uuid not null,
  kind text not null,
  amount_cents bigint not null,
  amount_currency text not null,
  constraint moved_settlements_pkey primary key (merchant_id, source_id, kind)
);

-- Lines of merchants that have moved have the outcome `moved`. 0186 validates the constraints.
alter table settlement_entries drop constraint settlement_entries_outcome_check;
alter table settlement_entries add constraint settlement_entries_outcome_check
  check (outcome in ('settled', 'exception', 'unknown_merchant', 'moved')) not valid;
alter table processor_report_lines drop constraint processor_report_lines_outcome_check;
alter table processor_report_lines add constraint processor_report_lines_outcome_check
  check (outcome in ('batch', 'settled', 'exception', 'unmatched', 'quarantined', 'moved')) not valid;
