import { createHash } from 'node:crypto';
import type { WriteInput } from '../../jsonapi/behaviour.ts';
import type { Row } from '../../platform/database/row.ts';

/** Details that the payer entered, and the payer's language. */
export interface EnteredPayer {
  readonly email: string;
  readonly name: string;
  readonly locale: string;
  /** Key of the rendered page: submitting it twice begins one payment. */
  readonly page_key: string;
}

/** Customer of a link that asks for no details. */
export interface KnownPayer {
  readonly customer: string;
  /** Ended purchases of the link: until the next one ends, every visit leads to the same purchase. */
  readonly ended: number;
}

export type LinkPayer = EnteredPayer | KnownPayer;

type Attributes = WriteInput['attributes'];

/** Resource type of a payment over the link. */
export const purchaseType = ({
  billing_period,
}: Row): 'payment_demands' | 'payment_subscriptions' =>
  billing_period ? 'payment_subscriptions' : 'payment_demands';

/**
 * Attributes of a purchase over a link. `reference` distinguishes it from the link's other
 * purchases.
 */
export function purchaseOf(
  link: Row,
  reference: string,
): Attributes & { readonly purchase_reference: string } {
  return {
    amount_cents: Number(link.amount_cents),
    amount_currency: link.amount_currency,
    description: link.description ?? link.title,
    email_receipt: link.email_receipt === 't',
    purchase_reference: `${link.purchase_reference}-${reference}`,
    purchase_kind: 'order',
    line_items: itemsOf(link),
    ...(link.billing_period && { billing_period: link.billing_period, slug: SLUG }),
  };
}

/** Slug of all plans that links create. */
const SLUG = 'payment_link';

function itemsOf({ line_items, title, amount_cents, amount_currency }: Row): readonly object[] {
  const items = JSON.parse(line_items ?? '[]') as readonly { readonly id: string }[];
  if (items.length > 0) return items.map(({ id: _ofTheLink, ...item }) => item);
  return [{ name: title, quantity: 1, amount_cents: Number(amount_cents), amount_currency }];
}

/** Idempotency key of a purchase: page, payer's details and current price. */
export function purchaseIdempotencyKey(link: Row, payer: LinkPayer): string {
  const payerKey =
    'customer' in payer ? [payer.customer, payer.ended] : [payer.email, payer.name, payer.page_key];
  const content = [link.id, ...payerKey, purchaseOf(link, '')];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
