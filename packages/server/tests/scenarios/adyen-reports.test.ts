import { beforeAll, expect, it } from 'vitest';
import { createProcessorAccounts } from '../../src/features/processor-accounts/accounts.ts';
import { runReportCommand } from '../../src/features/settlement/reports/commands.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { adapters } from '../../src/processors/adapters/index.ts';
import { useAdyenStack } from '../support/adyen.ts';
import { createClockAhead, passTime } from '../support/clock-ahead.ts';
import {
  eventually,
  makeAuthorisedPayment,
  makeCapture,
  makeDemand,
  makeParties,
  makeRefund,
  waitForDispute,
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

const clock = createClockAhead();
const florin = useAdyenStack(clock);
passTime(clock);
beforeAll(() => restrictAccount(florin));

async function pay(amount_cents: number) {
  const parties = await makeParties(florin.client);
  const { id } = await makeDemand(florin.client, { confirmed: true, amount_cents }, parties);
  return waitForOutcome(florin.client, id);
}

async function disputeOf(payment: string) {
  const [attempt] = await florin.db.query(
    `select processor_reference from attempts where payment_demand_id = $1 and operation = 'authorise'`,
    [payment],
  );
  const path = `/payments/${attempt?.processor_reference}/disputes`;
  const opened = (await florin.control('POST', path, {})) as { psp: string };
  await waitForDispute(florin.client, payment);
  return opened.psp;
}

const importReport = async (report: string, content: string) => {
  const { db } = florin;
  const logger = createLogger('silent');
  const accounts = await createProcessorAccounts({ db, adapters, logger });
  const command = { command: 'import_report', account: florin.account, report, content } as const;
  return runReportCommand({ db, accounts, system_clock: clock }, command);
};

const contentOf = async (name: string): Promise<string> => {
  const sql = 'select content from processor_reports where name = $1';
  return (await florin.db.query(sql, [name]))[0]?.content as string;
};

it('reports settle a capture, a refund and two chargebacks of a dispute, and book fees and payouts', async () => {
  const [paid, disputed] = [await pay(5_000), await pay(3_000)];
  const refund = await makeRefund(florin.client, paid, { amount_cents: 2_000 });
  await waitForOutcome(florin.client, refund.id, 'refund_demands');
  const dispute = await disputeOf(disputed.id);
  const report = await waitForReport(florin, clock, await florin.closeBatch());
  expect(report).toMatchObject({ status: 'compared', control: 'matches', failure: null });
  expect(await listSettled(florin, paid.id)).toEqual([
    ['settled', 5_000],
    ['settled_back', 2_000],
  ]);
  expect(await listSettled(florin, disputed.id)).toEqual([
    ['settled', 3_000],
    ['settled_back', 3_000],
  ]);
  // 0.9 % of 80.00 in three parts, 0.10 for the refund, 15.00 for the chargeback, and 0.02 a row.
  const sums = await sumTransfers(florin, 'USD');
  expect(sums).toEqual({
    payments: 3_000_000_000n,
    fee_markup: -1_558_000_000n,
    fee_scheme: -8_000_000n,
    fee_interchange: -16_000_000n,
    fee_other: -8_000_000n,
    payout: -1_410_000_000n,
  });
  expect(Object.values(sums).reduce((sum, amount) => sum + amount, 0n)).toBe(0n);

  await florin.control('POST', `/disputes/${dispute}/events`, {
    event: 'CHARGEBACK_REVERSED',
    status: 'Won',
  });
  await eventually(
    () => florin.client.fetch('payment_demands', disputed.id),
    ({ attributes }) => attributes.status === 'succeeded',
  );
  await waitForReport(florin, clock, await florin.closeBatch());
  expect(await listSettled(florin, disputed.id)).toContainEqual(['settled_again', 3_000]);

  await florin.control('POST', `/disputes/${dispute}/events`, { event: 'SECOND_CHARGEBACK' });
  await eventually(
    () => florin.client.fetch('payment_demands', disputed.id),
    ({ attributes }) => attributes.status === 'reversed',
  );
  await waitForReport(florin, clock, await florin.closeBatch());
  expect(await listSettled(florin, disputed.id)).toContainEqual(['second_settled_back', 3_000]);
  expect(await listExceptionKinds(florin, disputed.id)).toEqual([]);
  expect(await listBrokenRules(florin)).toEqual([]);
});

it('differences become exceptions, and their money stays unsettled', async () => {
  const amounts = { 9709: 'amount_differs', 9711: 'duplicate', 9712: 'currency_differs' };
  const payments = [];
  for (const [amount, kind] of Object.entries(amounts))
    payments.push({ kind, payment: await pay(Number(amount)) });
  await waitForReport(florin, clock, await florin.closeBatch());
  for (const { kind, payment } of payments)
    expect(await listExceptionKinds(florin, payment.id)).toEqual([kind]);
  const [less, twice] = payments;
  expect(await listSettled(florin, less?.payment.id as string)).toEqual([]);
  expect(await listSettled(florin, twice?.payment.id as string)).toEqual([['settled', 9_711]]);
  expect(await listBrokenRules(florin)).toEqual([]);
});

it('a row of an unknown type is quarantined, its money is visible, and the rest is settled', async () => {
  const payment = await makeAuthorisedPayment(florin.client, { amount_cents: 4_000 });
  for (const attributes of [{ amount_cents: 2_500, final: false }, {}]) {
    const { id } = await makeCapture(florin.client, payment, attributes);
    await waitForOutcome(florin.client, id, 'capture_demands');
  }
  const name = await florin.closeBatch({ unknown_type: 'Mystery' });
  const report = await waitForReport(florin, clock, name);
  expect(report).toMatchObject({ status: 'compared', control: 'matches' });
  expect((await listSettled(florin, payment.id)).toSorted()).toEqual([
    ['settled', 1_500],
    ['settled', 2_500],
  ]);
  const shown = await runReportCommand(florin as never, {
    command: 'show_report',
    id: report.id as string,
  });
  expect(shown.text).toMatch(/unexplained +-0\.01 USD/);
  expect(shown.text).toMatch(/row \d+ +-0\.01 USD +the type Mystery is unknown +unclear/);
  expect(await listBrokenRules(florin)).toEqual(['processor reports']);
  const { operator } = florin;
  const path = `/processor_reports/${report.id}`;
  const [listed] = (await operator.get('/processor_reports')).body.data;
  expect(listed).toMatchObject({ id: report.id, unclear: 1 });
  const [line] = (await operator.get(path)).body.data.lines;
  expect(line).toMatchObject({
    outcome: 'quarantined',
    amount: '-0.01 USD',
    reason: 'the type Mystery is unknown',
    acknowledged_at: null,
  });
  const acknowledge = () =>
    operator.send('POST', `${path}/lines/${line.line}/acknowledge`, { reason: 'A gift' });
  expect((await acknowledge()).status).toBe(204);
  expect((await acknowledge()).status).toBe(405);
  const { lines, processor_account_id } = (await operator.get(path)).body.data;
  expect(lines[0]).toMatchObject({
    acknowledgement: 'A gift',
    acknowledged_by_email: florin.stack.credentials.account.email,
  });
  expect((await operator.get('/processor_reports')).body.data[0].unclear).toBe(0);
  expect(await listBrokenRules(florin)).toEqual([]);
  const { entries } = (await operator.get(`/processor_accounts/${processor_account_id}`)).body.data;
  expect(entries[0]).toMatchObject({
    action: 'row_acknowledged',
    details: { report: report.id, line: line.line, note: 'A gift' },
  });
  const again = { command: 'acknowledge_row', line: line.line, note: 'Again' } as const;
  await expect(
    runReportCommand({ db: florin.db, system_clock: clock } as never, {
      ...again,
      id: report.id as string,
    }),
  ).rejects.toThrow('acknowledged already');
});

it('a report that is changed and imported again settles nothing twice, and its payout differs', async () => {
  const payment = await pay(6_000);
  const name = await florin.closeBatch();
  await waitForReport(florin, clock, name);
  const content = await contentOf(name);
  await importReport('same.csv', content);
  expect(await waitForReport(florin, clock, 'same.csv')).toMatchObject({
    status: 'refused',
    failure: `The content is that of ${name}, which is booked.`,
  });
  const lines = content.trimEnd().split('\n');
  const payout = (lines.at(-1) as string).replace(/(\d+)\.(\d\d)/, '$1.$20001');
  await importReport('changed.csv', [...lines.slice(0, -1), payout].join('\n'));
  const changed = await waitForReport(florin, clock, 'changed.csv');
  expect(changed).toMatchObject({ status: 'compared', control: 'differs' });
  expect(changed.failure).toMatch(/do not sum to the payout \(batch \d+: -0\.000001 USD\)/);
  expect(await listSettled(florin, payment.id)).toEqual([['settled', 6_000]]);
  expect(await listExceptionKinds(florin, payment.id)).toEqual(['duplicate']);
});

it('a file of another layout is kept and refused', async () => {
  await importReport('other.csv', 'Type,Amount\nSettled,1\n');
  const report = await waitForReport(florin, clock, 'other.csv');
  expect(report).toMatchObject({ status: 'refused', content: 'Type,Amount\nSettled,1\n' });
  expect(report.failure).toContain('each of these columns once: Merchant Account');
});

it('a report that cannot be downloaded is tried again', async () => {
  const payment = await pay(7_000);
  const fault = { method: 'GET', path: '/reports', kind: 'reset', times: 1 };
  await florin.control('POST', '/faults', fault);
  await waitForReport(florin, clock, await florin.closeBatch());
  expect(await listSettled(florin, payment.id)).toEqual([['settled', 7_000]]);
});
