import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { type BackupKey, keysOf, type SealingKey } from './backup-key.ts';

/** Proofs of a text in base64url, by fingerprint of their key. */
export type Proofs = Readonly<Record<string, string>>;

const KEY_BYTES = 32;

/** Proves a text with each key of a file. */
export const proofsOf = (key: BackupKey, text: string): Proofs =>
  Object.fromEntries(
    keysOf(key).map((one) => [one.fingerprint, proofOf(one, text).toString('base64url')]),
  );

/** Whether the newest key of a file proves a text. Older keys may be in other hands: a rotation may follow a theft. */
export function isProven(key: BackupKey, proofs: Proofs | undefined, text: string): boolean {
  const given = Buffer.from(String(proofs?.[key.fingerprint] ?? ''), 'base64url');
  const proof = proofOf(key, text);
  return given.length === proof.length && timingSafeEqual(given, proof);
}

function proofOf({ secret }: SealingKey, text: string): Buffer {
  const key = hkdfSync('sha256', secret, '', 'florin backup description', KEY_BYTES);
  return createHmac('sha256', Buffer.from(key)).update(text).digest();
}
