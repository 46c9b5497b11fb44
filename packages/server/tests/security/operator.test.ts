import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { TEST_PASSWORD_COST } from '@florin/dev-env/parts.ts';
import {
  CRASHED_LISTED_SECONDS,
  createProcessHeartbeat,
  LATE_SECONDS,
  pruneCrashed,
} from '@florin/server/features/operations/heartbeats.ts';
import { hashPassword } from '@florin/server/features/people/accounts/password.ts';
import { FRESH_SECONDS } from '@florin/server/features/people/accounts/sessions.ts';
import { loadCatalog } from '@florin/server/platform/database/catalog.ts';
import { insertRows } from '@florin/server/platform/database/rows.ts';
import { instantText, seconds, systemClock } from '@florin/server/platform/time/clock.ts';
import { CRASHED_SECONDS } from '@florin/server/platform/workers/heartbeats.ts';
import { createLoopStatuses } from '@florin/server/platform/workers/loop-statuses.ts';
import type { VaultState } from '@florin/server/processors/vault-watch.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { type Browser, openBrowser, signedIn } from '../support/browser.ts';
import { NOBODY } from '../support/client.ts';
import { clockAhead } from '../support/clock-ahead.ts';
import { duePayment, openAttempt } from '../support/due.ts';
import { eventually, makeInvitation } from '../support/make.ts';
import type { Merchant } from '../support/merchants.ts';
import { type Operator, operatorOf } from '../support/operator.ts';

const clock = clockAhead();
const api = useOwnStack({ config: { clock } });
const PATH = '/dashboard/api/operator';
let shop: Merchant;
let operator: Operator;
beforeAll(async () => {
  shop = await api.fixtures.makeMerchant({ business_name: 'Tea & 100% Sympathy' });
  operator = operatorOf(api);
});

const fetchMerchant = async () => (await operator.get(`/merchants/${shop.id}`)).body;
const postAction = (path: string, body: object) =>
  operator.send('POST', `/merchants/${shop.id}/${path}`, { reason: 'As agreed', ...body });

/** Every operator address, with a valid body. */
const at = `/merchants/${NOBODY}`;
const reason = 'Why';
const addresses: readonly (readonly [string, string, object?])[] = [
  ['GET', '/merchants'],
  ['GET', at],
  ['GET', '/unknown_outcomes'],
  ['GET', '/settlement_exceptions'],
  ['GET', '/health'],
  ['POST', `${at}/approval`, { reason }],
  ['POST', `${at}/review`, { reason }],
  ['POST', `${at}/review/finish`, { reason, next_in_days: 90 }],
  ['POST', `${at}/notes`, { reason }],
  ['POST', `${at}/red_flags`, { reason, mode: 'live', violation: 'terms' }],
  ['PATCH', `${at}/red_flags/${NOBODY}`, { reason, change: 'clear' }],
  ['POST', `${at}/measures`, { reason, action: 'ban', modes: ['live'] }],
  ['POST', `${at}/measures/lift`, { reason, modes: ['live'] }],
  [
    'PATCH',
    `${at}/live/processor_details/${NOBODY}`,
    { onboarding_state: 'approved', processing_state: 'enabled' },
  ],
  ['POST', `${at}/live/unknown_outcomes/${NOBODY}/ask`, {}],
  ['POST', `${at}/live/settlement_exceptions/${NOBODY}/resolve`, { reason }],
  ['POST', '/queues/letters/run', {}],
];
const codeOf = ({ status, body }: Awaited<ReturnType<Browser['get']>>) => [
  status,
  body?.errors?.[0]?.code,
];

describe('the addresses of operators', () => {
  let member: Browser;
  let stale: Browser;
  let own: Browser;
  beforeAll(async () => {
    stale = await signedIn(api.stack.baseUrl, api.stack.credentials.account);
    clock.advance(FRESH_SECONDS + 1);
    const password = 'a password of nobody else';
    const at = instantText(clock.now());
    const email = `${randomUUID()}@example.com`;
    await api.fixtures.db.query(
      `insert into accounts (id, email, account_status, password_hash, email_verified_at, created_at, updated_at)
       values ($1, $2, 'active', $3, $4, $4, $4)`,
      [randomUUID(), email, await hashPassword(password, TEST_PASSWORD_COST), at],
    );
    member = await signedIn(api.stack.baseUrl, { email, password });
    own = await signedIn(api.stack.baseUrl, api.stack.credentials.account);
  });

  it('are listed completely', () => {
    const folder = new URL('../../src/features/operations/routes/', import.meta.url);
    const sources = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
    const registered = sources.join('').match(/fastify\.(?:get|post|put|patch|delete)\(/g);
    expect(registered).toHaveLength(addresses.length);
  });

  it.each(addresses.map(([method, path, body]) => ({ method, path, body })))(
    '$method $path needs an operator with a recent sign-in',
    async ({ method, path, body }) => {
      const sendFrom = (browser: Browser, headers = {}) =>
        browser.send(method, PATH + path, body, { 'idempotency-key': randomUUID(), ...headers });
      expect(codeOf(await sendFrom(openBrowser(api.stack.baseUrl)))).toEqual([401, 'unauthorized']);
      expect(codeOf(await sendFrom(member))).toEqual([403, 'forbidden']);
      const abroad = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
      expect(codeOf(await sendFrom(own, abroad))).toEqual([403, 'forbidden']);
      if (method === 'GET') return;
      expect(codeOf(await sendFrom(stale))).toEqual([403, 'sign_in_again']);
      expect(codeOf(await sendFrom(own, { 'florin-dashboard': null }))).toEqual([403, 'forbidden']);
    },
  );

  it('accept no action on a merchant without an idempotency key', async () => {
    const answer = await own.send('POST', `${PATH}${at}/notes`, { reason });
    expect(codeOf(answer)).toEqual([422, 'invalid_value']);
  });

  it('cannot be used with a key', async () => {
    const { status } = await api.client.get(`${PATH}/merchants`);
    expect(status).toBe(401);
  });
});

describe('an operator', () => {
  it('finds merchants by name, address and id, and those with due reviews', async () => {
    const searchMerchants = async (query: string) =>
      (await operator.get(`/merchants?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await searchMerchants(`search=${encodeURIComponent('100% sym')}`)).toEqual([shop.id]);
    expect(await searchMerchants('search=100_')).toEqual([]);
    expect(await searchMerchants(`search=${shop.id}`)).toEqual([shop.id]);
    expect((await searchMerchants('')).length).toBeGreaterThan(1);
    expect(await searchMerchants('only=held')).toEqual([]);
    await api.fixtures.db.query(
      `update merchants set review_due_at = now() - interval '1 day' where id = $1`,
      [shop.id],
    );
    expect(await searchMerchants('only=review_due')).toEqual([shop.id]);
    expect(codeOf(await operator.get('/merchants?only=mine'))).toEqual([400, 'invalid_filter']);
    expect(codeOf(await operator.get('/merchants?after=1'))).toEqual([400, 'invalid_cursor']);
  });

  it('reviews a merchant periodically', async () => {
    expect((await postAction('review', {})).status).toBe(204);
    expect((await fetchMerchant()).review_started_at).not.toBeNull();
    expect((await postAction('review/finish', { next_in_days: 90 })).status).toBe(204);
    const after = await fetchMerchant();
    expect(after.review_started_at).toBeNull();
    const days = (Date.parse(after.review_due_at) - Date.parse(after.reviewed_at)) / 86_400_000;
    expect(days).toBe(90);
    const finishReview = (next_in_days: number) =>
      operator.send(
        'POST',
        `/merchants/${shop.id}/review/finish`,
        { reason, next_in_days },
        'once',
      );
    expect([(await finishReview(30)).status, (await finishReview(30)).status]).toEqual([204, 204]);
    expect(codeOf(await finishReview(60))).toEqual([409, 'idempotency_conflict']);
    const seen = await api.fixtures.db.query(
      `select 1 from audit_entries where merchant_id = $1 and action like '%/operator/%'`,
      [shop.id],
    );
    expect(seen).toEqual([]);
    expect(codeOf(await postAction('review/finish', { next_in_days: 0 }))).toEqual([
      422,
      'invalid',
    ]);
  });

  it('raises a red flag, acts on it and clears it; the merchant reads why', async () => {
    const client = api.as(await shop.key());
    const raised = { mode: 'sandbox', violation: 'rogue', reason: 'Sells what it may not' };
    expect((await postAction('red_flags', raised)).status).toBe(204);
    const [flag] = (await fetchMerchant()).red_flags;
    expect(flag).toMatchObject({ status: 'active', violation: 'rogue', comment: raised.reason });
    const move = (change: string) =>
      operator.send('PATCH', `/merchants/${shop.id}/red_flags/${flag.id}`, { reason, change });
    expect((await move('warn')).status).toBe(204);
    const measure = { action: 'quarantine', modes: ['sandbox', 'live'], red_flag_id: flag.id };
    expect((await postAction('measures', measure)).status).toBe(204);
    expect((await fetchMerchant()).standing).toEqual({
      live: 'quarantined',
      sandbox: 'quarantined',
    });
    expect((await postAction('measures/lift', { modes: ['sandbox', 'live'] })).status).toBe(204);
    expect((await move('clear')).status).toBe(204);
    expect(codeOf(await move('warn'))).toEqual([405, 'invalid_state']);
    const { body } = await client.get(
      `/v2/account_alerts?filter[red_flag]=${flag.id}&sort=created_at,id`,
    );
    const codes = body.data.map((alert: { attributes: { code: string } }) => alert.attributes.code);
    expect(codes).toEqual([
      'red_flag_raised',
      'red_flag_warned',
      'red_flag_penalized',
      'merchant_quarantined',
      'red_flag_cleared',
    ]);
    const entries = (await fetchMerchant()).entries.map((entry: { kind: string }) => entry.kind);
    expect(entries.slice(0, 5)).toEqual([
      'clear_flag',
      'lift',
      'quarantine',
      'warn_flag',
      'raise_flag',
    ]);
  });

  it('writes notes that the merchant does not see', async () => {
    const reason = 'Spoke with the owner';
    expect((await postAction('notes', { reason })).status).toBe(204);
    expect((await fetchMerchant()).entries[0]).toMatchObject({ kind: 'note', reason });
    const client = api.as(await shop.key());
    expect(JSON.stringify((await client.get('/v2/account_alerts')).body)).not.toContain(reason);
  });

  it('counts active members only', async () => {
    const client = api.as(await shop.key());
    const members = (await fetchMerchant()).counts.memberships;
    const invited = await makeInvitation(client);
    expect((await fetchMerchant()).counts.memberships).toBe(members + 1);
    await client.send('PATCH', `/v2/memberships/${invited.id}/remove`);
    expect((await fetchMerchant()).counts.memberships).toBe(members);
  });

  it('sets the state of a merchant at a processor', async () => {
    const client = api.as(await shop.key());
    const [known] = (await client.get('/v2/processor_details')).body.data;
    const set = { onboarding_state: 'approved', processing_state: 'monitoring' };
    const path = `/merchants/${shop.id}/sandbox/processor_details/${known.id}`;
    expect((await operator.send('PATCH', path, set)).status).toBe(204);
    expect((await client.fetch('processor_details', known.id)).attributes).toMatchObject(set);
  });

  it('sees attempts without an outcome, and can inquire now', async () => {
    const { db } = api.fixtures;
    const catalog = await loadCatalog(db);
    const now = systemClock().now();
    const due_at = instantText(now + 3_600_000_000);
    const payment = { ...duePayment(shop.id, now), status: 'processing', due_at: null };
    const attempt = openAttempt(payment, now, { due_at, unknown_since: instantText(now) });
    await insertRows(db, catalog, 'payment_demands', [payment]);
    await insertRows(db, catalog, 'attempts', [attempt]);
    const { body } = await operator.get('/unknown_outcomes');
    expect(body.data).toMatchObject([{ id: attempt.id, status: 'unknown', merchant_id: shop.id }]);
    const path = `/merchants/${shop.id}/sandbox/unknown_outcomes/${attempt.id}/ask`;
    expect((await operator.send('POST', path, {})).status).toBe(204);
    const [inquiry] = await db.query(
      'select inquiries, due_at < $2 as soon from attempts where id = $1',
      [attempt.id, due_at],
    );
    expect(Number(inquiry?.inquiries) > 0 || inquiry?.soon === 't').toBe(true);
  });

  it('sees due work and the state of the database', async () => {
    const { status, body } = await operator.get('/health');
    expect(status).toBe(200);
    expect(body.database.bytes).toBeGreaterThan(0);
    expect(body.queues.map(({ name }: { name: string }) => name)).toContain('payment_demands');
    expect((await operator.send('POST', '/queues/letters/run', {})).status).toBe(204);
    expect((await operator.send('POST', '/queues/attempts/run', {})).status).toBe(404);
  });

  it('sees the workers of every process, including a crashed one', async () => {
    const listLoops = async (): Promise<
      { loop: string; state: string; process: { id: string } }[]
    > => (await operator.get('/health')).body.loops;
    const all = await eventually(listLoops, (them) => them.length > 0);
    expect(all.map(({ loop }) => loop)).toEqual(expect.arrayContaining(['authorise', 'heartbeat']));
    const { db } = api.fixtures;
    // Many crashed processes with later ids do not hide those that were seen since.
    await db.query(
      `insert into heartbeats (process_id, loop, host, pid, poll_ms, started_at, seen_at)
       select 'ffffffff-ffff-7fff-bfff-ffffffffffff', 'dead ' || i, 'elsewhere', 1, 1, last.seen_at, last.seen_at
       from generate_series(1, 1000) i, (select min(seen_at) - interval '1 minute' as seen_at from heartbeats) last`,
      [],
    );
    expect((await listLoops()).map(({ loop }) => loop)).toContain('authorise');
    await db.query(`delete from heartbeats where host = 'elsewhere'`, []);
    const heartbeatOf = () => {
      const loop_statuses = createLoopStatuses(clock);
      const vault: VaultState = {
        isUp: () => true,
        downSince: () => undefined,
        health: () => undefined,
      };
      return {
        loop_statuses,
        heartbeat: createProcessHeartbeat({ db, system_clock: clock, loop_statuses, vault }),
      };
    };
    const stateOf = async (loop: string) =>
      (await listLoops()).find((one) => one.loop === loop)?.state;
    const { loop_statuses, heartbeat } = heartbeatOf();
    const [steady, stuck] = [
      loop_statuses.begin('steady', 1_000),
      loop_statuses.begin('stuck', 1_000),
    ];
    steady.stepped();
    stuck.stepped();
    await heartbeat.report();
    expect([await stateOf('steady'), await stateOf('stuck')]).toEqual(['beating', 'beating']);
    clock.advance(LATE_SECONDS + 2);
    steady.failed('no room for 4242424242424242');
    steady.stepped();
    steady.failed('no room for 4242424242424242');
    await heartbeat.report();
    expect([await stateOf('steady'), await stateOf('stuck')]).toEqual(['failing', 'late']);
    expect(JSON.stringify(await listLoops())).not.toContain('4242424242424242');
    // Messages quote foreign text, and truncation may split a character.
    steady.failed(`'\0\ud800' is no JSON ${'a'.repeat(280)}😀`);
    await heartbeat.report();
    expect(JSON.stringify(await listLoops())).toContain(`'\ufffd\ufffd' is no JSON`);
    clock.advance(CRASHED_SECONDS + 1);
    expect([await stateOf('steady'), await stateOf('stuck')]).toEqual(['gone', 'gone']);
    const fallen = heartbeatOf();
    fallen.loop_statuses.begin('fallen', 1_000);
    await fallen.heartbeat.report();
    await fallen.heartbeat.start();
    expect([await stateOf('fallen'), await stateOf('stuck')]).toEqual(['beating', undefined]);
    clock.advance(CRASHED_SECONDS + 1);
    const ending = heartbeatOf();
    ending.loop_statuses.begin('ending', 1_000);
    await ending.heartbeat.report();
    await ending.heartbeat.stop();
    expect(await stateOf('ending')).toBeUndefined();
    expect(
      await pruneCrashed(db, clock.now() + seconds(CRASHED_LISTED_SECONDS), 100),
    ).toBeGreaterThan(0);
    expect(await stateOf('fallen')).toBeUndefined();
    const metrics = await fetch(new URL('/metrics', api.stack.baseUrl));
    expect(await metrics.text()).toContain('florin_work_loop_idle_seconds{loop="heartbeat"}');
  });

  it('reads any merchant over the interface, and changes nothing there', async () => {
    const browser = await signedIn(api.stack.baseUrl, api.stack.credentials.account);
    const as = { 'florin-merchant': shop.id, 'florin-mode': 'sandbox' };
    await postAction('measures', { action: 'ban', modes: ['live'] });
    expect((await browser.get('/v2/customers', as)).status).toBe(200);
    const made = { data: { type: 'customers', attributes: { email: 'a@example.com' } } };
    expect(codeOf(await browser.send('POST', '/v2/customers', made, as))).toEqual([
      403,
      'forbidden',
    ]);
  });
});
