-- The time in the sandbox of a merchant, or of one of its customers: so far ahead of the machine's. Whoever holds a
-- clock does the work of its world, and lets it go on to `target_at`; when the process dies the hold runs out.
create table sandbox_clocks (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  name text,
  status text not null check (status in ('ready', 'advancing')),
  ahead_seconds bigint not null check (ahead_seconds >= 0),
  from_at timestamptz,
  reached_at timestamptz,
  target_at timestamptz,
  customer_id uuid,
  -- How often the clock has stopped on its way to `target_at`.
  steps_count integer not null default 0,
  held_by uuid,
  held_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  check ((status = 'advancing') = (target_at is not null)),
  foreign key (merchant_id, customer_id) references customers (merchant_id, id)
);
create index sandbox_clocks_newest on sandbox_clocks (merchant_id, mode, created_at desc, id desc);
create unique index sandbox_clocks_of_merchant on sandbox_clocks (merchant_id) where customer_id is null;
create unique index sandbox_clocks_of_customer on sandbox_clocks (merchant_id, customer_id)
  where customer_id is not null;
create index sandbox_clocks_moved on sandbox_clocks (merchant_id)
  where ahead_seconds > 0 or status = 'advancing';
create index sandbox_clocks_changed on sandbox_clocks (updated_at);
create trigger sandbox_clocks_transition before update on sandbox_clocks
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('ready>advancing', 'advancing>ready');

-- When something is to happen that an attempt asks a sandbox for, by the clock of its payer.
alter table attempts add column later_at timestamptz;
create index attempts_later on attempts (merchant_id, later_at) where later_at is not null;
