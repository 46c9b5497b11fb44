-- The last sequence of records whose events are all pruned. Their next event continues after it.
create table pruned_sequences (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  resource_id uuid not null,
  sequence integer not null,
  primary key (merchant_id, mode, resource_id)
);

-- Events are never changed. They go with the sandbox of a merchant that empties it, or after their retention.
create or replace function refuse_change() returns trigger
language plpgsql as $$
begin
  if tg_op = 'DELETE' and to_jsonb(old) ->> 'mode' = 'sandbox'
    and to_jsonb(old) ->> 'merchant_id' = current_setting('florin.emptied_sandbox', true) then
    return old;
  end if;
  if tg_op = 'DELETE' and tg_table_name = 'events' and current_setting('florin.prunes_events', true) = 'on' then
    return old;
  end if;
  raise exception 'rows of % are never changed', tg_table_name using errcode = 'check_violation';
end $$;
