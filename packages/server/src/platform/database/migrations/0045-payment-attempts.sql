-- Attempts become a type of the interface. Each index and the check of the foreign key read the table once, which
-- lets nobody write to it meanwhile.
alter table attempts add column processor_detail_id uuid;
alter table attempts add foreign key (merchant_id, processor_detail_id)
  references processor_details (merchant_id, id);
create index attempts_newest on attempts (merchant_id, mode, created_at desc, id desc);
create index attempts_status on attempts (merchant_id, mode, status);
create index attempts_processor_detail on attempts (merchant_id, processor_detail_id)
  where processor_detail_id is not null;

-- Every new attempt names the merchant's newest record at its processor. Attempts that exist keep null: to fill them
-- in would write the whole table and its indexes anew.
create function set_processor_detail() returns trigger language plpgsql as $$
begin
  new.processor_detail_id := (select d.id from processor_details d
    where d.merchant_id = new.merchant_id and d.mode = new.mode and d.kind = new.processor
    order by d.id desc limit 1);
  return new;
end $$;
create trigger attempts_processor_detail before insert on attempts
  for each row when (new.processor_detail_id is null) execute function set_processor_detail();

-- Members who read payments have seen their attempts in the dashboard.
update memberships set permissions = permissions || '["transaction.payment_attempts.read"]'
where permissions ? 'transaction.payment_demands.read'
  and not permissions ? 'transaction.payment_attempts.read';
