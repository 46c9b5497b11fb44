-- Version of the program, for `florin doctor`. Older processes store none.
alter table heartbeats add column version text;
