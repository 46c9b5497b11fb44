-- The transaction that stores these rows has locked what they reference. See ADR 67, and `florin ledger verify`.
-- Dropping a key locks the referenced table too. Named here, the runner takes all locks at once.
lock table customers in access exclusive mode;
lock table payment_demands in access exclusive mode;
lock table payment_subscriptions in access exclusive mode;
lock table processor_details in access exclusive mode;
alter table attempts
  drop constraint attempts_merchant_id_payment_demand_id_fkey,
  drop constraint attempts_merchant_id_processor_detail_id_fkey;
alter table letters
  drop constraint letters_merchant_id_customer_id_fkey,
  drop constraint letters_merchant_id_payment_demand_id_fkey,
  drop constraint letters_merchant_id_payment_subscription_id_fkey;
