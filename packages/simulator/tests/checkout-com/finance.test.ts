import { beforeEach, describe, expect, it } from 'vitest';
import { decimalText } from '../../src/checkout-com/finance/breakdown.ts';
import {
  createPaymentRequest,
  createStandInClient,
  DECLINED_CARD,
  errorOf,
  type StandInClient,
  useSimulator,
} from './stand-in.ts';

const DAY_MS = 24 * 60 * 60_000;
const simulator = useSimulator();
let client: StandInClient;
beforeEach(async () => {
  client = await createStandInClient(simulator.url);
});

async function pay(changes: Record<string, unknown> = {}): Promise<string> {
  const request = createPaymentRequest({ capture: true, ...changes });
  return ((await client.sdk.payments.request(request)) as { id: string }).id;
}

interface FinancialAction {
  readonly action_id: string;
  readonly action_type: string;
  readonly response_code: number | string;
  readonly reference?: string;
  readonly breakdown: readonly {
    readonly breakdown_type: string;
    readonly holding_currency_amount: number;
    readonly processing_currency: string;
    readonly transaction_currency_amount?: number;
  }[];
}

const query = (parameters: object) =>
  client.sdk.financial.query(parameters) as Promise<{
    count: number;
    data: FinancialAction[];
    _links: { next?: { href: string } };
  }>;

/** Types and amounts of all breakdown rows of a payment. */
const rowsOf = async (payment_id: string) =>
  (await query({ payment_id })).data.flatMap(({ action_type, breakdown }) =>
    breakdown.map((row) => [action_type, row.breakdown_type, row.holding_currency_amount]),
  );

describe('financial actions by the official SDK', () => {
  it('have the amount of a capture in major units, and its fees', async () => {
    const id = await pay({ reference: 'money-1' });
    expect(await rowsOf(id)).toEqual([
      ['Authorization', 'Authorization Fixed Fee', -0.025],
      ['Capture', 'Capture', 24.99],
      ['Capture', 'Interchange Variable Fee', -0.04998],
      ['Capture', 'Scheme Variable Fee', -0.00862155],
      ['Capture', 'Gateway Fixed Fee', -0.08],
    ]);
    const [, capture] = (await query({ payment_id: id })).data;
    expect(capture).toMatchObject({
      action_id: expect.stringMatching(/^act_/),
      processing_channel_id: client.channel,
      reference: 'money-1',
      response_code: 10_000,
    });
    expect(capture?.breakdown[0]).toMatchObject({ transaction_currency_amount: 24.99 });
    expect(capture?.breakdown[1]).not.toHaveProperty('transaction_currency_amount');
  });

  it('tell refunds, chargebacks and their ends, with one payment and signs', async () => {
    const id = await pay();
    await client.sdk.payments.refund(id, { amount: 999 });
    const response = await client.control('POST', `/payments/${id}/disputes`, { amount: 1500 });
    const dispute = ((await response.json()) as { id: string }).id;
    await client.control('POST', `/disputes/${dispute}/status`, { status: 'won' });
    const rows = (await rowsOf(id)).filter(([, type]) => !String(type).endsWith('Fee'));
    expect(rows).toEqual([
      ['Capture', 'Capture', 24.99],
      ['Partial Refund', 'Partial Refund', -9.99],
      ['Chargeback', 'Chargeback (ADJM)', -15],
      ['Chargeback', 'Chargeback (RPDW)', 15],
    ]);
    expect((await query({ action_id: dispute })).count).toBe(2);
  });

  it('of declined and voided payments are only fees; codes with letters are texts', async () => {
    const declined = await pay({ source: { number: DECLINED_CARD } });
    const voided = await pay({ capture: false });
    await client.sdk.payments.void(voided);
    const lettered = await pay({ source: { number: '4276038578596818' } });
    for (const id of [declined, voided, lettered])
      expect(await rowsOf(id)).toEqual([['Authorization', 'Authorization Fixed Fee', -0.025]]);
    const [action] = (await query({ payment_id: lettered })).data;
    expect(action?.response_code).toBe('2005C');
  });

  it.each([
    ['JPY', 1500, 1500],
    ['KWD', 1500, 1.5],
    ['CLP', 1500, 15],
  ])('of %s use the decimals of the currency', async (currency, amount, expected) => {
    const rows = await rowsOf(await pay({ currency, amount }));
    expect(rows.find(([, type]) => type === 'Capture')?.[2]).toBe(expected);
  });

  it('come in pages of a reference', async () => {
    for (let count = 0; count < 3; count++) await pay({ reference: 'pages', amount: 100 });
    const actions: string[] = [];
    let next: string | undefined = '?reference=pages&limit=4';
    while (next) {
      const parameters = Object.fromEntries(new URLSearchParams(next.split('?')[1]));
      const page = await query(parameters);
      actions.push(...page.data.map(({ action_id }) => action_id));
      next = page._links.next?.href;
    }
    expect(new Set(actions).size).toBe(6);
    expect(actions).toHaveLength(6);
  });

  it('are not shown to other accounts, and need a condition', async () => {
    const payment_id = await pay();
    const other = await createStandInClient(simulator.url);
    expect(await other.sdk.financial.query({ payment_id })).toMatchObject({ count: 0, data: [] });
    for (const parameters of [{}, { payment_id, limit: 101 }])
      expect((await errorOf(query(parameters))).http_code).toBe(422);
  });
});

interface ReportDetails {
  readonly id: string;
  readonly created_on: string;
  readonly account: { readonly entity_id: string };
  readonly tags: readonly string[];
  readonly files: readonly { readonly id: string; readonly filename: string }[];
}

const reports = async (parameters?: object) =>
  ((await client.sdk.reports.getAllReports(parameters ?? {})) as { data: ReportDetails[] }).data;

/** Rows of all files of a report, by name of the column. */
async function readRows({ id, files }: ReportDetails): Promise<Record<string, string>[]> {
  const rows: Record<string, string>[] = [];
  for (const file of files) {
    const csv = String(await client.sdk.reports.getReportFile(id, file.id));
    const [header = [], ...lines] = csv.split('\r\n').slice(0, -1).map(parseLine);
    for (const line of lines)
      rows.push(Object.fromEntries(header.map((name, index) => [name, line[index] ?? ''])));
  }
  return rows;
}

/** Values of a line of CSV; values with commas have quotes. */
const parseLine = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
    ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
  );

describe('a settlement report by the official SDK', () => {
  it('is ready two hours after the end of the day, and its sums are those of the books', async () => {
    const captured = await pay({ reference: 'row-1' });
    await client.sdk.payments.refund(captured, { amount: 499 });
    expect(await client.sdk.payments.get(captured)).toMatchObject({ status: 'Partially Refunded' });
    expect(await reports()).toEqual([]);
    await client.advance(DAY_MS + 2 * 60 * 60_000);
    const [report] = await reports();
    if (!report) throw new Error('There is no report.');
    expect(await client.sdk.reports.getReportDetails(report.id)).toEqual(report);
    expect(report).toMatchObject({
      id: expect.stringMatching(/^rpt_[a-z2-7]{26}$/),
      created_on: expect.stringContaining('T02:00:00.000Z'),
      files: [{ filename: expect.stringMatching(/^financial-actions_ent_\w+_\d{8}_\w+_1\.csv$/) }],
    });
    const rows = await readRows(report);
    expect(rows.map((row) => [row['Breakdown Type'], row['Holding Currency Amount']])).toEqual([
      ['Authorization Fixed Fee', '-0.025'],
      ['Capture', '24.99'],
      ['Interchange Variable Fee', '-0.04998'],
      ['Scheme Variable Fee', '-0.00862155'],
      ['Gateway Fixed Fee', '-0.08'],
      ['Partial Refund', '-4.99'],
      ['Refund Fixed Fee', '-0.15'],
    ]);
    expect(rows[1]).toMatchObject({
      'Client Entity Name': 'Sandbox "merchant", one',
      'Payment ID': captured,
      Reference: 'row-1',
      'Action Type': 'Capture',
      'Payout ID': report.tags[0],
      'Processed On': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
    });
  });

  it.each([
    [19_709, ['197.08']],
    [19_710, []],
    [19_711, ['197.11', '197.11']],
    [19_712, ['197.12']],
  ])('has the error that the amount %i selects', async (amount, expected) => {
    await pay({ amount });
    await client.advance(2 * DAY_MS);
    const [report] = await reports();
    const rows = report ? await readRows(report) : [];
    const captures = rows.filter((row) => row['Breakdown Type'] === 'Capture');
    expect(captures.map((row) => row['Holding Currency Amount'])).toEqual(expected);
    const currencies = captures.map((row) => row['Holding Currency']);
    expect(currencies.includes('XTS')).toBe(amount === 19_712);
  });

  it('longer than the limit of the account has several files, each with a header', async () => {
    await client.configure({ report_rows_max: 2 });
    await pay();
    await client.advance(2 * DAY_MS);
    const [report] = await reports();
    expect(report?.files.map(({ filename }) => filename.slice(-6))).toEqual([
      '_1.csv',
      '_2.csv',
      '_3.csv',
    ]);
    expect(report && (await readRows(report))).toHaveLength(5);
  });

  it('is ready at once where control pays out early, and the rest of the day is in the next one', async () => {
    const payOut = (body: object = {}) =>
      client.control('POST', `/accounts/${client.channel}/payouts`, body);
    expect((await payOut()).status).toBe(400);
    const [first, second] = [await pay(), await pay({ amount: 500 })];
    expect((await payOut({ unknown_type: 'Adjustment' })).status).toBe(201);
    const typesOf = (rows: Record<string, string>[]) => rows.map((row) => row['Breakdown Type']);
    const [early] = await reports();
    if (!early) throw new Error('There is no report.');
    const earlyRows = await readRows(early);
    expect(typesOf(earlyRows).filter((type) => type === 'Capture')).toHaveLength(2);
    expect(new Set(earlyRows.map((row) => row['Payment ID']))).toEqual(new Set([first, second]));
    expect(earlyRows.at(-1)).toMatchObject({
      'Breakdown Type': 'Adjustment',
      'Holding Currency Amount': '-1.00',
    });
    expect((await payOut()).status).toBe(400);

    const third = await pay();
    await client.advance(2 * DAY_MS);
    const [rest, ...others] = await reports();
    expect(others).toEqual([early]);
    if (!rest) throw new Error('The rest of the day has no report.');
    const rows = await readRows(rest);
    expect(new Set(rows.map((row) => row['Payment ID']))).toEqual(new Set([third]));
    expect(typesOf(rows)).not.toContain('Adjustment');
    expect((await client.control('POST', '/accounts/pc_other/payouts', {})).status).toBe(404);
  });

  it('is listed by day, and only to its account', async () => {
    for (let day = 0; day < 2; day++) {
      await pay();
      await client.advance(2 * DAY_MS);
    }
    const [newest, oldest] = await reports();
    if (!newest || !oldest) throw new Error('Reports are missing.');
    expect(await reports({ created_after: newest.created_on })).toMatchObject([{ id: newest.id }]);
    expect(await reports({ created_before: oldest.created_on })).toMatchObject([{ id: oldest.id }]);
    expect(await reports({ limit: 1, pagination_token: '1' })).toMatchObject([{ id: oldest.id }]);
    expect(await reports({ entity_id: 'ent_other' })).toEqual([]);
    expect((await errorOf(reports({ created_after: 'today' }))).http_code).toBe(422);
    const other = await createStandInClient(simulator.url);
    const fileId = newest.files[0]?.id ?? '';
    for (const call of [
      other.sdk.reports.getReportDetails(newest.id),
      other.sdk.reports.getReportFile(newest.id, fileId),
      client.sdk.reports.getReportFile(newest.id, 'file_other'),
    ])
      expect((await errorOf(call)).http_code).toBe(404);
  });
});

describe('decimal texts', () => {
  it.each([
    [0n, '0.00'],
    [1n, '0.00000001'],
    [-5_000_000_000n, '-50.00'],
    [2_499_000_000n, '24.99'],
    [150_000_000n, '1.50'],
    [-862_155n, '-0.00862155'],
  ])('%i is %s', (amount, text) => {
    expect(decimalText(amount)).toBe(text);
  });
});
