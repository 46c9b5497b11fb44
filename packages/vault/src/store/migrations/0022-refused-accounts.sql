-- florin: expand
-- What the server had stored of an account when an operator refused or withdrew it. Until the server changes it, nobody is
-- asked again.
create table vault.refused_accounts (
  account_id text not null,
  mode text not null,
  origins text[] not null,
  egress jsonb,
  -- Times at which the server stored its secrets, in seconds since 1970, by name.
  secrets jsonb not null,
  refused_at timestamptz not null,
  primary key (account_id, mode),
  foreign key (account_id, mode) references vault.processor_accounts on delete cascade
);

-- Migration 0020 also copied candidates, which no operator may accept. A candidate of one could have used its address.
delete from vault.accepted_accounts where account_id like '%-candidate';
