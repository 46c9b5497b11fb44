import type { Row } from '../../platform/database/row.ts';
import { keyText } from '../../platform/database/row-key.ts';
import { findRowsByKey } from '../../platform/database/rows.ts';
import { scopeOf } from '../../platform/database/scope.ts';
import { lastAuthorisations } from '../attempts/sql/last-authorisations.ts';
import { methodOf } from '../payments/card.ts';
import { subscriptionOf } from '../payments/columns.ts';
import { failingOf } from '../subscriptions/billing/dunning.ts';
import { adoptPayment } from './adopt.ts';
import {
  ask,
  askableCandidates,
  candidatesOf,
  NUMBERS_AFTER_KNOWN,
  NUMBERS_OF_PAYER,
  type Reply,
} from './ask.ts';
import { methodsOf, recordLead } from './record-lead.ts';
import { forEachAtOnce, type LearningRun, labelOf } from './run.ts';
import { paymentsToAsk } from './sql/payments-to-ask.ts';

/** Learns which known payments were sent after the restored time. */
export async function learnPayments(run: LearningRun): Promise<void> {
  const { db } = run.services;
  for await (const keys of paymentsToAsk(db, run.restored_to)) {
    const payments = await findRowsByKey(db, 'payment_demands', keys);
    const numbers = await lastAuthorisations(db, keys);
    const methods = await methodsOf(run, payments);
    const failing = await failingChargesAmong(run, payments);
    await forEachAtOnce(payments, async (payment) => {
      const key = keyText(payment);
      const isDue = payment.status === 'pending' || failing.has(key);
      const known = numbers.get(key) ?? 0;
      await learnPayment(run, payment, methods.get(keyText(methodOf(payment))), { known, isDue });
      await run.progress();
    });
    await run.progress();
  }
}

/** Keys of failed payments that are failing charges of subscriptions. Florin retries these itself. */
async function failingChargesAmong(
  { services }: LearningRun,
  payments: readonly Row[],
): Promise<ReadonlySet<string>> {
  const charges = payments.filter((row) => row.payment_subscription_id);
  const keys = charges.map(subscriptionOf);
  const subscriptions = await findRowsByKey(services.db, 'payment_subscriptions', keys);
  return new Set(subscriptions.flatMap(failingOf).map(keyText));
}

async function learnPayment(
  run: LearningRun,
  payment: Row,
  method: Row | undefined,
  { known, isDue }: { readonly known: number; readonly isDue: boolean },
): Promise<void> {
  const { services, counts, since } = run;
  // Only a payer sends others, and nobody has to decide about them.
  const isAutomatic = isDue && method !== undefined;
  const scope = scopeOf(payment);
  const candidates = isAutomatic
    ? candidatesOf(services, payment, method)
    : { routed: [], others: askableCandidates(services, scope) };
  counts.asked += 1;
  const numbers = isAutomatic ? NUMBERS_AFTER_KNOWN : NUMBERS_OF_PAYER;
  const question = { ...scope, payment_id: payment.id as string, known, candidates, numbers };
  const reply = await ask(services, question, since);
  if (isLeft(reply, isAutomatic)) return;
  const { lead, found } = reply;
  await recordLead(run, {
    lead,
    isUnclear: found === 'unclear',
    label: labelOf(payment),
    adopt: () => adoptPayment(run, payment, lead, method),
  });
}

/** Whether the payment stays as it is. Payments that only a payer sends are not held, and stay failed. */
const isLeft = (reply: Reply, isAutomatic: boolean): reply is { readonly found: 'nothing' } =>
  reply.found === 'nothing' ||
  (!isAutomatic && (reply.found === 'unclear' || reply.lead.result.result === 'declined'));
