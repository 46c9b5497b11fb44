-- Files that merchants send with their evidence. Lists never read contents, which have a table of their own.
create table dispute_files (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  file_name text not null,
  purpose text not null check (purpose in ('product_description', 'customer_communication', 'shipping_documentation', 'refund_policy', 'receipt', 'recurring_agreement', 'uncategorized_file')),
  content_type text not null check (content_type in ('application/pdf', 'image/png', 'image/jpeg')),
  size_bytes bigint not null check (size_bytes > 0),
  sha256_hash text not null,
  removed_at timestamp with time zone,
  dispute_id uuid not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  primary key (merchant_id, id)
);

alter table dispute_files add foreign key (merchant_id, dispute_id) references disputes (merchant_id, id);
create index dispute_files_newest on dispute_files (merchant_id, mode, created_at desc, id desc);
create index dispute_files_dispute
  on dispute_files (merchant_id, dispute_id);
create index dispute_files_purpose on dispute_files (merchant_id, mode, purpose);
create index dispute_files_removed_at on dispute_files (merchant_id, mode, removed_at);
create index dispute_files_updated_at on dispute_files (merchant_id, mode, updated_at);
create index dispute_files_kept on dispute_files (created_at) where removed_at is null;

-- The content is encrypted with a key of its own, and the key is sealed by the installation's secrets key.
create table dispute_file_contents (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  content_key text not null,
  content bytea not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, id) references dispute_files (merchant_id, id) on delete cascade
);
-- Encrypted bytes cannot be compressed.
alter table dispute_file_contents alter column content set storage external;
create index dispute_file_contents_mode on dispute_file_contents (merchant_id, mode);

alter table disputes
  add column files_count integer not null default 0 check (files_count >= 0),
  -- Why the processor refused the last response. The merchant corrects and submits it again.
  add column response_problem text,
  -- Messages of the response that were sent, by name, so that a crash repeats none that is final.
  add column response_steps jsonb;

drop trigger disputes_transition on disputes;
create trigger disputes_transition before update on disputes
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('needs_response>under_review', 'needs_response>accepted',
    'needs_response>won', 'needs_response>lost', 'under_review>won', 'under_review>lost', 'accepted>lost',
    'accepted>won', 'under_review>needs_response', 'accepted>needs_response');

-- Who may read or answer disputes may do the same with their files.
update memberships set permissions = permissions || '["transaction.dispute_files.read"]'
where permissions ? 'transaction.disputes.read' and not permissions ? 'transaction.dispute_files.read';
update memberships
set permissions = permissions || '["transaction.dispute_files.create", "transaction.dispute_files.update"]'
where permissions ? 'transaction.disputes.update' and not permissions ? 'transaction.dispute_files.create';
update merchant_tokens set permissions = permissions || '["transaction.dispute_files.read"]'
where permissions ? 'transaction.disputes.read' and not permissions ? 'transaction.dispute_files.read';
update merchant_tokens
set permissions = permissions || '["transaction.dispute_files.create", "transaction.dispute_files.update"]'
where permissions ? 'transaction.disputes.update' and not permissions ? 'transaction.dispute_files.create';
