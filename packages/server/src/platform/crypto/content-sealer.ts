import { randomBytes } from 'node:crypto';
import { decryptBytes, encryptBytes } from './aead.ts';
import { SEAL_KEY_BYTES, type Sealer } from './sealer.ts';

/** Column of the sealed key of a content. */
const KEY_COLUMN = 'content_key';

/** Row of a content. A content cannot be decrypted at any other place. */
export interface ContentLocation {
  readonly merchant_id: string;
  readonly mode: string;
  readonly id: string;
}

/** Content encrypted with a key of its own, and this key, sealed. Without the key nobody can read the content. */
export interface SealedContent {
  readonly content_key: string;
  readonly content: Buffer;
}

const contextOf = ({ merchant_id, mode, id }: ContentLocation): Buffer =>
  Buffer.from(`${merchant_id} ${mode} ${id} content`);

const keyLocationOf = ({ merchant_id, id }: ContentLocation) => ({
  merchant_id,
  id,
  column: KEY_COLUMN,
});

export function sealContent(
  sealer: Sealer,
  bytes: Buffer,
  location: ContentLocation,
): SealedContent {
  const key = randomBytes(SEAL_KEY_BYTES);
  return {
    content_key: sealer.seal(key.toString('base64'), keyLocationOf(location)),
    content: encryptBytes(key, bytes, contextOf(location)),
  };
}

/** Decrypts a content. Undefined if no key of this server opens it. */
export function openContent(
  sealer: Sealer,
  { content_key, content }: SealedContent,
  location: ContentLocation,
): Buffer | undefined {
  const key = sealer.open(content_key, keyLocationOf(location));
  const keyBytes = Buffer.from(key ?? '', 'base64');
  return keyBytes.length === SEAL_KEY_BYTES
    ? decryptBytes(keyBytes, content, contextOf(location))
    : undefined;
}
