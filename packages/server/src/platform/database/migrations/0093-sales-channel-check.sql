-- Scans all payments, and lets payments go on meanwhile.
alter table payment_demands validate constraint payment_demands_sales_channel_check;
