alter table payment_subscriptions
  -- Who asked for the end with the period, where that was not the merchant.
  add column cancel_asked_by text check (cancel_asked_by in ('customer')),
  add column end_reason text check (end_reason in
    ('merchant', 'customer', 'unpaid', 'first_charge_unpaid', 'end_at', 'charges_max')),
  -- How often the failing charge has failed, with whatever card; `tries_count` is of the present one.
  add column all_tries_count integer,
  -- The charge that was given up when dunning paused it.
  add column refused_charge_id uuid;
create index payment_subscriptions_past_due_since
  on payment_subscriptions (merchant_id, mode, past_due_since) where past_due_since is not null;
create index payment_subscriptions_end_reason
  on payment_subscriptions (merchant_id, mode, end_reason) where end_reason is not null;

alter table payment_demands
  -- What the period is worth once a change of its subscription is paid.
  add column period_worth_cents bigint,
  drop constraint payment_demands_cancellation_reason_check,
  add constraint payment_demands_cancellation_reason_check
    check (cancellation_reason in ('requested', 'hold_expired', 'paid_by_credit'));
drop trigger payment_demands_transition on payment_demands;
create trigger payment_demands_transition before update on payment_demands
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('incomplete>ready', 'incomplete>pending', 'incomplete>canceled',
    'ready>incomplete', 'ready>pending', 'ready>canceled', 'pending>processing', 'pending>failed',
    'processing>succeeded', 'processing>authorised', 'processing>failed', 'processing>pending',
    'processing>canceled', 'authorised>processing', 'succeeded>disputed', 'succeeded>reversed',
    'failed>pending', 'failed>canceled', 'disputed>reversed', 'disputed>succeeded');

-- A charge that has failed holds nothing of its subscription until it is sent again: neither credit nor a place among
-- the full periods. Of those given up the place was given back before.
update payment_subscriptions s set credit_cents = s.credit_cents + p.used
from (select merchant_id, payment_subscription_id as id, sum(credit_used_cents) as used from payment_demands
  where status = 'failed' and credit_used_cents <> 0 group by 1, 2) p
where s.merchant_id = p.merchant_id and s.id = p.id;
update payment_subscriptions s set charges_count = s.charges_count - 1
from payment_demands p
where p.merchant_id = s.merchant_id and p.payment_subscription_id = s.id and p.status = 'failed'
  and (p.id = s.past_due_charge_id or s.status = 'pending')
  and (p.billing_reason in ('first', 'renewal')
    or (p.billing_reason = 'change' and p.period_start_at = p.created_at));
update payment_subscriptions set all_tries_count = tries_count where past_due_since is not null;

alter table letters
  drop constraint letters_kind_check,
  add constraint letters_kind_check check (kind in ('receipt', 'upcoming_renewal', 'trial_ending',
    'payment_failed', 'final_notice', 'card_expiring', 'subscription_unpaid', 'subscription_cancelled'));
