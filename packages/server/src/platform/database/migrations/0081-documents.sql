-- Receipts, invoices and credit notes. A row has the facts as they were when it was issued; the PDF is rendered when it
-- is read. Nothing changes or deletes a row, except the reset of a sandbox.
create table documents (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  kind text not null check (kind in ('receipt', 'invoice', 'credit_note')),
  number text not null,
  amount_cents bigint not null,
  amount_currency text not null,
  locale text not null check (locale in ('ar', 'cs', 'da', 'de', 'el', 'en', 'es', 'fi', 'fr', 'hu', 'it', 'ja', 'nb', 'nl', 'pl', 'pt', 'ro', 'sv', 'tr', 'zh')),
  issued_at timestamp with time zone not null,
  facts jsonb not null,
  customer_id uuid,
  payment_demand_id uuid not null,
  refund_demand_id uuid,
  payment_subscription_id uuid,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  primary key (merchant_id, id),
  check ((kind = 'credit_note') = (refund_demand_id is not null))
);

alter table documents add foreign key (merchant_id, payment_demand_id) references payment_demands (merchant_id, id);
alter table documents add foreign key (merchant_id, refund_demand_id) references refund_demands (merchant_id, id);
create index documents_newest on documents (merchant_id, mode, created_at desc, id desc);
create index documents_customer
  on documents (merchant_id, customer_id) where customer_id is not null;
create index documents_payment_demand on documents (merchant_id, payment_demand_id);
create index documents_refund_demand
  on documents (merchant_id, refund_demand_id) where refund_demand_id is not null;
create index documents_payment_subscription
  on documents (merchant_id, payment_subscription_id) where payment_subscription_id is not null;
create index documents_kind on documents (merchant_id, mode, kind);
create unique index documents_number on documents (merchant_id, mode, number);
create index documents_issued_at on documents (merchant_id, mode, issued_at);
create index documents_updated_at on documents (merchant_id, mode, updated_at);

-- One document for each payment and each refund.
create unique index documents_once on documents (merchant_id, coalesce(refund_demand_id, payment_demand_id));

create trigger documents_unchanged before update or delete on documents
  for each row execute function refuse_change();

-- The last number of each sequence. The transaction that stores a document takes its number from here, so that a
-- number is used once and none is left out.
create table document_counters (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  kind text not null check (kind in ('receipt', 'invoice', 'credit_note')),
  last_number bigint not null check (last_number >= 0),
  primary key (merchant_id, mode, kind)
);

-- Documents are issued for the ledger's transfers before this stamp. Earlier payments get theirs on demand.
create table document_horizon (
  only_row boolean primary key default true check (only_row),
  posted_before bigint not null
);
insert into document_horizon (posted_before) select posted_before from balance_horizon;

-- Who may read payments may read their documents.
update memberships set permissions = permissions || '["transaction.documents.read"]'
where permissions ? 'transaction.payment_demands.read' and not permissions ? 'transaction.documents.read';
update merchant_tokens set permissions = permissions || '["transaction.documents.read"]'
where permissions ? 'transaction.payment_demands.read' and not permissions ? 'transaction.documents.read';
