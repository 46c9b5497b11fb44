-- The processor's own code of the last answer, such as `response 3`. Null: the HTTP status says that the key is refused.
alter table processor_account_key_refusals add column last_code text;
