alter table payment_links add column customer_id uuid;
alter table payment_links add foreign key (merchant_id, customer_id) references customers (merchant_id, id);
create index payment_links_customer
  on payment_links (merchant_id, customer_id) where customer_id is not null;
