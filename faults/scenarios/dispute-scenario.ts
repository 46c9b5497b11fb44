import { setTimeout as sleep } from 'node:timers/promises';
import type { DisputeAnswer, Scenario } from '../plan.ts';
import { LONG_TIMEOUT_MS, PAUSE_MS } from './line.ts';
import type { Merchant, Resource } from './merchant.ts';
import { follow, pay, type ScenarioContext, untilIdle } from './scenario-context.ts';

const evidence = { evidence: 'They came.', losing: 'losing_evidence' } as const;

/** A payment that is disputed in parts, with refunds during the disputes and after all decisions. */
export async function runDisputes(
  { amount, parts, says, refunds }: Extract<Scenario, { kind: 'disputes' }>,
  context: ScenarioContext,
): Promise<void> {
  const { merchant, name } = context;
  const metadata = { simulate: `disputes:${parts.join(',')}` };
  const payment = await pay(context, { amount_cents: amount, metadata });
  if (payment.attributes.status === 'failed') return;
  const refund = (key: string, attributes: object) =>
    follow({ ...context, name: `${name} ${key}` }, 'refund_demands', payment, {
      ...attributes,
      reason: 'customer_canceled',
    });
  const disputed = disputesOf(merchant, payment, parts.length);
  const early = refunds.map((amount_cents, at) => refund(`refund ${at}`, { amount_cents }));
  const answers = (await disputed).map((dispute, at) =>
    answerDispute({ ...context, name: `${name} dispute ${at}` }, dispute, says[at] ?? 'accept'),
  );
  await Promise.all([...early, ...answers]);
  await refund('rest', {});
}

/** Answers the dispute and waits for the bank's decision. */
export async function answerDispute(
  context: ScenarioContext,
  dispute: Resource,
  say: DisputeAnswer,
): Promise<void> {
  const { merchant, name } = context;
  const path = `/v2/disputes/${dispute.id}`;
  if (say === 'accept') await merchant.write(`${name} accept`, 'PATCH', `${path}/accept`);
  else {
    const attributes = { uncategorized_text: evidence[say] };
    const data = { type: 'disputes', id: dispute.id, attributes };
    await merchant.write(`${name} evidence`, 'PATCH', path, { data });
    await merchant.write(`${name} submit`, 'PATCH', `${path}/submit`);
  }
  await untilIdle(context, dispute);
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
