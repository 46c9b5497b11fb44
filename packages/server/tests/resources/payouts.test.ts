import { describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import { eventually, makeCapturedPayment, newestOf } from '../support/make.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';

const clock = createClockAhead();
const api = useOwnStack({ config: { clock }, now: () => new Date(clock.now() / 1000) });
const type = 'payouts';
const DAY_SECONDS = 24 * 60 * 60;

/** Creates a payment and returns its payout. */
async function makePayout() {
  const previousPayout = await newestOf(api.client, type);
  await makeCapturedPayment(api.client, { amount_cents: 2500 });
  clock.advance(DAY_SECONDS);
  await api.client.get('/sandbox/drain?timeout=1');
  return eventually(
    () => newestOf(api.client, type),
    (payout) => payout !== undefined && payout.id !== previousPayout?.id,
  );
}

describe('a payout', () => {
  describeReads(api, type, makePayout);
  describeRefusedMethods(api, type);

  it('pays all available money above the minimum', async () => {
    const client = api.as(await (await api.fixtures.makeMerchant()).makeKey());
    const otherClient = api.as(await (await api.fixtures.makeMerchant()).makeKey());
    await makeCapturedPayment(client, { amount_cents: 108 });
    await makeCapturedPayment(otherClient, { amount_cents: 110 });
    await makePayout();
    expect((await client.get(`/v2/${type}`)).body.data).toEqual([]);
    expect((await newestOf(otherClient, type)).attributes).toMatchObject({
      status: 'paid',
      amount_cents: 101,
      amount_currency: 'USD',
    });
    await makeCapturedPayment(client, { amount_cents: 100 });
    await makePayout();
    expect((await newestOf(client, type)).attributes.amount_cents).toBe(108 - 9 + 100 - 9);
  });
});
