-- florin: expand, online
-- Lists of failed or canceled payments end at their newest page, even where the newest payments all succeeded.
create index concurrently payment_demands_unpaid
  on payment_demands (merchant_id, mode, status, created_at desc, id desc)
  where status in ('failed', 'canceled');
