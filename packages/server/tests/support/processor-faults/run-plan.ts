import type { createClockAhead } from '../clock-ahead.ts';
import { eventually } from '../make.ts';
import type { StandInStack } from '../stand-in-stack.ts';
import type { StandInBooks } from './books.ts';
import {
  type EndDispute,
  retryUnreachable,
  runProcessorScenario,
  type ScenarioResult,
} from './merchant.ts';
import { actAsOperator } from './operator.ts';
import { patientClient } from './patient-client.ts';
import type { DisputeEnd, FaultChoices, ProcessorPlan } from './plan.ts';
import { runWithStop } from './stop-server.ts';

/** A processor whose stand-in plans can run against. */
export interface FaultyProcessor extends StandInStack, StandInBooks {
  readonly choices: FaultChoices;
  /** Lets the issuer decide the dispute with this reference at the processor. */
  decideDispute(reference: string, end: Exclude<DisputeEnd, 'open'>): Promise<void>;
}

type ClockAhead = ReturnType<typeof createClockAhead>;

/** Moves the clocks of Florin and of the stand-in. */
export type Advance = (duration_s: number) => Promise<void>;

/** Returns a function that moves both clocks. The stand-in counts its deliveries' waits by its own. */
export const advancing =
  (processor: StandInStack, clock: ClockAhead): Advance =>
  async (duration_s) => {
    clock.advance(duration_s);
    await processor.control('POST', '/clock', { advance_ms: duration_s * 1_000 });
  };

/** Runs a plan to its end: faults, retried notifications, and what an operator decides. */
export async function runProcessorPlan(
  processor: FaultyProcessor,
  plan: ProcessorPlan,
  clock: ClockAhead,
): Promise<readonly ScenarioResult[]> {
  const advance = advancing(processor, clock);
  for (const fault of plan.requestFaults) await processor.control('POST', '/faults', fault);
  for (const fault of plan.notificationFaults)
    await processor.control('POST', '/notification-faults', fault);
  const client = patientClient(processor.client);
  const endDispute: EndDispute = async (id, end) => {
    const [dispute] = await processor.db.query('select reference from disputes where id = $1', [
      id,
    ]);
    await processor.decideDispute(dispute?.reference as string, end);
  };
  const results = await runWithStop(processor.stack, plan.stop, clock, () =>
    Promise.all(
      plan.scenarios.map((scenario) => runProcessorScenario(client, scenario, endDispute)),
    ),
  );
  await processor.control('DELETE', '/faults');
  await processor.control('DELETE', '/notification-faults');
  if (plan.redelivery === 'before_operator') await redeliver(processor);
  await waitUntilOwned(processor, advance);
  if (plan.retries) {
    await retryUnreachable(client, results);
    await waitUntilOwned(processor, advance);
  }
  if (plan.redelivery === 'after_operator') {
    await redeliver(processor);
    await waitUntilOwned(processor, advance);
  }
  return results;
}

/** Deliveries of the stand-in that never reached Florin, as the processor's retries would send them. */
async function redeliver({ control }: StandInStack): Promise<void> {
  const deliveries = (await control('GET', '/notifications?limit=1000')) as {
    position: number;
    state: string;
  }[];
  const missing = deliveries.filter(({ state }) => state !== 'delivered');
  for (const { position } of missing.toReversed())
    await control('POST', `/notifications/${position}/resend`);
}

const HOUR_SECONDS = 60 * 60;
const OPEN = `status in ('sending', 'unknown', 'reversing')`;

/** Records that wait for an outcome: of Florin, and of an operator. */
async function countOpen({ db }: StandInStack): Promise<{ open: number; items: number }> {
  const [row] = await db.query(
    `select (select count(*) from attempts where ${OPEN})
       + (select count(*) from payment_demands where status in ('pending', 'processing'))
       + (select count(*) from refund_demands where status in ('pending', 'processing'))
       + (select count(*) from capture_demands where status in ('pending', 'processing'))
       + (select count(*) from processor_notifications where status = 'received') as open,
       (select count(*) from attempts where ${OPEN} and status <> 'sending' and due_at is null) as items`,
    [],
  );
  return { open: Number(row?.open), items: Number(row?.items) };
}

/**
 * Waits until nothing is open, while hours pass. An attempt that Florin stops looking for has an operator as owner, who acts.
 * Everything else must end by itself.
 */
async function waitUntilOwned(processor: FaultyProcessor, advance: Advance): Promise<void> {
  await eventually(
    async () => {
      const { open, items } = await countOpen(processor);
      if (items > 0) await actAsOperator(processor);
      else if (open > 0) await advance(2 * HOUR_SECONDS);
      return open;
    },
    (open) => open === 0,
    { max_wait_ms: 60_000, pause_ms: 300 },
  );
}
