import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Mode, SealingKey } from '@florin/contract/protocol/vault.ts';
import { calculateJwkThumbprint } from 'jose';
import type { Clock } from '../kernel/clock.ts';
import type { Database, Db } from '../store/db.ts';
import { createKeyCache } from './key-cache.ts';
import type { RootKeys, WrappedKey } from './root-keys.ts';

/** Time for which a retired key still decrypts cards, so that open forms can finish. */
export const RETIRED_KEY_GRACE_MS = 48 * 60 * 60 * 1000;

/** Algorithms of all keys. A JWE's header cannot choose others. */
export const SEALING_ALG = 'ECDH-ES';
export const SEALING_ENC = 'A256GCM';

/** Key pairs with which the hosted form encrypts cards. */
export interface SealingKeys {
  /** Public keys: for each mode the current one, then the next. Creates a mode's first key on demand. */
  loadPublicKeys(): Promise<SealingKey[]>;
  /** Private key of `mode`; undefined if `kid` is unknown, belongs to the other mode, or retired long ago. */
  privateKey(kid: string, mode: Mode): Promise<KeyObject | undefined>;
  /** Deletes all private keys from memory. */
  clear(): void;
}

interface SealingKeyRow extends WrappedKey {
  readonly kid: string;
  readonly mode: Mode;
  readonly x: string;
  readonly y: string;
}

export interface SealingKeyDeps {
  readonly db: Database;
  readonly rootKeys: RootKeys;
  readonly clock: Clock;
}

export const MODES: readonly Mode[] = ['live', 'sandbox'];

export function createSealingKeys(deps: SealingKeyDeps): SealingKeys {
  const cache = createKeyCache<KeyObject>();
  return {
    async loadPublicKeys() {
      const keys = await selectPublicKeys(deps.db, deps.clock());
      return modesWithoutKey(keys).length === 0 ? keys : createMissingKeys(deps);
    },
    async privateKey(kid, mode) {
      const row = await findOpenableKey(deps, kid, mode);
      return row && cache.get(kid, () => unwrapPrivateKey(deps.rootKeys, row));
    },
    clear: () => cache.clear(),
  };
}

const modesWithoutKey = (keys: readonly SealingKey[]): Mode[] =>
  MODES.filter((mode) => !keys.some((key) => key.mode === mode));

/** Context that binds a wrapped private key. */
export const sealingContext = (kid: string, mode: Mode): string => `sealing:${mode}:${kid}`;

/** Public keys: active before future ones, newest first. */
async function selectPublicKeys(db: Db, now: number): Promise<SealingKey[]> {
  const rows = await db.query<Omit<SealingKeyRow, keyof WrappedKey>>(
    `select kid, mode, x, y from vault.sealing_keys where retired_at is null
     order by active_at > $1, case when active_at <= $1 then active_at end desc, active_at, kid`,
    [new Date(now)],
  );
  return rows.map((row) => ({ ...row, kty: 'EC', crv: 'P-256' }));
}

/** Creates missing keys. The lock lets one caller create them; the others then find them. */
const createMissingKeys = (deps: SealingKeyDeps): Promise<SealingKey[]> =>
  deps.db.transaction(async (tx) => {
    await tx.query('lock table vault.sealing_keys in share row exclusive mode');
    const now = deps.clock();
    for (const mode of modesWithoutKey(await selectPublicKeys(tx, now))) {
      await addSealingKey(tx, deps.rootKeys, mode, { now, active_at: now });
    }
    return selectPublicKeys(tx, now);
  });

/** Time of creation and start of use, in milliseconds. */
interface SealingTimes {
  readonly now: number;
  readonly active_at: number;
}

export async function addSealingKey(
  tx: Db,
  rootKeys: RootKeys,
  mode: Mode,
  { now, active_at }: SealingTimes,
): Promise<void> {
  const key = await generateKey(rootKeys, mode);
  await tx.query(
    `insert into vault.sealing_keys (kid, mode, x, y, root_version, wrapped, created_at, active_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      key.kid,
      key.mode,
      key.x,
      key.y,
      key.root_version,
      key.wrapped,
      new Date(now),
      new Date(active_at),
    ],
  );
}

async function generateKey(rootKeys: RootKeys, mode: Mode): Promise<SealingKeyRow> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = privateKey.export({ format: 'jwk' });
  const kid = await calculateJwkThumbprint({ kty: 'EC', crv: 'P-256', x, y });
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  return { kid, mode, x, y, ...(await rootKeys.wrap(der, sealingContext(kid, mode))) };
}

async function findOpenableKey(
  { db, clock }: SealingKeyDeps,
  kid: string,
  mode: Mode,
): Promise<SealingKeyRow | undefined> {
  const [row] = await db.query<SealingKeyRow>(
    `select kid, mode, x, y, root_version, wrapped from vault.sealing_keys
     where kid = $1 and mode = $2 and (retired_at is null or retired_at > $3)`,
    [kid, mode, new Date(clock() - RETIRED_KEY_GRACE_MS)],
    'openable-sealing-key',
  );
  return row;
}

async function unwrapPrivateKey(rootKeys: RootKeys, row: SealingKeyRow): Promise<KeyObject> {
  const der = await rootKeys.unwrap(row, sealingContext(row.kid, row.mode));
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}
