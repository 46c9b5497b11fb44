-- Migrations 0018, 0031 and 0033 were edited after databases had applied them.
-- Each step does what such a database lacks; in others it does nothing.
alter table payment_subscriptions add column if not exists refused_method_id uuid;
do $$ begin
  if exists (select from pg_constraint
    where conrelid = 'subscription_periods'::regclass and conname = 'subscription_periods_check1'
      and pg_get_constraintdef(oid) not like '%unpaid%') then
    alter table subscription_periods
      drop constraint subscription_periods_check1,
      add constraint subscription_periods_check1 check (case when payment_demand_id is null
        then skip_reason is not null else skip_reason is null or skip_reason = 'unpaid' end);
  end if;
end $$;

alter table sandbox_resets add column if not exists cards_after uuid;
alter table audit_entries add column if not exists by_anybody boolean not null default false;
create index if not exists audit_entries_by_anybody on audit_entries (account_id, created_at desc, id desc)
  where by_anybody;

-- The first 0033 gave subscriptions whose first charge had failed their days by the system's clock. Those that a
-- sandbox clock governs get what that clock was ahead, unless it was moved since: they have lived through it.
do $$ declare applied timestamptz; begin
  if to_regclass('kysely_migration') is null then return; end if;
  select timestamp::timestamptz into applied from kysely_migration where name = '0033-unpaid';
  update payment_subscriptions s
  set dunning_ends_at = s.dunning_ends_at + c.ahead_seconds * interval '1 second'
  from merchants m, sandbox_clocks c
  where m.id = s.merchant_id and s.confirmed and s.status = 'pending' and s.failure_reason is not null
    and s.dunning_ends_at - m.dunning_days * interval '1 day'
      between applied - interval '10 minutes' and applied
    and c.merchant_id = s.merchant_id and c.mode = s.mode and c.updated_at < applied
    and c.ahead_seconds > 600
    and c.id = (select o.id from sandbox_clocks o
      where o.merchant_id = s.merchant_id and o.mode = s.mode and o.status <> 'removed'
        and (o.customer_id is null or o.customer_id = s.payer_id)
      order by o.customer_id is null limit 1);
end $$;

drop table if exists kysely_migration_lock;
