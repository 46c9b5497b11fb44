import { type Micros, microsOf, seconds } from '../../kernel/clock.ts';
import { isTrue, type Row } from '../../store/row.ts';
import type { NewLetter } from '../letters/write.ts';
import type { Services } from '../services.ts';
import { customerLink } from './customer-link.ts';
import { afterCredit, type Step } from './cycle.ts';

/** How long the link in a letter leads to the customer's page. */
const LINK_SECONDS = 30 * 24 * 60 * 60;

/** The customer's page of a subscription, as letters lead to it. */
export const linkOf = (services: Services, subscription: Row, now: Micros): string =>
  customerLink(services, subscription, now, seconds(LINK_SECONDS));

/** A charge, and its subscription as it is after that was told of it. */
interface Failure {
  readonly charge: Row;
  readonly subscription: Row;
}

/** The letters about charges that failed while their subscription lives: whoever confirms one sees that it fails. */
export const lettersOfFailures = (
  services: Services,
  failures: readonly Failure[],
  now: Micros,
): NewLetter[] =>
  failures
    .filter(({ charge, subscription }) => charge.status === 'failed' && subscription.past_due_since)
    .map(({ charge, subscription }) => ({
      kind: 'payment_failed',
      payment: charge,
      link_url: linkOf(services, subscription, now),
      ...(subscription.next_try_at && { next_try_at: microsOf(subscription.next_try_at) }),
    }));

/** The letters that a step of a subscription calls for, which is as it is after it; `card` is the one that pays. */
export function lettersOfStep(
  services: Services,
  { occasion }: Pick<Step, 'occasion'>,
  subscription: Row,
  card: Row | undefined,
  now: Micros,
): NewLetter[] {
  if (occasion === 'ended') return lettersOfEnd(services, subscription, now);
  const link_url = linkOf(services, subscription, now);
  if (occasion !== 'upcoming' || !subscription.next_billing_at) return [];
  const charge_at = microsOf(subscription.next_billing_at);
  const { charge } = afterCredit(subscription, Number(subscription.amount_cents));
  const isTold = isTrue(subscription.alert_receipt) && charge !== undefined;
  const expires = card !== undefined && isExpired(card, charge_at);
  return [
    ...(isTold
      ? [
          {
            kind: 'upcoming_renewal',
            subscription,
            charge_at,
            amount_cents: String(charge),
            link_url,
          } as const,
        ]
      : []),
    ...(expires ? [{ kind: 'card_expiring', subscription, card, link_url } as const] : []),
  ];
}

/** The letter about a subscription that has ended. */
export const lettersOfEnd = (services: Services, subscription: Row, now: Micros): NewLetter[] => [
  { kind: 'subscription_cancelled', subscription, link_url: linkOf(services, subscription, now) },
];

/** A card is good until the end of its month. */
function isExpired({ expiry_year, expiry_month }: Row, at: Micros): boolean {
  if (!expiry_year || !expiry_month) return false;
  return Date.UTC(Number(expiry_year), Number(expiry_month), 1) * 1000 <= at;
}
