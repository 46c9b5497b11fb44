import { problem } from '@florin/contract/errors.ts';
import type { Row } from '../../platform/database/row.ts';
import { findRow } from '../../platform/database/rows.ts';
import { type Scope, scopeOf } from '../../platform/database/scope.ts';
import type { Services } from '../../services.ts';
import { routePayment } from '../processor-accounts/route-payment.ts';
import { factsOf } from './message.ts';

/**
 * Throws 422 if no account can take the payment: its currency, amount or card fits none. Costs no query where the
 * simulated network takes all payments.
 */
export async function requireRoute(services: Services, payment: Row): Promise<void> {
  const scope = scopeOf(payment);
  if (!isRouted(services, scope)) return;
  const { payment_method_id } = payment;
  const method =
    payment_method_id && (await findRow(services.db, 'payment_methods', scope, payment_method_id));
  const { candidates, refused } = routePayment(services, factsOf(payment, method || {}));
  if (candidates.length > 0) return;
  const reasons = [...new Set(refused.map(({ why }) => why))].join(', ') || 'not_enabled';
  throw problem(
    'no_processor',
    `No processor account can take this payment (${reasons}), so nothing was stored. Change currency, amount or card, or ask the operator to connect an account.`,
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
