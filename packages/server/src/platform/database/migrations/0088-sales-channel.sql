alter table payment_demands add column sales_channel text not null default 'online' check (sales_channel in ('online', 'telephone'));
