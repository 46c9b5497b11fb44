import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { verifyLedger } from '../../src/features/settlement/verify-ledger.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import { differencesOf, selectPayments, summaryOf } from '../support/processor-faults/books.ts';
import { processorPlanOf } from '../support/processor-faults/plan.ts';
import { faultyProcessors } from '../support/processor-faults/processors.ts';
import { advancing, runProcessorPlan } from '../support/processor-faults/run-plan.ts';

/** Plans of this run for each adapter. `npm run test:processors` runs more. */
const RUNS = Number(process.env.FLORIN_PROCESSOR_RUNS ?? 1);
/** Name of the only adapter to run; absent: all. */
const adapter = process.env.FLORIN_PROCESSOR_ADAPTER;
const TICK_MS = 250;
/** Retries wait minutes between their tries: a hundred seconds pass in each second of the test. */
const TICK_SECONDS = 25;

const seeds = Array.from({ length: RUNS }, (_, at) => inject('seed') + at);
const processors = Object.entries(faultyProcessors).filter(
  ([name]) => adapter === undefined || name === adapter,
);

describe.each(processors)('a plan for %s', (_, useProcessor) => {
  const clock = createClockAhead();
  const processor = useProcessor(clock);
  const advance = advancing(processor, clock);
  let ticking: NodeJS.Timeout | undefined;
  beforeAll(() => {
    ticking = setInterval(() => void advance(TICK_SECONDS).catch(() => undefined), TICK_MS);
  });
  afterAll(async () => {
    clearInterval(ticking);
    if (RUNS > 1) console.table(await summaryOf(processor.db));
  });

  it.each(seeds)(
    '%i ends without a difference between records, ledger and the books of the stand-in',
    async (seed) => {
      const plan = processorPlanOf(seed, processor.choices);
      const results = await runProcessorPlan(processor, plan, clock);
      const byPayment = new Map(results.map((result) => [result.payment, result]));
      const payments = await selectPayments(processor.db, [...byPayment.keys()]);
      const differences = await Promise.all(
        payments.map((payment) =>
          differencesOf(processor, payment, byPayment.get(payment.id as string)),
        ),
      );
      expect(differences.flat()).toEqual([]);
      expect(payments).toHaveLength(results.length);
      const conflicts = await processor.db.query(
        `select status, outcomes from processor_notifications where status in ('conflict', 'failed')`,
        [],
      );
      expect(conflicts).toEqual([]);
      const ledger = (await verifyLedger(processor.db)).flatMap((check) => check.differences);
      expect(ledger).toEqual([]);
    },
    300_000,
  );
});
