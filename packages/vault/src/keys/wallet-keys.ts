import { createHash, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type Mode, type WalletKind, walletKinds } from '@florin/contract/protocol/vault.ts';
import type { Audit } from '../audit/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/logger.ts';
import type { Database, Db } from '../store/db.ts';
import { createKeyCache } from './key-cache.ts';
import { createPairChecks, openPair, type PairRootKeys, type Rejection } from './key-pairs.ts';
import type { RootKeys, WrappedKey } from './root-keys.ts';

/** Key pairs for which wallets encrypt cards. */
export interface WalletKeys {
  /**
   * The newest public key (SPKI) of each mode and wallet that is that of its private half. Creates the sandbox's keys on
   * demand.
   */
  loadPublicKeys(): Promise<readonly PublicWalletKey[]>;
  /** Compares all public keys with their private halves, and reports those that differ. */
  verify(): Promise<void>;
  /** Whether a public key was found that is not that of its private half. */
  hasForged(): boolean;
  /** Private keys of a wallet, newest first, without forged ones. Rejects while one cannot be read. */
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
  readonly rootKeys: PairRootKeys & Pick<RootKeys, 'wrap'>;
  readonly clock: Clock;
  readonly audit: Pick<Audit, 'enqueue'>;
  readonly log: Log;
}

/** Number of newest keys of a wallet and mode that are checked, and that decryption tries. Older keys are ignored. */
const KEYS_MAX = 4;

export function createWalletKeys(deps: WalletKeyDeps): WalletKeys {
  const { db } = deps;
  const cache = createKeyCache<KeyObject>();
  const openKey = (row: WalletKeyRow): Promise<KeyObject> =>
    cache.get(idOf(row), () => openPrivateKey(deps.rootKeys, row));
  const checks = createPairChecks({
    open: openKey,
    nameOf: walletKeyContext,
    report: (row, rejection) => reportRejected(deps, row, rejection),
  });

  async function findUnforged(mode: Mode, wallet: WalletKind): Promise<WalletKeyRow[]> {
    const { unforged } = await checks.sort(await selectKeyRows(db));
    return unforged.filter((row) => row.mode === mode && row.wallet === wallet);
  }

  return {
    async loadPublicKeys() {
      const rows = await selectKeyRows(db);
      const { genuine } = await checks.sort(
        sandboxWalletsWithoutKey(rows).length > 0 ? await createSandboxKeys(deps) : rows,
      );
      return genuine.filter((row, at) => !isSameWallet(row, genuine[at - 1]));
    },
    async verify() {
      await checks.sort(await selectKeyRows(db));
    },
    hasForged: checks.hasForged,
    async privateKeys(mode, wallet) {
      return Promise.all((await findUnforged(mode, wallet)).map(openKey));
    },
    async privateKey(mode, wallet, key_id) {
      const row = (await findUnforged(mode, wallet)).find(
        (candidate) => candidate.key_id === key_id,
      );
      return row && openKey(row);
    },
    publish: (wallet, privateKey) => insertKey(db, deps, { mode: 'live', wallet, privateKey }),
  };
}

function reportRejected(
  { log, audit }: WalletKeyDeps,
  { mode, wallet, key_id }: WalletKeyRow,
  { is_forged, fault }: Rejection,
): void {
  if (is_forged) {
    log({ event: 'wallet_key_forged', mode, wallet, key_id });
    audit.enqueue({ actor: 'schedule', verb: 'publish_wallet_key', mode, outcome: 'forged' });
  } else {
    log({ event: 'wallet_key_unreadable', mode, wallet, key_id, fault });
  }
}

/** Identity of a row with its content: the cache never serves a row that replaced another. */
const idOf = (row: WalletKeyRow): string =>
  [walletKeyContext(row), row.public_key, row.root_version, row.wrapped.toString('base64')].join();

const isSameWallet = (row: PublicWalletKey, other: PublicWalletKey | undefined): boolean =>
  row.mode === other?.mode && row.wallet === other.wallet;

/** Context that binds a wallet's wrapped key. */
export const walletKeyContext = ({
  mode,
  wallet,
  key_id,
}: Omit<PublicWalletKey, 'public_key'>): string => `wallet:${mode}:${wallet}:${key_id}`;

/** The newest keys of each mode and wallet, newest first. */
const selectKeyRows = (db: Db): Promise<WalletKeyRow[]> =>
  db.query(
    `select mode, wallet, key_id, public_key, root_version, wrapped from (
       select *, row_number() over (partition by mode, wallet order by created_at desc, key_id) as place
       from vault.wallet_keys
     ) ranked where place <= ${KEYS_MAX} order by mode, wallet, place`,
    [],
    'wallet-keys',
  );

const sandboxWalletsWithoutKey = (rows: readonly PublicWalletKey[]): WalletKind[] =>
  walletKinds.filter(
    (wallet) => !rows.some((row) => row.mode === 'sandbox' && row.wallet === wallet),
  );

/** Creates the sandbox's missing keys. The lock lets one caller create them; the others then find them. */
const createSandboxKeys = (deps: WalletKeyDeps): Promise<WalletKeyRow[]> =>
  deps.db.transaction(async (tx) => {
    await tx.query('lock table vault.wallet_keys in share row exclusive mode');
    for (const wallet of sandboxWalletsWithoutKey(await selectKeyRows(tx))) {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      await insertKey(tx, deps, { mode: 'sandbox', wallet, privateKey });
    }
    return selectKeyRows(tx);
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
  const { key_id, public_key } = publicHalfOf(privateKey);
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
    [mode, wallet, key_id, public_key, root_version, wrapped, new Date(clock())],
  );
  return row?.key_id;
}

/** Unwraps the private half of a wallet's key, if the public columns of its row belong to it. */
const openPrivateKey = (rootKeys: PairRootKeys, row: WalletKeyRow): Promise<KeyObject> =>
  openPair(rootKeys, {
    row,
    context: walletKeyContext(row),
    isPublicHalfOf(privateKey) {
      const { public_key, key_id } = publicHalfOf(privateKey);
      return public_key === row.public_key && key_id === row.key_id;
    },
  });

function publicHalfOf(privateKey: KeyObject): Pick<PublicWalletKey, 'key_id' | 'public_key'> {
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const key_id = createHash('sha256').update(spki).digest('base64');
  return { key_id, public_key: spki.toString('base64') };
}
