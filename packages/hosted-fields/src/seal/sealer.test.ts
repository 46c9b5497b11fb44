import { SEALED_BYTES, SEALED_LIFE_SECONDS } from '@florin/contract/protocol/frame.ts';
import {
  type CryptoKey,
  compactDecrypt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
} from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JweRecipient } from './jwe.ts';
import { createSealer } from './sealer.ts';

const NOW_MS = 1_900_000_000_000;
const entry = { number: '4005519200000004', expiry: '04 / 31', cvv: '123' };

let recipient: JweRecipient;
let privateKey: CryptoKey;

beforeAll(async () => {
  const pair = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true });
  const { x = '', y = '' } = await exportJWK(pair.publicKey);
  privateKey = pair.privateKey;
  recipient = { key: { kid: 'k1', kty: 'EC', crv: 'P-256', x, y }, sid: 'nonce-1' };
});

async function open(jwe: string) {
  const { plaintext, protectedHeader } = await compactDecrypt(jwe, privateKey);
  const claims = JSON.parse(new TextDecoder().decode(plaintext));
  return { length: plaintext.length, header: protectedHeader, claims };
}

describe('createSealer', () => {
  it('seals number and expiry apart from the verification value, for jose to open', async () => {
    const { pan_jwe, cvv_jwe } = await createSealer(recipient, () => NOW_MS).seal(entry);
    const times = { iat: NOW_MS / 1000, exp: NOW_MS / 1000 + SEALED_LIFE_SECONDS };
    const pan = await open(pan_jwe);
    const cvv = await open(cvv_jwe);
    expect(pan.claims).toEqual({
      pan: entry.number,
      expiry_month: 4,
      expiry_year: 2031,
      jti: expect.stringMatching(/^[\w-]{22}$/),
      pad: expect.any(String),
      ...times,
    });
    expect(cvv.claims).toEqual({
      cvv: '123',
      jti: expect.any(String),
      pad: expect.any(String),
      ...times,
    });
    expect(cvv.claims.jti).not.toBe(pan.claims.jti);
  });

  it('names only algorithms, key, session and purpose in the protected header', async () => {
    const { pan_jwe } = await createSealer(recipient, () => NOW_MS).seal(entry);
    expect(decodeProtectedHeader(pan_jwe)).toEqual({
      alg: 'ECDH-ES',
      enc: 'A256GCM',
      kid: 'k1',
      typ: 'card+jwe',
      sid: 'nonce-1',
      epk: { kty: 'EC', crv: 'P-256', x: expect.any(String), y: expect.any(String) },
    });
  });

  it('gives every card the same length', async () => {
    const sealer = createSealer(recipient, () => NOW_MS);
    const long = { number: '4444333322221111455', expiry: '12 / 2031', cvv: '1234' };
    for (const card of [entry, long]) {
      const { pan_jwe, cvv_jwe } = await sealer.seal(card);
      expect((await open(pan_jwe)).length).toBe(SEALED_BYTES);
      expect((await open(cvv_jwe)).length).toBe(SEALED_BYTES);
    }
  });

  it('sends an unanswered entry again unchanged', async () => {
    const sealer = createSealer(recipient, () => NOW_MS);
    expect(await sealer.seal({ ...entry })).toBe(await sealer.seal({ ...entry }));
  });

  it('seals an expired entry again under the same ids', async () => {
    let now = NOW_MS;
    const sealer = createSealer(recipient, () => now);
    const first = await sealer.seal(entry);
    now += SEALED_LIFE_SECONDS * 1000;
    const secondSeal = await sealer.seal(entry);
    const [before, after] = [await open(first.pan_jwe), await open(secondSeal.pan_jwe)];
    expect(after.claims.jti).toBe(before.claims.jti);
    expect(after.claims.exp).toBeGreaterThan(before.claims.exp);
  });

  it.each([
    ['another entry', (_: ReturnType<typeof createSealer>) => ({ ...entry, cvv: '321' })],
    [
      'an entry after the last was answered',
      (sealer: ReturnType<typeof createSealer>) => {
        sealer.clear();
        return entry;
      },
    ],
  ])('gives %s new ids', async (_name, next) => {
    const sealer = createSealer(recipient, () => NOW_MS);
    const first = await open((await sealer.seal(entry)).cvv_jwe);
    const secondClaims = await open((await sealer.seal(next(sealer))).cvv_jwe);
    expect(secondClaims.claims.jti).not.toBe(first.claims.jti);
  });
});
