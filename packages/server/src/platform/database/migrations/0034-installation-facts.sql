-- What this database belongs to outside of itself: a card network's books, the key of sealed secrets.
create table installation_facts (
  name text primary key,
  value text not null,
  created_at timestamptz not null default now()
);
