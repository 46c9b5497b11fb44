-- The seller on receipts, invoices and credit notes. Issued documents keep the seller and the logo that they have.
alter table merchants add column seller_name text;
alter table merchants add column seller_line_1 text;
alter table merchants add column seller_line_2 text;
alter table merchants add column seller_zip_code text;
alter table merchants add column seller_city text;
alter table merchants add column seller_state text;
alter table merchants add column seller_country text;
alter table merchants add column seller_tax_number text;

-- Logos, also those that were replaced: the facts of a document name the logo that the document was issued with.
create table document_logos (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  content_type text not null check (content_type in ('image/png', 'image/jpeg')),
  sha256_hash text not null,
  content bytea not null,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, sha256_hash)
);
create trigger document_logos_unchanged before update or delete on document_logos
  for each row execute function refuse_change();
alter table merchants add column document_logo_id uuid;
