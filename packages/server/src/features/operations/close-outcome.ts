import { problem } from '@florin/contract/errors.ts';
import { notFound } from '../../jsonapi/problems.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf, keyText } from '../../platform/database/row-key.ts';
import { findRow } from '../../platform/database/rows.ts';
import { type Scope, scopeOf } from '../../platform/database/scope.ts';
import type { Services } from '../../services.ts';
import { storedReference } from '../attempts/own-processor.ts';
import { lockForOutcomes, type StoredOutcomes } from '../attempts/record-outcome.ts';
import { findReferenceOwner } from '../attempts/sql/reference-owner.ts';
import { captures, refunds } from '../follow-ups/kinds.ts';
import { storeFollowUpOutcomes } from '../follow-ups/record-outcome.ts';
import { foundApproval } from '../payments/approve.ts';
import { alertWithoutChecks, rulesOf } from '../payments/confirmation/alert-without-checks.ts';
import { storePaymentOutcomes } from '../payments/record-outcome.ts';
import { lateApprovalsOf } from '../payments/sql/late-approvals.ts';
import { timelineOfId } from '../timelines/timeline-of.ts';
import {
  type FoundAtProcessor,
  type FoundOutcome,
  outcomeKnown,
  requireOperatorsTurn,
  requireProof,
} from './decide-close-outcome.ts';
import { type OperatorAction, runOperatorAction } from './operator-actions.ts';
import { findReported } from './sql/open-cases.ts';

type Operation = 'authorise' | 'capture' | 'refund';

/** Table whose row an attempt belongs to. */
const tableOf = {
  authorise: 'payment_demands',
  capture: 'capture_demands',
  refund: 'refund_demands',
} as const;

/** An attempt, with what an operator found at its processor. */
export interface FoundAttempt extends Scope, FoundAtProcessor {
  readonly id: string;
}

/**
 * Ends an attempt that its processor never told about, and audits the operator's reason. A failed payment is reversed if
 * its approval comes later. Throws 404 for an unknown attempt, 405 while Florin still finds out itself, and 422 for an
 * authorisation that succeeded without proof.
 */
export async function closeOutcome(
  services: Services,
  operatorAction: OperatorAction,
  { id, outcome, reference, ...scope }: FoundAttempt,
): Promise<void> {
  const timeline = await timelineOfId(services, scope, ['attempts'], id);
  const details = { attempt: id, outcome, ...(reference && { processor_reference: reference }) };
  const audited = { kind: 'close_outcome', mode: scope.mode, details } as const;
  await runOperatorAction(services, operatorAction, audited, async ({ tx }) => {
    const found = await findRow(tx, 'attempts', scope, id);
    if (!found) throw notFound();
    const table = tableOf[found.operation as Operation];
    const [locked] = await lockForOutcomes(tx, table, [{ key: keyOf(found), result: outcome }]);
    if (!locked) throw notFound();
    const { attempt, demand } = locked;
    requireOperatorsTurn(attempt);
    const isConfirmed = outcome === 'succeeded' && attempt.operation === 'authorise';
    const { states } = isConfirmed
      ? await confirm(timeline, tx, { attempt, demand }, { outcome, reference })
      : await storeFound(timeline, tx, attempt, outcome);
    if (!states.has(keyText(attempt))) throw outcomeKnown();
  });
  services.wake.deliver.raise();
}

interface Confirmed {
  readonly attempt: Row;
  readonly demand: Row;
}

/** Approves a payment with proof. Tells its merchant if rules about its checks could not be applied. */
async function confirm(
  services: Services,
  tx: Db,
  { attempt, demand }: Confirmed,
  found: FoundAtProcessor,
): Promise<StoredOutcomes> {
  const scope = scopeOf(attempt);
  const refused_mismatches = await rulesOf(tx, attempt);
  requireProof(attempt, demand, found, {
    reported: await findReported(tx, scope, demand),
    late_approvals: await lateApprovalsOf(tx, scope),
    refused_mismatches,
  });
  const stored = await storeConfirmed(services, tx, attempt, found.reference as string);
  await alertWithoutChecks(services, tx, { attempt, demand }, refused_mismatches);
  return stored;
}

/** Approves a payment that its processor captured. A reference that the processor told stays. */
async function storeConfirmed(
  services: Services,
  tx: Db,
  attempt: Row,
  id: string,
): Promise<StoredOutcomes> {
  const read = storedReference(services, attempt, id, true);
  if ('form' in read)
    throw problem('invalid_value', `processor_reference must be ${read.form}.`, {
      pointer: '/processor_reference',
    });
  const reference = attempt.processor_reference ?? read.reference ?? id;
  const owner = await findReferenceOwner(tx, attempt, reference);
  if (owner)
    throw problem('invalid_value', `processor_reference belongs to the payment ${owner}.`, {
      pointer: '/processor_reference',
    });
  const key = keyOf(attempt);
  // Nothing is sent meanwhile: both changes are in this transaction.
  const given_up = { result: 'given_up', asked_all: true } as const;
  if (attempt.status === 'unknown')
    await storePaymentOutcomes(services, tx, [{ key, result: given_up }]);
  const result = { result: 'confirmed', ...foundApproval(attempt, reference) } as const;
  return storePaymentOutcomes(services, tx, [{ key, result }]);
}

async function storeFound(
  services: Services,
  tx: Db,
  attempt: Row,
  outcome: FoundOutcome,
): Promise<StoredOutcomes> {
  const key = keyOf(attempt);
  // Held payments of a restore, and approvals of another amount, have no reversal yet. None is sent.
  if (attempt.operation === 'authorise' && attempt.status === 'unknown')
    await storePaymentOutcomes(services, tx, [
      { key, result: { result: 'given_up', asked_all: true } },
    ]);
  if (attempt.operation === 'authorise')
    return storePaymentOutcomes(services, tx, [{ key, result: { result: 'closed' } }]);
  const kind = attempt.operation === 'capture' ? captures : refunds;
  const result =
    outcome === 'succeeded'
      ? ({ result: 'approved', network_transaction_id: null } as const)
      : ({ result: 'declined', code: kind.declined_reason } as const);
  return storeFollowUpOutcomes(services, kind, tx, [{ key, result }]);
}
