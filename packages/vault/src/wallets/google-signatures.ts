import type { KeyObject } from 'node:crypto';
import type { Input } from '../http/input.ts';
import { isObject } from '../http/input.ts';
import { isSignatureValid, publicKeyOf } from './p256.ts';
import { bytesOf, millisecondsOf, readObject, textOf } from './read-json.ts';
import { expiredToken, unreadableToken } from './refusals.ts';

/** A root key with which Google signs intermediate keys. */
export interface GoogleRoot {
  readonly key: KeyObject;
  /** Milliseconds since 1970; Infinity for a key without expiry. */
  readonly expires_at: number;
}

const SENDER = 'Google';
const PROTOCOL = 'ECv2';
/** More than the number of Google's roots, each of which signs an intermediate key. */
const SIGNATURES_MAX = 8;

export interface GoogleTrust {
  readonly recipient_id: string;
  readonly roots: readonly GoogleRoot[];
}

/**
 * Verifies a token's chain (root, intermediate key, message for this recipient) and returns its signed
 * message. Throws `wallet_token_unreadable`; for an expired intermediate key `wallet_token_expired`.
 */
export function verifyGoogleToken(
  token: Input,
  { recipient_id, roots }: GoogleTrust,
  now: number,
): string {
  if (token.protocolVersion !== PROTOCOL) throw unreadableToken('protocolVersion is not ECv2');
  const intermediateKey = verifyIntermediate(token.intermediateSigningKey, roots, now);
  const message = textOf(token, 'signedMessage');
  const signedBytes = toSignedBytes(SENDER, recipient_id, PROTOCOL, message);
  if (!isSignatureValid(intermediateKey, signedBytes, bytesOf(token, 'signature'))) {
    throw unreadableToken('signature is invalid for this recipient');
  }
  return message;
}

function verifyIntermediate(value: unknown, roots: readonly GoogleRoot[], now: number): KeyObject {
  if (!isObject(value)) throw unreadableToken('intermediateSigningKey is missing');
  const text = textOf(value, 'signedKey');
  const signedBytes = toSignedBytes(SENDER, PROTOCOL, text);
  const signatures = signaturesOf(value);
  const isTrusted = roots
    .filter(({ expires_at }) => expires_at > now)
    .some(({ key }) =>
      signatures.some((signature) => isSignatureValid(key, signedBytes, signature)),
    );
  if (!isTrusted) throw unreadableToken('intermediateSigningKey is not signed by a known root');
  const key = readObject(text, 'signedKey');
  if (millisecondsOf(key, 'keyExpiration') <= now)
    throw expiredToken('the intermediate key has expired');
  return publicKeyOf(bytesOf(key, 'keyValue'), 'keyValue');
}

function signaturesOf({ signatures }: Input): Buffer[] {
  if (!Array.isArray(signatures) || signatures.length > SIGNATURES_MAX) {
    throw unreadableToken(`signatures is not a list of at most ${SIGNATURES_MAX}`);
  }
  return signatures.map((signature) => bytesOf({ signature }, 'signature'));
}

/** Concatenates the fields, each after its length as four bytes, little-endian. */
const toSignedBytes = (...fields: readonly string[]): Buffer =>
  Buffer.concat(
    fields.flatMap((field) => {
      const bytes = Buffer.from(field);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, bytes];
    }),
  );
