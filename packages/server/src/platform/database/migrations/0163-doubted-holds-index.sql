-- florin: expand, online
create index concurrently attempts_doubted on attempts (doubted_at) where doubted_at is not null;
