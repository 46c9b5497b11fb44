-- From when on the vault does not send the message any more; null for messages that need no card.
alter table attempts add column not_after timestamptz;

-- Messages since the payment was last confirmed that never arrived, after which it was sent again; null where none was.
alter table payment_demands add column resent_count integer;
