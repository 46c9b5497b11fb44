-- Cards whose payment method was taken out of use, until the vault has destroyed them. Whoever discards a payment method
-- has its card noted in the same transaction.
create table discarded_cards (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  -- The payment method's.
  id uuid not null,
  card_pan_token text not null,
  due_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, id) references payment_methods (merchant_id, id)
);
create index discarded_cards_due on discarded_cards (due_at);
-- Several payment methods may have one card.
create index payment_methods_card on payment_methods (merchant_id, card_pan_token);

create function note_discarded_card() returns trigger language plpgsql as $$
begin
  insert into discarded_cards (merchant_id, mode, id, card_pan_token, due_at)
    values (new.merchant_id, new.mode, new.id, new.card_pan_token, new.discarded_at)
    on conflict do nothing;
  return null;
end $$;
create trigger payment_methods_discarded after update of discarded_at on payment_methods
  for each row when (old.discarded_at is null and new.discarded_at is not null)
  execute function note_discarded_card();

insert into discarded_cards (merchant_id, mode, id, card_pan_token, due_at)
  select merchant_id, mode, id, card_pan_token, discarded_at from payment_methods
  where discarded_at is not null;
