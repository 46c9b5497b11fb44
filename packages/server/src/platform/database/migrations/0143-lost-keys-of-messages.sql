-- Since when the key of a capture's or refund's messages is lost. Florin never sends these messages again.
alter table attempts add column key_lost_at timestamptz;
