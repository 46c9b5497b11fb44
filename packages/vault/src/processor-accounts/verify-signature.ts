import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignatureRequest } from '@florin/contract/protocol/processor-accounts.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import type { Database } from '../store/db.ts';
import { selectSecrets } from './account-store.ts';
import { type OpenSecretDeps, openSecret } from './open-secret.ts';

export interface VerifyDeps extends OpenSecretDeps {
  readonly db: Database;
}

/**
 * Whether the signature was made with one of the named secrets. Throws `credential_missing` if the account has none of
 * them, since the message can then be neither accepted nor refused.
 */
export async function verifySignature(
  deps: VerifyDeps,
  { account_id, mode, secrets: names, check }: SignatureRequest,
): Promise<boolean> {
  const rows = (await selectSecrets(deps.db, { account_id, mode })).filter(({ name }) =>
    names.includes(name),
  );
  if (rows.length === 0)
    throw new VaultRefusal('credential_missing', `The account has none of: ${names.join(', ')}.`);
  const secrets = await Promise.all(rows.map((row) => openSecret(deps, row)));
  // Compares with every secret, so that the time does not tell which one matched.
  return secrets.map((secret) => matches(secret, check)).includes(true);
}

function matches(secret: string, check: SignatureRequest['check']): boolean {
  if (check.kind === 'equal') return isEqual(digestOf(secret), digestOf(check.text));
  const key = Buffer.from(secret, check.key_encoding);
  const expected = createHmac('sha256', key).update(check.payload, check.payload_encoding).digest();
  return isEqual(expected, Buffer.from(check.signature, check.signature_encoding));
}

/** Texts are compared by digests, because their lengths may differ. */
const digestOf = (text: string): Buffer => createHmac('sha256', 'equal').update(text).digest();

const isEqual = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);
