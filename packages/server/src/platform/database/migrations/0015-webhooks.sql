-- The place of an event among those of its record: 1, 2, 3, without gaps.
alter table events add column sequence integer;
alter table events disable trigger events_unchanged;
update events e set sequence = n.sequence
  from (select merchant_id, id,
      row_number() over (partition by merchant_id, resource_id order by created_at, id) as sequence
    from events) n
  where n.merchant_id = e.merchant_id and n.id = e.id;
alter table events enable trigger events_unchanged;
alter table events alter column sequence set not null;
drop index events_resource;
create unique index events_resource on events (merchant_id, resource_id, sequence);

-- `failing_since` and what follows tell of an endpoint that does not take its deliveries.
alter table webhook_subscriptions
  add column ordering text not null default 'none' check (ordering in ('none', 'resource')),
  add column previous_secret_key text,
  add column previous_secret_expires_at timestamptz,
  add column paused_reason text check (paused_reason in ('merchant', 'failing')),
  add column failing_since timestamptz,
  add column untaken_count integer not null default 0,
  add column fails_in_row integer not null default 0,
  add column suspended_until timestamptz;
update webhook_subscriptions set paused_reason = 'merchant' where status = 'paused';

-- One address is told of the same set of events by one subscription: one that is active where there is one, the newest.
create function text_set(list jsonb) returns text
language sql immutable strict parallel safe as $$
  select string_agg(distinct value, ' ' order by value) from jsonb_array_elements_text(list)
$$;
update webhook_subscriptions s set status = 'archived', archived_at = now(), updated_at = now()
  where status <> 'archived' and exists (select 1 from webhook_subscriptions o
    where o.merchant_id = s.merchant_id and o.mode = s.mode and o.status <> 'archived'
      and o.url = s.url and text_set(o.events) = text_set(s.events) and (o.status = 'active', o.id) > (s.status = 'active', s.id));
create unique index webhook_subscriptions_one
  on webhook_subscriptions (merchant_id, mode, md5(url || ' ' || text_set(events)))
  where status <> 'archived';
-- What is told of is found among those that are not archived.
drop index webhook_subscriptions_active;

-- `schedule_step` counts failures since it was last asked for; `order_key` and `sequence` are set where the
-- subscription takes the events of one record in their order, `held_back` while an earlier one of them is pending.
alter table webhook_deliveries
  add column attempts_count integer not null default 0,
  add column schedule_step integer not null default 0,
  add column order_key uuid,
  add column sequence integer,
  add column held_back boolean not null default false;
update webhook_deliveries set schedule_step = fails_count, attempts_count = fails_count
  + (delivered_at is not null)::integer;
create index webhook_deliveries_order
  on webhook_deliveries (merchant_id, webhook_subscription_id, order_key, sequence)
  where order_key is not null and status = 'pending';
-- Of each subscription those that are due, apart by whether they were tried: none stands behind another's.
drop index webhook_deliveries_due;
create index webhook_deliveries_due
  on webhook_deliveries (merchant_id, webhook_subscription_id, (schedule_step > 0), due_at)
  where due_at is not null;
drop trigger webhook_deliveries_transition on webhook_deliveries;
create trigger webhook_deliveries_transition before update on webhook_deliveries
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('pending>delivered', 'pending>stopped', 'pending>exhausted',
    'delivered>pending', 'stopped>pending', 'exhausted>pending');

-- What one try of a delivery sent and was answered; forgotten after a while.
create table webhook_delivery_attempts (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  webhook_delivery_id uuid not null,
  number integer not null check (number > 0),
  response_status integer,
  response_headers jsonb,
  response_body text,
  error text,
  duration_ms integer not null,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, webhook_delivery_id, number),
  foreign key (merchant_id, webhook_delivery_id) references webhook_deliveries (merchant_id, id)
);
create index webhook_delivery_attempts_newest
  on webhook_delivery_attempts (merchant_id, mode, created_at desc, id desc);
create index webhook_delivery_attempts_age on webhook_delivery_attempts (created_at);

-- Deliveries that are asked for again by a filter. `cursor_*` is the last event that was looked at.
create table webhook_replays (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  webhook_subscription_id uuid not null,
  status text not null check (status in ('pending', 'finished', 'canceled')),
  dry_run boolean not null,
  since timestamptz not null,
  until timestamptz not null,
  events jsonb,
  delivery_statuses jsonb,
  resource_id uuid,
  matched_count integer not null default 0,
  queued_count integer not null default 0,
  cursor_created_at timestamptz,
  cursor_id uuid,
  due_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, webhook_subscription_id)
    references webhook_subscriptions (merchant_id, id)
);
create index webhook_replays_newest on webhook_replays (merchant_id, mode, created_at desc, id desc);
create index webhook_replays_webhook_subscription
  on webhook_replays (merchant_id, webhook_subscription_id);
create index webhook_replays_status on webhook_replays (merchant_id, mode, status);
create index webhook_replays_updated_at on webhook_replays (merchant_id, mode, updated_at);
create index webhook_replays_due on webhook_replays (due_at) where due_at is not null;
create trigger webhook_replays_transition before update on webhook_replays
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('pending>finished', 'pending>canceled');

-- What the people of a merchant are told, in words, and about what.
alter table account_alerts
  add column code text,
  add column message text,
  add column webhook_subscription_id uuid,
  add foreign key (merchant_id, webhook_subscription_id)
    references webhook_subscriptions (merchant_id, id);
