-- Time of the card after which a reset continues: cards are removed in the order of the list's index.
alter table sandbox_resets add column cards_after_at timestamptz;
