-- Cards whose banks could not be asked when their payment methods were made, and what stood for them then.
alter table payment_methods add column unverified text
  constraint payment_methods_unverified check (unverified in ('test_token', 'token'));
