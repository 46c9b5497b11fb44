-- The capture's reference at the processor, for the messages of a refund. Some processors refund captures only.
alter table attempts add column capture_reference text;

-- A merchant's record of an account at Worldpay's cnpAPI.
alter table processor_details
  drop constraint processor_details_kind_check,
  add constraint processor_details_kind_check check
    (kind in ('nmi', 'edge', 'rs2', 'legacy', 'sandbox', 'adyen', 'checkout_com', 'worldpay_cnp', 'other'));
