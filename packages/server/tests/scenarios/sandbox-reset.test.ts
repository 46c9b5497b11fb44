import { findBalanceDifferences } from '@florin/server/features/ledger/sql/balance-check.ts';
import { findLedgerDifferences } from '@florin/server/features/ledger/sql/ledger-check.ts';
import {
  claimReset,
  findReset,
  noteProgress,
  requestReset,
} from '@florin/server/features/sandbox/sql/sandbox-resets.ts';
import { openDatabase } from '@florin/server/platform/database/db.ts';
import type { Row } from '@florin/server/platform/database/row.ts';
import { describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { type Browser, signIn } from '../support/browser.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import {
  eventually,
  makeCapturedPayment,
  makeCustomer,
  makeDemand,
  makeParties,
} from '../support/make.ts';
import { makeOneOfEach } from '../support/makers.ts';
import { countOf } from '../support/resource-suite.ts';

const clock = createClockAhead();
const api = useOwnStack({ config: { clock } });
const PATH = '/dashboard/api/sandbox/reset';
const CONFIRMATION = { confirm: 'reset sandbox' };

const REMOVED_TYPES = [
  'payment_demands',
  'payment_attempts',
  'refund_demands',
  'capture_demands',
  'disputes',
  'dispute_files',
  'payment_subscriptions',
  'subscription_changes',
  'subscription_periods',
  'payment_methods',
  'payment_links',
  'customers',
  'customer_merges',
  'consumer_addresses',
  'events',
  'webhook_deliveries',
  'webhook_replays',
  'letters',
  'ledger_transfers',
  'balances',
  'payouts',
  'sandbox_clocks',
] as const;
const KEPT_TYPES = [
  'merchant_tokens',
  'webhook_subscriptions',
  'memberships',
  'velocity_limits',
  'personal_identifications',
] as const;

let browserPromise: Promise<Browser> | undefined;

async function signInMember(mode = 'sandbox') {
  const { baseUrl, credentials } = api.stack;
  browserPromise ??= signIn(baseUrl, credentials.account);
  const browser = await browserPromise;
  const { body } = await browser.get('/dashboard/api/me');
  const headers = { 'florin-merchant': body.merchants[0].id, 'florin-mode': mode };
  return {
    reset: (request: object = CONFIRMATION) => browser.send('POST', PATH, request, headers),
    readProgress: async () => (await browser.get(PATH, headers)).body,
  };
}

const countRecords = async (types: readonly (typeof REMOVED_TYPES | typeof KEPT_TYPES)[number][]) =>
  Object.fromEntries(
    await Promise.all(types.map(async (type) => [type, await countOf(api, type)] as const)),
  );

const NO_RECORDS = Object.fromEntries(REMOVED_TYPES.map((type) => [type, 0]));

/** More cards than one step handles. */
const KEPT_CARDS = 101;

/**
 * Creates cards that the vault cannot destroy, and a later one that it can. `makeDestroyable` deletes all but one of
 * the first, and repairs that one.
 */
async function makeUndestroyableCards(): Promise<{ makeDestroyable(): Promise<void> }> {
  const payment = await makeCapturedPayment(api.client);
  const { db } = api.fixtures;
  const [method] = await db.query(
    `select m.id, m.card_pan_token from payment_methods m
     join payment_demands d on d.payment_method_id = m.id where d.id = $1`,
    [payment.id],
  );
  const setToken = (token: string) =>
    db.query('update payment_methods set card_pan_token = $2 where id = $1', [method?.id, token]);
  // The vault refuses card tokens of this length.
  await setToken('x'.repeat(1_000));
  await db.query(
    `insert into payment_methods select (jsonb_populate_record(m, jsonb_build_object(
       'id', '00000000-0000-7000-8000-' || lpad(i::text, 12, '0'), 'created_at', '2019-01-01T00:00:00Z'))).*
     from payment_methods m, generate_series(2, $2) i where m.id = $1`,
    [method?.id, String(KEPT_CARDS)],
  );
  await makeCapturedPayment(api.client);
  return {
    async makeDestroyable() {
      await db.query(`delete from payment_methods where created_at < '2020-01-01'`, []);
      await setToken(method?.card_pan_token as string);
    },
  };
}

/** Leaves wrong sums of the ledger, as a reset by a process of an earlier version does. */
async function spoilSums(): Promise<void> {
  const { db } = api.fixtures;
  await db.query(
    `update balances set captured_cents = captured_cents + 7 where mode = 'sandbox'`,
    [],
  );
  await db.query(
    `insert into ledger_hours select merchant_id, mode, amount_currency, '2019-01-01T00:00:00Z', 7, 7, 0, 0, 0, 0
     from balances where mode = 'sandbox'`,
    [],
  );
}

describe('a sandbox that is reset', () => {
  it.each([
    ['without the words', 'sandbox', {}, 422],
    ['with other words', 'sandbox', { confirm: 'yes' }, 422],
    ['in live mode', 'live', CONFIRMATION, 403],
  ])('is refused %s', async (_title, mode, request, status) => {
    const { reset } = await signInMember(mode);
    expect((await reset(request)).status).toBe(status);
  });

  it('loses its records, also of work in progress, but no settings, no live records and no cards that the vault cannot destroy', async () => {
    await makeOneOfEach(api.client, api.fixtures);
    const liveCustomer = await api.live.make('customers', { email: 'ada@example.com' });
    const { makeDestroyable } = await makeUndestroyableCards();
    await spoilSums();
    const countsBefore = await countRecords(KEPT_TYPES);
    const parties = await makeParties(api.client);
    await Promise.all([1, 2, 3].map(() => makeDemand(api.client, { confirmed: true }, parties)));
    const { reset, readProgress } = await signInMember();
    expect(await readProgress()).toEqual({ status: 'never' });
    const waitUntilFinished = () =>
      eventually(
        async () => {
          // A reset ends after ten minutes, which must not pass before its real steps are done.
          clock.advance(3);
          return readProgress();
        },
        ({ status }) => status === 'finished',
        { max_wait_ms: 40_000, pause_ms: 60 },
      );

    const resetAnswer = await reset();
    expect([resetAnswer.status, resetAnswer.body.status]).toEqual([202, 'running']);
    const finalProgress = await waitUntilFinished();
    expect(finalProgress).toMatchObject({
      finished_at: expect.any(String),
      kept_cards: KEPT_CARDS,
    });
    expect(finalProgress.removed_count).toBeGreaterThan(20);
    await makeDestroyable();
    expect(await countRecords(['payment_demands', 'events', 'payment_methods'])).toEqual({
      payment_demands: 0,
      events: 0,
      payment_methods: 1,
    });

    await reset();
    expect(await waitUntilFinished()).toMatchObject({ kept_cards: 0 });
    expect(await countRecords(REMOVED_TYPES)).toEqual(NO_RECORDS);
    expect(await countRecords(KEPT_TYPES)).toEqual(countsBefore);
    expect((await api.live.fetch('customers', liveCustomer.id)).id).toBe(liveCustomer.id);
    await using db = openDatabase({ url: api.stack.databaseUrl, connections_max: 1 });
    expect([await findLedgerDifferences(db), await findBalanceDifferences(db)]).toEqual([[], []]);
    expect(await db.query(`select from ledger_hours where mode = 'sandbox'`, [])).toEqual([]);
    expect((await makeCapturedPayment(api.client)).attributes.status).toBe('succeeded');
  });

  it('is reset after ten minutes, although clients keep creating records', async () => {
    const { reset, readProgress } = await signInMember();
    await reset();
    const state = { isCreating: true };
    const create = async (): Promise<void> => {
      while (state.isCreating) await makeCustomer(api.client);
    };
    const creating = [create(), create(), create()];
    clock.advance(601);
    const isFinished = ({ status }: { status: string }) => status === 'finished';
    const progress = await eventually(readProgress, isFinished).finally(() => {
      state.isCreating = false;
    });
    await Promise.all(creating);
    expect(progress).toMatchObject({ status: 'finished' });
  });

  it('is not ended by a step of an earlier reset that outlived its lease', async () => {
    const { db } = api.fixtures;
    const { id } = await api.fixtures.makeMerchant();
    // Too late for the server's own worker to claim.
    const timeAt = (minute: number): string => `2100-01-01T00:0${minute}:00.000000Z`;
    const requestResetAt = (minute: number) =>
      requestReset(db, id, { now: timeAt(minute), patient_until: timeAt(minute) });
    const claim = (minute: number) =>
      claimReset(db, { now: timeAt(minute), lease_until: timeAt(minute + 1) });
    const finishReset = (reset: Row | undefined, kept_cards: number) =>
      noteProgress(db, id, {
        lease_until: reset?.due_at as string,
        removed: 0,
        stuck_steps: 0,
        kept_cards,
        cards_after: null,
        due_at: null,
        now: timeAt(5),
      });
    await requestResetAt(0);
    const lateReset = await claim(0);
    await finishReset(await claim(2), 7);
    expect(await findReset(db, id)).toMatchObject({
      kept_cards: '7',
      finished_at: expect.any(String),
    });
    await requestResetAt(4);
    await finishReset(lateReset, 101);
    expect(await findReset(db, id)).toMatchObject({ kept_cards: '0', finished_at: null });
  });
});
