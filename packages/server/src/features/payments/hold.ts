import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf, keyText } from '../../platform/database/row-key.ts';
import type { ChangedRow } from '../../platform/database/transition.ts';
import { lockRows } from '../../platform/database/transition.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { finishedDemand } from '../attempts/decide-outcome.ts';
import { applyDecisions } from '../records/apply-decisions.ts';
import type { Decision } from '../records/updater.ts';
import { dueReversal } from './reversal.ts';
import { authorisationsOf } from './sql/authorisations.ts';

/**
 * Ends an authorisation hold. The payment is `processing` until the processor has reversed the
 * authorisation. If a part was captured, the payment succeeds with that part: a reversal would return it.
 */
export const endHold = (
  { amount_captured_cents }: Row,
  cancellation_reason: 'requested' | 'hold_expired',
  now: Micros,
): Decision =>
  Number(amount_captured_cents) > 0
    ? {
        trigger: 'lapse',
        set: { ...finishedDemand, hold_expires_at: null, succeeded_at: instantText(now) },
        events: ['succeeded'],
      }
    : { trigger: 'void', set: { cancellation_reason, due_at: null }, events: ['updated'] };

/**
 * Whether a payment with automatic capture has just got its first hold: its processor needs a second message to capture.
 * A payment whose capture failed already had its hold.
 */
export const isHoldToCapture = ({ before, after }: ChangedRow): boolean =>
  after.status === 'authorised' && after.capture_method === 'automatic' && !before.hold_expires_at;

const isGivenUp = ({ before, after }: ChangedRow): boolean =>
  before.status === 'authorised' && after.status === 'processing' && !!after.cancellation_reason;

/**
 * Makes authorisations of given-up holds due for the resolver, in the same transaction. The
 * resolver repeats each reversal until the processor acknowledges it.
 */
export async function reverseGivenUp(
  services: Services,
  tx: Db,
  changedDemands: readonly ChangedRow[],
  now: Micros,
): Promise<void> {
  const payments = changedDemands.filter(isGivenUp).map(({ after }) => keyOf(after));
  if (payments.length === 0) return;
  const authorisations = await authorisationsOf(tx, payments);
  const keys = payments.map((key) => ({
    merchant_id: key.merchant_id,
    id: authorisations.get(keyText(key))?.id as string,
  }));
  const attempts = await lockRows(tx, 'attempts', keys);
  const changes = [...attempts.values()].map((attempt) => ({
    before: attempt,
    trigger: 'reverse',
    set: dueReversal(attempt, now),
    events: [],
  }));
  await applyDecisions(services, tx, 'attempts', now, changes);
}
