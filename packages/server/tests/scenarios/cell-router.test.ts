import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { freePort } from '@florin/dev-env/start-processes.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCellFinder } from '../../src/features/cell-router/find-cell.ts';
import { hashKey } from '../../src/features/merchants/api-key.ts';
import { metrics as documented } from '../../src/http/health/metrics.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createRouter } from '../../src/router.ts';
import { useOwnStack } from '../support/api.ts';
import { type Browser, openBrowser, signIn } from '../support/browser.ts';
import { openOne, runCell } from '../support/cells.ts';
import {
  type AwayCell,
  chooseRouterPlaces,
  routerConfigOf,
  startBehindRouter,
} from '../support/cells-behind-router.ts';
import { type Client, documentOf } from '../support/client.ts';
import {
  beginPayment,
  browse,
  enterCard,
  pathOf,
  submitConfirmation,
} from '../support/link-visit.ts';
import { waitForLinkToken } from '../support/mailbox.ts';
import { eventually, makeDemand, makeLink, makeParties, waitForOutcome } from '../support/make.ts';
import { fetchMe, PASSWORD, post } from '../support/people.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
const places = await chooseRouterPlaces();
const { addresses } = places;
const api = useOwnStack({ config: { ...addresses, port: places.home } });
const cleanup = new AsyncDisposableStack();
/** The operator, who is signed in at the router. */
let owner: Browser;
let awayCell: AwayCell;
let away: {
  readonly id: string;
  readonly headers: Record<string, string>;
  readonly token: string;
  readonly client: Client;
};

beforeAll(async () => {
  awayCell = await startBehindRouter(api, places, cleanup);
  owner = await signIn(addresses.public_url, api.stack.credentials.account);
  const opened = await post(
    owner,
    'merchants',
    { business_name: 'Away' },
    { 'florin-cell': 'away' },
  );
  const { id } = opened.body;
  const headers = { 'florin-merchant': id, 'florin-mode': 'sandbox' };
  const key = documentOf('merchant_tokens', { name: 'Server', context: 'secret' });
  const made = await owner.send('POST', '/v2/merchant_tokens', key, headers);
  const { token } = made.body.data.attributes;
  away = { id, headers, token, client: api.as(token) };
});
afterAll(() => cleanup.disposeAsync());

const cellOf = async (merchant_id: string) => {
  const [row] = await api.fixtures.global.query(
    `select c.name from directory_merchants m join cells c on c.id = m.cell_id where merchant_id = $1`,
    [merchant_id],
  );
  return row?.name;
};

describe('two cells behind one address', () => {
  it('each take payments of their merchants by API', async () => {
    expect(await cellOf(away.id)).toBe('away');
    for (const client of [api.client, away.client]) {
      const demand = await makeDemand(client, {}, await makeParties(client));
      await client.send('PATCH', `/v2/payment_demands/${demand.id}/confirm`);
      expect((await waitForOutcome(client, demand.id)).attributes.status).toBe('succeeded');
      expect((await client.get('/v2/payment_demands')).body.data).toHaveLength(1);
    }
  });

  it('take a card on the page of a payment link, through the form of the cell', async () => {
    const link = await makeLink(away.client);
    const payment = await beginPayment({ payUrl: addresses.pay_url }, link);
    expect((await enterCard(payment)).result).toBe('verified');
    expect(await submitConfirmation(payment)).toBe(200);
    const paid = await waitForOutcome(away.client, payment.payment_id);
    expect(paid.attributes.status).toBe('succeeded');
    expect((await browse(payment.server, pathOf(await makeLink(api.client)))).status).toBe(200);
  });

  it('show a person the merchants of both, and let the person act in each', async () => {
    const ids = (await fetchMe(owner)).merchants.map(({ id }: { id: string }) => id);
    const { id: home } = await api.fixtures.getDemoMerchant();
    expect(ids).toEqual(expect.arrayContaining([home, away.id]));
    for (const merchant of [home, away.id]) {
      const headers = { 'florin-merchant': merchant, 'florin-mode': 'sandbox' };
      expect((await owner.get('/v2/payment_demands', headers)).body.data).not.toHaveLength(0);
    }
  });

  it('let a new person use an invitation to a merchant of the other cell', async () => {
    const email = 'invited@example.com';
    const body = documentOf('memberships', { email });
    expect((await owner.send('POST', '/v2/memberships', body, away.headers)).status).toBe(201);
    const guest = openBrowser(addresses.public_url);
    // The test mailbox answers no request that a proxy forwarded.
    const direct = openBrowser(`http://127.0.0.1:${places.away}`);
    const { host, origin } = new URL(addresses.public_url);
    const mailbox = { ...direct, get: (path: string) => direct.get(path, { host, origin }) };
    const token = await waitForLinkToken(mailbox, email, 'invitation');
    const used = await post(guest, 'links/use', {
      token,
      name: 'Ada Lovelace',
      password: PASSWORD,
    });
    expect([used.status, used.body]).toEqual([200, { signed_in: true, merchant: away.id }]);
    const invitations = (await guest.get('/dashboard/api/invitations')).body.data;
    expect((await fetchMe(guest)).merchants.length + invitations.length).toBe(1);
  });

  it('place new merchants, and repeat an opening with its key at the same cell', async () => {
    const open = async (headers: Record<string, string>) =>
      (await post(owner, 'merchants', { business_name: 'New' }, headers)).body.id;
    for (let at = 0; at < 5; at++) {
      const key = { 'idempotency-key': `opening ${at}` };
      expect(await open(key)).toBe(await open(key));
    }
    const found = await Promise.all(Array.from({ length: 10 }, async () => cellOf(await open({}))));
    expect(new Set(found)).toEqual(new Set(['home', 'away']));
  });

  it('show an operator the merchants of both in one list, page by page', async () => {
    const path = '/dashboard/api/operator/merchants';
    const { data, next } = (await owner.get(path)).body;
    const ids = data.map(({ id }: { id: string }) => id);
    const found = await Promise.all(ids.map(cellOf));
    expect([new Set(found), next]).toEqual([new Set(['home', 'away']), null]);
    const created = data.map(({ created_at }: { created_at: string }) => created_at);
    expect(created).toEqual([...created].sort().reverse());
    const { id, created_at } = data[1];
    const rest = (await owner.get(`${path}?after=${created_at}_${id}`)).body.data;
    expect(rest.map((one: { id: string }) => one.id)).toEqual(ids.slice(2));
    const ofAway = (await owner.get(path, { 'florin-cell': 'away' })).body.data;
    expect(new Set(await Promise.all(ofAway.map((one: { id: string }) => cellOf(one.id))))).toEqual(
      new Set(['away']),
    );
    expect((await owner.get(`${path}/${away.id}`)).body.business_name).toBe('Away');
  });

  it('take no new merchants while they drain, and serve those that they have', async () => {
    const { stack } = api;
    const drain = (...words: string[]) => runCell(stack, words);
    expect((await drain('drain', 'away', '--dry-run')).text).toContain('Would change');
    expect(await drain('drain', 'away')).toEqual({
      code: 0,
      text: expect.stringContaining('The cell away is draining.'),
    });
    expect((await drain('drain', 'away')).text).toContain('already');
    const open = (headers = {}) => post(owner, 'merchants', { business_name: 'Late' }, headers);
    for (let at = 0; at < 5; at++) expect(await cellOf((await open()).body.id)).toBe('home');
    const refused = await open({ 'florin-cell': 'away' });
    expect([refused.status, refused.body.errors[0].code]).toEqual([403, 'registration_closed']);
    expect((await away.client.get('/v2/customers')).status).toBe(200);
    const { text } = await runCell(stack, ['create', 'away'], { address: awayCell.address });
    expect(text).toContain('is draining.');
    expect((await drain('drain', 'home')).text).toContain('no cell is open');
    expect((await open()).status).toBe(503);
    for (const name of ['home', 'away']) expect((await drain('open', name)).code).toBe(0);
    expect(await cellOf((await open({ 'florin-cell': 'away' })).body.id)).toBe('away');
    const unknown = await drain('drain', 'nowhere');
    expect([unknown.code, unknown.text]).toEqual([1, expect.stringContaining('no cell nowhere')]);
  });

  it('refuse an unknown key, and a name that is no cell at the start', async () => {
    const { status, body } = await api.as(`ept_sandbox_s${'1'.repeat(32)}`).get('/v2/customers');
    expect([status, body.errors?.[0]?.code]).toEqual([401, 'unauthorized']);
    const config = { ...routerConfigOf(api.stack, places), port: 0 };
    const [home] = config.cells;
    await expect(
      createRouter({ ...config, cells: [{ name: 'nowhere', url: (home as { url: URL }).url }] }),
    ).rejects.toThrow('which is no cell');
  });

  it('have further routers, which are processes with probes, metrics and a log of their own', async () => {
    const { cells } = routerConfigOf(api.stack, places);
    const ownPort = await freePort();
    const child = fork(MAIN, [], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      env: {
        ...process.env,
        FLORIN_ROLE: 'router',
        FLORIN_CELLS: cells.map(({ name, url }) => `${name}=${url.origin}`).join(','),
        DATABASE_URL: api.stack.databaseUrl,
        PORT: String(ownPort),
        FLORIN_PUBLIC_PATHS: 'none',
        FLORIN_DRAIN_SECONDS: '2',
      },
    });
    cleanup.defer(() => void child.kill());
    const logged = text(child.stdout as Readable);
    expect((await once(child, 'message'))[0]).toEqual({ type: 'ready' });
    const origin = `http://127.0.0.1:${ownPort}`;
    const read = (path: string, headers = {}) => fetch(`${origin}${path}`, { headers });
    const keys = { authorization: `Bearer ${away.token}` };
    const { body } = await openBrowser(origin).get('/v2/merchants', keys);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([away.id]);
    const ready = { home: true, away: true };
    expect(await (await read('/readyz')).json()).toEqual({ ready: true, cells: ready });
    expect(await (await read('/healthz')).json()).toMatchObject({ draining: false, cells: ready });
    const metrics = await (await read('/metrics')).text();
    const names = [...metrics.matchAll(/^# HELP (florin_router_\w+) /gm)].map(([, name]) => name);
    const isOfRouters = (name: string) => name.startsWith('florin_router_');
    expect(names.sort()).toEqual(Object.keys(documented).filter(isOfRouters).sort());
    for (const sample of [
      'florin_router_requests_total{cell="away",outcome="answered"} 1',
      'florin_router_answer_seconds_count{cell="away"} 1',
      'florin_router_own_seconds_count 1',
      'florin_router_lookups_total{outcome="found"} 1',
      'florin_router_refused_total{reason="slow"} 0',
      'florin_router_cell_ready{cell="home"} 1',
      'florin_router_cell_connections{cell="away",state="idle"} 1',
      'florin_process_restarts{process="router"} 0',
    ])
      expect(metrics).toContain(sample);
    expect(metrics).toMatch(/florin_router_client_connections [1-9]/);
    for (const path of ['/metrics', '/healthz'])
      expect((await read(path, { 'x-forwarded-for': '192.0.2.1' })).status).toBe(404);
    child.kill('SIGTERM');
    await eventually(
      () => read('/readyz'),
      ({ status }) => status === 503,
    );
    expect((await openBrowser(origin).get('/v2/merchants', keys)).status).toBe(200);
    expect(await once(child, 'exit')).toEqual([0, null]);
    const lines = (await logged).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        msg: 'request',
        status: 200,
        cell: 'away',
        cell_ms: expect.any(Number),
      }),
    );
  });

  it('know a key while the global database does not answer', async () => {
    const { global } = api.fixtures;
    await using down = openOne('postgres://nobody@127.0.0.1:1/none');
    let db: Db = global;
    let now = 0;
    const finder = createCellFinder({
      global: { query: (...statement) => db.query(...statement) },
      monotonic_ms: () => now,
      logger: createLogger('silent'),
    });
    const entry = {
      kind: 'key',
      value: hashKey(api.stack.credentials.sandbox.secret_key),
    } as const;
    expect(await finder.find(entry)).toBe('home');
    db = down;
    now = 3_600_000;
    expect(await finder.find(entry)).toBe('home');
    await expect(finder.find({ kind: 'merchant', value: away.id })).rejects.toThrow();
    db = global;
    expect(await finder.find({ kind: 'merchant', value: away.id })).toBe('away');
  });

  it('let people sign in at the other cell while the first one takes no payments', async () => {
    await api.stack.stop('server');
    const session = await eventually(
      () => signIn(addresses.public_url, api.stack.credentials.account).catch(() => undefined),
      (found) => found !== undefined,
    );
    const { merchants } = await fetchMe(session as Browser);
    expect(merchants.map(({ id }: { id: string }) => id)).toContain(away.id);
    const page = await openBrowser(addresses.public_url).get('/dashboard/api/instance');
    expect(page.status).toBe(200);
    await api.stack.start('server');
  });

  it('stop alone: the merchants of the other are served', async () => {
    await awayCell.server[Symbol.asyncDispose]();
    const { status, body, headers } = await away.client.get('/v2/customers');
    expect([status, body.errors?.[0]?.code, headers.get('retry-after')]).toEqual([
      503,
      'unavailable',
      '1',
    ]);
    expect((await api.client.get('/v2/customers')).status).toBe(200);
    const listed = (await owner.get('/dashboard/api/operator/merchants')).body;
    expect([listed.missing_cells, listed.data.length > 0]).toEqual([['away'], true]);
    const { merchants } = await eventually(
      () => fetchMe(owner),
      ({ merchants: found }) => found.length > 0,
    );
    expect(merchants.map(({ id }: { id: string }) => id)).not.toContain(away.id);
  });
});
