import { createSecretKey, hkdfSync } from 'node:crypto';
import { type AeadKey, decryptBytes, encryptBytes } from './aead.ts';

/** Length of an encryption key, in bytes. */
export const SEAL_KEY_BYTES = 32;
const FINGERPRINT_BYTES = 8;
/** Prefix of encrypted texts, with the version of the format. */
export const SEALED_PREFIX = 's1.';

/**
 * Row and column of an encrypted text. Decryption fails in any other place, so texts cannot be moved between
 * rows.
 */
export interface SealLocation {
  readonly merchant_id: string;
  readonly id: string;
  readonly column: string;
}

/** Encrypts short texts, so that a copy of the database alone does not reveal them. */
export interface Sealer {
  seal(text: string, location: SealLocation): string;
  /** Decrypts a text. Returns plain text unchanged, and undefined if no key opens the text. */
  open(stored: string, location: SealLocation): string | undefined;
  /** Says whether the newest key opens a text, or another one. */
  stateOf(stored: string, location: SealLocation): SealState;
  /** Fingerprint of the key that opens a sealed text; undefined if none does. */
  keyOf(stored: string, location: SealLocation): string | undefined;
  /** Fingerprints of all keys, newest first. */
  readonly key_fingerprints: readonly string[];
}

/** Sealed with the newest key, with an older one, with none of the keys, or not at all. */
export type SealState = 'newest' | 'older' | 'unreadable' | 'plain';

/** Identifies a key without revealing it. */
export const keyFingerprint = (key: Buffer): string =>
  Buffer.from(
    hkdfSync('sha256', key, '', 'florin secrets key fingerprint', FINGERPRINT_BYTES),
  ).toString('hex');

/** AES-256-GCM. The first key encrypts; all keys decrypt. Throws without keys. */
export function createSealer(secrets: readonly Buffer[]): Sealer {
  const keys = secrets.map((secret) => createSecretKey(secret));
  const key_fingerprints = secrets.map(keyFingerprint);
  const [sealingKey] = keys;
  if (!sealingKey) throw new Error('a sealer needs a key');
  const openSealed = (stored: string, location: SealLocation) => {
    const sealedBytes = Buffer.from(stored.slice(SEALED_PREFIX.length), 'base64url');
    for (const key of keys) {
      const text = openWith(key, sealedBytes, location);
      if (text !== undefined) return { key, text };
    }
    return undefined;
  };
  return {
    seal: (text, location) => sealWith(sealingKey, text, location),
    open: (stored, location) => (isSealed(stored) ? openSealed(stored, location)?.text : stored),
    stateOf(stored, location) {
      if (!isSealed(stored)) return 'plain';
      const opened = openSealed(stored, location);
      if (!opened) return 'unreadable';
      return opened.key === sealingKey ? 'newest' : 'older';
    },
    keyOf(stored, location) {
      const opened = isSealed(stored) ? openSealed(stored, location) : undefined;
      return opened && key_fingerprints[keys.indexOf(opened.key)];
    },
    key_fingerprints,
  };
}

export const isSealed = (stored: string): boolean => stored.startsWith(SEALED_PREFIX);

const locationText = ({ merchant_id, id, column }: SealLocation): Buffer =>
  Buffer.from(`${merchant_id} ${id} ${column}`);

function sealWith(key: AeadKey, text: string, location: SealLocation): string {
  const sealedBytes = encryptBytes(key, Buffer.from(text, 'utf8'), locationText(location));
  return SEALED_PREFIX + sealedBytes.toString('base64url');
}

const openWith = (key: AeadKey, sealedBytes: Buffer, location: SealLocation): string | undefined =>
  decryptBytes(key, sealedBytes, locationText(location))?.toString('utf8');
