import type { ThreeDSecurePolicy } from '../../platform/caller.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Micros } from '../../platform/time/clock.ts';
import { intentTrigger, isChangeable } from '../payments/decide.ts';
import type { Decision } from '../records/updater.ts';
import { triedSooner } from '../subscriptions/change.ts';
import { takesCardFrom } from '../subscriptions/customer-card.ts';
import { isConfirmed } from '../subscriptions/decide.ts';

/** A verified card, what its bank was asked to authenticate, and what the bank said. */
export interface Attachment {
  readonly method_id: string;
  /** The columns of 3-D Secure; those that the bank said nothing for are null. */
  readonly results: Row;
  /** Minor units, as the database writes them. */
  readonly amount_cents: string;
  readonly amount_currency: string;
  /** IANA name of the cardholder's zone. */
  readonly timezone: string;
  readonly threeds: ThreeDSecurePolicy;
  /** Of a card from the customer's own page. */
  readonly customer_links_epoch?: number | undefined;
}

/** The payment has moved on while the card was verified, so the card is not put on it. */
export class AttachRefused extends Error {
  override name = 'AttachRefused';
  readonly code: 'payment_closed' | 'payment_changed';

  constructor(code: AttachRefused['code']) {
    super(`the card was not attached: ${code}`);
    this.code = code;
  }
}

/**
 * Puts a verified card and its 3-D Secure results on a payment. Throws `AttachRefused` where the payment
 * was confirmed meanwhile, or asks for another amount than the bank authenticated.
 */
export function decideAttach(row: Row, attachment: Attachment, now: Micros): Decision {
  if (!isChangeable(row.status as string)) throw new AttachRefused('payment_closed');
  const set = columnsOf(row, attachment);
  const trigger = intentTrigger({ ...row, ...set }, attachment.threeds, now);
  return { set, events: [], ...(trigger && { trigger }) };
}

/**
 * The same for a subscription: while it is an intent, or after its last charge failed; from the customer's own page
 * until it ends, and there nobody else has a failed charge tried again. The zone of one that is confirmed stays.
 */
export function decideAttachToSubscription(
  row: Row,
  attachment: Attachment,
  now: Micros,
): Decision {
  if (!takesCardFrom(row, attachment.customer_links_epoch))
    throw new AttachRefused('payment_closed');
  const { payer_timezone, ...set } = columnsOf(row, attachment);
  if (!isConfirmed(row))
    return { set: { ...set, payer_timezone: payer_timezone ?? null }, events: [] };
  const fromCustomer = attachment.customer_links_epoch !== undefined;
  const tried = fromCustomer ? triedSooner(row, set, now) : {};
  return { set: { ...set, ...tried }, events: ['updated'] };
}

function columnsOf(row: Row, attachment: Attachment): Row {
  const { method_id, results, amount_cents, amount_currency, timezone } = attachment;
  if (row.amount_cents !== amount_cents || row.amount_currency !== amount_currency) {
    throw new AttachRefused('payment_changed');
  }
  return {
    payment_method_id: method_id,
    payer_timezone: timezone,
    ...results,
  };
}
