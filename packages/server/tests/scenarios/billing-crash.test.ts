import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { bareEnv } from '@florin/dev-env/config/env.ts';
import { freePort } from '@florin/dev-env/start-processes.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { clockAhead } from '../support/clock-ahead.ts';
import { eventually, makeParties, makeSubscription } from '../support/make.ts';
import { drained } from '../support/story-clock.ts';

const SUBSCRIPTIONS = 8;
const DAYS = 2;
/** Kills the server after this many charges, before most of them exist. */
const KILL_AFTER = 3;
const HOUR_S = 60 * 60;
const SERVER = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

const clock = clockAhead();
const api = useOwnStack({
  config: { clock },
  vaultClock: () => clock.now() / 1_000,
  databaseTime: async () => clock.now(),
});
const cleanup = new AsyncDisposableStack();
let db: pg.Pool;
beforeAll(() => {
  db = new pg.Pool({ connectionString: api.stack.databaseUrl, max: 1 });
  cleanup.defer(() => db.end());
});
afterAll(() => cleanup.disposeAsync());

const countOf = async (what: string): Promise<number> =>
  Number((await db.query(`select count(*) from ${what}`)).rows[0].count);

/** A separate server process, connected to the stack's network. */
async function startServerProcess(port: number, vaultSocket: string): Promise<ChildProcess> {
  const { databaseUrl, dataDir, simulatorUrl } = api.stack;
  const child = spawn(process.execPath, [SERVER], {
    env: bareEnv({
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      FLORIN_DATA: dataDir,
      VAULT_SOCKET: vaultSocket,
      SIMULATOR_URL: simulatorUrl,
      FLORIN_LOG_LEVEL: 'silent',
      FLORIN_DEMO_ORDERS: 'false',
    }),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  cleanup.defer(() => void child.kill('SIGKILL'));
  const [message] = await once(child, 'message');
  expect(message).toMatchObject({ type: 'ready' });
  return child;
}

/** Moves all subscriptions days ahead, while nobody bills. */
async function letDaysPass(): Promise<void> {
  const ago = (column: string) => `${column} = ${column} - interval '${DAYS} days'`;
  await db.query(`update subscription_periods set ${ago('start_at')}, ${ago('end_at')}`);
  await db.query(
    `update payment_subscriptions set ${ago('billing_cycle_anchor_at')}, ${ago('next_billing_at')}`,
  );
}

it('kill -9 of a server that bills loses no period, and charges none twice', async () => {
  const parties = await makeParties(api.client);
  const attributes = { confirmed: true, billing_period: 'one_day' };
  await Promise.all(
    Array.from({ length: SUBSCRIPTIONS }, () => makeSubscription(api.client, attributes, parties)),
  );
  await drained(api.client);
  await api.stack.stop('server');
  await letDaysPass();

  // Without a vault no message reaches the network, so no response is missing.
  const nobody = join(api.stack.dataDir, 'nobody.sock');
  const killed = await startServerProcess(await freePort(), nobody);
  await eventually(
    () => countOf('payment_demands'),
    (count) => count >= SUBSCRIPTIONS + KILL_AFTER,
    { max_wait_ms: 60_000, pause_ms: 5 },
  );
  killed.kill('SIGKILL');
  await once(killed, 'exit');

  await api.stack.start('server');
  const isSettled = `payment_demands where status = 'succeeded'`;
  const expected = SUBSCRIPTIONS * (DAYS + 1);
  // A cut-off message finally counts as not sent, and its charge is retried an hour later.
  for (let hour = 0; hour < 12 && (await countOf(isSettled)) < expected; hour++) {
    clock.advance(HOUR_S + 1);
    await drained(api.client);
  }
  expect(await countOf(isSettled)).toBe(expected);
  const { rows } = await db.query(
    `select count(*), count(distinct start_at) as starts, bool_and(payment_demand_id is not null) as charged
     from subscription_periods group by payment_subscription_id`,
  );
  const each = { count: String(DAYS + 1), starts: String(DAYS + 1), charged: true };
  expect(rows).toEqual(Array(SUBSCRIPTIONS).fill(each));
  const books = await (await fetch(`${api.stack.simulatorUrl}/v1/books`)).json();
  expect(books).toMatchObject({ approved: expected });
}, 120_000);
