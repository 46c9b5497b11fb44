-- Letters are forgotten after so many days; the pages of what is listed have an index of their own.
create index letters_over on letters (created_at) where due_at is null;

-- A clock that is removed stays as a record, beside one that is made later.
alter table sandbox_clocks
  add column removed_at timestamptz,
  drop constraint sandbox_clocks_status_check,
  add constraint sandbox_clocks_status_check check (status in ('ready', 'advancing', 'removed')),
  add check ((status = 'removed') = (removed_at is not null));
drop index sandbox_clocks_of_merchant;
drop index sandbox_clocks_of_customer;
drop index sandbox_clocks_moved;
create unique index sandbox_clocks_of_merchant on sandbox_clocks (merchant_id)
  where customer_id is null and status <> 'removed';
create unique index sandbox_clocks_of_customer on sandbox_clocks (merchant_id, customer_id)
  where customer_id is not null and status <> 'removed';
create index sandbox_clocks_moved on sandbox_clocks (merchant_id)
  where (ahead_seconds > 0 or status = 'advancing') and status <> 'removed';
drop trigger sandbox_clocks_transition on sandbox_clocks;
create trigger sandbox_clocks_transition before update on sandbox_clocks
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('ready>advancing', 'advancing>ready', 'ready>removed');

alter table subscription_changes add column idempotency_key text;
create index subscription_changes_idempotency_key
  on subscription_changes (merchant_id, mode, idempotency_key) where idempotency_key is not null;

-- Since when a paused subscription does not keep all that it has to send; told once for each pause.
alter table webhook_subscriptions add column backlog_stopped_at timestamptz;

-- What of a charge for a change of its subscription was set against it for time that is not used, for its receipt.
alter table payment_demands add column unused_time_cents bigint;
