import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom, type Random } from '../../../../faults/random.ts';
import type { Client, ResourceObject } from './client.ts';
import { eventually, makeCapture, makeDemand, makeParties, makeRefund } from './make.ts';

/** One payment of a run, with what the merchant does afterwards. Amounts are minor units. */
export type ProcessorScenario =
  | { readonly kind: 'sale'; readonly amount: number; readonly card: string }
  | { readonly kind: 'refunds'; readonly amount: number; readonly parts: readonly number[] }
  | { readonly kind: 'capture'; readonly amount: number; readonly part: number }
  | { readonly kind: 'void'; readonly amount: number };

/** A fault of the stand-in, as its control surface takes it. */
export type StandInFault = Readonly<Record<string, string | number>>;

/** All events of a run, as a pure function of its seed. */
export interface ProcessorPlan {
  readonly scenarios: readonly ProcessorScenario[];
  readonly requestFaults: readonly StandInFault[];
  readonly notificationFaults: readonly StandInFault[];
}

const SCENARIO_COUNT = 6;
const AMOUNT = 5_000;
const cards = ['visa', 'visa', 'insufficient_funds', 'generic_decline'] as const;
const requestFaults: readonly StandInFault[] = [
  { kind: 'lose_answer' },
  { kind: 'cut_answer' },
  { kind: 'garbage' },
  { kind: 'reset' },
  { kind: 'fail_after', status: 502 },
  { kind: 'refuse', status: 503 },
  { kind: 'refuse', status: 429 },
  { kind: 'late_answer', delay_ms: 200 },
];
/** Requests that a fault may hit; the second half are inquiries. */
const targets: readonly StandInFault[] = [
  { method: 'POST', path: '/payments' },
  { method: 'POST', path: '/payments' },
  { method: 'POST', path: '/captures' },
  { method: 'POST', path: '/refunds' },
  { method: 'POST', path: '/reversals' },
  { method: 'GET', path: '/payments' },
  { method: 'GET', path: '/actions' },
];
const notificationFaults: readonly StandInFault[] = [
  { kind: 'lost' },
  { kind: 'doubled' },
  { kind: 'late', delay_ms: 300 },
  { kind: 'out_of_order' },
  { kind: 'before_answer' },
  { kind: 'wrong_signature' },
  { kind: 'unknown_type' },
  { kind: 'malformed' },
];

export function processorPlanOf(seed: number): ProcessorPlan {
  const random = createRandom(seed);
  const some = (faults: readonly StandInFault[], count: number): StandInFault[] =>
    Array.from({ length: count }, () => random.oneOf(faults));
  return {
    scenarios: Array.from({ length: SCENARIO_COUNT }, () => scenarioOf(random)),
    requestFaults: some(requestFaults, 4 + random.upTo(8)).map((fault) => ({
      ...fault,
      ...random.oneOf(targets),
    })),
    notificationFaults: some(notificationFaults, random.upTo(10)),
  };
}

function scenarioOf(random: Random): ProcessorScenario {
  const kind = random.oneOf(['sale', 'refunds', 'capture', 'void'] as const);
  const amount = AMOUNT + random.upTo(1_000);
  if (kind === 'sale') return { kind, amount, card: random.oneOf(cards) };
  // The parts together exceed the payment.
  if (kind === 'refunds') return { kind, amount, parts: [2_000, 2_001, 2_002] };
  return kind === 'capture'
    ? { kind, amount, part: amount - random.upTo(2_000) }
    : { kind, amount };
}

/** Runs a scenario. Refusals by the state of a payment are outcomes, not failures. */
export async function runProcessorScenario(
  client: Client,
  scenario: ProcessorScenario,
): Promise<void> {
  const { amount, kind } = scenario;
  if (kind === 'sale') return void (await sell(client, amount, scenario.card));
  if (kind === 'refunds') {
    const payment = await sell(client, amount, 'visa');
    if (!payment) return;
    const refunds = scenario.parts.map((amount_cents) =>
      makeRefund(client, payment, { amount_cents }).catch(ignoreRefusal),
    );
    return void (await Promise.all(refunds));
  }
  const payment = await hold(client, amount);
  if (!payment) return;
  if (kind === 'capture')
    return void (await makeCapture(client, payment, { amount_cents: scenario.part }).catch(
      ignoreRefusal,
    ));
  await client.send('PATCH', `/v2/payment_demands/${payment.id}/void`);
}

const sell = async (client: Client, amount_cents: number, card: string) => {
  const parties = await makeParties(client, card);
  const { id } = await makeDemand(client, { confirmed: true, amount_cents }, parties);
  return settled(client, id);
};

const hold = async (client: Client, amount_cents: number) => {
  const parties = await makeParties(client);
  const attributes = { confirmed: true, capture_method: 'manual', amount_cents };
  const { id } = await makeDemand(client, attributes, parties);
  return settled(client, id);
};

const SETTLE_MS_MAX = 5_000;
const PAUSE_MS = 50;

/**
 * Waits until a payment waits for nobody but the merchant. Undefined if that takes too long: the merchant then gives up,
 * and the payment ends without it.
 */
async function settled(client: Client, id: string): Promise<ResourceObject | undefined> {
  const end = Date.now() + SETTLE_MS_MAX;
  while (Date.now() < end) {
    const payment = await client.fetch('payment_demands', id);
    if (!['pending', 'processing'].includes(payment.attributes.status)) return payment;
    await sleep(PAUSE_MS);
  }
  return undefined;
}

const REFUSALS = /over_|payment_not_|not_refundable|invalid_state/;

function ignoreRefusal(error: Error): void {
  if (!REFUSALS.test(error.message)) throw error;
}
