import { ProblemError } from '@florin/contract/errors.ts';
import { newRow } from '../../jsonapi/parse-document/rows.ts';
import type { Row } from '../../platform/database/row.ts';
import { findRow } from '../../platform/database/rows.ts';
import { type Scope, scopeOf } from '../../platform/database/scope.ts';
import type { PastChange } from '../../processors/port/history.ts';
import { decideCapture } from '../captures/decide.ts';
import { createFollowUpStore, type DecideFollowUp } from '../follow-ups/create.ts';
import { captures, refunds } from '../follow-ups/kinds.ts';
import { decideRefund } from '../refunds/decide.ts';
import { resolveFollowUpNow } from './learn-follow-ups.ts';
import type { LearningRun } from './run.ts';

const capture: DecideFollowUp = (record, payment, _, now) =>
  decideCapture(record, payment, () => true, now);

/**
 * Stores a refund or capture that the database does not know, under the id that it had, with its outcome. Returns whether
 * it is new.
 */
export async function storePastFollowUp(
  run: LearningRun,
  { kind, reference: id, amount, currency, final }: PastChange,
  attempt: Row,
): Promise<boolean> {
  const { services, is_dry, notes } = run;
  const [followUp, decide] =
    kind === 'capture' ? ([captures, capture] as const) : ([refunds, decideRefund] as const);
  const scope: Scope = scopeOf(attempt);
  if (await findRow(services.db, followUp.table, scope, id)) return false;
  if (is_dry) return true;
  const now = services.clock.now();
  const model = services.models.get(followUp.table);
  const record: Row = {
    ...newRow(model, { attributes: {}, relationships: {} }, { id, scope, now }),
    payment_demand_id: attempt.payment_demand_id as string,
    idempotency_key: id,
    amount_cents: String(amount),
    amount_currency: currency,
    ...(kind === 'capture'
      ? { final: String(final) }
      : { reason: 'custom', reason_note: 'Recovered after a restore' }),
  };
  const store = createFollowUpStore(services, followUp, decide);
  try {
    const row = await store({ record, idempotency: undefined });
    await resolveFollowUpNow(run, followUp, row, attempt);
    return true;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    notes.push(`${kind} ${id} of ${amount} ${currency} is not recorded: ${error.message}`);
    return false;
  }
}
