import type { SettledOnRequest } from '@florin/contract/settled-on-request.ts';
import { expect, it } from 'vitest';
import { REQUESTED_SETTLEMENTS } from '../../src/features/settlement/on-request/limits.ts';
import { useOwnStack } from '../support/api.ts';
import { type BrowserAnswer, signIn } from '../support/browser.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import { makeCapturedPayment, makeRefund, waitForOutcome } from '../support/make.ts';
import { useSettledDays } from '../support/settled-days.ts';

const clock = createClockAhead();
const now = () => new Date(clock.now() / 1000);
const api = useOwnStack({ config: { clock }, now });
const { endDay, listAll, waitForBalance, expectAgreement } = useSettledDays(api, clock);

/** Less the fee. */
const netOf = (cents: number): number => cents - Math.round(cents * 0.04) - 5;

/** Presses "Settle now" as the member of the demo's merchant. */
async function openSession(mode = 'sandbox'): Promise<() => Promise<BrowserAnswer>> {
  const { baseUrl, credentials } = api.stack;
  const browser = await signIn(baseUrl, credentials.account);
  const { body } = await browser.get('/dashboard/api/me');
  const headers = { 'florin-merchant': body.merchants[0].id, 'florin-mode': mode };
  return () => browser.send('POST', '/dashboard/api/sandbox/settlement', {}, headers);
}

const amountsOf = ({ payouts }: SettledOnRequest): number[] =>
  payouts.map(({ amount_cents }) => amount_cents);

const listPayouts = async (): Promise<unknown[]> =>
  (await listAll(api.client, 'payouts')).map(({ amount_cents }) => amount_cents);

const countRequestedLines = async (): Promise<number> => {
  const rows = await api.fixtures.db.query(
    "select from settlement_entries where processor = 'settled_on_request'",
    [],
  );
  return rows.length;
};

it('a sandbox settles and pays out on request, and the daily settlement repeats nothing', async () => {
  const press = await openSession();
  const payment = await makeCapturedPayment(api.client, { amount_cents: 5000 });
  const first = await press();
  expect(first).toMatchObject({ status: 200, body: { settled_count: 1, has_more: false } });
  expect(amountsOf(first.body)).toEqual([netOf(5000)]);
  expect(await waitForBalance(api.client, { available_cents: 0 })).toMatchObject({
    unsettled_cents: 0,
    paid_out_cents: netOf(5000),
  });
  expect((await press()).body).toMatchObject({ settled_count: 0, payouts: [] });

  const refund = await makeRefund(api.client, payment, { amount_cents: 1000 });
  await waitForOutcome(api.client, refund.id, 'refund_demands');
  // The network's file has an amount less than these, by one unit.
  await makeCapturedPayment(api.client, { amount_cents: 19_709 });
  const second = await press();
  expect(second.body).toMatchObject({ settled_count: 2 });
  expect(amountsOf(second.body)).toEqual([netOf(19_709) - 1000]);
  await expectAgreement();

  await makeCapturedPayment(api.client, { amount_cents: 3000 });
  await endDay();
  await waitForBalance(api.client, { available_cents: 0, unsettled_cents: 0 });
  expect(await listPayouts()).toEqual([netOf(5000), netOf(19_709) - 1000, netOf(3000)]);
  expect(await listAll(api.client, 'settlement_exceptions')).toMatchObject([
    { kind: 'amount_differs', expected_cents: 19_709, found_cents: 19_708 },
  ]);
  // The file has confirmed the others.
  expect(await countRequestedLines()).toBe(1);
  await expectAgreement();
});

it('several requests beside a daily settlement settle each payment once', async () => {
  const press = await openSession();
  const payoutsBefore = await listPayouts();
  const amounts = [2000, 3000, 4000];
  for (const amount_cents of amounts) await makeCapturedPayment(api.client, { amount_cents });
  const day = endDay();
  // The end of the day may end the session first.
  const pressSignedIn = async () => {
    const answer = await press();
    return answer.status === 401 ? (await openSession())() : answer;
  };
  const answers = await Promise.all(Array.from({ length: 4 }, pressSignedIn));
  await day;
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await waitForBalance(api.client, { available_cents: 0, unsettled_cents: 0 });
  const payouts = (await listPayouts()).slice(payoutsBefore.length) as number[];
  const sum = payouts.reduce((total, cents) => total + cents, 0);
  expect(sum).toBe(amounts.map(netOf).reduce((total, cents) => total + cents, 0));
  await expectAgreement();
});

it('a sandbox that asks too often hears when it may ask again', async () => {
  const press = await openSession();
  const answers = await Promise.all(
    Array.from({ length: REQUESTED_SETTLEMENTS.requests + 1 }, press),
  );
  const statuses = new Set(answers.map(({ status }) => status));
  expect(statuses).toContain(429);
  expect(statuses).not.toContain(500);
  const { headers, body } = answers.find(({ status }) => status === 429) as BrowserAnswer;
  const wait = Number(headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(REQUESTED_SETTLEMENTS.seconds);
  expect(body.errors[0]).toMatchObject({
    code: 'rate_limited',
    detail: `A sandbox can be settled 10 times in 60 s. Try again in ${wait} s.`,
    meta: { quota: 10, window_seconds: 60, retry_after_seconds: wait },
  });
});

it('live mode does not settle on request', async () => {
  const press = await openSession('live');
  expect((await press()).status).toBe(403);
});
