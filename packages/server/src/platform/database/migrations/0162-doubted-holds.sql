-- florin: expand
-- When a restored installation could not tell whether an authorisation was captured, refunded or released meanwhile, and
-- when a person decided. Null: no doubt, no decision.
alter table attempts add column doubted_at timestamptz, add column doubt_decided_at timestamptz;
