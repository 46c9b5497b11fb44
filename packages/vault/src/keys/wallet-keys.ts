import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { type Mode, type WalletKind, walletKinds } from '@florin/contract/protocol/vault.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Database, Db } from '../store/db.ts';
import { createKeyCache } from './key-cache.ts';
import type { RootKeys, WrappedKey } from './root-keys.ts';

/** Key pairs for which wallets encrypt cards. */
export interface WalletKeys {
  /** The newest public key (SPKI) of each mode and wallet. Creates the sandbox's keys on demand. */
  loadPublicKeys(): Promise<readonly PublicWalletKey[]>;
  /** Private keys of a wallet, newest first. */
  privateKeys(mode: Mode, wallet: WalletKind): Promise<KeyObject[]>;
  /** Private key with this id; undefined if the mode has no such key. */
  privateKey(mode: Mode, wallet: WalletKind, key_id: string): Promise<KeyObject | undefined>;
  /**
   * Publishes a key that was created elsewhere, and makes an earlier one the newest again. Returns its id;
   * undefined if it already is the newest.
   */
  publish(wallet: WalletKind, privateKey: KeyObject): Promise<string | undefined>;
}

export interface PublicWalletKey {
  readonly mode: Mode;
  readonly wallet: WalletKind;
  /** SHA-256 of the SPKI in base64. */
  readonly key_id: string;
  /** Public key (SPKI) in base64. */
  readonly public_key: string;
}

interface WalletKeyRow extends PublicWalletKey, WrappedKey {}

interface WalletKeyDeps {
  readonly db: Database;
  readonly rootKeys: RootKeys;
  readonly clock: Clock;
}

/** Number of newest keys of a wallet and mode that decryption tries. Older keys are ignored. */
const KEYS_MAX = 4;

export function createWalletKeys(deps: WalletKeyDeps): WalletKeys {
  const { db, rootKeys } = deps;
  const cache = createKeyCache<KeyObject>();
  const openKey = (row: WalletKeyRow): Promise<KeyObject> =>
    cache.get(walletKeyContext(row), () => unwrapKey(rootKeys, row));
  return {
    async loadPublicKeys() {
      const keys = await selectNewestOfEach(db);
      return hasSandboxKeys(keys) ? keys : createSandboxKeys(deps);
    },
    async privateKeys(mode, wallet) {
      return Promise.all((await selectKeyRows(db, mode, wallet)).map(openKey));
    },
    async privateKey(mode, wallet, key_id) {
      const row = (await selectKeyRows(db, mode, wallet)).find(
        (candidate) => candidate.key_id === key_id,
      );
      return row && openKey(row);
    },
    publish: (wallet, privateKey) => insertKey(db, deps, { mode: 'live', wallet, privateKey }),
  };
}

/** Context that binds a wallet's wrapped key. */
export const walletKeyContext = ({
  mode,
  wallet,
  key_id,
}: Omit<PublicWalletKey, 'public_key'>): string => `wallet:${mode}:${wallet}:${key_id}`;

const selectNewestOfEach = (db: Db): Promise<PublicWalletKey[]> =>
  db.query(
    `select distinct on (mode, wallet) mode, wallet, key_id, public_key from vault.wallet_keys
     order by mode, wallet, created_at desc, key_id`,
  );

const selectKeyRows = (db: Db, mode: Mode, wallet: WalletKind): Promise<WalletKeyRow[]> =>
  db.query(
    `select mode, wallet, key_id, public_key, root_version, wrapped from vault.wallet_keys
     where mode = $1 and wallet = $2 order by created_at desc, key_id limit ${KEYS_MAX}`,
    [mode, wallet],
    'wallet-keys',
  );

const hasSandboxKeys = (keys: readonly PublicWalletKey[]): boolean =>
  keys.filter(({ mode }) => mode === 'sandbox').length === walletKinds.length;

/** Creates the sandbox's keys. The lock lets one caller create them; the others then find them. */
const createSandboxKeys = (deps: WalletKeyDeps): Promise<PublicWalletKey[]> =>
  deps.db.transaction(async (tx) => {
    await tx.query('lock table vault.wallet_keys in share row exclusive mode');
    if (!hasSandboxKeys(await selectNewestOfEach(tx))) {
      for (const wallet of walletKinds) {
        const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
        await insertKey(tx, deps, { mode: 'sandbox', wallet, privateKey });
      }
    }
    return selectNewestOfEach(tx);
  });

interface NewKey {
  readonly mode: Mode;
  readonly wallet: WalletKind;
  readonly privateKey: KeyObject;
}

async function insertKey(
  tx: Db,
  { rootKeys, clock }: WalletKeyDeps,
  { mode, wallet, privateKey }: NewKey,
): Promise<string | undefined> {
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const key_id = createHash('sha256').update(spki).digest('base64');
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  const { root_version, wrapped } = await rootKeys.wrap(
    der,
    walletKeyContext({ mode, wallet, key_id }),
  );
  der.fill(0);
  const [row] = await tx.query<{ key_id: string }>(
    `insert into vault.wallet_keys (mode, wallet, key_id, public_key, root_version, wrapped, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (mode, wallet, key_id) do update set created_at = excluded.created_at
       where exists (select from vault.wallet_keys newer where newer.mode = $1 and newer.wallet = $2
         and newer.created_at > wallet_keys.created_at)
     returning key_id`,
    [mode, wallet, key_id, spki.toString('base64'), root_version, wrapped, new Date(clock())],
  );
  return row?.key_id;
}

async function unwrapKey(rootKeys: RootKeys, row: WalletKeyRow): Promise<KeyObject> {
  const der = await rootKeys.unwrap(row, walletKeyContext(row));
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  der.fill(0);
  return key;
}
