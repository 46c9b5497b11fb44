-- When a refund or a capture that the processor did not know was last sent again: the look at its payment was before.
alter table attempts add column resent_at timestamptz;

-- What is left of a payment, and its state, follow from its refunds and all of its disputes.
alter table payment_demands disable trigger payment_demands_transition;
update payment_demands p set
  amount_refundable_cents = greatest(0, p.amount_captured_cents - r.refunded - r.reserved - d.open - d.lost),
  status = case when d.lost > 0 and d.lost + r.refunded >= p.amount_captured_cents then 'reversed'
    when d.open > 0 then 'disputed' else 'succeeded' end
from (select merchant_id, payment_demand_id,
    coalesce(sum(amount_cents) filter (where status not in ('won', 'lost')), 0) as open,
    coalesce(sum(amount_cents) filter (where status = 'lost'), 0) as lost
  from disputes group by merchant_id, payment_demand_id) d
cross join lateral (select coalesce(sum(amount_cents) filter (where status = 'succeeded'), 0) as refunded,
    coalesce(sum(amount_cents) filter (where status in ('pending', 'processing')), 0) as reserved
  from refund_demands
  where merchant_id = d.merchant_id and payment_demand_id = d.payment_demand_id) r
where p.merchant_id = d.merchant_id and p.id = d.payment_demand_id
  and p.status in ('succeeded', 'disputed', 'reversed');
alter table payment_demands enable trigger payment_demands_transition;
