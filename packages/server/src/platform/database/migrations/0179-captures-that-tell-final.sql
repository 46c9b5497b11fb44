-- florin: expand
-- Whether the message of a capture tells in its metadata if it ends the hold. Older processes insert attempts without the
-- column: a repeated message of theirs must have the same body under the same idempotency key.
alter table attempts add column tells_final boolean;
