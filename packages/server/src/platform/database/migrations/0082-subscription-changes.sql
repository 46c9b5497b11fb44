-- The dashboard lists the changes of a subscription without previews.
create index subscription_changes_dry_run on subscription_changes (merchant_id, mode, dry_run);
