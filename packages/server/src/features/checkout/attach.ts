import type { ThreeDSecurePolicy } from '../../platform/caller.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Micros } from '../../platform/time/clock.ts';
import { intentTrigger, isChangeable } from '../payments/decide.ts';
import type { Decision } from '../records/updater.ts';
import { retriedSooner } from '../subscriptions/billing/charged.ts';
import { acceptsCardFrom } from '../subscriptions/customer-card.ts';
import { isConfirmed } from '../subscriptions/decide.ts';

/** A verified card with the issuer's result and the authenticated amount. */
export interface Attachment {
  readonly method_id: string;
  /** The columns of 3-D Secure. Null where the issuer sent no value. */
  readonly results: Row;
  /** Minor units, as text. */
  readonly amount_cents: string;
  readonly amount_currency: string;
  /** The cardholder's time zone (IANA name); null if a member typed the card. */
  readonly timezone: string | null;
  readonly threeds: ThreeDSecurePolicy;
  /** Epoch of the customer's link, if the card was entered on the customer page. */
  readonly customer_links_epoch?: number | undefined;
}

/**
 * Thrown if the payment changed during the card's verification, so that the card cannot be
 * attached.
 */
export class AttachRefusal extends Error {
  override name = 'AttachRefusal';
  readonly code: 'payment_closed' | 'payment_changed';

  constructor(code: AttachRefusal['code']) {
    super(`the card was not attached: ${code}`);
    this.code = code;
  }
}

/**
 * Attaches a verified card and its 3-D Secure results to a payment. Throws `AttachRefusal` if the
 * payment was confirmed meanwhile or differs from the authenticated amount.
 */
export function decideAttach(row: Row, attachment: Attachment, now: Micros): Decision {
  if (!isChangeable(row.status as string)) throw new AttachRefusal('payment_closed');
  const set = columnsOf(row, attachment);
  const trigger = intentTrigger({ ...row, ...set }, attachment, now);
  return { set, events: [], ...(trigger && { trigger }) };
}

/**
 * Attaches a card to a subscription that is an intent or whose last charge failed. A confirmed
 * subscription keeps its time zone.
 * The customer page may also replace the card later. Only a card from there makes a failed charge
 * due again.
 */
export function decideAttachToSubscription(
  row: Row,
  attachment: Attachment,
  now: Micros,
): Decision {
  if (!acceptsCardFrom(row, attachment.customer_links_epoch))
    throw new AttachRefusal('payment_closed');
  const { payer_timezone, ...set } = columnsOf(row, attachment);
  if (!isConfirmed(row))
    return { set: { ...set, payer_timezone: payer_timezone ?? null }, events: [] };
  const isFromCustomer = attachment.customer_links_epoch !== undefined;
  const retryColumns = isFromCustomer ? retriedSooner(row, set, now) : {};
  return { set: { ...set, ...retryColumns }, events: ['updated'] };
}

function columnsOf(row: Row, attachment: Attachment): Row {
  const { method_id, results, amount_cents, amount_currency, timezone } = attachment;
  if (row.amount_cents !== amount_cents || row.amount_currency !== amount_currency) {
    throw new AttachRefusal('payment_changed');
  }
  return {
    payment_method_id: method_id,
    payer_timezone: timezone ?? row.payer_timezone ?? null,
    ...results,
  };
}
