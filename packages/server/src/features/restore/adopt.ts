import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf, keyText } from '../../platform/database/row-key.ts';
import { lockRows } from '../../platform/database/transition.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { applyDemandDecisions } from '../attempts/apply-demand-decisions.ts';
import { createAttemptRow } from '../attempts/new-attempt.ts';
import { insertAttempts } from '../attempts/sql/insert-attempts.ts';
import { feeColumns } from '../ledger/fee.ts';
import { feePlanKey, findFeePlans } from '../ledger/sql/fee-plans.ts';
import { dueSet } from '../payments/decide.ts';
import type { Lead } from './ask.ts';
import type { LearningRun } from './run.ts';

/**
 * Stores the attempt of a message that another process sent, for a locked payment without an open attempt. The payment
 * becomes `processing`. Nothing is sent; record the result of the lead after the commit.
 */
export async function adoptAttempt(
  services: Services,
  tx: Db,
  payment: Row,
  { id, candidate }: Pick<Lead, 'id' | 'candidate'>,
  method?: Row,
): Promise<void> {
  const now = services.clock.now();
  const fees = await findFeePlans(tx, [payment.merchant_id as string]);
  const confirmed = payment.status === 'pending' ? payment : await confirm(services, tx, payment);
  const set = { ...feeColumns(fees.get(feePlanKey(payment))), due_at: null };
  const submission = { before: confirmed, trigger: 'submit', set, events: [] };
  await applyDemandDecisions(services, tx, 'payment_demands', now, [submission]);
  const purpose = {
    id,
    processor: candidate.processor.metadata.name,
    ...(candidate.account && { processor_account_id: candidate.account.id }),
    operation: 'authorise',
    payment_demand_id: payment.id as string,
  } as const;
  const at = instantText(now);
  const attempt = {
    ...createAttemptRow(services, purpose, payment, now),
    card_fingerprint: method?.card_fingerprint ?? null,
    payer_id: payment.payer_id ?? null,
    not_after: at,
    recovered_at: at,
  };
  await insertAttempts(tx, services.catalog, [attempt]);
}

/**
 * Stores the attempt of a payment that is not locked. Returns the payment; undefined if it has changed since it was read.
 */
export const adoptPayment = (
  { services }: LearningRun,
  payment: Row,
  lead: Lead,
  method?: Row,
): Promise<Row | undefined> =>
  services.db.transaction(async (tx) => {
    const rows = await lockRows(tx, 'payment_demands', [keyOf(payment)]);
    const locked = rows.get(keyText(payment));
    if (locked?.status !== payment.status) return undefined;
    await adoptAttempt(services, tx, locked as Row, lead, method);
    return locked;
  });

async function confirm(services: Services, tx: Db, before: Row): Promise<Row> {
  const now = services.clock.now();
  const set = { ...dueSet(now), confirmed: 'true' };
  const change = { before, trigger: 'confirm', set, events: [] };
  const [changed] = await applyDemandDecisions(services, tx, 'payment_demands', now, [change]);
  return changed?.after ?? before;
}
