import { withClient } from '@florin/cli/database/client.ts';
import { grantVaultLogin } from '@florin/cli/database/vault-login.ts';
import { newId } from '@florin/dev-env/insert-unchecked.ts';
import { runConcurrently, withoutSkips } from '@florin/dev-env/two-actors.ts';
import { describe, expect, it } from 'vitest';
import { lockOpenAuthentications } from '../../src/features/checkout/threeds/sql.ts';
import {
  deleteWaiting,
  storeWaiting,
  unreadableReference,
} from '../../src/features/disputes/sql/waiting-disputes.ts';
import { addTransfers, lockHorizon } from '../../src/features/ledger/sql/balances.ts';
import { ensureAnchor } from '../../src/features/ledger/sql/ledger-anchor.ts';
import {
  filterStopped,
  lockEnforcementActions,
  lockMerchantStatus,
  releaseBilling,
  tryShareMerchantStatus,
} from '../../src/features/merchants/sql/enforcement-actions.ts';
import { lockMerchant } from '../../src/features/merchants/sql/merchants.ts';
import { lockAccount } from '../../src/features/onboarding/sql/onboarding.ts';
import { countUse } from '../../src/features/payment-links/sql.ts';
import { insertSession } from '../../src/features/people/sql/sessions.ts';
import { adoptWaitingAccount } from '../../src/features/people/sql/waiting-accounts.ts';
import { lockOpenings } from '../../src/features/processor-accounts/sql/merchant-records.ts';
import { lockProcessorAccount, lockRules } from '../../src/features/processor-accounts/sql.ts';
import { lockCards, lockVelocityLimits, tryLockCards } from '../../src/features/risk/sql.ts';
import { lockSettlement } from '../../src/features/settlement/on-request/sql.ts';
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
import { type RunActors, useDescribeLock, useLockTestDatabase } from './use-locks.ts';

const database = useLockTestDatabase();
const describeLock = useDescribeLock(database);
const AT = '2026-01-01T00:00:00Z';
const LATER = '2026-02-01T00:00:00Z';

const newRecord = <Columns extends object>(columns: Columns = {} as Columns) => ({
  merchant_id: newId(),
  mode: 'sandbox' as const,
  id: newId(),
  created_at: AT,
  updated_at: AT,
  ...columns,
});
type LockTestRow = ReturnType<typeof newRecord<object>>;

interface Case {
  readonly table?: string;
  readonly columns?: object;
  /** The action of both actors on the row. */
  readonly act: (tx: Db, row: LockTestRow) => Promise<unknown>;
}

const PAYMENT_COLUMNS = { payment_id: newId() };

/** Locks that make a second actor with the same action wait. */
const cases: Readonly<Record<string, Case>> = {
  'threeds/sql.ts lockOpenAuthentications': {
    table: 'authentications',
    columns: { ...PAYMENT_COLUMNS, status: 'asking' },
    act: (tx, row) => lockOpenAuthentications(tx, row, PAYMENT_COLUMNS.payment_id),
  },
  'balances.ts lockHorizon': { act: lockHorizon },
  'enforcement-actions.ts lockEnforcementActions': {
    table: 'merchant_punitive_actions',
    columns: { action: 'ban', status: 'in_force' },
    act: (tx, { merchant_id }) => lockEnforcementActions(tx, merchant_id, ['sandbox']),
  },
  'onboarding.ts lockAccount': {
    table: 'accounts',
    act: (tx, { id }) => lockAccount(tx, id),
  },
  'merchants.ts lockMerchant': {
    table: 'merchants',
    act: (tx, { id }) => lockMerchant(tx, id),
  },
  'payment-links/sql.ts countUse': {
    table: 'payment_links',
    columns: { uses_max: 1 },
    act: countUse,
  },
  'processor-accounts/sql.ts lockProcessorAccount': {
    table: 'processor_accounts',
    columns: { settings: '{}' },
    act: (tx, { id }) => lockProcessorAccount(tx, id),
  },
  'processor-accounts/sql.ts lockRules': { act: lockRules },
  'risk/sql.ts lockCards': {
    act: (tx, scope) => lockCards(tx, [{ scope, card: { fingerprint: 'of the card' } }]),
  },
  'risk/sql.ts lockVelocityLimits': {
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
  'webhooks/sql/claims.ts lockEndpoints': {
    table: 'webhook_subscriptions',
    columns: { events: '[]' },
    act: (tx, row) => lockEndpoints(tx, [row], [row]),
  },
  'webhooks/sql/claims.ts lockSuspended': {
    table: 'webhook_subscriptions',
    columns: { suspended_until: LATER, events: '[]' },
    act: (tx, row) => lockSuspended(tx, [row]),
  },
};

/** Owner columns differ by table: accounts belong to no merchant, and a merchant to itself. */
async function insertRow(table: string, { merchant_id, mode, ...row }: LockTestRow): Promise<void> {
  const owner = ['accounts', 'merchants'].includes(table) ? {} : { merchant_id, mode };
  await database.insertUnchecked(table, { ...owner, ...row });
}

describe('a concurrent actor with the same work waits', () => {
  for (const [name, { table, columns, act }] of Object.entries(cases)) {
    const prepare = async (): Promise<RunActors> => {
      const row = newRecord(columns);
      if (table) await insertRow(table, row);
      const run = (tx: Db) => act(tx, row);
      return async (db) => (await runConcurrently(db, { first: run, second: run })).waited;
    };
    describeLock(name, prepare, true);
  }
});

it('payment-links/sql.ts countUse does not wait for a payment that uses another link', async () => {
  const [link, otherLink] = [newRecord({ uses_max: 1 }), newRecord({ uses_max: 1 })];
  const actors = {
    first: (tx: Db) => countUse(tx, link),
    second: (tx: Db) => countUse(tx, otherLink),
  };
  expect((await runConcurrently(database.db, actors)).waited).toBe(false);
});

const prepareCards = async (): Promise<RunActors> => {
  const card = newRecord({ card_fingerprint: 'of the card' });
  await database.insertUnchecked('payment_methods', card);
  const payment = newRecord({ merchant_id: card.merchant_id, payment_method_id: card.id });
  const first = (tx: Db) =>
    lockCards(tx, [{ scope: payment, card: { fingerprint: card.card_fingerprint } }]);
  const second = async (tx: Db) => (await tryLockCards(tx, [payment])).size;
  return (db) => runConcurrently(db, { first, second });
};
const cardNotLocked = { first: undefined, second: 0, waited: false };
describeLock(
  'risk/sql.ts tryLockCards leaves out a card that lockCards has locked, without a wait',
  prepareCards,
  cardNotLocked,
);

const prepareSettlement = async (): Promise<RunActors> => {
  const source = { processor: 'sandbox', mode: 'sandbox' } as const;
  await database.empty(['settlement_progress']);
  await database.insertUnchecked('settlement_progress', { ...source, day: '2026-01-01' });
  const lock = (tx: Db) => lockSettlement(tx, source);
  return async (db) => (await runConcurrently(db, { first: lock, second: lock })).waited;
};
describeLock(
  'settlement/on-request/sql.ts lockSettlement waits for a step of settlement',
  prepareSettlement,
  true,
);

const prepareOpening = async (): Promise<RunActors> => {
  const merchant = [newId(), AT];
  const open = (tx: Db) =>
    tx.query('insert into merchants (id, created_at, updated_at) values ($1, $2, $2)', merchant);
  return async (db) => (await runConcurrently(db, { first: open, second: lockOpenings })).waited;
};
describeLock(
  'merchant-records.ts lockOpenings waits for a merchant that is being opened',
  prepareOpening,
  true,
);

const prepareTransfers = async (): Promise<RunActors> => {
  await database.empty(['ledger_transfers', 'balances']);
  await database.db.query('update balance_horizon set posted_before = 0', []);
  const transfer = newRecord({ kind: 'captured', amount_cents: 2500, amount_currency: 'USD' });
  const accounts = { debit_account: 'processor', credit_account: 'merchant', posted_in: 1 };
  await database.insertUnchecked('ledger_transfers', { ...transfer, ...accounts });
  const add = (tx: Db) => addTransfers(tx, 2n, LATER);
  return async (db) => {
    await runConcurrently(db, { first: add, second: add });
    const [balance] = await db.query('select owed_cents from balances', []);
    return (balance as Row).owed_cents;
  };
};
describeLock('balances.ts addTransfers: two servers add a transfer once', prepareTransfers, '2500');

const prepareAnchors = async (): Promise<RunActors> => {
  await database.db.query('delete from ledger_anchor', []);
  const second = (tx: Db) =>
    ensureAnchor({
      query: tx.query,
      transaction: (work) => work(tx),
      isExhausted: () => false,
      usage: () => ({ size: 1, idle: 0, waiting: 0, max: 1 }),
      [Symbol.asyncDispose]: async () => {},
    });
  return async (db) => (await runConcurrently(db, { first: lockHorizon, second })).waited;
};
describeLock('ledger-anchor.ts ensureAnchor waits for a move of the horizon', prepareAnchors, true);

describe('enforcement-actions.ts', () => {
  const prepareBan = async () => {
    const payment = newRecord();
    const { merchant_id } = payment;
    await database.insertUnchecked('merchants', { id: merchant_id });
    const banMerchant = async (tx: Db) => {
      await lockMerchantStatus(tx, merchant_id);
      await tx.query(
        `insert into merchant_punitive_actions (merchant_id, mode, id, action, status, created_at, updated_at)
         values ($1, 'sandbox', $2, 'ban', 'in_force', now(), now())`,
        [merchant_id, newId()],
      );
    };
    const countStopped = async (tx: Db) => (await filterStopped(tx, [payment])).size;
    const shareStatus = async (tx: Db) => (await tryShareMerchantStatus(tx, [merchant_id])).size;
    return { banMerchant, countStopped, shareStatus };
  };

  const prepareClaimAfterBan = async (): Promise<RunActors> => {
    const { banMerchant, countStopped } = await prepareBan();
    return async (db) =>
      (await runConcurrently(db, { first: banMerchant, second: countStopped })).second;
  };
  describeLock('stoppedAmong waits for an action, and sees it', prepareClaimAfterBan, 1);

  const prepareBanAfterClaim = async (): Promise<RunActors> => {
    const { banMerchant, countStopped } = await prepareBan();
    return async (db) =>
      (await runConcurrently(db, { first: countStopped, second: banMerchant })).waited;
  };
  describeLock('lockMerchantStatus waits for a claim', prepareBanAfterClaim, true);

  const prepareTryAfterBan = async (): Promise<RunActors> => {
    const { banMerchant, shareStatus } = await prepareBan();
    return (db) => runConcurrently(db, { first: banMerchant, second: shareStatus });
  };
  const notShared = { first: undefined, second: 0, waited: false };
  describeLock(
    'tryShareMerchantStatus leaves out a merchant without a wait',
    prepareTryAfterBan,
    notShared,
  );

  const prepareBanAfterTry = async (): Promise<RunActors> => {
    const { banMerchant, shareStatus } = await prepareBan();
    return async (db) =>
      (await runConcurrently(db, { first: shareStatus, second: banMerchant })).waited;
  };
  describeLock('lockMerchantStatus waits for a create that submits', prepareBanAfterTry, true);

  it('stoppedAmong waits for no other claim', async () => {
    const { countStopped } = await prepareBan();
    expect(
      (await runConcurrently(database.db, { first: countStopped, second: countStopped })).waited,
    ).toBe(false);
  });

  it('releaseBilling skips locked subscriptions', async () => {
    const row = newRecord({
      confirmed: true,
      status: 'active',
      next_billing_at: AT,
      put_aside_until: LATER,
    });
    await database.insertUnchecked('payment_subscriptions', row);
    const actors = {
      first: (tx: Db) => lockRows(tx, 'payment_subscriptions', [row]),
      second: (tx: Db) => releaseBilling(tx, row.merchant_id, ['sandbox'], AT),
    };
    expect((await runConcurrently(database.db, actors)).waited).toBe(false);
    expect((await runConcurrently(withoutSkips(database.db), actors)).waited).toBe(true);
  });
});

const prepareClocks = async (): Promise<RunActors> => {
  const clock = newRecord({ status: 'ready', ahead_seconds: 60 });
  const customerClock = { ...clock, id: newId(), customer_id: newId() };
  await database.insertUnchecked('sandbox_clocks', clock, customerClock);
  const first = (tx: Db) => clocksInSync(tx, [customerClock]);
  const second = (tx: Db) =>
    tx.query('update sandbox_clocks set ahead_seconds = 90 where id = $1', [clock.id]);
  return async (db) => (await runConcurrently(db, { first, second })).waited;
};
describeLock('sandbox-clocks.ts clocksInSync locks the merchant’s clock', prepareClocks, true);

describe('accounts', () => {
  const insertAccount = async (columns: object) => {
    const { id, created_at, updated_at } = newRecord();
    await database.insertUnchecked('accounts', { id, created_at, updated_at, ...columns });
    return id;
  };
  const updateColumn = (id: string, column: string, value: string) => (tx: Db) =>
    tx.query(`update accounts set ${column} = $2 where id = $1`, [id, value]);

  const prepareSignIn = async (): Promise<RunActors> => {
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
  describeLock('sessions.ts insertSession refuses a changed password', prepareSignIn, false);

  const prepareAdoption = async (): Promise<RunActors> => {
    const email = `${newId()}@x.example`;
    const id = await insertAccount({ email, account_status: 'pending' });
    await database.insertUnchecked('memberships', newRecord({ account_id: id }));
    const first = updateColumn(id, 'account_status', 'active');
    const second = (tx: Db) =>
      adoptWaitingAccount({ cell: tx, global: tx }, { email, account_id: newId(), at: AT });
    return async (db) => {
      await runConcurrently(db, { first, second });
      return (await db.query('select 1 from memberships where account_id = $1', [id])).length;
    };
  };
  describeLock('waiting-accounts.ts adoptWaitingAccount leaves active ones', prepareAdoption, 1);
});

describe('webhooks', () => {
  const prepareProbe = async (): Promise<RunActors> => {
    const subscription = newRecord({ status: 'active', events: '[]', suspended_until: AT });
    await database.insertUnchecked('webhook_subscriptions', subscription);
    const extendSuspension = (tx: Db) => extendSuspensions(tx, [subscription], LATER);
    return async (db) => {
      const { first, second } = await runConcurrently(db, {
        first: extendSuspension,
        second: extendSuspension,
      });
      return [first.length, second.length];
    };
  };
  describeLock('claims.ts extendSuspensions gives a probe to one worker', prepareProbe, [1, 0]);

  const prepareRelease = async (): Promise<RunActors> => {
    const orderColumns = { webhook_subscription_id: newId(), order_key: newId() };
    const delivery = newRecord({
      ...orderColumns,
      status: 'pending',
      held_back: true,
      sequence: 1,
    });
    await database.insertUnchecked('webhook_deliveries', delivery);
    const unblock = (tx: Db) => unblockDeliveries(tx, [delivery], LATER);
    return async (db) => {
      const { first, second } = await runConcurrently(db, { first: unblock, second: unblock });
      return [first, second];
    };
  };
  describeLock('order.ts unblockDeliveries releases a delivery once', prepareRelease, [1, 0]);
});

it('beneficial_owners_whole prevents two owners from holding more than 100 percent', async () => {
  const merchant_id = newId();
  await database.insertUnchecked('merchants', { id: merchant_id });
  const prepareOwner = async () => {
    const person = newRecord({ merchant_id });
    await database.insertUnchecked('personal_identifications', person);
    return (tx: Db) =>
      tx.query(
        `insert into beneficial_owners (merchant_id, mode, id, ownership_percentage,
           personal_identification_id, created_at, updated_at)
         values ($1, 'sandbox', $2, 60, $3, now(), now())`,
        [merchant_id, newId(), person.id],
      );
  };
  const inserts = runConcurrently(database.db, {
    first: await prepareOwner(),
    second: await prepareOwner(),
  });
  await expect(inserts).rejects.toMatchObject({ constraint: 'beneficial_owners_whole' });
});

describe('waiting-disputes.ts: a process that read a notification before newer ones were stored', () => {
  const source = { processor: 'sandbox', mode: 'sandbox' } as const;
  const [olderPosition, newerPosition] = [5, 7];
  const storePosition =
    (position: number, reference = 'dispute') =>
    (tx: Db) =>
      storeWaiting(tx, source, { reference, position: String(position), created_at: AT });
  const readPositions = async (): Promise<string[]> => {
    const rows = await database.db.query('select position from waiting_disputes order by 1', []);
    return rows.map(({ position }) => position as string);
  };

  it.each([
    ['keeps the newer ones', storePosition(olderPosition), ['4', '6', '7']],
    [
      'deletes only the older ones',
      (tx: Db) => deleteWaiting(tx, source, 'dispute', olderPosition),
      ['6', '7'],
    ],
  ])('%s', async (_title, second, expected) => {
    await database.empty(['waiting_disputes']);
    for (const position of [4, 6]) {
      await storePosition(position, unreadableReference('dispute', position))(database.db);
    }
    await storePosition(olderPosition)(database.db);
    const { waited } = await runConcurrently(database.db, {
      first: storePosition(newerPosition),
      second,
    });
    expect([waited, await readPositions()]).toEqual([true, expected]);
  });
});

it('vault-login.ts grantVaultLogin waits for another start that creates a login', async () => {
  const login = { role: `vault_${newId().replaceAll('-', '')}`, password: 'secret' };
  const { adminUrl } = database.clone;
  const { waited } = await runConcurrently(database.db, {
    first: (tx) => tx.query(`select pg_advisory_xact_lock(hashtext('florin vault login'))`, []),
    second: () => withClient(adminUrl, (client) => grantVaultLogin(client, login)),
  });
  await withClient(adminUrl, (client) => client.query(`drop role ${login.role}`));
  expect(waited).toBe(true);
});
