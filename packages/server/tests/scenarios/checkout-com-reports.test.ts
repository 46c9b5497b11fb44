import { beforeAll, describe, expect, it } from 'vitest';
import { createProcessorAccounts } from '../../src/features/processor-accounts/accounts.ts';
import { runReportCommand } from '../../src/features/settlement/reports/commands.ts';
import { countReportsToDecide } from '../../src/features/settlement/reports/sql/reports.ts';
import { dryRunOf } from '../../src/platform/dry-run.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { adapters } from '../../src/processors/adapters/index.ts';
import { firstChannel, useCheckoutStack } from '../support/checkout-com.ts';
import { createClockAhead, passTime } from '../support/clock-ahead.ts';
import {
  eventually,
  makeAuthorisedPayment,
  makeCapture,
  makeCapturedPayment,
  makeRefund,
  waitForOutcome,
} from '../support/make.ts';
import {
  listBrokenRules,
  listExceptionKinds,
  listSettled,
  restrictAccount,
  sumTransfers,
  waitForReport,
} from '../support/reports.ts';

const HOUR_SECONDS = 60 * 60;
const clock = createClockAhead();
const florin = useCheckoutStack(clock);
passTime(clock);
beforeAll(() => restrictAccount(florin));

it('reports are listed, in files of a few rows, and settle payments with exact fees', async () => {
  await florin.configure({ report_rows_max: 3 });
  const payment = await makeAuthorisedPayment(florin.client, { amount_cents: 2_499 });
  for (const attributes of [{ amount_cents: 1_499, final: false }, {}]) {
    const { id } = await makeCapture(florin.client, payment, attributes);
    await waitForOutcome(florin.client, id, 'capture_demands');
  }
  const refund = await makeRefund(florin.client, payment, { amount_cents: 1_000 });
  await waitForOutcome(florin.client, refund.id, 'refund_demands');
  // A day ends at the stand-in, whose reports are ready two hours later.
  await florin.control('POST', '/clock', { advance_ms: 26 * HOUR_SECONDS * 1_000 });
  clock.advance(26 * HOUR_SECONDS);
  const reports = await eventually(
    () => florin.db.query('select name from processor_reports order by name', []),
    (rows) => rows.length >= 3,
  );
  for (const { name } of reports) {
    const report = await waitForReport(florin, clock, name as string);
    expect(report).toMatchObject({ status: 'compared', control: 'none', failure: null });
  }
  expect((await listSettled(florin, payment.id)).toSorted()).toEqual([
    ['settled', 1_000],
    ['settled', 1_499],
    ['settled_back', 1_000],
  ]);
  expect(await sumTransfers(florin, 'USD')).toEqual({
    payments: 1_499_000_000n,
    fee_interchange: -4_998_000n,
    fee_scheme: -862_155n,
    // 0.08 for each capture, 0.15 for the refund, 0.025 for the authorisation.
    fee_other: -33_500_000n,
  });
  expect(await listBrokenRules(florin)).toEqual([]);
});

describe('a second chargeback', () => {
  const once = [
    ['settled', 3_000],
    ['settled_again', 3_000],
    ['settled_back', 3_000],
  ];
  const taken = ['second_settled_back', 3_000];

  it.each([
    ['lost', 'reversed', [taken, ...once]],
    ['won', 'succeeded', [['second_settled_again', 3_000], taken, ...once]],
  ])('that the merchant has %s is settled by the reports', async (end, status, expected) => {
    const payment = await makeCapturedPayment(florin.client, { amount_cents: 3_000 });
    const [attempt] = await florin.db.query(
      `select processor_reference from attempts where payment_demand_id = $1`,
      [payment.id],
    );
    const path = `/payments/${attempt?.processor_reference}/disputes`;
    const { id } = (await florin.control('POST', path, {})) as { id: string };
    for (const next of ['won', 'arbitration_under_review', `arbitration_${end}`])
      await florin.control('POST', `/disputes/${id}/status`, { status: next });
    await eventually(
      () => florin.db.query('select * from disputes where reference = $1', [id]),
      ([dispute]) => dispute?.status === end && dispute.second_round_at !== null,
    );
    await florin.control('POST', `/accounts/${firstChannel.channel}/payouts`, {});
    clock.advance(2 * HOUR_SECONDS);
    const settled = await eventually(
      () => listSettled(florin, payment.id),
      (found) => found.length === expected.length,
    );
    expect(settled).toEqual(expected);
    expect((await florin.client.fetch('payment_demands', payment.id)).attributes.status).toBe(
      status,
    );
    expect(await listExceptionKinds(florin, payment.id)).toEqual([]);
    expect(await listBrokenRules(florin)).toEqual([]);
  });
});

it('listing reports again changes nothing', async () => {
  const count = async () => (await florin.db.query('select id from processor_reports', [])).length;
  const before = await count();
  const [list] = await florin.db.query('select listed_until from processor_report_lists', []);
  clock.advance(2 * HOUR_SECONDS);
  await eventually(
    () => florin.db.query('select listed_until from processor_report_lists', []),
    ([row]) => row?.listed_until !== list?.listed_until,
  );
  expect(await count()).toBe(before);
});

it('a dry run of an import answers as the import, and stores nothing', async () => {
  const db = dryRunOf(florin.db);
  const logger = createLogger('silent');
  const accounts = await createProcessorAccounts({ db, adapters, logger });
  const [account] = accounts.all();
  const { text } = await runReportCommand(
    { db, system_clock: systemClock(), accounts },
    {
      command: 'import_report',
      account: account?.id as string,
      report: 'by-hand.csv',
      content: 'row',
    },
  );
  expect(text).toContain('Stored by-hand.csv.');
  const sql = "select id from processor_reports where name = 'by-hand.csv'";
  expect(await florin.db.query(sql, [])).toEqual([]);
});

it('an account that lists no reports is named by the command, until it is removed', async () => {
  await florin.configure({ secret_key: 'sk_sbox_bbcdefghijklmnopqrstuvwxyz2' });
  clock.advance(2 * HOUR_SECONDS);
  const failures = await eventually(
    () => florin.db.query('select failure from processor_report_lists', []),
    ([list]) => list?.failure != null,
  );
  const services = { db: florin.db } as Parameters<typeof runReportCommand>[0];
  const { text } = await runReportCommand(services, { command: 'reports' });
  expect(text.split('\n').at(-1)).toContain(` (sandbox) lists no reports: ${failures[0]?.failure}`);
  expect(await countReportsToDecide(florin.db)).toEqual([
    { mode: 'sandbox', reason: 'list_failing', count: '1' },
  ]);
  await florin.db.query("update processor_accounts set status = 'removed'", []);
  expect(await countReportsToDecide(florin.db)).toEqual([]);
});
