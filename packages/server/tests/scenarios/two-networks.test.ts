import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { networkPaths } from '@florin/contract/protocol/network.ts';
import { type ClonedDatabase, cloneDatabase } from '@florin/dev-env/databases.ts';
import { type StackAddresses, startServer, startSimulator } from '@florin/dev-env/parts.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import { eventually, makeDemand, makeParties, waitForOutcome } from '../support/make.ts';

/** Amount whose approval the network sends, and whose response is lost. */
const LOST_ANSWER_CENTS = 19_701;
const ADOPT = join(import.meta.dirname, '../../src/bin/adopt.ts');
const REFUSED = /belongs to another card network.*FLORIN_SIMULATOR_URL.*adopt network/;

const clock = createClockAhead();
const api = useOwnStack({ config: { clock } });
const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());

/** A card network with an empty ledger. */
async function startNetwork(port = 0) {
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-network-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  return startSimulator(dataDir, port);
}

const wiringTo = (
  simulatorUrl: string,
  { url: databaseUrl }: Pick<ClonedDatabase, 'url'> = { url: api.stack.databaseUrl },
): StackAddresses => {
  const { dataDir, vaultSocket: socketPath, vaultDatabaseUrl } = api.stack;
  return { port: 0, dataDir, socketPath, simulatorUrl, databaseUrl, vaultDatabaseUrl };
};

const countInquiries = async (paymentId: string): Promise<number> => {
  const [row] = await api.fixtures.db.query(
    'select inquiries from attempts where payment_demand_id = $1',
    [paymentId],
  );
  return Number(row?.inquiries);
};

/** A payment that the network approves, and whose response is lost. */
async function payWithLostResponse(): Promise<string> {
  const attributes = { confirmed: true, amount_cents: LOST_ANSWER_CENTS };
  const { id } = await makeDemand(api.client, attributes, await makeParties(api.client));
  await eventually(
    () => api.client.fetch('payment_demands', id),
    ({ meta }) => meta?.outcome === 'unknown',
  );
  return id;
}

const adoptNetwork = (DATABASE_URL: string) =>
  promisify(execFile)(process.execPath, [ADOPT, 'network'], {
    env: { ...process.env, DATABASE_URL },
  });

describe('a server whose database belongs to a card network', () => {
  it('starts with that network, shared, also while it does not respond', async () => {
    await api.stack.stop('simulator');
    await using secondServer = await startServer(wiringTo(api.stack.simulatorUrl));
    expect((await fetch(`${secondServer.url}/readyz`)).status).toBe(200);
    await api.stack.start('simulator');
  });

  it('never accepts results of another network at the same address', async () => {
    const { client, stack } = api;
    const id = await payWithLostResponse();
    await stack.stop('simulator');
    const inquiriesBefore = await countInquiries(id);
    const impostor = await startNetwork(Number(new URL(stack.simulatorUrl).port));
    clock.advance(60);
    const progress = await eventually(
      async () => ({
        isInquired: (await countInquiries(id)) > inquiriesBefore,
        status: (await client.fetch('payment_demands', id)).attributes.status,
      }),
      ({ isInquired, status }) => isInquired || status !== 'processing',
    );
    expect(progress).toEqual({ isInquired: true, status: 'processing' });
    await impostor[Symbol.asyncDispose]();
    await stack.start('simulator');
    clock.advance(3_600);
    expect((await waitForOutcome(client, id)).attributes.status).toBe('succeeded');
  });
});

describe('a database that belongs to no card network yet', () => {
  it('gets one if two servers start concurrently, refuses the other, and gets it after the operator’s command', async () => {
    await using database = await cloneDatabase();
    await using firstNetwork = await startNetwork();
    await using secondNetwork = await startNetwork();
    const wirings = [
      wiringTo(firstNetwork.url, database),
      wiringTo(secondNetwork.url, database),
    ] as const;
    const starts = await Promise.allSettled(wirings.map((wiring) => startServer(wiring)));
    for (const start of starts) {
      if (start.status === 'fulfilled') await start.value[Symbol.asyncDispose]();
      else expect(start.reason.message).toMatch(REFUSED);
    }
    const refusedIndex = starts.findIndex(({ status }) => status === 'rejected');
    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);

    const { stdout } = await adoptNetwork(database.url);
    expect(stdout).toMatch(/^The next start sets the card network of this database\./);
    await using adoptedServer = await startServer(wirings[refusedIndex] as StackAddresses);
    expect((await fetch(`${adoptedServer.url}/readyz`)).status).toBe(200);
  });
});

it('a message for another network is answered 421 and not recorded', async () => {
  const { simulatorUrl } = api.stack;
  const ownIdentity = (await (await fetch(simulatorUrl + networkPaths.identity)).json()) as {
    identity: string;
  };
  const sendTo = (identity: string) =>
    fetch(`${simulatorUrl}${networkPaths.only(identity)}${networkPaths.authorisations}/unheard`);
  expect((await sendTo('another')).status).toBe(421);
  expect((await sendTo(ownIdentity.identity)).status).toBe(404);
});

it('a payment that the old network may have approved is not sent to the adopted one', async () => {
  const { client, stack } = api;
  const id = await payWithLostResponse();
  await stack.stop('server');
  await stack.stop('simulator');
  const { stdout } = await adoptNetwork(stack.databaseUrl);
  expect(stdout).toMatch(
    /does not know 1 messages without an outcome.*fail and are not sent again/,
  );
  const [entry] = await api.fixtures.db.query(
    `select entry from audit_log where entry like '%adopt network%'`,
    [],
  );
  expect(JSON.parse(entry?.entry ?? '{}')).toMatchObject({
    command: 'adopt network',
    subject: expect.stringMatching(/^instead of [0-9a-f-]{16,}$/),
    user: expect.stringMatching(/./),
  });
  await using network = await startNetwork(Number(new URL(stack.simulatorUrl).port));
  await stack.start('server');
  const { attributes } = await eventually(
    () => {
      clock.advance(10);
      return client.fetch('payment_demands', id);
    },
    ({ attributes: { status } }) => status !== 'processing' && status !== 'pending',
  );
  expect([attributes.status, attributes.failure_reason]).toEqual([
    'failed',
    'processor_unreachable',
  ]);
  const attempts = await api.fixtures.db.query(
    'select status from attempts where payment_demand_id = $1',
    [id],
  );
  expect(attempts).toEqual([{ status: 'reversed' }]);
  const counts = await (await fetch(network.url + networkPaths.books)).json();
  expect(counts).toMatchObject({ approved: 0, declined: 0 });
});
