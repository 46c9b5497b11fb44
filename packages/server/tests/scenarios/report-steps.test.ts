import { resources } from '@florin/contract/resources/index.ts';
import { beforeAll, expect, it } from 'vitest';
import { failThrown, runReportStep } from '../../src/features/settlement/reports/report-step.ts';
import { insertLines } from '../../src/features/settlement/reports/sql/lines.ts';
import { REPORTS_SOURCE, readUnsettled } from '../../src/features/settlement/sql.ts';
import { compileModels } from '../../src/jsonapi/model.ts';
import type { Catalog } from '../../src/platform/database/catalog.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { uuidv7 } from '../../src/platform/ids.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { instantText, systemClock } from '../../src/platform/time/clock.ts';
import { createSignal } from '../../src/platform/workers/signal.ts';
import { adapters } from '../../src/processors/adapters/index.ts';
import type { Services } from '../../src/services.ts';
import { useLockTestDatabase } from '../locks/use-locks.ts';

const clock = systemClock();
const newId = () => uuidv7(clock.now());
const MERCHANT = newId();
const ACCOUNT = newId();
const REPORT = newId();
const CHANNEL = 'pc_aaaaaaaaaaaaaaaaaaaaaaaaaa';
const at = instantText(clock.now());
/** Without CHECK constraints, so that rows need no sensible values in other columns. */
const database = useLockTestDatabase();

const payments = [1, 2, 3].map((number) => ({
  id: newId(),
  reference: `pay_${number}`,
  amount: `${number}000`,
}));

const HEADER =
  'Processing Channel ID,Payment ID,Reference,Action ID,Payout ID,Breakdown Type,Processing Currency,Processing Currency Amount,Holding Currency,Holding Currency Amount';
/** The third payment is in no report. */
const content = [
  HEADER,
  ...payments
    .slice(0, 2)
    .map(
      ({ reference }, at) =>
        `${CHANNEL},${reference},,act_${at},P1,Capture,EUR,${at + 1}0.00,EUR,${at + 1}0.00`,
    ),
].join('\n');

beforeAll(async () => {
  const scope = { merchant_id: MERCHANT, mode: 'sandbox', created_at: at, updated_at: at };
  const money = (amount: string) => ({ amount_cents: amount, amount_currency: 'EUR' });
  await database.insertUnchecked('merchants', { id: MERCHANT, created_at: at, updated_at: at });
  await database.insertUnchecked('processor_accounts', {
    id: ACCOUNT,
    mode: 'sandbox',
    processor: 'checkout_com',
    name: 'EU',
    created_at: at,
  });
  await database.insertUnchecked(
    'payment_demands',
    ...payments.map(({ id, amount }) => ({ ...scope, ...money(amount), id, status: 'succeeded' })),
  );
  await database.insertUnchecked(
    'attempts',
    ...payments.map(({ id, reference, amount }) => ({
      ...scope,
      ...money(amount),
      id: newId(),
      payment_demand_id: id,
      operation: 'authorise',
      status: 'approved',
      processor: 'checkout_com',
      processor_account_id: ACCOUNT,
      processor_reference: reference,
    })),
  );
  await database.insertUnchecked(
    'ledger_transfers',
    ...payments.map(({ id, amount }) => ({
      ...scope,
      ...money(amount),
      id: newId(),
      kind: 'captured',
      debit_account: 'processor',
      credit_account: 'merchant',
      source_id: id,
      payment_demand_id: id,
    })),
  );
  await database.insertUnchecked('processor_reports', {
    id: REPORT,
    processor_account_id: ACCOUNT,
    mode: 'sandbox',
    name: 'report.csv',
    location: 'report.csv',
    status: 'downloaded',
    hash: 'a hash',
    content,
    tries: '0',
    due_at: at,
    created_at: at,
    updated_at: at,
  });
});

function createServices(changes: Partial<Services> = {}): Services {
  const settings = { api_url: 'http://127.0.0.1:1', processing_channel_id: CHANNEL };
  const processor = adapters.checkout_com?.connect({ id: ACCOUNT, mode: 'sandbox', settings });
  return {
    accounts: { find: () => ({ id: ACCOUNT, mode: 'sandbox', processor }) },
    db: database.db,
    catalog: database.catalog,
    logger: createLogger('silent'),
    models: compileModels(resources),
    system_clock: clock,
    wake: { deliver: createSignal() },
    ...changes,
  } as unknown as Services;
}

const readReport = async (): Promise<Row> =>
  (await database.db.query('select * from processor_reports where id = $1', [REPORT]))[0] as Row;
const count = async (table: string, condition = 'true'): Promise<number> =>
  Number(
    (await database.db.query(`select count(*) as count from ${table} where ${condition}`, []))[0]
      ?.count,
  );

/** Runs the step of one state in two workers. */
async function runTwice(services = createServices()): Promise<void> {
  const report = await readReport();
  await Promise.all([runReportStep(services, report), runReportStep(services, report)]);
}

it('a step that throws is counted, until the report is booked', async () => {
  await failThrown(createServices(), { ...(await readReport()), control: 'none' });
  expect(await readReport()).toMatchObject({ tries: '0', failure: null });
  await failThrown(createServices(), await readReport());
  expect(await readReport()).toMatchObject({
    status: 'downloaded',
    tries: '1',
    failure: expect.stringMatching(/^Florin could not process/),
  });
});

it('two workers with the same report book it once', async () => {
  await runTwice();
  expect([await count('processor_report_lines'), await count('processor_transfers')]).toEqual([
    2, 1,
  ]);
  expect(await readReport()).toMatchObject({ status: 'booked', control: 'none' });
});

it('lines of a large report are stored in slices', async () => {
  const lines = [1, 2, 3, 4, 5].map((line) => ({
    report_id: REPORT,
    line: String(100 + line),
    processor_account_id: ACCOUNT,
    mode: 'sandbox',
    kind: 'fee',
    batch: '',
    fees: '{}',
    is_flagged: 'false',
    outcome: 'batch',
  }));
  const rollBack = new Error('the rows are not for other tests');
  const stored = database.db.transaction(async (tx) => {
    await insertLines(tx, database.catalog, lines, 2);
    const [row] = await tx.query(
      'select count(*) from processor_report_lines where line > 100',
      [],
    );
    expect(row?.count).toBe('5');
    throw rollBack;
  });
  await expect(stored).rejects.toBe(rollBack);
});

it('a crash while lines are compared leaves nothing half done', async () => {
  const failing: Catalog = (table) => {
    if (table === 'processor_report_lines') throw new Error('the process ends');
    return database.catalog(table);
  };
  const step = runReportStep(createServices({ catalog: failing }), await readReport());
  await expect(step).rejects.toThrow('the process ends');
  expect(await count('ledger_transfers', `kind = 'settled'`)).toBe(0);
});

it('two workers that continue settle each line once', async () => {
  await runTwice();
  await runReportStep(createServices(), await readReport());
  expect(await count('ledger_transfers', `kind = 'settled'`)).toBe(2);
  expect(await count('processor_report_lines', `outcome = 'settled'`)).toBe(2);
  expect(await count('settlement_exceptions')).toBe(0);
  expect((await readReport()).status).toBe('compared');
});

it('a payment that no report has is missed by the accounts, and not by the network', async () => {
  const day = { from: at.slice(0, 10), to: instantText(clock.now() + 1_000_000) };
  const missing = (processor: string) =>
    readUnsettled(database.db, { processor, mode: 'sandbox' }, day, 10).then((rows) =>
      rows.map(({ source_id }) => source_id),
    );
  expect(await missing(REPORTS_SOURCE)).toEqual([payments[2]?.id]);
  expect(await missing('simulator')).toEqual([]);
});
