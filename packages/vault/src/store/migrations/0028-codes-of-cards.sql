-- florin: expand
-- Token of the card that a code was entered with. Null: an earlier release stored the code.
alter table vault.cvvs add column card_token text;
