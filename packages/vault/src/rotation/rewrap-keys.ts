import type { Mode, WalletKind } from '@florin/contract/protocol/vault.ts';
import type { Clock } from '../kernel/clock.ts';
import { auditKeyContext } from '../keys/audit-key.ts';
import { epochContext } from '../keys/cvv-epochs.ts';
import { fingerprintContext } from '../keys/fingerprints.ts';
import { kekContext } from '../keys/keks.ts';
import type { Kms } from '../keys/kms/kms.ts';
import type { RootKeys, WrappedKey } from '../keys/root-keys.ts';
import { sealingContext } from '../keys/sealing-keys.ts';
import { walletKeyContext } from '../keys/wallet-keys.ts';
import { secretContext } from '../processor-accounts/account-store.ts';
import type { Database, Db } from '../store/db.ts';
import { importContext } from '../transfer/receive.ts';

const BATCH_ROWS = 200;
/** Grace period of a replaced version, during which older backups can be restored. */
export const REPLACED_ROOT_GRACE_MS = 30 * 24 * 60 * 60 * 1000;

export interface RootDeps {
  readonly db: Database;
  readonly kms: Kms;
  readonly rootKeys: RootKeys;
  readonly clock: Clock;
}

export interface RewrapKeysDeps extends RootDeps {
  /** Stops rewrapping after the current batch. */
  readonly signal: AbortSignal;
}

interface KeyRow extends WrappedKey {
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly version: number;
  readonly kid: string;
  readonly id: string;
  readonly wallet: WalletKind;
  readonly key_id: string;
  readonly account_id: string;
  readonly name: string;
}

interface WrappedTable {
  readonly name: string;
  readonly keyColumns: readonly (keyof KeyRow)[];
  readonly contextOf: (row: KeyRow) => string;
  readonly condition?: string;
}

/** All tables with keys wrapped by the root key, and the context of each key. */
const TABLES: readonly WrappedTable[] = [
  {
    name: 'keks',
    keyColumns: ['merchant_id', 'mode', 'version'],
    contextOf: (row) => kekContext(row, row.version),
    condition: 'and destroyed_at is null',
  },
  {
    name: 'fingerprint_keys',
    keyColumns: ['merchant_id'],
    contextOf: ({ merchant_id }) => fingerprintContext(merchant_id),
  },
  {
    name: 'sealing_keys',
    keyColumns: ['kid', 'mode'],
    contextOf: ({ kid, mode }) => sealingContext(kid, mode),
  },
  {
    name: 'wallet_keys',
    keyColumns: ['mode', 'wallet', 'key_id'],
    contextOf: walletKeyContext,
  },
  {
    name: 'processor_secrets',
    keyColumns: ['account_id', 'mode', 'name'],
    contextOf: secretContext,
  },
  {
    name: 'accepted_secrets',
    keyColumns: ['account_id', 'mode', 'name'],
    contextOf: secretContext,
  },
  {
    name: 'audit_keys',
    keyColumns: ['kid'],
    contextOf: ({ kid }) => auditKeyContext(kid),
  },
  {
    name: 'card_imports',
    keyColumns: ['id', 'merchant_id'],
    contextOf: importContext,
  },
  {
    name: 'cvv_epochs',
    keyColumns: ['id', 'mode'],
    contextOf: ({ mode, id }) => epochContext(mode, id),
  },
];

/**
 * Rewraps every key of an older root key version with the newest version. Returns the number of keys. Safe to
 * repeat and to run concurrently: each run locks different rows. Then schedules the destruction of the older
 * versions, unless a stop interrupted it.
 */
export async function rewrapKeys(deps: RewrapKeysDeps): Promise<number> {
  const currentVersion = await deps.rootKeys.current();
  let totalCount = 0;
  for (const table of TABLES) {
    for (;;) {
      if (deps.signal.aborted) return totalCount;
      const count = await deps.db.transaction((tx) =>
        rewrapBatch(tx, deps.rootKeys, table, currentVersion),
      );
      totalCount += count;
      // If no key of a batch can be unwrapped, rewrapping ends, and the version that wraps them stays.
      if (count === 0) break;
    }
  }
  // Without its row, the version wraps no key. Then the older versions stay.
  if ((await deps.rootKeys.current()) !== currentVersion) return totalCount;
  // Rows of destroyed keys contain no key. With the newest version they no longer refer to the older one.
  await deps.db.query(
    'update vault.keks set root_version = $1 where root_version < $1 and destroyed_at is not null',
    [currentVersion],
  );
  await deps.db.query(
    'update vault.root_keys set destroy_at = $2 where version < $1 and destroy_at is null',
    [currentVersion, new Date(deps.clock() + REPLACED_ROOT_GRACE_MS)],
  );
  return totalCount;
}

async function rewrapBatch(
  tx: Db,
  rootKeys: RootKeys,
  table: WrappedTable,
  currentVersion: number,
): Promise<number> {
  const rows = await tx.query<KeyRow>(
    `select ${table.keyColumns.join(', ')}, root_version, wrapped from vault.${table.name}
     where root_version < $1 ${table.condition ?? ''} limit ${BATCH_ROWS} for no key update skip locked`,
    [currentVersion],
  );
  let count = 0;
  for (const row of rows) if (await rewrapOne(tx, rootKeys, table, row, currentVersion)) count += 1;
  return count;
}

async function rewrapOne(
  tx: Db,
  rootKeys: RootKeys,
  { name, keyColumns, contextOf }: WrappedTable,
  row: KeyRow,
  currentVersion: number,
): Promise<boolean> {
  const context = contextOf(row);
  const keyBytes = await rootKeys.unwrap(row, context).catch(() => undefined);
  if (!keyBytes) return false;
  const { root_version, wrapped } = await rootKeys.wrap(keyBytes, context);
  keyBytes.fill(0);
  // The newest version can disappear meanwhile. Keys of older versions would be read again for ever.
  if (root_version < currentVersion) return false;
  const rowCondition = keyColumns.map((column, index) => `${column} = $${index + 3}`).join(' and ');
  await tx.query(`update vault.${name} set root_version = $1, wrapped = $2 where ${rowCondition}`, [
    root_version,
    wrapped,
    ...keyColumns.map((column) => row[column]),
  ]);
  return true;
}

/** Number of keys that versions before this one wrap. */
export async function countOlderKeys(db: Db, version: number): Promise<number> {
  const counts = TABLES.map(
    ({ name, condition = '' }) =>
      `(select count(*) from vault.${name} where root_version < $1 ${condition})`,
  );
  const [row] = await db.query<{ count: number }>(`select (${counts.join(' + ')})::int as count`, [
    version,
  ]);
  return row?.count ?? 0;
}

/** Whether an older version still wraps keys or has no scheduled destruction. */
export async function isRewrapUnfinished(db: Db, currentVersion: number): Promise<boolean> {
  const tableConditions = TABLES.map(
    ({ name, condition = '' }) =>
      `exists (select from vault.${name} where root_version < $1 ${condition})`,
  );
  const [row] = await db.query<{ left: boolean }>(
    `select exists (select from vault.root_keys where version < $1 and destroy_at is null)
       or ${tableConditions.join(' or ')} as left`,
    [currentVersion],
  );
  return row?.left ?? false;
}

/** A version past its grace period. */
export interface DueVersion {
  readonly version: number;
  /** Whether a row still refers to the version, as a key does that does not open. */
  readonly is_needed: boolean;
}

/** SQL: whether a row refers to a version. Foreign keys say the same when the version's row is deleted. */
const IS_NEEDED = TABLES.map(
  ({ name }) => `exists (select from vault.${name} where root_version = version_row.version)`,
).join(' or ');

/** Versions to destroy now, oldest first. */
export const listDueVersions = (db: Db, now: number): Promise<DueVersion[]> =>
  db.query<DueVersion>(
    `select version, ${IS_NEEDED} as is_needed
     from vault.root_keys version_row where destroy_at <= $1 order by version`,
    [new Date(now)],
  );

/** A version, and the end of its grace period; null before all keys are rewrapped. */
export interface ReplacedVersion extends DueVersion {
  readonly destroy_at: Date | null;
}

/** A version by its number; undefined if it was destroyed. */
export async function findReplacedVersion(
  db: Db,
  version: number,
): Promise<ReplacedVersion | undefined> {
  const [row] = await db.query<ReplacedVersion>(
    `select version, destroy_at, ${IS_NEEDED} as is_needed
     from vault.root_keys version_row where version = $1`,
    [version],
  );
  return row;
}
