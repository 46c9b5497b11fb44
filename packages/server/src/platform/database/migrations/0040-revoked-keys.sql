-- Set with the expiry of a key that somebody revokes. Keys that were revoked before this migration read as expired.
alter table merchant_tokens add column revoked_at timestamptz;
