import { problem } from '@florin/contract/errors.ts';
import { notFound } from '../../jsonapi/problems.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf, keyText } from '../../platform/database/row-key.ts';
import { findRow } from '../../platform/database/rows.ts';
import type { Scope } from '../../platform/database/scope.ts';
import type { Services } from '../../services.ts';
import { lockForOutcomes, type StoredOutcomes } from '../attempts/record-outcome.ts';
import { captures, refunds } from '../follow-ups/kinds.ts';
import { storeFollowUpOutcomes } from '../follow-ups/record-outcome.ts';
import { storePaymentOutcomes } from '../payments/record-outcome.ts';
import { timelineOfId } from '../timelines/timeline-of.ts';
import { type OperatorAction, runOperatorAction } from './operator-actions.ts';

type Operation = 'authorise' | 'capture' | 'refund';

/** Table whose row an attempt belongs to. */
const tableOf = {
  authorise: 'payment_demands',
  capture: 'capture_demands',
  refund: 'refund_demands',
} as const;

/** Outcomes that an operator may find at a processor. */
export const foundOutcomes = ['failed', 'succeeded'] as const;
export type FoundOutcome = (typeof foundOutcomes)[number];

/** An attempt, with the outcome that an operator found at its processor. */
export interface FoundAttempt extends Scope {
  readonly id: string;
  readonly outcome: FoundOutcome;
}

/**
 * Ends an attempt that its processor never told about, and audits the operator's reason. A failed payment is reversed if
 * its approval comes later. Throws 404 for an unknown attempt, 405 while Florin still finds out itself, and 422 for an
 * authorisation that succeeded.
 */
export async function closeOutcome(
  services: Services,
  operatorAction: OperatorAction,
  { id, outcome, ...scope }: FoundAttempt,
): Promise<void> {
  const timeline = await timelineOfId(services, scope, ['attempts'], id);
  const details = { attempt: id, outcome };
  const audited = { kind: 'close_outcome', mode: scope.mode, details } as const;
  await runOperatorAction(services, operatorAction, audited, async ({ tx }) => {
    const attempt = await findRow(tx, 'attempts', scope, id);
    if (!attempt) throw notFound();
    const key = keyOf(attempt);
    const table = tableOf[attempt.operation as Operation];
    const [locked] = await lockForOutcomes(tx, table, [{ key, result: outcome }]);
    if (!locked) throw notFound();
    requireClosable(locked.attempt, outcome);
    const { states } = await storeFound(timeline, tx, attempt, outcome);
    if (!states.has(keyText(attempt))) throw outcomeKnown();
  });
  services.wake.deliver.raise();
}

function storeFound(
  services: Services,
  tx: Db,
  attempt: Row,
  outcome: FoundOutcome,
): Promise<StoredOutcomes> {
  const key = keyOf(attempt);
  if (attempt.operation === 'authorise')
    return storePaymentOutcomes(services, tx, [{ key, result: { result: 'closed' } }]);
  const kind = attempt.operation === 'capture' ? captures : refunds;
  const result =
    outcome === 'succeeded'
      ? ({ result: 'approved', network_transaction_id: null } as const)
      : ({ result: 'declined', code: kind.declined_reason } as const);
  return storeFollowUpOutcomes(services, kind, tx, [{ key, result }]);
}

function requireClosable({ status, due_at, operation }: Row, outcome: FoundOutcome): void {
  if (status !== 'unknown' && status !== 'reversing') throw outcomeKnown();
  if (due_at)
    throw problem(
      'invalid_state',
      `Florin finds out itself, next at ${due_at}. Close the outcome once the list says that an operator must.`,
    );
  if (operation === 'authorise' && outcome === 'succeeded')
    throw problem(
      'invalid_value',
      'An authorisation without an outcome can only be closed as failed. Cancel it at the processor first.',
      { pointer: '/outcome' },
    );
}

const outcomeKnown = () =>
  problem(
    'invalid_state',
    'The outcome is known already. Load the list of unknown outcomes again.',
  );
