import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { insertUnchecked, newId, type Values } from '@florin/dev-env/insert-unchecked.ts';
import {
  runConcurrently,
  type Transactions,
  withoutLocks,
  withoutSkips,
} from '@florin/dev-env/two-actors.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { append } from '../src/audit/audit-store.ts';
import { sweepUnattached } from '../src/cards/card-store.ts';
import { sweepCvvs } from '../src/cards/cvv-store.ts';
import { createKeks } from '../src/keys/keks.ts';
import { openKms } from '../src/keys/kms/open-kms.ts';
import { openRootKeys, type RootKeys } from '../src/keys/root-keys.ts';
import { activateStaged } from '../src/keys/root-versions.ts';
import { createVaultSelf, registerVault } from '../src/keys/vaults.ts';
import { rewrapCards } from '../src/rotation/rewrap-cards.ts';
import { rewrapKeys } from '../src/rotation/rewrap-keys.ts';
import { readSlice } from '../src/rotation/rewrap-slice.ts';
import { type Database, type Db, openDatabase } from '../src/store/db.ts';
import { migrate, readVaultHistory } from '../src/store/migrate.ts';
import { deleteRewrapped } from '../src/tombstones/rewrapped-cards.ts';

const cleanup = new AsyncDisposableStack();
const NOW = Date.parse('2026-11-01T00:00:00Z');
const OLD = '2026-01-01T00:00:00Z';
const DAY = 24 * 60 * 60_000;
const clock = () => NOW;
let db: Database;
let adminUrl: string;
let kms: Awaited<ReturnType<typeof openKms>>;
let rootKeys: RootKeys;

beforeAll(async () => {
  const clone = cleanup.use(await cloneDatabase());
  adminUrl = clone.adminUrl;
  db = cleanup.use(await openDatabase(clone.url, () => {}));
  const tempDir = await mkdtemp(join(tmpdir(), 'vault-'));
  cleanup.defer(() => rm(tempDir, { recursive: true }));
  kms = cleanup.use(await openKms({ provider: 'file' }, tempDir));
  rootKeys = await openRootKeys({ db, kms, clock });
});
afterAll(() => cleanup.disposeAsync());

/** A database whose transactions run inside this one; other statements are ignored. */
const joinTransaction = (tx: Db): Database => ({
  query: async () => [],
  transaction: (work) => work(tx),
  [Symbol.asyncDispose]: async () => {},
});

const createCardRow = (changes: Values = {}): Values => ({
  merchant_id: newId(),
  mode: 'sandbox',
  token: newId(),
  bin: '400551',
  last_four: '0004',
  kek_version: 1,
  created_at: OLD,
  ...changes,
});

type Action = (tx: Db) => Promise<unknown>;
interface LockCase {
  /** Creates the rows, and returns the actions of both actors. */
  readonly prepare: () => Promise<Action>;
}

const skippingCases: Readonly<Record<string, LockCase>> = {
  'card-store.ts sweepUnattached': {
    prepare: async () => {
      await insertUnchecked(adminUrl, 'vault.cards', createCardRow());
      return (tx) => sweepUnattached(tx, NOW);
    },
  },
  'cvv-store.ts sweepCvvs': {
    prepare: async () => {
      await insertUnchecked(adminUrl, 'vault.cvvs', createCardRow({ expires_at: OLD }));
      return (tx) => sweepCvvs(tx, NOW);
    },
  },
  'rewrap-keys.ts rewrapKeys': {
    prepare: async () => {
      await createKeks({ db, rootKeys, clock }).current({ merchant_id: newId(), mode: 'sandbox' });
      await rootKeys.activate((await rootKeys.stage()).version);
      const { signal } = new AbortController();
      return (tx) => rewrapKeys({ db: joinTransaction(tx), kms, rootKeys, clock, signal });
    },
  },
};

const SKIPPED_RESULT = { first: 1, second: 0, waited: false };
async function runSkipping(
  { prepare }: LockCase,
  change = (database: Transactions<Db>) => database,
) {
  const action = await prepare();
  return runConcurrently(change(db as Transactions<Db>), { first: action, second: action });
}

describe.each(Object.entries(skippingCases))('%s', (_name, lockCase) => {
  it('skips what another vault holds, without waiting', async () => {
    expect(await runSkipping(lockCase)).toEqual(SKIPPED_RESULT);
  });

  it('would not without its lock, or if it waited for locked rows', async () => {
    expect(await runSkipping(lockCase, withoutLocks)).not.toEqual(SKIPPED_RESULT);
    expect(await runSkipping(lockCase, withoutSkips)).not.toEqual(SKIPPED_RESULT);
  });
});

const createEntry = () => ({
  at: new Date(NOW),
  actor: 'test',
  verb: 'store',
  merchant_id: newId(),
  mode: 'sandbox',
  token_hash: null,
  outcome: 'ok',
});

const waitingCases: Readonly<Record<string, LockCase>> = {
  'audit-store.ts append': {
    prepare: async () => (tx) => append(joinTransaction(tx), [createEntry()]),
  },
  'rewrap-cards.ts lockNewest': {
    prepare: async () => {
      const scope = { merchant_id: newId(), mode: 'sandbox' } as const;
      const keks = createKeks({ db, rootKeys, clock });
      await keks.current(scope);
      return (tx) => rewrapCards({ db: joinTransaction(tx), keks, clock }, scope);
    },
  },
  'rewrapped-cards.ts deleteBatch': {
    prepare: async () => {
      const scope = { merchant_id: newId(), mode: 'sandbox' } as const;
      await createKeks({ db, rootKeys, clock }).current(scope);
      return (tx) => deleteRewrapped(joinTransaction(tx), { ...scope, version: 0, at: NOW });
    },
  },
  'rewrap-slice.ts readSlice': {
    prepare: async () => {
      const row = createCardRow();
      await insertUnchecked(adminUrl, 'vault.cards', row);
      const keys = { scope: row, newest: { version: 2 } } as never;
      return (tx) => readSlice(tx, keys, '');
    },
  },
  'vaults.ts lockVaults, at a start': {
    prepare: async () => (tx) =>
      registerVault({
        db: joinTransaction(tx),
        clock,
        self: createVaultSelf({ dataDir: `/${newId()}` }),
      }),
  },
  'vaults.ts lockVaults, at an activation': {
    prepare: async () => (tx) => activateStaged({ db: joinTransaction(tx), kms, clock }, 1_000),
  },
  'migrate.ts migrate': {
    prepare: async () => {
      const history = await readVaultHistory();
      const nextMigration = { name: '9999-next', sql: 'select 1', checksum: 'next' };
      await db.query('delete from vault.migrations where version = 9999');
      return (tx) =>
        migrate(joinTransaction(tx), () => {}, {
          history: { ...history, files: [...history.files, nextMigration] },
        });
    },
  },
};

async function runWaiting(
  { prepare }: LockCase,
  change = (database: Transactions<Db>) => database,
) {
  const action = await prepare();
  return (await runConcurrently(change(db as Transactions<Db>), { first: action, second: action }))
    .waited;
}

describe.each(Object.entries(waitingCases))('%s', (_name, lockCase) => {
  it('waits for another vault with the same work', async () => {
    expect(await runWaiting(lockCase)).toBe(true);
  });

  it('would not without its lock', async () => {
    expect(await runWaiting(lockCase, withoutLocks).catch(() => 'failed')).not.toBe(true);
  });
});

describe('a vault of an earlier release, which knows the advisory lock alone', () => {
  const EARLIER_LOCK = 'select pg_advisory_xact_lock(7238104512)';
  const register = (tx: Db) =>
    registerVault({
      db: joinTransaction(tx),
      clock,
      self: createVaultSelf({ dataDir: `/${newId()}` }),
    });
  const registerEarlier = (seen_at: number) =>
    db.query(
      `insert into vault.vaults (id, name, holds, seen_at) values (gen_random_uuid(), $1, '{1}', $2)`,
      [`earlier-${newId()}`, new Date(seen_at)],
    );

  it('excludes a new one, whichever comes first', async () => {
    const earlier = async (tx: Db) => void (await tx.query(EARLIER_LOCK));
    const transactions = db as Transactions<Db>;
    for (const [first, second] of [
      [earlier, register],
      [register, earlier],
    ] as const)
      expect((await runConcurrently(transactions, { first, second })).waited).toBe(true);
  });

  it('has to run for a lock that somebody holds to stop a new one', async () => {
    await registerEarlier(NOW - DAY);
    await db.transaction(async (holder) => {
      await holder.query(EARLIER_LOCK);
      await db.transaction(register);
      await registerEarlier(NOW);
      await expect(db.transaction(register)).rejects.toThrow(
        /holds the advisory lock 7238104512, and the vault earlier-.* runs/,
      );
    });
    await db.query(`delete from vault.vaults where name like 'earlier-%'`);
  });
});

describe('a key that two vaults find due', () => {
  it("is replaced once, if it is a merchant's", async () => {
    const scope = { merchant_id: newId(), mode: 'sandbox' } as const;
    const keks = createKeks({ db, rootKeys, clock });
    const { version } = await keks.current(scope);
    const advanceResults = [await keks.advance(scope, version), await keks.advance(scope, version)];
    expect([advanceResults, (await keks.current(scope)).version]).toEqual([[true, false], 2]);
  });

  it('is replaced once, if it is the root key', async () => {
    const laterRootKeys = await openRootKeys({ db, kms, clock: () => NOW + 366 * DAY });
    const stagedVersion = await laterRootKeys.stageDue();
    await laterRootKeys.activate(stagedVersion?.version ?? 0);
    expect(await laterRootKeys.current()).toBe(stagedVersion?.version);
    expect(await laterRootKeys.stageDue()).toBeUndefined();
  });
});
