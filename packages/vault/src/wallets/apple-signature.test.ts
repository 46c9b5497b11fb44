import { X509Certificate } from 'node:crypto';
import { createAppleAuthority } from '@florin/simulator/wallets/authority.ts';
import { certificateOf } from '@florin/simulator/wallets/certificate.ts';
import { signDetached } from '@florin/simulator/wallets/signed-data.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VaultRefusal } from '../kernel/errors.ts';
import { verifyAppleSignature } from './apple-signature.ts';

const SEED = 20_261_121;
const SIGNED_AT = new Date('2026-11-21T12:00:00Z');
const CONTENT = Buffer.from('what was approved');
const { root, chain } = createAppleAuthority();
const ROOT = new X509Certificate(certificateOf(root));
const VALID_SIGNATURE = signDetached(CONTENT, chain, SIGNED_AT);

/** Time of a signature, or the error code of its refusal. Throws other errors. */
function outcomeOf(signature: Buffer, content = CONTENT): number | string {
  try {
    return verifyAppleSignature(signature, content, ROOT, SIGNED_AT.getTime());
  } catch (error) {
    if (error instanceof VaultRefusal) return error.code;
    throw error;
  }
}

test('a valid signature has its time', () => {
  expect(outcomeOf(VALID_SIGNATURE)).toBe(SIGNED_AT.getTime());
  expect(outcomeOf(VALID_SIGNATURE, Buffer.from('something else'))).toBe('wallet_token_unreadable');
});

/** Rewrites a DER item with the indefinite length form of BER. */
function toIndefiniteLength(
  der: Buffer,
  change: (contents: Buffer) => Buffer = (contents) => contents,
): Buffer {
  const lengthBytes = (der[1] ?? 0) < 0x80 ? 1 : 1 + ((der[1] ?? 0) & 0x7f);
  const contents = change(der.subarray(1 + lengthBytes));
  return Buffer.concat([der.subarray(0, 1), Buffer.from([0x80]), contents, Buffer.from([0, 0])]);
}

test('lengths may have the indefinite form, as Apple sends them', () => {
  const OID_BYTES = 11;
  const signature = toIndefiniteLength(VALID_SIGNATURE, (contents) =>
    Buffer.concat([
      contents.subarray(0, OID_BYTES),
      toIndefiniteLength(contents.subarray(OID_BYTES), (signedData) =>
        toIndefiniteLength(signedData),
      ),
    ]),
  );
  expect(outcomeOf(signature)).toBe(SIGNED_AT.getTime());
});

describe('a refusal is the only result of', () => {
  test('a signature that is truncated anywhere', () => {
    for (const end of VALID_SIGNATURE.keys()) {
      expect(outcomeOf(VALID_SIGNATURE.subarray(0, end))).toBe('wallet_token_unreadable');
    }
  });

  test('a signature with any significant byte changed', () => {
    const bytes = fc.tuple(fc.nat(VALID_SIGNATURE.length - 1), fc.integer({ min: 1, max: 255 }));
    fc.assert(
      fc.property(bytes, ([index, mask]) => {
        const changedSignature = Buffer.from(VALID_SIGNATURE);
        changedSignature.writeUInt8(changedSignature.readUInt8(index) ^ mask, index);
        // Unsigned parts, such as the signer's name beside the certificate, may have any content.
        const outcome = outcomeOf(changedSignature);
        return typeof outcome === 'string' || outcome === SIGNED_AT.getTime();
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  test('random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) =>
        String(outcomeOf(Buffer.from(bytes))).startsWith('wallet_token_'),
      ),
      { seed: SEED, numRuns: 300 },
    );
  });
});
