-- For the count of failing subscriptions in `/metrics` and `florin doctor`.
create index webhook_subscriptions_failing
  on webhook_subscriptions (failing_since) where failing_since is not null;
