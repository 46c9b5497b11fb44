-- Results of the issuer's checks of each attempt; null until an answer has them.
alter table attempts
  add column cvc2_check text,
  add column address_line1_verification text,
  add column postal_code_verification text;

-- Failed checks that refuse a payment after its approval. None by default.
alter table merchants add column refused_mismatches jsonb not null default '[]';
