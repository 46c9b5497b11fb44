import { channel } from 'node:diagnostics_channel';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '@florin/cli/database/client.ts';
import { type ClonedDatabase, cloneDatabase } from '@florin/dev-env/databases.ts';
import {
  type StackAddresses,
  startServer,
  startSimulator,
  startVault,
} from '@florin/dev-env/parts.ts';
import { freePort } from '@florin/dev-env/start-processes.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readNetworkLedger } from '../../../../faults/books.ts';
import { createMerchant, type Resource } from '../../../../faults/scenarios/merchant.ts';
import {
  makeAddress,
  makeCard,
  purchaseOf,
  waitForCreated,
} from '../../../../faults/scenarios/scenario-context.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import { startKillableProcess } from '../support/killable.ts';
import { eventually } from '../support/make.ts';

const PAYMENTS = 4;
/** Each card is verified with a message, before any payment. */
const killPoint = { point: 'before sending POST /relay', passage: PAYMENTS + 1 };
/** Longer than the lease of an attempt, so that no message of it may leave. */
const SUSPENDED_S = 21;
const STEP_S = 15;

const clock = createClockAhead();
const cleanup = new AsyncDisposableStack();
let database: ClonedDatabase;
let wiring: StackAddresses;
let stopNetwork: () => Promise<void>;
beforeAll(async () => {
  database = cleanup.use(await cloneDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const network = await startSimulator(dataDir, 0);
  let stopPromise: Promise<void> | undefined;
  stopNetwork = async () => {
    stopPromise ??= Promise.resolve(network[Symbol.asyncDispose]());
    await stopPromise;
  };
  cleanup.defer(stopNetwork);
  wiring = {
    port: await freePort(),
    dataDir,
    socketPath: join(dataDir, 'vault.sock'),
    simulatorUrl: network.url,
    databaseUrl: database.serverUrl,
    vaultDatabaseUrl: database.vaultUrl,
  };
  cleanup.use(await startVault(wiring, [], { clock: () => Math.floor(clock.now() / 1_000) }));
});
afterAll(() => cleanup.disposeAsync());

/** Lets time pass in the moment in which the vault would send an authorisation, as if it were suspended then. */
function suspendVault(): { count: number } {
  const suspensions = { count: 0 };
  const requestChannel = channel('undici:request:create');
  const onSending = (message: unknown): void => {
    const { method, path } = (message as { request: Record<'method' | 'path', string> }).request;
    if (suspensions.count > 0 || method !== 'POST' || !path.endsWith('/authorisations')) return;
    suspensions.count += 1;
    clock.advanceSilently(SUSPENDED_S);
  };
  requestChannel.subscribe(onSending);
  cleanup.defer(() => void requestChannel.unsubscribe(onSending));
  return suspensions;
}

/** The merchant's program. Repeats requests without a response until the next server answers them. */
async function connectMerchant() {
  const { port, dataDir } = wiring;
  const credentials = JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8'));
  return createMerchant(`http://localhost:${port}`, credentials.sandbox.secret_key);
}

type Merchant = Awaited<ReturnType<typeof connectMerchant>>;

async function confirmAll(merchant: Merchant): Promise<Resource[]> {
  const ada = { email: 'ada@example.com', name: 'Ada' };
  const payer = await waitForCreated(merchant.make('payer', 'customers', ada));
  const billing_address = await makeAddress(merchant, 'address', payer);
  const names = Array.from({ length: PAYMENTS }, (_, at) => `payment ${at}`);
  const cards = await Promise.all(names.map((name) => makeCard(merchant, name, 'visa', payer)));
  const payments = names.map((name, at) => {
    const attributes = { ...purchaseOf(name), amount_cents: 1_000 + at, confirmed: true };
    const relations = { payer, billing_address, payment_method: cards[at] as Resource };
    return waitForCreated(
      merchant.make(`${name} itself`, 'payment_demands', attributes, relations),
    );
  });
  return Promise.all(payments);
}

/** Attempts by state. */
const attemptsByStatus = (): Promise<Record<string, number>> =>
  withClient(database.adminUrl, async (client) => {
    const { rows } = await client.query('select status, count(*)::int from attempts group by 1');
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  });

/** Lets time pass while no message is in flight, until all payments have an outcome. */
async function waitUntilEnded(merchant: Merchant): Promise<readonly Resource[]> {
  const readStates = async () => ({
    payments: await merchant.list('/v2/payment_demands'),
    attempts: await attemptsByStatus(),
  });
  const { payments } = await eventually(readStates, ({ payments, attempts }) => {
    const isWaiting = payments.every(
      ({ attributes: { status } }) => status === 'processing' || status === 'succeeded',
    );
    if (isWaiting && attempts.unknown && !attempts.sending) clock.advance(STEP_S);
    return payments.every(({ attributes: { status } }) =>
      ['succeeded', 'failed'].includes(status as string),
    );
  });
  return payments;
}

it('payments whose server crashes and whose vault is suspended before sending are charged once, with all card data', async () => {
  const killedServer = cleanup.use(
    await startKillableProcess({ wiring, offset_seconds: 0, kill: killPoint }),
  );
  const merchant = await connectMerchant();
  const confirmations = confirmAll(merchant);
  expect(await killedServer.exitSignal).toBe('SIGKILL');
  expect(await attemptsByStatus()).toEqual({ sending: expect.any(Number) });

  const suspensions = suspendVault();
  clock.advanceSilently(SUSPENDED_S);
  const databaseTime = async () => clock.now();
  cleanup.use(await startServer(wiring, { clock }, { databaseTime }));
  const payments = await confirmations;
  const endedPayments = await waitUntilEnded(merchant);
  expect(suspensions.count).toBe(1);
  expect(endedPayments.map(({ attributes }) => [attributes.status, attributes.cvc2_check])).toEqual(
    payments.map(() => ['succeeded', 'match']),
  );
  const { reversed = 0, approved } = await attemptsByStatus();
  expect(reversed).toBeGreaterThan(0);
  expect(approved).toBe(PAYMENTS);
  await stopNetwork();
  const { authorisations } = readNetworkLedger(wiring.dataDir);
  const approvedAuthorisations = authorisations.filter(({ result }) => result === 'approved');
  expect(approvedAuthorisations.map(({ amount }) => amount).toSorted()).toEqual(
    payments.map(({ attributes }) => attributes.amount_cents).toSorted(),
  );
});
