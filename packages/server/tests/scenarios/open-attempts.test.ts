import pg from 'pg';
import { expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { clockAhead } from '../support/clock-ahead.ts';
import { eventually, makeDemand, makePaid, makeParties } from '../support/make.ts';

const clock = clockAhead();
let monotonic_ms = 0;
const api = useOwnStack({ config: { clock, monotonic_ms: () => monotonic_ms } });

/** The gauge by age, after its cached count has expired. */
async function openAttempts(): Promise<Record<string, number>> {
  monotonic_ms += 60_000;
  const text = await (await fetch(`${api.stack.baseUrl}/metrics`)).text();
  const lines = text.matchAll(/^florin_open_attempts\{age="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, age, count]) => [age, Number(count)]));
}

it('attempts without an outcome are counted by their age', async () => {
  expect(await openAttempts()).toEqual({ under_1h: 0, '1h_to_24h': 0, over_24h: 0 });
  const parties = await makeParties(api.client);
  // The network's own clock does not advance, so it reports nothing during the test.
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

it('the metrics and a log message show how far the balances are behind the ledger', async () => {
  const behind = async (): Promise<number[]> => {
    monotonic_ms += 60_000;
    const text = await (await fetch(`${api.stack.baseUrl}/metrics`)).text();
    const [, seconds] = /^florin_balances_behind_seconds (\S+)$/m.exec(text) ?? [];
    const health = await fetch(`${api.stack.baseUrl}/healthz`);
    const words = (await health.json()) as { balances_behind_seconds: number };
    return [Number(seconds), words.balances_behind_seconds];
  };
  const settledUp = () => eventually(behind, ([seconds]) => seconds === 0);
  expect(await settledUp()).toEqual([0, 0]);
  await api.books.db.transaction(async (tx) => {
    // An open transaction that writes keeps all later transfers out of the balances.
    await tx.query('select pg_current_xact_id()', []);
    await makePaid(api.client);
    clock.advance(600);
    const [metric, words] = await behind();
    expect(metric).toBeGreaterThanOrEqual(600);
    expect(words).toBe(metric);
  });
  expect(await settledUp()).toEqual([0, 0]);
});

it('a root key that the vault lacks is reported by readyz and the metrics, until the vault has it', async () => {
  const admin = new pg.Client({ connectionString: api.stack.adminDatabaseUrl });
  await admin.connect();
  const look = async () => {
    const answer = await fetch(`${api.stack.baseUrl}/readyz`);
    const { ready, notes } = (await answer.json()) as { ready: boolean; notes?: string[] };
    const text = await (await fetch(`${api.stack.baseUrl}/metrics`)).text();
    const [, lacks] = /^florin_vault_root_key_problems\{problem="lacks"\} (\d+)$/m.exec(text) ?? [];
    return { status: answer.status, ready, notes, lacks };
  };
  const well = { status: 200, ready: true, notes: undefined, lacks: '0' };
  const ready = () => eventually(look, ({ status, lacks }) => status === 200 && lacks === '0');
  expect(await ready()).toEqual(well);
  await admin.query(`insert into vault.root_keys (version, provider, check_value, created_at, rotate_at)
    values (2, 'file', '\\x00', now(), now() + interval '1 year')`);
  expect(await eventually(look, ({ status, lacks }) => status === 503 && lacks === '1')).toEqual({
    status: 503,
    ready: false,
    notes: [
      expect.stringMatching(/^The vault lacks version 2 of the root key, so cards fail here/),
    ],
    lacks: '1',
  });
  await admin.query('delete from vault.root_keys where version = 2');
  expect(await ready()).toEqual(well);
  await admin.end();
});
