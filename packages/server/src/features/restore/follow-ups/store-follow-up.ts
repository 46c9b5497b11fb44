import { ProblemError } from '@florin/contract/errors.ts';
import { newRow } from '../../../jsonapi/parse-document/rows.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { keyOf } from '../../../platform/database/row-key.ts';
import { findRow } from '../../../platform/database/rows.ts';
import { type Scope, scopeOf } from '../../../platform/database/scope.ts';
import type { PastChange } from '../../../processors/port/history.ts';
import type { Services } from '../../../services.ts';
import { decideCapture } from '../../captures/decide.ts';
import { type DecideFollowUp, storeFollowUpsIn } from '../../follow-ups/create.ts';
import type { FollowUpOutcome } from '../../follow-ups/decide-outcome.ts';
import { captures, type FollowUpKind, refunds } from '../../follow-ups/kinds.ts';
import { decideRefund } from '../../refunds/decide.ts';
import { type LearningRun, labelOf, leaveToPerson } from '../run.ts';
import { findOpenFollowUp } from '../sql/known-records.ts';
import { askFollowUp, resolveFollowUpNow } from './learn-follow-ups.ts';
import { Refused, storeSent } from './store-sent.ts';

const capture: DecideFollowUp = (record, payment, _, now) =>
  decideCapture(record, payment, () => true, now);

/** Kind of a follow-up, and the rules for a past one. */
export const pastKind = (kind: PastFollowUp['kind']) =>
  kind === 'capture'
    ? { kind: captures, decide: capture }
    : { kind: refunds, decide: decideRefund };

/** A capture or refund that a processor has executed. */
export interface PastFollowUp
  extends Pick<PastChange, 'reference' | 'amount' | 'currency' | 'final'> {
  readonly kind: 'capture' | 'refund';
}

/** Row of a past capture or refund of an authorisation. */
export function pastRecord(
  { models, clock }: Services,
  { kind, reference: id, amount, currency, final }: PastFollowUp,
  attempt: Row,
): Row {
  const scope: Scope = scopeOf(attempt);
  const model = models.get(pastKind(kind).kind.table);
  return {
    ...newRow(model, { attributes: {}, relationships: {} }, { id, scope, now: clock.now() }),
    payment_demand_id: attempt.payment_demand_id as string,
    idempotency_key: id,
    amount_cents: String(amount),
    amount_currency: currency,
    ...(kind === 'capture'
      ? { final: String(final) }
      : { reason: 'custom', reason_note: 'Recovered after a restore' }),
  };
}

/**
 * Stores a capture or refund together with its outcome, in the caller's transaction: alone it would be sent. Throws a
 * `ProblemError` or `Refused` if the payment cannot take it.
 */
export async function storeWithOutcome(
  services: Services,
  tx: Db,
  { past, attempt }: { readonly past: PastFollowUp; readonly attempt: Row },
  result: FollowUpOutcome,
): Promise<void> {
  const { kind, decide } = pastKind(past.kind);
  const record = pastRecord(services, past, attempt);
  const item = { record, idempotency: undefined };
  const [row] = await storeFollowUpsIn(services, tx, { kind, decide }, [item]);
  if (!row || row instanceof Error) throw row ?? new Error('the change was not stored');
  await storeSent(services, tx, { kind, row }, result);
}

/** Outcome of a change that a list has, and an inquiry does not find. Sending it again could move money twice. */
const CONTRADICTION = {
  result: 'unresolved',
  why: 'its processor lists it, and does not find it by its reference',
  next: 'operator',
} as const;

/**
 * Records the outcome of a listed change that was due or in flight at the restored time. Without an answer its outcome is
 * unknown, so that it is not sent again, and Florin or an operator finds it out. Returns why a person must decide.
 */
export async function recordKnownFollowUp(
  run: LearningRun,
  kind: PastFollowUp['kind'],
  row: Row,
  authorisation: Row,
): Promise<string | undefined> {
  if (run.found.has(row.id as string)) return undefined;
  const { kind: followUp } = pastKind(kind);
  if (row.status === 'pending')
    return resolveFollowUpNow(run, followUp, row, authorisation, CONTRADICTION);
  if (row.status === 'processing') await holdInFlight(run, followUp, row, authorisation);
  return undefined;
}

/** Leaves a message in flight to an operator if its processor lists it and does not find it: Florin would send it again. */
async function holdInFlight(
  run: LearningRun,
  kind: FollowUpKind,
  row: Row,
  authorisation: Row,
): Promise<void> {
  const { services, is_dry, counts, notes, found } = run;
  const attempt = await findOpenFollowUp(services.db, row);
  if (!attempt) return;
  counts.asked += 1;
  if (await askFollowUp(run, kind, row, authorisation)) return;
  counts.held += 1;
  found.add(row.id as string);
  notes.push(`${kind.operation} ${labelOf(row)}: ${CONTRADICTION.why}`);
  if (is_dry) return;
  const record = kind.operation === 'capture' ? run.recordCapture : run.recordRefund;
  await record({ key: keyOf(attempt), result: CONTRADICTION });
}

/**
 * Stores a refund or capture that the database does not know, under the id that it had, with its outcome. Returns whether
 * it is new.
 */
export async function storePastFollowUp(
  run: LearningRun,
  past: PastFollowUp,
  attempt: Row,
): Promise<boolean> {
  const { services, counts, is_dry, notes } = run;
  const { kind, reference: id, amount, currency } = past;
  const { kind: followUp } = pastKind(kind);
  const known = await findRow(services.db, followUp.table, scopeOf(attempt), id);
  if (known) {
    const doubt = await recordKnownFollowUp(run, past.kind, known, attempt);
    if (doubt !== undefined) await leaveToPerson(run, attempt, doubt);
    return false;
  }
  if (is_dry) return true;
  counts.asked += 1;
  const record = pastRecord(services, past, attempt);
  const result = (await askFollowUp(run, followUp, record, attempt)) ?? CONTRADICTION;
  try {
    await services.db.transaction((tx) =>
      storeWithOutcome(services, tx, { past, attempt }, result),
    );
    services.wake.deliver.raise();
    if (result === CONTRADICTION)
      notes.push(`${kind} ${id} of ${amount} ${currency}: ${result.why}`);
    return true;
  } catch (error) {
    if (!(error instanceof ProblemError || error instanceof Refused)) throw error;
    notes.push(`${kind} ${id} of ${amount} ${currency} is not recorded: ${error.message}`);
    return false;
  }
}
