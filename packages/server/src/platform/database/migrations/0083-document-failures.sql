-- Payments and refunds whose document could not be issued. A worker tries again at `due_at`, and deletes the row when
-- the document exists. Without foreign keys: a row whose payment is removed has nothing to issue.
create table document_failures (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  kind text not null check (kind in ('captured', 'refunded')),
  subject_id uuid not null,
  attempts integer not null check (attempts > 0),
  reason text not null,
  due_at timestamp with time zone not null,
  primary key (merchant_id, kind, subject_id)
);
create index document_failures_due_at on document_failures (due_at);
