-- Nothing deletes webhook subscriptions, and each delivery locked its own. See ADR 67.
lock table webhook_subscriptions in access exclusive mode;
alter table webhook_deliveries drop constraint webhook_deliveries_merchant_id_webhook_subscription_id_fkey;

-- New long texts are compressed with lz4, where PostgreSQL was built with it: it needs less processor time than pglz.
do $$ begin
  alter table events alter column data set compression lz4;
  alter table letters alter column html set compression lz4, alter column text set compression lz4;
exception when feature_not_supported then null;
end $$;
