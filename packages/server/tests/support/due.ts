import type { Row } from '../../src/platform/database/row.ts';
import { uuidv7 } from '../../src/platform/ids.ts';
import { instantText, type Micros } from '../../src/platform/time/clock.ts';

/** Row of a payment that is due for sending. */
export const duePayment = (merchant_id: string, now: Micros): Row => {
  const at = instantText(now);
  return {
    merchant_id,
    mode: 'sandbox',
    id: uuidv7(now),
    status: 'pending',
    confirmed: 'true',
    amount_cents: '2500',
    amount_currency: 'USD',
    amount_authorised_cents: '0',
    amount_captured_cents: '0',
    amount_refundable_cents: '0',
    amount_refunded_cents: '0',
    fee_cents: '0',
    capture_method: 'automatic',
    initiator: 'customer',
    sales_channel: 'online',
    email_receipt: 'true',
    cvc2_check: 'unprocessed',
    address_line1_verification: 'unverified',
    postal_code_verification: 'unverified',
    unsent_count: '0',
    due_at: at,
    created_at: at,
    updated_at: at,
  };
};

/** Row of an attempt without a response. */
export const unknownAttempt = (payment: Row, now: Micros, overrides: Row = {}): Row => {
  const at = instantText(now);
  return {
    merchant_id: payment.merchant_id as string,
    mode: 'sandbox',
    id: uuidv7(now),
    payment_demand_id: payment.id as string,
    processor: 'sandbox',
    operation: 'authorise',
    status: 'unknown',
    amount_cents: '2500',
    amount_currency: 'USD',
    inquiries: '0',
    due_at: at,
    created_at: at,
    updated_at: at,
    ...overrides,
  };
};
