import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Mode, SealingKey } from '@florin/contract/protocol/vault.ts';
import { calculateJwkThumbprint } from 'jose';
import type { Clock } from '../kernel/clock.ts';
import type { Database, Db } from '../store/db.ts';
import { createKeyCache } from './key-cache.ts';
import type { Kms } from './kms.ts';

/** How long a retired key still opens cards: forms that were served before must finish. */
export const RETIRED_KEY_GRACE_MS = 48 * 60 * 60 * 1000;

/** Key agreement and content encryption of every key; a token's own header never chooses. */
export const SEALING_ALG = 'ECDH-ES';
export const SEALING_ENC = 'A256GCM';

/** The key pairs the hosted form seals cards with. */
export interface SealingKeys {
  /** Public halves to seal with, newest first; each mode's first key is made when it is first asked for. */
  published(): Promise<SealingKey[]>;
  /** The private half of a key of `mode`; undefined where `kid` is unknown, another mode's or long retired. */
  privateKey(kid: string, mode: Mode): Promise<KeyObject | undefined>;
}

interface SealingKeyRow {
  readonly kid: string;
  readonly mode: Mode;
  readonly x: string;
  readonly y: string;
  readonly wrapped: Buffer;
}

interface SealingKeyDeps {
  readonly db: Database;
  readonly kms: Kms;
  readonly clock: Clock;
}

const MODES: readonly Mode[] = ['live', 'sandbox'];

export function createSealingKeys(deps: SealingKeyDeps): SealingKeys {
  const cache = createKeyCache<KeyObject>();
  return {
    async published() {
      const keys = await publishedKeys(deps.db);
      return lacking(keys).length === 0 ? keys : createLacking(deps);
    },
    async privateKey(kid, mode) {
      const row = await openableKey(deps, kid, mode);
      return row && cache.get(kid, () => unwrapPrivateKey(deps.kms, row));
    },
  };
}

const lacking = (keys: readonly SealingKey[]): Mode[] =>
  MODES.filter((mode) => !keys.some((key) => key.mode === mode));

const contextOf = (kid: string, mode: Mode): string => `sealing:${mode}:${kid}`;

async function publishedKeys(db: Db): Promise<SealingKey[]> {
  const rows = await db.query<Omit<SealingKeyRow, 'wrapped'>>(
    `select kid, mode, x, y from vault.sealing_keys
     where retired_at is null order by created_at desc, kid`,
  );
  return rows.map((row) => ({ ...row, kty: 'EC', crv: 'P-256' }));
}

/** The lock lets one of several callers make the keys and the others find them. */
const createLacking = (deps: SealingKeyDeps): Promise<SealingKey[]> =>
  deps.db.transaction(async (tx) => {
    await tx.query('lock table vault.sealing_keys in share row exclusive mode');
    for (const mode of lacking(await publishedKeys(tx))) {
      await insertKey(tx, await generateKey(deps.kms, mode), deps.clock);
    }
    return publishedKeys(tx);
  });

async function generateKey(kms: Kms, mode: Mode): Promise<SealingKeyRow> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = privateKey.export({ format: 'jwk' });
  const kid = await calculateJwkThumbprint({ kty: 'EC', crv: 'P-256', x, y });
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  return { kid, mode, x, y, wrapped: await kms.wrap(der, contextOf(kid, mode)) };
}

async function insertKey(tx: Db, key: SealingKeyRow, clock: Clock): Promise<void> {
  await tx.query(
    `insert into vault.sealing_keys (kid, mode, x, y, wrapped, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [key.kid, key.mode, key.x, key.y, key.wrapped, new Date(clock())],
  );
}

async function openableKey(
  { db, clock }: SealingKeyDeps,
  kid: string,
  mode: Mode,
): Promise<SealingKeyRow | undefined> {
  const [row] = await db.query<SealingKeyRow>(
    `select kid, mode, x, y, wrapped from vault.sealing_keys
     where kid = $1 and mode = $2 and (retired_at is null or retired_at > $3)`,
    [kid, mode, new Date(clock() - RETIRED_KEY_GRACE_MS)],
    'openable-sealing-key',
  );
  return row;
}

async function unwrapPrivateKey(
  kms: Kms,
  { kid, mode, wrapped }: SealingKeyRow,
): Promise<KeyObject> {
  const der = await kms.unwrap(wrapped, contextOf(kid, mode));
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}
