-- Results that the version before verified have no source. Those of payments that can still be confirmed get one, since
-- `required` accepts no others. Apart from 0109: reading the authentications takes no lock that others wait for.
update payment_demands p set threeds_source = 'verified' from authentications a
where a.payment_table = 'payment_demands' and a.attached_at is not null
  and p.merchant_id = a.merchant_id and p.id = a.payment_id and p.status in ('incomplete', 'ready', 'failed')
  and p.threeds_source is null and p.payment_method_id = a.payment_method_id
  and p.threeds_status = a.threeds_status and p.directory_transaction_eid = a.directory_transaction_eid;
update payment_subscriptions s set threeds_source = 'verified' from authentications a
where a.payment_table = 'payment_subscriptions' and a.attached_at is not null
  and s.merchant_id = a.merchant_id and s.id = a.payment_id
  and s.threeds_source is null and s.payment_method_id = a.payment_method_id
  and s.threeds_status = a.threeds_status and s.directory_transaction_eid = a.directory_transaction_eid;
