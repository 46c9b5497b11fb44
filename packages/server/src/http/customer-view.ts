import { brandName } from '@florin/contract/card/brand-names.ts';
import type { BillingPeriod } from '@florin/contract/resources/payment-subscriptions.ts';
import { nextChargeAt, offeredActions, standingsOf } from '../features/customer-page/decide.ts';
import type { Visit } from '../features/customer-page/open.ts';
import { CHARGES_SHOWN, type Receipt, type Surroundings } from '../features/customer-page/read.ts';
import { afterCredit } from '../features/subscriptions/cycle.ts';
import type { ReceiptLine, ReceiptView } from '../hosted/customer-page/receipt-page.ts';
import type {
  CardView,
  ChargeState,
  ChargeView,
  Instant,
  MerchantView,
  Money,
  SubscriptionView,
} from '../hosted/customer-page/view.ts';
import { type Micros, microsOf } from '../kernel/clock.ts';
import type { Row } from '../store/row.ts';

type Text = string | null | undefined;

const MICROS_PER_MILLI = 1_000;
const instant = (at: Micros): Instant => Math.floor(at / MICROS_PER_MILLI);
const instantIn = (text: Text): Instant | undefined => (text ? instant(microsOf(text)) : undefined);
const orNothing = (text: Text): string | undefined => text || undefined;

const money = (row: Row, column = 'amount_cents'): Money => ({
  amount: Number(row[column]),
  currency: row.amount_currency as string,
});

/** What the customer sees of a subscription. */
export function subscriptionView(
  { subscription, merchant, rights, now }: Visit,
  { card, charges }: Surroundings,
): SubscriptionView {
  const price = money(subscription);
  const next = nextChargeAt(subscription);
  const { charge = 0 } = afterCredit(subscription, price.amount);
  const paid_until = subscription.current_period_end_at;
  return {
    merchant: merchantView(merchant),
    sandbox: subscription.mode === 'sandbox',
    name: nameOf(subscription),
    price,
    period: subscription.billing_period as BillingPeriod,
    standings: standingsOf(subscription, now).map(({ kind, at }) => ({
      kind,
      at: at === undefined ? undefined : instant(at),
    })),
    next:
      next === undefined ? undefined : { at: instant(next), price: { ...price, amount: charge } },
    paid_until: paid_until && microsOf(paid_until) > now ? instantIn(paid_until) : undefined,
    ends_with_period_at: instantIn(subscription.next_billing_at),
    card: card && cardView(card, now),
    actions: offeredActions(subscription, rights, now),
    charges: charges.slice(0, CHARGES_SHOWN).map(chargeView),
    has_more: charges.length > CHARGES_SHOWN,
  };
}

const merchantView = (merchant: Row): MerchantView => ({
  name: merchant.brand_name || merchant.business_name || '',
  email: orNothing(merchant.business_support_email),
  help_url: orNothing(merchant.business_support_url),
  terms_url: orNothing(merchant.business_terms_url),
  privacy_url: orNothing(merchant.business_privacy_policy_url),
});

interface LineItem {
  readonly name?: string | null;
  readonly quantity: number;
  readonly amount_cents: number;
}

const itemsOf = ({ line_items }: Row): readonly LineItem[] => JSON.parse(line_items ?? '[]') ?? [];

/** What it is: the merchant's words for the whole, else for its parts. */
function nameOf(row: Row): string | undefined {
  const parts = itemsOf(row).flatMap(({ name }) => name || []);
  return orNothing(row.description) ?? orNothing(parts.join(', '));
}

function cardView(card: Row, now: Micros): CardView {
  const [expiry_month, expiry_year] = [Number(card.expiry_month), Number(card.expiry_year)];
  return {
    brand: brandName(card.kind as string),
    last_four: card.last_four ?? '',
    expiry_month,
    expiry_year,
    // A card is good until its month is over.
    expired: Date.UTC(expiry_year, expiry_month) <= instant(now),
  };
}

const chargeView = (charge: Row): ChargeView => ({
  id: charge.id as string,
  at: instant(microsOf(charge.succeeded_at ?? (charge.created_at as string))),
  price: money(charge),
  state: chargeState(charge),
  has_receipt: Boolean(charge.succeeded_at),
});

function chargeState({ status, amount_refunded_cents, amount_captured_cents }: Row): ChargeState {
  const refunded = Number(amount_refunded_cents);
  switch (status) {
    case 'succeeded':
      if (refunded === 0) return 'paid';
      return refunded < Number(amount_captured_cents) ? 'partly_refunded' : 'refunded';
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

/** What the receipt of a charge says. */
export function receiptView(
  { merchant, subscription }: Visit,
  { charge, card, customer, refunds }: Receipt,
): ReceiptView {
  const [start, end] = [instantIn(charge.period_start_at), instantIn(charge.period_end_at)];
  return {
    merchant: merchantView(merchant),
    sandbox: charge.mode === 'sandbox',
    reference: orNothing(charge.purchase_reference),
    number: charge.id as string,
    at: instant(microsOf(charge.succeeded_at as string)),
    period: start === undefined || end === undefined ? undefined : { start, end },
    customer: customer && {
      name: orNothing(customer.name),
      email: customer.email as string,
    },
    description: orNothing(charge.description),
    lines: linesOf(charge, subscription),
    discount: sumOf(charge, charge.discount_cents),
    shipping: sumOf(charge, partOf(charge.shipping_detail, 'shipping_cents')),
    tax: sumOf(charge, partOf(charge.tax_detail, 'tax_cents')),
    total: money(charge, 'amount_captured_cents'),
    card: card && { brand: brandName(card.kind as string), last_four: card.last_four ?? '' },
    refunds: refunds.map((refund) => ({
      at: instant(microsOf(refund.succeeded_at as string)),
      price: { amount: Number(refund.amount_cents), currency: charge.amount_currency as string },
    })),
  };
}

const linesOf = (charge: Row, subscription: Row): ReceiptLine[] =>
  itemsOf(charge).map(({ name, quantity, amount_cents }) => ({
    name: name || (subscription.slug ?? ''),
    quantity,
    price: { amount: amount_cents, currency: charge.amount_currency as string },
  }));

const partOf = (json: Text, name: string): Text => {
  const detail = json ? (JSON.parse(json) as Readonly<Record<string, unknown>> | null) : null;
  const cents = detail?.[name];
  return typeof cents === 'number' ? String(cents) : undefined;
};

const sumOf = (charge: Row, cents: Text): Money | undefined =>
  cents && Number(cents) !== 0
    ? { amount: Number(cents), currency: charge.amount_currency as string }
    : undefined;
