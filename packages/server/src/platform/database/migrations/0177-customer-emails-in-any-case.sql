-- florin: expand, online
create index concurrently customers_email_in_any_case
  on customers (merchant_id, mode, lower(email), created_at, id);
