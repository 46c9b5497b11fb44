-- The check is validated by the next migration: together they would scan all payments while payments wait.
alter table payment_demands add column sales_channel text not null default 'online';
alter table payment_demands add constraint payment_demands_sales_channel_check
  check (sales_channel in ('online', 'telephone')) not valid;
