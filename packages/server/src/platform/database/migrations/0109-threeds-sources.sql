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
