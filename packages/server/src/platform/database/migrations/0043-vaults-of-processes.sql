-- Since when the vault of a process has taken no messages; null while it does, and for processes of earlier versions.
alter table heartbeats add column vault_down_since timestamptz;
