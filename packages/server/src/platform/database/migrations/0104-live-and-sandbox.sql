-- Settings of a merchant that each mode has for itself, so that a sandbox key changes nothing that live mode uses. The
-- sandbox starts with the settings of both modes until now.
alter table merchants
  add column sandbox_late_approvals text not null default 'capture'
    check (sandbox_late_approvals in ('capture', 'reverse')),
  add column sandbox_dunning_days integer not null default 14,
  add column sandbox_dunning_final_action text not null default 'pause'
    check (sandbox_dunning_final_action in ('pause', 'cancel', 'keep')),
  add column sandbox_missed_periods text not null default 'each'
    check (sandbox_missed_periods in ('each', 'latest')),
  add column sandbox_accepted_currencies jsonb not null default '["USD"]',
  add column sandbox_amount_limits jsonb,
  add column sandbox_refused_mismatches jsonb not null default '[]',
  add column sandbox_customers_may jsonb not null default '["cancel","change_card"]';
update merchants set
  sandbox_late_approvals = late_approvals,
  sandbox_dunning_days = dunning_days,
  sandbox_dunning_final_action = dunning_final_action,
  sandbox_missed_periods = missed_periods,
  sandbox_accepted_currencies = accepted_currencies,
  sandbox_amount_limits = amount_limits,
  sandbox_refused_mismatches = refused_mismatches,
  sandbox_customers_may = customers_may;

-- An address belongs to the mode of the people who live there. An address of people in both modes is copied.
alter table legal_addresses add column mode text check (mode in ('live', 'sandbox'));
update legal_addresses a set mode = case
  when exists (select from personal_identifications p
      where p.merchant_id = a.merchant_id and p.legal_address_id = a.id and p.mode = 'sandbox')
    and not exists (select from personal_identifications p
      where p.merchant_id = a.merchant_id and p.legal_address_id = a.id and p.mode = 'live')
  then 'sandbox' else 'live' end;
with shared as materialized (
  select a.*, gen_random_uuid() as copy from legal_addresses a
  where a.mode = 'live' and exists (select from personal_identifications p
    where p.merchant_id = a.merchant_id and p.legal_address_id = a.id and p.mode = 'sandbox')
), copied as (
  insert into legal_addresses (merchant_id, mode, id, line_1, line_2, city, state, zip, country, created_at, updated_at)
  select merchant_id, 'sandbox', copy, line_1, line_2, city, state, zip, country, created_at, updated_at from shared
)
update personal_identifications p set legal_address_id = s.copy from shared s
where p.merchant_id = s.merchant_id and p.legal_address_id = s.id and p.mode = 'sandbox';
alter table legal_addresses alter column mode set not null;
