-- florin: expand
-- A draining cell takes no new merchants.
alter table cells drop constraint cells_state_check;
alter table cells add constraint cells_state_check check (state in ('preparing', 'open', 'draining'));
