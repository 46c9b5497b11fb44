-- Notes of members about payments, for their colleagues. The author may delete a note; nothing changes one.
create table payment_notes (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  payment_demand_id uuid not null,
  account_id uuid not null,
  body text not null check (length(body) between 1 and 2000),
  created_at timestamp with time zone not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, payment_demand_id) references payment_demands (merchant_id, id)
);
create index payment_notes_payment_demand on payment_notes (merchant_id, payment_demand_id, created_at, id);
