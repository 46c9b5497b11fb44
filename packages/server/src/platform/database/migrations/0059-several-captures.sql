-- Whether a capture ends its hold. Older processes insert captures without the column: theirs do.
alter table capture_demands
  add column final boolean not null default true,
  -- Fee of a capture with transfers of its own. Null: the only capture of its payment, which has the transfers.
  add column fee_cents bigint check (fee_cents >= 0);
alter table attempts add column capture_final boolean;

-- One open capture of a payment at a time.
drop index capture_demands_one;
create unique index capture_demands_one_open on capture_demands (merchant_id, payment_demand_id)
  where status in ('pending', 'processing');

-- The sum of a payment's captures never exceeds what is authorised. Captures are inserted while their payment is locked.
create function refuse_excess_capture() returns trigger
language plpgsql as $$
begin
  if new.amount_cents + (select coalesce(sum(amount_cents), 0) from capture_demands
      where merchant_id = new.merchant_id and payment_demand_id = new.payment_demand_id and status <> 'failed')
    > (select amount_authorised_cents from payment_demands
      where merchant_id = new.merchant_id and id = new.payment_demand_id) then
    raise exception 'captures of payment % exceed its authorised amount', new.payment_demand_id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger capture_demands_within_hold before insert on capture_demands
  for each row execute function refuse_excess_capture();

-- A hold that was captured in part can lapse: the payment then succeeds with that part.
drop trigger payment_demands_transition on payment_demands;
create trigger payment_demands_transition before update on payment_demands
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('incomplete>ready', 'incomplete>pending', 'incomplete>canceled',
    'ready>incomplete', 'ready>pending', 'ready>canceled', 'pending>processing', 'pending>failed',
    'processing>succeeded', 'processing>authorised', 'processing>failed', 'processing>pending',
    'processing>canceled', 'authorised>processing', 'authorised>succeeded', 'succeeded>disputed',
    'succeeded>reversed', 'failed>pending', 'failed>canceled', 'disputed>reversed', 'disputed>succeeded');
