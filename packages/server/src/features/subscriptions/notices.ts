import { isTrue, type Row } from '../../platform/database/row.ts';
import type { ChangedRow } from '../../platform/database/transition.ts';
import { type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import type { NewEmail } from '../emails/write.ts';
import { isExpired } from '../payment-methods/expiry.ts';
import { dueAt } from './billing/billing.ts';
import { afterCredit, endOf, type Step } from './billing/cycle.ts';
import { type BillingPolicy, finalActionOf } from './billing/dunning.ts';
import { customerLink } from './customer-links/customer-link.ts';
import { isConfirmed } from './decide.ts';

/** Lifetime in seconds of links to the customer's page in emails. */
const LINK_SECONDS = 30 * 24 * 60 * 60;

/** Address of a subscription's customer page, for emails. */
export const customerLinkOf = (services: Services, subscription: Row, now: Micros): string =>
  customerLink(services, subscription, now, seconds(LINK_SECONDS));

/** A failed charge, with its subscription after the failure. */
interface Failure {
  readonly charge: Row;
  readonly subscription: Row;
}

/**
 * Emails about failed charges of active subscriptions. A payer who confirms a subscription sees the
 * failure on the page.
 */
export const emailsOfFailures = (
  services: Services,
  failures: readonly Failure[],
  policyOf: (row: Row) => BillingPolicy,
  now: Micros,
): NewEmail[] =>
  failures
    .filter(({ charge, subscription }) => charge.status === 'failed' && subscription.past_due_since)
    .map((failure) => emailOfFailure(services, failure, policyOf(failure.charge), now));

/** Email about a failed charge. If no automatic retry is left, the email names the consequence. */
function emailOfFailure(
  services: Services,
  { charge: payment, subscription }: Failure,
  policy: BillingPolicy,
  now: Micros,
): NewEmail {
  const emailFacts = { payment, link_url: customerLinkOf(services, subscription, now) };
  const final_action = finalActionOf(payment, policy);
  const { next_try_at, dunning_ends_at, status } = subscription;
  // A pause stops the planned retry.
  if (status === 'active' && next_try_at)
    return { kind: 'payment_failed', ...emailFacts, next_try_at: microsOf(next_try_at) };
  if (status !== 'active' || !dunning_ends_at || final_action === 'keep')
    return { kind: 'payment_failed', ...emailFacts };
  return { kind: 'final_notice', ...emailFacts, final_action, ends_at: microsOf(dunning_ends_at) };
}

/**
 * Emails for a subscription's step. `subscription` is the row after the step; `card` is the charged
 * card.
 */
export function emailsOfStep(
  services: Services,
  { notice }: Pick<Step, 'notice'>,
  subscription: Row,
  card: Row | undefined,
  now: Micros,
): NewEmail[] {
  switch (notice) {
    case 'ended':
      return emailsOfEnd(services, subscription, now);
    case 'unpaid':
      return [emailOfArrears(services, subscription, now)];
    case 'upcoming':
      return subscription.next_billing_at
        ? emailsOfNextCharge(services, subscription, card, now)
        : [];
    default:
      return [];
  }
}

/** Emails about the next charge unless credit covers it, and about a card that expires before. */
function emailsOfNextCharge(
  services: Services,
  subscription: Row,
  card: Row | undefined,
  now: Micros,
): NewEmail[] {
  const emailFacts = { subscription, link_url: customerLinkOf(services, subscription, now) };
  const charge_at = microsOf(subscription.next_billing_at as string);
  const { charge } = afterCredit(subscription, dueAt(subscription, charge_at).amount);
  const kind = isFirst(subscription) ? 'trial_ending' : 'upcoming_renewal';
  const isAnnounced = isTrue(subscription.alert_receipt) && charge !== undefined;
  return [
    ...(isAnnounced
      ? [{ kind, ...emailFacts, charge_at, amount_cents: String(charge) } as const]
      : []),
    ...(card && isExpired(card, charge_at)
      ? [{ kind: 'card_expiring', ...emailFacts, card } as const]
      : []),
  ];
}

/** Whether the next charge is the first one after a trial. */
const isFirst = ({ trial_end_at, current_period_end_at }: Row): boolean =>
  Boolean(trial_end_at) && !current_period_end_at;

const emailOfArrears = (services: Services, subscription: Row, now: Micros): NewEmail => ({
  kind: 'subscription_unpaid',
  subscription,
  final_action: subscription.status === 'paused' ? 'pause' : 'cancel',
  at: now,
  link_url: customerLinkOf(services, subscription, now),
});

/**
 * Emails to a payer who cancels with the period: the date of the end, and again if the end comes
 * earlier. The end itself has its own email.
 */
export function emailsOfPlannedEnd(
  services: Services,
  { before, after }: ChangedRow,
  now: Micros,
): NewEmail[] {
  const isNew = !isTrue(before.canceled_at_period_end) && isTrue(after.canceled_at_period_end);
  if (!isNew || !isConfirmed(after) || !after.next_billing_at) return [];
  const ends_at = endOf(after) as Micros;
  return ends_at > now ? [emailOfEnding(services, after, ends_at, now)] : [];
}

const emailOfEnding = (
  services: Services,
  subscription: Row,
  ends_at: Micros,
  now: Micros,
): NewEmail => ({
  kind: 'subscription_ending',
  subscription,
  at: now,
  ends_at,
  link_url: customerLinkOf(services, subscription, now),
});

/** Email about a subscription that has ended. */
export const emailsOfEnd = (services: Services, subscription: Row, now: Micros): NewEmail[] => [
  {
    kind: 'subscription_cancelled',
    subscription,
    link_url: customerLinkOf(services, subscription, now),
  },
];
