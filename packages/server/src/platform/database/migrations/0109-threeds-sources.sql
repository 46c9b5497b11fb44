-- Origin of a result of 3-D Secure: verified by this server, or asserted by the client that sent it. Null in older rows.
-- The checks are not valid: no older row has a value, and a scan would keep payments waiting.
alter table payment_demands add column threeds_source text;
alter table payment_demands add constraint payment_demands_threeds_source_check
  check (threeds_source in ('verified', 'asserted')) not valid;
alter table payment_subscriptions add column threeds_source text;
alter table payment_subscriptions add constraint payment_subscriptions_threeds_source_check
  check (threeds_source in ('verified', 'asserted')) not valid;
alter table merchants drop constraint merchants_threeds_live_check,
  add constraint merchants_threeds_live_check
    check (threeds_live in ('required', 'required_or_asserted', 'when_available', 'off')),
  drop constraint merchants_threeds_sandbox_check,
  add constraint merchants_threeds_sandbox_check
    check (threeds_sandbox in ('required', 'required_or_asserted', 'when_available', 'off'));

-- Processes of the version before attach results that they verified, and name no source. A later version drops this.
create function mark_verified_result() returns trigger language plpgsql set search_path from current as $$
begin
  if new.payment_table = 'payment_demands' then
    update payment_demands set threeds_source = 'verified'
    where merchant_id = new.merchant_id and id = new.payment_id and threeds_source is null
      and payment_method_id = new.payment_method_id and threeds_status = new.threeds_status
      and directory_transaction_eid = new.directory_transaction_eid;
  else
    update payment_subscriptions set threeds_source = 'verified'
    where merchant_id = new.merchant_id and id = new.payment_id and threeds_source is null
      and payment_method_id = new.payment_method_id and threeds_status = new.threeds_status
      and directory_transaction_eid = new.directory_transaction_eid;
  end if;
  return null;
end $$;
create trigger authentications_attached after update of attached_at on authentications
  for each row when (old.attached_at is null and new.attached_at is not null)
  execute function mark_verified_result();
