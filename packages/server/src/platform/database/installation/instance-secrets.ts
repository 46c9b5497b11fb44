import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { KeyRing } from '../../crypto/key-ring.ts';
import type { Sealer } from '../../crypto/sealer.ts';
import type { Logger } from '../../logger.ts';
import { type Clock, instantText, type Micros, microsOf } from '../../time/clock.ts';
import type { Database, Db } from '../db.ts';
import {
  insertSecret,
  listSecrets,
  type SecretVersion,
  sealPlainSecret,
  secretLocation,
} from './secret-versions.ts';

/** Random secrets of the installation, the same in all processes. */
export const instanceSecretNames = [
  'access_tries',
  'authentications',
  'card_tries',
  'cursors',
  'customer_links',
  'form_grants',
  'mount_sessions',
  'payment_links',
  'processor_messages',
  'request_hashes',
  'shop_orders',
] as const;
export type InstanceSecretName = (typeof instanceSecretNames)[number];

/** Seconds between two reads of the secrets by a process. A new version signs only after every process has it. */
const REFRESH_SECONDS = 10;
const SECRET_BYTES = 32;
const FIRST_VERSION = 1;

/** The secrets of the installation. Their keys follow rotations without a restart. */
export interface InstanceSecrets extends AsyncDisposable {
  ringOf(name: InstanceSecretName): KeyRing;
  /** Reads the versions again. */
  refresh(): Promise<void>;
}

interface SecretDeps {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A version that was opened. */
interface SecretKey {
  readonly key: KeyObject;
  readonly active_at: Micros;
  readonly expires_at: Micros;
}

/**
 * Opens the secrets, and creates missing ones. Seals those that an earlier version of Florin stored in plain text.
 * Throws an `Error` with the next step if no key of this server opens one.
 */
export async function openInstanceSecrets(deps: SecretDeps): Promise<InstanceSecrets> {
  await addMissing(deps);
  let keysByName = await readKeys(deps);
  const refresh = async (): Promise<void> => {
    keysByName = await readKeys(deps);
  };
  let reading = Promise.resolve();
  const timer = setInterval(() => {
    reading = reading.then(refresh).catch((error: Error) => {
      deps.logger.warn({ err: { message: error.message } }, 'instance secrets not read');
    });
  }, REFRESH_SECONDS * 1_000);
  return {
    refresh,
    ringOf: (name) => ({
      keys: () => validKeys(keysByName.get(name) ?? [], deps.clock.now()),
    }),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await reading;
    },
  };
}

/** The key that signs at this time, then the others that verify. */
function validKeys(keys: readonly SecretKey[], now: Micros): readonly KeyObject[] {
  const valid = keys.filter(({ expires_at }) => now < expires_at);
  const signing = valid.find(({ active_at }) => active_at <= now) ?? valid.at(-1) ?? keys[0];
  const others = valid.filter((version) => version !== signing);
  return (signing ? [signing, ...others] : []).map(({ key }) => key);
}

async function addMissing({ db, sealer }: SecretDeps): Promise<void> {
  const names = new Set((await listSecrets(db)).map(({ name }) => name));
  for (const name of instanceSecretNames)
    if (!names.has(name)) await insertSecret(db, newVersion(sealer, name, FIRST_VERSION));
}

/** A random version of a secret, sealed for its row. */
export function newVersion(sealer: Sealer, name: string, version: number): SecretVersion {
  const secret = randomBytes(SECRET_BYTES).toString('base64');
  return {
    name,
    version,
    sealed: sealer.seal(secret, secretLocation({ name, version })),
    plain: undefined,
    active_at: instantText(0),
    expires_at: undefined,
  };
}

async function readKeys({ db, sealer }: SecretDeps): Promise<Map<string, readonly SecretKey[]>> {
  const versions = await listSecrets(db);
  for (const version of versions)
    if (version.plain) await sealPlainSecret(db, version, sealedText(sealer, version));
  const keys = versions.map((version) => [version.name, openVersion(sealer, version)] as const);
  const byName = Map.groupBy(keys, ([name]) => name);
  return new Map([...byName].map(([name, entries]) => [name, entries.map(([, key]) => key)]));
}

const sealedText = (sealer: Sealer, version: SecretVersion): string =>
  sealer.seal(version.plain?.toString('base64') ?? '', secretLocation(version));

function openVersion(sealer: Sealer, version: SecretVersion): SecretKey {
  const { plain, sealed = '', active_at, expires_at } = version;
  const secret = plain?.toString('base64') ?? sealer.open(sealed, secretLocation(version));
  if (secret === undefined) throw new Error(unreadableText(version.name));
  return {
    key: createSecretKey(Buffer.from(secret, 'base64')),
    active_at: active_at === '-infinity' ? 0 : microsOf(active_at),
    expires_at: expires_at === undefined ? Number.POSITIVE_INFINITY : microsOf(expires_at),
  };
}

const unreadableText = (name: string): string =>
  `No key of this server opens the secret ${name} of the database. Put the key that sealed it back behind the newest one, in secrets.key or FLORIN_SECRETS_KEY, and run "florin secrets reseal". Only if the key is lost: npm run florin -- adopt secrets-key.`;

/** Opens the newest version of a secret, for programs beside the server. */
export async function readInstanceSecret(
  db: Db,
  sealer: Sealer,
  name: InstanceSecretName,
): Promise<KeyObject> {
  const version = (await listSecrets(db)).find((known) => known.name === name);
  if (!version) throw new Error(`the database has no secret ${name}`);
  return openVersion(sealer, version).key;
}
