-- What processors told of disputes whose payments have no outcome yet, so that later news need not wait with it.
create table waiting_disputes (
  processor text not null,
  mode text not null check (mode in ('live', 'sandbox')),
  reference text not null,
  position bigint not null,
  -- The authorisation whose payment is disputed.
  attempt_id uuid not null,
  reason text not null,
  amount_cents bigint not null,
  amount_currency text not null,
  status text not null check (status in ('open', 'won', 'lost')),
  created_at timestamptz not null,
  primary key (processor, mode, reference)
);
