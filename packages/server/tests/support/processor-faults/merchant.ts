import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ResourceObject } from '../client.ts';
import { makeCapture, makeDemand, makeParties, makeRefund } from '../make.ts';
import type { DisputeEnd, ProcessorScenario } from './plan.ts';

/** Effect of a scenario. `dispute` is the issuer's decision, if the run got that far. */
export interface ScenarioResult {
  readonly payment: string;
  readonly dispute?: DisputeEnd;
}

/** Lets the issuer decide a dispute. */
export type EndDispute = (id: string, end: Exclude<DisputeEnd, 'open'>) => Promise<void>;

/** Runs a scenario. Refusals by the state of a payment are outcomes, not failures. */
export async function runProcessorScenario(
  client: Client,
  scenario: ProcessorScenario,
  endDispute: EndDispute,
): Promise<ScenarioResult> {
  const isHold = ['capture', 'captures', 'void'].includes(scenario.kind);
  const card = scenario.kind === 'sale' ? scenario.card : 'visa';
  const id = await pay(client, card, {
    amount_cents: scenario.amount,
    ...(isHold && { capture_method: 'manual' }),
  });
  const payment = await settled(client, id);
  if (payment) await continueScenario(client, scenario, payment);
  const dispute =
    scenario.kind === 'dispute'
      ? await decideDispute(client, id, scenario.end, endDispute)
      : undefined;
  return { payment: id, ...(dispute && { dispute }) };
}

async function continueScenario(
  client: Client,
  scenario: ProcessorScenario,
  payment: ResourceObject,
): Promise<void> {
  const send = (action: Promise<unknown>) => action.catch(ignoreRefusal);
  switch (scenario.kind) {
    case 'refunds':
      await Promise.all(
        scenario.parts.map((amount_cents) => send(makeRefund(client, payment, { amount_cents }))),
      );
      return;
    case 'capture':
      await send(makeCapture(client, payment, { amount_cents: scenario.part }));
      return;
    case 'captures':
      for (const [at, amount_cents] of scenario.parts.entries()) {
        const final = at === scenario.parts.length - 1;
        await send(makeCapture(client, payment, { amount_cents, final }));
        await settled(client, payment.id);
      }
      return;
    case 'void':
      await client.send('PATCH', `/v2/payment_demands/${payment.id}/void`);
      return;
    default:
      return;
  }
}

async function pay(client: Client, card: string, attributes: object): Promise<string> {
  const parties = await makeParties(client, card);
  const { id } = await makeDemand(client, { confirmed: true, ...attributes }, parties);
  return id;
}

/** Tries payments again that failed because the processor told no outcome. An earlier attempt may still be approved. */
export async function retryUnreachable(
  client: Client,
  results: readonly ScenarioResult[],
): Promise<void> {
  for (const { payment } of results) {
    const { attributes } = await client.fetch('payment_demands', payment);
    if (attributes.failure_reason === 'processor_unreachable')
      await client.send('PATCH', `/v2/payment_demands/${payment}/confirm`);
  }
}

const DISPUTE_MS_MAX = 3_000;

/** Lets the issuer decide once the merchant's program sees the dispute. */
async function decideDispute(
  client: Client,
  payment: string,
  end: DisputeEnd,
  endDispute: EndDispute,
): Promise<DisputeEnd | undefined> {
  const disputes = async (): Promise<ResourceObject[]> =>
    (await client.get(`/v2/disputes?filter[payment_demand]=${payment}`)).body.data;
  const [dispute] = await within(DISPUTE_MS_MAX, disputes, ({ length }) => length > 0);
  if (!dispute) return undefined;
  if (end !== 'open') await endDispute(dispute.id, end);
  return end;
}

const SETTLE_MS_MAX = 5_000;
const PAUSE_MS = 200;

/**
 * Waits until a payment waits for nobody but the merchant. Undefined if that takes too long: the merchant then gives up,
 * and the payment ends without it.
 */
async function settled(client: Client, id: string): Promise<ResourceObject | undefined> {
  const [payment] = await within(
    SETTLE_MS_MAX,
    async () => [await client.fetch('payment_demands', id)],
    ([{ attributes }]) => !['pending', 'processing'].includes(attributes.status),
  );
  return payment;
}

/** Reads until the condition holds. An empty list if that takes too long. */
async function within<T extends readonly unknown[]>(
  max_ms: number,
  read: () => Promise<T>,
  isDone: (value: T) => boolean,
): Promise<T | []> {
  const end = Date.now() + max_ms;
  while (Date.now() < end) {
    const value = await read();
    if (isDone(value)) return value;
    await sleep(PAUSE_MS);
  }
  return [];
}

const REFUSALS = /over_|payment_not_|not_refundable|several_captures_|invalid_state/;

function ignoreRefusal(error: Error): void {
  if (!REFUSALS.test(error.message)) throw error;
}
