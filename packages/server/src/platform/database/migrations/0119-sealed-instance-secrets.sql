-- Secrets of the installation have versions, sealed with a key that is not in the database. `value` is the plain secret of
-- an earlier version of Florin, which the next start seals. Its processes read no secret after their start.
alter table instance_secrets
  add column version integer not null default 1,
  add column sealed text,
  -- From this time on the newest version signs.
  add column active_at timestamptz not null default '-infinity',
  -- Until this time the version verifies; null while it is the newest.
  add column expires_at timestamptz,
  alter column value drop not null,
  drop constraint instance_secrets_pkey,
  add primary key (name, version),
  add constraint instance_secrets_stored_once check ((value is null) <> (sealed is null));
