import { describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { clockAhead } from '../support/clock-ahead.ts';
import { eventually, makePaid, newestOf } from '../support/make.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';

const clock = clockAhead();
const api = useOwnStack({ config: { clock }, now: () => new Date(clock.now() / 1000) });
const type = 'payouts';
const DAY_SECONDS = 24 * 60 * 60;

/** Creates a payment and returns its payout. */
async function makePayout() {
  const before = await newestOf(api.client, type);
  await makePaid(api.client, { amount_cents: 2500 });
  clock.advance(DAY_SECONDS);
  await api.client.get('/sandbox/drain?timeout=1');
  return eventually(
    () => newestOf(api.client, type),
    (payout) => payout !== undefined && payout.id !== before?.id,
  );
}

describe('a payout', () => {
  describeReads(api, type, makePayout);
  describeRefusedMethods(api, type);

  it('pays all available money above the minimum', async () => {
    const shop = api.as(await (await api.fixtures.makeMerchant()).key());
    const other = api.as(await (await api.fixtures.makeMerchant()).key());
    await makePaid(shop, { amount_cents: 108 });
    await makePaid(other, { amount_cents: 110 });
    await makePayout();
    expect((await shop.get(`/v2/${type}`)).body.data).toEqual([]);
    expect((await newestOf(other, type)).attributes).toMatchObject({
      status: 'paid',
      amount_cents: 101,
      amount_currency: 'USD',
    });
    await makePaid(shop, { amount_cents: 100 });
    await makePayout();
    expect((await newestOf(shop, type)).attributes.amount_cents).toBe(108 - 9 + 100 - 9);
  });
});
