-- Cards whose number a merchant's own token service gave.
alter table payment_methods add column network_token boolean not null default false;
