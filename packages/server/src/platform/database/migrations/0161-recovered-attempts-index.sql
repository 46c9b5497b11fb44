-- florin: expand, online
create index concurrently attempts_recovered on attempts (recovered_at) where recovered_at is not null;
