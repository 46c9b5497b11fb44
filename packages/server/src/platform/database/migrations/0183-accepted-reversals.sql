-- florin: expand
-- Reversals of an attempt that its processor accepted, by its reference of each: accepted until it tells that one is
-- refused. Older processes store none.
alter table attempts add column reversals jsonb;
