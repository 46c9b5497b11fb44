import type { KeyCache } from '../keys/key-cache.ts';
import type { RootKeys } from '../keys/root-keys.ts';
import { type SecretRow, secretContext } from './account-store.ts';

export interface OpenSecretDeps {
  readonly rootKeys: RootKeys;
  /** Decrypted secrets, so that an HSM is not asked for each message. */
  readonly secretCache: KeyCache<string>;
}

/** Decrypts a secret. The id has the wrapped bytes, so that a replaced secret is never served from the cache. */
export const openSecret = (
  { rootKeys, secretCache }: OpenSecretDeps,
  row: SecretRow,
): Promise<string> =>
  secretCache.get(`${secretContext(row)}:${row.wrapped.toString('base64')}`, async () => {
    const plaintext = await rootKeys.unwrap(row, secretContext(row));
    const secret = plaintext.toString();
    plaintext.fill(0);
    return secret;
  });
