-- Equal for two accounts that are one account at their processor; null: not compared.
alter table processor_accounts add column identity text;
create unique index processor_accounts_identity on processor_accounts (mode, processor, identity)
  where status <> 'removed';
