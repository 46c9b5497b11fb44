-- Existing members keep live permissions for 14 days without a second factor. Accounts made from now on have no value:
-- their days begin with each membership. PostgreSQL stores the default of an added column once, not a row at a time.
alter table accounts add column factor_grace_until timestamp with time zone default now() + interval '14 days';
alter table accounts alter column factor_grace_until drop default;
