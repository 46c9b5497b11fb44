-- Subscriptions can be billed every three months. A wider check keeps all stored rows valid.
alter table payment_subscriptions drop constraint payment_subscriptions_billing_period_check,
  add constraint payment_subscriptions_billing_period_check check (billing_period in ('one_day', 'seven_days',
    'fourteen_days', 'thirty_days', 'one_month', 'three_months', 'six_months', 'twelve_months'));
alter table payment_links drop constraint payment_links_billing_period_check,
  add constraint payment_links_billing_period_check check (billing_period in ('one_day', 'seven_days',
    'fourteen_days', 'thirty_days', 'one_month', 'three_months', 'six_months', 'twelve_months'));
alter table subscription_changes drop constraint subscription_changes_billing_period_check,
  add constraint subscription_changes_billing_period_check check (billing_period in ('one_day', 'seven_days',
    'fourteen_days', 'thirty_days', 'one_month', 'three_months', 'six_months', 'twelve_months'));
