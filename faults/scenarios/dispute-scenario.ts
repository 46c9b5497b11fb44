import { setTimeout as sleep } from 'node:timers/promises';
import type { DisputeAnswer, Scenario } from '../plan.ts';
import { LONG_TIMEOUT_MS, PAUSE_MS } from './line.ts';
import type { Merchant, Resource } from './merchant.ts';
import { createFollowUp, pay, type ScenarioContext, waitUntilIdle } from './scenario-context.ts';

const evidence = { evidence: 'They came.', losing: 'losing_evidence' } as const;

/** A payment that is disputed in parts, with refunds during the disputes and after all decisions. */
export async function runDisputes(
  { amount, parts, answers, refunds }: Extract<Scenario, { kind: 'disputes' }>,
  context: ScenarioContext,
): Promise<void> {
  const { merchant, name } = context;
  const metadata = { simulate: `disputes:${parts.join(',')}` };
  const payment = await pay(context, { amount_cents: amount, metadata });
  if (payment.attributes.status === 'failed') return;
  const refund = (key: string, attributes: object) =>
    createFollowUp({ ...context, name: `${name} ${key}` }, 'refund_demands', payment, {
      ...attributes,
      reason: 'customer_canceled',
    });
  const pendingDisputes = disputesOf(merchant, payment, parts.length);
  const earlyRefunds = refunds.map((amount_cents, at) => refund(`refund ${at}`, { amount_cents }));
  const pendingAnswers = (await pendingDisputes).map((dispute, at) =>
    answerDispute({ ...context, name: `${name} dispute ${at}` }, dispute, answers[at] ?? 'accept'),
  );
  await Promise.all([...earlyRefunds, ...pendingAnswers]);
  await refund('rest', {});
}

/** Answers the dispute and waits for the bank's decision. */
export async function answerDispute(
  context: ScenarioContext,
  dispute: Resource,
  answer: DisputeAnswer,
): Promise<void> {
  const { merchant, name } = context;
  const path = `/v2/disputes/${dispute.id}`;
  if (answer === 'accept') await merchant.write(`${name} accept`, 'PATCH', `${path}/accept`);
  else {
    const attributes = { uncategorized_text: evidence[answer] };
    const data = { type: 'disputes', id: dispute.id, attributes };
    await merchant.write(`${name} evidence`, 'PATCH', path, { data });
    await merchant.write(`${name} submit`, 'PATCH', `${path}/submit`);
  }
  await waitUntilIdle(context, dispute);
}

/** Waits until a payment has `count` disputes. */
export async function disputesOf(
  merchant: Merchant,
  payment: Resource,
  count: number,
): Promise<readonly Resource[]> {
  const deadline = performance.now() + LONG_TIMEOUT_MS;
  for (;;) {
    const disputes = await merchant.list(`/v2/disputes?filter[payment_demand]=${payment.id}`);
    if (disputes.length >= count) return disputes;
    if (performance.now() > deadline) {
      throw new Error(`a payment has ${disputes.length} disputes of ${count}`);
    }
    await sleep(PAUSE_MS);
  }
}
