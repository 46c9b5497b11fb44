import { problem } from '@florin/contract/errors.ts';
import type { Repeat, WriteInput } from '../../jsonapi/behaviour.ts';
import type { Row } from '../../platform/database/row.ts';

/**
 * Requests with the same key must agree in payment, amount, reason and note. A request without an
 * amount matches any amount.
 */
export const refundRepeat: Repeat = {
  isSame: ({ attributes, relationships }: WriteInput, earlierDemand: Row): boolean =>
    relationships.payment_demand === earlierDemand.payment_demand_id &&
    String(attributes.amount_cents ?? earlierDemand.amount_cents) === earlierDemand.amount_cents &&
    attributes.reason === earlierDemand.reason &&
    (attributes.reason_note ?? null) === earlierDemand.reason_note,
  conflictError: () =>
    problem(
      'refund_key_reused',
      'An earlier refund with this idempotency key has another payment, amount, reason or note. Use a new key.',
      { pointer: '/data/attributes/idempotency_key' },
    ),
};
