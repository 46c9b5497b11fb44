import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Kms, KmsProvider } from '../../src/keys/kms/kms.ts';

/** Required behaviour of every root key provider. `open` opens the same provider repeatedly, like a restart. */
export function testKmsConformance(provider: KmsProvider, open: () => Promise<Kms>): void {
  describe(`the ${provider} provider`, () => {
    let kms: Kms;
    beforeAll(async () => {
      kms = await open();
      await kms.createVersion(1);
    });
    afterAll(() => kms?.[Symbol.asyncDispose]());

    const key = randomBytes(32);
    const restart = async (): Promise<void> => {
      await kms[Symbol.asyncDispose]();
      kms = await open();
    };

    test('reports its kind and its versions', async () => {
      expect(await kms.describe()).toEqual({ provider, versions: [1] });
      expect(kms.nameOf(1)).not.toBe(kms.nameOf(2));
    });

    test.each([1, 16, 32, 138, 1024])('opens what it wrapped of %i bytes', async (bytes) => {
      const plaintext = randomBytes(bytes);
      const wrapped = await kms.wrap(1, plaintext, 'context');
      expect(wrapped.includes(plaintext)).toBe(bytes === 1 && wrapped.includes(plaintext));
      expect(await kms.unwrap(1, wrapped, 'context')).toEqual(plaintext);
    });

    test('never wraps to the same output twice', async () => {
      expect(await kms.wrap(1, key, 'context')).not.toEqual(await kms.wrap(1, key, 'context'));
    });

    test('creates distinct keys of 256 bits, and wraps them', async () => {
      const [firstKey, secondKey] = [await kms.generate(1, 'a'), await kms.generate(1, 'a')];
      expect(firstKey.key).toHaveLength(32);
      expect(firstKey.key).not.toEqual(secondKey.key);
      expect(await kms.unwrap(1, firstKey.wrapped, 'a')).toEqual(firstKey.key);
    });

    test.each<[string, (wrapped: Buffer) => Promise<Buffer>]>([
      ['for another context', (wrapped) => kms.unwrap(1, wrapped, 'contexts')],
      ['under a version that does not exist', (wrapped) => kms.unwrap(9, wrapped, 'context')],
      ['with its last byte changed', (wrapped) => kms.unwrap(1, flipByte(wrapped, -1), 'context')],
      ['with its first byte changed', (wrapped) => kms.unwrap(1, flipByte(wrapped, 0), 'context')],
      ['cut short', (wrapped) => kms.unwrap(1, wrapped.subarray(0, 20), 'context')],
      ['of nothing', () => kms.unwrap(1, Buffer.alloc(0), 'context')],
    ])('refuses a wrapping %s, and opens others afterwards', async (_name, unwrap) => {
      const wrapped = await kms.wrap(1, key, 'context');
      await expect(unwrap(wrapped)).rejects.toThrow();
      expect(await kms.unwrap(1, wrapped, 'context')).toEqual(key);
    });

    test('wraps nothing under a version that does not exist', async () => {
      await expect(kms.wrap(9, key, 'context')).rejects.toThrow();
      await expect(kms.generate(9, 'context')).rejects.toThrow();
    });

    test('keeps a version that is created again, and every version over a restart', async () => {
      const wrapped = await kms.wrap(1, key, 'context');
      await kms.createVersion(1);
      await restart();
      expect(await kms.unwrap(1, wrapped, 'context')).toEqual(key);
    });

    test('keeps versions apart, and destroys one permanently while the other stays', async () => {
      await kms.createVersion(2);
      const wrapped = [
        await kms.wrap(1, key, 'context'),
        await kms.wrap(2, key, 'context'),
      ] as const;
      await expect(kms.unwrap(2, wrapped[0], 'context')).rejects.toThrow();
      expect((await kms.describe()).versions).toEqual([1, 2]);
      await kms.destroyVersion(1);
      await kms.destroyVersion(1);
      await expect(kms.unwrap(1, wrapped[0], 'context')).rejects.toThrow();
      await restart();
      await expect(kms.unwrap(1, wrapped[0], 'context')).rejects.toThrow();
      expect(await kms.unwrap(2, wrapped[1], 'context')).toEqual(key);
      expect((await kms.describe()).versions).toEqual([2]);
      await kms.createVersion(1);
      await expect(kms.unwrap(1, wrapped[0], 'context')).rejects.toThrow();
    });

    test('identifies each key by its own fingerprint, across a restart, or by none', async () => {
      await kms.createVersion(3);
      const fingerprints = [await kms.fingerprintOf(2), await kms.fingerprintOf(3)];
      await restart();
      expect([await kms.fingerprintOf(2), await kms.fingerprintOf(3)]).toEqual(fingerprints);
      if (provider === 'pkcs11') return expect(fingerprints).toEqual([undefined, undefined]);
      expect(new Set(fingerprints).size).toBe(2);
      for (const fingerprint of fingerprints) expect(fingerprint).toMatch(/^[0-9a-f]{16}$/);
      await kms.destroyVersion(3);
    });

    test('serves many concurrent calls', async () => {
      const keys = Array.from({ length: 50 }, () => randomBytes(32));
      const wrappedKeys = await Promise.all(
        keys.map((plainKey, index) => kms.wrap(2, plainKey, `c${index}`)),
      );
      const unwrappedKeys = await Promise.all(
        wrappedKeys.map((wrappedKey, index) => kms.unwrap(2, wrappedKey, `c${index}`)),
      );
      expect(unwrappedKeys).toEqual(keys);
    });
  });
}

function flipByte(bytes: Buffer, offset: number): Buffer {
  const changedBytes = Buffer.from(bytes);
  const index = offset < 0 ? bytes.length + offset : offset;
  changedBytes.writeUInt8(changedBytes.readUInt8(index) ^ 1, index);
  return changedBytes;
}
