import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDoctorFacts } from '../../src/features/operations/doctor/gather.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { type Client, createClient, type ResourceObject } from '../support/client.ts';
import { exchange } from '../support/exchange.ts';
import {
  eventually,
  makeActiveSubscription,
  makeCapturedPayment,
  makeDemand,
  makeParties,
} from '../support/make.ts';
import { operatorOf } from '../support/operator.ts';
import { restoreCommandAt } from '../support/restore-command.ts';

const RESTORED_TO = '2026-11-28T10:00:00.000000Z';

let stack: Stack;
let client: Client;
let db: Database;
/** A payment that waited for the vault when the server stopped, as after a restore. */
let due: ResourceObject;
let subscription: ResourceObject;
/** An attempt that an operator would close. */
let waiting: Row;

const restored = restoreCommandAt(() => stack.serverDatabaseUrl);

/** Place from which a doctor asks, who does not reach the vault. */
const place = {
  environment: 'development',
  vaults: { addresses: [{ kind: 'socket', path: '/nowhere' }] },
  certificates: [],
  logger: createLogger('silent'),
} as const;

const statusOf = async ({ id }: ResourceObject) =>
  (await client.fetch('payment_demands', id)).attributes.status;

/** Loops of the running process, from its heartbeat. */
async function loopsOf(): Promise<string[]> {
  const rows = await db.query('select loop from heartbeats order by loop', []);
  return rows.map(({ loop }) => loop as string);
}

const at = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${stack.baseUrl}${path}`, init);
  return { status: response.status, text: await response.text() };
};

beforeAll(async () => {
  stack = await startStack();
  client = createClient(stack.baseUrl, stack.credentials.sandbox.secret_key);
  db = openDatabase({ url: stack.databaseUrl, connections_max: 2 });
  subscription = await makeActiveSubscription(client);
  const paid = await makeCapturedPayment(client);
  const parties = await makeParties(client);
  await stack.stop('vault');
  due = await makeDemand(client, { confirmed: true }, parties);
  await stack.stop('server');
  // The worker may have put the payment off, because the vault was away.
  await db.query('update payment_demands set due_at = created_at where id = $1', [due.id]);
  [waiting = {}] = await db.query(
    `update attempts set status = 'reversing' where payment_demand_id = $1 returning id, merchant_id`,
    [paid.id],
  );
  await restored('close', RESTORED_TO);
  await stack.start('vault');
  await stack.start('server');
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await stack[Symbol.asyncDispose]();
});

describe('a restored installation, until it is opened', () => {
  it('runs no work', async () => {
    const loops = await eventually(loopsOf, (names) => names.includes('heartbeat'));
    expect(
      loops.filter(
        (loop) => !['processor-accounts', 'egress-rules', 'heartbeat', 'restore'].includes(loop),
      ),
    ).toEqual([]);
    expect(await statusOf(due)).toBe('pending');
  });

  it('shows its records, and refuses new payments, forms and notifications', async () => {
    const refused = await client.send('POST', '/payment_demands', {});
    expect([refused.status, refused.body.errors?.[0]?.code]).toEqual([503, 'unavailable']);
    expect((await at('/processor_notifications/any', { method: 'POST' })).status).toBe(503);
    const headers = { host: new URL(stack.payUrl).host };
    const form = await exchange(new URL(stack.baseUrl), { method: 'GET', headers });
    expect([form.status, form.text]).toEqual([
      503,
      expect.stringContaining('was restored from a backup'),
    ]);
  });

  it.each([
    { page: 'the card form', site: 'pay', path: '/pay/any?key=any&locale=de' },
    { page: 'a payment link', site: 'pay', path: '/l/any?locale=de' },
    { page: "a customer's page", site: 'pay', path: '/s/any?locale=de' },
    { page: 'a return from the bank', site: 'pay', path: '/frame/v1/threeds/any?locale=de' },
    { page: 'the demo shop', site: 'api', path: '/shop?locale=de' },
  ])('shows people a page at $page: nothing was charged', async ({ site, path }) => {
    const headers = {
      host: new URL(site === 'pay' ? stack.payUrl : stack.baseUrl).host,
      accept: 'text/html,*/*;q=0.8',
    };
    const answer = await exchange(new URL(path, stack.baseUrl), { method: 'GET', headers });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
    expect(answer.text).toContain('<h1>Vorübergehend nicht verfügbar</h1>');
    expect(answer.text).toContain('Es wurde gerade nichts abgebucht.');
  });

  it("still delivers the form's script, without which no shop could show that page", async () => {
    const headers = { host: new URL(stack.payUrl).host };
    const url = new URL('/v1/florin.js', stack.baseUrl);
    expect((await exchange(url, { method: 'GET', headers })).status).toBe(200);
  });

  it('is not ready, and says why', async () => {
    const { status, text } = await at('/readyz');
    expect([status, text]).toEqual([503, expect.stringContaining(`restored to ${RESTORED_TO}`)]);
    expect((await at('/livez')).status).toBe(200);
    expect(JSON.parse((await at('/healthz')).text).restored_to).toBe(RESTORED_TO);
  });

  it('lists what it would send', async () => {
    const report = await restored('status');
    expect(report).toContain(`restored to ${RESTORED_TO} and is closed`);
    expect(report).toContain(`sandbox ${due.id} of merchant`);
    expect(await restored('open', '--dry-run', '--without-learning')).toContain('Would open');
    expect(await statusOf(due)).toBe('pending');
  });

  it.each(['failed', 'succeeded'])('lets no operator close an outcome as %s', async (outcome) => {
    const path = `/merchants/${waiting.merchant_id}/sandbox/unknown_outcomes/${waiting.id}/close`;
    const found = { reason: 'Found there', outcome, processor_reference: 'PSP1' };
    const refused = await operatorOf({ stack }).send('POST', path, found);
    expect([refused.status, refused.body.errors?.[0]?.detail]).toEqual([
      503,
      expect.stringContaining('was restored from a backup'),
    ]);
    const [attempt] = await db.query('select status from attempts where id = $1', [waiting.id]);
    expect(attempt?.status).toBe('reversing');
  });

  it('lets people cancel a subscription that was charged already', async () => {
    const path = `/payment_subscriptions/${subscription.id}/cancel`;
    expect((await client.send('PATCH', path)).status).toBe(200);
  });

  it('works as before once it is open', async () => {
    expect(await restored('open', '--without-learning')).toContain(
      'is open. Running processes begin',
    );
    const { workers, loops } = await readDoctorFacts(db, place);
    expect([workers, loops.map(({ loop }) => loop)]).toEqual([
      1,
      expect.arrayContaining(['authorise', 'bill']),
    ]);
    expect(await restored('open')).toContain('is open already');
    await eventually(
      () => statusOf(due),
      (status) => status === 'succeeded',
    );
    expect((await at('/readyz')).status).toBe(200);
    expect(await restored('status')).toBe('The installation is open.\n');
    const entries = await db.query(
      `select entry from audit_log where entry like '%restore open%'`,
      [],
    );
    expect(entries.map(({ entry }) => JSON.parse(entry as string).subject)).toEqual([
      `${RESTORED_TO}, without learning`,
    ]);
  });
});
