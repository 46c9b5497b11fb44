-- Until when a payment may be charged with the cryptogram of a wallet, which authenticated the cardholder.
alter table authentications add column wallet_until timestamptz;
alter table payment_demands add column wallet_until timestamptz;
alter table payment_subscriptions add column wallet_until timestamptz;

-- Whoever has looked at a payment method while it was in use gets time to store what points to it, before it is looked
-- whether something still needs the card.
create or replace function note_discarded_card() returns trigger language plpgsql as $$
begin
  insert into discarded_cards (merchant_id, mode, id, card_pan_token, due_at)
    values (new.merchant_id, new.mode, new.id, new.card_pan_token, new.discarded_at + interval '5 minutes')
    on conflict do nothing;
  return null;
end $$;
