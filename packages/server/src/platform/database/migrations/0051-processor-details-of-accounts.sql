-- A merchant's record at a processor follows the processor account. Null: the simulated network, or a record that an
-- operator keeps by hand. Kinds are those of the adapters; `other` is an adapter without a name in the interface.
alter table processor_details
  drop constraint processor_details_kind_check,
  add constraint processor_details_kind_check check
    (kind in ('nmi', 'edge', 'rs2', 'legacy', 'sandbox', 'adyen', 'checkout_com', 'other')),
  add column processor_account_id uuid references processor_accounts (id);

-- One record per merchant and account, also for a row of attempts that looks its record up.
create unique index processor_details_account on processor_details (processor_account_id, merchant_id);

-- Records of the accounts that exist. Attempts that exist keep null: to fill them in would write the whole table anew.
insert into processor_details
  (merchant_id, mode, id, kind, onboarding_state, processing_state, processor_account_id, created_at, updated_at)
select m.id, a.mode,
  (overlay(gen_random_uuid()::text
    placing regexp_replace(lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0'), '^(.{8})(.{4})$', '\1-\2-7')
    from 1 for 15))::uuid,
  case when a.processor in ('adyen', 'checkout_com') then a.processor else 'other' end,
  'approved', case a.status when 'enabled' then 'enabled' else 'disabled' end, a.id, now(), now()
from processor_accounts a join merchants m on a.merchant_id is null or a.merchant_id = m.id
where a.status in ('enabled', 'paused');
