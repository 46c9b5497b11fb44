import type { Draft } from '../../api/queries.ts';
import type { Purchase } from './details/use-checkout-details.ts';
import { payerLinks } from './payment-draft.ts';

/** First charge: now, at the end of a free trial, or now for the share of the time until a date. */
export const starts = ['now', 'trial', 'prorated'] as const;

/** Inputs that only subscriptions have. */
export interface SubscriptionValues {
  /** Product that the customer pays for. */
  readonly plan: string;
  readonly period: string;
  readonly start: (typeof starts)[number];
  /** Day of the first full charge (`2026-12-31`), unless it is now. */
  readonly startDay: string;
  readonly chargesMax: string;
  readonly endDay: string;
  readonly hasReceipt: boolean;
}

export const noSubscription: SubscriptionValues = {
  ...{ plan: '', period: 'one_month', start: 'now', startDay: '', chargesMax: '', endDay: '' },
  hasReceipt: true,
};

/** Zone of the interface for subscriptions that name none. */
const ZONE_DEFAULT = 'UTC';

/** Time of a chosen day: noon in a time zone, so that it is the same day for most customers. */
export function noonOf(day: string, timezone: string): string {
  const noon = Date.parse(`${day}T12:00Z`);
  return new Date(noon - offsetOf(noon, timezone)).toISOString();
}

/** Returns how far a time zone is ahead of UTC, in milliseconds. */
function offsetOf(at: number, timezone: string): number {
  const format = new Intl.DateTimeFormat('sv', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return Date.parse(`${format.format(at).replace(' ', 'T')}Z`) - at;
}

const SLUG_MAX = 100;

/** Returns the interface's name of a plan: `Rosé, monthly` becomes `rose_monthly`. */
function slugOf(plan: string): string {
  const words =
    plan
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const slug = words.join('_');
  return (/^[a-z]/.test(slug) ? slug : ['plan', ...words].join('_')).slice(0, SLUG_MAX);
}

const COUNT = /^\d{1,5}$/;

/** Returns the inputs that are missing or wrong. */
export function wrongInputs(values: SubscriptionValues): readonly (keyof SubscriptionValues)[] {
  const { plan, start, startDay, chargesMax } = values;
  const wrong: (keyof SubscriptionValues | false)[] = [
    plan.trim() === '' && 'plan',
    start !== 'now' && startDay === '' && 'startDay',
    chargesMax !== '' && !(COUNT.test(chargesMax) && Number(chargesMax) > 0) && 'chargesMax',
  ];
  return wrong.filter((name) => name !== false);
}

const startOf = ({ start, startDay }: SubscriptionValues, timezone: string) => {
  if (start === 'now') return {};
  if (start === 'trial') return { trial_end_at: noonOf(startDay, timezone) };
  const billing_cycle_anchor_at = noonOf(startDay, timezone);
  return { billing_cycle_anchor_at, proration_behavior: 'create_prorations' };
};

export function subscriptionDraft(
  values: SubscriptionValues,
  purchase: Purchase,
  reference: string,
  /** The merchant's time zone, as the customer is absent. */
  billing_timezone = ZONE_DEFAULT,
): Draft {
  const { period, chargesMax, endDay, hasReceipt } = values;
  const plan = values.plan.trim();
  const { cents: amount_cents, currency: amount_currency } = purchase;
  return {
    attributes: {
      ...{ amount_cents, amount_currency, slug: slugOf(plan), description: plan },
      line_items: [{ name: plan, quantity: 1, amount_cents, amount_currency }],
      billing_period: period,
      billing_timezone,
      purchase_reference: reference,
      purchase_kind: 'order',
      email_receipt: hasReceipt,
      ...startOf(values, billing_timezone),
      ...(chargesMax && { charges_max: Number(chargesMax) }),
      ...(endDay && { end_at: noonOf(endDay, billing_timezone) }),
    },
    relationships: payerLinks(purchase),
  };
}
