import { CLOCK_SKEW_MS_MAX } from '@florin/contract/protocol/vault.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf, keyText, type RowKey } from '../../platform/database/row-key.ts';
import { lockRows } from '../../platform/database/transition.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import type { Processor } from '../../processors/port/processor.ts';
import type { Services } from '../../services.ts';
import { applyDemandDecisions } from '../attempts/apply-demand-decisions.ts';
import { isIn } from '../attempts/decide-outcome.ts';
import { applyDecisions } from '../records/apply-decisions.ts';
import { declinedChanges } from './decide-outcome.ts';
import type { FollowUpKind } from './kinds.ts';
import { changePaymentsAfter } from './record-outcome.ts';
import { lockSendable } from './sendable.ts';

/**
 * Decision about a follow-up that the processor does not know. `wait`: an earlier message may still
 * arrive.
 */
type Verdict = 'send' | 'wait' | 'refused';

/**
 * Checks the payment again under the same locks as before the first send. Stores the time of a
 * repeated send before the message leaves.
 * A follow-up that may no longer be sent fails, but only when no earlier message can arrive any
 * more.
 */
export async function decideResend(
  services: Services,
  kind: FollowUpKind,
  processor: Processor,
  attempt: Row,
  inquired_at: Micros,
): Promise<Verdict> {
  const { metadata } = processor;
  const verdict = await services.db.transaction(async (tx) => {
    const now = services.clock.now();
    const { demand, open, isSendable } = await lockFollowUp(tx, kind, attempt);
    if (!demand || !open || demand.status !== 'processing') return 'wait';
    if (isSendable) return sendAgain(services, tx, open, now);
    // Without inquiries nobody knows that the first message did not arrive.
    if (!kind.followUpsOf(processor).inquire) return 'wait';
    const arrival_ms = metadata.arrival_ms_max;
    const { attempt_lease_ms } = services.config;
    if (!cannotArrive(open, inquired_at, attempt_lease_ms, arrival_ms)) return 'wait';
    if (!services.clocks.agree()) return 'wait';
    return refuseFollowUp(services, tx, kind, demand, open, now);
  });
  if (verdict === 'refused') services.wake.deliver.raise();
  return verdict;
}

/** Locks the demand, then its attempt, then the payment: the same order as all code. */
async function lockFollowUp(tx: Db, kind: FollowUpKind, attempt: Row) {
  const demandKey: RowKey = { ...keyOf(attempt), id: attempt[kind.column] as string };
  const demand = (await lockRows(tx, kind.table, [demandKey])).get(keyText(demandKey));
  const lockedAttempt = (await lockRows(tx, 'attempts', [keyOf(attempt)])).get(keyText(attempt));
  const sendable = await lockSendable(tx, kind, demand ? [demand] : []);
  const isOpen = lockedAttempt && isIn(lockedAttempt, 'sending', 'unknown');
  return { demand, open: isOpen ? lockedAttempt : undefined, isSendable: sendable.size > 0 };
}

async function sendAgain(services: Services, tx: Db, before: Row, now: Micros): Promise<Verdict> {
  const set = { resent_at: instantText(now) };
  await applyDecisions(services, tx, 'attempts', now, [{ before, set, events: [] }]);
  return 'send';
}

/**
 * Whether no message of an attempt can arrive any more. A repeated message leaves during the lease of its sender,
 * then has a maximum time of flight. Allows for the clock of another server, which may have stored these times.
 */
export function cannotArrive(
  { unknown_since, resent_at }: Row,
  inquired_at: Micros,
  lease_ms: number,
  arrival_ms: number,
): boolean {
  if (!unknown_since) return false;
  const latestSendAt = resent_at ? microsOf(resent_at) + seconds(lease_ms / 1000) : 0;
  const flightTime = seconds((arrival_ms + CLOCK_SKEW_MS_MAX) / 1000);
  return inquired_at - Math.max(microsOf(unknown_since), latestSendAt) >= flightTime;
}

async function refuseFollowUp(
  services: Services,
  tx: Db,
  kind: FollowUpKind,
  demand: Row,
  attempt: Row,
  now: Micros,
): Promise<Verdict> {
  const outcome = declinedChanges({ result: 'declined', code: 'payment_disputed' }, now);
  await applyDecisions(services, tx, 'attempts', now, [{ before: attempt, ...outcome.attempt }]);
  const changes = [{ before: demand, ...outcome.demand }];
  const changedRows = await applyDemandDecisions(services, tx, kind.table, now, changes);
  await changePaymentsAfter(services, kind, tx, changedRows, now);
  return 'refused';
}
