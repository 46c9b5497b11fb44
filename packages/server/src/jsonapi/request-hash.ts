import { createHash } from 'node:crypto';
import type { Signer } from '../platform/crypto/signer.ts';

/** Prefix of keyed hashes, with the version of their format. Hashes of earlier versions of Florin have none. */
export const KEYED_PREFIX = 'k1.';

/** SHA-256 of a request's content: equal for documents that differ only in the order of members. */
export const contentDigest = (content: unknown): string =>
  createHash('sha256').update(canonicalText(content)).digest('base64url');

/**
 * Hash to store for a digest. Without the key, a copy of the database would confirm guesses of what a request
 * contained. Leaves keyed hashes as they are.
 */
export const keyedHash = (signer: Signer, digest: string): string =>
  digest.startsWith(KEYED_PREFIX) ? digest : KEYED_PREFIX + signer.sign(digest);

function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`);
  return `{${members.join(',')}}`;
}
