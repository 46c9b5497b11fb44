import { problem } from '@florin/contract/errors.ts';
import type { RouteRefusal } from '@florin/contract/route-refusals.ts';
import type { Row } from '../../platform/database/row.ts';
import { findRow } from '../../platform/database/rows.ts';
import { type Scope, scopeOf } from '../../platform/database/scope.ts';
import type { PaymentFacts, Route } from '../../processors/route.ts';
import type { Services } from '../../services.ts';
import { routePayment } from '../processor-accounts/route-payment.ts';
import { factsOf } from './message.ts';

type Initiator = PaymentFacts['initiator'];

/**
 * Throws 422 if no account can take the payment: its currency, amount or card fits none. Costs no query while the
 * simulated network takes all payments and accounts were just read. `initiators`: who may begin payments of a subscription.
 */
export async function requireRoute(
  services: Services,
  payment: Row,
  initiators: readonly Initiator[] = [factsOf(payment, {}).initiator],
): Promise<void> {
  const scope = scopeOf(payment);
  await services.accounts.requireFresh();
  if (!isRouted(services, scope)) return;
  const { payment_method_id } = payment;
  const method =
    payment_method_id && (await findRow(services.db, 'payment_methods', scope, payment_method_id));
  for (const initiator of initiators) {
    const facts = { ...factsOf(payment, method || {}), ...(initiator && { initiator }) };
    const { candidates, refused } = routePayment(services, facts);
    if (candidates.length === 0) throw noProcessor(refused);
  }
}

function noProcessor(refused: Route['refused']): Error {
  const reasons = new Set(refused.map(({ why }) => why));
  if (reasons.size === 0) reasons.add('not_enabled');
  const facts = [...reasons].map((why) => `${REFUSALS[why][0]} (${why})`);
  const steps = [...reasons].map((why) => REFUSALS[why][1]);
  return problem(
    'no_processor',
    `No processor account takes this payment: ${facts.join(', ')}. Nothing was stored. ${steps.join(' ')}`,
  );
}

/** Fact and next step for each reason. */
const REFUSALS: Readonly<Record<RouteRefusal, readonly [fact: string, step: string]>> = {
  not_enabled: ['an account is not enabled', 'Ask the operator to add or enable an account.'],
  currency: [
    'the currency is not taken',
    'Use another currency, or ask the operator for an account that takes this one.',
  ],
  amount: ['the amount cannot be sent', 'Change the amount.'],
  card_network: [
    'the card network is not taken',
    'Use a card of another network, or ask the operator for an account that takes this one.',
  ],
  wallet: ['the wallet is not taken', 'Let the payer enter the card instead.'],
  network_token: [
    'network tokens of this card network are not taken',
    'Pay with the card itself, or ask the operator for an account that takes such tokens.',
  ],
  merchant_initiated: [
    'charges without the payer are not taken',
    'Let the payer make the payment.',
  ],
};

/** A subscription's first charge is the payer's, and the later ones the merchant's. */
export const requireSubscriptionRoute = (services: Services, subscription: Row): Promise<void> =>
  requireRoute(services, subscription, ['payer', 'merchant']);

/** Whether an account takes the charges of a subscription. Costs no query. */
export function hasSubscriptionRoute(services: Services, subscription: Row): boolean {
  const facts = factsOf(subscription, {});
  return (['merchant', 'payer'] as const).some(
    (initiator) => routePayment(services, { ...facts, initiator }).candidates.length > 0,
  );
}

/** Checks a stored payment before its confirmation. An unknown payment is left to the confirmation. */
export async function requireRouteOf(services: Services, scope: Scope, id: string): Promise<void> {
  await services.accounts.requireFresh();
  if (!isRouted(services, scope)) return;
  const payment = await findRow(services.db, 'payment_demands', scope, id);
  if (payment) await requireRoute(services, payment);
}

/** Whether accounts or rules decide about the payments of a scope. */
const isRouted = ({ accounts, processorOf }: Services, scope: Scope): boolean =>
  !processorOf(scope.mode) || accounts.rulesFor(scope).length > 0;
