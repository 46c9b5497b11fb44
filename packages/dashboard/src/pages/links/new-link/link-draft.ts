import type { Draft } from '../../../api/queries.ts';
import { linkTo } from '../../terminal/payer/payer-values.ts';

/** Ends of a link that the form offers, and a day of the person's choice. */
export const expiries = ['never', 'one_day', 'seven_days', 'thirty_days', 'on_day'] as const;
export type Expiry = (typeof expiries)[number];

/** How often a link can be paid. */
export const uses = ['many', 'once', 'limited'] as const;

/** Inputs of a new payment link. */
export interface LinkValues {
  readonly title: string;
  readonly amount: string;
  /** Currency; empty until the merchant's usual one is known. */
  readonly currency: string;
  /** Period of a subscription; empty for a single payment. */
  readonly period: string;
  readonly uses: (typeof uses)[number];
  readonly usesMax: string;
  readonly expiry: Expiry;
  /** Last day of the link (`2026-12-31`), if it ends on a day. */
  readonly expiryDay: string;
  readonly description: string;
  readonly reference: string;
  readonly successUrl: string;
  readonly hasReceipt: boolean;
}

export const noLink: LinkValues = {
  ...{ title: '', amount: '', currency: '', period: '', uses: 'many', usesMax: '' },
  ...{ expiry: 'never', expiryDay: '', description: '', reference: '', successUrl: '' },
  hasReceipt: true,
};

const DAY_MS = 86_400_000;
const DAYS: Readonly<Partial<Record<Expiry, number>>> = {
  one_day: 1,
  seven_days: 7,
  thirty_days: 30,
};
const COUNT = /^[1-9]\d{0,6}$/;

/** Problem of an input: it is empty, or it is no number. */
export type LinkProblem = 'required' | 'not_a_number';

/** Returns the inputs that are missing or wrong, without the amount. */
export function wrongLinkInputs(
  values: LinkValues,
): Readonly<Partial<Record<keyof LinkValues, LinkProblem>>> {
  const { title, uses: use, usesMax, expiry, expiryDay } = values;
  return {
    ...(title.trim() === '' && { title: 'required' }),
    ...(use === 'limited' && !COUNT.test(usesMax) && { usesMax: 'not_a_number' }),
    ...(expiry === 'on_day' && expiryDay === '' && { expiryDay: 'required' }),
  };
}

/** Returns when the link ends: some days from now, or at the end of the chosen day where the person is. */
export function expiryOf({ expiry, expiryDay }: LinkValues, now: number): string | undefined {
  const days = DAYS[expiry];
  if (days) return new Date(now + days * DAY_MS).toISOString();
  return expiry === 'on_day' ? new Date(`${expiryDay}T23:59:59`).toISOString() : undefined;
}

/** `customer` is the id of the customer who pays; without it, everyone can pay. */
export function linkDraft(
  values: LinkValues,
  amount_cents: number,
  now: number,
  customer?: string,
): Draft {
  const expires_at = expiryOf(values, now);
  const [description, purchase_reference, success_url] = [
    values.description.trim(),
    values.reference.trim(),
    values.successUrl.trim(),
  ];
  return {
    attributes: {
      ...{ title: values.title.trim(), amount_cents, amount_currency: values.currency },
      email_receipt: values.hasReceipt,
      ...(values.period && { billing_period: values.period }),
      ...(values.uses === 'once' && { uses_max: 1 }),
      ...(values.uses === 'limited' && { uses_max: Number(values.usesMax) }),
      ...(expires_at && { expires_at }),
      ...(description && { description }),
      ...(purchase_reference && { purchase_reference }),
      ...(success_url && { success_url }),
    },
    ...(customer && { relationships: { customer: linkTo('customers', customer) } }),
  };
}
