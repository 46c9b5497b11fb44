import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useSimulator } from '../checkout-com/stand-in.ts';
import { createReceiver, type Receiver } from '../notifications/receiver.ts';
import { adyenNotificationErrors, hasAdyenSchemas } from './schemas.ts';
import { type AdyenClient, createAdyenClient, createAdyenPayment } from './stand-in.ts';

const simulator = useSimulator();
let client: AdyenClient;
let receiver: Receiver;
beforeEach(async () => {
  receiver = await createReceiver();
  client = await createAdyenClient(simulator.url);
});
afterEach(() => receiver[Symbol.asyncDispose]());

type Row = Readonly<Record<string, string>>;

async function pay(value: number, currency = 'EUR', changes: object = {}): Promise<string> {
  const request = createAdyenPayment(client, { amount: { value, currency }, ...changes });
  return String((await client.sdk.PaymentsApi.payments(request as never)).pspReference);
}

const modify = async (psp: string, path: string, body: object = {}): Promise<string> => {
  const request = { merchantAccount: client.account, ...body };
  const response = await client.send(`/payments/${psp}/${path}`, request);
  return ((await response.json()) as { pspReference: string }).pspReference;
};
const capture = (psp: string, value: number, currency = 'EUR', reference = 'c') =>
  modify(psp, 'captures', { amount: { value, currency }, reference });
const refund = (psp: string, value: number, reference = 'r') =>
  modify(psp, 'refunds', { amount: { value, currency: 'EUR' }, reference });

const download = (batch: number, headers: object = { 'x-api-key': client.apiKey }) =>
  fetch(
    `${client.url}/reports/download/MerchantAccount/${client.account}/settlement_detail_report_batch_${batch}.csv`,
    { headers: { ...headers } },
  );

/** Rows of a CSV text without quotes. */
function rowsOf(text: string): Row[] {
  const [header = [], ...lines] = text.split('\n').map((line) => line.split(','));
  return lines
    .slice(0, -1)
    .map((cells) => Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ''])));
}

/** Closes a batch and returns the rows of its report. */
async function settle(options: object = {}): Promise<Row[]> {
  const path = `/accounts/${client.account}/batches`;
  const response = await client.control('POST', path, options);
  const { batch } = (await response.json()) as { batch: number };
  return rowsOf(await (await download(batch)).text());
}

/** Net amount of a row in cents, with its sign. */
const netOf = (row: Row): number =>
  Math.round((Number(row['Net Credit (NC)']) - Number(row['Net Debit (NC)'])) * 100);
const typesOf = (rows: readonly Row[]): (string | undefined)[] => rows.map(({ Type }) => Type);

describe('a settlement report', () => {
  it('has a row for each movement, with references, gross, fees and net', async () => {
    const psp = await pay(10_000, 'EUR', { reference: 'order-7' });
    const captured = await capture(psp, 10_000, 'EUR', 'capture-7');
    const refunded = await refund(psp, 2_500, 'refund-7');
    const [settled, back, fee, payout] = await settle();
    expect(settled).toMatchObject({
      'Company Account': client.account,
      'Merchant Account': client.account,
      'Psp Reference': psp,
      'Merchant Reference': 'order-7',
      'Payment Method': 'visa',
      'Creation Date': expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      TimeZone: expect.stringMatching(/^CES?T$/),
      Type: 'Settled',
      'Modification Reference': captured,
      'Modification Merchant Reference': 'capture-7',
      'Gross Currency': 'EUR',
      'Gross Debit (GC)': '',
      'Gross Credit (GC)': '100.00',
      'Net Credit (NC)': '99.10',
      'Commission (NC)': '',
      'Markup (NC)': '0.60',
      'Scheme Fees (NC)': '0.10',
      'Interchange (NC)': '0.20',
      'Batch Number': '1',
    });
    expect(back).toMatchObject({
      Type: 'Refunded',
      'Modification Reference': refunded,
      'Modification Merchant Reference': 'refund-7',
      'Gross Debit (GC)': '25.00',
      'Net Debit (NC)': '25.10',
    });
    expect(fee).toMatchObject({ Type: 'Fee', 'Psp Reference': '', 'Net Debit (NC)': '0.04' });
    expect(payout).toMatchObject({ Type: 'MerchantPayout', 'Net Debit (NC)': '73.96' });
  });

  it('sums up to zero with its payout', async () => {
    const psp = await pay(30_000);
    await capture(psp, 30_000);
    await refund(psp, 1);
    const rows = await settle({ unknown_type: 'NewCosts' });
    expect(typesOf(rows)).toEqual(['Settled', 'Refunded', 'Fee', 'NewCosts', 'MerchantPayout']);
    expect(rows.reduce((sum, row) => sum + netOf(row), 0)).toBe(0);
  });

  it('lists each movement in one batch', async () => {
    await capture(await pay(100), 100);
    expect(typesOf(await settle())).toEqual(['Settled', 'Fee', 'MerchantPayout']);
    expect(await settle()).toEqual([]);
    await capture(await pay(200), 200);
    const [settled] = await settle();
    expect(settled).toMatchObject({ 'Gross Credit (GC)': '2.00', 'Batch Number': '3' });
  });

  it('lists disputes, and carries over a debt', async () => {
    const psp = await pay(5_000);
    await capture(psp, 5_000);
    await settle();
    const response = await client.control('POST', `/payments/${psp}/disputes`, { amount: 4_000 });
    const { psp: dispute } = (await response.json()) as { psp: string };
    for (const event of ['CHARGEBACK_REVERSED', 'SECOND_CHARGEBACK'])
      await client.control('POST', `/disputes/${dispute}/events`, { event });
    const rows = await settle();
    expect(typesOf(rows)).toEqual([
      'Chargeback',
      'ChargebackReversed',
      'SecondChargeback',
      'Fee',
      'BalanceTransfer',
    ]);
    expect(rows[0]).toMatchObject({
      'Modification Reference': dispute,
      'Dispute Reference': dispute,
      'Gross Debit (GC)': '40.00',
      'Net Debit (NC)': '55.00',
      'Markup (NC)': '15.00',
    });
    expect(rows[1]).toMatchObject({ 'Gross Credit (GC)': '40.00' });
    expect(rows[4]).toMatchObject({ 'Net Credit (NC)': '70.06' });
  });

  it('takes back what failed after its success', async () => {
    const psp = await pay(700, 'EUR', { paymentMethod: { holderName: 'capture failed' } });
    await capture(psp, 700);
    expect((await settle())[0]).toMatchObject({ Type: 'Settled' });
    await client.advance(25 * 60 * 60_000);
    expect((await settle())[0]).toMatchObject({
      Type: 'SettledReversed',
      'Gross Debit (GC)': '7.00',
    });
  });

  it('has one commission for accounts with blended fees', async () => {
    await client.configure({ blended_fees: true });
    await capture(await pay(10_000), 10_000);
    expect((await settle())[0]).toMatchObject({
      'Commission (NC)': '1.40',
      'Markup (NC)': '',
      'Net Credit (NC)': '98.60',
    });
  });

  it('has major units and a payout of each currency', async () => {
    await capture(await pay(1_500, 'JPY'), 1_500, 'JPY');
    await capture(await pay(15_000, 'CLP'), 15_000, 'CLP');
    const rows = await settle();
    const payouts = rows.filter(({ Type }) => Type === 'MerchantPayout');
    expect(rows.slice(0, 2).map((row) => row['Gross Credit (GC)'])).toEqual(['1500', '150.00']);
    expect(payouts.map((row) => row['Net Currency'])).toEqual(['JPY', 'CLP']);
  });

  it.each([
    [9_709, ['97.08 EUR']],
    [9_710, []],
    [9_711, ['97.11 EUR', '97.11 EUR']],
    [9_712, ['97.12 XTS']],
  ])('has the error of the sandbox amount %i', async (amount, expected) => {
    await capture(await pay(amount), amount);
    const settled = (await settle()).filter(({ Type }) => Type === 'Settled');
    const amounts = settled.map((row) => `${row['Gross Credit (GC)']} ${row['Gross Currency']}`);
    expect(amounts).toEqual(expected);
  });
});

describe('a report', () => {
  it('is announced with its name and address', async () => {
    await client.configure({ webhook_url: receiver.url, webhook_hmac_key: 'ab'.repeat(32) });
    await settle();
    const [notification] = await receiver.arrived(1);
    const body = JSON.parse(notification?.body ?? '');
    const file = 'settlement_detail_report_batch_1.csv';
    expect(body.notificationItems[0].NotificationRequestItem).toMatchObject({
      eventCode: 'REPORT_AVAILABLE',
      pspReference: file,
      merchantReference: '',
      reason: `https://ca-test.adyen.com/reports/download/MerchantAccount/${client.account}/${file}`,
    });
    if (hasAdyenSchemas) expect(adyenNotificationErrors('REPORT_AVAILABLE', body)).toEqual([]);
  });

  it('needs a key of its account, and a closed batch', async () => {
    await settle();
    const other = await createAdyenClient(simulator.url);
    expect((await download(1, {})).status).toBe(401);
    expect((await download(1, { 'x-api-key': other.apiKey })).status).toBe(403);
    expect((await download(2)).status).toBe(404);
    expect((await download(1)).headers.get('content-type')).toBe('text/csv');
  });
});
