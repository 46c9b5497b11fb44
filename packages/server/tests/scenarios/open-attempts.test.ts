import { expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { clockAhead } from '../support/clock-ahead.ts';
import { eventually, makeDemand, makeParties } from '../support/make.ts';

const clock = clockAhead();
let monotonic_ms = 0;
const api = useApi({ config: { clock, monotonic_ms: () => monotonic_ms } });

/** The gauge by age, once the last count is no longer good. */
async function openAttempts(): Promise<Record<string, number>> {
  monotonic_ms += 60_000;
  const text = await (await fetch(`${api.stack.baseUrl}/metrics`)).text();
  const lines = text.matchAll(/^florin_open_attempts\{age="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, age, count]) => [age, Number(count)]));
}

it('attempts without an outcome are counted by their age', async () => {
  expect(await openAttempts()).toEqual({ under_1h: 0, '1h_to_24h': 0, over_24h: 0 });
  const parties = await makeParties(api.client);
  // The network’s own clock stays behind, so that it does not tell before the test is over.
  const metadata = { simulate: 'late_approval' };
  const { id } = await makeDemand(api.client, { confirmed: true, metadata }, parties);
  await eventually(
    () => api.client.fetch('payment_demands', id),
    ({ meta }) => meta?.outcome === 'unknown',
  );
  expect(await openAttempts()).toEqual({ under_1h: 1, '1h_to_24h': 0, over_24h: 0 });
  clock.advance(3_601);
  expect(await openAttempts()).toEqual({ under_1h: 0, '1h_to_24h': 1, over_24h: 0 });
  clock.advance(24 * 3_600);
  expect(await openAttempts()).toEqual({ under_1h: 0, '1h_to_24h': 0, over_24h: 1 });
});
