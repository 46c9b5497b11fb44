-- What is due is taken up merchant by merchant, so that one with much of it does not keep the others waiting.
create index payment_demands_due_of on payment_demands (merchant_id, due_at) where due_at is not null;
drop index payment_demands_due;
create index refund_demands_due_of on refund_demands (merchant_id, due_at) where due_at is not null;
drop index refund_demands_due;

-- A card is charged once for a payment, whatever else goes wrong.
create unique index attempts_one_approved on attempts (merchant_id, payment_demand_id)
  where operation = 'authorise' and status = 'approved';
