-- The wallet that gave the card; null where it was typed.
alter table payment_methods add column wallet text check (wallet in ('apple_pay', 'google_pay'));
create index payment_methods_wallet on payment_methods (merchant_id, mode, wallet) where wallet is not null;
-- Stands for what the wallet proved its holder with, once; the vault has it.
alter table payment_methods add column card_cryptogram_token text;
