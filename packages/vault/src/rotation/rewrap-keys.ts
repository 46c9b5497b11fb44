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
import type { Database, Db } from '../store/db.ts';

const BATCH_ROWS = 200;
/** Grace period of a replaced version, during which older backups can be restored. */
export const REPLACED_ROOT_GRACE_MS = 30 * 24 * 60 * 60 * 1000;

export interface RootDeps {
  readonly db: Database;
  readonly kms: Kms;
  readonly rootKeys: RootKeys;
  readonly clock: Clock;
}

interface KeyRow extends WrappedKey {
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly version: number;
  readonly kid: string;
  readonly id: string;
  readonly wallet: WalletKind;
  readonly key_id: string;
}

interface WrappedTable {
  readonly name: string;
  readonly key: readonly (keyof KeyRow)[];
  readonly contextOf: (row: KeyRow) => string;
  readonly condition?: string;
}

/** All tables with keys wrapped by the root key, and the context of each key. */
const TABLES: readonly WrappedTable[] = [
  {
    name: 'keks',
    key: ['merchant_id', 'mode', 'version'],
    contextOf: (row) => kekContext(row, row.version),
    condition: 'and destroyed_at is null',
  },
  {
    name: 'fingerprint_keys',
    key: ['merchant_id'],
    contextOf: ({ merchant_id }) => fingerprintContext(merchant_id),
  },
  {
    name: 'sealing_keys',
    key: ['kid', 'mode'],
    contextOf: ({ kid, mode }) => sealingContext(kid, mode),
  },
  {
    name: 'wallet_keys',
    key: ['mode', 'wallet', 'key_id'],
    contextOf: walletKeyContext,
  },
  {
    name: 'audit_keys',
    key: ['kid'],
    contextOf: ({ kid }) => auditKeyContext(kid),
  },
  {
    name: 'cvv_epochs',
    key: ['id', 'mode'],
    contextOf: ({ mode, id }) => epochContext(mode, id),
  },
];

/**
 * Rewraps every key of an older root key version with the newest version. Returns the number of keys. Safe to
 * repeat and to run concurrently: each run locks different rows. Then schedules the destruction of the older
 * versions.
 */
export async function rewrapKeys(deps: RootDeps): Promise<number> {
  const current = await deps.rootKeys.current();
  let total = 0;
  for (const table of TABLES) {
    for (;;) {
      const count = await deps.db.transaction((tx) =>
        rewrapSome(tx, deps.rootKeys, table, current),
      );
      total += count;
      // If no key of a batch can be unwrapped, rewrapping ends, and the version that wraps them stays.
      if (count === 0) break;
    }
  }
  // A destroyed key is only a number, so its row needs no root key version.
  await deps.db.query(
    'update vault.keks set root_version = $1 where root_version < $1 and destroyed_at is not null',
    [current],
  );
  await deps.db.query(
    'update vault.root_keys set destroy_at = $2 where version < $1 and destroy_at is null',
    [current, new Date(deps.clock() + REPLACED_ROOT_GRACE_MS)],
  );
  return total;
}

async function rewrapSome(
  tx: Db,
  rootKeys: RootKeys,
  table: WrappedTable,
  current: number,
): Promise<number> {
  const rows = await tx.query<KeyRow>(
    `select ${table.key.join(', ')}, root_version, wrapped from vault.${table.name}
     where root_version < $1 ${table.condition ?? ''} limit ${BATCH_ROWS} for no key update skip locked`,
    [current],
  );
  let count = 0;
  for (const row of rows) if (await rewrapOne(tx, rootKeys, table, row)) count += 1;
  return count;
}

async function rewrapOne(
  tx: Db,
  rootKeys: RootKeys,
  { name, key, contextOf }: WrappedTable,
  row: KeyRow,
): Promise<boolean> {
  const context = contextOf(row);
  const plain = await rootKeys.unwrap(row, context).catch(() => undefined);
  if (!plain) return false;
  const { root_version, wrapped } = await rootKeys.wrap(plain, context);
  plain.fill(0);
  const where = key.map((column, at) => `${column} = $${at + 3}`).join(' and ');
  await tx.query(`update vault.${name} set root_version = $1, wrapped = $2 where ${where}`, [
    root_version,
    wrapped,
    ...key.map((column) => row[column]),
  ]);
  return true;
}

/** Whether an older version still wraps keys or has no scheduled destruction. */
export async function isRewrapUnfinished({ db, rootKeys }: RootDeps): Promise<boolean> {
  const tables = TABLES.map(
    ({ name, condition = '' }) =>
      `exists (select from vault.${name} where root_version < $1 ${condition})`,
  );
  const [row] = await db.query<{ left: boolean }>(
    `select exists (select from vault.root_keys where version < $1 and destroy_at is null)
       or ${tables.join(' or ')} as left`,
    [await rootKeys.current()],
  );
  return row?.left ?? false;
}
