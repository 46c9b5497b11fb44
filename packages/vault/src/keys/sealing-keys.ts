import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Mode, SealingKey } from '@florin/contract/protocol/vault.ts';
import { calculateJwkThumbprint } from 'jose';
import type { Audit } from '../audit/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/logger.ts';
import type { Database, Db } from '../store/db.ts';
import { createKeyCache } from './key-cache.ts';
import { createPairChecks, openPair, type PairRootKeys, type Rejection } from './key-pairs.ts';
import type { RootKeys, WrappedKey } from './root-keys.ts';

/** Time for which a retired key still decrypts cards, so that open forms can finish. */
export const RETIRED_KEY_GRACE_MS = 48 * 60 * 60 * 1000;

/** Algorithms of all keys. A JWE's header cannot choose others. */
export const SEALING_ALG = 'ECDH-ES';
export const SEALING_ENC = 'A256GCM';

/** Key pairs with which the hosted form encrypts cards. */
export interface SealingKeys {
  /**
   * Public keys: for each mode the current one, then the next. Creates a mode's first key on demand. Leaves out keys
   * that are not those of their private halves, or whose halves cannot be read. Throws if a mode has no others.
   */
  loadPublicKeys(): Promise<SealingKey[]>;
  /** Compares all public keys with their private halves, and reports those that differ. */
  verify(): Promise<void>;
  /** Whether a public key was found that is not that of its private half. */
  hasForged(): boolean;
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

type SealingRootKeys = PairRootKeys & Pick<RootKeys, 'wrap'>;

export interface SealingKeyDeps {
  readonly db: Database;
  readonly rootKeys: SealingRootKeys;
  readonly clock: Clock;
}

interface PublishingDeps extends SealingKeyDeps {
  readonly audit: Pick<Audit, 'enqueue'>;
  readonly log: Log;
}

export const MODES: readonly Mode[] = ['live', 'sandbox'];

export function createSealingKeys(deps: PublishingDeps): SealingKeys {
  const cache = createKeyCache<KeyObject>();
  let creation: Promise<SealingKeyRow[]> | undefined;

  /** Callers share one creation. Each would otherwise hold a connection while the first one needs a second. */
  function createOnce(): Promise<SealingKeyRow[]> {
    creation ??= createMissingKeys(deps).finally(() => {
      creation = undefined;
    });
    return creation;
  }

  const privateKeyOf = (row: SealingKeyRow): Promise<KeyObject> =>
    cache.get(idOf(row), () => openPrivateKey(deps.rootKeys, row));

  function report({ kid, mode }: SealingKeyRow, { is_forged, fault }: Rejection): void {
    if (is_forged) {
      deps.log({ event: 'sealing_key_forged', kid, mode });
      deps.audit.enqueue({ actor: 'schedule', verb: 'publish_seal', mode, outcome: 'forged' });
    } else {
      deps.log({ event: 'sealing_key_unreadable', kid, mode, fault });
    }
  }

  const checks = createPairChecks({ open: privateKeyOf, nameOf: ({ kid }) => kid, report });

  return {
    async loadPublicKeys() {
      const storedRows = await selectPublicKeys(deps.db, deps.clock());
      const rows = modesWithoutKey(storedRows).length === 0 ? storedRows : await createOnce();
      const keys = (await checks.sort(rows)).genuine.map(toPublicKey);
      if (modesWithoutKey(keys).length > 0)
        throw new Error('No key of a mode can be published: see the log for each.');
      return keys;
    },
    async verify() {
      await checks.sort(await selectPublicKeys(deps.db, deps.clock()));
    },
    hasForged: checks.hasForged,
    async privateKey(kid, mode) {
      const row = await findOpenableKey(deps, kid, mode);
      return row && privateKeyOf(row);
    },
    clear: () => cache.clear(),
  };
}

/** Identity of a row with its content: the cache never serves a row that replaced another. */
const idOf = ({ kid, mode, x, y, root_version, wrapped }: SealingKeyRow): string =>
  [kid, mode, x, y, root_version, wrapped.toString('base64')].join(':');

const toPublicKey = ({ kid, mode, x, y }: SealingKeyRow): SealingKey => ({
  kid,
  mode,
  x,
  y,
  kty: 'EC',
  crv: 'P-256',
});

const modesWithoutKey = (keys: readonly { readonly mode: Mode }[]): Mode[] =>
  MODES.filter((mode) => !keys.some((key) => key.mode === mode));

/** Context that binds a wrapped private key. */
export const sealingContext = (kid: string, mode: Mode): string => `sealing:${mode}:${kid}`;

/** Public keys: active before future ones, newest first. */
const selectPublicKeys = (db: Db, now: number): Promise<SealingKeyRow[]> =>
  db.query(
    `select kid, mode, x, y, root_version, wrapped from vault.sealing_keys where retired_at is null
     order by active_at > $1, case when active_at <= $1 then active_at end desc, active_at, kid`,
    [new Date(now)],
  );

/** Creates missing keys. The lock lets one caller create them; the others then find them. */
const createMissingKeys = (deps: SealingKeyDeps): Promise<SealingKeyRow[]> =>
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

/** Stores a new key. Returns its id. */
export async function addSealingKey(
  tx: Db,
  rootKeys: SealingRootKeys,
  mode: Mode,
  { now, active_at }: SealingTimes,
): Promise<string> {
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
  return key.kid;
}

async function generateKey(rootKeys: SealingRootKeys, mode: Mode): Promise<SealingKeyRow> {
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

/** Unwraps the private half of a sealing key, if the public columns of its row belong to it. */
const openPrivateKey = (rootKeys: PairRootKeys, row: SealingKeyRow): Promise<KeyObject> =>
  openPair(rootKeys, {
    row,
    context: sealingContext(row.kid, row.mode),
    isPublicHalfOf(privateKey) {
      const { x, y } = privateKey.export({ format: 'jwk' });
      return x === row.x && y === row.y;
    },
  });
