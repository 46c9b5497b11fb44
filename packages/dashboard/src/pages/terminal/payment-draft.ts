import { newKey } from '../../api/keys.ts';
import type { Draft } from '../../api/queries.ts';
import type { Purchase } from './details/use-checkout-details.ts';
import { linkTo } from './payer/payer-values.ts';

/** Inputs that only payments have. */
export interface PaymentValues {
  readonly description: string;
  /** Reference of the purchase; empty for the one that Florin fills in. */
  readonly reference: string;
  readonly kind: string;
  readonly isHeld: boolean;
  readonly hasReceipt: boolean;
}

export const noPayment: PaymentValues = {
  ...{ description: '', reference: '', kind: 'order', isHeld: false, hasReceipt: true },
};

const REFERENCE_CHARS = 8;

/** A reference for a purchase without a number of its own. */
export const newReference = (): string => `phone-${newKey().slice(0, REFERENCE_CHARS)}`;

/** Relationships of a payment or subscription to the person who pays. */
export const payerLinks = ({ payer, address }: Purchase) => ({
  payer: linkTo('customers', payer),
  billing_address: linkTo('consumer_addresses', address),
});

export function paymentDraft(
  { description, reference, kind, isHeld, hasReceipt }: PaymentValues,
  purchase: Purchase,
  reference_default: string,
): Draft {
  const text = description.trim();
  return {
    attributes: {
      amount_cents: purchase.cents,
      amount_currency: purchase.currency,
      purchase_reference: reference.trim() || reference_default,
      purchase_kind: kind,
      sales_channel: 'telephone',
      email_receipt: hasReceipt,
      capture_method: isHeld ? 'manual' : 'automatic',
      ...(text && { description: text }),
    },
    relationships: payerLinks(purchase),
  };
}
