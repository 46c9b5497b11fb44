import { brandName } from '@florin/contract/card/brand-names.ts';
import type { BillingPeriod } from '@florin/contract/resources/payment-subscriptions.ts';
import type { Row } from '../../../platform/database/row.ts';
import { type Micros, microsOf } from '../../../platform/time/clock.ts';
import type { Money } from '../../../processors/port/message.ts';
import { nameOf, receiptLines } from '../../documents/receipt-lines.ts';
import { isExpired } from '../../payment-methods/expiry.ts';
import { dueAt } from '../../subscriptions/billing/billing.ts';
import { afterCredit } from '../../subscriptions/billing/cycle.ts';
import { nextChargeAt, offeredActions, subscriptionStatusesOf } from '../decide.ts';
import type { Visit } from '../open.ts';
import type { ReceiptView } from '../pages/receipt-page.ts';
import type {
  CardView,
  ChargeState,
  ChargeView,
  Instant,
  MerchantView,
  SubscriptionView,
} from '../pages/view.ts';
import { CHARGES_SHOWN, type PageRecords, type Receipt } from '../read.ts';

type Text = string | null | undefined;

const MICROS_PER_MILLI = 1_000;
const toInstant = (at: Micros): Instant => Math.floor(at / MICROS_PER_MILLI);
const instantIn = (text: Text): Instant | undefined =>
  text ? toInstant(microsOf(text)) : undefined;
const orUndefined = (text: Text): string | undefined => text || undefined;

const moneyOf = (row: Row, column = 'amount_cents'): Money => ({
  amount: Number(row[column]),
  currency: row.amount_currency as string,
});

/** Content of the page of a subscription. */
export function subscriptionView(visit: Visit, { card, charges }: PageRecords): SubscriptionView {
  const { subscription, merchant, now } = visit;
  return {
    merchant: merchantView(merchant),
    sandbox: subscription.mode === 'sandbox',
    name: nameOf(subscription),
    price: moneyOf(subscription),
    period: subscription.billing_period as BillingPeriod,
    ...timesOf(subscription, now),
    card: card && cardView(card, now),
    actions: offeredActions(visit),
    charges: charges.slice(0, CHARGES_SHOWN).filter(isCharged).map(chargeView),
    has_more: charges.length > CHARGES_SHOWN,
  };
}

/** Statuses of a subscription, its next charge and the end of its paid period. */
function timesOf(
  subscription: Row,
  now: Micros,
): Pick<SubscriptionView, 'statuses' | 'next' | 'paid_until' | 'ends_with_period_at'> {
  const nextChargeTime = nextChargeAt(subscription);
  const paid_until = subscription.current_period_end_at;
  return {
    statuses: subscriptionStatusesOf(subscription, now).map(({ kind, at }) => ({
      kind,
      at: at === undefined ? undefined : toInstant(at),
    })),
    next:
      nextChargeTime === undefined
        ? undefined
        : { at: toInstant(nextChargeTime), price: nextPrice(subscription, nextChargeTime) },
    paid_until: paid_until && microsOf(paid_until) > now ? instantIn(paid_until) : undefined,
    ends_with_period_at: instantIn(subscription.next_billing_at),
  };
}

/**
 * Price of the charge at `at`, less credit. The first charge after a trial may cover less than a
 * full period.
 */
function nextPrice(subscription: Row, at: Micros): Money {
  const price = moneyOf(subscription);
  const { charge = 0 } = afterCredit(subscription, dueAt(subscription, at).amount);
  return { ...price, amount: charge };
}

const merchantView = (merchant: Row): MerchantView => ({
  name: merchant.brand_name || merchant.business_name || '',
  color: orUndefined(merchant.brand_color),
  has_logo: Boolean(merchant.document_logo_id),
  email: orUndefined(merchant.business_support_email),
  help_url: orUndefined(merchant.business_support_url),
  terms_url: orUndefined(merchant.business_terms_url),
  privacy_url: orUndefined(merchant.business_privacy_policy_url),
});

function cardView(card: Row, now: Micros): CardView {
  const [expiry_month, expiry_year] = [Number(card.expiry_month), Number(card.expiry_year)];
  return {
    brand: brandName(card.kind as string),
    last_four: card.last_four ?? '',
    expiry_month,
    expiry_year,
    expired: isExpired(card, now),
  };
}

const chargeView = (charge: Row): ChargeView => ({
  id: charge.id as string,
  at: toInstant(microsOf(charge.succeeded_at ?? (charge.created_at as string))),
  price: moneyOf(charge),
  state: chargeState(charge),
  has_receipt: Boolean(charge.succeeded_at),
});

/** Whether a charge was made with a card. False if credit paid the complete amount. */
const isCharged = ({ cancellation_reason }: Row): boolean =>
  cancellation_reason !== 'paid_by_credit';

function chargeState({ status, amount_refunded_cents, amount_captured_cents }: Row): ChargeState {
  const refundedCents = Number(amount_refunded_cents);
  switch (status) {
    case 'succeeded':
      if (refundedCents === 0) return 'paid';
      return refundedCents < Number(amount_captured_cents) ? 'partly_refunded' : 'refunded';
    case 'failed':
    case 'canceled':
      return 'failed';
    case 'disputed':
    case 'reversed':
      return status;
    default:
      return 'processing';
  }
}

/** Content of the receipt of a charge. */
export function receiptView(
  { merchant }: Visit,
  { charge, card, customer, refunds }: Receipt,
): ReceiptView {
  const [periodStart, periodEnd] = [
    instantIn(charge.period_start_at),
    instantIn(charge.period_end_at),
  ];
  return {
    merchant: merchantView(merchant),
    sandbox: charge.mode === 'sandbox',
    reference: orUndefined(charge.purchase_reference),
    number: charge.id as string,
    at: toInstant(microsOf(charge.succeeded_at as string)),
    period:
      periodStart === undefined || periodEnd === undefined
        ? undefined
        : { start: periodStart, end: periodEnd },
    customer: customer && {
      name: orUndefined(customer.name),
      email: customer.email as string,
    },
    description: orUndefined(charge.description),
    ...linesOf(charge),
    total: moneyOf(charge, 'amount_captured_cents'),
    card: card && { brand: brandName(card.kind as string), last_four: card.last_four ?? '' },
    refunds: refunds.map((refund) => ({
      at: toInstant(microsOf(refund.succeeded_at as string)),
      price: { amount: Number(refund.amount_cents), currency: charge.amount_currency as string },
    })),
  };
}

function linesOf(charge: Row): Pick<ReceiptView, 'lines' | 'sums' | 'tax_included'> {
  const { items, sums, tax_included } = receiptLines(charge);
  const priceOf = (amount: number): Money => ({
    amount,
    currency: charge.amount_currency as string,
  });
  return {
    lines: items.map(({ name, quantity, amount_cents }) => ({
      name,
      quantity,
      price: priceOf(amount_cents),
    })),
    sums: sums.map(({ label, amount_cents }) => ({ label, price: priceOf(amount_cents) })),
    tax_included: tax_included === undefined ? undefined : priceOf(tax_included),
  };
}
