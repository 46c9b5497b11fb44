-- florin: expand
-- The directory of an installation with cells, in its global database. Without cells these tables are empty.
create table cells (
  id uuid primary key,
  name text not null constraint cells_name_key unique,
  -- Sealed: it may have a password.
  address text not null,
  state text not null constraint cells_state_check check (state in ('preparing', 'open')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create table directory_merchants (
  merchant_id uuid primary key,
  cell_id uuid not null constraint directory_merchants_cell_id_fkey references cells (id),
  created_at timestamptz not null
);
create index directory_merchants_of_cell on directory_merchants (cell_id);
create table directory_keys (
  token_hash bytea primary key,
  merchant_id uuid not null,
  created_at timestamptz not null
);
create index directory_keys_of_merchant on directory_keys (merchant_id);
create table directory_links (
  code text primary key,
  merchant_id uuid not null,
  created_at timestamptz not null
);
create index directory_links_of_merchant on directory_links (merchant_id);
