import { afterAll, expect, inject, it } from 'vitest';
import { verifyLedger } from '../../src/features/settlement/verify-ledger.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { shortReference } from '../../src/processors/adapters/checkout-com/reference.ts';
import { type StandInPayment, useCheckoutStack } from '../support/checkout-com.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import { eventually } from '../support/make.ts';
import { processorPlanOf, runProcessorScenario } from '../support/processor-faults.ts';

/** Plans of this run. `npm run test:processors` runs more. */
const RUNS = Number(process.env.FLORIN_PROCESSOR_RUNS ?? 1);
const DAY_SECONDS = 24 * 60 * 60;

const clock = createClockAhead();
const florin = useCheckoutStack(clock);
/** Inquiries wait minutes between their tries: a hundred seconds pass in each second of the test. */
const ticking = setInterval(() => clock.advance(5), 50);
afterAll(() => clearInterval(ticking));

const payments = (): Promise<Row[]> =>
  florin.db.query(
    `select p.id, p.status, p.amount_captured_cents, p.amount_refunded_cents,
       array_to_string(array(select a.id from attempts a where a.merchant_id = p.merchant_id
         and a.payment_demand_id = p.id and a.operation = 'authorise'), ',') as attempts
     from payment_demands p where exists (select 1 from attempts a
       where a.merchant_id = p.merchant_id and a.payment_demand_id = p.id)`,
    [],
  );

const countOpen = async (): Promise<number> => {
  const [row] = await florin.db.query(
    `select (select count(*) from attempts where status in ('sending', 'unknown', 'reversing'))
       + (select count(*) from payment_demands where status in ('pending', 'processing'))
       + (select count(*) from refund_demands where status in ('pending', 'processing'))
       + (select count(*) from capture_demands where status in ('pending', 'processing')) as open`,
    [],
  );
  return Number(row?.open);
};

/** Waits until nothing is open. A message that never arrived is known to be lost after a day. */
async function waitUntilIdle(): Promise<void> {
  await eventually(
    async () => {
      const open = await countOpen();
      if (open > 0) clock.advance(DAY_SECONDS / 8);
      return open;
    },
    (open) => open === 0,
    { max_wait_ms: 60_000, pause_ms: 400 },
  );
}

const sum = (all: readonly StandInPayment[], name: string): number =>
  all.reduce((total, { balances }) => total + (balances?.[name] ?? 0), 0);

/** Compares a payment with the stand-in's books. Returns texts that name each difference. */
async function differencesOf(payment: Row): Promise<string[]> {
  const references = (payment.attempts as string).split(',').map(shortReference);
  const found = (
    await Promise.all(references.map((reference) => florin.paymentsOf(reference)))
  ).flat();
  const held = sum(found, 'available_to_void');
  const moved = [sum(found, 'total_captured'), sum(found, 'total_refunded')];
  const stored = [Number(payment.amount_captured_cents), Number(payment.amount_refunded_cents)];
  const isHeld = payment.status === 'authorised';
  const seen = JSON.stringify({ payment, found });
  // A payment that was captured and then given back by a reversal charges nothing.
  const kept = Number(moved[0]) - Number(moved[1]);
  const isEqual = payment.status === 'succeeded' ? String(moved) === String(stored) : kept === 0;
  return [
    ...(isEqual ? [] : [`moved ${moved}, stored ${stored}: ${seen}`]),
    ...(held > 0 === isHeld ? [] : [`held ${held}: ${seen}`]),
  ];
}

const seeds = Array.from({ length: RUNS }, (_, at) => inject('seed') + at);

it.each(seeds)(
  'plan %i ends without a difference between records, ledger and the books of the stand-in',
  async (seed) => {
    const plan = processorPlanOf(seed);
    for (const fault of plan.requestFaults) await florin.control('POST', '/faults', fault);
    for (const fault of plan.notificationFaults)
      await florin.control('POST', '/notification-faults', fault);
    await Promise.all(
      plan.scenarios.map((scenario) => runProcessorScenario(florin.client, scenario)),
    );
    await florin.control('DELETE', '/faults');
    await florin.control('DELETE', '/notification-faults');
    await waitUntilIdle();
    const differences = (await Promise.all((await payments()).map(differencesOf))).flat();
    expect(differences).toEqual([]);
    const ledger = (await verifyLedger(florin.db)).flatMap((check) => check.differences);
    expect(ledger).toEqual([]);
  },
  300_000,
);
