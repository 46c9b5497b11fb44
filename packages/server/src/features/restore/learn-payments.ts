import type { Row } from '../../platform/database/row.ts';
import { keyText } from '../../platform/database/row-key.ts';
import { findRowsByKey } from '../../platform/database/rows.ts';
import { scopeOf } from '../../platform/database/scope.ts';
import { lastAuthorisations } from '../attempts/sql/last-authorisations.ts';
import { methodOf } from '../payments/card.ts';
import { adoptPayment } from './adopt.ts';
import { ask, askableCandidates, candidatesOf, type Reply } from './ask.ts';
import {
  countLead,
  forEachAtOnce,
  type LearningRun,
  labelOf,
  recordLead,
  whyUnclear,
} from './run.ts';
import { paymentsToAsk } from './sql/payments-to-ask.ts';

/** Learns which known payments were sent after the restored time. */
export async function learnPayments(run: LearningRun): Promise<void> {
  const { db } = run.services;
  for await (const keys of paymentsToAsk(db, run.restored_to)) {
    const payments = await findRowsByKey(db, 'payment_demands', keys);
    const numbers = await lastAuthorisations(db, keys);
    const methods = await methodsOf(run, payments);
    await forEachAtOnce(payments, async (payment) => {
      const method = methods.get(keyText(methodOf(payment)));
      await learnPayment(run, payment, method, numbers.get(keyText(payment)) ?? 0);
    });
    await run.progress();
  }
}

async function methodsOf(
  run: LearningRun,
  payments: readonly Row[],
): Promise<ReadonlyMap<string, Row>> {
  const keys = payments.filter((row) => row.payment_method_id).map(methodOf);
  const rows = await findRowsByKey(run.services.db, 'payment_methods', keys);
  return new Map(rows.map((row) => [keyText(row), row]));
}

async function learnPayment(
  run: LearningRun,
  payment: Row,
  method: Row | undefined,
  known: number,
): Promise<void> {
  const { services, counts, since } = run;
  // Only a payer sends others, and nobody has to decide about them.
  const isAutomatic = payment.status === 'pending' && method !== undefined;
  const scope = scopeOf(payment);
  const candidates = isAutomatic
    ? candidatesOf(services, payment, method)
    : { routed: [], others: askableCandidates(services, scope) };
  counts.asked += 1;
  const question = { ...scope, payment_id: payment.id as string, known, candidates };
  const reply = await ask(services, question, since);
  if (isLeft(reply, isAutomatic)) return;
  if (reply.found === 'unclear') run.notes.push(`${labelOf(payment)}: ${whyUnclear(reply.lead)}`);
  if (run.is_dry) countLead(run, reply.lead);
  else if (await adoptPayment(run, payment, reply.lead, method))
    await recordLead(run, scope, reply.lead);
}

/** Whether the payment stays as it is. A payment that failed stays failed, and one that a payer sends is not held. */
const isLeft = (reply: Reply, isAutomatic: boolean): reply is { readonly found: 'nothing' } =>
  reply.found === 'nothing' ||
  (!isAutomatic && (reply.found === 'unclear' || reply.lead.result.result === 'declined'));
