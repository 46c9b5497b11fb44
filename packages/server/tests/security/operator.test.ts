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
import { createSealer } from '@florin/server/platform/crypto/sealer.ts';
import { loadCatalog } from '@florin/server/platform/database/catalog.ts';
import { insertRows } from '@florin/server/platform/database/rows.ts';
import { instantText, seconds, systemClock } from '@florin/server/platform/time/clock.ts';
import { CRASHED_SECONDS } from '@florin/server/platform/workers/heartbeats.ts';
import { createLoopStatuses } from '@florin/server/platform/workers/loop-statuses.ts';
import type { VaultState } from '@florin/server/processors/wire/vault-watch.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { type Browser, openBrowser, signIn } from '../support/browser.ts';
import { UNKNOWN_ID } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import { duePayment, unknownAttempt } from '../support/due.ts';
import { eventually, makeInvitation } from '../support/make.ts';
import type { Merchant } from '../support/merchants.ts';
import { type Operator, operatorOf } from '../support/operator.ts';

const clock = createClockAhead();
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

const merchantPath = `/merchants/${UNKNOWN_ID}`;
const reason = 'Why';
/** Every operator endpoint, with a valid body. */
const endpoints: readonly (readonly [string, string, object?])[] = [
  ['GET', '/merchants'],
  ['GET', merchantPath],
  ['GET', '/unknown_outcomes'],
  ['GET', '/settlement_exceptions'],
  ['GET', '/health'],
  ['POST', `${merchantPath}/approval`, { reason }],
  ['POST', `${merchantPath}/review`, { reason }],
  ['POST', `${merchantPath}/review/finish`, { reason, next_in_days: 90 }],
  ['POST', `${merchantPath}/notes`, { reason }],
  ['POST', `${merchantPath}/red_flags`, { reason, mode: 'live', violation: 'terms' }],
  ['PATCH', `${merchantPath}/red_flags/${UNKNOWN_ID}`, { reason, change: 'clear' }],
  ['POST', `${merchantPath}/measures`, { reason, action: 'ban', modes: ['live'] }],
  ['POST', `${merchantPath}/measures/lift`, { reason, modes: ['live'] }],
  [
    'PATCH',
    `${merchantPath}/live/processor_details/${UNKNOWN_ID}`,
    { onboarding_state: 'approved', processing_state: 'enabled' },
  ],
  ['POST', `${merchantPath}/live/unknown_outcomes/${UNKNOWN_ID}/ask`, {}],
  [
    'POST',
    `${merchantPath}/live/unknown_outcomes/${UNKNOWN_ID}/close`,
    { reason, outcome: 'failed' },
  ],
  ['POST', `${merchantPath}/live/settlement_exceptions/${UNKNOWN_ID}/resolve`, { reason }],
  ['GET', '/disputes'],
  ['GET', '/processor_reports'],
  ['GET', `/processor_reports/${UNKNOWN_ID}`],
  ['POST', `/processor_reports/${UNKNOWN_ID}/lines/1/acknowledge`, { reason }],
  ['POST', `${merchantPath}/live/disputes/${UNKNOWN_ID}/close`, { reason, outcome: 'lost' }],
  ['POST', '/queues/emails/run', {}],
  ['GET', '/processors'],
  ['GET', '/processor_accounts'],
  ['GET', `/processor_accounts/${UNKNOWN_ID}`],
  ['POST', '/processor_accounts', {}],
  ['PUT', `/processor_accounts/${UNKNOWN_ID}`, {}],
  ['POST', `/processor_accounts/${UNKNOWN_ID}/check`, {}],
  ['POST', `/processor_accounts/${UNKNOWN_ID}/enable`, {}],
  ['POST', `/processor_accounts/${UNKNOWN_ID}/pause`, {}],
  ['POST', `/processor_accounts/${UNKNOWN_ID}/remove`, {}],
  ['GET', '/routing/live'],
  ['PUT', '/routing/live', { rules: [] }],
  ['POST', '/routing/live/preview', {}],
  ['GET', '/processor_notifications'],
  ['GET', `/processor_notifications/${UNKNOWN_ID}`],
  ['POST', `/processor_notifications/${UNKNOWN_ID}/replay`, {}],
];
const outcomeOf = ({ status, body }: Awaited<ReturnType<Browser['get']>>) => [
  status,
  body?.errors?.[0]?.code,
];

describe('the addresses of operators', () => {
  let member: Browser;
  let staleOperator: Browser;
  let freshOperator: Browser;
  beforeAll(async () => {
    staleOperator = await signIn(api.stack.baseUrl, api.stack.credentials.account);
    clock.advance(FRESH_SECONDS + 1);
    const password = 'a password of nobody else';
    const at = instantText(clock.now());
    const email = `${randomUUID()}@example.com`;
    await api.fixtures.db.query(
      `insert into accounts (id, email, account_status, password_hash, email_verified_at, created_at, updated_at)
       values ($1, $2, 'active', $3, $4, $4, $4)`,
      [randomUUID(), email, await hashPassword(password, TEST_PASSWORD_COST), at],
    );
    member = await signIn(api.stack.baseUrl, { email, password });
    freshOperator = await signIn(api.stack.baseUrl, api.stack.credentials.account);
  });

  it('are listed completely', () => {
    const folder = new URL('../../src/features/operations/routes/', import.meta.url);
    const sources = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
    const registrations = sources.join('').match(/fastify\.(?:get|post|put|patch|delete)\(/g);
    expect(registrations).toHaveLength(endpoints.length);
  });

  it.each(endpoints.map(([method, path, body]) => ({ method, path, body })))(
    '$method $path needs an operator with a recent sign-in',
    async ({ method, path, body }) => {
      const sendFrom = (browser: Browser, headers = {}) =>
        browser.send(method, PATH + path, body, { 'idempotency-key': randomUUID(), ...headers });
      expect(outcomeOf(await sendFrom(openBrowser(api.stack.baseUrl)))).toEqual([
        401,
        'unauthorized',
      ]);
      expect(outcomeOf(await sendFrom(member))).toEqual([403, 'forbidden']);
      const foreignHeaders = {
        origin: 'https://elsewhere.example',
        'sec-fetch-site': 'cross-site',
      };
      expect(outcomeOf(await sendFrom(freshOperator, foreignHeaders))).toEqual([403, 'forbidden']);
      if (method === 'GET') return;
      expect(outcomeOf(await sendFrom(staleOperator))).toEqual([403, 'sign_in_again']);
      expect(outcomeOf(await sendFrom(freshOperator, { 'florin-dashboard': null }))).toEqual([
        403,
        'forbidden',
      ]);
    },
  );

  it('accept no action on a merchant without an idempotency key', async () => {
    const answer = await freshOperator.send('POST', `${PATH}${merchantPath}/notes`, { reason });
    expect(outcomeOf(answer)).toEqual([422, 'invalid_value']);
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
    expect(outcomeOf(await operator.get('/merchants?only=mine'))).toEqual([400, 'invalid_filter']);
    expect(outcomeOf(await operator.get('/merchants?after=1'))).toEqual([400, 'invalid_cursor']);
  });

  it('reviews a merchant periodically', async () => {
    expect((await postAction('review', {})).status).toBe(204);
    expect((await fetchMerchant()).review_started_at).not.toBeNull();
    expect((await postAction('review/finish', { next_in_days: 90 })).status).toBe(204);
    const merchant = await fetchMerchant();
    expect(merchant.review_started_at).toBeNull();
    const days =
      (Date.parse(merchant.review_due_at) - Date.parse(merchant.reviewed_at)) / 86_400_000;
    expect(days).toBe(90);
    const finishReview = (next_in_days: number) =>
      operator.send(
        'POST',
        `/merchants/${shop.id}/review/finish`,
        { reason, next_in_days },
        'once',
      );
    expect([(await finishReview(30)).status, (await finishReview(30)).status]).toEqual([204, 204]);
    expect(outcomeOf(await finishReview(60))).toEqual([409, 'idempotency_conflict']);
    const auditRows = await api.fixtures.db.query(
      `select 1 from audit_entries where merchant_id = $1 and action like '%/operator/%'`,
      [shop.id],
    );
    expect(auditRows).toEqual([]);
    expect(outcomeOf(await postAction('review/finish', { next_in_days: 0 }))).toEqual([
      422,
      'invalid',
    ]);
  });

  it('raises a red flag, acts on it and clears it; the merchant reads why', async () => {
    const client = api.as(await shop.makeKey());
    const flagBody = { mode: 'sandbox', violation: 'rogue', reason: 'Sells what it may not' };
    expect((await postAction('red_flags', flagBody)).status).toBe(204);
    const [flag] = (await fetchMerchant()).red_flags;
    expect(flag).toMatchObject({ status: 'active', violation: 'rogue', comment: flagBody.reason });
    const changeFlag = (change: string) =>
      operator.send('PATCH', `/merchants/${shop.id}/red_flags/${flag.id}`, { reason, change });
    expect((await changeFlag('warn')).status).toBe(204);
    const measure = { action: 'quarantine', modes: ['sandbox', 'live'], red_flag_id: flag.id };
    expect((await postAction('measures', measure)).status).toBe(204);
    expect((await fetchMerchant()).standing).toEqual({
      live: 'quarantined',
      sandbox: 'quarantined',
    });
    expect((await postAction('measures/lift', { modes: ['sandbox', 'live'] })).status).toBe(204);
    expect((await changeFlag('clear')).status).toBe(204);
    expect(outcomeOf(await changeFlag('warn'))).toEqual([405, 'invalid_state']);
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
    const client = api.as(await shop.makeKey());
    expect(JSON.stringify((await client.get('/v2/account_alerts')).body)).not.toContain(reason);
  });

  it('counts active members only', async () => {
    const client = api.as(await shop.makeKey());
    const memberCount = (await fetchMerchant()).counts.memberships;
    const invitation = await makeInvitation(client);
    expect((await fetchMerchant()).counts.memberships).toBe(memberCount + 1);
    await client.send('PATCH', `/v2/memberships/${invitation.id}/remove`);
    expect((await fetchMerchant()).counts.memberships).toBe(memberCount);
  });

  it('sets the state of a merchant at a processor', async () => {
    const client = api.as(await shop.makeKey());
    const [details] = (await client.get('/v2/processor_details')).body.data;
    const state = { onboarding_state: 'approved', processing_state: 'monitoring' };
    const path = `/merchants/${shop.id}/sandbox/processor_details/${details.id}`;
    expect((await operator.send('PATCH', path, state)).status).toBe(204);
    expect((await client.fetch('processor_details', details.id)).attributes).toMatchObject(state);
  });

  it('sees attempts without an outcome, and can inquire now', async () => {
    const { db } = api.fixtures;
    const catalog = await loadCatalog(db);
    const now = systemClock().now();
    const due_at = instantText(now + 3_600_000_000);
    const payment = { ...duePayment(shop.id, now), status: 'processing', due_at: null };
    const attempt = unknownAttempt(payment, now, { due_at, unknown_since: instantText(now) });
    await insertRows(db, catalog, 'payment_demands', [payment]);
    await insertRows(db, catalog, 'attempts', [attempt]);
    const { body } = await operator.get('/unknown_outcomes');
    expect(body.data).toMatchObject([
      { id: attempt.id, status: 'unknown', merchant_id: shop.id, account: null, step: 'inquire' },
    ]);
    const path = `/merchants/${shop.id}/sandbox/unknown_outcomes/${attempt.id}/ask`;
    expect((await operator.send('POST', path, {})).status).toBe(204);
    const [inquiry] = await db.query(
      'select inquiries, due_at < $2 as soon from attempts where id = $1',
      [attempt.id, due_at],
    );
    expect(Number(inquiry?.inquiries) > 0 || inquiry?.soon === 't').toBe(true);
  });

  it('closes an outcome that Florin stopped looking for, and no other', async () => {
    const { db } = api.fixtures;
    const catalog = await loadCatalog(db);
    const now = systemClock().now();
    const payment = { ...duePayment(shop.id, now), status: 'processing', due_at: null };
    const attempt = unknownAttempt(payment, now, {
      status: 'reversing',
      due_at: instantText(now + 3_600_000_000),
      unknown_since: instantText(now),
    });
    await insertRows(db, catalog, 'payment_demands', [payment]);
    await insertRows(db, catalog, 'attempts', [attempt]);
    const path = `unknown_outcomes/${attempt.id}/close`;
    const close = (body: object) => postAction(`sandbox/${path}`, body);
    expect((await close({ outcome: 'failed' })).status).toBe(405);
    await db.query('update attempts set due_at = null where id = $1', [attempt.id]);
    const { body } = await operator.get('/unknown_outcomes');
    expect(body.data).toContainEqual(
      expect.objectContaining({ id: attempt.id, needs_operator: true }),
    );
    expect((await close({ outcome: 'succeeded' })).status).toBe(422);
    expect((await postAction(`live/${path}`, { outcome: 'failed' })).status).toBe(404);
    expect((await close({ outcome: 'failed' })).status).toBe(204);
    const [closed] = await db.query(
      `select a.status, p.status as payment, p.failure_reason from attempts a join payment_demands p
         on p.merchant_id = a.merchant_id and p.id = a.payment_demand_id where a.id = $1`,
      [attempt.id],
    );
    expect(closed).toEqual({
      status: 'abandoned',
      payment: 'failed',
      failure_reason: 'processor_unreachable',
    });
    expect((await fetchMerchant()).entries[0]).toMatchObject({
      kind: 'close_outcome',
      reason: 'As agreed',
      mode: 'sandbox',
    });
    expect((await close({ outcome: 'failed' })).status).toBe(405);
  });

  it('sees due work and the state of the database', async () => {
    const { status, body } = await operator.get('/health');
    expect(status).toBe(200);
    expect(body.database.bytes).toBeGreaterThan(0);
    expect(body.queues.map(({ name }: { name: string }) => name)).toContain('payment_demands');
    expect((await operator.send('POST', '/queues/emails/run', {})).status).toBe(204);
    expect((await operator.send('POST', '/queues/attempts/run', {})).status).toBe(404);
  });

  it('sees the workers of every process, including a crashed one', async () => {
    const listLoops = async (): Promise<
      { loop: string; state: string; process: { id: string } }[]
    > => (await operator.get('/health')).body.loops;
    const loops = await eventually(listLoops, (items) => items.length > 0);
    expect(loops.map(({ loop }) => loop)).toEqual(
      expect.arrayContaining(['authorise', 'heartbeat']),
    );
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
    const sealer = createSealer([Buffer.alloc(32, 7)]);
    const createHeartbeat = () => {
      const loop_statuses = createLoopStatuses(clock);
      const vault: VaultState = {
        isUp: () => true,
        downSince: () => undefined,
        health: () => undefined,
        reports: () => [],
        certificateExpiresAt: () => undefined,
      };
      return {
        loop_statuses,
        heartbeat: createProcessHeartbeat({
          db,
          system_clock: clock,
          loop_statuses,
          vault,
          sealer,
        }),
      };
    };
    const stateOf = async (loop: string) =>
      (await listLoops()).find((entry) => entry.loop === loop)?.state;
    const { loop_statuses, heartbeat } = createHeartbeat();
    const [steadyLoop, stuckLoop] = [
      loop_statuses.begin('steady', 1_000),
      loop_statuses.begin('stuck', 1_000),
    ];
    steadyLoop.recordStep();
    stuckLoop.recordStep();
    await heartbeat.report();
    expect([await stateOf('steady'), await stateOf('stuck')]).toEqual(['beating', 'beating']);
    clock.advance(LATE_SECONDS + 2);
    steadyLoop.recordFailure('no room for 4242424242424242');
    steadyLoop.recordStep();
    steadyLoop.recordFailure('no room for 4242424242424242');
    await heartbeat.report();
    expect([await stateOf('steady'), await stateOf('stuck')]).toEqual(['failing', 'late']);
    expect(JSON.stringify(await listLoops())).not.toContain('4242424242424242');
    // Messages quote foreign text, and truncation may split a character.
    steadyLoop.recordFailure(`'\0\ud800' is no JSON ${'a'.repeat(280)}😀`);
    await heartbeat.report();
    expect(JSON.stringify(await listLoops())).toContain(`'\ufffd\ufffd' is no JSON`);
    clock.advance(CRASHED_SECONDS + 1);
    expect([await stateOf('steady'), await stateOf('stuck')]).toEqual(['gone', 'gone']);
    const crashedProcess = createHeartbeat();
    crashedProcess.loop_statuses.begin('fallen', 1_000);
    await crashedProcess.heartbeat.report();
    await crashedProcess.heartbeat.start();
    expect([await stateOf('fallen'), await stateOf('stuck')]).toEqual(['beating', undefined]);
    clock.advance(CRASHED_SECONDS + 1);
    const stoppedProcess = createHeartbeat();
    stoppedProcess.loop_statuses.begin('ending', 1_000);
    await stoppedProcess.heartbeat.report();
    await stoppedProcess.heartbeat.stop();
    expect(await stateOf('ending')).toBeUndefined();
    expect(
      await pruneCrashed(db, clock.now() + seconds(CRASHED_LISTED_SECONDS), 100),
    ).toBeGreaterThan(0);
    expect(await stateOf('fallen')).toBeUndefined();
    const metrics = await fetch(new URL('/metrics', api.stack.baseUrl));
    for (const path of ['/metrics/', '/readyz/', '/livez/?a', '/healthz/'])
      expect((await fetch(new URL(path, api.stack.baseUrl))).status).toBe(404);
    expect(await metrics.text()).toContain('florin_work_loop_idle_seconds{loop="heartbeat"}');
  });

  it('reads any merchant over the interface, and changes nothing there', async () => {
    const browser = await signIn(api.stack.baseUrl, api.stack.credentials.account);
    const headers = { 'florin-merchant': shop.id, 'florin-mode': 'sandbox' };
    await postAction('measures', { action: 'ban', modes: ['live'] });
    expect((await browser.get('/v2/customers', headers)).status).toBe(200);
    const document = { data: { type: 'customers', attributes: { email: 'a@example.com' } } };
    expect(outcomeOf(await browser.send('POST', '/v2/customers', document, headers))).toEqual([
      403,
      'forbidden',
    ]);
  });
});
