-- Processes of the version before know no mode of addresses, and store addresses of live mode.
alter table legal_addresses alter column mode set default 'live';
-- Apart from 0109: reading the tables takes no lock that others wait for.
alter table payment_demands validate constraint payment_demands_threeds_source_check;
alter table payment_subscriptions validate constraint payment_subscriptions_threeds_source_check;
