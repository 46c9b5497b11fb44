alter table payment_subscriptions
  -- What a change replaced whose charge is to be paid: it is taken back where that is given up.
  add column prior_amount_cents bigint,
  add column prior_billing_period text,
  add column prior_anchor_at timestamptz;

-- A subscription whose first charge has failed ends as well, when `dunning_ends_at` comes; nothing else of it is past due.
do $$ declare owed text; begin
  select conname into strict owed from pg_constraint
  where conrelid = 'payment_subscriptions'::regclass and contype = 'c'
    and pg_get_constraintdef(oid) like '%past_due_charge_id IS NULL%';
  execute format('alter table payment_subscriptions drop constraint %I', owed);
end $$;
alter table payment_subscriptions
  add check (past_due_since is not null or (past_due_charge_id is null and next_try_at is null
    and (dunning_ends_at is null or status = 'pending'))),
  drop column due_at,
  add column due_at timestamptz generated always as (
    case
      when not confirmed then null
      when status = 'pending' then greatest(put_aside_until, dunning_ends_at)
      when status = 'active' and past_due_since is null
        then greatest(put_aside_until, least(next_billing_at, notice_at, end_at))
      when status = 'active' then greatest(put_aside_until, least(next_try_at, dunning_ends_at, end_at))
      when status = 'paused' and canceled_at_period_end
        then greatest(put_aside_until, least(next_billing_at, end_at))
      when status = 'paused' and end_at is not null then greatest(put_aside_until, end_at)
    end) stored;
create index payment_subscriptions_due on payment_subscriptions (due_at) where due_at is not null;
create index payment_subscriptions_merchant_due on payment_subscriptions (merchant_id, due_at)
  where due_at is not null;

-- Those whose first charge has failed before this have the time that any has from now on, by the clocks that they go by.
update payment_subscriptions s set dunning_ends_at = now() + m.dunning_days * interval '1 day'
  + coalesce((select c.ahead_seconds from sandbox_clocks c
      where c.merchant_id = s.merchant_id and c.mode = s.mode and c.status <> 'removed'
        and (c.customer_id is null or c.customer_id = s.payer_id)
      order by c.customer_id is null limit 1), 0) * interval '1 second'
from merchants m where m.id = s.merchant_id and s.confirmed and s.status = 'pending'
  and s.failure_reason is not null;

alter table letters
  drop constraint letters_kind_check,
  add constraint letters_kind_check check (kind in ('receipt', 'upcoming_renewal', 'trial_ending',
    'payment_failed', 'final_notice', 'card_expiring', 'subscription_unpaid', 'subscription_ending',
    'subscription_cancelled'));
