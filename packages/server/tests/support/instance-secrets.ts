import { readSecretsKeys } from '../../src/features/webhooks/signing/keys-file.ts';
import type { KeyRing } from '../../src/platform/crypto/key-ring.ts';
import { createSealer } from '../../src/platform/crypto/sealer.ts';
import type { Db } from '../../src/platform/database/db.ts';
import {
  type InstanceSecretName,
  readInstanceSecret,
} from '../../src/platform/database/installation/instance-secrets.ts';

/** Sealer with the keys of a data directory. */
export const sealerOf = async (dataDir: string) =>
  createSealer((await readSecretsKeys(dataDir)) ?? []);

/** Opens the newest version of a secret, with the key of the data directory. */
export async function openSecret(
  db: Db,
  dataDir: string,
  name: InstanceSecretName,
): Promise<KeyRing> {
  const key = await readInstanceSecret(db, await sealerOf(dataDir), name);
  return { keys: () => [key] };
}
