import { problem } from '@florin/contract/errors.ts';
import type { Row } from '../../platform/database/row.ts';
import { findRow } from '../../platform/database/rows.ts';
import { type Scope, scopeOf } from '../../platform/database/scope.ts';
import type { PaymentFacts, Route } from '../../processors/route.ts';
import type { Services } from '../../services.ts';
import { routePayment } from '../processor-accounts/route-payment.ts';
import { factsOf } from './message.ts';

type Initiator = PaymentFacts['initiator'];

/**
 * Throws 422 if no account can take the payment: its currency, amount or card fits none. Costs no query where the
 * simulated network takes all payments. `initiators`: who may begin payments of a subscription.
 */
export async function requireRoute(
  services: Services,
  payment: Row,
  initiators: readonly Initiator[] = [factsOf(payment, {}).initiator],
): Promise<void> {
  const scope = scopeOf(payment);
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
  const reasons = [...new Set(refused.map(({ why }) => why))].join(', ') || 'not_enabled';
  return problem(
    'no_processor',
    `No processor account can take this payment (${reasons}), so nothing was stored. Change currency, amount or card, or ask the operator to connect an account.`,
  );
}

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
  if (!isRouted(services, scope)) return;
  const payment = await findRow(services.db, 'payment_demands', scope, id);
  if (payment) await requireRoute(services, payment);
}

/** Whether accounts or rules decide about the payments of a scope. */
const isRouted = ({ accounts, processorOf }: Services, scope: Scope): boolean =>
  !processorOf(scope.mode) || accounts.rulesFor(scope).length > 0;
