import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
} from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import type { Db } from '../store/db.ts';
import type { RootKeys, WrappedKey } from './root-keys.ts';

/** The Ed25519 key that signs audit heads. Created on first use and wrapped by the root key. */
export interface AuditKey {
  /** Returns the message's signature and the public key (SPKI). */
  sign(message: Buffer): Promise<{ readonly public_key: Buffer; readonly signature: Buffer }>;
  /** Whether this key signed the message; undefined while no key exists. */
  verify(message: Buffer, signature: Buffer): Promise<boolean | undefined>;
}

interface AuditKeyRow extends WrappedKey {
  readonly kid: string;
  readonly public_key: Buffer;
}

interface AuditKeyDeps {
  readonly db: Db;
  readonly rootKeys: RootKeys;
  readonly clock: Clock;
}

/** Context that binds the wrapped audit key. */
export const auditKeyContext = (kid: string): string => `audit:${kid}`;

export function createAuditKey(deps: AuditKeyDeps): AuditKey {
  return {
    async sign(message) {
      const keyRow = (await findKey(deps.db)) ?? (await addKey(deps));
      const key = await privateKeyOf(deps, keyRow);
      return { public_key: keyRow.public_key, signature: sign(null, message, key) };
    },
    // Derives the public key from the private one, which only the root key decrypts. A stored public key
    // could be replaced by anyone who can write to the database.
    async verify(message, signature) {
      const keyRow = await findKey(deps.db);
      if (!keyRow) return undefined;
      return verify(null, message, createPublicKey(await privateKeyOf(deps, keyRow)), signature);
    },
  };
}

async function findKey(db: Db): Promise<AuditKeyRow | undefined> {
  const [row] = await db.query<AuditKeyRow>(
    'select kid, public_key, root_version, wrapped from vault.audit_keys',
  );
  return row;
}

/** Creates and stores the key. If two vaults do so concurrently, the first insert wins. */
async function addKey({ db, rootKeys, clock }: AuditKeyDeps): Promise<AuditKeyRow> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const public_key = publicKey.export({ format: 'der', type: 'spki' });
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  const kid = createHash('sha256').update(public_key).digest('base64url');
  const newRow = { kid, public_key, ...(await rootKeys.wrap(der, auditKeyContext(kid))) };
  der.fill(0);
  await db.query(
    `insert into vault.audit_keys (kid, public_key, root_version, wrapped, created_at)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [kid, public_key, newRow.root_version, newRow.wrapped, new Date(clock())],
  );
  return (await findKey(db)) ?? newRow;
}

async function privateKeyOf({ rootKeys }: AuditKeyDeps, row: AuditKeyRow) {
  const der = await rootKeys.unwrap(row, auditKeyContext(row.kid));
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  der.fill(0);
  return key;
}
