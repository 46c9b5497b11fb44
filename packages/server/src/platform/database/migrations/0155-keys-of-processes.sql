-- Fingerprints of the keys with which a process opens sealed texts. Older processes store none.
alter table heartbeats add column seal_keys text[];
