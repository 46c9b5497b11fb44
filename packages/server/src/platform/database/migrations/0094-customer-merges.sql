-- A merged customer points to the customer who remains. A later merge of that customer moves the pointer, so one step
-- always leads to the end.
alter table customers
  add column merged_at timestamp with time zone,
  add column merged_into_id uuid;
-- The key and the check are validated by the next migration: together they would scan all customers while payments wait.
alter table customers add foreign key (merchant_id, merged_into_id) references customers (merchant_id, id) not valid;
alter table customers add constraint customers_merged_check
  check ((merged_at is null) = (merged_into_id is null)) not valid;

-- Merges and their previews. The worker moves records of the source while `due_at` is set.
create table customer_merges (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  dry_run boolean not null default false,
  reason text,
  idempotency_key text,
  payment_demands_count bigint not null default 0,
  payment_subscriptions_count bigint not null default 0,
  payment_methods_count bigint not null default 0,
  consumer_addresses_count bigint not null default 0,
  payment_links_count bigint not null default 0,
  duplicate_cards_count bigint not null default 0,
  differences jsonb not null default '[]',
  completed_at timestamp with time zone,
  due_at timestamp with time zone,
  source_id uuid not null,
  target_id uuid not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  primary key (merchant_id, id),
  check (source_id <> target_id),
  check (not dry_run or (completed_at is null and due_at is null))
);
alter table customer_merges add foreign key (merchant_id, source_id) references customers (merchant_id, id);
alter table customer_merges add foreign key (merchant_id, target_id) references customers (merchant_id, id);
create index customer_merges_newest on customer_merges (merchant_id, mode, created_at desc, id desc);
create index customer_merges_source on customer_merges (merchant_id, source_id);
create index customer_merges_target on customer_merges (merchant_id, target_id);
create index customer_merges_dry_run on customer_merges (merchant_id, mode, dry_run);
create index customer_merges_idempotency_key on customer_merges (merchant_id, mode, idempotency_key);
create index customer_merges_completed_at on customer_merges (merchant_id, mode, completed_at);
create index customer_merges_updated_at on customer_merges (merchant_id, mode, updated_at);
create index customer_merges_due on customer_merges (due_at) where due_at is not null;

-- Readers of customers read merges. Members who change customers merge them; keys get that permission from a person.
update memberships set permissions = permissions || '["consumer.customer_merges.read"]'
where permissions ? 'consumer.customers.read' and not permissions ? 'consumer.customer_merges.read';
update memberships set permissions = permissions || '["consumer.customer_merges.create"]'
where permissions ? 'consumer.customers.update' and not permissions ? 'consumer.customer_merges.create';
update merchant_tokens set permissions = permissions || '["consumer.customer_merges.read"]'
where permissions ? 'consumer.customers.read' and not permissions ? 'consumer.customer_merges.read';
