import type { Config } from '../../../config/config.ts';
import {
  createSealer,
  keyFingerprint,
  SEALED_PREFIX,
  type Sealer,
} from '../../../platform/crypto/sealer.ts';
import type { Db } from '../../../platform/database/db.ts';
import {
  changeFact,
  factOf,
  storeFact,
} from '../../../platform/database/installation/installation-facts.ts';
import { sealedTexts } from '../sql/sealed-texts.ts';
import { ensureSecretsKeys, readSecretsKeys, secretsKeysPath } from './keys-file.ts';

interface KeysDeps {
  readonly db: Db;
  readonly config: Pick<Config, 'data_dir' | 'secrets_keys'>;
}

/**
 * Maximum number of sealed texts per kind to test, if the database does not store its key's
 * fingerprint yet.
 */
const TRIED_MAX = 100;

/**
 * Keys that seal this database's secrets, newest first: the configured keys, or those of `secrets.key`. Creates the
 * file only if the database has no secrets. Throws an `Error` with a readable message for another database's keys.
 */
export async function ownSecretsKeys({ db, config }: KeysDeps): Promise<readonly Buffer[]> {
  const { data_dir } = config;
  const fingerprint = await factOf(db, 'secrets_key');
  const configuredKeys = config.secrets_keys ?? (await readSecretsKeys(data_dir));
  if (!configuredKeys && (fingerprint || (await isAnythingSealed(db))))
    throw new Error(missingKeyText(data_dir, fingerprint));
  const keys = configuredKeys ?? (await ensureSecretsKeys(data_dir));
  if (!fingerprint && !(await opensAny(db, keys)))
    throw new Error(differingKeyText(data_dir, keys));
  await proveKeys(db, keys, fingerprint, data_dir);
  return keys;
}

/**
 * Sealer of a command. Throws unless the newest of its keys is the database's key: then one process has started with it.
 * Others may still lack it. Changes nothing.
 */
export async function provenSealer({ db, config }: KeysDeps): Promise<Sealer> {
  const fingerprint = await factOf(db, 'secrets_key');
  const keys = config.secrets_keys ?? (await readSecretsKeys(config.data_dir));
  if (!keys) throw new Error(missingKeyText(config.data_dir, fingerprint));
  if (!fingerprint || !isAmong(keys, fingerprint))
    throw new Error(differingKeyText(config.data_dir, keys, fingerprint));
  if (sealingFingerprint(keys) === fingerprint) return createSealer(keys);
  throw new Error(
    'no process has started with the newest key yet: put it first on every machine, and restart every process',
  );
}

/** Makes this start's key the database's key. Returns its fingerprint. */
export async function adoptSecretsKeys({ db, config }: KeysDeps): Promise<string> {
  const keys = config.secrets_keys ?? (await ensureSecretsKeys(config.data_dir));
  const ownFingerprint = sealingFingerprint(keys);
  const storedFingerprint = await storeFact(db, 'secrets_key', ownFingerprint);
  if (
    storedFingerprint !== ownFingerprint &&
    !(await changeFact(db, 'secrets_key', {
      previousValue: storedFingerprint,
      newValue: ownFingerprint,
    }))
  ) {
    throw new Error('another start has changed the key: try again');
  }
  return ownFingerprint;
}

/**
 * Throws unless `keys` include the key that the database is sealed with. The first of `keys`
 * replaces it as the database's key.
 */
async function proveKeys(
  db: Db,
  keys: readonly Buffer[],
  knownFingerprint: string | undefined,
  data_dir: string,
): Promise<void> {
  const ownFingerprint = sealingFingerprint(keys);
  const storedFingerprint =
    knownFingerprint ?? (await storeFact(db, 'secrets_key', ownFingerprint));
  if (!isAmong(keys, storedFingerprint))
    throw new Error(differingKeyText(data_dir, keys, storedFingerprint));
  if (
    storedFingerprint === ownFingerprint ||
    (await changeFact(db, 'secrets_key', {
      previousValue: storedFingerprint,
      newValue: ownFingerprint,
    }))
  )
    return;
  const now = (await factOf(db, 'secrets_key')) ?? ownFingerprint;
  if (!isAmong(keys, now)) throw new Error(differingKeyText(data_dir, keys, now));
}

const isAmong = (keys: readonly Buffer[], fingerprint: string): boolean =>
  keys.some((key) => keyFingerprint(key) === fingerprint);

const sealingFingerprint = ([sealingKey]: readonly Buffer[]): string =>
  keyFingerprint(sealingKey as Buffer);

const isAnythingSealed = async (db: Db): Promise<boolean> =>
  (await sealedTexts(db, SEALED_PREFIX, 1)).length > 0;

/** Whether the keys decrypt a sealed text, or the database has none. */
async function opensAny(db: Db, keys: readonly Buffer[]): Promise<boolean> {
  const sealer = createSealer(keys);
  const sampledTexts = await sealedTexts(db, SEALED_PREFIX, TRIED_MAX);
  const canOpen = ({ stored, merchant_id, id, place }: (typeof sampledTexts)[number]): boolean =>
    sealer.open(stored as string, {
      merchant_id: merchant_id as string,
      id: id as string,
      column: place as string,
    }) !== undefined;
  return sampledTexts.length === 0 || sampledTexts.some(canOpen);
}

const NEXT_STEPS =
  'Copy secrets.key from the data directory of another Florin of this database, or from your backup, or set FLORIN_SECRETS_KEY. Only if the key is lost: npm run florin -- adopt secrets-key.';

const namedKeyText = (fingerprint?: string): string =>
  fingerprint ? ` (fingerprint ${fingerprint})` : '';

const missingKeyText = (data_dir: string, fingerprint?: string): string =>
  `The secrets of this database are sealed with a key${namedKeyText(fingerprint)} that this server lacks: ${secretsKeysPath(data_dir)} does not exist. ${NEXT_STEPS}`;

const differingKeyText = (
  data_dir: string,
  keys: readonly Buffer[],
  fingerprint?: string,
): string =>
  `The secrets of this database are sealed with another key${namedKeyText(fingerprint)} than those of ${secretsKeysPath(data_dir)} or FLORIN_SECRETS_KEY (${keys.map(keyFingerprint).join(', ')}). ${NEXT_STEPS}`;
