import { randomUUID } from 'node:crypto';
import { SEALED_BYTES, SEALED_LIFE_SECONDS } from '@florin/contract/protocol/frame.ts';
import type { SealingKey } from '@florin/contract/protocol/vault.ts';
import { CompactEncrypt, type CompactJWEHeaderParameters, importJWK } from 'jose';

export interface SealOptions {
  readonly sid: string;
  readonly now: number;
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
}

/** Encrypts claims as the hosted form does. `claims` and `header` override the form's values. */
export async function seal(
  key: SealingKey,
  content: Readonly<Record<string, unknown>>,
  { sid, now, claims, header }: SealOptions,
): Promise<string> {
  const iat = Math.floor(now / 1000);
  const times = { jti: randomUUID(), iat, exp: iat + SEALED_LIFE_SECONDS };
  const text = JSON.stringify({ ...content, ...times, ...claims, pad: '' });
  const paddedText = text.replace(
    /""}$/,
    `"${' '.repeat(Math.max(0, SEALED_BYTES - text.length))}"}`,
  );
  const protectedHeader = {
    alg: 'ECDH-ES',
    enc: 'A256GCM',
    kid: key.kid,
    typ: 'card+jwe',
    sid,
    ...header,
  } as CompactJWEHeaderParameters;
  return new CompactEncrypt(new TextEncoder().encode(paddedText))
    .setProtectedHeader(protectedHeader)
    .encrypt(await importJWK({ kty: key.kty, crv: key.crv, x: key.x, y: key.y }, 'ECDH-ES'));
}
