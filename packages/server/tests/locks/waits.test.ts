import { withClient } from '@florin/cli/database/client.ts';
import { grantVaultLogin } from '@florin/cli/database/vault-login.ts';
import { newId } from '@florin/dev-env/insert-unchecked.ts';
import {
  runConcurrently,
  type Transactions,
  withoutLocks,
  withoutSkips,
} from '@florin/dev-env/two-actors.ts';
import { describe, expect, it } from 'vitest';
import { lockOpenAuthentications } from '../../src/features/checkout/threeds/sql.ts';
import {
  deleteWaiting,
  storeWaiting,
  unreadableName,
} from '../../src/features/disputes/sql/waiting-disputes.ts';
import { addTransfers, lockHorizon } from '../../src/features/ledger/sql/balances.ts';
import { ensureAnchor } from '../../src/features/ledger/sql/ledger-anchor.ts';
import {
  lockEnforcementActions,
  lockMerchantStatus,
  releaseBilling,
  stoppedAmong,
} from '../../src/features/merchants/sql/enforcement-actions.ts';
import { lockMerchant } from '../../src/features/merchants/sql/merchants.ts';
import { lockAccount } from '../../src/features/onboarding/sql/onboarding.ts';
import { countUse } from '../../src/features/payment-links/sql.ts';
import { insertSession } from '../../src/features/people/sql/sessions.ts';
import { adoptWaitingAccount } from '../../src/features/people/sql/waiting-accounts.ts';
import { lockCards, lockVelocityLimits } from '../../src/features/risk/sql.ts';
import { clocksInSync } from '../../src/features/timelines/sql/sandbox-clocks.ts';
import {
  extendSuspensions,
  lockEndpoints,
  lockSuspended,
} from '../../src/features/webhooks/sql/claims.ts';
import { unblockDeliveries } from '../../src/features/webhooks/sql/order.ts';
import type { Db } from '../../src/platform/database/db.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { lockRows } from '../../src/platform/database/transition.ts';
import { useLocks } from './use-locks.ts';

const locks = useLocks();
const AT = '2026-01-01T00:00:00Z';
const LATER = '2026-02-01T00:00:00Z';

const record = <More extends object>(more: More = {} as More) => ({
  merchant_id: newId(),
  mode: 'sandbox' as const,
  id: newId(),
  created_at: AT,
  updated_at: AT,
  ...more,
});
type Planted = ReturnType<typeof record<object>>;

interface Case {
  readonly table?: string;
  readonly more?: object;
  /** The action of both actors on the row. */
  readonly act: (tx: Db, row: Planted) => Promise<unknown>;
}

const OF_PAYMENT = { payment_id: newId() };

/** Locks that make a second actor with the same action wait. */
const cases: Readonly<Record<string, Case>> = {
  'authentications.ts lockOpenAuthentications': {
    table: 'authentications',
    more: { ...OF_PAYMENT, status: 'asking' },
    act: (tx, row) => lockOpenAuthentications(tx, row, OF_PAYMENT.payment_id),
  },
  'balances.ts lockHorizon': { act: lockHorizon },
  'measures.ts lockMeasures': {
    table: 'merchant_punitive_actions',
    more: { action: 'ban', status: 'in_force' },
    act: (tx, { merchant_id }) => lockEnforcementActions(tx, merchant_id, ['sandbox']),
  },
  'onboarding.ts lockAccount': {
    table: 'accounts',
    act: (tx, { id }) => lockAccount(tx, id),
  },
  'oversight.ts lockMerchant': {
    table: 'merchants',
    act: (tx, { id }) => lockMerchant(tx, id),
  },
  'payment-links.ts takesUse': {
    table: 'payment_links',
    more: { uses_max: 1 },
    act: countUse,
  },
  'risk.ts lockCards': {
    act: (tx, scope) => lockCards(tx, [{ scope, card: { fingerprint: 'of the card' } }]),
  },
  'risk.ts lockVelocityLimits': {
    table: 'velocity_limits',
    act: (tx, { merchant_id }) => lockVelocityLimits(tx, [merchant_id]),
  },
  'transition.ts lockRows to change': {
    table: 'payment_demands',
    act: (tx, row) => lockRows(tx, 'payment_demands', [row]),
  },
  'transition.ts lockRows for references': {
    table: 'payment_demands',
    act: (tx, row) => lockRows(tx, 'payment_demands', [row], 'reference'),
  },
  'webhook-claims.ts lockEndpoints': {
    table: 'webhook_subscriptions',
    more: { events: '[]' },
    act: (tx, row) => lockEndpoints(tx, [row], [row]),
  },
  'webhook-claims.ts lockSuspended': {
    table: 'webhook_subscriptions',
    more: { suspended_until: LATER, events: '[]' },
    act: (tx, row) => lockSuspended(tx, [row]),
  },
};

/** Owner columns differ by table: accounts belong to no merchant, and a merchant to itself. */
async function plantRow(table: string, { merchant_id, mode, ...row }: Planted): Promise<void> {
  const ofMerchant = ['accounts', 'merchants'].includes(table) ? {} : { merchant_id, mode };
  await locks.insertUnchecked(table, { ...ofMerchant, ...row });
}

type Play = (db: Transactions<Db>) => Promise<unknown>;

/** Tests the result of two actors, and that it differs without the locks. */
function describeScene(name: string, prepare: () => Promise<Play>, expected: unknown): void {
  describe(name, () => {
    it('holds', async () => {
      const play = await prepare();
      expect(await play(locks.db)).toEqual(expected);
    });

    it('would not hold without the lock', async () => {
      const play = await prepare();
      expect(await play(withoutLocks(locks.db)).catch(() => 'failed')).not.toEqual(expected);
    });
  });
}

describe('a concurrent actor with the same work waits', () => {
  for (const [name, { table, more, act }] of Object.entries(cases)) {
    const prepare = async (): Promise<Play> => {
      const row = record(more);
      if (table) await plantRow(table, row);
      const run = (tx: Db) => act(tx, row);
      return async (db) => (await runConcurrently(db, { first: run, second: run })).waited;
    };
    describeScene(name, prepare, true);
  }
});

it('payment-links.ts takesUse does not wait for a payment that uses another link', async () => {
  const [one, other] = [record({ uses_max: 1 }), record({ uses_max: 1 })];
  const actors = { first: (tx: Db) => countUse(tx, one), second: (tx: Db) => countUse(tx, other) };
  expect((await runConcurrently(locks.db, actors)).waited).toBe(false);
});

const addsOnce = async (): Promise<Play> => {
  await locks.empty(['ledger_transfers', 'balances']);
  await locks.db.query('update balance_horizon set posted_before = 0', []);
  const transfer = record({ kind: 'captured', amount_cents: 2500, amount_currency: 'USD' });
  const accounts = { debit_account: 'processor', credit_account: 'merchant', posted_in: 1 };
  await locks.insertUnchecked('ledger_transfers', { ...transfer, ...accounts });
  const add = (tx: Db) => addTransfers(tx, 2n, LATER);
  return async (db) => {
    await runConcurrently(db, { first: add, second: add });
    const [balance] = await db.query('select owed_cents from balances', []);
    return (balance as Row).owed_cents;
  };
};
describeScene('balances.ts addTransfers: two servers add a transfer once', addsOnce, '2500');

const prepareAnchors = async (): Promise<Play> => {
  await locks.db.query('delete from ledger_anchor', []);
  const second = (tx: Db) =>
    ensureAnchor({
      query: tx.query,
      transaction: (work) => work(tx),
      isExhausted: () => false,
      [Symbol.asyncDispose]: async () => {},
    });
  return async (db) => (await runConcurrently(db, { first: lockHorizon, second })).waited;
};
describeScene(
  'ledger-anchor.ts ensureAnchor waits for who moves the horizon',
  prepareAnchors,
  true,
);

describe('measures.ts', () => {
  const setUp = async () => {
    const payment = record();
    const { merchant_id } = payment;
    await locks.insertUnchecked('merchants', { id: merchant_id });
    const stop = async (tx: Db) => {
      await lockMerchantStatus(tx, merchant_id);
      await tx.query(
        `insert into merchant_punitive_actions (merchant_id, mode, id, action, status, created_at, updated_at)
         values ($1, 'sandbox', $2, 'ban', 'in_force', now(), now())`,
        [merchant_id, newId()],
      );
    };
    const takeStopped = async (tx: Db) => (await stoppedAmong(tx, [payment])).size;
    return { stop, take: takeStopped };
  };

  const claimAfter = async (): Promise<Play> => {
    const { stop, take } = await setUp();
    return async (db) => (await runConcurrently(db, { first: stop, second: take })).second;
  };
  describeScene('stoppedAmong waits for a measure, and sees it', claimAfter, 1);

  const measureAfter = async (): Promise<Play> => {
    const { stop, take } = await setUp();
    return async (db) => (await runConcurrently(db, { first: take, second: stop })).waited;
  };
  describeScene('lockStanding waits for a claim', measureAfter, true);

  it('stoppedAmong waits for no other claim', async () => {
    const { take } = await setUp();
    expect((await runConcurrently(locks.db, { first: take, second: take })).waited).toBe(false);
  });

  it('releaseBilling skips locked subscriptions', async () => {
    const row = record({
      confirmed: true,
      status: 'active',
      next_billing_at: AT,
      put_aside_until: LATER,
    });
    await locks.insertUnchecked('payment_subscriptions', row);
    const actors = {
      first: (tx: Db) => lockRows(tx, 'payment_subscriptions', [row]),
      second: (tx: Db) => releaseBilling(tx, row.merchant_id, ['sandbox'], AT),
    };
    expect((await runConcurrently(locks.db, actors)).waited).toBe(false);
    expect((await runConcurrently(withoutSkips(locks.db), actors)).waited).toBe(true);
  });
});

const clockStays = async (): Promise<Play> => {
  const clock = record({ status: 'ready', ahead_seconds: 60 });
  const own = { ...clock, id: newId(), customer_id: newId() };
  await locks.insertUnchecked('sandbox_clocks', clock, own);
  const first = (tx: Db) => clocksInSync(tx, [own]);
  const second = (tx: Db) =>
    tx.query('update sandbox_clocks set ahead_seconds = 90 where id = $1', [clock.id]);
  return async (db) => (await runConcurrently(db, { first, second })).waited;
};
describeScene(
  'sandbox-clocks.ts clocksInStep keeps the merchant’s clock from moving',
  clockStays,
  true,
);

describe('accounts', () => {
  const insertAccount = async (more: object) => {
    const { id, created_at, updated_at } = record();
    await locks.insertUnchecked('accounts', { id, created_at, updated_at, ...more });
    return id;
  };
  const updateColumn = (id: string, column: string, value: string) => (tx: Db) =>
    tx.query(`update accounts set ${column} = $2 where id = $1`, [id, value]);

  const signIn = async (): Promise<Play> => {
    const id = await insertAccount({ email: `${newId()}@x.example`, password_hash: 'old' });
    const session = {
      id: newId(),
      account_id: id,
      token_hash: newId().replaceAll('-', ''),
      awaits_factor: false,
      at: AT,
      fresh_until: LATER,
      expires_at: LATER,
      ip: '127.0.0.1',
      user_agent: 'test',
      password_hash: 'old',
    };
    const first = updateColumn(id, 'password_hash', 'new');
    const second = (tx: Db) => insertSession(tx, session);
    return async (db) => (await runConcurrently(db, { first, second })).second;
  };
  describeScene(
    'sessions.ts insertSession refuses a password that was just changed',
    signIn,
    false,
  );

  const takeOver = async (): Promise<Play> => {
    const email = `${newId()}@x.example`;
    const id = await insertAccount({ email, account_status: 'pending' });
    await locks.insertUnchecked('memberships', record({ account_id: id }));
    const first = updateColumn(id, 'account_status', 'active');
    const second = (tx: Db) => adoptWaitingAccount(tx, { email, account_id: newId(), at: AT });
    return async (db) => {
      await runConcurrently(db, { first, second });
      return (await db.query('select 1 from memberships where account_id = $1', [id])).length;
    };
  };
  describeScene(
    'waiting-accounts.ts takeOverWaiting leaves an account that became active',
    takeOver,
    1,
  );
});

describe('webhooks', () => {
  const prepareProbe = async (): Promise<Play> => {
    const subscription = record({ status: 'active', events: '[]', suspended_until: AT });
    await locks.insertUnchecked('webhook_subscriptions', subscription);
    const extendSuspension = (tx: Db) => extendSuspensions(tx, [subscription], LATER);
    return async (db) => {
      const { first, second } = await runConcurrently(db, {
        first: extendSuspension,
        second: extendSuspension,
      });
      return [first.length, second.length];
    };
  };
  describeScene(
    'webhook-claims.ts extendSuspensions gives a probe to one worker',
    prepareProbe,
    [1, 0],
  );

  const prepareRelease = async (): Promise<Play> => {
    const line = { webhook_subscription_id: newId(), order_key: newId() };
    const delivery = record({ ...line, status: 'pending', held_back: true, sequence: 1 });
    await locks.insertUnchecked('webhook_deliveries', delivery);
    const run = (tx: Db) => unblockDeliveries(tx, [delivery], LATER);
    return async (db) => {
      const { first, second } = await runConcurrently(db, { first: run, second: run });
      return [first, second];
    };
  };
  describeScene(
    'webhook-order.ts unblockDeliveries releases a delivery once',
    prepareRelease,
    [1, 0],
  );
});

it('beneficial_owners_whole prevents two owners from holding more than 100 percent', async () => {
  const merchant_id = newId();
  await locks.insertUnchecked('merchants', { id: merchant_id });
  const add = async () => {
    const person = record({ merchant_id });
    await locks.insertUnchecked('personal_identifications', person);
    return (tx: Db) =>
      tx.query(
        `insert into beneficial_owners (merchant_id, mode, id, ownership_percentage,
           personal_identification_id, created_at, updated_at)
         values ($1, 'sandbox', $2, 60, $3, now(), now())`,
        [merchant_id, newId(), person.id],
      );
  };
  const meeting = runConcurrently(locks.db, { first: await add(), second: await add() });
  await expect(meeting).rejects.toMatchObject({ constraint: 'beneficial_owners_whole' });
});

describe('waiting-disputes.ts: a process that read a notification before newer ones were stored', () => {
  const source = { processor: 'sandbox', mode: 'sandbox' } as const;
  const [older, newer] = [5, 7];
  const keepResult =
    (position: number, reference = 'dispute') =>
    (tx: Db) =>
      storeWaiting(tx, source, { reference, position: String(position), created_at: AT });
  const readPositions = async (): Promise<string[]> => {
    const rows = await locks.db.query('select position from waiting_disputes order by 1', []);
    return rows.map(({ position }) => position as string);
  };

  it.each([
    ['keeps the newer ones', keepResult(older), ['4', '6', '7']],
    [
      'forgets the older ones alone',
      (tx: Db) => deleteWaiting(tx, source, 'dispute', older),
      ['6', '7'],
    ],
  ])('%s', async (_what, second, expected) => {
    await locks.empty(['waiting_disputes']);
    for (const position of [4, 6]) {
      await keepResult(position, unreadableName('dispute', position))(locks.db);
    }
    await keepResult(older)(locks.db);
    const { waited } = await runConcurrently(locks.db, { first: keepResult(newer), second });
    expect([waited, await readPositions()]).toEqual([true, expected]);
  });
});

it('vault-login.ts grantVaultLogin waits for another start that creates a login', async () => {
  const login = { role: `vault_${newId().replaceAll('-', '')}`, password: 'secret' };
  const { adminUrl } = locks.clone;
  const { waited } = await runConcurrently(locks.db, {
    first: (tx) => tx.query(`select pg_advisory_xact_lock(hashtext('florin vault login'))`, []),
    second: () => withClient(adminUrl, (client) => grantVaultLogin(client, login)),
  });
  await withClient(adminUrl, (client) => client.query(`drop role ${login.role}`));
  expect(waited).toBe(true);
});
