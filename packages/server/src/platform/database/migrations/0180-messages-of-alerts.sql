-- florin: expand
-- Code and parameters of an alert's message, so that readers get it in their language. Older alerts, and those of older
-- processes, have only the English message.
alter table account_alerts add column message_code text;
alter table account_alerts add column message_parameters jsonb;
