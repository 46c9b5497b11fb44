-- florin: expand
-- When a restored installation learned of the attempt, whose message it does not know. Null: Florin sent it itself.
alter table attempts add column recovered_at timestamptz;
